#include "ground/instantiate.h"

#include "base/graph.h"
#include "ground/atom_names.h"
#include "ground/simplify.h"
#include "ground/text_order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A negated literal that stays in the ground rule. */
typedef struct kept_negation {
  flat_id relation;
  value *values;
} kept_negation;

/* A step whose row becomes a positive literal. */
typedef struct kept_step {
  flat_id relation;
  const uint32_t *row; /* the one that it stands on */
} kept_step;

/* A clause, ready to be joined from its head. */
typedef struct instance_plan {
  plan plan;
  join join;
  kept_step *kept_steps;
  uint32_t kept_step_count;
  kept_negation *negations;
  uint32_t negation_count;
  uint32_t longest_body;
} instance_plan;

typedef struct instantiation {
  ground_program *g;
  const bases *b;
  const flat_program *f;
  arena *scratch;
  budget *limits;
  diag_sink *d;
  atom_id **atom_of_row; /* by flat relation, then row; NULL before the first need */
  id_vec *waiting;       /* by flat relation: rows that are needed and not yet instantiated */
  id_vec spare;          /* a list that is not in use */
  uint32_t atom_count;
  graph clauses_of;       /* flat relation -> its clauses */
  instance_plan **plans;  /* by flat clause */
  id_vec role_of_move;    /* while moves are in the order of their rows */
  uint32_t *fluent_order; /* by place when sorted: place in the order of rows */
  uint32_t *move_order;
  term_id *row;
  bitset settled; /* atoms that hold in every state, among those that were needed first */
  bool failed;
} instantiation;

/* ---- atoms ---- */

static const table *table_of(const instantiation *x, flat_id r) { return &x->b->facts.tables[r]; }

static bool is_leaf(const instantiation *x, flat_id r) {
  const relation_id source = x->f->relations.items[r].relation;
  return source == SYM_TRUE || source == SYM_DOES;
}

static atom_id *number_relation(instantiation *x, flat_id r) {
  const uint32_t rows = table_of(x, r)->count;
  x->atom_of_row[r] = arena_new_array(x->scratch, atom_id, rows);
  memset(x->atom_of_row[r], 0xff, rows * sizeof(atom_id));
  return x->atom_of_row[r];
}

/* The next number for a row that had none. */
static atom_id number_row(instantiation *x, flat_id r, uint32_t row, atom_id *atom) {
  *atom = x->atom_count++;
  if (!is_leaf(x, r)) vec_push(x->scratch, &x->waiting[r], row);
  return *atom;
}

/* The atom of a row; from now on it is needed. */
static inline atom_id need_atom(instantiation *x, flat_id r, uint32_t row) {
  atom_id *atoms = x->atom_of_row[r] ? x->atom_of_row[r] : number_relation(x, r);
  return atoms[row] != ATOM_NONE ? atoms[row] : number_row(x, r, row, &atoms[row]);
}

/* ---- plans ---- */

static void keep_steps(instantiation *x, instance_plan *p) {
  p->kept_steps = arena_new_array(x->scratch, kept_step, p->plan.step_count);
  p->kept_step_count = 0;
  for (uint32_t i = 0; i < p->plan.step_count; i++) {
    const step *s = &p->plan.steps[i];
    if (s->literal != PLAN_HEAD && x->b->rules.is_open[s->relation])
      p->kept_steps[p->kept_step_count++] = (kept_step){s->relation, &p->join.rows[i]};
  }
}

static void keep_negations(instantiation *x, instance_plan *p, const flat_clause *c) {
  VEC(kept_negation) kept = {0};
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &x->f->literals.items[c->body + i];
    if (l->kind != LITERAL_NEGATIVE || !x->b->rules.is_open[l->relation]) continue;
    const kept_negation n = {
        l->relation, plan_values(x->f, l->args, table_of(x, l->relation)->arity, x->scratch)};
    vec_push(x->scratch, &kept, n);
  }
  p->negations = kept.items;
  p->negation_count = kept.count;
}

static instance_plan *plan_of(instantiation *x, flat_clause_id c) {
  if (x->plans[c]) return x->plans[c];
  instance_plan *p = arena_alloc(x->scratch, sizeof *p);
  plan_make(&p->plan, x->f, x->b->facts.tables, x->b->rules.is_open, c, PLAN_HEAD, x->scratch);
  join_init(&p->join, x->f, x->b->facts.tables, &p->plan, x->scratch);
  keep_steps(x, p);
  keep_negations(x, p, &x->f->clauses.items[c]);
  p->longest_body = p->kept_step_count + p->negation_count;
  return x->plans[c] = p;
}

/* ---- rules ---- */

/* Bodies are short: they are sorted by insertion, which also finds repeated literals.  `count` of
   them stand in `body`, which has room for one more.  False: the literal contradicts one that is
   there. */
static inline bool insert_literal(ground_literal *body, uint32_t *count, ground_literal l) {
  uint32_t at = *count;
  while (at > 0 && body[at - 1] > l) at--;
  if (at > 0 && body[at - 1] == l) return true;
  if ((at > 0 && body[at - 1] == (l ^ 1)) || (at < *count && body[at] == (l ^ 1))) return false;
  for (uint32_t i = (*count)++; i > at; i--) body[i] = body[i - 1];
  body[at] = l;
  return true;
}

static bool collect_positives(instantiation *x, const instance_plan *p, ground_literal *body,
                              uint32_t *count) {
  for (uint32_t i = 0; i < p->kept_step_count; i++) {
    const atom_id a = need_atom(x, p->kept_steps[i].relation, *p->kept_steps[i].row);
    if (!insert_literal(body, count, literal_of_atom(a, false))) return false;
  }
  return true;
}

/* A negated atom that can never hold is left out. */
static bool collect_negations(instantiation *x, const instance_plan *p, ground_literal *body,
                              uint32_t *count) {
  for (uint32_t i = 0; i < p->negation_count; i++) {
    const kept_negation *n = &p->negations[i];
    const table *t = table_of(x, n->relation);
    bool exists = true;
    for (uint32_t k = 0; k < t->arity; k++) {
      x->row[k] = join_value(&p->join, n->values[k]);
      exists &= x->row[k] != TERM_NONE;
    }
    const uint32_t row = exists ? table_find(t, x->row) : ID_NONE;
    if (row == ID_NONE) continue;
    const atom_id a = need_atom(x, n->relation, row);
    if (!insert_literal(body, count, literal_of_atom(a, true))) return false;
  }
  return true;
}

typedef struct solution_context {
  instantiation *x;
  const instance_plan *p;
  const atom_id *heads; /* by row */
} solution_context;

/* The body is written where it will stay. */
static bool add_rule(void *context, const join *j) {
  const solution_context *s = context;
  instantiation *x = s->x;
  ground_program *g = x->g;
  if (g->literals.capacity - g->literals.count <= s->p->longest_body)
    vec_reserve(g->keep, &g->literals, s->p->longest_body + 1); /* a place, if unused */
  ground_literal *body = vec_from(&g->literals, g->literals.count);
  uint32_t count = 0;
  if (!collect_positives(x, s->p, body, &count) || !collect_negations(x, s->p, body, &count)) {
    g->is_derived = false;
    return true;
  }
  const ground_rule r = {s->heads[j->rows[0]], g->literals.count, count};
  g->literals.count += count;
  vec_push(g->keep, &g->rules, r);
  return true;
}

static bool look_at_limits(void *context, join *j) {
  instantiation *x = ((solution_context *)context)->x;
  j->try_limit = j->tried + 1024;
  x->failed = budget_is_spent(x->limits);
  return !x->failed;
}

/* The rules of a clause for the heads in rows start .. end-1, all of them needed. */
static void instantiate_clause(instantiation *x, flat_clause_id c, uint32_t start, uint32_t end) {
  instance_plan *p = plan_of(x, c);
  p->join.given = start;
  p->join.given_end = end;
  p->join.try_limit = p->join.tried + 1024;
  solution_context s = {x, p, x->atom_of_row[x->f->clauses.items[c].head]};
  join_run(&p->join, add_rule, look_at_limits, &s);
}

static int compare_rows(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left;
  const uint32_t b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

/* Takes the rows that wait, sorted.  Another list stands in for the one that is taken. */
static id_vec take_waiting(instantiation *x, flat_id r) {
  const id_vec rows = x->waiting[r];
  x->waiting[r] = x->spare;
  x->waiting[r].count = 0;
  for (uint32_t i = 1; i < rows.count; i++) {
    if (rows.items[i - 1] < rows.items[i]) continue;
    qsort(rows.items, rows.count, sizeof *rows.items, compare_rows);
    break;
  }
  return rows;
}

/* Neighbouring rows are joined together. */
static void instantiate_relation(instantiation *x, flat_id r) {
  const id_vec rows = take_waiting(x, r);
  for (uint32_t i = 0, end; i < rows.count && !x->failed; i = end) {
    for (end = i + 1; end < rows.count && rows.items[end] == rows.items[end - 1] + 1;) end++;
    for (uint32_t k = x->clauses_of.from[r]; k < x->clauses_of.from[r + 1] && !x->failed; k++)
      instantiate_clause(x, x->clauses_of.to[k], rows.items[i], rows.items[end - 1] + 1);
    x->failed |= budget_is_spent(x->limits);
  }
  x->spare = rows;
}

static void instantiate_waiting(instantiation *x) {
  for (bool changed = true; changed && !x->failed;) {
    changed = false;
    for (flat_id r = 0; r < x->f->relations.count && !x->failed; r++) {
      if (x->waiting[r].count == 0) continue;
      instantiate_relation(x, r);
      changed = true;
    }
  }
}

/* ---- what is asked for ---- */

static term_id atom_term(const instantiation *x, flat_id r, uint32_t row) {
  return flat_atom(x->f, r, table_row(table_of(x, r), row));
}

typedef void keyword_atom(instantiation *x, flat_id r, uint32_t row);

static void each_atom_of(instantiation *x, symbol_id keyword, keyword_atom *visit) {
  const flat_program *f = x->f;
  for (uint32_t i = f->relations_from[keyword]; i < f->relations_from[keyword + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < table_of(x, r)->count; row++) visit(x, r, row);
  }
}

/* Roles and the first state depend on no state, yet may depend on rules that are stratified only
   once ground.  Such atoms are instantiated before all others, and their rules are evaluated. */

static void need_if_open(instantiation *x, flat_id r, uint32_t row) {
  if (x->b->rules.is_open[r]) need_atom(x, r, row);
}

static void settle_roles_and_init(instantiation *x) {
  each_atom_of(x, SYM_ROLE, need_if_open);
  each_atom_of(x, SYM_INIT, need_if_open);
  instantiate_waiting(x);
  ground_program copy = {.keep = x->scratch, .terms = x->g->terms};
  vec_append(x->scratch, &copy.rules, x->g->rules.items, x->g->rules.count);
  vec_append(x->scratch, &copy.literals, x->g->literals.items, x->g->literals.count);
  copy.atoms.count = x->atom_count; /* their names are not asked for */
  x->settled = bitset_new(x->scratch, copy.atoms.count);
  x->g->is_derived &= copy.atoms.count == 0;
  if (copy.atoms.count) ground_fold_constants(&copy, false, x->limits);
  for (uint32_t r = 0; r < copy.rules.count; r++)
    if (copy.rules.items[r].body_count == 0) bitset_add(x->settled, copy.rules.items[r].head);
}

/* For a fact of `role` or `init`. */
static bool holds_always(const instantiation *x, flat_id r, uint32_t row) {
  return !x->b->rules.is_open[r] || bitset_has(x->settled, x->atom_of_row[r][row]);
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
  o.atom = need_atom(x, r, row);
  vec_push(x->g->keep, &x->g->goals, o);
}

static void add_percept(instantiation *x, flat_id r, uint32_t row) {
  ground_outcome o = outcome_of(x, r, row);
  if (o.role == ID_NONE) return;
  o.atom = need_atom(x, r, row);
  vec_push(x->g->keep, &x->g->percepts, o);
}

static void set_terminal(instantiation *x, flat_id r, uint32_t row) {
  x->g->terminal = need_atom(x, r, row);
}

/* An argument of the atom of a row; the atom itself is not made. */
static term_id atom_arg(const instantiation *x, flat_id r, uint32_t row, uint32_t i) {
  const term_id skeleton = term_arg(x->g->terms, x->f->relations.items[r].skeleton, i);
  return term_substitute(x->g->terms, skeleton, table_row(table_of(x, r), row));
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
typedef struct twin {
  symbol_id keyword;
  flat_id of;       /* the relation at hand */
  flat_id relation; /* with the same shape under `keyword`, or ID_NONE */
  bool is_exact;    /* no relation is generic */
} twin;

static term_id under_keyword(const instantiation *x, symbol_id keyword, term_id atom) {
  return term_compound(x->g->terms, keyword, term_args(x->g->terms, atom),
                       term_get(x->g->terms, atom)->arg_count);
}

static twin twin_of(const instantiation *x, flat_id r, symbol_id keyword) {
  const flat_program *f = x->f;
  const term_id skeleton = under_keyword(x, keyword, f->relations.items[r].skeleton);
  twin t = {keyword, r, ID_NONE, f->relations.items[r].is_exact};
  for (uint32_t i = f->relations_from[keyword]; i < f->relations_from[keyword + 1]; i++) {
    const flat_relation *it = &f->relations.items[f->relations_by_source.items[i]];
    t.is_exact &= it->is_exact;
    if (it->skeleton == skeleton && it->is_exact == f->relations.items[r].is_exact)
      t.relation = f->relations_by_source.items[i];
  }
  return t;
}

/* False: under that keyword it is no possible fact. */
static bool twin_row(const instantiation *x, const twin *t, uint32_t row, flat_id *r,
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
    const twin init = twin_of(x, r, SYM_INIT);
    const twin next = twin_of(x, r, SYM_NEXT);
    for (uint32_t row = 0; row < table_of(x, r)->count; row++, at++) {
      ground_fluent *it = &x->g->fluents.items[at];
      flat_id other;
      uint32_t found;
      it->initially = twin_row(x, &init, row, &other, &found) && holds_always(x, other, found);
      if (twin_row(x, &next, row, &other, &found)) it->next = need_atom(x, other, found);
    }
  }
}

static void need_legal(instantiation *x) {
  const flat_program *f = x->f;
  uint32_t at = 0;
  for (uint32_t i = f->relations_from[SYM_DOES]; i < f->relations_from[SYM_DOES + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    const twin legal = twin_of(x, r, SYM_LEGAL);
    for (uint32_t row = 0; row < table_of(x, r)->count; row++, at++) {
      flat_id other;
      uint32_t found;
      if (twin_row(x, &legal, row, &other, &found))
        x->g->moves.items[at].legal = need_atom(x, other, found);
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
      if (x->atom_of_row[r]) x->g->fluents.items[at].holds = x->atom_of_row[r][row];
  }
  at = 0;
  for (uint32_t i = f->relations_from[SYM_DOES]; i < f->relations_from[SYM_DOES + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < table_of(x, r)->count; row++, at++)
      if (x->atom_of_row[r]) x->g->moves.items[at].does = x->atom_of_row[r][row];
  }
}

/* Those of fluents and moves need no name. */
static bitset atoms_of_interface(const instantiation *x) {
  const ground_program *g = x->g;
  const uint32_t atoms = x->atom_count;
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

static void name_atoms_of(instantiation *x, flat_id r, bitset unnamed) {
  ground_program *g = x->g;
  const table *t = table_of(x, r);
  for (uint32_t row = 0; row < t->count; row++) {
    const atom_id a = x->atom_of_row[r][row];
    if (a == ATOM_NONE || bitset_has(unnamed, a)) continue;
    const term_id skeleton = x->f->relations.items[r].skeleton;
    g->atoms.items[a] = atom_name_later(g, skeleton, table_row(t, row), t->arity);
  }
}

static void name_atoms(instantiation *x) {
  ground_program *g = x->g;
  const bitset unnamed = atoms_of_interface(x);
  vec_reserve(g->keep, &g->atoms, x->atom_count);
  for (atom_id a = 0; a < x->atom_count; a++) vec_push(g->keep, &g->atoms, TERM_NONE);
  for (flat_id r = 0; r < x->f->relations.count; r++) {
    if (!x->atom_of_row[r]) continue;
    name_atoms_of(x, r, unnamed);
    table_close(&x->b->facts.tables[r], false); /* or wide rows would be there twice */
  }
}

/* ---- everything ---- */

static graph clauses_by_head(const flat_program *f, arena *scratch) {
  uint32_t *tails = arena_new_array(scratch, uint32_t, f->clauses.count);
  uint32_t *heads = arena_new_array(scratch, uint32_t, f->clauses.count);
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    tails[c] = f->clauses.items[c].head;
    heads[c] = c;
  }
  return graph_new(scratch, f->relations.count, tails, heads, f->clauses.count);
}

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
  each_atom_of(x, SYM_TERMINAL, set_terminal);
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
                     .d = d,
                     .atom_of_row = arena_zero_array(scratch, atom_id *, f->relations.count),
                     .waiting = arena_zero_array(scratch, id_vec, f->relations.count),
                     .plans = arena_zero_array(scratch, instance_plan *, f->clauses.count),
                     .clauses_of = clauses_by_head(f, scratch),
                     .row = arena_new_array(scratch, term_id, widest_relation(f) + 1)};
  drop_indexes(b);
  rewriting_drop_demand(&b->rules, b->facts.tables);
  collect_questions(&x);
  instantiate_waiting(&x);
  find_orders(&x);
  for (flat_id r = 0; r < f->relations.count; r++)
    table_close(&b->facts.tables[r], x.atom_of_row[r] != NULL);
  connect_leaves(&x);
  sort_fluents(&x);
  sort_moves(&x);
  name_atoms(&x);
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  if (x.failed) {
    text words = text_new(keep);
    text_add_format(&words, "%u ground rules were made", g->rules.count);
    budget_report(limits, d, text_string(&words));
  }
  return !x.failed;
}
