/* One step of random play as a list of instructions on values: what a thread of a GPU repeats.

   A value is a word of 32 lanes.  There are no slots as in a lane program: each operation gives a
   value of its own (single assignment), and where values are kept is decided later (gpu_spill.h).
   A step is a cycle: latch_of[i] begins with what next_of[i] was at the end of the step before.

   Work that is not logic (counting games, beginning others, drawing again) is in instructions of
   its own.  They read and write registers of the thread beside values: lanes that are counted or
   given up, the step, the games left to start (ptx_play.c).

   If games are counted there are latches after those of the net, from `ages` on: the bits of the
   age of the game in each lane; the ages of games that have ended and are not counted yet; and the
   lanes of these (ptx_lengths.c). */
#ifndef TABIA_MACHINE_GPU_GPU_STEP_H
#define TABIA_MACHINE_GPU_GPU_STEP_H

#include "machine/lanes/lanes_machine.h"

typedef uint32_t value_id;

enum { VALUE_FALSE = 0 }; /* no lanes; no instruction gives it */

typedef enum gpu_kind {
  GPU_TABLE,   /* out = table(in[0], in[1], in[2]), as lane_op */
  GPU_ENDED,   /* in: terminal; out: lanes whose game counts and has ended by itself */
  GPU_GOAL,    /* in: lanes to count for counter `number` */
  GPU_FAULTS,  /* in: lanes that ended without a goal, and with several */
  GPU_RESULT,  /* in: lanes that ended in which goal `number` of g->goals holds */
  GPU_CLOSE,   /* in: terminal; out: lanes that begin anew with the next state */
  GPU_RANDOM,  /* out: up to four random rows, of block `number` */
  GPU_LENGTHS, /* in: lanes that begin anew, sound ends, lanes that wait to be counted, bits of their
                  lengths, bits of ages; out: lanes that wait on, sound ends that wait with them;
                  gives up games that are too long */
  GPU_OLDER,   /* in: lanes whose age is more than its bits can say, lanes that begin anew */
  GPU_STUCK,   /* in: lanes in which a role cannot move, lanes that begin anew; gives up those, and
                 with START_OF_EACH games that are too long */
  GPU_REDRAW,  /* draw `number`; in: doubtful lanes, lanes that begin anew, bits of the count, lower
                 and upper bits of the product; out: bits of the number drawn */
  GPU_FLIP,    /* in: next value of latch `number`, lanes that begin anew; out: as the start of the
                 part, or of the game, wants it */
  GPU_PLACE,   /* out: a place of the loop that follows, false at first */
  GPU_LOOP,    /* a loop begins */
  GPU_SETTLE,  /* in: place, definition; out: the place; table 1: the definition is negated */
  GPU_REPEAT,  /* back to the last GPU_LOOP, if a place has changed */
  GPU_READ,    /* out: row `number` of the batch, which does not change meanwhile */
  GPU_WRITE,   /* in: what row `number` of the batch becomes */
  GPU_OPTION   /* out: all lanes or none, as option `number` says */
} gpu_kind;

typedef struct gpu_instruction {
  gpu_kind kind;
  uint8_t table;
  uint32_t number;
  uint32_t first_in, in_count, first_out, out_count; /* in `operands` */
} gpu_instruction;

/* Where games begin. */
typedef enum gpu_start {
  START_OF_RULES,
  START_OF_PART, /* in one position, which is given */
  START_OF_EACH, /* each in a position of its own, and in a lane of its own; goals are written by
                    game, not counted */
  GPU_STARTS
} gpu_start;

typedef struct gpu_step {
  arena *keep;
  const lane_net *net;
  VEC(gpu_instruction) all;
  id_vec operands; /* values */
  uint32_t value_count;
  uint32_t latch_count;         /* that live in the step: all that the net keeps and those of
                                   lengths, or none */
  value_id *latch_of, *next_of; /* by latch */
  uint32_t ages;                /* the first latch behind those of the net */
  uint32_t age_bits;            /* 0: no lengths are counted */
  uint32_t count_every;         /* steps: a power of two */
  uint32_t counter_count;       /* of goals */
  uint32_t *counters;    /* by goal of the circuit: its counter; ID_NONE: it is not counted */
  uint32_t random_count; /* random rows */
  gpu_start start;
  uint32_t result_count; /* goals that are written by game: all of g->goals, or none */
} gpu_step;

/* The net is one that plays.  Except with START_OF_RULES a step has a GPU_FLIP for every latch. */
void gpu_step_make(gpu_step *s, const grounded *g, const lane_net *net, gpu_start start,
                   arena *keep);

static inline const value_id *gpu_ins(const gpu_step *s, const gpu_instruction *i) {
  return vec_from(&s->operands, i->first_in);
}

static inline const value_id *gpu_outs(const gpu_step *s, const gpu_instruction *i) {
  return vec_from(&s->operands, i->first_out);
}

/* By value: the one operation that gives it, outside loops, so that it can be computed again
   anywhere in the step; ID_NONE: there is no such operation. */
uint32_t *gpu_step_operations(const gpu_step *s, arena *keep);

/* The largest number of live values, which says how large a step is for a device. */
uint32_t gpu_step_live(const gpu_step *s);

#endif
