// Verdicts of the profile for the calls of the device: an error, a fallback that is counted, or
// nothing to say.
#include "support.h"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>

#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/function.h>
#include <torch/library.h>

#include "device.h"
#include "module.h"
#include "support_table.h"

namespace godwit {

thread_local int inside_of_one = 0;

namespace {

using c10::ScalarType;
using Strings = std::vector<std::string>;

enum class Missing : uint8_t { kError, kFallback, kWarn };

// What the profile says of the chip; written before the first call.
struct Chip {
  bool known = false;
  std::string name;
  Missing missing = Missing::kError;
  bool has_bf16 = true, has_fp64 = true, has_complex_with_jit = true, fp32_may_be_fp16 = false;
  bool fallback_is_forbidden = false;
  std::unordered_map<std::string, Row> rows;
};

Chip& chip() {
  static auto* const one = new Chip;
  return *one;
}

std::atomic<bool> jit{true};
std::atomic<bool> said_double{false};

// What follows for an operator in a type.
enum class Outcome : uint8_t {
  kRuns,
  kUndocumented,
  kAicpu,
  kUnknown,
  kPartial,
  kFallback,
  kBlocked,
  kType,
  kBf16
};

const Kernel* kernel_of(const Operator& op, bool jit_on) {
  const auto found = chip().rows.find(op.name);
  if (found == chip().rows.end()) return nullptr;
  return jit_on ? &found->second.on : &found->second.off;
}

bool is_value(ScalarType type) { return c10::isFloatingType(type) || c10::isComplexType(type); }

// Operators that are compiled on line take fp32 as fp16 and the other way round where only one has
// a kernel.
bool is_taken(const Kernel& kernel, ScalarType type, bool jit_on) {
  if (kernel.types == 0 || !is_value(type) || has_type(kernel.types, type)) return true;
  if (type == ScalarType::Double) return true;  // on the AI CPU
  if (!jit_on || !chip().fp32_may_be_fp16) return false;
  return (type == ScalarType::Float && has_type(kernel.types, ScalarType::Half)) ||
         (type == ScalarType::Half && has_type(kernel.types, ScalarType::Float));
}

Outcome outcome_of(const Operator& op, ScalarType type, bool jit_on) {
  if (!chip().known) return Outcome::kRuns;
  const Kernel* const kernel = kernel_of(op, jit_on);
  if (kernel && kernel->support == Support::kFramework) return Outcome::kRuns;
  if (type == ScalarType::BFloat16 && !chip().has_bf16) return Outcome::kBf16;
  if (!kernel) return Outcome::kUnknown;
  switch (kernel->support) {
    case Support::kBlocked: return Outcome::kBlocked;
    case Support::kCpuFallback: return Outcome::kFallback;
    case Support::kUnknown: return Outcome::kUnknown;
    default: break;
  }
  if (!is_taken(*kernel, type, jit_on)) return Outcome::kType;
  if (kernel->support == Support::kAicpu || (type == ScalarType::Double && !chip().has_fp64))
    return Outcome::kAicpu;
  if (kernel->support == Support::kPartial) return Outcome::kPartial;
  return kernel->support == Support::kUndocumented ? Outcome::kUndocumented : Outcome::kRuns;
}

bool is_refusal(Outcome outcome) {
  return outcome == Outcome::kBlocked || outcome == Outcome::kType || outcome == Outcome::kBf16;
}

std::string place_of_call(const torch::autograd::Node* node) {
  const std::string path = module_path();
  return path.empty() && node ? node->name() : path;
}

const char* mode_name(bool on) { return on ? "True" : "False"; }

std::string describe(const Operator& op, ScalarType type, Outcome outcome) {
  const bool jit_on = jit;
  const auto node = torch::autograd::get_current_node();
  const std::string types = type == ScalarType::Undefined ? "-" : toString(type);
  const Places places = {
      {"operator", op.name}, {"chip", chip().name}, {"types", types}, {"jit", mode_name(jit_on)}};
  std::string key = node ? "no_kernel_backward" : "no_kernel";
  if (outcome == Outcome::kType) key = "no_type";
  if (outcome == Outcome::kBf16) key = "no_bf16";
  std::string text = say(key, places);
  const Kernel* const kernel = kernel_of(op, jit_on);
  const auto add = [&text](const std::string& line) { text += "\n  " + line; };
  if (const std::string at = place_of_call(node.get()); !at.empty())
    add(say("at_module", {{"module", at}}));
  if (outcome == Outcome::kType) add(say("known_types", {{"known", kernel->types_text}}));
  if (outcome == Outcome::kBlocked && !kernel->missing.empty())
    add(say("missing", {{"missing", kernel->missing}}));
  if (outcome != Outcome::kBf16 && !is_refusal(outcome_of(op, type, !jit_on)))
    add(say("other_mode", {{"jit", mode_name(!jit_on)}}));
  const std::string code = outcome == Outcome::kBlocked ? (node ? "S202" : "S201") : "S203";
  add(say("remedy", {{"code", code}}));
  return text;
}

// Once per operator and type until the mode changes.
void speak(const Operator& op, ScalarType type, Outcome outcome) {
  if (outcome == Outcome::kFallback) {
    TORCH_CHECK(!chip().fallback_is_forbidden, say("fallback_disabled", {{"operator", op.name}}));
    TORCH_WARN(say("fallback", {{"operator", op.name}}));
  } else if (is_refusal(outcome)) {
    TORCH_CHECK(chip().missing != Missing::kError, describe(op, type, outcome));
    if (chip().missing == Missing::kWarn) TORCH_WARN(describe(op, type, outcome));
  }
}

// Operators of the stand-in that torch does not know: no schema, but calls and a verdict.
struct Named {
  std::mutex mutex;
  std::unordered_map<std::string, std::unique_ptr<Operator>> all;
};

Named& named() {
  static auto* const kept = new Named;
  return *kept;
}

const Operator& named_operator(const std::string& name) {
  const std::lock_guard<std::mutex> lock(named().mutex);
  auto& entry = named().all[name];
  if (!entry) {
    entry = std::make_unique<Operator>();
    entry->name = name;
  }
  return *entry;
}

bool is_complex(ScalarType type) { return c10::isComplexType(type); }

}  // namespace

void decide_support(const Operator& op, ScalarType type) {
  const auto at = static_cast<size_t>(type);
  speak(op, type, outcome_of(op, type, jit));
  op.verdicts[at].store(Verdict::kRuns, std::memory_order_relaxed);
}

void check_creation(ScalarType type) {
  if (C10_LIKELY(!is_complex(type)) || chip().has_complex_with_jit || !jit || inside_of_one > 0)
    return;
  TORCH_CHECK(chip().missing != Missing::kError, say("no_complex", {{"chip", chip().name}}));
}

// By the name that the chip's own error has; a cast is a matter of types, which no row of its
// operator says.
void check_cast(ScalarType from, ScalarType to) {
  if (C10_LIKELY(from == to) || chip().has_bf16) return;
  if (from == ScalarType::BFloat16 || to == ScalarType::BFloat16)
    check_support(named_operator("aclnnCast"), ScalarType::BFloat16);
}

ScalarType type_of_cast(ScalarType type) {
  if (C10_LIKELY(type != ScalarType::Double) || chip().has_fp64 || inside_of_one > 0) return type;
  if (!said_double.exchange(true)) TORCH_WARN(say("double_is_float", {{"chip", chip().name}}));
  return ScalarType::Float;
}

namespace {

std::vector<const Operator*> all_operators() {
  std::vector<const Operator*> all = seen_operators();
  const std::lock_guard<std::mutex> lock(named().mutex);
  for (const auto& entry : named().all) all.push_back(entry.second.get());
  return all;
}

void set_jit(bool on) {
  if (jit.exchange(on) == on) return;
  for (const Operator* op : all_operators())
    for (auto& verdict : op->verdicts) verdict = Verdict::kNotAsked;
}

// abilities: "bf16", "fp64", "complex", "fp32_as_fp16"; a value that is not known limits nothing.
void set_support(const std::string& name, const Strings& rows, const std::string& missing,
                 const c10::Dict<std::string, std::string>& abilities) {
  const auto is = [&](const char* ability, const char* value) {
    const auto found = abilities.find(ability);
    return found != abilities.end() && found->value() == value;
  };
  Chip& one = chip();
  one.name = name;
  one.missing = missing == "fallback" ? Missing::kFallback
                : missing == "warn"   ? Missing::kWarn
                                      : Missing::kError;
  one.has_bf16 = !is("bf16", "no");
  one.has_fp64 = !is("fp64", "no");
  one.has_complex_with_jit = !is("complex", "jit_off_only");
  one.fp32_may_be_fp16 = is("precision_mode", "allow_fp32_to_fp16");
  const char* const forbidden = std::getenv("TORCH_NPU_FALLBACK_CPU_DISABLE");
  one.fallback_is_forbidden = forbidden && std::string(forbidden) == "1";
  one.rows.clear();
  for (const std::string& line : rows) one.rows.insert(read_row(line));
  one.known = true;
}

const char* word_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kRuns: return "";
    case Outcome::kUndocumented: return "undocumented";
    case Outcome::kAicpu: return "aicpu";
    case Outcome::kUnknown: return "unknown";
    case Outcome::kPartial: return "partial";
    case Outcome::kFallback: return "fallback";
    case Outcome::kBlocked: return "blocked";
    default: return "type";
  }
}

// Operator, type ("float32", empty: none), calls, and what there is to say; one entry per operator
// and type.
std::tuple<Strings, Strings, std::vector<int64_t>, Strings> support_calls() {
  Strings names, types, words;
  std::vector<int64_t> counts;
  for (const Operator* op : all_operators()) {
    for (size_t i = 0; i < kTypes; ++i) {
      const int64_t count = op->calls[i].load(std::memory_order_relaxed);
      if (count == 0) continue;
      const auto type = static_cast<ScalarType>(i);
      names.push_back(op->name);
      types.push_back(type == ScalarType::Undefined ? "" : toString(type));
      counts.push_back(count);
      words.emplace_back(word_of(outcome_of(*op, type, jit)));
    }
  }
  return {names, types, counts, words};
}

void forget_calls() {
  for (const Operator* op : all_operators()) {
    for (auto& calls : op->calls) calls = 0;
    for (auto& verdict : op->verdicts) verdict = Verdict::kNotAsked;
  }
}

}  // namespace
}  // namespace godwit

TORCH_LIBRARY_FRAGMENT(godwit, m) {
  m.def("set_support(str chip, str[] rows, str missing, Dict(str, str) abilities) -> ()",
        godwit::set_support);
  m.def("set_texts(str[] keys, str[] texts) -> ()",
        [](const godwit::Strings& keys, const godwit::Strings& texts) {
          godwit::set_texts(keys, texts);
        });
  m.def("say(str key, Dict(str, str) places) -> str",
        [](const std::string& key, const c10::Dict<std::string, std::string>& given) {
          godwit::Places places;
          for (const auto& each : given) places.emplace_back(each.key(), each.value());
          return godwit::say(key, places);
        });
  m.def("set_jit_compile(bool on) -> ()", [](bool on) { godwit::set_jit(on); });
  m.def("jit_compile() -> bool", []() { return godwit::jit.load(); });
  m.def("support_calls() -> (str[], str[], int[], str[])", godwit::support_calls);
  m.def("forget_calls() -> ()", godwit::forget_calls);
  m.def("enter_one(str name, ScalarType? type) -> ()", [](const std::string& name,
                                                          c10::optional<at::ScalarType> type) {
    godwit::check_support(godwit::named_operator(name), type.value_or(at::ScalarType::Undefined));
    ++godwit::inside_of_one;
  });
  m.def("enter_quiet() -> ()", []() { ++godwit::inside_of_one; });
  m.def("leave_one() -> ()", []() { --godwit::inside_of_one; });
}
