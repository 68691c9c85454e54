/* The checker of certificates has its own readers of goals, properties and formulas, and its own
   judge of states, in clauses and on machines.  Here they are held equal to those of the provers
   and the machines, on many inputs. */
#include "base/rng.h"
#include "certify/goal_number.h"
#include "certify/play_state.h"
#include "certify/tiny_game_fixture.h"
#include "prove/prove_fixture.h"
#include "rules/goal_value.h"

/* ---- goals ---- */

static void assert_same_goal(term_table *t, const char *name, size_t length) {
  const term_id constant = term_constant(t, symbol_intern(t->symbols, (slice){name, length}));
  int32_t ours = 0, theirs = 0;
  assert_int_equal(goal_number(t, constant, &ours), goal_value(t, constant, &theirs));
  if (goal_value(t, constant, &theirs)) assert_int_equal(ours, theirs);
}

static void goals_are_worth_the_same(void **state) {
  prove_fixture *f = *state;
  static const char *const names[] = {"0",
                                      "100",
                                      "-0",
                                      "+0",
                                      "00100",
                                      "2147483647",
                                      "2147483648",
                                      "-2147483648",
                                      "+",
                                      "-",
                                      "-2147483649",
                                      "4294967396",
                                      "1 ",
                                      " 1",
                                      "1e2",
                                      "0x10",
                                      "18446744073709551716",
                                      "１",
                                      "1\t"};
  static const char signs[] = "0000123456789-+ x.";
  rng r = rng_new(1, 0);
  term_table t;
  terms_init(&t, symbols_new(f->keep), f->keep);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_same_goal(&t, names[i], strlen(names[i]));
  for (uint32_t i = 0; i < 50000; i++) {
    char name[24];
    const uint32_t length = 1 + rng_below(&r, sizeof name - 1);
    const uint32_t kinds = rng_below(&r, 2) ? 13 : sizeof signs - 1; /* half are digits alone */
    for (uint32_t k = 0; k < length; k++) name[k] = signs[rng_below(&r, kinds)];
    assert_same_goal(&t, name, length);
  }
}

/* ---- properties ---- */

/* What the checker reads of a game. */
typedef struct checker_side {
  ground_program g;
  game_names names;
  certificate c;
  checker k;
} checker_side;

static checker_side *checker_of(prove_fixture *f) {
  checker_side *s = arena_alloc_zero(f->keep, sizeof *s);
  ground_stats stats;
  assert_true(ground_rules(&s->g, &f->p, (ground_options){.optimise = true}, f->keep, &f->b, &f->d,
                           &stats));
  s->names = game_names_new(&f->p, &s->g, f->keep);
  s->k = (checker){.program = &f->p,
                   .g = &s->g,
                   .certificate = &s->c,
                   .names = &s->names,
                   .keep = f->keep,
                   .b = &f->b};
  return s;
}

/* Does the checker take the property?  Then `e` has it. */
static bool checker_reads(prove_fixture *f, checker_side *s, const char *words, evidence *e) {
  source *from = arena_alloc_zero(f->keep, sizeof *from);
  diag_sink d;
  text section = text_new(f->keep);
  text_add_format(&section, "(property %s) (steps 0)", words);
  *from = source_of("certificate", text_string(&section), (uint32_t)section.length);
  diag_sink_init(&d, f->keep);
  s->k.complaint = NULL;
  return certificate_read(&s->c, from, f->keep, &d) &&
         evidence_read(e, &s->k, &s->c.sections.items[0]);
}

static bool prover_reads(prove_fixture *f, const char *words, property *p) {
  property_vec all = {0};
  const char *complaint;
  const state_atoms atoms = job_atoms(&f->j);
  if (!property_read(&all, words, &atoms, f->keep, &complaint)) return false;
  *p = all.items[0];
  return all.count == 1;
}

/* The fluents of the ground game and of the circuit are the same. */
static void assert_same_values(prove_fixture *f, const property *p, const evidence *e, rng *r) {
  const uint32_t count = f->j.g.circuit.fluents.count;
  bool *holds = arena_zero_array(f->keep, bool, count + 1);
  for (uint32_t k = 0; k < 16; k++) {
    for (uint32_t i = 0; i < count; i++) holds[i] = rng_below(r, 2);
    assert_int_equal(state_formula_holds(&e->formula, holds, f->keep),
                     claim_holds(&p->claim, holds, f->keep));
  }
}

static void add_term(rng *r, text *out) {
  static const char *const terms[] = {
      "p0",  "p1",   "P2",      "p3",  "(n 0)", "(n 1)", "(N 3)", "p9",    "(n 9)",     "n",
      "(n)", "(p0)", "(n 0 1)", "and", "not",   "true",  "()",    "(n a)", "(reach 1)", "r0"};
  text_add(out, terms[rng_below(r, rng_below(r, 4) ? 7 : 20)]);
}

/* `distinct` takes any terms: to the provers even what no rulesheet can have. */
static void add_sound_term(rng *r, text *out) {
  static const char *const terms[] = {"p0", "P0", "a", "(n 0)", "(N 0)", "(n 1)", "9"};
  text_add(out, terms[rng_below(r, sizeof terms / sizeof *terms)]);
}

static void add_formula(rng *r, uint32_t depth, text *out) {
  static const char *const lists[] = {"and", "or", "not", "true", "and", "or", "not", "distinct"};
  if (!depth || !rng_below(r, 3)) {
    add_term(r, out);
    return;
  }
  const char *list = lists[rng_below(r, 8)];
  const uint32_t most = strcmp(list, "not") == 0 ? 1 : strcmp(list, "distinct") == 0 ? 2 : 3;
  const uint32_t count = rng_below(r, 12) ? most : 1 + rng_below(r, 3); /* (and) is a name */
  text_add_format(out, "(%s", list);
  for (uint32_t i = 0; i < count; i++) {
    text_add_char(out, ' ');
    if (most == 2)
      add_sound_term(r, out);
    else
      add_formula(r, depth - 1, out);
  }
  text_add_char(out, ')');
}

static const char *random_property(rng *r, arena *keep) {
  static const char *const names[] = {"playable",    "terminates",  "goals",       "monotone",
                                      "mutex",       "winnable r0", "winnable r1", "winnable r9",
                                      "winnable R0", "goals x",     "plays",       "winnable (r0)"};
  text out = text_new(keep);
  if (!rng_below(r, 5)) return names[rng_below(r, 12)];
  text_add(&out, rng_below(r, 2) ? "unreachable " : "invariant ");
  add_formula(r, 3, &out);
  return text_string(&out);
}

/* That a bound on steps is no evidence for it is no matter of reading it. */
static bool has_steps(const char *words) {
  return strcmp(words, "mutex") != 0 && strcmp(words, "monotone") != 0;
}

/* Formulas of provers may name relations that follow from the state; the checker knows fluents. */
static bool names_a_relation(const checker_side *s) {
  return strstr(s->k.complaint, "there is no such fluent");
}

static void properties_are_read_alike(void **state) {
  prove_fixture *f = *state;
  uint32_t read = 0;
  f->b = budget_new(0, 0);
  for (uint64_t seed = 0; seed < 12; seed++) {
    rng r = rng_new(seed, 3);
    read_game(f, tiny_game_text(&r, f->keep));
    ask(f, "playable");
    checker_side *s = checker_of(f);
    for (uint32_t i = 0; i < 400; i++) {
      const char *words = random_property(&r, f->keep);
      property p;
      evidence e;
      const bool is_read = prover_reads(f, words, &p);
      if (!has_steps(words)) continue;
      const bool is_ours = checker_reads(f, s, words, &e);
      if (is_read && !is_ours && names_a_relation(s)) continue;
      if (is_ours != is_read) fail_msg("%s: %s", words, s->k.complaint);
      if (!is_read) continue;
      read++;
      if (p.kind == PROPERTY_WINNABLE) assert_int_equal(p.role, e.role);
      if (p.kind >= PROPERTY_UNREACHABLE) assert_same_values(f, &p, &e, &r);
    }
    close_job(f);
  }
  assert_true(read > 1000);
}

/* ---- states ---- */

static const char *const judged[] = {"playable",
                                     "goals",
                                     "winnable r0",
                                     "unreachable p0",
                                     "invariant (or p1 (not p2))",
                                     "unreachable (and (n 1) p3)"};

enum { JUDGED = sizeof judged / sizeof *judged, STEPS = 12 };

/* One state as provers and checker see it: on machines, and in clauses. */
typedef struct both_sides {
  prove_fixture *f;
  checker_side *s;
  witness_judge judge;
  play p;
  uint8_t *theirs, *ours; /* the same position on two machines */
  property properties[JUDGED];
  evidence evidence[JUDGED];
} both_sides;

/* In clauses: with these fluents the state can be forbidden. */
static bool is_forbidden_in_clauses(both_sides *b, const play_state *state, const evidence *e) {
  ground_clauses c;
  literal_vec all = {0};
  ground_clauses_init(&c, &b->s->g, NULL, b->f->keep);
  ground_clauses_add_moment(&c);
  vec_push(b->f->keep, &all, forbidden_states(&b->s->k, &c, e, 0));
  for (uint32_t i = 0; i < b->s->g.fluents.count; i++) {
    const clause_literal l = c.moments.items[0].fluents[i];
    vec_push(b->f->keep, &all, state->fluents[i] ? l : -l);
  }
  const clauses_answer answer = clauses_ask(&c, clauses_all(&c, all.items, all.count), 0);
  ground_clauses_free(&c);
  return answer == ANSWER_MODEL;
}

static void assert_same_judgement(both_sides *b, const state_view *view, const play_state *state) {
  for (uint32_t i = 0; i < JUDGED; i++) {
    const char *reason = NULL;
    b->judge.position = b->theirs;
    const bool said = witness_judge_sees(&b->judge, view, &b->properties[i], &reason, b->f->keep);
    assert_int_equal(state_is_forbidden(&b->p, state, &b->evidence[i]), said);
    assert_int_equal(is_forbidden_in_clauses(b, state, &b->evidence[i]), said);
  }
}

/* Moves are listed in the same order on all machines. */
static bool make_random_step(both_sides *b, const state_view *view, const play_state *state,
                             rng *r) {
  move_id theirs[8], ours[8];
  if (view->terminal || view_stuck_role(view) != view->role_count) return false;
  for (uint32_t i = 0; i < view->role_count; i++) {
    assert_int_equal(view->roles[i].texts.count, state->roles[i].move_count);
    const uint32_t move = rng_below(r, state->roles[i].move_count);
    theirs[i] = view->roles[i].moves[move];
    ours[i] = state->roles[i].moves[move];
  }
  machine_step(b->judge.m, b->judge.w, b->theirs, theirs, b->theirs);
  machine_step(b->p.m, b->p.w, b->ours, ours, b->ours);
  return true;
}

static uint32_t judge_random_play(both_sides *b, rng *r) {
  uint32_t states = 0;
  bool goes_on = true;
  machine_start(b->judge.m, b->theirs);
  machine_start(b->p.m, b->ours);
  for (; goes_on && states < STEPS; states++) {
    state_view view;
    play_state state;
    assert_true(state_view_read(&view, b->judge.m, b->judge.w, b->theirs, b->f->keep));
    assert_true(play_read(&b->p, &b->s->k, b->ours, &state));
    assert_same_judgement(b, &view, &state);
    goes_on = make_random_step(b, &view, &state, r);
  }
  return states;
}

static bool open_both(both_sides *b, prove_fixture *f) {
  *b = (both_sides){.f = f, .s = checker_of(f)};
  for (uint32_t i = 0; i < JUDGED; i++)
    if (!prover_reads(f, judged[i], &b->properties[i]) ||
        !checker_reads(f, b->s, judged[i], &b->evidence[i]))
      return false;
  assert_true(witness_judge_open(&b->judge, &f->j.g.circuit, &f->p, &f->b, &f->d));
  assert_true(play_open(&b->p, &b->s->k, "datalog", "reference"));
  b->theirs = arena_alloc(f->keep, b->judge.m->position_size + 1);
  b->ours = arena_alloc(f->keep, b->p.m->position_size + 1);
  return true;
}

static void states_are_judged_alike(void **state) {
  prove_fixture *f = *state;
  uint32_t states = 0;
  f->b = budget_new(0, 0);
  for (uint64_t seed = 0; seed < 60; seed++) {
    both_sides b;
    rng r = rng_new(seed, 4);
    read_game(f, tiny_game_text(&r, f->keep));
    ask(f, "playable");
    if (open_both(&b, f)) {
      for (uint32_t i = 0; i < 4; i++) states += judge_random_play(&b, &r);
      play_close(&b.p);
      witness_judge_close(&b.judge);
    }
    close_job(f);
  }
  assert_true(states > 300);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(goals_are_worth_the_same),
      a_test(properties_are_read_alike),
      a_test(states_are_judged_alike),
  };
  return cmocka_run_group_tests_name("prove/same_readings", tests, NULL, NULL);
}
