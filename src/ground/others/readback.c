#include "ground/others/readback.h"

#include "ground/others/ground_normal_form.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of_atom(const void *context, uint32_t id) {
  return hash_mix(((const ground_program *)context)->atoms.items[id]);
}

void readback_start(readback *b, ground_program *g, const program *p, arena *keep, arena *scratch) {
  *g = (ground_program){.keep = keep, .terms = p->terms, .terminal = ATOM_NONE};
  *b = (readback){.g = g, .p = p, .scratch = scratch};
}

atom_id readback_atom(readback *b, term_id atom) {
  ground_program *g = b->g;
  id_table_reserve(&b->atom_index, b->scratch, hash_of_atom, g);
  uint32_t at = id_table_first(&b->atom_index, hash_mix(atom));
  for (; b->atom_index.slots[at] != ID_NONE; at = id_table_next(&b->atom_index, at))
    if (g->atoms.items[b->atom_index.slots[at]] == atom) return b->atom_index.slots[at];
  vec_push(g->keep, &g->atoms, atom);
  id_table_put(&b->atom_index, at, g->atoms.count - 1);
  return g->atoms.count - 1;
}

atom_id readback_unnamed_atom(readback *b) {
  vec_push(b->g->keep, &b->g->atoms, TERM_NONE);
  return b->g->atoms.count - 1;
}

void readback_rule(readback *b, atom_id head, uint32_t body_count) {
  const ground_rule r = {head, b->g->literals.count - body_count, body_count};
  vec_push(b->g->keep, &b->g->rules, r);
}

/* ---- connecting ---- */

typedef struct connection {
  readback *b;
  const truth *truths; /* by atom */
  atom_id *atom_of_term;
  uint32_t term_count; /* when atom_of_term was made */
} connection;

static void index_atoms(connection *c) {
  const ground_program *g = c->b->g;
  c->term_count = g->terms->terms.count;
  c->atom_of_term = arena_new_array(c->b->scratch, atom_id, c->term_count);
  memset(c->atom_of_term, 0xff, c->term_count * sizeof *c->atom_of_term);
  for (atom_id a = 0; a < g->atoms.count; a++)
    if (g->atoms.items[a] != TERM_NONE) c->atom_of_term[g->atoms.items[a]] = a;
}

/* The atom keyword(args); ATOM_NONE when the program did not mention it. */
static atom_id find_atom(const connection *c, symbol_id keyword, const term_id *args,
                         uint32_t count) {
  const term_id atom = term_atom(c->b->g->terms, keyword, args, count);
  return atom < c->term_count ? c->atom_of_term[atom] : ATOM_NONE;
}

static bool holds_always(const connection *c, symbol_id keyword, term_id arg) {
  const atom_id a = find_atom(c, keyword, &arg, 1);
  return a != ATOM_NONE && c->truths[a] == TRUTH_HOLDS;
}

static uint32_t find_role(const ground_program *g, term_id role) {
  for (uint32_t i = 0; i < g->roles.count; i++)
    if (g->roles.items[i].term == role) return i;
  return ID_NONE;
}

static void add_role(connection *c, term_id role) {
  ground_program *g = c->b->g;
  if (find_role(g, role) != ID_NONE || !holds_always(c, SYM_ROLE, role)) return;
  vec_push(g->keep, &g->roles, (ground_role){.term = role});
}

static int compare_terms(const void *left, const void *right, void *terms) {
  return term_compare(terms, *(const term_id *)left, *(const term_id *)right);
}

static void sort_terms(term_id *items, uint32_t count, term_table *terms) {
  if (count) qsort_r(items, count, sizeof *items, compare_terms, terms);
}

static void connect_roles(connection *c) {
  readback *b = c->b;
  const term_table *t = b->g->terms;
  for (clause_id i = 0; i < b->p->clauses.count; i++) {
    const clause *it = &b->p->clauses.items[i];
    if (it->body_count == 0 && atom_relation(b->p, it->head) == SYM_ROLE)
      add_role(c, term_arg(t, it->head, 0));
  }
  for (uint32_t i = 0; i < b->roles.count; i++) add_role(c, term_arg(t, b->roles.items[i], 0));
  ground_order_roles(b->g, b->p);
}

static void connect_fluents(connection *c) {
  ground_program *g = c->b->g;
  sort_terms(c->b->fluents.items, c->b->fluents.count, g->terms);
  for (uint32_t i = 0; i < c->b->fluents.count; i++) {
    const term_id fluent = term_arg(g->terms, c->b->fluents.items[i], 0);
    const ground_fluent fresh = {.term = fluent,
                                 .holds = find_atom(c, SYM_TRUE, &fluent, 1),
                                 .next = find_atom(c, SYM_NEXT, &fluent, 1),
                                 .initially = holds_always(c, SYM_INIT, fluent)};
    vec_push(g->keep, &g->fluents, fresh);
  }
}

static void connect_moves_of(connection *c, ground_role *role) {
  ground_program *g = c->b->g;
  role->first_move = g->moves.count;
  for (uint32_t i = 0; i < c->b->moves.count; i++) {
    const term_id args[2] = {term_arg(g->terms, c->b->moves.items[i], 0),
                             term_arg(g->terms, c->b->moves.items[i], 1)};
    if (args[0] != role->term) continue;
    const ground_move fresh = {.term = args[1],
                               .does = find_atom(c, SYM_DOES, args, 2),
                               .legal = find_atom(c, SYM_LEGAL, args, 2)};
    vec_push(g->keep, &g->moves, fresh);
  }
  role->move_count = g->moves.count - role->first_move;
}

static void connect_moves(connection *c) {
  ground_program *g = c->b->g;
  sort_terms(c->b->moves.items, c->b->moves.count, g->terms);
  for (uint32_t i = 0; i < g->roles.count; i++) connect_moves_of(c, &g->roles.items[i]);
}

static int compare_outcomes(const void *left, const void *right, void *terms) {
  const ground_outcome *a = left;
  const ground_outcome *b = right;
  if (a->role != b->role) return a->role < b->role ? -1 : 1;
  return term_compare(terms, a->term, b->term);
}

/* keyword(role, term), for goal and sees. */
static bool outcome_of(const ground_program *g, symbol_id keyword, atom_id a, ground_outcome *o) {
  const term *it = term_get(g->terms, g->atoms.items[a]);
  if (it->name != keyword || it->arg_count != 2) return false;
  *o = (ground_outcome){.role = find_role(g, term_arg(g->terms, g->atoms.items[a], 0)),
                        .term = term_arg(g->terms, g->atoms.items[a], 1),
                        .atom = a};
  return o->role != ID_NONE;
}

static void connect_outcomes(connection *c) {
  ground_program *g = c->b->g;
  ground_outcome o;
  for (atom_id a = 0; a < g->atoms.count; a++) {
    if (g->atoms.items[a] == TERM_NONE) continue;
    if (outcome_of(g, SYM_GOAL, a, &o)) vec_push(g->keep, &g->goals, o);
    if (outcome_of(g, SYM_SEES, a, &o)) vec_push(g->keep, &g->percepts, o);
  }
  if (g->goals.count) qsort_r(g->goals.items, g->goals.count, sizeof o, compare_outcomes, g->terms);
  if (g->percepts.count)
    qsort_r(g->percepts.items, g->percepts.count, sizeof o, compare_outcomes, g->terms);
}

/* Which role and init facts hold is asked before anything is given: they depend on no state. */
bool readback_finish(readback *b) {
  ground_program *g = b->g;
  connection c = {.b = b, .truths = ground_truths(g, b->scratch)};
  index_atoms(&c);
  connect_roles(&c);
  connect_fluents(&c);
  connect_moves(&c);
  connect_outcomes(&c);
  g->terminal = find_atom(&c, SYM_TERMINAL, NULL, 0);
  ground_normalise(g);
  for (atom_id a = 0; a < g->atoms.count; a++)
    if (g->atoms.items[a] == TERM_NONE) return false;
  return true;
}
