/* Pairs of inputs that several gates have in common.

   In each round the pairs of neighbours are counted, and each gate gives those of its pairs away
   that most gates have; what was shared in one round can be paired in the next.  A gate that gave
   none away is not looked at again. */
#include "base/bitset.h"
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
  id_vec active;    /* gates that the round under way looks at */
  uint32_t changed; /* gates that gave pairs away, over all rounds */
  uint8_t *seen;    /* by hash of a pair: how often, two standing for more */
  uint32_t seen_mask;
  VEC(pair) pairs; /* those that may have been seen twice */
  id_table index;
  uint32_t *pair_at; /* by input: its pair with the next one, or ID_NONE; before: its `seen` */
  VEC(shared_pair) shared;
  VEC(uint64_t)
  offers;         /* of the gate under way: the pairs that others have too, the most frequent
                     first */
  wire_vec names; /* of the pairs that the gate under way gives away */
  bitset moved;   /* gates of `in` that have become a gate which was there, or shared pairs */
  bitset made;    /* gates of `out` that are shared pairs */
  bool finds_all; /* every gate is looked for before it is made */
} sharer;

/* ---- is it worth it? ---- */

/* Sharing saves an operation of two inputs for each time that a pair is seen again.  What saves
   fewer than one in WORTH_IT is left as it is.  In large circuits one pair of SAMPLED is looked at,
   chosen by its hash. */
enum { WORTH_IT = 50, SAMPLED = 8, SMALL = 1 << 14 };

static uint64_t hash_pair(wire a, wire b) {
  const uint64_t hash = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
  return (hash ^ hash >> 32) * 0xd6e8feb86659fd93u >> 32;
}

/* The hashes of the pairs that were looked at; 0 is an empty slot. */
typedef struct pair_sample {
  uint32_t *hashes;
  uint32_t mask;
  uint32_t every; /* one pair of so many is looked at */
} pair_sample;

/* Gives back how many pairs of a gate were seen before. */
static uint32_t sample_gate(const pair_sample *s, const wire *inputs, uint32_t count) {
  uint32_t again = 0;
  for (uint32_t i = 1; i < count; i++) {
    const uint32_t hash = (uint32_t)hash_pair(inputs[i - 1], inputs[i]) | 1;
    if ((hash >> 1) % s->every) continue;
    uint32_t at = hash / (2 * SAMPLED) & s->mask;
    while (s->hashes[at] && s->hashes[at] != hash) at = (at + 1) & s->mask;
    again += s->hashes[at] == hash;
    s->hashes[at] = hash;
  }
  return again;
}

static bool is_worth_it(const circuit *c) {
  arena *scratch = arena_new();
  uint64_t operations = 0, again = 0;
  for (gate_id g = 0; g < c->gates.count; g++)
    if (c->gates.items[g].kind == GATE_AND) operations += c->gates.items[g].input_count - 1;
  pair_sample s = {.mask = 63, .every = operations < SMALL ? 1 : SAMPLED};
  while (s.mask < operations * 2 / s.every) s.mask = s.mask * 2 + 1;
  s.hashes = arena_zero_array(scratch, uint32_t, s.mask + (size_t)1);
  const uint64_t enough = operations / (WORTH_IT * s.every) + 1;
  for (gate_id g = 0; g < c->gates.count && again < enough; g++)
    if (c->gates.items[g].kind == GATE_AND)
      again += sample_gate(&s, gate_inputs(c, g), c->gates.items[g].input_count);
  arena_free(scratch);
  return again >= enough;
}

static bool has_unneeded(const circuit *c) {
  arena *scratch = arena_new();
  const uint32_t *fanout = circuit_fanout(c, scratch);
  gate_id g = 0;
  while (g < c->gates.count && (c->gates.items[g].kind != GATE_AND || fanout[g])) g++;
  arena_free(scratch);
  return g < c->gates.count;
}

/* ---- counting ---- */

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
  return &s->seen[(uint32_t)hash_pair(a, b) & s->seen_mask];
}

/* Gives back how many pairs were seen for the second time. */
static uint32_t see_pairs(sharer *s, gate_id g) {
  const wire *inputs = inputs_of(s, g);
  uint32_t *slots = pairs_of(s, g);
  uint32_t twice = 0;
  for (uint32_t i = 1; i < s->counts[g]; i++) {
    slots[i - 1] = (uint32_t)hash_pair(inputs[i - 1], inputs[i]) & s->seen_mask;
    uint8_t *seen = &s->seen[slots[i - 1]];
    twice += *seen == 1;
    *seen += *seen < 2;
  }
  return twice;
}

/* Most pairs are of one gate alone: only the others are looked up. */
static void count_pairs(sharer *s, gate_id g) {
  const wire *inputs = inputs_of(s, g);
  uint32_t *pairs = pairs_of(s, g);
  for (uint32_t i = 1; i < s->counts[g]; i++) {
    const bool is_seen_twice = s->seen[pairs[i - 1]] == 2;
    pairs[i - 1] = ID_NONE;
    if (!is_seen_twice) continue;
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

/* Replaces pairs by their names, which sort behind all other inputs; each input at most once. */
static void replace_offered(sharer *s, gate_id g) {
  wire *inputs = inputs_of(s, g);
  uint32_t kept = 0;
  s->names.count = 0;
  for (uint32_t i = 0; i < s->offers.count; i++) {
    const uint32_t at = place_of_offer(s->offers.items[i]);
    if (inputs[at] == ID_NONE || inputs[at + 1] == ID_NONE) continue;
    const wire name = name_of_pair(s, &s->pairs.items[pairs_of(s, g)[at]]);
    vec_push(s->scratch, &s->names, name);
    inputs[at] = inputs[at + 1] = ID_NONE;
  }
  for (uint32_t i = 0; i < s->counts[g]; i++)
    if (inputs[i] != ID_NONE) inputs[kept++] = inputs[i];
  sort_ids(s->names.items, s->names.count);
  memcpy(inputs + kept, s->names.items, s->names.count * sizeof *inputs);
  s->counts[g] = kept + s->names.count;
}

static void count_all_pairs(sharer *s) {
  uint32_t twice = 0;
  arena_clear(s->round);
  s->index = (id_table){0};
  memset(&s->pairs, 0, sizeof s->pairs);
  memset(s->seen, 0, s->seen_mask + (size_t)1);
  for (uint32_t i = 0; i < s->active.count; i++) twice += see_pairs(s, s->active.items[i]);
  id_table_expect(&s->index, s->round, twice);
  vec_reserve(s->round, &s->pairs, twice);
  for (uint32_t i = 0; i < s->active.count; i++) count_pairs(s, s->active.items[i]);
}

/* Tells whether anything was shared. */
static bool share_round(sharer *s) {
  uint32_t changed = 0;
  count_all_pairs(s);
  for (uint32_t i = 0; i < s->active.count; i++) {
    const gate_id g = s->active.items[i];
    if (s->counts[g] < 3) continue; /* a gate of two inputs is its pair */
    list_offers(s, g);
    if (!s->offers.count) continue;
    replace_offered(s, g);
    s->active.items[changed++] = g;
  }
  s->active.count = changed;
  s->changed += changed;
  return changed > 0;
}

/* ---- making the gates ---- */

/* Pairs of pairs are as deep as there are rounds. */
static wire make_input_wire(sharer *s, wire w) {
  const uint32_t wires = s->in->gates.count * 2;
  if (w < wires) return rebuild_wire(s->r, w);
  shared_pair *p = &s->shared.items[w - wires];
  if (p->made != ID_NONE) return p->made;
  p->made = make_and_of_two(&s->r->maker, make_input_wire(s, p->a), make_input_wire(s, p->b));
  bitset_add(s->made, wire_gate(p->made));
  return p->made;
}

/* From here on `seen` tells which pairs may be shared. */
static void mark_shared(sharer *s) {
  memset(s->seen, 0, s->seen_mask + (size_t)1);
  for (uint32_t i = 0; i < s->shared.count; i++)
    *seen_of(s, s->shared.items[i].a, s->shared.items[i].b) = 1;
}

/* Reads the new inputs of a gate.  Tells whether there may be a gate with these: one that was not
   changed is unlike all others, but for shared pairs and what reads them or a gate of another. */
static bool read_inputs(sharer *s, gate_id g) {
  rebuild *r = s->r;
  const wire *inputs = inputs_of(s, g);
  const uint32_t count = s->counts[g];
  bool is_changed = count != s->in->gates.items[g].input_count;
  if (count == 2 && *seen_of(s, inputs[0], inputs[1])) {
    is_changed = true;
    bitset_add(s->moved, g);
  }
  r->inputs.count = 0;
  vec_reserve(r->scratch, &r->inputs, count);
  for (uint32_t i = 0; i < count; i++) {
    is_changed |= inputs[i] < s->in->gates.count * 2 && bitset_has(s->moved, wire_gate(inputs[i]));
    r->inputs.items[i] = make_input_wire(s, inputs[i]);
  }
  r->inputs.count = count;
  return is_changed;
}

static wire make_gate(rebuild *r, gate_id g, void *context) {
  sharer *s = context;
  if (!read_inputs(s, g) && !s->finds_all) {
    sort_wires(r->inputs.items, r->inputs.count);
    return make_unlike(&r->maker, r->inputs.items, r->inputs.count);
  }
  const gate_id fresh = r->out->gates.count;
  const wire made = make_and(&r->maker, r->inputs.items, r->inputs.count);
  if (wire_gate(made) >= fresh) return made;
  bitset_add(s->moved, g);
  if (!s->finds_all && !bitset_has(s->made, wire_gate(made))) {
    s->finds_all = true; /* what reads the other gate may have been made without being looked for */
    gate_maker_find_all(&r->maker);
  }
  return made;
}

/* Lays out what the rounds need. */
static void prepare(sharer *s) {
  const circuit *in = s->in;
  s->inputs = arena_new_array(s->scratch, wire, in->inputs.count + 1);
  s->counts = arena_zero_array(s->scratch, uint32_t, in->gates.count);
  if (in->inputs.count) memcpy(s->inputs, in->inputs.items, in->inputs.count * sizeof *s->inputs);
  for (gate_id g = 0; g < in->gates.count; g++) {
    if (in->gates.items[g].kind != GATE_AND || !s->r->fanout[g]) continue;
    s->counts[g] = in->gates.items[g].input_count;
    vec_push(s->scratch, &s->active, g);
  }
  s->pair_at = arena_new_array(s->scratch, uint32_t, in->inputs.count + 1);
  s->seen_mask = 63;
  while (s->seen_mask < in->inputs.count) s->seen_mask = s->seen_mask * 2 + 1;
  s->seen = arena_new_array(s->scratch, uint8_t, s->seen_mask + (size_t)1);
}

bool circuit_share_pairs(circuit *out, const circuit *in, arena *keep, budget *limits) {
  if (!is_worth_it(in) && !has_unneeded(in)) return false;
  rebuild r;
  rebuild_begin(&r, out, in, NULL, NULL, keep);
  r.limits = limits;
  sharer s = {.in = in, .r = &r, .scratch = r.scratch, .round = arena_new()};
  prepare(&s);
  for (uint32_t i = 0; i < ROUNDS_MAX && !budget_is_spent(limits) && share_round(&s);) i++;
  mark_shared(&s);
  s.moved = bitset_new(s.scratch, in->gates.count);
  s.made = bitset_new(s.scratch, r.out->gates.count + in->gates.count + s.shared.count);
  r.maker.index.expected = (s.shared.count + s.changed) * 2;
  rebuild_gates(&r, make_gate, &s);
  rebuild_end(&r);
  arena_free(s.round);
  return true;
}
