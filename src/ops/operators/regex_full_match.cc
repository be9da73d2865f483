// Whether a regular expression matches each whole string.
#include "base/text.h"
#include "ops/call.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/regex.h"

namespace godwit::ops::operators {
namespace {

Status evaluate(Call& call) {
  const std::optional<Regex> regex = Regex::parse(call.text("pattern"));
  if (!regex) return refuse_attribute(call, "pattern");
  const std::span<const std::string> x = call.values<std::string>(0);
  ASSIGN(const std::span<bool> y, call.make<bool>(0, call.input(0).dims()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::optional<bool> matches = regex->matches(x[i]);
    if (!matches) return call.refuse("text", {{"value", to_valid_utf8(x[i])}});
    y[i] = *matches;
  }
  return {};
}

}  // namespace

extern const Operator regex_full_match = {
    .name = "RegexFullMatch",
    .doc = "Whether the pattern, in the syntax of RE2, matches each whole string.",
    .since = 20,
    .inputs = {{"X", 'T', kString}},
    .outputs = {{"Y", 'B', kBool}},
    .attributes = {{"pattern"}},
    .storage = Storage::kAsStored,
    .infer = broadcast_truth,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
