/* Every message of a referee, and what a player answers. */
#include "ggp/player/local_player.h"

#include "base/budget.h"
#include "ggp/wire/exchange.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <unistd.h>

#define RULES \
  "( role Red ) ( role black ) ( init ( step 1 ) ) ( succ 1 2 ) ( succ 2 3 ) ( card Ace ) " \
  "( <= ( legal Red ( Pick ?c ) ) ( card ?c ) ) ( legal black noop ) " \
  "( <= ( next ( step ?m ) ) ( true ( step ?n ) ) ( succ ?n ?m ) ) " \
  "( <= terminal ( true ( step 3 ) ) ) ( goal Red 100 ) ( goal black 0 ) "

/* Whoever knows the draws of one match must not know those of the next. */
#define GUESS_RULES \
  "( role Red ) ( init ( step 1 ) ) ( legal Red a ) ( legal Red b ) ( legal Red c ) ( legal Red d ) " \
  "( legal Red e ) ( legal Red f ) ( legal Red g ) ( legal Red h ) ( goal Red 100 ) " \
  "( <= terminal ( true ( step 2 ) ) ) ( <= ( next ( step 2 ) ) ( true ( step 1 ) ) ) "

/* Three hands of three cards: too many instances for any grounder, but easy to play. */
#define HUGE_RULES \
  "( role Red ) ( init ( step 1 ) ) ( succ 1 2 ) ( succ 2 3 ) ( legal Red go ) " \
  "( d 1 ) ( d 2 ) ( d 3 ) ( d 4 ) ( d 5 ) ( d 6 ) ( d 7 ) ( d 8 ) ( d 9 ) " \
  "( <= ( legal Red ( deal ?a ?b ?c ?e ?f ?g ?h ?i ?j ) ) ( true ( hand ?a ?b ?c ) ) " \
  "  ( true ( hand ?e ?f ?g ) ) ( true ( hand ?h ?i ?j ) ) ) " \
  "( <= ( next ( hand ?a ?b ?c ) ) ( true ( step 2 ) ) ( not ( true ( step 2 ) ) ) ( d ?a ) " \
  "  ( d ?b ) ( d ?c ) ) " \
  "( <= ( next ( step ?m ) ) ( true ( step ?n ) ) ( succ ?n ?m ) ) " \
  "( <= terminal ( true ( step 3 ) ) ) ( goal Red 100 ) "

enum { LONG_SECONDS = 100 };

typedef struct fixture {
  arena *keep;
  local_player *player;
  tcp_address address;
} fixture;

static fixture *fixture_of(player_options options) {
  arena *keep = arena_new();
  fixture *f = arena_alloc_zero(keep, sizeof *f);
  const char *why;
  options.machine_bytes = 256 << 20;
  options.name = "test";
  options.margin = 0.5;
  f->keep = keep;
  f->player = local_player_start(&options, NULL);
  assert_non_null(f->player);
  assert_true(tcp_resolve(&f->address, local_player_address(f->player), keep, &why));
  return f;
}

static fixture *fixture_new(mind_kind kind, bool stays) {
  return fixture_of((player_options){.mind = {.kind = kind, .seed = 1}, .stays = stays});
}

static int set_up_drawing(void **state) {
  *state = fixture_of(
      (player_options){.mind = {.kind = MIND_RANDOM, .seed = 1}, .draws_by_match = true});
  return 0;
}

static int set_up(void **state) {
  *state = fixture_new(MIND_LEGAL, false);
  return 0;
}

static int set_up_staying(void **state) {
  *state = fixture_new(MIND_RANDOM, true);
  return 0;
}

static int set_up_thinking(void **state) {
  *state = fixture_new(MIND_TABIA, false);
  return 0;
}

static int set_up_with_values_of_no_game(void **state) {
  *state =
      fixture_of((player_options){.mind = {.kind = MIND_TABIA, .seed = 1, .database = "nowhere"}});
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  local_player_stop(f->player);
  arena_free(f->keep);
  return 0;
}

static const char *ask(fixture *f, const char *message) {
  exchange e = {.to = &f->address, .receiver = "test", .message = message};
  exchange_all(&e, 1, clock_now() + LONG_SECONDS, NULL, f->keep);
  assert_int_equal(e.outcome, EXCHANGE_REPLY);
  return arena_copy_text(f->keep, e.reply.start, e.reply.length);
}

#define assert_answer(f, message, answer) assert_string_equal(ask(f, message), answer)

static void plays_a_match_in_the_case_of_the_rules(void **state) {
  fixture *f = *state;
  assert_answer(f, "( START m1 Red (" RULES ") 30 30)", "ready");
  assert_answer(f, "( PLAY m1 NIL )", "( Pick Ace )");
  assert_answer(f, "( PLAY m1 (( Pick Ace ) noop ) )", "( Pick Ace )");
  assert_answer(f, "( STOP m1 (( Pick Ace ) noop ) )", "done");
}

static void plays_matches_one_after_another(void **state) {
  fixture *f = *state;
  for (int i = 0; i < 20; i++) {
    assert_answer(f, "( START m1 black (" RULES ") 30 30)", "ready");
    assert_answer(f, "( PLAY m1 NIL )", "noop");
    assert_answer(f, "( STOP m1 (( Pick Ace ) noop ) )", "done");
  }
}

static char first_move_of_match(fixture *f, int number) {
  text start = text_new(f->keep), play = text_new(f->keep);
  text_add_format(&start, "( START m%d Red (" GUESS_RULES ") 30 30)", number);
  text_add_format(&play, "( PLAY m%d NIL )", number);
  assert_answer(f, text_string(&start), "ready");
  return ask(f, text_string(&play))[0];
}

static void draws_anew_in_every_match(void **state) {
  bool is_drawn['h' + 1] = {0};
  uint32_t kinds = 0;
  for (int i = 0; i < 12; i++) is_drawn[(int)first_move_of_match(*state, i)] = true;
  for (int i = 'a'; i <= 'h'; i++) kinds += is_drawn[i];
  assert_true(kinds >= 3);
}

static void draws_the_same_in_the_same_match(void **state) {
  fixture *f = *state;
  assert_answer(f, "( START m1 Red (" GUESS_RULES ") 30 30)", "ready");
  const char *first = ask(f, "( PLAY m1 NIL )");
  assert_answer(f, "( START m1 Red (" GUESS_RULES ") 30 30)", "ready");
  assert_answer(f, "( PLAY m1 NIL )", first);
}

static void answers_a_server_that_writes_capitals(void **state) {
  fixture *f = *state;
  assert_answer(f,
                "(START M1 RED ((ROLE RED) (INIT (STEP 1)) (LEGAL RED (GO NORTH)) (<= TERMINAL "
                "(TRUE (STEP 2))) (<= (NEXT (STEP 2)) (TRUE (STEP 1))) (GOAL RED 100)) 30 30)",
                "ready");
  assert_answer(f, "(PLAY M1 NIL)", "( GO NORTH )");
}

static void a_message_of_another_match_gets_busy(void **state) {
  fixture *f = *state;
  assert_answer(f, "( PLAY m1 NIL )", "busy");
  assert_answer(f, "( START m1 Red (" RULES ") 30 30)", "ready");
  assert_answer(f, "( PLAY m2 NIL )", "busy");
  assert_answer(f, "( ABORT m2 )", "busy");
  assert_answer(f, "( STOP m2 (a b) )", "busy");
  assert_answer(f, "( PLAY m1 NIL )", "( Pick Ace )");
}

static void what_is_no_message_gets_nil(void **state) {
  fixture *f = *state;
  assert_answer(f, "( HELLO )", "nil");
  assert_answer(f, "( START m1 )", "nil");
  assert_answer(f, "()", "nil");
}

static void tells_who_it_is(void **state) {
  fixture *f = *state;
  assert_answer(f, "( INFO )", "( ( name test ) ( status available ) ( species alien ) )");
  assert_answer(f, "( START m1 Red (" RULES ") 30 30)", "ready");
  assert_answer(f, "( info )", "( ( name test ) ( status busy ) ( species alien ) )");
  assert_answer(f, "( ABORT m1 )", "aborted");
  assert_answer(f, "( INFO )", "( ( name test ) ( status available ) ( species alien ) )");
}

static void answers_ping_and_preview(void **state) {
  fixture *f = *state;
  assert_answer(f, "( PING )", "ready");
  assert_answer(f, "( PREVIEW (" RULES ") 10 )", "done");
}

static void a_new_start_ends_the_old_match(void **state) {
  fixture *f = *state;
  assert_answer(f, "( START m1 Red (" RULES ") 30 30)", "ready");
  assert_answer(f, "( START m2 black (" RULES ") 30 30)", "ready");
  assert_answer(f, "( PLAY m1 NIL )", "busy");
  assert_answer(f, "( PLAY m2 NIL )", "noop");
}

static void or_gets_busy_where_that_is_wanted(void **state) {
  fixture *f = *state;
  assert_answer(f, "( START m1 Red (" RULES ") 30 30)", "ready");
  assert_answer(f, "( START m2 black (" RULES ") 30 30)", "busy");
  assert_answer(f, "( PLAY m1 NIL )", "( Pick Ace )");
  assert_answer(f, "( START m1 black (" RULES ") 30 30)", "ready");
  assert_answer(f, "( PLAY m1 NIL )", "noop");
}

/* With clocks that nobody would wait for: where there will never be a move, the answer comes at once. */
static void has_no_move_where_the_rules_are_none(void **state) {
  fixture *f = *state;
  assert_answer(f, "( START m1 Red (( <= ( p ?x ) ( not ( q ?x ) ) ) not ( rules )) 2 9999)",
                "ready");
  assert_answer(f, "( PLAY m1 NIL )", "nil");
  assert_answer(f, "( START m2 nobody (" RULES ") 2 9999)", "ready");
  assert_answer(f, "( PLAY m2 NIL )", "nil");
}

static void has_no_move_where_the_moves_make_no_sense(void **state) {
  fixture *f = *state;
  assert_answer(f, "( START m1 Red (" RULES ") 2 9999)", "ready");
  assert_answer(f, "( PLAY m1 NIL )", "( Pick Ace )");
  assert_answer(f, "( PLAY m1 (( Pick Deuce ) noop ) )", "nil");
  assert_answer(f, "( STOP m1 (x) )", "done");
}

static void is_ready_at_once_where_the_clock_is_zero(void **state) {
  fixture *f = *state;
  assert_answer(f, "( START m1 Red (" RULES ") 0 30)", "ready");
  assert_answer(f, "( PLAY m1 NIL )", "( Pick Ace )");
}

static const char *monty_hall(fixture *f) {
  size_t length;
  const char *rules = tabia_game_text(tabia_game_find("monty-hall"), &length);
  return arena_copy_text(f->keep, rules, length);
}

static void start_monty_hall(fixture *f, const char *clocks) {
  text message = text_new(f->keep);
  text_add_format(&message, "( START m1 candidate (%s) %s )", monty_hall(f), clocks);
  assert_answer(f, text_string(&message), "ready");
}

static void plays_gdl_ii_by_turns_and_percepts(void **state) {
  fixture *f = *state;
  start_monty_hall(f, "30 30");
  assert_answer(f, "( PLAY m1 0 NIL NIL )", "noop");
  assert_answer(f, "( PLAY m1 1 noop () )", "( pick 1 )");
  assert_answer(f, "( PLAY m1 1 noop () )", "( pick 1 )");
  assert_answer(f, "( PLAY m1 2 ( pick 2 ) () )", "noop");
  assert_non_null(strstr("stay switch", ask(f, "( PLAY m1 3 noop (( goat-behind 3 )) )")));
}

static void plays_gdl_ii_by_percepts_alone(void **state) {
  fixture *f = *state;
  start_monty_hall(f, "30 30");
  assert_answer(f, "( PLAY m1 NIL )", "noop");
  assert_answer(f, "( PLAY m1 () )", "( pick 1 )");
  assert_answer(f, "( PLAY m1 () )", "noop");
  assert_non_null(strstr("stay switch", ask(f, "( PLAY m1 (( goat-behind 3 )) )")));
}

static void plays_without_a_database_of_its_game(void **state) {
  fixture *f = *state;
  assert_answer(f, "( START m1 Red (" RULES ") 2 2)", "ready");
  assert_answer(f, "( PLAY m1 NIL )", "( Pick Ace )");
}

static void switches_the_door(void **state) {
  fixture *f = *state;
  start_monty_hall(f, "3 6");
  assert_answer(f, "( PLAY m1 0 NIL NIL )", "noop");
  assert_non_null(strstr(ask(f, "( PLAY m1 1 noop () )"), "pick"));
  assert_answer(f, "( PLAY m1 2 ( pick 2 ) () )", "noop");
  assert_answer(f, "( PLAY m1 3 noop (( goat-behind 3 )) )", "switch");
}

static void has_a_move_where_nothing_can_be_grounded(void **state) {
  fixture *f = *state;
  assert_answer(f, "( START m1 Red (" HUGE_RULES ") 2 60)", "ready");
  assert_answer(f, "( PLAY m1 NIL )", "go");
  assert_answer(f, "( PLAY m1 (go) )", "go");
  assert_answer(f, "( STOP m1 (go) )", "done");
}

/* What a referee sends on a second connection while the first one waits. */
static void an_abort_ends_a_thought(void **state) {
  fixture *f = *state;
  static const char play[] = "POST / HTTP/1.0\r\n\r\n( PLAY m1 NIL )";
  text rules = text_new(f->keep);
  size_t sent = 0, length;
  const char *game = tabia_game_text(tabia_game_find("connect-four"), &length);
  text_add_format(&rules, "( START m1 red (%.*s) 1 1000)", (int)length, game);
  const char *start = text_string(&rules);
  const char *ready = ask(f, start);
  assert_string_equal(ready, "ready");
  const int socket = tcp_connect(&f->address);
  while (tcp_send(socket, slice_of(play), &sent) == TCP_WAIT) usleep(1000);
  assert_non_null(strstr(ask(f, "( INFO )"), "busy"));
  assert_answer(f, "( ABORT m1 )", "aborted");
  text reply = text_new(f->keep);
  tcp_result result;
  while ((result = tcp_receive(socket, &reply, 1 << 16)) == TCP_WAIT || result == TCP_DONE)
    usleep(1000);
  close(socket);
  assert_non_null(strstr(text_string(&reply), "\r\n\r\nnil"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(plays_a_match_in_the_case_of_the_rules, set_up, tear_down),
      cmocka_unit_test_setup_teardown(plays_matches_one_after_another, set_up, tear_down),
      cmocka_unit_test_setup_teardown(draws_anew_in_every_match, set_up_drawing, tear_down),
      cmocka_unit_test_setup_teardown(draws_the_same_in_the_same_match, set_up_drawing, tear_down),
      cmocka_unit_test_setup_teardown(answers_a_server_that_writes_capitals, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_message_of_another_match_gets_busy, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_no_message_gets_nil, set_up, tear_down),
      cmocka_unit_test_setup_teardown(tells_who_it_is, set_up, tear_down),
      cmocka_unit_test_setup_teardown(answers_ping_and_preview, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_new_start_ends_the_old_match, set_up, tear_down),
      cmocka_unit_test_setup_teardown(or_gets_busy_where_that_is_wanted, set_up_staying, tear_down),
      cmocka_unit_test_setup_teardown(has_no_move_where_the_rules_are_none, set_up, tear_down),
      cmocka_unit_test_setup_teardown(has_no_move_where_the_moves_make_no_sense, set_up, tear_down),
      cmocka_unit_test_setup_teardown(has_no_move_where_the_rules_are_none, set_up_thinking,
                                      tear_down),
      cmocka_unit_test_setup_teardown(has_no_move_where_the_moves_make_no_sense, set_up_thinking,
                                      tear_down),
      cmocka_unit_test_setup_teardown(is_ready_at_once_where_the_clock_is_zero, set_up, tear_down),
      cmocka_unit_test_setup_teardown(plays_gdl_ii_by_turns_and_percepts, set_up, tear_down),
      cmocka_unit_test_setup_teardown(plays_gdl_ii_by_percepts_alone, set_up, tear_down),
      cmocka_unit_test_setup_teardown(plays_without_a_database_of_its_game,
                                      set_up_with_values_of_no_game, tear_down),
      cmocka_unit_test_setup_teardown(switches_the_door, set_up_thinking, tear_down),
      cmocka_unit_test_setup_teardown(has_a_move_where_nothing_can_be_grounded, set_up_thinking,
                                      tear_down),
      cmocka_unit_test_setup_teardown(an_abort_ends_a_thought, set_up_thinking, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
