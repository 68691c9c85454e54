#include "certify/ground_clauses.h"

/* ---- clauses ---- */

clause_literal clauses_new_variable(ground_clauses *c) { return sat_variable(c->solver); }

void clauses_add(ground_clauses *c, const clause_literal *clause, uint32_t count) {
  sat_add(c->solver, clause, count);
}

static void add_two(ground_clauses *c, clause_literal a, clause_literal b) {
  clauses_add(c, (const clause_literal[]){a, b}, 2);
}

void clauses_equate(ground_clauses *c, clause_literal a, clause_literal b) {
  add_two(c, -a, b);
  add_two(c, a, -b);
}

clause_literal clauses_any(ground_clauses *c, const clause_literal *all, uint32_t count) {
  const clause_literal any = clauses_new_variable(c);
  for (uint32_t i = 0; i < count; i++) add_two(c, -all[i], any);
  for (uint32_t i = 0; i < count; i++) sat_put(c->solver, all[i]);
  sat_put(c->solver, -any);
  sat_put(c->solver, 0);
  return any;
}

clause_literal clauses_all(ground_clauses *c, const clause_literal *all, uint32_t count) {
  const clause_literal every = clauses_new_variable(c);
  for (uint32_t i = 0; i < count; i++) add_two(c, all[i], -every);
  for (uint32_t i = 0; i < count; i++) sat_put(c->solver, -all[i]);
  sat_put(c->solver, every);
  sat_put(c->solver, 0);
  return every;
}

static void define_asked(ground_clauses *c);

clauses_answer clauses_ask(ground_clauses *c, clause_literal l, uint32_t conflicts_max) {
  sat_answer answer;
  define_asked(c);
  if (c->defined < c->asked.count) return ANSWER_UNKNOWN;
  do {
    answer = sat_solve(c->solver, &l, 1, conflicts_max);
  } while (answer == SAT_YES && ground_clauses_make_least(c));
  return answer == SAT_YES ? ANSWER_MODEL : answer == SAT_NO ? ANSWER_NONE : ANSWER_UNKNOWN;
}

/* ---- rules ---- */

static void find_inputs(ground_clauses *c) {
  const ground_program *g = c->g;
  c->fluent_of = arena_new_array(c->keep, uint32_t, g->atoms.count + 1);
  c->move_of = arena_new_array(c->keep, uint32_t, g->atoms.count + 1);
  for (uint32_t i = 0; i < g->atoms.count; i++) c->fluent_of[i] = c->move_of[i] = ID_NONE;
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (g->fluents.items[i].holds != ATOM_NONE) c->fluent_of[g->fluents.items[i].holds] = i;
  for (uint32_t i = 0; i < g->moves.count; i++)
    if (g->moves.items[i].does != ATOM_NONE) c->move_of[g->moves.items[i].does] = i;
}

static void begin_clauses(ground_clauses *c) {
  c->solver = sat_new(c->b, c->keep);
  c->truth = clauses_new_variable(c);
  clauses_add(c, &c->truth, 1);
}

void ground_clauses_init(ground_clauses *c, const ground_program *g, budget *b, arena *keep) {
  *c = (ground_clauses){.g = g, .keep = keep, .b = b};
  begin_clauses(c);
  find_inputs(c);
}

void ground_clauses_free(ground_clauses *c) { sat_free(c->solver); }

void ground_clauses_renew(ground_clauses *c) {
  sat_free(c->solver);
  begin_clauses(c);
  c->moments.count = c->asked.count = c->defined = c->least = 0;
}

clause_literal ground_clauses_atom(ground_clauses *c, atom_id a, uint32_t time) {
  if (a == ATOM_NONE) return -c->truth;
  const ground_moment *m = &c->moments.items[time];
  if (c->fluent_of[a] != ID_NONE) return m->fluents[c->fluent_of[a]];
  if (c->move_of[a] != ID_NONE) return m->moves[c->move_of[a]];
  if (!m->atoms[a]) {
    const asked_atom it = {time, a};
    m->atoms[a] = clauses_new_variable(c);
    vec_push(c->keep, &c->asked, it);
  }
  return m->atoms[a];
}

static clause_literal make_body(ground_clauses *c, const ground_rule *r, uint32_t time,
                                arena *scratch) {
  clause_literal *body = arena_new_array(scratch, clause_literal, r->body_count + 1);
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = c->g->literals.items[r->body + i];
    const clause_literal atom = ground_clauses_atom(c, literal_atom(l), time);
    body[i] = literal_is_negated(l) ? -atom : atom;
  }
  return clauses_all(c, body, r->body_count);
}

/* The atom holds exactly when one of its bodies does. */
static void define_atom(ground_clauses *c, asked_atom it, arena *scratch) {
  const ground_program *g = c->g;
  const uint32_t first = g->rules_of[it.atom], count = g->rules_of[it.atom + 1] - first;
  clause_literal *bodies = arena_new_array(scratch, clause_literal, count + 1);
  for (uint32_t i = 0; i < count; i++)
    bodies[i] = make_body(c, &g->rules.items[first + i], it.time, scratch);
  clauses_equate(c, c->moments.items[it.time].atoms[it.atom], clauses_any(c, bodies, count));
}

/* And what they ask for, down to fluents and moves, as far as the budget allows. */
static void define_asked(ground_clauses *c) {
  arena *scratch = arena_new();
  const arena_mark mark = arena_save(scratch);
  for (; c->defined < c->asked.count && !budget_is_spent(c->b); c->defined++) {
    define_atom(c, c->asked.items[c->defined], scratch);
    arena_restore(scratch, mark);
  }
  arena_free(scratch);
}

void ground_clauses_add_moment(ground_clauses *c) {
  const ground_program *g = c->g;
  const uint32_t time = c->moments.count;
  const ground_moment m = {arena_new_array(c->keep, clause_literal, g->fluents.count + 1),
                           arena_new_array(c->keep, clause_literal, g->moves.count + 1),
                           arena_zero_array(c->keep, clause_literal, g->atoms.count + 1), NULL};
  for (uint32_t i = 0; i < g->fluents.count; i++)
    m.fluents[i] =
        time ? ground_clauses_atom(c, g->fluents.items[i].next, time - 1) : clauses_new_variable(c);
  for (uint32_t i = 0; i < g->moves.count; i++) m.moves[i] = clauses_new_variable(c);
  vec_push(c->keep, &c->moments, m);
}

void ground_clauses_start(ground_clauses *c) {
  for (uint32_t i = 0; i < c->g->fluents.count; i++) {
    const clause_literal l = c->moments.items[0].fluents[i];
    const clause_literal unit = c->g->fluents.items[i].initially ? l : -l;
    clauses_add(c, &unit, 1);
  }
}

/* ---- steps ---- */

/* Exactly one: at least one, and no two; the second by a chain. */
static void choose_move(ground_clauses *c, const ground_role *r, const clause_literal *moves) {
  clause_literal before = -c->truth;
  clauses_add(c, moves + r->first_move, r->move_count);
  for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++) {
    add_two(c, -before, -moves[i]);
    before = clauses_any(c, (const clause_literal[]){before, moves[i]}, 2);
  }
}

void ground_clauses_step(ground_clauses *c, uint32_t time) {
  const ground_program *g = c->g;
  const clause_literal *moves = c->moments.items[time].moves;
  const clause_literal goes_on = -ground_clauses_atom(c, g->terminal, time);
  clauses_add(c, &goes_on, 1);
  for (uint32_t i = 0; i < g->moves.count; i++)
    add_two(c, -moves[i], ground_clauses_atom(c, g->moves.items[i].legal, time));
  for (uint32_t i = 0; i < g->roles.count; i++) choose_move(c, &g->roles.items[i], moves);
}
