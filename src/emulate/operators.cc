// Support of every operator overload under both compile modes, as an emulated device asks for it.
#include <algorithm>

#include "base/table.h"
#include "base/text.h"
#include "emulate/profile.h"
#include "facts/eager.h"
#include "facts/tables.h"

namespace godwit::emulate {
namespace {

using facts::Jit;
using facts::OverloadVerdict;

// Names of both tables, each once: what torch has, and what torch_npu adds.
Result<std::vector<std::string>> all_overloads() {
  std::vector<std::string> names;
  ASSIGN(const Table* const kinds, facts::table("api/aten_kind.tsv", {"op"}));
  for (std::size_t row = 0; row < kinds->rows(); ++row)
    names.emplace_back(facts::cell(*kinds, row, "op"));
  ASSIGN(const Table* const aten, facts::table("api/aten.tsv", {"op"}));
  for (std::size_t row = 0; row < aten->rows(); ++row)
    names.emplace_back(facts::cell(*aten, row, "op"));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void set_list(Json& object, std::string_view key, const std::vector<std::string>& values) {
  if (!values.empty()) object.append_member(std::string(key), join(values, "|"));
}

Json describe(const OverloadVerdict& on, const OverloadVerdict& off) {
  Json one = Json::object();
  one.append_member("on", facts::to_string(on.verdict));
  one.append_member("off", facts::to_string(off.verdict));
  set_list(one, "types_on", on.dtypes);
  set_list(one, "types_off", off.dtypes);
  set_list(one, "missing_on", on.missing);
  set_list(one, "missing_off", off.missing);
  return one;
}

}  // namespace

Result<Json> operators(const facts::Soc& soc, std::string_view torch) {
  ASSIGN(const std::vector<std::string> names, all_overloads());
  Json all = Json::object();
  facts::EagerOptions options{.torch = std::string(torch)};
  for (const std::string& name : names) {
    options.jit = Jit::kOn;
    ASSIGN(const OverloadVerdict on, facts::overload_verdict(name, soc, options));
    options.jit = Jit::kOff;
    ASSIGN(const OverloadVerdict off, facts::overload_verdict(name, soc, options));
    all.append_member(name, describe(on, off));
  }
  return all;
}

}  // namespace godwit::emulate
