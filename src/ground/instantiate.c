#include "ground/instantiate.h"

#include "ground/atom_names.h"
#include "ground/instances.h"
#include "ground/simplify/simplify.h"
#include "ground/text_order.h"

#include <string.h>

typedef struct instantiation {
  ground_program *g;
  const bases *b;
  const flat_program *f;
  arena *scratch;
  budget *limits;
  instances *made;
  id_vec role_of_move;    /* while moves are in the order of their rows */
  uint32_t *fluent_order; /* by place when sorted: place in the order of rows */
  uint32_t *move_order;
  term_id *row;   /* room for the widest */
  bitset settled; /* atoms that hold in every state, among those that were needed first */
} instantiation;

static const table *table_of(const instantiation *x, flat_id r) { return &x->b->facts.tables[r]; }

/* ATOM_NONE: it is not needed. */
static atom_id atom_of(const instantiation *x, flat_id r, uint32_t row) {
  const atom_id *atoms = instances_atoms(x->made, r);
  return atoms ? atoms[row] : ATOM_NONE;
}

/* ---- what is asked for ---- */

static term_id atom_term(const instantiation *x, flat_id r, uint32_t row) {
  return flat_atom(x->f, r, table_row(table_of(x, r), row));
}

typedef void keyword_atom(instantiation *x, flat_id r, uint32_t row);

/* Ends early when the limits are reached, which `instantiate` reports. */
static void each_atom_of(instantiation *x, relation_id relation, keyword_atom *visit) {
  const flat_program *f = x->f;
  for (uint32_t i = f->relations_from[relation]; i < f->relations_from[relation + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < table_of(x, r)->count && !budget_is_spent(x->limits); row++)
      visit(x, r, row);
  }
}

/* Roles and the first state depend on no state, yet may depend on rules that are stratified only
   once ground.  Such atoms are instantiated before all others, and their rules are evaluated. */

static void need_if_open(instantiation *x, flat_id r, uint32_t row) {
  if (x->b->rules.is_open[r]) instances_need(x->made, r, row);
}

static void settle_roles_and_init(instantiation *x) {
  each_atom_of(x, SYM_ROLE, need_if_open);
  each_atom_of(x, SYM_INIT, need_if_open);
  instances_make(x->made);
  ground_program copy = {.keep = x->scratch, .terms = x->g->terms};
  vec_append(x->scratch, &copy.rules, x->g->rules.items, x->g->rules.count);
  vec_append(x->scratch, &copy.literals, x->g->literals.items, x->g->literals.count);
  copy.atoms.count = instances_atom_count(x->made); /* their names are not asked for */
  x->settled = bitset_new(x->scratch, copy.atoms.count);
  x->g->is_derived &= copy.atoms.count == 0;
  if (copy.atoms.count) ground_fold_constants(&copy, false, x->limits);
  for (uint32_t r = 0; r < copy.rules.count; r++)
    if (copy.rules.items[r].body_count == 0) bitset_add(x->settled, copy.rules.items[r].head);
}

/* For a fact of `role` or `init`. */
static bool holds_always(const instantiation *x, flat_id r, uint32_t row) {
  return !x->b->rules.is_open[r] || bitset_has(x->settled, atom_of(x, r, row));
}

static uint32_t role_of(const ground_program *g, term_id role) {
  for (uint32_t i = 0; i < g->roles.count; i++)
    if (g->roles.items[i].term == role) return i;
  return ID_NONE;
}

static void add_role(instantiation *x, flat_id r, uint32_t row) {
  const ground_role fresh = {.term = term_arg(x->g->terms, atom_term(x, r, row), 0)};
  if (holds_always(x, r, row)) vec_push(x->g->keep, &x->g->roles, fresh);
}

static void add_roles(instantiation *x) {
  each_atom_of(x, SYM_ROLE, add_role);
  ground_order_roles(x->g, x->f->source);
}

static ground_outcome outcome_of(instantiation *x, flat_id r, uint32_t row) {
  const term_id atom = atom_term(x, r, row);
  return (ground_outcome){.role = role_of(x->g, term_arg(x->g->terms, atom, 0)),
                          .term = term_arg(x->g->terms, atom, 1),
                          .atom = ATOM_NONE};
}

static void add_goal(instantiation *x, flat_id r, uint32_t row) {
  ground_outcome o = outcome_of(x, r, row);
  if (o.role == ID_NONE) return;
  o.atom = instances_need(x->made, r, row);
  vec_push(x->g->keep, &x->g->goals, o);
}

static void add_percept(instantiation *x, flat_id r, uint32_t row) {
  ground_outcome o = outcome_of(x, r, row);
  if (o.role == ID_NONE) return;
  o.atom = instances_need(x->made, r, row);
  vec_push(x->g->keep, &x->g->percepts, o);
}

static void add_mark(instantiation *x, flat_id r, uint32_t row) {
  const term_id argument = term_arg(x->g->terms, atom_term(x, r, row), 0);
  const ground_mark fresh = {argument, instances_need(x->made, r, row)};
  vec_push(x->g->keep, &x->g->marks, fresh);
}

static void add_marks(instantiation *x) {
  const program *p = x->f->source;
  const relation_id mark = p->mark == SYM_NONE ? RELATION_NONE : program_relation(p, p->mark, 1);
  if (mark != RELATION_NONE) each_atom_of(x, mark, add_mark);
}

static void set_terminal(instantiation *x, flat_id r, uint32_t row) {
  x->g->terminal = instances_need(x->made, r, row);
}

/* An argument of the atom of a row; the atom itself is not made. */
static term_id atom_arg(const instantiation *x, flat_id r, uint32_t row, uint32_t i) {
  return skeleton_argument(x->g->terms, x->f->relations.items[r].skeleton,
                           table_row(table_of(x, r), row), i);
}

static void add_fluent(instantiation *x, flat_id r, uint32_t row) {
  const ground_fluent fresh = {
      .term = atom_arg(x, r, row, 0), .holds = ATOM_NONE, .next = ATOM_NONE};
  vec_push(x->g->keep, &x->g->fluents, fresh);
}

static void add_move(instantiation *x, flat_id r, uint32_t row) {
  const ground_move fresh = {.term = atom_arg(x, r, row, 1), .does = ATOM_NONE, .legal = ATOM_NONE};
  vec_push(x->g->keep, &x->g->moves, fresh);
  vec_push(x->scratch, &x->role_of_move, role_of(x->g, atom_arg(x, r, row, 0)));
}

/* The fluents, or moves by role, in the order of their text, while they are in that of their rows.
 */
static uint32_t *order_of(const instantiation *x, symbol_id keyword, const term_id *terms,
                          const uint32_t *roles, uint32_t count) {
  const flat_program *f = x->f;
  const uint32_t first = f->relations_from[keyword];
  const text_items items = {.f = f,
                            .tables = x->b->facts.tables,
                            .relations = vec_from(&f->relations_by_source, first),
                            .relation_count = f->relations_from[keyword + 1] - first,
                            .terms = terms,
                            .before = roles,
                            .count = count};
  return text_order(&items, x->scratch);
}

static void find_orders(instantiation *x) {
  const ground_program *g = x->g;
  const uint32_t most = g->fluents.count > g->moves.count ? g->fluents.count : g->moves.count;
  term_id *terms = arena_new_array(x->scratch, term_id, most);
  for (uint32_t i = 0; i < g->fluents.count; i++) terms[i] = g->fluents.items[i].term;
  x->fluent_order = order_of(x, SYM_TRUE, terms, NULL, g->fluents.count);
  for (uint32_t i = 0; i < g->moves.count; i++) terms[i] = g->moves.items[i].term;
  x->move_order = order_of(x, SYM_DOES, terms, x->role_of_move.items, g->moves.count);
}

/* Moves of what is no role come last, and go. */
static void sort_moves(instantiation *x) {
  ground_program *g = x->g;
  ground_move *sorted = arena_new_array(x->scratch, ground_move, g->moves.count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < g->moves.count; i++) {
    const uint32_t move = x->move_order[i];
    if (x->role_of_move.items[move] == ID_NONE) break;
    ground_role *role = &g->roles.items[x->role_of_move.items[move]];
    if (role->move_count++ == 0) role->first_move = i;
    sorted[count++] = g->moves.items[move];
  }
  if (count) memcpy(g->moves.items, sorted, count * sizeof *sorted);
  g->moves.count = count;
}

static void sort_fluents(instantiation *x) {
  ground_program *g = x->g;
  ground_fluent *sorted = arena_new_array(x->scratch, ground_fluent, g->fluents.count);
  for (uint32_t i = 0; i < g->fluents.count; i++) sorted[i] = g->fluents.items[x->fluent_order[i]];
  if (g->fluents.count) memcpy(g->fluents.items, sorted, g->fluents.count * sizeof *sorted);
}

/* ---- the same fluent or move under another keyword ---- */

/* A row of one relation seen from another: true(f) and next(f) have the same cells when both
   relations have the same shape.  Where no relation is generic each atom has one shape, so without
   such a relation there is nothing; else the atom is made and looked up.  A generic relation has
   the skeleton of the shape for constants, yet holds more. */
typedef struct counterpart {
  symbol_id keyword;
  flat_id of;       /* the relation at hand */
  flat_id relation; /* with the same shape under `keyword`, or ID_NONE */
  bool is_exact;    /* no relation is generic */
} counterpart;

static term_id under_keyword(const instantiation *x, symbol_id keyword, term_id atom) {
  return term_atom(x->g->terms, keyword, term_args(x->g->terms, atom),
                   term_get(x->g->terms, atom)->arg_count);
}

static counterpart counterpart_of(const instantiation *x, flat_id r, symbol_id keyword) {
  const flat_program *f = x->f;
  const term_id skeleton = under_keyword(x, keyword, f->relations.items[r].skeleton);
  counterpart t = {keyword, r, ID_NONE, f->relations.items[r].is_exact};
  for (uint32_t i = f->relations_from[keyword]; i < f->relations_from[keyword + 1]; i++) {
    const flat_relation *it = &f->relations.items[f->relations_by_source.items[i]];
    t.is_exact &= it->is_exact;
    if (it->skeleton == skeleton && it->is_exact == f->relations.items[r].is_exact)
      t.relation = f->relations_by_source.items[i];
  }
  return t;
}

/* False: under that keyword it is no possible fact. */
static bool counterpart_row(const instantiation *x, const counterpart *t, uint32_t row, flat_id *r,
                            uint32_t *found) {
  if (t->relation != ID_NONE) {
    *r = t->relation;
    *found = table_find(table_of(x, *r), table_row(table_of(x, t->of), row));
    return *found != ID_NONE;
  }
  if (t->is_exact) return false;
  const term_id atom = under_keyword(x, t->keyword, atom_term(x, t->of, row));
  if (!flat_find(x->f, atom, r, x->row)) return false;
  *found = table_find(table_of(x, *r), x->row);
  return *found != ID_NONE;
}

/* Where the fluents and moves come from, in the order in which they were added. */
static void need_next(instantiation *x) {
  const flat_program *f = x->f;
  uint32_t at = 0;
  for (uint32_t i = f->relations_from[SYM_TRUE]; i < f->relations_from[SYM_TRUE + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    const counterpart init = counterpart_of(x, r, SYM_INIT);
    const counterpart next = counterpart_of(x, r, SYM_NEXT);
    for (uint32_t row = 0; row < table_of(x, r)->count; row++, at++) {
      ground_fluent *it = &x->g->fluents.items[at];
      flat_id other;
      uint32_t found;
      it->initially =
          counterpart_row(x, &init, row, &other, &found) && holds_always(x, other, found);
      if (counterpart_row(x, &next, row, &other, &found))
        it->next = instances_need(x->made, other, found);
    }
  }
}

static void need_legal(instantiation *x) {
  const flat_program *f = x->f;
  uint32_t at = 0;
  for (uint32_t i = f->relations_from[SYM_DOES]; i < f->relations_from[SYM_DOES + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    const counterpart legal = counterpart_of(x, r, SYM_LEGAL);
    for (uint32_t row = 0; row < table_of(x, r)->count; row++, at++) {
      flat_id other;
      uint32_t found;
      if (counterpart_row(x, &legal, row, &other, &found))
        x->g->moves.items[at].legal = instances_need(x->made, other, found);
    }
  }
}

/* Which of the given atoms have become needed. */
static void connect_leaves(instantiation *x) {
  const flat_program *f = x->f;
  uint32_t at = 0;
  for (uint32_t i = f->relations_from[SYM_TRUE]; i < f->relations_from[SYM_TRUE + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < table_of(x, r)->count; row++, at++)
      x->g->fluents.items[at].holds = atom_of(x, r, row);
  }
  at = 0;
  for (uint32_t i = f->relations_from[SYM_DOES]; i < f->relations_from[SYM_DOES + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < table_of(x, r)->count; row++, at++)
      x->g->moves.items[at].does = atom_of(x, r, row);
  }
}

/* Those of fluents and moves need no name. */
static bitset atoms_of_interface(const instantiation *x) {
  const ground_program *g = x->g;
  const uint32_t atoms = instances_atom_count(x->made);
  const bitset all = bitset_new(x->scratch, atoms + 1); /* the last stands for ATOM_NONE */
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    const ground_fluent *it = &g->fluents.items[i];
    bitset_add(all, it->holds < atoms ? it->holds : atoms);
    bitset_add(all, it->next < atoms ? it->next : atoms);
  }
  for (uint32_t i = 0; i < g->moves.count; i++) {
    const ground_move *it = &g->moves.items[i];
    bitset_add(all, it->does < atoms ? it->does : atoms);
    bitset_add(all, it->legal < atoms ? it->legal : atoms);
  }
  return all;
}

static void name_atoms_of(instantiation *x, flat_id r, const atom_id *atoms, bitset unnamed) {
  ground_program *g = x->g;
  const table *t = table_of(x, r);
  for (uint32_t row = 0; row < t->count; row++) {
    const atom_id a = atoms[row];
    if (a == ATOM_NONE || bitset_has(unnamed, a)) continue;
    const term_id skeleton = x->f->relations.items[r].skeleton;
    g->atoms.items[a] = atom_name_later(g, skeleton, table_row(t, row), t->arity);
  }
}

static void name_atoms(instantiation *x) {
  ground_program *g = x->g;
  const bitset unnamed = atoms_of_interface(x);
  const uint32_t count = instances_atom_count(x->made);
  vec_reserve(g->keep, &g->atoms, count);
  for (atom_id a = 0; a < count; a++) vec_push(g->keep, &g->atoms, TERM_NONE);
  for (flat_id r = 0; r < x->f->relations.count; r++) {
    const atom_id *atoms = instances_atoms(x->made, r);
    if (!atoms) continue;
    name_atoms_of(x, r, atoms, unnamed);
    table_close(&x->b->facts.tables[r], false); /* or wide rows would be there twice */
  }
}

/* ---- everything ---- */

static uint32_t widest_relation(const flat_program *f) {
  uint32_t widest = 0;
  for (flat_id r = 0; r < f->relations.count; r++)
    if (f->relations.items[r].arity > widest) widest = f->relations.items[r].arity;
  return widest;
}

static void collect_questions(instantiation *x) {
  settle_roles_and_init(x);
  add_roles(x);
  each_atom_of(x, SYM_TRUE, add_fluent);
  each_atom_of(x, SYM_DOES, add_move);
  each_atom_of(x, SYM_GOAL, add_goal);
  each_atom_of(x, SYM_SEES, add_percept);
  add_marks(x);
  each_atom_of(x, SYM_TERMINAL, set_terminal);
  if (budget_is_spent(x->limits)) return; /* the lists may have ended early */
  need_next(x);
  need_legal(x);
}

/* Evaluation has other indexes than instantiation; where they are large they make room. */
static void drop_indexes(const bases *b) {
  enum { LARGE = 8 << 20 };
  if (arena_bytes(b->tables_keep) < LARGE) return;
  for (flat_id r = 0; r < b->rules.program.relations.count; r++)
    table_drop_indexes(&b->facts.tables[r]);
}

/* Fluents, moves and atoms in their order, with their names. */
static void finish(instantiation *x) {
  find_orders(x);
  for (flat_id r = 0; r < x->f->relations.count; r++)
    table_close(&x->b->facts.tables[r], instances_atoms(x->made, r) != NULL);
  connect_leaves(x);
  sort_fluents(x);
  sort_moves(x);
  name_atoms(x);
}

bool instantiate(ground_program *g, bases *b, arena *keep, budget *limits, diag_sink *d) {
  *g = (ground_program){
      .keep = keep, .terms = b->rules.program.terms, .terminal = ATOM_NONE, .is_derived = true};
  const flat_program *f = &b->rules.program;
  arena *scratch = arena_new();
  budget_watch(limits, scratch);
  instantiation x = {.g = g,
                     .b = b,
                     .f = f,
                     .scratch = scratch,
                     .limits = limits,
                     .row = arena_new_array(scratch, term_id, widest_relation(f) + 1)};
  drop_indexes(b);
  rewriting_drop_demand(&b->rules, b->facts.tables);
  x.made = instances_new(g, b, scratch, limits);
  collect_questions(&x);
  const bool ok = !budget_is_spent(limits) && instances_make(x.made);
  if (ok) finish(&x);
  instances_free(x.made);
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  if (!ok) {
    text words = text_new(keep);
    text_add_format(&words, "%u ground rules were made", g->rules.count);
    budget_report(limits, d, text_string(&words));
  }
  return ok;
}
