/* What the rulesheet says once and for all: facts that hold in every state, and the names that its
   author gave to the arguments of fluents. */
#ifndef TABIA_BOARD_EVIDENCE_STATICS_H
#define TABIA_BOARD_EVIDENCE_STATICS_H

#include "board/evidence/fact_book.h"
#include "rules/program.h"

typedef struct static_fact {
  name_id relation; /* "succ/2" */
  uint32_t args, arity;
} static_fact;

/* Which coordinate a variable's name speaks of. */
typedef enum axis_hint { HINT_NONE, HINT_COLUMN = 1, HINT_ROW = 2 } axis_hint;

typedef struct argument_hint {
  name_id relation; /* of a fluent, "cell/3" */
  uint32_t argument;
  axis_hint hint;
} argument_hint;

/* A rule asks a relation of facts about variables that are arguments of a fluent: (goal ?x ?y) and
   (true (at ?p ?x ?y)).  Then the facts may tell of cells. */
typedef struct cell_mark {
  name_id relation, fluent; /* "goal/2", "at/3" */
  uint32_t count;           /* of variables: 1 or 2 */
  uint32_t arguments[2];    /* of the fluent, in the order of the relation's own */
} cell_mark;

typedef struct statics {
  names relations;
  VEC(static_fact) facts; /* those of a relation one after another */
  VEC(value_id) args;
  VEC(argument_hint) hints;
  VEC(cell_mark) marks;
  int hexagon_skew; /* see hexagons.h */
} statics;

void statics_read(statics *s, const program *p, names *values, arena *keep);

axis_hint statics_hint(const statics *s, const char *relation, uint32_t arity, uint32_t argument);

/* Calls back for each pair (a, b) of the binary facts of relation r. */
static inline value_id static_arg(const statics *s, uint32_t fact, uint32_t i) {
  return s->args.items[s->facts.items[fact].args + i];
}

#endif
