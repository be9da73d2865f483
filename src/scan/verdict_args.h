// Findings about verdicts: the deciding overloads as arguments, the evidence as properties.
#pragma once

#include <vector>

#include "scan/rule.h"

namespace godwit::scan {

/// True when each offender has ready kernels: turning jit_compile off is the remedy.
bool runs_with_jit_off(const facts::EagerVerdict& verdict);
/// Every offending overload serves the gradient alone.
bool only_gradient(const facts::EagerVerdict& verdict);

/// At the first place of the API, standing for all; {operators} names the overloads that decide.
diag::Finding make_verdict(const Rule& rule, const Scene& scene, const Api& api,
                           std::string_view variant);

/// The same at every place.
void add_verdict(const Rule& rule, const Scene& scene, const Api& api, std::string_view variant,
                 Findings& out);

/// For the `judge` of rules on one verdict. At every place; where turning jit_compile off is the
/// remedy, the variant "jit" says so.
void judge_every_place(const Rule& rule, const Scene& scene, const Api& api, Findings& out);
/// Once for all places; the variant "gradient" where forward work is not concerned.
void judge_once(const Rule& rule, const Scene& scene, const Api& api, Findings& out);

/// One finding for all judged APIs with one of these verdicts: {count}, {places} and {names}.
void add_summary(const Rule& rule, const Scene& scene, const std::vector<facts::Verdict>& verdicts,
                 Findings& out);

/// {verdict, layers, evidence: [{layer, table, subject, says, source, at}], offenders, conflict}
Json to_properties(const facts::EagerVerdict& verdict);

}  // namespace godwit::scan
