/* Lines of moves as text. */
#include "api/api_fixture.h"

static tabia_status play(api_fixture *f, tabia_workspace *w, void *position, const char *words) {
  tabia_messages_clear(f->log);
  return tabia_position_play(w, "moves", words, strlen(words), position, f->log);
}

/* The position behind a line, or "" with what is wrong in the log. */
static const char *after(api_fixture *f, const char *words, tabia_status expected) {
  unsigned char position[POSITION_MAX], start[POSITION_MAX];
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  tabia_position_start(f->machine, start);
  memcpy(position, start, sizeof position);
  const tabia_status status = play(f, w, position, words);
  if (status != expected) fail_msg("%s: %s", words, tabia_messages_text(f->log));
  if (status != TABIA_OK) assert_memory_equal(position, start, tabia_position_size(f->machine));
  tabia_position_text(f->machine, position, f->words, sizeof f->words);
  tabia_workspace_free(w);
  return f->words;
}

static void assert_points_at(api_fixture *f, size_t start, size_t end) {
  size_t from = 0, to = 0;
  assert_true(tabia_message_range(f->log, 0, &from, &to));
  assert_int_equal(from, start);
  assert_int_equal(to, end);
}

static void moves_of_roles_without_a_choice_may_be_left_out(void **state) {
  api_fixture *f = *state;
  static const char *const kinds[] = {"circuit", "lanes", "datalog", "reference"};
  for (uint32_t i = 0; i < 4; i++) {
    open_file(f, "games/tic-tac-toe.kif", kinds[i]);
    assert_string_equal(after(f, "(place 2 2) noop noop (place 1 1)", TABIA_OK),
                        "(control x) (mark 1 1 o) (mark 2 2 x)");
    assert_string_equal(after(f, "(place 2 2)\n(PLACE 1 1) ; both", TABIA_OK),
                        "(control x) (mark 1 1 o) (mark 2 2 x)");
    assert_string_equal(after(f, "", TABIA_OK), "(control x)");
    tabia_machine_close(f->machine);
    tabia_rules_free(f->rules);
  }
  f->machine = NULL;
  f->rules = NULL;
}

static void where_all_choose_all_must_be_named(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/rock-paper-scissors.kif", "circuit");
  after(f, "(show rock)", TABIA_FAULTY);
  assert_says(f, "step 1: the move of ");
  assert_says(f, "is missing");
}

static void an_illegal_move_is_told_with_step_role_and_what_is_legal(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/tic-tac-toe.kif", "circuit");
  after(f, "(place 2 2) noop noop (place 2 2)", TABIA_FAULTY);
  assert_says(f, "step 2: o has no legal move `(place 2 2)` [E825]");
  assert_string_equal(tabia_message_hint(f->log, 0),
                      "legal: (place 1 1), (place 1 2), (place 1 3), (place 2 1), (place 2 3), "
                      "(place 3 1), (place 3 2), (place 3 3)");
  assert_points_at(f, 22, 33);
  after(f, "(place 2 2) (place 1 1) (place 7 7)", TABIA_FAULTY);
  assert_says(f, "step 3: x has no legal move `(place 7 7)`");
  after(f, "(place 2 2) nop", TABIA_FAULTY);
  assert_says(f, "step 1: o has no legal move `nop`");
  assert_string_equal(tabia_message_hint(f->log, 0), "did you mean `noop`?  Legal: noop");
}

static void a_line_does_not_go_on_behind_the_end(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "circuit");
  after(f, "go stop stop", TABIA_FAULTY);
  assert_says(f, "step 3: the game is over");
  assert_points_at(f, 8, 12);
  after(f, "go (stop", TABIA_UNREADABLE);
}

/* Nobody has a choice until `b`. */
#define FORCED_GAME \
  "(role r) (init a) (<= (next m) (true a)) (<= (next b) (true m))\n" \
  "(legal r wait) (<= (legal r jump) (true b))\n" \
  "(<= (next c) (does r jump)) (<= terminal (true c)) (<= (next a) (true b) (does r wait))\n" \
  "(goal r 50)\n"

static void steps_without_a_choice_are_made_by_themselves(void **state) {
  api_fixture *f = *state;
  open_game(f, FORCED_GAME, "circuit");
  assert_string_equal(after(f, "jump", TABIA_OK), "c");
  assert_string_equal(after(f, "wait wait jump", TABIA_OK), "c");
}

static void play_that_goes_round_without_a_choice_is_told(void **state) {
  api_fixture *f = *state;
  open_game(f,
            "(role r) (init a) (<= (next b) (true a)) (<= (next a) (true b)) (legal r wait)\n"
            "(<= terminal (true c)) (<= (next c) (does r jump)) (goal r 50)\n",
            "circuit");
  after(f, "jump", TABIA_FAULTY);
  assert_says(f, "step 1: r has no legal move `jump`");
  after(f, "wait jump", TABIA_FAULTY);
  assert_says(f, "step 2: r has no legal move `jump`");
}

static void one_joint_move_is_read(void **state) {
  api_fixture *f = *state;
  unsigned char position[POSITION_MAX];
  tabia_move joint[2] = {0}, other[2] = {0};
  open_file(f, "games/tic-tac-toe.kif", "circuit");
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  tabia_position_start(f->machine, position);
  assert_int_equal(tabia_joint_read(w, position, "in", "(place 1 1) noop", 16, joint, f->log),
                   TABIA_OK);
  assert_int_equal(tabia_joint_read(w, position, "in", "(place 1 1)", 11, other, f->log), TABIA_OK);
  assert_memory_equal(joint, other, sizeof joint);
  assert_int_equal(tabia_joint_read(w, position, "in", "(place 1 1) noop noop", 21, joint, f->log),
                   TABIA_FAULTY);
  assert_says(f, "there are more moves than roles");
  tabia_messages_clear(f->log);
  assert_int_equal(tabia_joint_read(w, position, "in", "noop (place 1 1)", 16, joint, f->log),
                   TABIA_FAULTY);
  assert_says(f, "in:1:1: error: x has no legal move `noop`");
  tabia_messages_clear(f->log);
  assert_int_equal(tabia_joint_read(w, position, "in", "(place 0 1)", 11, joint, f->log),
                   TABIA_FAULTY);
  assert_says(f, "in:1:1: error: x has no legal move `(place 0 1)`");
  tabia_workspace_free(w);
}

static void trouble_is_a_limit(void **state) {
  api_fixture *f = *state;
  unsigned char position[POSITION_MAX];
  const volatile sig_atomic_t flag = 1;
  open_game(f, COUNTING_GAME, "reference");
  tabia_limits_set_interrupt(f->limits, &flag);
  tabia_workspace *w = tabia_workspace_new(f->machine, f->limits);
  tabia_position_start(f->machine, position);
  assert_int_equal(play(f, w, position, "go go"), TABIA_LIMIT);
  assert_says(f, "[E803]");
  tabia_workspace_free(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(moves_of_roles_without_a_choice_may_be_left_out),
      a_test(where_all_choose_all_must_be_named),
      a_test(an_illegal_move_is_told_with_step_role_and_what_is_legal),
      a_test(a_line_does_not_go_on_behind_the_end),
      a_test(steps_without_a_choice_are_made_by_themselves),
      a_test(play_that_goes_round_without_a_choice_is_told),
      a_test(one_joint_move_is_read),
      a_test(trouble_is_a_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
