// Operator traces: which operators a model really called, with types and shapes, written by a hook.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace godwit::scan {

/// What `format` says in a trace, and the newest version that we read.
inline constexpr std::string_view kTraceFormat = "godwit-operator-trace";
inline constexpr std::int64_t kTraceVersion = 1;

/// One operator as called from one place of the model, over all steps that were traced.
struct TraceRecord {
  std::string op{};                                 // "aten::add.Tensor": operator and overload
  std::vector<std::string> dtypes{};                // of the tensor arguments: "float16", in order
  std::vector<std::vector<std::int64_t>> shapes{};  // beside dtypes; -1: another size in each call
  std::uint64_t count = 1;
  bool backward = false;
  std::string module{};   // "encoder.layer.0.attention"
  std::int64_t byte = 0;  // of the record in the file
};

struct TraceHeader {
  std::int64_t version = 0;
  std::string device{}, torch{}, model{};  // where it was recorded; may be empty
};

/// True for JSON that names itself a trace near its start.
bool looks_like_trace(std::string_view start);

/// Reads one JSON document, or JSON lines whose first line is the header. Records are parsed one by
/// one, so memory does not grow with their number. `visit` sees each in order.
/// Errors: E050 not JSON, E053 not a trace or a newer version, E054 a field of another form.
Result<TraceHeader> read_trace(std::string_view text, std::string_view name,
                               const std::function<void(const TraceRecord&)>& visit);

}  // namespace godwit::scan
