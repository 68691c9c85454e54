/* Pairs of inputs that several gates have in common.

   In each round the pairs of neighbours are counted, and each gate gives those of its pairs away
   that most gates have; what was shared in one round can be paired in the next. */
#include "base/sort.h"
#include "circuit/passes.h"
#include "circuit/rebuild.h"

#include <string.h>

/* Measured on built-in games: with every pair of a gate and ten rounds there are one in a hundred
   operations less to play, for ten times the work. */
enum { ROUNDS_MAX = 3 };

/* Two neighbours among the inputs of a gate, in the round under way. */
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

typedef struct sharer {
  const circuit *in;
  rebuild *r;
  arena *scratch, *round;
  wire *inputs;     /* of all gates, laid out as those of `in` */
  uint32_t *counts; /* by gate: how many are left */
  uint8_t *seen;    /* by hash of a pair: how often, two standing for more */
  uint32_t seen_mask;
  VEC(pair) pairs; /* those that may have been seen twice */
  id_table index;
  uint32_t *pair_at; /* by input: its pair with the next one, or ID_NONE */
  VEC(shared_pair) shared;
  VEC(uint64_t)
  offers;      /* of the gate under way: the pairs that others have too, the most frequent
                  first */
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

static uint32_t *pairs_of(const sharer *s, gate_id g) {
  return s->pair_at + s->in->gates.items[g].number;
}

static uint8_t *seen_of(const sharer *s, wire a, wire b) {
  return &s->seen[hash_pair(a, b) >> 32 & s->seen_mask];
}

static void see_pairs(sharer *s, gate_id g) {
  const wire *inputs = inputs_of(s, g);
  for (uint32_t i = 1; i < s->counts[g]; i++) {
    uint8_t *seen = seen_of(s, inputs[i - 1], inputs[i]);
    if (*seen < 2) ++*seen;
  }
}

/* Most pairs are of one gate alone: only the others are looked up. */
static void count_pairs(sharer *s, gate_id g) {
  const wire *inputs = inputs_of(s, g);
  uint32_t *pairs = pairs_of(s, g);
  for (uint32_t i = 1; i < s->counts[g]; i++) {
    pairs[i - 1] = ID_NONE;
    if (*seen_of(s, inputs[i - 1], inputs[i]) < 2) continue;
    pairs[i - 1] = find_pair(s, inputs[i - 1], inputs[i]);
    s->pairs.items[pairs[i - 1]].times++;
  }
}

/* ---- sharing ---- */

/* An offer sorts before those of fewer gates, then by its place among the inputs. */
static uint64_t offer_of(uint32_t times, uint32_t place) {
  return (uint64_t)(UINT32_MAX - times) << 32 | place;
}

static uint32_t place_of_offer(uint64_t offer) { return (uint32_t)offer; }

static void list_offers(sharer *s, gate_id g) {
  const uint32_t *pairs = pairs_of(s, g);
  s->offers.count = 0;
  for (uint32_t i = 0; i + 1 < s->counts[g]; i++) {
    const uint32_t times = pairs[i] == ID_NONE ? 0 : s->pairs.items[pairs[i]].times;
    if (times > 1) vec_push(s->scratch, &s->offers, offer_of(times, i));
  }
  sort_keys(s->offers.items, s->offers.count);
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
    const uint32_t at = place_of_offer(s->offers.items[i]);
    if (s->taken[at] || s->taken[at + 1]) continue;
    s->taken[at] = s->taken[at + 1] = true;
    inputs[at] = name_of_pair(s, &s->pairs.items[pairs_of(s, g)[at]]);
    inputs[at + 1] = ID_NONE;
  }
  for (uint32_t i = 0; i < s->counts[g]; i++)
    if (inputs[i] != ID_NONE) inputs[kept++] = inputs[i];
  s->counts[g] = kept;
  sort_ids(inputs, kept);
}

/* Tells whether anything was shared. */
static bool share_round(sharer *s) {
  const uint32_t before = s->shared.count;
  arena_clear(s->round);
  s->index = (id_table){0};
  memset(&s->pairs, 0, sizeof s->pairs);
  memset(s->seen, 0, s->seen_mask + (size_t)1);
  for (gate_id g = 0; g < s->in->gates.count; g++) see_pairs(s, g);
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

/* Lays out what the rounds need. */
static void prepare(sharer *s) {
  const circuit *in = s->in;
  uint32_t widest = 0;
  s->inputs = arena_new_array(s->scratch, wire, in->inputs.count + 1);
  s->counts = arena_zero_array(s->scratch, uint32_t, in->gates.count);
  if (in->inputs.count) memcpy(s->inputs, in->inputs.items, in->inputs.count * sizeof *s->inputs);
  for (gate_id g = 0; g < in->gates.count; g++) {
    if (in->gates.items[g].kind != GATE_AND || !s->r->fanout[g]) continue;
    s->counts[g] = in->gates.items[g].input_count;
    if (s->counts[g] > widest) widest = s->counts[g];
  }
  s->taken = arena_new_array(s->scratch, bool, widest + 1);
  s->pair_at = arena_new_array(s->scratch, uint32_t, in->inputs.count + 1);
  s->seen_mask = 63;
  while (s->seen_mask < in->inputs.count) s->seen_mask = s->seen_mask * 2 + 1;
  s->seen = arena_new_array(s->scratch, uint8_t, s->seen_mask + (size_t)1);
}

void circuit_share_pairs(circuit *out, const circuit *in, arena *keep, budget *limits) {
  rebuild r;
  rebuild_begin(&r, out, in, NULL, NULL, keep);
  r.limits = limits;
  sharer s = {.in = in, .r = &r, .scratch = r.scratch, .round = arena_new()};
  prepare(&s);
  for (uint32_t i = 0; i < ROUNDS_MAX && !budget_is_spent(limits) && share_round(&s);) i++;
  rebuild_gates(&r, make_gate, &s);
  rebuild_end(&r);
  arena_free(s.round);
}
