/* Texts as numbers: equal texts are the same number. */
#ifndef TABIA_BOARD_EVIDENCE_NAMES_H
#define TABIA_BOARD_EVIDENCE_NAMES_H

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"

typedef uint32_t name_id;

#define NAME_NONE UINT32_MAX

typedef struct names {
  arena *keep;
  VEC(const char *) items; /* by number, NUL-ended */
  id_table index;
} names;

names names_new(arena *keep);
name_id names_add(names *n, const char *text, size_t length);
name_id names_find(const names *n, const char *text, size_t length); /* or NAME_NONE */

static inline const char *names_text(const names *n, name_id id) { return n->items.items[id]; }

#endif
