// Imports: which modules of the project a program loads, and which modules are programs.
#pragma once

#include <vector>

#include "port/subject.h"
#include "project/project.h"

namespace godwit::port {

class Imports {
 public:
  Imports(const project::Project& project, const std::vector<Subject>& subjects);

  /// May be run: it has a main guard, or no other module imports it.
  bool is_program(const Subject& subject) const;
  /// The module and all that it imports, directly or not.
  std::vector<const Subject*> reached_from(const Subject& entry) const;

 private:
  template <class Visit>
  void for_imports(const Subject& subject, Visit visit) const;

  const project::Project& project_;
  const std::vector<Subject>& subjects_;
  std::vector<bool> imported_;  // by another module
};

}  // namespace godwit::port
