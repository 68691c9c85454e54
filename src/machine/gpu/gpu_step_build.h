/* What the files that make steps share. */
#ifndef TABIA_MACHINE_GPU_GPU_STEP_BUILD_H
#define TABIA_MACHINE_GPU_GPU_STEP_BUILD_H

#include "machine/gpu/gpu_step.h"

typedef struct step_maker {
  gpu_step *s;
  const grounded *g;
  const lane_net *net;
  arena *scratch;
  value_id *slots;   /* by slot: the value that it holds now */
  uint32_t *pending; /* by slot: what it will be given when it is read first; ID_NONE: nothing */
  void (*make)(struct step_maker *m, slot_id slot); /* gives a pending slot its value */
  uint32_t loop;                                    /* the next one */
  /* of random play */
  bitset is_drawn; /* blocks of random rows that have been made */
  value_id gone;   /* lanes that begin anew */
  /* of batches */
  const struct batch_rows *rows;
  uint32_t states;        /* the row of the first latch */
  value_id **low, **high; /* by role: the lower and the upper bits of its action, decoded */
  value_id *forced;       /* by role: lanes in which it makes its only move */
} step_maker;

/* A value, or its negation. */
typedef struct signed_value {
  value_id value;
  bool negated;
} signed_value;

static const signed_value STEP_FALSE = {VALUE_FALSE, false};

static inline signed_value step_plain(value_id v) { return (signed_value){v, false}; }

/* Tables are made of these. */
enum { TABLE_A = 0xf0, TABLE_B = 0xcc, TABLE_C = 0xaa };

/* ---- instructions ---- */

/* First comes the instruction, then all that it takes, then all that it gives. */
gpu_instruction *step_begin(step_maker *m, gpu_kind kind, uint32_t number);
void step_take(step_maker *m, value_id v);
value_id step_give(step_maker *m);

value_id step_table(step_maker *m, uint8_t table, signed_value a, signed_value b, signed_value c);

/* A signed value as a value. */
value_id step_value_of(step_maker *m, signed_value a);

/* ---- operations of the program ---- */

/* Nothing is pending. */
void step_begin_slots(step_maker *m);

/* A row of the net, as it is now. */
signed_value step_root(step_maker *m, uint32_t root);

void step_phase(step_maker *m, lane_phase phase);
void step_skip_phase(step_maker *m, lane_phase phase);

/* Removes operations whose value is not read. */
void step_drop_unread(gpu_step *s, arena *scratch);

#endif
