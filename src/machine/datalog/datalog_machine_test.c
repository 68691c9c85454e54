#include "ground/random_game_fixture.h"
#include "machine/compare.h"
#include "machine/datalog/datalog_machine.h"
#include "machine/machine_fixture.h"
#include "rules/nested_fixture.h"

/* The fixture's machine becomes one of this kind. */
static bool switch_machine(machine_fixture *f, const char *kind) {
  const machine_source from = {.program = &f->p};
  close_game(f);
  f->m = machine_open(kind, &from, &f->b, &f->d);
  if (!f->m) return false;
  f->w = machine_workspace_new(f->m, &f->b);
  f->position = arena_alloc(f->keep, f->m->position_size);
  machine_start(f->m, f->position);
  return true;
}

static void open_datalog_game(machine_fixture *f, const char *words) {
  open_game(f, words);
  assert_true(switch_machine(f, "datalog"));
}

/* Random games are the same on this machine and on `reference`. */
static void assert_agrees(machine_fixture *f, const char *words, uint64_t games) {
  const compare_options o = {.seed = 3, .games = games, .max_steps = 40};
  const machine_source from = {.program = &f->p};
  compare_report r;
  open_game(f, words);
  machine *m = machine_open("datalog", &from, &f->b, &f->d);
  assert_non_null(m);
  machine_workspace *w = machine_workspace_new(m, &f->b);
  assert_true(machines_compare(&r, f->m, f->w, m, w, &o, f->keep));
  assert_string_equal(text_string(&r.words), "");
  assert_int_equal(r.games, games);
  machine_workspace_free(m, w);
  machine_close(m);
}

static void assert_agrees_on_builtin(void **state, const char *name, uint64_t games) {
  assert_agrees(*state, builtin_text(*state, name), games);
}

static void agrees_on_a_game_in_turns(void **state) {
  assert_agrees_on_builtin(state, "tic-tac-toe", 20);
}

static void agrees_on_simultaneous_moves(void **state) {
  assert_agrees_on_builtin(state, "simultaneous-tic-tac-toe", 10);
}

static void agrees_on_what_roles_see(void **state) {
  assert_agrees_on_builtin(state, "kuhn-poker", 20);
}

static void agrees_on_recursive_rules(void **state) {
  assert_agrees_on_builtin(state, "atari-go-7", 2);
}

static void agrees_on_random_games(void **state) {
  machine_fixture *f = *state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    rng r = rng_new(17, seed);
    const char *words = random_game_text(&r, f->keep);
    print_message("random game %u\n", (unsigned)seed);
    assert_agrees(f, words, 5);
  }
}

/* ---- states in any order ---- */

enum { STATES = 40 };

/* Positions of one random game after another. */
static void play_states(machine_fixture *f, void **positions, rng *r) {
  move_id *moves = arena_new_array(f->keep, move_id, 1000), joint[2];
  for (uint32_t i = 0; i < STATES; i++) {
    positions[i] = arena_alloc(f->keep, f->m->position_size);
    memcpy(positions[i], f->position, f->m->position_size);
    if (machine_terminal(f->m, f->w, f->position)) machine_start(f->m, f->position);
    for (uint32_t role = 0; role < f->m->role_count; role++)
      joint[role] = moves[rng_below(r, machine_legal(f->m, f->w, f->position, role, moves, 1000))];
    machine_step(f->m, f->w, f->position, joint, f->position);
  }
}

/* What a workspace answers about a state. */
static const char *answers(machine_fixture *f, machine_workspace *w, const void *position) {
  move_id moves[1000], joint[2];
  void *next = arena_alloc(f->keep, f->m->position_size);
  text out = text_new(f->keep);
  text_add_format(&out, "%d", machine_terminal(f->m, w, position));
  for (uint32_t role = 0; role < f->m->role_count; role++) {
    const uint32_t count = machine_legal(f->m, w, position, role, moves, 1000);
    joint[role] = moves[count / 2];
    for (uint32_t i = 0; i < count; i++) text_add_format(&out, " %u", moves[i]);
  }
  machine_step(f->m, w, position, joint, next);
  for (uint32_t i = 0; i <= ((const uint32_t *)next)[0]; i++)
    text_add_format(&out, " %u", ((const uint32_t *)next)[i]);
  return text_string(&out);
}

/* Models are told differences only: a workspace that has seen many states answers as a new one. */
static void states_may_be_asked_in_any_order(void **state) {
  machine_fixture *f = *state;
  const char *const games[] = {"tic-tac-toe", "breakthrough-6", "atari-go-7"};
  rng r = rng_new(11, 0);
  for (uint32_t g = 0; g < 3; g++) {
    void *positions[STATES];
    open_datalog_game(f, builtin_text(f, games[g]));
    play_states(f, positions, &r);
    for (uint32_t turn = 0; turn < STATES; turn++) {
      const void *position = positions[rng_below(&r, STATES)];
      machine_workspace *fresh = machine_workspace_new(f->m, &f->b);
      assert_string_equal(answers(f, f->w, position), answers(f, fresh, position));
      machine_workspace_free(f->m, fresh);
    }
  }
}

/* ---- strata ---- */

static const char once_ground[] =
    "(role r) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (<= (legal r up) (true (n ?x)))\n"
    "(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 3)))\n"
    "(<= (goal ?r 100) (role ?r) (true (n 3)))\n"
    "(<= (goal ?r 50) (role ?r) (true (n 2)) (not (goal ?r 100)))\n"
    "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)) (not (goal ?r 50)))";

static void plays_rules_that_are_stratified_only_once_ground(void **state) {
  machine_fixture *f = *state;
  open_datalog_game(f, once_ground);
  assert_string_equal(goals_now(f, 0), "0");
  make_move(f, "up");
  make_move(f, "up");
  assert_string_equal(goals_now(f, 0), "50");
  make_move(f, "up");
  assert_string_equal(goals_now(f, 0), "100");
}

/* A long chain of denials: each level needs two turns more. */
static void follows_denials_through_many_levels(void **state) {
  assert_agrees(*state,
                "(role r) (init (at a)) (legal r stay) (<= (legal r (go ?y)) (true (at ?x))\n"
                "(edge ?x ?y)) (<= (next (at ?y)) (does r (go ?y)))\n"
                "(<= (next (at ?x)) (true (at ?x)) (does r stay))\n"
                "(edge a b) (edge b c) (edge c d) (edge d e) (edge a e) (edge b f) (edge f d)\n"
                "(<= (wins ?x) (edge ?x ?y) (not (wins ?y)))\n"
                "(<= (free ?x ?y) (edge ?x ?y) (true (at ?z)) (not (free ?y ?z)))\n"
                "(<= (goal r 100) (true (at ?x)) (wins ?x))\n"
                "(<= (goal r 0) (true (at ?x)) (not (wins ?x)))",
                10);
}

static void a_fact_that_denies_itself_is_trouble(void **state) {
  machine_fixture *f = *state;
  open_datalog_game(f, "(role r) (init (n 0)) (legal r go)\n"
                       "(<= (p ?x) (true (n ?x))\n (not (p ?x)))\n"
                       "(<= (goal r 1) (p 0))");
  assert_trouble(f, DIAG_E501, 2);
}

/* ---- terms ---- */

static void fluents_need_not_be_known_beforehand(void **state) {
  machine_fixture *f = *state;
  open_datalog_game(f, "(role r) (init (n z)) (<= (legal r (to ?x)) (true (n ?x)))\n"
                       "(<= (next (n (s ?x))) (true (n ?x)) (does r (to ?x)))\n"
                       "(<= terminal (true (n (s (s (s ?x))))))");
  make_move(f, "(to z)");
  make_move(f, "(to (s z))");
  assert_string_equal(fluents_now(f), "(n (s (s z)))");
  assert_string_equal(moves_now(f, 0), "(to (s (s z)))");
  assert_false(f->view.terminal);
  make_move(f, "(to (s (s z)))");
  look(f);
  assert_true(f->view.terminal);
}

static void agrees_where_terms_nest_without_end(void **state) {
  assert_agrees(
      *state,
      "(role r) (role s) (init (stack nil)) (item a) (item b)\n"
      "(<= (legal ?r (push ?x)) (role ?r) (item ?x)) (legal r noop) (legal s (pop nil))\n"
      "(<= (next (stack (cons ?x ?s))) (does r (push ?x)) (true (stack ?s)))\n"
      "(<= (next (stack ?s)) (does r noop) (true (stack (cons ?x ?s))) (does s (push ?x)))\n"
      "(<= (next (stack nil)) (does s (pop nil)))\n"
      "(<= (top ?x) (true (stack (cons ?x ?s)))) (<= (sees ?r (top ?x)) (role ?r) (top ?x))\n"
      "(<= (goal ?r 50) (role ?r) (not (top a))) (<= (goal r 100) (top a))",
      20);
}

/* Deep terms are no trouble as such: these are given, and lie deeper or shallower move by move. */
static void agrees_where_the_terms_that_are_given_are_deep(void **state) {
  enum { DEPTH = 900 };
  machine_fixture *f = *state;
  text words = text_new(f->keep);
  text_add_format(&words, "(role r) (init (n %s", nested(f->keep, DEPTH, "z"));
  text_add(&words, ")) (legal r up) (legal r down) (<= (above (t ?x)) (true (n ?x)))\n"
                   "(<= (next (n (s ?x))) (true (n ?x)) (does r up))\n"
                   "(<= (next (n ?x)) (true (n (s ?x))) (does r down))\n"
                   "(<= (next (last ?x)) (above ?x)) (<= (goal r 100) (true (last (t (s ?x)))))");
  assert_agrees(f, text_string(&words), 5);
}

/* There can be 27,000 fluents, so a position has no room for them all. */
static void agrees_on_states_that_outgrow_their_position(void **state) {
  machine_fixture *f = *state;
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < 30; i++) text_add_format(&words, "(n %u) ", i);
  text_add(&words, "(role r) (init (at 0 0 0)) (legal r go) (legal r back)\n"
                   "(<= (next (at ?x ?y ?z)) (n ?x) (n ?y) (n ?z) (true (at ?y ?y ?z))\n"
                   " (does r go))\n"
                   "(<= (next (at ?x ?y 1)) (n ?x) (n ?y) (does r go))\n"
                   "(<= (next (at ?y ?y ?x)) (true (at ?x ?y 1)) (does r back))");
  assert_agrees(f, text_string(&words), 5);
}

/* A step that cannot be made is no reason not to open a game. */
static void a_game_that_may_end_in_time_is_opened(void **state) {
  machine_fixture *f = *state;
  text words = text_new(f->keep);
  text_add_format(&words, "(role r) (init (n %s)) (legal r go)\n",
                  nested(f->keep, TERM_DEPTH_MAX - 3, "z"));
  text_add(&words, "(<= (next (n (s ?x))) (true (n ?x)))\n");
  open_datalog_game(f, text_string(&words));
  make_move(f, "go");
  make_move(f, "go");
  assert_trouble(f, DIAG_E804, 2);
}

static void terms_that_grow_for_ever_are_trouble(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init (n z)) (init (n a)) (legal r go)\n"
               "(<= (p ?x) (true (n ?x)))\n"
               "(<= (p (s ?x)) (p ?x))\n"
               "(<= terminal (p y))");
  assert_false(switch_machine(f, "datalog"));
  assert_int_equal(f->d.all.items[0].kind, DIAG_E804);
}

/* ---- lists ---- */

static void moves_of_all_shapes_are_in_the_order_of_their_text(void **state) {
  machine_fixture *f = *state;
  open_datalog_game(f, "(role r) (init x) (c a) (c a-b) (c a+) (c b) (c |) (legal r noop)\n"
                       "(<= (legal r (m ?x)) (c ?x)) (<= (legal r (m ?x ?y)) (c ?x) (c ?y))\n"
                       "(legal r (m (a b))) (legal r (n a))");
  look(f);
  const text_list *texts = &f->view.roles[0].texts;
  assert_int_equal(texts->count, 33);
  for (uint32_t i = 1; i < texts->count; i++)
    assert_true(strcmp(texts->items[i - 1], texts->items[i]) < 0);
}

static void what_is_no_role_is_ignored(void **state) {
  machine_fixture *f = *state;
  open_datalog_game(
      f, "(role r) (init x) (legal r a) (legal q b) (goal q 100) (goal r 40) (goal r 7)\n"
         "(goal r none) (<= (next x) (does q b)) (<= (next y) (does r a))");
  assert_string_equal(moves_now(f, 0), "a");
  assert_string_equal(goals_now(f, 0), "7 40");
  make_move(f, "a");
  assert_string_equal(fluents_now(f), "y");
}

static void what_is_said_of_a_compound_is_said_of_no_role(void **state) {
  machine_fixture *f = *state;
  open_datalog_game(f, COMPOUNDS_ARE_NO_ROLES);
  assert_string_equal(moves_now(f, 0), "(a 3)");
  assert_string_equal(goals_now(f, 0), "40");
}

static void agrees_where_much_is_said_of_no_role(void **state) {
  assert_agrees(*state, COMPOUNDS_ARE_NO_ROLES, 3);
}

static void a_compound_is_worth_nothing(void **state) {
  machine_fixture *f = *state;
  open_datalog_game(f, "(role r) (init x) (legal r a) (goal r (half 7)) (goal r 40)");
  assert_string_equal(goals_now(f, 0), "40");
}

static void no_move_is_done_while_legal_is_read(void **state) {
  machine_fixture *f = *state;
  open_datalog_game(f, "(role r) (init x) (<= (legal r a) (not (done))) (<= (done) (does r a))\n"
                       "(<= (next x) (done)) (<= (legal r b) (done))");
  make_move(f, "a");
  assert_string_equal(moves_now(f, 0), "a");
  assert_string_equal(fluents_now(f), "x");
}

static void equal_states_are_equal_bytes(void **state) {
  machine_fixture *f = *state;
  open_datalog_game(
      f, "(role r) (init (off 1)) (init (off 2)) (init (off 3))\n"
         "(<= (legal r (press ?x)) (true (off ?x))) (<= (next (on ?x)) (does r (press ?x)))\n"
         "(<= (next (on ?x)) (true (on ?x)))\n"
         "(<= (next (off ?x)) (true (off ?x)) (not (does r (press ?x))))");
  make_move(f, "(press 2)");
  make_move(f, "(press 1)");
  void *first = memcpy(arena_alloc(f->keep, f->m->position_size), f->position, f->m->position_size);
  machine_start(f->m, f->position);
  make_move(f, "(press 1)");
  assert_memory_not_equal(first, f->position, f->m->position_size);
  make_move(f, "(press 2)");
  assert_memory_equal(first, f->position, f->m->position_size);
}

/* ---- opening ---- */

static void roles_with_arguments_are_declined(void **state) {
  machine_fixture *f = *state;
  open_game(f,
            "(role q)\n(role (p a)) (role (p b)) (init x) (legal (p a) go) (legal (p b) go)\n"
            "(<= (next y) (does (p a) go)) (<= terminal (true y)) (goal (p a) 100) (goal (p b) 0)");
  assert_false(switch_machine(f, "datalog"));
  const diag *last = &f->d.all.items[f->d.all.count - 1];
  assert_int_equal(last->kind, DIAG_E822);
  assert_int_equal(source_place(&f->s, last->where.start).line, 2);
}

static void an_unbound_variable_is_declined(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init x) (legal r a) (<= (goal ?p 100) (true x))");
  assert_false(switch_machine(f, "datalog"));
  assert_int_equal(f->d.all.items[0].kind, DIAG_E401);
}

static void a_start_that_denies_itself_is_declined(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (legal r a) (edge a b) (<= (p ?x) (edge ?x ?y) (not (p ?y)))\n"
               "(<= (init (at ?x)) (p ?x))");
  assert_false(switch_machine(f, "datalog"));
  assert_int_equal(f->d.all.items[0].kind, DIAG_E501);
}

/* Far more pairs than a state could want, of which each state asks for one. */
static void relations_that_are_large_are_restricted_to_what_is_asked(void **state) {
  machine_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(role r) (init (at 0 0)) (init (turn)) \n");
  for (int i = 0; i < 40; i++) text_add_format(&words, "(succ %d %d) ", i, i + 1);
  text_add(&words,
           "(<= (num ?x) (succ ?x ?y)) (<= (legal r (to ?x ?y)) (true (at ?u ?v)) (succ ?u ?x)\n"
           "(succ ?v ?y) (not (behind ?x ?y ?u ?v))) (legal r stay)\n"
           "(<= (behind ?x ?y ?u ?v) (true (turn)) (less ?x ?u) (num ?y) (num ?v))\n"
           "(<= (behind ?x ?y ?u ?v) (true (turn)) (less ?y ?v) (num ?x) (num ?u))\n"
           "(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (less ?x ?y) (succ ?y ?z))\n"
           "(<= (next (at ?x ?y)) (does r (to ?x ?y))) (next (turn))\n"
           "(<= (next (at ?x ?y)) (does r stay) (true (at ?x ?y)))\n"
           "(<= terminal (true (at 5 5))) (goal r 50)");
  assert_agrees(f, text_string(&words), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(agrees_on_a_game_in_turns),
      a_test(agrees_on_simultaneous_moves),
      a_test(agrees_on_what_roles_see),
      a_test(agrees_on_recursive_rules),
      a_test(agrees_on_random_games),
      a_test(states_may_be_asked_in_any_order),
      a_test(plays_rules_that_are_stratified_only_once_ground),
      a_test(follows_denials_through_many_levels),
      a_test(a_fact_that_denies_itself_is_trouble),
      a_test(fluents_need_not_be_known_beforehand),
      a_test(agrees_where_terms_nest_without_end),
      a_test(agrees_where_the_terms_that_are_given_are_deep),
      a_test(agrees_on_states_that_outgrow_their_position),
      a_test(a_game_that_may_end_in_time_is_opened),
      a_test(terms_that_grow_for_ever_are_trouble),
      a_test(moves_of_all_shapes_are_in_the_order_of_their_text),
      a_test(what_is_no_role_is_ignored),
      a_test(what_is_said_of_a_compound_is_said_of_no_role),
      a_test(agrees_where_much_is_said_of_no_role),
      a_test(a_compound_is_worth_nothing),
      a_test(no_move_is_done_while_legal_is_read),
      a_test(equal_states_are_equal_bytes),
      a_test(roles_with_arguments_are_declined),
      a_test(an_unbound_variable_is_declined),
      a_test(a_start_that_denies_itself_is_declined),
      a_test(relations_that_are_large_are_restricted_to_what_is_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
