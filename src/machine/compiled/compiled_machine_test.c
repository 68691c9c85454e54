/* The compiled machine against `reference`, under every knowledge base. */
#include "machine/compiled/compiled_machine.h"

#include "frame/encoding.h"
#include "ground/random_game_fixture.h"
#include "machine/compare.h"
#include "machine/compiled_cache_fixture.h"
#include "machine/machine_fixture.h"

#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_compiler(void) { return system("cc --version >/dev/null 2>&1") == 0; }

/* One build without optimisation: what is tested here does not depend on the level. */
static machine *open_compiled(machine_fixture *f, const program *p, knowledge_base kb, budget *b) {
  const machine_source from = {.program = p};
  const compiled_options o = {.kb = kb, .is_built_once = true};
  return compiled_machine_open(&from, &o, b, &f->d);
}

static void compare_program(machine_fixture *f, const program *p, knowledge_base kb, uint64_t games,
                            bool must_open) {
  budget b = budget_new(0, 0);
  machine *m = open_compiled(f, p, kb, &b);
  if (must_open && !m) print_error("%s\n", f->d.all.items[f->d.all.count - 1].message);
  assert_true(m || !must_open);
  if (!m) return;
  machine_workspace *w = machine_workspace_new(m, &b);
  const compare_options o = {.seed = 1, .games = games, .max_steps = 30};
  compare_report r;
  const bool is_played = machines_compare(&r, f->m, f->w, m, w, &o, f->keep);
  if (is_played && !r.same) print_error("%s\n%s\n", f->s.bytes, text_string(&r.words));
  assert_true(!is_played || r.same);
  assert_true(is_played || !must_open);
  machine_workspace_free(m, w);
  machine_close(m);
}

static void compare_with_reference(machine_fixture *f, const char *words, knowledge_base kb,
                                   uint64_t games, bool must_open) {
  if (!has_compiler()) skip();
  if (open_text(f, words)) compare_program(f, &f->p, kb, games, must_open);
}

static void compare_builtin(const char *name, knowledge_base kb) {
  void *state;
  set_up(&state);
  machine_fixture *f = state;
  compare_with_reference(f, builtin_text(f, name), kb, 3, true);
  tear_down(&state);
}

static void built_in_games_play_right(void **state) {
  static const char *const names[] = {"tic-tac-toe", "connect-four", "kuhn-poker", "nim",
                                      "sokoban"};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) compare_builtin(names[i], KB_DENSE);
}

static void hash_tables_play_right(void **state) {
  (void)state;
  compare_builtin("tic-tac-toe", KB_HASH);
  compare_builtin("hex-5", KB_HASH);
}

static void tries_play_right(void **state) {
  (void)state;
  compare_builtin("tic-tac-toe", KB_TRIE);
  compare_builtin("hex-5", KB_TRIE);
}

static void random_games_play_right(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    void *fixture;
    set_up(&fixture);
    machine_fixture *f = fixture;
    rng r = rng_new(seed, 0);
    compare_with_reference(f, random_game_text(&r, f->keep), (knowledge_base)(seed % 3), 4, false);
    tear_down(&fixture);
  }
}

#define PAIR(goals) \
  "(role a) (role b) (init (left 2)) (down 2 1) (down 1 0)" \
  "(<= (legal ?r go) (role ?r)) (<= (next (left ?m)) (true (left ?n)) (down ?n ?m))" \
  "(<= terminal (true (left 0)))" goals

static void goals_that_are_stratified_once_ground(void **state) {
  compare_with_reference(*state,
                         PAIR("(<= (goal a 100) (true (left 0)))"
                              "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))"),
                         KB_DENSE, 2, true);
}

/* Under every knowledge base, each time in a fixture of its own. */
static void play_right(const char *words) {
  for (uint32_t kb = KB_DENSE; kb <= KB_TRIE; kb++) {
    void *fixture;
    set_up(&fixture);
    compare_with_reference(fixture, words, (knowledge_base)kb, 6, true);
    tear_down(&fixture);
  }
}

static void compound_terms_differ_where_a_part_does(void **state) {
  (void)state;
  play_right("(role a) (init (p 1)) (init (p 2)) (init (p 3)) (init (q 1 2)) (init (q 2 2))"
             "(<= (legal a (m ?x ?y)) (true (p ?x)) (true (p ?y)) (distinct (f ?x) (f ?y)))"
             "(<= (legal a (n ?x ?y)) (true (q ?x ?y)) (true (q ?u ?v))"
             "  (distinct (f ?x (g ?y) 1) (f ?u (g ?v) 1)))"
             "(<= (legal a (k ?x)) (true (p ?x)) (distinct (f ?x) (g ?x)) (distinct (f ?x) 2))"
             "(<= (legal a (never ?x)) (true (p ?x)) (distinct (f ?x 1) (f ?x 1)))"
             "(<= (legal a (some ?x)) (true (p ?x)) (distinct (f ?x) (f 2)))"
             "(legal a rest)"
             "(<= (next (p ?x)) (does a (m ?x ?y))) (<= (next (q ?y ?x)) (does a (n ?x ?y)))"
             "(<= (next (q ?x ?y)) (true (q ?x ?y)) (true (p ?z)) (does a (k ?z)))"
             "(<= (next (p ?x)) (true (p ?x)) (does a (k ?y)) (distinct (k ?x) (k ?y)))"
             "(<= terminal (not (true (p 1)))) (goal a 0)");
}

/* Variables that stand for moves and fluents become terms of their shapes. */
static void whole_moves_and_fluents_differ(void **state) {
  (void)state;
  play_right("(role a) (role b) (init flag) (init (n 1)) (init (n 2)) (init (h (n 2)))"
             "(<= (legal ?r stay) (role ?r))"
             "(<= (legal ?r (go ?x)) (role ?r) (true (n ?x)))"
             "(<= (next (n ?x)) (true (n ?x)) (does a ?m) (distinct ?m (go ?x)))"
             "(<= (next flag) (does a ?m) (does b ?n) (distinct ?m ?n))"
             "(<= (next ?f) (true ?f) (does b (go ?k)) (distinct ?f (n ?k))"
             "  (distinct ?f (h (n ?k))))"
             "(<= terminal (not (true flag)))"
             "(<= (goal ?r 100) (role ?r) (true ?f) (distinct ?f (n 1)) (distinct ?f flag))"
             "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))");
}

static void a_compound_is_worth_nothing(void **state) {
  (void)state;
  play_right(PAIR("(<= (goal ?r (half 7)) (role ?r)) (goal a (f (g 1))) (goal b 40)"));
}

static void what_is_said_of_a_compound_is_said_of_no_role(void **state) {
  (void)state;
  play_right(COMPOUNDS_ARE_NO_ROLES);
}

static void a_role_with_arguments_that_is_never_given_is_none(void **state) {
  compare_with_reference(*state, PAIR("(<= (role (team ?x)) (down ?x ?x)) (goal a 1) (goal b 2)"),
                         KB_DENSE, 2, true);
}

static void roles_with_arguments_are_declined(void **state) {
  machine_fixture *f = *state;
  assert_true(open_text(f, "(player (p a)) (init x) (goal q 1)\n"
                           "(<= (role ?r) (player ?r)) (role q)\n"
                           "(<= (legal ?r go) (role ?r)) (<= terminal (not (true x)))"));
  budget b = budget_new(0, 0);
  assert_null(open_compiled(f, &f->p, KB_DENSE, &b));
  const diag *last = &f->d.all.items[f->d.all.count - 1];
  assert_int_equal(last->kind, DIAG_E822);
  assert_int_equal(source_place(&f->s, last->where.start).line, 2);
}

/* Nobody ever gets 100. */
static void goals_that_no_rule_gives(void **state) {
  compare_with_reference(*state, PAIR("(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))"), KB_DENSE,
                         2, true);
}

/* Marks stay for ever, and what follows from them is kept; the next game must not see it. */
#define WALK \
  "(role a) (at 1) (at 2) (at 3) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (init (step 1))" \
  "(<= (next (step ?y)) (true (step ?x)) (after ?x ?y)) (<= terminal (true (step 5)))" \
  "(init (cell 3)) (<= (next (cell ?x)) (does a (go ?x)))" \
  "(<= (next (cell ?x)) (true (cell ?x)) (not (does a (go ?x)))) (<= (legal a (go ?x)) (at ?x))" \
  "(<= (goal a 100) (true (cell 1))) (<= (goal a 0) (not (true (cell 1))))"

/* Constants and the same variable twice in what is asked; a condition that is void in place. */
static void what_is_only_checked_plays_right(void **state) {
  (void)state;
  play_right(WALK "(<= (free ?x) (at ?x) (not (true (cell ?x))) (distinct ?x 3))"
                  "(<= (pair ?x ?y) (true (cell ?x)) (true (cell ?y)) (distinct ?x ?y))"
                  "(reach 1) (<= (reach ?y) (reach ?x) (after ?x ?y))"
                  "(<= (reach ?y) (after ?x ?y) (reach ?x) (free 3))"
                  "(<= (sees a ?x) (reach ?x)) (<= (sees a (one ?x)) (at ?x) (pair ?x ?x))"
                  "(<= (sees a (two ?x ?y)) (after ?x ?y) (pair ?x ?y))"
                  "(<= (sees a (free ?x)) (after ?x ?y) (free ?x) (free ?y))");
}

/* When the clause with (distinct 1 1) is gone, legal depends on facts alone. */
static void what_changes_no_longer_is_still_worked_out(void **state) {
  (void)state;
  play_right("(role a) (p 1) (p 2) (init (c 1)) (<= (next (c ?x)) (does a (go ?x)))"
             "(<= (f ?x) (true (c ?x)) (distinct ?x 1))"
             "(<= (legal a (go ?x)) (p ?x)) (<= (legal a (go 2)) (f 1))"
             "(<= terminal (true (c 2))) (goal a 1)");
}

static void fluents_that_never_change_play_right(void **state) {
  (void)state;
  play_right(WALK "(init (wall 2)) (init (wall 2 3)) (init (gate (in 1))) (<= (next ?f) (old ?f))"
                  "(<= (old (gate ?x)) (true (gate ?x))) (<= (next (wall ?x)) (true (wall ?x)))"
                  "(<= (next (wall ?x ?y)) (true (wall ?x ?y)) (not (does a (go ?x))))"
                  "(<= (next (hole ?x)) (true (hole ?x)))"
                  "(<= (way ?x) (at ?x) (not (true (wall ?x))) (not (true (hole ?x))))"
                  "(<= (sees a (way ?x)) (way ?x)) (<= (sees a ?x) (true (gate ?x)))"
                  "(<= (sees a (t ?x ?y)) (true (wall ?x ?y)))");
  play_right("(role a) (init (on 1)) (init x) (init (f (g 2))) (<= (next ?f) (true ?f))"
             "(<= (legal a (go ?x)) (true (on ?x))) (<= (legal a w) (true x))"
             "(<= (legal a (h ?x)) (true (f ?x))) (<= (goal a 4) (not (true y)))"
             "(<= (sees a ?f) (true ?f)) (<= terminal (true (never 1)))");
}

/* The initial state is asked before there is any. */
static void an_initial_state_that_depends_on_a_state_is_declined(void **state) {
  machine_fixture *f = *state;
  assert_true(open_text(f, "(role a) (init (w 1)) (<= (next (w ?x)) (true (w ?x))) (legal a n)"
                           "(<= (init (l ?x)) (true (w ?x))) (<= (next (l 2)) (does a n))"
                           "(<= terminal (true (l 2))) (goal a 1)"));
  budget b = budget_new(0, 0);
  assert_null(open_compiled(f, &f->p, KB_DENSE, &b));
}

static void what_persists_is_dropped_with_the_game(void **state) {
  compare_with_reference(*state,
                         "(role a) (at 1) (at 2) (at 3) (after 1 2) (after 2 3) (init (mark 2))"
                         "(<= (legal a (put ?x)) (at ?x)) (<= (legal a (from ?x)) (true (mark ?x)))"
                         "(<= (next (mark ?x)) (true (mark ?x)))"
                         "(<= (next (mark ?x)) (does a (put ?x)))"
                         "(<= (pair ?x ?y) (true (mark ?x)) (after ?x ?y) (true (mark ?y)))"
                         "(<= (run ?x) (pair ?x ?y) (pair ?y ?z))"
                         "(<= terminal (run ?x)) (<= (goal a 100) (run 1))"
                         "(<= (goal a 0) (not (run 1)))",
                         KB_DENSE, 20, true);
}

/* At rest all that lives is alive; while moves are made, what is being killed is not. */
static void what_depends_on_moves_may_be_read_at_rest(void **state) {
  compare_with_reference(
      *state,
      "(role a) (role b) (init (unit 1)) (init (unit 2)) (init (unit 3))"
      "(<= (legal ?r (kill ?x)) (role ?r) (alive ?x)) (<= (legal ?r rest) (role ?r))"
      "(<= (killed ?x) (does ?r (kill ?x)))"
      "(<= (alive ?x) (true (unit ?x)) (not (killed ?x)))"
      "(<= some (alive ?x)) (<= terminal (not some))"
      "(<= (next (unit ?x)) (alive ?x)) (<= (next last) terminal)"
      "(<= (next spared) (not (does a (kill 1))) (alive 1))"
      "(<= (goal ?r 100) (role ?r) (not some)) (<= (goal ?r 0) (role ?r) some)",
      KB_DENSE, 20, true);
}

/* Nine columns of nine values: 387,420,489 facts, of which two are asked for in a state. */
static void relations_with_too_many_facts_are_restricted(void **state) {
  compare_with_reference(
      *state,
      "(role a) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)"
      "(init (row 1 2 3 4 5 6 7 8 9)) (init (row 1 1 1 1 1 1 1 1 1))"
      "(<= (any ?a ?b ?c ?d ?e ?f ?g ?h ?i) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g)"
      "  (n ?h) (n ?i))"
      "(<= (legal a (turn ?x)) (n ?x))"
      "(<= (good ?a) (true (row ?a ?b ?c ?d ?e ?f ?g ?h ?i)) (any ?b ?c ?d ?e ?f ?g ?h ?i ?a)"
      "  (distinct ?b ?c))"
      "(<= (next (row ?b ?c ?d ?e ?f ?g ?h ?i ?x)) (does a (turn ?x))"
      "  (true (row ?a ?b ?c ?d ?e ?f ?g ?h ?i)) (any ?a ?b ?c ?d ?e ?f ?g ?h ?x))"
      "(<= terminal (not (good 1)) (not (good 2)) (not (good 3)))"
      "(<= (goal a 100) (good ?x)) (<= (goal a 0) (not (good 1)))",
      KB_DENSE, 5, true);
}

/* Ten pits are counted from any number to any other; asked is what comes of none. */
static void counting_begins_where_it_is_asked(void **state) {
  machine_fixture *f = *state;
  text game = text_new(f->keep);
  text_add(&game, "(role a) (<= (legal a (fill ?x)) (true (pit ?x empty))) (legal a rest)"
                  "(<= (next (pit ?x ?c)) (true (pit ?x ?c)) (not (does a (fill ?x))))"
                  "(<= (next (pit ?x full)) (does a (fill ?x)))"
                  "(<= (one ?x ?n ?n) (true (pit ?x empty)) (number ?n))"
                  "(<= (one ?x ?n ?m) (true (pit ?x full)) (after ?n ?m))"
                  "(<= (sum ?x ?n ?m) (last ?x) (one ?x ?n ?m))"
                  "(<= (sum ?x ?n ?m) (one ?x ?n ?k) (after ?x ?y) (sum ?y ?k ?m))"
                  "(<= (count ?n) (sum 0 0 ?n)) (last 9) (<= terminal (count 7))"
                  "(<= (goal a 100) (count 7)) (<= (goal a ?n) (count ?n) (distinct ?n 7))");
  for (int i = 0; i < 10; i++) text_add_format(&game, "(init (pit %d empty))", i);
  for (int i = 0; i < 40; i++) text_add_format(&game, "(number %d) (after %d %d)", i, i, i + 1);
  compare_with_reference(f, text_string(&game), KB_DENSE, 6, true);
}

/* Deeper than terms usually nest. */
/* 2080 fluents of a shape that could have 540,800: a position lists those that hold. */
static void a_position_has_room_for_all_fluents(void **state) {
  machine_fixture *f = *state;
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < 260; i++) text_add_format(&words, "(n %u) ", i);
  text_add(&words, "(few a) (few b) (few c) (few d) (few e) (few f) (few g) (few h)\n"
                   "(role r) (init (p 0 0 a)) (legal r fill) (legal r keep)\n"
                   "(<= (next (p ?x ?x ?y)) (n ?x) (few ?y) (does r fill))\n"
                   "(<= (next (p ?x ?y a)) (true (p ?x ?y a)) (does r keep))");
  compare_with_reference(f, text_string(&words), KB_DENSE, 2, true);
}

static void lists_of_bounded_length(void **state) {
  enum { LENGTH = 11 };
  machine_fixture *f = *state;
  text game = text_new(f->keep);
  text list = text_new(f->keep);
  text_add(&game, "(role a) (item x) (item y) (init (stack nil)) (is_list nil)"
                  "(<= (legal a (push ?x)) (item ?x))"
                  "(<= (next (stack (list ?x ?l))) (does a (push ?x)) (true (stack ?l))"
                  "  (is_list ?l)) (<= (goal a 50) (true (stack ?l)))");
  for (int length = 1; length <= LENGTH; length++) {
    text_clear(&list);
    for (int i = 0; i < length; i++) text_add_format(&list, "(list ?x%d ", i);
    text_add(&list, "nil");
    for (int i = 0; i < length; i++) text_add_char(&list, ')');
    text_add_format(&game, length < LENGTH ? "(<= (is_list %s)" : "(<= terminal (true (stack %s))",
                    text_string(&list));
    for (int i = 0; i < length; i++) text_add_format(&game, " (item ?x%d)", i);
    text_add_char(&game, ')');
  }
  compare_with_reference(f, text_string(&game), KB_DENSE, 3, true);
}

static void names_cannot_be_code(void **state) {
  compare_with_reference(*state,
                         "(role a*/b) (init (a?\?/ %s)) (<= (legal ?r (while ?x)) (role ?r)"
                         "(true (a?\?/ ?x))) (<= (next done\\\"x) (does ?r (while %s)))"
                         "(<= terminal (true done\\\"x)) (<= (goal ?r 7) (role ?r))",
                         KB_DENSE, 2, true);
}

static void moves_come_in_the_order_of_their_text(void **state) {
  machine_fixture *f = *state;
  if (!has_compiler()) skip();
  assert_true(open_text(f,
                        "(role a) (n 1) (n 2) (n 10) (n 9) (init s) (<= (legal a (f ?x ?y)) (n ?x)"
                        "(n ?y)) (<= (legal a (f ?x (g ?y))) (n ?x) (n ?y)) (legal a e)"
                        "(<= terminal (true t)) (goal a 1)"));
  machine *m = open_compiled(f, &f->p, KB_DENSE, &f->b);
  assert_non_null(m);
  machine_workspace *w = machine_workspace_new(m, &f->b);
  const compare_options o = {.seed = 1, .games = 1, .max_steps = 2};
  compare_report r;
  assert_true(machines_compare(&r, f->m, f->w, m, w, &o, f->keep));
  assert_true(r.same);
  machine_workspace_free(m, w);
  machine_close(m);
}

/* The cache of somebody else, or one that others can write to, is not used. */
static void an_unsafe_cache_is_not_used(void **state) {
  machine_fixture *f = *state;
  if (!has_compiler()) skip();
  char path[200];
  const char *before = getenv("XDG_CACHE_HOME");
  snprintf(path, sizeof path, "%s/open", before);
  assert_int_equal(mkdir(path, 0700), 0);
  char inner[220];
  snprintf(inner, sizeof inner, "%s/tabia", path);
  assert_int_equal(mkdir(inner, 0700), 0);
  assert_int_equal(chmod(inner, 0777), 0);
  char *kept = arena_copy_text(f->keep, before, strlen(before));
  setenv("XDG_CACHE_HOME", path, 1);
  compare_with_reference(f, PAIR("(<= (goal ?r 1) (role ?r))"), KB_DENSE, 1, true);
  setenv("XDG_CACHE_HOME", kept, 1);
  assert_int_equal(rmdir(inner), 0); /* nothing was put there */
}

/* What others may see or change must not depend on how careful the user is. */
static void the_umask_does_not_matter(void **state) {
  static const mode_t masks[] = {0, 0002, 0022, 0077};
  (void)state;
  if (!has_compiler()) skip();
  for (uint32_t i = 0; i < 4; i++) {
    void *fixture;
    char words[400];
    const mode_t before = umask(masks[i]);
    set_up(&fixture);
    machine_fixture *f = fixture;
    snprintf(words, sizeof words, PAIR("(<= (goal ?r 3%u) (role ?r))"), i);
    compare_with_reference(f, words, KB_DENSE, 1, true);
    umask(before);
    tear_down(&fixture);
  }
}

static bool has_better_build(void) {
  char pattern[200];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/tabia/*-O3.so", getenv("XDG_CACHE_HOME"));
  const bool is_there = glob(pattern, 0, NULL, &found) == 0;
  if (is_there) globfree(&found);
  return is_there;
}

/* The machine as it is opened by name: two builds, and workspaces go over from one to the other. */
static void a_better_build_takes_over(void **state) {
  machine_fixture *f = *state;
  if (!has_compiler()) skip();
  assert_true(open_text(f, PAIR("(<= (goal ?r 4) (role ?r))")));
  const machine_source from = {.program = &f->p};
  machine *m = machine_open("compiled", &from, &f->b, &f->d);
  assert_non_null(m);
  machine_workspace *w = machine_workspace_new(m, &f->b);
  compare_report r;
  uint32_t rounds_left = 100; /* once the better one is there */
  for (uint64_t seed = 1; rounds_left > 0; seed++) {
    const compare_options o = {.seed = seed, .games = 2, .max_steps = 5};
    assert_true(machines_compare(&r, f->m, f->w, m, w, &o, f->keep));
    assert_true(r.same);
    if (has_better_build()) rounds_left--;
  }
  machine_workspace_free(m, w);
  machine_close(m);
}

/* Seven nodes that are all joined, in a graph of six parts where only nodes of different parts are:
   there are none, and it takes very long to find that out.  Any two nodes may come to be joined,
   so that this is not known before the game. */
static const char *clique_game(arena *keep) {
  enum { PARTS = 6, NODES = 72 };
  text out = text_new(keep);
  text_add(&out, "(role r) (goal r 50) (<= terminal clique) (legal r wait)"
                 "(<= (legal r (join ?x ?y)) (part ?x ?p) (part ?y ?q))"
                 "(<= (next (edge ?x ?y)) (does r (join ?x ?y)))"
                 "(<= (next (edge ?x ?y)) (true (edge ?x ?y)))"
                 "(<= (init (edge ?x ?y)) (part ?x ?p) (part ?y ?q) (distinct ?p ?q)) (<= clique");
  for (int a = 0; a <= PARTS; a++)
    for (int b = a + 1; b <= PARTS; b++) text_add_format(&out, " (true (edge ?n%d ?n%d))", a, b);
  text_add_char(&out, ')');
  for (int i = 0; i < NODES; i++) text_add_format(&out, " (part n%d p%d)", i, i % PARTS);
  return text_string(&out);
}

static void a_limit_ends_work_on_one_state(void **state) {
  machine_fixture *f = *state;
  if (!has_compiler()) skip();
  assert_true(open_text(f, clique_game(f->keep)));
  for (knowledge_base kb = KB_DENSE; kb <= KB_TRIE; kb++) {
    machine *m = open_compiled(f, &f->p, kb, &f->b);
    assert_non_null(m);
    budget b = budget_new(0.05, 0);
    machine_workspace *w = machine_workspace_new(m, &b);
    void *position = arena_alloc(f->keep, m->position_size);
    machine_start(m, position);
    assert_true(machine_terminal(m, w, position)); /* as is every state in trouble */
    assert_true(w->trouble.is_there);
    assert_int_equal(b.end, BUDGET_TIME);
    assert_int_equal(machine_legal(m, w, position, 0, NULL, 0), 0);
    machine_workspace_free(m, w);
    machine_close(m);
  }
}

static void every_encoding_plays_right(void **state) {
  static const char *const names[] = {"games/tic-tac-toe.kif", "games/connect-four.kif"};
  (void)state;
  if (!has_compiler()) skip();
  for (uint32_t i = 0; i < 6; i++) {
    void *fixture;
    set_up(&fixture);
    machine_fixture *f = fixture;
    source s;
    encoded_program encoded;
    assert_true(source_load(&s, names[i / 3], f->keep, &f->d));
    assert_true(open_text(f, s.bytes));
    const frame_encoding e = i % 2 ? ENCODING_PRUNED : ENCODING_DIRECT;
    frame_encode(&encoded, &f->p, e, SCOPE_GAMES, f->keep, &f->b);
    assert_int_equal(encoded.used, e);
    compare_program(f, encoded.program, (knowledge_base)(i % 3), 2, true);
    tear_down(&fixture);
  }
}

static void without_a_compiler_there_is_a_message(void **state) {
  machine_fixture *f = *state;
  assert_true(open_text(f, PAIR("(<= (goal ?r 2) (role ?r))")));
  char *path = arena_copy_text(f->keep, getenv("PATH"), strlen(getenv("PATH")));
  setenv("PATH", "/nowhere", 1);
  assert_null(open_compiled(f, &f->p, KB_DENSE, &f->b));
  setenv("PATH", path, 1);
  const diag *last = &f->d.all.items[f->d.all.count - 1];
  assert_int_equal(last->kind, DIAG_E807);
  assert_string_equal(last->message, "the program `cc` is not installed");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(built_in_games_play_right),
      cmocka_unit_test(hash_tables_play_right),
      cmocka_unit_test(tries_play_right),
      cmocka_unit_test(random_games_play_right),
      cmocka_unit_test(compound_terms_differ_where_a_part_does),
      cmocka_unit_test(whole_moves_and_fluents_differ),
      a_test(goals_that_are_stratified_once_ground),
      a_test(a_compound_is_worth_nothing),
      cmocka_unit_test(what_is_said_of_a_compound_is_said_of_no_role),
      a_test(a_role_with_arguments_that_is_never_given_is_none),
      a_test(roles_with_arguments_are_declined),
      a_test(goals_that_no_rule_gives),
      a_test(what_is_only_checked_plays_right),
      a_test(what_changes_no_longer_is_still_worked_out),
      a_test(fluents_that_never_change_play_right),
      a_test(an_initial_state_that_depends_on_a_state_is_declined),
      a_test(what_persists_is_dropped_with_the_game),
      a_test(what_depends_on_moves_may_be_read_at_rest),
      a_test(relations_with_too_many_facts_are_restricted),
      a_test(counting_begins_where_it_is_asked),
      a_test(a_position_has_room_for_all_fluents),
      a_test(lists_of_bounded_length),
      a_test(names_cannot_be_code),
      a_test(moves_come_in_the_order_of_their_text),
      a_test(an_unsafe_cache_is_not_used),
      cmocka_unit_test(the_umask_does_not_matter),
      a_test(a_better_build_takes_over),
      a_test(a_limit_ends_work_on_one_state),
      cmocka_unit_test(every_encoding_plays_right),
      a_test(without_a_compiler_there_is_a_message),
  };
  return cmocka_run_group_tests(tests, make_cache, drop_cache);
}
