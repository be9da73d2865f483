// Classes and weights of losses, checked.
#include "ops/loss.h"

#include "base/text.h"

namespace godwit::ops {

Status infer_loss(Inference& n) {
  const bool is_each = n.text("reduction") == "none";
  n.set(0, n.element(0), is_each ? n.type(1).shape : std::optional<Shape>(Shape{}));
  return {};
}

Result<Samples> read_samples(const Call& call) {
  TRY(expect_rank_from(call, 0, 2));
  Sizes wanted = call.input(0).dims();
  const std::int64_t classes = wanted[1];
  wanted.erase(wanted.begin() + 1);
  TRY(expect_sizes(call, 1, wanted));
  std::vector<double> weights(static_cast<std::size_t>(classes), 1);
  if (call.has_input(2)) {
    TRY(expect_sizes(call, 2, {classes}));
    weights = *to_doubles(call.input(2));
  }
  ASSIGN(const Ints targets, call.integers(1));
  const bool ignores = call.has("ignore_index");
  Samples out;
  for (const std::int64_t target : targets) {
    const bool is_ignored = ignores && target == call.integer("ignore_index");
    if (!is_ignored && (target < 0 || target >= classes)) {
      return call.refuse("class",
                         {{"class", format("{}", target)}, {"count", format("{}", classes)}});
    }
    out.classes.push_back(is_ignored ? 0 : static_cast<std::size_t>(target));
    out.weights.push_back(is_ignored ? 0 : weights[out.classes.back()]);
  }
  return out;
}

}  // namespace godwit::ops
