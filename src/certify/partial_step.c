#include "certify/partial_step.h"

#include "certify/alike_moves.h"
#include "certify/needed_fluents.h"

/* A question that is harder than this is left open. */
enum { CONFLICTS_MAX = 2000, CONFLICTS_LEGAL_MAX = 100000 };

struct partial_step {
  ground_clauses c;
  alike_moves *moves;
  need_table needs;
  arena *inner;            /* of one question */
  clause_literal *fluents; /* by fluent: before the step; 0: not asked for */
  clause_literal *atoms;   /* by atom, likewise */
  clause_literal *groups;  /* by group of moves: one of them is made; 0: it has none */
  clause_literal *sets;    /* by set of moves: one of them is made; 0: it has none */
  uint32_t *first_move;    /* by group, and one more: in `moves_of` */
  uint32_t *moves_of;      /* the moves of each group */
  id_vec asked_fluents, asked_atoms;
  uint32_t defined_atoms; /* of those asked for */
  uint32_t conflicts_max;
};

partial_step *partial_step_new(const ground_program *g, budget *b, arena *keep) {
  partial_step *n = arena_alloc_zero(keep, sizeof *n);
  *n = (partial_step){.inner = arena_new(),
                      .fluents = arena_zero_array(keep, clause_literal, g->fluents.count + 1),
                      .atoms = arena_zero_array(keep, clause_literal, g->atoms.count + 1)};
  ground_clauses_init(&n->c, g, b, keep);
  n->moves = alike_moves_new(&n->c, keep);
  n->needs = need_table_new(&n->c, keep);
  return n;
}

void partial_step_free(partial_step *n) {
  alike_moves_free(n->moves);
  arena_free(n->inner);
  ground_clauses_free(&n->c);
}

ground_clauses *partial_step_clauses(partial_step *n) { return &n->c; }

const id_vec *partial_step_fluents(const partial_step *n) { return &n->asked_fluents; }

/* ---- fluents and atoms ---- */

static void forget(partial_step *n) {
  for (uint32_t i = 0; i < n->asked_fluents.count; i++) n->fluents[n->asked_fluents.items[i]] = 0;
  for (uint32_t i = 0; i < n->asked_atoms.count; i++) n->atoms[n->asked_atoms.items[i]] = 0;
  n->asked_fluents.count = n->asked_atoms.count = n->defined_atoms = 0;
  n->conflicts_max = CONFLICTS_MAX;
  arena_clear(n->inner);
  ground_clauses_renew(&n->c);
}

static clause_literal ask_for(partial_step *n, clause_literal *literals, id_vec *asked,
                              uint32_t i) {
  if (!literals[i]) {
    literals[i] = clauses_new_variable(&n->c);
    vec_push(n->c.keep, asked, i);
  }
  return literals[i];
}

clause_literal partial_step_before(partial_step *n, uint32_t fluent) {
  return ask_for(n, n->fluents, &n->asked_fluents, fluent);
}

/* If moves are merged, any of them may be the one that is made. */
static clause_literal move_literal(partial_step *n, uint32_t move) {
  const uint32_t group = n->moves->groups.part_of[move];
  return n->moves->groups.parts.items[group].size == 1 ? n->groups[group]
                                                       : clauses_new_variable(&n->c);
}

static clause_literal atom_literal(partial_step *n, atom_id a) {
  if (a == ATOM_NONE) return -n->c.truth;
  if (n->c.fluent_of[a] != ID_NONE) return partial_step_before(n, n->c.fluent_of[a]);
  if (n->c.move_of[a] != ID_NONE) return move_literal(n, n->c.move_of[a]);
  return ask_for(n, n->atoms, &n->asked_atoms, a);
}

clause_literal partial_step_after(partial_step *n, uint32_t fluent) {
  return atom_literal(n, n->c.g->fluents.items[fluent].next);
}

/* ---- bodies ---- */

/* One of the moves that may stand in the body is made. */
static clause_literal one_of_moves(partial_step *n, const asked_body *b) {
  const alike_moves *m = n->moves;
  const arena_mark mark = arena_save(n->inner);
  const bitset seen = bitset_new(n->inner, m->sets.parts.count);
  literal_vec made = {0};
  for (uint32_t i = b->last_atom; i != ID_NONE; i = m->open_atoms.items[i].before) {
    const uint32_t set = m->sets.part_of[m->open_atoms.items[i].atom];
    if (bitset_insert(seen, set)) vec_push(n->inner, &made, n->sets[set]);
  }
  const clause_literal any =
      made.count == 1 ? made.items[0] : clauses_any(&n->c, made.items, made.count);
  arena_restore(n->inner, mark);
  return any;
}

static clause_literal body_literal(partial_step *n, const asked_body *b) {
  const ground_program *g = n->c.g;
  const ground_rule *r = &g->rules.items[b->rule];
  const arena_mark mark = arena_save(n->inner);
  clause_literal *body = arena_new_array(n->inner, clause_literal, r->body_count + 1);
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = g->literals.items[r->body + i];
    const clause_literal it = i == b->open ? one_of_moves(n, b) : atom_literal(n, literal_atom(l));
    body[i] = literal_is_negated(l) ? -it : it;
  }
  const clause_literal all = clauses_all(&n->c, body, r->body_count);
  arena_restore(n->inner, mark);
  return all;
}

/* The atom holds exactly when one of these bodies does. */
static void define_atom(partial_step *n, atom_id a, const asked_body *bodies, uint32_t count) {
  const arena_mark mark = arena_save(n->inner);
  clause_literal *any = arena_new_array(n->inner, clause_literal, count + 1);
  for (uint32_t i = 0; i < count; i++) any[i] = body_literal(n, &bodies[i]);
  clauses_equate(&n->c, ask_for(n, n->atoms, &n->asked_atoms, a), clauses_any(&n->c, any, count));
  arena_restore(n->inner, mark);
}

/* What the question depends on, moves that are one taken together. */
static void define_asked(partial_step *n) {
  const alike_moves *m = n->moves;
  for (uint32_t i = 0; i < m->atoms.count && !budget_is_spent(n->c.b); i++)
    define_atom(n, m->atoms.items[i], vec_from(&m->bodies, m->first_body.items[i]),
                m->first_body.items[i + 1] - m->first_body.items[i]);
  n->defined_atoms = n->asked_atoms.count;
}

/* What else was asked for: it has nothing to do with moves. */
static void define_rest(partial_step *n) {
  const ground_program *g = n->c.g;
  for (; n->defined_atoms < n->asked_atoms.count && !budget_is_spent(n->c.b); n->defined_atoms++) {
    const atom_id a = n->asked_atoms.items[n->defined_atoms];
    const uint32_t first = g->rules_of[a], count = g->rules_of[a + 1] - first;
    const arena_mark mark = arena_save(n->inner);
    asked_body *bodies = arena_new_array(n->inner, asked_body, count + 1);
    for (uint32_t i = 0; i < count; i++)
      bodies[i] = (asked_body){.rule = first + i, .open = ID_NONE, .last_atom = ID_NONE};
    define_atom(n, a, bodies, count);
    arena_restore(n->inner, mark);
  }
}

/* ---- moves ---- */

/* Each role makes one move. */
static void choose_groups(partial_step *n) {
  const ground_program *g = n->c.g;
  const partition *groups = &n->moves->groups;
  n->groups = arena_zero_array(n->inner, clause_literal, groups->parts.count + 1);
  for (uint32_t r = 0; r < g->roles.count; r++) {
    literal_vec all = {0};
    clause_literal before = -n->c.truth;
    for (uint32_t i = 0; i < g->roles.items[r].move_count; i++) {
      clause_literal *made = &n->groups[groups->part_of[g->roles.items[r].first_move + i]];
      if (*made) continue;
      *made = clauses_new_variable(&n->c);
      vec_push(n->inner, &all, *made);
      clauses_add(&n->c, (const clause_literal[]){-*made, -before}, 2);
      before = clauses_any(&n->c, (const clause_literal[]){before, *made}, 2);
    }
    clauses_add(&n->c, all.items, all.count);
  }
}

static void define_sets(partial_step *n) {
  const alike_moves *m = n->moves;
  n->sets = arena_zero_array(n->inner, clause_literal, m->sets.parts.count + 1);
  for (uint32_t s = 1; s < m->sets.parts.count && !budget_is_spent(n->c.b); s++) {
    const uint32_t first = m->first_in_set.items[s], end = m->first_in_set.items[s + 1];
    const arena_mark mark = arena_save(n->inner);
    clause_literal *any = arena_new_array(n->inner, clause_literal, end - first + 1);
    for (uint32_t i = first; i < end; i++) any[i - first] = n->groups[m->groups_in_sets.items[i]];
    if (first < end) n->sets[s] = clauses_any(&n->c, any, end - first);
    arena_restore(n->inner, mark);
  }
}

static void list_moves(partial_step *n) {
  const partition *groups = &n->moves->groups;
  const uint32_t count = groups->parts.count, moves = n->c.g->moves.count;
  uint32_t *next = arena_new_array(n->inner, uint32_t, count + 1);
  n->first_move = arena_zero_array(n->inner, uint32_t, count + 1);
  n->moves_of = arena_new_array(n->inner, uint32_t, moves + 1);
  for (uint32_t i = 0; i < count; i++)
    n->first_move[i + 1] = n->first_move[i] + groups->parts.items[i].size;
  memcpy(next, n->first_move, count * sizeof *next);
  for (uint32_t i = 0; i < moves; i++) n->moves_of[next[groups->part_of[i]]++] = i;
}

static void require_needs(partial_step *n, clause_literal if_it_holds, need_list needs) {
  const clause_literal never = -if_it_holds;
  if (needs.count == ID_NONE) {
    clauses_add(&n->c, &never, 1);
    return;
  }
  for (uint32_t i = 0; i < needs.count; i++) {
    const clause_literal it = partial_step_before(n, need_fluent(needs.items[i]));
    const clause_literal then = need_is_negated(needs.items[i]) ? -it : it;
    clauses_add(&n->c, (const clause_literal[]){-if_it_holds, then}, 2);
  }
}

/* A group is made only where what all of its moves need holds. */
static void tie_groups(partial_step *n) {
  for (uint32_t g = 0; g < n->moves->groups.parts.count && !budget_is_spent(n->c.b); g++) {
    need_set common;
    common.count = ID_NONE;
    if (!n->groups[g]) continue;
    for (uint32_t i = n->first_move[g]; i < n->first_move[g + 1] && common.count; i++)
      needs_meet(&common, needs_of_move(&n->needs, n->moves_of[i]));
    require_needs(n, n->groups[g], need_set_list(&common));
  }
  require_needs(n, n->c.truth, needs_of_going_on(&n->needs));
}

/* ---- questions ---- */

void partial_step_begin(partial_step *n, const uint32_t *fluents, uint32_t count) {
  forget(n);
  atom_id *asked = arena_new_array(n->inner, atom_id, count + 1);
  for (uint32_t i = 0; i < count; i++) asked[i] = n->c.g->fluents.items[fluents[i]].next;
  alike_moves_find(n->moves, asked, count);
  choose_groups(n);
  define_sets(n);
  define_asked(n);
  list_moves(n);
  tie_groups(n);
}

/* It is made only where one of its moves is legal. */
static void require_legal(partial_step *n, uint32_t group) {
  const arena_mark mark = arena_save(n->inner);
  literal_vec clause = {0};
  vec_push(n->inner, &clause, -n->groups[group]);
  for (uint32_t i = n->first_move[group]; i < n->first_move[group + 1]; i++)
    vec_push(n->inner, &clause, atom_literal(n, n->c.g->moves.items[n->moves_of[i]].legal));
  clauses_add(&n->c, clause.items, clause.count);
  arena_restore(n->inner, mark);
}

void partial_step_be_legal(partial_step *n) {
  const clause_literal goes_on = -atom_literal(n, n->c.g->terminal);
  clauses_add(&n->c, &goes_on, 1);
  for (uint32_t i = 0; i < n->moves->groups.parts.count && !budget_is_spent(n->c.b); i++)
    if (n->groups[i]) require_legal(n, i);
  define_rest(n);
  n->conflicts_max = CONFLICTS_LEGAL_MAX;
}

bool partial_step_refutes(partial_step *n, clause_literal l) {
  if (budget_check_now(n->c.b))
    return false; /* the clauses may be cut short, and so say too much */
  return sat_solve(n->c.solver, &l, 1, n->conflicts_max) == SAT_NO;
}
