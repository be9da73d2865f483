// Looks torch.cuda names up in the tables of facts; a name that is not there has no counterpart.
#include "port/names.h"

#include "facts/symbols.h"

namespace godwit::port {
namespace {

constexpr std::string_view kCuda = "torch.cuda";

Result<Counterpart> look_up(std::string_view cuda, const std::string& release) {
  if (cuda == kCuda) return Counterpart{.exists = true, .is_known = true, .npu = "torch.npu"};
  ASSIGN(const auto rename, facts::find_rename(cuda));
  Counterpart made;
  made.npu = rename ? rename->npu : "torch.npu" + std::string(cuda.substr(kCuda.size()));
  const std::string symbol = rename ? rename->symbol : made.npu;
  ASSIGN(const auto known, facts::find_symbol(symbol));
  ASSIGN(made.exists, facts::has_symbol(symbol, release));
  made.is_known = known.has_value();
  if (!made.is_known) made.npu.clear();
  if (!rename) return made;
  made.differs = rename->renaming == facts::Renaming::kDiffers;
  made.note = rename->note;
  return made;
}

}  // namespace

bool Names::has(std::string_view symbol) const {
  const auto found = facts::has_symbol(symbol, release_);
  return found && *found;
}

Result<const Counterpart*> Names::find(std::string_view cuda) const {
  const std::lock_guard lock(guard_);
  const auto found = known_.find(std::string(cuda));
  if (found != known_.end()) return &found->second;
  ASSIGN(Counterpart made, look_up(cuda, release_));
  return &known_.emplace(std::string(cuda), std::move(made)).first->second;
}

}  // namespace godwit::port
