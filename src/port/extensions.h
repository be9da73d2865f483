// Extensions: modules that the project itself compiles for CUDA; on the NPU machine their import
// fails.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "port/flow.h"
#include "port/subject.h"

namespace godwit::port {

/// The import by which a module shows that it compiles kernels for CUDA, or kNoNode.
NodeIndex cuda_build_import(const Subject& subject);

class Extensions {
 public:
  /// A build script names what it builds, and no source file of the project has that name.
  Extensions(const std::vector<Subject>& subjects, const Flow& flow);

  /// The extension that a dotted name lies in; empty when in none.
  std::string_view find(std::string_view name) const;
  /// A variable at the top of the module that holds an extension which it compiles itself.
  bool is_loaded(const Subject& subject, NodeIndex identifier) const;
  /// The module compiles an extension when it is imported.
  bool loads(const Subject& subject) const;

 private:
  std::set<std::string, std::less<>> modules_;
};

}  // namespace godwit::port
