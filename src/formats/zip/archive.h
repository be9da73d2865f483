// ZIP archives: where their members lie, what they hold, and writing stored ones.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace godwit::formats::zip {

struct Member {
  std::string_view name{};
  std::string_view packed{};  // as it lies in the archive
  bool is_stored = true;      // else DEFLATE
  std::uint64_t size = 0;     // unpacked
  std::uint32_t crc = 0;
};

/// True when the bytes begin as an archive does, be it an empty one.
bool is_archive(std::string_view bytes);

/// The members in the order of the directory; views into `bytes`. ZIP64 is read, encryption and
/// other methods than stored and DEFLATE are refused. `name` stands in errors. Errors: E181.
Result<std::vector<Member>> read(std::string_view bytes, const std::string& name);

/// The content of a DEFLATE member. Errors: E181 damaged, or more than `most` bytes.
Result<std::string> unpack(const Member& member, const std::string& name, std::uint64_t most);

/// E181 when the content does not have the checksum that the directory states.
Status check_content(const Member& member, std::string_view content, const std::string& name);

/// Takes the next bytes of an archive.
using Sink = std::function<Status(std::string_view)>;

/// Writes an archive of stored members, each as it is added; the same members give the same bytes.
class Writer {
 public:
  explicit Writer(Sink sink) : sink_(std::move(sink)) {}
  /// `parts` are written one after another as the content of the member. Errors: E183 a name that
  /// is longer than an archive can say, and those of the sink.
  Status add(std::string_view name, std::initializer_list<std::string_view> parts);
  /// Ends the archive.
  Status finish() &&;

 private:
  Status put(std::string_view bytes);

  Sink sink_;
  std::uint64_t size_ = 0;
  std::string directory_;
  std::uint64_t members_ = 0;
};

}  // namespace godwit::formats::zip
