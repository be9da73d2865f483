// Follows imports inside of the project.
#include "port/imports.h"

namespace godwit::port {

template <class Visit>
void Imports::for_imports(const Subject& subject, Visit visit) const {
  for (const project::Import& import : subject.module().imports()) {
    const std::string_view target = subject.module().name(import.target);
    for (const std::string_view name : {target, target.substr(0, target.rfind('.'))}) {
      const project::Module* const module = project_.find(name);
      if (module) visit(subjects_[static_cast<std::size_t>(module - project_.modules.data())]);
    }
  }
}

Imports::Imports(const project::Project& project, const std::vector<Subject>& subjects)
    : project_(project), subjects_(subjects), imported_(subjects.size()) {
  for (const Subject& subject : subjects) {
    for_imports(subject, [&](const Subject& next) {
      if (&next != &subject) imported_[next.index()] = true;
    });
  }
}

bool Imports::is_program(const Subject& subject) const {
  if (subject.module().is_entry_script()) return true;
  return !subject.module().file().path.ends_with("__init__.py") && !imported_[subject.index()];
}

std::vector<const Subject*> Imports::reached_from(const Subject& entry) const {
  std::vector<const Subject*> all = {&entry};
  std::vector<bool> seen(subjects_.size());
  seen[entry.index()] = true;
  for (std::size_t at = 0; at < all.size(); ++at) {
    for_imports(*all[at], [&](const Subject& next) {
      if (!seen[next.index()]) all.push_back(&next);
      seen[next.index()] = true;
    });
  }
  return all;
}

}  // namespace godwit::port
