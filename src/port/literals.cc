// What a literal stands for, from its text and its place.
#include "port/literals.h"

#include "base/text.h"

namespace godwit::port {
namespace {

constexpr std::string_view kTalkers[] = {
    "print",        "log",
    "info",         "debug",
    "warning",      "warn",
    "error",        "critical",
    "exception",    "write",
    "print_rank_0", "echo",
    "join",         "Path",
    "glob",         "open",
    "fail",         "skip",
    "skipif",       "skipUnless",
    "title",        "set_description",
};

}  // namespace

bool names_cuda_device(std::string_view content) {
  if (!content.starts_with("cuda")) return false;
  const std::string_view rest = content.substr(4);
  if (rest.empty()) return true;
  return rest.front() == ':' && rest.find_first_of(" ,/\n") == std::string_view::npos;
}

bool is_message(const StringSite& site) {
  const Subject& subject = site.subject;
  const Landing& landing = site.landing;
  if (landing.at == kNoNode) return false;
  if (subject[landing.at].kind == Kind::kExpressionStatement ||
      subject[landing.at].kind == Kind::kAssert || subject[landing.at].kind == Kind::kRaise) {
    return true;
  }
  if (landing.where != Landing::Where::kForeign) return false;
  const std::string_view name = last_part(landing.name);
  for (const std::string_view talker : kTalkers) {
    if (name == talker) return true;
  }
  return name.ends_with("Error") || name.ends_with("Warning") || name.ends_with("Exception");
}

std::optional<Proof> proof_of(const StringSite& site, World& world, Meaning meaning) {
  if (!world.flow.is_shown(site.subject, site.landing, site.node, meaning)) return std::nullopt;
  if (site.landing.position) return Proof::kPosition;
  return site.landing.is_tested ? Proof::kTest : Proof::kFlow;
}

std::optional<Proof> proof_of_method(const UseSite& site, const World& world,
                                     std::string_view method) {
  if (site.name.starts_with("torch.")) return Proof::kType;
  if (world.flow.has_method(method)) return std::nullopt;
  const bool is_ours = site.name.starts_with('.') || world.flow.is_of_project(site.name);
  return is_ours ? std::optional(Proof::kClosedWorld) : std::nullopt;
}

NodeIndex last_identifier(const Subject& subject, NodeIndex dotted) {
  if (subject[dotted].kind == Kind::kIdentifier) return dotted;
  return subject.tree().child(dotted, Field::kAttribute);
}

}  // namespace godwit::port
