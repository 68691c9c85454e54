/* What moves need: fluents that hold, or do not, whenever a move is legal; on ground rules.

   It is computed once for all atoms, in the order of their dependence. It may be incomplete:
   leaving a fact out is always sound. */
#ifndef TABIA_CERTIFY_NEEDED_FLUENTS_H
#define TABIA_CERTIFY_NEEDED_FLUENTS_H

#include "certify/ground_clauses.h"

/* A fluent that holds, or one that does not; in lists those come last. */
typedef uint32_t need;

#define NEED_NEGATED (UINT32_C(1) << 31)

static inline uint32_t need_fluent(need n) { return n & ~NEED_NEGATED; }
static inline bool need_is_negated(need n) { return n & NEED_NEGATED; }

/* Some needs, sorted. */
typedef struct need_list {
  const need *items;
  uint32_t count; /* ID_NONE: all that there are, as from what is never so everything follows */
} need_list;

/* Needs on the way to a list; the last of very many are passed over. */
enum { NEEDS_MAX = 250 };

typedef struct need_set {
  uint32_t count; /* likewise */
  need items[NEEDS_MAX];
} need_set;

static inline need_list need_set_list(const need_set *s) { return (need_list){s->items, s->count}; }

/* Only what the list has, too, stays in the set. */
void needs_meet(need_set *s, need_list other);

/* What follows from an atom of one moment, and from its negation. */
typedef struct atom_needs {
  need_list of[2];
} atom_needs;

typedef struct need_table {
  const ground_clauses *c;
  atom_needs *by_atom;
} need_table;

need_table need_table_new(ground_clauses *c, arena *keep);

/* What holds where the move is legal, and where the game goes on. */
need_list needs_of_move(const need_table *t, uint32_t move);
need_list needs_of_going_on(const need_table *t);

#endif
