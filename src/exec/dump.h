// Writes the values of a run as arrays, one file each, with a table that says which is which.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "ir/model.h"

namespace godwit::exec {

/// Names of values come from the model and are no paths: files are numbered, and carry only those
/// letters of the name that are safe everywhere.
class Dump {
 public:
  Dump(const ir::Model& model, std::filesystem::path folder)
      : model_(model), folder_(std::move(folder)) {}

  /// Writes tensors; what numpy cannot hold is listed without a file. Errors: E005.
  Status add(ir::ValueId value, const ir::Datum& datum);
  /// Writes index.tsv: file, value, type, maker.
  Status finish() const;

 private:
  const ir::Model& model_;
  std::filesystem::path folder_;
  std::size_t count_ = 0;
  std::string index_ = "file\tvalue\ttype\top\tnode\n";
};

}  // namespace godwit::exec
