/* What moves need: fluents that hold, or do not, whenever a move is legal; on ground rules. */
#ifndef TABIA_PROVE_NEEDED_FLUENTS_H
#define TABIA_PROVE_NEEDED_FLUENTS_H

#include "prove/ground_clauses.h"

/* Some fluents of which a question wants to know whether moves need them. */
enum { WATCHED_FLUENTS_MAX = 32 };

typedef struct watched_fluents {
  uint32_t count;
  uint32_t fluents[WATCHED_FLUENTS_MAX];
} watched_fluents;

/* Does nothing when there is no room. */
void watch_fluent(watched_fluents *w, uint32_t fluent);

/* A set of watched fluents that hold, and of those that do not. */
typedef uint64_t fluent_needs;

static inline bool needs_fluent(fluent_needs n, uint32_t watched, bool is_negated) {
  return n >> (2 * watched + is_negated) & 1;
}

/* What follows from an atom of one moment, and from its negation. */
typedef struct atom_needs {
  fluent_needs of[2];
} atom_needs;

typedef struct need_table {
  const ground_clauses *c;
  watched_fluents most; /* the fluents that most moves need, such as whose turn it is */
  atom_needs *by_atom;  /* by the last watch */
} need_table;

need_table need_table_new(ground_clauses *c, arena *keep);

/* Finds what follows of these fluents, for all atoms. */
void need_table_watch(need_table *t, const watched_fluents *w);

/* What the move needs by the last watch; everything, if it is never legal. */
fluent_needs needs_of_move(const need_table *t, uint32_t move);

/* What holds, by the last watch, where the game goes on. */
fluent_needs needs_of_going_on(const need_table *t);

#endif
