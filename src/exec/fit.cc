// The static type of a value against what came.
#include "exec/fit.h"

#include <string>
#include <utility>

#include "base/text.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using TypeKind = ir::Type::Kind;

ir::Type type_of(const Datum& datum) {
  switch (datum.kind) {
    case Datum::Kind::kSequence: return ir::Type::around(TypeKind::kSequence, {});
    case Datum::Kind::kOptional: return ir::Type::around(TypeKind::kOptional, {});
    case Datum::Kind::kMap: return ir::Type::around(TypeKind::kMap, {});
    case Datum::Kind::kNothing: return {};
    default: break;
  }
  const ir::Sizes& dims = datum.tensor.dims();
  return ir::Type::tensor(datum.tensor.type(), ir::Shape(dims.begin(), dims.end()));
}

}  // namespace

tl::unexpected<Error> refuse_value(const ir::Value& wanted, std::string found) {
  return fail("E155", {},
              {{"input", to_valid_utf8(wanted.name)},
               {"expected", to_string(wanted.type)},
               {"found", std::move(found)}});
}

Status check_fits(const ir::Value& wanted, const Datum& given) {
  const ir::Type found = type_of(given);
  const bool both_tensors = wanted.type.is_tensor() && found.is_tensor();
  const bool is_one_tensor = wanted.type.is_tensor() || found.is_tensor();
  const bool is_open = wanted.type.kind == TypeKind::kUnknown ||
                       wanted.type.kind == TypeKind::kOptional || found.kind == TypeKind::kUnknown;
  if (is_open || !is_one_tensor) return {};
  return both_tensors && unify(wanted.type, found) ? Status()
                                                   : refuse_value(wanted, to_string(found));
}

}  // namespace godwit::exec
