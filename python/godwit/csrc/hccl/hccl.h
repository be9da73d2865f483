// What the files of the emulated HCCL share: rules of the SoC, the log of calls, and who is to
// blame for a call that failed.
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/Types.hpp>

namespace godwit::hccl {

/// One collective as the user called it and as HCCL would run it.
struct Call {
  const char* name;        // of torch.distributed: "all_reduce"
  const char* collective;  // of HCCL: "AllReduce"
  c10::ScalarType dtype = c10::ScalarType::Undefined;
  const char* reduce = "";  // "sum", "prod", "max", "min"
  int64_t bytes = 0;        // payload on this rank
  int peer = -1;            // rank in the group, of a send, a receive or a root
};

/// "fp32", "i64": as the tables of facts name types.
const char* type_name(c10::ScalarType dtype);

/// A text in the user's language with its {places} filled; the key itself when Python gave none.
std::string text(const std::string& key, const std::map<std::string, std::string>& places);

/// The end of an error of torch_npu: time, process, card, rank, and its code ("ERR02007 DIST
/// feature not supported.").
std::string error_tail(const char* code);

/// Throws, warns or counts, as `--missing` says, when the SoC has no such collective, type,
/// reduction or group size.
void check_supported(const Call& call, int ranks);

/// True when every rank needs a card of its own on this SoC.
bool is_one_process_per_card();

/// What became of a call; one is kept for each of the first `kMostRecords`, totals for all.
struct Record {
  Call call;
  int64_t group = 0;      // number of the group in this process
  uint64_t sequence = 0;  // calls of the group so far
  int64_t start_ns = 0;   // since the epoch, so that ranks can be laid side by side
  int64_t end_ns = 0;     // 0: never came to an end
  int64_t wait_ns = 0;    // how long the process stood still for it
};
using RecordPtr = std::shared_ptr<Record>;

int64_t now_ns();
int64_t register_group(const std::string& name, const std::vector<int64_t>& ranks);
RecordPtr begin_record(const Call& call, int64_t group, uint64_t sequence);
void end_record(Record& record);
void add_wait(Record& record, int64_t ns);

/// The faults of `--fault` that count calls happen here; `rank` as the world numbers it.
void fault_point(int64_t rank);

/// Where a rank of a group stands, known to the others through the store only when something went
/// wrong.
struct Place {
  c10::intrusive_ptr<c10d::Store> store;
  std::string group;
  int rank = 0;
  std::vector<int64_t> ranks;  // of the group, as the world numbers them
};

/// The error that HCCL would raise for `cause`, naming the ranks that did not arrive and where they
/// are.
std::exception_ptr explain(const Place& place, const Record& record,
                           const std::exception_ptr& cause);

/// Throws when two ranks of the group use one card; each rank tells its own on the first call.
void check_cards(const Place& place, int card);

}  // namespace godwit::hccl
