// Double precision and complex numbers: the NPU computes neither as a GPU does. What becomes of
// them is a decision, which --float64 records; without it the places are said.
#include "base/text.h"
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

bool is_complex(std::string_view name) {
  return contains(name, "complex") || name.ends_with(".cfloat") || name.ends_with(".cdouble") ||
         name.starts_with("torch.fft.") || name.ends_with("stft") || name == "torch.polar";
}

// The name in single precision; empty when there is none to put in its place.
std::string_view single(std::string_view last) {
  if (last == "float64") return "float32";
  if (last == "double") return "float";
  if (last == "DoubleTensor") return "FloatTensor";
  return {};
}

// x.cpu().double(): the host has it.
bool is_on_host(const Subject& subject, NodeIndex use) {
  const NodeIndex object = subject.tree().child(use, Field::kObject);
  if (object == kNoNode) return false;
  const std::string_view text = subject.text(object);
  return text.ends_with(".cpu()") || text.ends_with(".numpy()") || contains(text, "from_numpy");
}

// np.float64 on the way to torch and back stays on the host.
void visit(const UseSite& site, World& world, Changes& changes) {
  const Subject& subject = site.subject;
  const bool is_method = site.name == ".double" || site.name == "torch.Tensor.double" ||
                         site.name == "torch.nn.Module.double";
  if (!is_method && !site.name.starts_with("torch.")) return;
  if (is_method && (site.use.call == kNoNode || is_on_host(subject, site.use.node))) return;
  if (is_complex(site.name)) {
    if (world.soc.complex == "yes") return;
    return changes.leave(subject, site.use.node, "complex", {{"name", std::string(site.name)}});
  }
  if (!facts::is_no(world.soc.fp64)) return;
  const NodeIndex name = last_identifier(subject, site.use.node);
  const std::string_view by = name == kNoNode ? "" : single(subject.text(name));
  if (world.float64 == Float64::kSingle && !is_portable(world) && !by.empty() &&
      subject[site.use.node].kind == Kind::kAttribute) {
    const auto proof =
        is_method ? proof_of_method(site, world, "double") : std::optional(Proof::kImport);
    if (proof) {
      changes.replace(subject, name, std::string(by), *proof);
      return changes.leave(subject, site.use.node, "decided");
    }
  }
  changes.leave(subject, site.use.node, "left", {{"name", std::string(site.name)}});
}

}  // namespace

extern const Rule float64 = {
    .code = "P042",
    .severity = diag::Severity::kWarning,
    .names = {"torch.float64", "torch.double", ".double", "torch.DoubleTensor", "torch.complex64",
              "torch.complex128", "torch.cfloat", "torch.cdouble", "torch.complex",
              "torch.view_as_complex", "torch.fft.*", "torch.stft", "torch.istft", "torch.polar"},
    .use = visit,
};

}  // namespace godwit::port::rules
