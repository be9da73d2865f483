// aic-<soc>-ops-info*.json: which operators the AI Core (or vector core, or DSA) of a chip has.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "facts/importer.h"

namespace godwit::facts::importers {
namespace {

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// "aic-ascend310p-ops-info-nn.json" → "ascend310p"
std::string_view family_of(std::string_view path) {
  std::string_view name = file_name(path);
  const std::size_t start = name.find('-'), end = name.find("-ops-info");
  if (start == std::string_view::npos || end == std::string_view::npos || end <= start) return {};
  return name.substr(start + 1, end - start - 1);
}

bool claims(std::string_view path) {
  const std::string_view name = file_name(path);
  return name.ends_with(".json") && !family_of(path).empty();  // aic-, dsa- and others
}

std::string_view engine_of(std::string_view path) {
  if (file_name(path).starts_with("dsa-")) return "dsa";
  return "aicore";
}

bool is_true(const Json& group) { return equals_ignoring_case(group["flag"].string(), "true"); }

struct Port {
  std::string name;
  std::vector<std::string> dtypes, formats;
};

std::vector<std::string> pieces(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string_view part : split_list(text, ',')) out.emplace_back(trim(part));
  return out;
}

// Ports in order of their numbers: input0, input1 …
std::vector<Port> ports_of(const Json& op, std::string_view kind) {
  std::vector<Port> ports;
  for (std::size_t i = 0; i < 512; ++i) {
    const Json& entry = op[format("{}{}", kind, i)];
    if (!entry.is_object()) break;
    Port port{.name = std::string(entry["name"].string())};
    const std::string_view type = entry["paramType"].string();
    if (type == "dynamic") port.name += '*';
    if (type == "optional") port.name += '?';
    for (const std::string& word : pieces(entry["dtype"].string())) {
      port.dtypes.push_back(dtype_code(word));
    }
    port.formats = pieces(entry["format"].string());
    ports.push_back(std::move(port));
  }
  return ports;
}

std::string names_of(const std::vector<Port>& ports) {
  std::string out;
  for (const Port& port : ports) out += (out.empty() ? "" : ",") + port.name;
  return out;
}

std::string column(const std::vector<Port>& ports, std::size_t index) {
  std::string out;
  for (const Port& port : ports) {
    if (index < port.dtypes.size()) out += (out.empty() ? "" : ",") + port.dtypes[index];
  }
  return out;
}

// Column i across all ports is combination i.
void add_combinations(const std::vector<Port>& in, const std::vector<Port>& out,
                      ImportedKernel& kernel) {
  std::size_t width = 0;
  std::set<std::string> dtypes, formats, combos;
  for (const auto* side : {&in, &out}) {
    for (const Port& port : *side) {
      width = std::max(width, port.dtypes.size());
      dtypes.insert(port.dtypes.begin(), port.dtypes.end());
      formats.insert(port.formats.begin(), port.formats.end());
    }
  }
  std::vector<std::string> ordered;
  for (std::size_t i = 0; i < std::min<std::size_t>(width, 4096); ++i) {
    std::string combo = column(in, i) + ">" + column(out, i);
    if (combos.insert(combo).second) ordered.push_back(std::move(combo));
  }
  kernel.combo_count = ordered.size();
  kernel.combos = join(ordered, "|");
  kernel.dtypes = join(std::vector<std::string>(dtypes.begin(), dtypes.end()), "|");
  kernel.formats = join(std::vector<std::string>(formats.begin(), formats.end()), "|");
}

ImportedKernel read_operator(std::string_view name, const Json& op, std::string_view engine) {
  ImportedKernel kernel{.op = std::string(name), .engine = std::string(engine)};
  const std::vector<Port> in = ports_of(op, "input"), out = ports_of(op, "output");
  kernel.ports = format("({})>({})", names_of(in), names_of(out));
  add_combinations(in, out, kernel);
  kernel.dynamic = is_true(op["dynamicShapeSupport"]) ? "yes" : "no";
  std::vector<std::string> notes;
  if (is_true(op["dynamicFormat"])) notes.emplace_back("dtype_at_run_time");
  if (is_true(op["needCheckSupport"])) notes.emplace_back("may_refuse_at_run_time");
  if (is_true(op["precision_reduce"])) notes.emplace_back("mixed_precision_white");
  kernel.notes = join(notes, "|");
  return kernel;
}

void read(std::string_view path, std::string_view text, Imported& into) {
  const Result<Json> document = parse_json(text, path);
  if (!document) {
    into.skipped.emplace_back(path, document.error().code);
    return;
  }
  std::vector<ImportedKernel>& rows = into.kernels[std::string(family_of(path))];
  const std::size_t before = rows.size();
  for (const auto& [name, op] : document->members()) {
    if (op.is_object() && !name.empty()) rows.push_back(read_operator(name, op, engine_of(path)));
  }
  if (rows.size() == before) into.skipped.emplace_back(path, "E028");
}

}  // namespace

extern const Importer op_registry = {.name = "op_registry", .claims = claims, .read = read};

}  // namespace godwit::facts::importers
