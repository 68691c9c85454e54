#include "prove/symbolic/mutex_open.h"

#include "induct/induct.h"
#include "prove/symbolic/mutex_groups.h"
#include "prove/symbolic/pdr.h"
#include "states/walk.h"

/* Random play against which candidates are tried, in steps of 64 games; more members than that are
   not asked about at once. */
enum { SAMPLE_STEPS = 128, MEMBERS_MAX = 1 << 18 };

/* ---- candidates ---- */

typedef struct open_groups {
  fact_set groups;
  bool are_too_many;      /* for all of them to be asked about */
  property_vec questions; /* by group: it holds in every state */
} open_groups;

static void add_questions(open_groups *o, arena *keep) {
  for (uint32_t i = 0; i < o->groups.all.count; i++) {
    const fact *f = &o->groups.all.items[i];
    property p = {.kind = PROPERTY_INVARIANT};
    claim_of_group(&p.claim, vec_from(&o->groups.members, f->first), f->count,
                   f->kind == FACT_EXACTLY_ONE, keep);
    vec_push(keep, &o->questions, p);
  }
}

/* Of exactly one it may be true that at most one holds. */
static void add_weaker(fact_set *open, const fact_set *known, const circuit *c, arena *keep) {
  fact_set weaker = {.keep = keep};
  for (uint32_t i = 0; i < open->all.count; i++) {
    const fact *f = &open->all.items[i];
    if (f->kind == FACT_EXACTLY_ONE)
      fact_add(&weaker, FACT_AT_MOST_ONE, vec_from(&open->members, f->first), f->count);
  }
  groups_add_open(open, &weaker, known, c);
}

static void add_candidates(open_groups *o, const fact_set *guesses, const fact_set *known,
                           const circuit *c) {
  o->are_too_many |= o->groups.members.count >= MEMBERS_MAX;
  if (!o->are_too_many) groups_add_open(&o->groups, guesses, known, c);
}

static void find_open_groups(open_groups *o, prove_job *j, arena *keep, budget *b) {
  const circuit *c = &j->full;
  sample seen;
  fact_set named = {.keep = keep};
  board_guesses boards = {0};
  determined_guesses determined = {0};
  *o = (open_groups){.groups.keep = keep};
  sample_play(&seen, c, SAMPLE_STEPS, j->options.seed, keep, b);
  facts_guess_boards(&boards, c, &seen, keep, b);
  facts_guess(&named, c, &seen, false, b);
  facts_guess_determined(&determined, c, &seen, keep, b);
  for (uint32_t i = 0; i < boards.count; i++) add_candidates(o, &boards.items[i], &j->facts, c);
  add_candidates(o, &named, &j->facts, c);
  for (uint32_t i = 0; i < determined.count; i++) {
    add_candidates(o, &determined.items[i].first, &j->facts, c);
    add_candidates(o, &determined.items[i].others, &j->facts, c);
  }
  add_weaker(&o->groups, &j->facts, c, keep);
  add_questions(o, keep);
}

/* ---- all states ---- */

static void keep_walked(prove_job *j, const open_groups *o, const walk *w) {
  for (uint32_t i = 0; i < o->groups.all.count; i++) {
    const fact *f = &o->groups.all.items[i];
    if (!w->targets[i].is_found) fact_copy(&j->walked_groups, &o->groups, f);
  }
  if (j->walked_groups.all.count) j->groups_by = "exhaustive";
  j->walked_states = walk_states(w);
  j->has_all_groups = !o->are_too_many;
}

static bool all_are_reached(const walk *w, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!w->targets[i].is_found) return false;
  return true;
}

static void walk_groups(prove_job *j, const open_groups *o, arena *keep, budget *b) {
  circuit c;
  lane_stepper s;
  walk w;
  question_circuit(&c, &j->g, &o->questions, true, keep);
  lane_stepper_init(&s, &c, lane_state_bytes(&c), LANE_NATIVE_MAX, keep, NULL);
  walk_init(&w, &s, keep);
  walk_options options = {.threads = j->options.threads,
                          .wanted = bitset_new(keep, c.targets.count + 1),
                          .only_targets = true};
  for (uint32_t i = 0; i < c.targets.count; i++) bitset_add(options.wanted, i);
  if (walk_run(&w, options, b, j->d) && (w.is_complete || all_are_reached(&w, c.targets.count)))
    keep_walked(j, o, &w);
  walk_free(&w);
  lane_stepper_free(&s);
}

void mutex_open_by_walk(prove_job *j, budget *b) {
  arena *keep = arena_new();
  open_groups o;
  find_open_groups(&o, j, keep, b);
  if (!budget_check_now(b)) walk_groups(j, &o, keep, b);
  arena_free(keep);
}

/* ---- induction and pdr, one candidate after another ---- */

/* Each candidate may take this part of the time that is left.  Induction may think longer here than
   it does of the many candidates at first. */
enum { PARTS = 4, CONFLICTS_MAX = 200 * 1000 };

typedef struct group_search {
  prove_job *j;
  open_groups open;
  circuit c;        /* by candidate a target: the states in which it is no group */
  bool leaves_some; /* candidates that are neither proved nor refuted */
} group_search;

/* Proves those of the candidates that are open and that follow from each other. */
static void prove_open(prove_job *j, const fact_set *candidates, budget *b) {
  const induct_options o = {.seed = j->options.seed, .conflicts = CONFLICTS_MAX};
  induct_counts counts = {0};
  fact_set open = {.keep = candidates->keep};
  groups_add_open(&open, candidates, &j->facts, &j->full);
  if (open.all.count) induct_prove(&j->facts, &open, &j->full, o, b, &counts);
}

/* The candidate, if it is still open; else nothing. */
static fact_set candidate(const group_search *s, uint32_t i) {
  const fact_set *all = &s->open.groups;
  const fact *f = &all->all.items[i];
  fact_set asked = {.keep = all->keep}, open = {.keep = all->keep};
  fact_copy(&asked, all, f);
  groups_add_open(&open, &asked, &s->j->facts, &s->c);
  return open;
}

/* What induction proves of one alone; with many together it may not come to an end. */
static void try_induction(group_search *s, uint32_t i, budget *b) {
  const fact_set group = candidate(s, i);
  prove_open(s->j, &group, b);
}

/* With the facts that are known and without: they help some games and hinder others.  Of what is
   proved, the clauses are kept as facts, and with these induction may prove others. */
static void try_pdr(group_search *s, uint32_t i, budget *b) {
  const fact_set *ways[] = {&s->j->facts, NULL};
  const fact_set group = candidate(s, i);
  pdr_result r = {0};
  for (uint32_t way = 0; group.all.count && way < 2 && r.answer == PDR_UNKNOWN; way++) {
    budget part = budget_part(b, budget_seconds_left(b) / 2);
    if (!budget_check_now(&part))
      pdr_run(&r, &s->c, s->c.targets.items[i], ways[way], group.keep, &part);
  }
  s->leaves_some |= group.all.count && r.answer == PDR_UNKNOWN;
  if (r.answer != PDR_NEVER) return;
  facts_add_all(&s->j->facts, &r.clauses);
  facts_add_all(&s->j->facts, &group);
  prove_open(s->j, &s->open.groups, b);
  s->j->groups_by = "pdr";
}

void mutex_open_one_by_one(prove_job *j, budget *b) {
  static void (*const ways[])(group_search * s, uint32_t i, budget * b) = {try_induction, try_pdr};
  arena *keep = arena_new();
  group_search s = {.j = j};
  find_open_groups(&s.open, j, keep, b);
  question_circuit(&s.c, &j->g, &s.open.questions, false, keep);
  for (uint32_t way = 0; way < 2; way++)
    for (uint32_t i = 0; i < s.open.groups.all.count && !budget_check_now(b); i++) {
      budget part = budget_part(b, budget_seconds_left(b) / PARTS);
      ways[way](&s, i, &part);
    }
  j->leaves_groups = s.leaves_some || s.open.are_too_many || budget_check_now(b);
  j->has_all_groups = !j->leaves_groups;
  arena_free(keep);
}
