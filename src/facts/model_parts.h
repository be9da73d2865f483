// Ready models (torchvision.models.resnet50): judged by the layers that they are made of.
#pragma once

#include "facts/eager.h"

namespace godwit::facts {

/// Fills the verdict of a constructor in api/models.tsv; leaves any other API as it is.
Status judge_model(const Soc& soc, const EagerOptions& options, EagerVerdict& verdict);

}  // namespace godwit::facts
