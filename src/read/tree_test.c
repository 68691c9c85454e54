#include "read/read_fixture.h"

static void tells_the_notations_apart(void **state) {
  (void)state;
  static const struct {
    const char *words;
    notation expected;
  } cases[] = {
      {"", NOTATION_KIF},
      {"; only a comment", NOTATION_KIF},
      {"\f ; c\n (role x)", NOTATION_KIF},
      {"\xef\xbb\xbf(role x)", NOTATION_KIF},
      {"terminal", NOTATION_KIF},
      {"; c\n\ntest\n\n; d", NOTATION_KIF},
      {"terminal\n(role x)", NOTATION_KIF},
      {"terminal (role x)", NOTATION_KIF},
      {")", NOTATION_KIF},
      {"% only a comment", NOTATION_PROLOG},
      {"/* c */ role(x).", NOTATION_PROLOG},
      {"role(x)", NOTATION_PROLOG},
      {"; c\nrole(x)", NOTATION_PROLOG},
      {"\xef\xbb\xbfrole(x)", NOTATION_PROLOG},
      {"terminal.", NOTATION_PROLOG},
      {"terminal .", NOTATION_PROLOG},
      {"terminal\nrole(x)", NOTATION_PROLOG},
      {"terminal :- a.", NOTATION_PROLOG},
      {"terminal <= a & b", NOTATION_PROLOG},
      {"terminal <- a", NOTATION_PROLOG},
      {":- a.", NOTATION_PROLOG},
      {"'a b'(x)", NOTATION_PROLOG},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (notation_guess(slice_of(cases[i].words)) != cases[i].expected)
      fail_msg("`%s` should be %s", cases[i].words, notation_name(cases[i].expected));
}

static void walks_siblings(void **state) {
  read_fixture *f = *state;
  assert_true(read_text(f, "a (b (c d) e) ()"));
  assert_int_equal(node_after(&f->t, 0), 1);
  assert_int_equal(node_after(&f->t, 1), 7);
  assert_int_equal(node_element_count(&f->t, 1), 3);
  assert_int_equal(node_element_count(&f->t, 7), 0);
  assert_int_equal(node_functor(&f->t, 1), tree_node(&f->t, 2)->symbol);
  assert_int_equal(node_functor(&f->t, 0), tree_node(&f->t, 0)->symbol);
  assert_int_equal(node_functor(&f->t, 7), SYM_NONE);
}

static void an_empty_text_is_an_empty_tree(void **state) {
  read_fixture *f = *state;
  assert_true(read_text(f, ""));
  assert_int_equal(f->t.nodes.count, 0);
  assert_true(read_text(f, "; nothing here"));
  assert_int_equal(f->t.nodes.count, 0);
  assert_int_equal(f->t.comments.count, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(tells_the_notations_apart),
      a_test(walks_siblings),
      a_test(an_empty_text_is_an_empty_tree),
  };
  return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
