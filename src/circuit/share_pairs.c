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

/* A pair that has become a gate.  As an input it is numbered behind the wires of the circuit. */
typedef struct shared_pair {
  wire a, b;     /* a < b */
  uint32_t uses; /* gates that gave it away, or are it; one alone takes both inputs back */
  wire made;     /* of `out`; ID_NONE: not yet */
} shared_pair;

typedef struct sharer {
  const circuit *in;
  rebuild *r;
  arena *scratch;
  wire *inputs;     /* of all gates, laid out as those of `in` */
  uint32_t *counts; /* by gate: how many are left */
  id_vec active;    /* gates that the round under way looks at */
  uint32_t changed; /* gates that gave pairs away, over all rounds */
  uint16_t *seen;   /* by hash of a pair of the round under way: a piece of the hash, and times */
  uint32_t seen_size, seen_mask;
  uint64_t again; /* pairs that were seen before, in the round under way */
  VEC(shared_pair) shared;
  id_table index; /* of shared pairs */
  id_vec offers;  /* of the gate under way: pairs that others have too, the most frequent first */
  id_vec unsorted;
  wire_vec names; /* of the pairs that the gate under way gives away */
  bitset moved;   /* gates of `in` that have become a gate which was there, or shared pairs */
  bitset made;    /* gates of `out` that are shared pairs */
  bool finds_all; /* every gate is looked for before it is made */
} sharer;

/* ---- is it worth it? ---- */

/* Sharing saves an operation of two inputs for each time that a pair is seen again.  What saves
   fewer than one in WORTH_IT is left as it is.  Of large circuits one pair of SAMPLED is looked at
   beforehand, chosen by its hash. */
enum { WORTH_IT = 50, SAMPLED = 8, SMALL = 1 << 16 };

static uint64_t hash_pair(wire a, wire b) {
  const uint64_t hash = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
  return (hash ^ hash >> 32) * 0xd6e8feb86659fd93u >> 32;
}

/* The hashes of the pairs that were looked at; 0 is an empty slot. */
typedef struct pair_sample {
  uint32_t *hashes;
  uint32_t mask;
} pair_sample;

/* Returns how many pairs of a gate were seen before. */
static uint32_t sample_gate(const pair_sample *s, const wire *inputs, uint32_t count) {
  uint32_t again = 0;
  for (uint32_t i = 1; i < count; i++) {
    const uint32_t hash = (uint32_t)hash_pair(inputs[i - 1], inputs[i]) | 1;
    if (hash >> 1 & (SAMPLED - 1)) continue;
    uint32_t at = hash / (2 * SAMPLED) & s->mask;
    while (s->hashes[at] && s->hashes[at] != hash) at = (at + 1) & s->mask;
    again += s->hashes[at] == hash;
    s->hashes[at] = hash;
  }
  return again;
}

static bool sample_is_worth_it(const circuit *c, uint64_t operations) {
  arena *scratch = arena_new();
  uint64_t again = 0;
  pair_sample s = {.mask = 63};
  while (s.mask < operations * 2 / SAMPLED) s.mask = s.mask * 2 + 1;
  s.hashes = arena_zero_array(scratch, uint32_t, s.mask + (size_t)1);
  const uint64_t enough = operations / (WORTH_IT * SAMPLED) + 1;
  for (gate_id g = 0; g < c->gates.count && again < enough; g++)
    if (c->gates.items[g].kind == GATE_AND)
      again += sample_gate(&s, gate_inputs(c, g), c->gates.items[g].input_count);
  arena_free(scratch);
  return again >= enough;
}

/* Small circuits are tried in any case. */
static bool may_be_worth_it(const circuit *c) {
  uint64_t operations = 0;
  for (gate_id g = 0; g < c->gates.count; g++)
    if (c->gates.items[g].kind == GATE_AND) operations += c->gates.items[g].input_count - 1;
  return operations < SMALL || sample_is_worth_it(c, operations);
}

static bool any_is_unneeded(const circuit *c, const uint32_t *fanout) {
  gate_id g = 0;
  while (g < c->gates.count && (c->gates.items[g].kind != GATE_AND || fanout[g])) g++;
  return g < c->gates.count;
}

static bool has_unneeded(const circuit *c) {
  arena *scratch = arena_new();
  const bool has = any_is_unneeded(c, circuit_fanout(c, scratch));
  arena_free(scratch);
  return has;
}

/* ---- counting ---- */

enum { TIMES_BITS = 7, TIMES_MAX = (1 << TIMES_BITS) - 1 };

static wire *inputs_of(const sharer *s, gate_id g) {
  return s->inputs + s->in->gates.items[g].number;
}

/* Where a pair is counted, or is to be: its slot, or an empty one. */
static uint16_t *slot_of(const sharer *s, wire a, wire b, uint16_t *tag) {
  const uint64_t hash = hash_pair(a, b);
  uint32_t at = (uint32_t)hash & s->seen_mask;
  *tag = (uint16_t)((hash >> 23) << TIMES_BITS);
  while (s->seen[at] && s->seen[at] >> TIMES_BITS != *tag >> TIMES_BITS)
    at = (at + 1) & s->seen_mask;
  return &s->seen[at];
}

static void count_pairs(sharer *s, gate_id g) {
  const wire *inputs = inputs_of(s, g);
  for (uint32_t i = 1; i < s->counts[g]; i++) {
    uint16_t tag, *slot = slot_of(s, inputs[i - 1], inputs[i], &tag);
    s->again += *slot != 0;
    if (!*slot)
      *slot = tag | 1;
    else if ((*slot & TIMES_MAX) < TIMES_MAX)
      ++*slot;
  }
}

enum { FEW_PAIRS = 1 << 14 };

/* How many slots so many pairs take: few are to be found at once, many to lie close together. */
static uint32_t slots_for(uint64_t pairs) {
  uint32_t slots = 64;
  while (slots <= pairs + (pairs < FEW_PAIRS ? pairs : pairs / 4)) slots *= 2;
  return slots;
}

/* Returns how many there are. */
static uint64_t count_all_pairs(sharer *s) {
  uint64_t pairs = 0;
  for (uint32_t i = 0; i < s->active.count; i++) pairs += s->counts[s->active.items[i]] - 1;
  s->seen_mask = slots_for(pairs) - 1;
  memset(s->seen, 0, (s->seen_mask + (size_t)1) * sizeof *s->seen);
  s->again = 0;
  for (uint32_t i = 0; i < s->active.count; i++) count_pairs(s, s->active.items[i]);
  return pairs;
}

/* ---- sharing ---- */

static uint64_t hash_of_shared(const void *context, uint32_t id) {
  const sharer *s = context;
  return hash_pair(s->shared.items[id].a, s->shared.items[id].b);
}

/* Where in the index a shared pair is, or is to be. */
static uint32_t find_shared(const sharer *s, wire a, wire b) {
  uint32_t at = id_table_first(&s->index, hash_pair(a, b));
  for (; s->index.slots[at] != ID_NONE; at = id_table_next(&s->index, at)) {
    const shared_pair *p = &s->shared.items[s->index.slots[at]];
    if (p->a == a && p->b == b) break;
  }
  return at;
}

static wire name_pair(sharer *s, wire a, wire b) {
  id_table_reserve(&s->index, s->scratch, hash_of_shared, s);
  const uint32_t at = find_shared(s, a, b);
  if (s->index.slots[at] == ID_NONE) {
    const shared_pair fresh = {.a = a, .b = b, .made = ID_NONE};
    id_table_put(&s->index, at, s->shared.count);
    vec_push(s->scratch, &s->shared, fresh);
  }
  s->shared.items[s->index.slots[at]].uses++;
  return s->in->gates.count * 2 + s->index.slots[at];
}

/* An offer is a place among the inputs, and above it how seldom the pair there is. */
enum { PLACE_BITS = 24, FEW_OFFERS = 32 };

static uint32_t place_of_offer(uint32_t offer) { return offer & ((1u << PLACE_BITS) - 1); }

/* The most frequent pairs first, in the order of their places. */
static void sort_offers(sharer *s) {
  uint32_t starts[TIMES_MAX + 1] = {0};
  if (s->offers.count <= FEW_OFFERS) {
    sort_ids(s->offers.items, s->offers.count);
    return;
  }
  s->unsorted.count = 0;
  vec_append(s->scratch, &s->unsorted, s->offers.items, s->offers.count);
  for (uint32_t i = 0; i < s->unsorted.count; i++) starts[s->unsorted.items[i] >> PLACE_BITS]++;
  for (uint32_t i = 0, before = 0; i <= TIMES_MAX; i++) {
    before += starts[i];
    starts[i] = before - starts[i];
  }
  for (uint32_t i = 0; i < s->unsorted.count; i++)
    s->offers.items[starts[s->unsorted.items[i] >> PLACE_BITS]++] = s->unsorted.items[i];
}

static void list_offers(sharer *s, gate_id g) {
  const wire *inputs = inputs_of(s, g);
  s->offers.count = 0;
  for (uint32_t i = 0; i + 1 < s->counts[g] && i < 1u << PLACE_BITS; i++) {
    uint16_t tag;
    const uint32_t times = *slot_of(s, inputs[i], inputs[i + 1], &tag) & TIMES_MAX;
    if (times > 1) vec_push(s->scratch, &s->offers, (TIMES_MAX - times) << PLACE_BITS | i);
  }
  sort_offers(s);
}

/* Replaces pairs by their names, which sort behind all other inputs; each input at most once. */
static void replace_offered(sharer *s, gate_id g) {
  wire *inputs = inputs_of(s, g);
  uint32_t kept = 0;
  s->names.count = 0;
  for (uint32_t i = 0; i < s->offers.count; i++) {
    const uint32_t at = place_of_offer(s->offers.items[i]);
    if (inputs[at] == ID_NONE || inputs[at + 1] == ID_NONE) continue;
    const wire name = name_pair(s, inputs[at], inputs[at + 1]);
    vec_push(s->scratch, &s->names, name);
    inputs[at] = inputs[at + 1] = ID_NONE;
  }
  for (uint32_t i = 0; i < s->counts[g]; i++)
    if (inputs[i] != ID_NONE) inputs[kept++] = inputs[i];
  sort_wires(s->names.items, s->names.count);
  memcpy(inputs + kept, s->names.items, s->names.count * sizeof *inputs);
  s->counts[g] = kept + s->names.count;
}

/* Gives pairs away that have been counted.  Returns true if any was. */
static bool share_counted(sharer *s) {
  uint32_t changed = 0;
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

/* The gate of a shared pair; pairs of pairs are as deep as there are rounds. */
static wire make_shared(sharer *s, shared_pair *p) {
  if (p->made != ID_NONE) return p->made;
  const uint32_t wires = s->in->gates.count * 2;
  const wire a =
      p->a < wires ? rebuild_wire(s->r, p->a) : make_shared(s, &s->shared.items[p->a - wires]);
  const wire b =
      p->b < wires ? rebuild_wire(s->r, p->b) : make_shared(s, &s->shared.items[p->b - wires]);
  p->made = make_and_of_two(&s->r->maker, a, b);
  bitset_add(s->made, wire_gate(p->made));
  return p->made;
}

/* Gates of two inputs use the pair that they are, and become its gate.  Most are none: `seen` tells
   which may be. */
static void find_gates_of_two(sharer *s) {
  if (!s->shared.count) return;
  s->seen_mask = s->seen_size - 1;
  memset(s->seen, 0, s->seen_size * sizeof *s->seen);
  for (uint32_t i = 0; i < s->shared.count; i++) s->seen[hash_of_shared(s, i) & s->seen_mask] = 1;
  for (gate_id g = 0; g < s->in->gates.count; g++) {
    const wire *inputs = inputs_of(s, g);
    if (s->counts[g] != 2 || !s->seen[hash_pair(inputs[0], inputs[1]) & s->seen_mask]) continue;
    const uint32_t found = s->index.slots[find_shared(s, inputs[0], inputs[1])];
    if (found == ID_NONE) continue;
    s->shared.items[found].uses++;
    bitset_add(s->moved, g);
  }
}

/* Adds an input to those of the gate that is made.  A pair that no other gate uses is taken apart,
   which goes as deep as there are rounds. */
static void add_input(sharer *s, wire w) {
  const uint32_t wires = s->in->gates.count * 2;
  if (w < wires) {
    vec_push(s->r->scratch, &s->r->inputs, rebuild_wire(s->r, w));
    return;
  }
  shared_pair *p = &s->shared.items[w - wires];
  if (p->uses == 1) {
    add_input(s, p->a);
    add_input(s, p->b);
  } else {
    vec_push(s->r->scratch, &s->r->inputs, make_shared(s, p));
  }
}

/* Reads the new inputs of a gate. */
static void read_inputs(sharer *s, gate_id g) {
  const wire *inputs = inputs_of(s, g);
  s->r->inputs.count = 0;
  for (uint32_t i = 0; i < s->counts[g]; i++) add_input(s, inputs[i]);
}

/* Copies a gate that was not changed: it is unlike all others, unless it is a shared pair, reads
   one, or reads what has become another gate.  False: it may be like another. */
static bool copy_gate(sharer *s, gate_id g, wire *made) {
  const circuit *in = s->in;
  circuit *out = s->r->out;
  const uint32_t count = s->counts[g];
  if (s->finds_all || count != in->gates.items[g].input_count || bitset_has(s->moved, g))
    return false;
  const wire *inputs = gate_inputs(in, g);
  vec_reserve(out->keep, &out->inputs, count);
  wire *to = out->inputs.items + out->inputs.count;
  for (uint32_t i = 0; i < count; i++) {
    if (bitset_has(s->moved, wire_gate(inputs[i]))) return false;
    to[i] = rebuild_wire(s->r, inputs[i]);
  }
  sort_wires(to, count);
  *made = make_written(&s->r->maker, count);
  return true;
}

static wire make_gate(rebuild *r, gate_id g, void *context) {
  sharer *s = context;
  wire made;
  if (copy_gate(s, g, &made)) return made;
  read_inputs(s, g);
  const gate_id fresh = r->out->gates.count;
  made = make_and(&r->maker, r->inputs.items, r->inputs.count);
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
  s->seen_size = slots_for(in->inputs.count);
  s->seen = arena_new_array(s->scratch, uint16_t, s->seen_size);
  s->moved = bitset_new(s->scratch, in->gates.count);
}

/* Marks the latches that become others, and those others: what reads them may become like another
   gate. */
static void mark_merged(sharer *s, const wire *latch_wires) {
  const circuit *in = s->in;
  for (uint32_t i = 0; latch_wires && i < in->latches.count; i++) {
    if (latch_wires[i] == ID_NONE) continue;
    bitset_add(s->moved, in->latches.items[i].gate);
    bitset_add(s->moved, wire_gate(latch_wires[i]));
  }
}

static bool any_is_merged(const circuit *c, const wire *latch_wires) {
  for (uint32_t i = 0; latch_wires && i < c->latches.count; i++)
    if (latch_wires[i] != ID_NONE) return true;
  return false;
}

/* Shares pairs in several rounds; false: that gains too little, and none is shared. */
static bool share_pairs(sharer *s, budget *limits) {
  const uint64_t pairs = count_all_pairs(s);
  if (s->again < pairs / WORTH_IT + 1) return false;
  for (uint32_t i = 1; share_counted(s) && i < ROUNDS_MAX && !budget_is_spent(limits); i++)
    count_all_pairs(s);
  find_gates_of_two(s);
  return true;
}

bool circuit_share_pairs(circuit *out, const circuit *in, const wire *latch_wires, arena *keep,
                         budget *limits) {
  const bool merges = any_is_merged(in, latch_wires), tries = may_be_worth_it(in);
  if (!tries && !merges && !has_unneeded(in)) return false;
  rebuild r;
  rebuild_begin(&r, out, in, latch_wires, keep);
  r.limits = limits;
  sharer s = {.in = in, .r = &r, .scratch = r.scratch};
  prepare(&s);
  const bool shares = tries && share_pairs(&s, limits);
  if (!shares && !merges && !any_is_unneeded(in, r.fanout)) {
    rebuild_free(&r);
    return false;
  }
  mark_merged(&s, latch_wires);
  s.made = bitset_new(s.scratch, r.out->gates.count + in->gates.count + s.shared.count);
  r.maker.index.expected = (s.shared.count + s.changed) * 2;
  rebuild_gates(&r, make_gate, &s);
  rebuild_end(&r);
  return true;
}
