#include "rules/argument_values.h"

#include "rules/rules_fixture.h"

static argument_values *values_of(rules_fixture *f, const char *words) {
  assert_true(build_text(f, words));
  return argument_values_find(&f->p, NULL, f->keep);
}

static slot_value named(const rules_fixture *f, const char *name, uint32_t arity) {
  return (slot_value){symbol_find(f->t.symbols, slice_of(name)), arity};
}

/* "1 2 move/2": the values of a slot; "anything" when it is open. */
static const char *words_at(rules_fixture *f, const argument_values *v, slot_id at) {
  if (slot_is_open(v, at)) return "anything";
  text out = text_new(f->keep);
  const slot_values all = slots_common_values(v, &at, 1, f->keep);
  for (uint32_t i = 0; i < all.count; i++) {
    const slice name = symbol_name(f->p.symbols, all.items[i].name);
    text_add_format(&out, "%s%.*s", i ? " " : "", (int)name.length, name.start);
    if (all.items[i].arity) text_add_format(&out, "/%u", all.items[i].arity);
  }
  return text_string(&out);
}

static const char *values_at(rules_fixture *f, const argument_values *v, const char *relation,
                             uint32_t arity, uint32_t argument) {
  return words_at(f, v, slot_of_argument(v, relation_named(f, relation, arity), argument));
}

/* Of argument `argument` of a fluent. */
static const char *values_in_state(rules_fixture *f, const argument_values *v, const char *fluent,
                                   uint32_t arity, uint32_t argument) {
  const slot_id at = slot_of_argument(v, SYM_TRUE, 0);
  return words_at(f, v, slot_of_part(v, at, named(f, fluent, arity), argument));
}

static void facts_give_values_to_each_argument(void **state) {
  rules_fixture *f = *state;
  const argument_values *v = values_of(f, "(next-to a b)(next-to b c)");
  assert_string_equal(values_at(f, v, "next-to", 2, 0), "a b");
  assert_string_equal(values_at(f, v, "next-to", 2, 1), "b c");
}

static void a_variable_has_what_its_slots_have_in_common(void **state) {
  rules_fixture *f = *state;
  const argument_values *v =
      values_of(f, "(p 1)(p 2)(p 3)(q 2)(q 3)(q 4)(<= (r ?x) (p ?x) (q ?x) (distinct ?x 3))");
  assert_string_equal(values_at(f, v, "r", 1, 0), "2");
}

static void states_have_what_init_and_next_give(void **state) {
  rules_fixture *f = *state;
  const argument_values *v =
      values_of(f, "(successor 1 2)(successor 2 3)(init (step 1))"
                   "(<= (next (step ?n)) (true (step ?m)) (successor ?m ?n))");
  assert_string_equal(values_in_state(f, v, "step", 1, 0), "1 2 3");
  assert_string_equal(values_at(f, v, "init", 1, 0), "step/1");
}

static void moves_have_what_is_legal(void **state) {
  rules_fixture *f = *state;
  const argument_values *v =
      values_of(f, "(role x)(role o)(legal x wait)"
                   "(<= (legal ?r (mark 1)) (role ?r))(<= (p ?m) (does o ?m))");
  assert_string_equal(values_at(f, v, "does", 2, 0), "x o");
  assert_string_equal(values_at(f, v, "p", 1, 0), "wait mark/1");
}

static void a_whole_fluent_takes_its_parts_along(void **state) {
  rules_fixture *f = *state;
  const argument_values *v = values_of(f, "(init (at 1 a))(init (at 2 b))(<= (seen ?f) (true ?f))");
  const slot_id at = slot_of_argument(v, relation_named(f, "seen", 1), 0);
  assert_string_equal(words_at(f, v, slot_of_part(v, at, named(f, "at", 2), 1)), "a b");
  assert_int_equal(slot_of_part(v, at, named(f, "seen", 1), 0), SLOT_NONE);
}

static void a_slot_knows_what_it_is_an_argument_of(void **state) {
  rules_fixture *f = *state;
  const argument_values *v = values_of(f, "(init (at 1 a))");
  const slot_id all = slot_of_argument(v, SYM_TRUE, 0);
  const slot_origin o = slot_comes_from(v, slot_of_part(v, all, named(f, "at", 2), 1));
  assert_int_equal(o.above, all);
  assert_int_equal(o.argument, 1);
  assert_int_equal(o.owner.name, named(f, "at", 2).name);
  assert_int_equal(slot_comes_from(v, all).above, SLOT_NONE);
  assert_int_equal(slot_comes_from(v, all).owner.name, SYM_TRUE);
}

static void what_depends_on_itself_alone_never_holds(void **state) {
  rules_fixture *f = *state;
  const argument_values *v = values_of(f, "(<= (p ?x) (p ?x))(q a)(<= (r ?x) (q ?x))");
  assert_false(relation_can_hold(v, relation_named(f, "p", 1)));
  assert_false(clause_can_fire(v, 0));
  assert_true(relation_can_hold(v, relation_named(f, "r", 1)));
  assert_true(clause_can_fire(v, 2));
}

static void functions_are_joined_argument_by_argument(void **state) {
  rules_fixture *f = *state;
  const argument_values *v =
      values_of(f, "(p (at 1 a))(q (at 2 b))(q (at 1 b))(s (at 1 a))"
                   "(<= (none ?x) (p ?x) (q ?x))(<= (some ?x) (p ?x) (s ?x))");
  assert_false(relation_can_hold(v, relation_named(f, "none", 1)));
  assert_true(relation_can_hold(v, relation_named(f, "some", 1)));
}

static void terms_that_grow_make_a_slot_open(void **state) {
  rules_fixture *f = *state;
  const argument_values *v =
      values_of(f, "(init (n zero))(<= (next (n (s ?x))) (true (n ?x)))(<= (p ?x) (true (n ?x)))");
  const slot_id n = slot_of_argument(v, relation_named(f, "p", 1), 0);
  assert_string_equal(words_at(f, v, n), "zero s/1");
  slot_id deeper = n;
  for (int i = 0; i < 8 && deeper != SLOT_NONE && !slot_is_open(v, deeper); i++)
    deeper = slot_of_part(v, deeper, named(f, "s", 1), 0);
  assert_int_not_equal(deeper, SLOT_NONE);
  assert_true(slot_is_open(v, deeper));
}

static void a_misfit_is_found_with_the_way_to_it(void **state) {
  rules_fixture *f = *state;
  const argument_values *v = values_of(f, "(init (at 1 a))(<= p (true (at 1 b)))");
  variable_slots out = {0};
  misfit m;
  assert_false(atom_can_match(v, f->p.literals.items[0].atom, 0, &out, &m, f->keep));
  assert_int_equal(m.depth, 2);
  assert_int_equal(m.path[0], 0);
  assert_int_equal(m.path[1], 1);
  assert_int_equal(term_get(f->p.terms, m.term)->name, named(f, "b", 0).name);
}

static void every_value_of_an_open_slot_is_possible(void **state) {
  rules_fixture *f = *state;
  const argument_values *v = values_of(f, "(<= (p ?x) (not (q ?x)))(<= r (p a))");
  const slot_id at = slot_of_argument(v, relation_named(f, "p", 1), 0);
  assert_true(slot_is_open(v, at));
  assert_true(slot_has(v, at, named(f, "a", 0)));
  assert_true(relation_can_hold(v, relation_named(f, "r", 0)));
}

/* n relations, each with n constants, and as many rules that join them. */
static const char *wide_text(rules_fixture *f, uint32_t n) {
  text out = text_new(f->keep);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < n; k++) text_add_format(&out, "(r%u c%u d%u)", i, i * n + k, k);
    text_add_format(&out, "(<= (s%u ?y) (r%u ?x ?y) (r%u ?y ?x))", i, i, (i + 1) % n);
  }
  return text_string(&out);
}

static void a_text_with_far_too_many_values_is_left_open(void **state) {
  rules_fixture *f = *state;
  const argument_values *v = values_of(f, wide_text(f, 600));
  assert_string_equal(values_at(f, v, "r599", 2, 0), "anything");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(facts_give_values_to_each_argument),
      rules_test(a_variable_has_what_its_slots_have_in_common),
      rules_test(states_have_what_init_and_next_give),
      rules_test(moves_have_what_is_legal),
      rules_test(a_whole_fluent_takes_its_parts_along),
      rules_test(a_slot_knows_what_it_is_an_argument_of),
      rules_test(what_depends_on_itself_alone_never_holds),
      rules_test(functions_are_joined_argument_by_argument),
      rules_test(terms_that_grow_make_a_slot_open),
      rules_test(a_misfit_is_found_with_the_way_to_it),
      rules_test(every_value_of_an_open_slot_is_possible),
      rules_test(a_text_with_far_too_many_values_is_left_open),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
