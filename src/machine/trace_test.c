#include "machine/machine_fixture.h"
#include "machine/trace.h"

/* Two numbers chosen at once; the game ends after one step. */
static const char numbers[] =
    "(role left) (role right) (init now) (n 1) (n 2) (n 3)\n"
    "(<= (legal ?r (say ?n)) (role ?r) (n ?n) (true now))\n"
    "(<= (next (said ?r ?n)) (does ?r (say ?n))) (<= terminal (not (true now)))\n"
    "(<= (goal ?r 50) (role ?r)) (<= (goal left 100) (true (said left 3)))";

static void add_line(void *context, const char *line) {
  text *out = context;
  text_add(out, line);
  text_add_char(out, '\n');
}

static const char *trace_of(machine_fixture *f, uint64_t seed, trace_end expected,
                            game_fault *fault) {
  const trace_options o = {.game = "test", .seed = seed, .max_steps = 5};
  text out = text_new(f->keep);
  assert_int_equal(trace_write(f->m, f->w, &o, add_line, &out, f->keep, fault), expected);
  return text_string(&out);
}

static trace_report report_on(machine_fixture *f, const char *trace) {
  trace_report r;
  trace_verify(&r, f->m, f->w, trace, strlen(trace), f->keep);
  return r;
}

/* The trace with the first `from` replaced. */
static const char *changed(machine_fixture *f, const char *trace, const char *from,
                           const char *to) {
  const char *at = strstr(trace, from);
  assert_non_null(at);
  text out = text_new(f->keep);
  text_add_bytes(&out, trace, (size_t)(at - trace));
  text_add(&out, to);
  text_add(&out, at + strlen(from));
  return text_string(&out);
}

static const char *game_of_seed_1(machine_fixture *f) {
  game_fault fault;
  open_game(f, numbers);
  return trace_of(f, 1, TRACE_TERMINAL, &fault);
}

/* The sums are those of the program sha1sum.  That of 1/0/left begins with 5c62e886e36a, that of
   1/0/right with 81457f305fb2: both are 1 mod 3. */
static void a_trace_holds_counts_and_fingerprints(void **state) {
  assert_string_equal(
      game_of_seed_1(*state),
      "{\"game\":\"test\",\"roles\":[\"left\",\"right\"],\"seed\":1}\n"
      "{\"step\":0,\"fluents\":1,\"state\":\"c9bc849a968f2432684aca234f30596c5a91654f\",\"legal\":"
      "{\"left\":[3,\"3f9e03c01d101f43698929bd3d35b82419cd5093\"],"
      "\"right\":[3,\"3f9e03c01d101f43698929bd3d35b82419cd5093\"]},\"terminal\":false,"
      "\"goals\":{\"left\":50,\"right\":50},"
      "\"moves\":{\"left\":\"(say 2)\",\"right\":\"(say 2)\"}}\n"
      "{\"step\":1,\"fluents\":2,\"state\":\"8b1717e227923e537cd71184ca09d29cf06c7a51\",\"legal\":"
      "{\"left\":[0,\"da39a3ee5e6b4b0d3255bfef95601890afd80709\"],"
      "\"right\":[0,\"da39a3ee5e6b4b0d3255bfef95601890afd80709\"]},\"terminal\":true,"
      "\"goals\":{\"left\":50,\"right\":50}}\n");
}

static void its_own_trace_verifies(void **state) {
  machine_fixture *f = *state;
  const trace_report r = report_on(f, game_of_seed_1(f));
  assert_int_equal(r.verdict, TRACE_RIGHT);
  assert_int_equal(r.states, 2);
}

static void other_fluents_are_told_with_those_found(void **state) {
  machine_fixture *f = *state;
  const char *trace = changed(f, game_of_seed_1(f), "\"fluents\":2", "\"fluents\":3");
  const trace_report r = report_on(f, trace);
  assert_int_equal(r.verdict, TRACE_WRONG);
  assert_int_equal(r.states, 1);
  assert_non_null(strstr(r.words.bytes, "step 1: the fluents differ\n-3, SHA-1 "));
  assert_non_null(strstr(r.words.bytes, "\n+2, SHA-1 "));
  assert_non_null(strstr(r.words.bytes, "\n+  (said left "));
}

static void other_moves_are_told_with_their_role(void **state) {
  machine_fixture *f = *state;
  const char *trace = changed(f, game_of_seed_1(f), "\"right\":[3,\"", "\"right\":[3,\"0");
  const trace_report r = report_on(f, trace);
  assert_int_equal(r.verdict, TRACE_WRONG);
  assert_non_null(strstr(r.words.bytes, "step 0: the legal moves of right differ\n"));
  assert_non_null(strstr(r.words.bytes, "\n+  (say 1)\n+  (say 2)\n+  (say 3)\n"));
}

static void other_goals_are_told(void **state) {
  machine_fixture *f = *state;
  const char *trace = changed(f, game_of_seed_1(f), "\"right\":50", "\"right\":null");
  assert_string_equal(report_on(f, trace).words.bytes,
                      "step 0: the goals of right differ\n-null\n+50\n");
}

static void another_end_is_told(void **state) {
  machine_fixture *f = *state;
  const char *trace = changed(f, game_of_seed_1(f), "\"terminal\":false", "\"terminal\":true");
  assert_string_equal(report_on(f, trace).words.bytes, "step 0: the state should be terminal\n");
}

static void an_illegal_move_is_told(void **state) {
  machine_fixture *f = *state;
  const char *trace =
      changed(f, game_of_seed_1(f), "\"moves\":{\"left\":\"(say ", "\"moves\":{\"left\":\"(shout ");
  const trace_report r = report_on(f, trace);
  assert_int_equal(r.verdict, TRACE_WRONG);
  assert_non_null(strstr(r.words.bytes, "is not a legal move of left\n"));
}

static void other_roles_are_told(void **state) {
  machine_fixture *f = *state;
  const char *trace = changed(f, game_of_seed_1(f), "[\"left\",", "[\"up\",");
  assert_string_equal(report_on(f, trace).words.bytes, "step 0: the roles differ\n");
}

static void what_is_no_trace_is_said_to_be_none(void **state) {
  machine_fixture *f = *state;
  const char *const texts[] = {"",
                               "\n",
                               "no JSON\n",
                               "[]\n",
                               "{\"roles\":3}\n",
                               "{\"seed\":1}\n",
                               "{\"roles\":[\"left\",\"right\"]}\n",
                               "{\"roles\":[\"left\",\"right\"]}\n{}\n",
                               "{\"roles\":[\"left\",\"right\"]}\n{\"state\":1,\"fluents\":[]}\n"};
  open_game(f, numbers);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_int_equal(report_on(f, texts[i]).verdict, TRACE_UNREADABLE);
}

static const char *longer(machine_fixture *f, const char *trace, const char *more) {
  text out = text_new(f->keep);
  text_add_format(&out, "%s%s", trace, more);
  return text_string(&out);
}

static const char *cut_behind(machine_fixture *f, const char *trace, const char *last) {
  const char *end = strstr(trace, last) + strlen(last);
  return arena_copy_text(f->keep, trace, (size_t)(end - trace));
}

static void assert_damaged(machine_fixture *f, const char *trace, const char *words) {
  const trace_report r = report_on(f, trace);
  assert_int_equal(r.verdict, TRACE_WRONG);
  assert_string_equal(r.words.bytes, words);
}

static void a_trace_that_is_not_whole_is_wrong(void **state) {
  machine_fixture *f = *state;
  const char *trace = game_of_seed_1(f);
  const char *const more = "line 4: there is more, though no moves are made in the state before\n";
  assert_damaged(f, longer(f, trace, "no JSON\n"), more);
  assert_damaged(f, longer(f, trace, "{\"step\":2}"), more);
  assert_damaged(f, cut_behind(f, trace, "}}\n"),
                 "line 2: moves are made, but the state that they lead to is missing\n");
  assert_damaged(f, cut_behind(f, trace, "}}\n{\"step\":1"), "line 3: it is not JSON\n");
  assert_int_equal(report_on(f, longer(f, trace, "\n\r\n")).verdict, TRACE_RIGHT);
}

static void steps_are_numbered(void **state) {
  machine_fixture *f = *state;
  const char *trace = game_of_seed_1(f);
  assert_damaged(f, changed(f, trace, "\"step\":1", "\"step\":7"),
                 "line 3: the number of the step is wrong\n-7\n+1\n");
  assert_damaged(f, changed(f, trace, "\"step\":1", "\"stop\":1"), "line 3: `step` is missing\n");
}

static void moves_in_a_terminal_state_are_wrong(void **state) {
  machine_fixture *f = *state;
  const char *trace = changed(f, game_of_seed_1(f), "\"right\":50}}\n",
                              "\"right\":50},\"moves\":{\"left\":\"(say 1)\"}}\n");
  assert_damaged(f, trace, "line 3: moves are made in a terminal state\n");
}

static void chance_needs_no_goal(void **state) {
  machine_fixture *f = *state;
  game_fault fault;
  open_game(f, "(role RANDOM) (role b) (legal random x) (legal b x) (goal b 100) (next x)\n"
               "(<= terminal (true x))");
  const char *trace = trace_of(f, 1, TRACE_TERMINAL, &fault);
  assert_non_null(strstr(trace, "\"goals\":{\"random\":null,\"b\":100}"));
  assert_int_equal(report_on(f, trace).verdict, TRACE_RIGHT);
  assert_int_equal(fault.kind, FAULT_NONE);
}

static void several_goals_are_a_list_and_none_is_null(void **state) {
  machine_fixture *f = *state;
  game_fault fault;
  open_game(f, "(role a) (role b) (legal a x) (legal b x) (goal a 0) (goal a 100) (next x)\n"
               "(<= terminal (true x))");
  const char *trace = trace_of(f, 1, TRACE_TERMINAL, &fault);
  assert_non_null(strstr(trace, "\"goals\":{\"a\":[0,100],\"b\":null}"));
  assert_int_equal(report_on(f, trace).verdict, TRACE_RIGHT);
  assert_int_equal(fault.kind, FAULT_SEVERAL_GOALS);
  assert_int_equal(fault.role, 0);
}

static void a_spent_budget_ends_the_trace(void **state) {
  machine_fixture *f = *state;
  game_fault fault;
  text out = text_new(f->keep);
  budget b = budget_new(0.01, 0);
  const trace_options o = {.game = "test", .seed = 1, .max_steps = UINT64_MAX};
  open_game(f, "(role a) (legal a x) (goal a 0)");
  budget *const saved = f->w->budget;
  f->w->budget = &b;
  assert_int_equal(trace_write(f->m, f->w, &o, add_line, &out, f->keep, &fault), TRACE_TROUBLE);
  assert_int_equal(b.end, BUDGET_TIME);
  assert_true(f->w->trouble.is_there);
  f->w->budget = saved;
}

static void a_role_that_cannot_move_ends_the_game_and_is_named(void **state) {
  machine_fixture *f = *state;
  game_fault fault;
  text words = text_new(f->keep);
  open_game(f, "(role a) (role b) (init go) (<= (legal b (m 1)) (true go)) (legal a x)\n"
               "(<= (next (done ?x)) (does b (m ?x)))");
  trace_of(f, 1, TRACE_STUCK, &fault);
  fault_describe(&fault, f->m, &words);
  assert_string_equal(text_string(&words),
                      "a fault of the game: b has no legal move, and the state is not terminal\n"
                      "  after the moves\n    1. x (m 1)\n  in the state\n    (done 1)\n");
}

static void a_long_game_is_cut(void **state) {
  machine_fixture *f = *state;
  game_fault fault;
  open_game(f, "(role a) (legal a x) (goal a 1)");
  const char *trace = trace_of(f, 1, TRACE_STEP_LIMIT, &fault);
  assert_int_equal(report_on(f, trace).states, 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_trace_holds_counts_and_fingerprints),
      a_test(its_own_trace_verifies),
      a_test(other_fluents_are_told_with_those_found),
      a_test(other_moves_are_told_with_their_role),
      a_test(other_goals_are_told),
      a_test(another_end_is_told),
      a_test(an_illegal_move_is_told),
      a_test(other_roles_are_told),
      a_test(what_is_no_trace_is_said_to_be_none),
      a_test(a_trace_that_is_not_whole_is_wrong),
      a_test(steps_are_numbered),
      a_test(moves_in_a_terminal_state_are_wrong),
      a_test(chance_needs_no_goal),
      a_test(several_goals_are_a_list_and_none_is_null),
      a_test(a_spent_budget_ends_the_trace),
      a_test(a_role_that_cannot_move_ends_the_game_and_is_named),
      a_test(a_long_game_is_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
