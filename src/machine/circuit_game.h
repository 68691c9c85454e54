/* What the machines on circuits share: the circuit of a game, and its names and numbers. */
#ifndef TABIA_MACHINE_CIRCUIT_GAME_H
#define TABIA_MACHINE_CIRCUIT_GAME_H

#include "circuit/circuit.h"
#include "machine/machine.h"

typedef struct grounded {
  arena *keep;
  ground_program ground;
  circuit circuit;
  ground_stats stats;
  const char **roles;    /* canonical KIF */
  uint32_t *goals;       /* those goals of the circuit that are numbers, by role, from the lowest */
  uint32_t *goals_of;    /* goals_of[role] .. goals_of[role+1]-1 in `goals` */
  int32_t *goal_values;  /* by goal of the circuit */
  uint32_t *percepts;    /* of the circuit, by role */
  uint32_t *percepts_of; /* percepts_of[role] .. percepts_of[role+1]-1 in `percepts` */
  machine_numbers numbers;
  uint32_t nature; /* the role `random`, which needs no goal; roles.count: there is none */
} grounded;

/* False: it cannot be grounded within the limits, and `d` says why.  Call grounded_close in both
   cases. */
bool grounded_open(grounded *g, const machine_source *source, budget *b, diag_sink *d);
void grounded_close(grounded *g);

/* Positions of these machines: a bit for each latch. */
static inline uint32_t grounded_words(const grounded *g) {
  return (g->circuit.latches.count + 63) / 64;
}

void grounded_start(const grounded *g, uint64_t *position);
uint32_t grounded_fluents(const grounded *g, const uint64_t *position, fluent_id *fluents,
                          uint32_t capacity);
fluent_id grounded_find_fluent(const grounded *g, const char *canonical);
void grounded_place(const grounded *g, const fluent_id *fluents, uint32_t count,
                    uint64_t *position);
void grounded_fluent_text(const grounded *g, fluent_id f, text *out);
/* Moves and percepts are numbered among those of their role. */
void grounded_move_text(const grounded *g, uint32_t role, move_id move, text *out);
void grounded_percept_text(const grounded *g, uint32_t role, percept_id percept, text *out);

#endif
