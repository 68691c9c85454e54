/* Gives a model its state and moves.

   A search queries a state and its successors alternately, and successors differ little.  So a
   thread has two models and updates the one that was queried longer ago; and a model gets only the
   differences from its last state, if these are the smaller part. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_STATE_H
#define TABIA_MACHINE_DATALOG_DATALOG_STATE_H

#include "machine/datalog/datalog_catalog.h"
#include "machine/datalog/datalog_model.h"
#include "machine/datalog/datalog_names.h"
#include "machine/machine.h"

/* What turns numbers into facts; of one thread. */
typedef struct dl_teller {
  const dl_catalog *fluents, *moves;
  dl_names *names;
  const term_id *role_terms;
  uint32_t role_count;
  const flat_program *flat;
  term_table *terms;
  term_id *row; /* room for any row */
  arena *keep;
  id_vec gone, come; /* scratch: how the next state differs */
} dl_teller;

/* A state is a list: the number of its fluents, then their numbers in ascending order. */
typedef struct dl_told {
  dl_model model;
  id_vec state;   /* the list; empty before the first */
  move_id *joint; /* the first is MOVE_NONE when there are none */
} dl_told;

void dl_told_init(dl_told *s, const dl_teller *t, const dl_plan *p, budget *limits,
                  machine_trouble *trouble);

bool dl_told_is(const dl_told *s, const uint32_t *state);

/* Makes the model one of this state, without moves.  It is another one than before. */
void dl_tell_state(dl_teller *t, dl_told *s, const uint32_t *state);

void dl_tell_moves(dl_teller *t, dl_told *s, const move_id *joint);
void dl_tell_no_moves(dl_told *s);

#endif
