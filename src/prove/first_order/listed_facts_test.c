#include "prove/first_order/listed_facts.h"
#include "prove/prove_fixture.h"

static term_id term_of(const prove_fixture *f, const char *name) {
  return term_constant(f->p.terms, symbol_find(f->p.symbols, slice_of(name)));
}

static relation_id relation_of(const prove_fixture *f, const char *name, uint32_t arity) {
  return program_relation(&f->p, symbol_find(f->p.symbols, slice_of(name)), arity);
}

static void tells_what_is_listed(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(succ 1 2) (succ 2 3) (<= (after ?x ?y) (succ ?y ?x)) (init (cell 1 2))");
  const listed_facts *facts = listed_read(&f->p, f->keep);
  const relation_id succ = relation_of(f, "succ", 2);
  const symbol_id name = f->p.relations.items[succ].name;
  const term_id one = term_of(f, "1"), two = term_of(f, "2");
  assert_true(listed_have(facts, succ, term_atom(f->p.terms, name, (term_id[]){one, two}, 2)));
  assert_false(listed_have(facts, succ, term_atom(f->p.terms, name, (term_id[]){two, one}, 2)));
  assert_false(listed_have(facts, relation_of(f, "after", 2),
                           term_atom(f->p.terms, name, (term_id[]){two, one}, 2)));
}

/* `true` has the facts of `init`. */
static void takes_atoms_of_another_name(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(init (cell 1 2)) (init step) (<= (next ?x) (true ?x))");
  const listed_facts *facts = listed_read(&f->p, f->keep);
  const term_id step = term_of(f, "step"), cell = term_of(f, "cell");
  assert_true(listed_have(facts, SYM_INIT, term_atom(f->p.terms, SYM_TRUE, &step, 1)));
  assert_false(listed_have(facts, SYM_INIT, term_atom(f->p.terms, SYM_TRUE, &cell, 1)));
}

static void goes_by_what_is_known(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(init (cell 1 1 b)) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (turn x))\n"
               "(<= (next (cell ?x 2 ?y)) (true (cell ?x 2 ?y))) (<= (next ?z) (true ?z))\n"
               "(<= (next (turn ?z)) (true (turn ?z)))");
  const listed_facts *facts = listed_read(&f->p, f->keep);
  static const uint32_t counts[] = {1, 4, 1}; /* one cell in row 2; anything; a turn */
  const relation *next = &f->p.relations.items[SYM_NEXT];
  for (uint32_t i = 0; i < next->clause_count; i++) {
    const clause *c = &f->p.clauses.items[f->p.clauses_of_relation.items[next->first_clause + i]];
    assert_int_equal(listed_like(facts, SYM_INIT, c->head, NULL)->count, counts[i]);
    const term_id bindings[] = {term_of(f, "2"), term_of(f, "b")};
    assert_true(listed_like(facts, SYM_INIT, c->head, bindings)->count <= counts[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(tells_what_is_listed),
      a_test(takes_atoms_of_another_name),
      a_test(goes_by_what_is_known),
  };
  return cmocka_run_group_tests_name("prove/listed_facts", tests, NULL, NULL);
}
