/* What is settled by parts, held against a walk of all states, over random games in parts. */
#include "prove/prove_fixture.h"
#include "solve/random_parts_fixture.h"

enum { GAMES = 60 };

static const char asked[] =
    "playable, goals, terminates, winnable, unreachable (at 0 3), invariant (at 1 0)";

/* Every property that parts settle, a walk settles alike; returns how many they are. */
static uint32_t try_game(prove_fixture *f, const char *words) {
  verdict_kind kinds[16];
  uint32_t lengths[16], settled = 0;
  read_game(f, words);
  ask(f, asked);
  prove_by_parts(&f->j, &f->b);
  const uint32_t count = f->j.properties.count;
  assert_in_range(count, 6, 16);
  for (uint32_t i = 0; i < count; i++) {
    kinds[i] = f->j.findings[i].kind;
    lengths[i] = f->j.findings[i].length;
  }
  ask(f, asked);
  run(f, "exhaustive", AMPLE_SECONDS);
  for (uint32_t i = 0; i < count; i++) {
    if (kinds[i] == VERDICT_UNKNOWN) continue;
    if (kinds[i] != f->j.findings[i].kind)
      fail_msg("%s by parts, %s by a walk: property %u of %s", verdict_name(kinds[i]),
               verdict_name(f->j.findings[i].kind), i, words);
    if (f->j.properties.items[i].kind != PROPERTY_TERMINATES)
      assert_int_equal(lengths[i], f->j.findings[i].length);
    settled++;
  }
  return settled;
}

static uint32_t try_games(prove_fixture *f, uint32_t seed, game_kind k) {
  uint32_t settled = 0;
  rng r = rng_new(seed, 0);
  for (uint32_t i = 0; i < GAMES; i++) {
    k.parts = 2 + rng_below(&r, MOST_PARTS - 1);
    text words = random_parts(f->keep, &r, &k);
    settled += try_game(f, text_string(&words));
  }
  return settled;
}

static void parts_and_walks_agree_where_one_part_is_chosen(void **state) {
  assert_true(try_games(*state, 1, (game_kind){.has_clock = true}) > 2 * GAMES);
  assert_true(try_games(*state, 2, (game_kind){.may_go_wrong = true}) > GAMES);
}

static void parts_and_walks_agree_where_all_parts_move(void **state) {
  /* what many questions read of so small parts unites most of them */
  assert_true(try_games(*state, 3, (game_kind){.in_all = true, .has_clock = true}) > GAMES / 2);
  assert_true(try_games(*state, 4, (game_kind){.in_all = true, .may_go_wrong = true}) > GAMES / 2);
}

/* Six wheels of eight positions, 8^6 states; ends read two of them, which have 64, or 36 up to
   which is which, and the others can always be turned. */
#define WHEELS \
  "(role r) (wheel 1) (wheel 2) (wheel 3) (wheel 4) (wheel 5) (wheel 6) (succ 0 1) (succ 1 2)" \
  "(succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 0) (<= (init (at ?w 0)) (wheel ?w))" \
  "(<= (legal r (turn ?w)) (true (at ?w ?n)) (succ ?n ?m))" \
  "(<= (next (at ?w ?m)) (does r (turn ?w)) (true (at ?w ?n)) (succ ?n ?m))" \
  "(<= (next (at ?w ?n)) (true (at ?w ?n)) (not (does r (turn ?w))))" \
  "(<= done (true (at 1 7)) (true (at 2 7))) (<= terminal done) (<= (goal r 100) done)" \
  "(<= (goal r 0) (not done))"

static void a_game_of_many_states_is_settled_by_its_parts(void **state) {
  prove_fixture *f = *state;
  read_game(f, WHEELS);
  ask(f, "playable, goals, winnable r");
  run(f, "exhaustive", AMPLE_SECONDS);
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(f->j.findings[i].kind, VERDICT_PROVED);
    assert_in_range(f->j.findings[i].states, 30, 100);
  }
  assert_int_equal(f->j.findings[2].length, 14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(parts_and_walks_agree_where_one_part_is_chosen),
      a_test(parts_and_walks_agree_where_all_parts_move),
      a_test(a_game_of_many_states_is_settled_by_its_parts),
  };
  return cmocka_run_group_tests_name("prove/part_proofs", tests, NULL, NULL);
}
