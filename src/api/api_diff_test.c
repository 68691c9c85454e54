#include "api/api_fixture.h"

/* The robot sees nothing, may go once less, and everything has another name. */
#define OTHER_GAME \
  "(role rover) (init (on 0)) (after 0 1) (after 1 2)\n" \
  "(legal rover halt) (<= (legal rover move) (true (on ?x)) (after ?x ?y))\n" \
  "(<= (next (on ?y)) (true (on ?x)) (after ?x ?y) (does rover move))\n" \
  "(<= (next (on ?x)) (true (on ?x)) (does rover halt))\n" \
  "(<= (next end) (does rover halt)) (<= terminal (true end))\n" \
  "(<= (goal rover 0) (true (on 0))) (<= (goal rover 40) (true (on 1)))\n" \
  "(<= (goal rover 70) (true (on 2))) (<= (goal rover 100) (true (on 3)))\n"

static tabia_rules *other;

static tabia_diff *compare(api_fixture *f, const char *old_words, const char *new_words,
                           tabia_status expected) {
  tabia_diff *d;
  assert_int_equal(read_text(f, old_words), TABIA_OK);
  assert_int_equal(tabia_rules_read_text(&other, "new", new_words, strlen(new_words), f->log),
                   TABIA_OK);
  assert_int_equal(tabia_diff_run(&d, f->rules, other, f->options, f->limits, f->log), expected);
  return d;
}

static void end(tabia_diff *d) {
  tabia_diff_free(d);
  tabia_rules_free(other);
}

static void proves_that_a_game_is_itself(void **state) {
  static const char *const methods[] = {"auto", "pairs", "product"};
  api_fixture *f = *state;
  for (uint32_t i = 0; i < 3; i++) {
    tabia_options_set(f->options, "method", methods[i]);
    tabia_diff *d = compare(f, COUNTING_GAME, COUNTING_GAME, TABIA_OK);
    assert_int_equal(tabia_diff_verdict(d), TABIA_PROVED);
    assert_non_null(tabia_diff_method(d));
    assert_int_equal(tabia_diff_count(d), 0);
    assert_true(tabia_diff_seconds(d) >= 0);
    assert_true(i != 1 || tabia_diff_states(d) > 0);
    end(d);
  }
}

static void says_that_roles_differ(void **state) {
  tabia_diff *d = compare(*state, COUNTING_GAME, OTHER_GAME, TABIA_FAULTY);
  assert_int_equal(tabia_diff_verdict(d), TABIA_REFUTED);
  assert_int_equal(tabia_diff_line_length(d), 0);
  assert_int_equal(tabia_diff_count(d), 2);
  assert_string_equal(tabia_diff_kind(d, 0), "role");
  assert_string_equal(tabia_diff_literal(d, 0), "(role robot)");
  assert_false(tabia_diff_is_in_new(d, 0));
  assert_true(tabia_diff_is_in_new(d, 1));
  end(d);
}

static void finds_the_first_percept_that_is_missing(void **state) {
  static const char *const methods[] = {"pairs", "product"};
  api_fixture *f = *state;
  tabia_options_set(f->options, "map", "robot rover go move stop halt");
  for (uint32_t i = 0; i < 2; i++) {
    tabia_options_set(f->options, "method", methods[i]);
    tabia_diff *d = compare(f, COUNTING_GAME, OTHER_GAME, TABIA_FAULTY);
    assert_int_equal(tabia_diff_line_length(d), 1);
    assert_true(tabia_diff_line_is_shortest(d));
    assert_int_equal(tabia_diff_role_count(d), 1);
    assert_string_equal(tabia_diff_role(d, 0), "robot");
    assert_non_null(tabia_diff_line_move(d, 0, 0));
    assert_string_equal(tabia_diff_kind(d, 0), "sees");
    assert_string_equal(tabia_diff_literal(d, 0), "(sees robot (was 0))");
    end(d);
  }
}

static void explains_both_sides_in_their_own_names(void **state) {
  api_fixture *f = *state;
  tabia_why *why;
  tabia_options_set(f->options, "map", "robot rover go move stop halt");
  tabia_diff *d = compare(f, COUNTING_GAME, OTHER_GAME, TABIA_FAULTY);
  assert_int_equal(tabia_diff_why(d, 0, false, f->limits, &why, f->log), TABIA_OK);
  assert_true(tabia_why_holds(why));
  tabia_why_free(why);
  assert_int_equal(tabia_diff_why(d, 0, true, f->limits, &why, f->log), TABIA_OK);
  assert_false(tabia_why_holds(why));
  assert_non_null(strstr(tabia_why_headline(why), "(sees rover (was 0))"));
  tabia_why_free(why);
  end(d);
}

static void plays_without_proving(void **state) {
  api_fixture *f = *state;
  double seconds = 0.05;
  tabia_limits_set_seconds(f->limits, seconds);
  tabia_options_set(f->options, "method", "play");
  tabia_diff *d = compare(f, COUNTING_GAME, COUNTING_GAME, TABIA_LIMIT);
  while (tabia_diff_games(d) == 0) { /* on a busy computer */
    tabia_diff_free(d);
    tabia_limits_set_seconds(f->limits, seconds *= 2);
    assert_int_equal(tabia_diff_run(&d, f->rules, other, f->options, f->limits, f->log),
                     TABIA_LIMIT);
  }
  assert_int_equal(tabia_diff_verdict(d), TABIA_UNKNOWN);
  assert_null(tabia_diff_method(d));
  assert_int_equal(tabia_diff_depth(d), 0);
  assert_null(tabia_diff_reason(d));
  end(d);
}

static void refuses_maps_that_would_capture(void **state) {
  static const char *const maps[] = {"robot", "robot rover go rover", "go (a b)", "go legal",
                                     "on at"};
  api_fixture *f = *state;
  for (uint32_t i = 0; i < 5; i++) {
    tabia_options_set(f->options, "map", maps[i]);
    assert_null(compare(f, COUNTING_GAME, OTHER_GAME, TABIA_MISUSE));
    assert_int_equal(tabia_messages_count(f->log), i + 1);
    tabia_rules_free(other);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(proves_that_a_game_is_itself),
      a_test(says_that_roles_differ),
      a_test(finds_the_first_percept_that_is_missing),
      a_test(explains_both_sides_in_their_own_names),
      a_test(plays_without_proving),
      a_test(refuses_maps_that_would_capture),
  };
  return cmocka_run_group_tests_name("api/api_diff", tests, NULL, NULL);
}
