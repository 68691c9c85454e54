/* What is true of a game, found by looking at all its states on machine `reference`; for tests of
   the checker.  It shares no code with the checker or the provers: formulas are evaluated on the
   texts of states, ends are found by going round. */
#ifndef TABIA_CERTIFY_TRUTH_FIXTURE_H
#define TABIA_CERTIFY_TRUTH_FIXTURE_H

#include "certify/grammar.h"
#include "machine/state_view.h"
#include "read/canonical.h"

#include <string.h>

typedef struct truth {
  arena *keep;
  machine *m;
  machine_workspace *w;
  VEC(const uint8_t *) positions;
  VEC(state_view) states; /* in the order of positions, as far as they were looked at */
  id_vec tails, heads;    /* steps */
  bool ends;              /* every play does */
  uint32_t longest;       /* if so: the steps of the longest play */
} truth;

/* ---- all states ---- */

static inline uint32_t truth_number(truth *x, const uint8_t *position) {
  uint32_t i = 0;
  while (i < x->positions.count &&
         memcmp(x->positions.items[i], position, x->m->position_size) != 0)
    i++;
  if (i < x->positions.count) return i;
  uint8_t *copy = arena_alloc(x->keep, x->m->position_size + 1);
  memcpy(copy, position, x->m->position_size);
  vec_push(x->keep, &x->positions, copy);
  return i;
}

static inline void truth_add_steps(truth *x, uint32_t from, const state_view *v) {
  uint8_t *next = arena_alloc(x->keep, x->m->position_size + 1);
  uint64_t joints = 1;
  for (uint32_t r = 0; r < v->role_count; r++) joints *= v->roles[r].texts.count;
  for (uint64_t n = 0; !v->terminal && n < joints; n++) {
    move_id *joint = arena_new_array(x->keep, move_id, v->role_count + 1);
    uint64_t rest = n;
    for (uint32_t r = 0; r < v->role_count; rest /= v->roles[r].texts.count, r++)
      joint[r] = v->roles[r].moves[rest % v->roles[r].texts.count];
    machine_step(x->m, x->w, x->positions.items[from], joint, next);
    vec_push(x->keep, &x->tails, from);
    vec_push(x->keep, &x->heads, truth_number(x, next));
  }
}

/* Lengths grow for ever exactly where a play may go round. */
static inline void truth_find_ends(truth *x) {
  uint32_t *length = arena_zero_array(x->keep, uint32_t, x->states.count + 1);
  bool grows = true;
  for (uint32_t round = 0; grows && round <= x->states.count; round++) {
    grows = false;
    for (uint32_t i = 0; i < x->tails.count; i++) {
      if (length[x->heads.items[i]] < length[x->tails.items[i]]) continue;
      length[x->tails.items[i]] = length[x->heads.items[i]] + 1;
      grows = true;
    }
  }
  x->ends = !grows;
  x->longest = length[0];
}

static inline void truth_free(truth *x) {
  if (x->m) machine_workspace_free(x->m, x->w);
  machine_close(x->m);
  arena_free(x->keep);
}

/* False: it has more than so many states, or cannot be played.  Call truth_free in any case. */
static inline bool truth_find(truth *x, const program *p, uint32_t states_max) {
  const machine_source from = {.program = p};
  diag_sink d;
  *x = (truth){.keep = arena_new()};
  diag_sink_init(&d, x->keep);
  x->m = machine_open("reference", &from, NULL, &d);
  if (!x->m) return false;
  x->w = machine_workspace_new(x->m, NULL);
  uint8_t *start = arena_alloc(x->keep, x->m->position_size + 1);
  machine_start(x->m, start);
  truth_number(x, start);
  for (uint32_t i = 0; i < x->positions.count && i < states_max; i++) {
    state_view v;
    if (!state_view_read(&v, x->m, x->w, x->positions.items[i], x->keep)) return false;
    vec_push(x->keep, &x->states, v);
    truth_add_steps(x, i, &v);
  }
  if (x->states.count < x->positions.count) return false;
  truth_find_ends(x);
  return true;
}

/* ---- states ---- */

static inline bool truth_stuck(const state_view *v) {
  for (uint32_t i = 0; !v->terminal && i < v->role_count; i++)
    if (!v->roles[i].texts.count) return true;
  return false;
}

static inline bool truth_judged(const state_view *v) {
  for (uint32_t i = 0; i < v->role_count; i++) {
    const role_view *r = &v->roles[i];
    if (i != v->nature && (r->goal_count != 1 || r->goals[0] < 0 || r->goals[0] > 100))
      return false;
  }
  return true;
}

static inline const char *truth_text(const tree *t, node_id n, arena *keep) {
  text out = text_new(keep);
  arena *scratch = arena_new();
  canonical_print(t, n, scratch, &out);
  arena_free(scratch);
  return text_string(&out);
}

static inline bool truth_won(const state_view *v, const char *role) {
  for (uint32_t i = 0; v->terminal && i < v->role_count; i++)
    for (uint32_t k = 0; k < v->roles[i].goal_count; k++)
      if (strcmp(v->roles[i].name, role) == 0 && v->roles[i].goals[k] == 100) return true;
  return false;
}

static inline bool truth_falls(const truth *x) {
  for (uint32_t i = 0; i < x->tails.count; i++) {
    const state_view *before = &x->states.items[x->tails.items[i]];
    const state_view *after = &x->states.items[x->heads.items[i]];
    for (uint32_t r = 0; r < before->role_count; r++)
      if (r != before->nature && before->roles[r].goal_count && after->roles[r].goal_count &&
          after->roles[r].goals[0] < before->roles[r].goals[0])
        return true;
  }
  return false;
}

/* ---- formulas and facts ---- */

static inline bool truth_fluent(const state_view *v, const tree *t, node_id n, arena *keep) {
  const char *words = truth_text(t, n, keep);
  for (uint32_t i = 0; i < v->fluents.count; i++)
    if (strcmp(v->fluents.items[i], words) == 0) return true;
  return false;
}

static inline bool truth_formula(const state_view *v, const tree *t, node_id n, arena *keep) {
  const bool is_or = node_is_list_of(t, n, "or"), is_not = node_is_list_of(t, n, "not");
  const bool is_and = node_is_list_of(t, n, "and") || node_is_list_of(t, n, "true");
  if (node_is_list_of(t, n, "distinct")) {
    const node_id a = node_after(t, node_first(n)), b = node_after(t, a);
    return strcmp(truth_text(t, a, keep), truth_text(t, b, keep)) != 0;
  }
  if (!is_or && !is_not && !is_and) return truth_fluent(v, t, n, keep);
  uint32_t held = 0, count = 0;
  for (node_id i = node_after(t, node_first(n)); i != node_after(t, n); i = node_after(t, i)) {
    held += truth_formula(v, t, i, keep);
    count++;
  }
  return is_or ? held > 0 : is_not ? held == 0 : held == count;
}

static inline bool truth_fact(const state_view *v, const tree *t, node_id fact, arena *keep) {
  uint32_t held = 0;
  for (node_id n = node_after(t, node_first(fact)); n != node_after(t, fact);
       n = node_after(t, n)) {
    const bool is_not = node_is_list_of(t, n, "not") && node_element_count(t, n) == 2;
    held += truth_fluent(v, t, is_not ? node_after(t, node_first(n)) : n, keep) != is_not;
  }
  if (node_is_list_of(t, fact, "exactly-one")) return held == 1;
  return node_is_list_of(t, fact, "at-most-one") ? held <= 1 : held >= 1;
}

static inline bool truth_facts(const truth *x, const tree *t, const section *s, arena *keep) {
  for (uint32_t i = 0; i < x->states.count; i++)
    for (uint32_t k = 0; k < s->facts.count; k++)
      if (!truth_fact(&x->states.items[i], t, s->facts.items[k], keep)) return false;
  return true;
}

/* ---- sections ---- */

/* A state that decides what is asked of states. */
static inline bool truth_decides(const state_view *v, const tree *t, const section *s,
                                 arena *keep) {
  switch (s->kind) {
    case CERTIFIED_PLAYABLE: return truth_stuck(v);
    case CERTIFIED_GOALS: return v->terminal && !truth_judged(v);
    case CERTIFIED_MONOTONE: return !truth_judged(v);
    case CERTIFIED_WINNABLE: return truth_won(v, truth_text(t, s->argument, keep));
    case CERTIFIED_UNREACHABLE: return truth_formula(v, t, s->argument, keep);
    case CERTIFIED_INVARIANT: return !truth_formula(v, t, s->argument, keep);
    default: return false;
  }
}

static inline bool truth_holds(const truth *x, const tree *t, const section *s, arena *keep) {
  bool is_decided = false;
  for (uint32_t i = 0; i < x->states.count; i++)
    is_decided |= truth_decides(&x->states.items[i], t, s, keep);
  if (s->kind == CERTIFIED_WINNABLE) return is_decided;
  if (s->kind == CERTIFIED_TERMINATES) return x->ends;
  return !is_decided && !(s->kind == CERTIFIED_MONOTONE && truth_falls(x));
}

/* Is all true that the section says, and what it shows? */
static inline bool truth_agrees(const truth *x, const certificate *c, const section *s) {
  arena *scratch = arena_new();
  const bool holds = truth_holds(x, &c->tree, s, scratch);
  bool agrees = holds == (section_shows(s) == SHOWS_PROVED);
  agrees &= truth_facts(x, &c->tree, s, scratch);
  if (s->evidence == EVIDENCE_STEPS) agrees &= x->ends && x->longest <= s->steps;
  if (s->longest != ID_NONE) agrees &= x->longest == s->longest;
  arena_free(scratch);
  return agrees;
}

#endif
