// The table is small and asked once per distinct name of a file, so a hash map is enough.
#include "project/api_types.h"

#include <cctype>
#include <deque>
#include <unordered_map>

#include "base/resources.h"
#include "base/table.h"
#include "base/text.h"

namespace godwit::project {
namespace {

class TypeReader {
 public:
  explicit TypeReader(std::string_view text) : text_(text) {}

  // The table nests no deeper than "list[tuple[str,torch.Tensor]]".
  TypeText read() {
    TypeText type;
    const std::size_t end = text_.find_first_of("[],", at_);
    type.name = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
    at_ = end == std::string_view::npos ? text_.size() : end;
    if (at_ < text_.size() && text_[at_] == '[') {
      do {
        ++at_;
        type.items.push_back(read());
      } while (at_ < text_.size() && text_[at_] == ',');
      ++at_;
    }
    return type;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

class ApiTypes {
 public:
  ApiTypes() {
    auto text = resource("api/types.tsv");
    if (!text) return;
    auto table = Table::parse("api/types.tsv", *std::move(text));
    if (!table) return;
    tables_.push_back(*std::move(table));
    const Table& types = tables_.back();
    const std::size_t owner = types.column("owner");
    const std::size_t names = types.column("names");
    const std::size_t is = types.column("is");
    const std::size_t type = types.column("type");
    for (std::size_t row = 0; row < types.rows(); ++row) {
      auto owners = split_list(types.at(row, owner));
      if (owners.empty()) owners.push_back({});
      for (const std::string_view module : owners) {
        for (const std::string_view name : split_list(types.at(row, names))) {
          add(module.empty() ? std::string(name) : format("{}.{}", module, name), types.at(row, is),
              types.at(row, type));
        }
      }
    }
  }

  const ApiType* find(const std::string& name) const {
    const auto found = types_.find(name);
    return found == types_.end() ? nullptr : &found->second;
  }

 private:
  void add(const std::string& name, std::string_view is, std::string_view type) {
    ApiType& known = types_[name];
    if (is == "class") {
      known.is_class = true;
      known.base = type == "object" ? std::string_view() : type;
      return;
    }
    const TypeText* const text = &texts_.emplace_back(TypeReader(type).read());
    (is == "function" ? known.function : is == "instance" ? known.instance : known.value) = text;
  }

  std::deque<Table> tables_;  // owns the text
  std::deque<TypeText> texts_;
  std::unordered_map<std::string, ApiType> types_;
};

const ApiTypes& api_types() {
  static const ApiTypes types;
  return types;
}

void fill(ApiType& known, const ApiType* more) {
  if (more == nullptr) return;
  // A name that is listed as a function or value is no class, whatever the pattern says.
  if (!known.is_class && !known.function && !known.value) {
    known.is_class = more->is_class;
    known.base = more->base;
  }
  const bool is_open = !known.function && !known.value;
  if (is_open && !known.is_class) known.function = more->function;
  if (is_open && !known.is_class) known.value = more->value;
  if (known.instance == nullptr) known.instance = more->instance;
}

std::string_view placeholder(std::string_view word) {
  const bool is_class =
      !word.empty() && std::isupper(static_cast<unsigned char>(word.front())) != 0;
  return is_class ? "<Class>" : "<function>";
}

}  // namespace

ApiType find_api_type(std::string_view name) {
  ApiType result;
  if (const ApiType* const exact = api_types().find(std::string(name))) result = *exact;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return result;
  const std::string_view owner = name.substr(0, dot);
  const std::string_view word = name.substr(dot + 1);
  fill(result, api_types().find(format("{}.{}", owner, placeholder(word))));
  if (const std::size_t before = owner.rfind('.'); before != std::string_view::npos) {
    fill(result, api_types().find(format("{}.{}.{}", owner.substr(0, before),
                                         placeholder(owner.substr(before + 1)), word)));
  }
  return result;
}

bool lists_api(std::string_view name) { return api_types().find(std::string(name)) != nullptr; }

}  // namespace godwit::project
