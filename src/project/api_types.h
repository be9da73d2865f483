// What calling a known function gives, what a known class is: data/api/types.tsv, read once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace godwit::project {

/// A type as the table writes it: "tuple[torch.Tensor,int]".
struct TypeText {
  std::string_view name;
  std::vector<TypeText> items{};
};

struct ApiType {
  bool is_class = false;
  std::string_view base{};             // of a class; empty: none that matters
  const TypeText* function = nullptr;  // result of a call
  const TypeText* instance = nullptr;  // result of calling an instance
  const TypeText* value = nullptr;

  bool is_known() const { return is_class || function || instance || value; }
};

/// By qualified name; patterns fill what the exact row leaves open. Nothing known: an empty one.
ApiType find_api_type(std::string_view name);

/// Whether the table lists this very name.
bool lists_api(std::string_view name);

}  // namespace godwit::project
