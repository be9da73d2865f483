// The archive that tools/embed packs: "GWPK1\n", member index, then one zstd frame per member.
#include "base/resources.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

extern "C" {
extern const char godwit_data_begin[];
extern const char godwit_data_end[];
}

namespace godwit {
namespace fs = std::filesystem;
namespace {

struct Member {
  std::string_view name;
  std::uint64_t offset = 0, packed = 0, raw = 0;
};

fs::path& override_folder() {
  static fs::path folder;
  return folder;
}

std::string_view archive() {
  return {godwit_data_begin, static_cast<std::size_t>(godwit_data_end - godwit_data_begin)};
}

template <class T>
T take(std::string_view& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(),
              sizeof value);  // little endian, like every machine we build for
  bytes.remove_prefix(sizeof value);
  return value;
}

const std::vector<Member>& members() {
  static const std::vector<Member> all = [] {
    std::vector<Member> list;
    std::string_view bytes = archive();
    if (!bytes.starts_with("GWPK1\n")) return list;
    bytes.remove_prefix(6);
    const auto count = take<std::uint32_t>(bytes);
    for (std::uint32_t i = 0; i < count; ++i) {
      Member member;
      const auto length = take<std::uint32_t>(bytes);
      member.name = bytes.substr(0, length);
      bytes.remove_prefix(length);
      member.offset = take<std::uint64_t>(bytes);
      member.packed = take<std::uint64_t>(bytes);
      member.raw = take<std::uint64_t>(bytes);
      list.push_back(member);
    }
    return list;
  }();
  return all;
}

}  // namespace

Status override_resources(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_directory(folder, code)) {
    return fail("E007", {.file = show_path(folder)}, {{"path", show_path(folder)}});
  }
  // A file under one of our names, or a new one beside them ("messages/en/X.toml").
  const auto is_there = [&](const Member& member) {
    const fs::path name{std::string(member.name)};
    return fs::is_regular_file(folder / name, code) ||
           (name.has_parent_path() && fs::is_directory(folder / name.parent_path(), code));
  };
  if (std::none_of(members().begin(), members().end(), is_there))
    return fail("E017", {.file = show_path(folder)}, {{"path", show_path(folder)}});
  override_folder() = folder;
  return {};
}

Result<std::string> resource(std::string_view name) {
  std::error_code code;
  const fs::path own = override_folder() / std::string(name);
  if (!override_folder().empty() && fs::is_regular_file(own, code)) return read_file(own);
  const std::vector<Member>& all = members();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Member& m) { return m.name == name; });
  if (found == all.end()) return fail("E008", {}, {{"name", std::string(name)}});
  std::string raw(found->raw, '\0');
  const std::string_view packed = archive().substr(found->offset, found->packed);
  const std::size_t got = ZSTD_decompress(raw.data(), raw.size(), packed.data(), packed.size());
  if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation) out_of_memory();
  if (got != found->raw) return fail("E009", {}, {{"name", std::string(name)}});
  return raw;
}

std::string resources_digest() {
  Sha256 hash;
  hash.add(archive());
  std::error_code code;
  if (override_folder().empty()) return hash.finish();
  for (const std::string& name : resource_names("")) {
    const fs::path own = override_folder() / name;
    if (!fs::is_regular_file(own, code)) continue;
    const auto content = read_file(own);
    hash.add(format("{}\n{}\n", name, content ? sha256(*content) : std::string("unreadable")));
  }
  return hash.finish();
}

std::vector<std::string> resource_names(std::string_view prefix) {
  std::set<std::string> names;
  for (const Member& member : members()) {
    if (member.name.starts_with(prefix)) names.emplace(member.name);
  }
  std::error_code code;
  if (!override_folder().empty()) {
    for (fs::recursive_directory_iterator at(override_folder(), code), end; !code && at != end;
         at.increment(code)) {
      const std::string name = at->path().lexically_relative(override_folder()).generic_string();
      if (name.starts_with(prefix) && at->is_regular_file(code)) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace godwit
