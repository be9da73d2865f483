// The log of collectives: every call, how many bytes it moved and how long the process waited;
// Python writes table and trace.
#include "hccl.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <sstream>
#include <thread>

#include <torch/library.h>

namespace godwit::hccl {
namespace {

constexpr size_t kMostRecords = 200'000;  // about 20 MB; totals go on

struct Totals {
  int64_t calls = 0, bytes = 0, wait_ns = 0, busy_ns = 0;
};

struct Log {
  std::mutex mutex;
  std::vector<RecordPtr> records;
  std::map<std::string, Totals> totals;  // "all_reduce\tfp32"
  std::vector<std::string> groups;       // "name\t0,1,2,3"
  int64_t dropped = 0;
};

Log& the_log() {
  static auto* const log = new Log;  // for good: threads of gloo end calls while the process exits
  return *log;
}

std::string key(const Call& call) { return std::string(call.name) + "\t" + type_name(call.dtype); }

// --fault rank=R,call=N,…: what happens at the N-th collective of the process of rank R.
struct Fault {
  int64_t rank = 0;
  std::atomic<int64_t> at{0};  // 0: no fault
  std::string action;          // kill, hang, slow
  double seconds = 0;
};
Fault fault;
std::atomic<int64_t> calls{0};

}  // namespace

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

int64_t register_group(const std::string& name, const std::vector<int64_t>& ranks) {
  std::ostringstream line;
  line << name << "\t";
  for (size_t i = 0; i < ranks.size(); ++i) line << (i ? "," : "") << ranks[i];
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  log.groups.push_back(line.str());
  return static_cast<int64_t>(log.groups.size()) - 1;
}

RecordPtr begin_record(const Call& call, int64_t group, uint64_t sequence) {
  auto record = std::make_shared<Record>(Record{call, group, sequence, now_ns()});
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  Totals& totals = log.totals[key(call)];
  ++totals.calls;
  totals.bytes += call.bytes;
  if (log.records.size() < kMostRecords) {
    log.records.push_back(record);
  } else {
    ++log.dropped;
  }
  return record;
}

void end_record(Record& record) {
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  record.end_ns = now_ns();
  log.totals[key(record.call)].busy_ns += record.end_ns - record.start_ns;
}

void add_wait(Record& record, int64_t ns) {
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  record.wait_ns += ns;
  log.totals[key(record.call)].wait_ns += ns;
}

void fault_point(int64_t rank) {
  const int64_t number = ++calls;
  const int64_t at = fault.at;
  if (at == 0 || number < at || rank != fault.rank) return;
  if (fault.action == "slow")
    std::this_thread::sleep_for(std::chrono::duration<double>(fault.seconds));
  if (number != at) return;
  if (fault.action == "kill") std::raise(SIGKILL);
  while (fault.action == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace godwit::hccl

TORCH_LIBRARY_FRAGMENT(godwit, m) {
  using namespace godwit::hccl;
  // Lines of fields divided by tabs: call, type, calls, bytes, wait and busy nanoseconds.
  m.def("hccl_totals() -> str[]", []() {
    Log& log = the_log();
    const std::lock_guard lock(log.mutex);
    std::vector<std::string> lines;
    for (const auto& [name, t] : log.totals) {
      lines.push_back(
          c10::str(name, "\t", t.calls, "\t", t.bytes, "\t", t.wait_ns, "\t", t.busy_ns));
    }
    return lines;
  });
  // Lines: call, type, group, sequence, bytes, peer, start, end, wait.
  m.def("hccl_records() -> str[]", []() {
    Log& log = the_log();
    const std::lock_guard lock(log.mutex);
    std::vector<std::string> lines;
    lines.reserve(log.records.size());
    for (const RecordPtr& r : log.records) {
      lines.push_back(c10::str(key(r->call), "\t", r->group, "\t", r->sequence, "\t", r->call.bytes,
                               "\t", r->call.peer, "\t", r->start_ns, "\t", r->end_ns, "\t",
                               r->wait_ns));
    }
    return lines;
  });
  m.def("hccl_groups() -> str[]", []() {
    Log& log = the_log();
    const std::lock_guard lock(log.mutex);
    return log.groups;
  });
  m.def("hccl_dropped() -> int", []() {
    Log& log = the_log();
    const std::lock_guard lock(log.mutex);
    return log.dropped;
  });
  m.def("hccl_fault(int rank, int at, str action, float seconds) -> ()",
        [](int64_t rank, int64_t at, const std::string& action, double seconds) {
          fault.rank = rank;
          fault.action = action;
          fault.seconds = seconds;
          fault.at = at;
        });
}
