// Tells operators apart: what Python called, what reaches a backend, what is only a wrapper
// (composites, autocast).
#include "record_observer.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>
#include <unordered_map>

#include "record_names.h"

namespace godwit::record {
namespace {

std::atomic<bool> forked{false};
constexpr char kEngine[] = "autograd::engine::";

// Listeners change rarely and are asked for at each operator: a fixed array without a lock.
constexpr int kMostListeners = 4;
std::atomic<Listener*> listeners[kMostListeners] = {};
std::mutex listeners_mutex;
at::CallbackHandle handle = 0;
bool has_outputs = false;

const c10::DispatchKey kAutocast[] = {c10::DispatchKey::AutocastCPU, c10::DispatchKey::AutocastCUDA,
                                      c10::DispatchKey::AutocastPrivateUse1};
const c10::DispatchKey kOverride[] = {c10::DispatchKey::CPU, c10::DispatchKey::CUDA,
                                      c10::DispatchKey::PrivateUse1,
                                      c10::DispatchKey::AutogradPrivateUse1};

void describe(Op& op, const c10::OperatorHandle& known) {
  const auto has = [&](c10::DispatchKey key) { return known.hasKernelForDispatchKey(key); };
  op.is_composite = has(c10::DispatchKey::CompositeImplicitAutograd) &&
                    std::none_of(std::begin(kOverride), std::end(kOverride), has);
  for (const c10::DispatchKey key : kAutocast)
    if (has(key)) op.autocast.push_back(key);
  const auto& arguments = known.schema().arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].name() == "dtype") op.dtype_argument = static_cast<int>(i);
}

Op* make_op(const c10::OperatorName& name) {
  static std::mutex mutex;
  static auto* const all = new std::unordered_map<std::string, Op>;
  const std::lock_guard<std::mutex> lock(mutex);
  const std::string full =
      name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
  const auto [at, is_new] = all->emplace(full, Op());
  Op& op = at->second;
  if (!is_new) return &op;
  op.name = name.name;
  op.overload = name.overload_name;
  op.number = name_number(full);
  op.is_ours = name.name.rfind("godwit::", 0) == 0 || name.name.rfind("profiler::", 0) == 0;
  if (const auto known = c10::Dispatcher::singleton().findSchema(name)) describe(op, *known);
  return &op;
}

// The name of an operator lies in its schema, so its address tells operators apart; names of other
// ranges are made each time and may lie anywhere, so the text is looked at too.
const Op* op_of(const at::RecordFunction& function) {
  struct Known {
    std::string name;
    const Op* op;
  };
  thread_local std::unordered_map<const char*, Known> cache;
  const char* const name = function.name();
  const auto at = cache.find(name);
  if (at != cache.end() && at->second.name == name) return at->second.op;
  if (std::strstr(name, "::") == nullptr) return nullptr;
  const auto full = function.operator_name();
  if (!full) return nullptr;
  const Op* const op = make_op(*full);
  cache[name] = {name, op};
  return op;
}

bool is_autocast_wrapper(const Op& op) {
  if (op.autocast.empty()) return false;
  const auto excluded = c10::impl::tls_local_dispatch_key_set().excluded_;
  return std::any_of(op.autocast.begin(), op.autocast.end(),
                     [&](c10::DispatchKey key) { return !excluded.has(key); });
}

// Shapes are being traced, nothing is computed.
bool is_faking() {
  return c10::impl::TorchDispatchModeTLS::get_mode(c10::impl::TorchDispatchModeKey::FAKE)
      .has_value();
}

// The engine sums gradients and fits their shapes around the call of a node.
bool is_of_engine(const char* name) { return std::strncmp(name, kEngine, sizeof kEngine - 1) == 0; }

void start_node(Scope& here, const at::RecordFunction& function) {
  Scope::Level level;
  level.is_node = true;
  level.was_backward = here.backward;
  level.was_forward = here.forward;
  level.was_module = here.module;
  here.levels.push_back(level);
  const std::uint64_t thread = function.forwardThreadId();
  const Origin origin =
      find_origin(thread ? thread : at::RecordFunction::currentThreadId(), function.seqNr());
  here.backward = true;
  here.module = origin.module;
  here.forward = origin.op;
}

void start_op(Scope& here, const Op& op, const at::RecordFunction& function) {
  Scope::Level level;
  level.op = &op;
  level.was_top = here.top;
  const bool is_top = here.top == nullptr;
  if (is_top) here.top = &op;
  if (function.seqNr() >= 0) note_origin(function.seqNr(), {here.module, here.top});
  level.is_leaf = !op.is_composite && !is_autocast_wrapper(op);
  const bool reaches_backend = level.is_leaf && here.inside == 0 && !op.is_ours;
  if (level.is_leaf) ++here.inside;
  here.levels.push_back(level);
  if (op.is_ours || (!is_top && !reaches_backend) || is_faking()) return;
  const Values inputs(function.inputs().data(), function.inputs().size());
  for (auto& at : listeners) {
    Listener* const listener = at.load(std::memory_order_acquire);
    if (!listener) continue;
    if (is_top) listener->before(op, inputs);
    if (reaches_backend) listener->call(op, inputs);
  }
}

std::unique_ptr<at::ObserverContext> start(const at::RecordFunction& function) {
  if (forked.load(std::memory_order_relaxed)) return nullptr;
  Scope& here = scope();
  if (function.scope() == at::RecordScope::BACKWARD_FUNCTION || is_of_engine(function.name())) {
    start_node(here, function);
  } else if (const Op* const op = op_of(function)) {
    start_op(here, *op, function);
  } else {
    // A function of Python with a backward of its own makes a graph node without an operator.
    if (function.seqNr() >= 0) note_origin(function.seqNr(), {here.module, nullptr});
    here.levels.emplace_back();
  }
  return nullptr;
}

// What the engine does behind a node (sums over broadcast sizes, adding gradients up) belongs to
// the node's module.
void leave_node(Scope& here, const Scope::Level& level) {
  const bool is_in_range = !here.levels.empty() && here.levels.back().is_node;
  here.backward = level.was_backward;
  if (is_in_range && level.was_module < 0) return;
  here.forward = level.was_forward;
  here.module = level.was_module;
}

void end(const at::RecordFunction& function, at::ObserverContext*) {
  if (forked.load(std::memory_order_relaxed)) return;
  Scope& here = scope();
  if (here.levels.empty()) return;
  const Scope::Level level = here.levels.back();
  here.levels.pop_back();
  if (level.is_node) leave_node(here, level);
  if (!level.op) return;
  if (level.is_leaf) --here.inside;
  here.top = level.was_top;
  if (here.top || level.op->is_ours || !function.needsOutputs() || is_faking()) return;
  const Values outputs(function.outputs().data(), function.outputs().size());
  for (auto& at : listeners)
    if (Listener* const listener = at.load(std::memory_order_acquire))
      listener->after(*level.op, outputs);
}

void install() {
  if (handle) at::removeCallback(handle);
  handle = 0;
  bool any = false;
  has_outputs = false;
  for (auto& at : listeners) {
    const Listener* const listener = at.load();
    any |= listener != nullptr;
    has_outputs |= listener && listener->wants_outputs;
  }
  if (!any) return;
  handle = at::addGlobalCallback(
      at::RecordFunctionCallback(start, end)
          .needsInputs(true)
          .needsOutputs(has_outputs)
          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
}

void watch_forks() {
  static std::once_flag once;
  std::call_once(once, [] { ::pthread_atfork(nullptr, nullptr, [] { forked = true; }); });
}

}  // namespace

void add_listener(Listener* listener) {
  watch_forks();
  const std::lock_guard<std::mutex> lock(listeners_mutex);
  for (auto& at : listeners) {
    if (at.load() != nullptr) continue;
    at.store(listener, std::memory_order_release);
    break;
  }
  install();
}

void remove_listener(Listener* listener) {
  if (is_forked()) return;
  const std::lock_guard<std::mutex> lock(listeners_mutex);
  for (auto& at : listeners)
    if (at.load() == listener) at.store(nullptr);
  install();
}

bool is_forked() { return forked.load(std::memory_order_relaxed); }

}  // namespace godwit::record
