#include "machine/circuit_game.h"

#include "rules/goal_value.h"

#include <stdlib.h>
#include <string.h>

/* ---- goals ---- */

static int compare_goals(const void *left, const void *right, void *context) {
  const grounded *g = context;
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  const uint32_t role_a = g->circuit.goals.items[a].role, role_b = g->circuit.goals.items[b].role;
  if (role_a != role_b) return role_a < role_b ? -1 : 1;
  return (g->goal_values[a] > g->goal_values[b]) - (g->goal_values[a] < g->goal_values[b]);
}

static void sort_goals(grounded *g) {
  const circuit *c = &g->circuit;
  uint32_t count = 0;
  g->goals = arena_new_array(g->keep, uint32_t, c->goals.count + 1);
  g->goals_of = arena_zero_array(g->keep, uint32_t, c->roles.count + 1);
  g->goal_values = arena_zero_array(g->keep, int32_t, c->goals.count + 1);
  for (uint32_t i = 0; i < c->goals.count; i++)
    if (goal_value(c->terms, c->goals.items[i].term, &g->goal_values[i])) g->goals[count++] = i;
  qsort_r(g->goals, count, sizeof *g->goals, compare_goals, g);
  for (uint32_t i = 0; i < count; i++) g->goals_of[c->goals.items[g->goals[i]].role + 1]++;
  for (uint32_t role = 0; role < c->roles.count; role++) g->goals_of[role + 1] += g->goals_of[role];
}

/* ---- numbers ---- */

static void sort_percepts(grounded *g) {
  const circuit *c = &g->circuit;
  uint32_t count = 0;
  g->percepts = arena_new_array(g->keep, uint32_t, c->percepts.count + 1);
  g->percepts_of = arena_zero_array(g->keep, uint32_t, c->roles.count + 1);
  for (uint32_t role = 0; role < c->roles.count; role++) {
    for (uint32_t i = 0; i < c->percepts.count; i++)
      if (c->percepts.items[i].role == role) g->percepts[count++] = i;
    g->percepts_of[role + 1] = count;
  }
}

static void count_numbers(grounded *g) {
  const circuit *c = &g->circuit;
  uint32_t *moves = arena_new_array(g->keep, uint32_t, c->roles.count + 1);
  uint32_t *percepts = arena_new_array(g->keep, uint32_t, c->roles.count + 1);
  for (uint32_t role = 0; role < c->roles.count; role++) {
    moves[role] = c->roles.items[role].move_count;
    percepts[role] = g->percepts_of[role + 1] - g->percepts_of[role];
  }
  g->numbers = (machine_numbers){c->fluents.count, moves, percepts};
}

/* ---- opening ---- */

static void name_roles(grounded *g) {
  g->roles = arena_new_array(g->keep, const char *, g->circuit.roles.count + 1);
  for (uint32_t i = 0; i < g->circuit.roles.count; i++) {
    text name = text_new(g->keep);
    term_print(g->circuit.terms, g->circuit.roles.items[i].term, NOTATION_KIF, NULL, &name);
    g->roles[i] = text_string(&name);
  }
}

static uint32_t find_nature(const circuit *c) {
  uint32_t role = 0;
  while (role < c->roles.count && !role_is_nature(c->terms, c->roles.items[role].term)) role++;
  return role;
}

bool grounded_open(grounded *g, const machine_source *source, budget *b, diag_sink *d) {
  const ground_options how = {.optimise = true};
  *g = (grounded){.keep = arena_new()};
  budget_watch(b, g->keep);
  bool ok = ground_rules(&g->ground, source->program, how, g->keep, b, d, &g->stats);
  ok = ok && circuit_build(&g->circuit, &g->ground, g->keep, b, d);
  budget_unwatch(b, g->keep);
  if (!ok) return false;
  name_roles(g);
  sort_goals(g);
  sort_percepts(g);
  count_numbers(g);
  g->nature = find_nature(&g->circuit);
  return true;
}

void grounded_close(grounded *g) { arena_free(g->keep); }

/* ---- positions ---- */

void grounded_start(const grounded *g, uint64_t *position) {
  memset(position, 0, grounded_words(g) * sizeof *position);
  for (uint32_t i = 0; i < g->circuit.latches.count; i++)
    if (g->circuit.latches.items[i].initially) position[i / 64] |= UINT64_C(1) << i % 64;
}

static bool fluent_holds(const circuit *c, const uint64_t *position, wire now) {
  const gate it = c->gates.items[wire_gate(now)];
  const bool value = it.kind == GATE_LATCH && position[it.number / 64] >> it.number % 64 & 1;
  return value != wire_is_negated(now);
}

uint32_t grounded_fluents(const grounded *g, const uint64_t *position, fluent_id *fluents,
                          uint32_t capacity) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < g->circuit.fluents.count; i++) {
    if (!fluent_holds(&g->circuit, position, g->circuit.fluents.items[i].now)) continue;
    if (count < capacity) fluents[count] = i;
    count++;
  }
  return count;
}

static int compare_with_fluent(const grounded *g, const char *canonical, fluent_id f,
                               arena *scratch) {
  const arena_mark mark = arena_save(scratch);
  text words = text_new(scratch);
  grounded_fluent_text(g, f, &words);
  const int order = strcmp(canonical, text_string(&words));
  arena_restore(scratch, mark);
  return order;
}

/* They are sorted by their text. */
fluent_id grounded_find_fluent(const grounded *g, const char *canonical) {
  uint32_t low = 0, high = g->circuit.fluents.count;
  arena *scratch = arena_new();
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (compare_with_fluent(g, canonical, middle, scratch) <= 0)
      high = middle;
    else
      low = middle + 1;
  }
  const bool is_found =
      low < g->circuit.fluents.count && compare_with_fluent(g, canonical, low, scratch) == 0;
  arena_free(scratch);
  return is_found ? low : FLUENT_NONE;
}

static int compare_numbers(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* Each latch is as the first fluent that it stands for says. */
void grounded_place(const grounded *g, const fluent_id *fluents, uint32_t count,
                    uint64_t *position) {
  memset(position, 0, grounded_words(g) * sizeof *position);
  for (uint32_t i = 0; i < g->circuit.latches.count; i++) {
    const uint32_t f = g->circuit.latches.items[i].fluent;
    const bool holds = count && bsearch(&f, fluents, count, sizeof f, compare_numbers);
    if (holds != wire_is_negated(g->circuit.fluents.items[f].now))
      position[i / 64] |= UINT64_C(1) << i % 64;
  }
}

/* ---- words ---- */

void grounded_fluent_text(const grounded *g, fluent_id f, text *out) {
  term_print(g->circuit.terms, g->circuit.fluents.items[f].term, NOTATION_KIF, NULL, out);
}

void grounded_move_text(const grounded *g, uint32_t role, move_id move, text *out) {
  const uint32_t at = g->circuit.roles.items[role].first_move + move;
  term_print(g->circuit.terms, g->circuit.moves.items[at].term, NOTATION_KIF, NULL, out);
}

void grounded_percept_text(const grounded *g, uint32_t role, percept_id percept, text *out) {
  const uint32_t at = g->percepts[g->percepts_of[role] + percept];
  term_print(g->circuit.terms, g->circuit.percepts.items[at].term, NOTATION_KIF, NULL, out);
}
