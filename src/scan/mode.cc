// Signs of training, strongest first.
#include "scan/mode.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "diag/messages.h"
#include "scan/api_pattern.h"

namespace godwit::scan {
namespace {

struct Sign {
  std::string_view pattern;  // exact, or a prefix when it ends in '*'
  std::string_view why;
};

// A lone optimizer or scaler may be library code, but a project that only infers has none.
constexpr std::array<Sign, 14> kSigns = {{
    {".backward", "scan.mode_backward"},
    {"torch.Tensor.backward", "scan.mode_backward"},
    {"torch.autograd.backward", "scan.mode_backward"},
    {"accelerate.Accelerator.backward", "scan.mode_backward"},
    {"transformers.Trainer", "scan.mode_framework"},
    {"transformers.Seq2SeqTrainer", "scan.mode_framework"},
    {"trl.*", "scan.mode_framework"},
    {"pytorch_lightning.Trainer", "scan.mode_framework"},
    {"lightning.Trainer", "scan.mode_framework"},
    {"lightning.pytorch.Trainer", "scan.mode_framework"},
    {"deepspeed.initialize", "scan.mode_framework"},
    {"torch.cuda.amp.GradScaler", "scan.mode_optimizer"},
    {"torch.amp.GradScaler", "scan.mode_optimizer"},
    {"torch.optim.*", "scan.mode_optimizer"},
}};

// torch.optim.Optimizer and lr_scheduler are named by annotations too; only calls, and classes
// derived from a trainer, count.
const project::Use* first_use(const project::Module& module, std::string_view pattern) {
  const auto names = module.names();
  const bool possible = std::any_of(names.begin(), names.end(),
                                    [&](std::string_view name) { return fits(name, pattern); });
  if (!possible) return nullptr;
  for (const project::Use& use : module.uses()) {
    const bool counts = use.call != syntax::kNoNode || use.kind == project::UseKind::kBase;
    if (counts && fits(module.name(use.name), pattern)) return &use;
  }
  return nullptr;
}

}  // namespace

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::kInference: return "inference";
    case Mode::kTraining: return "training";
    case Mode::kAuto: break;
  }
  return "auto";
}

Result<Mode> parse_mode(std::string_view text) {
  if (text.empty() || text == "auto") return Mode::kAuto;
  if (text == "inference") return Mode::kInference;
  if (text == "training") return Mode::kTraining;
  return fail("E051", {}, {{"found", std::string(text)}});
}

std::string Decision::reason() const { return diag::text(why, args); }

Decision decide_mode(const project::Project& project, Mode asked) {
  if (asked != Mode::kAuto) return {asked == Mode::kTraining, "scan.mode_asked", {}};
  for (const Sign& sign : kSigns) {
    for (const project::Module& module : project.modules) {
      const project::Use* const use = first_use(module, sign.pattern);
      if (use == nullptr) continue;
      const Place place = module.place(use->node);
      return {true,
              std::string(sign.why),
              {{"sign", std::string(module.tree().text(use->node))},
               {"place", format("{}:{}", place.file, place.line)}}};
    }
  }
  return {false, "scan.mode_none", {}};
}

}  // namespace godwit::scan
