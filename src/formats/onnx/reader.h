// What reading leaves for linking: names that stand for values until their definitions are known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/onnx/model.h"

namespace godwit::formats::onnx {

/// Names as small numbers; equal names get the same number.
class Names {
 public:
  Names();
  Index number(std::string_view name);
  std::string_view name(Index number) const { return names_[number]; }
  std::size_t size() const { return names_.size(); }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    Index number = kNone;
  };
  void grow();
  std::uint64_t seed_;
  std::vector<std::string_view> names_;
  std::vector<Slot> slots_;
};

/// A type that an input or a value_info gives to a name of a graph.
struct Typed {
  Index name;
  Type type;
};

/// A model whose operands are still numbers of `names`; `typed[g]` belongs to graph g.
struct Unlinked {
  Model model;
  Names names;
  std::vector<Typed> typed;
  std::vector<Range> typed_of;
};

/// Errors: E030 to E034, E040, E041, E045, E046.
Result<Unlinked> read_structure(std::string_view bytes, const std::string& name);

/// Turns names into values: who makes what, and that everything is made once and before its use.
/// Errors: E035 a cycle, E036 used before it is made, E037 made nowhere, E038 made twice.
Status link(Unlinked& unlinked);

}  // namespace godwit::formats::onnx
