// The operator trace: which operators a program called, with types, shapes and places, counted.
#pragma once

#include <cstdint>
#include <string>

namespace godwit::record {

void start_trace();
void stop_trace();
/// How many records there are.
std::int64_t trace_size();
/// Writes `header` and the records so far (data/schema/trace.schema.json, JSON lines) to a
/// temporary name and renames it. Returns the number of records. Throws c10::Error with the reason
/// of the system.
std::int64_t write_trace(const std::string& path, const std::string& header);

}  // namespace godwit::record
