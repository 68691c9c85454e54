#include "induct/core_proofs.h"
#include "induct/induct.h"
#include "induct/induct_fixture.h"

/* Three players in turn; a counter that stops at 3 although 4 is there; a cell that one may fill.
 */
static const char turns[] =
    "(role a) (role b) (role c) (after a b) (after b c) (after c a) (init (turn a)) (init (n 0))\n"
    "(succ 0 1) (succ 1 2) (succ 2 3) (succ 4 5) (init (cell empty))\n"
    "(<= (legal ?r mark) (true (turn ?r))) (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))\n"
    "(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s))\n"
    "(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= (next (n 3)) (true (n 3)))\n"
    "(<= (next (cell ?r)) (does ?r mark) (true (cell empty)))\n"
    "(<= (next (cell ?r)) (true (cell ?r)) (not (true (cell empty))))\n"
    "(<= (next lost) (true (turn a)) (true (turn b)))\n"
    "(<= terminal (true lost)) (<= terminal (true (n 3))) (<= (goal ?r 0) (role ?r))";

/* All that is found and proved of a game, a line each. */
static const char *facts_of(rules_fixture *f, const char *game) {
  ground_program g;
  circuit c;
  fact_set proved = {.keep = f->keep};
  induct_counts counts = {0};
  text out = text_new(f->keep);
  build_circuit(f, game, &g, &c);
  induct_find_facts(&proved, &c, (induct_options){.seed = 1}, NULL, &counts);
  facts_print(&proved, &c, &out);
  assert_int_equal(counts.proved, proved.all.count);
  return text_string(&out);
}

static void finds_and_proves_whose_turn_it_is(void **state) {
  rules_fixture *f = *state;
  const char *words = facts_of(f, turns);
  assert_non_null(strstr(words, "(exactly-one (turn a) (turn b) (turn c))"));
  assert_non_null(strstr(words, "(exactly-one (n 0) (n 1) (n 2) (n 3))"));
  assert_non_null(strstr(words, "(exactly-one (cell a) (cell b) (cell c) (cell empty))"));
}

/* Play must see the whole of a counter: else each number is guessed to be never true, and falls in
   a round of its own. */
static void a_long_counter_takes_few_rounds(void **state) {
  enum { LAST = 400 };
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  fact_set proved = {.keep = f->keep};
  induct_counts counts = {0};
  text words = text_new(f->keep);
  text_add(&words, "(role r) (init (n 0)) (legal r go) (goal r 0) (<= terminal (true (n 400)))\n"
                   "(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))\n");
  for (int i = 0; i < LAST; i++) text_add_format(&words, "(succ %d %d)\n", i, i + 1);
  build_circuit(f, text_string(&words), &g, &c);
  induct_find_facts(&proved, &c, (induct_options){.seed = 1, .never_true = true}, NULL, &counts);
  assert_int_equal(proved.all.items[0].kind, FACT_EXACTLY_ONE);
  assert_int_equal(proved.all.items[0].count, LAST + 1);
  assert_in_range(counts.rounds, 1, 10);
}

/* The last numbers come up seldom; each is kept once. */
static void a_sample_holds_no_more_than_what_is_new(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  sample usual, longer;
  build_circuit(f,
                "(role r) (init (at 0)) (way a) (way b) (<= (legal r (go ?w)) (way ?w)) (goal r 0)"
                "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)"
                "(<= (next (at ?n)) (does r (go a)) (true (at ?m)) (succ ?m ?n))"
                "(<= (next (at 0)) (does r (go b))) (<= terminal (true (at 7)))",
                &g, &c);
  sample_play(&usual, &c, 4, 1, f->keep, NULL);
  sample_play_on(&longer, &c, 4, 1, f->keep, NULL);
  assert_int_equal(usual.step_count, 4); /* (at 0) to (at 3) */
  assert_in_range(longer.step_count, 5, 8);
}

/* A place and a turn are two names of one thing; some coin is always there. */
static void finds_names_that_take_turns(void **state) {
  rules_fixture *f = *state;
  static const char game[] =
      "(role r) (init (place a)) (legal r go) (legal r stay) (init (coin 1)) (init (coin 2))\n"
      "(<= (next (turn a)) (true (place a))) (<= (next (place b)) (true (turn a)))\n"
      "(<= (next (turn b)) (true (place b))) (<= (next (place a)) (true (turn b)))\n"
      "(<= (next (coin 1)) (true (coin 2))) (<= (next (coin 2)) (true (coin 1)))\n"
      "(<= (next (coin 3)) (true (coin 1)) (does r go))\n"
      "(<= (next (coin 3)) (true (coin 3)) (does r stay))\n"
      "(<= terminal (true (coin 3)) (true (place a)))";
  const char *words = facts_of(f, game);
  assert_non_null(strstr(words, "(exactly-one (place a) (place b) (turn a) (turn b))"));
}

/* Neither the colour nor the kind alone tells what stands on a square. */
static void finds_what_stands_on_a_square(void **state) {
  rules_fixture *f = *state;
  static const char game[] =
      "(role white) (role black) (other white black) (other black white) (init (turn white))\n"
      "(square 1) (square 2) (square 3) (init (at 1 white man)) (init (at 3 black king))\n"
      "(<= (legal ?c (go ?x ?y)) (true (turn ?c)) (true (at ?x ?c ?k)) (square ?y)\n"
      "  (distinct ?x ?y))\n"
      "(<= (legal ?c noop) (other ?c ?d) (true (turn ?d)))\n"
      "(<= (next (turn ?d)) (true (turn ?c)) (other ?c ?d))\n"
      "(<= (next (at ?y ?c ?k)) (does ?c (go ?x ?y)) (true (at ?x ?c ?k)) (distinct ?y 3))\n"
      "(<= (next (at 3 ?c king)) (does ?c (go ?x 3)))\n"
      "(<= (next (at ?z ?c ?k)) (does ?r (go ?x ?y)) (true (at ?z ?c ?k)) (distinct ?z ?x)\n"
      "  (distinct ?z ?y))\n"
      "(<= present (true (at ?x black king))) (<= terminal (not present))";
  const char *words = facts_of(f, game);
  assert_non_null(strstr(words, "-one (at 1 black king) (at 1 white king) (at 1 white man))"));
  assert_non_null(strstr(words, "-one (at 2 black king) (at 2 white king) (at 2 white man))"));
  assert_non_null(strstr(words, "-one (at 3 black king) (at 3 white king))"));
}

/* A piece is in the pool, chosen or on the board, and on a square stands one; that a chosen piece
   is not lost takes all that a step is: nobody passes whose turn it is. */
static void finds_where_a_piece_may_be(void **state) {
  rules_fixture *f = *state;
  static const char game[] =
      "(role w) (role b) (other w b) (other b w) (square 1) (square 2) (square 3)\n"
      "(piece x) (piece y) (piece z) (<= (init (pool ?p)) (piece ?p)) (init (chooses w))\n"
      "(<= free (square ?s) (not (taken ?s))) (<= (taken ?s) (true (on ?s ?p)))\n"
      "(<= (legal ?r (choose ?p)) (true (chooses ?r)) (true (pool ?p)))\n"
      "(<= (legal ?r (put ?p ?s)) (true (puts ?r)) (true (chosen ?p)) (square ?s)\n"
      "  (not (taken ?s)))\n"
      "(<= (legal ?r noop) (role ?r) (not (true (chooses ?r))) (not (true (puts ?r))))\n"
      "(<= (next (pool ?p)) (true (pool ?p)) (not (does w (choose ?p))) (not (does b (choose "
      "?p))))\n"
      "(<= (next (chosen ?p)) (does ?r (choose ?p))) (<= (next (on ?s ?p)) (does ?r (put ?p ?s)))\n"
      "(<= (next (on ?s ?p)) (true (on ?s ?p)))\n"
      "(<= (next (puts ?q)) (true (chooses ?r)) (other ?r ?q))\n"
      "(<= (next (chooses ?r)) (true (puts ?r))) (<= terminal (not free))";
  const char *words = facts_of(f, game);
  assert_non_null(strstr(words, "(exactly-one (chosen x) (on 1 x) (on 2 x) (on 3 x) (pool x))"));
  assert_non_null(strstr(words, "(at-most-one (on 2 x) (on 2 y) (on 2 z))"));
}

/* Neither half of it follows but from that both must have a move. */
static void finds_turns_that_take_a_whole_step(void **state) {
  rules_fixture *f = *state;
  static const char game[] =
      "(role a) (role b) (init p) (<= terminal (true z)) (<= (next z) (true q))\n"
      "(<= (legal a go) (true p)) (<= (legal b x) (true p)) (<= (legal b y) (true q))\n"
      "(<= (next q) (does a go)) (<= (next p) (does b y))";
  assert_non_null(strstr(facts_of(f, game), "(exactly-one p q)"));
}

/* Who stands on a square and whether it is burnt have two names. */
static void finds_what_two_names_say_of_a_square(void **state) {
  rules_fixture *f = *state;
  static const char game[] =
      "(role r) (square 1) (square 2) (square 3) (square 4) (init (man 1 king)) (init (man 2 "
      "pawn))\n"
      "(<= (taken ?s) (true (man ?s ?m))) (<= (taken ?s) (true (burnt ?s)))\n"
      "(<= (legal r (go ?s ?t)) (true (man ?s ?m)) (square ?t) (not (taken ?t)))\n"
      "(<= (next (man ?t ?m)) (does r (go ?s ?t)) (true (man ?s ?m)))\n"
      "(<= (next (man ?u ?m)) (true (man ?u ?m)) (does r (go ?s ?t)) (distinct ?u ?s))\n"
      "(<= (next (burnt ?s)) (does r (go ?s ?t))) (<= (next (burnt ?s)) (true (burnt ?s)))\n"
      "(<= free (square ?s) (not (taken ?s))) (<= terminal (not free))";
  const char *words = facts_of(f, game);
  assert_non_null(strstr(words, "(at-most-one (burnt 3) (man 3 king) (man 3 pawn))"));
}

/* What is free above a free square stays free, so a disc that hung in the air would be one too many
   on its square: it takes a lemma to see that none does. */
static void finds_that_nothing_hangs_in_the_air(void **state) {
  rules_fixture *f = *state;
  static const char game[] =
      "(role w) (role r) (other w r) (other r w) (init (turn w)) (col 1) (col 2) (succ 0 1)\n"
      "(succ 1 2) (succ 2 3) (succ 3 4) (<= (init (cell ?c ?h free)) (col ?c) (succ ?g ?h))\n"
      "(<= (filled ?c 0) (col ?c)) (<= (filled ?c ?h) (true (cell ?c ?h ?p)) (role ?p))\n"
      "(<= (legal ?p (drop ?c)) (true (turn ?p)) (true (cell ?c 4 free)))\n"
      "(<= (legal ?p noop) (other ?p ?q) (true (turn ?q)))\n"
      "(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))\n"
      "(<= (next (cell ?c ?h ?p)) (does ?p (drop ?c)) (true (cell ?c ?h free)) (succ ?g ?h)\n"
      "  (filled ?c ?g))\n"
      "(<= (next (cell ?c ?h ?p)) (true (cell ?c ?h ?p)) (role ?p))\n"
      "(<= (next (cell ?c ?h free)) (true (cell ?c ?g free)) (succ ?g ?h))\n"
      "(<= (next (cell ?c ?h free)) (true (cell ?c ?h free)) (does ?p (drop ?d)) (distinct ?c "
      "?d))\n"
      "(<= open (true (cell ?c 4 free))) (<= terminal (not open))";
  const char *words = facts_of(f, game);
  assert_non_null(strstr(words, "(exactly-one (cell 1 2 free) (cell 1 2 r) (cell 1 2 w))"));
  assert_non_null(strstr(words, "(exactly-one (cell 2 4 free) (cell 2 4 r) (cell 2 4 w))"));
}

/* The ways to prove guesses beside each other. */
enum { IN_ROUNDS, ONE_BY_ONE, TOGETHER, WAYS };

static fact_set proved_by(rules_fixture *f, unsigned way, const fact_set *guesses,
                          const circuit *c) {
  fact_set proved = {.keep = f->keep};
  induct_counts counts = {0};
  const move_table moves = move_table_new(c, f->keep);
  if (way == IN_ROUNDS) induct_prove(&proved, guesses, c, (induct_options){0}, NULL, &counts);
  if (way == ONE_BY_ONE)
    cores_prove_one_by_one(&proved, guesses, &moves, NULL, 1000, NULL, &counts);
  if (way == TOGETHER) cores_prove_together(&proved, guesses, c, 1000, NULL, &counts);
  return proved;
}

/* A door that opens after 'left, right, left, right, left' among six moves, which a short random
   play does not find; behind it two things stand on one square. */
static void does_not_prove_what_random_play_never_sees_broken(void **state) {
  rules_fixture *f = *state;
  static const char game[] =
      "(role r) (way left) (way right) (way up) (way down) (way in) (way out) (init (dial 0))"
      "(key 0 left 1) (key 1 right 2) (key 2 left 3) (key 3 right 4) (key 4 left 5)"
      "(<= (legal r (go ?w)) (way ?w)) (init (at 1 man)) (goal r 0) (<= terminal (true over))"
      "(<= (hit ?n) (true (dial ?n)) (does r (go ?w)) (key ?n ?w ?m))"
      "(<= (next (dial ?m)) (true (dial ?n)) (does r (go ?w)) (key ?n ?w ?m))"
      "(<= (next (dial 0)) (true (dial ?n)) (not (hit ?n)))"
      "(<= (next (at ?x ?t)) (true (at ?x ?t))) (<= (next (at 1 dog)) (true (dial 5)))"
      "(<= (next over) (true (at 1 dog)))";
  ground_program g;
  circuit c;
  fact_set guesses = {.keep = f->keep};
  sample seen;
  build_circuit(f, game, &g, &c);
  const uint32_t both[2] = {fluent_number(f, &c, "(at 1 man)") << 1,
                            fluent_number(f, &c, "(at 1 dog)") << 1};
  fact_add(&guesses, FACT_AT_MOST_ONE, both, 2);
  sample_play(&seen, &c, 4, 1, f->keep, NULL);
  const move_table moves = move_table_new(&c, f->keep);
  for (unsigned way = 0; way < WAYS; way++)
    assert_int_equal(proved_by(f, way, &guesses, &c).all.count, 0);
  fact_set proved = {.keep = f->keep};
  induct_counts counts = {0};
  cores_prove_one_by_one(&proved, &guesses, &moves, &seen, 1000, NULL, &counts);
  assert_int_equal(proved.all.count, 0);
}

static void what_is_let_go_for_lack_of_time_is_told(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  fact_set guesses = {.keep = f->keep};
  build_circuit(f, turns, &g, &c);
  const uint32_t three[3] = {fluent_number(f, &c, "(turn a)") << 1,
                             fluent_number(f, &c, "(turn b)") << 1,
                             fluent_number(f, &c, "(turn c)") << 1};
  fact_add(&guesses, FACT_AT_MOST_ONE, three, 3);
  const move_table moves = move_table_new(&c, f->keep);
  for (int is_late = 0; is_late < 2; is_late++) {
    fact_set proved = {.keep = f->keep};
    induct_counts counts = {0};
    budget none = budget_new(1e-9, 0);
    cores_prove_one_by_one(&proved, &guesses, &moves, NULL, 1000, is_late ? &none : NULL, &counts);
    assert_int_equal(proved.all.count, !is_late);
    assert_int_equal(counts.is_cut_short, is_late);
  }
}

static void does_not_prove_what_is_false(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  fact_set guesses = {.keep = f->keep};
  build_circuit(f, turns, &g, &c);
  const uint32_t two[2] = {fluent_number(f, &c, "(turn a)") << 1, fluent_number(f, &c, "(n 0)")
                                                                      << 1};
  const uint32_t never = fluent_number(f, &c, "(n 2)") << 1 | 1;
  const uint32_t first[2] = {fluent_number(f, &c, "(n 0)") << 1, fluent_number(f, &c, "(n 1)")
                                                                     << 1};
  fact_add(&guesses, FACT_AT_MOST_ONE, two, 2);     /* both hold at the start */
  fact_add(&guesses, FACT_AT_LEAST_ONE, &never, 1); /* fails after two steps */
  fact_add(&guesses, FACT_EXACTLY_ONE, first, 2);   /* so does this, but not 'at most one' */
  for (unsigned way = 0; way < WAYS; way++) {
    const fact_set found = proved_by(f, way, &guesses, &c);
    assert_int_equal(found.all.count, 1);
    assert_int_equal(found.all.items[0].kind, FACT_AT_MOST_ONE);
    assert_memory_equal(found.members.items, first, sizeof first);
  }
}

/* A guess that falls takes with it what rests on it, and nothing else. */
static void a_proof_falls_with_what_it_rests_on(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  fact_set guesses = {.keep = f->keep};
  static const char game[] =
      "(role r) (legal r go) (legal r stay) (init (light on))\n"
      "(<= (next first) (does r go)) (<= (next second) (true first))\n"
      "(<= (next third) (true second)) (<= terminal (true third))\n"
      "(<= (next (light on)) (true (light off))) (<= (next (light off)) (true (light on)))";
  build_circuit(f, game, &g, &c);
  static const char *const never[] = {"third", "second", "first"};
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t member = fluent_number(f, &c, never[i]) << 1 | 1;
    fact_add(&guesses, FACT_AT_LEAST_ONE, &member, 1);
  }
  const uint32_t light[2] = {fluent_number(f, &c, "(light on)") << 1,
                             fluent_number(f, &c, "(light off)") << 1};
  fact_add(&guesses, FACT_EXACTLY_ONE, light, 2);
  for (unsigned way = 0; way < WAYS; way++) {
    const fact_set found = proved_by(f, way, &guesses, &c);
    assert_int_equal(found.all.count, 1);
    assert_int_equal(found.all.items[0].kind, FACT_EXACTLY_ONE);
    assert_memory_equal(found.members.items, light, sizeof light);
  }
}

static bool is_unreachable(rules_fixture *f, const circuit *c, const fact_set *proved,
                           const char *left, const char *right) {
  induct_condition condition;
  const wire wires[2] = {c->fluents.items[fluent_number(f, c, left)].now,
                         c->fluents.items[fluent_number(f, c, right)].now};
  condition_begin(&condition, f->keep);
  condition_add(&condition, &wires[0], 1);
  condition_add(&condition, &wires[1], 1);
  induct_query *q = induct_query_new(c, proved, false, (induct_options){0}, NULL, f->keep);
  const bool answer = induct_is_unreachable(q, &condition, NULL);
  induct_query_free(q);
  return answer;
}

static void tells_what_can_not_be_together(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  fact_set proved = {.keep = f->keep};
  fact_set none = {.keep = f->keep};
  induct_counts counts = {0};
  build_circuit(f, turns, &g, &c);
  induct_find_facts(&proved, &c, (induct_options){0}, NULL, &counts);
  assert_true(is_unreachable(f, &c, &proved, "(turn a)", "(turn b)"));
  assert_true(is_unreachable(f, &c, &proved, "(n 1)", "(n 3)"));
  assert_false(is_unreachable(f, &c, &proved, "(turn a)", "(n 0)"));
  assert_false(is_unreachable(f, &c, &none, "(turn a)", "(turn b)"));
}

static void proves_nothing_without_time(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  fact_set proved = {.keep = f->keep};
  induct_counts counts = {0};
  budget spent = budget_new(1e-9, 0);
  build_circuit(f, turns, &g, &c);
  budget_check_now(&spent);
  induct_find_facts(&proved, &c, (induct_options){0}, &spent, &counts);
  assert_int_equal(proved.all.count, 0);
}

/* Whether the goal is reached is recursive; a wall that is never opened keeps it out of reach. */
static void recursion_is_taken_generously(void **state) {
  static const char words[] =
      "(role r) (init (open 1 2)) (init (open 2 1)) (init (shut 1)) (node 1) (node 2) (node 3)\n"
      "(<= (legal r (go ?x)) (node ?x))\n"
      "(<= (reach 1) (true (shut 1))) (<= (reach ?y) (reach ?x) (true (open ?x ?y)))\n"
      "(<= (next (open ?x ?y)) (true (open ?x ?y))) (<= (next (shut ?x)) (true (shut ?x)))\n"
      "(<= (next (open ?x ?y)) (does r (go ?x)) (node ?y) (reach 3))\n"
      "(<= (next won) (reach 3)) (<= terminal (true won)) (<= (goal r 100) (true won))";
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  build_circuit(f, words, &g, &c);
  unrolling *u = unroll_new(&c, true, NULL);
  unroll_require_step(u, 0);
  const wire won = c.fluents.count ? c.terminal : WIRE_FALSE;
  const sat_literal assumed = unroll_wire(u, won, 0);
  assert_int_equal(sat_solve(unroll_solver(u), &assumed, 1, 0), SAT_NO);
  unroll_free(u);
}

static void the_solver_answers_under_assumptions(void **state) {
  rules_fixture *f = *state;
  sat_solver *s = sat_new(NULL, f->keep);
  const sat_literal a = sat_variable(s);
  const sat_literal b = sat_variable(s);
  sat_add_2(s, -a, b);
  const sat_literal both[2] = {a, -b};
  assert_int_equal(sat_solve(s, both, 2, 0), SAT_NO);
  assert_true(sat_was_used(s, a));
  assert_int_equal(sat_solve(s, &a, 1, 0), SAT_YES);
  assert_true(sat_value(s, b));
  assert_false(sat_value(s, -b));
  assert_int_equal(sat_count(s).questions, 2);
  sat_free(s);
}

/* A trace of three steps: turns go round, and only legal moves are made. */
static void unrolls_over_several_steps(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  build_circuit(f, turns, &g, &c);
  unrolling *u = unroll_new(&c, true, NULL);
  for (uint32_t time = 0; time < 2; time++) unroll_require_step(u, time);
  const wire now = c.fluents.items[fluent_number(f, &c, "(turn c)")].now;
  const sat_literal holds = unroll_wire(u, now, 2);
  const sat_literal fails = -holds;
  assert_int_equal(sat_solve(unroll_solver(u), &holds, 1, 0), SAT_YES);
  assert_int_equal(sat_solve(unroll_solver(u), &fails, 1, 0), SAT_NO);
  const sat_literal taken =
      unroll_wire(u, c.fluents.items[fluent_number(f, &c, "(cell b)")].now, 1);
  assert_int_equal(sat_solve(unroll_solver(u), &taken, 1, 0), SAT_NO);
  unroll_free(u);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(finds_and_proves_whose_turn_it_is),
      rules_test(a_long_counter_takes_few_rounds),
      rules_test(a_sample_holds_no_more_than_what_is_new),
      rules_test(finds_names_that_take_turns),
      rules_test(finds_what_stands_on_a_square),
      rules_test(finds_where_a_piece_may_be),
      rules_test(finds_what_two_names_say_of_a_square),
      rules_test(finds_turns_that_take_a_whole_step),
      rules_test(finds_that_nothing_hangs_in_the_air),
      rules_test(a_proof_falls_with_what_it_rests_on),
      rules_test(what_is_let_go_for_lack_of_time_is_told),
      rules_test(does_not_prove_what_is_false),
      rules_test(does_not_prove_what_random_play_never_sees_broken),
      rules_test(tells_what_can_not_be_together),
      rules_test(proves_nothing_without_time),
      rules_test(recursion_is_taken_generously),
      rules_test(the_solver_answers_under_assumptions),
      rules_test(unrolls_over_several_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
