#include "ground/ground_fixture.h"

#include "datalog/random_rules_fixture.h"

/* A program, evaluated, with every clause decomposed. */
typedef struct decomposed {
  flat_program flat;
  engine e; /* of the original */
  rewriting from, result;
} decomposed;

/* `cost` is what each clause is said to have cost; 0: the tables alone tell. */
static void decompose(decomposed *x, rules_fixture *f, const char *words, uint64_t cost) {
  x->flat = flattened(f, words);
  x->e = evaluated(f, &x->flat);
  rewriting_none(&x->from, &x->flat, arena_zero_array(f->keep, bool, f->p.relations.count),
                 f->keep);
  uint64_t *costs = arena_new_array(f->keep, uint64_t, x->flat.clauses.count);
  for (flat_clause_id c = 0; c < x->flat.clauses.count; c++) costs[c] = cost;
  if (cost)
    rewriting_decompose(&x->result, &x->from, costs, x->e.tables, f->keep, NULL);
  else
    rewriting_decompose_all(&x->result, &x->from, costs, x->e.tables, f->keep, NULL);
}

/* The clauses that are new or have changed, with the numbers of new relations as they come. */
static const char *changed_text(rules_fixture *f, const decomposed *x) {
  const flat_program *p = &x->result.program;
  text out = text_new(f->keep);
  for (flat_clause_id c = 0; c < p->clauses.count; c++) {
    if (c < x->flat.clauses.count && p->clauses.items[c].body == x->flat.clauses.items[c].body)
      continue;
    if (out.length) text_add_char(&out, '\n');
    flat_clause_print(p, c, &out);
  }
  return text_string(&out);
}

/* (e ci ck) for all i and k. */
static void add_all_edges(text *out, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++) text_add_format(out, "(e c%u c%u)", i, k);
}

/* The example that decompose.c opens with. */
static const char *cells_and_marks(rules_fixture *f) {
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < 8; i++)
    for (uint32_t k = 0; k < 8; k++)
      text_add_format(&words, "(cell c%u c%u) (mark r c%u c%u)", i, k, i, k);
  text_add(&words, "(<= (stays ?x ?y) (cell ?x ?y) (mark ?r ?m ?n) (distinct ?x ?m))");
  return text_string(&words);
}

static void variables_that_the_head_does_not_need_are_projected_out(void **state) {
  rules_fixture *f = *state;
  decomposed x;
  decompose(&x, f, cells_and_marks(f), 0);
  assert_string_equal(changed_text(f, &x),
                      "(<= (stays ?0 ?1) (cell ?0 ?1) (aux#2 ?0))\n"
                      "(<= (wanted#1 ?0) (cell ?0 ?1))\n"
                      "(<= (aux#2 ?0) (wanted#1 ?0) (mark ?2 ?3 ?4) (distinct ?0 ?3))");
}

static void new_relations_say_where_they_come_from(void **state) {
  rules_fixture *f = *state;
  decomposed x;
  decompose(&x, f, cells_and_marks(f), 0);
  const uint32_t relations = x.flat.relations.count;
  assert_int_equal(x.result.program.relations.count, relations + 2);
  assert_int_equal(x.result.origin[0], ORIGIN_RULES);
  assert_int_equal(x.result.origin[relations], ORIGIN_DEMAND);
  assert_int_equal(x.result.origin[relations + 1], ORIGIN_AUXILIARY);
  const flat_clause_id last = x.result.program.clauses.count - 1;
  assert_int_equal(x.result.came_from[last], x.flat.clauses.count - 1);
}

static void what_reads_the_state_makes_its_auxiliary_open(void **state) {
  rules_fixture *f = *state;
  decomposed x;
  x.flat = flattened(f, cells_and_marks(f));
  x.e = evaluated(f, &x.flat);
  bool *is_open = arena_zero_array(f->keep, bool, f->p.relations.count);
  is_open[relation_named(f, "mark", 3)] = is_open[relation_named(f, "stays", 2)] = true;
  rewriting_none(&x.from, &x.flat, is_open, f->keep);
  const uint64_t *unknown = arena_zero_array(f->keep, uint64_t, x.flat.clauses.count);
  rewriting_decompose_all(&x.result, &x.from, unknown, x.e.tables, f->keep, NULL);
  assert_false(x.result.is_open[x.flat.relations.count]);    /* possible values are not */
  assert_true(x.result.is_open[x.flat.relations.count + 1]); /* the group is */
}

static void a_chain_of_joins_becomes_several_short_ones(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  add_all_edges(&words, 8);
  text_add(&words, "(<= (far ?a ?e) (e ?a ?b) (e ?b ?c) (e ?c ?d) (e ?d ?e))");
  decomposed x;
  decompose(&x, f, text_string(&words), 0);
  for (flat_clause_id c = 0; c < x.result.program.clauses.count; c++)
    assert_true(x.result.program.clauses.items[c].body_count <= 2);
}

static void a_small_clause_is_left_alone(void **state) {
  rules_fixture *f = *state;
  decomposed x;
  decompose(&x, f, "(p a) (p b) (r a) (<= (q ?x) (p ?x) (r ?y) (p ?z))", 0);
  assert_string_equal(changed_text(f, &x), "");
}

static void a_clause_whose_variables_are_all_needed_is_left_alone(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  add_all_edges(&words, 16);
  text_add(&words, "(<= (q ?a ?b ?c) (e ?a ?b) (e ?b ?c))");
  decomposed x;
  decompose(&x, f, text_string(&words), 0);
  assert_string_equal(changed_text(f, &x), "");
}

static void asking_whether_it_helps_changes_nothing(void **state) {
  rules_fixture *f = *state;
  decomposed x;
  decompose(&x, f, cells_and_marks(f), 0);
  const uint32_t clauses = x.flat.clauses.count;
  assert_true(decomposition_helps(&x.from, x.e.tables, clauses - 1, 0, NULL));
  assert_false(decomposition_helps(&x.from, x.e.tables, 0, 0, NULL));
  assert_int_equal(x.from.program.clauses.count, clauses);
  assert_int_equal(x.from.program.literals.count, x.flat.literals.count);
}

static void show_and_fail(rules_fixture *f, const decomposed *x, const char *words) {
  show("rules", words);
  show("changed", changed_text(f, x));
  fail();
}

/* ---- random rules: a decomposed program has the facts of the original ---- */

static void expect_the_same_facts(rules_fixture *f, const decomposed *x, const engine *e,
                                  const char *words) {
  for (flat_id r = 0; r < x->flat.relations.count; r++) {
    if (e->tables[r].count != x->e.tables[r].count) show_and_fail(f, x, words);
    for (uint32_t row = 0; row < e->tables[r].count; row++)
      if (table_find(&x->e.tables[r], table_row(&e->tables[r], row)) == ID_NONE)
        show_and_fail(f, x, words);
  }
}

static const uint64_t very_costly = UINT64_C(1) << 40;

static void compare_with_original(rules_fixture *f, const char *words, uint32_t *changed) {
  decomposed x;
  decompose(&x, f, words, very_costly);
  engine e;
  engine_init(&e, &x.result.program, x.result.is_open, f->keep);
  assert_true(engine_run(&e, NULL, &f->d));
  *changed += x.result.program.relations.count - x.flat.relations.count;
  expect_the_same_facts(f, &x, &e, words);
}

static void random_rules_keep_their_facts_when_decomposed(void **state) {
  rules_fixture *f = *state;
  uint32_t changed = 0;
  for (uint32_t i = 0; i < 300; i++) {
    rng r = rng_new(2, i);
    compare_with_original(f, random_rules_text(&r, f->scratch), &changed);
    arena_clear(f->scratch);
    arena_clear(f->keep);
  }
  assert_true(changed > 300); /* or nothing was tried */
}

/* ---- random rules that are decomposed while they are evaluated ---- */

static bool stop_now_and_then(void *context, engine *e, flat_clause_id c) {
  (void)e, (void)c;
  return rng_below(context, 4) == 0;
}

/* Half the clauses of `from`, of tables that are not complete. */
static void decompose_some(rewriting *result, const rewriting *from, table *tables, rng *r,
                           arena *keep) {
  uint64_t *costs = arena_zero_array(keep, uint64_t, from->program.clauses.count);
  for (flat_clause_id c = 0; c < from->program.clauses.count; c++)
    if (rng_below(r, 2)) costs[c] = very_costly;
  rewriting_decompose(result, from, costs, tables, keep, NULL);
}

static void go_on_by_other_rules(engine *e, rewriting *rules, rng *r, arena *keep) {
  const flat_program before = rules->program;
  const engine stopped = *e;
  rewriting result;
  decompose_some(&result, rules, e->tables, r, keep);
  *rules = result;
  engine_init(e, &rules->program, rules->is_open, keep);
  engine_take_over(e, &stopped, &before);
}

enum { STOPS_MAX = 6 };

static void compare_when_stopped(rules_fixture *f, rng *r, const char *words, uint32_t *changed) {
  decomposed x;
  decompose(&x, f, words, very_costly);
  rewriting rules = x.from;
  engine e;
  engine_init(&e, &rules.program, rules.is_open, f->keep);
  for (uint32_t stops = 0;; stops++) {
    e.look_after = 1 + rng_below(r, 8);
    if (stops < STOPS_MAX) engine_set_doubt(&e, stop_now_and_then, r, 0);
    if (engine_run(&e, NULL, &f->d)) break;
    assert_true(e.stopped_by_doubt);
    go_on_by_other_rules(&e, &rules, r, f->keep);
  }
  *changed += rules.program.relations.count - x.flat.relations.count;
  expect_the_same_facts(f, &x, &e, words);
  const engine fresh = evaluated(f, &rules.program);
  for (flat_id q = x.flat.relations.count; q < rules.program.relations.count; q++) {
    assert_int_equal(e.tables[q].count, fresh.tables[q].count);
    assert_int_equal(e.done[q], e.tables[q].count);
  }
}

static void random_rules_keep_their_facts_when_decomposed_on_the_way(void **state) {
  rules_fixture *f = *state;
  uint32_t changed = 0;
  for (uint32_t i = 0; i < 3000; i++) {
    rng r = rng_new(3, i);
    compare_when_stopped(f, &r, random_rules_text(&r, f->scratch), &changed);
    arena_clear(f->scratch);
    arena_clear(f->keep);
  }
  assert_true(changed > 1000); /* or nothing was tried */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(variables_that_the_head_does_not_need_are_projected_out),
      rules_test(new_relations_say_where_they_come_from),
      rules_test(what_reads_the_state_makes_its_auxiliary_open),
      rules_test(a_chain_of_joins_becomes_several_short_ones),
      rules_test(a_small_clause_is_left_alone),
      rules_test(a_clause_whose_variables_are_all_needed_is_left_alone),
      rules_test(asking_whether_it_helps_changes_nothing),
      rules_test(random_rules_keep_their_facts_when_decomposed),
      rules_test(random_rules_keep_their_facts_when_decomposed_on_the_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
