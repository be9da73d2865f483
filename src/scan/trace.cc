// Reading operator traces.
#include "scan/trace.h"

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "scan/json_slices.h"

namespace godwit::scan {
namespace {

constexpr std::size_t kLongestName = 1024;
constexpr std::size_t kMostTensors = 4096, kMostDims = 64;

struct Reader {
  std::string name;
  std::string_view text;
  const std::function<void(const TraceRecord&)>& visit;
};

tl::unexpected<Error> not_json(const Reader& reader, std::size_t byte, std::string reason) {
  return fail("E050", {.file = reader.name, .byte = static_cast<std::int64_t>(byte)},
              {{"reason", std::move(reason)}});
}

tl::unexpected<Error> bad_field(const Reader& reader, std::size_t byte, std::string_view field,
                                std::string_view wanted) {
  return fail("E054", {.file = reader.name, .byte = static_cast<std::int64_t>(byte)},
              {{"field", std::string(field)}, {"wanted", std::string(wanted)}});
}

// parse_json on a slice, with the error's byte counted in the whole file.
Result<Json> parse_slice(const Reader& reader, std::string_view slice) {
  const auto begin = static_cast<std::size_t>(slice.data() - reader.text.data());
  auto parsed = parse_json(slice, reader.name);
  if (parsed) return parsed;
  const Error& error = parsed.error();
  const std::size_t offset = error.place.byte < 0 ? 0 : static_cast<std::size_t>(error.place.byte);
  return not_json(reader, begin + offset, error.args.empty() ? "" : error.args.front().second);
}

bool read_strings(const Json& value, std::vector<std::string>& out) {
  if (!value.is_array() || value.items().size() > kMostTensors) return false;
  for (const Json& item : value.items()) {
    if (!item.is_string() || item.string().size() > kLongestName) return false;
    out.emplace_back(item.string());
  }
  return true;
}

bool read_shape(const Json& value, std::vector<std::int64_t>& out) {
  if (!value.is_array() || value.items().size() > kMostDims) return false;
  for (const Json& item : value.items()) {
    if (!item.is_number() || item.integer(-2) < -1) return false;
    out.push_back(item.integer());
  }
  return true;
}

bool read_shapes(const Json& value, std::vector<std::vector<std::int64_t>>& out) {
  if (!value.is_array() || value.items().size() > kMostTensors) return false;
  for (const Json& item : value.items()) {
    if (!read_shape(item, out.emplace_back())) return false;
  }
  return true;
}

bool is_name(const Json& value) {
  return value.is_string() && !value.string().empty() && value.string().size() <= kLongestName;
}

Result<TraceRecord> read_record(const Reader& reader, std::string_view slice) {
  const auto byte = static_cast<std::size_t>(slice.data() - reader.text.data());
  ASSIGN(const Json json, parse_slice(reader, slice));
  TraceRecord record{.byte = static_cast<std::int64_t>(byte)};
  if (!json.is_object()) return bad_field(reader, byte, "records", "objects");
  if (!is_name(json["operator"])) return bad_field(reader, byte, "operator", "\"aten::add\"");
  record.op = json["operator"].string();
  if (const Json& overload = json["overload"]; !overload.is_null()) {
    if (!overload.is_string() || overload.string().size() > kLongestName) {
      return bad_field(reader, byte, "overload", "\"Tensor\"");
    }
    if (!overload.string().empty() && overload.string() != "default")
      record.op += format(".{}", overload.string());
  }
  if (const Json& dtypes = json["dtypes"];
      !dtypes.is_null() && !read_strings(dtypes, record.dtypes)) {
    return bad_field(reader, byte, "dtypes", "[\"float16\"]");
  }
  if (const Json& shapes = json["shapes"];
      !shapes.is_null() && !read_shapes(shapes, record.shapes)) {
    return bad_field(reader, byte, "shapes", "[[1, 3, -1]]");
  }
  if (const Json& count = json["count"]; !count.is_null()) {
    if (!count.is_number() || count.integer() < 1) return bad_field(reader, byte, "count", "1");
    record.count = static_cast<std::uint64_t>(count.integer());
  }
  const std::string_view direction = json["direction"].string("forward");
  if (direction != "forward" && direction != "backward") {
    return bad_field(reader, byte, "direction", "\"forward\", \"backward\"");
  }
  record.backward = direction == "backward";
  record.module = json["module"].string().substr(0, kLongestName);
  return record;
}

Result<TraceHeader> read_header(const Reader& reader, const Json& json) {
  const std::int64_t version = json["version"].integer(0);
  if (json["format"].string() != kTraceFormat || version < 1 || version > kTraceVersion) {
    return fail("E053", {.file = reader.name},
                {{"format", to_valid_utf8(json["format"].string("-").substr(0, 80))},
                 {"version", std::to_string(version)},
                 {"newest", std::to_string(kTraceVersion)}});
  }
  const Json& origin = json["origin"];
  return TraceHeader{.version = version,
                     .device = std::string(origin["device"].string()),
                     .torch = std::string(origin["torch"].string()),
                     .model = std::string(origin["model"].string())};
}

Status visit_record(const Reader& reader, std::string_view slice) {
  ASSIGN(const TraceRecord record, read_record(reader, slice));
  reader.visit(record);
  return {};
}

Status read_array(const Reader& reader, std::string_view array) {
  const auto begin = static_cast<std::size_t>(array.data() - reader.text.data());
  JsonSlices slices(array);
  if (!slices.take('[')) return bad_field(reader, begin, "records", "[{…}]");
  if (slices.take(']')) return {};
  do {
    const std::string_view item = slices.value();
    if (slices.failed()) return not_json(reader, begin + slices.at(), "records");
    TRY(visit_record(reader, item));
  } while (slices.take(','));
  if (!slices.take(']')) return not_json(reader, begin + slices.at(), "]");
  return {};
}

// The members of the first object; `records` stays a slice, the others become values.
Result<Json> read_members(const Reader& reader, std::string_view object,
                          std::string_view& records) {
  JsonSlices slices(object);
  Json members = Json::object();
  const auto begin = static_cast<std::size_t>(object.data() - reader.text.data());
  if (!slices.take('{')) return not_json(reader, begin, "{");
  if (slices.take('}')) return members;
  do {
    const std::string_view key = slices.key();
    const std::string_view value = slices.failed() ? std::string_view() : slices.value();
    if (slices.failed()) return not_json(reader, begin + slices.at(), "\"…\":");
    if (key == "records") {
      records = value;
    } else if (key == "format" || key == "version" || key == "origin") {
      ASSIGN(Json parsed, parse_slice(reader, value));
      members.set(key, std::move(parsed));
    }
  } while (slices.take(','));
  if (!slices.take('}')) return not_json(reader, begin + slices.at(), "}");
  return members;
}

}  // namespace

bool looks_like_trace(std::string_view start) {
  start = start.substr(0, 4096);
  const std::string_view head = trim(start);
  return head.starts_with('{') && contains(start, kTraceFormat);
}

Result<TraceHeader> read_trace(std::string_view text, std::string_view name,
                               const std::function<void(const TraceRecord&)>& visit) {
  const Reader reader{std::string(name), text, visit};
  JsonSlices slices(text);
  const std::string_view first = slices.value();
  if (slices.failed()) return not_json(reader, slices.at(), "{");
  std::string_view records;
  ASSIGN(const Json members, read_members(reader, first, records));
  ASSIGN(TraceHeader header, read_header(reader, members));
  if (!records.empty()) TRY(read_array(reader, records));
  while (!slices.at_end()) {  // JSON lines
    const std::string_view line = slices.value();
    if (slices.failed()) return not_json(reader, slices.at(), "{");
    TRY(visit_record(reader, line));
  }
  return header;
}

}  // namespace godwit::scan
