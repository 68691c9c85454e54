#include "machine/datalog/datalog_plan.h"
#include "machine/machine_fixture.h"

/* The rules of a game as they are run. */
typedef struct guard_fixture {
  dl_rules r;
  dl_plan p;
} guard_fixture;

static void make_plan(guard_fixture *g, machine_fixture *f, const char *words) {
  f->s = source_of("test", words, (uint32_t)strlen(words));
  source_index_lines(&f->s, f->keep);
  assert_true(tree_read(&f->t, &f->s, symbols_new(f->keep), f->keep, &f->d));
  assert_true(rules_build(&f->p, &f->t, f->keep, &f->d));
  assert_true(dl_rules_make(&g->r, &f->p, 0, f->keep, &f->b, &f->d));
  dl_plan_make(&g->p, &g->r, f->keep, NULL);
  dl_rules_free_facts(&g->r);
}

/* The bits of the fact with these cells. */
static uint64_t bits_of(machine_fixture *f, const guard_fixture *g, symbol_id keyword,
                        const char *const *cells) {
  const flat_program *p = &g->r.flat;
  const flat_id r = p->relations_by_source.items[p->relations_from[keyword]];
  const dl_layout *l = &g->p.layouts[r];
  term_id row[DL_ARITY_MAX] = {0};
  uint32_t place = 0;
  for (uint32_t c = 0; c < l->arity; c++)
    for (uint32_t v = 0; v < l->columns[c].value_count; v++) {
      text out = text_new(f->keep);
      term_print(&g->r.terms, l->columns[c].values[v], NOTATION_KIF, NULL, &out);
      if (strcmp(text_string(&out), cells[c]) != 0) continue;
      row[c] = l->columns[c].values[v];
      place += v * l->columns[c].stride;
    }
  return dl_guard_bits(&g->p.guards.of[r], l, row, place);
}

/* How many clauses for `next` are run when these bits are told. */
static uint32_t count_run(const guard_fixture *g, uint64_t told) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < g->p.needs[DL_NEXT].count; i++) {
    const dl_component *c = &g->p.components[g->p.needs[DL_NEXT].items[i]];
    for (uint32_t k = 0; k < c->codes.count; k++)
      count += !(c->codes.items[k].needs & ~told) && !(c->codes.items[k].denies & told);
  }
  return count;
}

static const char game[] = "(role x) (role o) (init (turn x)) (<= (legal ?r go) (role ?r))\n"
                           "(<= (legal ?r stay) (role ?r))\n"
                           "(<= (next (turn o)) (true (turn x)) (does x go))\n"
                           "(<= (next (turn x)) (not (true (turn x))) (does o stay))\n"
                           "(<= (next (turn ?r)) (does ?r stay) (true (turn ?r)))\n"
                           "(<= (next (turn x)) (does x ?m) (does o ?m))";

static const char *const x_goes[] = {"x", "go"}, *const x_stays[] = {"x", "stay"},
                         *const o_stays[] = {"o", "stay"}, *const turn_x[] = {"x"};

static void clauses_for_other_moves_are_passed_over(void **state) {
  guard_fixture g;
  make_plan(&g, *state, game);
  const uint64_t turn = bits_of(*state, &g, SYM_TRUE, turn_x);
  const uint64_t go = bits_of(*state, &g, SYM_DOES, x_goes);
  const uint64_t stay = bits_of(*state, &g, SYM_DOES, x_stays);
  const uint64_t other = bits_of(*state, &g, SYM_DOES, o_stays);
  assert_int_equal(count_run(&g, 0), 0);
  assert_int_equal(count_run(&g, turn | go), 2);           /* the first, and some move is done */
  assert_int_equal(count_run(&g, go), 1);                  /* without the turn, not the first */
  assert_int_equal(count_run(&g, turn | stay | other), 2); /* the denied turn is there */
  assert_int_equal(count_run(&g, stay | other), 3);
}

static void all_bits_of_moves_are_known(void **state) {
  guard_fixture g;
  make_plan(&g, *state, game);
  assert_int_equal(bits_of(*state, &g, SYM_DOES, x_goes) & ~g.p.guards.moves, 0);
  assert_int_equal(bits_of(*state, &g, SYM_TRUE, turn_x) & g.p.guards.moves, 0);
}

int main(void) {
#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      a_test(clauses_for_other_moves_are_passed_over),
      a_test(all_bits_of_moves_are_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
