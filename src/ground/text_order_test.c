#include "ground/ground_fixture.h"
#include "ground/text_order.h"

/* The facts of a relation, in the order that was found, against a plain sort of the whole. */
static void assert_ordered(rules_fixture *f, const char *words, const char *name, uint32_t arity,
                           bool odd_ones_last) {
  const flat_program flat = flattened(f, words);
  const engine e = evaluated(f, &flat);
  const relation_id r = relation_named(f, name, arity);
  id_vec terms = {0}, before = {0};
  for (uint32_t i = flat.relations_from[r]; i < flat.relations_from[r + 1]; i++) {
    const flat_id id = flat.relations_by_source.items[i];
    for (uint32_t row = 0; row < e.tables[id].count; row++) {
      vec_push(f->keep, &before, terms.count % 2 ? ID_NONE : 0);
      vec_push(f->keep, &terms, flat_atom(&flat, id, table_row(&e.tables[id], row)));
    }
  }
  const text_items items = {.f = &flat,
                            .tables = e.tables,
                            .relations =
                                vec_from(&flat.relations_by_source, flat.relations_from[r]),
                            .relation_count = flat.relations_from[r + 1] - flat.relations_from[r],
                            .terms = terms.items,
                            .before = odd_ones_last ? before.items : NULL,
                            .count = terms.count};
  const uint32_t *order = text_order(&items, f->keep);
  const bitset met = bitset_new(f->keep, terms.count);
  for (uint32_t i = 0; i < terms.count; i++) {
    assert_true(bitset_insert(met, order[i]));
    if (i == 0) continue;
    const uint32_t a = order[i - 1], b = order[i];
    if (odd_ones_last && before.items[a] != before.items[b])
      assert_true(before.items[a] < before.items[b]);
    else
      assert_true(term_compare(f->p.terms, terms.items[a], terms.items[b]) < 0);
  }
}

static void assert_both_ordered(rules_fixture *f, const char *words) {
  assert_ordered(f, words, "p", 1, false);
  assert_ordered(f, words, "p", 1, true);
}

static void rows_of_one_shape_are_sorted(void **state) {
  assert_both_ordered(*state, "(n 10) (n 2) (n 1) (n b) (n 100) (n a1) (n a)"
                              "(<= (p (f ?x ?y ?z)) (n ?x) (n ?y) (n ?z))");
}

static void shapes_come_one_after_the_other(void **state) {
  assert_both_ordered(*state,
                      "(n 2) (n 1) (n 3) (<= (p (g ?x)) (n ?x)) (<= (p (f ?x ?y)) (n ?x) (n ?y))"
                      "(<= (p ?x) (n ?x)) (p noop) (<= (p (h (k ?x) ?y)) (n ?x) (n ?y))");
}

static void shapes_whose_texts_overlap_are_merged(void **state) {
  assert_both_ordered(*state, "(n 2) (n z) (n 1) (<= (p (f ?x ?y)) (n ?x) (n ?y))"
                              "(<= (p (f ?x (g ?y))) (n ?x) (n ?y)) (<= (p (f ?x)) (n ?x))");
}

/* `a!` comes before `a)`, though behind `a `. */
static void a_name_that_goes_on_with_a_byte_below_the_bracket_is_in_its_place(void **state) {
  assert_both_ordered(*state, "(n a) (n a!) (n a!b) (n a$) (n b) (<= (p (f ?x ?y)) (n ?x) (n ?y))");
}

static void terms_in_generic_relations_are_sorted_by_their_text(void **state) {
  assert_both_ordered(*state, "(n 0) (<= (n (s ?x)) (n ?x) (small ?x)) (small 0) (small (s 0))"
                              "(small (s (s 0))) (<= (p ?x) (n ?x))");
}

static void nothing_is_sorted(void **state) {
  assert_ordered(*state, "(n 1) (<= (p ?x) (n ?x) (distinct ?x 1)) (<= (q ?x) (p ?x))", "p", 1,
                 false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(rows_of_one_shape_are_sorted),
      rules_test(shapes_come_one_after_the_other),
      rules_test(shapes_whose_texts_overlap_are_merged),
      rules_test(a_name_that_goes_on_with_a_byte_below_the_bracket_is_in_its_place),
      rules_test(terms_in_generic_relations_are_sorted_by_their_text),
      rules_test(nothing_is_sorted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
