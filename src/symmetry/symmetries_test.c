/* Symmetries of small games, and what is no symmetry. */
#include "symmetry/symmetries.h"

#include "circuit/circuit_fixture.h"
#include "symmetry/automorphism.h"
#include "symmetry/state_group.h"

/* Three lamps, each with a switch; all must be lit.  `first` may be lit at the start. */
#define LAMPS(first) \
  "(role r) (lamp a) (lamp b) (lamp c) (init (dark dummy))" first \
  "(<= (legal r (press ?x)) (lamp ?x) (not (true (lit ?x))))" \
  "(<= (next (lit ?x)) (does r (press ?x))) (<= (next (lit ?x)) (true (lit ?x)))" \
  "(<= unlit (lamp ?x) (not (true (lit ?x)))) (<= terminal (not unlit))" \
  "(<= (goal r 100) (not unlit)) (<= (goal r 0) unlit)"

#define DUEL \
  "(role x) (role y) (init fresh) (<= (legal ?r (shoot ?h)) (role ?r) (hand ?h))" \
  "(hand left) (hand right) (<= (next (did ?r ?h)) (does ?r (shoot ?h)))" \
  "(<= terminal (true (did x ?h)))" \
  "(<= (goal ?r 50) (role ?r))"

static uint32_t order_of(rules_fixture *f, const char *words) {
  const circuit_stages *s = staged(f, words, optimised);
  state_group group;
  budget b = budget_new(0, 0);
  state_group_find(&group, &s->g, &s->shared, (s->shared.latches.count + 7) / 8, f->keep, &b);
  return group.order;
}

static void lamps_can_be_exchanged_that_are_alike_at_the_start(void **state) {
  rules_fixture *f = *state;
  if (!automorphisms_are_possible()) skip();
  assert_int_equal(order_of(f, LAMPS("")), 6);
}

static int stops_at_zero(void *left) { return (*(int *)left)-- <= 0; }

/* What bliss has allocated by then is released, too: checked where leaks are looked for. */
static void a_search_can_be_stopped_at_any_time(void **state) {
  enum { VERTICES = 12 };
  static const uint32_t colours[VERTICES];
  uint32_t images[VERTICES * VERTICES];
  (void)state;
  if (!automorphisms_are_possible()) skip();
  for (int calls = 0;; calls++) {
    int left = calls;
    const colour_graph g = {.vertex_count = VERTICES, .colours = colours};
    automorphism_list list = {.width = VERTICES, .capacity = VERTICES, .images = images};
    automorphisms_find(&g, stops_at_zero, &left, &list);
    assert_true(list.count < VERTICES);
    if (list.is_whole) return;
  }
}

static void the_first_state_stays_as_it_is(void **state) {
  rules_fixture *f = *state;
  if (!automorphisms_are_possible()) skip();
  assert_int_equal(order_of(f, LAMPS("(init (lit a))")), 2);
}

static bool exchanges_roles(const symmetries *s) {
  for (uint32_t i = 0; i < s->items.count; i++)
    if (s->items.items[i].roles[0] != 0) return true;
  return false;
}

static void roles_are_exchanged_only_where_that_is_wished(void **state) {
  rules_fixture *f = *state;
  symmetries s;
  budget b = budget_new(0, 0);
  if (!automorphisms_are_possible()) skip();
  const ground_program g = grounded(f, DUEL "(<= terminal (true (did y ?h)))", optimised);
  symmetries_find(&s, &g, true, f->keep, &b);
  assert_true(exchanges_roles(&s));
  symmetries_find(&s, &g, false, f->keep, &b);
  assert_false(exchanges_roles(&s));
  assert_true(s.items.count > 0 && s.is_whole);
}

static symmetry identity(const ground_program *g, arena *keep) {
  const uint32_t most = g->atoms.count + g->fluents.count + g->moves.count + g->roles.count;
  uint32_t *numbers = arena_new_array(keep, uint32_t, 4 * (size_t)most);
  for (uint32_t i = 0; i < 4 * most; i++) numbers[i] = i % most;
  return (symmetry){numbers, numbers + most, numbers + (size_t)2 * most,
                    numbers + (size_t)3 * most};
}

static void exchange(uint32_t *images, uint32_t a, uint32_t b) {
  images[a] = b;
  images[b] = a;
}

/* Every permutation of two atoms, fluents or moves alone breaks something. */
static void what_breaks_a_rule_is_no_symmetry(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(f, LAMPS(""), optimised);
  symmetry s = identity(&g, f->keep);
  assert_true(symmetry_is_proved(&g, &s, f->keep));
  exchange(s.atoms,
           g.fluents.items[0].holds == ATOM_NONE ? g.fluents.items[1].holds
                                                 : g.fluents.items[0].holds,
           g.terminal);
  assert_false(symmetry_is_proved(&g, &s, f->keep));
  s = identity(&g, f->keep);
  exchange(s.moves, 0, 1);
  assert_false(symmetry_is_proved(&g, &s, f->keep));
  s = identity(&g, f->keep);
  s.fluents[0] = 1;
  assert_false(symmetry_is_proved(&g, &s, f->keep));
}

static void images_are_reduced_to_the_same_state(void **state) {
  rules_fixture *f = *state;
  if (!automorphisms_are_possible()) skip();
  const circuit_stages *s = staged(f, LAMPS(""), optimised);
  state_group group;
  budget b = budget_new(0, 0);
  state_group_find(&group, &s->g, &s->shared, 1, f->keep, &b);
  uint32_t kept = 0, images = 0;
  for (uint32_t bits = 0; bits < 1u << s->shared.latches.count; bits++) {
    uint8_t state_byte = (uint8_t)bits, again;
    state_group_reduce(&group, &state_byte, 1);
    again = state_byte;
    state_group_reduce(&group, &again, 1);
    assert_int_equal(again, state_byte);
    kept += state_byte == bits;
    if (state_byte == bits) images += state_group_images(&group, &state_byte);
  }
  assert_int_equal(images, 1u << s->shared.latches.count);
  assert_int_equal(kept, 4u << (s->shared.latches.count - 3));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(lamps_can_be_exchanged_that_are_alike_at_the_start),
      rules_test(a_search_can_be_stopped_at_any_time),
      rules_test(the_first_state_stays_as_it_is),
      rules_test(roles_are_exchanged_only_where_that_is_wished),
      rules_test(what_breaks_a_rule_is_no_symmetry),
      rules_test(images_are_reduced_to_the_same_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
