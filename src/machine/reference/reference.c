#include "machine/reference/reference.h"

#include "base/recovery.h"
#include "base/sort.h"
#include "machine/large_states.h"
#include "machine/reference/reference_solve.h"
#include "rules/term_copy.h"
#include "rules/term_read.h"

#include <stdlib.h>
#include <string.h>

/* A position is the number of its fluents, then their names in ascending order, then zeros; or the
   mark of a large state.

   Fluents and moves are not known in advance.  Each gets a name when it first turns up: its number
   in a table of terms that all threads share.  A workspace works on a table of its own, and asks
   the shared one only for terms that it has not met before. */

/* How many fluents a position itself has room for: some times those of the start, and enough for a
   game that starts with next to nothing. */
enum { ROOM_TIMES = 4, ROOM_LEAST = 1024 };

/* A workspace that has grown larger than this starts over, since terms are never forgotten. */
#define WORKSPACE_BYTES_MAX ((size_t)1 << 29)

typedef struct name_table {
  pthread_mutex_t lock;
  arena *keep;
  term_table terms;
} name_table;

typedef struct reference {
  machine base;
  arena *keep;
  term_table terms; /* does not change after opening */
  ref_rules rules;
  term_id *role_terms; /* in `terms`: the same numbers everywhere */
  name_table *names;
  uint32_t room;       /* fluents in a position */
  large_states *large; /* that have more */
  uint32_t *start;
} reference;

typedef struct workspace {
  machine_workspace base;
  const reference *machine;
  arena *keep;
  solver *solver;
  arena *map_keep; /* of the two maps */
  id_vec name_of;  /* by term of the solver; TERM_NONE: not asked yet */
  id_vec term_of;  /* by name */
  id_vec state;    /* what the solver has: how many fluents, and their names; or nothing yet */
  move_id *joint;  /* what the solver's moves are; the first is MOVE_NONE when there are none */
  id_vec terms;    /* scratch */
} workspace;

static const reference *of(const machine *m) { return (const reference *)m; }

/* ---- names ---- */

static void set_in_map(workspace *w, id_vec *map, uint32_t key, uint32_t value) {
  while (map->count <= key) vec_push(w->map_keep, map, ID_NONE);
  map->items[key] = value;
}

/* The terms of the rules have the same numbers in all tables. */
static bool is_of_rules(const reference *m, uint32_t id) { return id < m->terms.terms.count; }

static uint32_t name_of_term(workspace *w, term_id t) {
  if (is_of_rules(w->machine, t)) return t;
  if (t < w->name_of.count && w->name_of.items[t] != ID_NONE) return w->name_of.items[t];
  name_table *names = w->machine->names;
  const arena_mark mark = arena_save(w->keep);
  recovery_lock(&names->lock);
  const uint32_t name = term_copy(&names->terms, solver_terms(w->solver), t, w->keep);
  recovery_unlock(&names->lock);
  arena_restore(w->keep, mark);
  set_in_map(w, &w->name_of, t, name);
  set_in_map(w, &w->term_of, name, t);
  return name;
}

static term_id term_of_name(workspace *w, uint32_t name) {
  if (is_of_rules(w->machine, name)) return name;
  if (name < w->term_of.count && w->term_of.items[name] != ID_NONE) return w->term_of.items[name];
  name_table *names = w->machine->names;
  const arena_mark mark = arena_save(w->keep);
  recovery_lock(&names->lock);
  const term_id t = term_copy(solver_terms(w->solver), &names->terms, name, w->keep);
  recovery_unlock(&names->lock);
  arena_restore(w->keep, mark);
  set_in_map(w, &w->name_of, t, name);
  set_in_map(w, &w->term_of, name, t);
  return t;
}

static void print_name(const machine *m, uint32_t name, text *out) {
  name_table *names = of(m)->names;
  recovery_lock(&names->lock);
  term_print(&names->terms, name, NOTATION_KIF, NULL, out);
  recovery_unlock(&names->lock);
}

static void name_text(const machine *m, uint32_t role, uint32_t name, text *out) {
  (void)role;
  print_name(m, name, out);
}

/* ---- workspaces ---- */

static void forget_all(workspace *w) {
  arena_clear(w->map_keep);
  w->name_of = w->term_of = (id_vec){0};
  w->state.count = 0;
  w->joint[0] = MOVE_NONE;
}

static machine_workspace *workspace_new(const machine *m, budget *b) {
  arena *keep = arena_new();
  workspace *w = arena_alloc_zero(keep, sizeof *w);
  *w = (workspace){.base.budget = b, .machine = of(m), .keep = keep, .map_keep = arena_new()};
  w->solver = solver_new(&of(m)->rules, b, &w->base.trouble);
  w->joint = arena_new_array(keep, move_id, m->role_count + 1);
  forget_all(w);
  return &w->base;
}

static void workspace_free(machine_workspace *base) {
  workspace *w = (workspace *)base;
  solver_free(w->solver);
  arena_free(w->map_keep);
  arena_free(w->keep);
}

static void renew_if_large(workspace *w) {
  if (solver_bytes(w->solver) < WORKSPACE_BYTES_MAX) return;
  solver_free(w->solver);
  w->solver = solver_new(&w->machine->rules, w->base.budget, &w->base.trouble);
  forget_all(w);
}

/* ---- positions ---- */

/* How many fluents, then their names. */
static const uint32_t *list_of(const workspace *w, const void *position) {
  return large_states_list(w->machine->large, position);
}

static bool state_is(const workspace *w, const uint32_t *list) {
  return w->state.count == list[0] + 1 &&
         memcmp(w->state.items, list, w->state.count * sizeof *list) == 0;
}

static void set_state(workspace *w, const void *position) {
  const uint32_t *list = list_of(w, position);
  if (state_is(w, list)) return;
  renew_if_large(w);
  w->terms.count = w->state.count = 0;
  for (uint32_t i = 1; i <= list[0]; i++) {
    const term_id t = term_of_name(w, list[i]);
    vec_push(w->keep, &w->terms, t);
  }
  solver_set_state(w->solver, w->terms.items, w->terms.count);
  vec_append(w->keep, &w->state, list, list[0] + 1);
  w->joint[0] = MOVE_NONE;
}

static term_id does_atom(workspace *w, uint32_t role, move_id move) {
  const term_id args[] = {w->machine->role_terms[role], term_of_name(w, move)};
  return term_atom(solver_terms(w->solver), SYM_DOES, args, 2);
}

static void set_moves(workspace *w, const move_id *joint) {
  const uint32_t roles = w->machine->base.role_count;
  if (memcmp(w->joint, joint, roles * sizeof *joint) == 0) return;
  w->terms.count = 0;
  for (uint32_t i = 0; i < roles; i++) {
    const term_id atom = does_atom(w, i, joint[i]);
    vec_push(w->keep, &w->terms, atom);
  }
  solver_set_moves(w->solver, w->terms.items, roles);
  memcpy(w->joint, joint, roles * sizeof *joint);
}

/* While legal, goal and terminal are read, no `does` fact holds. */
static void set_no_moves(workspace *w) {
  if (w->joint[0] == MOVE_NONE) return;
  solver_set_moves(w->solver, NULL, 0);
  w->joint[0] = MOVE_NONE;
}

static void write_position(const reference *m, uint32_t *names, uint32_t count,
                           uint32_t *position) {
  sort_ids(names, count);
  large_states_write(m->large, m->room, names, count, position);
}

/* ---- questions ---- */

static term_id pattern(workspace *w, symbol_id relation, uint32_t arity) {
  term_table *t = solver_terms(w->solver);
  const term_id variables[] = {term_variable(t, 0), term_variable(t, 1)};
  return arity ? term_atom(t, relation, variables, arity) : term_constant(t, relation);
}

static const question *ask(workspace *w, const void *position, symbol_id relation) {
  if (w->base.trouble.is_there) return NULL;
  set_state(w, position);
  return solver_ask(w->solver, pattern(w, relation, keyword_arity(relation)));
}

/* Row i of a question with two variables, of which the first is the role. */
static bool row_is_of_role(const workspace *w, const question *q, uint32_t i, uint32_t role) {
  return q->answers.items[2 * i] == w->machine->role_terms[role];
}

static term_id row_value(const question *q, uint32_t i) { return q->answers.items[2 * i + 1]; }

static void start(const machine *m, void *position) {
  memcpy(position, of(m)->start, m->position_size);
}

static bool terminal(const machine *m, machine_workspace *base, const void *position) {
  workspace *w = (workspace *)base;
  (void)m;
  set_no_moves(w);
  const question *q = ask(w, position, SYM_TERMINAL);
  return !q || q->answer_count;
}

static int compare_terms(const void *left, const void *right, void *terms) {
  return term_compare(terms, *(const term_id *)left, *(const term_id *)right);
}

/* What stands beside the role in the answers, sorted; in w->terms. */
static void collect_for_role(workspace *w, const question *q, uint32_t role) {
  w->terms.count = 0;
  for (uint32_t i = 0; q && i < q->answer_count; i++)
    if (row_is_of_role(w, q, i, role)) vec_push(w->keep, &w->terms, row_value(q, i));
  if (w->terms.count) /* an empty list may have no memory */
    qsort_r(w->terms.items, w->terms.count, sizeof(term_id), compare_terms,
            solver_terms(w->solver));
}

static uint32_t give_names(workspace *w, uint32_t *names, uint32_t capacity) {
  for (uint32_t i = 0; i < w->terms.count && i < capacity; i++)
    names[i] = name_of_term(w, w->terms.items[i]);
  return w->terms.count;
}

static uint32_t legal(const machine *m, machine_workspace *base, const void *position,
                      uint32_t role, move_id *moves, uint32_t capacity) {
  workspace *w = (workspace *)base;
  (void)m;
  set_no_moves(w);
  collect_for_role(w, ask(w, position, SYM_LEGAL), role);
  return give_names(w, moves, capacity);
}

/* An optional sign and digits: how many does not matter, but what they are worth.  INT32_MIN is no
   goal: it stands for none. */
static bool read_number(const workspace *w, term_id t, int32_t *value) {
  const term_table *terms = solver_terms(w->solver);
  const slice name = symbol_folded(terms->symbols, term_get(terms, t)->name);
  int64_t number = 0;
  size_t at = 0;
  if (term_get(terms, t)->arg_count || !name.length) return false;
  const int64_t sign = name.start[0] == '-' ? -1 : 1;
  if (sign < 0 || name.start[0] == '+') at++;
  if (at == name.length) return false;
  for (; at < name.length && number == (int32_t)number; at++) {
    if (name.start[at] < '0' || name.start[at] > '9') return false;
    number = 10 * number + sign * (name.start[at] - '0');
  }
  *value = (int32_t)number;
  return at == name.length && number == *value && *value != GOAL_NONE;
}

static int compare_values(const void *left, const void *right) {
  const int32_t a = (int32_t) * (const uint32_t *)left;
  const int32_t b = (int32_t) * (const uint32_t *)right;
  return a < b ? -1 : a > b;
}

/* Turns w->terms into the numbers that they are, sorted; what is no number is left out. */
static void turn_into_values(workspace *w) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->terms.count; i++) {
    int32_t value;
    if (read_number(w, w->terms.items[i], &value)) w->terms.items[count++] = (uint32_t)value;
  }
  w->terms.count = count;
  if (count) qsort(w->terms.items, count, sizeof *w->terms.items, compare_values);
}

static uint32_t goals(const machine *m, machine_workspace *base, const void *position,
                      uint32_t role, int32_t *values, uint32_t capacity) {
  workspace *w = (workspace *)base;
  (void)m;
  set_no_moves(w);
  collect_for_role(w, ask(w, position, SYM_GOAL), role);
  turn_into_values(w);
  for (uint32_t i = 0; i < w->terms.count && i < capacity; i++)
    values[i] = (int32_t)w->terms.items[i];
  return w->terms.count;
}

/* States that the machine keeps are memory of whoever makes them. */
static void check_memory(workspace *w) {
  if (budget_check_bytes(w->base.budget, large_states_bytes(w->machine->large)))
    w->base.trouble = (machine_trouble){.is_there = true,
                                        .kind = DIAG_E801,
                                        .where = SPAN_NONE,
                                        .message = "a state was not evaluated to its end"};
}

static void step(const machine *m, machine_workspace *base, const void *position,
                 const move_id *joint, void *next) {
  workspace *w = (workspace *)base;
  if (w->base.trouble.is_there) return;
  set_state(w, position);
  set_moves(w, joint);
  const question *q = ask(w, position, SYM_NEXT);
  if (!q) return;
  w->terms.count = 0;
  for (uint32_t i = 0; i < q->answer_count; i++)
    vec_push(w->keep, &w->terms, name_of_term(w, q->answers.items[i]));
  write_position(of(m), w->terms.items, w->terms.count, next);
  if (w->terms.count > of(m)->room) check_memory(w);
}

static uint32_t sees(const machine *m, machine_workspace *base, const void *position,
                     const move_id *joint, uint32_t role, percept_id *percepts, uint32_t capacity) {
  workspace *w = (workspace *)base;
  (void)m;
  if (w->base.trouble.is_there) return 0;
  set_state(w, position);
  set_moves(w, joint);
  collect_for_role(w, ask(w, position, SYM_SEES), role);
  return give_names(w, percepts, capacity);
}

static uint32_t fluents(const machine *m, const void *position, fluent_id *ids, uint32_t capacity) {
  const uint32_t *list = large_states_list(of(m)->large, position);
  for (uint32_t i = 0; i < list[0] && i < capacity; i++) ids[i] = list[i + 1];
  return list[0];
}

/* Whatever can be made of the names in the rules. */
static fluent_id find_fluent(const machine *m, const char *canonical) {
  name_table *names = of(m)->names;
  arena *scratch = arena_new();
  term_id found;
  recovery_lock(&names->lock);
  const bool is_term = term_read_canonical(&names->terms, canonical, scratch, &found);
  recovery_unlock(&names->lock);
  arena_free(scratch);
  return is_term ? found : FLUENT_NONE;
}

static bool place_fluents(const machine *m, const fluent_id *ids, uint32_t count, void *position) {
  large_states_write(of(m)->large, of(m)->room, ids, count, position);
  return true;
}

/* For the state that is set. */
static bool has_fluent(workspace *w, term_id fluent) {
  const uint32_t name = name_of_term(w, fluent);
  for (uint32_t i = 1; i < w->state.count; i++)
    if (w->state.items[i] == name) return true;
  return false;
}

bool reference_holds(const machine *m, machine_workspace *base, const void *position,
                     symbol_id relation, const term_id *args, uint32_t count,
                     const term_table *from) {
  workspace *w = (workspace *)base;
  (void)m;
  assert(m->ops == &reference_machine);
  assert(from->symbols == of(m)->terms.symbols);
  if (base->trouble.is_there) return false;
  set_state(w, position);
  set_no_moves(w);
  term_table *t = solver_terms(w->solver);
  term_id *own = arena_new_array(w->keep, term_id, count + (size_t)1);
  for (uint32_t i = 0; i < count; i++) own[i] = term_copy(t, from, args[i], w->keep);
  if (relation == SYM_TRUE) return has_fluent(w, own[0]); /* no rule gives it */
  const question *q = solver_ask(w->solver, count ? term_atom(t, relation, own, count)
                                                  : term_constant(t, relation));
  return q && q->answer_count;
}

/* ---- opening ---- */

static name_table *names_new(const term_table *terms, arena *keep) {
  name_table *names = arena_alloc_zero(keep, sizeof *names);
  names->keep = arena_new();
  pthread_mutex_init(&names->lock, NULL);
  terms_copy(&names->terms, terms, names->keep);
  return names;
}

static const char *term_text(const term_table *t, term_id id, arena *keep) {
  text out = text_new(keep);
  term_print(t, id, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

/* They are terms of the rules, unless rules make them. */
static void set_roles(reference *m, const program *p, workspace *w, const question *q) {
  const uint32_t count = q->answer_count;
  m->role_terms = arena_new_array(m->keep, term_id, count);
  for (uint32_t i = 0; i < count; i++)
    m->role_terms[i] = term_copy(&m->terms, solver_terms(w->solver), q->answers.items[i], m->keep);
  program_order_roles(p, &m->terms, m->role_terms, count);
  const char **roles = arena_new_array(m->keep, const char *, count);
  for (uint32_t i = 0; i < count; i++) roles[i] = term_text(&m->terms, m->role_terms[i], m->keep);
  m->base.roles = roles;
  m->base.role_count = count;
}

static void set_start(reference *m, workspace *w, const question *q) {
  const uint32_t count = q->answer_count;
  uint32_t *names = arena_new_array(m->keep, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    names[i] = term_copy(&m->terms, solver_terms(w->solver), q->answers.items[i], m->keep);
  m->room = count * ROOM_TIMES > ROOM_LEAST ? count * ROOM_TIMES : ROOM_LEAST;
  m->room |= 1; /* positions are aligned to eight bytes, in arrays too */
  m->base.position_size = (m->room + (size_t)1) * sizeof *m->start;
  m->start = arena_alloc(m->keep, m->base.position_size);
  write_position(m, names, count, m->start);
}

/* Asks for what never changes.  The solver that is asked is used for nothing else, because the
   terms of roles and start are added to the terms of the rules. */
static bool set_constants(reference *m, const program *p, budget *b, diag_sink *d) {
  workspace *w = (workspace *)workspace_new(&m->base, b);
  const question *roles = solver_ask(w->solver, pattern(w, SYM_ROLE, 1));
  const question *init = solver_ask(w->solver, pattern(w, SYM_INIT, 1));
  const bool ok = !machine_report_trouble(&w->base, d) && roles->answer_count;
  if (roles && !roles->answer_count) diag_add(d, DIAG_E601, SPAN_NONE, "the game has no role");
  if (ok) {
    set_roles(m, p, w, roles);
    set_start(m, w, init);
  }
  workspace_free(&w->base);
  return ok;
}

static void close_reference(machine *base) {
  reference *m = (reference *)base;
  if (m->names) {
    pthread_mutex_destroy(&m->names->lock);
    arena_free(m->names->keep);
  }
  large_states_free(m->large);
  arena_free(m->keep);
}

static machine *open_reference(const machine_source *source, budget *b, diag_sink *d) {
  arena *keep = arena_new();
  reference *m = arena_alloc_zero(keep, sizeof *m);
  m->keep = keep;
  m->large = large_states_new();
  m->base.ops = &reference_machine;
  terms_copy(&m->terms, source->program->terms, keep);
  ref_rules_build(&m->rules, source->program, &m->terms, keep);
  if (!set_constants(m, source->program, b, d)) {
    close_reference(&m->base);
    return NULL;
  }
  m->names = names_new(&m->terms, keep);
  return &m->base;
}

const machine_ops reference_machine = {
    .name = "reference",
    .summary = "straight from the rules, one question at a time; slow, and the one to trust",
    .open = open_reference,
    .close = close_reference,
    .workspace_new = workspace_new,
    .workspace_free = workspace_free,
    .start = start,
    .terminal = terminal,
    .legal = legal,
    .goals = goals,
    .step = step,
    .sees = sees,
    .fluents = fluents,
    .find_fluent = find_fluent,
    .place = place_fluents,
    .fluent_text = print_name,
    .move_text = name_text,
    .percept_text = name_text,
};
