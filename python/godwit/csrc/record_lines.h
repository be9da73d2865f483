// What a dump says of a tensor, and how: one line of JSON in the index, one entry in the header of
// a safetensors file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record_numbers.h"

namespace godwit::record {

/// Where a tensor was seen.
struct Place {
  std::int64_t step = 0;
  std::int32_t name = -1;      // path of the module, or name of the parameter (names.h)
  std::int32_t op = -1;        // the operator, for operators
  std::int32_t label = -1;     // which input or output
  std::int32_t call = 0;       // how often it was called before in this step
  const char* part = "";       // fwd bwd param grad optim
  const char* side = nullptr;  // input output
};

/// One line of the index: a tensor, where it was seen, and what is known of it.
struct Entry : Place {
  const char* dtype = "";        // as torch spells it
  const char* stored = nullptr;  // as safetensors spells it; null: the values cannot be stored
  const char* layout = nullptr;  // null: strided
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> stored_shape;
  Sketch sketch;
  std::size_t offset = 0, size = 0;  // in the memory of its batch
  bool has_values = false;           // level "tensor"
  std::string tensor;                // its name in the file; the writer sets it
};

/// A line for each; `file` holds the values of those that have some.
std::string index_lines(const std::vector<Entry>& entries, const std::string& file);

/// Gives each entry with values its name in the file, unique there.
void name_tensors(std::vector<Entry>& entries);
/// Of a file that holds the values one after the other, as their offsets say.
std::string safetensors_header(const std::vector<Entry>& entries);

/// Text between quotes.
void put_quoted(std::string& out, const std::string& text);

}  // namespace godwit::record
