#include "base/rng.h"
#include "machine/datalog/datalog_incremental.h"
#include "machine/machine_fixture.h"

/* A model that is told changes of the state, beside models that are told whole states. */
typedef struct change_fixture {
  machine_fixture *f;
  dl_rules r;
  dl_plan p;
  dl_model m;
  machine_trouble trouble;
  bool *holds; /* by relation of `true` and place, one after the other */
} change_fixture;

/* ---- models ---- */

static uint32_t given_count(const change_fixture *x) {
  const flat_program *f = &x->r.flat;
  return f->relations_from[SYM_TRUE + 1] - f->relations_from[SYM_TRUE];
}

static flat_id given_relation(const change_fixture *x, uint32_t i) {
  const flat_program *f = &x->r.flat;
  return f->relations_by_source.items[f->relations_from[SYM_TRUE] + i];
}

static void new_model(change_fixture *x, dl_model *m) {
  dl_model_init(m, &x->p, &x->r.terms, &x->f->b, &x->trouble, x->f->keep);
}

static void open_rules(change_fixture *x, machine_fixture *f, const char *words) {
  *x = (change_fixture){.f = f};
  f->s = source_of("test", words, (uint32_t)strlen(words));
  source_index_lines(&f->s, f->keep);
  assert_true(tree_read(&f->t, &f->s, symbols_new(f->keep), f->keep, &f->d));
  assert_true(rules_build(&f->p, &f->t, f->keep, &f->d));
  assert_true(dl_rules_make(&x->r, &f->p, 0, f->keep, &f->b, &f->d));
  dl_plan_make(&x->p, &x->r, f->keep, NULL);
  dl_rules_free_facts(&x->r);
  uint32_t places = 0;
  for (uint32_t i = 0; i < given_count(x); i++) places += x->p.layouts[given_relation(x, i)].size;
  x->holds = arena_zero_array(f->keep, bool, places + 1);
  new_model(x, &x->m);
}

static void tell_whole(change_fixture *x, dl_model *m) {
  const bool *holds = x->holds;
  term_id row[DL_ARITY_MAX];
  dl_model_forget_state(m);
  for (uint32_t i = 0; i < given_count(x); i++) {
    const flat_id r = given_relation(x, i);
    for (uint32_t place = 0; place < x->p.layouts[r].size; place++) {
      if (!holds[place]) continue;
      dl_layout_row(&x->p.layouts[r], place, row);
      dl_model_add(m, r, row, place);
    }
    holds += x->p.layouts[r].size;
  }
}

/* Lets some facts of `true` come and others go. */
static void change_some(change_fixture *x, rng *random, uint32_t percent) {
  bool *holds = x->holds;
  dl_change_begin(&x->m);
  for (uint32_t i = 0; i < given_count(x); i++) {
    const flat_id r = given_relation(x, i);
    id_vec gone = {0}, come = {0};
    for (uint32_t place = 0; place < x->p.layouts[r].size; place++) {
      if (rng_below(random, 100) >= percent) continue;
      vec_push(x->f->keep, holds[place] ? &gone : &come, place);
      holds[place] ^= true;
    }
    holds += x->p.layouts[r].size;
    const dl_changes changes = {gone.items, come.items, gone.count, come.count};
    if (gone.count || come.count) dl_change(&x->m, r, &changes);
  }
  dl_change_end(&x->m);
}

/* Both models have the same facts of all that was asked for. */
static void assert_same(change_fixture *x) {
  dl_model fresh;
  new_model(x, &fresh);
  tell_whole(x, &fresh);
  for (dl_question q = DL_TERMINAL; q <= DL_GOAL; q++) {
    dl_model_ask(&x->m, q);
    dl_model_ask(&fresh, q);
  }
  assert_false(x->trouble.is_there);
  for (uint32_t c = 0; c < x->p.component_count; c++) {
    assert_int_equal(x->m.cares[c].is_done, fresh.cares[c].is_done);
    if (!fresh.cares[c].is_done) continue;
    const flat_id r = x->p.components[c].relations.items[0];
    const dl_rows *mine = &x->m.runner.rows[r], *its = &fresh.runner.rows[r];
    assert_int_equal(mine->count, its->count);
    for (uint32_t row = 0; mine->bits && row < its->count; row++)
      assert_true(dl_has_place(mine, its->places[row]));
  }
}

static const dl_component *component_named(const change_fixture *x, const char *name) {
  for (flat_id r = 0; r < x->r.dynamic.relations.count; r++) {
    const flat_relation *it = &x->r.dynamic.relations.items[r];
    text out = text_new(x->f->keep);
    term_print(&x->r.terms, it->skeleton, NOTATION_KIF, NULL, &out);
    if (strncmp(text_string(&out) + (it->arity > 0), name, strlen(name)) == 0)
      return &x->p.components[x->p.component[r]];
  }
  fail_msg("no relation %s", name);
  return NULL;
}

/* ---- tests ---- */

#define BOARD \
  "(role r) (init (on 1 1 a)) (init (turn r)) (index 1) (index 2) (index 3) (index 4) (kind a)\n" \
  "(kind b) (succ 1 2) (succ 2 3) (succ 3 4) (ring 1 2) (ring 2 3) (ring 3 4) (ring 4 1)\n" \
  "(<= (next (on ?x ?y ?k)) (does r (put ?x ?y ?k))) (<= (next (turn r)) (true (turn r)))\n" \
  "(<= (legal r (put ?x ?y ?k)) (empty ?x ?y) (kind ?k) (true (turn r)))\n" \
  "(<= (empty ?x ?y) (index ?x) (index ?y) (not (true (on ?x ?y a))) (not (true (on ?x ?y b))))\n"

/* Every way for a relation to be used: twice, denied, both, through others, recursively. */
static const char rules[] = BOARD
    "(<= (row ?x ?k) (true (on ?x 1 ?k)) (true (on ?x 2 ?k)) (true (on ?x 3 ?k)))\n"
    "(<= (pair ?k) (true (on ?x ?y ?k)) (true (on ?y ?x ?k)))\n"
    "(<= (alone ?x ?y) (true (on ?x ?y a)) (succ ?y ?z) (not (true (on ?x ?z a)))\n"
    "    (not (true (on ?x ?z b))))\n"
    "(<= (mixed ?x) (true (on ?x ?y a)) (true (on ?x ?z b)) (not (true (on ?x ?x a))))\n"
    "(<= (clear ?x ?y) (succ ?x ?y) (empty ?x ?x)) \n"
    "(<= (clear ?x ?z) (succ ?x ?y) (clear ?y ?z) (empty ?y ?y))\n"
    "(<= (reach ?x) (true (on ?x 1 a))) (<= (reach ?y) (reach ?x) (ring ?x ?y) (empty ?x ?y))\n"
    "(<= full (not open)) (<= open (empty ?x ?y)) (<= won (row ?x ?k)) (<= won (pair b) (clear 1 "
    "4))\n"
    "(<= terminal full) (<= terminal won (not (mixed 2))) (<= terminal (reach 3) (alone 1 1))\n"
    "(<= (goal r 100) won) (<= (goal r 0) (not won) (pair a))\n"
    "(<= (goal r 50) (not won) (not (pair a)))";

static void changed_models_have_the_facts_of_new_ones(void **state) {
  change_fixture x;
  rng random = rng_new(5, 0);
  open_rules(&x, *state, rules);
  for (uint32_t turn = 0; turn < 400; turn++) {
    if (rng_below(&random, 20) == 0) tell_whole(&x, &x.m);
    for (uint32_t c = 0; c < x.p.component_count; c++) x.m.cares[c].is_dear = false;
    change_some(&x, &random, turn % 50 == 0 ? 40 : 6);
    if (rng_below(&random, 5)) assert_same(&x);
  }
}

static bool some_is_kept(const dl_model *m) {
  for (uint32_t c = 0; c < m->plan->component_count; c++)
    if (m->cares[c].is_kept) return true;
  return false;
}

static void what_is_asked_in_two_near_states_is_kept(void **state) {
  change_fixture x;
  rng random = rng_new(5, 0);
  open_rules(&x, *state, rules);
  tell_whole(&x, &x.m);
  assert_same(&x);
  assert_int_equal(x.m.kept_count, 0);
  change_some(&x, &random, 6);
  assert_same(&x);
  assert_int_not_equal(x.m.kept_count, 0);
  change_some(&x, &random, 6); /* nobody asks in this state */
  assert_true(some_is_kept(&x.m));
  change_some(&x, &random, 6);
  assert_false(some_is_kept(&x.m));
  assert_int_equal(x.m.kept_count, 0);
}

static void recursion_is_kept_only_where_it_goes_down(void **state) {
  change_fixture x;
  open_rules(&x, *state, rules);
  assert_true(component_named(&x, "clear")->can_be_kept);
  assert_false(component_named(&x, "reach")->can_be_kept);
  assert_true(component_named(&x, "won")->can_be_kept);
  assert_false(component_named(&x, "terminal")->can_be_kept); /* reads `reach` */
}

static void a_rule_in_which_facts_support_each_other_is_not_kept(void **state) {
  change_fixture x;
  open_rules(&x, *state,
             BOARD "(<= (near ?x ?y) (true (on ?x ?y a)))\n"
                   "(<= (near ?y ?x) (near ?x ?y) (succ ?x ?z)) (<= terminal (near 1 2))\n"
                   "(<= (goal r 0) (near 2 1))");
  assert_false(component_named(&x, "near")->can_be_kept);
  rng random = rng_new(6, 0);
  for (uint32_t turn = 0; turn < 60; turn++) {
    change_some(&x, &random, 8);
    assert_same(&x);
  }
}

static void what_costs_more_than_it_saves_is_not_kept(void **state) {
  change_fixture x;
  open_rules(&x, *state,
             BOARD "(<= some (true (on ?x ?y ?k))) (<= terminal some)\n"
                   "(<= (goal r 0) (not some))");
  rng random = rng_new(7, 0);
  for (uint32_t turn = 0; turn < 3 * DL_FIRST_REVIEW; turn++) {
    change_some(&x, &random, 30);
    assert_same(&x);
  }
  const uint32_t some = (uint32_t)(component_named(&x, "some") - x.p.components);
  assert_true(x.m.cares[some].is_dear);
  assert_false(x.m.cares[some].is_kept);
}

int main(void) {
#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      a_test(changed_models_have_the_facts_of_new_ones),
      a_test(what_is_asked_in_two_near_states_is_kept),
      a_test(recursion_is_kept_only_where_it_goes_down),
      a_test(a_rule_in_which_facts_support_each_other_is_not_kept),
      a_test(what_costs_more_than_it_saves_is_not_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
