/* Latches that are always equal, complementary or constant.

   Each latch is seen as 'has changed from its first value', so that all of them begin false, and
   two are candidates for one class as long as nothing tells them apart.  Play with any moves at
   all, legal or not, tells most of them apart.  What is left is proved by induction: under the
   assumption that the members of each class are equal, their next values are the same gate.  A
   class that fails is split, until all hold. */
#include "base/bitset.h"
#include "base/rng.h"
#include "circuit/passes.h"
#include "circuit/rebuild.h"
#include "circuit/simulate.h"

#include <string.h>

enum {
  PLAY_STEPS_MAX = 32,
  PLAY_STEPS_IDLE = 4,
  PLAY_WORK_MAX = 1 << 16,   /* inputs of gates that are looked at */
  REFINE_WORK_MAX = 1 << 23, /* likewise */
  PROOF_ROUNDS = 2
};

typedef struct merger {
  const circuit *in;
  arena *scratch;
  uint64_t *history; /* by latch: what is known of it, hashed; 0: it never changes */
  uint64_t *values;  /* by gate: in 64 games; then a hash of what it computes */
  wire *merged;      /* by latch: ID_NONE, or the wire of an earlier latch, or a constant */
  uint32_t *heads;   /* by hash of a history: the first latch that has it, plus one; or 0 */
  uint32_t head_mask;
  bitset has_others; /* first latches of classes of several */
} merger;

/* ---- play ---- */

static uint64_t all_if(bool yes) { return yes ? UINT64_MAX : 0; }

static void start_play(merger *m) {
  for (uint32_t i = 0; i < m->in->latches.count; i++)
    m->values[m->in->latches.items[i].gate] = all_if(m->in->latches.items[i].initially);
}

static void set_bits(uint64_t *word, uint64_t bits, bool yes) {
  if (yes)
    *word |= bits;
  else
    *word &= ~bits;
}

/* Makes the wire of an input hold, or not, in some of the games. */
static void set_input(merger *m, wire w, uint64_t games, bool yes) {
  if (!wire_is_constant(w)) set_bits(&m->values[wire_gate(w)], games, yes != wire_is_negated(w));
}

/* One move of each role in each of the 64 games. */
static void draw_moves(merger *m, rng *r) {
  const circuit *c = m->in;
  for (uint32_t i = 0; i < c->moves.count; i++)
    set_input(m, c->moves.items[i].does, UINT64_MAX, false);
  for (uint32_t role = 0; role < c->roles.count; role++) {
    const circuit_role *from = &c->roles.items[role];
    for (uint32_t game = 0; from->move_count > 1 && game < 64; game++) {
      const uint32_t move = from->first_move + rng_below(r, from->move_count);
      set_input(m, c->moves.items[move].does, UINT64_C(1) << game, true);
    }
  }
}

/* Returns true if a latch changed for the first time. */
static bool remember(merger *m, uint32_t latch) {
  const circuit_latch *l = &m->in->latches.items[latch];
  const uint64_t changed = m->values[l->gate] ^ all_if(l->initially);
  const bool is_first = !m->history[latch] && changed;
  if (m->history[latch] || changed)
    m->history[latch] = hash_mix(m->history[latch] * 3 + changed) | 1;
  return is_first;
}

static bool play_step(merger *m, const uint32_t *needed, rng *r, uint64_t *next) {
  const circuit *c = m->in;
  bool is_new = false;
  draw_moves(m, r);
  circuit_simulate_some(c, needed, m->values);
  for (uint32_t i = 0; i < c->latches.count; i++)
    next[i] = wire_value(m->values, c->latches.items[i].next);
  for (uint32_t i = 0; i < c->latches.count; i++) m->values[c->latches.items[i].gate] = next[i];
  for (uint32_t i = 0; i < c->latches.count; i++) is_new |= remember(m, i);
  return is_new;
}

/* What a step looks at: all gates, and inputs of those that are needed. */
static uint64_t work_of_step(const merger *m, const uint32_t *needed) {
  const circuit *c = m->in;
  uint64_t work = c->gates.count;
  for (gate_id g = 0; g < c->gates.count; g++) {
    const gate it = c->gates.items[g];
    if (!needed[g]) continue;
    if (it.kind == GATE_AND) work += it.input_count;
  }
  return work;
}

static void play(merger *m) {
  const circuit *c = m->in;
  rng r = rng_new(1, 0);
  uint64_t *next = arena_new_array(m->scratch, uint64_t, c->latches.count);
  wire_vec nexts = {0};
  for (uint32_t i = 0; i < c->latches.count; i++)
    vec_push(m->scratch, &nexts, c->latches.items[i].next);
  const uint32_t *needed = circuit_fanout_from(c, &nexts, m->scratch);
  const uint64_t work = work_of_step(m, needed);
  start_play(m);
  uint32_t idle = 0;
  for (uint32_t step = 0;
       step < PLAY_STEPS_MAX && idle < PLAY_STEPS_IDLE && step * work < PLAY_WORK_MAX; step++)
    idle = play_step(m, needed, &r, next) ? 0 : idle + 1;
}

/* A latch that play did not change is not taken for a constant (the grounder has found those), and
   one like the counter of a hundred steps would be told from the others a step at a time. */
static void set_apart_unchanged(merger *m) {
  for (uint32_t i = 0; i < m->in->latches.count; i++) {
    const circuit_latch *l = &m->in->latches.items[i];
    const bool is_constant = l->next == (l->initially ? WIRE_TRUE : WIRE_FALSE);
    if (!m->history[i] && !is_constant) m->history[i] = hash_mix(i + 1) | 1;
  }
}

/* ---- classes ---- */

/* The first latch with the history of this one, which may be itself. */
static uint32_t find_head(merger *m, uint32_t latch) {
  uint32_t at = (uint32_t)(m->history[latch] >> 32) & m->head_mask;
  for (; m->heads[at]; at = (at + 1) & m->head_mask)
    if (m->history[m->heads[at] - 1] == m->history[latch]) return m->heads[at] - 1;
  m->heads[at] = latch + 1;
  return latch;
}

/* The first latch of a class stands for all of it.  Returns how many stand for themselves. */
static uint32_t merge_classes(merger *m) {
  const circuit_latch *latches = m->in->latches.items;
  uint32_t classes = 0;
  memset(m->heads, 0, ((size_t)m->head_mask + 1) * sizeof *m->heads);
  bitset_clear(m->has_others);
  for (uint32_t i = 0; i < m->in->latches.count; i++) {
    if (!m->history[i]) {
      m->merged[i] = latches[i].initially ? WIRE_TRUE : WIRE_FALSE;
      continue;
    }
    const uint32_t head = find_head(m, i);
    const bool is_head = head == i;
    classes += is_head;
    if (!is_head) bitset_add(m->has_others, head);
    m->merged[i] =
        is_head ? ID_NONE
                : wire_of(latches[head].gate, latches[i].initially != latches[head].initially);
  }
  return classes;
}

static bool is_in_class(const merger *m, uint32_t latch) {
  return m->merged[latch] != ID_NONE || bitset_has(m->has_others, latch);
}

/* The next values of the latches that are to be merged, and of those that stand for them. */
static wire_vec list_merged_nexts(const merger *m) {
  wire_vec nexts = {0};
  for (uint32_t i = 0; i < m->in->latches.count; i++)
    if (is_in_class(m, i)) vec_push(m->scratch, &nexts, m->in->latches.items[i].next);
  return nexts;
}

/* ---- hashes of gates ---- */

/* The hash of a negation is the complement of the hash. */
static const uint64_t hash_of_false = 0x5bd1e995;

static uint64_t hash_of_wire(const merger *m, wire w) {
  return m->values[wire_gate(w)] ^ all_if(wire_is_negated(w));
}

static uint64_t hash_of_and(const merger *m, gate_id g) {
  uint64_t sum = 0, last = ~hash_of_false;
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->in->gates.items[g].input_count; i++) {
    const uint64_t hash = hash_of_wire(m, gate_inputs(m->in, g)[i]);
    if (hash == hash_of_false) return hash;
    if (hash == ~hash_of_false) continue;
    last = hash;
    sum += hash_mix(hash);
    count++;
  }
  return count < 2 ? last : hash_mix(sum);
}

static void hash_gates(merger *m, const uint32_t *needed) {
  const circuit *c = m->in;
  m->values[0] = hash_of_false;
  for (gate_id g = 1; g < c->gates.count; g++) {
    if (!needed[g]) continue;
    const gate it = c->gates.items[g];
    if (it.kind == GATE_AND)
      m->values[g] = hash_of_and(m, g);
    else if (it.kind != GATE_LATCH)
      m->values[g] = hash_mix(g);
  }
}

/* Members of a class have one hash, as far as they have changed from their first value. */
static void hash_latches(merger *m) {
  for (uint32_t i = 0; i < m->in->latches.count; i++) {
    const circuit_latch *l = &m->in->latches.items[i];
    const uint64_t hash = m->history[i] ? hash_mix(m->history[i]) : hash_of_false;
    m->values[l->gate] = hash ^ all_if(l->initially);
  }
}

/* What the next values of the latches of classes of several are becomes part of their history. */
static void remember_nexts(merger *m) {
  for (uint32_t i = 0; i < m->in->latches.count; i++) {
    if (!is_in_class(m, i)) continue;
    const circuit_latch *l = &m->in->latches.items[i];
    const uint64_t next = hash_of_wire(m, l->next) ^ all_if(l->initially);
    if (m->history[i] || next != hash_of_false)
      m->history[i] = hash_mix(m->history[i] * 3 + next) | 1;
  }
}

/* Splits classes until the next values of each are alike; false: there was no time for that. */
static bool refine(merger *m) {
  const uint64_t work = m->in->inputs.count + m->in->gates.count + 1;
  uint32_t classes = merge_classes(m);
  const wire_vec nexts = list_merged_nexts(m);
  if (!nexts.count) return true;
  const uint32_t *needed = circuit_fanout_from(m->in, &nexts, m->scratch);
  for (uint64_t done = 0; done < REFINE_WORK_MAX; done += work) {
    const uint32_t before = classes;
    hash_latches(m);
    hash_gates(m, needed);
    remember_nexts(m);
    classes = merge_classes(m);
    if (classes == before || classes == m->in->latches.count) return true;
  }
  return false;
}

/* ---- the proof ---- */

/* What a latch's next value would have to be for it to stay in its class. */
static wire expected_next(const rebuild *r, const circuit *in, wire merged) {
  if (wire_is_constant(merged)) return merged;
  const uint32_t head = in->gates.items[wire_gate(merged)].number;
  return rebuild_wire(r, in->latches.items[head].next) ^ wire_is_negated(merged);
}

/* Latches whose next value does not fit get a history of their own; those of one class that have
   the same next value stay together. */
static uint32_t split_failures(merger *m, const rebuild *r) {
  uint32_t failures = 0;
  for (uint32_t i = 0; i < m->in->latches.count; i++) {
    if (m->merged[i] == ID_NONE) continue;
    const circuit_latch *l = &m->in->latches.items[i];
    const wire next = rebuild_wire(r, l->next);
    if (next == expected_next(r, m->in, m->merged[i])) continue;
    m->history[i] = hash_mix(m->history[i] + (next ^ l->initially) + 1) | 1;
    failures++;
  }
  return failures;
}

/* Tries to prove that the latches are what they are merged to. */
static bool prove_classes(merger *m, budget *limits) {
  const wire_vec nexts = list_merged_nexts(m);
  if (!nexts.count) return true;
  arena *scratch = arena_new();
  circuit proof;
  rebuild r;
  rebuild_begin_for(&r, &proof, m->in, m->merged, &nexts, scratch);
  r.limits = limits;
  rebuild_gates(&r, rebuild_copy_gate, NULL);
  const uint32_t failures = split_failures(m, &r);
  rebuild_free(&r);
  arena_free(scratch);
  return !failures;
}

const wire *circuit_find_equal_latches(const circuit *in, arena *keep, budget *limits) {
  arena *scratch = arena_new();
  merger m = {.in = in, .scratch = scratch};
  m.history = arena_zero_array(scratch, uint64_t, in->latches.count);
  m.values = arena_zero_array(scratch, uint64_t, in->gates.count);
  m.merged = arena_new_array(keep, wire, in->latches.count);
  m.has_others = bitset_new(scratch, in->latches.count);
  m.head_mask = 63;
  while (m.head_mask < in->latches.count * UINT64_C(2)) m.head_mask = m.head_mask * 2 + 1;
  m.heads = arena_new_array(scratch, uint32_t, m.head_mask + (size_t)1);
  play(&m);
  set_apart_unchanged(&m);
  bool is_proved = false;
  const bool is_refined = refine(&m);
  for (uint32_t round = 0; is_refined && !is_proved && round < PROOF_ROUNDS; round++) {
    is_proved = prove_classes(&m, limits);
    if (!is_proved) merge_classes(&m);
  }
  if (!is_proved) memset(m.merged, 0xff, in->latches.count * sizeof *m.merged);
  arena_free(scratch);
  return m.merged;
}

/* Without latches that become others, gates that differ stay different. */
static wire copy_unlike(rebuild *r, gate_id g, void *context) {
  (void)context;
  rebuild_read_inputs(r, g);
  sort_wires(r->inputs.items, r->inputs.count);
  return make_unlike(&r->maker, r->inputs.items, r->inputs.count);
}

void circuit_merge_latches(circuit *out, const circuit *in, arena *keep, budget *limits) {
  arena *scratch = arena_new();
  const wire *merged = circuit_find_equal_latches(in, scratch, limits);
  uint32_t kept = 0;
  while (kept < in->latches.count && merged[kept] == ID_NONE) kept++;
  rebuild r;
  rebuild_begin(&r, out, in, merged, keep);
  r.limits = limits;
  rebuild_gates(&r, kept == in->latches.count ? copy_unlike : rebuild_copy_gate, NULL);
  rebuild_end(&r);
  arena_free(scratch);
}
