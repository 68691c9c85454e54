#include "factors/factor_summary.h"

#include "factors/factors.h"

/* What a gate reads: a part, PART_COMMON, or one of these. */
#define READS_NOTHING (UINT32_MAX - 2)
#define READS_SEVERAL (UINT32_MAX - 3)

typedef struct summary_maker {
  factor_summary *s;
  const circuit *c;
  const uint32_t *part_of;
  uint32_t *reads;      /* by gate */
  uint32_t *made;       /* by gate that reads several: its number; ID_NONE: none yet */
  wire_vec parts_first; /* scratch: inputs of a gate, part after part */
  arena *keep, *scratch;
} summary_maker;

static uint32_t reads_of_both(uint32_t a, uint32_t b) {
  if (a == READS_NOTHING || a == b) return b;
  return b == READS_NOTHING ? a : READS_SEVERAL;
}

static void find_reads(summary_maker *k) {
  const circuit *c = k->c;
  for (gate_id g = 0; g < c->gates.count; g++) {
    const gate it = c->gates.items[g];
    k->reads[g] = it.kind == GATE_LATCH ? k->part_of[it.number] : READS_NOTHING;
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      k->reads[g] = reads_of_both(k->reads[g], k->reads[wire_gate(gate_inputs(c, g)[i])]);
  }
}

static uint32_t part_that(const summary_maker *k, wire w) {
  const uint32_t reads = k->reads[wire_gate(w)];
  return reads == READS_NOTHING ? PART_COMMON : reads;
}

static bool is_feature(const factor_summary *s, const factor_feature *f, uint32_t part,
                       const wire *wires, uint32_t count) {
  return f->part == part && f->count == count &&
         (!count || !memcmp(s->wires.items + f->first, wires, count * sizeof *wires));
}

static summary_literal feature_of(summary_maker *k, uint32_t part, const wire *wires,
                                  uint32_t count) {
  factor_summary *s = k->s;
  for (uint32_t i = 0; i < s->features.count; i++)
    if (is_feature(s, &s->features.items[i], part, wires, count)) return i << 2;
  const factor_feature made = {.part = part, .first = s->wires.count, .count = count};
  vec_append(k->keep, &s->wires, wires, count);
  vec_push(k->keep, &s->features, made);
  return (s->features.count - 1) << 2;
}

static summary_literal literal_of(summary_maker *k, wire w) {
  const bool negated = wire_is_negated(w);
  if (part_that(k, w) == READS_SEVERAL) return k->made[wire_gate(w)] << 2 | 2 | negated;
  if (wire_is_constant(w)) return feature_of(k, PART_COMMON, NULL, 0) | !negated;
  const wire positive = wire_not(w) < w ? wire_not(w) : w;
  return feature_of(k, part_that(k, w), &positive, 1) | negated;
}

/* Inputs of one part become one feature. */
static void make_gate(summary_maker *k, gate_id g) {
  const gate it = k->c->gates.items[g];
  const wire *inputs = gate_inputs(k->c, g);
  wire_vec *same = &k->parts_first;
  VEC(summary_literal) literals = {0};
  for (uint32_t i = 0; i < it.input_count; i++) {
    const uint32_t part = part_that(k, inputs[i]);
    uint32_t earlier = 0;
    same->count = 0;
    while (earlier < i && (part == READS_SEVERAL || part_that(k, inputs[earlier]) != part))
      earlier++;
    if (earlier < i) continue;
    for (uint32_t n = i; n < it.input_count && part != READS_SEVERAL; n++)
      if (part_that(k, inputs[n]) == part) vec_push(k->scratch, same, inputs[n]);
    const summary_literal l =
        same->count > 1 ? feature_of(k, part, same->items, same->count) : literal_of(k, inputs[i]);
    vec_push(k->scratch, &literals, l);
  }
  const summary_gate made = {.first = k->s->inputs.count, .count = literals.count};
  vec_append(k->keep, &k->s->inputs, literals.items, literals.count);
  vec_push(k->keep, &k->s->gates, made);
  k->made[g] = k->s->gates.count - 1;
}

/* Gates that read several parts, below the outputs. */
static void mark_needed(summary_maker *k, const wire_vec *outputs) {
  id_vec open = {0};
  for (uint32_t i = 0; i < outputs->count; i++)
    vec_push(k->scratch, &open, wire_gate(outputs->items[i]));
  while (open.count) {
    const gate_id g = vec_pop(&open);
    if (k->reads[g] != READS_SEVERAL || k->made[g] != ID_NONE) continue;
    k->made[g] = 0;
    const wire *inputs = gate_inputs(k->c, g);
    for (uint32_t i = 0; i < k->c->gates.items[g].input_count; i++)
      vec_push(k->scratch, &open, wire_gate(inputs[i]));
  }
}

void factor_summarise(factor_summary *s, const circuit *c, const uint32_t *part_of,
                      const wire_vec *outputs, arena *keep) {
  *s = (factor_summary){0};
  summary_maker k = {.s = s, .c = c, .part_of = part_of, .keep = keep, .scratch = arena_new()};
  k.reads = arena_new_array(k.scratch, uint32_t, c->gates.count);
  k.made = arena_new_array(k.scratch, uint32_t, c->gates.count);
  for (gate_id g = 0; g < c->gates.count; g++) k.made[g] = ID_NONE;
  find_reads(&k);
  mark_needed(&k, outputs);
  for (gate_id g = 0; g < c->gates.count; g++)
    if (k.made[g] != ID_NONE) make_gate(&k, g);
  for (uint32_t i = 0; i < outputs->count; i++) {
    const summary_literal l = literal_of(&k, outputs->items[i]);
    vec_push(keep, &s->outputs, l);
  }
  arena_free(k.scratch);
}

void summary_evaluate(const factor_summary *s, const uint8_t *features, uint8_t *gates) {
  for (uint32_t g = 0; g < s->gates.count; g++) {
    const summary_gate it = s->gates.items[g];
    uint8_t value = SUMMARY_TRUE;
    for (uint32_t i = 0; i < it.count && value != SUMMARY_FALSE; i++) {
      const summary_truth input = summary_value(features, gates, s->inputs.items[it.first + i]);
      if (input != SUMMARY_TRUE) value = (uint8_t)input;
    }
    gates[g] = value;
  }
}
