/* A player for which allocations fail, one after another, in all of its threads: each message is
   answered, or its connection closed, and the next match goes as it should. */
#include "ggp/player/local_player.h"

#include "base/budget.h"
#include "ggp/wire/exchange.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#include <cmocka.h>

#define RULES \
  "( role red ) ( role black ) ( init ( step 1 ) ) ( succ 1 2 ) ( succ 2 3 ) ( card ace ) " \
  "( card deuce ) ( <= ( legal ?r ( pick ?c ) ) ( role ?r ) ( card ?c ) ) " \
  "( <= ( next ( step ?m ) ) ( true ( step ?n ) ) ( succ ?n ?m ) ) " \
  "( <= terminal ( true ( step 3 ) ) ) ( goal red 100 ) ( goal black 0 ) "

#define HIDDEN RULES "( <= ( sees red ( it-was ?c ) ) ( does black ( pick ?c ) ) ) "

static const double CLOCK_SECONDS = 20;

/* The referee, who is this thread, has memory. */
static _Thread_local bool has_memory;
static atomic_uint_fast64_t asked, refused_at = UINT64_MAX;

bool memory_is_refused(size_t bytes);

bool memory_is_refused(size_t bytes) {
  (void)bytes;
  return !has_memory && atomic_fetch_add(&asked, 1) == atomic_load(&refused_at);
}

static void refuse(uint64_t number) {
  atomic_store(&asked, 0);
  atomic_store(&refused_at, number);
}

typedef struct table {
  arena *keep;
  local_player *player;
  tcp_address address;
} table;

static table seat(mind_kind kind) {
  has_memory = true;
  table t = {.keep = arena_new()};
  const player_options options = {
      .mind = {.kind = kind, .seed = 1, .iterations = 20, .bytes = 1 << 20},
      .machine_bytes = 64 << 20,
      .name = "test",
      .margin = 0.5};
  const char *why;
  t.player = local_player_start(&options, NULL);
  assert_non_null(t.player);
  assert_true(tcp_resolve(&t.address, local_player_address(t.player), t.keep, &why));
  return t;
}

static void clear_table(table *t) {
  local_player_stop(t->player);
  arena_free(t->keep);
}

/* The answer; NULL: the connection was closed without one. */
static const char *ask(table *t, const char *message) {
  exchange e = {.to = &t->address, .receiver = "test", .message = message};
  exchange_all(&e, 1, clock_now() + CLOCK_SECONDS * 2, NULL, t->keep);
  assert_int_not_equal(e.outcome, EXCHANGE_LATE);
  return e.outcome == EXCHANGE_REPLY ? arena_copy_text(t->keep, e.reply.start, e.reply.length)
                                     : NULL;
}

static bool is_one_of(const char *word, const char *a, const char *b) {
  return word && (strcmp(word, a) == 0 || strcmp(word, b) == 0);
}

/* Did all messages get the answers of a match that goes as it should? */
static bool play(table *t, const char *start, const char *news, const char *last) {
  const char *ready = ask(t, start);
  const char *first = ask(t, "( PLAY m1 NIL )"), *second = ask(t, news), *done = ask(t, last);
  return is_one_of(ready, "ready", "ready") && is_one_of(first, "( pick ace )", "( pick deuce )") &&
         is_one_of(second, "( pick ace )", "( pick deuce )") && is_one_of(done, "done", "done");
}

static bool play_open(table *t) {
  static const char moves[] = "( PLAY m1 (( pick ace ) ( pick ace )) )";
  return play(t, "( START m1 red (" RULES ") 0 20)", moves,
              "( STOP m1 (( pick ace ) ( pick ace )) )");
}

static bool play_hidden(table *t) {
  static const char percepts[] = "( PLAY m1 (( it-was ace )) )";
  return play(t, "( START m1 red (" HIDDEN ") 0 20)", percepts, "( STOP m1 (( it-was ace )) )");
}

/* Threads take turns as they like, so that a number is not the same allocation each time. */
static void play_with_failures(table *t, bool (*match)(table *), uint32_t tries) {
  uint32_t refused = 0;
  refuse(UINT64_MAX);
  assert_true(match(t));
  const uint64_t all = atomic_load(&asked);
  for (uint32_t i = 0; i < tries; i++) {
    refuse(i < tries / 2 ? i : all * i / tries);
    match(t);
    refused += atomic_load(&asked) > atomic_load(&refused_at);
    refuse(UINT64_MAX);
    assert_true(match(t));
  }
  assert_true(refused > tries / 2);
}

static void goes_on_where_memory_fails_a_player_that_does_not_search(void **state) {
  (void)state;
  table t = seat(MIND_RANDOM);
  play_with_failures(&t, play_open, 200);
  clear_table(&t);
}

static void goes_on_where_memory_fails_a_player_that_searches(void **state) {
  (void)state;
  table t = seat(MIND_TABIA);
  play_with_failures(&t, play_open, 100);
  clear_table(&t);
}

static void goes_on_where_memory_fails_a_player_that_does_not_know_the_state(void **state) {
  (void)state;
  table t = seat(MIND_TABIA);
  play_with_failures(&t, play_hidden, 60);
  clear_table(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goes_on_where_memory_fails_a_player_that_does_not_search),
      cmocka_unit_test(goes_on_where_memory_fails_a_player_that_searches),
      cmocka_unit_test(goes_on_where_memory_fails_a_player_that_does_not_know_the_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
