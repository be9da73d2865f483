// Values: what the evaluator knows of an expression, in eight bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "project/names.h"

namespace godwit::project {

enum class Tag : std::uint8_t {
  kUnset,    // not evaluated yet
  kBusy,     // being evaluated: a cycle
  kNothing,  // only known to come back to itself
  kNone,     // the value None
  kUnknown,
  kName,      // id: qualified name of a module, class, function or constant
  kInstance,  // id: qualified name of the class
  kTuple,     // id: into the tuples
  kList,      // id: into the tuples; one item stands for all
  kBatch,     // what a DataLoader gives: tensors, or containers of tensors
};

struct Value {
  static constexpr std::uint8_t kImported = 1;     // the name is bound by an import
  static constexpr std::uint8_t kRebound = 2;      // and by something else
  static constexpr std::uint8_t kTyped = 4;        // found through a type
  static constexpr std::uint8_t kCustomItems = 8;  // a loader with its own collate_fn
  static constexpr std::uint8_t kOpen = 16;        // rests on other modules: may change next round

  Tag tag = Tag::kUnset;
  std::uint8_t flags = 0;
  std::uint32_t id = 0;

  bool is(Tag wanted) const { return tag == wanted; }
  bool is_known() const { return tag > Tag::kUnknown; }
  bool is_instance(NameId name) const { return tag == Tag::kInstance && id == name; }
  bool same(const Value& other) const { return tag == other.tag && id == other.id; }
  Value with(std::uint8_t flag) const { return {tag, static_cast<std::uint8_t>(flags | flag), id}; }
};

/// Values as they are remembered, half as large: one stands for each node of a project.
class Memo {
 public:
  /// What has a larger number does not fit and is unknown.
  static constexpr std::uint32_t kMostId = (1u << 23) - 1;

  void resize(std::size_t cells) { cells_.resize(cells); }
  std::size_t size() const { return cells_.size(); }
  Value operator[](std::size_t cell) const {
    const std::uint32_t bits = cells_[cell];
    return {static_cast<Tag>(bits & 0xF), static_cast<std::uint8_t>(bits >> 4 & 0x1F), bits >> 9};
  }
  void set(std::size_t cell, Value value) {
    cells_[cell] = static_cast<std::uint32_t>(value.tag) |
                   static_cast<std::uint32_t>(value.flags) << 4 | value.id << 9;
  }
  /// Forgets the values that have one of these flags; with 0 all.
  void forget(std::uint8_t flags) {
    const std::uint32_t mask = std::uint32_t{flags} << 4;
    for (std::uint32_t& bits : cells_) bits = mask != 0 && (bits & mask) == 0 ? bits : 0;
  }

 private:
  std::vector<std::uint32_t> cells_;  // from below: 4 bits of tag, 5 of flags, 23 of id
};

static_assert(static_cast<int>(Tag::kUnset) == 0 && static_cast<int>(Tag::kBatch) < 16);
static_assert(Value::kOpen < 32);

inline constexpr Value kUnknownValue{Tag::kUnknown};
inline constexpr Value kNoneValue{Tag::kNone};
inline constexpr Value kNothingValue{Tag::kNothing};

using Tuples = std::vector<std::vector<Value>>;

/// Names that every module knows by the same number.
namespace known {
inline constexpr std::array<std::string_view, 18> kTexts = {"torch.Tensor",
                                                            "torch.nn.Module",
                                                            "torch.device",
                                                            "torch.dtype",
                                                            "torch.optim.Optimizer",
                                                            "torch.optim.lr_scheduler.LRScheduler",
                                                            "torch.utils.data.DataLoader",
                                                            "torch.Size",
                                                            "str",
                                                            "int",
                                                            "float",
                                                            "bool",
                                                            "list",
                                                            "tuple",
                                                            "dict",
                                                            "builtins",
                                                            "super",
                                                            "object"};
enum : NameId {
  kTensor,
  kModule,
  kDevice,
  kDtype,
  kOptimizer,
  kScheduler,
  kLoader,
  kSize,
  kStr,
  kInt,
  kFloat,
  kBool,
  kList,
  kTuple,
  kDict,
  kBuiltins,
  kSuper,
  kObject,
};
}  // namespace known

}  // namespace godwit::project
