// Classes and weights of losses, checked.
#include "ops/loss.h"

#include "base/text.h"

namespace godwit::ops {

Status infer_loss(Inference& n) {
  const bool is_each = n.text("reduction") == "none";
  n.set(0, n.element(0), is_each ? n.type(1).shape : std::optional<Shape>(Shape{}));
  return {};
}

Status expand_loss(Expansion& e, const Term& logs) {
  ASSIGN(const Term classes, term(e, 1));
  const std::string_view reduction = e.text("reduction");
  const bool ignores = e.has("ignore_index");
  const Term zero = logs.number(0);
  Term chosen = classes, is_ignored = classes;
  if (ignores) {
    is_ignored =
        classes.against("Equal", classes.number(static_cast<double>(e.integer("ignore_index"))));
    chosen = is_ignored.choose(classes.number(0), classes);
  }
  const std::int64_t axis = 1;
  const Term taken = logs.then("GatherElements", {chosen.unsqueezed({axis})}, {{"axis", axis}});
  Term losses = taken.then("Squeeze", {e.indices({axis})}).then("Neg");
  Term weights = logs.number(1);
  if (e.has_input(2)) weights = Term(e, e.add("Gather", {e.input(2), chosen}), logs.type());
  if (e.has_input(2)) losses = losses * weights;
  if (ignores) losses = is_ignored.choose(zero, losses);
  if (ignores) weights = is_ignored.choose(zero, weights);
  const std::vector<ir::Attribute> to_scalar = {{"keepdims", std::int64_t{0}}};
  const bool is_weighted = ignores || e.has_input(2);
  if (reduction == "none")
    e.set_output(0, losses);
  else if (reduction == "mean" && !is_weighted)
    e.set_output(0, losses.then("ReduceMean", {}, to_scalar));
  else if (reduction == "mean")
    e.set_output(
        0, losses.then("ReduceSum", {}, to_scalar) / weights.then("ReduceSum", {}, to_scalar));
  else
    e.set_output(0, losses.then("ReduceSum", {}, to_scalar));
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
