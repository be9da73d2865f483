// device.type != 'cpu' usually means CUDA; on an NPU it is true as well, which may not be meant.
#include "base/text.h"
#include "port/literals.h"

namespace godwit::port::rules {
namespace {

void visit(const StringSite& site, World& world, Changes& changes) {
  if (site.content != "cpu" || site.landing.where != Landing::Where::kCompared) return;
  if (site.subject[site.landing.at].kind != Kind::kComparisonOperator) return;
  if (!contains(site.subject.text(site.landing.at), "!=")) return;
  if (proof_of(site, world, Meaning::kDevice)) changes.leave(site.subject, site.node, "left");
}

}  // namespace

extern const Rule not_cpu = {
    .code = "P011",
    .severity = diag::Severity::kNote,
    .strings = {"cpu"},
    .string = visit,
};

}  // namespace godwit::port::rules
