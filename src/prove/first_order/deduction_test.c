#include "prove/first_order/deduction.h"
#include "prove/prove_fixture.h"

typedef struct question {
  analysis a;
  theory t;
  axiom_set said;
} question;

static void say(const prove_fixture *f, question *q) {
  const term_table *terms = f->p.terms;
  for (clause_id c = 0; c < f->p.clauses.count; c++) {
    const clause *it = &f->p.clauses.items[c];
    const symbol_id name = term_get(terms, it->head)->name;
    if (name != SYM_GOAL && name != SYM_SEES) continue;
    axiom_begin(&q->said, it->variable_count)->is_eager = true;
    for (uint32_t i = 0; i < it->body_count; i++) {
      const statement s =
          theory_statement(&q->t, &f->p.literals.items[it->body + i], theory_end(&q->t));
      if (name == SYM_GOAL) {
        axiom_if(&q->said, s);
      } else {
        if (i == 0) axiom_choose(&q->said);
        axiom_then(&q->said, s);
      }
    }
  }
}

/* Rules for `goal` say what never holds, rules for `sees` what holds for some values of their
   variables. */
static deduction_result asked(prove_fixture *f, const char *words, theory_kind kind) {
  question q = {.said = {.keep = f->keep}};
  relation_id recursive;
  read_game(f, words);
  rules_analyse(&q.a, &f->p, f->keep);
  bool *is_needed = arena_zero_array(f->keep, bool, f->p.relations.count + 1);
  memset(is_needed, 1, f->p.relations.count);
  assert_non_null(theory_needs(&q.a, f->keep, &recursive));
  theory_init(&q.t, kind, &q.a, is_needed, listed_read(&f->p, f->keep), f->keep);
  say(f, &q);
  const axiom_set *sets[] = {&q.said, NULL};
  const deduction_limits most = {.models = 300, .instances = 2000};
  return deduce(&q.t, sets, most, &f->b, f->keep);
}

#define assert_follows(f, kind, words) assert_true(asked(f, words, kind).is_contradiction)

/* Not only is nothing found: the prover came to the end, so there is a model. */
#define assert_model(f, kind, words) \
  do { \
    const deduction_result r_ = asked(f, words, kind); \
    assert_false(r_.is_contradiction); \
    assert_false(r_.is_cut_short); \
  } while (0)

#define NEVER "(<= (goal a 0) "
#define SOME "(<= (sees a b) "

static void what_exists_has_no_name(void **state) {
  prove_fixture *f = *state;
  assert_follows(f, THEORY_STATE, SOME "(true (p ?x)))" NEVER "(true (p ?y)))");
  assert_model(f, THEORY_STATE, SOME "(true (p ?x)))" NEVER "(true (p c)))");
}

static void unknown_things_may_be_equal(void **state) {
  prove_fixture *f = *state;
  assert_model(f, THEORY_STATE,
               SOME "(true (p ?x)) (true (p ?y)))" NEVER "(true (p ?x)) (true (p ?y)) (distinct "
                    "?x ?y))");
  assert_follows(f, THEORY_STATE,
                 SOME "(true (p ?x)) (true (p ?y)) (distinct ?x ?y))" NEVER
                      "(true (p ?x)) (true (p ?y)) (distinct ?x ?y))");
}

/* The squares are equal or they are not: both cases are looked at. */
static void goes_through_equivalences(void **state) {
  prove_fixture *f = *state;
  static const char words[] = SOME
      "(true (at ?x)) (true (at ?y)) (true on))\n"
      "(<= same (true (at ?x)) (true on) (not other))\n"
      "(<= other (true (at ?x)) (true (at ?y)) (distinct ?x ?y))\n" NEVER "same)" NEVER "other)";
  assert_follows(f, THEORY_STATE, words);
}

static void names_differ(void **state) {
  prove_fixture *f = *state;
  assert_follows(f, THEORY_STATE,
                 "(<= q (true (p a))) (<= q (true (p (f a))))" SOME "(true (p ?x)) (not q))" NEVER
                 "(true (p ?x)) (distinct ?x a))");
  assert_follows(f, THEORY_STATE,
                 SOME "(true (p ?x)) (true (r (f ?x))))" NEVER "(true (p ?x)) (true (r (f ?x))))");
}

static void what_holds_does_so_by_a_rule(void **state) {
  prove_fixture *f = *state;
  static const char rules[] = "(<= (q ?x) (true (p ?x))) (<= (q ?x) (true (r ?x)))";
  text words = text_new(f->keep);
  text_add_format(&words, "%s" SOME "(q ?x))" NEVER "(true (p ?x)))", rules);
  assert_model(f, THEORY_STATE, text_string(&words));
  text_add(&words, NEVER "(true (r ?x)))");
  assert_follows(f, THEORY_STATE, text_string(&words));
}

static void what_holds_does_so_by_a_listed_fact(void **state) {
  prove_fixture *f = *state;
  assert_follows(f, THEORY_STATE,
                 "(next-of 1 2) (next-of 2 3)" SOME "(next-of ?x ?y) (true (p ?x)))" NEVER
                 "(true (p 1)))" NEVER "(true (p 2)))");
  assert_model(f, THEORY_STATE,
               "(next-of 1 2) (next-of 2 3)" SOME "(next-of ?x ?y) (true (p ?x)))" NEVER
               "(true (p 1)))");
}

static void the_first_state_is_given(void **state) {
  prove_fixture *f = *state;
  static const char rules[] = "(size 1) (size 2) (<= (init (p ?x)) (size ?x)) (init (t a))";
  text words = text_new(f->keep);
  text_add_format(&words, "%s" NEVER "(true (t ?x)))", rules);
  assert_follows(f, THEORY_START, text_string(&words));
  text_clear(&words);
  text_add_format(&words, "%s" SOME "(true (p ?x)) (distinct ?x 1) (distinct ?x 2))", rules);
  assert_follows(f, THEORY_START, text_string(&words));
  text_clear(&words);
  text_add_format(&words, "%s" SOME "(true (p ?x)) (distinct ?x 1))", rules);
  assert_model(f, THEORY_START, text_string(&words));
}

static void the_next_state_follows_by_rules_alone(void **state) {
  prove_fixture *f = *state;
  static const char rules[] = "(<= (next (p ?x)) (true (p ?x)) (not (true stop)))";
  text words = text_new(f->keep);
  text_add_format(&words, "%s" SOME "(true (p ?x)))", rules);
  assert_model(f, THEORY_STEP, text_string(&words));
  text_add(&words, SOME "(true (q ?x)))");
  assert_follows(f, THEORY_STEP, text_string(&words));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(what_exists_has_no_name),      a_test(unknown_things_may_be_equal),
      a_test(goes_through_equivalences),    a_test(names_differ),
      a_test(what_holds_does_so_by_a_rule), a_test(what_holds_does_so_by_a_listed_fact),
      a_test(the_first_state_is_given),     a_test(the_next_state_follows_by_rules_alone),
  };
  return cmocka_run_group_tests_name("prove/deduction", tests, NULL, NULL);
}
