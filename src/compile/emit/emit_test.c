/* What a rulesheet says must not become code: names of every kind give C that a strict compiler
   takes without a warning. */
#include "compile/compile_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "compile/c_build.h"

static const char *game_with_name(rules_fixture *f, const char *name) {
  text out = text_new(f->keep);
  text_add_format(&out,
                  "(role %s) (init (%s %s)) (<= (legal ?r (%s ?x)) (role ?r) (true (%s ?x)))"
                  "(<= (next (%s ?x)) (true (%s ?x))) (<= terminal (true (%s %s)) (%sq %s))"
                  "(<= (%sq ?x) (true (%s ?x))) (<= (goal ?r 100) (role ?r))",
                  name, name, name, name, name, name, name, name, name, name, name, name, name);
  return text_string(&out);
}

/* Whatever the compilers at hand could find fault with, trigraphs replaced as the standard has it.
 */
#define STRICT \
  "-std=c17 -trigraphs -Wall -Wextra -Wpedantic -Wcomment -Werror -S -o /dev/null -x c -"

static bool is_there(const char *compiler) {
  char command[100];
  snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", compiler);
  return system(command) == 0;
}

/* Compiles the text with every warning an error. */
static void assert_compiles(rules_fixture *f, const char *c_text) {
  static const char *const compilers[] = {"cc", "gcc", "clang"};
  uint32_t tried = 0;
  text game = text_new(f->keep);
  text_add(&game, c_text);
  text whole = text_new(f->keep);
  c_write_whole(&game, &whole);
  assert_null(strstr(text_string(&whole), "?\?"));
  for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
    char command[200];
    if (!is_there(compilers[i])) continue;
    snprintf(command, sizeof command, "%s " STRICT, compilers[i]);
    FILE *cc = popen(command, "w");
    assert_non_null(cc);
    assert_int_equal(fwrite(whole.bytes, 1, whole.length, cc), whole.length);
    assert_int_equal(pclose(cc), 0);
    tried++;
  }
  if (!tried) skip();
}

static void assert_name_is_harmless(void **state, const char *name) {
  rules_fixture *f = *state;
  const char *found = stage_text(f, game_with_name(f, name), COMPILE_C);
  assert_non_null(found);
  assert_compiles(f, found);
}

static void names_may_end_comments(void **state) { assert_name_is_harmless(state, "a*/b/*c//d"); }
static void names_may_be_trigraphs(void **state) {
  assert_name_is_harmless(state, "a?\?/b?\?'c?\?");
}
static void names_may_hold_formats(void **state) { assert_name_is_harmless(state, "a%s%n%5000d"); }
static void names_may_be_keywords(void **state) {
  assert_name_is_harmless(state, "while");
  assert_name_is_harmless(state, "_Static_assert");
  assert_name_is_harmless(state, "NULL");
}
static void names_may_be_directives(void **state) {
  assert_name_is_harmless(state, "#include\\ <stdio.h>");
  assert_name_is_harmless(state, "%:pragma\\ once");
}
static void names_may_hold_quotes(void **state) { assert_name_is_harmless(state, "a\\\"b'c\\\\d"); }
static void names_may_hold_blanks(void **state) { assert_name_is_harmless(state, "a\\ b#c\\(d"); }
static void names_may_be_beyond_ascii(void **state) {
  assert_name_is_harmless(state, "\xc3\xa9t\xc3\xa9");
}
static void names_may_hold_braces(void **state) { assert_name_is_harmless(state, "}{}}{[<:"); }

/* No notation can write such a name, so it is changed after reading. */
static void names_may_hold_line_ends(void **state) {
  static const char plain[] = "axb\\\\xc";
  rules_fixture *f = *state;
  assert_true(build_text(f, game_with_name(f, plain)));
  for (symbol_id s = 0; s < symbol_count(f->p.symbols); s++) {
    const slice names[2] = {symbol_name(f->p.symbols, s), symbol_folded(f->p.symbols, s)};
    for (int i = 0; i < 2; i++)
      for (size_t k = 0; k < names[i].length; k++)
        if (names[i].length >= 6 && names[i].start[k] == 'x')
          ((char *)(uintptr_t)names[i].start)[k] = '\n';
  }
  text out = text_new(f->keep);
  compilation c;
  const compile_options o = {.name = "a\nb"};
  assert_true(compile_game(&c, &f->p, &o, COMPILE_C, f->keep, NULL, &f->d, &out));
  assert_compiles(f, text_string(&out));
}

static void names_may_be_long(void **state) {
  rules_fixture *f = *state;
  char *name = arena_alloc(f->keep, 10001);
  memset(name, 'x', 10000);
  name[10000] = '\0';
  assert_name_is_harmless(state, name);
}

/* Neither fluents nor moves nor goals, or none that could ever hold. */
static void games_of_next_to_nothing_give_clean_c(void **state) {
  static const char *const games[] = {
      "(role a) (<= terminal (true never)) (<= (goal a ?x) (true (score ?x)))",
      "(role a) (legal a rest) terminal (<= (goal a ?x) (not terminal) (role ?x))",
      "(role a) (<= (legal a (go ?x)) (true (at ?x))) (<= (next (at ?x)) (does a (go ?x)))",
  };
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    const char *found = stage_text(*state, games[i], COMPILE_C);
    assert_non_null(found);
    assert_compiles(*state, found);
  }
}

static void assert_all_clean(rules_fixture *f, const char *words) {
  assert_true(build_text(f, words));
  for (uint32_t kb = KB_DENSE; kb <= KB_TRIE; kb++) {
    text out = text_new(f->keep);
    compilation c;
    const compile_options o = {.name = "lamp", .kb = (knowledge_base)kb};
    assert_true(compile_game(&c, &f->p, &o, COMPILE_C, f->keep, NULL, &f->d, &out));
    assert_compiles(f, text_string(&out));
  }
}

static void every_knowledge_base_gives_clean_c(void **state) {
  assert_all_clean(*state, LAMP "(edge on off) (<= (way ?x) (true (lamp ?x)))"
                                "(<= (way ?y) (way ?x) (edge ?x ?y)) (<= terminal (way on))");
}

/* A fluent of one shape differs from all of another, so that nothing is compared. */
static void needless_comparisons_give_clean_c(void **state) {
  assert_all_clean(*state, "(role x) (init (h 1)) (init (h 2)) (init z)"
                           "(legal x (drop 1)) (legal x (drop 2)) (legal x (drop 3))"
                           "(<= (next ?f) (true ?f) (does x (drop ?k)) (distinct ?f (h ?k)))"
                           "(<= (next z) (true (h ?k)) (distinct ?k none))"
                           "(<= terminal (not (true (h 1)))) (<= terminal (not (true (h 2))))"
                           "(<= (goal x 100) (true ?f) (distinct ?f (h 1)))"
                           "(<= (goal x 0) (not (goal x 100)))");
}

/* Nothing is ever (p ?y), so that no test has to ask which ?y it would be. */
static void needless_tests_give_clean_c(void **state) {
  assert_all_clean(*state, "(role x) (s a b) (init (q 1 2)) (init (q 2 1)) (legal x stay)"
                           "(<= (next (p 1)) (true (q 1 2)) (s a 1))"
                           "(<= (la ?x) (true (q ?x ?y)) (not (true (p ?y))))"
                           "(<= (next (q ?x ?x)) (la ?x))"
                           "(<= terminal (not (la 1))) (<= (goal x 0) (la 2))");
}

/* (p ?u) would stay for ever, and never comes. */
static void nothing_to_keep_gives_clean_c(void **state) {
  assert_all_clean(*state, "(role x) (s a b) (init (q b a)) (legal x noop) (goal x 0)"
                           "(<= (next (p ?u)) (true (p ?u)))"
                           "(<= (next (p 1)) (true (q ?u ?u)) (does ?r stay) (s a 1))"
                           "(<= terminal (true (p ?v)) (true (p ?u)))");
}

/* (sw ?u ?u) is never done: what would be passed on from it comes from nowhere. */
static void parts_of_rules_that_never_fire_give_clean_c(void **state) {
  assert_all_clean(*state,
                   "(role x) (t a) (init (w a)) (legal x stay)"
                   "(<= (legal x (sw b a)) (true flag) (not (true (p a))) (not (true (q b b))))"
                   "(<= (next (q a ?x2)) (does ?k (sw ?u ?u)) (does x (go ?x2)) (not (d1 ?x2))"
                   "  (not (does x stay)))"
                   "(<= (next z) (does ?u stay))"
                   "(<= terminal (true (q a ?k)) (true (q ?k ?x2)) (true (p ?k)))"
                   "(<= (goal ?r 100) (role ?r) (true (w ?u)) (not (true (q b a))))"
                   "(<= (next (p ?x)) (t ?x) (not (true (p ?x))) (does x ?m) (distinct ?m stay))"
                   "(<= (legal x (go ?x)) (true (p ?x)))");
}

static void identifiers_come_from_file_names(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(emit_identifier("games/tic-tac-toe.kif", f->keep), "tic_tac_toe");
  assert_string_equal(emit_identifier("*/", f->keep), "game");
  assert_string_equal(emit_identifier("-", f->keep), "game");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(names_may_end_comments),
      rules_test(names_may_be_trigraphs),
      rules_test(names_may_hold_formats),
      rules_test(names_may_be_keywords),
      rules_test(names_may_be_directives),
      rules_test(names_may_hold_quotes),
      rules_test(names_may_hold_blanks),
      rules_test(names_may_be_beyond_ascii),
      rules_test(names_may_hold_braces),
      rules_test(names_may_hold_line_ends),
      rules_test(names_may_be_long),
      rules_test(games_of_next_to_nothing_give_clean_c),
      rules_test(every_knowledge_base_gives_clean_c),
      rules_test(needless_comparisons_give_clean_c),
      rules_test(needless_tests_give_clean_c),
      rules_test(nothing_to_keep_gives_clean_c),
      rules_test(parts_of_rules_that_never_fire_give_clean_c),
      rules_test(identifiers_come_from_file_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
