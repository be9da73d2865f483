// What can be computed once, before any input is known.
#pragma once

#include "base/result.h"
#include "exec/arithmetic.h"
#include "ir/model.h"

namespace godwit::exec {

/// Makes constants of the outputs of every node of the main graph whose inputs are constants, and
/// of Shape and Size of tensors whose shape is all numbers. Random operators, those with subgraphs,
/// and results far larger than what they are made from stay. Types must have been inferred; a node
/// that its operator refuses stays too, and fails when it is run.
Status fold_constants(ir::Model& model, Arithmetic& arithmetic);

/// Puts the branch that runs in place of every If of the main graph whose condition is constant.
/// Says whether there was one: types and constants follow from it anew.
bool inline_branches(ir::Model& model);

/// Puts BatchNormalization with constant parameters into the weights of the Conv before it, where
/// nobody else sees the output of that Conv. New weights are computed in fp64 and rounded once.
Status fold_batch_normalization(ir::Model& model);

/// Copies the constants that lie at an address that their type does not allow, and small ones: a
/// run then touches none of the file that holds them.
Status align_constants(ir::Model& model);

}  // namespace godwit::exec
