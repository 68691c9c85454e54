#include "machine/machine_fixture.h"
#include "search/perft.h"

static perft_result counted(machine_fixture *f, perft_options o) {
  perft_result r;
  assert_true(perft(&r, f->m, f->w, &o, f->keep));
  assert_int_equal(r.depth_done, o.depth);
  return r;
}

/* The same game on another machine. */
static void take_machine(machine_fixture *f, const char *name) {
  const machine_source from = {.program = &f->p};
  close_game(f);
  f->m = machine_open(name, &from, &f->b, &f->d);
  assert_non_null(f->m);
  f->w = machine_workspace_new(f->m, &f->b);
}

/* Checks the nodes of depths 1, 2, ... */
static void assert_nodes(machine_fixture *f, uint32_t depth, const uint64_t *expected) {
  const perft_result r = counted(f, (perft_options){.depth = depth});
  for (uint32_t d = 1; d <= depth; d++) assert_int_equal(r.nodes[d], expected[d - 1]);
}

#define assert_counts(f, ...) \
  assert_nodes((f), sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t), \
               (const uint64_t[]){__VA_ARGS__})
#define assert_perft(f, game, ...) (open_builtin((f), (game)), assert_counts((f), __VA_ARGS__))

/* The counts of the literature. */

static void counts_chess_as_everybody_does(void **state) {
  assert_perft(*state, "chess", 20, 400, 8902);
}

static void counts_connect_four_as_everybody_does(void **state) {
  assert_perft(*state, "connect-four", 7, 49, 343, 2401);
}

static void counts_reversi_as_everybody_does(void **state) {
  assert_perft(*state, "reversi", 4, 12, 56, 244, 1396);
}

static void counts_english_draughts_as_everybody_does(void **state) {
  assert_perft(*state, "english-draughts", 7, 49, 302, 1469, 7361);
}

/* From depth 7 on it matters that a multiple jump is one move. */
static void counts_multiple_jumps_as_everybody_does(void **state) {
  open_builtin(*state, "english-draughts");
  take_machine(*state, "lanes");
  assert_counts(*state, 7, 49, 302, 1469, 7361, 36768, 179740, 845931);
}

/* The figure of the frame paper: as if the game did not end with a line of three. */
static void counts_tic_tac_toe_beyond_its_end(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  const perft_result r = counted(f, (perft_options){.depth = 9, .ignore_terminal = true});
  assert_int_equal(r.total, 986410);
}

static void counts_tic_tac_toe_to_its_end(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  const perft_result r = counted(f, (perft_options){.depth = 9});
  assert_int_equal(r.nodes[9], 127872);
  assert_int_equal(r.total, 549946);
}

/* ---- what is counted ---- */

static const char two_bits[] =
    "(role a) (role b) (init (is a 0)) (init (is b 0)) (bit 0) (bit 1) (goal a 1) (goal b 1)\n"
    "(<= (legal ?r (set ?x)) (role ?r) (bit ?x)) (<= (next (is ?r ?x)) (does ?r (set ?x)))";

static void counts_ways_and_distinct_states(void **state) {
  machine_fixture *f = *state;
  open_game(f, two_bits);
  const perft_result r = counted(f, (perft_options){.depth = 3});
  assert_int_equal(r.nodes[3], 64);
  assert_int_equal(r.unique[3], 4);
  assert_int_equal(r.total, 1 + 4 + 16 + 64);
}

static void divides_by_the_first_joint_move(void **state) {
  machine_fixture *f = *state;
  open_game(f, two_bits);
  const perft_result r = counted(f, (perft_options){.depth = 3, .divide = true});
  assert_int_equal(r.parts.count, 4);
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(r.parts.items[i].nodes, 16);
  assert_int_equal(r.parts.items[1].joint[0], move_named(f, 0, "(set 0)"));
  assert_int_equal(r.parts.items[1].joint[1], move_named(f, 1, "(set 1)"));
}

static void depth_zero_is_the_start_alone(void **state) {
  machine_fixture *f = *state;
  open_game(f, two_bits);
  assert_int_equal(counted(f, (perft_options){.depth = 0, .divide = true}).total, 1);
}

static void tells_the_way_to_a_role_that_cannot_move(void **state) {
  machine_fixture *f = *state;
  text words = text_new(f->keep);
  open_game(f, "(role r) (init (n 0)) (<= (legal r l) (true (n ?x))) (legal r r)\n"
               "(<= (next x) (does r l)) (<= (next (n 1)) (does r r) (true (n 0)))\n"
               "(role s) (<= (legal s go) (true (n ?x)))");
  const perft_result r = counted(f, (perft_options){.depth = 3});
  assert_int_equal(r.nodes[3], 0);
  assert_int_equal(r.stuck, 3);
  fault_describe(&r.fault, f->m, &words);
  assert_string_equal(text_string(&words),
                      "a fault of the game: s has no legal move, and the state is not terminal\n"
                      "  after the moves\n    1. l go\n  in the state\n    x\n");
}

static void a_terminal_state_without_moves_is_no_fault(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init go) (<= (legal r x) (true go)) (<= terminal (not (true go)))");
  const perft_result r = counted(f, (perft_options){.depth = 3, .ignore_terminal = true});
  assert_int_equal(r.total, 2);
  assert_int_equal(r.fault.kind, FAULT_NONE);
}

static void assert_same_on_threads(machine_fixture *f, perft_options o) {
  const perft_result alone = counted(f, o);
  o.threads = 4;
  const perft_result many = counted(f, o);
  assert_int_equal(many.total, alone.total);
  assert_int_equal(many.stuck, alone.stuck);
  assert_memory_equal(many.nodes, alone.nodes, (o.depth + 1) * sizeof *many.nodes);
  assert_memory_equal(many.unique, alone.unique, (o.depth + 1) * sizeof *many.unique);
  assert_int_equal(many.parts.count, alone.parts.count);
  for (uint32_t i = 0; i < many.parts.count; i++)
    assert_int_equal(many.parts.items[i].nodes, alone.parts.items[i].nodes);
  assert_int_equal(many.fault.kind, alone.fault.kind);
  if (alone.fault.kind == FAULT_NONE) return;
  text words[2] = {text_new(f->keep), text_new(f->keep)};
  fault_describe(&alone.fault, f->m, &words[0]);
  fault_describe(&many.fault, f->m, &words[1]);
  assert_string_equal(text_string(&words[0]), text_string(&words[1]));
}

static void threads_count_the_same(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  assert_same_on_threads(f, (perft_options){.depth = 6, .divide = true});
}

/* A counter of many branches; at 5 it cannot move. */
static void threads_find_the_same_fault(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init (at 0 0)) (s 0 1) (s 1 2) (s 2 3) (s 3 4) (s 4 5) (s 5 6) (s 6 7)\n"
               "(<= (legal r a) (true (at ?x ?y)) (s ?x ?z) (distinct ?x 5))\n"
               "(<= (legal r (b ?n)) (true (at ?x ?y)) (s ?y ?z) (distinct ?x 5) (s ?n ?n2))\n"
               "(<= (next (at ?z ?y)) (does r a) (true (at ?x ?y)) (s ?x ?z))\n"
               "(<= (next (at ?x ?z)) (does r (b ?n)) (true (at ?x ?y)) (s ?y ?z))\n"
               "(<= (next (did ?n)) (does r (b ?n))) (<= (next (did ?n)) (true (did ?n)))");
  assert_same_on_threads(f, (perft_options){.depth = 8});
}

static void stops_at_the_limit_with_what_it_has(void **state) {
  machine_fixture *f = *state;
  perft_result r;
  open_builtin(f, "chess");
  f->b = budget_new(0.05, 0);
  const perft_options o = {.depth = 10};
  assert_false(perft(&r, f->m, f->w, &o, f->keep));
  assert_true(r.depth_done < 10);
  assert_int_equal(f->b.end, BUDGET_TIME);
}

/* Terms that nobody knows beforehand are numbered for all threads. */
static void threads_share_the_first_order_machine(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init (stack nil)) (item a) (item b) (item c)\n"
               "(<= (legal r (push ?x)) (item ?x)) (<= (legal r pop) (true (stack (cons ?x ?s))))\n"
               "(<= (next (stack (cons ?x ?s))) (does r (push ?x)) (true (stack ?s)))\n"
               "(<= (next (stack ?s)) (does r pop) (true (stack (cons ?x ?s))))");
  const perft_result expected = counted(f, (perft_options){.depth = 5});
  take_machine(f, "datalog");
  const perft_result r = counted(f, (perft_options){.depth = 5, .threads = 4});
  assert_memory_equal(r.nodes, expected.nodes, 6 * sizeof *r.nodes);
  assert_memory_equal(r.unique, expected.unique, 6 * sizeof *r.unique);
}

static void threads_stop_at_the_limit(void **state) {
  machine_fixture *f = *state;
  perft_result r;
  open_builtin(f, "chess");
  f->b = budget_new(0.5, 0);
  const perft_options o = {.depth = 10, .threads = 3};
  assert_false(perft(&r, f->m, f->w, &o, f->keep));
  assert_true(r.depth_done < 10);
  assert_int_equal(f->b.end, BUDGET_TIME);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(counts_chess_as_everybody_does),
      a_test(counts_connect_four_as_everybody_does),
      a_test(counts_reversi_as_everybody_does),
      a_test(counts_english_draughts_as_everybody_does),
      a_test(counts_multiple_jumps_as_everybody_does),
      a_test(counts_tic_tac_toe_beyond_its_end),
      a_test(counts_tic_tac_toe_to_its_end),
      a_test(counts_ways_and_distinct_states),
      a_test(divides_by_the_first_joint_move),
      a_test(depth_zero_is_the_start_alone),
      a_test(tells_the_way_to_a_role_that_cannot_move),
      a_test(a_terminal_state_without_moves_is_no_fault),
      a_test(threads_count_the_same),
      a_test(threads_find_the_same_fault),
      a_test(threads_share_the_first_order_machine),
      a_test(threads_stop_at_the_limit),
      a_test(stops_at_the_limit_with_what_it_has),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
