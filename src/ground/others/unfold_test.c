#include "ground/others/methods_fixture.h"
#include "ground/others/unfold.h"

/* The rules after unfolding what stands behind the fact `made`: those relations are taken out of
   the program, as if a method had made them. */
static const char *unfolded(rules_fixture *f, const char *rules) {
  ground_program g = ground_of(f, rules);
  program without;
  program_derive(&without, &f->p, f->keep);
  for (clause_id c = 0; c < f->p.clauses.count; c++) {
    const clause *it = &f->p.clauses.items[c];
    if (atom_relation(&f->p, it->head) == relation_named(f, "made", 0)) break;
    program_add_clause(&without, it->head, it->rule, NULL, 0, 0);
  }
  const term_id fluent = term_variable(f->p.terms, 0);
  program_add_clause(&without, term_atom(f->p.terms, SYM_TRUE, &fluent, 1), RULE_NONE, NULL, 0, 1);
  program_index_relations(&without);
  ground_unfold_made(&g, &without);
  return ground_text(f, &g);
}

static void a_made_atom_is_replaced_by_each_of_its_bodies(void **state) {
  assert_string_equal(unfolded(*state, "(base f) (base g) (base h) (<= terminal (true h) aux)"
                                       " made (<= aux (true f)) (<= aux (not (true g)))"),
                      "terminal <= (true f) & (true h)\nterminal <= (true g) fails & (true h)");
}

static void made_atoms_may_be_nested_and_many(void **state) {
  assert_string_equal(
      unfolded(*state, "(base f) (base g) (base h) (<= terminal aux1 aux2)"
                       " made (<= aux1 (true f) aux3) (<= aux2 (true g)) (<= aux3 (true h))"),
      "terminal <= (true f) & (true g) & (true h)");
}

static void rules_without_made_atoms_stay_as_they_are(void **state) {
  assert_string_equal(unfolded(*state, "(base f) (<= p (true f)) (<= terminal p) made"),
                      "p <= (true f)\nterminal <= p");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_made_atom_is_replaced_by_each_of_its_bodies),
      rules_test(made_atoms_may_be_nested_and_many),
      rules_test(rules_without_made_atoms_stay_as_they_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
