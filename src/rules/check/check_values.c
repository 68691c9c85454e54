/* Rules that never fire because of values: a constant stands where it never can, or a variable is
   asked to be two things that have no value in common.

   Where one rule never fires, rules that read what it would give may never fire either.  A rule is
   told when no other idle rule could give what it lacks, or when idle rules wait for each other. */
#include "base/graph.h"
#include "rules/check/check_always.h"
#include "rules/check/value_words.h"

typedef struct telling {
  checker *c;
  idle_clauses idle;
  bool *is_told; /* by node; NULL without a text */
} telling;

/* ---- words ---- */

static rule_id rule_of(const telling *k, const lack *it) {
  return clause_at(k->c, it->clause)->rule;
}

static void report_value(telling *k, const lack *it) {
  checker *c = k->c;
  const node_id n = node_of_misfit(c, it->literal->node, &it->misfit);
  const char *value = shown_term(c, it->misfit.term, rule_of(k, it));
  diag *g = diag_add(c->d, DIAG_W616, where(c, n), "this rule never fires: %s is never %s", value,
                     shown_slot(c, it->misfit.slot));
  const symbol_id nearest =
      nearest_value(c, it->misfit.slot, term_get(c->p->terms, it->misfit.term)->name);
  if (nearest != SYM_NONE) {
    diag_hint(c->d, g, "did you mean %s? It can be %s", shown_name(c, nearest),
              shown_values_at(c, it->misfit.slot));
    mend_name(c, g, n, nearest);
  } else
    diag_hint(c->d, g, "it can be %s", shown_values_at(c, it->misfit.slot));
}

static void report_join(telling *k, const lack *it) {
  checker *c = k->c;
  const symbol_id name = variable_name(c, rule_of(k, it), it->variable);
  const char *shown = shown_name(c, name);
  diag *g = diag_add(c->d, DIAG_W616, where(c, node_of_symbol(c, it->other->node, name)),
                     "this rule never fires: %s is %s and %s, which have no value in common", shown,
                     shown_slot(c, it->slot), shown_slot(c, it->other_slot));
  if (it->literal != it->other)
    diag_relate(c->d, g, where(c, node_of_symbol(c, it->literal->node, name)), "it is also here");
  diag_hint(c->d, g, "%s can be %s; %s can be %s", shown_slot(c, it->slot),
            shown_values_at(c, it->slot), shown_slot(c, it->other_slot),
            shown_values_at(c, it->other_slot));
}

static void report_distinct(telling *k, const lack *it) {
  checker *c = k->c;
  const symbol_id name = variable_name(c, rule_of(k, it), it->variable);
  diag *g = diag_add(c->d, DIAG_W616, where(c, it->literal->node),
                     "this rule never fires: %s leaves no value for %s",
                     shown_term(c, it->literal->atom, rule_of(k, it)), shown_name(c, name));
  if (it->other)
    diag_hint(c->d, g, "%s can be %s", shown_slot(c, it->slot), shown_values_at(c, it->slot));
}

/* What it asks for is given only by rules that wait for it. */
static void report_circle(telling *k, const lack *it) {
  checker *c = k->c;
  diag *g = diag_add(c->d, DIAG_W616, where(c, it->literal->node),
                     "this rule never fires: %s is derived only by rules that need it",
                     shown_term(c, it->literal->atom, rule_of(k, it)));
  diag_hint(c->d, g, "write a fact, or a rule that does not need it");
}

/* ---- which are told ---- */

static void set_told(telling *k, node_id n) {
  if (k->is_told && n < k->c->p->tree->nodes.count) k->is_told[n] = true;
}

static bool is_told(const telling *k, node_id n) {
  return k->is_told && n < k->c->p->tree->nodes.count && k->is_told[n];
}

static bool every_clause_is_idle(const telling *k, clause_id id) {
  const rule_id r = clause_at(k->c, id)->rule;
  clause_id i = id;
  while (i > 0 && clause_at(k->c, i - 1)->rule == r) i--;
  for (; i < k->c->p->clauses.count && clause_at(k->c, i)->rule == r; i++)
    if (clause_can_fire(k->c->values, i)) return false;
  return true;
}

/* Is there nothing at all that could give facts of the relation? */
static bool is_undefined(const checker *c, relation_id r) {
  relation_id of[2];
  const uint32_t count = relation_givers(r, of);
  for (uint32_t g = 0; g < count; g++)
    if (c->p->relations.items[of[g]].clause_count) return false;
  return true;
}

/* Another check tells of it: of what is never defined, of a rule that never fires whatever its
   values are, of somebody who is no role. */
static bool is_told_elsewhere(const telling *k, const lack *it) {
  const checker *c = k->c;
  if (c->is_idle[rule_of(k, it)]) return true;
  if (it->literal->kind == LITERAL_DISTINCT) return false;
  const relation_id r = atom_relation(c->p, it->literal->atom);
  return atom_is_of_nobody(c, it->literal->atom) || (r == SYM_TRUE && game_has_no_next(c)) ||
         (it->kind == LACKS_RELATION && is_undefined(c, r));
}

/* Alternatives of several `or`s may exclude each other on purpose. */
static bool is_worth_telling(const telling *k, const lack *it) {
  if (is_told_elsewhere(k, it) || is_told(k, it->literal->node)) return false;
  return it->kind == LACKS_VALUE || it->kind == LACKS_RELATION ||
         every_clause_is_idle(k, it->clause);
}

static void tell(telling *k, const lack *it, bool is_circle) {
  if (!is_worth_telling(k, it)) return;
  set_told(k, it->literal->node);
  if (it->kind == LACKS_COMMON)
    report_join(k, it);
  else if (it->kind == LACKS_OTHER)
    report_distinct(k, it);
  else if (is_circle || it->kind == LACKS_RELATION)
    report_circle(k, it);
  else
    report_value(k, it);
}

/* Edges lead from a clause to those that would give what it lacks. */
typedef struct wait_edges {
  id_vec from, to;
} wait_edges;

static void add_edges(telling *k, uint32_t from, const literal *l, wait_edges *e) {
  if (!l || l->kind != LITERAL_POSITIVE) return;
  idle_clauses_would_give(&k->idle, l->atom, &e->to);
  while (e->from.count < e->to.count) vec_push(k->c->scratch, &e->from, from);
}

static graph wait_graph(telling *k, wait_edges *e) {
  const uint32_t count = k->idle.all.count;
  for (uint32_t i = 0; i < count; i++) {
    add_edges(k, i, k->idle.all.items[i].literal, e);
    add_edges(k, i, k->idle.all.items[i].other, e);
  }
  return graph_new(k->c->scratch, count, e->from.items, e->to.items, e->from.count);
}

/* Reports the first clause of each component that waits for no other. */
static void tell_roots(telling *k) {
  arena *scratch = k->c->scratch;
  const uint32_t count = k->idle.all.count;
  wait_edges e = {0};
  const graph g = wait_graph(k, &e);
  uint32_t *part = arena_new_array(scratch, uint32_t, count);
  const uint32_t parts = graph_components(&g, part, scratch);
  bool *waits = arena_zero_array(scratch, bool, parts);
  bool *is_circle = arena_zero_array(scratch, bool, parts);
  for (uint32_t i = 0; i < e.from.count; i++) {
    const uint32_t from = part[e.from.items[i]];
    *(from == part[e.to.items[i]] ? &is_circle[from] : &waits[from]) = true;
  }
  bool *is_done = arena_zero_array(scratch, bool, parts);
  for (uint32_t i = 0; i < count; i++) {
    if (waits[part[i]] || is_done[part[i]]) continue;
    is_done[part[i]] = true;
    tell(k, &k->idle.all.items[i], is_circle[part[i]]);
  }
}

void check_values(checker *c) {
  const tree *t = c->p->tree;
  telling k = {.c = c, .idle = idle_clauses_find(c)};
  if (t) k.is_told = arena_zero_array(c->scratch, bool, t->nodes.count);
  if (k.idle.all.count) tell_roots(&k);
  check_always(c, &k.idle);
}
