/* What the gates of a circuit read: latches and moves of roles. */
#ifndef TABIA_FACTORS_FACTOR_READS_H
#define TABIA_FACTORS_FACTOR_READS_H

#include "base/bitset.h"
#include "circuit/circuit.h"

/* In factor_reads.roles. */
#define ROLE_OF_NONE UINT32_MAX
#define ROLE_OF_MANY (UINT32_MAX - 1)

typedef struct factor_reads {
  const circuit *c;
  uint32_t *roles;  /* by gate: the role whose moves it reads */
  bitset states;    /* gates that read a latch */
  bitset own;       /* gates that read a latch that is not common */
  bitset is_unread; /* latches on which nothing depends that matters */
  bitset is_common; /* latches that depend on no move */
} factor_reads;

/* The circuit has no places. */
void factor_reads_find(factor_reads *x, const circuit *c, arena *keep);

/* Gates whose value is a function of what one role does. */
static inline bool reads_one_role(const factor_reads *x, gate_id g) {
  return x->roles[g] < ROLE_OF_MANY && !bitset_has(x->states, g);
}

/* The role of each move of the circuit. */
uint32_t *factor_move_roles(const circuit *c, arena *keep);

/* The wires that a wire is the conjunction of; none for `true`. */
void factor_list_conjuncts(const circuit *c, wire w, wire_vec *out, arena *keep);

/* Of gates that read one role: a bit for each of its moves, whether it holds when that move is
   made; 64 moves from `first` on, counted in the circuit.  `values` has room for all gates. */
void factor_try_moves(const circuit *c, uint32_t role, uint32_t first, uint64_t *values);

#endif
