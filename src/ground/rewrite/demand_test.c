#include "ground/ground_fixture.h"

#include "datalog/random_rules_fixture.h"

/* A program, and what becomes of it when `name` is restricted to what is asked of it. */
typedef struct demanded {
  flat_program flat;
  rewriting from, result;
  bool *chosen; /* by flat relation */
  bool found;
} demanded;

static flat_id flat_named(const rules_fixture *f, const flat_program *flat, const char *name,
                          uint32_t arity) {
  return flat->relations_by_source.items[flat->relations_from[relation_named(f, name, arity)]];
}

static void find_demand(demanded *x, rules_fixture *f, const char *words, const bool *is_open,
                        const char *name, uint32_t arity) {
  x->flat = flattened(f, words);
  rewriting_none(&x->from, &x->flat,
                 is_open ? is_open : arena_zero_array(f->keep, bool, f->p.relations.count),
                 f->keep);
  x->chosen = arena_zero_array(f->keep, bool, x->flat.relations.count);
  x->found = demand_find(&x->from, flat_named(f, &x->flat, name, arity), x->chosen);
  rewriting_demand(&x->result, &x->from, x->chosen, f->keep);
}

static const char *demanded_text(rules_fixture *f, const demanded *x) {
  return flat_text(f, &x->result.program);
}

static engine run_demanded(rules_fixture *f, const demanded *x) {
  engine e;
  engine_init(&e, &x->result.program, x->result.is_open, f->keep);
  assert_true(engine_run(&e, NULL, &f->d));
  return e;
}

/* A keyword's facts are always wanted whole: `terminal` asks. */
static const char question[] = "(start a) (edge a b) (edge b c) (edge d e) (edge e d)"
                               "(<= (path ?x ?y) (edge ?x ?y))"
                               "(<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))"
                               "(<= (next (at ?y)) (start ?x) (path ?x ?y))";

static void a_relation_is_restricted_to_what_is_asked_of_it(void **state) {
  rules_fixture *f = *state;
  demanded x;
  find_demand(&x, f, question, NULL, "path", 2);
  assert_true(x.found);
  const engine e = run_demanded(f, &x);
  assert_string_equal(facts_text(f, &e, "path", 2), "(path a b) (path a c) (path b c)");
  assert_string_equal(facts_text(f, &e, "next", 1), "(next (at b)) (next (at c))");
}

/* Of all facts that it has when nothing is restricted. */
static double share_of(rules_fixture *f, const demanded *x, const char *name, uint32_t arity) {
  const engine e = evaluated(f, &x->flat);
  return demand_share(&x->from, &e, flat_named(f, &x->flat, name, arity), x->chosen, NULL);
}

/* Seven facts, of which three are asked for; four of four. */
static void the_share_that_is_asked_for_is_told_beforehand(void **state) {
  rules_fixture *f = *state;
  demanded x;
  find_demand(&x, f, question, NULL, "path", 2);
  assert_float_equal(share_of(f, &x, "path", 2), 3.0 / 7, 0.1);
  find_demand(&x, f,
              "(index 1) (index 2) (succ 1 2) (<= (sum ?x ?y) (index ?x) (index ?y))"
              "(<= (next (at ?y)) (index ?x) (sum ?x ?y))",
              NULL, "sum", 2);
  assert_float_equal(share_of(f, &x, "sum", 2), 1, 0);
}

/* What the first use of `path` finds is wanted of the second: the facts of the first chain, and not
   all that `path` had when nothing was restricted yet. */
static void what_is_restricted_itself_asks_for_what_is_left_of_it(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  for (int chain = 0; chain < 10; chain++)
    for (int i = 0; i < 4; i++)
      text_add_format(&words, "(edge n%d_%d n%d_%d)", chain, i, chain, i + 1);
  text_add(&words, "(at n0_0 red) (color blue) (<= (path ?x ?y) (edge ?x ?y))"
                   "(<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))"
                   "(<= (next (at ?z ?v)) (at ?x ?w) (path ?x ?y) (path ?y ?z) (color ?v)"
                   "    (distinct ?v ?w))");
  demanded x;
  find_demand(&x, f, text_string(&words), NULL, "path", 2);
  assert_true(x.found);
  assert_float_equal(share_of(f, &x, "path", 2), 0.1, 0.05);
}

/* 1600 arguments are wanted of a relation with one fact. */
static void a_share_that_is_costly_to_find_out_is_none(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  for (int i = 0; i < 40; i++) text_add_format(&words, "(item %d)", i);
  text_add(&words, "(<= (p ?x ?y) (item ?x) (same ?x ?y 7)) (same 7 7 7)"
                   "(<= (next (at ?x)) (item ?x) (item ?y) (p ?x ?y))");
  demanded x;
  find_demand(&x, f, text_string(&words), NULL, "p", 2);
  assert_true(x.found);
  assert_float_equal(share_of(f, &x, "p", 2), 0, 0);
}

static void clauses_begin_with_what_is_wanted(void **state) {
  rules_fixture *f = *state;
  demanded x;
  find_demand(
      &x, f,
      "(start a) (edge a b) (<= (p ?x ?y) (edge ?x ?y)) (<= (next (at ?y)) (start ?x) (p ?x ?y))",
      NULL, "p", 2);
  assert_string_equal(demanded_text(f, &x), "(start a)\n"
                                            "(edge a b)\n"
                                            "(<= (p ?0 ?1) (wanted#1 ?0) (edge ?0 ?1))\n"
                                            "(<= (next (at ?1)) (start ?0) (p ?0 ?1))\n"
                                            "(<= (wanted#1 ?0) (start ?0))");
}

static void a_relation_that_is_asked_for_everything_is_not_restricted(void **state) {
  rules_fixture *f = *state;
  demanded x;
  find_demand(&x, f, "(edge a b) (<= (p ?x ?y) (edge ?x ?y)) (<= (next (at ?x ?y)) (p ?x ?y))",
              NULL, "p", 2);
  assert_false(x.found);
  assert_int_equal(x.result.program.clauses.count, x.flat.clauses.count);
}

static void a_keyword_is_never_restricted(void **state) {
  rules_fixture *f = *state;
  demanded x;
  find_demand(
      &x, f, "(role r) (cell a) (<= (legal r (m ?x)) (cell ?x)) (<= ok (cell ?x) (legal r (m ?x)))",
      NULL, "legal", 2);
  assert_false(x.found);
}

static void callers_are_restricted_along_with_it(void **state) {
  rules_fixture *f = *state;
  demanded x;
  find_demand(&x, f,
              "(start a) (edge a b) (edge b c) (edge c c)"
              "(<= (p ?x ?y) (edge ?x ?y)) (<= (q ?x ?y) (p ?x ?y))"
              "(<= (next (at ?y)) (start ?x) (q ?x ?y))",
              NULL, "p", 2);
  assert_true(x.found);
  assert_true(x.chosen[flat_named(f, &x.flat, "q", 2)]);
  const engine e = run_demanded(f, &x);
  assert_string_equal(facts_text(f, &e, "p", 2), "(p a b)");
}

static void what_an_evaluated_negation_reads_stays_complete(void **state) {
  rules_fixture *f = *state;
  demanded x;
  find_demand(&x, f,
              "(start a) (edge a b) (edge b c) (<= (base_path ?x ?y) (edge ?x ?y))"
              "(<= (path ?x ?y) (base_path ?x ?y))"
              "(<= (next (at ?x)) (start ?x) (edge ?x ?y) (not (path ?y ?x)))",
              NULL, "path", 2);
  assert_false(x.found);
  bool *chosen = arena_zero_array(f->keep, bool, x.flat.relations.count);
  assert_false(demand_find(&x.from, flat_named(f, &x.flat, "base_path", 2), chosen));
}

static void under_a_negation_that_is_kept_it_may_be_restricted(void **state) {
  rules_fixture *f = *state;
  static const char words[] = "(start a) (edge a b) (edge b c) (lamp on)"
                              "(<= (path ?x ?y) (edge ?x ?y) (lamp on))"
                              "(<= (next (at ?x)) (start ?x) (edge ?x ?y) (not (path ?x ?y)))";
  build_text(f, words);
  bool *is_open = arena_zero_array(f->keep, bool, f->p.relations.count);
  is_open[relation_named(f, "lamp", 1)] = is_open[relation_named(f, "path", 2)] =
      is_open[SYM_NEXT] = true;
  demanded x;
  find_demand(&x, f, words, is_open, "path", 2);
  assert_true(x.found);
  const engine e = run_demanded(f, &x);
  assert_string_equal(facts_text(f, &e, "path", 2), "(path a b)");
  assert_string_equal(facts_text(f, &e, "next", 1), "(next (at a))");
}

static void choosing_nothing_changes_nothing(void **state) {
  rules_fixture *f = *state;
  demanded x;
  find_demand(&x, f, question, NULL, "path", 2);
  const char *before = flat_text(f, &x.from.program);
  memset(x.chosen, 0, x.flat.relations.count * sizeof *x.chosen);
  rewriting_demand(&x.result, &x.from, x.chosen, f->keep);
  assert_string_equal(demanded_text(f, &x), before);
}

/* ---- random rules ---- */

/* What is derived was derived before; what nobody restricted is still all there. */
static void compare_tables(const demanded *x, const engine *before, const engine *after,
                           const bool *is_restricted) {
  for (flat_id r = 0; r < x->flat.relations.count; r++) {
    if (!is_restricted[r]) assert_int_equal(after->tables[r].count, before->tables[r].count);
    for (uint32_t row = 0; row < after->tables[r].count; row++)
      assert_int_not_equal(table_find(&before->tables[r], table_row(&after->tables[r], row)),
                           ID_NONE);
  }
}

/* Where a clause of a result negates a restricted relation: what held there before, holds. */
typedef struct negation_check {
  const demanded *x;
  const engine *before, *after;
  const flat_literal *negated;
  value *values;
} negation_check;

static bool check_negated_row(void *context, const join *j) {
  const negation_check *c = context;
  term_id row[8];
  const flat_id r = c->negated->relation;
  for (uint32_t i = 0; i < c->before->tables[r].arity; i++)
    assert_true(join_value(j, c->values[i], &row[i]));
  assert_int_equal(table_find(&c->after->tables[r], row) == ID_NONE,
                   table_find(&c->before->tables[r], row) == ID_NONE);
  return true;
}

static bool go_on(void *context, join *j) {
  (void)context;
  j->try_limit = UINT64_MAX;
  return true;
}

static void check_negations(rules_fixture *f, const demanded *x, const engine *before,
                            const engine *after) {
  for (flat_clause_id c = 0; c < x->flat.clauses.count; c++) {
    const flat_clause *it = &x->flat.clauses.items[c];
    plan p;
    join j;
    plan_make(&p, &x->flat, before->tables, x->from.is_open, c, PLAN_NOTHING, f->scratch);
    for (uint32_t i = 0; i < it->body_count && !x->chosen[it->head]; i++) {
      const flat_literal *l = &x->flat.literals.items[it->body + i];
      if (l->kind != LITERAL_NEGATIVE || !x->from.is_open[l->relation]) continue;
      negation_check check = {
          x, before, after, l,
          plan_values(&x->flat, l->args, before->tables[l->relation].arity, f->keep)};
      join_init(&j, &x->flat, before->tables, &p, f->keep);
      assert_int_equal(join_run(&j, check_negated_row, go_on, &check), JOIN_DONE);
    }
  }
}

/* Some static relations are said to depend on the state, as far as that goes. */
static bool *random_open(rules_fixture *f, rng *r) {
  bool *is_open = arena_zero_array(f->keep, bool, f->p.relations.count);
  is_open[SYM_NEXT] = true;
  for (relation_id q = KEYWORD_RELATION_COUNT; q < f->p.relations.count; q++)
    is_open[q] = rng_below(r, 8) == 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < f->a.edges.count; i++) {
      const dependency *e = &f->a.edges.items[i];
      if (!is_open[e->body] || is_open[e->head]) continue;
      is_open[e->head] = changed = true;
    }
  }
  return is_open;
}

static bool compare_random(rules_fixture *f, rng *r, const char *words) {
  demanded x = {0};
  x.flat = flattened(f, words);
  const bool *is_open = random_open(f, r);
  rewriting_none(&x.from, &x.flat, is_open, f->keep);
  engine before;
  engine_init(&before, &x.flat, x.from.is_open, f->keep);
  assert_true(engine_run(&before, NULL, &f->d));
  x.chosen = arena_zero_array(f->keep, bool, x.flat.relations.count);
  for (uint32_t i = 0; i < 2; i++) {
    const flat_id q = rng_below(r, x.flat.relations.count);
    if (!x.chosen[q]) x.found |= demand_find(&x.from, q, x.chosen);
  }
  rewriting_demand(&x.result, &x.from, x.chosen, f->keep);
  const engine after = run_demanded(f, &x);
  compare_tables(&x, &before, &after, x.chosen);
  check_negations(f, &x, &before, &after);
  return x.found;
}

static void random_rules_answer_the_same_when_restricted(void **state) {
  rules_fixture *f = *state;
  uint32_t found = 0;
  for (uint32_t i = 0; i < 400; i++) {
    rng r = rng_new(3, i);
    found += compare_random(f, &r, random_questions(&r, f->scratch));
    arena_clear(f->scratch);
    arena_clear(f->keep);
  }
  assert_true(found > 40); /* or nothing was tried */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_relation_is_restricted_to_what_is_asked_of_it),
      rules_test(the_share_that_is_asked_for_is_told_beforehand),
      rules_test(what_is_restricted_itself_asks_for_what_is_left_of_it),
      rules_test(a_share_that_is_costly_to_find_out_is_none),
      rules_test(clauses_begin_with_what_is_wanted),
      rules_test(a_relation_that_is_asked_for_everything_is_not_restricted),
      rules_test(a_keyword_is_never_restricted),
      rules_test(callers_are_restricted_along_with_it),
      rules_test(what_an_evaluated_negation_reads_stays_complete),
      rules_test(under_a_negation_that_is_kept_it_may_be_restricted),
      rules_test(choosing_nothing_changes_nothing),
      rules_test(random_rules_answer_the_same_when_restricted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
