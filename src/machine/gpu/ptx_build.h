/* What the files that write PTX share. */
#ifndef TABIA_MACHINE_GPU_PTX_BUILD_H
#define TABIA_MACHINE_GPU_PTX_BUILD_H

#include "machine/gpu/ptx_writer.h"

/* More goals than this are counted in shared memory, where a goal holds; others in registers. */
enum { GOALS_IN_REGISTERS = 8 };

typedef struct ptx_builder {
  ptx_program *p;
  const gpu_step *s;
  text *out;
  uint32_t labels;
  /* rows of a block in scratch, and in shared memory */
  uint32_t latch_row, state_row, age_row;
  uint32_t goal_bytes, length_bytes; /* where counters are in shared memory */
  const char *purpose;               /* of what was written last */
  bool has_common_rounds;            /* %h0..%h4 are those of the step (ptx_draw.c) */
} ptx_builder;

void ptx_line(ptx_builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ptx_label(ptx_builder *b, uint32_t label);

/* Says in a comment what the instructions that follow are for, where that is something else:
   readers of the text like it, and the emulator counts by it. */
void ptx_purpose(ptx_builder *b, const char *purpose);

/* The address of a row, relative to the thread's own: "%own+4096". */
static inline uint32_t ptx_row_bytes(const ptx_builder *b, uint32_t row) {
  return row * b->p->shape.threads * 4;
}

/* The instructions of a step, with the loads and stores between. */
void ptx_put_actions(ptx_builder *b);

static inline bool ptx_is_each(const ptx_builder *b) { return b->s->start == START_OF_EACH; }

/* %flips and %results become those of word %left of the queue. */
void ptx_put_places(ptx_builder *b);

/* Takes the highest lane out of a set: its number is in %t2, its bit in %t3. */
void ptx_take_lane(ptx_builder *b, const char *lanes);

/* Adds the number of lanes of a register to a sum. */
void ptx_add_lanes(ptx_builder *b, const char *lanes, ptx_sum sum);

/* Counts the games that wait to be counted, at the end of a launch. */
void ptx_count_rest(ptx_builder *b);

/* ---- instructions that are not logic ---- */

void ptx_put_ended(ptx_builder *b, const gpu_instruction *i);
void ptx_put_goal(ptx_builder *b, const gpu_instruction *i);
void ptx_put_faults(ptx_builder *b, const gpu_instruction *i);
void ptx_put_result(ptx_builder *b, const gpu_instruction *i);
void ptx_put_close(ptx_builder *b, const gpu_instruction *i);
void ptx_put_lengths(ptx_builder *b, const gpu_instruction *i);
void ptx_put_older(ptx_builder *b, const gpu_instruction *i);
void ptx_put_stuck(ptx_builder *b, const gpu_instruction *i);
void ptx_put_random(ptx_builder *b, const gpu_instruction *i);
void ptx_put_redraw(ptx_builder *b, const gpu_instruction *i);

#endif
