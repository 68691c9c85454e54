/* The recursion restriction (Definition 1.3 of grounding-asp) and the bounded fragment
   (Definition 2). */
#include "rules/check/check_parts.h"
#include "rules/labelled.h"
#include "rules/term_growth.h"

#include <string.h>

typedef struct recursion {
  checker *c;
  const uint32_t *component; /* by relation */
  const bool *is_endless;    /* by relation; NULL: report nothing */
  bool *outside;             /* by variable: in a positive literal outside the cycle */
  bitset reported;           /* by node: clauses of one rule share their literals */
  bool holds;
} recursion;

static relation_id relation_of(const recursion *k, term_id atom) {
  return atom_relation(k->c->p, atom);
}

static bool is_in_cycle(const recursion *k, relation_id head, const literal *l) {
  return l->kind == LITERAL_POSITIVE && k->component[relation_of(k, l->atom)] == k->component[head];
}

static void mark_outside(void *context, uint32_t number) {
  ((recursion *)context)->outside[number] = true;
}

static void find_outside(recursion *k, const clause *it, relation_id head) {
  memset(k->outside, 0, it->variable_count * sizeof *k->outside);
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(k->c, it->body + i);
    if (l->kind == LITERAL_POSITIVE && !is_in_cycle(k, head, l))
      term_each_variable(k->c->p->terms, l->atom, mark_outside, k);
  }
}

typedef struct stray {
  const recursion *k;
  uint32_t number; /* of a variable that is only in the cycle; ID_NONE: none */
} stray;

static void note_stray(void *context, uint32_t number) {
  stray *s = context;
  if (!s->k->outside[number] && s->number == ID_NONE) s->number = number;
}

static bool is_head_argument(const recursion *k, const clause *it, term_id t) {
  const term_table *terms = k->c->p->terms;
  for (uint32_t i = 0; i < term_get(terms, it->head)->arg_count; i++)
    if (term_arg(terms, it->head, i) == t) return true;
  return false;
}

/* A variable that makes the argument break the restriction; ID_NONE when it keeps it.  A
   compound is fine when all its variables are. */
static uint32_t broken_by(const recursion *k, const clause *it, term_id argument) {
  if (is_head_argument(k, it, argument)) return ID_NONE;
  stray s = {k, ID_NONE};
  term_each_variable(k->c->p->terms, argument, note_stray, &s);
  return s.number;
}

static void report_argument(recursion *k, const clause *it, const literal *l, uint32_t i,
                            uint32_t variable, relation_id head) {
  checker *c = k->c;
  const bool is_endless = k->is_endless[head];
  const symbol_id name = variable_name(c, it->rule, variable);
  const node_id n = node_of_symbol(c, node_of_argument(c, l->node, i), name);
  if (n < k->reported.size && !bitset_insert(k->reported, n)) return;
  const char *shown = shown_term(c, l->atom, it->rule);
  diag *g =
      is_endless
          ? diag_add(c->d, DIAG_E503, where(c, n),
                     "%s occurs only in the recursive condition %s, and %s may grow without end",
                     shown_name(c, name), shown, shown_relation(c, head))
          : diag_add(c->d, DIAG_W505, where(c, n), "%s occurs only in the recursive condition %s",
                     shown_name(c, name), shown);
  diag_relate(c->d, g, where(c, c->p->rules.items[it->rule].head_node),
              "%s is neither an argument of this head nor in a condition outside the recursion",
              shown_name(c, name));
  diag_hint(c->d, g, "add a condition that says what %s can be, from facts that are not recursive",
            shown_name(c, name));
}

static void check_literal(recursion *k, const clause *it, const literal *l, relation_id head) {
  const term_table *t = k->c->p->terms;
  for (uint32_t i = 0; i < term_get(t, l->atom)->arg_count; i++) {
    const uint32_t variable = broken_by(k, it, term_arg(t, l->atom, i));
    if (variable == ID_NONE) continue;
    k->holds = false;
    if (k->is_endless) report_argument(k, it, l, i, variable, head);
  }
}

static void check_clause(recursion *k, const clause *it) {
  const relation_id head = relation_of(k, it->head);
  bool is_marked = false;
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(k->c, it->body + i);
    if (!is_in_cycle(k, head, l)) continue;
    if (!is_marked) find_outside(k, it, head);
    is_marked = true;
    check_literal(k, it, l, head);
  }
}

/* Definition 1.3 under the given cycles; reports when `is_endless` is given. */
static bool restriction_holds(checker *c, const uint32_t *component, const bool *is_endless,
                              bool *outside) {
  recursion k = {.c = c,
                 .component = component,
                 .is_endless = is_endless,
                 .outside = outside,
                 .reported = bitset_new(c->scratch, c->p->tree ? c->p->tree->nodes.count : 0),
                 .holds = true};
  for (clause_id i = 0; i < c->p->clauses.count; i++) check_clause(&k, clause_at(c, i));
  return k.holds;
}

/* The cycles of the program with true <- init, true <- next, does <- legal. */
static const uint32_t *components_across_states(const checker *c) {
  labelled_graph g = labelled_new(c->p->relations.count, c->scratch);
  for (uint32_t i = 0; i < c->a->edges.count; i++)
    labelled_add(&g, c->a->edges.items[i].head, c->a->edges.items[i].body, i);
  labelled_add(&g, SYM_TRUE, SYM_INIT, 0);
  labelled_add(&g, SYM_TRUE, SYM_NEXT, 0);
  labelled_add(&g, SYM_DOES, SYM_LEGAL, 0);
  labelled_finish(&g);
  return labelled_components(&g, c->scratch);
}

static void report_unbounded(checker *c, const term_growth *r) {
  if (r->clause == UINT32_MAX) return;
  const clause *it = clause_at(c, r->clause);
  const term_id argument = term_arg(c->p->terms, it->head, r->argument);
  diag *g = diag_add(
      c->d, DIAG_W504, where(c, node_of_argument(c, node_of_head(c, r->clause), r->argument)),
      "%s can grow from state to state without bound", shown_term(c, argument, it->rule));
  diag_hint(c->d, g,
            "take its parts from a finite list of facts, as a step counter does from successors");
}

void check_recursion(checker *c, check_result *r) {
  bool *outside = arena_zero_array(c->scratch, bool, c->most_variables);
  const term_growth within = term_growth_find(c->p, false, c->scratch);
  r->recursion_ok = restriction_holds(c, c->a->component, within.is_endless, outside);
  const term_growth across = term_growth_find(c->p, true, c->scratch);
  r->bounded = across.finite || restriction_holds(c, components_across_states(c), NULL, outside);
  if (!r->bounded && within.finite) report_unbounded(c, &across);
}
