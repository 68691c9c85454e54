#include "prove/prove_fixture.h"
#include "states/walk.h"

/* ---- the faulty games ---- */

static void finds_the_line_in_a_million_that_leaves_a_role_stuck(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/stuck-after-twelve");
  static const char *const methods[] = {"exhaustive", "pdr", "bmc", "auto"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const finding *v = found(f, "playable", methods[i]);
    assert_int_equal(v->kind, VERDICT_REFUTED);
    assert_int_equal(v->length, 12);
    assert_string_equal(v->reason, "burglar has no legal move, and the state is not terminal");
  }
  assert_probe_finds_nothing(f, "playable");
}

static void finds_a_cycle(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/runs-in-circles");
  static const char *const methods[] = {"exhaustive", "probe", "auto"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const finding *v = found(f, "terminates", methods[i]);
    assert_int_equal(v->kind, VERDICT_REFUTED);
    assert_int_equal(v->length - v->returns_to, 4);
  }
  assert_verdict(f, "terminates", "termination", "unknown");
  ask(f, "terminates");
  run(f, "bmc", 0.2);
  assert_int_equal(f->j.findings[0].kind, VERDICT_UNKNOWN);
}

static void finds_a_terminal_state_without_goal(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/goal-missing");
  static const char *const methods[] = {"exhaustive", "probe", "pdr", "bmc", "auto"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const finding *v = found(f, "goals", methods[i]);
    assert_int_equal(v->kind, VERDICT_REFUTED);
    assert_int_equal(v->length, 1);
  }
}

static void finds_that_a_role_never_wins(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/never-wins");
  static const char *const methods[] = {"exhaustive", "pdr", "bmc", "auto"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    assert_verdict(f, "winnable second", methods[i], "refuted");
    assert_verdict(f, "winnable first", methods[i], "proved");
  }
}

/* ---- sound ones ---- */

/* The example of the paper. */
static void simultaneous_tic_tac_toe_is_playable_and_need_not_end(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "simultaneous-tic-tac-toe");
  static const char *const methods[] = {"exhaustive", "induction", "pdr", "auto"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    assert_verdict(f, "playable", methods[i], "proved");
  assert_verdict(f, "terminates", "exhaustive", "refuted");
  assert_verdict(f, "terminates", "termination", "unknown");
}

static void proves_that_boards_fill_up(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "connect-four");
  assert_verdict(f, "terminates", "termination", "proved");
  read_builtin(f, "hex-5");
  assert_verdict(f, "terminates", "termination", "proved");
}

static void names_moves_that_are_never_legal(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "chomp");
  const finding *v = found(f, "dead", "exhaustive");
  assert_int_equal(v->kind, VERDICT_REFUTED);
  assert_string_equal(v->reason, "never legal: second (bite 7 4)");
  assert_string_equal(v->method, "exhaustive");
  assert_probe_finds_nothing(f, "dead");
}

/* The second rule never fires, for a and b are never both true; the third fires in an end alone,
   and the last one has no instance. */
static void names_rules_that_never_fire(void **state) {
  prove_fixture *f = *state;
  static const char *const methods[] = {"exhaustive", "induction", "auto"};
  read_game(f, "(role r) (init a) (legal r go) (<= terminal (true b))\n"
               "(<= (next b) (true a) (does r go))\n"
               "(<= (next c) (true a) (true b))\n"
               "(<= (goal r 100) (true b)) (<= (goal r 0) (not (true b)))\n"
               "(<= odd (true a) (distinct a a)) "
               "(<= (next d) (true a) (true c) (not (does r go)))");
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const finding *v = found(f, "dead", methods[i]);
    assert_int_equal(v->kind, VERDICT_REFUTED);
    assert_string_equal(v->lists.items[1].key, "never_fires");
    assert_int_equal(v->lists.items[1].names.count, 3);
    assert_string_equal(v->lists.items[1].names.items[0], "(next c) at line 3:1");
    assert_string_equal(v->lists.items[1].names.items[1], "odd at line 5:1");
    assert_string_equal(v->lists.items[1].names.items[2], "(next d) at line 5:34");
  }
  assert_string_equal(found(f, "dead", "exhaustive")->reason,
                      "never fires: (next c) at line 3:1, odd at line 5:1, (next d) at line 5:34");
}

static bool has_name(const name_list *l, const char *name) {
  for (uint32_t i = 0; i < l->names.count; i++)
    if (strcmp(l->names.items[i], name) == 0) return true;
  return false;
}

/* `late` is legal where q is stuck, and nowhere else. */
static void a_move_is_legal_where_another_role_is_stuck(void **state) {
  prove_fixture *f = *state;
  static const char *const methods[] = {"probe", "exhaustive", "auto"};
  read_game(f, "(role p) (role q) (<= (legal p late) (true b)) (<= (legal p go) (not (true b)))\n"
               "(<= (legal q go) (not (true b))) (<= (next b) (does p go)) (goal p 0)\n"
               "(<= terminal (true b) (true c)) (<= (next c) (true c)) (init a) (goal q 0)\n"
               "(<= (legal q never) (true a) (true b))");
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    ask(f, "dead");
    run(f, methods[i], i ? AMPLE_SECONDS : 1);
    assert_false(has_name(&f->j.findings[0].lists.items[0], "p late"));
  }
  const finding *v = found(f, "dead", "induction");
  assert_int_equal(v->kind, VERDICT_REFUTED);
  assert_false(has_name(&v->lists.items[0], "p late"));
  assert_true(has_name(&v->lists.items[0], "q never"));
}

/* Play shows what is used, and nothing else: a rule without an instance is seen by grounding. */
static void play_alone_shows_nothing_dead(void **state) {
  prove_fixture *f = *state;
  read_game(f,
            "(role r) (init a) (legal r go) (<= terminal (true b)) (<= (next b) (true a))\n"
            "(<= (goal r 100) (true b)) (<= (goal r 0) (true a)) (<= odd (true a) (distinct a a))");
  const finding *v = found(f, "dead", "probe");
  assert_int_equal(v->kind, VERDICT_REFUTED);
  assert_string_equal(v->method, "grounding");
}

static void names_what_is_not_decided(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "chomp");
  ask(f, "dead");
  budget b = budget_new(2, 0);
  prove_dead(&f->j, DEAD_BY_PLAY, &b);
  const finding *v = &f->j.findings[0];
  assert_int_equal(v->kind, VERDICT_UNKNOWN);
  assert_string_equal(v->lists.items[2].key, "undecided");
  assert_true(has_name(&v->lists.items[2], "second (bite 7 4)"));
}

/* The marks of rules have names that are not in the rulesheet, whatever it has. */
static void a_relation_may_be_called_like_a_mark(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init a) (legal r go) (<= terminal (true b)) (<= (next b) (true a))\n"
               "(<= (rule\\ fires\\ 0 99999) (true a)) (<= (rule\\ fires 99999) (true a))\n"
               "(<= (goal r 100) (rule\\ fires\\ 0 99999)) (<= (goal r 0) (rule\\ fires 99999))");
  assert_verdict(f, "dead", "exhaustive", "proved");
}

static void finds_that_all_rules_fire(void **state) {
  prove_fixture *f = *state;
  static const char *const games[] = {"tic-tac-toe", "connect-four", "nim"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_builtin(f, games[i]);
    assert_verdict(f, "dead", "probe", "proved");
    assert_verdict(f, "dead", "auto", "proved");
  }
}

/* ---- goals along the way ---- */

#define CLIMB(goals) \
  "(role r) (init (at 0)) (legal r up) (legal r stay) (up 0 1) (up 1 2)\n" \
  "(<= (next (at ?y)) (true (at ?x)) (up ?x ?y) (does r up))\n" \
  "(<= (next (at ?x)) (true (at ?x)) (does r stay)) (<= terminal (true (at 2)))\n" goals

static void finds_goals_that_fall(void **state) {
  prove_fixture *f = *state;
  static const char *const methods[] = {"exhaustive", "probe", "auto"};
  read_game(f, CLIMB("(<= (goal r 50) (true (at 0))) (<= (goal r 30) (true (at 1)))\n"
                     "(<= (goal r 100) (true (at 2)))"));
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const finding *v = found(f, "monotone", methods[i]);
    assert_int_equal(v->kind, VERDICT_REFUTED);
    assert_string_equal(v->reason, "r has a smaller goal than before");
  }
  assert_int_equal(found(f, "monotone", "exhaustive")->length, 1);
  assert_verdict(f, "monotone", "induction", "unknown");
  assert_verdict(f, "goals", "exhaustive", "proved");
}

static void finds_states_without_goal(void **state) {
  prove_fixture *f = *state;
  read_game(f, CLIMB("(<= (goal r 0) (true (at 0))) (<= (goal r 100) (true (at 2)))"));
  const finding *v = found(f, "monotone", "exhaustive");
  assert_int_equal(v->kind, VERDICT_REFUTED);
  assert_int_equal(v->length, 1);
  assert_string_equal(v->reason, "r has no goal");
  assert_string_equal(found(f, "monotone", "probe")->reason, "r has no goal");
}

static void proves_that_goals_never_fall(void **state) {
  prove_fixture *f = *state;
  static const char *const methods[] = {"exhaustive", "induction", "auto"};
  read_game(f, CLIMB("(<= (goal r 0) (true (at 0))) (<= (goal r 30) (true (at 1)))\n"
                     "(<= (goal r 100) (true (at 2)))"));
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    assert_verdict(f, "monotone", methods[i], "proved");
  assert_probe_finds_nothing(f, "monotone");
}

static void goals_that_are_worth_the_same_do_not_fall(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role x) (init a) (legal x go) (<= (next b) (true a)) (<= terminal (true b))\n"
               "(<= (goal x 50) (true a)) (<= (goal x 050) (true b))");
  assert_verdict(f, "monotone", "exhaustive", "proved");
  assert_verdict(f, "monotone", "induction", "proved");
}

/* ---- strategies ---- */

/* Nim with 3, 4, 5 and 7 can be won by the first player; nobody can force tic-tac-toe. */
static void tells_who_can_force_a_win(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "nim");
  const finding *v = found(f, "strongly-winnable first", "exhaustive");
  assert_int_equal(v->kind, VERDICT_PROVED);
  assert_non_null(strstr(v->reason, "first can force it in"));
  const finding *other = found(f, "strongly-winnable second", "exhaustive");
  assert_int_equal(other->kind, VERDICT_REFUTED);
  assert_string_equal(other->reason, "the others can keep second from it");
  read_builtin(f, "tic-tac-toe");
  assert_verdict(f, "strongly-winnable x", "auto", "refuted");
  assert_verdict(f, "strongly-winnable o", "auto", "refuted");
  assert_verdict(f, "strongly-winnable x", "pdr", "unknown");
}

/* By trees of play, of which most states are no part. */
static void trees_of_play_tell_the_same(void **state) {
  prove_fixture *f = *state;
  static const char *const games[] = {"nim", "tic-tac-toe", "chomp", "kuhn-poker",
                                      "river-crossing"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_builtin(f, games[i]);
    ask(f, "strongly-winnable");
    run(f, "exhaustive", AMPLE_SECONDS);
    verdict_kind walked[2];
    for (uint32_t p = 0; p < f->j.properties.count; p++) walked[p] = f->j.findings[p].kind;
    read_builtin(f, games[i]);
    ask(f, "strongly-winnable");
    run(f, "proof-number", AMPLE_SECONDS);
    for (uint32_t p = 0; p < f->j.properties.count; p++)
      if (f->j.findings[p].kind != VERDICT_UNKNOWN)
        assert_int_equal(f->j.findings[p].kind, walked[p]);
  }
  read_builtin(f, "nim");
  const finding *v = found(f, "strongly-winnable first", "proof-number");
  assert_int_equal(v->kind, VERDICT_PROVED);
  assert_true(v->states < 1904);
}

/* What chance does, too, is against the role; whoever does not see the state cannot do more than who does. */
static void chance_plays_against_whoever_forces(void **state) {
  prove_fixture *f = *state;
  static const char dice[] =
      "(role random) (role a) (init (left 2)) (legal random one) (legal random two) (legal a noop)\n"
      "(<= (next (left 1)) (true (left 2)) (does random one)) (<= (next over) (does random two))\n"
      "(<= (next over) (true (left 1))) (<= terminal (true over))\n";
  text words = text_new(f->keep);
  text_add_format(&words, "%s(<= (goal a 100) (true over))", dice);
  read_game(f, text_string(&words));
  assert_verdict(f, "strongly-winnable a", "proof-number", "proved");
  text lost = text_new(f->keep);
  text_add_format(&lost,
                  "%s(<= (next late) (true (left 1))) (<= (goal a 100) (true late)) "
                  "(<= (goal a 0) (not (true late)))",
                  dice);
  read_game(f, text_string(&lost));
  const finding *v = found(f, "strongly-winnable a", "proof-number");
  assert_int_equal(v->kind, VERDICT_REFUTED);
  assert_non_null(strstr(v->reason, "no strategy that is sure to win"));
  assert_verdict(f, "strongly-winnable random", "proof-number", "unknown");
  read_builtin(f, "rock-paper-scissors");
  assert_verdict(f, "strongly-winnable left", "proof-number", "unknown");
}

/* Who moves at the same time as others does not know their moves. */
static void a_strategy_does_not_see_what_others_do_now(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "rock-paper-scissors");
  ask(f, "strongly-winnable");
  run(f, "exhaustive", AMPLE_SECONDS);
  for (uint32_t i = 0; i < f->j.properties.count; i++) {
    assert_int_equal(f->j.findings[i].kind, VERDICT_REFUTED);
    assert_non_null(strstr(f->j.findings[i].reason, "has no strategy that is sure to win"));
    assert_null(strstr(f->j.findings[i].reason, "keep"));
  }
  ask(f, "winnable");
  run(f, "exhaustive", AMPLE_SECONDS);
  for (uint32_t i = 0; i < f->j.properties.count; i++)
    assert_int_equal(f->j.findings[i].kind, VERDICT_PROVED);
}

/* A coin is tossed and guessed: who sees it can win. */
static const char coin[] =
    "(role random) (role a) (init tossing) (side heads) (side tails)\n"
    "(<= (legal random (toss ?s)) (true tossing) (side ?s))\n"
    "(<= (legal random noop) (not (true tossing))) (<= (legal a noop) (true tossing))\n"
    "(<= (legal a (guess ?s)) (not (true tossing)) (side ?s))\n"
    "(<= (next (coin ?s)) (does random (toss ?s)))\n"
    "(<= (next won) (true (coin ?s)) (does a (guess ?s))) (<= (next over) (does random noop))\n"
    "(<= terminal (true over)) (<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))\n";

static void what_is_not_seen_is_no_ground_for_a_strategy(void **state) {
  prove_fixture *f = *state;
  read_game(f, coin);
  assert_verdict(f, "strongly-winnable", "exhaustive", "proved");
  text hidden = text_new(f->keep);
  text_add_format(&hidden, "%s(<= (sees a over) (does random noop))", coin);
  read_game(f, text_string(&hidden));
  const finding *v = found(f, "strongly-winnable", "exhaustive");
  assert_int_equal(v->kind, VERDICT_UNKNOWN);
  assert_non_null(strstr(v->reason, "a could force it in 2 steps if it knew the state"));
  const finding *random = found(f, "strongly-winnable random", "exhaustive");
  assert_int_equal(random->kind, VERDICT_REFUTED);
  assert_non_null(strstr(random->reason, "not even if it knew the state"));
}

static void chance_needs_no_goal_and_no_win(void **state) {
  prove_fixture *f = *state;
  read_game(f, coin);
  ask(f, "winnable");
  assert_int_equal(f->j.properties.count, 1);
  assert_string_equal(f->j.properties.items[0].name, "winnable a");
  assert_verdict(f, "winnable random", "exhaustive", "refuted");
  static const char *const methods[] = {"exhaustive", "induction", "pdr"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    assert_verdict(f, "goals", methods[i], "proved");
  assert_probe_finds_nothing(f, "goals");
  assert_verdict(f, "monotone", "exhaustive", "proved");
}

/* A puzzle is won by force where it can be won at all. */
static void alone_a_role_can_force_what_it_can_reach(void **state) {
  prove_fixture *f = *state;
  static const char *const games[] = {"river-crossing", "maze", "towers-of-hanoi"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_builtin(f, games[i]);
    const verdict_kind weak = found(f, "winnable", "exhaustive")->kind;
    assert_int_equal(found(f, "strongly-winnable", "exhaustive")->kind, weak);
  }
}

/* One game in some hundred thousand is won. */
static void finds_wins_that_are_rare(void **state) {
  prove_fixture *f = *state;
  budget b = budget_new(0, 0);
  read_builtin(f, "lights-out");
  ask(f, "winnable");
  prove_by_chance(&f->j, &b);
  assert_int_equal(f->j.findings[0].kind, VERDICT_PROVED);
  assert_true(f->j.findings[0].has_line);
  read_builtin(f, "tic-tac-toe");
  ask(f, "winnable");
  prove_by_chance(&f->j, &b);
  for (uint32_t i = 0; i < 2; i++) assert_int_equal(f->j.findings[i].kind, VERDICT_PROVED);
  read_builtin(f, "unsound/never-wins");
  ask(f, "winnable second");
  budget little = budget_new(0.2, 0);
  prove_by_chance(&f->j, &little);
  assert_int_equal(f->j.findings[0].kind, VERDICT_UNKNOWN);
}

/* A hand of twenty cards, and twenty ways to get them all back: without cards there is no move.  A
   random game comes there with a probability of one in 137 thousand million. */
static void squeezes_a_role_until_it_is_stuck(void **state) {
  prove_fixture *f = *state;
  text game = text_new(f->keep);
  text_add(&game, "(role r) (<= (init (hand ?c)) (card ?c)) (<= holds (true (hand ?c)))\n");
  for (int i = 1; i <= 20; i++) text_add_format(&game, "(card %d)\n", i);
  text_add(&game,
           "(<= (legal r (drop ?c)) (true (hand ?c))) (<= (legal r (draw ?c)) (card ?c) holds)\n"
           "(<= (next (hand ?d)) (does r (drop ?c)) (true (hand ?d)) (distinct ?c ?d))\n"
           "(<= (next (hand ?d)) (does r (draw ?c)) (card ?d)) (init (other 1))\n"
           "(<= terminal (true (other 2))) (<= (goal r 0) (true (other 2)))");
  read_game(f, text_string(&game));
  assert_probe_finds_nothing(f, "playable");
  const finding *v = found(f, "playable", "squeeze");
  assert_int_equal(v->kind, VERDICT_REFUTED);
  assert_string_equal(v->method, "squeeze");
  assert_true(v->has_line && v->length >= 20);
}

/* ---- measures ---- */

/* Pieces that only go forward; pieces that become fewer; two kinds of turn; passes. */
static void finds_measures(void **state) {
  prove_fixture *f = *state;
  static const char *const games[] = {"breakthrough-8", "peg-solitaire", "reversi", "chomp"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_builtin(f, games[i]);
    assert_verdict(f, "terminates", "termination", "proved");
  }
}

/* No measure may be found where a play need not end. */
static void finds_no_measure_where_there_is_none(void **state) {
  prove_fixture *f = *state;
  static const char *const games[] = {"eight-queens",    "unsound/runs-in-circles",
                                      "towers-of-hanoi", "maze",
                                      "blocks-world",    "simultaneous-tic-tac-toe"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_builtin(f, games[i]);
    const verdict_kind truth = found(f, "terminates", "exhaustive")->kind;
    const verdict_kind said = found(f, "terminates", "termination")->kind;
    assert_true(said == VERDICT_UNKNOWN || said == truth);
  }
}

/* ---- time ---- */

static void what_is_not_known_has_its_time(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "connect-four");
  ask(f, "strongly-winnable");
  run_whole(f, "auto", 0.3);
  assert_int_equal(f->j.findings[0].kind, VERDICT_UNKNOWN);
  assert_true(f->j.findings[0].seconds >= 0.25);
}

/* The second walk of `auto` goes on where the first was stopped. */
static void a_walk_is_taken_up(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "connect-four");
  ask(f, "terminates");
  uint64_t before = 0;
  for (double seconds = 0.1; before <= 1; seconds *= 2) {
    run(f, "exhaustive", seconds);
    before = walk_states(f->j.walk);
  }
  budget none = budget_new(1e-9, 0);
  prove_by_walk(&f->j, &none);
  assert_true(walk_states(f->j.walk) >= before);
}

/* A latch that nothing reads goes on changing while the rest comes round. */
static void a_cycle_is_one_of_the_whole_state(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init (a 1)) (init (c 0)) (legal r go) (<= terminal (true (a 9)))\n"
               "(next-of 0 1) (next-of 1 2) (next-of 2 0) (<= (next (a 1)) (true (a 1)))\n"
               "(<= (next (c ?y)) (true (c ?x)) (next-of ?x ?y)) (<= (goal r 0) (true (a 1)))\n"
               "(<= (next (a 9)) (true (a 8))) (<= (next (a 8)) (true (a 9)))");
  const finding *v = found(f, "terminates", "exhaustive");
  assert_int_equal(v->kind, VERDICT_REFUTED);
  assert_int_equal(v->length - v->returns_to, 3);
}

/* 100 and 0100 are two terms and one number, and either wins. */
static void a_win_may_be_written_in_two_ways(void **state) {
  prove_fixture *f = *state;
  static const char *const ends[] = {"a", "b", "a"};
  for (size_t i = 0; i < 2; i++) {
    text words = text_new(f->keep);
    text_add_format(
        &words,
        "(role r) (init a) (legal r go) (legal r stay)\n"
        "(<= (next b) (true a) (does r go)) (<= (next a) (true a) (does r stay))\n"
        "(<= terminal (true b)) (<= (goal r 100) (true %s)) (<= (goal r 0100) (true %s))",
        ends[i], ends[i + 1]);
    read_game(f, text_string(&words));
    assert_verdict(f, "winnable r", "exhaustive", "proved");
    assert_verdict(f, "winnable r", "pdr", "proved");
  }
}

/* No facts are looked for: the proof has none, although the counter would give one. */
static void moves_that_are_always_legal_leave_nothing_to_ask(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init (step 0)) (after 0 1) (after 1 2) (legal r go) (legal r stay)\n"
               "(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))\n"
               "(<= terminal (true (step 2))) (goal r 100)");
  const finding *v = found(f, "playable", "induction");
  assert_int_equal(v->kind, VERDICT_PROVED);
  assert_int_equal(v->certificate->all.count, 0);
  assert_false(f->j.has_facts);
}

static void a_game_needs_a_role(void **state) {
  prove_fixture *f = *state;
  prove_job j;
  read_game(f, "(<= (role ?x) (player ?x)) (init a) (<= (next a) (true a)) (<= terminal (true b))\n"
               "(<= (player ?x) (nobody ?x)) (<= (nobody ?x) (player ?x))");
  assert_false(job_open(&j, &f->p, (prove_options){.threads = 1}, &f->b, &f->d));
  assert_int_equal(f->d.all.items[f->d.all.count - 1].kind, DIAG_E601);
  job_close(&j);
}

/* ---- methods among each other ---- */

static bool contradict(verdict_kind a, verdict_kind b) {
  return a != VERDICT_UNKNOWN && b != VERDICT_UNKNOWN && a != b;
}

static void assert_agreement(prove_fixture *f, const char *game) {
  static const char *const methods[] = {"probe",       "squeeze", "induction",
                                        "termination", "pdr",     "bmc"};
  read_builtin(f, game);
  ask(f, "all");
  run(f, "exhaustive", AMPLE_SECONDS);
  const uint32_t count = f->j.properties.count;
  verdict_kind *truth = arena_new_array(f->keep, verdict_kind, count);
  for (uint32_t i = 0; i < count; i++) truth[i] = f->j.findings[i].kind;
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    ask(f, "all");
    run(f, methods[m], 0.3);
    for (uint32_t i = 0; i < count; i++)
      if (contradict(truth[i], f->j.findings[i].kind))
        fail_msg("%s: %s: %s says %s", game, f->j.properties.items[i].name, methods[m],
                 verdict_name(f->j.findings[i].kind));
  }
}

static void no_method_contradicts_the_walk(void **state) {
  static const char *const games[] = {"tic-tac-toe",
                                      "nim",
                                      "chomp",
                                      "maze",
                                      "kuhn-poker",
                                      "monty-hall",

                                      "river-crossing",
                                      "rock-paper-scissors",
                                      "unsound/never-wins"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) assert_agreement(*state, games[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(finds_the_line_in_a_million_that_leaves_a_role_stuck),
      a_test(finds_a_cycle),
      a_test(finds_a_terminal_state_without_goal),
      a_test(finds_that_a_role_never_wins),
      a_test(simultaneous_tic_tac_toe_is_playable_and_need_not_end),
      a_test(proves_that_boards_fill_up),
      a_test(names_moves_that_are_never_legal),
      a_test(names_rules_that_never_fire),
      a_test(a_move_is_legal_where_another_role_is_stuck),
      a_test(play_alone_shows_nothing_dead),
      a_test(names_what_is_not_decided),
      a_test(a_relation_may_be_called_like_a_mark),
      a_test(finds_that_all_rules_fire),
      a_test(finds_goals_that_fall),
      a_test(finds_states_without_goal),
      a_test(proves_that_goals_never_fall),
      a_test(goals_that_are_worth_the_same_do_not_fall),
      a_test(tells_who_can_force_a_win),
      a_test(trees_of_play_tell_the_same),
      a_test(chance_plays_against_whoever_forces),
      a_test(a_strategy_does_not_see_what_others_do_now),
      a_test(what_is_not_seen_is_no_ground_for_a_strategy),
      a_test(chance_needs_no_goal_and_no_win),
      a_test(alone_a_role_can_force_what_it_can_reach),
      a_test(finds_wins_that_are_rare),
      a_test(squeezes_a_role_until_it_is_stuck),
      a_test(finds_measures),
      a_test(finds_no_measure_where_there_is_none),
      a_test(what_is_not_known_has_its_time),
      a_test(a_walk_is_taken_up),
      a_test(a_cycle_is_one_of_the_whole_state),
      a_test(a_win_may_be_written_in_two_ways),
      a_test(moves_that_are_always_legal_leave_nothing_to_ask),
      a_test(a_game_needs_a_role),
      a_test(no_method_contradicts_the_walk),
  };
  return cmocka_run_group_tests_name("prove/prove", tests, NULL, NULL);
}
