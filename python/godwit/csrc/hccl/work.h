// What a call of the emulated HCCL hands back: a handle on gloo's work whose future holds the npu
// tensors.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include <torch/csrc/distributed/c10d/Work.hpp>

#include "hccl.h"

namespace godwit::hccl {

/// Health of a group: after the first failure every later call fails with the same text, as a real
/// communicator does.
class Health {
 public:
  explicit Health(Place place) : place_(std::move(place)) {}

  const Place& place() const { return place_; }
  /// The error for `cause`; the first one is investigated, the others are told the same.
  std::exception_ptr fail(const Record& record, const std::exception_ptr& cause);
  void check() const;

 private:
  Place place_;
  mutable std::mutex mutex_;
  std::exception_ptr failure_;
};

/// What happens when gloo is done: results go where the caller expects them.
using Finish = std::function<void()>;

/// Work on `inner`, which may be null when there was nothing to send.
c10::intrusive_ptr<c10d::Work> make_work(std::vector<c10::intrusive_ptr<c10d::Work>> inner,
                                         std::vector<at::Tensor> outputs, Finish finish,
                                         RecordPtr record, std::shared_ptr<Health> health);

/// Several calls as one, for coalesced forms.
c10::intrusive_ptr<c10d::Work> join_works(std::vector<c10::intrusive_ptr<c10d::Work>> works);

}  // namespace godwit::hccl
