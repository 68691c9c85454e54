#include "ground/evaluate.h"

#include "ground/ground_fixture.h"

#include "datalog/random_rules_fixture.h"

/* So small that the smallest games are doubted. */
static const doubts quick_doubts = {.patience = 2, .many_facts = 2, .look_after = 1};

typedef struct tally {
  uint32_t attempts, demands;
} tally;

static void show_and_fail(const char *words, flat_id r) {
  show("rules", words);
  fail_msg("relation %u", r);
}

static void evaluate(rules_fixture *f, bases *b, const flat_program *flat, const doubts *when) {
  rewriting original;
  rewriting_none(&original, flat, arena_zero_array(f->keep, bool, f->p.relations.count), f->keep);
  *b = (bases){0};
  assert_true(bases_evaluate(b, &original, NULL, when, f->keep, NULL, &f->d));
}

/* Results are the same; what was restricted has no fact that it should not have. */
static void expect_the_same_results(const engine *full, const bases *b, const char *words) {
  for (flat_id r = 0; r < full->f->relations.count; r++) {
    const table *mine = &b->facts.tables[r];
    const table *all = &full->tables[r];
    if (full->f->relations.items[r].relation == SYM_NEXT && mine->count != all->count)
      show_and_fail(words, r);
    for (uint32_t row = 0; row < mine->count; row++)
      if (table_find(all, table_row(mine, row)) == ID_NONE) show_and_fail(words, r);
  }
}

static uint32_t count_origin(const bases *b, relation_origin origin) {
  uint32_t count = 0;
  for (flat_id r = 0; r < b->rules.program.relations.count; r++)
    count += b->rules.origin[r] == origin;
  return count;
}

static void compare_with_undoubted(rules_fixture *f, const char *words, tally *t) {
  const flat_program flat = flattened(f, words);
  const engine full = evaluated(f, &flat);
  bases b;
  evaluate(f, &b, &flat, &quick_doubts);
  expect_the_same_results(&full, &b, words);
  t->attempts += b.attempts;
  t->demands += count_origin(&b, ORIGIN_DEMAND);
  bases_free(&b);
}

static void random_rules_that_are_doubted_give_the_same_results(void **state) {
  rules_fixture *f = *state;
  tally t = {0};
  for (uint32_t i = 0; i < 2000; i++) {
    rng r = rng_new(4, i);
    compare_with_undoubted(f, random_questions(&r, f->scratch), &t);
    arena_clear(f->scratch);
    arena_clear(f->keep);
  }
  assert_true(t.attempts > 2200 && t.demands > 300); /* or nothing was tried */
}

/* All pairs of 40 things, of which some are asked for. */
static void evaluate_places(rules_fixture *f, bases *b, const char *asked) {
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < 40; i++) text_add_format(&words, "(thing %u)", i);
  text_add_format(&words,
                  "(<= (place ?x ?y) (thing ?x) (thing ?y))"
                  "(<= (next (at ?y)) (%s ?x) (place ?x ?y))(first 0)",
                  asked);
  const flat_program flat = flattened(f, text_string(&words));
  evaluate(f, b, &flat, &(doubts){100, 100, 1});
}

static uint32_t facts_named(const rules_fixture *f, const bases *b, const char *name) {
  const flat_program *flat = &b->rules.program;
  const relation_id r = relation_named(f, name, 2);
  return b->facts.tables[flat->relations_by_source.items[flat->relations_from[r]]].count;
}

static void a_relation_of_which_little_is_asked_is_restricted(void **state) {
  rules_fixture *f = *state;
  bases b;
  evaluate_places(f, &b, "first");
  assert_int_equal(b.attempts, 2);
  assert_int_equal(facts_named(f, &b, "place"), 40);
  bases_free(&b);
}

static void a_relation_of_which_most_is_asked_is_left_alone(void **state) {
  rules_fixture *f = *state;
  bases b;
  evaluate_places(f, &b, "thing");
  assert_int_equal(b.attempts, 1);
  assert_int_equal(facts_named(f, &b, "place"), 1600);
  bases_free(&b);
}

/* Four steps among 12 places, each to each: the first pass over 20,000 ways ends early. */
static void what_is_costly_is_decomposed_on_the_way(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < 144; i++) text_add_format(&words, "(edge p%u p%u)", i / 12, i % 12);
  text_add(&words, "(<= (far ?a ?e) (edge ?a ?b) (edge ?b ?c) (edge ?c ?d) (edge ?d ?e))"
                   "(<= (far ?a ?d) (far ?a ?b) (edge ?b ?c) (edge ?c ?d))");
  const flat_program flat = flattened(f, text_string(&words));
  bases b;
  evaluate(f, &b, &flat, &(doubts){200, UINT32_MAX, 1});
  assert_true(b.attempts > 1);
  assert_true(count_origin(&b, ORIGIN_AUXILIARY) > 0);
  assert_int_equal(facts_named(f, &b, "far"), 144);
  bases_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_relation_of_which_little_is_asked_is_restricted),
      rules_test(a_relation_of_which_most_is_asked_is_left_alone),
      rules_test(what_is_costly_is_decomposed_on_the_way),
      rules_test(random_rules_that_are_doubted_give_the_same_results),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
