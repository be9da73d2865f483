// The writer thread: tensors of one batch become one safetensors file, then its lines are appended
// to the index.
#include "record_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "record_lines.h"

namespace godwit::record {
namespace {

constexpr std::size_t kSlab = std::size_t{64} << 20;
constexpr std::size_t kMostEntries = 65536;  // queued; a sketch takes about half a kilobyte
constexpr std::size_t kBatchEntries = 4096;
// The most that a killed script loses. Waking the writer at each step would cost a small step
// dearly.
constexpr auto kPatience = std::chrono::milliseconds(100);

bool write_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t done = ::write(fd, data, std::min(size, std::size_t{1} << 30));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    data += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

}  // namespace

Writer::Writer(WriterOptions options) : options_(std::move(options)) {
  slab_bytes_ = std::min(kSlab, std::max<std::size_t>(options_.most_bytes / 4, 4096));
  most_slabs_ = std::max<std::size_t>(2, options_.most_bytes / slab_bytes_);
  const std::string path = options_.folder + "/index.jsonl";
  index_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (index_ < 0) stop_with("index.jsonl", errno);
  append(options_.header + "\n");
  thread_ = std::thread([this] { work(); });
}

Writer::~Writer() { close(); }

void Writer::add(Entry entry, const void* values, std::size_t size) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!error_.empty() || closing_) {
    ++dropped_;
    return;
  }
  if (!entry.has_values) size = 0;
  make_room(lock, size);
  if (!error_.empty()) {
    ++dropped_;
    return;
  }
  entry.offset = current_.slab ? current_.slab->used : 0;
  entry.size = size;
  if (size > 0) {
    std::memcpy(current_.slab->memory.get() + entry.offset, values, size);
    current_.slab->used += size;
  }
  ++queued_;
  if (current_.entries.empty()) current_.entries.reserve(kBatchEntries / 16);
  current_.entries.push_back(std::move(entry));
  if (current_.entries.size() >= kBatchEntries) submit();
}

// Waits until the queue is short enough and the current batch has memory for `size` more bytes.
void Writer::make_room(std::unique_lock<std::mutex>& lock, std::size_t size) {
  const auto is_full = [&] { return queued_ >= kMostEntries; };
  while (error_.empty()) {
    if (is_full()) {
      submit();
      room_.wait(lock);
    } else if (size == 0) {
      return;
    } else if (current_.slab) {
      if (current_.slab->used + size <= current_.slab->capacity) return;
      submit();
    } else if (size > slab_bytes_) {  // larger than any slab: alone, when all else is written
      submit();
      if (queued_ > 0) room_.wait(lock);
      if (queued_ > 0) continue;
      free_.clear();
      slabs_ = 0;
      current_.slab = std::make_unique<Slab>(size);
    } else if (!free_.empty()) {
      current_.slab = std::move(free_.back());
      free_.pop_back();
    } else if (slabs_ < most_slabs_) {
      current_.slab = std::make_unique<Slab>(slab_bytes_);
      ++slabs_;
    } else {
      room_.wait(lock);
    }
  }
}

void Writer::submit() {
  if (current_.entries.empty()) return;
  queue_.push_back(std::move(current_));
  current_ = Batch();
  work_.notify_one();
}

void Writer::close() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (closing_) return;
    submit();
    closing_ = true;
  }
  work_.notify_one();
  thread_.join();
  const std::string end = "{\"end\":true,\"records\":" + std::to_string(written_) +
                          ",\"dropped\":" + std::to_string(dropped_) + "}\n";
  append(end);
  if (index_ >= 0 && options_.sync) ::fdatasync(index_);
  if (index_ >= 0) ::close(index_);
  index_ = -1;
}

void Writer::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    work_.wait_for(lock, kPatience, [&] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) submit();  // what has waited long enough
    if (queue_.empty() && closing_) return;
    if (queue_.empty()) continue;
    Batch batch = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    write(batch);
    lock.lock();
    queued_ -= batch.entries.size();
    if (batch.slab && batch.slab->capacity == slab_bytes_ && slabs_ > 0) {
      batch.slab->used = 0;
      free_.push_back(std::move(batch.slab));
    }
    room_.notify_all();
  }
}

void Writer::write(Batch& batch) {
  std::string file;
  bool good = error().empty();
  const auto has_values = [](const Entry& entry) { return entry.has_values; };
  if (good && std::any_of(batch.entries.begin(), batch.entries.end(), has_values)) {
    name_tensors(batch.entries);
    char name[48];
    std::snprintf(name, sizeof name, "tensors-%05lld.safetensors",
                  static_cast<long long>(++files_));
    file = name;
    good = write_tensors(batch, file);
  }
  if (good) {
    append(index_lines(batch.entries, file));
    good = error().empty();
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  (good ? written_ : dropped_) += static_cast<std::int64_t>(batch.entries.size());
}

// Under a name of its own until it is whole; a file that could not be finished is taken away.
bool Writer::write_tensors(const Batch& batch, const std::string& name) {
  const std::string path = options_.folder + "/" + name;
  const std::string part = path + ".part";
  const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const std::string header = safetensors_header(batch.entries);
  const std::size_t used = batch.slab ? batch.slab->used : 0;
  const bool good = fd >= 0 && write_all(fd, header.data(), header.size()) &&
                    write_all(fd, batch.slab ? batch.slab->memory.get() : "", used) &&
                    (!options_.sync || ::fdatasync(fd) == 0);
  int code = errno;
  if (fd >= 0) ::close(fd);
  bool there = false;
  if (good) {
    there = ::rename(part.c_str(), path.c_str()) == 0;
    code = errno;
  }
  if (!there) {
    ::unlink(part.c_str());
    stop_with(name, code);
    return false;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  bytes_ += static_cast<std::int64_t>(header.size() + used);
  return true;
}

// Half a line would make the index unreadable: it is cut back to the last whole one.
void Writer::append(const std::string& lines) {
  if (index_ < 0) return;
  const bool good =
      write_all(index_, lines.data(), lines.size()) && (!options_.sync || ::fdatasync(index_) == 0);
  if (!good) {
    const int code = errno;
    if (::ftruncate(index_, index_size_) == 0) ::lseek(index_, 0, SEEK_END);
    stop_with("index.jsonl", code);
    return;
  }
  index_size_ += static_cast<std::int64_t>(lines.size());
  const std::lock_guard<std::mutex> lock(mutex_);
  bytes_ += static_cast<std::int64_t>(lines.size());
}

void Writer::stop_with(const std::string& what, int code) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (error_.empty()) error_ = what + ": " + std::strerror(code);
  room_.notify_all();
}

std::string Writer::error() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return error_;
}
std::int64_t Writer::written() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return written_;
}
std::int64_t Writer::dropped() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return dropped_;
}
std::int64_t Writer::bytes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return bytes_;
}

}  // namespace godwit::record
