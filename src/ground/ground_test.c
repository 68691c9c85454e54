/* Grounding as a whole: random games, plain and optimised, against the meaning of their rules. */
#include "ground/ground_fixture.h"
#include "ground/random_game_fixture.h"

/* ---- a game under comparison ---- */

typedef struct subject {
  rules_fixture *f;
  const char *words;
  const ground_program *g;
  ground_model m;
  bool *now;       /* by fluent of g */
  uint32_t *moves; /* by role: the move of g that it does */
} subject;

static subject subject_new(rules_fixture *f, const char *words, const ground_program *g) {
  return (subject){.f = f,
                   .words = words,
                   .g = g,
                   .m = model_new(g, f->keep),
                   .now = arena_zero_array(f->keep, bool, g->fluents.count + 1),
                   .moves = arena_zero_array(f->keep, uint32_t, g->roles.count + 1)};
}

static term_id keyword_atom(const subject *s, symbol_id keyword, const term_id *args,
                            uint32_t count) {
  return term_atom(s->g->terms, keyword, args, count);
}

/* The model of the rules with the state's facts, and those of the moves when asked for. */
static naive rules_model(const subject *s, bool with_moves) {
  naive n;
  naive_init(&n, &s->f->p, NULL, s->f->scratch);
  for (uint32_t i = 0; i < s->g->fluents.count; i++)
    if (s->now[i]) naive_add(&n, keyword_atom(s, SYM_TRUE, &s->g->fluents.items[i].term, 1));
  for (uint32_t r = 0; r < s->g->roles.count && with_moves; r++) {
    const term_id args[2] = {s->g->roles.items[r].term, s->g->moves.items[s->moves[r]].term};
    naive_add(&n, keyword_atom(s, SYM_DOES, args, 2));
  }
  naive_run(&n);
  return n;
}

static void require_same(const subject *s, bool is, bool should_be, const char *what,
                         term_id about) {
  if (is == should_be) return;
  text words = text_new(s->f->keep);
  if (about != TERM_NONE) term_print(s->g->terms, about, NOTATION_KIF, NULL, &words);
  print_error("%s %s: %d\n", what, text_string(&words), is);
  show("rules", s->words);
  for (uint32_t i = 0; i < s->g->fluents.count; i++) {
    text fluent = text_new(s->f->keep);
    term_print(s->g->terms, s->g->fluents.items[i].term, NOTATION_KIF, NULL, &fluent);
    if (s->now[i]) print_error("true %s\n", text_string(&fluent));
  }
  show("ground", ground_text(s->f, s->g));
  fail();
}

/* Facts of legal or goal that are about a role: others are ignored. */
static uint32_t count_of_roles(const subject *s, const naive *n, symbol_id keyword) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n->facts[keyword].count; i++) {
    const term_id role = term_arg(s->g->terms, n->facts[keyword].items[i], 0);
    for (uint32_t r = 0; r < s->g->roles.count; r++) count += s->g->roles.items[r].term == role;
  }
  return count;
}

/* As many as there are in all, so that none is missing. */
static void compare_legal(subject *s, const naive *n) {
  uint32_t count = 0;
  for (uint32_t r = 0; r < s->g->roles.count; r++)
    for (uint32_t i = 0; i < s->g->roles.items[r].move_count; i++) {
      const ground_move *m = &s->g->moves.items[s->g->roles.items[r].first_move + i];
      const term_id args[2] = {s->g->roles.items[r].term, m->term};
      require_same(s, model_has(&s->m, m->legal), naive_has(n, keyword_atom(s, SYM_LEGAL, args, 2)),
                   "legal", m->term);
      count += model_has(&s->m, m->legal);
    }
  require_same(s, count == count_of_roles(s, n, SYM_LEGAL), true, "all legal moves are there",
               TERM_NONE);
}

static void compare_goals(subject *s, const naive *n) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->g->goals.count; i++) {
    const ground_outcome *o = &s->g->goals.items[i];
    const term_id args[2] = {s->g->roles.items[o->role].term, o->term};
    require_same(s, model_has(&s->m, o->atom), naive_has(n, keyword_atom(s, SYM_GOAL, args, 2)),
                 "goal", o->term);
    count += model_has(&s->m, o->atom);
  }
  require_same(s, count == count_of_roles(s, n, SYM_GOAL), true, "all goals are there", TERM_NONE);
}

static void compare_state(subject *s) {
  const naive n = rules_model(s, false);
  model_set_state(&s->m, s->now);
  model_evaluate(&s->m);
  compare_legal(s, &n);
  compare_goals(s, &n);
  require_same(s, model_has(&s->m, s->g->terminal), n.facts[SYM_TERMINAL].count > 0, "terminal",
               TERM_NONE);
}

static void compare_step(subject *s) {
  const naive n = rules_model(s, true);
  model_set_state(&s->m, s->now);
  for (uint32_t r = 0; r < s->g->roles.count; r++) model_do(&s->m, s->moves[r]);
  model_evaluate(&s->m);
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->g->fluents.count; i++) {
    const ground_fluent *f = &s->g->fluents.items[i];
    const bool is = model_has(&s->m, f->next);
    require_same(s, is, naive_has(&n, keyword_atom(s, SYM_NEXT, &f->term, 1)), "next", f->term);
    count += is;
  }
  require_same(s, count == n.facts[SYM_NEXT].count, true, "all of next is there", TERM_NONE);
}

static void start(subject *s) {
  const naive n = rules_model(s, false);
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->g->fluents.count; i++)
    count += s->now[i] = s->g->fluents.items[i].initially;
  require_same(s, count == n.facts[SYM_INIT].count, true, "all of init is there", TERM_NONE);
}

/* A move of each role that the last state made legal; false when one has none. */
static bool choose_legal(subject *s, rng *r) {
  for (uint32_t role = 0; role < s->g->roles.count; role++) {
    const ground_role *it = &s->g->roles.items[role];
    uint32_t left = it->move_count;
    uint32_t at = rng_below(r, it->move_count);
    while (left-- && !model_has(&s->m, s->g->moves.items[it->first_move + at].legal))
      at = (at + 1) % it->move_count;
    if (left == UINT32_MAX) return false;
    s->moves[role] = it->first_move + at;
  }
  return true;
}

static void take_step(subject *s) {
  for (uint32_t i = 0; i < s->g->fluents.count; i++)
    s->now[i] = model_has(&s->m, s->g->fluents.items[i].next);
}

static void compare_playout(subject *s, rng *r) {
  start(s);
  for (uint32_t step = 0; step < 6; step++) {
    compare_state(s);
    if (!choose_legal(s, r)) return;
    compare_step(s);
    take_step(s);
    arena_clear(s->f->scratch);
  }
}

/* A fluent that was folded away keeps its value in all states; a move that is never legal is never
   done. */
static bool is_never_true(const ground_fluent *f) { return !f->initially && f->next == ATOM_NONE; }

static bool is_certain(const ground_program *g, atom_id a) {
  return a != ATOM_NONE && g->rules_of[a + 1] > g->rules_of[a] &&
         g->rules.items[g->rules_of[a]].body_count == 0;
}

static void choose_anything(subject *s, rng *r) {
  const uint32_t percent = 10 + rng_below(r, 80);
  for (uint32_t i = 0; i < s->g->fluents.count; i++) {
    const ground_fluent *f = &s->g->fluents.items[i];
    s->now[i] = !is_never_true(f) &&
                ((f->initially && is_certain(s->g, f->next)) || rng_below(r, 100) < percent);
  }
  for (uint32_t role = 0; role < s->g->roles.count; role++) {
    const ground_role *it = &s->g->roles.items[role];
    uint32_t at = rng_below(r, it->move_count);
    while (s->g->moves.items[it->first_move + at].legal == ATOM_NONE)
      at = (at + 1) % it->move_count;
    s->moves[role] = it->first_move + at;
  }
}

static void compare_random_states(subject *s, rng *r) {
  for (uint32_t i = 0; i < 6; i++) {
    choose_anything(s, r);
    compare_state(s);
    compare_step(s);
    arena_clear(s->f->scratch);
  }
}

static void compare_game(rules_fixture *f, const char *words, ground_options o, rng *r) {
  const ground_program g = grounded(f, words, o);
  subject s = subject_new(f, words, &g);
  require_same(&s, s.m.stratified, true, "stratified", TERM_NONE);
  compare_playout(&s, r);
  compare_random_states(&s, r);
}

enum { RANDOM_GAMES = 150 };

static void compare_random_games(rules_fixture *f, ground_options o) {
  for (uint32_t i = 0; i < RANDOM_GAMES; i++) {
    rng r = rng_new(1, i);
    arena *words_keep = arena_new();
    compare_game(f, random_game_text(&r, words_keep), o, &r);
    arena_free(words_keep);
    arena_clear(f->keep);
  }
}

static void random_games_grounded_plainly_keep_their_meaning(void **state) {
  compare_random_games(*state, plain);
}

static void random_games_grounded_with_all_optimisations_keep_their_meaning(void **state) {
  compare_random_games(*state, optimised);
}

/* ---- other ways to find the fluents ---- */

static void random_games_keep_their_meaning_with_bases_found_in_generations(void **state) {
  compare_random_games(*state, (ground_options){.bases = BASES_ITERATIVE});
  compare_random_games(*state, (ground_options){.bases = BASES_ITERATIVE, .optimise = true});
}

/* ---- sizes ---- */

/* Atoms: true a, true b, does r x, next a, terminal, legal r x, goal r 1; conjunctions: of next a
   and one of terminal's; a disjunction: terminal; negations: of true b and does r x. */
static void components_are_counted_as_the_paper_counts_them(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      grounded(f,
               "(role r) (init a) (init b) (legal r x) (<= (goal r 1) (true a))"
               "(<= (next a) (true a) (not (does r x)))"
               "(<= terminal (true a) (not (true b))) (<= terminal (true b))",
               plain);
  assert_int_equal(g.atoms.count, 7);
  assert_int_equal(ground_components(&g), 7 + 2 + 1 + 2);
}

static void sizes_are_told(void **state) {
  rules_fixture *f = *state;
  build_sound(f, "(role r) (init a) (p x) (p y) (legal r go) (legal r stay) (<= (next a) (true a) "
                 "(does r go))");
  ground_program g;
  ground_stats stats;
  assert_true(ground_rules(&g, &f->p, plain, f->keep, NULL, &f->d, &stats));
  assert_int_equal(stats.fluents, 1);
  assert_int_equal(stats.moves, 2);
  assert_int_equal(stats.facts, 6); /* role, init, p and legal */
  assert_int_equal(stats.rules, g.rules.count);
  assert_int_equal(stats.literals, 2);
  assert_int_equal(stats.components, ground_components(&g));
}

static void a_game_without_rules_grounds_to_nothing(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(f, "", optimised);
  assert_int_equal(g.rules.count, 0);
  assert_int_equal(g.atoms.count, 0);
  assert_int_equal(ground_components(&g), 0);
}

static void a_limit_ends_grounding_with_a_message(void **state) {
  rules_fixture *f = *state;
  build_sound(
      f, "(role r) (init (f 0)) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)"
         "(<= (next (g ?a ?b ?c ?d ?e ?f ?g)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g))");
  budget limits = budget_new(0, 4 << 20);
  budget_watch(&limits, f->keep);
  ground_program g;
  ground_stats stats;
  assert_false(ground_rules(&g, &f->p, optimised, f->keep, &limits, &f->d, &stats));
  assert_int_equal(count_of(f, DIAG_E802), 1);
  assert_int_equal(limits.watched_count, 1);
}

static void methods_have_names(void **state) {
  (void)state;
  ground_method m;
  for (int i = METHOD_NATIVE; i <= METHOD_PROLOG; i++) {
    assert_true(ground_method_find(ground_method_name((ground_method)i), &m));
    assert_int_equal(m, i);
  }
  assert_false(ground_method_find("none", &m));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(random_games_grounded_plainly_keep_their_meaning),
      rules_test(random_games_grounded_with_all_optimisations_keep_their_meaning),
      rules_test(random_games_keep_their_meaning_with_bases_found_in_generations),
      rules_test(components_are_counted_as_the_paper_counts_them),
      rules_test(sizes_are_told),
      rules_test(a_game_without_rules_grounds_to_nothing),
      rules_test(a_limit_ends_grounding_with_a_message),
      rules_test(methods_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
