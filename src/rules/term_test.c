#include "read/any_name_fixture.h"
#include "rules/rules_fixture.h"

static term_table *table(rules_fixture *f) {
  term_table *t = arena_alloc(f->keep, sizeof *t);
  terms_init(t, symbols_new(f->keep), f->keep);
  return t;
}

static term_id constant(term_table *t, const char *name) {
  return term_constant(t, symbol_intern(t->symbols, slice_of(name)));
}

static term_id compound(term_table *t, const char *name, term_id a, term_id b) {
  term_id made;
  assert_true(term_compound(t, symbol_intern(t->symbols, slice_of(name)), (const term_id[]){a, b},
                            2, &made));
  return made;
}

static const char *printed(rules_fixture *f, term_table *t, term_id id) {
  text out = text_new(f->keep);
  term_print(t, id, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

static term_id *free_variables(rules_fixture *f, uint32_t count) {
  term_id *bindings = arena_new_array(f->keep, term_id, count);
  memset(bindings, 0xff, count * sizeof *bindings);
  return bindings;
}

static void equal_terms_are_the_same_number(void **state) {
  term_table *t = table(*state);
  const term_id a = constant(t, "a"), x = term_variable(t, 0);
  assert_int_equal(compound(t, "f", a, x), compound(t, "F", a, x));
  assert_int_not_equal(compound(t, "f", a, x), compound(t, "f", x, a));
}

static void a_variable_is_one_term_in_whatever_order_they_come(void **state) {
  term_table *t = table(*state);
  const term_id last = term_variable(t, 300), first = term_variable(t, 0);
  assert_int_equal(term_variable_number(t, term_variable(t, 7)), 7);
  assert_int_equal(term_variable(t, 300), last);
  assert_int_equal(term_variable(t, 0), first);
  assert_int_equal(t->terms.count, 3);
}

static void knows_depth_and_groundness(void **state) {
  term_table *t = table(*state);
  const term_id a = constant(t, "a"), x = term_variable(t, 0);
  const term_id nested = compound(t, "f", compound(t, "g", a, a), a);
  assert_int_equal(term_get(t, nested)->depth, 2);
  assert_true(term_is_ground(t, nested));
  assert_false(term_is_ground(t, compound(t, "f", a, x)));
}

static void makes_no_term_that_is_too_deep(void **state) {
  term_table *t = table(*state);
  const term_id a = constant(t, "a");
  term_id it = a;
  for (uint32_t i = 0; i < TERM_DEPTH_MAX; i++) it = compound(t, "f", it, a);
  assert_int_equal(term_get(t, it)->depth, TERM_DEPTH_MAX);
  term_id made = 7;
  assert_false(term_compound(t, SYM_TRUE, &it, 1, &made));
  assert_int_equal(made, 7);
}

/* Few terms with shared parts: the text of each is twice as long as that of the one before. */
static void makes_no_term_whose_text_is_too_long(void **state) {
  term_table *t = table(*state);
  term_id it = constant(t, "a");
  uint32_t size = 1;
  for (; 2 * size + 1 <= TERM_SIZE_MAX; size = 2 * size + 1) it = compound(t, "f", it, it);
  assert_int_equal(term_get(t, it)->size, size);
  term_id made;
  assert_false(term_compound(t, SYM_TRUE, (const term_id[]){it, it}, 2, &made));
  assert_int_equal(term_get(t, term_atom(t, SYM_TRUE, (const term_id[]){it, it}, 2))->size,
                   2 * size + 1);
}

static void an_atom_may_be_one_level_deeper(void **state) {
  term_table *t = table(*state);
  const term_id a = constant(t, "a");
  term_id it = a;
  for (uint32_t i = 0; i < TERM_DEPTH_MAX; i++) it = compound(t, "f", it, a);
  const term_id atom = term_atom(t, SYM_TRUE, &it, 1);
  assert_int_equal(term_get(t, atom)->depth, TERM_DEPTH_MAX + 1);
  assert_int_equal(term_arg(t, atom, 0), it);
}

static void values_that_make_a_term_too_deep_are_refused(void **state) {
  rules_fixture *f = *state;
  term_table *t = table(f);
  const term_id x = term_variable(t, 0);
  term_id *values = free_variables(f, 1), made = 7;
  const term_id a = values[0] = constant(t, "a");
  for (uint32_t i = 0; i < TERM_DEPTH_MAX; i++) values[0] = compound(t, "f", values[0], a);
  assert_false(term_substitute(t, compound(t, "g", x, x), values, &made));
  assert_false(term_resolve(t, compound(t, "g", x, x), values, &made));
  assert_int_equal(made, 7);
  assert_true(term_substitute(t, x, values, &made));
  assert_int_equal(made, values[0]);
}

static void terms_are_compared_under_bindings_however_deep_they_are(void **state) {
  rules_fixture *f = *state;
  term_table *t = table(f);
  const term_id x = term_variable(t, 0), y = term_variable(t, 1), z = term_variable(t, 2);
  term_id *values = free_variables(f, 3);
  values[0] = values[2] = constant(t, "a");
  for (uint32_t i = 0; i < TERM_DEPTH_MAX; i++) values[0] = compound(t, "f", values[0], values[2]);
  values[1] = values[0];
  assert_true(term_equal_under(t, compound(t, "g", x, z), compound(t, "g", y, z), values));
  assert_false(term_equal_under(t, compound(t, "g", x, z), compound(t, "g", y, x), values));
  const term_id ground = compound(t, "g", values[2], values[2]);
  assert_true(term_equal_under(t, compound(t, "g", z, z), ground, values));
  assert_false(term_equal_under(t, compound(t, "h", z, z), ground, values));
}

static void arguments_may_lie_in_the_table_itself(void **state) {
  rules_fixture *f = *state;
  term_table *t = table(f);
  const term_id first = compound(t, "f", constant(t, "a"), constant(t, "b"));
  for (uint32_t i = 0; i < 5000; i++) {
    text name = text_new(f->keep);
    text_add_format(&name, "g%u", i);
    const term_id copy =
        term_atom(t, symbol_intern(t->symbols, slice_of(name.bytes)), term_args(t, first), 2);
    assert_int_equal(term_arg(t, copy, 1), term_arg(t, first, 1));
  }
}

static void substitutes_bound_variables_only(void **state) {
  rules_fixture *f = *state;
  term_table *t = table(f);
  term_id *values = free_variables(f, 2);
  values[1] = constant(t, "b");
  const term_id it = compound(t, "f", term_variable(t, 0), term_variable(t, 1));
  term_id made;
  assert_true(term_substitute(t, it, values, &made));
  assert_string_equal(printed(f, t, made), "(f ?0 b)");
  assert_int_equal(term_relabel(t, it, values), made);
}

static void unifies_through_chains(void **state) {
  rules_fixture *f = *state;
  term_table *t = table(f);
  term_id *values = free_variables(f, 3);
  const term_id x = term_variable(t, 0), y = term_variable(t, 1), z = term_variable(t, 2);
  assert_true(
      term_unify(t, compound(t, "f", x, y), compound(t, "f", y, compound(t, "g", z, z)), values));
  assert_true(term_unify(t, z, constant(t, "a"), values));
  term_id made;
  assert_true(term_resolve(t, compound(t, "h", x, y), values, &made));
  assert_string_equal(printed(f, t, made), "(h (g a a) (g a a))");
}

static void a_variable_does_not_occur_in_its_own_value(void **state) {
  rules_fixture *f = *state;
  term_table *t = table(f);
  const term_id x = term_variable(t, 0);
  assert_false(term_unify(t, x, compound(t, "f", x, x), free_variables(f, 1)));
}

static void different_terms_do_not_unify(void **state) {
  rules_fixture *f = *state;
  term_table *t = table(f);
  assert_false(term_unify(t, constant(t, "a"), constant(t, "b"), NULL));
  assert_false(
      term_unify(t, constant(t, "a"), compound(t, "a", constant(t, "a"), constant(t, "a")), NULL));
}

/* Each variable is twice the next one: forty of them stand for a term of 2^40 names. */
static void gives_up_on_terms_of_exponential_size(void **state) {
  rules_fixture *f = *state;
  term_table *t = table(f);
  enum { CHAIN = 40 };
  term_id *values = free_variables(f, CHAIN + 2);
  for (uint32_t i = 0; i < CHAIN; i++)
    values[i] = compound(t, "f", term_variable(t, i + 1), term_variable(t, i + 1));
  uint32_t steps = TERM_STEPS_MAX;
  term_id made;
  assert_false(term_resolve(t, term_variable(t, 0), values, &made));
  const term_id other = term_variable(t, CHAIN + 1);
  assert_false(term_unify_within(t, other, term_variable(t, 0), values, &steps));
  assert_int_equal(steps, 0);
}

static void sign(int *out, int order) { *out = (order > 0) - (order < 0); }

/* The order is that of the printed texts. */
static void compares_as_texts_do(void **state) {
  rules_fixture *f = *state;
  term_table *t = table(f);
  const term_id a = constant(t, "a"), ab = constant(t, "ab"), b = constant(t, "b");
  const term_id all[] = {a,
                         ab,
                         b,
                         constant(t, "1"),
                         constant(t, "+"),
                         compound(t, "a", a, b),
                         compound(t, "a", ab, b),
                         compound(t, "a", b, a),
                         compound(t, "ab", a, a)};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
      int by_term, by_text;
      sign(&by_term, term_compare(t, all[i], all[k]));
      sign(&by_text, strcmp(printed(f, t, all[i]), printed(f, t, all[k])));
      assert_int_equal(by_term, by_text);
    }
}

static term_id any_term(term_table *t, rng *r, uint32_t depth) {
  char room[8];
  const symbol_id name = symbol_intern_constant(t->symbols, any_name(r, room));
  const uint32_t count = depth < 3 ? rng_below(r, 4) : 0;
  term_id args[3];
  for (uint32_t i = 0; i < count; i++) args[i] = any_term(t, r, depth + 1);
  term_id whole;
  if (!count) return term_constant(t, name);
  assert_true(term_compound(t, name, args, count, &whole));
  return whole;
}

static bool is_term(const tree *tree, node_id n, const term_table *t, term_id id) {
  const term *it = term_get(t, id);
  if (node_functor(tree, n) != it->name) return false;
  if (node_is_list(tree, n) != (it->arg_count > 0)) return false;
  if (!it->arg_count) return true;
  node_id at = node_after(tree, node_first(n));
  for (uint32_t i = 0; i < it->arg_count; i++, at = node_after(tree, at))
    if (at == node_after(tree, n) || !is_term(tree, at, t, term_arg(t, id, i))) return false;
  return at == node_after(tree, n);
}

static void a_term_with_names_of_any_bytes_reads_back_in_either_notation(void **state) {
  rules_fixture *f = *state;
  term_table *t = table(f);
  rng r = rng_new(7, 0);
  for (uint32_t i = 0; i < 5000; i++) {
    const term_id id = any_term(t, &r, 0);
    for (notation n = NOTATION_KIF; n <= NOTATION_PROLOG; n++) {
      text out = text_new(f->keep);
      term_print(t, id, n, NULL, &out);
      const source s = source_of("test", text_string(&out), (uint32_t)out.length);
      tree read;
      diag_sink_init(&f->d, f->keep);
      assert_true(tree_read_as(&read, &s, n, t->symbols, f->keep, &f->d));
      assert_true(is_term(&read, 0, t, id) && node_after(&read, 0) == read.nodes.count);
    }
  }
}

static void terms_with_names_of_any_bytes_compare_as_their_texts_do(void **state) {
  rules_fixture *f = *state;
  term_table *t = table(f);
  rng r = rng_new(8, 0);
  for (uint32_t i = 0; i < 20000; i++) {
    const term_id a = any_term(t, &r, 1), b = any_term(t, &r, 1);
    int by_term, by_text;
    sign(&by_term, term_compare(t, a, b));
    sign(&by_text, strcmp(printed(f, t, a), printed(f, t, b)));
    assert_int_equal(by_term, by_text);
    assert_int_equal(by_text == 0, a == b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(equal_terms_are_the_same_number),
      rules_test(a_variable_is_one_term_in_whatever_order_they_come),
      rules_test(knows_depth_and_groundness),
      rules_test(makes_no_term_that_is_too_deep),
      rules_test(makes_no_term_whose_text_is_too_long),
      rules_test(an_atom_may_be_one_level_deeper),
      rules_test(values_that_make_a_term_too_deep_are_refused),
      rules_test(terms_are_compared_under_bindings_however_deep_they_are),
      rules_test(arguments_may_lie_in_the_table_itself),
      rules_test(substitutes_bound_variables_only),
      rules_test(unifies_through_chains),
      rules_test(a_variable_does_not_occur_in_its_own_value),
      rules_test(different_terms_do_not_unify),
      rules_test(gives_up_on_terms_of_exponential_size),
      rules_test(compares_as_texts_do),
      rules_test(a_term_with_names_of_any_bytes_reads_back_in_either_notation),
      rules_test(terms_with_names_of_any_bytes_compare_as_their_texts_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
