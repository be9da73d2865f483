// Runs a model for a person: figures of the outputs, and what the chip's numerics cut off.
#include "exec/session.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/progress.h"
#include "base/text.h"
#include "diag/messages.h"
#include "exec/dump.h"
#include "exec/feed.h"
#include "exec/figures.h"
#include "exec/interpreter.h"
#include "exec/open.h"
#include "exec/plan.h"
#include "facts/soc.h"
#include "formats/npy/npy.h"

namespace godwit::exec {
namespace {

using diag::text;
using ir::Datum;

constexpr std::size_t kMostRowsRead = 20;  // of a table that a person reads

/// Values that the chip could not keep, in the order in which they are made.
std::vector<ir::ValueId> cut_values(const ir::Model& model, const Npu* npu) {
  std::vector<ir::ValueId> out;
  for (ir::ValueId value = 0; npu && value < model.values.size(); ++value) {
    const kernels::Losses& lost = npu->effect(value).losses;
    if (lost.overflows + lost.nans > 0) out.push_back(value);
  }
  return out;
}

Json losses_json(const ir::Model& model, const Npu& npu, ir::ValueId value) {
  Json out = Json::object();
  out.set("value", to_valid_utf8(model.values[value].name));
  out.set("overflows", npu.effect(value).losses.overflows);
  out.set("nans", npu.effect(value).losses.nans);
  return out;
}

class Reporter {
 public:
  Reporter(const ir::Model& model, const Npu* npu) : model_(model), npu_(npu) {}

  diag::Outcome outcome(const Profile& profile, const std::vector<Datum>& outputs) {
    diag::Outcome out{.command = "run"};
    const std::size_t nodes = model_.main().nodes.size();
    out.summary.set("profile", profile.name);
    out.summary.set("nodes", nodes);
    out.sections.push_back({.title = text("run.ran_title"),
                            .lines = {text("run.ran_line", {{"nodes", with_thousands(nodes)},
                                                            {"profile", profile.name}})}});
    add_outputs(outputs, out);
    if (npu_) add_cut(out);
    return out;
  }

 private:
  void add_outputs(const std::vector<Datum>& outputs, diag::Outcome& out) const {
    diag::Section section{
        .title = text("run.outputs_title"),
        .columns = {text("run.output_name"), text("run.output_type"), text("run.output_range"),
                    text("run.output_mean"), text("run.output_bad")}};
    Json all = Json::array();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::string name = to_valid_utf8(model_.values[model_.main().outputs[i]].name);
      Json one = Json::object();
      one.set("name", name);
      std::vector<std::string> row = {name, "-", "-", "-", "-"};
      if (outputs[i].is_tensor()) describe(outputs[i].tensor, row, one);
      section.rows.push_back(std::move(row));
      all.add(std::move(one));
    }
    out.summary.set("outputs", std::move(all));
    out.sections.push_back(std::move(section));
  }

  static void describe(const ir::Tensor& tensor, std::vector<std::string>& row, Json& one) {
    row[1] = format("{}{}", ir::name(tensor.type()), ir::to_string(tensor.dims()));
    one.set("type", ir::name(tensor.type()));
    Json dims = Json::array();
    for (const std::int64_t dim : tensor.dims()) dims.add(dim);
    one.set("dims", std::move(dims));
    const Figures seen = figures(tensor);
    if (!seen.has_numbers) return;
    row[2] = format("{:.6g} … {:.6g}", seen.least, seen.most);
    row[3] = format("{:.6g}", seen.mean);
    row[4] = with_thousands(seen.not_finite);
    one.set("min", seen.least);
    one.set("max", seen.most);
    one.set("mean", seen.mean);
    one.set("not_finite", seen.not_finite);
  }

  void add_cut(diag::Outcome& out) const {
    const std::vector<ir::ValueId> cut = cut_values(model_, npu_);
    Json all = Json::array();
    diag::Section section{
        .title = text("run.cut_title"),
        .columns = {text("run.output_name"), text("run.cut_overflows"), text("run.cut_nans")}};
    for (const ir::ValueId value : cut) {
      all.add(losses_json(model_, *npu_, value));
      if (section.rows.size() == kMostRowsRead) continue;
      const kernels::Losses& lost = npu_->effect(value).losses;
      section.rows.push_back({to_valid_utf8(model_.values[value].name),
                              with_thousands(lost.overflows), with_thousands(lost.nans)});
    }
    if (cut.size() > kMostRowsRead)
      section.lines = {
          text("run.cut_more", {{"count", with_thousands(cut.size() - kMostRowsRead)}})};
    out.summary.set("cut", std::move(all));
    if (!cut.empty()) out.sections.push_back(std::move(section));
  }

  const ir::Model& model_;
  const Npu* npu_;
};

Status write_outputs(const ir::Model& model, const std::vector<Datum>& outputs,
                     const std::string& path) {
  std::vector<formats::npy::Named> arrays;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string name = to_valid_utf8(model.values[model.main().outputs[i]].name);
    if (!outputs[i].is_tensor()) return fail("E183", {}, {{"found", name}});
    arrays.emplace_back(name, outputs[i].tensor);
  }
  return formats::npy::write_npz(path, arrays);
}

template <class T>
struct Word {
  std::string_view word;
  T meaning;
};

constexpr Word<bool> kExecutors[] = {{"plan", true}, {"reference", false}};
constexpr Word<bool> kPrecisionModes[] = {{"force_fp16", false}, {"must_keep_origin_dtype", true}};
constexpr Word<Stores> kStores[] = {{"unfused", Stores::kUnfused}, {"fused", Stores::kFused}};
constexpr Word<std::optional<kernels::Order>> kOrders[] = {
    {"cube16", kernels::Order::kCube16},
    {"sequential", kernels::Order::kSequential},
    {"exact", kernels::Order::kExact},
    {"fast", std::nullopt}};

// An empty word leaves what the chip does.
template <class T, std::size_t N>
Status choose(T& option, const std::string& word, const Word<T> (&words)[N]) {
  if (word.empty()) return {};
  std::vector<std::string> known;
  for (const Word<T>& row : words) {
    if (row.word == word) {
      option = row.meaning;
      return {};
    }
    known.emplace_back(row.word);
  }
  return fail("E170", {}, {{"found", to_valid_utf8(word)}, {"known", join(known, ", ")}});
}

Status choose(NpuOptions& options, const ChipWords& words) {
  TRY(choose(options.keeps_fp32, words.precision_mode, kPrecisionModes));
  TRY(choose(options.stores, words.stores, kStores));
  return choose(options.order, words.order, kOrders);
}

}  // namespace

Result<Profile> resolve_profile(const std::string& name, const ChipWords& words) {
  Profile out{.name = name};
  if (name == "fp32" || name == "fp64") return out;
  ASSIGN(const facts::Target target, facts::resolve_target(name));
  ASSIGN(out.chip, facts::numerics(target.soc.family));
  out.name = target.soc.family;
  out.options = default_options(*out.chip);
  TRY(choose(out.options, words));
  return out;
}

std::string known_chips() {
  const auto families = facts::numerics_families();
  return families ? join(*families, ", ") : std::string();
}

Result<bool> is_planned(const std::string& executor) {
  bool out = true;
  TRY(choose(out, executor, kExecutors));
  return out;
}

namespace {

/// A run by one executor or the other, with the chip's account of it.
struct Ran {
  std::unique_ptr<Npu> npu{};
  std::vector<Datum> outputs{};
};

std::unique_ptr<Npu> npu_of(const ir::Model& model, const Profile& profile) {
  return profile.chip ? std::make_unique<Npu>(model, *profile.chip, profile.options) : nullptr;
}

// Nothing: the model cannot be planned, and the interpreter says why it cannot run either.
Result<std::optional<Ran>> run_planned(const ir::Model& model, const Profile& profile,
                                       const std::vector<Datum>& inputs, std::uint64_t seed,
                                       const Tap& tap) {
  Ran out{.npu = npu_of(model, profile)};
  auto plan = Plan::make(with_input_sizes(model, inputs), {.fuses = !tap, .npu = out.npu.get()});
  if (!plan) return std::nullopt;
  ASSIGN(out.outputs, plan->run(inputs, tap, seed));
  return std::optional(std::move(out));
}

Result<Ran> run_by_interpreter(const ir::Model& model, const Profile& profile,
                               std::vector<Datum> inputs, std::uint64_t seed, const Tap& tap) {
  Ran out{.npu = npu_of(model, profile)};
  ASSIGN(out.outputs,
         run(model, std::move(inputs),
             {.precision = profile.name == "fp64" ? Precision::kDouble : Precision::kAsWritten,
              .arithmetic = out.npu.get(),
              .tap = tap,
              .seed = seed}));
  return out;
}

}  // namespace

Result<diag::Outcome> run(const RunRequest& request) {
  ASSIGN(const bool plans, is_planned(request.executor));
  ASSIGN(const Profile profile, resolve_profile(request.profile, request.chip));
  ASSIGN(const ir::Model model, open_model(request.model));
  FeedOptions feed_options{
      .sources = request.inputs, .random = request.random, .seed = request.seed};
  ASSIGN(feed_options.dims, parse_dims(model, request.dims));
  ASSIGN(Fed inputs, feed(model, feed_options));
  std::optional<Dump> dump;
  if (!request.dump.empty()) dump.emplace(model, request.dump);
  Progress progress(text("run.progress"), model.main().nodes.size());
  const Tap tap = [&](ir::ValueId value, const Datum& datum) -> Status {
    if (model.values[value].output == 0 && model.values[value].producer != ir::kNone)
      progress.advance();
    return dump ? dump->add(value, datum) : Status();
  };
  std::optional<Ran> ran;
  if (plans && profile.name != "fp64") {
    ASSIGN(ran, run_planned(model, profile, inputs.data, request.seed, dump ? tap : nullptr));
  }
  if (!ran) {
    ASSIGN(ran, run_by_interpreter(model, profile, std::move(inputs.data), request.seed, tap));
  }
  if (dump) TRY(dump->finish());
  if (!request.outputs.empty()) TRY(write_outputs(model, ran->outputs, request.outputs));
  return Reporter(model, ran->npu.get()).outcome(profile, ran->outputs);
}

}  // namespace godwit::exec
