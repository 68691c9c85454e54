#include "datalog/datalog_fixture.h"
#include "datalog/random_rules_fixture.h"

static const char *derived(rules_fixture *f, const char *words, const char *name, uint32_t arity) {
  const flat_program flat = flattened(f, words);
  const engine e = evaluated(f, &flat);
  return facts_text(f, &e, name, arity);
}

static const char closure[] = "(edge a b) (edge b c) (edge c d)"
                              "(<= (path ?x ?y) (edge ?x ?y))"
                              "(<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))";

static void facts_are_derived(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(derived(f, "(p a) (p b) (<= (q ?x) (p ?x))", "q", 1), "(q a) (q b)");
}

static void recursion_ends_at_its_closure(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(derived(f, closure, "path", 2),
                      "(path a b) (path a c) (path a d) (path b c) (path b d) (path c d)");
}

static void recursion_over_two_recursive_literals_misses_nothing(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(derived(f,
                              "(edge a b) (edge b c) (edge c d) (edge d a)"
                              "(<= (path ?x ?y) (edge ?x ?y))"
                              "(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))"
                              "(<= (all ?x) (path ?x ?x))",
                              "all", 1),
                      "(all a) (all b) (all c) (all d)");
}

static void mutual_recursion_ends_at_its_closure(void **state) {
  rules_fixture *f = *state;
  static const char words[] = "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (even 0)"
                              "(<= (odd ?y) (even ?x) (succ ?x ?y))"
                              "(<= (even ?y) (odd ?x) (succ ?x ?y))";
  assert_string_equal(derived(f, words, "even", 1), "(even 0) (even 2) (even 4)");
  assert_string_equal(derived(f, words, "odd", 1), "(odd 1) (odd 3)");
}

static void negation_waits_for_the_relation_below(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(derived(f,
                              "(<= (lonely ?x) (node ?x) (not (reached ?x)))"
                              "(<= (reached ?y) (reached ?x) (edge ?x ?y))"
                              "(reached a) (edge a b) (edge b c) (edge d e)"
                              "(node a) (node b) (node c) (node d) (node e)",
                              "lonely", 1),
                      "(lonely d) (lonely e)");
}

static void three_strata_are_taken_in_order(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(derived(f,
                              "(n a) (n b) (n c) (p a) (<= (q ?x) (n ?x) (not (p ?x)))"
                              "(<= (r ?x) (n ?x) (not (q ?x))) (<= (s ?x) (n ?x) (not (r ?x)))",
                              "s", 1),
                      "(s b) (s c)");
}

static void the_negation_of_an_open_relation_is_taken_to_hold(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, "(n a) (n b) (p a) (<= (q ?x) (n ?x) (not (p ?x)))");
  bool *is_open = arena_zero_array(f->keep, bool, flat.relations.count);
  is_open[flat.clauses.items[2].head] = true;
  engine e;
  engine_init(&e, &flat, is_open, f->keep);
  assert_true(engine_run(&e, NULL, &f->d));
  assert_string_equal(facts_text(f, &e, "q", 1), "(q a) (q b)");
}

static void added_facts_take_part(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, closure);
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  const term_id *first = flat_args(&flat, flat.clauses.items[0].head_args);
  const term_id *last = flat_args(&flat, flat.clauses.items[2].head_args);
  const flat_id edge = flat.clauses.items[0].head;
  engine_add(&e, edge, (const term_id[]){last[1], first[0]}); /* (edge d a) */
  assert_true(engine_run(&e, NULL, &f->d));
  assert_int_equal(e.tables[flat.clauses.items[3].head].count, 16);
}

static void plans_do_not_outlive_a_run(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, closure);
  const engine e = evaluated(f, &flat);
  assert_null(e.plans);
  assert_null(e.plans_keep);
}

static void the_rule_that_derived_a_fact_first_is_known(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, closure);
  const engine e = evaluated(f, &flat);
  assert_int_equal(e.made_by[0] + e.made_by[1] + e.made_by[2], 3);
  assert_int_equal(e.made_by[3], 3);
  assert_int_equal(e.made_by[4], 3);
}

static void one_clause_can_be_run_on_its_own(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, "(p a) (p b) (<= (q ?x) (p ?x)) (<= (r ?x) (q ?x))");
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  for (flat_clause_id c = 0; c < 3; c++) assert_true(engine_run_clause(&e, c, NULL, &f->d));
  assert_string_equal(facts_text(f, &e, "q", 1), "(q a) (q b)");
  assert_string_equal(facts_text(f, &e, "r", 1), "");
}

/* A chain of n edges has n (n + 1) / 2 paths; with deltas each is looked at a few times. */
static void nothing_is_derived_again_and_again(void **state) {
  rules_fixture *f = *state;
  enum { LENGTH = 200 };
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < LENGTH; i++) text_add_format(&words, "(edge n%u n%u)", i, i + 1);
  text_add(&words, "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))");
  const flat_program flat = flattened(f, text_string(&words));
  const engine e = evaluated(f, &flat);
  const uint64_t paths = LENGTH * (LENGTH + 1) / 2;
  assert_int_equal(engine_fact_count(&e), paths + LENGTH);
  uint64_t effort = 0;
  for (flat_clause_id c = 0; c < flat.clauses.count; c++) effort += e.effort[c];
  assert_true(effort < 4 * paths);
}

static void terms_in_generic_relations_are_joined(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(derived(f,
                              "(n z) (limit (s (s (s (s (s (s (s (s (s (s z)))))))))))"
                              "(<= (below ?x) (limit (s ?x))) (<= (below ?x) (below (s ?x)))"
                              "(<= (n (s ?x)) (n ?x) (below ?x))"
                              "(<= (third ?x) (n (s (s (s ?x)))))"
                              "(<= (far ?x) (n ?x) (not (below ?x)))",
                              "far", 1),
                      "(far (s (s (s (s (s (s (s (s (s (s z)))))))))))");
}

static void endless_terms_end_with_the_rule_that_makes_them(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, "(n z)\n(<= (n (s ?x)) (n ?x))");
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  assert_false(engine_run(&e, NULL, &f->d));
  assert_fault(f, DIAG_E804, 2, 1, "(<= (n (s ?x)) (n ?x))", "this rule makes ever larger terms");
}

static void endless_terms_in_two_rules_end_too(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, "(a z) (<= (b (f ?x)) (a ?x)) (<= (a (g ?x)) (b ?x))");
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  assert_false(engine_run(&e, NULL, &f->d));
  assert_int_equal(count_of(f, DIAG_E804), 1);
}

/* Of two kinds there are a thousand before one is ten levels deep. */
static bool runs_with_few_facts(rules_fixture *f, const char *rules) {
  const flat_program flat = flattened(f, rules);
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  e.facts_max = 1000;
  return engine_run(&e, NULL, &f->d);
}

static void endless_terms_that_branch_end_too(void **state) {
  rules_fixture *f = *state;
  assert_false(
      runs_with_few_facts(f, "(m left) (m right) (n z)\n(<= (n (cons ?m ?x)) (m ?m) (n ?x))"));
  assert_int_equal(count_of(f, DIAG_E804), 1);
}

static void deep_terms_without_recursion_may_be_many(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(m left) (m right) (n0 z)\n");
  for (int i = 0; i < 12; i++)
    text_add_format(&words, "(<= (n%d (cons ?m ?x)) (m ?m) (n%d ?x))\n", i + 1, i);
  assert_true(runs_with_few_facts(f, text_string(&words)));
}

/* Facts with the deepest arguments that there are; so many levels less. */
static const char *deep_fact(rules_fixture *f, const char *name, uint32_t less) {
  text words = text_new(f->keep);
  text_add_format(&words, "(%s %s)\n", name, nested(f->keep, ARGUMENT_DEPTH_MAX - less, "z"));
  return text_string(&words);
}

static flat_program flattened_after(rules_fixture *f, const char *facts, const char *rules) {
  text words = text_new(f->keep);
  text_add(&words, facts);
  text_add(&words, rules);
  return flattened(f, text_string(&words));
}

static void a_term_may_be_as_deep_as_an_atom_has_room_for(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened_after(f, deep_fact(f, "n", 1), "(<= (m (t ?x)) (n ?x))");
  const engine e = evaluated(f, &flat);
  const term_id fact = flat_atom(&flat, flat.clauses.items[1].head,
                                 table_row(&e.tables[flat.clauses.items[1].head], 0));
  assert_int_equal(term_get(flat.terms, fact)->depth, TERM_DEPTH_MAX);
}

static void a_term_one_level_deeper_ends_with_its_rule(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened_after(f, deep_fact(f, "n", 0), "(<= (m (t ?x)) (n ?x))");
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  assert_false(engine_run(&e, NULL, &f->d));
  assert_fault(f, DIAG_E804, 2, 1, "(<= (m (t ?x)) (n ?x))", "this rule makes ever larger terms");
}

/* No fact is as deep as what is asked for; what is compared may be deeper. */
static void conditions_may_be_deeper_than_facts(void **state) {
  rules_fixture *f = *state;
  text facts = text_new(f->keep);
  text_add(&facts, deep_fact(f, "n", 0));
  text_add(&facts, deep_fact(f, "n", 1));
  text_add(&facts, deep_fact(f, "m", 0));
  const flat_program flat = flattened_after(
      f, text_string(&facts),
      "(<= (differ yes) (n ?x) (n ?y) (distinct (a (b ?x)) (a (b ?y))))"
      "(<= (unequal yes) (n ?x) (m ?y) (not (n (s ?y))) (n (s ?x)) (distinct (a (s ?x)) (a ?y)))"
      "(<= (has yes) (n ?x) (n (s (s ?x))))"
      "(<= (lacks yes) (n ?x) (n ?y) (not (n (s (s ?x)))))");
  const engine e = evaluated(f, &flat);
  assert_string_equal(facts_text(f, &e, "differ", 1), "(differ yes)");
  assert_string_equal(facts_text(f, &e, "unequal", 1), "");
  assert_string_equal(facts_text(f, &e, "has", 1), "");
  assert_string_equal(facts_text(f, &e, "lacks", 1), "(lacks yes)");
}

/* The shape of p(f(f(a))) in the place of ?x would make these atoms too deep. */
static void shapes_make_no_rule_too_deep(void **state) {
  rules_fixture *f = *state;
  text rules = text_new(f->keep);
  const char *deep = nested(f->keep, ARGUMENT_DEPTH_MAX, "?x");
  text_add_format(&rules, "(p (f (f a)))\n(<= (asks yes) (p ?x) (q %s))\n", deep);
  text_add_format(&rules, "(<= (lacks yes) (p ?x) (not (q %s)))\n", deep);
  text_add_format(&rules, "(<= (differ yes) (p ?x) (distinct ?x %s))\n(q b)\n", deep);
  const flat_program flat = flattened(f, text_string(&rules));
  const engine e = evaluated(f, &flat);
  assert_string_equal(facts_text(f, &e, "asks", 1), "");
  assert_string_equal(facts_text(f, &e, "lacks", 1), "(lacks yes)");
  assert_string_equal(facts_text(f, &e, "differ", 1), "(differ yes)");
}

static void a_head_that_a_shape_makes_too_deep_ends_with_its_rule(void **state) {
  rules_fixture *f = *state;
  text rules = text_new(f->keep);
  text_add_format(&rules, "(p (f (f a)))\n(<= (q %s) (p ?x))",
                  nested(f->keep, ARGUMENT_DEPTH_MAX, "?x"));
  const flat_program flat = flattened(f, text_string(&rules));
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  assert_false(engine_run(&e, NULL, &f->d));
  assert_int_equal(fault(f, DIAG_E804, 0)->where.start, 14);
}

/* A counter with a bound is finite, however high the bound is. */
static void terms_may_grow_to_the_greatest_depth(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened_after(f, deep_fact(f, "bound", 0),
                                            "(<= (below ?x) (bound (s ?x)))"
                                            "(<= (below ?x) (below (s ?x)))"
                                            "(n z) (<= (n (s ?x)) (n ?x) (below ?x))");
  const engine e = evaluated(f, &flat);
  assert_int_equal(engine_fact_count(&e), 1 + ARGUMENT_DEPTH_MAX + ARGUMENT_DEPTH_MAX + 1);
}

/* What the rules hold themselves is no growth. */
static void deep_terms_that_are_given_can_be_rewritten(void **state) {
  enum { DEPTH = 900 };
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  text_add_format(&words, "(n %s)", nested(f->keep, DEPTH, "z"));
  text_add(&words, " (<= (m (t ?x)) (n (s ?x))) (<= (n ?x) (n (s ?x)))");
  const flat_program flat = flattened(f, text_string(&words));
  const engine e = evaluated(f, &flat);
  assert_int_equal(engine_fact_count(&e), DEPTH + 1 + DEPTH);
}

static void facts_that_are_written_down_are_not_named_at_a_limit(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, "(p a) (<= (q ?x) (p ?x) (r ?x))");
  budget limits = budget_new(0, 1);
  budget_watch(&limits, f->keep);
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  e.made_by[0] = 1;
  assert_false(engine_run(&e, &limits, &f->d));
  assert_int_equal(count_of(f, DIAG_E802), 1);
  assert_null(strstr(fault(f, DIAG_E802, 0)->message, "of them by"));
}

/* All rows of n bits: too many. */
static flat_program too_many_facts(rules_fixture *f) {
  return flattened(
      f, "(bit 0) (bit 1)"
         "(<= (word ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l ?m ?n ?o ?p ?q ?r ?s ?t ?u ?v ?w ?x)"
         "(bit ?a) (bit ?b) (bit ?c) (bit ?d) (bit ?e) (bit ?f) (bit ?g) (bit ?h)"
         "(bit ?i) (bit ?j) (bit ?k) (bit ?l) (bit ?m) (bit ?n) (bit ?o) (bit ?p)"
         "(bit ?q) (bit ?r) (bit ?s) (bit ?t) (bit ?u) (bit ?v) (bit ?w) (bit ?x))");
}

static void the_time_limit_ends_a_large_join(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = too_many_facts(f);
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  budget b = budget_new(0.02, 0);
  assert_false(engine_run(&e, &b, &f->d));
  assert_int_equal(count_of(f, DIAG_E801), 1);
  assert_non_null(strstr(fault(f, DIAG_E801, 0)->message, "(<= (word ?0 ?1"));
}

static void the_memory_limit_ends_a_large_join(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = too_many_facts(f);
  arena *keep = arena_new();
  engine e;
  engine_init(&e, &flat, NULL, keep);
  budget b = budget_new(0, 1 << 20);
  budget_watch(&b, keep);
  assert_false(engine_run(&e, &b, &f->d));
  assert_int_equal(count_of(f, DIAG_E802), 1);
  assert_true(arena_bytes(keep) < 8 << 20);
  arena_free(keep);
}

/* A counter of many binary digits: each fact gives just one more. */
static flat_program slow_counter(rules_fixture *f) {
  enum { DIGITS = 24 };
  text words = text_new(f->keep);
  text_add(&words, "(count");
  for (uint32_t i = 0; i < DIGITS; i++) text_add(&words, " 0");
  text_add_char(&words, ')');
  for (uint32_t carry = 0; carry < DIGITS; carry++) {
    text_add(&words, "(<= (count");
    for (uint32_t i = 0; i < DIGITS; i++)
      if (i < carry)
        text_add(&words, " 0");
      else if (i == carry)
        text_add(&words, " 1");
      else
        text_add_format(&words, " ?x%u", i);
    text_add(&words, ") (count");
    for (uint32_t i = 0; i < DIGITS; i++)
      if (i < carry)
        text_add(&words, " 1");
      else if (i == carry)
        text_add(&words, " 0");
      else
        text_add_format(&words, " ?x%u", i);
    text_add(&words, "))");
  }
  return flattened(f, text_string(&words));
}

static void the_time_limit_ends_a_long_recursion_of_small_joins(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = slow_counter(f);
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  budget b = budget_new(0.05, 0);
  assert_false(engine_run(&e, &b, &f->d));
  assert_int_equal(count_of(f, DIAG_E801), 1);
}

static bool stop(void *context, engine *e, flat_clause_id c) {
  (void)e;
  *(flat_clause_id *)context = c;
  return true;
}

static bool go_on(void *context, engine *e, flat_clause_id c) {
  (void)e;
  (void)c;
  ++*(uint32_t *)context;
  return false;
}

static flat_program all_triples(rules_fixture *f) {
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < 64; i++) text_add_format(&words, "(p c%u)", i);
  text_add(&words, "(<= (q ?x ?y ?z) (p ?x) (p ?y) (p ?z))");
  return flattened(f, text_string(&words));
}

static void doubt_can_stop_a_clause_without_a_word(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = all_triples(f);
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  flat_clause_id doubted = ID_NONE;
  engine_set_doubt(&e, stop, &doubted, 1024);
  assert_false(engine_run(&e, NULL, &f->d));
  assert_true(e.stopped_by_doubt);
  assert_int_equal(doubted, flat.clauses.count - 1);
  assert_int_equal(f->d.errors, 0);
}

static void doubt_that_lets_go_on_is_asked_ever_more_rarely(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = all_triples(f);
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  uint32_t asked = 0;
  engine_set_doubt(&e, go_on, &asked, 1024);
  assert_true(engine_run(&e, NULL, &f->d));
  assert_int_equal(engine_fact_count(&e), 64 + 64 * 64 * 64);
  assert_in_range(asked, 4, 10);
}

/* ---- random rules ---- */

static void compare_with_naive(rules_fixture *f, const char *words) {
  const flat_program flat = flattened(f, words);
  const engine e = evaluated(f, &flat);
  naive n;
  naive_init(&n, &f->p, NULL, f->keep);
  naive_run(&n);
  for (relation_id r = 0; r < f->p.relations.count; r++)
    if (!same_facts(&e, &n, r)) {
      show("rules", words);
      fail();
    }
}

static void random_rules_give_the_facts_of_naive_evaluation(void **state) {
  rules_fixture *f = *state;
  for (uint32_t i = 0; i < 300; i++) {
    rng r = rng_new(1, i);
    compare_with_naive(f, random_rules_text(&r, f->scratch));
    arena_clear(f->scratch);
    arena_clear(f->keep);
  }
}

/* Taken over, `path` has two facts alone, and what reads it sees just these. */
static void a_relation_that_is_complete_is_not_derived_again(void **state) {
  rules_fixture *f = *state;
  const flat_program flat =
      flattened(f, "(edge a b) (edge b c) (<= (path ?x ?y) (edge ?x ?y))"
                   "(<= (path ?x ?z) (path ?x ?y) (edge ?y ?z)) (<= (end ?y) (path a ?y))");
  const relation_id path = relation_named(f, "path", 2);
  const flat_id id = flat.relations_by_source.items[flat.relations_from[path]];
  engine before = evaluated(f, &flat);
  assert_int_equal(before.tables[id].count, 3);
  table two;
  table_init(&two, 2, f->keep);
  for (uint32_t row = 0; row < 2; row++) table_insert(&two, table_row(&before.tables[id], row));
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  engine_set_complete(&e, id, &two);
  assert_true(engine_run(&e, NULL, &f->d));
  assert_int_equal(e.tables[id].count, 2);
  assert_string_equal(facts_text(f, &e, "end", 1), "(end b)");
}

/* `p` and `q` depend on each other; `p` is said to have no fact. */
static void nor_by_what_depends_on_it(void **state) {
  rules_fixture *f = *state;
  const flat_program flat =
      flattened(f, "(q a) (s a b) (<= (p ?x) (q ?x)) (<= (q ?y) (p ?x) (s ?x ?y))");
  const relation_id p = relation_named(f, "p", 1);
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  table none;
  table_init(&none, 1, f->keep);
  engine_set_complete(&e, flat.relations_by_source.items[flat.relations_from[p]], &none);
  assert_true(engine_run(&e, NULL, &f->d));
  assert_string_equal(facts_text(f, &e, "p", 1), "");
  assert_string_equal(facts_text(f, &e, "q", 1), "(q a)");
}

/* 80 numbers, of which 70 are small: pairs of small ones first, then many of them once more. */
static void a_large_relation_holds_each_fact_once(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < 80; i++)
    text_add_format(&words, "(%s %u) (number %u)", i < 70 ? "small" : "large", i, i);
  text_add(&words, "(<= (pair ?x ?y) (small ?x) (small ?y))"
                   "(<= (pair ?y ?x) (number ?x) (small ?y))");
  const flat_program flat = flattened(f, text_string(&words));
  const engine e = evaluated(f, &flat);
  const relation_id r = relation_named(f, "pair", 2);
  const flat_id id = flat.relations_by_source.items[flat.relations_from[r]];
  const table *pairs = &e.tables[id];
  assert_int_equal(pairs->count, 70 * 80);
  for (uint32_t row = 0; row < pairs->count; row++)
    assert_int_equal(table_find(pairs, table_row(pairs, row)), row);
  uint64_t made = 0;
  for (flat_clause_id c = 0; c < flat.clauses.count; c++)
    if (flat.clauses.items[c].head == id) made += e.made_by[c];
  assert_int_equal(made, pairs->count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(facts_are_derived),
      rules_test(a_large_relation_holds_each_fact_once),
      rules_test(recursion_ends_at_its_closure),
      rules_test(recursion_over_two_recursive_literals_misses_nothing),
      rules_test(mutual_recursion_ends_at_its_closure),
      rules_test(negation_waits_for_the_relation_below),
      rules_test(three_strata_are_taken_in_order),
      rules_test(the_negation_of_an_open_relation_is_taken_to_hold),
      rules_test(added_facts_take_part),
      rules_test(plans_do_not_outlive_a_run),
      rules_test(the_rule_that_derived_a_fact_first_is_known),
      rules_test(one_clause_can_be_run_on_its_own),
      rules_test(nothing_is_derived_again_and_again),
      rules_test(terms_in_generic_relations_are_joined),
      rules_test(endless_terms_end_with_the_rule_that_makes_them),
      rules_test(endless_terms_in_two_rules_end_too),
      rules_test(endless_terms_that_branch_end_too),
      rules_test(deep_terms_without_recursion_may_be_many),
      rules_test(a_term_may_be_as_deep_as_an_atom_has_room_for),
      rules_test(a_term_one_level_deeper_ends_with_its_rule),
      rules_test(conditions_may_be_deeper_than_facts),
      rules_test(shapes_make_no_rule_too_deep),
      rules_test(a_head_that_a_shape_makes_too_deep_ends_with_its_rule),
      rules_test(terms_may_grow_to_the_greatest_depth),
      rules_test(deep_terms_that_are_given_can_be_rewritten),
      rules_test(facts_that_are_written_down_are_not_named_at_a_limit),
      rules_test(the_time_limit_ends_a_large_join),
      rules_test(the_memory_limit_ends_a_large_join),
      rules_test(the_time_limit_ends_a_long_recursion_of_small_joins),
      rules_test(doubt_can_stop_a_clause_without_a_word),
      rules_test(doubt_that_lets_go_on_is_asked_ever_more_rarely),
      rules_test(a_relation_that_is_complete_is_not_derived_again),
      rules_test(nor_by_what_depends_on_it),
      rules_test(random_rules_give_the_facts_of_naive_evaluation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
