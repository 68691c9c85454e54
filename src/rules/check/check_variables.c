/* Variables: each must be in a positive condition of its clause (the allowedness condition of
   Lloyd and Topor), and one that occurs once may be a slip. */
#include "base/spelling.h"
#include "rules/check/check_parts.h"

#include <ctype.h>
#include <string.h>

typedef struct variable_check {
  checker *c;
  bool *bound;      /* by variable: in a positive literal of the clause at hand */
  uint32_t *unsafe; /* by variable: the rule in which it was last reported */
  uint32_t *count;  /* by variable: occurrences in the rule at hand */
  node_id *place;   /* by variable: its first occurrence */
  bool allowed;
} variable_check;

/* ---- unsafe variables ---- */

static void mark_bound(void *context, uint32_t number) {
  variable_check *v = context;
  v->bound[number] = true;
}

static void bind_positive_literals(variable_check *v, const clause *it) {
  memset(v->bound, 0, it->variable_count * sizeof *v->bound);
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(v->c, it->body + i);
    if (l->kind == LITERAL_POSITIVE) term_each_variable(v->c->p->terms, l->atom, mark_bound, v);
  }
}

/* Where an unsafe variable was met. */
typedef struct unsafe_search {
  variable_check *v;
  const clause *clause;
  node_id node;
  diag_kind kind;
} unsafe_search;

/* Is the variable bound in another clause of the same rule, so that an `or` is to blame? */
static bool is_bound_elsewhere(variable_check *v, const clause *it, uint32_t number) {
  const program *p = v->c->p;
  const clause *first = it;
  while (first > p->clauses.items && first[-1].rule == it->rule) first--;
  for (; first < vec_from(&p->clauses, p->clauses.count) && first->rule == it->rule; first++) {
    bind_positive_literals(v, first);
    if (v->bound[number]) break;
  }
  const bool found = first < vec_from(&p->clauses, p->clauses.count) && first->rule == it->rule;
  bind_positive_literals(v, it);
  return found;
}

static const char *fault_words(diag_kind kind) {
  switch (kind) {
    case DIAG_E401: return "in the head is in no positive condition";
    case DIAG_E402: return "is only under `not`";
    default: return "is only in `distinct`";
  }
}

static void report_unsafe(unsafe_search *s, uint32_t number) {
  checker *c = s->v->c;
  const rule_id r = s->clause->rule;
  const symbol_id name = variable_name(c, r, number);
  const char *shown = shown_name(c, name);
  const bool in_or = is_bound_elsewhere(s->v, s->clause, number);
  diag *g = diag_add(c->d, s->kind, where(c, node_of_symbol(c, s->node, name)), "%s %s%s", shown,
                     fault_words(s->kind), in_or ? " of one alternative of `or`" : "");
  if (in_or && s->clause->body_count)
    diag_relate(c->d, g, where(c, literal_at(c, s->clause->body)->node),
                "when this alternative holds, %s is not bound", shown);
  diag_hint(c->d, g, "add a condition that says what %s can be, for example %s%s)", shown,
            shown_notation(c) == NOTATION_KIF ? "(role " : "role(", shown);
}

static void report_fact_variable(unsafe_search *s, uint32_t number) {
  checker *c = s->v->c;
  const symbol_id name = variable_name(c, s->clause->rule, number);
  diag *g = diag_add(c->d, DIAG_E404, where(c, node_of_symbol(c, s->node, name)),
                     "the variable %s stands in a fact", shown_name(c, name));
  diag_hint(c->d, g, "make it a rule with a condition that says what %s can be",
            shown_name(c, name));
}

static void visit_variable(void *context, uint32_t number) {
  unsafe_search *s = context;
  variable_check *v = s->v;
  if (v->bound[number] || v->unsafe[number] == s->clause->rule) return;
  v->unsafe[number] = s->clause->rule;
  v->allowed = false;
  const rule *r = &v->c->p->rules.items[s->clause->rule];
  if (r->body == r->body_end)
    report_fact_variable(s, number);
  else
    report_unsafe(s, number);
}

static void search_term(variable_check *v, const clause *it, term_id t, node_id n, diag_kind kind) {
  unsafe_search s = {v, it, n, kind};
  term_each_variable(v->c->p->terms, t, visit_variable, &s);
}

static void search_literals(variable_check *v, const clause *it, literal_kind kind,
                            diag_kind fault) {
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(v->c, it->body + i);
    if (l->kind == kind) search_term(v, it, l->atom, l->node, fault);
  }
}

static void check_clause(variable_check *v, const clause *it) {
  bind_positive_literals(v, it);
  search_term(v, it, it->head, v->c->p->rules.items[it->rule].head_node, DIAG_E401);
  search_literals(v, it, LITERAL_NEGATIVE, DIAG_E402);
  search_literals(v, it, LITERAL_DISTINCT, DIAG_E403);
}

/* ---- variables that are used once ---- */

static bool is_silenced(const checker *c, symbol_id name) {
  const slice s = symbol_name(c->p->symbols, name);
  return s.length > 1 && s.start[1] == '_';
}

static void count_variables(variable_check *v, const rule *r, uint32_t *number_of) {
  const tree *t = v->c->p->tree;
  memset(v->count, 0, r->variable_count * sizeof *v->count);
  for (uint32_t i = 0; i < r->variable_count; i++)
    number_of[v->c->p->variable_names.items[r->variables + i]] = i;
  for (node_id n = r->node; n < node_after(t, r->node); n++) {
    const symbol_id s = tree_node(t, n)->symbol;
    if (s == SYM_NONE || !symbol_is_variable(t->symbols, s)) continue;
    if (v->count[number_of[s]]++ == 0) v->place[number_of[s]] = n;
  }
}

/* Do they differ in a digit that one of them has more, or has otherwise? */
static bool differs_in_digit(slice a, slice b) {
  size_t i = 0;
  while (i < a.length && i < b.length && a.start[i] == b.start[i]) i++;
  const bool left = i < a.length && isdigit((unsigned char)a.start[i]);
  const bool right = i < b.length && isdigit((unsigned char)b.start[i]);
  return left || right;
}

/* Is the one a slip of the pen for the other?  Names that differ in a digit, in their first letter,
   or in one letter where the other is used once, too, are kept apart on purpose: ?x1 and ?x2, ?xany
   and ?yany. */
static bool is_slip(const variable_check *v, rule_id r, uint32_t one, uint32_t other) {
  enum { SHORTEST = 4 }; /* with the `?` */
  const symbol_table *t = v->c->p->symbols;
  const slice a = symbol_folded(t, variable_name(v->c, r, one));
  const slice b = symbol_folded(t, variable_name(v->c, r, other));
  if (a.length < SHORTEST || b.length < SHORTEST || a.start[1] != b.start[1]) return false;
  if (edit_distance(a, b) != 1 || differs_in_digit(a, b)) return false;
  return v->count[other] > 1 || a.length != b.length;
}

static void report_slip(const variable_check *v, rule_id r, uint32_t one, uint32_t other) {
  checker *c = v->c;
  diag *g = diag_add(c->d, DIAG_W407, where(c, v->place[one]), "%s is used once in this rule",
                     shown_name(c, variable_name(c, r, one)));
  diag_relate(c->d, g, where(c, v->place[other]), "%s is written here",
              shown_name(c, variable_name(c, r, other)));
  diag_hint(c->d, g, "did you mean %s?", shown_name(c, variable_name(c, r, other)));
  mend_name(c, g, v->place[one], variable_name(c, r, other));
}

static bool check_slip(const variable_check *v, rule_id r, uint32_t one) {
  enum { VARIABLES_MAX = 100 };
  const uint32_t count = v->c->p->rules.items[r].variable_count;
  for (uint32_t other = 0; other < count && count <= VARIABLES_MAX; other++) {
    if (other == one || !is_slip(v, r, one, other)) continue;
    report_slip(v, r, one, other);
    return true;
  }
  return false;
}

static void check_single(variable_check *v, rule_id id, uint32_t *number_of) {
  checker *c = v->c;
  const rule *r = &c->p->rules.items[id];
  count_variables(v, r, number_of);
  for (uint32_t i = 0; i < r->variable_count; i++) {
    const symbol_id name = variable_name(c, id, i);
    if (v->count[i] != 1 || v->unsafe[i] == id || is_silenced(c, name)) continue;
    if (check_slip(v, id, i)) continue;
    diag *g = diag_add(c->d, DIAG_W406, where(c, v->place[i]), "%s is used once in this rule",
                       shown_name(c, name));
    const bool is_kif = shown_notation(c) == NOTATION_KIF;
    diag_hint(c->d, g, "if any value is right, say so by naming it %s%s", is_kif ? "?_" : "_",
              shown_name(c, name) + is_kif);
    const uint32_t start = where(c, v->place[i]).start + is_kif;
    if (c->p->tree) diag_mend(c->d, g, (span){start, start}, "_");
  }
}

static variable_check new_check(checker *c) {
  const uint32_t most = c->most_variables;
  variable_check v = {.c = c,
                      .allowed = true,
                      .bound = arena_zero_array(c->scratch, bool, most),
                      .unsafe = arena_new_array(c->scratch, uint32_t, most),
                      .count = arena_zero_array(c->scratch, uint32_t, most),
                      .place = arena_zero_array(c->scratch, node_id, most)};
  memset(v.unsafe, 0xff, most * sizeof *v.unsafe);
  return v;
}

/* The clauses of a rule follow each other, and rules are in order: both walks are in step. */
bool check_variables(checker *c) {
  variable_check v = new_check(c);
  uint32_t *number_of = arena_zero_array(c->scratch, uint32_t, symbol_count(c->p->symbols) + 1);
  clause_id next = 0;
  for (rule_id r = 0; r < c->p->rules.count; r++) {
    for (; next < c->p->clauses.count && clause_at(c, next)->rule == r; next++)
      check_clause(&v, clause_at(c, next));
    if (c->p->tree) check_single(&v, r, number_of);
  }
  return v.allowed;
}
