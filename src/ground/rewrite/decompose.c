/* Decomposition by variable elimination: see rewrite.h.

   For a variable v that the head does not hold, the literals with v are the group.  The group
   becomes the body of an auxiliary relation over those of its variables that are needed outside.
   A `distinct` or negation with v goes along; a variable that only such a check brings in from
   outside is given its possible values by a domain relation:

     next(cell(x, y)) <= true(cell(x, y)), does(r, mark(m, n)), distinct(x, m)
   becomes, with m, n and r eliminated,
     next(cell(x, y)) <= true(cell(x, y)), aux(x)
     aux(x) <= domain(x), does(r, mark(m, n)), distinct(x, m) */
#include "ground/rewrite/rewrite.h"

#include "base/bitset.h"
#include "ground/rewrite/rewriter.h"

#include <float.h>
#include <string.h>

/* Below this many expected solutions a clause is left alone, if the tables are complete. */
static const double small_enough = 64;

/* A decomposition must cut the expected solutions at least to this share. */
static const double worthwhile = 0.6;

/* A clause that was seen to be costly is decomposed when the parts are expected to cost a small
   share of that; what is expected while tables still grow is too little. */
static const double costly_share = 0.25;

/* A body literal with what is known about its rows. */
typedef struct part {
  flat_literal literal;
  bitset variables;
  double rows;      /* positive literals: how many fit */
  double *distinct; /* by variable: how many values it has here; 0 where it does not occur */
} part;

typedef VEC(part) part_vec;

typedef struct decomposer {
  const flat_program *f;
  rewriter *w; /* NULL while only the gain is asked for */
  table *tables;
  bool is_complete;    /* the tables do not grow any more */
  uint64_t known_cost; /* of evaluation so far; where they are complete: the instances, or 0 */
  arena *scratch;
  budget *limits; /* when they are reached no more is eliminated */
  uint32_t variable_count;
  bitset head;
  part_vec body;
} decomposer;

/* The result of eliminating one variable. */
typedef struct elimination {
  bitset members; /* parts that go into the group */
  bitset outside; /* variables that need a domain */
  bitset kept;    /* variables of the auxiliary relation */
  double group;   /* expected solutions of the group */
  double rest;    /* and of what remains */
  double rows;    /* of the auxiliary relation */
} elimination;

/* ---- what is known about a literal ---- */

typedef struct variable_note {
  part *p;
  double distinct;
} variable_note;

static void note_variable(void *context, uint32_t number) {
  const variable_note *n = context;
  bitset_add(n->p->variables, number);
  if (n->p->distinct[number] == 0 || n->p->distinct[number] > n->distinct)
    n->p->distinct[number] = n->distinct;
}

static uint32_t literal_arity(const flat_program *f, const flat_literal *l) {
  return l->kind == LITERAL_DISTINCT ? 2 : f->relations.items[l->relation].arity;
}

static part part_of(const decomposer *c, const flat_literal *l) {
  const flat_program *f = c->f;
  part p = {.literal = *l,
            .variables = bitset_new(c->scratch, c->variable_count),
            .rows = 1,
            .distinct = arena_zero_array(c->scratch, double, c->variable_count)};
  table *t = l->kind == LITERAL_POSITIVE ? &c->tables[l->relation] : NULL;
  if (t) p.rows = t->count ? t->count : 1;
  for (uint32_t i = 0; i < literal_arity(f, l); i++) {
    const term_id arg = flat_args(f, l->args)[i];
    const double distinct = t && t->count ? t->count / table_rows_per_key(t, &i, 1) : 1;
    if (term_is_ground(f->terms, arg)) p.rows /= distinct;
    variable_note n = {&p, distinct};
    term_each_variable(f->terms, arg, note_variable, &n);
  }
  if (p.rows < 1) p.rows = 1;
  return p;
}

static void read_body(decomposer *c, const flat_clause *it) {
  c->body.count = 0;
  for (uint32_t i = 0; i < it->body_count; i++)
    vec_push(c->scratch, &c->body, part_of(c, &c->f->literals.items[it->body + i]));
}

static bool is_positive(const part *p) { return p->literal.kind == LITERAL_POSITIVE; }

/* ---- estimates ---- */

/* Every further occurrence of a variable divides the rows by the number of its values there; the
   occurrence with the fewest values divides by nothing. */
static double join_selectivity(const decomposer *c, uint32_t variable, bitset members, bool inside,
                               double extra_distinct) {
  double product = extra_distinct > 0 ? extra_distinct : 1;
  double least = extra_distinct > 0 ? extra_distinct : DBL_MAX;
  for (uint32_t i = 0; i < c->body.count; i++) {
    const part *p = &c->body.items[i];
    if (p->distinct[variable] == 0 || !is_positive(p) || bitset_has(members, i) != inside) continue;
    product *= p->distinct[variable];
    if (p->distinct[variable] < least) least = p->distinct[variable];
  }
  return least == DBL_MAX ? 1 : product / least;
}

static double distinct_of(const decomposer *c, uint32_t variable, bitset members, bool inside) {
  double least = DBL_MAX;
  for (uint32_t i = 0; i < c->body.count; i++) {
    const part *p = &c->body.items[i];
    if (p->distinct[variable] == 0 || !is_positive(p) || bitset_has(members, i) != inside) continue;
    if (p->distinct[variable] < least) least = p->distinct[variable];
  }
  return least;
}

/* Expected solutions of the literals inside the group, or of those outside with the auxiliary
   relation among them (`aux_rows` > 0). */
static double join_rows(const decomposer *c, const elimination *e, bool inside, double aux_rows) {
  double rows = inside ? 1 : aux_rows;
  for (uint32_t i = 0; i < c->body.count; i++)
    if (is_positive(&c->body.items[i]) && bitset_has(e->members, i) == inside)
      rows *= c->body.items[i].rows;
  for (uint32_t v = 0; v < c->variable_count; v++) {
    double extra = 0;
    if (inside && bitset_has(e->outside, v)) {
      rows *= distinct_of(c, v, e->members, false);
    } else if (!inside && bitset_has(e->kept, v)) {
      extra = bitset_has(e->outside, v) ? distinct_of(c, v, e->members, false)
                                        : distinct_of(c, v, e->members, true);
    }
    rows /= join_selectivity(c, v, e->members, inside, extra);
  }
  return rows < 1 ? 1 : rows;
}

static double whole_rows(const decomposer *c) {
  const elimination none = {.members = bitset_new(c->scratch, c->body.count),
                            .outside = bitset_new(c->scratch, c->variable_count),
                            .kept = bitset_new(c->scratch, c->variable_count)};
  return join_rows(c, &none, false, 1);
}

/* What the clause costs as it is, where so many solutions are expected. */
static double present_cost(const decomposer *c, double expected) {
  return c->is_complete && expected < (double)c->known_cost ? (double)c->known_cost : expected;
}

static double auxiliary_rows(const decomposer *c, const elimination *e, double group_rows) {
  double combinations = 1;
  for (uint32_t v = 0; v < c->variable_count; v++)
    if (bitset_has(e->kept, v))
      combinations *= distinct_of(c, v, e->members, !bitset_has(e->outside, v));
  return combinations < group_rows ? combinations : group_rows;
}

/* ---- one elimination ---- */

static void add_all(bitset to, bitset from) {
  for (uint32_t i = 0; i < bitset_words(to); i++) to.words[i] |= from.words[i];
}

static bool shares_any(bitset a, bitset b) {
  for (uint32_t i = 0; i < bitset_words(a); i++)
    if (a.words[i] & b.words[i]) return true;
  return false;
}

static bool contains_all(bitset of, bitset what) {
  for (uint32_t i = 0; i < bitset_words(of); i++)
    if (what.words[i] & ~of.words[i]) return false;
  return true;
}

static bitset variables_of(const decomposer *c, bitset members, bool inside, bool positives_only) {
  const bitset all = bitset_new(c->scratch, c->variable_count);
  for (uint32_t i = 0; i < c->body.count; i++) {
    const part *p = &c->body.items[i];
    if (bitset_has(members, i) != inside || (positives_only && !is_positive(p))) continue;
    add_all(all, p->variables);
  }
  return all;
}

/* Positive literals with v, then the checks that speak of nothing but the group, and those with a
   variable that would be lost otherwise. */
static void gather_members(const decomposer *c, uint32_t v, elimination *e) {
  for (uint32_t i = 0; i < c->body.count; i++)
    if (is_positive(&c->body.items[i]) && bitset_has(c->body.items[i].variables, v))
      bitset_add(e->members, i);
  const bitset inner = variables_of(c, e->members, true, true);
  const bitset lost = bitset_new(c->scratch, c->variable_count);
  const bitset outer = variables_of(c, e->members, false, true);
  for (uint32_t i = 0; i < bitset_words(lost); i++)
    lost.words[i] = inner.words[i] & ~outer.words[i] & ~c->head.words[i];
  for (uint32_t i = 0; i < c->body.count; i++) {
    const part *p = &c->body.items[i];
    if (is_positive(p)) continue;
    if (contains_all(inner, p->variables) || shares_any(p->variables, lost))
      bitset_add(e->members, i);
  }
}

static bool has_positive_outside(const decomposer *c, const elimination *e) {
  for (uint32_t i = 0; i < c->body.count; i++)
    if (is_positive(&c->body.items[i]) && !bitset_has(e->members, i)) return true;
  return false;
}

static void find_interface(const decomposer *c, elimination *e) {
  const bitset inner = variables_of(c, e->members, true, true);
  const bitset with_checks = variables_of(c, e->members, true, false);
  const bitset outer = variables_of(c, e->members, false, false);
  for (uint32_t i = 0; i < bitset_words(e->kept); i++) {
    e->outside.words[i] = with_checks.words[i] & ~inner.words[i];
    e->kept.words[i] = with_checks.words[i] & (outer.words[i] | c->head.words[i]);
  }
}

/* False: this variable cannot be eliminated, or nothing would be gained. */
static bool try_variable(const decomposer *c, uint32_t v, elimination *e) {
  if (bitset_has(c->head, v)) return false;
  *e = (elimination){.members = bitset_new(c->scratch, c->body.count),
                     .outside = bitset_new(c->scratch, c->variable_count),
                     .kept = bitset_new(c->scratch, c->variable_count)};
  gather_members(c, v, e);
  if (bitset_is_empty(e->members) || !has_positive_outside(c, e)) return false;
  find_interface(c, e);
  if (!contains_all(variables_of(c, e->members, false, true), e->outside)) return false;
  e->group = join_rows(c, e, true, 0);
  e->rows = auxiliary_rows(c, e, e->group);
  e->rest = join_rows(c, e, false, e->rows);
  return true;
}

static uint32_t count_positives(const decomposer *c, bitset members) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->body.count; i++)
    count += is_positive(&c->body.items[i]) && bitset_has(members, i);
  return count;
}

/* One literal alone is worth projecting only if many of its rows fall together. */
static bool is_pointless(const decomposer *c, const elimination *e, double now) {
  if (e->rest > now || e->group > now) return true;
  return count_positives(c, e->members) == 1 && e->rows > e->group * worthwhile;
}

/* The elimination with the smallest group, where the clause costs so much now.  What remains may be
   no smaller at first: often only a chain of eliminations pays. */
static bool smallest_elimination(const decomposer *c, double now, elimination *best) {
  *best = (elimination){.group = DBL_MAX};
  for (uint32_t v = 0; v < c->variable_count; v++) {
    if (budget_check_now(c->limits)) return false;
    elimination e;
    if (!try_variable(c, v, &e) || is_pointless(c, &e, now)) continue;
    if (e.group < best->group) *best = e;
  }
  return best->group < DBL_MAX;
}

/* ---- carrying it out ---- */

static const part *narrowest_source(const decomposer *c, uint32_t v, bitset members) {
  const part *best = NULL;
  for (uint32_t i = 0; i < c->body.count; i++) {
    const part *p = &c->body.items[i];
    if (!is_positive(p) || bitset_has(members, i) || p->distinct[v] == 0) continue;
    if (!best || p->distinct[v] < best->distinct[v]) best = p;
  }
  return best;
}

static flat_literal atom_over(rewriter *w, flat_id r, bitset variables) {
  flat_program *f = &w->result->program;
  const flat_literal l = {LITERAL_POSITIVE, r, f->args.count};
  for (uint32_t v = 0; v < variables.size; v++)
    if (bitset_has(variables, v)) vec_push(w->keep, &f->args, term_variable(f->terms, v));
  return l;
}

/* domain(v) <= one literal that holds v */
static flat_literal domain_literal(decomposer *c, uint32_t v, bitset members, flat_clause_id from) {
  const bitset only = bitset_new(c->scratch, c->variable_count);
  bitset_add(only, v);
  const flat_id r = rewriter_add_relation(c->w, ORIGIN_DEMAND, 1, false);
  const flat_literal head = atom_over(c->w, r, only);
  rewriter_add_clause(c->w, head, &narrowest_source(c, v, members)->literal, 1, c->variable_count,
                      from);
  return atom_over(c->w, r, only);
}

static bool literal_is_open(const decomposer *c, const flat_literal *l) {
  return l->kind != LITERAL_DISTINCT && c->w->result->is_open[l->relation];
}

/* The group as the body of a new relation; returns the atom that replaces it. */
static flat_literal make_auxiliary(decomposer *c, const elimination *e, flat_clause_id from) {
  VEC(flat_literal) group = {0};
  bool is_open = false;
  for (uint32_t v = 0; v < c->variable_count; v++)
    if (bitset_has(e->outside, v))
      vec_push(c->scratch, &group, domain_literal(c, v, e->members, from));
  for (uint32_t i = 0; i < c->body.count; i++) {
    if (!bitset_has(e->members, i)) continue;
    is_open |= literal_is_open(c, &c->body.items[i].literal);
    vec_push(c->scratch, &group, c->body.items[i].literal);
  }
  const flat_id r = rewriter_add_relation(c->w, ORIGIN_AUXILIARY, bitset_count(e->kept), is_open);
  rewriter_add_clause(c->w, atom_over(c->w, r, e->kept), group.items, group.count,
                      c->variable_count, from);
  return atom_over(c->w, r, e->kept);
}

static part auxiliary_part(const decomposer *c, const elimination *e, flat_literal l) {
  part p = {.literal = l,
            .variables = bitset_new(c->scratch, c->variable_count),
            .rows = e->rows,
            .distinct = arena_zero_array(c->scratch, double, c->variable_count)};
  for (uint32_t v = 0; v < c->variable_count; v++) {
    if (!bitset_has(e->kept, v)) continue;
    bitset_add(p.variables, v);
    p.distinct[v] = distinct_of(c, v, e->members, !bitset_has(e->outside, v));
  }
  return p;
}

static void eliminate(decomposer *c, const elimination *e, flat_clause_id from) {
  const part p = auxiliary_part(c, e, make_auxiliary(c, e, from));
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->body.count; i++)
    if (!bitset_has(e->members, i)) c->body.items[kept++] = c->body.items[i];
  c->body.count = kept;
  vec_push(c->scratch, &c->body, p);
}

/* ---- clauses ---- */

static void note_head_variable(void *context, uint32_t number) {
  bitset_add(((decomposer *)context)->head, number);
}

/* Whether there is a variable that the head does not hold, and more than one literal to have it.
   Where not, there is nothing to eliminate, and the body need not be looked at. */
static bool can_lose_variable(const decomposer *c, const flat_clause *it) {
  uint32_t positives = 0;
  for (uint32_t i = 0; i < it->body_count; i++)
    positives += c->f->literals.items[it->body + i].kind == LITERAL_POSITIVE;
  return positives > 1 && bitset_count(c->head) < c->variable_count;
}

static decomposer decomposer_of(const flat_program *f, flat_clause_id id, table *tables,
                                arena *scratch) {
  const flat_clause *it = &f->clauses.items[id];
  decomposer c = {.f = f,
                  .tables = tables,
                  .scratch = scratch,
                  .variable_count = it->variable_count,
                  .head = bitset_new(scratch, it->variable_count)};
  for (uint32_t i = 0; i < f->relations.items[it->head].arity; i++)
    term_each_variable(f->terms, flat_args(f, it->head_args)[i], note_head_variable, &c);
  if (can_lose_variable(&c, it)) read_body(&c, it);
  return c;
}

static void replace_body(decomposer *c, flat_clause_id id) {
  flat_program *f = &c->w->result->program;
  const uint32_t start = f->literals.count;
  for (uint32_t i = 0; i < c->body.count; i++)
    vec_push(c->w->keep, &f->literals, c->body.items[i].literal);
  f->clauses.items[id].body = start;
  f->clauses.items[id].body_count = c->body.count;
}

/* ---- the best chain of eliminations ---- */

/* A moment to return to. */
typedef struct snapshot {
  rewriter_mark mark;
  part_vec body;
  double cost; /* expected solutions of all groups so far and of what remains */
} snapshot;

static snapshot take_snapshot(const decomposer *c, double cost) {
  snapshot s = {.mark = rewriter_save(c->w), .cost = cost};
  vec_append(c->scratch, &s.body, c->body.items, c->body.count);
  return s;
}

/* The highest cost that a decomposition may have. */
static double acceptable_cost(const decomposer *c, double expected, double now) {
  if (!c->is_complete) return (double)c->known_cost * costly_share;
  const bool is_surprising = expected < now; /* then the parts may surprise, too */
  return now < small_enough ? 0 : now * (is_surprising ? costly_share : worthwhile);
}

/* Eliminates variables while any can be, and goes back to the moment that cost least.  True: the
   body is another. */
static bool eliminate_chain(decomposer *c, flat_clause_id from) {
  if (c->body.count == 0) return false;
  double rest = whole_rows(c);
  const double cost = present_cost(c, rest);
  const double error = cost / rest; /* by which the body is taken for too small */
  const double acceptable = acceptable_cost(c, rest, cost);
  if (acceptable < 1) return false; /* the cost of any body is more */
  snapshot best = take_snapshot(c, rest);
  double groups = 0;
  bool changed = false;
  for (elimination e; smallest_elimination(c, rest * error, &e);) {
    groups += e.group;
    eliminate(c, &e, from);
    rest = whole_rows(c);
    const snapshot now = take_snapshot(c, groups + rest);
    if (now.cost > best.cost && changed) continue;
    if (now.cost > acceptable) continue;
    best = now;
    changed = true;
  }
  rewriter_restore(c->w, best.mark);
  c->body = best.body;
  return changed;
}

/* Whether the clause has so few solutions, however its literals join, that it is left alone. */
static bool is_small(const flat_program *f, const flat_clause *c, const table *tables) {
  double rows = 1;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &f->literals.items[c->body + i];
    if (l->kind == LITERAL_POSITIVE && tables[l->relation].count > 1)
      rows *= tables[l->relation].count;
  }
  return rows < small_enough;
}

static void decompose_clause(rewriter *w, flat_clause_id id, table *tables, uint64_t known_cost,
                             bool is_complete, arena *scratch, budget *limits) {
  const arena_mark mark = arena_save(scratch);
  decomposer c = decomposer_of(&w->result->program, id, tables, scratch);
  c.w = w;
  c.limits = limits;
  c.known_cost = known_cost;
  c.is_complete = is_complete;
  if (eliminate_chain(&c, w->came_from.items[id])) replace_body(&c, id);
  arena_restore(scratch, mark);
}

/* Decomposes a copy to see. */
bool decomposition_helps(const rewriting *w, table *tables, flat_clause_id id, uint64_t known_cost,
                         budget *limits) {
  arena *scratch = arena_new();
  budget_watch(limits, scratch);
  rewriting copy;
  rewriter r;
  rewriter_copy(&r, &copy, w, scratch);
  decomposer c = decomposer_of(&copy.program, id, tables, scratch);
  c.w = &r;
  c.limits = limits;
  c.known_cost = known_cost;
  c.is_complete = known_cost == 0;
  const bool helps = eliminate_chain(&c, id);
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return helps;
}

void rewriting_decompose(rewriting *result, const rewriting *from, const uint64_t *known_cost,
                         table *tables, arena *keep, budget *limits) {
  rewriter w;
  arena *scratch = arena_new();
  budget_watch(limits, scratch);
  rewriter_copy(&w, result, from, keep);
  for (flat_clause_id c = 0; c < from->program.clauses.count; c++)
    if (known_cost[c]) decompose_clause(&w, c, tables, known_cost[c], false, scratch, limits);
  rewriter_finish(&w);
  budget_unwatch(limits, scratch);
  arena_free(scratch);
}

void rewriting_decompose_all(rewriting *result, const rewriting *from, const uint64_t *instances,
                             table *tables, arena *keep, budget *limits) {
  rewriter w;
  arena *scratch = arena_new();
  budget_watch(limits, scratch);
  rewriter_copy(&w, result, from, keep);
  for (flat_clause_id c = 0; c < from->program.clauses.count; c++) {
    const flat_clause *it = &from->program.clauses.items[c];
    if ((double)instances[c] < small_enough && is_small(&from->program, it, tables)) continue;
    decompose_clause(&w, c, tables, instances[c], true, scratch, limits);
  }
  rewriter_finish(&w);
  budget_unwatch(limits, scratch);
  arena_free(scratch);
}
