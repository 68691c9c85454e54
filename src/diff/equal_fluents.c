#include "diff/equal_fluents.h"

#include "circuit/passes.h"
#include "circuit/rebuild.h"
#include "induct/random_states.h"
#include "induct/unroll.h"

#include <stdlib.h>

enum { SAMPLE_STEPS = 64, PAIR_CONFLICTS = 2000 };

/* The part of the time that random play may take. */
static const double sample_part = 0.1;

typedef struct pair_finder {
  const circuit *c;
  budget *limits;
  arena *keep;
  const char **names; /* by fluent, in their order */
  wire *merged;       /* by latch: the latch before it, or constant, that it equals; or ID_NONE */
  sample sample;
} pair_finder;

/* ---- guesses ---- */

static void name_fluents(pair_finder *t) {
  t->names = arena_new_array(t->keep, const char *, t->c->fluents.count + (size_t)1);
  for (uint32_t i = 0; i < t->c->fluents.count; i++) {
    text words = text_new(t->keep);
    term_print(t->c->terms, t->c->fluents.items[i].term, NOTATION_KIF, NULL, &words);
    t->names[i] = text_string(&words);
  }
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The fluent (old F) of (new F); ID_NONE: there is none. */
static uint32_t old_of(const pair_finder *t, uint32_t fluent) {
  text words = text_new(t->keep);
  text_add_format(&words, "(old%s", t->names[fluent] + strlen("(new"));
  const char *key = text_string(&words);
  const char **found =
      bsearch(&key, t->names, t->c->fluents.count, sizeof *t->names, compare_names);
  return found ? (uint32_t)(found - t->names) : ID_NONE;
}

/* What stands for a latch or constant now. */
static wire root_of(const pair_finder *t, wire w) {
  while (!wire_is_constant(w)) {
    const wire next = t->merged[t->c->gates.items[wire_gate(w)].number];
    if (next == ID_NONE) break;
    w = next ^ wire_is_negated(w);
  }
  return w;
}

static bool play_agrees(const pair_finder *t, wire a, wire b) {
  if (wire_starts_true(t->c, a) != wire_starts_true(t->c, b)) return false;
  for (uint32_t step = 0; step < t->sample.step_count; step++)
    if (sample_value(&t->sample, t->c, step, a) != sample_value(&t->sample, t->c, step, b))
      return false;
  return true;
}

/* The later latch becomes the earlier one, or the constant.  False: they are one already. */
static bool merge(pair_finder *t, wire a, wire b) {
  a = root_of(t, a);
  b = root_of(t, b);
  if (wire_gate(a) == wire_gate(b) || (wire_is_constant(a) && wire_is_constant(b))) return false;
  const wire first = wire_gate(a) < wire_gate(b) ? a : b, later = first == a ? b : a;
  t->merged[t->c->gates.items[wire_gate(later)].number] = first ^ wire_is_negated(later);
  return true;
}

static uint32_t guess(pair_finder *t) {
  uint32_t guesses = 0;
  for (uint32_t i = 0; i < t->c->fluents.count; i++) {
    if (strncmp(t->names[i], "(new ", strlen("(new ")) != 0) continue;
    const uint32_t old = old_of(t, i);
    if (old == ID_NONE) continue;
    const wire a = t->c->fluents.items[old].now, b = t->c->fluents.items[i].now;
    if (play_agrees(t, a, b)) guesses += merge(t, a, b);
  }
  return guesses;
}

/* ---- proofs ---- */

/* The product with one latch for each pair. */
typedef struct joined {
  circuit circuit;
  wire *nexts; /* by latch of the product: its next value here */
  wire target;
  unrolling *step; /* made when the solver is asked first */
  arena *keep;
} joined;

static wire_vec list_outputs(const circuit *c, arena *keep) {
  wire_vec all = {0};
  for (uint32_t i = 0; i < c->latches.count; i++) vec_push(keep, &all, c->latches.items[i].next);
  for (uint32_t i = 0; i < c->moves.count; i++) vec_push(keep, &all, c->moves.items[i].legal);
  for (uint32_t i = 0; i < c->goals.count; i++) vec_push(keep, &all, c->goals.items[i].holds);
  for (uint32_t i = 0; i < c->percepts.count; i++) vec_push(keep, &all, c->percepts.items[i].holds);
  vec_push(keep, &all, c->terminal);
  return all;
}

static void join_pairs(joined *j, const pair_finder *t) {
  rebuild r;
  *j = (joined){.keep = arena_new()};
  const wire_vec outputs = list_outputs(t->c, j->keep);
  rebuild_begin_for(&r, &j->circuit, t->c, t->merged, &outputs, j->keep);
  r.limits = t->limits;
  rebuild_gates(&r, rebuild_copy_gate, NULL);
  j->nexts = arena_new_array(j->keep, wire, t->c->latches.count + (size_t)1);
  for (uint32_t i = 0; i < t->c->latches.count; i++)
    j->nexts[i] = rebuild_wire(&r, t->c->latches.items[i].next);
  j->target = rebuild_wire(&r, t->c->goals.items[0].holds);
  rebuild_end(&r);
}

static void joined_free(joined *j) {
  unroll_free(j->step);
  arena_free(j->keep);
}

/* Can no legal step make the first hold and the second not? */
static bool implies(joined *j, wire a, wire b) {
  const sat_literal both[] = {unroll_wire(j->step, a, 0), -unroll_wire(j->step, b, 0)};
  return sat_solve(unroll_solver(j->step), both, 2, PAIR_CONFLICTS) == SAT_NO;
}

static bool are_equal(joined *j, wire a, wire b, budget *limits) {
  if (a == b) return true;
  if (!j->step) {
    j->step = unroll_new(&j->circuit, false, limits);
    unroll_require_step(j->step, 0);
  }
  return implies(j, a, b) && implies(j, b, a);
}

static wire expected_next(const joined *j, const circuit *c, wire merged) {
  if (wire_is_constant(merged)) return merged;
  return j->nexts[c->gates.items[wire_gate(merged)].number] ^ wire_is_negated(merged);
}

/* Lets go of pairs whose next values may differ; how many. */
static uint32_t let_go(pair_finder *t, joined *j) {
  uint32_t failures = 0;
  wire *left = arena_new_array(j->keep, wire, t->c->latches.count + (size_t)1);
  for (uint32_t i = 0; i < t->c->latches.count; i++) {
    left[i] = t->merged[i];
    if (t->merged[i] == ID_NONE) continue;
    const wire root = root_of(t, t->merged[i]);
    if (!budget_is_spent(t->limits) &&
        are_equal(j, j->nexts[i], expected_next(j, t->c, root), t->limits))
      continue;
    left[i] = ID_NONE;
    failures++;
  }
  memcpy(t->merged, left, t->c->latches.count * sizeof *left);
  return failures;
}

/* No state in which all pairs are equal is a target. */
static bool excludes_target(const joined *j, budget *limits) {
  if (j->target == WIRE_FALSE) return true;
  unrolling *u = unroll_new(&j->circuit, false, limits);
  const sat_literal target = unroll_wire(u, j->target, 0);
  const sat_answer answer = sat_solve(unroll_solver(u), &target, 1, 0);
  unroll_free(u);
  return answer == SAT_NO;
}

static uint32_t count_pairs(const pair_finder *t) {
  uint32_t pairs = 0;
  for (uint32_t i = 0; i < t->c->latches.count; i++) pairs += t->merged[i] != ID_NONE;
  return pairs;
}

static bool prove(pair_finder *t) {
  for (;;) {
    joined j;
    join_pairs(&j, t);
    const bool holds = !let_go(t, &j);
    const bool is_proved = holds && !budget_check_now(t->limits) && excludes_target(&j, t->limits);
    joined_free(&j);
    if (holds || budget_check_now(t->limits)) return is_proved;
  }
}

static equal_fluents_result prove_by_pairs(const circuit *c, budget *limits) {
  equal_fluents_result r = {0};
  pair_finder t = {.c = c, .limits = limits, .keep = arena_new()};
  budget part = budget_part(limits, budget_seconds_left(limits) * sample_part);
  t.merged = arena_new_array(t.keep, wire, c->latches.count + (size_t)1);
  for (uint32_t i = 0; i < c->latches.count; i++) t.merged[i] = ID_NONE;
  name_fluents(&t);
  sample_play(&t.sample, c, SAMPLE_STEPS, 1, t.keep, &part);
  r.guesses = guess(&t);
  r.is_proved = prove(&t);
  r.pairs = count_pairs(&t);
  arena_free(t.keep);
  return r;
}

/* Gates as the rules give them: later passes would make both halves unlike. */
equal_fluents_result equal_fluents_prove(const ground_program *product, budget *limits) {
  arena *keep = arena_new();
  circuit c;
  diag_sink unseen;
  equal_fluents_result r = {0};
  diag_sink_init(&unseen, keep);
  if (circuit_from_rules(&c, product, keep, limits, &unseen) && !budget_check_now(limits))
    r = c.goals.count ? prove_by_pairs(&c, limits) : (equal_fluents_result){.is_proved = true};
  arena_free(keep);
  return r;
}
