#include "ground/instances.h"

#include "base/graph.h"

#include <string.h>

/* The rows of a relation that may become atoms. */
typedef struct numbered {
  atom_id *atoms;     /* by row: its atom, or ATOM_NONE; NULL: no row was asked for yet */
  bitset waiting;     /* rows that are needed and not yet instantiated; without words if is_given */
  uint32_t low, high; /* they are among low .. high-1 */
  bool is_given;      /* true and does: nothing derives them */
  bool was_taken;     /* some rows have been instantiated */
} numbered;

/* Rows start .. end-1. */
typedef struct row_run {
  uint32_t start, end;
} row_run;

/* A variable of a negated literal. */
typedef struct negated_variable {
  uint32_t column;
  uint32_t variable;
} negated_variable;

/* A negated literal that stays in the ground rule. */
typedef struct kept_negation {
  numbered *rows;
  const table *facts;
  term_id *row; /* the literal's: constants stand there, variables are filled in */
  negated_variable *variables;
  uint32_t variable_count;
  value *patterns; /* all values, if one is a pattern; or NULL */
} kept_negation;

/* A step whose row becomes a positive literal. */
typedef struct kept_step {
  numbered *rows;
  const uint32_t *row; /* the one that it stands on */
} kept_step;

/* A clause, ready to be joined from its head. */
typedef struct instance_plan {
  plan plan;
  join join;
  kept_step *kept_steps;
  uint32_t kept_step_count;
  kept_negation *negations;
  uint32_t negation_count;
  uint32_t longest_body;
} instance_plan;

struct instances {
  ground_program *g;
  const bases *b;
  const flat_program *f;
  arena *scratch;
  budget *limits;
  numbered *numbers; /* by flat relation */
  uint32_t atom_count;
  graph clauses_of;      /* flat relation -> its clauses */
  instance_plan **plans; /* by flat clause; or NULL */
  arena *plans_keep;
  VEC(row_run) taken; /* rows of the relation that is being instantiated */
  bool failed;
};

/* ---- atoms ---- */

static const table *table_of(const instances *x, flat_id r) { return &x->b->facts.tables[r]; }

static bool is_given(const instances *x, flat_id r) {
  const relation_id source = x->f->relations.items[r].relation;
  return source == SYM_TRUE || source == SYM_DOES;
}

static numbered *number_relation(instances *x, flat_id r) {
  numbered *n = &x->numbers[r];
  if (n->atoms) return n;
  const uint32_t count = table_of(x, r)->count;
  n->atoms = arena_new_array(x->scratch, atom_id, count);
  memset(n->atoms, 0xff, count * sizeof(atom_id));
  n->is_given = is_given(x, r);
  if (!n->is_given) n->waiting = bitset_new(x->scratch, count);
  return n;
}

/* The next number for a row that had none. */
static atom_id number_row(instances *x, numbered *n, uint32_t row) {
  if (!n->is_given) {
    const bool is_first = n->low == n->high;
    bitset_add(n->waiting, row);
    if (is_first || row < n->low) n->low = row;
    if (is_first || row >= n->high) n->high = row + 1;
  }
  return n->atoms[row] = x->atom_count++;
}

/* The atom of a row; from now on it is needed. */
static inline atom_id need_row(instances *x, numbered *n, uint32_t row) {
  return n->atoms[row] != ATOM_NONE ? n->atoms[row] : number_row(x, n, row);
}

atom_id instances_need(instances *x, flat_id r, uint32_t row) {
  return need_row(x, number_relation(x, r), row);
}

const atom_id *instances_atoms(const instances *x, flat_id r) { return x->numbers[r].atoms; }

uint32_t instances_atom_count(const instances *x) { return x->atom_count; }

/* ---- plans ---- */

static void keep_steps(instances *x, instance_plan *p) {
  p->kept_steps = arena_new_array(x->plans_keep, kept_step, p->plan.step_count);
  p->kept_step_count = 0;
  for (uint32_t i = 0; i < p->plan.step_count; i++) {
    const step *s = &p->plan.steps[i];
    if (s->literal != PLAN_HEAD && x->b->rules.is_open[s->relation])
      p->kept_steps[p->kept_step_count++] =
          (kept_step){number_relation(x, s->relation), &p->join.rows[i]};
  }
}

static kept_negation keep_negation(instances *x, const flat_literal *l) {
  const table *facts = table_of(x, l->relation);
  value *values = plan_values(x->f, l->args, facts->arity, x->plans_keep);
  kept_negation n = {.rows = number_relation(x, l->relation),
                     .facts = facts,
                     .row = arena_new_array(x->plans_keep, term_id, facts->arity),
                     .variables = arena_new_array(x->plans_keep, negated_variable, facts->arity)};
  for (uint32_t i = 0; i < facts->arity; i++) {
    if (values[i].kind == VALUE_VARIABLE)
      n.variables[n.variable_count++] = (negated_variable){i, values[i].id};
    else if (values[i].kind == VALUE_TERM)
      n.row[i] = values[i].id;
    else
      n.patterns = values;
  }
  return n;
}

static void keep_negations(instances *x, instance_plan *p, const flat_clause *c) {
  VEC(kept_negation) kept = {0};
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &x->f->literals.items[c->body + i];
    if (l->kind == LITERAL_NEGATIVE && x->b->rules.is_open[l->relation])
      vec_push(x->plans_keep, &kept, keep_negation(x, l));
  }
  p->negations = kept.items;
  p->negation_count = kept.count;
}

static instance_plan *plan_of(instances *x, flat_clause_id c) {
  if (x->plans[c]) return x->plans[c];
  instance_plan *p = arena_alloc(x->plans_keep, sizeof *p);
  plan_make(&p->plan, x->f, x->b->facts.tables, x->b->rules.is_open, c, PLAN_HEAD, x->plans_keep);
  join_init(&p->join, x->f, x->b->facts.tables, &p->plan, x->plans_keep);
  keep_steps(x, p);
  keep_negations(x, p, &x->f->clauses.items[c]);
  p->longest_body = p->kept_step_count + p->negation_count;
  return x->plans[c] = p;
}

/* ---- rules ---- */

/* Bodies are short: they are sorted by insertion, which also finds repeated literals.  `count` of
   them stand in `body`, which has room for one more.  False: the literal contradicts one that is
   there. */
static inline bool insert_literal(ground_literal *body, uint32_t *count, ground_literal l) {
  uint32_t at = *count;
  while (at > 0 && body[at - 1] > l) at--;
  if (at > 0 && body[at - 1] == l) return true;
  if ((at > 0 && body[at - 1] == (l ^ 1)) || (at < *count && body[at] == (l ^ 1))) return false;
  for (uint32_t i = (*count)++; i > at; i--) body[i] = body[i - 1];
  body[at] = l;
  return true;
}

static bool collect_positives(instances *x, const instance_plan *p, ground_literal *body,
                              uint32_t *count) {
  for (uint32_t i = 0; i < p->kept_step_count; i++) {
    const atom_id a = need_row(x, p->kept_steps[i].rows, *p->kept_steps[i].row);
    if (!insert_literal(body, count, literal_of_atom(a, false))) return false;
  }
  return true;
}

/* ID_NONE: it is no possible fact. */
static uint32_t row_of_patterns(const kept_negation *n, const join *j) {
  for (uint32_t i = 0; i < n->facts->arity; i++)
    if (!join_value(j, n->patterns[i], &n->row[i])) return ID_NONE;
  return table_find(n->facts, n->row);
}

static inline uint32_t row_of_negation(const kept_negation *n, const join *j) {
  if (n->patterns) return row_of_patterns(n, j);
  for (uint32_t i = 0; i < n->variable_count; i++)
    n->row[n->variables[i].column] = j->bindings[n->variables[i].variable];
  return table_find_hashed(n->facts, n->row, table_hash(n->row, n->facts->arity));
}

/* A negated atom that can never hold is left out. */
static bool collect_negations(instances *x, const instance_plan *p, ground_literal *body,
                              uint32_t *count) {
  for (uint32_t i = 0; i < p->negation_count; i++) {
    const kept_negation *n = &p->negations[i];
    const uint32_t row = row_of_negation(n, &p->join);
    if (row == ID_NONE) continue;
    const atom_id a = need_row(x, n->rows, row);
    if (!insert_literal(body, count, literal_of_atom(a, true))) return false;
  }
  return true;
}

typedef struct solution_context {
  instances *x;
  const instance_plan *p;
  const atom_id *heads; /* by row */
} solution_context;

/* The body is written where it will stay. */
static bool add_rule(void *context, const join *j) {
  const solution_context *s = context;
  instances *x = s->x;
  ground_program *g = x->g;
  if (g->literals.capacity - g->literals.count <= s->p->longest_body)
    vec_reserve(g->keep, &g->literals, s->p->longest_body + 1); /* a place, if unused */
  ground_literal *body = vec_from(&g->literals, g->literals.count);
  uint32_t count = 0;
  if (!collect_positives(x, s->p, body, &count) || !collect_negations(x, s->p, body, &count)) {
    g->is_derived = false;
    return true;
  }
  const ground_rule r = {s->heads[j->rows[0]], g->literals.count, count};
  g->literals.count += count;
  vec_push(g->keep, &g->rules, r);
  return true;
}

static bool look_at_limits(void *context, join *j) {
  instances *x = ((solution_context *)context)->x;
  j->try_limit = j->tried + 1024;
  x->failed = budget_is_spent(x->limits);
  return !x->failed;
}

/* The rules of a clause for the heads in rows start .. end-1, all of them needed. */
static void instantiate_clause(instances *x, flat_clause_id c, uint32_t start, uint32_t end) {
  instance_plan *p = plan_of(x, c);
  p->join.given = start;
  p->join.given_end = end;
  p->join.try_limit = p->join.tried + 1024;
  solution_context s = {x, p, x->numbers[x->f->clauses.items[c].head].atoms};
  join_run(&p->join, add_rule, look_at_limits, &s);
}

/* The first row from `row` on that waits, or `high`. */
static uint32_t next_waiting(const numbered *n, uint32_t row) {
  while (row < n->high) {
    const uint64_t rest = n->waiting.words[row / 64] >> row % 64;
    if (rest) return row + (uint32_t)__builtin_ctzll(rest);
    row = (row / 64 + 1) * 64;
  }
  return n->high;
}

/* Lists the rows that wait, neighbours together; none waits any more. */
static void take_waiting(instances *x, numbered *n) {
  x->taken.count = 0;
  for (uint32_t row = next_waiting(n, n->low); row < n->high; row = next_waiting(n, row)) {
    row_run run = {row, row};
    for (; run.end < n->high && bitset_has(n->waiting, run.end); run.end++)
      bitset_remove(n->waiting, run.end);
    vec_push(x->scratch, &x->taken, run);
    row = run.end;
  }
  n->low = n->high = 0;
}

/* Most relations have no second turn: the plans of the first make room for others. */
static void forget_plans(instances *x, flat_id r, arena_mark since) {
  for (uint32_t k = x->clauses_of.from[r]; k < x->clauses_of.from[r + 1]; k++)
    x->plans[x->clauses_of.to[k]] = NULL;
  arena_restore(x->plans_keep, since);
}

static void instantiate_relation(instances *x, flat_id r) {
  numbered *n = &x->numbers[r];
  const arena_mark before = arena_save(x->plans_keep);
  take_waiting(x, n);
  for (uint32_t i = 0; i < x->taken.count && !x->failed; i++) {
    const row_run run = x->taken.items[i];
    for (uint32_t k = x->clauses_of.from[r]; k < x->clauses_of.from[r + 1] && !x->failed; k++)
      instantiate_clause(x, x->clauses_of.to[k], run.start, run.end);
    x->failed |= budget_is_spent(x->limits);
  }
  if (!n->was_taken) forget_plans(x, r, before);
  n->was_taken = true;
}

/* ---- everything ---- */

bool instances_make(instances *x) {
  for (bool changed = true; changed && !x->failed;) {
    changed = false;
    for (flat_id r = 0; r < x->f->relations.count && !x->failed; r++) {
      if (x->numbers[r].low == x->numbers[r].high) continue;
      instantiate_relation(x, r);
      changed = true;
    }
  }
  return !x->failed;
}

static graph clauses_by_head(const flat_program *f, arena *scratch) {
  uint32_t *tails = arena_new_array(scratch, uint32_t, f->clauses.count);
  uint32_t *heads = arena_new_array(scratch, uint32_t, f->clauses.count);
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    tails[c] = f->clauses.items[c].head;
    heads[c] = c;
  }
  return graph_new(scratch, f->relations.count, tails, heads, f->clauses.count);
}

instances *instances_new(ground_program *g, const bases *b, arena *scratch, budget *limits) {
  const flat_program *f = &b->rules.program;
  instances *x = arena_alloc(scratch, sizeof *x);
  *x = (instances){.g = g,
                   .b = b,
                   .f = f,
                   .scratch = scratch,
                   .limits = limits,
                   .numbers = arena_zero_array(scratch, numbered, f->relations.count),
                   .clauses_of = clauses_by_head(f, scratch),
                   .plans = arena_zero_array(scratch, instance_plan *, f->clauses.count),
                   .plans_keep = arena_new()};
  return x;
}

void instances_free(instances *x) { arena_free(x->plans_keep); }
