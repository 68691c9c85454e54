#include "induct/random_states.h"
#include "prove/first_order/abstract.h"
#include "prove/prove_fixture.h"

enum { STEPS = 40, GAMES = 64 };

/* A state of random play, and a fact that is tried on it. */
typedef struct trial {
  const abstract_game *g;
  const abstract_facts *f;
  const axiom *form;
  id_vec fluents; /* that hold */
  pattern_bindings b;
} trial;

typedef bool trial_next(trial *t, const statement *s, uint32_t count);

/* Does `next` say `wanted` of the rest for a fluent or a listed fact that is like the atom? */
static bool some_atom(trial *t, const statement *s, uint32_t count, trial_next *next, bool wanted) {
  const program *p = t->g->p;
  const relation_id r = atom_relation(p, s->a);
  const id_vec *facts =
      r == SYM_TRUE ? &t->fluents : listed_like(t->g->facts, r, s->a, t->b.values);
  bool is_found = false;
  for (uint32_t i = 0; i < facts->count && !is_found; i++) {
    const uint32_t mark = t->b.trail.count;
    const bool is_like =
        r == SYM_TRUE ? pattern_fits(p->terms, term_arg(p->terms, s->a, 0), facts->items[i], &t->b)
                      : pattern_arguments_fit(p->terms, s->a, facts->items[i], &t->b);
    is_found = is_like && next(t, s + 1, count - 1) == wanted;
    pattern_undo(&t->b, mark);
  }
  return is_found;
}

static bool choice_holds(trial *t, const statement *s, uint32_t count) {
  if (!count) return true;
  if (!statement_is_equation(s)) return some_atom(t, s, count, choice_holds, true);
  term_id a, b;
  assert_true(term_substitute(t->g->p->terms, s->a, t->b.values, &a));
  assert_true(term_substitute(t->g->p->terms, s->b, t->b.values, &b));
  return a == b && choice_holds(t, s + 1, count - 1);
}

static bool rest_holds(trial *t, const statement *s, uint32_t count) {
  if (count) return !some_atom(t, s, count, rest_holds, false);
  for (uint32_t k = 0; k < t->form->choice_count; k++) {
    const choice *c = &t->f->forms.choices.items[t->form->choices + k];
    if (choice_holds(t, vec_from(&t->f->forms.statements, c->first), c->count)) return true;
  }
  return false;
}

/* Facts whose relations are not all listed hold as far as this test is concerned. */
static bool is_simple(const trial *t) {
  const axiom_set *s = &t->f->forms;
  const uint32_t last = t->form->choices + t->form->choice_count;
  const uint32_t end = t->form->choice_count
                           ? s->choices.items[last - 1].first + s->choices.items[last - 1].count
                           : t->form->body + t->form->body_count;
  for (uint32_t i = t->form->body; i < end; i++) {
    const statement *part = &s->statements.items[i];
    if (statement_is_equation(part)) continue;
    const relation_id r = atom_relation(t->g->p, part->a);
    if (r != SYM_TRUE && t->g->state.rule_counts[r]) return false;
  }
  return true;
}

static bool fact_holds(trial *t, const abstract_fact *it, arena *scratch) {
  t->form = &t->f->forms.all.items[it->form];
  t->b = pattern_begin(t->form->variables, scratch);
  return !is_simple(t) ||
         rest_holds(t, vec_from(&t->f->forms.statements, t->form->body), t->form->body_count);
}

/* How many of the facts fail in some state of random play. */
static uint32_t count_broken(prove_fixture *f, const abstract_game *g, const abstract_facts *facts,
                             const sample *seen) {
  const circuit *c = &f->j.g.circuit;
  arena *scratch = arena_new();
  bool *is_broken = arena_zero_array(f->keep, bool, facts->all.count + 1);
  uint32_t count = 0;
  for (uint32_t step = 0; step < seen->step_count; step++)
    for (uint32_t lane = step % 7; lane < GAMES; lane += 7) {
      trial t = {.g = g, .f = facts};
      for (uint32_t i = 0; i < c->fluents.count; i++)
        if (sample_value(seen, c, step, c->fluents.items[i].now) >> lane & 1)
          vec_push(scratch, &t.fluents, c->fluents.items[i].term);
      for (uint32_t i = 0; i < facts->all.count; i++)
        is_broken[i] |= !fact_holds(&t, &facts->all.items[i], scratch);
      arena_clear(scratch);
    }
  for (uint32_t i = 0; i < facts->all.count; i++) count += is_broken[i];
  arena_free(scratch);
  return count;
}

/* What is proved holds in every state that is seen; what is guessed need not. */
static void assert_facts_hold(prove_fixture *f, const char *game, uint32_t *broken_guesses) {
  abstract_game g;
  abstract_facts facts = {.forms = {.keep = f->keep}};
  sample seen = {0};
  budget b = budget_new(0, 0);
  read_builtin(f, game);
  ask(f, "playable");
  sample_play(&seen, &f->j.g.circuit, STEPS, 1, f->keep, NULL);
  assert_null(abstract_open(&g, &f->p, (abstract_options){true, true, true}, f->keep));
  abstract_guess(&facts, &g);
  *broken_guesses += count_broken(f, &g, &facts, &seen);
  abstract_prove_facts(&facts, &g, &b);
  assert_true(facts.all.count > 0);
  assert_int_equal(count_broken(f, &g, &facts, &seen), 0);
}

static void what_is_proved_holds_in_random_play(void **state) {
  static const char *const games[] = {"tic-tac-toe",
                                      "simultaneous-tic-tac-toe",
                                      "connect-four",
                                      "monty-hall",
                                      "nim",
                                      "fox-and-geese",
                                      "river-crossing",
                                      "dark-tic-tac-toe",
                                      "domineering",
                                      "unsound/never-wins"};
  uint32_t broken_guesses = 0;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++)
    assert_facts_hold(*state, games[i], &broken_guesses);
  assert_true(broken_guesses > 0);
}

/* The start is looked up where it is listed, and proved where rules give it. */
static void guesses_must_hold_at_the_start(void **state) {
  prove_fixture *f = *state;
  static const char *const starts[] = {"(init (at a)) (init (at b))",
                                       "(<= (init (at ?x)) (place ?x))", "(init (at a))"};
  static const uint32_t groups[] = {0, 0, 1};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    abstract_game g;
    abstract_facts facts = {.forms = {.keep = f->keep}};
    text words = text_new(f->keep);
    uint32_t count = 0;
    text_add_format(&words,
                    "(role r) (place a) (place b) (legal r go) (<= terminal (true over)) %s\n"
                    "(<= (next (at ?x)) (true (at ?x)))",
                    starts[i]);
    read_game(f, text_string(&words));
    assert_null(abstract_open(&g, &f->p, (abstract_options){true, true, true}, f->keep));
    abstract_guess(&facts, &g);
    abstract_prove_facts(&facts, &g, &f->b);
    for (uint32_t k = 0; k < facts.all.count; k++) count += facts.all.items[k].group != NULL;
    assert_int_equal(count, groups[i]);
  }
}

/* A guess about each of very many arguments would have to name all the others. */
static void nothing_is_guessed_of_very_wide_fluents(void **state) {
  prove_fixture *f = *state;
  abstract_game g;
  abstract_facts facts = {.forms = {.keep = f->keep}};
  text words = text_new(f->keep);
  text_add(&words, "(role r) (legal r go) (<= terminal (true over)) (thing a) (init (row");
  for (uint32_t i = 0; i < 3000; i++) text_add(&words, " a");
  text_add(&words, ")) (<= (next (row");
  for (uint32_t i = 0; i < 3000; i++) text_add_format(&words, " ?%u", i);
  text_add(&words, ")) (thing ?0) (true (row");
  for (uint32_t i = 0; i < 3000; i++) text_add_format(&words, " ?%u", i);
  text_add(&words, ")))");
  read_game(f, text_string(&words));
  assert_null(abstract_open(&g, &f->p, (abstract_options){true, true, true}, f->keep));
  abstract_guess(&facts, &g);
  assert_int_equal(facts.all.count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(what_is_proved_holds_in_random_play),
      a_test(guesses_must_hold_at_the_start),
      a_test(nothing_is_guessed_of_very_wide_fluents),
  };
  return cmocka_run_group_tests_name("prove/abstract_facts", tests, NULL, NULL);
}
