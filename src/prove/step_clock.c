#include "prove/step_clock.h"

#include "circuit/rebuild.h"

/* ---- finding it ---- */

/* By latch: the one that takes over when it holds; ID_NONE: none does. */
static uint32_t *find_followers(const circuit *c, arena *scratch) {
  uint32_t *follower = arena_new_array(scratch, uint32_t, c->latches.count + (size_t)1);
  for (uint32_t l = 0; l < c->latches.count; l++) follower[l] = ID_NONE;
  for (uint32_t l = 0; l < c->latches.count; l++) {
    const circuit_latch *it = &c->latches.items[l];
    const gate before = c->gates.items[wire_gate(it->next)];
    if (before.kind == GATE_LATCH && !wire_is_negated(it->next) && !it->initially)
      follower[before.number] = l;
  }
  return follower;
}

static bool is_first(const circuit_latch *l) { return l->initially && l->next == WIRE_FALSE; }

static void follow(id_vec *latches, const uint32_t *follower, uint32_t first, arena *keep) {
  for (uint32_t l = first; l != ID_NONE; l = follower[l]) vec_push(keep, latches, l);
}

/* The first step whose latch anything but the counter reads. */
static uint32_t steps_unread(const step_clock *k, const circuit *c, arena *scratch) {
  const uint32_t *fanout = circuit_fanout(c, scratch);
  uint32_t step = 0;
  while (step < k->latches.count) {
    const bool has_follower = step + 1 < k->latches.count;
    const gate_id gate = c->latches.items[k->latches.items[step]].gate;
    if (fanout[gate] > (has_follower ? 2 : 0)) break;
    step++;
  }
  return step;
}

bool step_clock_find(step_clock *k, const circuit *c, arena *keep) {
  arena *scratch = arena_new();
  *k = (step_clock){0};
  const uint32_t *follower = find_followers(c, scratch);
  for (uint32_t l = 0; l < c->latches.count; l++) {
    id_vec latches = {0};
    if (!is_first(&c->latches.items[l])) continue;
    follow(&latches, follower, l, keep);
    if (latches.count > k->latches.count) k->latches = latches;
  }
  k->silent = steps_unread(k, c, scratch);
  arena_free(scratch);
  return k->latches.count > 1;
}

/* ---- what it excludes ---- */

/* What a gate may be: bits. */
enum { MAY_BE_FALSE = 1, MAY_BE_TRUE = 2, UNKNOWN = 3 };

static uint8_t negated(uint8_t value) { return (uint8_t)(value >> 1 | (value & 1) << 1); }

static uint8_t value_of(const uint8_t *values, wire w) {
  const uint8_t value = values[wire_gate(w)];
  return wire_is_negated(w) ? negated(value) : value;
}

static uint8_t conjunction(const circuit *c, const uint8_t *values, gate_id g) {
  const wire *inputs = gate_inputs(c, g);
  uint8_t may_be_false = 0;
  for (uint32_t i = 0; i < c->gates.items[g].input_count; i++) {
    const uint8_t value = value_of(values, inputs[i]);
    if (!(value & MAY_BE_TRUE)) return MAY_BE_FALSE;
    may_be_false |= value & MAY_BE_FALSE;
  }
  return may_be_false | MAY_BE_TRUE;
}

/* The latches of the counter are known, all else is not. */
static void evaluate(const step_clock *k, const circuit *c, uint32_t step, uint8_t *values) {
  for (gate_id g = 0; g < c->gates.count; g++) values[g] = UNKNOWN;
  values[0] = MAY_BE_FALSE;
  for (uint32_t i = 0; i < k->latches.count; i++)
    values[c->latches.items[k->latches.items[i]].gate] = i == step ? MAY_BE_TRUE : MAY_BE_FALSE;
  for (gate_id g = 0; g < c->gates.count; g++)
    if (c->gates.items[g].kind == GATE_AND) values[g] = conjunction(c, values, g);
}

uint32_t *step_clock_last(const step_clock *k, const circuit *c, arena *keep) {
  uint32_t *last = arena_zero_array(keep, uint32_t, c->targets.count + 1);
  arena *scratch = arena_new();
  uint8_t *values = arena_new_array(scratch, uint8_t, c->gates.count);
  const uint32_t steps = k->latches.count; /* then nothing changes any more */
  bool has_ended = false;
  for (uint32_t step = 0; step <= steps && !has_ended; step++) {
    evaluate(k, c, step, values);
    for (uint32_t t = 0; t < c->targets.count; t++)
      if (value_of(values, c->targets.items[t]) & MAY_BE_TRUE)
        last[t] = step < steps ? step : ID_NONE;
    has_ended = !(value_of(values, c->terminal) & MAY_BE_FALSE);
  }
  arena_free(scratch);
  return last;
}
