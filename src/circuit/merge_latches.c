/* Latches that are always equal, complementary or constant.

   Each latch is seen as 'has changed from its first value', so that all of them begin false, and
   two are candidates for one class as long as nothing tells them apart.  Play with any moves at
   all, legal or not, tells most of them apart.  What is left is proved by induction: under the
   assumption that the members of each class are equal, their next values are the same gate.  A
   class that fails is split, until all hold. */
#include "base/rng.h"
#include "base/sort.h"
#include "circuit/passes.h"
#include "circuit/rebuild.h"
#include "circuit/simulate.h"

#include <stdlib.h>
#include <string.h>

enum {
  PLAY_STEPS_MAX = 32,
  PLAY_STEPS_IDLE = 4,
  PLAY_WORK_MAX = 1 << 20,   /* inputs of gates that are looked at */
  REFINE_WORK_MAX = 1 << 23, /* likewise */
  PROOF_ROUNDS = 2
};

typedef struct merger {
  const circuit *in;
  const move_sets *sets;
  arena *scratch;
  uint64_t *history; /* by latch: what is known of it, hashed; 0: it never changes */
  uint64_t *values;  /* by gate: in 64 games; then a hash of what it computes */
  wire *merged;      /* by latch: ID_NONE, or the wire of an earlier latch, or a constant */
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

/* Tells whether a latch changed for the first time. */
static bool remember(merger *m, uint32_t latch) {
  const circuit_latch *l = &m->in->latches.items[latch];
  const uint64_t changed = m->values[l->gate] ^ all_if(l->initially);
  const bool is_first = !m->history[latch] && changed;
  if (m->history[latch] || changed)
    m->history[latch] = hash_mix(m->history[latch] * 3 + changed) | 1;
  return is_first;
}

static bool play_step(merger *m, rng *r, uint64_t *next) {
  const circuit *c = m->in;
  bool is_new = false;
  draw_moves(m, r);
  circuit_simulate(c, m->sets, m->values);
  for (uint32_t i = 0; i < c->latches.count; i++)
    next[i] = wire_value(m->values, c->latches.items[i].next);
  for (uint32_t i = 0; i < c->latches.count; i++) m->values[c->latches.items[i].gate] = next[i];
  for (uint32_t i = 0; i < c->latches.count; i++) is_new |= remember(m, i);
  return is_new;
}

static void play(merger *m) {
  rng r = rng_new(1, 0);
  uint64_t *next = arena_new_array(m->scratch, uint64_t, m->in->latches.count);
  const uint64_t work = m->in->inputs.count + m->in->gates.count + m->sets->members.count;
  start_play(m);
  uint32_t idle = 0;
  for (uint32_t step = 0;
       step < PLAY_STEPS_MAX && idle < PLAY_STEPS_IDLE && step * work < PLAY_WORK_MAX; step++)
    idle = play_step(m, &r, next) ? 0 : idle + 1;
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

typedef struct candidate {
  uint64_t history;
  uint32_t latch;
} candidate;

static int compare_candidates(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  if (a->history != b->history) return a->history < b->history ? -1 : 1;
  return (a->latch > b->latch) - (a->latch < b->latch);
}

/* The first latch of a class stands for all of it. */
static void merge_classes(merger *m) {
  const uint32_t count = m->in->latches.count;
  candidate *all = arena_new_array(m->scratch, candidate, count);
  for (uint32_t i = 0; i < count; i++) all[i] = (candidate){m->history[i], i};
  if (count) qsort(all, count, sizeof *all, compare_candidates);
  for (uint32_t i = 0, first = 0; i < count; i++) {
    if (all[i].history != all[first].history) first = i;
    const circuit_latch *l = &m->in->latches.items[all[i].latch];
    const circuit_latch *head = &m->in->latches.items[all[first].latch];
    wire *to = &m->merged[all[i].latch];
    *to = ID_NONE;
    if (all[i].history == 0)
      *to = l->initially ? WIRE_TRUE : WIRE_FALSE;
    else if (i != first)
      *to = wire_of(head->gate, l->initially != head->initially);
  }
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

static void hash_gates(merger *m) {
  const circuit *c = m->in;
  m->values[0] = hash_of_false;
  for (gate_id g = 1; g < c->gates.count; g++) {
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

static uint32_t count_classes(const merger *m, uint64_t *sorted) {
  const uint32_t count = m->in->latches.count;
  uint32_t classes = 0;
  memcpy(sorted, m->history, count * sizeof *sorted);
  sort_keys(sorted, count);
  for (uint32_t i = 0; i < count; i++) classes += i == 0 || sorted[i] != sorted[i - 1];
  return classes;
}

/* Splits classes until the next values of each are alike; false: there was no time for that. */
static bool refine(merger *m) {
  uint64_t *sorted = arena_new_array(m->scratch, uint64_t, m->in->latches.count + 1);
  const uint64_t work = m->in->inputs.count + m->in->gates.count + 1;
  uint32_t classes = 0;
  for (uint64_t done = 0; done < REFINE_WORK_MAX; done += work) {
    const uint32_t before = classes;
    classes = count_classes(m, sorted);
    if (classes == before || classes == m->in->latches.count) return true;
    hash_latches(m);
    hash_gates(m);
    for (uint32_t i = 0; i < m->in->latches.count; i++) {
      const circuit_latch *l = &m->in->latches.items[i];
      const uint64_t next = hash_of_wire(m, l->next) ^ all_if(l->initially);
      if (m->history[i] || next != hash_of_false)
        m->history[i] = hash_mix(m->history[i] * 3 + next) | 1;
    }
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

void circuit_merge_latches(circuit *out, const circuit *in, const move_sets *sets, arena *keep,
                           budget *limits) {
  arena *scratch = arena_new();
  merger m = {.in = in, .sets = sets, .scratch = scratch};
  m.history = arena_zero_array(scratch, uint64_t, in->latches.count);
  m.values = arena_zero_array(scratch, uint64_t, in->gates.count);
  m.merged = arena_new_array(scratch, wire, in->latches.count);
  play(&m);
  set_apart_unchanged(&m);
  const bool is_refined = refine(&m);
  merge_classes(&m);
  for (uint32_t round = 0;; round++) {
    if (round == PROOF_ROUNDS || !is_refined)
      memset(m.merged, 0xff, in->latches.count * sizeof *m.merged);
    rebuild r;
    rebuild_begin(&r, out, in, m.merged, sets, keep);
    r.limits = limits;
    rebuild_gates(&r, rebuild_copy_gate, NULL);
    const uint32_t failures = split_failures(&m, &r);
    rebuild_end(&r);
    if (!failures || budget_is_spent(limits)) break;
    merge_classes(&m);
  }
  arena_free(scratch);
}
