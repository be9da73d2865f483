// Backend "hccl" of the emulated device: every collective runs on gloo, on CPU tensors that share
// the npu tensors' memory.
#include <torch/library.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "../alias.h"
#include "stage.h"

namespace godwit::hccl {
namespace {

using namespace c10d;
using at::Tensor;
using Tensors = std::vector<Tensor>;
using Lists = std::vector<Tensors>;
using WorkPtr = c10::intrusive_ptr<Work>;

int64_t bytes_of(const Tensors& tensors) {
  int64_t bytes = 0;
  for (const Tensor& tensor : tensors) bytes += static_cast<int64_t>(tensor.nbytes());
  return bytes;
}

bool have_equal_sizes(const Tensors& tensors) {
  for (const Tensor& tensor : tensors) {
    if (tensor.numel() != tensors.front().numel()) return false;
  }
  return true;
}

class Hccl final : public Backend {
 public:
  Hccl(c10::intrusive_ptr<Backend> gloo, Place place)
      : Backend(gloo->getRank(), gloo->getSize()),
        gloo_(std::move(gloo)),
        number_(register_group(place.group, place.ranks)),
        health_(std::make_shared<Health>(std::move(place))) {}

  const std::string getBackendName() const override { return "hccl"; }
#if GODWIT_TORCH >= 206
  bool supportsCoalescing() const override { return true; }
#endif
#if GODWIT_TORCH >= 203
  void eagerConnectSingleDevice(at::Device) override {}
#endif
  uint64_t getSequenceNumberForGroup() override { return sequence_; }
  void setSequenceNumberForGroup() override {}
#if GODWIT_TORCH >= 209
  void setTimeout(std::chrono::milliseconds timeout) override { gloo_->setTimeout(timeout); }
#endif

  void startCoalescing() override {
    is_coalescing_ = true;
    coalesced_.clear();
  }
  WorkPtr endCoalescing() override {
    is_coalescing_ = false;
    return join_works(std::exchange(coalesced_, {}));
  }

  WorkPtr broadcast(Tensors& tensors, const BroadcastOptions& options) override {
    const auto record =
        start("broadcast", "Broadcast", tensors, "", static_cast<int>(options.rootRank));
    std::vector<WorkPtr> works;
    for (const Tensor& tensor : tensors) {
      Tensors bytes{as_bytes(tensor)};
      works.push_back(gloo_->broadcast(bytes, options));
    }
    return finish(record, std::move(works), tensors);
  }

  WorkPtr allreduce(Tensors& tensors, const AllreduceOptions& options) override {
    return reduce_in_place("all_reduce", tensors, options);
  }
  WorkPtr allreduce_coalesced(Tensors& tensors, const AllreduceCoalescedOptions& options) override {
    return reduce_in_place("all_reduce_coalesced", tensors, options);
  }

  WorkPtr reduce(Tensors& tensors, const ReduceOptions& options) override {
    const auto record = start("reduce", "Reduce", tensors, reduce_name(options.reduceOp),
                              static_cast<int>(options.rootRank));
    ReduceOptions inner = options;
    inner.reduceOp = gloo_op(options.reduceOp);
    return reduce_each(record, tensors, options.reduceOp, getRank() == options.rootRank,
                       [&](Tensors& one) { return gloo_->reduce(one, inner); });
  }

  WorkPtr allgather(Lists& outputs, Tensors& inputs, const AllgatherOptions& options) override {
    check_list(outputs.at(0), "all_gather");
    const bool even = have_equal_sizes(outputs[0]);
    const auto record = start("all_gather", even ? "AllGather" : "AllGatherV", inputs);
    if (!even) return gather_uneven(record, outputs[0], inputs.at(0));
    Lists to{as_bytes(outputs[0])};
    Tensors from = as_bytes(inputs);
    return finish(record, {gloo_->allgather(to, from, options)}, outputs[0]);
  }

  WorkPtr _allgather_base(Tensor& output, Tensor& input, const AllgatherOptions& options) override {
    TORCH_CHECK(
        input.scalar_type() == output.scalar_type() && input.numel() * getSize() == output.numel(),
        "output tensor size must be equal to world_size times input tensor size",
        error_tail("ERR02001 DIST invalid parameter."));
    const auto record = start("all_gather_into_tensor", "AllGather", {input});
    Tensor to = as_bytes(output), from = as_bytes(input);
    return finish(record, {gloo_->_allgather_base(to, from, options)}, {output});
  }

  WorkPtr allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                          const AllgatherOptions& options) override {
    std::vector<WorkPtr> works;
    for (size_t i = 0; i < inputs.size(); ++i)
      works.push_back(_allgather_base(outputs.at(i), inputs[i], options));
    return join_works(std::move(works));
  }
  WorkPtr allgather_coalesced(Lists& outputs, Tensors& inputs,
                              const AllgatherOptions& options) override {
    std::vector<WorkPtr> works;
    for (size_t i = 0; i < inputs.size(); ++i) {
      Lists to(1);
      for (Tensors& rank : outputs) to[0].push_back(rank.at(i));
      Tensors from{inputs[i]};
      works.push_back(allgather(to, from, options));
    }
    return join_works(std::move(works));
  }

  WorkPtr gather(Lists& outputs, Tensors& inputs, const GatherOptions& options) override {
    const auto record = start("gather", "Gather", inputs, "", static_cast<int>(options.rootRank));
    const bool is_root = getRank() == options.rootRank;
    Lists to;
    if (is_root) to.push_back(as_bytes(outputs.at(0)));
    Tensors from = as_bytes(inputs);
    return finish(record, {gloo_->gather(to, from, options)}, is_root ? outputs[0] : Tensors{});
  }

  WorkPtr scatter(Tensors& outputs, Lists& inputs, const ScatterOptions& options) override {
    const auto record =
        start("scatter", "Scatter", outputs, "", static_cast<int>(options.rootRank));
    Lists from;
    for (const Tensors& list : inputs) from.push_back(as_bytes(list));
    Tensors to = as_bytes(outputs);
    return finish(record, {gloo_->scatter(to, from, options)}, outputs);
  }

  WorkPtr reduce_scatter(Tensors& outputs, Lists& inputs,
                         const ReduceScatterOptions& options) override {
    check_list(inputs.at(0), "reduce_scatter");
    const bool even = have_equal_sizes(inputs[0]);
    const auto record = start("reduce_scatter", even ? "ReduceScatter" : "ReduceScatterV",
                              inputs[0], reduce_name(options.reduceOp));
    Tensors parts;
    for (const Tensor& input : inputs[0])
      parts.push_back(stage_input(input, options.reduceOp).host);
    return scatter_sums(record, outputs.at(0), parts, options);
  }

  WorkPtr _reduce_scatter_base(Tensor& output, Tensor& input,
                               const ReduceScatterOptions& options) override {
    TORCH_CHECK(
        input.scalar_type() == output.scalar_type() && input.numel() == output.numel() * getSize(),
        "input tensor must be the same type as and world_size times the size of the output tensor",
        error_tail("ERR02001 DIST invalid parameter."));
    const auto record =
        start("reduce_scatter_tensor", "ReduceScatter", {input}, reduce_name(options.reduceOp));
    const Tensor host = stage_input(input, options.reduceOp).host;
    return scatter_sums(record, output, host.view({getSize(), -1}).unbind(), options);
  }
  WorkPtr reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                          const ReduceScatterOptions& options) override {
    std::vector<WorkPtr> works;
    for (size_t i = 0; i < inputs.size(); ++i)
      works.push_back(_reduce_scatter_base(outputs.at(i), inputs[i], options));
    return join_works(std::move(works));
  }

  WorkPtr alltoall_base(Tensor& output, Tensor& input, std::vector<int64_t>& output_splits,
                        std::vector<int64_t>& input_splits,
                        const AllToAllOptions& options) override {
    const bool even = output_splits.empty() && input_splits.empty();
    const auto record = start("all_to_all_single", even ? "AlltoAll" : "AlltoAllV", {input});
    Tensor to = as_rows(output), from = as_rows(input);
    return finish(record, {gloo_->alltoall_base(to, from, output_splits, input_splits, options)},
                  {output});
  }

  WorkPtr alltoall(Tensors& outputs, Tensors& inputs, const AllToAllOptions& options) override {
    check_list(outputs, "all_to_all");
    check_list(inputs, "all_to_all");
    const auto record = start("all_to_all", "AlltoAllV", inputs);
    const Tensors to = as_bytes(outputs), from = as_bytes(inputs);
    std::vector<int64_t> to_sizes, from_sizes;
    for (const Tensor& tensor : to) to_sizes.push_back(tensor.numel());
    for (const Tensor& tensor : from) from_sizes.push_back(tensor.numel());
    Tensor sent = at::cat(from), got = at::empty_like(at::cat(to));
    return finish(record, {gloo_->alltoall_base(got, sent, to_sizes, from_sizes, options)}, outputs,
                  [to, got, to_sizes]() {
                    int64_t at = 0;
                    for (size_t i = 0; i < to.size(); at += to_sizes[i++])
                      to[i].copy_(got.narrow(0, at, to_sizes[i]));
                  });
  }

  WorkPtr send(Tensors& tensors, int to, int tag) override {
    const auto record = start_transfer("send", "Send", tensors, to);
    Tensors bytes = as_bytes(tensors);
    return finish(record, {gloo_->send(bytes, to, tag)}, tensors);
  }
  WorkPtr recv(Tensors& tensors, int from, int tag) override {
    const auto record = start_transfer("recv", "Recv", tensors, from);
    Tensors bytes = as_bytes(tensors);
    return finish(record, {gloo_->recv(bytes, from, tag)}, tensors);
  }
  WorkPtr recvAnysource(Tensors&, int) override {
    TORCH_CHECK(false, "ProcessGroupHCCL does not support recv from any source",
                error_tail("ERR02007 DIST feature not supported."));
  }

  // torch_npu reduces one float for it.
  WorkPtr barrier(const BarrierOptions& options) override {
    const auto record = start({"barrier", "AllReduce", c10::kFloat, "sum", 4}, sequence_);
    BarrierOptions inner = options;
    inner.device_ids.clear();
    inner.device.reset();
    return finish(record, {gloo_->barrier(inner)}, {});
  }

 private:
  void check_list(const Tensors& tensors, const char* call) const {
    TORCH_CHECK(tensors.size() == static_cast<size_t>(getSize()), call, ": ", tensors.size(),
                " tensors for ", getSize(), " ranks",
                error_tail("ERR02001 DIST invalid parameter."));
  }

  RecordPtr start(const char* name, const char* collective, const Tensors& tensors,
                  const char* reduce = "", int peer = -1) {
    const c10::ScalarType dtype = tensors.at(0).scalar_type();
    return start(
        {name, collective, *reduce ? reduce_type(dtype) : dtype, reduce, bytes_of(tensors), peer},
        sequence_);
  }

  // Transfers are counted apart: ranks need not make the same ones.
  RecordPtr start_transfer(const char* name, const char* collective, const Tensors& tensors,
                           int peer) {
    return start({name, is_coalescing_ ? "BatchSendRecv" : collective, tensors.at(0).scalar_type(),
                  "", bytes_of(tensors), peer},
                 transfers_);
  }

  RecordPtr start(const Call& call, std::atomic<uint64_t>& counter) {
    health_->check();
    fault_point(health_->place().ranks.at(getRank()));
    check_supported(call, getSize());
    if (!is_known_.exchange(true)) check_cards(health_->place(), current_card());
    return begin_record(call, number_, ++counter);
  }

  WorkPtr finish(const RecordPtr& record, std::vector<WorkPtr> works, Tensors outputs,
                 Finish done = nullptr) {
    WorkPtr work =
        make_work(std::move(works), std::move(outputs), std::move(done), record, health_);
    if (is_coalescing_) coalesced_.push_back(work);
    return work;
  }

  WorkPtr reduce_in_place(const char* name, Tensors& tensors, const AllreduceOptions& options) {
    const auto record = start(name, "AllReduce", tensors, reduce_name(options.reduceOp));
    AllreduceOptions inner = options;
    inner.reduceOp = gloo_op(options.reduceOp);
    return reduce_each(record, tensors, options.reduceOp, true,
                       [&](Tensors& one) { return gloo_->allreduce(one, inner); });
  }

  template <class Run>
  WorkPtr reduce_each(const RecordPtr& record, const Tensors& tensors, const ReduceOp& op,
                      bool has_result, Run run) {
    std::vector<WorkPtr> works;
    std::vector<Finish> backs;
    for (const Tensor& tensor : tensors) {
      Staged output = stage_output(tensor, op, getSize());
      if (op.op_ == ReduceOp::PREMUL_SUM) output.host.copy_(stage_input(tensor, op).host);
      Tensors one{output.host};
      works.push_back(run(one));
      if (has_result) backs.push_back(std::move(output.back));
    }
    return finish(record, std::move(works), tensors, [backs]() {
      for (const Finish& back : backs) back();
    });
  }

  // A reduction to each rank in turn: gloo's own forms lack types and uneven parts.
  WorkPtr scatter_sums(const RecordPtr& record, const Tensor& output, const Tensors& parts,
                       const ReduceScatterOptions& options) {
    std::vector<WorkPtr> works;
    const Staged result = stage_output(output, options.reduceOp, getSize());
    Tensor mine;
    for (int rank = 0; rank < getSize(); ++rank) {
      // gloo reduces in place, and the caller's input is not ours to change.
      Tensors one{parts[rank].clone()};
      if (rank == getRank()) mine = one[0];
      ReduceOptions inner;
      inner.reduceOp = gloo_op(options.reduceOp);
      inner.rootRank = rank;
      inner.timeout = options.timeout;
      works.push_back(gloo_->reduce(one, inner));
    }
    return finish(record, std::move(works), {output}, [result, mine]() {
      result.host.view({-1}).copy_(mine.view({-1}));
      result.back();
    });
  }

  WorkPtr gather_uneven(const RecordPtr& record, const Tensors& outputs, const Tensor& input) {
    Tensors to = as_bytes(outputs);
    to[getRank()].copy_(as_bytes(input));
    std::vector<WorkPtr> works;
    for (int rank = 0; rank < getSize(); ++rank) {
      BroadcastOptions inner;
      inner.rootRank = rank;
      Tensors one{to[rank]};
      works.push_back(gloo_->broadcast(one, inner));
    }
    return finish(record, std::move(works), outputs);
  }

  c10::intrusive_ptr<Backend> gloo_;
  int64_t number_;
  std::shared_ptr<Health> health_;
  std::atomic<uint64_t> sequence_{0}, transfers_{0};
  std::atomic<bool> is_known_{false};
  bool is_coalescing_ = false;
  std::vector<WorkPtr> coalesced_;
};

}  // namespace
}  // namespace godwit::hccl

TORCH_LIBRARY_FRAGMENT(godwit, m) {
  // `group` carries a gloo backend for the CPU; afterwards it carries "hccl" for npu, on top of it.
  m.def("hccl_attach(__torch__.torch.classes.c10d.ProcessGroup group, str name, int[] ranks) -> ()",
        [](const c10::intrusive_ptr<c10d::ProcessGroup>& group, const std::string& name,
           const std::vector<int64_t>& ranks) {
          const auto gloo = group->getBackend(c10::kCPU);
#if GODWIT_TORCH >= 209
          const auto store = group->getStore();
#else
          const c10::intrusive_ptr<c10d::Store> store;  // not to be had: a rank that is missing has no name
#endif
          godwit::hccl::Place place{store, name, gloo->getRank(), ranks};
          group->setBackend(godwit::kNpu, c10d::ProcessGroup::BackendType::CUSTOM,
                            c10::intrusive_ptr<c10d::Backend>(
                                c10::make_intrusive<godwit::hccl::Hccl>(gloo, std::move(place))));
        });
}
