// Opens both sides, feeds them the same inputs, runs them side by side and hands on what was
// judged.
#include "exec/verify.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/progress.h"
#include "diag/messages.h"
#include "exec/comparison.h"
#include "exec/feed.h"
#include "exec/open.h"
#include "exec/plan.h"
#include "exec/verify_report.h"

namespace godwit::exec {
namespace {

using ir::Datum;

/// Open dimensions of the inputs, each 1.
std::vector<std::pair<std::string, std::int64_t>> ones(const ir::Model& model) {
  std::vector<std::pair<std::string, std::int64_t>> out;
  for (const std::string& name : open_dims(model)) out.emplace_back(name, 1);
  return out;
}

Result<Fed> inputs_of(const ir::Model& model, const VerifyRequest& request) {
  FeedOptions options{.sources = request.inputs, .random = true, .seed = request.seed};
  ASSIGN(options.dims, parse_dims(model, request.dims));
  if (request.fills_dims) options.dims = ones(model);
  return feed(model, options);
}

bool has_input(const ir::Model& model, const std::string& name) {
  const std::vector<ir::ValueId>& inputs = model.main().inputs;
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](ir::ValueId value) { return model.values[value].name == name; });
}

// The inputs of another model by their names; by place goes only what has no namesake there.
std::vector<Datum> by_name(const ir::Model& from, const std::vector<Datum>& given,
                           const ir::Model& to) {
  std::vector<Datum> out;
  for (std::size_t i = 0; i < to.main().inputs.size(); ++i) {
    const std::string& name = to.values[to.main().inputs[i]].name;
    const Datum* found = nullptr;
    for (std::size_t j = 0; j < given.size(); ++j) {
      const std::string& own = from.values[from.main().inputs[j]].name;
      const bool goes_by_place = j == i && !has_input(from, name) && !has_input(to, own);
      if (own == name || goes_by_place) found = &given[j];
    }
    out.push_back(found ? *found : Datum());
  }
  return out;
}

// A plan that hands out every value; nothing where none can be made: the interpreter runs, or says
// why not.
std::optional<Plan> plan_of(const ir::Model& model, const std::vector<Datum>& inputs, Npu* npu) {
  auto plan = Plan::make(with_input_sizes(model, inputs), {.fuses = false, .npu = npu});
  return plan ? std::optional<Plan>(*std::move(plan)) : std::nullopt;
}

}  // namespace

Result<diag::Outcome> verify(const VerifyRequest& request) {
  ASSIGN(const Profile profile, resolve_profile(request.to, request.chip));
  if (!profile.chip) return fail("E170", {}, {{"found", request.to}, {"known", known_chips()}});
  ASSIGN(const ir::Model model, open_model(request.model));
  std::unique_ptr<ir::Model> other;
  if (!request.against.empty()) {
    ASSIGN(ir::Model opened, open_model(request.against));
    other = std::make_unique<ir::Model>(std::move(opened));
  }
  const ir::Model& original = other ? *other : model;
  ASSIGN(Fed inputs, inputs_of(model, request));
  AsWritten as_written;
  InDouble in_double;
  Arithmetic& reference = request.reference == "fp32" ? static_cast<Arithmetic&>(as_written)
                                                      : static_cast<Arithmetic&>(in_double);
  ASSIGN(const bool plans, is_planned(request.executor));
  auto npu = std::make_unique<Npu>(model, *profile.chip, profile.options);
  std::vector<Datum> copies = other ? by_name(model, inputs.data, original) : inputs.data;
  std::optional<Plan> plan = plans ? plan_of(model, inputs.data, npu.get()) : std::nullopt;
  // What a plan that could not be made has counted is no part of the run.
  if (!plan) npu = std::make_unique<Npu>(model, *profile.chip, profile.options);
  const bool plans_reference = plans && &reference == &as_written;
  std::optional<Plan> reference_plan =
      plans_reference ? plan_of(original, copies, nullptr) : std::nullopt;
  const std::vector<Match> matches = other ? match_by_name(original, model) : match_itself(model);
  Comparison comparison(model, *npu);
  Progress progress(diag::text("verify.progress"), matches.size());
  const Visit visit = [&](const Match& match, const Datum& left, const Datum& right) {
    progress.advance();
    return comparison.add(match, left, right);
  };
  std::vector<Spread> apart;
  if (request.spreads) {
    ASSIGN(apart, spread(model, *profile.chip, profile.options, inputs.data, request.seed));
  }
  TRY(run_side_by_side({original, reference, std::move(copies), request.seed,
                        reference_plan ? &*reference_plan : nullptr},
                       {model, *npu, std::move(inputs.data), request.seed, plan ? &*plan : nullptr},
                       matches, visit));
  return report({request, profile, model, *npu, comparison, inputs.drawn, apart});
}

}  // namespace godwit::exec
