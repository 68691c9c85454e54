/* Sets of moves against sets as bits. */
#include "base/base_fixture.h"
#include "base/rng.h"
#include "circuit/move_sets.h"

/* The moves of a choice, one bit each. */
static uint32_t bits_of(const move_sets *s, uint32_t role, move_choice c) {
  const uint32_t all = (1u << s->universe[role]) - 1;
  if (c.kind == MOVES_NONE) return 0;
  if (c.kind == MOVES_ALL) return all;
  const move_set *it = &s->sets.items[c.set];
  uint32_t bits = 0;
  for (uint32_t i = 0; i < it->count; i++) bits |= 1u << s->members.items[it->first + i];
  return c.kind == MOVES_IN ? bits : all & ~bits;
}

static move_choice union_of(move_sets *s, move_choice a, move_choice b) {
  const move_choice both[2] = {move_choice_not(a), move_choice_not(b)};
  return move_choice_not(move_sets_all(s, both, 2));
}

/* By 'or' of single moves. */
static move_choice choice_of_bits(move_sets *s, uint32_t role, uint32_t bits) {
  move_choice any = {.kind = MOVES_NONE};
  for (uint32_t move = 0; move < s->universe[role]; move++)
    if (bits >> move & 1) any = union_of(s, any, move_sets_single(s, role, move));
  return any;
}

static void a_set_is_what_it_was_made_of(void **state) {
  for (uint32_t moves = 1; moves <= 6; moves++) {
    move_sets s;
    move_sets_init(&s, &moves, 1, *state);
    for (uint32_t bits = 0; bits < 1u << moves; bits++)
      assert_int_equal(bits_of(&s, 0, choice_of_bits(&s, 0, bits)), bits);
  }
}

static void what_is_in_two_sets_is_in_both(void **state) {
  for (uint32_t moves = 1; moves <= 5; moves++) {
    move_sets s;
    move_sets_init(&s, &moves, 1, *state);
    for (uint32_t a = 0; a < 1u << moves; a++)
      for (uint32_t b = 0; b < 1u << moves; b++) {
        const move_choice both[2] = {choice_of_bits(&s, 0, a), choice_of_bits(&s, 0, b)};
        assert_int_equal(bits_of(&s, 0, move_sets_all(&s, both, 2)), a & b);
      }
  }
}

static void what_is_in_many_sets_is_in_each(void **state) {
  const uint32_t moves = 9;
  move_sets s;
  rng r = rng_new(1, 0);
  move_sets_init(&s, &moves, 1, *state);
  for (uint32_t round = 0; round < 3000; round++) {
    move_choice many[5];
    uint32_t expected = (1u << moves) - 1;
    const uint32_t count = 1 + rng_below(&r, 5);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t bits = rng_below(&r, 1u << moves);
      if (rng_below(&r, 2)) bits |= rng_below(&r, 1u << moves);
      expected &= bits;
      many[i] = choice_of_bits(&s, 0, bits);
    }
    assert_int_equal(bits_of(&s, 0, move_sets_all(&s, many, count)), expected);
  }
}

static void equal_sets_and_complements_are_one(void **state) {
  const uint32_t moves = 7;
  move_sets s;
  move_sets_init(&s, &moves, 1, *state);
  for (uint32_t bits = 0; bits < 1u << moves; bits++) choice_of_bits(&s, 0, bits);
  assert_int_equal(s.sets.count, (1u << (moves - 1)) - 1);
  for (uint32_t bits = 1; bits < (1u << moves) - 1; bits++) {
    const move_choice a = choice_of_bits(&s, 0, bits);
    const move_choice b = choice_of_bits(&s, 0, ~bits & ((1u << moves) - 1));
    assert_int_equal(a.set, b.set);
    assert_true(a.kind != b.kind);
    assert_true(s.sets.items[a.set].count * 2 <= moves);
  }
}

static void halves_are_one_set_whichever_is_asked_first(void **state) {
  const uint32_t moves = 4;
  for (uint32_t bits = 1; bits < 15; bits++) {
    move_sets s;
    move_sets_init(&s, &moves, 1, *state);
    const move_choice a = choice_of_bits(&s, 0, bits), b = choice_of_bits(&s, 0, 15 & ~bits);
    assert_int_equal(a.set, b.set);
    assert_int_equal(bits_of(&s, 0, a), bits);
    assert_int_equal(bits_of(&s, 0, b), 15 & ~bits);
  }
}

static void the_same_moves_of_two_roles_are_two_sets(void **state) {
  const uint32_t moves[2] = {5, 5};
  move_sets s;
  move_sets_init(&s, moves, 2, *state);
  const move_choice a = move_sets_single(&s, 0, 2), b = move_sets_single(&s, 1, 2);
  assert_int_not_equal(a.set, b.set);
  assert_int_equal(s.sets.items[a.set].role, 0);
  assert_int_equal(s.sets.items[b.set].role, 1);
}

static void the_only_move_is_always_done(void **state) {
  const uint32_t moves = 1;
  move_sets s;
  move_sets_init(&s, &moves, 1, *state);
  assert_int_equal(move_sets_single(&s, 0, 0).kind, MOVES_ALL);
}

static void constants_are_left_out_or_decide(void **state) {
  const uint32_t moves = 3;
  move_sets s;
  move_sets_init(&s, &moves, 1, *state);
  const move_choice one = move_sets_single(&s, 0, 1);
  const move_choice with_all[2] = {{.kind = MOVES_ALL}, one};
  const move_choice with_none[2] = {one, {.kind = MOVES_NONE}};
  const move_choice alls[2] = {{.kind = MOVES_ALL}, {.kind = MOVES_ALL}};
  assert_int_equal(bits_of(&s, 0, move_sets_all(&s, with_all, 2)), 2);
  assert_int_equal(move_sets_all(&s, with_none, 2).kind, MOVES_NONE);
  assert_int_equal(move_sets_all(&s, alls, 2).kind, MOVES_ALL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(a_set_is_what_it_was_made_of),
      base_test(what_is_in_two_sets_is_in_both),
      base_test(what_is_in_many_sets_is_in_each),
      base_test(equal_sets_and_complements_are_one),
      base_test(halves_are_one_set_whichever_is_asked_first),
      base_test(the_same_moves_of_two_roles_are_two_sets),
      base_test(the_only_move_is_always_done),
      base_test(constants_are_left_out_or_decide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
