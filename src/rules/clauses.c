/* From rules to clauses: disjunctive normal form, then equalities solved away.

   A negated `distinct` is an equality.  Its most general unifier is applied to the clause; where
   there is none the clause can never fire and is left out.  A `distinct` whose terms have no
   common instance is always true and is left out. */
#include "rules/program.h"

#include <assert.h>
#include <string.h>

/* A formula that must hold, or must not. */
typedef struct obligation {
  uint32_t formula;
  bool negated;
} obligation;

typedef VEC(obligation) obligation_vec;
typedef VEC(literal) literal_vec;

typedef struct expansion {
  program *p;
  rule_id rule;
  arena *scratch;
  diag_sink *d;
  literal_vec literals; /* of the alternative under way */
  id_vec equalities;    /* distinct(a, b) atoms that must not hold */
  uint32_t steps_left;  /* for solving them, over all alternatives */
  bool is_too_large;    /* has been reported */
} expansion;

static bool is_leaf(const formula *f) {
  return f->kind == FORMULA_ATOM || f->kind == FORMULA_DISTINCT;
}

static bool is_branch(const formula *f, bool negated) {
  return f->kind == (negated ? FORMULA_AND : FORMULA_OR);
}

static uint64_t capped(uint64_t n) { return n > RULE_CLAUSES_MAX ? RULE_CLAUSES_MAX + 1 : n; }

/* How many alternatives a formula has. */
static uint64_t alternatives(const program *p, uint32_t at, bool negated) {
  const formula *f = &p->formulas.items[at];
  if (is_leaf(f)) return 1;
  if (f->kind == FORMULA_NOT) return alternatives(p, at + 1, !negated);
  const bool adds = is_branch(f, negated);
  uint64_t total = adds ? 0 : 1;
  for (uint32_t i = at + 1; i < f->after; i = p->formulas.items[i].after) {
    const uint64_t of_operand = alternatives(p, i, negated);
    total = capped(adds ? total + of_operand : total * of_operand);
  }
  return total;
}

static uint64_t rule_alternatives(const program *p, const rule *r) {
  uint64_t total = 1;
  for (uint32_t f = r->body; f < r->body_end; f = p->formulas.items[f].after)
    total = capped(total * alternatives(p, f, false));
  return total;
}

static bool report_too_wide(const expansion *e, const char *who, const char *what, uint32_t most) {
  diag *g = diag_add(e->d, DIAG_E112, program_span(e->p, e->p->rules.items[e->rule].node),
                     "the `or`s of %s multiply to more than %u %s", who, most, what);
  diag_hint(e->d, g, "give some of the disjunctions a relation of their own");
  return true;
}

/* What comes of one rule, and of all of them together, has bounds: a rulesheet cannot become very
   many times larger than it is.  By a few alternatives of each rule it does not, however long it
   is. */
static bool rule_is_too_wide(const expansion *e, uint32_t *literals_left) {
  const rule *r = &e->p->rules.items[e->rule];
  const uint64_t total = rule_alternatives(e->p, r);
  const uint64_t literals = total * (r->body_end - r->body); /* at the most */
  if (total <= FEW_CLAUSES) return false;
  if (total > RULE_CLAUSES_MAX)
    return report_too_wide(e, "this rule", "alternatives", RULE_CLAUSES_MAX);
  if (literals > *literals_left)
    return report_too_wide(e, "this rule and those before", "conditions", EXPANDED_LITERALS_MAX);
  *literals_left -= (uint32_t)literals;
  return false;
}

/* ---- one finished alternative ---- */

static term_id *free_bindings(const expansion *e) {
  const uint32_t count = e->p->rules.items[e->rule].variable_count;
  term_id *bindings = arena_new_array(e->scratch, term_id, count);
  memset(bindings, 0xff, count * sizeof *bindings);
  return bindings;
}

static bool report_too_large(expansion *e) {
  if (e->is_too_large) return false;
  e->is_too_large = true;
  diag *g = diag_add(e->d, DIAG_E112, program_span(e->p, e->p->rules.items[e->rule].node),
                     "the equalities of this rule stand for terms that are too large");
  diag_hint(e->d, g, "an equality is a `not` around `distinct`");
  return false;
}

static bool solve_equalities(expansion *e, term_id *bindings) {
  term_table *t = e->p->terms;
  for (uint32_t i = 0; i < e->equalities.count; i++) {
    const term_id pair = e->equalities.items[i];
    if (term_unify_within(t, term_arg(t, pair, 0), term_arg(t, pair, 1), bindings, &e->steps_left))
      continue;
    return e->steps_left ? false : report_too_large(e);
  }
  return true;
}

/* The literals of a clause, each once.  Few are compared one by one, many through a table. */
typedef struct literal_set {
  literal_vec all;
  id_table index; /* empty while there are few */
} literal_set;

enum { FEW_LITERALS = 24 };

static uint64_t hash_of_literal(const void *context, uint32_t id) {
  const literal *l = &((const literal_set *)context)->all.items[id];
  return hash_ids((const uint32_t[]){(uint32_t)l->kind, l->atom}, 2);
}

static bool is_same_literal(const literal *a, const literal *b) {
  return a->kind == b->kind && a->atom == b->atom;
}

/* Puts the literal `id` into the index.  False: an equal one is there. */
static bool index_literal(expansion *e, literal_set *s, uint32_t id) {
  id_table_reserve(&s->index, e->scratch, hash_of_literal, s);
  uint32_t at = id_table_first(&s->index, hash_of_literal(s, id));
  for (; s->index.slots[at] != ID_NONE; at = id_table_next(&s->index, at))
    if (is_same_literal(&s->all.items[s->index.slots[at]], &s->all.items[id])) return false;
  id_table_put(&s->index, at, id);
  return true;
}

static void add_literal(expansion *e, literal_set *s, literal l) {
  for (uint32_t i = 0; i < s->all.count && i < FEW_LITERALS; i++)
    if (is_same_literal(&s->all.items[i], &l)) return;
  vec_push(e->scratch, &s->all, l);
  if (s->all.count <= FEW_LITERALS) return;
  if (!index_literal(e, s, s->all.count - 1)) s->all.count--;
}

static bool can_be_equal(expansion *e, term_id distinct) {
  term_table *t = e->p->terms;
  const arena_mark mark = arena_save(e->scratch);
  uint32_t steps = TERM_STEPS_MAX;
  const bool are_unified = term_unify_within(t, term_arg(t, distinct, 0), term_arg(t, distinct, 1),
                                             free_bindings(e), &steps);
  arena_restore(e->scratch, mark);
  return are_unified || steps == 0;
}

/* A term of the rule under the bindings: without equalities they bind nothing.  Reports what is too
   large. */
static bool resolve(expansion *e, term_id *id, const term_id *bindings) {
  if (!e->equalities.count || term_resolve(e->p->terms, *id, bindings, id)) return true;
  return report_too_large(e);
}

/* Adds the literals under the bindings.  False: one of them can never hold. */
static bool instantiate_body(expansion *e, const term_id *bindings, literal_set *body) {
  term_table *t = e->p->terms;
  for (uint32_t i = 0; i < e->literals.count; i++) {
    literal l = e->literals.items[i];
    if (!resolve(e, &l.atom, bindings)) return false;
    if (l.kind == LITERAL_DISTINCT) {
      if (term_arg(t, l.atom, 0) == term_arg(t, l.atom, 1)) return false;
      if (!can_be_equal(e, l.atom)) continue;
    }
    add_literal(e, body, l);
  }
  return true;
}

static void finish_alternative(expansion *e) {
  const rule *r = &e->p->rules.items[e->rule];
  term_id *bindings = free_bindings(e);
  if (!solve_equalities(e, bindings)) return;
  literal_set body = {0};
  if (!instantiate_body(e, bindings, &body)) return;
  term_id head = r->head;
  if (!resolve(e, &head, bindings)) return;
  program_add_clause(e->p, head, e->rule, body.all.items, body.all.count, r->variable_count);
}

/* ---- the expansion ---- */

static void expand(expansion *e, obligation_vec pending);

/* Adds the formulas from `first` to `end`.  The last one added is taken first, so they are
   turned round to keep the order of the text. */
static void push_formulas(expansion *e, obligation_vec *pending, uint32_t first, uint32_t end,
                          bool negated) {
  const uint32_t start = pending->count;
  for (uint32_t i = first; i < end; i = e->p->formulas.items[i].after) {
    const obligation o = {i, negated};
    vec_push(e->scratch, pending, o);
  }
  for (uint32_t low = start, high = pending->count; low + 1 < high; low++) {
    const obligation swap = pending->items[low];
    pending->items[low] = pending->items[--high];
    pending->items[high] = swap;
  }
}

static void push_operands(expansion *e, obligation_vec *pending, uint32_t at, bool negated) {
  push_formulas(e, pending, at + 1, e->p->formulas.items[at].after, negated);
}

static void add_leaf(expansion *e, const formula *f, bool negated) {
  if (f->kind == FORMULA_DISTINCT && negated) {
    vec_push(e->scratch, &e->equalities, f->atom);
    return;
  }
  const literal l = {.kind = f->kind == FORMULA_DISTINCT ? LITERAL_DISTINCT
                             : negated                   ? LITERAL_NEGATIVE
                                                         : LITERAL_POSITIVE,
                     .atom = f->atom,
                     .node = f->node};
  vec_push(e->scratch, &e->literals, l);
}

/* Goes on with each operand of a disjunction in turn. */
static void branch(expansion *e, const obligation_vec *pending, uint32_t at, bool negated) {
  const uint32_t literals = e->literals.count;
  const uint32_t equalities = e->equalities.count;
  const uint32_t end = e->p->formulas.items[at].after;
  for (uint32_t i = at + 1; i < end; i = e->p->formulas.items[i].after) {
    obligation_vec copy = {0};
    vec_append(e->scratch, &copy, pending->items, pending->count);
    const obligation o = {i, negated};
    vec_push(e->scratch, &copy, o);
    expand(e, copy);
    e->literals.count = literals;
    e->equalities.count = equalities;
  }
}

static void expand(expansion *e, obligation_vec pending) {
  while (pending.count) {
    const obligation o = vec_pop(&pending);
    const formula f = e->p->formulas.items[o.formula];
    const bool has_one_operand =
        !is_leaf(&f) && e->p->formulas.items[o.formula + 1].after == f.after;
    if (is_leaf(&f)) {
      add_leaf(e, &f, o.negated);
    } else if (f.kind == FORMULA_NOT) {
      push_operands(e, &pending, o.formula, !o.negated);
    } else if (is_branch(&f, o.negated) && !has_one_operand) {
      branch(e, &pending, o.formula, o.negated);
      return;
    } else {
      push_operands(e, &pending, o.formula, o.negated);
    }
  }
  finish_alternative(e);
}

bool rule_to_clauses(program *p, rule_id r, uint32_t *literals_left, arena *scratch, diag_sink *d) {
  const rule it = p->rules.items[r];
  if (it.body == it.body_end) {
    program_add_clause(p, it.head, r, NULL, 0, it.variable_count);
    return true;
  }
  const arena_mark mark = arena_save(scratch);
  expansion e = {.p = p, .rule = r, .scratch = scratch, .d = d, .steps_left = TERM_STEPS_MAX};
  const bool ok = !rule_is_too_wide(&e, literals_left);
  if (ok) {
    obligation_vec pending = {0};
    push_formulas(&e, &pending, it.body, it.body_end, false);
    expand(&e, pending);
  }
  arena_restore(scratch, mark);
  return ok;
}
