// torch_npu as installed by pip: its version, and the names its Python files define, read as text.
#include <cctype>

#include "base/text.h"
#include "facts/importer.h"

namespace godwit::facts::importers {
namespace {

constexpr std::string_view kPackage = "torch_npu/";

bool is_metadata(std::string_view path) {
  return contains(path, "torch_npu-") && path.ends_with(".dist-info/METADATA");
}

// Offset of "torch_npu/" as a whole folder name, or npos.
std::size_t package_start(std::string_view path) {
  for (std::size_t at = path.find(kPackage); at != std::string_view::npos;
       at = path.find(kPackage, at + 1)) {
    if (at == 0 || path[at - 1] == '/') return at;
  }
  return std::string_view::npos;
}

bool claims(std::string_view path) {
  if (is_metadata(path)) return true;
  return path.ends_with(".py") && package_start(path) != std::string_view::npos;
}

// "site-packages/torch_npu/npu/__init__.py" → "torch_npu.npu"
std::string module_of(std::string_view path) {
  std::string_view name = path.substr(package_start(path));
  name.remove_suffix(3);
  if (name.ends_with("/__init__")) name.remove_suffix(9);
  return replace_all(name, "/", ".");
}

std::string_view identifier(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
    ++end;
  }
  if (end == 0 || std::isdigit(static_cast<unsigned char>(text[0])) != 0) return {};
  return text.substr(0, end);
}

class Scanner {
 public:
  Scanner(std::string module, bool is_package, Imported& into)
      : module_(std::move(module)), is_package_(is_package), into_(into) {}

  void line(std::string_view text) {
    if (in_import_) return imported_names(text);
    if (in_all_) return exported_names(text);
    if (text.starts_with("def ")) return add(identifier(text.substr(4)), "function");
    if (text.starts_with("async def ")) return add(identifier(text.substr(10)), "function");
    if (text.starts_with("class ")) return add(identifier(text.substr(6)), "class");
    if (text.starts_with("__all__")) return exported_names(text);
    if (text.starts_with("from ")) return from_import(text.substr(5));
    const std::string_view name = identifier(text);
    std::string_view rest = trim(text.substr(name.size()));
    if (name.empty() || is_keyword(name)) return;
    if (rest.starts_with(":") && contains(rest, "=")) return add(name, "constant");
    if (rest.starts_with("=") && !rest.starts_with("==")) add(name, "constant");
  }

 private:
  void add(std::string_view name, std::string_view kind) {
    if (name.empty() || name.starts_with("__")) return;
    into_.symbols.emplace(format("{}.{}", module_, name), kind);
  }

  static bool is_keyword(std::string_view word) {
    return word == "else" || word == "try" || word == "finally" || word == "if" || word == "with" ||
           word == "for" || word == "while" || word == "lambda";
  }

  // ".backends import *" of the package torch_npu.npu takes all names of torch_npu.npu.backends.
  void from_import(std::string_view text) {
    const std::size_t import = text.find(" import ");
    if (import == std::string_view::npos) return;
    const std::string_view names = trim(text.substr(import + 8));
    if (!names.starts_with("*")) return imported_names(names);
    std::string_view from = trim(text.substr(0, import));
    std::string base = module_;
    if (!is_package_ && from.starts_with(".")) base = base.substr(0, base.rfind('.'));
    for (bool first = true; from.starts_with("."); first = false) {
      if (!first) base = base.substr(0, base.rfind('.'));
      from.remove_prefix(1);
      if (base.empty()) return;
    }
    const bool relative = trim(text).starts_with(".");
    into_.stars.emplace_back(module_, relative
                                          ? base + (from.empty() ? "" : ".") + std::string(from)
                                          : std::string(from));
  }

  // "(a, b as c," over several lines until the closing bracket
  void imported_names(std::string_view text) {
    text = text.substr(0, text.find('#'));
    if (contains(text, "(")) in_import_ = true;
    const bool ends = !in_import_ || contains(text, ")");
    for (const std::string_view part : split_list(text, ',')) {
      std::string_view name = trim(part);
      while (name.starts_with("(")) name = trim(name.substr(1));
      const std::size_t as = name.find(" as ");
      if (as != std::string_view::npos) name = trim(name.substr(as + 4));
      add(identifier(name), "attribute");
    }
    in_import_ = !ends;
  }

  void exported_names(std::string_view text) {
    in_all_ = !contains(text, "]");
    char quote = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (quote == 0 && (text[i] == '"' || text[i] == '\'')) {
        quote = text[i];
        start = i + 1;
      } else if (quote != 0 && text[i] == quote) {
        add(identifier(text.substr(start, i - start)), "attribute");
        quote = 0;
      }
    }
  }

  std::string module_;
  bool is_package_;
  Imported& into_;
  bool in_import_ = false, in_all_ = false;
};

void read(std::string_view path, std::string_view text, Imported& into) {
  if (is_metadata(path)) {
    for (const std::string_view line : split(text, '\n')) {
      if (line.starts_with("Version:")) into.torch_npu = trim(line.substr(8));
      if (trim(line).empty()) return;  // the description follows
    }
    return;
  }
  if (first_invalid_utf8(text) != std::string::npos) {
    into.skipped.emplace_back(path, "E060");
    return;
  }
  const std::string module = module_of(path);
  into.symbols.emplace(module, "module");
  Scanner scanner(module, path.ends_with("__init__.py"), into);
  for (std::string_view line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    scanner.line(line);
  }
}

}  // namespace

extern const Importer torch_npu_package = {
    .name = "torch_npu_package", .claims = claims, .read = read};

}  // namespace godwit::facts::importers
