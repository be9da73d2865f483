// Where this thread is: in which module, forward or backward, below which operator. Backward
// operators find their module through the sequence numbers that autograd gave to the forward ones.
#pragma once

#include <c10/core/DispatchKey.h>

#include <cstdint>
#include <string>
#include <vector>

namespace godwit::record {

/// What is known of an operator, once per overload.
struct Op {
  std::string name, overload;              // "aten::add", "Tensor"
  std::int32_t number = -1;                // of "aten::add.Tensor" (names.h)
  bool is_ours = false;                    // not to be recorded
  bool is_composite = false;               // made of other operators that backends implement
  std::vector<c10::DispatchKey> autocast;  // casts its inputs, then calls itself
  int dtype_argument = -1;                 // of a factory
};

struct Scope {
  struct Module {
    std::int32_t name, call;
    bool was_backward;
  };
  struct Level {
    const Op* op = nullptr;  // null: no operator
    bool is_leaf = false;    // operators below belong to its implementation
    bool is_node = false;    // of the backward graph
    bool was_backward = false;
    const Op *was_forward = nullptr, *was_top = nullptr;
    std::int32_t was_module = -1;
  };
  std::int32_t module = -1;
  std::int32_t call = 0;
  bool backward = false;
  const Op* forward = nullptr;  // of a backward pass: the operator whose gradient is computed
  std::vector<Module> modules;
  std::vector<Level> levels;
  std::int32_t op_call = 0;
  const Op* top = nullptr;  // the operator that Python or a graph node called
  int inside = 0;           // how many of the levels are the implementation of a recorded operator
};

Scope& scope();

/// The module that made the graph node with this sequence number, and its operator.
struct Origin {
  std::int32_t module = -1;
  const Op* op = nullptr;
};
void note_origin(std::int64_t sequence, Origin origin);
Origin find_origin(std::uint64_t thread, std::int64_t sequence);

void enter_module(std::int32_t name, std::int32_t call);
void leave_module();

}  // namespace godwit::record
