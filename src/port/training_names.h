// Training names: what torch calls the parts of a training, and how a program names its model.
#pragma once

#include <string_view>
#include <vector>

#include "port/subject.h"

namespace godwit::port {

bool is_loader(std::string_view name);
bool is_parallel(std::string_view name);  // DataParallel
bool is_optimizer(std::string_view name);

/// A loss of torch.nn that is asked for the sum over a batch.
bool sums_up(const Subject& subject, const project::Use& use);

/// A plain variable, or an attribute of self.
bool is_place(const Subject& subject, NodeIndex node);

/// The model of which a part is named: net of net.backbone.layers, self.net of self.net.head.
NodeIndex whole_model(const Subject& subject, NodeIndex part);

/// What is assigned to a variable in its scope.
std::vector<NodeIndex> values_of(const Subject& subject, NodeIndex name);

/// The statement around a node that stands in a block of its own.
NodeIndex statement_of(const Subject& subject, NodeIndex node);

}  // namespace godwit::port
