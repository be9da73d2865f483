// Hashing of files, and the record of the large ones.
#include "dossier/digests.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/file.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/table.h"
#include "base/text.h"

namespace godwit::dossier {
namespace fs = std::filesystem;
namespace {

using Seen = Digests::Seen;
constexpr std::int64_t kGrain = 2'000'000'000;  // FAT and some network file systems keep 2 s
constexpr std::uint64_t kSample = 16 * 1024;
constexpr std::string_view kHeader =
    "name\tbytes\tinode\tmodified\tchanged\trecorded\tsha256\tprobe\n";

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using Stream = std::unique_ptr<std::FILE, Closer>;

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

std::int64_t now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

std::optional<Seen> identify(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  Seen seen;
  seen.bytes = static_cast<std::uint64_t>(status.st_size);
  seen.inode = status.st_ino;
  seen.modified = nanoseconds(status.st_mtim);
  seen.changed = nanoseconds(status.st_ctim);
  seen.recorded = now();
  return seen;
}

// Read, not mapped: a file that shrinks under a mapping would kill the process.
std::string hash_content(const fs::path& path) {
  const Stream file(std::fopen(path.c_str(), "rbe"));
  if (!file) return {};
  Sha256 hash;
  std::vector<char> buffer(256 * 1024);
  std::size_t got = 0;
  while ((got = std::fread(buffer.data(), 1, buffer.size(), file.get())) > 0)
    hash.add({buffer.data(), got});
  return std::ferror(file.get()) ? std::string() : hash.finish();
}

// First, middle and last part.
std::string probe(const fs::path& path, std::uint64_t bytes) {
  const Stream file(std::fopen(path.c_str(), "rbe"));
  if (!file) return {};
  Sha256 hash;
  std::array<char, kSample> buffer;
  for (const std::uint64_t at : {std::uint64_t{0}, bytes / 2, bytes - std::min(bytes, kSample)}) {
    if (std::fseek(file.get(), static_cast<long>(at), SEEK_SET) != 0) return {};
    hash.add({buffer.data(), std::fread(buffer.data(), 1, buffer.size(), file.get())});
  }
  return hash.finish();
}

bool is_same(const Seen& known, const Seen& here) {
  return known.bytes == here.bytes && known.inode == here.inode &&
         known.modified == here.modified && known.changed == here.changed &&
         std::max(known.modified, known.changed) + kGrain <= known.recorded;
}

std::int64_t number(std::string_view cell) { return parse_integer(cell).value_or(0); }

}  // namespace

std::string digest_file(const fs::path& path) {
  std::error_code code;
  if (fs::is_symlink(fs::symlink_status(path, code))) {
    return sha256("link\n" + fs::read_symlink(path, code).string());
  }
  return fs::is_regular_file(path, code) ? hash_content(path) : std::string();
}

Digests::Digests(const fs::path& record) {
  auto text = read_file(record);
  if (!text) return;
  const auto table = Table::parse("seen.tsv", *std::move(text));
  if (!table || join(table->columns(), "\t") + "\n" != kHeader) return;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    const auto cell = [&](std::size_t column) { return table->at(row, column); };
    known_.emplace(std::string(cell(0)), Seen{.bytes = static_cast<std::uint64_t>(number(cell(1))),
                                              .inode = static_cast<std::uint64_t>(number(cell(2))),
                                              .modified = number(cell(3)),
                                              .changed = number(cell(4)),
                                              .recorded = number(cell(5)),
                                              .sha256 = std::string(cell(6)),
                                              .probe = std::string(cell(7))});
  }
}

std::vector<std::string> Digests::of(const fs::path& root, std::span<const std::string> names) {
  std::vector<std::string> digests(names.size());
  std::vector<std::optional<Seen>> large(names.size());
  std::vector<char> was_read(names.size(), 0);
  parallel_for(names.size(), [&](std::size_t i, std::size_t) {
    const fs::path path = names[i].empty() ? root : root / names[i];
    auto here = identify(path);
    if (!here) return;
    const bool is_large = here->bytes >= kAlwaysHashedBelow;
    if (is_large) here->probe = probe(path, here->bytes);
    const auto known = is_large ? known_.find(names[i]) : known_.end();
    const bool trusted = known != known_.end() && is_same(known->second, *here) &&
                         known->second.probe == here->probe;
    digests[i] = trusted ? known->second.sha256 : hash_content(path);
    was_read[i] = !trusted;
    if (!is_large) return;
    if (trusted) here->recorded = known->second.recorded;
    here->sha256 = digests[i];
    large[i] = std::move(here);
  });
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (large[i]) asked_.insert_or_assign(names[i], *std::move(large[i]));
    hashed_ += was_read[i] ? 1u : 0u;
  }
  return digests;
}

Status Digests::save(const fs::path& record) const {
  if (asked_ == known_) return {};
  std::string text(kHeader);
  for (const auto& [name, seen] : asked_) {
    // Such names cannot stand in a table; their files are read each time.
    if (name.find_first_of("\t\n\r") != std::string::npos || name.starts_with('#')) continue;
    text += format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", name, seen.bytes, seen.inode, seen.modified,
                   seen.changed, seen.recorded, seen.sha256, seen.probe);
  }
  return write_file(record, text, Sync::kLater);
}

}  // namespace godwit::dossier
