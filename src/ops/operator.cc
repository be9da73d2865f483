// Finding operators by domain, name and opset.
#include "ops/operator.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "diag/messages.h"

namespace godwit::ops {
namespace {

using Key = std::pair<std::string_view, std::string_view>;

Key key(const Operator& op) { return {op.domain, op.name}; }

// Sorted by domain and name; an operator that came back after a pause may stand twice.
const std::vector<const Operator*>& sorted() {
  static const std::vector<const Operator*> table = [] {
    std::vector<const Operator*> out(kOperators.begin(), kOperators.end());
    std::sort(out.begin(), out.end(), [](const Operator* a, const Operator* b) {
      return std::pair(key(*a), a->since) < std::pair(key(*b), b->since);
    });
    return out;
  }();
  return table;
}

}  // namespace

const Operator* find_operator(std::string_view domain, std::string_view name, std::int64_t opset) {
  const auto& table = sorted();
  const Key wanted(domain, name);
  auto at = std::lower_bound(table.begin(), table.end(), wanted,
                             [](const Operator* row, const Key& k) { return key(*row) < k; });
  for (; at != table.end() && key(**at) == wanted; ++at) {
    if (opset >= (*at)->since && opset <= (*at)->until) return *at;
  }
  return nullptr;
}

tl::unexpected<Error> unknown_operator(const ir::Node& node) {
  std::vector<std::string> names;
  for (const Operator* const op : kOperators) names.emplace_back(op->name);
  const std::vector<std::string> near = nearest(node.op, names);
  const std::string domain = node.domain.empty() ? "ai.onnx" : node.domain;
  const bool is_foreign = !node.domain.empty() && node.domain != "ai.onnx.ml";
  const std::string_view name = near.empty() || is_foreign ? "none_near" : "near";
  return fail("E150", {},
              {{"op", to_valid_utf8(node.op)},
               {"node", to_valid_utf8(node.name.empty() ? node.op : node.name)},
               {"domain", to_valid_utf8(domain)},
               {"opset", format("{}", node.opset)},
               {"wanted", diag::text(format("ops.known_{}", name), {{"names", join(near, ", ")}})},
               {"advice", diag::text(is_foreign ? "ops.advice_foreign" : "ops.advice_unknown")}});
}

}  // namespace godwit::ops
