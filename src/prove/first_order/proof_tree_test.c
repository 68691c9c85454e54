#include "prove/first_order/proof_tree.h"
#include "prove/prove_fixture.h"

/* The bodies of all clauses of the relation, a line for each, literals with variables numbered. */
static const char *unfolded(prove_fixture *f, const char *words, relation_id r) {
  analysis a;
  unfolded_vec bodies = {0};
  text out = text_new(f->keep);
  read_game(f, words);
  rules_analyse(&a, &f->p, f->keep);
  const relation *it = &f->p.relations.items[r];
  for (uint32_t i = 0; i < it->clause_count; i++)
    clause_unfold(&bodies, &a, f->p.clauses_of_relation.items[it->first_clause + i], f->keep);
  for (uint32_t i = 0; i < bodies.count; i++) {
    if (i) text_add(&out, " | ");
    for (uint32_t k = 0; k < bodies.items[i].count; k++) {
      const literal *l = &bodies.items[i].literals[k];
      text_add(&out, k ? " " : "");
      text_add(&out, l->kind == LITERAL_NEGATIVE ? "-" : "");
      term_print(f->p.terms, l->atom, NOTATION_KIF, NULL, &out);
    }
  }
  return text_string(&out);
}

/* The example of the paper. */
static void writes_terminal_in_terms_of_true(void **state) {
  assert_string_equal(
      unfolded(*state, "(<= terminal row) (<= row (true p)) (<= row (true q))", SYM_TERMINAL),
      "(true q) | (true p)");
}

static void keeps_negations_and_listed_facts(void **state) {
  assert_string_equal(unfolded(*state,
                               "(size 3) (<= terminal (full ?x) (not open)) (<= open (true b))\n"
                               "(<= (full ?n) (size ?n) (true (row ?n)))",
                               SYM_TERMINAL),
                      "-open (size ?1) (true (row ?1))");
}

static void drops_what_cannot_be(void **state) {
  assert_string_equal(unfolded(*state,
                               "(<= terminal (won x)) (<= (won o) (true a))\n"
                               "(<= (won ?p) (true (mark ?p)) (distinct ?p o))\n"
                               "(<= (won ?p) (true (mark ?p)) (distinct ?p x))",
                               SYM_TERMINAL),
                      "(true (mark x)) (distinct x o)");
}

static void leaves_recursion_alone(void **state) {
  assert_string_equal(unfolded(*state,
                               "(<= terminal (way ?x)) (<= (way ?x) (true (at ?x)))\n"
                               "(<= (way ?x) (way ?y) (true (edge ?x ?y)))",
                               SYM_TERMINAL),
                      "(way ?0)");
}

/* 2 to the 12th bodies would be too many. */
static void does_not_multiply_without_end(void **state) {
  prove_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(<= terminal");
  for (int i = 0; i < 12; i++) text_add_format(&words, " (p%d)", i);
  text_add(&words, ")");
  for (int i = 0; i < 12; i++)
    text_add_format(&words, "(<= (p%d) (true (a %d))) (<= (p%d) (true (b %d)))\n", i, i, i, i);
  const char *bodies = unfolded(f, text_string(&words), SYM_TERMINAL);
  uint32_t count = 1;
  for (; *bodies; bodies++) count += *bodies == '|';
  assert_in_range(count, 2, 256);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(writes_terminal_in_terms_of_true),
      a_test(keeps_negations_and_listed_facts),
      a_test(drops_what_cannot_be),
      a_test(leaves_recursion_alone),
      a_test(does_not_multiply_without_end),
  };
  return cmocka_run_group_tests_name("prove/proof_tree", tests, NULL, NULL);
}
