#include "prove/needed_fluents.h"

_Static_assert(2 * WATCHED_FLUENTS_MAX <= 64, "a fluent and its negation have a bit each");

static const fluent_needs everything = ~(fluent_needs)0;

void watch_fluent(watched_fluents *w, uint32_t fluent) {
  for (uint32_t i = 0; i < w->count; i++)
    if (w->fluents[i] == fluent) return;
  if (w->count < WATCHED_FLUENTS_MAX) w->fluents[w->count++] = fluent;
}

/* ---- what follows ---- */

/* From the head follows what follows from each body; from its negation, what follows from the
   negation of any of them. */
static atom_needs needs_of_head(const need_table *t, atom_id a) {
  const ground_program *g = t->c->g;
  atom_needs found = {{everything, 0}};
  for (uint32_t i = g->rules_of[a]; i < g->rules_of[a + 1]; i++) {
    const ground_rule *r = &g->rules.items[i];
    atom_needs body = {{0, everything}};
    for (uint32_t k = 0; k < r->body_count; k++) {
      const ground_literal l = g->literals.items[r->body + k];
      const atom_needs *it = &t->by_atom[literal_atom(l)];
      body.of[false] |= it->of[literal_is_negated(l)];
      body.of[true] &= it->of[!literal_is_negated(l)];
    }
    found.of[false] &= body.of[false];
    found.of[true] |= body.of[true];
  }
  return found;
}

void need_table_watch(need_table *t, const watched_fluents *w) {
  const ground_clauses *c = t->c;
  for (uint32_t i = 0; i < c->g->atoms.count; i++) {
    const atom_id a = c->order[i];
    const bool is_open = c->part_size[a] || c->fluent_of[a] != ID_NONE || c->move_of[a] != ID_NONE;
    t->by_atom[a] = is_open ? (atom_needs){{0, 0}} : needs_of_head(t, a);
    if (c->fluent_of[a] == ID_NONE) continue;
    for (uint32_t k = 0; k < w->count; k++)
      if (w->fluents[k] == c->fluent_of[a])
        t->by_atom[a] = (atom_needs){{(fluent_needs)1 << 2 * k, (fluent_needs)2 << 2 * k}};
  }
}

fluent_needs needs_of_move(const need_table *t, uint32_t move) {
  const atom_id legal = t->c->g->moves.items[move].legal;
  return legal == ATOM_NONE ? everything : t->by_atom[legal].of[false];
}

fluent_needs needs_of_going_on(const need_table *t) {
  const atom_id terminal = t->c->g->terminal;
  return terminal == ATOM_NONE ? 0 : t->by_atom[terminal].of[true];
}

/* ---- the fluents that most moves need ---- */

/* To find them as many literals are looked at, at most. */
enum { LITERALS_MAX = 100000000 };

static void count_movers(need_table *t, const watched_fluents *w, uint32_t *movers) {
  need_table_watch(t, w);
  for (uint32_t m = 0; m < t->c->g->moves.count; m++) {
    const fluent_needs needs = needs_of_move(t, m);
    for (uint32_t i = 0; i < w->count; i++)
      movers[w->fluents[i]] += needs_fluent(needs, i, false) || needs_fluent(needs, i, true);
  }
}

static watched_fluents needed_most(uint32_t *movers, uint32_t count) {
  watched_fluents most = {0};
  for (uint32_t n = 0; n < WATCHED_FLUENTS_MAX && n < count; n++) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
      if (movers[i] > movers[best]) best = i;
    watch_fluent(&most, best);
    movers[best] = 0;
  }
  return most;
}

need_table need_table_new(ground_clauses *c, arena *keep) {
  const ground_program *g = c->g;
  need_table t = {.c = c, .by_atom = arena_new_array(keep, atom_needs, g->atoms.count + 1)};
  arena *scratch = arena_new();
  uint32_t *movers = arena_zero_array(scratch, uint32_t, g->fluents.count + 1);
  const uint32_t rounds_max = LITERALS_MAX / (g->literals.count + 1) + 1;
  ground_clauses_find_parts(c);
  for (uint32_t i = 0, round = 0; i < g->fluents.count && round < rounds_max; round++) {
    watched_fluents w = {0};
    if (budget_is_spent(c->b)) break;
    while (i < g->fluents.count && w.count < WATCHED_FLUENTS_MAX) watch_fluent(&w, i++);
    count_movers(&t, &w, movers);
  }
  t.most = needed_most(movers, g->fluents.count);
  arena_free(scratch);
  return t;
}
