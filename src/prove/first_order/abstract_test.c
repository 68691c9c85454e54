#include "prove/first_order/abstract.h"
#include "prove/prove_fixture.h"

static const abstract_options everything = {true, true, true};

static void open_abstract(prove_fixture *f, const char *property, abstract_options o) {
  const prove_options options = {.method = prove_method_find("abstract"),
                                 .threads = 1,
                                 .seed = 1,
                                 .confidence = 0.99,
                                 .abstract = o};
  property_vec properties = {0};
  const char *complaint = NULL;
  close_job(f);
  assert_int_equal(prover_open(&f->j, &f->p, options, &f->b, &f->d), PROVER_READY);
  f->has_job = true;
  const state_atoms atoms = job_atoms(&f->j);
  assert_true(property_read(&properties, property, &atoms, f->j.keep, &complaint));
  job_ask(&f->j, &properties);
}

static const finding *abstracted(prove_fixture *f, const char *property, abstract_options o) {
  budget b = budget_new(0, 0);
  open_abstract(f, property, o);
  prove_by_abstraction(&f->j, &b);
  return &f->j.findings[0];
}

#define assert_proved(f, o) assert_int_equal(abstracted((f), "playable", (o))->kind, VERDICT_PROVED)
#define assert_open(f, o) assert_int_equal(abstracted((f), "playable", (o))->kind, VERDICT_UNKNOWN)

/* ---- boards of any size ---- */

/* Three in a row on a board of n by n squares. */
static void read_board(prove_fixture *f, uint32_t n) {
  text words = text_new(f->keep);
  for (uint32_t i = 1; i <= n; i++) text_add_format(&words, "(index %u)\n", i);
  for (uint32_t i = 1; i < n; i++) text_add_format(&words, "(succ %u %u)\n", i, i + 1);
  text_add(&words,
           "(role x) (role o) (opponent x o) (opponent o x) (init (control x))\n"
           "(<= (init (cell ?c ?r blank)) (index ?c) (index ?r))\n"
           "(<= (legal ?p (mark ?c ?r)) (true (control ?p)) (true (cell ?c ?r blank)))\n"
           "(<= (legal ?p noop) (opponent ?p ?o) (true (control ?o)))\n"
           "(<= (next (cell ?c ?r ?p)) (does ?p (mark ?c ?r)))\n"
           "(<= (next (cell ?c ?r ?w)) (true (cell ?c ?r ?w)) (distinct ?w blank))\n"
           "(<= (next (cell ?c ?r blank)) (true (cell ?c ?r blank)) (does ?p (mark ?x ?y))\n"
           "  (or (distinct ?c ?x) (distinct ?r ?y)))\n"
           "(<= (next (control ?p)) (opponent ?p ?o) (true (control ?o)))\n"
           "(<= (line ?p) (role ?p) (true (cell ?a ?r ?p)) (succ ?a ?b) (true (cell ?b ?r ?p))\n"
           "  (succ ?b ?c) (true (cell ?c ?r ?p)))\n"
           "(<= (line ?p) (role ?p) (true (cell ?c ?a ?p)) (succ ?a ?b) (true (cell ?c ?b ?p))\n"
           "  (succ ?b ?d) (true (cell ?c ?d ?p)))\n"
           "(<= open (true (cell ?c ?r blank))) (<= some-line (line ?p))\n"
           "(<= terminal some-line) (<= terminal (not open))\n"
           "(<= (goal ?p 100) (line ?p)) (<= (goal ?p 0) (role ?p) (not (line ?p)))\n");
  read_game(f, text_string(&words));
}

static void the_proof_is_the_same_on_every_board(void **state) {
  prove_fixture *f = *state;
  static const uint32_t sizes[] = {3, 100};
  const char *words[2];
  for (size_t i = 0; i < 2; i++) {
    read_board(f, sizes[i]);
    const finding *v = abstracted(f, "playable", everything);
    assert_int_equal(v->kind, VERDICT_PROVED);
    words[i] = arena_copy_text(f->keep, v->reason, strlen(v->reason));
  }
  assert_string_equal(words[0], words[1]);
}

static void facts_are_the_same_on_every_board(void **state) {
  prove_fixture *f = *state;
  static const uint32_t sizes[] = {3, 100};
  for (size_t i = 0; i < 2; i++) {
    read_board(f, sizes[i]);
    assert_string_equal(
        abstracted(f, "mutex", everything)->reason,
        "at most one holds: (control ?0): one ?0; (cell ?0 ?1 ?2): one ?2 for each ?0 ?1");
  }
}

/* A limit of memory within which ten thousand squares cannot be grounded. */
static void a_game_that_does_not_ground_is_proved_from_its_rules(void **state) {
  prove_fixture *f = *state;
  const prove_options o = {.threads = 1, .confidence = 0.99, .abstract = everything};
  const char *complaint = NULL;
  budget b = budget_new(0, 4 << 20);
  read_board(f, 100);
  assert_int_equal(prover_open(&f->j, &f->p, o, &b, &f->d), PROVER_READY);
  f->has_job = true;
  assert_int_equal(f->d.errors, 0);
  assert_true(prover_ask(&f->j, "playable, winnable", &b, &complaint));
  prover_run(&f->j, &b);
  assert_int_equal(f->j.properties.count, 3);
  assert_int_equal(f->j.findings[0].kind, VERDICT_PROVED);
  assert_string_equal(f->j.findings[0].method, "abstract");
  assert_int_equal(f->j.findings[1].kind, VERDICT_UNKNOWN);
  assert_non_null(strstr(f->j.findings[1].reason, "memory limit"));
}

static void what_it_does_not_look_at_can_be_named(void **state) {
  prove_fixture *f = *state;
  static const char *const asked[] = {"winnable a",           "winnable",
                                      "unreachable terminal", "unreachable (legal a go)",
                                      "invariant (on ?x)",    "unreachable (all ?x)"};
  read_game(f, "(player a) (player b) (<= (role ?r) (player ?r)) (init (on 1))\n"
               "(<= (legal ?r go) (role ?r)) (<= (next (on 2)) (true (on 1)))\n"
               "(<= (all ?x) (true (on ?x))) (<= terminal (true (on 2))) (goal a 100)");
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    assert_int_equal(abstracted(f, asked[i], everything)->kind, VERDICT_UNKNOWN);
}

static void add_nested(text *out, uint32_t depth, const char *inside) {
  for (uint32_t i = 0; i < depth; i++) text_add(out, "(f ");
  text_add(out, inside);
  for (uint32_t i = 0; i < depth; i++) text_add_char(out, ')');
}

/* The role put in the place of ?r would be deeper than any term. */
static void terms_that_are_too_deep_are_not_made(void **state) {
  prove_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(role ");
  add_nested(&words, 3000, "z");
  text_add(&words, ") (init a) (<= terminal (true b))\n(<= (legal ?r go) (role ?r) (not (true ");
  add_nested(&words, 2000, "?r");
  text_add(&words, ")))");
  read_game(f, text_string(&words));
  assert_open(f, everything);
}

/* ---- the options ---- */

static void tic_tac_toe_needs_its_end_and_its_history(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  assert_proved(f, everything);
  assert_proved(f, ((abstract_options){.not_terminal = true, .reachable = true}));
  assert_proved(f, ((abstract_options){.not_terminal = true, .mutexes = true}));
  assert_open(f, ((abstract_options){.not_terminal = true}));
  assert_open(f, ((abstract_options){.reachable = true}));
}

/* The example of the paper: somewhere a square is blank, or the game is over. */
static void simultaneous_tic_tac_toe_needs_its_end_alone(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "simultaneous-tic-tac-toe");
  assert_proved(f, ((abstract_options){.not_terminal = true}));
  assert_open(f, ((abstract_options){.reachable = true}));
}

/* Two marks on one square, or on two: the second player moves on either. */
static void equal_choices_are_looked_at(void **state) {
  prove_fixture *f = *state;
  static const char both[] = "(role a) (role b) (square 1) (square 2)\n"
                             "(<= (init (free ?s)) (square ?s))\n"
                             "(<= (legal ?r (take ?s)) (role ?r) (true (free ?s)))\n"
                             "(<= (taken ?s) (does ?r (take ?s)))\n"
                             "(<= terminal (true over)) (<= (goal ?r 0) (role ?r))\n";
  text words = text_new(f->keep);
  text_add_format(&words, "%s(<= (next (free ?s)) (does a (take ?s)) (does b (take ?s)))", both);
  read_game(f, text_string(&words));
  assert_open(f, everything);
  text_add(&words, "(<= (next (free ?s)) (does a (take ?s)) (not (does b (take ?s))))");
  read_game(f, text_string(&words));
  assert_proved(f, everything);
}

static void a_fact_of_all_states_can_be_needed(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init red) (<= (next green) (true red)) (<= (next red) (true green))\n"
               "(<= (legal r go) (true red) (not (true green)))\n"
               "(<= (legal r stop) (true green) (not (true red))) (<= (goal r 0) (true red))\n"
               "(<= terminal (true blue))");
  assert_open(f, ((abstract_options){.not_terminal = true}));
  assert_proved(f, ((abstract_options){.not_terminal = true, .mutexes = true}));
}

/* ---- what is declined ---- */

static void assert_reason(prove_fixture *f, const char *words) {
  const finding *v = abstracted(f, "playable", everything);
  assert_int_equal(v->kind, VERDICT_UNKNOWN);
  if (!strstr(v->reason, words)) fail_msg("%s", v->reason);
}

static void declines_recursion(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "hex-5");
  assert_reason(f, "`connected` is defined recursively");
}

static void declines_what_logic_reads_in_another_way(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init a) (<= (legal r go) (does r go)) (<= terminal (true b))");
  assert_reason(f, "`legal` depends on what is done");
  read_game(f, "(player r) (<= (role ?x) (player ?x)) (init a) (legal r go)");
  assert_reason(f, "`role` is given by a rule");
  read_game(f, "(role r) (init a) (<= (legal r (go ?x)) (true a)) (<= terminal (true b))");
  assert_reason(f, "`legal` has a rule with a variable that is in no positive literal");
  read_game(f, "(role r) (init a) (<= (init b) (true a)) (<= (next ?f) (true ?f))\n"
               "(<= (legal r go) (true b)) (<= terminal (true c))");
  assert_reason(f, "`init` depends on the state");
}

/* Taken for an axiom, the rule for `odd` would say that everything is odd. */
static void declines_what_depends_on_its_own_negation(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init a) (thing x) (<= (odd ?x) (thing ?x) (not (odd ?x)))\n"
               "(<= (legal r go) (odd x)) (<= terminal (true b))");
  assert_reason(f, "`odd` depends on its own negation");
}

static void a_role_can_have_arguments(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role (player 1)) (role (player 2)) (init a) (<= (next a) (true b))\n"
               "(<= (next b) (true a)) (<= (legal (player ?n) go) (role (player ?n)) (true a))\n"
               "(<= (legal (player ?n) stay) (role (player ?n)) (not (true a)))\n"
               "(<= terminal (true c))");
  assert_proved(f, everything);
  read_game(f, "(role (player 1)) (role (player 2)) (init a) (<= (next a) (true a))\n"
               "(<= (legal (player 1) go) (true a)) (<= terminal (true c))");
  assert_open(f, everything);
}

static void shows_the_abstract_state_that_is_left(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init (at 1)) (succ 1 2) (<= (legal r go) (true (at ?x)))\n"
               "(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)) (<= terminal (true b))");
  assert_reason(f, "no move for r was found in the abstract state (does r go)");
}

/* ---- among the other methods ---- */

static void does_not_prove_what_is_false(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/stuck-after-twelve");
  assert_open(f, everything);
}

static void never_contradicts_the_walk(void **state) {
  prove_fixture *f = *state;
  static const char *const games[] = {"tic-tac-toe", "kuhn-poker",        "maze",
                                      "monty-hall",  "river-crossing",    "rock-paper-scissors",
                                      "nim",         "unsound/never-wins"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_builtin(f, games[i]);
    const verdict_kind by_abstraction = abstracted(f, "playable", everything)->kind;
    const verdict_kind by_walk = found(f, "playable", "exhaustive")->kind;
    assert_true(by_abstraction == VERDICT_UNKNOWN || by_walk == VERDICT_UNKNOWN ||
                by_abstraction == by_walk);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(the_proof_is_the_same_on_every_board),
      a_test(facts_are_the_same_on_every_board),
      a_test(a_game_that_does_not_ground_is_proved_from_its_rules),
      a_test(what_it_does_not_look_at_can_be_named),
      a_test(terms_that_are_too_deep_are_not_made),
      a_test(tic_tac_toe_needs_its_end_and_its_history),
      a_test(simultaneous_tic_tac_toe_needs_its_end_alone),
      a_test(equal_choices_are_looked_at),
      a_test(a_fact_of_all_states_can_be_needed),
      a_test(declines_recursion),
      a_test(declines_what_logic_reads_in_another_way),
      a_test(declines_what_depends_on_its_own_negation),
      a_test(a_role_can_have_arguments),
      a_test(shows_the_abstract_state_that_is_left),
      a_test(does_not_prove_what_is_false),
      a_test(never_contradicts_the_walk),
  };
  return cmocka_run_group_tests_name("prove/abstract", tests, NULL, NULL);
}
