// Forms: one name, several functions: torch.max of two tensors is torch.maximum.
#pragma once

#include <string_view>

#include "project/module.h"

namespace godwit::scan {

/// Whether api/forms.tsv lists the API.
bool has_forms(std::string_view api);

/// The API that a call stands for by its arguments; the API itself where they do not say.
std::string_view form_of(std::string_view api, const project::Module& module,
                         syntax::NodeIndex call);

}  // namespace godwit::scan
