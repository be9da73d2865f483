// Before opset 28 real numbers had only the remainder of truncation, with the sign of the dividend.
#include "ops/convert.h"
#include "ops/term.h"

namespace godwit::ops::adaptations {
namespace {

Result<bool> adapt(Expansion& e, std::int64_t target) {
  if (target >= 28 || e.flag("fmod") || !ir::is_floating(e.element(0))) return false;
  ASSIGN(const Term a, term(e, 0));
  ASSIGN(const Term b, term(e, 1));
  const Term zero = a.number(0);
  const Term rest = a.then("Mod", {b}, {{"fmod", std::int64_t{1}}});
  const Term other_sign = rest.against("Less", zero).then("Xor", {b.against("Less", zero)});
  const Term moves = rest.against("Equal", zero).then("Not").then("And", {other_sign});
  e.set_output(0, moves.choose(rest + b, rest));
  return true;
}

}  // namespace

extern const Adaptation mod = {.op = "Mod", .breaks = {28}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
