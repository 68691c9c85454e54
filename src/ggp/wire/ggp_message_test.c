#include "ggp/ggp_fixture.h"
#include "ggp/wire/ggp_message.h"

static ggp_message read_well(const char *words) {
  ggp_message m;
  assert_true(ggp_message_read(&m, slice_of(words)));
  return m;
}

static void refuse(const char *words) {
  ggp_message m;
  assert_false(ggp_message_read(&m, slice_of(words)));
}

static void reads_start(void **state) {
  (void)state;
  const ggp_message m = read_well(
      "( START bad.ok Red (( role Red ) ( role black ) ( <= terminal ( true a ) ) ) 2 5)");
  assert_int_equal(m.kind, GGP_START);
  assert_true(slice_equals(m.id, "bad.ok"));
  assert_true(slice_equals(m.role, "Red"));
  assert_true(slice_equals(m.rules, "( role Red ) ( role black ) ( <= terminal ( true a ) ) "));
  assert_true(m.start_clock == 2 && m.play_clock == 5);
}

static void reads_start_with_extra_arguments_and_in_any_case(void **state) {
  (void)state;
  assert_int_equal(read_well("(start m1 x ((role x)) 15 5 extra (more))").kind, GGP_START);
  assert_int_equal(read_well(" (START M1 X ((ROLE X)) 15.5 5)\n").start_clock, 15);
}

static void reads_the_first_play(void **state) {
  (void)state;
  const ggp_message m = read_well("( PLAY w2 NIL )");
  assert_int_equal(m.kind, GGP_PLAY);
  assert_true(m.is_first && !m.has_turn);
  assert_int_equal(m.terms.length, 0);
  assert_true(read_well("(play w2 nil)").is_first);
}

static void reads_joint_moves(void **state) {
  (void)state;
  const ggp_message m = read_well("( PLAY w2 (( pick a ) noop ) )");
  assert_false(m.is_first);
  assert_true(slice_equals(m.terms, "( pick a ) noop "));
  assert_true(slice_equals(read_well("( STOP w2 (( pick c ) noop ) )").terms, "( pick c ) noop "));
  assert_true(slice_equals(read_well("( PLAY alone go )").terms, "go"));
}

static void reads_steps_of_gdl_ii(void **state) {
  (void)state;
  const ggp_message m = read_well("( PLAY m 3 ( open 2 ) (( sees-car ) x) )");
  assert_true(m.has_turn && !m.is_first);
  assert_int_equal(m.turn, 3);
  assert_true(slice_equals(m.last_move, "( open 2 )"));
  assert_true(slice_equals(m.terms, "( sees-car ) x"));
  const ggp_message first = read_well("( PLAY m 0 NIL NIL )");
  assert_true(first.has_turn && first.is_first);
  assert_int_equal(first.last_move.length, 0);
  assert_int_equal(read_well("( STOP m 4 noop () )").terms.length, 0);
}

static void reads_the_percepts_of_2011(void **state) {
  (void)state;
  const ggp_message m = read_well("( PLAY m ((card 3)) )");
  assert_false(m.has_turn);
  assert_true(slice_equals(m.terms, "(card 3)"));
}

static void reads_the_small_messages(void **state) {
  (void)state;
  assert_int_equal(read_well("( INFO )").kind, GGP_INFO);
  assert_int_equal(read_well("info").kind, GGP_INFO);
  assert_int_equal(read_well("( PING )").kind, GGP_PING);
  assert_true(slice_equals(read_well("( ABORT ab1 )").id, "ab1"));
  assert_true(slice_equals(read_well("( PREVIEW ((role x)) 10 )").rules, "(role x)"));
}

static void refuses_what_is_none(void **state) {
  (void)state;
  refuse("");
  refuse("( START m x ((role x)) 15 )");
  refuse("( START m x ((role x)) fifteen 5 )");
  refuse("( START m x ((role x)) -1 5 )");
  refuse("( START m x ((role x)) nan 5 )");
  refuse("( START m x rules 15 5 )");
  refuse("( START (m) x ((role x)) 15 5 )");
  refuse("( PLAY )");
  refuse("( PLAY m 1 noop )");
  refuse("( PLAY m x noop NIL )");
  refuse("( PLAY m (a b )");
  refuse("( ABORT )");
  refuse("( HELLO )");
  refuse("((INFO))");
  refuse(") INFO (");
}

static const char *written(void (*write)(text *)) {
  text out = text_new(test_arena);
  write(&out);
  return text_string(&out);
}

static void write_start(text *t) { ggp_add_start(t, "w2", "Red", "( role Red ) ", 2, 2.5); }
static void write_first(text *t) { ggp_add_step(t, GGP_PLAY, "w2", NULL); }
static void write_play(text *t) { ggp_add_step(t, GGP_PLAY, "w2", "( pick a ) noop "); }
static void write_stop(text *t) { ggp_add_step(t, GGP_STOP, "w2", "( pick c ) noop "); }
static void write_abort(text *t) { ggp_add_abort(t, "ab1"); }
static void write_turn_0(text *t) { ggp_add_step_seen(t, GGP_PLAY, "m", 0, NULL, NULL); }
static void write_turn_1(text *t) { ggp_add_step_seen(t, GGP_PLAY, "m", 1, "noop", ""); }

static void writes_what_was_recorded(void **state) {
  (void)state;
  assert_string_equal(written(write_start), "( START w2 Red (( role Red ) ) 2 2.5)");
  assert_string_equal(written(write_first), "( PLAY w2 NIL )");
  assert_string_equal(written(write_play), "( PLAY w2 (( pick a ) noop ) )");
  assert_string_equal(written(write_stop), "( STOP w2 (( pick c ) noop ) )");
  assert_string_equal(written(write_abort), "( ABORT ab1 )");
  assert_string_equal(written(write_turn_0), "( PLAY m 0 NIL NIL )");
  assert_string_equal(written(write_turn_1), "( PLAY m 1 noop () )");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_start),
      cmocka_unit_test(reads_start_with_extra_arguments_and_in_any_case),
      cmocka_unit_test(reads_the_first_play),
      cmocka_unit_test(reads_joint_moves),
      cmocka_unit_test(reads_steps_of_gdl_ii),
      cmocka_unit_test(reads_the_percepts_of_2011),
      cmocka_unit_test(reads_the_small_messages),
      cmocka_unit_test(refuses_what_is_none),
      cmocka_unit_test(writes_what_was_recorded),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
