#include "certify/certify_fixture.h"

typedef struct fault_case {
  const char *words, *why;
} fault_case;

static void assert_all_malformed(certify_fixture *f, const fault_case *cases, size_t count) {
  for (size_t i = 0; i < count; i++) assert_malformed(f, cases[i].words, cases[i].why);
}

#define ASSERT_ALL_MALFORMED(f, cases) assert_all_malformed(f, cases, sizeof cases / sizeof *cases)

static void every_section_is_of_the_grammar(void **state) {
  certify_fixture *f = *state;
  const certificate *c = written(
      f, "(property playable) (k 1) (exactly-one a (not (b 1))) (at-most-one) (at-least-one c)\n"
         "(property terminates) (measure (2 a) (0 (not b))) (k 3)\n"
         "(property terminates) (returns-to 0) (line (a) (b))\n"
         "(property winnable (robot 1)) (line ((go 1) noop))\n"
         "(property goals) (steps 4294967294)\n"
         "(property MUTEX) (exhaustive) (walk-file 00ff) (at-most-one a b)\n"
         "(property terminates) (exhaustive) (longest 12)\n"
         "(property monotone) (line)\n"
         "(property unreachable (and (or) (not (f 1)) (true (g (h 1))) (distinct a b))) (k 0)\n"
         "(property invariant x) (k 0)");
  assert_non_null(c);
  assert_int_equal(c->sections.count, 10);
  assert_int_equal(c->sections.items[1].k, 3);
  assert_int_equal(c->sections.items[4].steps, 4294967294);
  assert_int_equal(c->sections.items[6].longest, 12);
  assert_string_equal(section_name(c, &c->sections.items[3], f->keep), "winnable (robot 1)");
  assert_string_equal(section_name(c, &c->sections.items[8], f->keep),
                      "unreachable (and (or) (not (f 1)) (true (g (h 1))) (distinct a b))");
}

static void what_is_shown_depends_on_property_and_evidence(void **state) {
  certify_fixture *f = *state;
  const certificate *c = written(f, "(property winnable x) (steps 1) (property winnable x) (line)"
                                    "(property goals) (steps 1) (property goals) (line)");
  static const shown_verdict shown[] = {SHOWS_REFUTED, SHOWS_PROVED, SHOWS_PROVED, SHOWS_REFUTED};
  assert_non_null(c);
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(section_shows(&c->sections.items[i]), shown[i]);
}

static void what_is_unknown_is_told(void **state) {
  static const fault_case cases[] = {
      {"", "the certificate is empty"},
      {"; a remark", "the certificate is empty"},
      {"property", "a section begins with (property ...)"},
      {"property (line (go))", "a section begins with (property ...)"},
      {"(k 0) (property goals)", "a section begins with (property ...)"},
      {"()", "a section begins with (property ...)"},
      {"((property goals)) (k 0)", "a section begins with (property ...)"},
      {"(property) (k 0)", "the property is missing"},
      {"(property (monotone)) (steps 2)", "a property is a name"},
      {"(property (mutex))", "a property is a name"},
      {"(property dead) (exhaustive)", "no certificate can be given for such a property"},
      {"(property goals) (k 0) (at-most-two a b)", "a section has no such part"},
      {"(property goals) (k 0) exhaustive", "a section has no such part"},
      {"(property goals) (k 0) ()", "a section has no such part"},
      {"(property goals) (k 0) (not a)", "a section has no such part"},
  };
  ASSERT_ALL_MALFORMED(*state, cases);
}

static void what_is_missing_is_told(void **state) {
  static const fault_case cases[] = {
      {"(property goals)", "there is no evidence"},
      {"(property goals) (exactly-one a)", "there is no evidence"},
      {"(property terminates) (k 1)", "there is no `measure`"},
      {"(property terminates) (k 0) (measure)", "k is at least 1"},
      {"(property terminates) (line (a))", "there is no `returns-to`"},
      {"(property terminates) (exhaustive)", "there is no `longest`"},
      {"(property winnable) (k 0)", "`winnable` takes one role"},
      {"(property unreachable) (k 0)", "`unreachable` takes one formula"},
      {"(property mutex) (k 0)", "there is no group"},
      {"(property mutex) (k 0) (at-least-one a b)", "there is no group"},
      {"(property mutex) (k 0) (at-most-one a)", "there is no group"},
      {"(property mutex) (exhaustive)", "there is no group"},
  };
  ASSERT_ALL_MALFORMED(*state, cases);
}

static void what_stands_twice_or_elsewhere_is_told(void **state) {
  static const fault_case cases[] = {
      {"(property goals) (k 0) (k 0)", "stands twice"},
      {"(property goals) (line) (line (a))", "stands twice"},
      {"(property goals) (exhaustive) (exhaustive)", "stands twice"},
      {"(property goals) (k 0) (property goals) (k 1)", "has a section with such evidence already"},
      {"(property goals) (exhaustive) (steps 19)", "more than one kind"},
      {"(property goals) (exhaustive) (k 1)", "more than one kind"},
      {"(property goals) (line) (k 1)", "more than one kind"},
      {"(property goals) (steps 19) (exactly-one)", "not a part of such evidence"},
      {"(property goals) (steps 19) (longest 3)", "not a part of such evidence"},
      {"(property goals) (exhaustive) (longest 19)", "not a part of such evidence"},
      {"(property goals) (exhaustive) (returns-to 1)", "not a part of such evidence"},
      {"(property goals) (k 0) (measure (1 a))", "not a part of such evidence"},
      {"(property goals) (k 0) (walk-file 0)", "not a part of such evidence"},
      {"(property goals) (line (a)) (exactly-one)", "not a part of such evidence"},
      {"(property goals) (line (a)) (returns-to 0)", "not a part of such evidence"},
      {"(property mutex) (line (a))", "this is not evidence for `mutex`"},
      {"(property mutex) (steps 9) (at-most-one a b)", "this is not evidence for `mutex`"},
      {"(property monotone) (exhaustive)", "this is not evidence for `monotone`"},
      {"(property monotone) (steps 1)", "this is not evidence for `monotone`"},
  };
  ASSERT_ALL_MALFORMED(*state, cases);
}

static void shapes_that_are_wrong_are_told(void **state) {
  static const char *const digits = "a number is 0, or digits of which the first is not 0";
  const fault_case cases[] = {
      {"(property goals x) (k 0)", "`goals` takes nothing more"},
      {"(property winnable x y) (k 0)", "`winnable` takes one role"},
      {"(property winnable ?r) (k 0)", "no variables"},
      {"(property winnable ()) (k 0)", "a term is a name"},
      {"(property invariant (f ?x)) (k 0)", "no variables"},
      {"(property invariant (forall ?x (f ?x))) (k 0)", "no quantifiers"},
      {"(property invariant (not a b)) (k 0)", "`not` takes one formula"},
      {"(property invariant (distinct a)) (k 0)", "`distinct` takes two terms"},
      {"(property invariant ((f) x)) (k 0)", "a term is a name"},
      {"(property goals) (k)", "takes one number"},
      {"(property goals) (k 0 1)", "takes one number"},
      {"(property goals) (k x)", digits},
      {"(property goals) (k (0))", digits},
      {"(property goals) (k 00)", digits},
      {"(property goals) (k 01)", digits},
      {"(property goals) (k -1)", digits},
      {"(property goals) (k +1)", digits},
      {"(property goals) (k 4294967295)", "the number is too large"},
      {"(property goals) (k 18446744073709551616)", "the number is too large"},
      {"(property goals) (exhaustive 1)", "takes nothing more"},
      {"(property goals) (exhaustive) (walk-file)", "takes one name"},
      {"(property goals) (k 0) (exactly-one ?x)", "no variables"},
      {"(property terminates) (k 1) (measure a)", "lists of a weight and a fluent"},
      {"(property terminates) (k 1) (measure (a 1))", digits},
      {"(property terminates) (k 1) (measure (1 a 2))", "lists of a weight and a fluent"},
      {"(property goals) (line a)", "a line is made of joint moves"},
      {"(property goals) (line ())", "a line is made of joint moves"},
  };
  ASSERT_ALL_MALFORMED(*state, cases);
}

/* All faults of a certificate are told, each at its place. */
static void faults_have_places(void **state) {
  certify_fixture *f = *state;
  assert_null(written(f, "(property goals)\n(k x)\n(property dead)\n(line (()))"));
  assert_int_equal(f->d.errors, 3);
  static const span places[] = {{20, 21}, {33, 37}, {46, 48}};
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(f->d.all.items[i].kind, DIAG_E702);
    assert_int_equal(f->d.all.items[i].where.start, places[i].start);
    assert_int_equal(f->d.all.items[i].where.end, places[i].end);
  }
}

static void formulas_have_a_limit_of_depth(void **state) {
  certify_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(property invariant ");
  for (uint32_t i = 0; i < 3000; i++) text_add(&words, "(and ");
  for (uint32_t i = 0; i < 3000; i++) text_add_char(&words, ')');
  text_add(&words, ") (k 0)");
  assert_malformed(f, text_string(&words), "the formula is too deep");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(every_section_is_of_the_grammar),
      a_test(what_is_shown_depends_on_property_and_evidence),
      a_test(what_is_unknown_is_told),
      a_test(what_is_missing_is_told),
      a_test(what_stands_twice_or_elsewhere_is_told),
      a_test(shapes_that_are_wrong_are_told),
      a_test(faults_have_places),
      a_test(formulas_have_a_limit_of_depth),
  };
  return cmocka_run_group_tests_name("certify/grammar", tests, NULL, NULL);
}
