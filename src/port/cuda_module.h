// The torch.cuda module as a program names it: by dotted names and by the forms of import.
#pragma once

#include <string_view>
#include <vector>

#include "port/rule.h"

namespace godwit::port {

/// Identifiers of a dotted name that stand for the module and for the last part. With
/// `from torch import cuda` the first is the root; kNoNode when an import hides the module.
struct CudaParts {
  NodeIndex cuda = kNoNode;
  NodeIndex last = kNoNode;
};
CudaParts cuda_parts(const Subject& subject, NodeIndex dotted, std::string_view qualified);

/// One import of torch.cuda or of something below it, and whether all that it names is there.
struct CudaImport {
  const project::Import* import = nullptr;
  std::string_view target{};  // "torch.cuda.amp.autocast"
  const Counterpart* counterpart = nullptr;
  bool is_fine() const { return counterpart && counterpart->exists; }
};

/// The imports of a statement that name torch.cuda or something below it.
std::vector<CudaImport> cuda_imports(const Subject& subject, NodeIndex statement,
                                     const World& world);

/// False when the use goes through an import statement that cannot be ported.
bool is_import_editable(const Subject& subject, const UseSite& site, const World& world);

bool is_cuda_name(std::string_view name);

}  // namespace godwit::port
