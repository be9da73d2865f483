// Every combination that the matrix allows is a candidate (a few thousand); a constraint is the set
// of candidates that satisfy it; sets that have none in common are a conflict.
#include "doctor/solve.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/text.h"

namespace godwit::doctor {
namespace {

struct Candidate {
  const facts::VersionRow* row = nullptr;
  std::string cann{}, python{};
  std::vector<std::string> kits{};
  bool is_matched = true;  // the CANN is the one that the release was made for
};

using Members = std::vector<bool>;  // one per candidate

bool allows_python(const Knowledge& knowledge, const std::string& cann, const std::string& python) {
  const auto release = Version::parse(cann);
  const auto range = Range::parse(python + ".*");
  return !release || !range ||
         std::all_of(knowledge.requirements.begin(), knowledge.requirements.end(),
                     [&](const Requirement& row) {
                       return row.component != "python" || row.subject != "cann" ||
                              !row.when.contains(*release) || row.range.overlaps(*range);
                     });
}

void add_candidates(const Knowledge& knowledge, const facts::VersionRow& row,
                    const std::string& cann, std::vector<Candidate>& into) {
  Candidate candidate{
      .row = &row, .cann = cann, .kits = knowledge.kits_of(cann), .is_matched = cann == row.cann};
  if (row.python.empty()) into.push_back(candidate);
  for (const std::string& python : row.python) {
    if (!allows_python(knowledge, cann, python)) continue;
    candidate.python = python;
    into.push_back(candidate);
  }
}

std::vector<Candidate> all_candidates(const Knowledge& knowledge) {
  std::vector<Candidate> all;
  for (const facts::VersionRow& row : knowledge.pairs) {
    add_candidates(knowledge, row, row.cann, all);
    for (const std::string& cann : row.cann_also) {
      if (cann != row.cann) add_candidates(knowledge, row, cann, all);
    }
  }
  return all;
}

// Rows that hold for a candidate, judged without an environment; of one component, or of all.
std::vector<const Requirement*> needs_of(const Knowledge& knowledge, const Candidate& candidate,
                                         std::string_view component = {}) {
  Environment planned;
  planned.cann.value = candidate.cann;
  planned.python.value = candidate.python;
  planned.packages = {{"torch", candidate.row->torch, ""},
                      {"torch_npu", candidate.row->torch_npu, ""}};
  std::vector<const Requirement*> needs;
  for (const Requirement& row : knowledge.requirements) {
    if ((component.empty() || row.component == component) && row.applies(planned))
      needs.push_back(&row);
  }
  return needs;
}

bool holds(const Range& range, const std::string& release) {
  const auto version = Version::parse(release);
  return version && range.contains(*version);
}

bool satisfies(const Knowledge& knowledge, const Constraint& constraint,
               const Candidate& candidate) {
  const Range& range = constraint.range;
  if (constraint.component == "torch") return holds(range, candidate.row->torch);
  if (constraint.component == "torch_npu") return holds(range, candidate.row->torch_npu);
  if (constraint.component == "cann") return holds(range, candidate.cann);
  if (constraint.component == "driver") return range.overlaps(drivers_for(candidate.kits));
  if (constraint.component == "python") {
    const auto minor = Range::parse(candidate.python + ".*");
    return candidate.python.empty() || (minor && range.overlaps(*minor));
  }
  const auto needs = needs_of(knowledge, candidate, constraint.component);
  return std::all_of(needs.begin(), needs.end(), [&](const Requirement* row) {
    return row->severity == diag::Severity::kNote || row->range.overlaps(range);
  });
}

struct Problem {
  std::vector<Constraint> constraints{};
  std::vector<Members> members{};  // of each constraint

  bool is_possible(const std::vector<std::size_t>& chosen, std::size_t count) const {
    for (const std::size_t a : chosen) {
      for (const std::size_t b : chosen) {
        const bool same = constraints[a].component == constraints[b].component;
        // With itself too: ">=2,<1" holds nothing.
        if (a <= b && same && !constraints[a].range.overlaps(constraints[b].range)) return false;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (std::all_of(chosen.begin(), chosen.end(), [&](std::size_t c) { return members[c][i]; }))
        return true;
    }
    return false;
  }

  void remove(std::size_t which) {
    constraints.erase(constraints.begin() + static_cast<std::ptrdiff_t>(which));
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(which));
  }
};

Problem state(const Knowledge& knowledge, const std::vector<Candidate>& candidates,
              std::vector<Constraint> constraints) {
  Problem problem{.constraints = std::move(constraints)};
  for (const Constraint& constraint : problem.constraints) {
    Members members(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i)
      members[i] = satisfies(knowledge, constraint, candidates[i]);
    problem.members.push_back(std::move(members));
  }
  return problem;
}

std::vector<std::size_t> numbers_to(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = i;
  return numbers;
}

// Extends `chosen` to every set of `size` constraints; true when one that is impossible was found.
bool find_conflict(const Problem& problem, std::size_t count, std::size_t size,
                   std::vector<std::size_t>& chosen) {
  if (chosen.size() == size) return !problem.is_possible(chosen, count);
  for (std::size_t next = chosen.empty() ? 0 : chosen.back() + 1; next < problem.constraints.size();
       ++next) {
    chosen.push_back(next);
    if (find_conflict(problem, count, size, chosen)) return true;
    chosen.pop_back();
  }
  return false;
}

// Sets of up to three are tried in order of size; a larger one is thinned out until all of it
// matters.
std::vector<std::size_t> smallest_conflict(const Problem& problem, std::size_t count) {
  for (std::size_t size = 1; size <= 3; ++size) {
    std::vector<std::size_t> chosen;
    if (find_conflict(problem, count, size, chosen)) return chosen;
  }
  std::vector<std::size_t> left = numbers_to(problem.constraints.size());
  for (std::size_t i = 0; i < left.size();) {
    std::vector<std::size_t> without = left;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    if (problem.is_possible(without, count)) {
      ++i;
    } else {
      left = std::move(without);
    }
  }
  return left;
}

// What a change costs: a driver needs root and a reboot, a package one line.
int changes_of(const Candidate& candidate, const Environment& environment) {
  const auto differs = [&](const char* name, const std::string& wanted) {
    const auto found = component(environment, name).version();
    const auto version = Version::parse(wanted);
    return found && version && *found != *version;
  };
  const auto driver = environment.driver.version();
  const auto python = environment.python.version();
  int cost = 0;
  if (driver && !drivers_for(candidate.kits).contains(*driver)) cost += 8;
  if (differs("cann", candidate.cann) && !is_same_line(environment.cann.value, candidate.cann))
    cost += 4;
  if (python && python->leading(2) != candidate.python) cost += 3;
  if (differs("torch", candidate.row->torch)) cost += 2;
  if (differs("torch_npu", candidate.row->torch_npu)) cost += 1;
  return cost;
}

// nnal exists for some Pythons only, so where all else is equal one of those is taken.
bool suits_nnal(const Knowledge& knowledge, const Candidate& candidate) {
  return std::all_of(knowledge.requirements.begin(), knowledge.requirements.end(),
                     [&](const Requirement& row) {
                       return row.subject != "nnal" || row.component != "python" ||
                              holds(row.range, candidate.python);
                     });
}

int rank_of(std::string_view status) {
  return status == "active" ? 0 : status == "maintenance" ? 1 : 2;
}

// Smaller is better; the versions are compared afterwards.
auto cost_of(const Knowledge& knowledge, const Environment& environment,
             const Candidate& candidate) {
  const int rank = rank_of(candidate.row->status);
  return std::make_tuple(rank == 2, candidate.kits.empty(), changes_of(candidate, environment),
                         rank, !candidate.is_matched, !suits_nnal(knowledge, candidate));
}

bool is_newer(const Candidate& a, const Candidate& b) {
  const auto key = [](const Candidate& c) {
    const Version none = *Version::parse("0");
    return std::make_tuple(
        Version::parse(c.cann).value_or(none), Version::parse(c.row->torch).value_or(none),
        Version::parse(c.row->torch_npu).value_or(none), Version::parse(c.python).value_or(none));
  };
  return key(a) > key(b);
}

Solution solution_of(const Knowledge& knowledge, const Environment& environment,
                     const Candidate& candidate) {
  Solution solution{.torch = candidate.row->torch,
                    .torch_npu = candidate.row->torch_npu,
                    .cann = candidate.cann,
                    .python = candidate.python,
                    .status = candidate.row->status,
                    .needs = needs_of(knowledge, candidate)};
  const auto driver = environment.driver.version();
  solution.driver_is_known = !candidate.kits.empty();
  solution.keeps_driver = driver && drivers_for(candidate.kits).contains(*driver);
  if (solution.keeps_driver) {
    solution.driver = environment.driver.value;
  } else if (solution.driver_is_known) {
    solution.driver = candidate.kits.front();
  }
  if (is_same_line(environment.cann.value, candidate.cann) &&
      Version::parse(environment.cann.value) > Version::parse(candidate.cann)) {
    solution.cann = environment.cann.value;
  }
  return solution;
}

std::optional<Solution> best_of(const Knowledge& knowledge, const Environment& environment,
                                const std::vector<Candidate>& candidates, const Problem& problem) {
  const Candidate* best = nullptr;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool fits = std::all_of(problem.members.begin(), problem.members.end(),
                                  [&](const Members& members) { return members[i]; });
    if (!fits) continue;
    if (!best) {
      best = &candidates[i];
      continue;
    }
    const auto mine = cost_of(knowledge, environment, candidates[i]);
    const auto least = cost_of(knowledge, environment, *best);
    if (mine < least || (mine == least && is_newer(candidates[i], *best))) best = &candidates[i];
  }
  if (!best) return std::nullopt;
  return solution_of(knowledge, environment, *best);
}

// Python is given up before the driver, both before what files ask for.
int firmness(const Constraint& constraint) {
  if (constraint.origin == Origin::kInstalled) return constraint.component == "python" ? 0 : 1;
  return constraint.origin == Origin::kPin ? 2 : 3;
}

}  // namespace

std::string Constraint::where() const {
  if (!source.empty()) return source;
  return place.line == 0 ? place.file : format("{}:{}", place.file, place.line);
}

std::string Constraint::text() const {
  const std::string origin_text = where();
  return origin_text.empty() ? format("{} {}", component, range.text())
                             : format("{} {} ({})", component, range.text(), origin_text);
}

std::vector<Want> Solution::wants() const {
  std::vector<Want> all;
  const auto ask = [&](const std::string& name, const Range& range) -> Want& {
    auto want = std::find_if(all.begin(), all.end(),
                             [&](const Want& each) { return each.component == name; });
    if (want == all.end()) want = all.insert(all.end(), Want{.component = name});
    if (!range.is_any()) want->asked.push_back(range.text());
    if (want->range) want->range = want->range->joined(range);
    return *want;
  };
  for (const Requirement* const row : needs) {
    if (row->severity == diag::Severity::kNote || is_solved(row->component)) continue;
    Want& want = ask(row->component, row->range);
    want.is_required = want.is_required || row->is_required;
  }
  for (const Constraint& pin : kept) {
    if (!is_solved(pin.component)) ask(pin.component, pin.range).is_pinned = true;
  }
  return all;
}

std::vector<Constraint> constraints_of(const Knowledge& knowledge, const Environment& environment,
                                       const std::vector<Pin>& pins,
                                       const std::vector<Pin>& requirements) {
  std::vector<Constraint> all;
  for (const auto& [name, found] :
       {std::pair{"python", &environment.python}, std::pair{"driver", &environment.driver}}) {
    const auto version = found->version();
    auto range = version ? Range::parse("==" + version->text()) : std::nullopt;
    if (range) all.push_back({name, *std::move(range), Origin::kInstalled, {}, found->source});
  }
  const auto add = [&](const std::vector<Pin>& from, Origin origin) {
    for (const Pin& pin : from) {
      if (!knowledge.knows(pin.name) || (pin.range.is_any() && is_solved(pin.name))) continue;
      all.push_back({pin.name, pin.range, origin, pin.place, ""});
    }
  };
  add(pins, Origin::kPin);
  add(requirements, Origin::kRequirement);
  return all;
}

Plan solve(const Knowledge& knowledge, const Environment& environment,
           std::vector<Constraint> constraints) {
  const std::vector<Candidate> candidates = all_candidates(knowledge);
  Problem problem = state(knowledge, candidates, std::move(constraints));
  Plan plan;
  while (!problem.is_possible(numbers_to(problem.constraints.size()), candidates.size())) {
    const std::vector<std::size_t> conflict = smallest_conflict(problem, candidates.size());
    if (conflict.empty()) return plan;  // no candidates at all: an empty matrix
    if (plan.conflict.empty()) {
      for (const std::size_t i : conflict) plan.conflict.push_back(problem.constraints[i]);
    }
    const std::size_t loser =
        *std::min_element(conflict.begin(), conflict.end(), [&](std::size_t a, std::size_t b) {
          return firmness(problem.constraints[a]) < firmness(problem.constraints[b]);
        });
    plan.given_up.push_back(problem.constraints[loser]);
    problem.remove(loser);
  }
  plan.solution = best_of(knowledge, environment, candidates, problem);
  plan.kept = problem.constraints;
  if (plan.solution) plan.solution->kept = plan.kept;
  if (!plan.solution || plan.solution->status != "eol") return plan;
  for (std::size_t i = problem.constraints.size(); i-- > 0;) {
    if (problem.constraints[i].origin == Origin::kInstalled) problem.remove(i);
  }
  plan.with_upgrade = best_of(knowledge, environment, candidates, problem);
  if (plan.with_upgrade) plan.with_upgrade->kept = problem.constraints;
  if (plan.with_upgrade && plan.with_upgrade->status == "eol") plan.with_upgrade.reset();
  return plan;
}

}  // namespace godwit::doctor
