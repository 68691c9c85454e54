#include "ground/evaluate.h"

#include <string.h>

const doubts usual_doubts = {.patience = 100000, .many_facts = 30000, .look_after = 1024};

enum {
  DOUBTFUL_SHARE = 16, /* of the patience: then a clause is looked at along with another */
  ATTEMPTS_MAX = 24,
};

/* A relation of whose facts so large a share is asked for is left as it is. */
static const double large_share = 0.75;

/* What this attempt has found too costly. */
typedef struct attempt {
  const rewriting *rules; /* under evaluation */
  doubts when;            /* with the patience of this attempt */
  budget *limits;
  uint64_t *costs;   /* by flat clause: what it cost, if it is to be decomposed */
  bool *demand;      /* by flat relation: to be restricted, or restricted already */
  bool *is_demanded; /* by flat relation: restricted already */
  uint32_t *needed;  /* by flat relation: facts it had when most of them were asked for */
  uint32_t reached;  /* the component at which it was doubted last: those before are done */
} attempt;

/* Clauses that look at many rows, with more to come, and can be decomposed.  True: together they
   cost so much that it pays. */
static bool doubt_clauses(attempt *a, engine *e) {
  uint64_t total = 0;
  uint64_t doubtful = 0;
  memset(a->costs, 0, e->f->clauses.count * sizeof *a->costs);
  for (flat_clause_id c = 0; c < e->f->clauses.count; c++) {
    total += e->effort[c];
    if (e->effort[c] < a->when.patience / DOUBTFUL_SHARE) continue;
    if (e->component[e->f->clauses.items[c].head] < a->reached) continue;
    if (!decomposition_helps(a->rules, e->tables, c, e->effort[c], a->limits)) continue;
    a->costs[c] = e->effort[c];
    doubtful += e->effort[c];
  }
  return doubtful * 4 > total;
}

/* True: it pays to restrict this relation to what is asked of it.  Where most of its facts are
   asked for, it is looked at again when it has twice as many. */
static bool doubt_relation(attempt *a, const engine *e, flat_id r) {
  const uint32_t relations = e->f->relations.count;
  const uint32_t facts = e->tables[r].count;
  if (facts < a->when.many_facts || facts / 2 < a->needed[r]) return false;
  arena *scratch = arena_new();
  bool *chosen = arena_zero_array(scratch, bool, relations);
  memcpy(chosen, a->demand, relations * sizeof *chosen);
  bool pays = demand_find(a->rules, r, chosen);
  if (pays) {
    for (flat_id q = 0; q < relations; q++) chosen[q] &= !a->is_demanded[q];
    pays = demand_share(a->rules, e, r, chosen, a->limits) < large_share;
    if (!pays) a->needed[r] = facts;
  }
  for (flat_id q = 0; q < relations && pays; q++) a->demand[q] |= chosen[q];
  arena_free(scratch);
  return pays;
}

/* Relations with many facts, and more to come, that can be restricted to those asked for. */
static bool doubt_relations(attempt *a, const engine *e, uint32_t component) {
  bool found = false;
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (!a->demand[r] && e->component[r] >= component) found |= doubt_relation(a, e, r);
  return found;
}

static bool doubt(void *context, engine *e, flat_clause_id c) {
  attempt *a = context;
  a->reached = e->component[e->f->clauses.items[c].head];
  const bool clauses = doubt_clauses(a, e);
  const bool relations = doubt_relations(a, e, a->reached);
  return clauses || relations;
}

static attempt attempt_new(const rewriting *rules, doubts when, arena *keep, budget *limits) {
  const uint32_t relations = rules->program.relations.count;
  return (attempt){.rules = rules,
                   .when = when,
                   .limits = limits,
                   .costs = arena_zero_array(keep, uint64_t, rules->program.clauses.count),
                   .demand = arena_zero_array(keep, bool, relations),
                   .is_demanded = arena_zero_array(keep, bool, relations),
                   .needed = arena_zero_array(keep, uint32_t, relations)};
}

/* The next one, by the same rules as rewritten since, with more patience; `relations` are those
   that were there before. */
static attempt attempt_after(const attempt *a, uint32_t relations, bool is_anew, arena *keep) {
  doubts when = a->when;
  when.patience = is_anew ? when.patience * 2 : when.patience * 3 / 2;
  const attempt next = attempt_new(a->rules, when, keep, a->limits);
  for (flat_id r = 0; r < relations; r++) {
    next.demand[r] = next.is_demanded[r] = a->demand[r];
    if (!is_anew) next.needed[r] = a->needed[r];
  }
  return next;
}

void given_add(engine *e, const given_facts *given) {
  if (!given) return;
  for (flat_id r = 0; r < given->count; r++)
    for (uint32_t row = 0; row < given->tables[r].count; row++)
      engine_add(e, r, table_row(&given->tables[r], row));
}

/* The rules as this attempt would have had them. */
static rewriting improved(const attempt *a, const bases *b, arena *keep) {
  rewriting decomposed;
  rewriting_decompose(&decomposed, &b->rules, a->costs, b->facts.tables, keep, a->limits);
  bool *demand = arena_zero_array(keep, bool, decomposed.program.relations.count);
  for (flat_id r = 0; r < b->rules.program.relations.count; r++)
    demand[r] = a->demand[r] && !a->is_demanded[r];
  rewriting result;
  rewriting_demand(&result, &decomposed, demand, keep);
  return result;
}

/* ---- starting over ---- */

static bool reads_only(const flat_program *f, const flat_clause *c, const bool *relations) {
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &f->literals.items[c->body + i];
    if (l->kind != LITERAL_DISTINCT && !relations[l->relation]) return false;
  }
  return true;
}

/* By flat relation: whether all its facts were found, and are the same by the rewritten rules. */
static bool *find_lasting(const attempt *a, const engine *e, const flat_program *before,
                          const flat_program *after, arena *scratch) {
  bool *lasts = arena_new_array(scratch, bool, before->relations.count);
  for (flat_id r = 0; r < before->relations.count; r++) lasts[r] = e->component[r] < a->reached;
  for (flat_clause_id c = 0; c < before->clauses.count; c++)
    if (flat_body_differs(before, after, c)) lasts[before->clauses.items[c].head] = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (flat_clause_id c = 0; c < before->clauses.count; c++) {
      const flat_clause *it = &before->clauses.items[c];
      if (!lasts[it->head] || reads_only(before, it, lasts)) continue;
      lasts[it->head] = false;
      changed = true;
    }
  }
  return lasts;
}

/* A new engine for rules that are restricted; relations that last keep their facts, others give
   their memory back. */
static void begin_anew(bases *b, const attempt *a, const flat_program *before,
                       const given_facts *given) {
  arena *scratch = arena_new();
  const engine old = b->facts;
  const bool *lasts = find_lasting(a, &old, before, &b->rules.program, scratch);
  engine_init(&b->facts, &b->rules.program, b->rules.is_open, b->tables_keep);
  for (flat_id r = 0; r < before->relations.count; r++) {
    if (lasts[r])
      engine_set_complete(&b->facts, r, &old.tables[r]);
    else
      table_close(&old.tables[r], false);
  }
  given_add(&b->facts, given);
  arena_free(scratch);
}

/* A new engine that continues where this one stopped, with exactly the same facts. */
static void go_on(bases *b, const flat_program *before) {
  const engine stopped = b->facts;
  engine_init(&b->facts, &b->rules.program, b->rules.is_open, b->tables_keep);
  engine_take_over(&b->facts, &stopped, before);
}

static bool is_restricted(const attempt *a, uint32_t relations) {
  for (flat_id r = 0; r < relations; r++)
    if (a->demand[r] && !a->is_demanded[r]) return true;
  return false;
}

/* Evaluates; when something is too costly, rewrites the program.  The tables so far tell the
   rewriting how many rows to expect. */
bool bases_evaluate(bases *b, const rewriting *original, const given_facts *given,
                    const doubts *when, arena *keep, budget *limits, diag_sink *d) {
  b->rules = *original;
  b->tables_keep = arena_new();
  budget_watch(limits, b->tables_keep);
  attempt a = attempt_new(&b->rules, *when, keep, limits);
  engine_init(&b->facts, &b->rules.program, b->rules.is_open, b->tables_keep);
  given_add(&b->facts, given);
  for (b->attempts = 1;; b->attempts++) {
    b->facts.look_after = when->look_after;
    if (b->attempts < ATTEMPTS_MAX) engine_set_doubt(&b->facts, doubt, &a, a.when.patience);
    if (engine_run(&b->facts, limits, d)) return true;
    if (!b->facts.stopped_by_doubt) return false;
    const flat_program before = b->rules.program;
    b->rules = improved(&a, b, keep);
    const bool is_anew = is_restricted(&a, before.relations.count);
    if (is_anew)
      begin_anew(b, &a, &before, given);
    else
      go_on(b, &before);
    a = attempt_after(&a, before.relations.count, is_anew, keep);
  }
}
