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
  GodwitNode* nodes; /* of tree-sitter's memory: godwit_free_flat ends them */
  uint32_t count, capacity;
  const uint8_t* kinds;       /* by symbol */
  const uint8_t* is_recorded; /* by symbol */
  const uint8_t* fields;      /* by field number */
  uint8_t error_kind, missing_kind;
  uint32_t errors; /* nodes of these two kinds */
} GodwitFlat;

struct TSTree;
/* Fills nodes, count and errors. `out` holds the tables by symbol, and in `capacity` a first guess
   above 0. */
void godwit_flatten(const struct TSTree* tree, GodwitFlat* out);
void godwit_free_flat(GodwitFlat* flat);

#ifdef __cplusplus
}
#endif
