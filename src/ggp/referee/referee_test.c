/* What a referee makes of every kind of reply, and of players that misbehave. */
#include "ggp/referee/referee.h"

#include "ggp/referee/match_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ggp/player/local_player.h"
#include "ggp/wire/fake_player_fixture.h"

#define HEAD "HTTP/1.0 200 OK\r\n\r\n"

/* One role, two steps, three moves. */
static const char rules_text[] =
    "(role Red) (init (step 1)) (succ 1 2) (succ 2 3) (card Ace) (card king) ; a comment )\n"
    "(<= (legal Red (Pick ?c)) (card ?c)) (legal Red noop)"
    "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))"
    "(<= (next (has ?c)) (does Red (Pick ?c))) (<= (next (has ?c)) (true (has ?c)))"
    "(<= terminal (true (step 3))) (<= (goal Red 100) (true (has Ace)))"
    "(<= (goal Red 0) (not (true (has Ace))))";

typedef struct fixture {
  arena *keep;
  tabia_rules *rules;
  tabia_machine *machine;
} fixture;

static int set_up(void **state) {
  arena *keep = arena_new();
  fixture *f = arena_alloc_zero(keep, sizeof *f);
  f->keep = keep;
  assert_int_equal(tabia_rules_read_text(&f->rules, "cards", rules_text, strlen(rules_text), NULL),
                   TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "reference", NULL, NULL), TABIA_OK);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  tabia_machine_close(f->machine);
  tabia_rules_free(f->rules);
  arena_free(f->keep);
  return 0;
}

static match_setup setup_of(const fixture *f, const match_seat *seat) {
  return (match_setup){.id = "w2",
                       .rules = f->rules,
                       .machine = f->machine,
                       .seats = seat,
                       .start_clock = 60,
                       .play_clock = 60,
                       .seed = 1};
}

/* A match against a player that does this to PLAY. */
static match_result match_against(fixture *f, fake_script play, double play_clock) {
  const fake_script script[] = {
      {FAKE_REPLIES, HEAD "ready"}, play, play, {FAKE_REPLIES, HEAD "done"}};
  fake_player p;
  match_seat seat = {.name = "fake"};
  const char *why;
  match_result r;
  fake_player_start(&p, script, 4);
  assert_true(tcp_resolve(&seat.address, p.address, f->keep, &why));
  match_setup setup = setup_of(f, &seat);
  setup.play_clock = play_clock;
  assert_int_equal(match_play(&r, &setup, f->keep, NULL), TABIA_OK);
  fake_player_stop(&p);
  assert_int_equal(atomic_load(&p.requests), 4);
  assert_non_null(strstr(text_string(&p.last), "( STOP w2 ("));
  fake_player_free(&p);
  assert_true(r.is_completed && !r.is_aborted);
  assert_int_equal(r.turns.count, 2);
  assert_int_equal(r.states.count, 3);
  return r;
}

static const char *error_after(fixture *f, const char *reply) {
  text bytes = text_new(f->keep);
  text_add_format(&bytes, "%s%s", HEAD, reply);
  const fake_script play = {FAKE_REPLIES, text_string(&bytes)};
  const match_result r = match_against(f, play, 60);
  assert_string_equal(r.turns.items[0].errors[0], r.turns.items[1].errors[0]);
  if (!*r.turns.items[0].errors[0])
    assert_string_equal(r.turns.items[0].moves[0], "( Pick Ace )");
  else
    assert_int_equal(r.illegal, 2);
  return r.turns.items[0].errors[0];
}

static void takes_moves_with_blanks_and_what_follows(void **state) {
  fixture *f = *state;
  static const char *const good[] = {"( Pick Ace )",     "(Pick Ace)",          "(Pick\t Ace)\r\n",
                                     "\n\n ( Pick Ace)", "(Pick Ace) ; I hope", "(Pick Ace) noop",
                                     "(Pick Ace) )"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_string_equal(error_after(f, good[i]), "");
}

static void all_else_is_illegal_and_a_legal_move_is_drawn(void **state) {
  fixture *f = *state;
  static const char *const bad[] = {"( Pick Queen )",
                                    "nil",
                                    "garbage",
                                    "( Pick Ace",
                                    "?x",
                                    "\"( Pick Ace )\"",
                                    "{\"move\":1}",
                                    "",
                                    ")",
                                    "( pick ace )",
                                    "( PICK ACE )",
                                    "; first\n( Pick Ace )",
                                    "()",
                                    "(((",
                                    "\xff\xfe",
                                    "( Pick ?c )"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_memory_equal(error_after(f, bad[i]), "IL ", 3);
}

static void an_error_quotes_the_reply(void **state) {
  fixture *f = *state;
  assert_string_equal(error_after(f, "( Pick\nQueen )"), "IL ( Pick?Queen )");
}

static void who_cannot_be_reached_has_moves_drawn(void **state) {
  fixture *f = *state;
  const match_result r = match_against(f, (fake_script){FAKE_RESETS, ""}, 60);
  assert_memory_equal(r.turns.items[0].errors[0], "CE ", 3);
  assert_int_equal(r.unreachable, 2);
}

static void who_speaks_no_http_cannot_be_reached(void **state) {
  fixture *f = *state;
  const match_result r = match_against(f, (fake_script){FAKE_KEEPS, "( Pick Ace )"}, 60);
  assert_string_equal(r.turns.items[0].errors[0], "CE no HTTP");
}

static void expect_late(fixture *f, fake_way way, const char *bytes) {
  const match_result r = match_against(f, (fake_script){way, bytes}, 0.3);
  assert_string_equal(r.turns.items[0].errors[0], "TO");
  assert_string_equal(r.turns.items[1].errors[0], "TO");
  assert_int_equal(r.late, 2);
}

static void who_says_nothing_is_late(void **state) { expect_late(*state, FAKE_SLEEPS, ""); }

static void who_drips_is_late(void **state) {
  expect_late(*state, FAKE_DRIPS, "HTTP/1.0 200 OK\r\nX: y\r\n");
}

static void who_never_closes_is_late(void **state) {
  expect_late(*state, FAKE_KEEPS, HEAD "( Pick Ace )");
}

static void a_match_without_any_player_is_played(void **state) {
  fixture *f = *state;
  uint16_t port;
  char address[32];
  const char *why;
  match_seat seat = {.name = "nobody"};
  match_result r;
  close(tcp_listen("127.0.0.1", 0, &port));
  snprintf(address, sizeof address, "127.0.0.1:%u", port);
  assert_true(tcp_resolve(&seat.address, address, f->keep, &why));
  const match_setup setup = setup_of(f, &seat);
  assert_int_equal(match_play(&r, &setup, f->keep, NULL), TABIA_OK);
  assert_memory_equal(r.start_replies[0], "CE ", 3);
  assert_int_equal(r.unreachable, 2);
  assert_true(r.is_completed);
}

static void who_is_not_ready_plays_all_the_same(void **state) {
  fixture *f = *state;
  const fake_script script[] = {{FAKE_REPLIES, HEAD "busy"}, {FAKE_REPLIES, HEAD "noop"}};
  fake_player p;
  match_seat seat = {.name = "fake"};
  const char *why;
  match_result r;
  fake_player_start(&p, script, 2);
  assert_true(tcp_resolve(&seat.address, p.address, f->keep, &why));
  const match_setup setup = setup_of(f, &seat);
  assert_int_equal(match_play(&r, &setup, f->keep, NULL), TABIA_OK);
  assert_string_equal(r.start_replies[0], "IL busy");
  assert_int_equal(r.illegal + r.late + r.unreachable, 0);
  assert_int_equal(r.goals[0], 0);
  fake_player_stop(&p);
  fake_player_free(&p);
}

static void a_stop_aborts_the_match(void **state) {
  fixture *f = *state;
  const fake_script script = {FAKE_REPLIES, HEAD "aborted"};
  const volatile sig_atomic_t stop = 1;
  fake_player p;
  match_seat seat = {.name = "fake"};
  const char *why;
  match_result r;
  fake_player_start(&p, &script, 1);
  assert_true(tcp_resolve(&seat.address, p.address, f->keep, &why));
  match_setup setup = setup_of(f, &seat);
  setup.stop = &stop;
  assert_int_equal(match_play(&r, &setup, f->keep, NULL), TABIA_LIMIT);
  assert_true(r.is_aborted && !r.is_completed);
  fake_player_stop(&p);
  assert_non_null(strstr(text_string(&p.last), "( ABORT w2 )"));
  fake_player_free(&p);
}

static void the_same_seed_draws_the_same_moves(void **state) {
  fixture *f = *state;
  const match_result a = match_against(f, (fake_script){FAKE_REPLIES, HEAD "nil"}, 60);
  const match_result b = match_against(f, (fake_script){FAKE_REPLIES, HEAD "nil"}, 60);
  for (int i = 0; i < 2; i++)
    assert_string_equal(a.turns.items[i].moves[0], b.turns.items[i].moves[0]);
}

/* ---- with players of our own ---- */

typedef struct own_match {
  match_result r;
  match_setup setup;
  match_seat seats[4];
  local_player *players[4];
  tabia_rules *rules;
  tabia_machine *machine;
} own_match;

static void play_own(own_match *o, fixture *f, const char *game, mind_kind kind, bool scrambled) {
  const player_options options = {.mind = {.kind = kind, .seed = 5}, .name = "own", .margin = 0.5};
  const char *why;
  assert_int_equal(tabia_rules_read(&o->rules, game, NULL), TABIA_OK);
  assert_int_equal(tabia_machine_open(&o->machine, o->rules, "auto", NULL, NULL), TABIA_OK);
  const uint32_t seats = match_seat_count(o->machine);
  for (uint32_t i = 0; i < seats; i++) {
    o->players[i] = local_player_start(&options, NULL);
    o->seats[i].name = "own";
    assert_true(
        tcp_resolve(&o->seats[i].address, local_player_address(o->players[i]), f->keep, &why));
  }
  o->setup = setup_of(f, o->seats);
  o->setup.rules = o->rules;
  o->setup.machine = o->machine;
  o->setup.is_scrambled = scrambled;
  assert_int_equal(match_play(&o->r, &o->setup, f->keep, NULL), TABIA_OK);
  for (uint32_t i = 0; i < seats; i++) local_player_stop(o->players[i]);
}

static void own_free(own_match *o) {
  tabia_machine_close(o->machine);
  tabia_rules_free(o->rules);
}

static void expect_no_error(fixture *f, const char *game, bool scrambled) {
  own_match o;
  play_own(&o, f, game, MIND_RANDOM, scrambled);
  assert_true(o.r.is_completed);
  assert_int_equal(o.r.illegal + o.r.late + o.r.unreachable, 0);
  for (uint32_t i = 0; i < o.r.roles; i++) assert_string_equal(o.r.start_replies[i], "");
  own_free(&o);
}

static void plays_games_of_every_kind(void **state) {
  static const char *const games[] = {"tic-tac-toe", "rock-paper-scissors", "kuhn-poker",
                                      "monty-hall",  "dark-tic-tac-toe",    "towers-of-hanoi",
                                      "nim",         "four-player-tron"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    expect_no_error(*state, games[i], false);
    expect_no_error(*state, games[i], true);
  }
}

static void writes_the_public_record(void **state) {
  fixture *f = *state;
  own_match o;
  text record = text_new(f->keep);
  play_own(&o, f, "tic-tac-toe", MIND_LEGAL, true);
  match_record_add(&record, "tic-tac-toe", &o.setup, &o.r);
  static const char *const parts[] = {"{\"matchId\":\"w2\",\"startTime\":1",
                                      "\"playerNamesFromHost\":[\"own\",\"own\"]",
                                      "\"states\":[\"( ( control x ) )\"",
                                      "\"moves\":[[\"( place 1 1 )\",\"noop\"],",
                                      "\"errors\":[[\"\",\"\"],",
                                      "\"isCompleted\":true,\"isAborted\":false,\"goalValues\":["};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    assert_non_null(strstr(text_string(&record), parts[i]));
  own_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(takes_moves_with_blanks_and_what_follows, set_up, tear_down),
      cmocka_unit_test_setup_teardown(all_else_is_illegal_and_a_legal_move_is_drawn, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(an_error_quotes_the_reply, set_up, tear_down),
      cmocka_unit_test_setup_teardown(who_cannot_be_reached_has_moves_drawn, set_up, tear_down),
      cmocka_unit_test_setup_teardown(who_speaks_no_http_cannot_be_reached, set_up, tear_down),
      cmocka_unit_test_setup_teardown(who_says_nothing_is_late, set_up, tear_down),
      cmocka_unit_test_setup_teardown(who_drips_is_late, set_up, tear_down),
      cmocka_unit_test_setup_teardown(who_never_closes_is_late, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_match_without_any_player_is_played, set_up, tear_down),
      cmocka_unit_test_setup_teardown(who_is_not_ready_plays_all_the_same, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_stop_aborts_the_match, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_same_seed_draws_the_same_moves, set_up, tear_down),
      cmocka_unit_test_setup_teardown(plays_games_of_every_kind, set_up, tear_down),
      cmocka_unit_test_setup_teardown(writes_the_public_record, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
