/* Up to 512 states at once on a stepping net: positions in, answers and positions out. */
#ifndef TABIA_MACHINE_LANES_LANE_STEPS_H
#define TABIA_MACHINE_LANES_LANE_STEPS_H

#include "machine/circuit_game.h"
#include "machine/lanes/lane_code.h"

typedef struct lane_steps {
  const grounded *g;
  const lane_net *net;
  const lane_code *code;
  bundle_row *rows;
  uint32_t count; /* states that are loaded */
  uint32_t done;  /* the last phase that has been run for them, plus 1; 0: none */
} lane_steps;

void lane_steps_init(lane_steps *s, const grounded *g, const lane_net *net, const lane_code *code,
                     arena *keep);

/* Positions lie one behind another, a bit for each latch of the circuit. */
void lane_steps_load(lane_steps *s, const uint64_t *positions, uint32_t count);

/* Joint moves lie one behind another, a move for each role. */
void lane_steps_set_moves(lane_steps *s, const move_id *joints);

/* Runs a phase and those before it that it needs, unless it was the last that was run. */
void lane_steps_run(lane_steps *s, lane_phase phase);

/* A bit for each state; the phase of the root must be the last that was run. */
static inline uint64_t lane_steps_word(const lane_steps *s, uint32_t root, uint32_t word) {
  return lane_word(s->rows, s->net->rows[root], word);
}

static inline bool lane_steps_bit(const lane_steps *s, uint32_t root, uint32_t state) {
  return lane_steps_word(s, root, state / 64) >> state % 64 & 1;
}

/* The next positions, after PHASE_NEXT. */
void lane_steps_store(const lane_steps *s, uint64_t *positions);

#endif
