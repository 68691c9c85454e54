#include "ground/ground_fixture.h"
#include "ground/random_game_fixture.h"

static const char small_game[] =
    "(role r) (init (cell 1)) (legal r (go x)) (<= (legal r stay) (true (cell 1)))"
    "(<= (next (cell 2)) (does r stay) (not (true (cell 2))))"
    "(<= (goal r 100) (true (cell 2))) (<= terminal (true (cell 2)) (not (true (cell 1))))";

static const char *printed(rules_fixture *f, const ground_program *g, ground_format format) {
  text out = text_new(f->keep);
  ground_print(g, format, text_sink_to(&out));
  return text_string(&out);
}

static void kif_is_a_rulesheet_of_ground_rules(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(f, small_game, plain);
  const char *out = printed(f, &g, GROUND_KIF);
  assert_non_null(strstr(out, "(role r)\n(init (cell 1))\n(base (cell 1))\n(base (cell 2))\n"
                              "(input r (go x))\n(input r stay)\n"));
  assert_non_null(strstr(out, "(legal r (go x))\n"));
  assert_non_null(strstr(out, "(<= (legal r stay) (true (cell 1)))\n"));
  assert_non_null(strstr(out, "(not (true (cell 2)))"));
}

static void prolog_is_what_prolog_reads(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(f, small_game, plain);
  const char *out = printed(f, &g, GROUND_PROLOG);
  assert_non_null(strstr(out, "role(r).\n"));
  assert_non_null(strstr(out, "legal(r, go(x)).\n"));
  assert_non_null(strstr(out, "legal(r, stay) :- true(cell(1)).\n"));
  assert_non_null(strstr(out, "\\+ true(cell(1))"));
}

static void answer_set_programs_choose_state_and_moves(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(f, small_game, plain);
  const char *out = printed(f, &g, GROUND_ASP);
  assert_non_null(strstr(out, "{ true(F) : base(F) }.\n"));
  assert_non_null(strstr(out, "1 = { does(R, M) : input(R, M) } :- role(R).\n"));
  assert_non_null(strstr(out, "not true(cell(1))"));
}

/* Names that no language but KIF takes as they are, among them a relation and a function. */
static const char odd_names[] =
    "(role 050) (role +1) (init (at-home not)) (init (5 \u00e9 -7 2147483648)) (init X'y)"
    "(<= (legal 050 Go_1) (is-off -0)) (legal +1 Wait) (<= (is-off -0) (not (true (at-home not))))"
    "(<= (next (5 \u00e9 -7 2147483648)) (is-off -0))";

static void prolog_quotes_what_is_no_constant(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(f, odd_names, plain);
  const char *out = printed(f, &g, GROUND_PROLOG);
  assert_non_null(strstr(out, "role('050').\nrole('+1').\n"));
  assert_non_null(strstr(out, "init('at-home'('not')).\n"));
  assert_non_null(strstr(out, "init('5'('\u00e9', -7, '2147483648')).\n"));
  assert_non_null(strstr(out, "init('x''y').\n"));
  assert_non_null(strstr(out, "legal('050', go_1) :- 'g_is-off'('-0').\n"));
  assert_non_null(strstr(out, "'g_is-off'('-0') :- \\+ true('at-home'('not')).\n"));
}

/* SWI-Prolog has predicates length/2 and true/0, and an operator `dynamic`. */
static void prolog_relations_are_none_of_its_own(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      grounded(f,
               "(role r) (init dynamic) (<= (length 1 2) (true dynamic)) (<= dynamic (length 1 2))"
               "(<= (true) (not dynamic)) (<= terminal (not dynamic) (true))",
               plain);
  const char *out = printed(f, &g, GROUND_PROLOG);
  assert_non_null(strstr(out, "base(dynamic).\n"));
  assert_non_null(strstr(out, "g_length(1, 2) :- true(dynamic).\n"));
  assert_non_null(strstr(out, "g_dynamic :- g_length(1, 2).\n"));
  assert_non_null(strstr(out, "g_true :- \\+ g_dynamic.\n"));
}

static void answer_set_programs_have_strings_and_primes(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(f, odd_names, plain);
  const char *out = printed(f, &g, GROUND_ASP);
  assert_non_null(strstr(out, "role(\"050\").\nrole(\"+1\").\n"));
  assert_non_null(strstr(out, "init(at'2dhome(\"not\")).\n"));
  assert_non_null(strstr(out, "init(f''5(\"\u00e9\", -7, \"2147483648\")).\n"));
  assert_non_null(strstr(out, "init(\"x'y\").\n"));
  assert_non_null(strstr(out, "legal(\"050\", go_1) :- is'2doff(\"-0\").\n"));
}

/* The names of the game again. */
static const char *without_prefixes(rules_fixture *f, const char *words) {
  text out = text_new(f->keep);
  for (const char *at = words; *at; at++) {
    const bool is_start = at == words || at[-1] == '\n' || at[-1] == ' ' || at[-1] == '\'';
    if (is_start && strncmp(at, "g_", 2) == 0) at += 2;
    text_add_char(&out, *at);
  }
  return text_string(&out);
}

/* What is printed grounds to what was printed, from the fluents and moves that it declares: a
   second look from the start could find that fewer are possible. */
static void require_round_trip(rules_fixture *f, const char *words, ground_options o,
                               ground_format format) {
  const ground_program first = grounded(f, words, o);
  const char *before = ground_text(f, &first);
  const char *out = printed(f, &first, format);
  o.bases = BASES_DECLARED;
  const ground_program second = grounded(f, without_prefixes(f, out), o);
  const char *after = ground_text(f, &second);
  if (strcmp(after, before) == 0) return;
  show("rules", words);
  show("before", before);
  show("after", after);
  fail();
}

static void kif_reads_back_and_grounds_to_the_same(void **state) {
  require_round_trip(*state, small_game, plain, GROUND_KIF);
  require_round_trip(*state, small_game, optimised, GROUND_KIF);
}

static void prolog_reads_back_and_grounds_to_the_same(void **state) {
  require_round_trip(*state, small_game, plain, GROUND_PROLOG);
  require_round_trip(*state, odd_names, plain, GROUND_PROLOG);
}

static void names_that_were_made_read_back(void **state) {
  require_round_trip(
      *state,
      "(role r) (init f) (legal r a) (legal r b) (legal r c) (legal r d) (legal r e) (legal r x)"
      "(<= (next f) (true f) (does r ?m) (distinct ?m a) (distinct ?m b))",
      optimised, GROUND_KIF);
}

static void random_games_read_back_and_ground_to_the_same(void **state) {
  rules_fixture *f = *state;
  for (uint32_t i = 0; i < 100; i++) {
    rng r = rng_new(4, i);
    require_round_trip(f, random_game_text(&r, f->scratch), plain,
                       i % 2 ? GROUND_KIF : GROUND_PROLOG);
    arena_clear(f->scratch);
    arena_clear(f->keep);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(kif_is_a_rulesheet_of_ground_rules),
      rules_test(prolog_is_what_prolog_reads),
      rules_test(answer_set_programs_choose_state_and_moves),
      rules_test(prolog_quotes_what_is_no_constant),
      rules_test(prolog_relations_are_none_of_its_own),
      rules_test(answer_set_programs_have_strings_and_primes),
      rules_test(kif_reads_back_and_grounds_to_the_same),
      rules_test(prolog_reads_back_and_grounds_to_the_same),
      rules_test(names_that_were_made_read_back),
      rules_test(random_games_read_back_and_ground_to_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
