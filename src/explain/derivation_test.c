/* Derivations on random games: every atom that holds has one, and each is replayed on its leaves. */
#include "explain/derivation.h"
#include "explain/explanation.h"

#include "ground/random_game_fixture.h"
#include "machine/machine_fixture.h"

enum { GAMES = 60, STEPS = 3 };

typedef struct replay {
  machine_fixture *f;
  world *w;
  derivation d;
  uint32_t checked; /* atoms */
  uint64_t rules;   /* ground rules in all derivations */
} replay;

static bool depends_on_moves(const replay *r, term_id atom) {
  return r->w->rules.relations[world_relation(r->w, atom)].layer == LAYER_MOVE;
}

/* What the reference machine says; what depends on moves is asked of the world. */
static bool holds_there(const replay *r, term_id atom) {
  const machine_fixture *f = r->f;
  const term *it = term_get(r->w->terms, atom);
  if (depends_on_moves(r, atom)) return world_holds(r->w, atom);
  return reference_holds(f->m, f->w, f->position, it->name, term_args(r->w->terms, atom),
                         it->arg_count, r->w->terms);
}

static bool list_has(term_list l, term_id t) {
  for (uint32_t i = 0; i < l.count; i++)
    if (l.items[i] == t) return true;
  return false;
}

static void check_leaf(const replay *r, term_id atom) {
  const relation_id relation = world_relation(r->w, atom);
  if (relation == SYM_TRUE)
    assert_true(list_has(r->w->fluents, term_arg(r->w->terms, atom, 0)));
  else if (relation == SYM_DOES)
    assert_true(list_has(r->w->does, atom));
  else
    assert_int_equal(r->w->program->clauses.items[world_fact(r->w, atom)].head, atom);
}

/* The rule gives the atom, and what its conditions need is shorter. */
static void check_rule(const replay *r, const derived_goal *g, const rule_instance *it) {
  uint64_t length = 1;
  assert_int_equal(world_instance(r->w, it->clause->head, it->bindings, NULL), g->atom);
  for (uint32_t i = 0; i < it->condition_count; i++) {
    const derived_goal *part = &r->d.goals.items[r->d.conditions.items[it->first_condition + i]];
    assert_true(part->length && part->length < g->length);
    length += part->length;
  }
  for (uint32_t i = 0; i < it->clause->body_count; i++) {
    const ref_condition *c = &it->clause->body[i];
    if (c->kind == LITERAL_POSITIVE) continue;
    length++;
    if (c->kind == LITERAL_DISTINCT) {
      assert_false(term_equal_under(r->w->terms, term_arg(r->w->terms, c->atom, 0),
                                    term_arg(r->w->terms, c->atom, 1), it->bindings));
      continue;
    }
    term_id atom = world_instance(r->w, c->atom, it->bindings, NULL);
    if (c->relation == SYM_TRUE) atom = term_atom(r->w->terms, SYM_TRUE, &atom, 1);
    if (term_is_ground(r->w->terms, atom)) assert_false(holds_there(r, atom));
  }
  assert_true(length == g->length);
}

static void check_goal(replay *r, goal_id id) {
  const derived_goal *g = &r->d.goals.items[id];
  if (!g->length) return; /* the shortest derivation needs it not */
  if (g->is_leaf)
    check_leaf(r, g->atom);
  else
    check_rule(r, g, &r->d.instances.items[g->instance]);
}

/* The steps are at most the ground rules that there are, and all hold but those below `not`. */
static void check_steps(replay *r, term_id atom) {
  explanation e = {.world = r->w, .keep = r->w->keep};
  uint32_t rules = 0;
  explain_holds(&e, atom, 0, &explain_usual);
  assert_true(e.steps.count > 0);
  assert_true(e.steps.items[0].holds && e.steps.items[0].atom == atom);
  for (uint32_t i = 0; i < e.steps.count; i++) rules += e.steps.items[i].kind == WHY_RULE;
  assert_true(rules <= r->d.goals.count);
  r->rules += rules;
}

static void check_atom(replay *r, term_id atom) {
  assert_true(holds_there(r, atom));
  assert_true(derivation_find(&r->d, r->w, atom, r->w->keep));
  for (goal_id g = 0; g < r->d.goals.count; g++) check_goal(r, g);
  check_steps(r, atom);
  r->checked++;
}

static term_id pattern_of(world *w, const relation *it) {
  term_id variables[8];
  assert_true(it->arity <= 8);
  for (uint32_t i = 0; i < it->arity; i++) variables[i] = term_variable(w->terms, i);
  return it->arity ? term_atom(w->terms, it->name, variables, it->arity)
                   : term_constant(w->terms, it->name);
}

static void check_relation(replay *r, const relation *it) {
  const term_id pattern = pattern_of(r->w, it);
  const answer_rows rows = world_answers(r->w, pattern);
  for (uint32_t i = 0; i < rows.count; i++)
    check_atom(r,
               world_instance(r->w, pattern,
                              rows.columns ? rows.values + (size_t)i * rows.columns : NULL, NULL));
  if (rows.count) return;
  explanation e = {.world = r->w, .keep = r->w->keep};
  explain_fails(&e, pattern, 0, &explain_usual);
  assert_true(e.steps.count && !e.steps.items[0].holds);
}

static term_list list_of(world *w, symbol_id relation) {
  const term_id variable = term_variable(w->terms, 0);
  const answer_rows rows = world_answers(w, term_atom(w->terms, relation, &variable, 1));
  term_id *copy = arena_new_array(w->keep, term_id, rows.count + (size_t)1);
  if (rows.count) memcpy(copy, rows.values, rows.count * sizeof *copy);
  return (term_list){copy, rows.count};
}

/* The first legal move of each role, in the order of texts, in both. */
static term_list first_moves(replay *r, move_id *joint) {
  world *w = r->w;
  const machine *m = r->f->m;
  term_id *does = arena_new_array(w->keep, term_id, m->role_count + (size_t)1);
  look(r->f);
  const term_list roles = list_of(w, SYM_ROLE);
  term_id *ordered = arena_new_array(w->keep, term_id, roles.count + (size_t)1);
  memcpy(ordered, roles.items, roles.count * sizeof *ordered);
  program_order_roles(w->program, w->terms, ordered, roles.count);
  for (uint32_t i = 0; i < m->role_count; i++) {
    const term_id args[] = {ordered[i], term_variable(w->terms, 0)};
    const answer_rows rows = world_answers(w, term_atom(w->terms, SYM_LEGAL, args, 2));
    assert_int_equal(rows.count, r->f->view.roles[i].texts.count);
    term_id best = rows.values[0];
    for (uint32_t k = 1; k < rows.count; k++)
      if (term_compare(w->terms, rows.values[k], best) > 0) best = rows.values[k];
    joint[i] = r->f->view.roles[i].moves[rows.count - 1];
    const term_id done[] = {ordered[i], best};
    does[i] = term_atom(w->terms, SYM_DOES, done, 2);
  }
  return (term_list){does, m->role_count};
}

static void check_state(replay *r, term_list fluents, term_list does) {
  world_set(r->w, fluents, does);
  for (relation_id i = 0; i < r->f->p.relations.count; i++)
    if (r->f->p.relations.items[i].clause_count) check_relation(r, &r->f->p.relations.items[i]);
}

static void check_game(replay *r) {
  machine_fixture *f = r->f;
  r->w = world_open(&f->p, &f->b, f->keep);
  move_id *joint = arena_new_array(f->keep, move_id, f->m->role_count + (size_t)1);
  world_set(r->w, (term_list){0}, (term_list){0});
  term_list fluents = list_of(r->w, SYM_INIT);
  for (uint32_t i = 0; i < STEPS; i++) {
    world_set(r->w, fluents, (term_list){0});
    const term_list does = first_moves(r, joint);
    assert_int_equal(fluents.count, f->view.fluents.count);
    check_state(r, fluents, does);
    fluents = list_of(r->w, SYM_NEXT);
    machine_step(f->m, f->w, f->position, joint, f->position);
  }
  world_close(r->w);
}

static void every_atom_that_holds_in_a_random_game_has_a_derivation_that_replays(void **state) {
  replay r = {.f = *state};
  rng numbers = rng_new(11, 0);
  for (uint32_t i = 0; i < GAMES; i++) {
    open_game(r.f, random_game_text(&numbers, r.f->keep));
    check_game(&r);
  }
  assert_true(r.checked > 1000);
}

/* ---- shortest ---- */

static term_id atom_named(world *w, const char *relation, const char *argument) {
  const term_id arg = term_constant(w->terms, symbol_find(w->terms->symbols, slice_of(argument)));
  return term_atom(w->terms, symbol_find(w->terms->symbols, slice_of(relation)), &arg, 1);
}

static void takes_the_shorter_of_two_ways(void **state) {
  machine_fixture *f = *state;
  derivation d;
  open_game(f, "(role r) (legal r a) (e 1 2) (e 2 3) (e 3 4) (e 1 4)\n"
               "(<= (way 1) (role r))\n"
               "(<= (way ?y) (way ?x) (e ?x ?y))\n");
  world *w = world_open(&f->p, &f->b, f->keep);
  world_set(w, (term_list){0}, (term_list){0});
  assert_true(derivation_find(&d, w, atom_named(w, "way", "4"), f->keep));
  assert_int_equal(d.goals.items[0].length, 4); /* itself, (way 1), (role r) and (e 1 4) */
  assert_false(derivation_find(&d, w, atom_named(w, "way", "r"), f->keep));
  world_close(w);
}

static void finds_its_way_out_of_a_circle(void **state) {
  machine_fixture *f = *state;
  derivation d;
  open_game(f, "(role r) (legal r a) (<= (p 1) (q 1)) (<= (q 1) (p 1)) (<= (q 1) (role r))\n");
  world *w = world_open(&f->p, &f->b, f->keep);
  world_set(w, (term_list){0}, (term_list){0});
  assert_true(derivation_find(&d, w, atom_named(w, "p", "1"), f->keep));
  assert_int_equal(d.goals.items[0].length, 3);
  world_close(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(every_atom_that_holds_in_a_random_game_has_a_derivation_that_replays),
      a_test(takes_the_shorter_of_two_ways),
      a_test(finds_its_way_out_of_a_circle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
