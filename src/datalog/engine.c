#include "datalog/engine.h"

#include "base/graph.h"

#include <assert.h>

/* A recursion that has made very many terms, so much deeper than the deepest of the rules, is taken
   for one that goes on for ever.  The deeper they are, the fewer are very many. */
enum {
  BRANCHING_DEPTH = 4,
  BRANCHING_FACTS = 1 << 22,
  CHAIN_DEPTH = 500,
  CHAIN_FACTS = 1 << 16,
};

enum { LOOK_AFTER = 1024 }; /* rows: the clock is not read more often */

/* A plan is rebuilt when the tables that it joins have together grown by so many bits. */
enum { GROWN_BITS = 4 };

/* A plan that begins with new facts of a literal, and the join that runs it. */
typedef struct trigger_plan {
  plan plan;
  join join;
} trigger_plan;

/* ---- setting up ---- */

/* Literals that no clause holds any more (a rewriting left them behind) are passed over. */
static void find_clauses_of_literals(engine *e) {
  const flat_program *f = e->f;
  e->clause_of_literal = arena_new_array(e->keep, flat_clause_id, f->literals.count);
  for (uint32_t l = 0; l < f->literals.count; l++) e->clause_of_literal[l] = ID_NONE;
  for (flat_clause_id c = 0; c < f->clauses.count; c++)
    for (uint32_t i = 0; i < f->clauses.items[c].body_count; i++)
      e->clause_of_literal[f->clauses.items[c].body + i] = c;
}

static bool is_trigger(const engine *e, uint32_t l) {
  return e->clause_of_literal[l] != ID_NONE && e->f->literals.items[l].kind == LITERAL_POSITIVE;
}

static void index_triggers(engine *e) {
  const flat_program *f = e->f;
  e->triggers_from = arena_zero_array(e->keep, uint32_t, f->relations.count + 1);
  e->triggers = arena_new_array(e->keep, uint32_t, f->literals.count);
  for (uint32_t l = 0; l < f->literals.count; l++)
    if (is_trigger(e, l)) e->triggers_from[f->literals.items[l].relation]++;
  for (flat_id r = 0; r < f->relations.count; r++) e->triggers_from[r + 1] += e->triggers_from[r];
  for (uint32_t l = f->literals.count; l-- > 0;)
    if (is_trigger(e, l)) e->triggers[--e->triggers_from[f->literals.items[l].relation]] = l;
}

/* Relations depend on what their clauses read, negated or not, unless that is open. */
static void find_order(engine *e) {
  const flat_program *f = e->f;
  arena *scratch = arena_new();
  id_vec tails = {0};
  id_vec heads = {0};
  for (uint32_t l = 0; l < f->literals.count; l++) {
    const flat_literal *it = &f->literals.items[l];
    if (e->clause_of_literal[l] == ID_NONE || it->kind == LITERAL_DISTINCT) continue;
    if (it->kind == LITERAL_NEGATIVE && e->is_open[it->relation]) continue;
    vec_push(scratch, &tails, f->clauses.items[e->clause_of_literal[l]].head);
    vec_push(scratch, &heads, it->relation);
  }
  const graph g = graph_new(scratch, f->relations.count, tails.items, heads.items, tails.count);
  e->component = arena_new_array(e->keep, uint32_t, f->relations.count);
  e->component_count = graph_components(&g, e->component, scratch);
  e->order = graph_order(&g, e->component, e->component_count, e->keep);
  arena_free(scratch);
}

/* For the terms in clauses. */
static uint32_t deepest_given(const program *p) {
  uint32_t deepest = 0;
  for (clause_id c = 0; c < p->clauses.count; c++) {
    const uint32_t depth = term_get(p->terms, p->clauses.items[c].head)->depth;
    if (depth > deepest) deepest = depth;
  }
  for (uint32_t i = 0; i < p->literals.count; i++) {
    const uint32_t depth = term_get(p->terms, p->literals.items[i].atom)->depth;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

void engine_init(engine *e, const flat_program *f, const bool *is_open, arena *keep) {
  const uint32_t relations = f->relations.count;
  *e = (engine){.f = f,
                .keep = keep,
                .tables = arena_new_array(keep, table, relations),
                .is_open = arena_zero_array(keep, bool, relations),
                .done = arena_zero_array(keep, uint32_t, relations),
                .is_settled = arena_zero_array(keep, bool, f->clauses.count),
                .first_new = f->clauses.count,
                .is_complete = arena_zero_array(keep, bool, relations),
                .deepest_given = deepest_given(f->source),
                .facts_max = BRANCHING_FACTS,
                .look_after = LOOK_AFTER,
                .made_by = arena_zero_array(keep, uint64_t, f->clauses.count),
                .effort = arena_zero_array(keep, uint64_t, f->clauses.count),
                .patience = arena_zero_array(keep, uint64_t, f->clauses.count)};
  for (flat_id r = 0; r < relations; r++) {
    table_init(&e->tables[r], f->relations.items[r].arity, keep);
    e->is_open[r] = is_open && is_open[r];
  }
  find_clauses_of_literals(e);
  index_triggers(e);
  find_order(e);
}

void engine_set_doubt(engine *e, engine_doubt *doubt, void *context, uint64_t patience) {
  e->doubt = doubt;
  e->doubt_context = context;
  for (flat_clause_id c = 0; c < e->f->clauses.count; c++) e->patience[c] = e->effort[c] + patience;
}

void engine_add(engine *e, flat_id id, const term_id *row) { table_insert(&e->tables[id], row); }

void engine_set_complete(engine *e, flat_id id, const table *facts) {
  e->tables[id] = *facts;
  e->done[id] = facts->count;
  e->is_complete[id] = true;
}

void engine_take_over(engine *e, const engine *stopped, const flat_program *rules_before) {
  for (flat_id r = 0; r < rules_before->relations.count; r++) {
    e->tables[r] = stopped->tables[r];
    e->done[r] = stopped->done[r];
    e->is_complete[r] = stopped->is_complete[r];
  }
  for (flat_clause_id c = 0; c < rules_before->clauses.count; c++) {
    e->effort[c] = flat_body_differs(rules_before, e->f, c) ? 0 : stopped->effort[c];
    e->made_by[c] = stopped->made_by[c];
    e->is_settled[c] = stopped->is_settled[c];
  }
  e->first_new = rules_before->clauses.count;
}

/* ---- deriving ---- */

/* Heads that nobody asks for before the join has ended wait until some more are there, if their
   table is so large that the memory needs time to bring the slots that they belong into. */
enum { WAITING_HEADS = 16, LARGE_TABLE = 4096 };

typedef struct derivation {
  engine *e;
  const plan *plan;
  table *head;
  bool heads_wait;
  term_id *rows; /* room for as many heads as may wait */
  uint64_t hashes[WAITING_HEADS];
  uint32_t waiting;
  budget *limits;
  diag_sink *d;
  bool failed;
} derivation;

static bool report_endless(derivation *v) {
  const program *p = v->e->f->source;
  const clause *c = &p->clauses.items[v->e->f->clauses.items[v->plan->clause].source];
  const span where =
      c->rule == RULE_NONE ? SPAN_NONE : program_span(p, p->rules.items[c->rule].node);
  diag *g = diag_add(v->d, DIAG_E804, where, "this rule makes ever larger terms");
  diag_hint(v->d, g,
            "let a relation with finitely many facts bound the term, for example a "
            "successor relation");
  v->failed = true;
  return false;
}

/* Is a relation read that depends on the head? */
static bool is_recursive(const engine *e, flat_clause_id c) {
  const flat_clause *it = &e->f->clauses.items[c];
  for (uint32_t i = 0; i < it->body_count; i++) {
    const flat_literal *l = &e->f->literals.items[it->body + i];
    if (l->kind == LITERAL_POSITIVE && e->component[l->relation] == e->component[it->head])
      return true;
  }
  return false;
}

/* Only a pattern makes a term that was not there before.  Where terms branch as they grow there are
   very many of them long before one is very deep. */
static bool is_endless(const derivation *v, term_id made) {
  const engine *e = v->e;
  const uint32_t depth = term_get(e->f->terms, made)->depth;
  if (depth > ARGUMENT_DEPTH_MAX) return true;
  if (depth <= e->deepest_given + BRANCHING_DEPTH) return false;
  const bool is_chain = depth > e->deepest_given + CHAIN_DEPTH;
  const uint32_t most = is_chain && CHAIN_FACTS < e->facts_max ? CHAIN_FACTS : e->facts_max;
  return v->head->count > most && is_recursive(e, v->plan->clause);
}

static void add_waiting(derivation *v) {
  for (uint32_t i = 0; i < v->waiting; i++)
    table_insert_hashed(v->head, v->rows + (size_t)i * v->head->arity, v->hashes[i]);
  v->waiting = 0;
}

static void let_head_wait(derivation *v, const join *j) {
  term_id *row = v->rows + (size_t)v->waiting * v->head->arity;
  for (uint32_t i = 0; i < v->head->arity; i++) row[i] = j->head[i];
  table_prefetch(v->head, j->head_hash);
  v->hashes[v->waiting++] = j->head_hash;
  if (v->waiting == WAITING_HEADS) add_waiting(v);
}

static bool add_head_of_patterns(derivation *v, const join *j) {
  for (uint32_t i = 0; i < v->head->arity; i++) {
    const value it = v->plan->head[i];
    if (!join_value(j, it, &v->rows[i])) return report_endless(v);
    if (it.kind == VALUE_PATTERN && is_endless(v, v->rows[i])) return report_endless(v);
  }
  table_insert(v->head, v->rows);
  return true;
}

static bool add_head(void *context, const join *j) {
  derivation *v = context;
  if (!j->head_slots) return add_head_of_patterns(v, j);
  if (v->heads_wait) {
    let_head_wait(v, j);
    return true;
  }
  table_insert_hashed(v->head, j->head, j->head_hash);
  return true;
}

/* The limit of a join is where the clock is read next. */
static void set_try_limit(const engine *e, join *j) { j->try_limit = j->tried + e->look_after; }

static bool clause_is_doubted(engine *e, flat_clause_id c) {
  if (!e->doubt || e->effort[c] < e->patience[c]) return false;
  e->stopped_by_doubt = e->doubt(e->doubt_context, e, c);
  e->patience[c] = e->effort[c] * 2;
  return e->stopped_by_doubt;
}

static bool look_at_limits(void *context, join *j) {
  derivation *v = context;
  const flat_clause_id c = j->plan->clause;
  add_waiting(v);
  v->e->effort[c] += j->tried;
  j->tried = 0;
  set_try_limit(v->e, j);
  v->failed = clause_is_doubted(v->e, c) || budget_check_now(v->limits);
  return !v->failed;
}

static bool derive(engine *e, join *j, budget *limits, diag_sink *d, arena *scratch) {
  const plan *p = j->plan;
  table *head = &e->tables[e->f->clauses.items[p->clause].head];
  derivation v = {.e = e,
                  .plan = p,
                  .head = head,
                  .heads_wait = p->last_head_step + 1 >= p->step_count && head->count > LARGE_TABLE,
                  .rows = arena_new_array(scratch, term_id, WAITING_HEADS * head->arity),
                  .limits = limits,
                  .d = d};
  const uint32_t before = head->count;
  j->each_head_once = true;
  j->known = head;
  set_try_limit(e, j);
  join_run(j, add_head, look_at_limits, &v);
  add_waiting(&v);
  e->made_by[p->clause] += head->count - before;
  e->effort[p->clause] += j->tried;
  return !v.failed;
}

/* ---- one part ---- */

/* Whether each positive literal has rows that are done: else there is nothing to join yet. */
static bool can_be_joined(const engine *e, const flat_clause *c) {
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &e->f->literals.items[c->body + i];
    if (l->kind == LITERAL_POSITIVE && e->done[l->relation] == 0) return false;
  }
  return true;
}

static void add_fact(engine *e, flat_clause_id c) {
  const flat_clause *it = &e->f->clauses.items[c];
  table *head = &e->tables[it->head];
  const uint32_t before = head->count;
  table_insert(head, flat_args(e->f, it->head_args));
  e->made_by[c] += head->count - before;
}

/* Joins all rows, or those that are done. */
static bool run_once(engine *e, flat_clause_id c, bool only_done, budget *limits, diag_sink *d,
                     arena *scratch) {
  if (e->f->clauses.items[c].body_count == 0) {
    add_fact(e, c);
    return true;
  }
  const arena_mark mark = arena_save(scratch);
  plan p;
  plan_make(&p, e->f, e->tables, e->is_open, c, PLAN_NOTHING, scratch);
  join j;
  join_init(&j, e->f, e->tables, &p, scratch);
  for (uint32_t i = 0; only_done && i < p.step_count; i++)
    j.visible[i] = e->done[p.steps[i].relation];
  const bool ok = derive(e, &j, limits, d, scratch);
  arena_restore(scratch, mark);
  return ok;
}

/* Plans are made when first needed, and again when the tables have grown a lot since. */
static trigger_plan *plan_from(engine *e, uint32_t literal_index) {
  const flat_clause_id c = e->clause_of_literal[literal_index];
  trigger_plan *p = e->plans[literal_index];
  if (p && plan_magnitude(e->f, e->tables, c) < p->plan.magnitude + GROWN_BITS) return p;
  if (!p) p = e->plans[literal_index] = arena_alloc(e->plans_keep, sizeof *p);
  plan_make(&p->plan, e->f, e->tables, e->is_open, c, literal_index - e->f->clauses.items[c].body,
            e->plans_keep);
  join_init(&p->join, e->f, e->tables, &p->plan, e->plans_keep);
  return p;
}

/* Facts that have not been joined yet stay hidden: they will meet these when their turn comes. */
static void hide_later_facts(const engine *e, join *j, flat_id given, uint32_t given_literal) {
  for (uint32_t i = 0; i < j->plan->step_count; i++) {
    const step *s = &j->plan->steps[i];
    const bool sees_given = s->relation == given && s->literal < given_literal;
    j->visible[i] = sees_given ? j->given_end : e->done[s->relation];
  }
}

static bool run_trigger(engine *e, uint32_t literal_index, uint32_t start, uint32_t end,
                        budget *limits, diag_sink *d, arena *scratch) {
  const arena_mark mark = arena_save(scratch);
  join *j = &plan_from(e, literal_index)->join;
  j->given = start;
  j->given_end = end;
  j->tried = 0;
  hide_later_facts(e, j, e->f->literals.items[literal_index].relation, j->plan->given);
  const bool ok = derive(e, j, limits, d, scratch);
  arena_restore(scratch, mark);
  return ok;
}

static bool join_new_facts(engine *e, flat_id r, budget *limits, diag_sink *d, arena *scratch) {
  const uint32_t start = e->done[r];
  const uint32_t end = e->tables[r].count;
  for (uint32_t t = e->triggers_from[r]; t < e->triggers_from[r + 1]; t++) {
    const flat_id head = e->f->clauses.items[e->clause_of_literal[e->triggers[t]]].head;
    if (e->component[head] != e->component[r] || e->is_complete[head]) continue;
    if (!run_trigger(e, e->triggers[t], start, end, limits, d, scratch)) return false;
  }
  e->done[r] = end;
  return true;
}

typedef struct component_range {
  uint32_t start, end; /* in engine.order */
} component_range;

static bool run_recursion(engine *e, component_range part, budget *limits, diag_sink *d,
                          arena *scratch) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = part.start; i < part.end; i++) {
      const flat_id r = e->order[i];
      if (e->done[r] == e->tables[r].count) continue;
      if (budget_is_spent(limits)) return false;
      if (!join_new_facts(e, r, limits, d, scratch)) return false;
      changed = true;
    }
  }
  return true;
}

/* ---- everything ---- */

typedef struct component_clauses {
  const flat_clause_id *items;
  uint32_t count;
} component_clauses;

/* The clauses sorted by the component of their heads. */
static graph clauses_by_component(const engine *e, arena *scratch) {
  const uint32_t count = e->f->clauses.count;
  uint32_t *tails = arena_new_array(scratch, uint32_t, count);
  uint32_t *heads = arena_new_array(scratch, uint32_t, count);
  for (flat_clause_id c = 0; c < count; c++) {
    tails[c] = e->component[e->f->clauses.items[c].head];
    heads[c] = c;
  }
  return graph_new(scratch, e->component_count, tails, heads, count);
}

/* Joins the rows that are done. */
static bool settle(engine *e, flat_clause_id c, budget *limits, diag_sink *d, arena *scratch) {
  const flat_clause *it = &e->f->clauses.items[c];
  if (e->is_complete[it->head] || e->is_settled[c]) return true;
  if (can_be_joined(e, it) && !run_once(e, c, true, limits, d, scratch)) return false;
  e->is_settled[c] = true;
  return true;
}

/* What a new relation has by the rows that are done is done, too: whoever reads it now has derived
   all that follows from these by the rules as they were.  (Where this is stopped, what is left is
   not new the next time: its rows are then joined as any others, which finds the same once more.)
 */
static bool settle_new(engine *e, component_clauses clauses, budget *limits, diag_sink *d,
                       arena *scratch) {
  for (uint32_t i = 0; i < clauses.count; i++) {
    const flat_clause_id c = clauses.items[i];
    if (c < e->first_new) continue;
    if (!settle(e, c, limits, d, scratch)) return false;
    const flat_id head = e->f->clauses.items[c].head;
    e->done[head] = e->tables[head].count;
  }
  return true;
}

static bool run_component(engine *e, component_range part, component_clauses clauses,
                          budget *limits, diag_sink *d, arena *scratch) {
  if (!settle_new(e, clauses, limits, d, scratch)) return false;
  for (uint32_t i = 0; i < clauses.count; i++) {
    if (budget_is_spent(limits)) return false;
    if (!settle(e, clauses.items[i], limits, d, scratch)) return false;
  }
  return run_recursion(e, part, limits, d, scratch);
}

/* The rule that has derived most facts; those that are written as facts tell nothing.  ID_NONE:
   none has derived any. */
static flat_clause_id busiest_rule(const engine *e) {
  flat_clause_id most = ID_NONE;
  for (flat_clause_id c = 0; c < e->f->clauses.count; c++) {
    if (!e->f->clauses.items[c].body_count || !e->made_by[c]) continue;
    if (most == ID_NONE || e->made_by[c] > e->made_by[most]) most = c;
  }
  return most;
}

static const char *where_it_stood(const engine *e, arena *scratch) {
  const flat_clause_id most = busiest_rule(e);
  text words = text_new(scratch);
  text_add_format(&words, "%llu facts were derived", (unsigned long long)engine_fact_count(e));
  if (most != ID_NONE) {
    text_add_format(&words, ", %llu of them by ", (unsigned long long)e->made_by[most]);
    flat_clause_print(e->f, most, &words);
  }
  return text_string(&words);
}

static void report_limit(const engine *e, const budget *limits, diag_sink *d, arena *scratch) {
  if (limits && limits->end != BUDGET_LEFT) budget_report(limits, d, where_it_stood(e, scratch));
}

/* Plans are for one run: what comes after it takes their memory. */
static void begin_plans(engine *e) {
  e->plans_keep = arena_new();
  e->plans = arena_zero_array(e->plans_keep, trigger_plan *, e->f->literals.count);
}

static void end_plans(engine *e) {
  arena_free(e->plans_keep);
  e->plans_keep = NULL;
  e->plans = NULL;
}

bool engine_run(engine *e, budget *limits, diag_sink *d) {
  arena *scratch = arena_new();
  const graph clauses = clauses_by_component(e, scratch);
  begin_plans(e);
  component_range part = {0, 0};
  bool ok = true;
  for (uint32_t c = 0; c < e->component_count && ok; c++) {
    part.start = part.end;
    while (part.end < e->f->relations.count && e->component[e->order[part.end]] == c) part.end++;
    const component_clauses its = {clauses.to + clauses.from[c],
                                   clauses.from[c + 1] - clauses.from[c]};
    ok = run_component(e, part, its, limits, d, scratch);
  }
  if (!ok) report_limit(e, limits, d, scratch);
  end_plans(e);
  arena_free(scratch);
  return ok;
}

bool engine_run_clause(engine *e, flat_clause_id c, budget *limits, diag_sink *d) {
  arena *scratch = arena_new();
  const bool ok = run_once(e, c, false, limits, d, scratch);
  if (!ok) report_limit(e, limits, d, scratch);
  arena_free(scratch);
  return ok;
}

uint64_t engine_fact_count(const engine *e) {
  uint64_t count = 0;
  for (flat_id r = 0; r < e->f->relations.count; r++) count += e->tables[r].count;
  return count;
}
