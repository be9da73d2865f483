// Operators as data: signature by opset, shape rule, reference evaluation, numerics class, cost.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "ir/model.h"
#include "ops/types.h"

namespace godwit::ops {

class Inference;
class Call;
class Expansion;

inline constexpr int kForever = 1 << 20;

/// Rows held in place: an operator is constant data, and nothing of it is made as a program starts.
template <class Row, std::size_t kMost>
class Listing {
 public:
  constexpr Listing() = default;
  constexpr Listing(std::initializer_list<Row> rows) {
    for (const Row& row : rows) rows_.at(size_++) = row;
  }
  friend constexpr Listing operator+(Listing a, const Listing& b) {
    for (const Row& row : b) a.rows_.at(a.size_++) = row;
    return a;
  }
  constexpr const Row* begin() const { return rows_.data(); }
  constexpr const Row* end() const { return begin() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const Row& operator[](std::size_t i) const { return rows_[i]; }
  friend constexpr bool operator==(const Listing& a, const Listing& b)
    requires std::equality_comparable<Row>
  {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::array<Row, kMost> rows_{};
  std::size_t size_ = 0;
};

/// What stands around the element type of a parameter.
enum class Form : std::uint8_t { kTensor, kSequence, kOptional, kMap };

/// Forms by opset: `Form::kTensor | since(13, Form::kSequence)`. A form alone holds from the start.
class FormHistory {
 public:
  constexpr FormHistory(Form form, int since = 1) {
    since_[static_cast<std::size_t>(form)] = static_cast<std::uint8_t>(since);
  }
  constexpr bool has(Form form, std::int64_t opset) const {
    const std::uint8_t first = since_[static_cast<std::size_t>(form)];
    return first != 0 && first <= opset;
  }
  /// True where values of more than one form are taken, in whatever opset.
  constexpr bool is_mixed() const {
    return std::count(since_.begin(), since_.end(), 0) + 1 <
           static_cast<std::ptrdiff_t>(since_.size());
  }

  friend constexpr FormHistory operator|(FormHistory a, FormHistory b) {
    for (std::size_t i = 0; i < a.since_.size(); ++i) {
      if (a.since_[i] == 0) a.since_[i] = b.since_[i];
    }
    return a;
  }

 private:
  std::array<std::uint8_t, 4> since_{};  // 0: never
};
constexpr FormHistory operator|(Form a, Form b) { return FormHistory(a) | FormHistory(b); }
constexpr FormHistory since(int opset, Form form) { return {form, opset}; }

/// An input or output. Parameters with the same `variable` have the same element type.
struct Parameter {
  /// kVariadic: one or more of one type; kMixed: none or more, each of a type of its own.
  enum class Kind : std::uint8_t { kRequired, kOptional, kVariadic, kMixed };
  std::string_view name;
  char variable = 'T';
  TypeHistory types = TypeSet();
  Kind kind = Kind::kRequired;
  int since = 1;  // first opset that has it
  int until = kForever;
  FormHistory form = Form::kTensor;

  bool repeats() const { return kind == Kind::kVariadic || kind == Kind::kMixed; }
};
inline constexpr auto kOptional = Parameter::Kind::kOptional;
inline constexpr auto kVariadic = Parameter::Kind::kVariadic;
inline constexpr auto kMixed = Parameter::Kind::kMixed;

/// Marks an attribute that has no default and may be missing, or must be there.
enum class Presence : std::uint8_t { kMayBeMissing, kMustBeThere };
inline constexpr auto kMayBeMissing = Presence::kMayBeMissing;
inline constexpr auto kMustBeThere = Presence::kMustBeThere;

using Ints = std::vector<std::int64_t>;
using Floats = std::vector<float>;
using Parameters = Listing<Parameter, 12>;

/// An attribute, with its default. A name may stand twice where a later opset changed the default.
struct AttributeSpec {
  using List = Listing<std::int64_t, 3>;
  using Default = std::variant<Presence, std::int64_t, float, std::string_view, List>;
  std::string_view name;
  Default fallback = kMayBeMissing;
  int since = 1;
  int until = kForever;
};
using AttributeSpecs = Listing<AttributeSpec, 24>;

/// How the values of an operator come about, which decides what an NPU's numerics do to them.
enum class Numerics : std::uint8_t {
  kExact,           // moves, compares or counts: the same bits everywhere
  kElementwise,     // one correctly rounded step per element: + - * / sqrt max …
  kTranscendental,  // exp, tanh, sin …: bounded by ULPs of the library
  kReduction,       // sums in an order of the chip's own
  kMatrix,          // products and sums on the cube
  kSoftmax,         // the chip's own sequence
  kNormalization,
  kGelu,
  kCast,
  kQuantize,
  kControl,  // runs other graphs
  kRandom,
};

/// Who prepares the values of 16-bit and smaller floats for `evaluate`.
enum class Storage : std::uint8_t {
  kWidened,  // inputs are widened to fp32 before, outputs rounded to their type after
  kAsStored  // evaluate gets and makes values as they are stored: moves, casts
};

struct Operator {
  std::string_view name;
  std::string_view domain = {};  // empty: ai.onnx
  std::string_view doc;          // one sentence
  int since = 1;                 // first opset
  int until = kForever;          // last opset that has it
  Parameters inputs;
  Parameters outputs;
  AttributeSpecs attributes = {};
  /// Opsets in which the meaning changed beyond what since and until of parts say.
  Listing<int, 12> revisions = {};
  Numerics numerics = Numerics::kExact;
  Storage storage = Storage::kWidened;
  /// Sets the types of all outputs from types, attributes and known contents of inputs.
  Status (*infer)(Inference&) = nullptr;
  /// Computes all outputs; reads like the specification. Null: see `expand`.
  Status (*evaluate)(Call&) = nullptr;
  /// The same as other operators of a lower opset; null when the operator is basic.
  Status (*expand)(Expansion&) = nullptr;
  /// Floating-point operations of one call; null: none worth counting.
  Dim (*flop)(const Inference&) = nullptr;
};

extern const std::span<const Operator* const> kOperators;

/// The operator of this domain and name whose opsets include `opset`; null when there is none.
const Operator* find_operator(std::string_view domain, std::string_view name, std::int64_t opset);
inline const Operator* find_operator(const ir::Node& node) {
  return find_operator(node.domain, node.op, node.opset);
}

/// E150 "no such operator", with the node's name and the nearest names.
tl::unexpected<Error> unknown_operator(const ir::Node& node);

}  // namespace godwit::ops
