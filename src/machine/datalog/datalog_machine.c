#include "machine/datalog/datalog_machine.h"

#include "base/sort.h"
#include "datalog/flat_roles.h"
#include "machine/datalog/datalog_game.h"
#include "machine/datalog/datalog_state.h"

#include <stdlib.h>
#include <string.h>

/* A workspace whose terms have grown larger starts over, since terms are never forgotten. */
#define WORKSPACE_BYTES_MAX ((size_t)1 << 29)

typedef struct workspace {
  machine_workspace base;
  const datalog *machine;
  arena *keep;  /* of this struct */
  arena *inner; /* of all below; freed when it has grown too large */
  term_table terms;
  program source;    /* of `flat` */
  flat_program flat; /* the rules' flat program over the terms of this thread */
  dl_teller teller;
  dl_told told[2];
  dl_told *now;          /* the one that is asked */
  id_vec numbers;        /* scratch: what was listed */
  id_vec gained, ceased; /* scratch: how the fluents of one shape change */
} workspace;

static const datalog *of(const machine *m) { return (const datalog *)m; }

/* ---- workspaces ---- */

static void workspace_begin(workspace *w) {
  const datalog *m = w->machine;
  w->inner = arena_new();
  dl_terms_copy(&w->terms, &m->rules.terms, w->inner);
  w->source = m->rules.linked;
  w->source.terms = &w->terms;
  w->flat = m->rules.flat;
  w->flat.terms = &w->terms;
  w->flat.source = &w->source;
  w->teller = (dl_teller){.fluents = &m->fluents,
                          .moves = &m->moves,
                          .names = m->names,
                          .role_terms = m->role_terms,
                          .role_count = m->base.role_count,
                          .flat = &w->flat,
                          .terms = &w->terms,
                          .row = arena_new_array(w->inner, term_id, m->plan.arity_max + 1),
                          .keep = w->inner};
  for (uint32_t i = 0; i < 2; i++)
    dl_told_init(&w->told[i], &w->teller, &m->plan, w->base.budget, &w->base.trouble);
  w->now = &w->told[0];
  w->numbers = w->gained = w->ceased = (id_vec){0};
}

static machine_workspace *workspace_new(const machine *m, budget *b) {
  arena *keep = arena_new();
  workspace *w = arena_alloc_zero(keep, sizeof *w);
  *w = (workspace){.base.budget = b, .machine = of(m), .keep = keep};
  workspace_begin(w);
  return &w->base;
}

static void workspace_free(machine_workspace *base) {
  workspace *w = (workspace *)base;
  arena_free(w->inner);
  arena_free(w->keep);
}

static void renew_if_large(workspace *w) {
  if (!w->machine->rules.has_generic || arena_bytes(w->inner) < WORKSPACE_BYTES_MAX) return;
  arena_free(w->inner);
  workspace_begin(w);
}

/* ---- questions ---- */

static void set_state(workspace *w, const void *position) {
  const uint32_t *state = large_states_list(w->machine->large, position);
  if (dl_told_is(w->now, state)) return;
  w->now = &w->told[w->now == &w->told[0]];
  if (dl_told_is(w->now, state)) return;
  renew_if_large(w);
  dl_tell_state(&w->teller, w->now, state);
}

/* While legal, goal and terminal are read, no `does` fact holds.  False: there is trouble. */
static bool ask(workspace *w, const void *position, dl_question q) {
  if (w->base.trouble.is_there) return false;
  set_state(w, position);
  if (w->machine->plan.reads_moves[q]) dl_tell_no_moves(w->now);
  dl_model_ask(&w->now->model, q);
  return !w->base.trouble.is_there;
}

static bool ask_with_moves(workspace *w, const void *position, const move_id *joint,
                           dl_question q) {
  if (w->base.trouble.is_there) return false;
  set_state(w, position);
  dl_tell_moves(&w->teller, w->now, joint);
  dl_model_ask(&w->now->model, q);
  return !w->base.trouble.is_there;
}

/* ---- lists ---- */

enum { FEW = 24, FEW_PLACES = 128 };

static void list_number(workspace *w, uint32_t number) { vec_push(w->inner, &w->numbers, number); }

/* Lists the places of a range that are taken, in ascending order and counted from `base`: from the
   bits, or where these would be too many to look at, from the rows. */
static void list_places(const workspace *w, flat_id relation, uint32_t base, uint32_t start,
                        uint32_t end, id_vec *list) {
  const dl_rows *t = dl_model_rows(&w->now->model, relation);
  if (t->count == 0) return;
  if ((end - start) / 64 > t->count * 2 + 8) {
    const uint32_t first = list->count;
    for (uint32_t row = 0; row < t->count; row++)
      if (t->places[row] >= start && t->places[row] < end)
        vec_push(w->inner, list, base + t->places[row]);
    sort_ids(vec_from(list, first), list->count - first);
    return;
  }
  for (uint32_t word = start / 64; word * 64 < end; word++) {
    uint64_t bits = t->bits[word];
    if (word == start / 64) bits &= UINT64_MAX << (start % 64);
    for (; bits; bits &= bits - 1) {
      const uint32_t place = word * 64 + (uint32_t)__builtin_ctzll(bits);
      if (place >= end) return;
      vec_push(w->inner, list, base + place);
    }
  }
}

/* The term of a row under its keyword. */
static term_id term_of_row(workspace *w, const dl_catalog *c, const dl_entry *e, uint32_t row) {
  const term_id *cells = dl_row(dl_model_rows(&w->now->model, e->from), row);
  return skeleton_argument(&w->terms, w->flat.relations.items[e->from].skeleton, cells,
                           c->argument);
}

static int compare_terms(const void *left, const void *right, void *terms) {
  return term_compare(terms, *(const term_id *)left, *(const term_id *)right);
}

/* Numbers and terms side by side, sorted by the text of the terms. */
static void list_by_text(workspace *w, const dl_catalog *c, uint32_t role) {
  const term_id role_term = w->machine->role_terms[role];
  VEC(struct {
    term_id term;
    uint32_t number;
  })
  found = {0};
  const arena_mark mark = arena_save(w->keep);
  for (uint32_t i = 0; i < c->count; i++) {
    const dl_entry *e = &c->entries[i];
    const dl_rows *t = dl_model_rows(&w->now->model, e->from);
    for (uint32_t row = 0; row < t->count; row++) {
      if (dl_row(t, row)[0] != role_term) continue;
      vec_reserve(w->keep, &found, 1);
      const term_id term = term_of_row(w, c, e, row);
      found.items[found.count].term = term;
      found.items[found.count++].number =
          t->bits ? e->base + t->places[row]
                  : c->size + dl_name(w->machine->names, &w->terms, term);
    }
  }
  if (found.count) qsort_r(found.items, found.count, sizeof *found.items, compare_terms, &w->terms);
  for (uint32_t i = 0; i < found.count; i++) list_number(w, found.items[i].number);
  arena_restore(w->keep, mark);
}

/* What stands beside the role, in the order of the text; in w->numbers. */
static void list_for_role(workspace *w, const dl_catalog *c, uint32_t role) {
  w->numbers.count = 0;
  if (!c->is_ordered) {
    list_by_text(w, c, role);
    return;
  }
  for (uint32_t i = 0; i < c->count; i++) {
    const dl_entry *e = &c->entries[i];
    const dl_column *roles = &e->layout->columns[0];
    const uint32_t start = roles->parts[w->machine->role_terms[role]];
    if (start != DL_ABSENT)
      list_places(w, e->from, e->base, start, start + roles->stride, &w->numbers);
  }
}

static uint32_t give_numbers(const workspace *w, uint32_t *numbers, uint32_t capacity) {
  const uint32_t count = w->numbers.count < capacity ? w->numbers.count : capacity;
  if (count) memcpy(numbers, w->numbers.items, count * sizeof *numbers);
  return w->numbers.count;
}

/* ---- the calls ---- */

static void start(const machine *m, void *position) {
  memcpy(position, of(m)->start, m->position_size);
}

static bool terminal(const machine *m, machine_workspace *base, const void *position) {
  workspace *w = (workspace *)base;
  const flat_program *f = &of(m)->rules.flat;
  if (!ask(w, position, DL_TERMINAL)) return true;
  for (uint32_t i = f->relations_from[SYM_TERMINAL]; i < f->relations_from[SYM_TERMINAL + 1]; i++)
    if (dl_model_rows(&w->now->model, f->relations_by_source.items[i])->count) return true;
  return false;
}

static uint32_t legal(const machine *m, machine_workspace *base, const void *position,
                      uint32_t role, move_id *moves, uint32_t capacity) {
  workspace *w = (workspace *)base;
  if (!ask(w, position, DL_LEGAL)) return 0;
  list_for_role(w, &of(m)->moves, role);
  return give_numbers(w, moves, capacity);
}

static int compare_values(const void *left, const void *right) {
  const int32_t a = (int32_t) * (const uint32_t *)left;
  const int32_t b = (int32_t) * (const uint32_t *)right;
  return a < b ? -1 : a > b;
}

static uint32_t goals(const machine *m, machine_workspace *base, const void *position,
                      uint32_t role, int32_t *values, uint32_t capacity) {
  workspace *w = (workspace *)base;
  const flat_program *f = &of(m)->rules.flat;
  w->numbers.count = 0;
  if (!ask(w, position, DL_GOAL)) return 0;
  for (uint32_t i = f->relations_from[SYM_GOAL]; i < f->relations_from[SYM_GOAL + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    const dl_rows *t = dl_model_rows(&w->now->model, r);
    const term_id value = term_arg(f->terms, f->relations.items[r].skeleton, 1);
    if (!flat_has_role(f, r) || !term_is_variable(f->terms, value))
      continue; /* a compound is no role, and no number */
    for (uint32_t row = 0; row < t->count; row++) {
      const term_id *cells = dl_row(t, row);
      const bool is_number = cells[1] < of(m)->rules.constant_count && of(m)->is_number[cells[1]];
      if (cells[0] == of(m)->role_terms[role] && is_number)
        list_number(w, (uint32_t)of(m)->numbers[cells[1]]);
    }
  }
  if (w->numbers.count)
    qsort(w->numbers.items, w->numbers.count, sizeof *w->numbers.items, compare_values);
  return give_numbers(w, (uint32_t *)values, capacity);
}

/* Lists what was held and does not cease, and what is gained; all are in ascending order. */
static void list_changed(workspace *w, const uint32_t *held, uint32_t held_count) {
  const uint32_t *const held_end = held + held_count;
  vec_push(w->inner, &w->gained, UINT32_MAX);
  vec_push(w->inner, &w->ceased, UINT32_MAX);
  const uint32_t *gained = w->gained.items, *ceased = w->ceased.items;
  vec_reserve(w->inner, &w->numbers, held_count + w->gained.count);
  uint32_t *to = w->numbers.items + w->numbers.count;
  for (;;) {
    const uint32_t change = *gained < *ceased ? *gained : *ceased;
    while (held < held_end && *held < change) *to++ = *held++;
    if (change == UINT32_MAX) break;
    if (change == *gained) *to++ = change;
    held += held < held_end && *held == change;
    gained += *gained == change;
    ceased += *ceased == change;
  }
  w->numbers.count = (uint32_t)(to - w->numbers.items);
}

/* The same from the bits: cheaper where there are few. */
static void list_few_changed(workspace *w, const dl_entry *e, flat_id unless) {
  const dl_model *m = &w->now->model;
  const uint64_t *held = dl_model_rows(m, e->to)->bits;
  const uint64_t *gained = dl_model_rows(m, e->from)->bits;
  const uint64_t *ceased = unless == DL_ALWAYS_KEPT ? NULL : dl_model_rows(m, unless)->bits;
  for (uint32_t word = 0; word * 64 < e->layout->size; word++) {
    uint64_t bits = held[word] & ~(ceased ? ceased[word] : 0);
    for (bits |= gained[word]; bits; bits &= bits - 1)
      list_number(w, e->base + word * 64 + (uint32_t)__builtin_ctzll(bits));
  }
}

static bool has_few(const workspace *w, const dl_entry *e, uint32_t held_count) {
  return e->layout->size <= FEW_PLACES && held_count <= FEW && e->to != ID_NONE &&
         w->machine->plan.is_read[e->to];
}

/* Lists what comes next of one shape; `held` is what the state has of it. */
static void list_next_of(workspace *w, const dl_entry *e, const uint32_t *held,
                         uint32_t held_count) {
  const flat_id unless = w->machine->plan.inertia.keeps[e->from];
  if (unless == DL_RENEWED || !held_count) {
    list_places(w, e->from, e->base, 0, e->layout->size, &w->numbers);
    return;
  }
  if (has_few(w, e, held_count)) {
    list_few_changed(w, e, unless);
    return;
  }
  w->gained.count = w->ceased.count = 0;
  list_places(w, e->from, e->base, 0, e->layout->size, &w->gained);
  if (unless != DL_ALWAYS_KEPT) list_places(w, unless, e->base, 0, e->layout->size, &w->ceased);
  list_changed(w, held, held_count);
}

/* What comes next, in ascending order; in w->numbers. */
static void list_next(workspace *w, const uint32_t *state) {
  const dl_catalog *c = &w->machine->fluents;
  const uint32_t *held = state + 1, *const end = held + state[0];
  w->numbers.count = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    const dl_entry *e = &c->entries[i];
    const uint32_t *first = held;
    while (held < end && *held < e->base + e->layout->size) held++;
    if (e->from != ID_NONE && e->layout->size) list_next_of(w, e, first, (uint32_t)(held - first));
  }
  const uint32_t ranged = w->numbers.count;
  for (uint32_t i = 0; i < c->count && c->has_names; i++) {
    const dl_entry *e = &c->entries[i];
    if (e->from == ID_NONE || e->layout->size) continue;
    for (uint32_t row = 0; row < dl_model_rows(&w->now->model, e->from)->count; row++)
      list_number(w, c->size + dl_name(w->machine->names, &w->terms, term_of_row(w, c, e, row)));
  }
  if (w->numbers.count > ranged) sort_ids(vec_from(&w->numbers, ranged), w->numbers.count - ranged);
}

/* States that the machine keeps are memory of whoever makes them. */
static void check_memory(workspace *w) {
  if (budget_check_bytes(w->base.budget, large_states_bytes(w->machine->large)))
    w->base.trouble = (machine_trouble){.is_there = true,
                                        .kind = DIAG_E801,
                                        .where = SPAN_NONE,
                                        .message = "a state was not evaluated to its end"};
}

static void make_step(const machine *m, machine_workspace *base, const void *position,
                      const move_id *joint, void *next) {
  workspace *w = (workspace *)base;
  const datalog *d = of(m);
  if (!ask_with_moves(w, position, joint, DL_NEXT)) return;
  list_next(w, large_states_list(d->large, position));
  large_states_write(d->large, d->room, w->numbers.items, w->numbers.count, next);
  if (w->numbers.count > d->room) check_memory(w);
}

static uint32_t sees(const machine *m, machine_workspace *base, const void *position,
                     const move_id *joint, uint32_t role, percept_id *percepts, uint32_t capacity) {
  workspace *w = (workspace *)base;
  if (!of(m)->percepts.count) return 0;
  if (!ask_with_moves(w, position, joint, DL_SEES)) return 0;
  list_for_role(w, &of(m)->percepts, role);
  return give_numbers(w, percepts, capacity);
}

static uint32_t fluents(const machine *m, const void *position, fluent_id *ids, uint32_t capacity) {
  const uint32_t *state = large_states_list(of(m)->large, position);
  for (uint32_t i = 0; i < state[0] && i < capacity; i++) ids[i] = state[i + 1];
  return state[0];
}

/* ---- fluents by their text ---- */

/* The place of a row; DL_ABSENT or more: it has none, because a column never holds such a value. */
static uint32_t place_of_row(const dl_layout *l, const term_id *row) {
  uint32_t place = 0;
  for (uint32_t c = 0; c < l->arity && place < DL_ABSENT; c++)
    place += row[c] < l->constant_count ? l->columns[c].parts[row[c]] : DL_ABSENT;
  return place;
}

static bool row_is_of_rules(const datalog *m, const term_id *row, uint32_t arity) {
  for (uint32_t c = 0; c < arity; c++)
    if (row[c] >= m->rules.constant_count) return false;
  return true;
}

/* The number of a named term in the shape that it fits. */
static fluent_id number_in(const datalog *m, const dl_entry *e, uint32_t name, const term_id *row) {
  if (!e->layout->size)
    return row_is_of_rules(m, row, e->layout->arity) ? m->fluents.size + name : FLUENT_NONE;
  const uint32_t place = place_of_row(e->layout, row);
  return place < DL_ABSENT ? e->base + place : FLUENT_NONE;
}

static fluent_id find_fluent(const machine *base, const char *canonical) {
  const datalog *m = of(base);
  uint32_t name;
  if (!dl_name_read(m->names, canonical, &name)) return FLUENT_NONE;
  if (m->rules.has_generic) return m->fluents.size + name;
  term_id row[DL_ARITY_MAX];
  for (uint32_t i = 0; i < m->fluents.count; i++) {
    const dl_entry *e = &m->fluents.entries[i];
    if (dl_name_match(m->names, &m->rules.flat, e->to != ID_NONE ? e->to : e->from, name, row))
      return number_in(m, e, name, row);
  }
  return FLUENT_NONE;
}

static bool place_fluents(const machine *m, const fluent_id *ids, uint32_t count, void *position) {
  large_states_write(of(m)->large, of(m)->room, ids, count, position);
  return true;
}

/* ---- texts ---- */

static void print_number(const machine *m, const dl_catalog *c, uint32_t number, text *out) {
  if (number >= c->size) {
    dl_print_name(of(m)->names, number - c->size, out);
    return;
  }
  uint32_t hint = 0;
  const dl_entry *e = dl_catalog_find(c, number, &hint);
  const flat_id r = e->from != ID_NONE ? e->from : e->to;
  term_id row[DL_ARITY_MAX];
  dl_layout_row(e->layout, number - e->base, row);
  dl_print_argument(of(m)->names, of(m)->rules.flat.relations.items[r].skeleton, row, c->argument,
                    out);
}

static void fluent_text(const machine *m, fluent_id f, text *out) {
  print_number(m, &of(m)->fluents, f, out);
}

static void move_text(const machine *m, uint32_t role, move_id move, text *out) {
  (void)role;
  print_number(m, &of(m)->moves, move, out);
}

static void percept_text(const machine *m, uint32_t role, percept_id percept, text *out) {
  (void)role;
  print_number(m, &of(m)->percepts, percept, out);
}

/* ---- opening ---- */

static void close_datalog(machine *m) { datalog_game_close((datalog *)m); }

static machine *open_datalog(const machine_source *source, budget *b, diag_sink *d) {
  datalog *m = datalog_game_open(source, b, d);
  if (!m) return NULL;
  m->base.ops = &datalog_machine;
  return &m->base;
}

const machine_ops datalog_machine = {
    .name = "datalog",
    .summary = "first-order rules, bottom-up; for games that cannot be grounded",
    .open = open_datalog,
    .close = close_datalog,
    .workspace_new = workspace_new,
    .workspace_free = workspace_free,
    .start = start,
    .terminal = terminal,
    .legal = legal,
    .goals = goals,
    .step = make_step,
    .sees = sees,
    .fluents = fluents,
    .find_fluent = find_fluent,
    .place = place_fluents,
    .fluent_text = fluent_text,
    .move_text = move_text,
    .percept_text = percept_text,
};
