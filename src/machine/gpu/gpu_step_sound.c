#include "machine/gpu/gpu_step_sound.h"

typedef struct step_reader {
  const gpu_step *s;
  bitset given;  /* values that instructions so far have given */
  bitset places; /* those of GPU_PLACE */
  bool is_in_loop;
} step_reader;

static bool operands_are_there(const gpu_step *s, const gpu_instruction *it) {
  if ((uint64_t)it->first_in + it->in_count > s->operands.count ||
      (uint64_t)it->first_out + it->out_count > s->operands.count)
    return false;
  for (uint32_t i = 0; i < it->in_count; i++)
    if (gpu_ins(s, it)[i] >= s->value_count) return false;
  for (uint32_t i = 0; i < it->out_count; i++)
    if (gpu_outs(s, it)[i] == VALUE_FALSE || gpu_outs(s, it)[i] >= s->value_count) return false;
  return true;
}

static bool number_is_in_bounds(const gpu_step *s, const gpu_instruction *it) {
  switch (it->kind) {
    case GPU_TABLE: return it->in_count == 3 && it->out_count == 1;
    case GPU_GOAL: return it->number < s->counter_count;
    case GPU_RESULT: return it->number < s->result_count;
    case GPU_RANDOM: return it->number * 4 < s->random_count;
    case GPU_REDRAW: return it->number < s->net->draws.count;
    case GPU_FLIP: return it->number < s->net->latches.count;
    default: return true;
  }
}

/* A loop has no loop inside. */
static bool go_through_loop(step_reader *r, gpu_kind kind) {
  const bool is_right = (kind == GPU_LOOP || kind == GPU_REPEAT || kind == GPU_SETTLE)
                            ? r->is_in_loop == (kind != GPU_LOOP)
                            : true;
  r->is_in_loop = kind == GPU_LOOP || (r->is_in_loop && kind != GPU_REPEAT);
  return is_right;
}

/* The place that is settled is given again. */
static bool settles_its_place(const step_reader *r, const gpu_instruction *it) {
  return it->in_count == 2 && it->out_count == 1 && gpu_ins(r->s, it)[0] == gpu_outs(r->s, it)[0] &&
         bitset_has(r->places, gpu_outs(r->s, it)[0]);
}

static bool instruction_is_sound(step_reader *r, const gpu_instruction *it) {
  if (!operands_are_there(r->s, it) || !number_is_in_bounds(r->s, it) ||
      !go_through_loop(r, it->kind))
    return false;
  for (uint32_t i = 0; i < it->in_count; i++)
    if (!bitset_has(r->given, gpu_ins(r->s, it)[i])) return false;
  if (it->kind == GPU_SETTLE) return settles_its_place(r, it);
  for (uint32_t i = 0; i < it->out_count; i++) {
    const value_id v = gpu_outs(r->s, it)[i];
    if (!bitset_insert(r->given, v)) return false;
    if (it->kind == GPU_PLACE) bitset_add(r->places, v);
  }
  return true;
}

static bool give_latches(step_reader *r) {
  for (uint32_t i = 0; i < r->s->latch_count; i++)
    if (r->s->latch_of[i] >= r->s->value_count || !bitset_insert(r->given, r->s->latch_of[i]))
      return false;
  return true;
}

static bool latches_go_on(const step_reader *r) {
  for (uint32_t i = 0; i < r->s->latch_count; i++)
    if (r->s->next_of[i] >= r->s->value_count || !bitset_has(r->given, r->s->next_of[i]))
      return false;
  return !r->is_in_loop;
}

bool gpu_step_is_sound(const gpu_step *s) {
  arena *scratch = arena_new();
  step_reader r = {s, bitset_new(scratch, s->value_count), bitset_new(scratch, s->value_count),
                   false};
  bitset_add(r.given, VALUE_FALSE);
  bool ok = give_latches(&r);
  for (uint32_t i = 0; ok && i < s->all.count; i++) ok = instruction_is_sound(&r, &s->all.items[i]);
  ok = ok && latches_go_on(&r);
  arena_free(scratch);
  return ok;
}
