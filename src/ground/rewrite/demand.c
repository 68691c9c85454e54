/* Demand: see rewrite.h.  (Magic sets, with one set of bound columns for each relation.)

   For a use of p in a body, the arguments that the other literals bind are wanted:
     wanted(bound arguments) <= the literals that bind them
   and every clause of p begins with its wanted arguments:
     p(...) <= wanted(bound arguments), body
   Which columns are bound is the intersection over all uses. */
#include "base/bitset.h"
#include "base/rng.h"
#include "ground/rewrite/rewriter.h"

#include <string.h>

typedef struct demander {
  const flat_program *f;
  const rewriting *from;
  bitset chosen; /* flat relations */
  bitset *bound; /* by flat relation: its columns that every use binds */
  arena *scratch;
} demander;

static uint32_t arity_of(const demander *m, flat_id r) { return m->f->relations.items[r].arity; }

static const flat_literal *literal_of(const demander *m, const flat_clause *c, uint32_t i) {
  return &m->f->literals.items[c->body + i];
}

/* ---- variables ---- */

static void add_variable(void *context, uint32_t number) { bitset_add(*(bitset *)context, number); }

static void add_arg_variables(const demander *m, term_id arg, bitset *to) {
  term_each_variable(m->f->terms, arg, add_variable, to);
}

static void add_literal_variables(const demander *m, const flat_literal *l, bitset *to) {
  const uint32_t count = l->kind == LITERAL_DISTINCT ? 2 : arity_of(m, l->relation);
  for (uint32_t i = 0; i < count; i++) add_arg_variables(m, flat_args(m->f, l->args)[i], to);
}

typedef struct known_check {
  bitset known;
  bool all;
} known_check;

static void check_known(void *context, uint32_t number) {
  known_check *k = context;
  k->all &= bitset_has(k->known, number);
}

static bool arg_is_known(const demander *m, term_id arg, bitset known) {
  known_check k = {known, true};
  term_each_variable(m->f->terms, arg, check_known, &k);
  return k.all;
}

/* ---- what a use can rely on ---- */

/* A literal may bind arguments of the use at `use` when it is positive and not itself waiting for
   demand that comes later. */
static bool supports(const demander *m, const flat_clause *c, uint32_t i, uint32_t use) {
  const flat_literal *l = literal_of(m, c, i);
  if (i == use || l->kind != LITERAL_POSITIVE) return false;
  return !bitset_has(m->chosen, l->relation) || i < use;
}

static bitset known_variables(const demander *m, const flat_clause *c, uint32_t use) {
  bitset known = bitset_new(m->scratch, c->variable_count);
  if (bitset_has(m->chosen, c->head))
    for (uint32_t i = 0; i < arity_of(m, c->head); i++)
      if (bitset_has(m->bound[c->head], i))
        add_arg_variables(m, flat_args(m->f, c->head_args)[i], &known);
  for (uint32_t i = 0; i < c->body_count; i++)
    if (supports(m, c, i, use)) add_literal_variables(m, literal_of(m, c, i), &known);
  return known;
}

static bool binds_any_column(const demander *m, const flat_literal *l, bitset known) {
  for (uint32_t i = 0; i < arity_of(m, l->relation); i++) {
    const term_id arg = flat_args(m->f, l->args)[i];
    if (!term_is_ground(m->f->terms, arg) && bitset_has(m->bound[l->relation], i) &&
        arg_is_known(m, arg, known))
      return true;
  }
  return false;
}

/* The variables that the literals of the body bind, if those bind a column at all; else also those
   that only the wanted head brings.  What is merely handed through would multiply the wanted
   arguments by values that have nothing to do with the others; with `hands_on` it is, for lists
   that grow on the way. */
static bitset relied_on(const demander *m, const flat_clause *c, uint32_t use) {
  bitset bound_here = bitset_new(m->scratch, c->variable_count);
  for (uint32_t i = 0; i < c->body_count; i++)
    if (supports(m, c, i, use)) add_literal_variables(m, literal_of(m, c, i), &bound_here);
  if (!m->from->hands_on && binds_any_column(m, literal_of(m, c, use), bound_here))
    return bound_here;
  return known_variables(m, c, use);
}

/* Takes away the columns that this use does not bind.  True: some were taken. */
static bool narrow_columns(const demander *m, const flat_clause *c, uint32_t use) {
  const flat_literal *l = literal_of(m, c, use);
  const bitset known = relied_on(m, c, use);
  bool changed = false;
  for (uint32_t i = 0; i < arity_of(m, l->relation); i++) {
    if (!bitset_has(m->bound[l->relation], i)) continue;
    if (arg_is_known(m, flat_args(m->f, l->args)[i], known)) continue;
    bitset_remove(m->bound[l->relation], i);
    changed = true;
  }
  return changed;
}

static bool is_use(const demander *m, const flat_literal *l) {
  return l->kind != LITERAL_DISTINCT && bitset_has(m->chosen, l->relation);
}

static void find_bound_columns(demander *m) {
  m->bound = arena_new_array(m->scratch, bitset, m->f->relations.count);
  for (flat_id r = 0; r < m->f->relations.count; r++) {
    m->bound[r] = bitset_new(m->scratch, arity_of(m, r));
    for (uint32_t i = 0; i < arity_of(m, r); i++) bitset_add(m->bound[r], i);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (flat_clause_id c = 0; c < m->f->clauses.count; c++) {
      const flat_clause *it = &m->f->clauses.items[c];
      for (uint32_t i = 0; i < it->body_count; i++)
        if (is_use(m, literal_of(m, it, i))) changed |= narrow_columns(m, it, i);
    }
  }
}

/* ---- which relations may be restricted ---- */

/* Relations that an evaluated negation reads, and all that those depend on: they must be complete
   before anything that depends on the state is known. */
static bitset needed_complete(const demander *m) {
  const bitset needed = bitset_new(m->scratch, m->f->relations.count);
  for (flat_clause_id c = 0; c < m->f->clauses.count; c++) {
    const flat_clause *it = &m->f->clauses.items[c];
    for (uint32_t i = 0; i < it->body_count; i++) {
      const flat_literal *l = literal_of(m, it, i);
      if (l->kind == LITERAL_NEGATIVE && !m->from->is_open[l->relation])
        bitset_add(needed, l->relation);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (flat_clause_id c = 0; c < m->f->clauses.count; c++) {
      const flat_clause *it = &m->f->clauses.items[c];
      if (!bitset_has(needed, it->head)) continue;
      for (uint32_t i = 0; i < it->body_count; i++) {
        const flat_literal *l = literal_of(m, it, i);
        if (l->kind != LITERAL_DISTINCT) changed |= bitset_insert(needed, l->relation);
      }
    }
  }
  return needed;
}

static bool is_result(const demander *m, flat_id r) {
  const relation_id source = m->f->relations.items[r].relation;
  if (source < KEYWORD_RELATION_COUNT || m->from->origin[r] != ORIGIN_RULES) return true;
  return m->f->source->relations.items[source].name == m->f->source->mark;
}

static demander demander_new(const rewriting *from, const bool *chosen, arena *scratch) {
  demander m = {.f = &from->program,
                .from = from,
                .scratch = scratch,
                .chosen = bitset_new(scratch, from->program.relations.count)};
  const bitset complete = needed_complete(&m);
  for (flat_id r = 0; r < m.f->relations.count; r++)
    if (chosen[r] && !is_result(&m, r) && !bitset_has(complete, r)) bitset_add(m.chosen, r);
  /* a relation without a bound column gains nothing, and others must not rely on it */
  for (bool changed = true; changed;) {
    changed = false;
    find_bound_columns(&m);
    for (flat_id r = 0; r < m.f->relations.count; r++) {
      if (!bitset_has(m.chosen, r) || !bitset_is_empty(m.bound[r])) continue;
      bitset_remove(m.chosen, r);
      changed = true;
    }
  }
  return m;
}

bool demand_find(const rewriting *w, flat_id r, bool *chosen) {
  arena *scratch = arena_new();
  const uint32_t relations = w->program.relations.count;
  bool *candidates = arena_zero_array(scratch, bool, relations);
  candidates[r] = true;
  flat_mark_readers(&w->program, candidates);
  for (flat_id q = 0; q < relations; q++) candidates[q] &= !chosen[q];
  const demander m = demander_new(w, candidates, scratch);
  const bool helps = bitset_has(m.chosen, r);
  for (flat_id q = 0; q < relations && helps; q++) chosen[q] |= bitset_has(m.chosen, q);
  arena_free(scratch);
  return helps;
}

/* ---- writing ---- */

typedef VEC(flat_literal) flat_literal_vec;

static flat_literal wanted_literal(const demander *m, rewriter *w, const flat_id *wanted, flat_id r,
                                   uint32_t args) {
  flat_program *f = &w->result->program;
  const flat_literal l = {LITERAL_POSITIVE, wanted[r], f->args.count};
  for (uint32_t i = 0; i < arity_of(m, r); i++)
    if (bitset_has(m->bound[r], i)) vec_push(w->keep, &f->args, flat_args(m->f, args)[i]);
  return l;
}

static bool is_check_on(const demander *m, const flat_literal *l, bitset known) {
  if (l->kind == LITERAL_POSITIVE) return false;
  if (l->kind == LITERAL_NEGATIVE && m->from->is_open[l->relation]) return false;
  const uint32_t count = l->kind == LITERAL_DISTINCT ? 2 : arity_of(m, l->relation);
  for (uint32_t i = 0; i < count; i++)
    if (!arg_is_known(m, flat_args(m->f, l->args)[i], known)) return false;
  return true;
}

static uint32_t count_new(const demander *m, const flat_literal *l, bitset wanted, bitset covered,
                          bool among_wanted) {
  bitset mine = bitset_new(m->scratch, covered.size);
  add_literal_variables(m, l, &mine);
  uint32_t count = 0;
  for (uint32_t v = 0; v < covered.size; v++)
    count +=
        bitset_has(mine, v) && !bitset_has(covered, v) && bitset_has(wanted, v) == among_wanted;
  return count;
}

/* The supporting literal that binds the most wanted variables, and the fewest others. */
static uint32_t best_support(const demander *m, const flat_clause *c, uint32_t use, bitset wanted,
                             bitset covered) {
  uint32_t best = ID_NONE;
  int32_t most = 0;
  for (uint32_t i = 0; i < c->body_count; i++) {
    if (!supports(m, c, i, use)) continue;
    const flat_literal *l = literal_of(m, c, i);
    const uint32_t gained = count_new(m, l, wanted, covered, true);
    if (gained == 0) continue;
    const int32_t score =
        1000 + (int32_t)gained * 4 - (int32_t)count_new(m, l, wanted, covered, false);
    if (best != ID_NONE && score <= most) continue;
    best = i;
    most = score;
  }
  return best;
}

static bitset wanted_variables(const demander *m, const flat_clause *c, const flat_literal *l) {
  bitset wanted = bitset_new(m->scratch, c->variable_count);
  for (uint32_t i = 0; i < arity_of(m, l->relation); i++)
    if (bitset_has(m->bound[l->relation], i))
      add_arg_variables(m, flat_args(m->f, l->args)[i], &wanted);
  return wanted;
}

/* As few literals as bind all wanted variables, and those that then bind nothing more: a demand
   that asks for too much is cheaper than one that is hard to find. */
static flat_literal_vec support_of(const demander *m, const flat_clause *c, uint32_t use,
                                   bitset covered) {
  flat_literal_vec body = {0};
  const bitset wanted = wanted_variables(m, c, literal_of(m, c, use));
  const bitset taken = bitset_new(m->scratch, c->body_count);
  for (uint32_t i; (i = best_support(m, c, use, wanted, covered)) != ID_NONE;) {
    bitset_add(taken, i);
    add_literal_variables(m, literal_of(m, c, i), &covered);
    vec_push(m->scratch, &body, *literal_of(m, c, i));
  }
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = literal_of(m, c, i);
    if (i == use || bitset_has(taken, i)) continue;
    const bool adds_nothing = supports(m, c, i, use) &&
                              count_new(m, l, wanted, covered, true) == 0 &&
                              count_new(m, l, wanted, covered, false) == 0;
    if (adds_nothing || is_check_on(m, l, covered)) vec_push(m->scratch, &body, *l);
  }
  return body;
}

/* wanted(bound arguments) <= what binds them */
static void write_demand(const demander *m, rewriter *w, const flat_id *wanted, flat_clause_id id,
                         uint32_t use) {
  const flat_clause *c = &m->f->clauses.items[id];
  bitset covered = bitset_new(m->scratch, c->variable_count);
  const bool head_is_wanted = bitset_has(m->chosen, c->head);
  if (head_is_wanted)
    for (uint32_t i = 0; i < arity_of(m, c->head); i++)
      if (bitset_has(m->bound[c->head], i))
        add_arg_variables(m, flat_args(m->f, c->head_args)[i], &covered);
  flat_literal_vec body = support_of(m, c, use, covered);
  if (head_is_wanted)
    vec_push(m->scratch, &body, wanted_literal(m, w, wanted, c->head, c->head_args));
  const flat_literal *l = literal_of(m, c, use);
  rewriter_add_clause(w, wanted_literal(m, w, wanted, l->relation, l->args), body.items, body.count,
                      c->variable_count, w->came_from.items[id]);
}

static void guard_clause(const demander *m, rewriter *w, const flat_id *wanted, flat_clause_id id) {
  flat_program *f = &w->result->program;
  const flat_clause *c = &m->f->clauses.items[id];
  const flat_literal guard = wanted_literal(m, w, wanted, c->head, c->head_args);
  const uint32_t start = f->literals.count;
  vec_push(w->keep, &f->literals, guard);
  vec_append(w->keep, &f->literals, vec_from(&m->f->literals, c->body), c->body_count);
  f->clauses.items[id].body = start;
  f->clauses.items[id].body_count = c->body_count + 1;
  w->is_guarded.items[id] = true;
}

static flat_id *add_wanted_relations(const demander *m, rewriter *w) {
  flat_id *wanted = arena_new_array(m->scratch, flat_id, m->f->relations.count);
  for (flat_id r = 0; r < m->f->relations.count; r++)
    wanted[r] = bitset_has(m->chosen, r)
                    ? rewriter_add_relation(w, ORIGIN_DEMAND, bitset_count(m->bound[r]), false)
                    : ID_NONE;
  return wanted;
}

/* Returns, by flat relation, the relation of its wanted arguments; or ID_NONE. */
static const flat_id *restrict_chosen(const demander *m, rewriting *result, arena *keep) {
  rewriter w;
  rewriter_copy(&w, result, m->from, keep);
  const flat_id *wanted = add_wanted_relations(m, &w);
  for (flat_clause_id c = 0; c < m->f->clauses.count; c++) {
    const flat_clause *it = &m->f->clauses.items[c];
    for (uint32_t i = 0; i < it->body_count; i++)
      if (is_use(m, literal_of(m, it, i))) write_demand(m, &w, wanted, c, i);
    if (bitset_has(m->chosen, it->head)) guard_clause(m, &w, wanted, c);
  }
  rewriter_finish(&w);
  return wanted;
}

void rewriting_demand(rewriting *result, const rewriting *from, const bool *chosen, arena *keep) {
  arena *scratch = arena_new();
  const demander m = demander_new(from, chosen, scratch);
  restrict_chosen(&m, result, keep);
  arena_free(scratch);
}

/* ---- whether it would pay ---- */

enum {
  SAMPLED_FACTS = 1000,
  TRIAL_LOOK_AFTER = 16, /* rows: most of what is tried is small */
};

static bool give_up(void *context, engine *e, flat_clause_id c) {
  (void)context, (void)e, (void)c;
  return true;
}

/* By relation of the restricted rules: whether `sought` depends on it and it is restricted, or new;
   what is neither has the facts that it has. */
static bool *relations_to_try(const demander *m, const flat_program *restricted, flat_id sought) {
  bool *tried = arena_zero_array(m->scratch, bool, restricted->relations.count);
  tried[sought] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (flat_clause_id c = 0; c < restricted->clauses.count; c++) {
      const flat_clause *it = &restricted->clauses.items[c];
      for (uint32_t i = 0; i < it->body_count && tried[it->head]; i++) {
        const flat_literal *l = &restricted->literals.items[it->body + i];
        if (l->kind == LITERAL_DISTINCT || tried[l->relation]) continue;
        const bool is_new = l->relation >= m->f->relations.count;
        tried[l->relation] = is_new || bitset_has(m->chosen, l->relation);
        changed |= tried[l->relation];
      }
    }
  }
  return tried;
}

/* Evaluates what is sought on the facts so far, as long as that looks at few rows.  False: it does
   not, or a limit was reached. */
static bool try_restricted(engine *trial, const demander *m, const rewriting *restricted,
                           const engine *so_far, flat_id sought, uint64_t patience,
                           budget *limits) {
  engine_init(trial, &restricted->program, restricted->is_open, m->scratch);
  const bool *tried = relations_to_try(m, &restricted->program, sought);
  for (flat_id r = 0; r < restricted->program.relations.count; r++) {
    if (tried[r]) continue;
    const bool is_new = r >= m->f->relations.count;
    const table facts = is_new ? trial->tables[r] : table_view(&so_far->tables[r], m->scratch);
    engine_set_complete(trial, r, &facts);
  }
  trial->look_after = TRIAL_LOOK_AFTER;
  engine_set_doubt(trial, give_up, NULL, patience);
  diag_sink unheard;
  diag_sink_init(&unheard, m->scratch);
  return engine_run(trial, limits, &unheard);
}

/* The share of the rows, by a sample, whose bound columns are among the wanted ones. */
static double wanted_share(const table *rows, bitset bound, const table *wanted, arena *scratch) {
  term_id *key = arena_new_array(scratch, term_id, wanted->arity);
  rng r = rng_new(rows->count, 0);
  uint32_t asked = 0;
  for (uint32_t sampled = 0; sampled < SAMPLED_FACTS; sampled++) {
    const term_id *row = table_row(rows, rng_below(&r, rows->count));
    uint32_t keys = 0;
    for (uint32_t i = 0; i < rows->arity; i++)
      if (bitset_has(bound, i)) key[keys++] = row[i];
    asked += table_find(wanted, key) != ID_NONE;
  }
  return (double)asked / SAMPLED_FACTS;
}

double demand_share(const rewriting *w, const engine *so_far, flat_id r, const bool *chosen,
                    budget *limits) {
  arena *scratch = arena_new();
  budget_watch(limits, scratch);
  const demander m = demander_new(w, chosen, scratch);
  rewriting restricted;
  const flat_id *wanted = restrict_chosen(&m, &restricted, scratch);
  const table *rows = &so_far->tables[r];
  engine trial;
  double share = 0;
  if (wanted[r] == ID_NONE)
    share = 1;
  else if (try_restricted(&trial, &m, &restricted, so_far, wanted[r], rows->count, limits))
    share = wanted_share(rows, m.bound[r], &trial.tables[wanted[r]], scratch);
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return share;
}

/* ---- when evaluation has ended ---- */

static void mark_read(const flat_program *f, const flat_clause *c, bool *is_read) {
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &f->literals.items[c->body + i];
    if (l->kind != LITERAL_DISTINCT) is_read[l->relation] = true;
  }
}

void rewriting_drop_demand(rewriting *w, table *tables) {
  flat_program *f = &w->program;
  arena *scratch = arena_new();
  bool *is_read = arena_zero_array(scratch, bool, f->relations.count);
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    flat_clause *it = &f->clauses.items[c];
    if (w->is_guarded[c]) {
      it->body++;
      it->body_count--;
      w->is_guarded[c] = false;
    }
    if (w->origin[it->head] != ORIGIN_DEMAND) mark_read(f, it, is_read);
  }
  for (flat_id r = 0; r < f->relations.count; r++)
    if (w->origin[r] == ORIGIN_DEMAND && !is_read[r]) table_close(&tables[r], false);
  arena_free(scratch);
}
