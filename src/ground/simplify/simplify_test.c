#include "base/rng.h"
#include "ground/ground_fixture.h"
#include "ground/simplify/simplify.h"

static const char *simple(rules_fixture *f, const char *words, ground_options o) {
  const ground_program g = grounded(f, words, o);
  return ground_text(f, &g);
}

/* ---- constants ---- */

static void a_fluent_that_never_becomes_true_is_false(void **state) {
  rules_fixture *f = *state;
  static const char words[] =
      "(role r) (legal r x) (init a) (<= (next b) (true b)) (<= (next a) (does r x))"
      "(<= terminal (true b)) (<= (goal r 1) (not (true b)) (true a) (true c))"
      "(<= (next c) (does r x))";
  const ground_program g = grounded(f, words, optimised);
  assert_null(strstr(ground_text(f, &g), "(true b)"));
  assert_int_equal(g.terminal, ATOM_NONE);
}

static void a_fluent_that_never_ceases_is_true(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(simple(f,
                             "(role r) (init a) (init b) (init c) (<= (next a) (true a))"
                             "(<= (next b) (true b) (true a)) (<= (next c) (true c) (does r x))"
                             "(<= (legal r x) (true a) (true c)) (legal r y)",
                             optimised),
                      "(legal r x) <= (true c)\n(legal r y)\n(next a)\n(next b)\n"
                      "(next c) <= (does r x) (true c)");
}

static void fluents_that_keep_each_other_alive_are_true(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      simple(f,
             "(role r) (init a) (init b) (<= (next a) (true b)) (<= (next b) (true a))"
             "(<= terminal (true a))",
             optimised),
      "(next a)\n(next b)\nterminal");
}

/* b is there at first and ceases; so does what leans on it. */
static void a_fluent_that_leans_on_one_that_ceases_is_not_taken_for_true(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      simple(f,
             "(role r) (init a) (init b) (<= (next a) (true b)) (<= (next b) (true c))"
             "(<= terminal (true a)) (legal r go) (<= (next c) (does r go) (not (true c)))",
             optimised),
      "(legal r go)\n(next a) <= (true b)\n(next b) <= (true c)\n"
      "(next c) <= (does r go) (not (true c))\nterminal <= (true a)");
}

static void a_move_that_is_never_legal_is_never_done(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(simple(f,
                             "(role r) (init a) (init b) (legal r go) (legal r wait)"
                             "(<= (legal r x) (true never)) (<= (next never) (does r x))"
                             "(<= (next a) (does r go))",
                             optimised),
                      "(legal r go)\n(legal r wait)\n(next a) <= (does r go)");
}

static void without_optimising_states_are_not_looked_through(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      simple(f,
             "(role r) (init a) (<= (next a) (true a)) (<= (next b) (true b)) (init c)"
             "(<= terminal (true a))",
             plain),
      "(next a) <= (true a)\nterminal <= (true a)");
}

static void an_atom_that_always_holds_keeps_one_rule(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(simple(f,
                             "(role r) (init a) (init b) (<= h (not (true never))) (<= h (true a))"
                             "(<= terminal h (true b)) (<= (goal r 1) h)",
                             plain),
                      "(goal r 1)\nterminal <= (true b)");
}

static void rules_stratified_only_once_ground_are_settled(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(simple(f,
                             "(role r) (init (at 0)) (n 0 1) (n 1 2) (n 2 3)"
                             "(<= (odd ?y) (n ?x ?y) (not (odd ?x)))"
                             "(<= (next (at ?y)) (true (at ?x)) (n ?x ?y) (odd ?y))",
                             plain),
                      "(next (at 1)) <= (true (at 0))\n(next (at 3)) <= (true (at 2))");
}

/* Each is settled by the one before it: as many rounds as there are would take too long. */
static void a_long_chain_of_negations_is_settled_from_its_end(void **state) {
  rules_fixture *f = *state;
  enum { LENGTH = 30000 };
  ground_program g = {.keep = f->keep, .terms = f->p.terms, .terminal = LENGTH - 1};
  for (atom_id a = 0; a < LENGTH; a++) {
    const ground_rule r = {a, g.literals.count, a > 0};
    if (a > 0) vec_push(f->keep, &g.literals, literal_of_atom(a - 1, true));
    vec_push(f->keep, &g.rules, r);
    vec_push(f->keep, &g.atoms, TERM_NONE);
  }
  ground_fold_constants(&g, false, NULL);
  assert_int_equal(g.rules.count, LENGTH / 2);
  for (uint32_t r = 0; r < g.rules.count; r++) {
    assert_int_equal(g.rules.items[r].head % 2, 0);
    assert_int_equal(g.rules.items[r].body_count, 0);
  }
}

static void constants_are_left_where_time_is_up(void **state) {
  rules_fixture *f = *state;
  ground_program g = {.keep = f->keep, .terms = f->p.terms, .terminal = 1};
  const ground_rule rules[] = {{0, 0, 0}, {1, 0, 1}};
  vec_append(f->keep, &g.rules, rules, 2);
  vec_push(f->keep, &g.literals, literal_of_atom(0, false));
  vec_push(f->keep, &g.atoms, TERM_NONE);
  vec_push(f->keep, &g.atoms, TERM_NONE);
  budget spent = budget_new(1e-9, 0);
  while (!budget_check_now(&spent)) continue;
  ground_fold_constants(&g, true, &spent);
  assert_int_equal(g.rules.count, 2);
}

static void a_goal_that_is_what_the_others_are_not_stays_a_rule(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      grounded(f,
               "(role r) (init a) (legal r x) (legal r y) (<= (next a) (does r x))"
               "(<= (goal ?r 100) (role ?r) (true a))"
               "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))",
               optimised);
  assert_true(model_new(&g, f->keep).stratified);
  assert_string_equal(ground_text(f, &g),
                      "(goal r 0) <= (not (goal r 100))\n(goal r 100) <= (true a)\n"
                      "(legal r x)\n(legal r y)\n(next a) <= (does r x)");
}

/* The one way round that begins nowhere. */
static void a_positive_loop_without_a_beginning_never_holds(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(simple(f,
                             "(role r) (init a) (<= p (true b)) (<= p q) (<= q p) (<= (next b) p)"
                             "(<= terminal (not p) (true a))",
                             optimised),
                      "terminal <= (true a)");
}

/* That x never ceases makes q impossible, and then the chain ceases link by link, in more rounds
   than are tried: what was proved before must not be lost, or it is proved again for ever. */
static void what_was_proved_once_stays_proved(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(
      &words,
      "(role r) (legal r go) (legal r stay) (init x) (<= (next x) (true x)) (<= q (not (true x)))"
      "(<= terminal q) (<= (goal r 1) q) (init c0) (<= (next c0) (true e)) (<= (next e) (does r "
      "go))");
  for (uint32_t i = 1; i < 100; i++)
    text_add_format(&words, "(init c%u) (<= (next c%u) (true c%u) (not q))", i, i, i - 1);
  const ground_program g = grounded(f, text_string(&words), optimised);
  assert_int_equal(g.terminal, ATOM_NONE);
  assert_int_equal(fluent_named(&g, "x", f->keep)->holds, ATOM_NONE);
}

static void a_long_chain_of_negations_is_settled(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(role r) (<= (odd ?y) (n ?x ?y) (not (odd ?x))) (<= (next (at ?y)) (true (at "
                   "?x)) (n ?x ?y) (odd ?y))"
                   "(init (at 0))");
  for (uint32_t i = 0; i < 1000; i++) text_add_format(&words, "(n %u %u)", i, i + 1);
  const ground_program g = grounded(f, text_string(&words), plain);
  assert_int_equal(g.rules.count, 500);
}

/* ---- subsumed rules ---- */

static void a_rule_with_more_conditions_than_another_is_dropped(void **state) {
  rules_fixture *f = *state;
  static const char words[] = "(role r) (init a) (init b) (init c) (<= terminal (true a) (true b))"
                              "(<= terminal (true b)) (<= terminal (true c) (not (true a)))"
                              "(<= terminal (true c) (true b) (not (true a)))";
  assert_string_equal(simple(f, words, optimised),
                      "terminal <= (not (true a)) (true c)\nterminal <= (true b)");
  const ground_program g = grounded(f, words, plain);
  assert_int_equal(g.rules.count, 4);
}

static void rules_of_different_heads_do_not_subsume_each_other(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      simple(f,
             "(role r) (init a) (init b) (<= terminal (true a)) (<= (goal r 1) (true a) (true b))",
             optimised),
      "(goal r 1) <= (true a) (true b)\nterminal <= (true a)");
}

static void repeated_rules_are_kept_once(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      simple(f, "(role r) (p 1) (p 2) (init a) (<= terminal (p ?x) (true a))", plain),
      "terminal <= (true a)");
}

/* ---- what is not needed ---- */

static void atoms_that_nothing_needs_are_gone(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      grounded(f,
               "(role r) (init a) (init b) (<= h (true b)) (<= terminal (true a))"
               "(<= (next a) h (true never))",
               optimised);
  assert_int_equal(atom_named(&g, "h", f->keep), ATOM_NONE);
  assert_int_equal(fluent_named(&g, "b", f->keep)->holds, ATOM_NONE);
  assert_int_equal(fluent_named(&g, "a", f->keep)->next, ATOM_NONE);
  assert_int_equal(g.atoms.count, 2);
}

static void goals_that_are_never_reached_are_gone(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(
      f, "(role r) (init a) (<= (goal r 100) (true never)) (<= (goal r 0) (true a))", plain);
  assert_int_equal(g.goals.count, 1);
}

static void rules_stay_sorted_by_head(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      grounded(f,
               "(role r) (init a) (init b) (<= h (true a)) (<= h (true b)) (<= terminal h)"
               "(<= (goal r 1) h) (<= (goal r 2) (not h)) (<= (next a) (true b))",
               optimised);
  for (atom_id a = 0; a < g.atoms.count; a++)
    for (uint32_t r = g.rules_of[a]; r < g.rules_of[a + 1]; r++)
      assert_int_equal(g.rules.items[r].head, a);
  assert_int_equal(g.rules_of[g.atoms.count], g.rules.count);
}

/* Adds a rule whose body begins as many others do; few differ before their end. */
/* Most bodies differ in their last two literals, some in their first. */
static void add_random_rule(ground_program *g, rng *random, uint32_t longest) {
  const uint32_t length = rng_below(random, longest + 1);
  const ground_rule r = {rng_below(random, 3), g->literals.count, length};
  for (uint32_t i = 0; i < length; i++) {
    const bool may_differ = i + 2 >= length || (i == 0 && rng_below(random, 5) == 0);
    const atom_id atom = 4 * i + (may_differ ? rng_below(random, 4) : 0);
    vec_push(g->keep, &g->literals, literal_of_atom(atom, false));
  }
  vec_push(g->keep, &g->rules, r);
}

/* Less than 0: the first comes first. */
static int order_of(const ground_program *g, const ground_rule *a, const ground_rule *b) {
  if (a->head != b->head) return a->head < b->head ? -1 : 1;
  if (a->body_count != b->body_count) return a->body_count < b->body_count ? -1 : 1;
  for (uint32_t i = 0; i < a->body_count; i++) {
    const ground_literal x = g->literals.items[a->body + i];
    const ground_literal y = g->literals.items[b->body + i];
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

static bool has_rule(const ground_program *g, const ground_program *old, const ground_rule *r) {
  for (uint32_t i = 0; i < g->rules.count; i++) {
    ground_rule it = g->rules.items[i];
    if (order_of(old, &it, r) == 0) return true;
  }
  return false;
}

static void check_sorting(rules_fixture *f, uint64_t seed, uint32_t longest) {
  rng random = rng_new(seed, longest);
  ground_program g = {.keep = f->keep};
  vec_reserve(f->keep, &g.atoms, 4 * longest + 4);
  g.atoms.count = 4 * longest + 4;
  for (uint32_t i = 0; i < 120; i++) add_random_rule(&g, &random, longest);
  ground_program old = {.keep = f->keep};
  vec_append(f->keep, &old.rules, g.rules.items, g.rules.count);
  vec_append(f->keep, &old.literals, g.literals.items, g.literals.count);
  ground_index_rules(&g);
  for (uint32_t i = 1; i < g.rules.count; i++)
    assert_true(order_of(&g, &g.rules.items[i - 1], &g.rules.items[i]) < 0);
  for (uint32_t i = 0; i < old.rules.count; i++)
    assert_true(has_rule(&g, &old, &old.rules.items[i]));
}

static void rules_are_sorted_however_late_they_differ(void **state) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    check_sorting(*state, seed, 3);
    check_sorting(*state, seed, 9);
    check_sorting(*state, seed, 300);
  }
}

static bool contains(const ground_program *g, const ground_rule *large, const ground_rule *small) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < small->body_count; i++)
    for (uint32_t k = 0; k < large->body_count; k++)
      found += g->literals.items[small->body + i] == g->literals.items[large->body + k];
  return found == small->body_count;
}

static uint32_t count_contained(const ground_program *g, const ground_rule *large) {
  uint32_t count = 0;
  for (uint32_t r = 0; r < g->rules.count; r++) count += contains(g, large, &g->rules.items[r]);
  return count;
}

/* Literals that are 64 apart, too, and no more rules than are compared with each other. */
static ground_program random_rules_of_one_head(rng *random, arena *keep) {
  ground_program g = {.keep = keep};
  vec_reserve(keep, &g.atoms, 256);
  g.atoms.count = 256;
  for (uint32_t i = 0; i < 30; i++) {
    const uint32_t start = g.literals.count;
    for (atom_id a = 0; a < 256; a += 16)
      if (rng_below(random, 5) == 0)
        vec_push(keep, &g.literals, literal_of_atom(a + rng_below(random, 2), false));
    const ground_rule r = {0, start, g.literals.count - start};
    vec_push(keep, &g.rules, r);
  }
  return g;
}

static void the_smallest_rules_are_left_and_no_others(void **state) {
  rules_fixture *f = *state;
  rng random = rng_new(3, 1);
  for (uint32_t round = 0; round < 200; round++) {
    ground_program g = random_rules_of_one_head(&random, f->keep);
    VEC(ground_rule) old = {0};
    vec_append(f->keep, &old, g.rules.items, g.rules.count);
    ground_index_minimal_rules(&g);
    for (uint32_t r = 0; r < g.rules.count; r++)
      assert_int_equal(count_contained(&g, &g.rules.items[r]), 1);
    for (uint32_t r = 0; r < old.count; r++)
      assert_in_range(count_contained(&g, &old.items[r]), 1, 30);
  }
}

/* Atom 1 reads 3, that reads 2, that reads 0; nothing leads to 4 and 5. */
static void what_is_read_is_marked_in_either_direction(void **state) {
  rules_fixture *f = *state;
  static const atom_id read[][2] = {{1, 3}, {3, 2}, {2, 0}, {4, 5}};
  ground_program g = {.keep = f->keep, .terminal = 1};
  vec_reserve(f->keep, &g.atoms, 6);
  g.atoms.count = 6;
  for (uint32_t i = 0; i < 4; i++) {
    const ground_rule r = {read[i][0], g.literals.count, 1};
    vec_push(g.keep, &g.literals, literal_of_atom(read[i][1], i == 1));
    vec_push(g.keep, &g.rules, r);
  }
  ground_index_rules(&g);
  const bitset found = ground_read_without_moves(&g, f->keep);
  for (atom_id a = 0; a < 6; a++) assert_int_equal(bitset_has(found, a), a < 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_fluent_that_never_becomes_true_is_false),
      rules_test(a_fluent_that_never_ceases_is_true),
      rules_test(fluents_that_keep_each_other_alive_are_true),
      rules_test(a_fluent_that_leans_on_one_that_ceases_is_not_taken_for_true),
      rules_test(a_move_that_is_never_legal_is_never_done),
      rules_test(without_optimising_states_are_not_looked_through),
      rules_test(an_atom_that_always_holds_keeps_one_rule),
      rules_test(rules_stratified_only_once_ground_are_settled),
      rules_test(a_long_chain_of_negations_is_settled_from_its_end),
      rules_test(constants_are_left_where_time_is_up),
      rules_test(a_goal_that_is_what_the_others_are_not_stays_a_rule),
      rules_test(a_positive_loop_without_a_beginning_never_holds),
      rules_test(what_was_proved_once_stays_proved),
      rules_test(a_long_chain_of_negations_is_settled),
      rules_test(a_rule_with_more_conditions_than_another_is_dropped),
      rules_test(rules_of_different_heads_do_not_subsume_each_other),
      rules_test(repeated_rules_are_kept_once),
      rules_test(atoms_that_nothing_needs_are_gone),
      rules_test(goals_that_are_never_reached_are_gone),
      rules_test(rules_stay_sorted_by_head),
      rules_test(rules_are_sorted_however_late_they_differ),
      rules_test(the_smallest_rules_are_left_and_no_others),
      rules_test(what_is_read_is_marked_in_either_direction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
