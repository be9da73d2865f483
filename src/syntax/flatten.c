// A walk over subtrees with a stack of its own; hidden nodes pass their field on to children.
#include "flatten.h"

#include <stdlib.h>

#include <alloc.h>
#include <language.h>
#include <subtree.h>
#include <tree.h>

enum { kNoNode = 0xFFFFFFFFu };

typedef struct {
  Subtree self;
  uint32_t next;       /* child to visit */
  uint32_t structural; /* its number without extras */
  uint32_t position;   /* end of the child before it */
  uint32_t node;       /* record of this level, or kNoNode */
  uint8_t passed_on;   /* field of a hidden node, for its children */
} Level;

typedef struct {
  Level* levels;
  uint32_t count, capacity;
} Stack;

static Level* push(Stack* stack) {
  if (stack->count == stack->capacity) {
    stack->capacity = stack->capacity ? 2 * stack->capacity : 256;
    stack->levels = ts_realloc(stack->levels, stack->capacity * sizeof(Level));
  }
  return &stack->levels[stack->count++];
}

static TSFieldId field_of(const TSLanguage* language, uint16_t production, uint32_t structural) {
  const TSFieldMapEntry* entry;
  const TSFieldMapEntry* end;
  ts_language_field_map(language, production, &entry, &end);
  for (; entry != end; ++entry) {
    if (!entry->inherited && entry->child_index == structural) return entry->field_id;
  }
  return 0;
}

static uint32_t record(GodwitFlat* out, uint8_t kind, uint8_t field, uint32_t begin, uint32_t end,
                       uint32_t parent) {
  if (out->count == out->capacity) {
    out->capacity *= 2;
    out->nodes = ts_realloc(out->nodes, out->capacity * sizeof(GodwitNode));
  }
  GodwitNode* const node = &out->nodes[out->count];
  node->kind = kind;
  node->field = field;
  node->begin = begin;
  node->end = end;
  node->past = out->count + 1;
  node->parent = parent;
  if (kind == out->error_kind || kind == out->missing_kind) ++out->errors;
  return out->count++;
}

/* Kind of a subtree under its alias, or -1 when it is not recorded. */
static int kind_of(const GodwitFlat* out, Subtree self, TSSymbol alias) {
  if (ts_subtree_missing(self)) return out->missing_kind;
  const TSSymbol symbol = alias ? alias : ts_subtree_symbol(self);
  if (symbol == ts_builtin_sym_error) return out->error_kind;
  if (symbol == ts_builtin_sym_error_repeat || !out->is_recorded[symbol]) return -1;
  return out->kinds[symbol];
}

void godwit_flatten(const TSTree* tree, GodwitFlat* out) {
  const TSLanguage* const language = tree->language;
  Stack stack = {0};
  out->nodes = ts_malloc(out->capacity * sizeof(GodwitNode));
  const uint32_t start = ts_subtree_padding(tree->root).bytes;
  Level* level = push(&stack);
  *level = (Level){tree->root, 0, 0, start, 0, 0};
  const int root_kind = kind_of(out, tree->root, 0);
  level->node = record(out, root_kind < 0 ? 0 : (uint8_t)root_kind, 0, start,
                       start + ts_subtree_size(tree->root).bytes, kNoNode);
  uint32_t parent = level->node;
  while (stack.count > 0) {
    level = &stack.levels[stack.count - 1];
    if (level->next == ts_subtree_child_count(level->self)) {
      if (level->node != kNoNode) {
        out->nodes[level->node].past = out->count;
        parent = out->nodes[level->node].parent;
      }
      --stack.count;
      continue;
    }
    const Subtree child = ts_subtree_children(level->self)[level->next];
    const uint16_t production = ts_subtree_production_id(level->self);
    const bool is_extra = ts_subtree_extra(child);
    /* The first child's padding is part of its parent's. */
    const uint32_t padding = level->next == 0 ? 0 : ts_subtree_padding(child).bytes;
    const uint32_t begin = level->position + padding;
    const uint32_t end = begin + ts_subtree_size(child).bytes;
    TSSymbol alias = 0;
    TSFieldId field = 0;
    if (!is_extra) {
      alias = ts_language_alias_at(language, production, level->structural);
      field = field_of(language, production, level->structural);
      ++level->structural;
    }
    const uint8_t mapped = field ? out->fields[field] : is_extra ? 0 : level->passed_on;
    ++level->next;
    level->position = end;
    const bool is_visible = alias || ts_subtree_visible(child);
    const int kind = is_visible ? kind_of(out, child, alias) : -1;
    const uint32_t index =
        kind < 0 ? (uint32_t)kNoNode : record(out, (uint8_t)kind, mapped, begin, end, parent);
    if (ts_subtree_child_count(child) == 0) continue;
    if (index != kNoNode) parent = index;
    Level* const inner = push(&stack);
    *inner = (Level){child, 0, 0, begin, index, is_visible ? 0 : mapped};
  }
  ts_free(stack.levels);
}

void godwit_free_flat(GodwitFlat* flat) { ts_free(flat->nodes); }
