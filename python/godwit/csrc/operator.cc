// Operators by schema. The first level is a table of the thread, so that a hit takes no lock.
#include "operator.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include <torch/library.h>

namespace godwit {
namespace {

using Names = std::vector<std::string_view>;

const Names kMatmuls = {"addbmm", "addmm", "addmv", "baddbmm", "bmm",
                        "dot",    "mm",    "mv",    "vdot",    "_addmm_activation"};
const Names kConvolutions = {"conv_tbc",
                             "conv_tbc_backward",
                             "convolution",
                             "convolution_backward",
                             "convolution_backward_overrideable",
                             "convolution_overrideable"};
const Names kMoves = {"_copy_from",
                      "_copy_from_and_resize",
                      "_index_put_impl",
                      "_reshape_alias",
                      "_to_copy",
                      "alias",
                      "as_strided",
                      "as_strided_scatter",
                      "cat",
                      "clone",
                      "constant_pad_nd",
                      "copy",
                      "diag_embed",
                      "embedding",
                      "expand",
                      "fill",
                      "flip",
                      "full",
                      "full_like",
                      "gather",
                      "index",
                      "index_fill",
                      "index_select",
                      "masked_fill",
                      "masked_scatter",
                      "masked_select",
                      "permute",
                      "repeat",
                      "roll",
                      "scatter",
                      "select_scatter",
                      "set",
                      "slice_scatter",
                      "sort",
                      "stack",
                      "take",
                      "topk",
                      "tril",
                      "triu",
                      "unfold",
                      "view",
                      "where",
                      "zero"};
const Names kSoftmaxes = {"_log_softmax", "_safe_softmax", "_softmax"};
// Operators that read indices or lengths on the host while their data is on a device.
const Names kTakesHostTensors = {
    "_ctc_loss",     "_cudnn_ctc_loss",   "_index_put_impl", "_pack_padded_sequence",
    "_unsafe_index", "_unsafe_index_put", "index",           "index_put",
    "tensor_split"};

// "add" of "aten::add_.Tensor", "mm" of "aten::mm.out", "fill" of "aten::fill_.Scalar".
std::string_view base_name(std::string_view name) {
  name = name.substr(name.rfind(':') + 1);
  if (name.size() > 1 && name.back() == '_' && name[name.size() - 2] != '_') name.remove_suffix(1);
  return name;
}

bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Numerics numerics_of(std::string_view base) {
  if (has(kMatmuls, base)) return Numerics::kMatmul;
  if (has(kConvolutions, base)) return Numerics::kConvolution;
  if (has(kSoftmaxes, base)) return Numerics::kSoftmax;
  return has(kMoves, base) ? Numerics::kMoves : Numerics::kComputes;
}

bool is_seeded(const c10::OperatorHandle& handle) {
  const auto tags = handle.getTags();
  return std::find(tags.begin(), tags.end(), at::Tag::nondeterministic_seeded) != tags.end();
}

std::unique_ptr<Operator> describe(const c10::OperatorHandle& handle) {
  auto op = std::make_unique<Operator>();
  op->name = toString(handle.operator_name());
  const std::string_view base = base_name(handle.operator_name().name);
  op->numerics = numerics_of(base);
  op->takes_host_tensors = has(kTakesHostTensors, base);
  const bool adds =
      base.substr(0, 3) == "add" || base.substr(0, 4) == "badd" || base.substr(0, 4) == "_add";
  const auto& arguments = handle.schema().arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto& argument = arguments[i];
    op->writes.push_back(argument.alias_info() && argument.alias_info()->isWrite());
    op->is_accumulator.push_back(argument.name() == "bias" || (adds && argument.name() == "self"));
    if (argument.name() == "generator") op->generator = static_cast<int>(i);
  }
  op->draws = op->generator < 0 && is_seeded(handle);
  return op;
}

struct Registry {
  std::mutex mutex;
  std::unordered_map<const void*, std::unique_ptr<Operator>> all;
};

Registry& registry() {
  static auto* const kept = new Registry;
  return *kept;
}

const Operator& find_shared(const c10::OperatorHandle& handle) {
  const void* const key = &handle.schema();
  const std::lock_guard<std::mutex> lock(registry().mutex);
  std::unique_ptr<Operator>& entry = registry().all[key];
  if (!entry) entry = describe(handle);
  return *entry;
}

struct Slot {
  const void* key = nullptr;
  const Operator* op = nullptr;
};
constexpr size_t kSlots = 1024;

}  // namespace

const Operator& find_operator(const c10::OperatorHandle& handle) {
  static thread_local std::array<Slot, kSlots> slots;
  const void* const key = &handle.schema();
  Slot& slot = slots[(reinterpret_cast<uintptr_t>(key) >> 6) % kSlots];
  if (C10_UNLIKELY(slot.key != key)) slot = {key, &find_shared(handle)};
  return *slot.op;
}

std::vector<const Operator*> seen_operators() {
  const std::lock_guard<std::mutex> lock(registry().mutex);
  std::vector<const Operator*> all;
  for (const auto& entry : registry().all) all.push_back(entry.second.get());
  std::sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->name < b->name; });
  return all;
}

namespace {

int64_t total(const std::array<std::atomic<int64_t>, kTypes>& calls) {
  int64_t sum = 0;
  for (const auto& n : calls) sum += n.load(std::memory_order_relaxed);
  return sum;
}

// "aten::mm" and how often it ran, and how many elements of its results saturated.
std::tuple<std::vector<std::string>, std::vector<int64_t>, std::vector<int64_t>> operator_calls() {
  std::vector<std::string> names;
  std::vector<int64_t> calls, saturated;
  for (const Operator* op : seen_operators()) {
    names.push_back(op->name);
    calls.push_back(total(op->calls));
    saturated.push_back(op->saturated);
  }
  return {names, calls, saturated};
}

}  // namespace
}  // namespace godwit

TORCH_LIBRARY_FRAGMENT(godwit, m) {
  m.def("operator_calls() -> (str[], int[], int[])", godwit::operator_calls);
}
