#include "base/rng.h"
#include "ground/ground_fixture.h"
#include "ground/random_game_fixture.h"
#include "ground/simplify/wellfounded.h"

enum { ATOMS = 14, RULES = 24, FLUENTS = 3, MOVES = 2, PROGRAMS = 20000 };

/* Atoms 0 .. 2 are fluents, 3 and 4 moves; next of the fluents and legal of the moves are 5 .. 9.
 */
static ground_program random_program(rng *r, arena *keep) {
  ground_program g = {.keep = keep, .terminal = ATOM_NONE};
  for (atom_id a = 0; a < ATOMS; a++) vec_push(keep, &g.atoms, TERM_NONE);
  for (atom_id a = 0; a < FLUENTS; a++) {
    const ground_fluent it = {
        .holds = a, .next = rng_below(r, 6) ? a + 5 : ATOM_NONE, .initially = rng_below(r, 2)};
    vec_push(keep, &g.fluents, it);
  }
  for (atom_id a = FLUENTS; a < FLUENTS + MOVES; a++) {
    const ground_move it = {.does = a, .legal = rng_below(r, 6) ? a + 5 : ATOM_NONE};
    vec_push(keep, &g.moves, it);
  }
  for (uint32_t i = 0, count = rng_below(r, RULES); i < count; i++) {
    const ground_rule rule = {FLUENTS + MOVES + rng_below(r, ATOMS - FLUENTS - MOVES),
                              g.literals.count, rng_below(r, 4)};
    for (uint32_t k = 0; k < rule.body_count; k++)
      vec_push(keep, &g.literals, literal_of_atom(rng_below(r, ATOMS), rng_below(r, 3) == 0));
    vec_push(keep, &g.rules, rule);
  }
  return g;
}

/* ---- the same model, found in the plainest way ---- */

typedef struct atom_set {
  bool has[ATOMS];
} atom_set;

static bool body_holds(const ground_program *g, const ground_rule *r, const atom_set *holds,
                       const atom_set *refuting) {
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = g->literals.items[r->body + i];
    if (literal_is_negated(l) ? refuting->has[literal_atom(l)] : !holds->has[literal_atom(l)])
      return false;
  }
  return true;
}

static void close_set(const ground_program *g, atom_set *holds, const atom_set *refuting,
                      bool follows_links) {
  for (uint32_t round = 0; round < 2 * ATOMS; round++) {
    for (uint32_t r = 0; r < g->rules.count; r++)
      if (body_holds(g, &g->rules.items[r], holds, refuting))
        holds->has[g->rules.items[r].head] = true;
    for (uint32_t i = 0; i < g->fluents.count && follows_links; i++) {
      const ground_fluent *it = &g->fluents.items[i];
      if (it->next != ATOM_NONE && holds->has[it->next]) holds->has[it->holds] = true;
    }
    for (uint32_t i = 0; i < g->moves.count && follows_links; i++) {
      const ground_move *it = &g->moves.items[i];
      if (it->legal != ATOM_NONE && holds->has[it->legal]) holds->has[it->does] = true;
    }
  }
}

/* Of the fluents that start true, the most that follow from each other and what is certain. */
static void keep_most(const ground_program *g, atom_set *certain, const atom_set *possible) {
  atom_set held = *certain;
  bool kept[FLUENTS];
  for (uint32_t i = 0; i < FLUENTS; i++)
    kept[i] = g->fluents.items[i].initially && g->fluents.items[i].next != ATOM_NONE;
  for (uint32_t round = 0; round <= FLUENTS; round++) {
    held = *certain;
    for (uint32_t i = 0; i < FLUENTS; i++) held.has[i] |= kept[i];
    close_set(g, &held, possible, false);
    for (uint32_t i = 0; i < FLUENTS; i++) kept[i] = kept[i] && held.has[g->fluents.items[i].next];
  }
  *certain = held;
}

static void plain_model(const ground_program *g, bool through_states, atom_set *possible,
                        atom_set *certain) {
  *certain = (atom_set){0};
  for (uint32_t round = 0; round < ATOMS; round++) {
    *possible = (atom_set){0};
    for (atom_id a = 0; a < FLUENTS + MOVES; a++)
      possible->has[a] = !through_states || (a < FLUENTS && g->fluents.items[a].initially);
    close_set(g, possible, certain, through_states);
    close_set(g, certain, possible, false);
    if (through_states) keep_most(g, certain, possible);
  }
}

static void assert_same_model(const ground_program *g, bool through_states, arena *keep) {
  wellfounded found;
  atom_set possible, certain;
  wellfounded_find(&found, g, through_states, keep, NULL);
  plain_model(g, through_states, &possible, &certain);
  for (atom_id a = 0; a < ATOMS; a++) {
    assert_int_equal(bitset_has(found.possible, a), possible.has[a]);
    assert_int_equal(bitset_has(found.certain, a), certain.has[a]);
  }
}

static void random_rules_have_the_model_of_the_definition(void **state) {
  (void)state;
  rng r = rng_new(7, 0);
  for (uint32_t i = 0; i < PROGRAMS; i++) {
    arena *keep = arena_new();
    const ground_program g = random_program(&r, keep);
    assert_same_model(&g, false, keep);
    assert_same_model(&g, true, keep);
    arena_free(keep);
  }
}

/* The native grounder finds rules by deriving their heads. */
static void rules_that_were_derived_have_the_same_model(void **state) {
  (void)state;
  rng r = rng_new(8, 0);
  uint32_t derived = 0;
  for (uint32_t i = 0; i < 300; i++) {
    void *own;
    set_up(&own);
    rules_fixture *f = own;
    bases b;
    ground_program g;
    wellfounded slow, fast;
    assert_true(build_text(f, random_game_text(&r, f->keep)));
    if (bases_compute(&b, &f->p, BASES_ONESTEP, f->keep, NULL, &f->d) &&
        instantiate(&g, &b, f->keep, NULL, &f->d)) {
      derived += g.is_derived;
      wellfounded_find(&fast, &g, i % 2, f->keep, NULL);
      g.is_derived = false;
      wellfounded_find(&slow, &g, i % 2, f->keep, NULL);
      for (atom_id a = 0; a < g.atoms.count; a++) {
        assert_int_equal(bitset_has(slow.possible, a), bitset_has(fast.possible, a));
        assert_int_equal(bitset_has(slow.certain, a), bitset_has(fast.certain, a));
      }
    }
    bases_free(&b);
    tear_down(&own);
  }
  assert_in_range(derived, 100, 299); /* rules that contradict themselves are left out of some */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_rules_have_the_model_of_the_definition),
      cmocka_unit_test(rules_that_were_derived_have_the_same_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
