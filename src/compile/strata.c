#include "compile/strata.h"

#include "compile/split.h"
#include "datalog/engine.h"
#include "ground/bases.h"

#include <string.h>

enum { SPLITS_MAX = 64 };

/* What the facts that never change may cost. */
#define PERMANENT_SECONDS 15
#define PERMANENT_BYTES ((size_t)256 << 20)

/* Asked before any question: roles and the initial state. */
#define ASKED_AT_START (1u << QUESTION_COUNT)

static relation_id keyword_of(const strata *s, flat_id r) {
  return s->flat.relations.items[r].relation;
}

/* ---- what is needed ---- */

static uint32_t asked_directly(relation_id keyword) {
  switch (keyword) {
    case SYM_TERMINAL: return 1u << ASK_TERMINAL;
    case SYM_LEGAL: return 1u << ASK_LEGAL;
    case SYM_GOAL: return 1u << ASK_GOAL;
    case SYM_NEXT: return 1u << ASK_NEXT;
    case SYM_SEES: return 1u << ASK_SEES;
    case SYM_INIT:
    case SYM_ROLE: return ASKED_AT_START;
    default: return 0;
  }
}

static void find_asked(strata *s, arena *keep) {
  s->asked_by = arena_zero_array(keep, uint32_t, s->flat.relations.count + 1);
  for (flat_id r = 0; r < s->flat.relations.count; r++)
    s->asked_by[r] = asked_directly(keyword_of(s, r));
  order_spread_down(&s->order, &s->flat, s->asked_by, keep);
}

static void take_links_out(strata *s, arena *keep) {
  uint32_t kept = 0;
  for (flat_clause_id c = 0; c < s->flat.clauses.count; c++) {
    const flat_clause it = s->flat.clauses.items[c];
    const relation_id head = keyword_of(s, it.head);
    if (head == SYM_TRUE || head == SYM_DOES)
      vec_push(keep, &s->links, it);
    else
      s->flat.clauses.items[kept++] = it;
  }
  s->flat.clauses.count = kept;
}

static void drop_what_nobody_asks(strata *s, arena *keep) {
  order_find(&s->order, &s->flat, keep);
  find_asked(s, keep);
  uint32_t kept = 0;
  for (flat_clause_id c = 0; c < s->flat.clauses.count; c++)
    if (s->asked_by[s->flat.clauses.items[c].head])
      s->flat.clauses.items[kept++] = s->flat.clauses.items[c];
  s->flat.clauses.count = kept;
}

/* ---- what is declined ---- */

static const char *words_of(const strata *s, flat_id r, arena *keep) {
  text out = text_new(keep);
  term_print(s->flat.terms, s->flat.relations.items[r].skeleton, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

static span clause_span(const strata *s, const flat_clause *c) {
  const program *p = &s->linked;
  const rule_id r = p->clauses.items[c->source].rule;
  return r == RULE_NONE ? SPAN_NONE : program_span(p, p->rules.items[r].node);
}

static bool shapes_are_exact(const strata *s, arena *keep, diag_sink *d) {
  for (flat_clause_id c = 0; c < s->flat.clauses.count; c++) {
    const flat_clause *it = &s->flat.clauses.items[c];
    if (s->flat.relations.items[it->head].is_exact) continue;
    diag_add(d, DIAG_E840, clause_span(s, it), "%s holds terms of too many shapes to be compiled",
             words_of(s, it->head, keep));
    return false;
  }
  return true;
}

static const flat_clause *clause_of_literal(const strata *s, uint32_t literal) {
  for (flat_clause_id c = 0; c < s->flat.clauses.count; c++) {
    const flat_clause *it = &s->flat.clauses.items[c];
    if (literal >= it->body && literal < it->body + it->body_count) return it;
  }
  return NULL;
}

static bool stratify(strata *s, arena *keep, diag_sink *d) {
  for (uint32_t i = 0; i < SPLITS_MAX; i++) {
    order_find(&s->order, &s->flat, keep);
    if (s->order.offending_literal == UINT32_MAX) return true;
    if (!split_relation(&s->flat, &s->order, keep)) break;
  }
  order_find(&s->order, &s->flat, keep);
  if (s->order.offending_literal == UINT32_MAX) return true;
  const flat_clause *c = clause_of_literal(s, s->order.offending_literal);
  diag_add(d, DIAG_E840, clause_span(s, c),
           "%s depends on its own negation, and cannot be split into parts that do not",
           words_of(s, c->head, keep));
  return false;
}

static void mark_keyword(const strata *s, bool *marks, relation_id keyword) {
  for (flat_id r = 0; r < s->flat.relations.count; r++)
    if (keyword_of(s, r) == keyword) marks[r] = true;
}

static void find_what_changes(strata *s, arena *keep) {
  const uint32_t count = s->flat.relations.count + 1;
  bool *is_dynamic = arena_zero_array(keep, bool, count);
  s->depends_on_does = arena_zero_array(keep, bool, count);
  mark_keyword(s, is_dynamic, SYM_TRUE);
  mark_keyword(s, is_dynamic, SYM_DOES);
  mark_keyword(s, s->depends_on_does, SYM_DOES);
  order_spread_up(&s->order, &s->flat, is_dynamic, keep);
  order_spread_up(&s->order, &s->flat, s->depends_on_does, keep);
  s->is_permanent = is_dynamic;
  for (uint32_t r = 0; r < count; r++) s->is_permanent[r] = !is_dynamic[r];
}

static bool keywords_are_used_well(const strata *s, arena *keep, diag_sink *d) {
  const uint32_t in_state = 1u << ASK_TERMINAL | 1u << ASK_LEGAL | 1u << ASK_GOAL;
  for (flat_id r = 0; r < s->flat.relations.count; r++) {
    const char *problem = NULL;
    if (s->depends_on_does[r] && (s->asked_by[r] & in_state))
      problem = "depends on moves, and legal, goal or terminal depends on it";
    if (!s->is_permanent[r] && (s->asked_by[r] & ASKED_AT_START))
      problem = "depends on the state, and init or role depends on it";
    if (!problem) continue;
    diag_add(d, DIAG_E840, SPAN_NONE, "%s %s", words_of(s, r, keep), problem);
    return false;
  }
  return true;
}

/* ---- what never changes ---- */

static void copy_permanent_clauses(const strata *s, flat_program *permanent, arena *keep) {
  *permanent = s->flat;
  permanent->clauses.items = arena_new_array(keep, flat_clause, s->flat.clauses.count + 1);
  permanent->clauses.count = 0;
  for (flat_clause_id c = 0; c < s->flat.clauses.count; c++)
    if (s->is_permanent[s->flat.clauses.items[c].head])
      permanent->clauses.items[permanent->clauses.count++] = s->flat.clauses.items[c];
}

/* Says why the facts could not be found: by the user's limits, our own, or a fault of the rules. */
static bool report_permanent(budget *limits, const budget *own, const diag_sink *said,
                             diag_sink *d) {
  if (limits && budget_check_now(limits))
    budget_report(limits, d, "facts that never change were being found");
  else if (own->end != BUDGET_LEFT)
    diag_add(d, DIAG_E840, SPAN_NONE, "there are too many facts that never change");
  else if (said->all.count)
    diag_add(d, said->all.items[0].kind, said->all.items[0].where, "%s",
             said->all.items[0].message);
  return false;
}

/* The rules are evaluated as they stand; what takes too long is better left to a machine that
   evaluates what is asked for alone. */
static bool find_permanent_facts(strata *s, arena *keep, budget *limits, diag_sink *d) {
  flat_program permanent;
  copy_permanent_clauses(s, &permanent, keep);
  budget own = budget_new(PERMANENT_SECONDS, PERMANENT_BYTES);
  if (limits && limits->deadline > 0 && limits->deadline < own.deadline)
    own.deadline = limits->deadline;
  own.interrupted = limits ? limits->interrupted : NULL;
  budget_watch(&own, keep);
  diag_sink said;
  diag_sink_init(&said, keep);
  engine e;
  engine_init(&e, &permanent, NULL, keep);
  if (!engine_run(&e, &own, &said)) return report_permanent(limits, &own, &said, d);
  s->facts = e.tables;
  return true;
}

bool strata_build(strata *s, const program *p, arena *keep, budget *limits, diag_sink *d) {
  *s = (strata){.program = p};
  bases_link_copy(&s->linked, p, BASES_ONESTEP, keep);
  if (!flatten(&s->flat, &s->linked, keep, limits, d)) {
    if (limits) budget_report(limits, d, "the shapes of atoms were being found");
    return false;
  }
  take_links_out(s, keep);
  drop_what_nobody_asks(s, keep);
  if (!shapes_are_exact(s, keep, d) || !stratify(s, keep, d)) return false;
  find_asked(s, keep);
  find_what_changes(s, keep);
  return keywords_are_used_well(s, keep, d) && find_permanent_facts(s, keep, limits, d);
}

/* ---- columns ---- */

static bool map_columns(const flat_program *f, term_id from, term_id to, column_map *m) {
  const term *source = term_get(f->terms, from);
  const term *target = term_get(f->terms, to);
  if (target->is_variable) {
    m->from_column[target->name] = source->is_variable ? source->name : ID_NONE;
    m->constants[target->name] = source->is_variable ? TERM_NONE : from;
    return source->arg_count == 0;
  }
  if (source->is_variable || source->name != target->name || source->arg_count != target->arg_count)
    return false;
  for (uint32_t i = 0; i < target->arg_count; i++)
    if (!map_columns(f, term_arg(f->terms, from, i), term_arg(f->terms, to, i), m)) return false;
  return true;
}

bool strata_map_columns(const flat_program *f, flat_id from, flat_id to, column_map *m,
                        arena *keep) {
  const flat_relation *source = &f->relations.items[from];
  const flat_relation *target = &f->relations.items[to];
  const uint32_t arguments = term_get(f->terms, target->skeleton)->arg_count;
  if (term_get(f->terms, source->skeleton)->arg_count != arguments) return false;
  *m = (column_map){arena_new_array(keep, uint32_t, target->arity + 1),
                    arena_new_array(keep, term_id, target->arity + 1)};
  for (uint32_t i = 0; i < arguments; i++)
    if (!map_columns(f, term_arg(f->terms, source->skeleton, i),
                     term_arg(f->terms, target->skeleton, i), m))
      return false;
  return true;
}

/* ---- text ---- */

static void print_literal(const strata *s, const flat_literal *l, text *out) {
  if (l->kind == LITERAL_NEGATIVE && !s->is_permanent[l->relation])
    text_add_format(out, " (stratum %u)", s->order.stratum[l->relation]);
  text_add_char(out, ' ');
  flat_literal_print(&s->flat, l, out);
}

static void print_clause(const strata *s, const flat_clause *c, text *out) {
  const flat_literal head = {LITERAL_POSITIVE, c->head, c->head_args};
  text_add(out, c->body_count ? "  (<= " : "  ");
  flat_literal_print(&s->flat, &head, out);
  for (uint32_t i = 0; i < c->body_count; i++)
    print_literal(s, &s->flat.literals.items[c->body + i], out);
  text_add(out, c->body_count ? ")\n" : "\n");
}

void strata_print(const strata *s, text *out) {
  for (uint32_t stratum = 0; stratum < s->order.stratum_count; stratum++) {
    text_add_format(out, "stratum %u\n", stratum);
    for (flat_clause_id c = 0; c < s->flat.clauses.count; c++)
      if (s->order.stratum[s->flat.clauses.items[c].head] == stratum)
        print_clause(s, &s->flat.clauses.items[c], out);
  }
}
