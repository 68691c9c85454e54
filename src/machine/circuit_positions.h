/* Operations that the machines on circuits have in common: opening, positions and texts. */
#ifndef TABIA_MACHINE_CIRCUIT_POSITIONS_H
#define TABIA_MACHINE_CIRCUIT_POSITIONS_H

#include "machine/circuit_game.h"

/* Each has a struct of its own, which starts with this. */
typedef struct grounded_machine {
  machine base;
  grounded g;
} grounded_machine;

/* For a machine on a circuit. */
static inline const grounded *machine_grounded(const machine *m) {
  assert(m->grounded);
  return &((const grounded_machine *)m)->g;
}

/* A struct of `size` bytes, zero behind the common start; it lives in g.keep and is gone with
   grounded_close.  NULL: `d` says why. */
grounded_machine *grounded_machine_open(const machine_ops *ops, size_t size,
                                        const machine_source *source, budget *b, diag_sink *d);

/* Calls of machine_ops. */
void grounded_machine_start(const machine *m, void *position);
uint32_t grounded_machine_fluents(const machine *m, const void *position, fluent_id *fluents,
                                  uint32_t capacity);
fluent_id grounded_machine_find_fluent(const machine *m, const char *canonical);
bool grounded_machine_place(const machine *m, const fluent_id *fluents, uint32_t count,
                            void *position);
void grounded_machine_fluent_text(const machine *m, fluent_id f, text *out);
void grounded_machine_move_text(const machine *m, uint32_t role, move_id move, text *out);
void grounded_machine_percept_text(const machine *m, uint32_t role, percept_id percept, text *out);

#endif
