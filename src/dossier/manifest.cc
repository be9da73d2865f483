// The manifest as JSON.
#include "dossier/manifest.h"

#include <algorithm>
#include <charconv>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "diag/messages.h"
#include "dossier/place.h"

namespace godwit::dossier {
namespace fs = std::filesystem;
namespace {

template <class Item>
Json list_of(const std::vector<Item>& items, Json (*document)(const Item&)) {
  Json::Array out;
  for (const Item& item : items) out.push_back(document(item));
  return Json(std::move(out));
}

Json input_document(const Input& input) {
  Json out = Json::object();
  out.set("path", to_valid_utf8(input.file.path));
  out.set("bytes", static_cast<std::size_t>(input.file.bytes));
  if (!input.sha256.empty()) out.set("sha256", input.sha256);
  return out;
}

// JSON is UTF-8 and names of files are bytes: one that is no text stands beside its path in hex.
void set_path(const std::string& path, Json& out) {
  std::string shown = to_valid_utf8(path);
  if (shown != path) {
    std::string hex;
    for (const char c : path) hex += format("{:02x}", static_cast<unsigned char>(c));
    out.set("path_hex", std::move(hex));
  }
  out.set("path", std::move(shown));
}

std::string path_of(const Json& document) {
  const std::string_view hex = document["path_hex"].string();
  if (hex.empty()) return std::string(document["path"].string());
  std::string path;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2) {
    unsigned char byte = 0;
    std::from_chars(hex.data() + at, hex.data() + at + 2, byte, 16);
    path += static_cast<char>(byte);
  }
  return path;
}

Json output_document(const Output& output) {
  Json out = Json::object();
  set_path(output.path, out);
  out.set("bytes", static_cast<std::size_t>(output.bytes));
  out.set("sha256", output.sha256);
  return out;
}

Json record_document(const Record& record) {
  Json found = Json::object();
  for (std::size_t i = record.findings.size(); i-- > 0;) {
    found.set(diag::to_string(static_cast<diag::Severity>(i)), record.findings[i]);
  }
  Json out = Json::object();
  out.set("stage", record.stage);
  out.set("key", record.key);
  out.set("applies", record.applies);
  out.set("command", record.command);
  out.set("seconds", record.seconds);
  out.set("findings", std::move(found));
  out.set("figures", record.figures);
  out.set("outputs", list_of(record.outputs, output_document));
  return out;
}

std::uint64_t bytes_of(const Json& document) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(document["bytes"].integer(), 0));
}

Record to_record(const Json& document) {
  Record out;
  out.stage = document["stage"].string();
  out.key = document["key"].string();
  out.applies = document["applies"].boolean(true);
  out.command = document["command"].string();
  out.seconds = document["seconds"].number();
  for (std::size_t i = 0; i < out.findings.size(); ++i) {
    const Json& count = document["findings"][diag::to_string(static_cast<diag::Severity>(i))];
    out.findings[i] = static_cast<std::size_t>(std::max<std::int64_t>(count.integer(), 0));
  }
  out.figures = document["figures"];
  for (const Json& output : document["outputs"].items()) {
    out.outputs.push_back(
        {path_of(output), bytes_of(output), std::string(output["sha256"].string())});
  }
  return out;
}

// A path that stays where it is said to be: no root, no "." and no "..".
bool is_plain(std::string_view path) {
  const fs::path parts{std::string(path)};
  return !path.empty() && !contains(path, std::string_view("\0", 1)) && parts.is_relative() &&
         std::none_of(parts.begin(), parts.end(), [](const fs::path& part) {
           return part.empty() || part == "." || part == "..";
         });
}

// The paths of a manifest are moved and compared later: a hostile one must not lead outside.
bool stays_inside(const Manifest& manifest) {
  const auto plain_output = [](const Output& output) { return is_plain(output.path); };
  return std::all_of(manifest.records.begin(), manifest.records.end(), [&](const Record& record) {
    return std::all_of(record.outputs.begin(), record.outputs.end(), plain_output);
  });
}

Manifest to_manifest(const Json& document) {
  Manifest out;
  out.version = document["version"].string();
  out.data = document["data"].string();
  out.command = document["command"].string();
  out.options = document["options"];
  const Json& subject = document["subject"];
  out.subject = subject["name"].string();
  for (const Json& kind : subject["kinds"].items()) out.kinds.emplace_back(kind.string());
  for (const Json& input : subject["inputs"].items()) {
    project::File file{.path = std::string(input["path"].string()), .bytes = bytes_of(input)};
    out.inputs.push_back({std::move(file), std::string(input["sha256"].string())});
  }
  for (const Json& record : document["stages"].items()) out.records.push_back(to_record(record));
  return out;
}

}  // namespace

std::string Record::result() const {
  Sha256 hash;
  for (const Output& output : outputs) hash.add(format("{}\n{}\n", output.path, output.sha256));
  return hash.finish();
}

const Record* Manifest::find(std::string_view stage) const {
  const auto at = std::find_if(records.begin(), records.end(),
                               [&](const Record& record) { return record.stage == stage; });
  return at == records.end() ? nullptr : &*at;
}

void Manifest::put(Record record) {
  if (const Record* const known = find(record.stage)) {
    records[static_cast<std::size_t>(known - records.data())] = std::move(record);
  } else {
    records.push_back(std::move(record));
  }
}

void Manifest::drop(std::string_view stage) {
  std::erase_if(records, [&](const Record& record) { return record.stage == stage; });
}

// "tool" stands first: is_dossier() looks for it in the first bytes.
Json to_document(const Manifest& manifest) {
  Json subject = Json::object();
  subject.set("name", to_valid_utf8(manifest.subject));
  Json::Array kinds(manifest.kinds.begin(), manifest.kinds.end());
  subject.set("kinds", Json(std::move(kinds)));
  subject.set("inputs", list_of(manifest.inputs, input_document));
  Json out = Json::object();
  out.set("tool", "godwit");
  out.set("form", Manifest::kForm);
  out.set("version", manifest.version);
  out.set("data", manifest.data);
  out.set("command", to_valid_utf8(manifest.command));
  out.set("options", manifest.options);
  out.set("subject", std::move(subject));
  out.set("stages", list_of(manifest.records, record_document));
  return out;
}

Result<Manifest> read_manifest(const fs::path& folder) {
  const fs::path path = folder / kManifestFile;
  const auto damaged = [&](std::string reason) {
    return fail("E088", {.file = show_path(path)},
                {{"out", show_path(folder)}, {"reason", std::move(reason)}});
  };
  ASSIGN(const std::string text, read_file(path));
  const auto document = parse_json(text, show_path(path));
  if (!document)
    return damaged(document.error().args.empty() ? "JSON" : document.error().args[0].second);
  if ((*document)["tool"].string() != "godwit") return damaged("tool");
  const std::int64_t form = (*document)["form"].integer();
  if (form != Manifest::kForm) return damaged(format("form {}", form));
  Manifest manifest = to_manifest(*document);
  if (!stays_inside(manifest)) return damaged(diag::text("dossier.outside"));
  return manifest;
}

Status write_manifest(const Manifest& manifest, const fs::path& folder) {
  return write_file(folder / kManifestFile, to_document(manifest).dump(1) + "\n");
}

}  // namespace godwit::dossier
