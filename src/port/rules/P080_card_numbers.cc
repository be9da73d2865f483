// A fixed first card becomes the card of the process: "cuda:0" is "npu", which set_device chooses.
#include "port/cards.h"
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

void visit(const StringSite& site, World& world, Changes& changes) {
  if (!is_card_of_process(site, world) || is_portable(world)) return;  // else rename_word()
  const auto proof = proof_of(site, world, Meaning::kDevice);
  if (!proof) return;
  changes.replace(site.subject, site.begin + 4, site.begin + 6, "", *proof);
}

}  // namespace

extern const Rule card_numbers = {
    .code = "P080",
    .severity = diag::Severity::kWarning,
    .strings = {"cuda"},
    .string = visit,
};

}  // namespace godwit::port::rules
