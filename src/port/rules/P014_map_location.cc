// A checkpoint saved on CUDA cannot be loaded where CUDA is missing unless map_location names a
// device that exists.
#include "port/literals.h"
#include "port/reads.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

void visit_string(const StringSite& site, World& world, Changes& changes) {
  if (!site.landing.position || site.landing.position->role != Role::kMapLocation) return;
  if (names_cuda_device(site.content))
    rename_word(site, world, "cuda", "npu", Proof::kPosition, changes);
}

bool is_load_state_dict(const Subject& subject, NodeIndex call) {
  const NodeIndex function = subject.tree().child(call, Field::kFunction);
  return function != kNoNode && subject.text(function).ends_with(".load_state_dict");
}

// An argument of load_state_dict(), whole or by a key: what the call copies from.
bool fills_a_module(const Subject& subject, NodeIndex value) {
  NodeIndex at = value;
  while (true) {
    const NodeIndex up = subject[at].parent;
    if (up == kNoNode) return false;
    const Kind kind = subject[up].kind;
    if (kind == Kind::kArgumentList) return is_load_state_dict(subject, subject[up].parent);
    if (kind != Kind::kSubscript || subject[at].field != Field::kValue) return false;
    at = up;
  }
}

// `epoch = checkpoint['epoch'] + 1`: a number of Python, wherever the file was saved.
bool reads_a_number(const Subject& subject, NodeIndex value) {
  const NodeIndex subscript = subject[value].parent;
  if (subscript == kNoNode || subject[subscript].kind != Kind::kSubscript) return false;
  const auto key = subject.module().literal(subject.tree().child(subscript, Field::kSubscript));
  for (const std::string_view known : {"epoch", "step", "iter", "global_step", "args", "config"})
    if (key && *key == known) return true;
  return false;
}

// Every value of the file is copied into a module or optimizer, which keeps its own device: then
// the CPU is the right place to read it to.
bool only_fills_modules(const Subject& subject, NodeIndex call) {
  if (fills_a_module(subject, call)) return true;
  const NodeIndex flag = flag_of(subject, call);
  if (flag == kNoNode || subject[flag].kind != Kind::kIdentifier) return false;
  bool fills = false;
  for (const NodeIndex read : reads_of(subject, flag)) {
    const bool fills_here = fills_a_module(subject, read);
    if (!fills_here && !reads_a_number(subject, read)) return false;
    fills = fills || fills_here;
  }
  return fills;
}

void add_map_location(const UseSite& site, Changes& changes) {
  const Subject& subject = site.subject;
  const NodeIndex last = subject.module().arguments(site.use.call).back().value;
  const std::uint32_t end = subject[last].end;
  changes.replace(subject, end, end, ", map_location=\"cpu\"", Proof::kFlow);
}

bool is_plain(const Subject& subject, NodeIndex value) {
  switch (subject[value].kind) {
    case Kind::kString:
    case Kind::kConcatenatedString:
    case Kind::kBinaryOperator: return true;
    case Kind::kConditionalExpression: return true;
    default: return false;
  }
}

void visit_use(const UseSite& site, World& world, Changes& changes) {
  if (site.use.call == kNoNode) return;
  const Subject& subject = site.subject;
  NodeIndex where = kNoNode;
  for (const project::Argument& argument : subject.module().arguments(site.use.call)) {
    if (argument.is_starred) return;
    if (argument.keyword == "map_location") where = argument.value;
  }
  const int index = site.name.ends_with("load") ? 1 : 2;
  if (where == kNoNode) where = subject.module().argument(site.use.call, "map_location", index);
  const bool has_arguments = !subject.module().arguments(site.use.call).empty();
  if (where == kNoNode && has_arguments && only_fills_modules(subject, site.use.call))
    return add_map_location(site, changes);
  if (where == kNoNode || subject[where].kind == Kind::kNone) {
    return changes.as(diag::Severity::kWarning).leave(subject, site.use.node, "missing");
  }
  if (subject[where].kind == Kind::kLambda) return changes.leave(subject, where, "lambda");
  if (subject[where].kind == Kind::kDictionary) return changes.leave(subject, where, "dict");
  if (is_plain(subject, where) || world.flow.means(subject, where, Meaning::kDevice)) return;
  changes.as(diag::Severity::kNote).leave(subject, where, "unproven");
}

}  // namespace

extern const Rule map_location = {
    .code = "P014",
    .severity = diag::Severity::kError,
    .names = {"torch.load", "torch.jit.load", "torch.hub.load_state_dict_from_url",
              "torch.utils.model_zoo.load_url"},
    .strings = {"cuda"},
    .use = visit_use,
    .string = visit_string,
};

}  // namespace godwit::port::rules
