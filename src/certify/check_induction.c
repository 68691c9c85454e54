/* Evidence that is asked of the SAT solver: facts that hold at the start and that every step keeps;
   measures that fall; plays that have only so many steps. */
#include "base/bitset.h"
#include "certify/evidence.h"

/* More would need more memory than anyone has. */
enum { K_MAX = 64, STEPS_MAX = 1000 };

/* ---- questions ---- */

/* True: there is no model in which the literal holds.  Where there is one, `why` says what it
   means. */
static bool refutes(checker *k, ground_clauses *c, clause_literal l, const char *why) {
  switch (clauses_ask(c, l, 0)) {
    case ANSWER_NONE: return true;
    case ANSWER_MODEL: return checker_reject(k, why, ID_NONE);
    default: return checker_give_up(k, "the SAT solver gave up");
  }
}

static void begin_questions(checker *k, ground_clauses *c) {
  ground_clauses_init(c, k->g, k->b, k->keep);
  ground_clauses_add_moment(c);
}

static bool end_questions(checker *k, ground_clauses *c) {
  ground_clauses_free(c);
  return !k->complaint;
}

static void make_step(ground_clauses *c, uint32_t time) {
  ground_clauses_step(c, time);
  ground_clauses_add_moment(c);
}

/* ---- facts ---- */

static bool facts_hold_at_start(checker *k, const evidence *e) {
  bool *initially = arena_new_array(k->keep, bool, k->g->fluents.count + 1);
  for (uint32_t i = 0; i < k->g->fluents.count; i++)
    initially[i] = k->g->fluents.items[i].initially;
  for (uint32_t i = 0; i < e->facts.count; i++)
    if (!fact_holds(&e->facts.items[i], initially))
      return checker_reject(k, "a fact does not hold at the start", e->facts.items[i].node);
  return true;
}

/* In fewer than `steps` steps nothing forbidden is reached; if they are to be the last, no further
   step can be made. */
static bool first_steps_hold(checker *k, const evidence *e, uint32_t steps, bool are_last) {
  ground_clauses c;
  begin_questions(k, &c);
  ground_clauses_start(&c);
  for (uint32_t time = 0; !k->complaint && time < steps; time++) {
    refutes(k, &c, forbidden_states(k, &c, e, time), "what is forbidden can be reached");
    make_step(&c, time);
  }
  if (!k->complaint && are_last) refutes(k, &c, c.truth, "there is a longer play");
  return end_questions(k, &c);
}

/* Where the facts hold, k steps without what is forbidden do not lead to it. */
static bool facts_rule_out(checker *k, const evidence *e) {
  ground_clauses c;
  const uint32_t last = e->section->k;
  begin_questions(k, &c);
  for (uint32_t time = 0; time < last; time++) {
    const clause_literal allowed = -forbidden_states(k, &c, e, time);
    facts_require(&c, &e->facts, time);
    clauses_add(&c, &allowed, 1);
    make_step(&c, time);
  }
  facts_require(&c, &e->facts, last);
  refutes(k, &c, forbidden_states(k, &c, e, last), "the facts do not rule out what is forbidden");
  return end_questions(k, &c);
}

/* Where the facts hold no step makes a goal smaller. */
static bool goals_do_not_fall(checker *k, const evidence *e) {
  ground_clauses c;
  begin_questions(k, &c);
  facts_require(&c, &e->facts, 0);
  make_step(&c, 0);
  refutes(k, &c, goals_fall(k, &c, 0), "a step may make a goal smaller");
  return end_questions(k, &c);
}

/* ---- measures ---- */

static void require_same(ground_clauses *c, const checked_measure *m, uint32_t time) {
  const clause_literal same = -measure_changes(c, m, time);
  clauses_add(c, &same, 1);
}

/* No step raises a measure and leaves those before it as they are. */
static bool measures_fall(checker *k, const evidence *e) {
  ground_clauses c;
  begin_questions(k, &c);
  facts_require(&c, &e->facts, 0);
  make_step(&c, 0);
  for (uint32_t i = 0; i < e->measures.count && !k->complaint; i++) {
    refutes(k, &c, measure_grows(&c, &e->measures.items[i], 0), "a step may raise a measure");
    require_same(&c, &e->measures.items[i], 0);
  }
  return end_questions(k, &c);
}

/* No k steps leave all measures as they are. */
static bool measures_change(checker *k, const evidence *e) {
  ground_clauses c;
  begin_questions(k, &c);
  for (uint32_t time = 0; time < e->section->k; time++) {
    facts_require(&c, &e->facts, time);
    make_step(&c, time);
    for (uint32_t i = 0; i < e->measures.count; i++) require_same(&c, &e->measures.items[i], time);
  }
  refutes(k, &c, c.truth, "steps may leave all measures as they are");
  return end_questions(k, &c);
}

/* ---- games that clauses do not speak of ---- */

typedef struct atom_search {
  bitset seen;
  id_vec queue;
  arena *scratch;
} atom_search;

static void reach_atom(atom_search *x, atom_id a) {
  if (a != ATOM_NONE && bitset_insert(x->seen, a)) vec_push(x->scratch, &x->queue, a);
}

/* What legal, goal and terminal depend on. */
static void reach_all(atom_search *x, const ground_program *g) {
  reach_atom(x, g->terminal);
  for (uint32_t i = 0; i < g->moves.count; i++) reach_atom(x, g->moves.items[i].legal);
  for (uint32_t i = 0; i < g->goals.count; i++) reach_atom(x, g->goals.items[i].atom);
  for (uint32_t i = 0; i < x->queue.count; i++)
    for (uint32_t r = g->rules_of[x->queue.items[i]]; r < g->rules_of[x->queue.items[i] + 1]; r++)
      for (uint32_t l = 0; l < g->rules.items[r].body_count; l++)
        reach_atom(x, literal_atom(g->literals.items[g->rules.items[r].body + l]));
}

/* Is a move among that?  They are read while none is made, and in the clauses of a step one is. */
static bool reads_moves_at_rest(const ground_program *g) {
  arena *scratch = arena_new();
  atom_search x = {.seen = bitset_new(scratch, g->atoms.count + 1), .scratch = scratch};
  bool found = false;
  reach_all(&x, g);
  for (uint32_t i = 0; i < g->moves.count; i++)
    found |= g->moves.items[i].does != ATOM_NONE && bitset_has(x.seen, g->moves.items[i].does);
  arena_free(scratch);
  return found;
}

static bool can_be_clauses(checker *k) {
  return !reads_moves_at_rest(k->g) ||
         checker_give_up(k,
                         "legal, goal or terminal depends on does, which clauses cannot express");
}

/* ---- the kinds of evidence ---- */

bool steps_hold(checker *k, const evidence *e) {
  if (!can_be_clauses(k)) return false;
  if (e->section->steps > STEPS_MAX) return checker_give_up(k, "there are too many steps");
  return first_steps_hold(k, e, e->section->steps + 1, true);
}

bool induction_holds(checker *k, const evidence *e) {
  if (!can_be_clauses(k)) return false;
  if (e->section->k > K_MAX) return checker_give_up(k, "k is too large");
  if (!facts_hold_at_start(k, e) || !facts_stay(k, e)) return false;
  switch (e->kind) {
    case CERTIFIED_MUTEX: return true; /* the facts are the claim */
    case CERTIFIED_TERMINATES: return measures_fall(k, e) && measures_change(k, e);
    case CERTIFIED_MONOTONE:
      return first_steps_hold(k, e, e->section->k, false) && facts_rule_out(k, e) &&
             goals_do_not_fall(k, e);
    default: return first_steps_hold(k, e, e->section->k, false) && facts_rule_out(k, e);
  }
}
