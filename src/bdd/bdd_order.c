#include "bdd/bdd_order.h"

#include <stdlib.h>

/* Sets of more variables say little of what lies close. */
enum { MOST_MEMBERS = 12, ROUNDS = 60 };

/* Groups in rising order; more than MOST_MEMBERS: too many. */
typedef struct group_set {
  uint32_t count;
  uint32_t items[MOST_MEMBERS];
} group_set;

typedef struct order_job {
  const circuit *c;
  arena *scratch;
  const uint32_t *group_of;
  uint32_t groups;
  group_set *of_gates;
  VEC(group_set) sets;
  uint32_t *place;  /* by group */
  double *wanted;   /* by group: where it would like to be */
  uint32_t *degree; /* by group: sets that it is in */
} order_job;

/* ---- sets ---- */

static void insert(group_set *s, uint32_t group) {
  uint32_t at = 0;
  if (s->count > MOST_MEMBERS) return;
  while (at < s->count && s->items[at] < group) at++;
  if (at < s->count && s->items[at] == group) return;
  if (s->count++ == MOST_MEMBERS) return;
  memmove(s->items + at + 1, s->items + at, (s->count - 1 - at) * sizeof *s->items);
  s->items[at] = group;
}

static void unite(group_set *s, const group_set *with) {
  if (with->count > MOST_MEMBERS) s->count = MOST_MEMBERS + 1;
  for (uint32_t i = 0; i < with->count && s->count <= MOST_MEMBERS; i++) insert(s, with->items[i]);
}

static void add_set(order_job *j, const group_set *s) {
  if (s->count > 1 && s->count <= MOST_MEMBERS) vec_push(j->scratch, &j->sets, *s);
}

static void find_sets(order_job *j) {
  const circuit *c = j->c;
  for (gate_id g = 0; g < c->gates.count; g++) {
    const gate *it = &c->gates.items[g];
    group_set *s = &j->of_gates[g];
    if (it->kind == GATE_LATCH) insert(s, j->group_of[it->number]);
    if (it->kind == GATE_LOOP) s->count = MOST_MEMBERS + 1;
    if (it->kind != GATE_AND) continue;
    for (uint32_t i = 0; i < it->input_count; i++)
      unite(s, &j->of_gates[wire_gate(gate_inputs(c, g)[i])]);
    add_set(j, s);
  }
  for (uint32_t i = 0; i < c->latches.count; i++) {
    group_set s = j->of_gates[wire_gate(c->latches.items[i].next)];
    insert(&s, j->group_of[i]);
    add_set(j, &s);
  }
}

/* ---- places ---- */

static uint64_t total_span(const order_job *j) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < j->sets.count; i++) {
    const group_set *s = &j->sets.items[i];
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t k = 0; k < s->count; k++) {
      const uint32_t at = j->place[s->items[k]];
      if (at < least) least = at;
      if (at > most) most = at;
    }
    total += most - least;
  }
  return total;
}

static void pull(order_job *j) {
  for (uint32_t g = 0; g < j->groups; g++) j->wanted[g] = j->degree[g] = 0;
  for (uint32_t i = 0; i < j->sets.count; i++) {
    const group_set *s = &j->sets.items[i];
    double centre = 0;
    for (uint32_t k = 0; k < s->count; k++) centre += j->place[s->items[k]];
    for (uint32_t k = 0; k < s->count; k++) {
      j->wanted[s->items[k]] += centre / s->count;
      j->degree[s->items[k]]++;
    }
  }
}

typedef struct wanted_place {
  double at;
  uint32_t group;
} wanted_place;

static int compare_places(const void *left, const void *right) {
  const wanted_place *a = left, *b = right;
  if (a->at < b->at || a->at > b->at) return a->at < b->at ? -1 : 1;
  return a->group < b->group ? -1 : a->group > b->group;
}

static void move_all(order_job *j, wanted_place *all) {
  for (uint32_t g = 0; g < j->groups; g++)
    all[g] = (wanted_place){j->degree[g] ? j->wanted[g] / j->degree[g] : j->place[g], g};
  qsort(all, j->groups, sizeof *all, compare_places);
  for (uint32_t i = 0; i < j->groups; i++) j->place[all[i].group] = i;
}

/* The order of the names at first, for they tell boards; the best that was met is taken. */
static void improve(order_job *j, uint32_t *best) {
  wanted_place *all = arena_new_array(j->scratch, wanted_place, (size_t)j->groups + 1);
  memcpy(best, j->place, j->groups * sizeof *best);
  uint64_t least = total_span(j);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    pull(j);
    move_all(j, all);
    const uint64_t span = total_span(j);
    if (span >= least) continue;
    least = span;
    memcpy(best, j->place, j->groups * sizeof *best);
  }
}

/* Groups by their first latch. */
static void place_by_names(order_job *j) {
  uint32_t next = 0;
  for (uint32_t g = 0; g < j->groups; g++) j->place[g] = UINT32_MAX;
  for (uint32_t l = 0; l < j->c->latches.count; l++)
    if (j->place[j->group_of[l]] == UINT32_MAX) j->place[j->group_of[l]] = next++;
}

const uint32_t *bdd_order_groups(const circuit *c, const uint32_t *group_of, uint32_t groups,
                                 arena *keep) {
  order_job j = {.c = c, .scratch = arena_new(), .group_of = group_of, .groups = groups};
  j.of_gates = arena_zero_array(j.scratch, group_set, (size_t)c->gates.count + 1);
  j.place = arena_new_array(j.scratch, uint32_t, (size_t)groups + 1);
  j.wanted = arena_new_array(j.scratch, double, (size_t)groups + 1);
  j.degree = arena_new_array(j.scratch, uint32_t, (size_t)groups + 1);
  uint32_t *best = arena_new_array(j.scratch, uint32_t, (size_t)groups + 1);
  uint32_t *order = arena_new_array(keep, uint32_t, (size_t)groups + 1);
  place_by_names(&j);
  find_sets(&j);
  improve(&j, best);
  for (uint32_t g = 0; g < groups; g++) order[best[g]] = g;
  arena_free(j.scratch);
  return order;
}
