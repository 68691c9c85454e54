/* Whether facts that hold before a step hold after it.

   Where there are many facts and few rules all are asked about together.  Else each is asked about
   on its own, way by way in which it may break, in a step that has no more than it depends on
   (partial_step.h), and what that leaves open together and with all of the game. */
#include "certify/evidence.h"
#include "certify/partial_step.h"

/* Where the rules have at most so many literals for each fact, all are tried together first; but
   not longer than that. */
enum { LITERALS_A_FACT = 100, CONFLICTS_TOGETHER_MAX = 2000 };

/* ---- together ---- */

static clauses_answer ask_together(checker *k, const evidence *e, const claim_facts *facts,
                                   uint32_t conflicts_max) {
  ground_clauses c;
  ground_clauses_init(&c, k->g, k->b, k->keep);
  ground_clauses_add_moment(&c);
  facts_require(&c, &e->facts, 0);
  ground_clauses_step(&c, 0);
  ground_clauses_add_moment(&c);
  const clauses_answer answer = clauses_ask(&c, facts_broken(&c, facts, 1), conflicts_max);
  ground_clauses_free(&c);
  return answer;
}

/* ---- one by one ---- */

typedef struct close_facts {
  partial_step *step;
  const claim_facts *facts;
  uint32_t *first;    /* by fluent, and one more: in `facts_of` */
  uint32_t *facts_of; /* facts that the fluent is a member of */
  uint32_t *asked;    /* by fact: members that the question has; room */
  bitset is_known;    /* facts that hold before the step at hand */
} close_facts;

static void index_facts(close_facts *n, const ground_program *g, arena *keep) {
  uint32_t total = 0;
  n->first = arena_zero_array(keep, uint32_t, g->fluents.count + 2);
  for (uint32_t i = 0; i < n->facts->count; i++) {
    const claim_fact *f = &n->facts->items[i];
    for (uint32_t j = 0; j < f->members.count; j++, total++)
      n->first[f->members.items[j].fluent + 2]++;
  }
  for (uint32_t i = 2; i < g->fluents.count + 2; i++) n->first[i] += n->first[i - 1];
  n->facts_of = arena_new_array(keep, uint32_t, total + 1);
  for (uint32_t i = 0; i < n->facts->count; i++) {
    const claim_fact *f = &n->facts->items[i];
    for (uint32_t j = 0; j < f->members.count; j++)
      n->facts_of[n->first[f->members.items[j].fluent + 1]++] = i;
  }
}

typedef clause_literal fluent_literal(partial_step *n, uint32_t fluent);

static clause_literal *literals_of(partial_step *n, const claim_fact *f, fluent_literal *literal_of,
                                   arena *scratch) {
  clause_literal *fluents = arena_new_array(scratch, clause_literal, f->members.count + 1);
  for (uint32_t i = 0; i < f->members.count; i++)
    fluents[i] = literal_of(n, f->members.items[i].fluent);
  return fluents;
}

/* Facts of which the question has several members so far, or all, hold before the step.  False:
   they are known already. */
static bool require_close(close_facts *n, arena *scratch) {
  const id_vec *asked = partial_step_fluents(n->step);
  const uint32_t count = asked->count; /* each fact may ask for more */
  bool is_new = false;
  memset(n->asked, 0, n->facts->count * sizeof *n->asked);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t fluent = asked->items[i];
    for (uint32_t j = n->first[fluent]; j < n->first[fluent + 1]; j++) {
      const claim_fact *f = &n->facts->items[n->facts_of[j]];
      const uint32_t members = ++n->asked[n->facts_of[j]];
      if (members < 2 && members < f->members.count) continue;
      if (!bitset_insert(n->is_known, n->facts_of[j])) continue;
      const clause_literal *fluents = literals_of(n->step, f, partial_step_before, scratch);
      const clause_literal holds = -fact_broken(partial_step_clauses(n->step), f, fluents, scratch);
      clauses_add(partial_step_clauses(n->step), &holds, 1);
      is_new = true;
    }
  }
  return is_new;
}

/* True: no step breaks the fact in any of the ways there are.  What is close comes first, then
   facts about what these facts are about, then what makes moves legal. */
static bool fact_stays(close_facts *n, const claim_fact *f, arena *scratch) {
  enum { FURTHER_FACTS = 1, LEGAL_MOVES = 2, TRIES };
  uint32_t *fluents = arena_new_array(scratch, uint32_t, f->members.count + 1);
  for (uint32_t i = 0; i < f->members.count; i++) fluents[i] = f->members.items[i].fluent;
  bitset_clear(n->is_known);
  partial_step_begin(n->step, fluents, f->members.count);
  const clause_literal *after = literals_of(n->step, f, partial_step_after, scratch);
  clause_literal *ways = arena_new_array(scratch, clause_literal, f->members.count + 1);
  const uint32_t count = fact_ways_to_break(partial_step_clauses(n->step), f, after, ways);
  uint32_t refuted = 0; /* they stay so: the clauses only become more */
  for (uint32_t i = 0; i < TRIES && refuted < count; i++) {
    if (i == LEGAL_MOVES) partial_step_be_legal(n->step);
    if (!require_close(n, scratch) && i == FURTHER_FACTS) continue;
    while (refuted < count && partial_step_refutes(n->step, ways[refuted])) refuted++;
  }
  return refuted == count;
}

/* The facts of which that is not known. */
static claim_facts facts_that_may_break(checker *k, const evidence *e) {
  arena *scratch = arena_new(), *inner = arena_new();
  close_facts n = {.facts = &e->facts,
                   .asked = arena_new_array(scratch, uint32_t, e->facts.count + 1),
                   .is_known = bitset_new(scratch, e->facts.count + 1)};
  claim_facts left = {0};
  budget_watch(k->b, scratch);
  n.step = partial_step_new(k->g, k->b, scratch);
  index_facts(&n, k->g, scratch);
  for (uint32_t i = 0; i < e->facts.count; i++) {
    const bool is_timely = !budget_check_now(k->b);
    if (!is_timely || !fact_stays(&n, &e->facts.items[i], inner))
      vec_push(k->keep, &left, e->facts.items[i]);
    arena_clear(inner);
  }
  partial_step_free(n.step);
  budget_unwatch(k->b, scratch);
  arena_free(inner);
  arena_free(scratch);
  return left;
}

static bool asks_together(const checker *k, const evidence *e) {
  if (k->how != ASK_AS_SEEMS_BEST) return k->how == ASK_TOGETHER;
  return k->g->literals.count / LITERALS_A_FACT <= e->facts.count;
}

bool facts_stay(checker *k, const evidence *e) {
  clauses_answer answer = ANSWER_UNKNOWN;
  if (asks_together(k, e)) answer = ask_together(k, e, &e->facts, CONFLICTS_TOGETHER_MAX);
  if (answer == ANSWER_UNKNOWN) {
    const claim_facts left = facts_that_may_break(k, e);
    const bool is_timely = !budget_check_now(k->b);
    if (!left.count) return true;
    if (is_timely) answer = ask_together(k, e, &left, 0);
  }
  if (answer == ANSWER_UNKNOWN) return checker_give_up(k, "the SAT solver gave up");
  return answer == ANSWER_NONE || checker_reject(k, "a step may break a fact", ID_NONE);
}
