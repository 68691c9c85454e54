/* What is known of a game before it is drawn: all fluents and moves that there can be, where the
   machine knows them, and states and steps of some random games.

   The random games are the same each time: how many states there are is decided by counts.  Only a
   machine that is very slow even so is stopped by its processor time. */
#ifndef TABIA_BOARD_EVIDENCE_SAMPLES_H
#define TABIA_BOARD_EVIDENCE_SAMPLES_H

#include "board/evidence/fact_book.h"
#include "machine/machine.h"

enum { SAMPLE_GAMES = 8, SAMPLE_STATES = 400, SAMPLE_FACTS = 100 * 1000, BASE_MOST = 60 * 1000 };

/* Facts and legal moves of all states together, where the machine does not ground: each costs it
   much more. */
enum { SAMPLE_WORK = 5000 };

typedef struct sample_state {
  uint32_t first, count; /* in samples.facts, ascending */
} sample_state;

typedef struct sample_step {
  uint32_t before, after; /* states */
  uint32_t joint;         /* the first of role_count moves in samples.joints */
} sample_step;

/* How facts are made from others (derived.h). */
typedef struct derivation {
  shape_id first, second; /* SHAPE_NONE: the first is a list */
  uint32_t first_column, second_column;
  shape_id made;
} derivation;

typedef struct samples {
  arena *keep;
  const machine *machine;
  fact_book fluents;
  fact_book moves; /* shares its names with the fluents */
  bool has_bases;  /* then the books hold all that there can be */
  id_vec role_names;
  VEC(sample_state) states; /* the first state of the game first */
  id_vec facts;
  VEC(sample_step) steps;
  id_vec joints; /* moves; NAME_NONE: the role had no move */
  VEC(derivation) derivations;
  id_vec by_fluent; /* facts by their number on the machine; NAME_NONE: not met yet */
} samples;

/* `seconds` bounds the processor time for random games. */
void samples_take(samples *s, const machine *m, double seconds, budget *b, arena *keep);

/* The fluents of a position as facts, ascending. */
id_vec samples_read(samples *s, const void *position, arena *keep);
fact_id samples_move(samples *s, uint32_t role, move_id move, arena *scratch);

static inline const fact_id *state_facts(const samples *s, uint32_t state) {
  return s->facts.items + s->states.items[state].first;
}
bool state_has(const samples *s, uint32_t state, fact_id f);
bool samples_is_role(const samples *s, value_id v);

#endif
