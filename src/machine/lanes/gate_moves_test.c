#include "circuit/circuit_fixture.h"
#include "machine/lanes/gate_moves.h"

/* Four moves, of which gates exclude some, alone and beside other conditions. */
typedef struct game {
  circuit c;
  gate_maker m;
  wire moves[4], latch;
  gate_moves found;
} game;

static game *game_new(arena *keep) {
  game *g = arena_alloc_zero(keep, sizeof *g);
  gate_maker_init(&g->m, &g->c, keep, keep);
  g->latch = make_input(&g->m, GATE_LATCH, 0);
  for (uint32_t i = 0; i < 4; i++) {
    g->moves[i] = make_input(&g->m, GATE_MOVE, i);
    const circuit_move move = {.does = g->moves[i]};
    vec_push(keep, &g->c.moves, move);
  }
  return g;
}

static void find(game *g, wire next, arena *keep) {
  const circuit_latch latch = {.gate = wire_gate(g->latch), .next = next};
  vec_push(keep, &g->c.latches, latch);
  const bitset all = bitset_new(keep, g->c.gates.count);
  for (gate_id i = 0; i < g->c.gates.count; i++) bitset_add(all, i);
  gate_moves_find(&g->found, &g->c, all, keep);
}

/* The moves that a gate excludes, as bits. */
static uint32_t excluded(const game *g, wire w) {
  uint32_t bits = 0;
  for (uint32_t i = g->found.first[wire_gate(w)]; i < g->found.first[wire_gate(w) + 1]; i++)
    bits |= 1u << g->found.moves.items[i];
  return bits;
}

static bool is_pure(const game *g, wire w) { return bitset_has(g->found.is_pure, wire_gate(w)); }

static bool is_asked(const game *g, wire w) { return bitset_has(g->found.is_asked, wire_gate(w)); }

static wire none_of(game *g, uint32_t a, uint32_t b) {
  return make_and_of_two(&g->m, wire_not(g->moves[a]), wire_not(g->moves[b]));
}

static void what_excluding_gates_exclude_is_excluded_by_their_readers(void **state) {
  rules_fixture *f = *state;
  game *g = game_new(f->keep);
  const wire few = none_of(g, 0, 1);
  const wire more = make_and_of_two(&g->m, few, wire_not(g->moves[2]));
  const wire stays = make_and_of_two(&g->m, g->latch, more);
  find(g, stays, f->keep);
  assert_int_equal(excluded(g, few), 3);
  assert_int_equal(excluded(g, more), 7);
  assert_int_equal(excluded(g, stays), 7);
  assert_true(is_pure(g, few) && is_pure(g, more) && !is_pure(g, stays));
  assert_true(is_asked(g, stays));
  assert_false(is_asked(g, few) || is_asked(g, more)); /* they are parts of what `stays` says */
}

static void a_move_twice_is_one_move(void **state) {
  rules_fixture *f = *state;
  game *g = game_new(f->keep);
  const wire both = make_and_of_two(&g->m, none_of(g, 0, 1), none_of(g, 1, 2));
  find(g, both, f->keep);
  assert_int_equal(excluded(g, both), 7);
  assert_int_equal(gate_moves_count(&g->found, wire_gate(both)), 3);
}

/* 'One of them is done' is another question: its gate is asked for. */
static void a_gate_that_is_read_negated_is_asked(void **state) {
  rules_fixture *f = *state;
  game *g = game_new(f->keep);
  const wire none = none_of(g, 2, 3);
  const wire comes = make_and_of_two(&g->m, g->latch, wire_not(none));
  find(g, comes, f->keep);
  assert_true(is_asked(g, none));
  assert_int_equal(excluded(g, comes), 0);
}

static void a_move_that_is_done_is_no_exclusion(void **state) {
  rules_fixture *f = *state;
  game *g = game_new(f->keep);
  const wire odd = make_and_of_two(&g->m, g->moves[0], wire_not(g->moves[1]));
  find(g, odd, f->keep);
  assert_false(is_pure(g, odd));
  assert_int_equal(excluded(g, odd), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(what_excluding_gates_exclude_is_excluded_by_their_readers),
      rules_test(a_move_twice_is_one_move),
      rules_test(a_gate_that_is_read_negated_is_asked),
      rules_test(a_move_that_is_done_is_no_exclusion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
