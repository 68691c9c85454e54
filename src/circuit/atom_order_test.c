#include "circuit/atom_order.h"

#include "ground/ground_fixture.h"

static const char lamps[] =
    "(role r) (legal r a) (legal r b) (init p)\n"
    "(<= (next p) lit) (<= (next q) (not lit)) (<= lit (true p) (does r a)) (<= lit dark)\n"
    "(<= dark (not (true q)) (not (true p))) (<= (goal r 1) dark) (<= terminal (true q))";

static const char network[] =
    "(role r) (legal r a) (legal r b) (init p) (<= (next p) (true p)) (<= (next q) (does r a))\n"
    "(<= x (true p) y) (<= y x) (<= y (true q)) (<= z (true p) (not (true q))) (<= z z (true q))\n"
    "(<= (goal r 1) x) (<= (goal r 2) y) (<= terminal z)";

static atom_order order_of(const ground_program *g, arena *keep) {
  atom_order o;
  atom_order_find(&o, g, keep);
  return o;
}

/* Every atom once, and behind all that it needs but those of its own component. */
static void assert_in_order(const atom_order *o, arena *keep) {
  const ground_program *g = o->g;
  const bitset done = bitset_new(keep, g->atoms.count);
  for (uint32_t i = 0, end; i < g->atoms.count; i = end) {
    end = atom_order_component_end(o, i);
    for (uint32_t k = i; k < end; k++) assert_true(bitset_insert(done, o->atoms[k]));
    for (uint32_t k = i; k < end; k++)
      for (uint32_t r = g->rules_of[o->atoms[k]]; r < g->rules_of[o->atoms[k] + 1]; r++)
        for (uint32_t n = 0; n < g->rules.items[r].body_count; n++)
          assert_true(
              bitset_has(done, literal_atom(g->literals.items[g->rules.items[r].body + n])));
  }
  assert_int_equal(bitset_count(done), g->atoms.count);
}

static uint32_t count_recursive_components(const atom_order *o) {
  uint32_t count = 0;
  for (uint32_t i = 0, end; i < o->g->atoms.count; i = end) {
    end = atom_order_component_end(o, i);
    count += atom_order_is_recursive(o, i, end);
  }
  return count;
}

static void atoms_stand_behind_what_they_need(void **state) {
  rules_fixture *f = *state;
  const ground_program g = instantiated(f, lamps);
  const atom_order o = order_of(&g, f->keep);
  assert_null(o.component);
  assert_in_order(&o, f->keep);
  assert_int_equal(count_recursive_components(&o), 0);
}

static void atoms_that_need_each_other_are_one_component(void **state) {
  rules_fixture *f = *state;
  const ground_program g = instantiated(f, network);
  const atom_order o = order_of(&g, f->keep);
  assert_non_null(o.component);
  assert_in_order(&o, f->keep);
  assert_int_equal(count_recursive_components(&o), 2); /* x and y; z by itself */
}

/* `dark` does not depend on moves: one rule and a goal read it.  `lit` does: two rules read it,
   while moves are done, and nothing else. */
static void reads_are_counted_by_moment(void **state) {
  rules_fixture *f = *state;
  const ground_program g = instantiated(f, lamps);
  const atom_order o = order_of(&g, f->keep);
  uint32_t movers = 0;
  for (uint32_t i = 0; i < g.fluents.count; i++) {
    const atom_id next = g.fluents.items[i].next;
    assert_true(bitset_has(o.uses_moves, next));
    assert_int_equal(o.reads[MOVING][next], READS_SEVERAL);
    assert_int_equal(o.reads[STILL][next], 0);
  }
  assert_false(bitset_has(o.uses_moves, g.goals.items[0].atom));
  assert_int_equal(o.reads[STILL][g.goals.items[0].atom], READS_SEVERAL);
  assert_int_equal(o.reads[MOVING][g.goals.items[0].atom], 0);
  for (atom_id a = 0; a < g.atoms.count; a++) movers += o.reads[MOVING][a] == READS_SEVERAL;
  assert_true(movers >= g.fluents.count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(atoms_stand_behind_what_they_need),
      rules_test(atoms_that_need_each_other_are_one_component),
      rules_test(reads_are_counted_by_moment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
