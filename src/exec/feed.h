// The inputs of a run: read from arrays and test data, or made at random.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ir/model.h"

namespace godwit::exec {

struct FeedOptions {
  /// Each a FILE.npz of arrays named as the inputs, NAME=FILE.npy for one input, FILE.npy for a
  /// model with one input, or a folder with input_0.pb … as the ONNX tests have.
  std::vector<std::string> sources{};
  /// What no source gives is drawn: floats from the normal distribution, integers and bools from
  /// {0, 1}, which fits masks and token ids, uint8 from all its values.
  bool random = false;
  std::uint64_t seed = 0;
  /// Numbers for named dimensions, for inputs that are drawn.
  std::vector<std::pair<std::string, std::int64_t>> dims{};
};

struct Fed {
  std::vector<ir::Datum> data{};     // per input of the main graph; kNothing where it has a default
  std::vector<std::string> drawn{};  // names of the inputs that no source gave
};

/// Errors: E184 an array that is no input, E185 an input that nothing gives, E186 a dimension
/// without a number, E187 inputs that cannot be drawn, E189 a source of no known form, E190 an
/// archive without the array that is asked for, E192 an input given twice, E155, and those of the
/// readers.
Result<Fed> feed(const ir::Model& model, const FeedOptions& options);

/// Names of the dimensions that the inputs of the main graph leave open, sorted; of an expression
/// its symbols. One without a name is called INPUT:AXIS.
std::vector<std::string> open_dims(const ir::Model& model);

/// "N=4" and the like. Errors: E188 not of this form, or no dimension of the model's inputs.
Result<std::vector<std::pair<std::string, std::int64_t>>> parse_dims(
    const ir::Model& model, const std::vector<std::string>& words);

/// Normal numbers that are the same on every machine.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits();
  double uniform();  // [0, 1)
  double normal();

 private:
  std::uint64_t state_;
};

}  // namespace godwit::exec
