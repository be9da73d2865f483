// Writes a dump beside the training: a thread of its own behind a bounded queue. What is in the
// folder can be read at any time, so a script that dies loses only what was still queued.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "record_lines.h"

namespace godwit::record {

struct WriterOptions {
  std::string folder;  // exists
  std::string header;  // first line of the index
  std::size_t most_bytes = std::size_t{512} << 20;
  bool sync = false;  // each file is on the disk before its lines appear
};

class Writer {
 public:
  /// Opens the index. Afterwards error() says whether that worked.
  explicit Writer(WriterOptions options);
  /// Waits until all is written.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Copies `size` bytes at `values` when the entry has values. Waits while the queue is full.
  /// After an error all is dropped and counted.
  void add(Entry entry, const void* values, std::size_t size);
  /// Writes the last line and waits.
  void close();

  /// Empty, or what the system said: "tensors-00003.safetensors: No space left on device".
  std::string error() const;
  std::int64_t written() const;
  std::int64_t dropped() const;
  std::int64_t bytes() const;

 private:
  struct Slab {
    explicit Slab(std::size_t bytes) : memory(new char[bytes]), capacity(bytes) {}
    std::unique_ptr<char[]> memory;
    std::size_t capacity, used = 0;
  };
  struct Batch {
    std::vector<Entry> entries;
    std::unique_ptr<Slab> slab;
  };

  void make_room(std::unique_lock<std::mutex>& lock, std::size_t size);
  void submit();
  void work();
  void write(Batch& batch);
  bool write_tensors(const Batch& batch, const std::string& name);
  void append(const std::string& lines);
  void stop_with(const std::string& what, int code);

  const WriterOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable work_, room_;
  Batch current_;
  std::deque<Batch> queue_;
  std::vector<std::unique_ptr<Slab>> free_;
  std::size_t slab_bytes_ = 0, slabs_ = 0, most_slabs_ = 0, queued_ = 0;
  bool closing_ = false;
  std::string error_;
  std::int64_t written_ = 0, dropped_ = 0, bytes_ = 0, files_ = 0;
  std::int64_t index_size_ = 0;
  int index_ = -1;
  std::thread thread_;
};

}  // namespace godwit::record
