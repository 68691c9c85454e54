/* Any bytes: read them as rules and ground them with small budgets, plainly and optimised.  When
   both finish, both must give the same answers in random states after random moves. */
#include "base/rng.h"
#include "ground/ground_model.h"
#include "ground/ground_sound.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
  if (!holds) abort();
}

static bool ground_within_limits(ground_program *g, const program *p, bool optimise, arena *keep,
                                 diag_sink *d) {
  budget limits = budget_new(0.2, (size_t)64 << 20);
  budget_watch(&limits, keep);
  ground_stats stats;
  const ground_options o = {.method = METHOD_NATIVE, .bases = BASES_ONESTEP, .optimise = optimise};
  const uint32_t errors = d->errors;
  const bool ok = ground_rules(g, p, o, keep, &limits, d, &stats);
  require(ok || d->errors > errors);
  require(limits.watched_count == 1);
  return ok;
}

static void require_same_interface(const ground_program *a, const ground_program *b) {
  require(a->fluents.count == b->fluents.count);
  require(a->moves.count == b->moves.count);
  require(a->roles.count == b->roles.count);
  for (uint32_t i = 0; i < a->fluents.count; i++) {
    require(a->fluents.items[i].term == b->fluents.items[i].term);
    require(a->fluents.items[i].initially == b->fluents.items[i].initially);
  }
  for (uint32_t i = 0; i < a->moves.count; i++)
    require(a->moves.items[i].term == b->moves.items[i].term);
}

/* ---- answers ---- */

static bool goal_holds(const ground_model *m, uint32_t role, term_id value) {
  for (uint32_t i = 0; i < m->g->goals.count; i++) {
    const ground_outcome *o = &m->g->goals.items[i];
    if (o->role == role && o->term == value && model_has(m, o->atom)) return true;
  }
  return false;
}

static void compare_goals(const ground_model *a, const ground_model *b) {
  for (uint32_t i = 0; i < a->g->goals.count; i++) {
    const ground_outcome *o = &a->g->goals.items[i];
    require(model_has(a, o->atom) == goal_holds(b, o->role, o->term));
  }
}

static void compare_state(ground_model *a, ground_model *b, const bool *now) {
  model_set_state(a, now);
  model_set_state(b, now);
  model_evaluate(a);
  model_evaluate(b);
  for (uint32_t i = 0; i < a->g->moves.count; i++)
    require(model_has(a, a->g->moves.items[i].legal) == model_has(b, b->g->moves.items[i].legal));
  require(model_has(a, a->g->terminal) == model_has(b, b->g->terminal));
  compare_goals(a, b);
  compare_goals(b, a);
}

/* After the moves have been done in both. */
static void compare_next(ground_model *a, ground_model *b) {
  model_evaluate(a);
  model_evaluate(b);
  for (uint32_t i = 0; i < a->g->fluents.count; i++)
    require(model_has(a, a->g->fluents.items[i].next) == model_has(b, b->g->fluents.items[i].next));
}

/* ---- states and moves ---- */

static bool is_certain(const ground_program *g, atom_id a) {
  return a != ATOM_NONE && g->rules_of[a] < g->rules_of[a + 1] &&
         g->rules.items[g->rules_of[a]].body_count == 0;
}

/* A fluent that optimisation found constant is constant here. */
static void choose_state(const ground_program *g, rng *r, bool *now) {
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    const ground_fluent *f = &g->fluents.items[i];
    const bool is_never = !f->initially && f->next == ATOM_NONE;
    const bool is_always = f->initially && is_certain(g, f->next);
    now[i] = is_always || (!is_never && rng_below(r, 2));
  }
}

/* Does a move of each role that can ever be legal; false when a role has none. */
static bool do_moves(ground_model *a, ground_model *b, rng *r) {
  const ground_program *g = b->g;
  for (uint32_t role = 0; role < g->roles.count; role++) {
    const ground_role *it = &g->roles.items[role];
    if (it->move_count == 0) return false;
    uint32_t left = it->move_count;
    uint32_t at = rng_below(r, it->move_count);
    while (left && g->moves.items[it->first_move + at].legal == ATOM_NONE) {
      at = (at + 1) % it->move_count;
      left--;
    }
    if (left == 0) return false;
    model_do(a, it->first_move + at);
    model_do(b, it->first_move + at);
  }
  return true;
}

static void compare_programs(const ground_program *plain, const ground_program *optimised, rng *r,
                             arena *keep) {
  require_same_interface(plain, optimised);
  ground_model a = model_new(plain, keep);
  ground_model b = model_new(optimised, keep);
  if (!a.stratified || !b.stratified) return;
  bool *now = arena_zero_array(keep, bool, plain->fluents.count + 1);
  for (uint32_t i = 0; i < plain->fluents.count; i++) now[i] = plain->fluents.items[i].initially;
  for (uint32_t i = 0; i < 8; i++) {
    compare_state(&a, &b, now);
    if (do_moves(&a, &b, r)) compare_next(&a, &b);
    choose_state(optimised, r, now);
  }
}

/* A number that depends on the bytes alone. */
static rng rng_of(const uint8_t *data, size_t size) { return rng_new(hash_bytes(data, size), 0); }

static void ground_both_ways(const program *p, rng r, arena *keep, diag_sink *d) {
  ground_program plain;
  ground_program optimised;
  if (!ground_within_limits(&plain, p, false, keep, d)) return;
  require(ground_is_sound(&plain));
  if (!ground_within_limits(&optimised, p, true, keep, d)) return;
  require(ground_is_sound(&optimised));
  if (plain.rules.count < 100000) compare_programs(&plain, &optimised, &r, keep);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *keep = arena_new();
  const char *bytes = arena_copy_text(keep, (const char *)data, size);
  const source s = source_of("fuzz", bytes, (uint32_t)size);
  diag_sink d;
  diag_sink_init(&d, keep);
  tree t;
  program p;
  tree_read(&t, &s, symbols_new(keep), keep, &d);
  rules_build(&p, &t, keep, &d);
  ground_both_ways(&p, rng_of(data, size), keep, &d);
  arena_free(keep);
  return 0;
}
