/* Pairs of inputs that several gates have in common.

   In each round all pairs are counted, and each gate gives those of its pairs away that most gates
   have; what was shared in one round can be paired in the next. */
#include "circuit/passes.h"
#include "circuit/rebuild.h"

#include <stdlib.h>
#include <string.h>

/* Measured on built-in games: with every pair of a gate and ten rounds there are one in a hundred
   operations less to play, for ten times the work. */
enum { ROUNDS_MAX = 2, WINDOW = 3 /* an input is paired with this many that follow it */ };

/* Two inputs of a gate, in the round under way. */
typedef struct pair {
  wire a, b; /* a < b */
  uint32_t times;
  wire name; /* ID_NONE: not shared */
} pair;

/* A pair that has become a gate.  As an input it is numbered behind the wires of the circuit. */
typedef struct shared_pair {
  wire a, b;
  wire made; /* of `out`; ID_NONE: not yet */
} shared_pair;

/* A pair of one gate, and where it stands there. */
typedef struct offer {
  uint32_t times;
  uint32_t pair;
  uint32_t i, k;
} offer;

typedef struct sharer {
  const circuit *in;
  rebuild *r;
  arena *scratch, *round;
  wire *inputs;     /* of all gates, laid out as those of `in` */
  uint32_t *counts; /* by gate: how many are left */
  VEC(pair) pairs;
  id_table index;
  VEC(shared_pair) shared;
  VEC(offer) offers;
  bool *taken; /* by input of the gate under way */
} sharer;

/* ---- counting ---- */

static uint64_t hash_pair(wire a, wire b) { return hash_mix((uint64_t)a << 32 | b); }

static uint64_t hash_of_pair(const void *context, uint32_t id) {
  const sharer *s = context;
  return hash_pair(s->pairs.items[id].a, s->pairs.items[id].b);
}

static uint32_t find_pair(sharer *s, wire a, wire b) {
  id_table_reserve(&s->index, s->round, hash_of_pair, s);
  uint32_t at = id_table_first(&s->index, hash_pair(a, b));
  for (; s->index.slots[at] != ID_NONE; at = id_table_next(&s->index, at)) {
    const pair *p = &s->pairs.items[s->index.slots[at]];
    if (p->a == a && p->b == b) return s->index.slots[at];
  }
  const pair fresh = {.a = a, .b = b, .name = ID_NONE};
  id_table_put(&s->index, at, s->pairs.count);
  vec_push(s->round, &s->pairs, fresh);
  return s->pairs.count - 1;
}

static wire *inputs_of(const sharer *s, gate_id g) {
  return s->inputs + s->in->gates.items[g].number;
}

static uint32_t window_end(const sharer *s, gate_id g, uint32_t i) {
  const uint32_t left = s->counts[g] - i - 1;
  return i + 1 + (left < WINDOW ? left : WINDOW);
}

static void count_pairs(sharer *s, gate_id g) {
  const wire *inputs = inputs_of(s, g);
  for (uint32_t i = 0; i < s->counts[g]; i++)
    for (uint32_t k = i + 1; k < window_end(s, g, i); k++) {
      const uint32_t p = find_pair(s, inputs[i], inputs[k]);
      s->pairs.items[p].times++;
    }
}

/* ---- sharing ---- */

static int compare_offers(const void *left, const void *right) {
  const offer *a = left, *b = right;
  if (a->times != b->times) return a->times > b->times ? -1 : 1;
  return (a->pair > b->pair) - (a->pair < b->pair);
}

static int compare_wires(const void *left, const void *right) {
  const wire a = *(const wire *)left, b = *(const wire *)right;
  return (a > b) - (a < b);
}

static void list_offers(sharer *s, gate_id g) {
  const wire *inputs = inputs_of(s, g);
  s->offers.count = 0;
  for (uint32_t i = 0; i < s->counts[g]; i++)
    for (uint32_t k = i + 1; k < window_end(s, g, i); k++) {
      const uint32_t p = find_pair(s, inputs[i], inputs[k]);
      const offer o = {s->pairs.items[p].times, p, i, k};
      if (o.times > 1) vec_push(s->scratch, &s->offers, o);
    }
  if (s->offers.count)
    qsort(s->offers.items, s->offers.count, sizeof *s->offers.items, compare_offers);
}

static wire name_of_pair(sharer *s, pair *p) {
  if (p->name != ID_NONE) return p->name;
  const shared_pair fresh = {.a = p->a, .b = p->b, .made = ID_NONE};
  p->name = s->in->gates.count * 2 + s->shared.count;
  vec_push(s->scratch, &s->shared, fresh);
  return p->name;
}

/* Replaces pairs by their names, each input at most once. */
static void replace_offered(sharer *s, gate_id g) {
  wire *inputs = inputs_of(s, g);
  uint32_t kept = 0;
  memset(s->taken, 0, s->counts[g] * sizeof *s->taken);
  for (uint32_t i = 0; i < s->offers.count; i++) {
    const offer *o = &s->offers.items[i];
    if (s->taken[o->i] || s->taken[o->k]) continue;
    s->taken[o->i] = s->taken[o->k] = true;
    inputs[o->i] = name_of_pair(s, &s->pairs.items[o->pair]);
    inputs[o->k] = ID_NONE;
  }
  for (uint32_t i = 0; i < s->counts[g]; i++)
    if (inputs[i] != ID_NONE) inputs[kept++] = inputs[i];
  s->counts[g] = kept;
  qsort(inputs, kept, sizeof *inputs, compare_wires);
}

/* Tells whether anything was shared. */
static bool share_round(sharer *s) {
  const uint32_t before = s->shared.count;
  arena_clear(s->round);
  s->index = (id_table){0};
  memset(&s->pairs, 0, sizeof s->pairs);
  for (gate_id g = 0; g < s->in->gates.count; g++) count_pairs(s, g);
  for (gate_id g = 0; g < s->in->gates.count; g++) {
    if (s->counts[g] < 3) continue; /* a gate of two inputs is its pair */
    list_offers(s, g);
    if (s->offers.count) replace_offered(s, g);
  }
  return s->shared.count > before;
}

/* ---- making the gates ---- */

/* Pairs of pairs are as deep as there are rounds. */
static wire make_input_wire(sharer *s, wire w) {
  const uint32_t wires = s->in->gates.count * 2;
  if (w < wires) return rebuild_wire(s->r, w);
  shared_pair *p = &s->shared.items[w - wires];
  if (p->made == ID_NONE)
    p->made = make_and_of_two(&s->r->maker, make_input_wire(s, p->a), make_input_wire(s, p->b));
  return p->made;
}

static wire make_gate(rebuild *r, gate_id g, void *context) {
  sharer *s = context;
  r->inputs.count = 0;
  for (uint32_t i = 0; i < s->counts[g]; i++)
    vec_push(r->scratch, &r->inputs, make_input_wire(s, inputs_of(s, g)[i]));
  return make_and(&r->maker, r->inputs.items, r->inputs.count);
}

static void copy_inputs(sharer *s) {
  const circuit *in = s->in;
  uint32_t widest = 0;
  s->inputs = arena_new_array(s->scratch, wire, in->inputs.count + 1);
  s->counts = arena_zero_array(s->scratch, uint32_t, in->gates.count);
  if (in->inputs.count) memcpy(s->inputs, in->inputs.items, in->inputs.count * sizeof *s->inputs);
  for (gate_id g = 0; g < in->gates.count; g++) {
    if (in->gates.items[g].kind != GATE_AND || !bitset_has(s->r->needed, g)) continue;
    s->counts[g] = in->gates.items[g].input_count;
    if (s->counts[g] > widest) widest = s->counts[g];
  }
  s->taken = arena_new_array(s->scratch, bool, widest + 1);
}

void circuit_share_pairs(circuit *out, const circuit *in, arena *keep, budget *limits) {
  rebuild r;
  rebuild_begin(&r, out, in, NULL, NULL, keep);
  sharer s = {.in = in, .r = &r, .scratch = r.scratch, .round = arena_new()};
  copy_inputs(&s);
  for (uint32_t i = 0; i < ROUNDS_MAX && !budget_is_spent(limits) && share_round(&s);) i++;
  rebuild_gates(&r, make_gate, &s);
  rebuild_end(&r);
  arena_free(s.round);
}
