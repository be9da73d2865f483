// Flattening: tree-sitter's own tree read directly, because its cursor costs up to a quarter of the
// parse. C, and built with the core's private headers, whose version is pinned.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What godwit::syntax::Node holds, in the same layout. */
typedef struct {
  uint8_t kind;
  uint8_t field;
  uint32_t begin, end;
  uint32_t past;
  uint32_t parent;
} GodwitNode;

typedef struct {
  GodwitNode* nodes;
  uint32_t count, capacity;
  const uint8_t* kinds;       /* by symbol */
  const uint8_t* is_recorded; /* by symbol */
  const uint8_t* fields;      /* by field number */
  uint8_t error_kind, missing_kind;
  uint32_t errors; /* nodes of these two kinds */
  /* Makes room for one more node at least; sets nodes and capacity. */
  void (*grow)(void* owner);
  void* owner;
} GodwitFlat;

struct TSTree;
void godwit_flatten(const struct TSTree* tree, GodwitFlat* out);

#ifdef __cplusplus
}
#endif
