// aicpu_kernel.json and its kin: operators of the CPU engines, which every chip shares.
#include <set>

#include "base/text.h"
#include "facts/importer.h"

namespace godwit::facts::importers {
namespace {

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool claims(std::string_view path) {
  const std::string_view name = file_name(path);
  return name == "aicpu_kernel.json" || name == "cust_aicpu_kernel.json" ||
         name == "tf_kernel.json";
}

std::string_view engine_of(const Json& info) {
  const std::string_view library = info["opKernelLib"].string();
  if (library == "HOSTCPUKernel") return "host_cpu";
  return library == "TFKernel" ? "aicpu_tf" : "aicpu";
}

// Types are listed per port here, not as combinations.
std::string side(const Json& op, std::string_view kind, std::set<std::string>& all,
                 std::string& names) {
  std::string out;
  for (std::size_t i = 0; i < 512; ++i) {
    const Json& port = op[format("{}{}", kind, i)];
    if (!port.is_object()) break;
    std::vector<std::string> types;
    for (const std::string_view word : split_list(port["type"].string(), ',')) {
      types.push_back(dtype_code(trim(word)));
    }
    all.insert(types.begin(), types.end());
    const std::string name(port["name"].string());
    names += (names.empty() ? "" : ",") + name;
    out += format("{}{}:{}", out.empty() ? "" : " ", name, join(types, "|"));
  }
  return out;
}

ImportedKernel read_operator(std::string_view name, const Json& op) {
  ImportedKernel kernel{.op = std::string(name), .engine = std::string(engine_of(op["opInfo"]))};
  std::set<std::string> types;
  std::string in_names, out_names;
  const std::string in = side(op, "input", types, in_names);
  const std::string out = side(op, "output", types, out_names);
  kernel.ports = format("({})>({})", in_names, out_names);
  kernel.dtypes = join(std::vector<std::string>(types.begin(), types.end()), "|");
  if (!types.empty()) kernel.combos = format("in[{}] out[{}]", in, out);
  kernel.notes = "types_per_port";
  return kernel;
}

void read(std::string_view path, std::string_view text, Imported& into) {
  const Result<Json> document = parse_json(text, path);
  if (!document) {
    into.skipped.emplace_back(path, document.error().code);
    return;
  }
  std::vector<ImportedKernel>& rows = into.kernels["any"];
  const std::size_t before = rows.size();
  for (const auto& [name, op] : document->members()) {
    if (op["opInfo"].is_object() && !name.empty()) rows.push_back(read_operator(name, op));
  }
  if (rows.size() == before) into.skipped.emplace_back(path, "E028");
}

}  // namespace

extern const Importer aicpu_registry = {.name = "aicpu_registry", .claims = claims, .read = read};

}  // namespace godwit::facts::importers
