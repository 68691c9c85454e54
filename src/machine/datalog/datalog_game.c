#include "machine/datalog/datalog_game.h"

#include "base/sort.h"
#include "datalog/flat_roles.h"
#include "rules/goal_value.h"

#include <string.h>

/* How many fluents a position itself has room for: all, where these are not too many; else some
   times those of the start, and enough for a game that starts with next to nothing. */
enum { ROOM_TIMES = 4, ROOM_LEAST = 1024, ROOM_FOR_ALL = 1 << 14 };

/* ---- roles ---- */

/* Roles and the start must not depend on the state. */
static bool constants_are_static(const datalog *m, diag_sink *d) {
  const flat_program *f = &m->rules.flat;
  for (flat_id r = 0; r < f->relations.count; r++) {
    const relation_id source = f->relations.items[r].relation;
    if ((source != SYM_ROLE && source != SYM_INIT) || m->rules.layers[r] == DL_STATIC) continue;
    diag_add(d, DIAG_E501, SPAN_NONE,
             "role or init depends on the state or on a relation that depends on its own negation");
    return false;
  }
  return true;
}

/* A role is one cell of a row. */
static bool roles_are_constants(const flat_program *f, const id_vec *roles, diag_sink *d) {
  for (uint32_t i = 0; i < roles->count; i++) {
    if (term_get(f->terms, roles->items[i])->arg_count == 0) continue;
    flat_report_compound_role(f, d);
    return false;
  }
  return true;
}

static bool set_roles(datalog *m, diag_sink *d) {
  const flat_program *f = &m->rules.flat;
  id_vec roles = {0};
  for (uint32_t i = f->relations_from[SYM_ROLE]; i < f->relations_from[SYM_ROLE + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < m->rules.facts[r].count; row++) {
      const term_id *cells = table_row(&m->rules.facts[r], row);
      vec_push(m->keep, &roles,
               skeleton_argument(f->terms, f->relations.items[r].skeleton, cells, 0));
    }
  }
  program_order_roles(f->source, f->terms, roles.items, roles.count);
  const char **texts = arena_new_array(m->keep, const char *, roles.count);
  for (uint32_t i = 0; i < roles.count; i++) {
    text out = text_new(m->keep);
    term_print(f->terms, roles.items[i], NOTATION_KIF, NULL, &out);
    texts[i] = text_string(&out);
  }
  m->role_terms = roles.items;
  m->base.roles = texts;
  m->base.role_count = roles.count;
  if (!roles.count) diag_add(d, DIAG_E601, SPAN_NONE, "the game has no role");
  return roles.count && roles_are_constants(f, &roles, d);
}

/* ---- the start ---- */

/* The number of a fluent of the start. */
static uint32_t start_number(datalog *m, flat_id r, const term_id *cells) {
  const flat_program *f = &m->rules.flat;
  const flat_id mine = dl_under_keyword(&m->rules, r, SYM_TRUE);
  uint32_t at = 0;
  while (at < m->fluents.count && m->fluents.entries[at].to != mine) at++;
  if (mine == ID_NONE || at == m->fluents.count || !m->fluents.entries[at].layout->size) {
    const term_id skeleton = f->relations.items[r].skeleton;
    return m->fluents.size +
           dl_name(m->names, f->terms, skeleton_argument(f->terms, skeleton, cells, 0));
  }
  const dl_entry *e = &m->fluents.entries[at];
  uint32_t number = e->base;
  for (uint32_t c = 0; c < e->layout->arity; c++) number += e->layout->columns[c].parts[cells[c]];
  return number;
}

/* The fluents of the start, in the order of their numbers. */
static id_vec start_numbers(datalog *m) {
  const flat_program *f = &m->rules.flat;
  id_vec numbers = {0};
  for (uint32_t i = f->relations_from[SYM_INIT]; i < f->relations_from[SYM_INIT + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < m->rules.facts[r].count; row++)
      vec_push(m->keep, &numbers, start_number(m, r, table_row(&m->rules.facts[r], row)));
  }
  sort_ids(numbers.items, numbers.count);
  return numbers;
}

static uint32_t room_for(const dl_catalog *fluents, uint32_t start_count) {
  const uint32_t usual = start_count * ROOM_TIMES;
  const uint32_t room = usual > ROOM_LEAST ? usual : ROOM_LEAST;
  const bool are_few = fluents->size <= ROOM_FOR_ALL || fluents->size < room;
  return are_few && !fluents->has_names ? fluents->size : room;
}

static void set_start(datalog *m) {
  const id_vec numbers = start_numbers(m);
  m->room = room_for(&m->fluents, numbers.count) | 1; /* positions are aligned to eight bytes */
  m->base.position_size = (m->room + (size_t)1) * sizeof *m->start;
  m->start = arena_alloc_zero(m->keep, m->base.position_size);
  m->start[0] = numbers.count;
  if (numbers.count) memcpy(m->start + 1, numbers.items, numbers.count * sizeof(uint32_t));
}

/* ---- opening ---- */

static void read_numbers(datalog *m) {
  const uint32_t count = m->rules.constant_count;
  m->is_number = arena_zero_array(m->keep, bool, count);
  m->numbers = arena_zero_array(m->keep, int32_t, count);
  for (term_id t = 0; t < count; t++)
    m->is_number[t] = goal_value(&m->rules.terms, t, &m->numbers[t]);
}

void datalog_game_close(datalog *m) {
  dl_names_free(m->names);
  large_states_free(m->large);
  arena_free(m->keep);
}

static bool make_rules(datalog *m, const machine_source *source, budget *b, diag_sink *d) {
  if (!dl_rules_make(&m->rules, source->program, source->inertia_count, m->keep, b, d) ||
      !constants_are_static(m, d) || !set_roles(m, d))
    return false;
  budget_watch(b, m->keep);
  dl_plan_make(&m->plan, &m->rules, m->keep, b);
  const bool is_spent = budget_check_now(b);
  budget_unwatch(b, m->keep);
  if (is_spent) budget_report(b, d, "the rules were being made ready for evaluation");
  return !is_spent;
}

datalog *datalog_game_open(const machine_source *source, budget *b, diag_sink *d) {
  arena *keep = arena_new();
  datalog *m = arena_alloc_zero(keep, sizeof *m);
  m->keep = keep;
  m->large = large_states_new();
  if (!make_rules(m, source, b, d)) {
    dl_rules_free_facts(&m->rules);
    datalog_game_close(m);
    return NULL;
  }
  m->fluents = dl_catalog_make(&m->rules, m->plan.layouts, SYM_TRUE, SYM_NEXT, SYM_TRUE, keep);
  m->moves = dl_catalog_make(&m->rules, m->plan.layouts, SYM_LEGAL, SYM_LEGAL, SYM_DOES, keep);
  m->percepts = dl_catalog_make(&m->rules, m->plan.layouts, SYM_SEES, SYM_SEES, SYM_NONE, keep);
  m->names = dl_names_new(&m->rules.terms);
  read_numbers(m);
  set_start(m);
  dl_rules_free_facts(&m->rules);
  return m;
}
