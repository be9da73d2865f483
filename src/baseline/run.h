// A recorded training run: what `godwit baseline record` leaves, read back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace godwit::baseline {

/// One rank of a run. docs/en/baseline.md says what each line of the file holds.
struct Run {
  std::string name{};  // the folder as given, or that of a rank in it
  Json header{};       // format, ranks, command, environment
  Json model{};        // class, parameters, structure, weights, dtypes
  Json seeds{};
  Json precision{};
  std::vector<Json> optimizers{};
  std::vector<Json> steps{};  // by number, from 1 on
  bool is_finished = false;   // false: the script ended early
};

/// `path` is the folder that was recorded to, or a folder rank0 in it. A last line that was cut off
/// is left out. Errors: E260 no such run, E261 another format or version, E262 a broken line, E001.
Result<Run> read_run(const std::filesystem::path& path);

/// All ranks that the folder holds, by number; one when `path` is the folder of a rank. The first
/// goes by the name of the folder. Errors: those of read_run.
Result<std::vector<Run>> read_ranks(const std::filesystem::path& path);

/// Which card this is.
std::int64_t rank(const Run& run);

/// How many cards took part.
std::int64_t ranks(const Run& run);

}  // namespace godwit::baseline
