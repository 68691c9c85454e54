#include "api/api_fixture.h"

static tabia_rules *rules_of(const char *words) {
  tabia_rules *rules = NULL;
  tabia_rules_read_text(&rules, "test", words, strlen(words), NULL);
  assert_non_null(rules);
  return rules;
}

static tabia_source *source_of_text(const char *words) {
  tabia_rules *rules = rules_of(words);
  tabia_source *s = tabia_source_new(rules, NULL, NULL);
  tabia_rules_free(rules);
  assert_non_null(s);
  return s;
}

static const char game[] = "(role x)\n; the start\n(init (at 1))\n"
                           "(<= (legal x (go ?n)) (true (at ?n)) (near ?n 2))\n(near 1 2)\n";

static size_t place_of(const char *words) { return (size_t)(strstr(game, words) - game); }

static void says_what_is_at_a_byte(void **state) {
  (void)state;
  tabia_source *s = source_of_text(game);
  size_t start, end;
  const uint32_t word = tabia_source_word_at(s, place_of("near ?n"));
  const uint32_t thing = tabia_word_thing(s, word);
  tabia_word_range(s, word, &start, &end);
  assert_int_equal(start, place_of("near ?n"));
  assert_int_equal(end - start, 4);
  assert_int_equal(tabia_word_kind_of(s, word), TABIA_WORD_RELATION);
  assert_int_equal(tabia_thing_kind(s, thing), TABIA_WORD_RELATION);
  assert_string_equal(tabia_thing_name(s, thing), "near");
  assert_int_equal(tabia_thing_arity(s, thing), 2);
  assert_int_equal(tabia_thing_word_count(s, thing), 2);
  assert_false(tabia_word_defines(s, word));
  assert_true(tabia_word_defines(s, tabia_thing_word(s, thing, 1)));
  uint32_t stratum = 9;
  assert_string_equal(tabia_thing_dependence(s, thing, &stratum), "static");
  assert_int_equal(stratum, 0);
  assert_int_equal(tabia_source_word_at(s, place_of("\n; the") + 1) == TABIA_NOTHING, false);
  assert_true(tabia_source_word_count(s) > tabia_source_thing_count(s));
  tabia_source_free(s);
}

static void clauses_have_ranges_heads_and_comments(void **state) {
  (void)state;
  tabia_source *s = source_of_text(game);
  size_t start, end;
  assert_int_equal(tabia_source_clause_count(s), 4);
  const uint32_t clause = tabia_source_clause_at(s, place_of("(true"));
  assert_int_equal(clause, 2);
  assert_true(tabia_clause_is_rule(s, clause));
  tabia_clause_range(s, clause, &start, &end);
  assert_int_equal(start, place_of("(<="));
  const uint32_t head = tabia_clause_head(s, clause);
  assert_int_equal(tabia_word_kind_of(s, head), TABIA_WORD_KEYWORD);
  assert_int_equal(tabia_word_clause(s, head), clause);
  const uint32_t at = tabia_word_thing(s, tabia_source_word_at(s, place_of("at 1")));
  assert_true(tabia_thing_doc(s, at, &start, &end));
  assert_int_equal(start, place_of("; the start"));
  tabia_source_free(s);
}

static void count_value(void *context, const char *name, uint32_t arity) {
  assert_int_equal(arity, 0);
  assert_string_equal(name, "1");
  ++*(uint32_t *)context;
}

static void knows_the_argument_and_its_values(void **state) {
  (void)state;
  tabia_source *s = source_of_text(game);
  uint32_t word, argument, count = 0;
  assert_true(tabia_source_call_at(s, place_of("1))"), &word, &argument));
  assert_int_equal(argument, 0);
  assert_int_equal(tabia_source_values(s, word, argument, count_value, &count), 1);
  assert_int_equal(count, 1);
  assert_false(tabia_source_call_at(s, place_of("; the") + 2, &word, &argument));
  size_t start = place_of("1))"), end = start + 1;
  assert_true(tabia_source_widen(s, &start, &end));
  assert_int_equal(start, place_of("(at 1)"));
  assert_true(tabia_source_widen(s, &start, &end));
  assert_false(tabia_source_widen(s, &start, &end));
  tabia_source_free(s);
}

static void count_edit(void *context, size_t start, size_t end, const char *words) {
  assert_true(start < end);
  assert_non_null(words);
  ++*(uint32_t *)context;
}

static void renames_without_capture(void **state) {
  (void)state;
  tabia_source *s = source_of_text(game);
  tabia_messages *log = tabia_messages_new();
  uint32_t count = 0;
  const uint32_t n = tabia_word_thing(s, tabia_source_word_at(s, place_of("?n)) (true") + 1));
  assert_int_equal(tabia_source_rename(s, n, "?m", count_edit, &count, log), TABIA_OK);
  assert_int_equal(count, 3);
  assert_int_equal(tabia_source_rename(s, n, "m", count_edit, &count, log), TABIA_MISUSE);
  const uint32_t near = tabia_word_thing(s, tabia_source_word_at(s, place_of("near 1")));
  static const char *const bad[] = {"true", "a b", "", "(", "?x", ";", "near)"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(tabia_source_rename(s, near, bad[i], count_edit, &count, log), TABIA_MISUSE);
  const uint32_t one = tabia_word_thing(s, tabia_source_word_at(s, place_of("1 2)")));
  assert_int_equal(tabia_source_rename(s, one, "2", count_edit, &count, log), TABIA_MISUSE);
  assert_int_equal(count, 3);
  tabia_messages_free(log);
  tabia_source_free(s);
}

static void broken_texts_have_answers_too(void **state) {
  (void)state;
  tabia_source *s = source_of_text("(<= (p ?x) (q ?x)\n(<= (r ?y) (p ?y))\n) (");
  assert_true(tabia_source_word_count(s) >= 8);
  tabia_source_free(s);
}

static void messages_have_the_edits_that_mend_them(void **state) {
  (void)state;
  tabia_messages *log = tabia_messages_new();
  tabia_rules *rules = rules_of("(role x)\n(role x)\n");
  uint32_t edits = 0, count = 0;
  tabia_rules_check(rules, log);
  for (uint32_t i = 0; i < tabia_messages_count(log); i++)
    edits += tabia_message_edits(log, i, count_edit, &count);
  assert_int_equal(edits, 1);
  assert_int_equal(count, 1);
  tabia_rules_free(rules);
  tabia_messages_free(log);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(says_what_is_at_a_byte),
      cmocka_unit_test(clauses_have_ranges_heads_and_comments),
      cmocka_unit_test(knows_the_argument_and_its_values),
      cmocka_unit_test(renames_without_capture),
      cmocka_unit_test(broken_texts_have_answers_too),
      cmocka_unit_test(messages_have_the_edits_that_mend_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
