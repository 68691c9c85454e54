#include "machine/gpu/gpu_step_build.h"

#include <string.h>

/* ---- instructions ---- */

gpu_instruction *step_begin(step_maker *m, gpu_kind kind, uint32_t number) {
  const gpu_instruction i = {.kind = kind, .number = number, .first_in = m->s->operands.count};
  vec_push(m->s->keep, &m->s->all, i);
  return &vec_last(&m->s->all);
}

void step_take(step_maker *m, value_id v) {
  vec_push(m->s->keep, &m->s->operands, v);
  vec_last(&m->s->all).in_count++;
}

/* Outputs come behind all inputs. */
static void give_value(step_maker *m, value_id v) {
  gpu_instruction *i = &vec_last(&m->s->all);
  if (!i->out_count++) i->first_out = m->s->operands.count;
  vec_push(m->s->keep, &m->s->operands, v);
}

value_id step_give(step_maker *m) {
  const value_id v = m->s->value_count++;
  give_value(m, v);
  return v;
}

/* The same table with one input negated. */
static uint8_t negate_input(uint8_t table, uint32_t input) {
  uint8_t out = 0;
  for (uint32_t row = 0; row < 8; row++)
    out |= (uint8_t)((table >> (row ^ 4u >> input) & 1) << row);
  return out;
}

value_id step_table(step_maker *m, uint8_t table, signed_value a, signed_value b, signed_value c) {
  const signed_value in[TABLE_INPUTS] = {a, b, c};
  gpu_instruction *i = step_begin(m, GPU_TABLE, 0);
  for (uint32_t k = 0; k < TABLE_INPUTS; k++)
    if (in[k].negated) table = negate_input(table, k);
  i->table = table;
  for (uint32_t k = 0; k < TABLE_INPUTS; k++) step_take(m, in[k].value);
  return step_give(m);
}

static void make_ready(step_maker *m, slot_id slot) {
  if (m->pending[slot] != ID_NONE) m->make(m, slot);
}

signed_value step_root(step_maker *m, uint32_t root) {
  const lane_row r = m->net->rows[root];
  make_ready(m, r.slot);
  return (signed_value){m->slots[r.slot], r.negated};
}

/* A signed_value as a value. */
value_id step_value_of(step_maker *m, signed_value a) {
  if (!a.negated) return a.value;
  return step_table(m, TABLE_A, a, STEP_FALSE, STEP_FALSE);
}

/* ---- operations of the program ---- */

void step_begin_slots(step_maker *m) {
  const uint32_t count = m->net->program.slot_count;
  m->slots = arena_zero_array(m->scratch, value_id, count);
  m->pending = arena_new_array(m->scratch, uint32_t, count);
  memset(m->pending, 0xff, count * sizeof *m->pending);
}

static value_id read_slot(step_maker *m, slot_id slot) {
  make_ready(m, slot);
  return slot == SLOT_FALSE ? VALUE_FALSE : m->slots[slot];
}

static void put_op(step_maker *m, const lane_op *op) {
  for (uint32_t k = 0; k < TABLE_INPUTS; k++) make_ready(m, op->in[k]);
  gpu_instruction *i = step_begin(m, GPU_TABLE, 0);
  i->table = op->table;
  for (uint32_t k = 0; k < TABLE_INPUTS; k++) step_take(m, read_slot(m, op->in[k]));
  m->slots[op->out] = step_give(m);
  m->pending[op->out] = ID_NONE; /* what it would have been given is needed no more */
}

static void put_ops(step_maker *m, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++) put_op(m, &m->net->program.ops.items[i]);
}

static void put_places(step_maker *m, const lane_loop *l) {
  for (uint32_t i = 0; i < l->place_count; i++) {
    step_begin(m, GPU_PLACE, 0);
    m->slots[m->net->program.places.items[l->first_place + i].place] = step_give(m);
  }
}

static void put_settling(step_maker *m, const lane_loop *l) {
  for (uint32_t i = 0; i < l->place_count; i++) {
    const lane_place *p = &m->net->program.places.items[l->first_place + i];
    const value_id place = m->slots[p->place], definition = read_slot(m, p->definition);
    step_begin(m, GPU_SETTLE, 0)->table = p->negated;
    step_take(m, place);
    step_take(m, definition);
    give_value(m, place);
  }
}

static void put_loop(step_maker *m, const lane_loop *l) {
  put_places(m, l);
  step_begin(m, GPU_LOOP, m->loop);
  put_ops(m, l->first, l->end);
  put_settling(m, l);
  step_begin(m, GPU_REPEAT, m->loop);
}

void step_skip_phase(step_maker *m, lane_phase phase) {
  const lane_loop_vec *loops = &m->net->program.loops;
  while (m->loop < loops->count && loops->items[m->loop].phase == phase) m->loop++;
}

void step_phase(step_maker *m, lane_phase phase) {
  const lane_program *p = &m->net->program;
  uint32_t at = phase ? p->phase_end[phase - 1] : 0;
  for (; m->loop < p->loops.count && p->loops.items[m->loop].phase == phase; m->loop++) {
    const lane_loop *l = &p->loops.items[m->loop];
    put_ops(m, at, l->first);
    put_loop(m, l);
    at = l->end;
  }
  put_ops(m, at, p->phase_end[phase]);
}

/* ---- what nobody reads ---- */

static bool is_wanted(const gpu_step *s, const gpu_instruction *i, bitset needed) {
  const bool is_pure = i->kind == GPU_TABLE || i->kind == GPU_READ;
  return !is_pure || bitset_has(needed, gpu_outs(s, i)[0]);
}

/* Leaves out operations whose value nobody reads. */
void step_drop_unread(gpu_step *s, arena *scratch) {
  bitset needed = bitset_new(scratch, s->value_count);
  for (uint32_t i = 0; i < s->latch_count; i++) bitset_add(needed, s->next_of[i]);
  for (uint32_t i = s->all.count; i-- > 0;) {
    const gpu_instruction *it = &s->all.items[i];
    if (it->kind == GPU_REPEAT) /* places are defined behind their readers */
      for (uint32_t k = i; s->all.items[k].kind != GPU_LOOP; k--)
        for (uint32_t j = 0; j < s->all.items[k].in_count; j++)
          bitset_add(needed, gpu_ins(s, &s->all.items[k])[j]);
    if (!is_wanted(s, it, needed)) continue;
    for (uint32_t k = 0; k < it->in_count; k++) bitset_add(needed, gpu_ins(s, it)[k]);
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->all.count; i++)
    if (is_wanted(s, &s->all.items[i], needed)) s->all.items[kept++] = s->all.items[i];
  s->all.count = kept;
}
