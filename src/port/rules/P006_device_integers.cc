// A bare number as a device means CUDA: .to(0) and torch.device(0) become "npu:0".
#include "port/cards.h"
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

constexpr std::string_view kRanks[] = {"rank",      "local_rank", "gpu",   "gpu_id",
                                       "device_id", "gpus",       "dev_id"};

bool is_rank(std::string_view expression) {
  const std::string_view name = expression.substr(expression.rfind('.') + 1);
  for (const std::string_view known : kRanks) {
    if (name == known) return true;
  }
  return false;
}

void visit(const UseSite& site, World& world, Changes& changes) {
  if (site.use.call == kNoNode) return;
  const bool is_method = site.name.ends_with(".to");
  if (!is_method && site.name != "torch.device") return;
  const Subject& subject = site.subject;
  const NodeIndex value = subject.module().argument(site.use.call, "device", 0);
  if (value == kNoNode) return;
  const std::string text(subject.text(value));
  const bool is_literal = subject[value].kind == Kind::kInteger;
  // With several cards the number is the business of P070: one that became a text would hide it.
  const bool is_number = is_literal || (!world.cards.is_asked() &&
                                        subject.module().type_of(value) == project::Type::kInteger);
  if (!is_number) {
    if (is_rank(text)) changes.leave(subject, value, "rank", {{"text", text}});
    return;
  }
  const auto proof = is_method ? proof_of_method(site, world, "to") : std::optional(Proof::kImport);
  if (!proof) return changes.leave(subject, value, "unproven", {{"text", text}});
  if (is_portable(world)) changes.with(Helper::kDevice);
  const std::string made = numbered_device(subject, world, text, is_literal);
  if (is_literal) return changes.replace(subject, value, made, *proof);
  // Around the number, so that an edit inside of it stands: .to(torch.cuda.current_device()).
  const std::size_t at = made.rfind(text);
  const std::uint32_t begin = subject[value].begin, end = subject[value].end;
  changes.replace(subject, begin, begin, made.substr(0, at), Proof::kType);
  changes.replace(subject, end, end, made.substr(at + text.size()), Proof::kType);
}

}  // namespace

extern const Rule device_integers = {
    .code = "P006",
    .severity = diag::Severity::kError,
    .names = {".to", "torch.device"},
    .use = visit,
};

}  // namespace godwit::port::rules
