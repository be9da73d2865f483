// Looks at the top level of an entry script only.
#include "port/start_place.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::port {
namespace {

// A loader, model or loop that is made when the file is imported.
bool has_site_at_top(const TrainingProgram& program) {
  const Subject& entry = *program.entry;
  const auto any = [&](const auto& sites, auto node_of) {
    return std::any_of(sites.begin(), sites.end(), [&](const auto& site) {
      return site.subject == &entry && entry.scope_of(node_of(site)) == 0 &&
             entry.tree().ancestor(node_of(site), Kind::kIf) == kNoNode;
    });
  };
  return any(program.loaders, [](const Loader& each) { return each.call; }) ||
         any(program.models, [](const SingleModel& each) { return each.statement; }) ||
         any(program.parallel, [](const Site& each) { return each.node; }) ||
         any(program.loops, [](const BatchLoop& each) { return each.loop; });
}

bool is_definition(const Subject& entry, NodeIndex statement) {
  switch (entry[statement].kind) {
    case Kind::kImportStatement:
    case Kind::kImportFromStatement:
    case Kind::kFutureImport:
    case Kind::kComment:
    case Kind::kFunctionDefinition:
    case Kind::kClassDefinition:
    case Kind::kDecoratedDefinition: return true;
    default: break;
  }
  const NodeIndex inner = entry.tree().first_child(statement);
  return inner != kNoNode && entry[inner].kind == Kind::kString;
}

bool is_main_guard(const Subject& entry, NodeIndex statement) {
  if (entry[statement].kind != Kind::kIf) return false;
  const NodeIndex test = entry.tree().child(statement, Field::kCondition);
  return test != kNoNode && contains(entry.text(test), "__main__");
}

}  // namespace

NodeIndex find_start(const TrainingProgram& program) {
  const Subject& entry = *program.entry;
  NodeIndex guarded = kNoNode, first = kNoNode;
  for (const NodeIndex statement : entry.children(0)) {
    if (is_main_guard(entry, statement)) {
      guarded = entry.tree().first_child(entry.tree().child(statement, Field::kConsequence));
    } else if (first == kNoNode && !is_definition(entry, statement)) {
      first = statement;
    }
  }
  return guarded == kNoNode || has_site_at_top(program) ? first : guarded;
}

}  // namespace godwit::port
