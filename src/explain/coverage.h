/* Which rules fire in which play: a rule fires in a state when its conditions hold for some
   values. */
#ifndef TABIA_EXPLAIN_COVERAGE_H
#define TABIA_EXPLAIN_COVERAGE_H

#include "base/bitset.h"
#include "explain/world.h"
#include "machine/machine.h"

typedef struct coverage {
  world *world;
  arena *keep;
  bitset fired; /* by rule of the program */
} coverage;

coverage coverage_open(const program *p, budget *b, arena *keep);
void coverage_close(coverage *c);

/* Is it a rule with conditions?  Facts need no play. */
bool coverage_counts(const program *p, rule_id r);

/* Looks at a state of a machine, and at the moves that are made there; NULL: none. */
void coverage_visit(coverage *c, const machine *m, const void *position, const move_id *joint);

/* Random games on the machine, of at most so many steps; stops when the budget is spent.  How many
   were played. */
uint64_t coverage_play(coverage *c, const machine *m, machine_workspace *w, uint64_t games,
                       uint64_t steps, uint64_t seed, budget *b);

#endif
