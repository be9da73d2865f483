// With what numbers a graph is run: as its types say, in fp64, or as an NPU stores and rounds them.
#pragma once

#include <vector>

#include "base/result.h"
#include "ir/model.h"
#include "ops/call.h"

namespace godwit::exec {

/// What carries values between nodes and evaluates them. One object serves one run.
class Arithmetic {
 public:
  virtual ~Arithmetic() = default;
  /// An input of the main graph, or a constant, as this arithmetic carries it.
  virtual Result<ir::Datum> carry(ir::ValueId value, ir::Datum datum) = 0;
  /// Outputs of a node as they are carried, one for each that it names. Errors: those of
  /// exec::evaluate.
  virtual Result<std::vector<ir::Datum>> evaluate(const ir::Node& node,
                                                  std::vector<ir::Datum> inputs,
                                                  const ops::Host& host) = 0;
  /// The type in which a value of the main graph is carried that the model says is of `type`.
  virtual ir::ElementType carried_as(ir::ValueId, ir::ElementType type) const { return type; }
  /// What was carried as who looks at it from outside sees it.
  virtual Result<ir::Datum> written(ir::ValueId, ir::Datum datum) const { return datum; }
  /// That of the graphs which nodes own.
  virtual Arithmetic& inside() { return *this; }
};

/// The types of the model; floats under 32 bits are computed in fp32 and rounded.
class AsWritten : public Arithmetic {
 public:
  Result<ir::Datum> carry(ir::ValueId, ir::Datum datum) override { return datum; }
  Result<std::vector<ir::Datum>> evaluate(const ir::Node& node, std::vector<ir::Datum> inputs,
                                          const ops::Host& host) override;
};

/// Every float is carried as fp64, also what the model casts to a narrower one.
class InDouble : public Arithmetic {
 public:
  Result<ir::Datum> carry(ir::ValueId value, ir::Datum datum) override;
  Result<std::vector<ir::Datum>> evaluate(const ir::Node& node, std::vector<ir::Datum> inputs,
                                          const ops::Host& host) override;
};

}  // namespace godwit::exec
