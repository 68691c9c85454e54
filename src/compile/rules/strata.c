#include "compile/rules/strata.h"

#include "compile/decline.h"
#include "compile/rules/demanded_relations.h"
#include "compile/rules/distincts.h"
#include "compile/rules/frozen_fluents.h"
#include "compile/rules/split_by_moves.h"
#include "compile/rules/split_by_value.h"
#include "datalog/engine.h"
#include "ground/bases.h"

#include <string.h>

enum {
  SPLITS_MAX = 64,
  RESTRICTIONS_MAX = 16,
  SHAPE_DEPTH = 8, /* of terms; where these nest deeper: */
  SHAPE_DEPTH_MOST = 40,
  PERMANENT_PATIENCE = 500000, /* rows that a rule may look at before its relation is doubted: */
  PERMANENT_ROWS = 250000,     /* with as many facts it is restricted */
};

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

/* They tie true and does to what can follow, so that flattening finds the shapes of these. */
static void take_links_out(strata *s) {
  uint32_t kept = 0;
  for (flat_clause_id c = 0; c < s->flat.clauses.count; c++) {
    const flat_clause it = s->flat.clauses.items[c];
    const relation_id head = keyword_of(s, it.head);
    if (head != SYM_TRUE && head != SYM_DOES) s->flat.clauses.items[kept++] = it;
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

/* A relation that holds terms of any shape, and a clause that gives its facts; true and does have
   none. */
typedef struct inexact {
  flat_id relation;
  const flat_clause *clause; /* or NULL */
} inexact;

static bool find_inexact(const strata *s, inexact *found) {
  const flat_program *f = &s->flat;
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    *found = (inexact){f->clauses.items[c].head, &f->clauses.items[c]};
    if (!f->relations.items[found->relation].is_exact) return true;
  }
  for (flat_id r = 0; r < f->relations.count; r++) {
    const bool is_given = keyword_of(s, r) == SYM_TRUE || keyword_of(s, r) == SYM_DOES;
    *found = (inexact){r, NULL};
    if (is_given && !f->relations.items[r].is_exact) return true;
  }
  return false;
}

/* Before shapes are found: rules that nobody asks for may be of any kind, unsafe ones too. */
static void drop_unneeded(program *p, arena *keep) {
  const bool *is_needed = program_needed(p, keep);
  uint32_t kept = 0;
  for (clause_id c = 0; c < p->clauses.count; c++) {
    const clause it = p->clauses.items[c];
    const relation_id head = atom_relation(p, it.head);
    if (is_needed[head] || head == SYM_TRUE || head == SYM_DOES) p->clauses.items[kept++] = it;
  }
  p->clauses.count = kept;
  program_index_relations(p);
}

static bool find_shapes(strata *s, uint32_t depth, arena *keep, budget *limits, diag_sink *d) {
  bases_link_copy(&s->linked, s->program, BASES_ONESTEP, keep);
  drop_unneeded(&s->linked, keep);
  if (!flatten_deep(&s->flat, &s->linked, depth, keep, limits, d)) {
    if (limits) budget_report(limits, d, "the shapes of atoms were being found");
    return false;
  }
  take_links_out(s);
  drop_what_nobody_asks(s, keep);
  return true;
}

/* Lists that grow up to a length have as many shapes. */
static bool shapes_are_exact(strata *s, arena *keep, budget *limits, diag_sink *d) {
  if (!find_shapes(s, SHAPE_DEPTH, keep, limits, d)) return false;
  inexact x;
  if (!find_inexact(s, &x)) return true;
  if (!find_shapes(s, SHAPE_DEPTH_MOST, keep, limits, d)) return false;
  if (!find_inexact(s, &x)) return true;
  compile_decline(d, x.clause ? flat_clause_span(&s->flat, x.clause) : SPAN_NONE,
                  "%s holds terms of too many shapes to be compiled",
                  words_of(s, x.relation, keep));
  return false;
}

static bool solve_distincts(strata *s, arena *keep, diag_sink *d) {
  if (distincts_solve(&s->flat, keep)) return true;
  compile_decline(d, SPAN_NONE, "terms can differ in too many ways to be compiled");
  return false;
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
  compile_decline(d, flat_clause_span(&s->flat, c),
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

static bool start_is_known(const strata *s, arena *keep, diag_sink *d) {
  for (flat_id r = 0; r < s->flat.relations.count; r++) {
    if (s->is_permanent[r] || !(s->asked_by[r] & ASKED_AT_START)) continue;
    compile_decline(d, flat_relation_span(&s->flat, r),
                    "%s depends on the state, and init or role depends on it",
                    words_of(s, r, keep));
    return false;
  }
  return true;
}

static void find_properties(strata *s, arena *keep) {
  drop_what_nobody_asks(s, keep);
  order_find(&s->order, &s->flat, keep);
  find_what_changes(s, keep);
}

/* Relations that depend on moves and are read where there are none. */
static void split_what_moves(strata *s, arena *keep) {
  const uint32_t asked_without_moves = 1u << ASK_TERMINAL | 1u << ASK_LEGAL | 1u << ASK_GOAL;
  const uint32_t count = s->flat.relations.count;
  bool *is_split = arena_zero_array(keep, bool, count + 1);
  bool found = false;
  for (flat_id r = 0; r < count; r++) {
    is_split[r] = s->depends_on_does[r] && (s->asked_by[r] & asked_without_moves) &&
                  keyword_of(s, r) != SYM_DOES;
    found |= is_split[r];
  }
  if (!found) return;
  relations_split_by_moves(&s->flat, is_split, keep);
  find_properties(s, keep);
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
  if (budget_check_now(limits))
    budget_report(limits, d, "facts that never change were being found");
  else if (own->end != BUDGET_LEFT)
    compile_decline(d, SPAN_NONE, "there are too many facts that never change");
  else if (said->all.count)
    diag_add(d, said->all.items[0].kind, said->all.items[0].where, "%s",
             said->all.items[0].message);
  return false;
}

/* What an evaluation has found to have too many facts. */
typedef struct doubts {
  strata *s;
  bool *is_doubted; /* by flat relation */
} doubts;

/* With a relation all of its kind are in doubt that have as many facts, or none so far: longer
   lists, most likely. */
static bool doubt(void *context, engine *e, flat_clause_id c) {
  doubts *x = context;
  const flat_relation *all = e->f->relations.items;
  const flat_id head = e->f->clauses.items[c].head;
  if (e->tables[head].count < PERMANENT_ROWS || (x->s->asked_by[head] & ASKED_AT_START))
    return false;
  for (flat_id r = 0; r < x->s->plain.relations.count; r++)
    if (all[r].relation == all[head].relation && all[r].relation != RELATION_NONE &&
        !(x->s->asked_by[r] & ASKED_AT_START) &&
        (e->tables[r].count == 0 || e->tables[r].count >= PERMANENT_ROWS))
      x->is_doubted[r] = true;
  return x->is_doubted[head] = true;
}

/* Evaluates the rules for what never changes.  False, with a relation in doubt: it has too many
   facts; else a limit was reached. */
static bool try_permanent_facts(strata *s, bool *is_doubted, budget *own, arena *keep,
                                diag_sink *d) {
  flat_program permanent;
  copy_permanent_clauses(s, &permanent, keep);
  doubts x = {s, is_doubted};
  engine e;
  budget_watch(own, keep);
  const size_t most = own->max_bytes;
  own->max_bytes += arena_bytes(keep);
  engine_init(&e, &permanent, NULL, keep);
  if (is_doubted) engine_set_doubt(&e, doubt, &x, PERMANENT_PATIENCE);
  const bool ok = engine_run(&e, own, d);
  budget_unwatch(own, keep);
  own->max_bytes = most;
  s->facts = e.tables;
  return ok;
}

/* Restricts these too, or more strictly where they are already; false: they cannot be.  What is
   wanted may depend on moves. */
static bool restrict_some(strata *s, const bool *wanted, arena *keep) {
  const uint32_t count = s->plain.relations.count;
  bool *all = arena_zero_array(keep, bool, count + 1);
  bool is_new = false;
  for (flat_id r = 0; r < count; r++) {
    all[r] = wanted[r] || s->is_restricted[r];
    is_new |= all[r] && !s->is_restricted[r];
  }
  flat_program restricted = s->plain;
  if (!is_new && s->hands_on) return false;
  s->hands_on |= !is_new;
  if (!restrict_relations(&restricted, all, s->hands_on, keep)) return false;
  s->flat = restricted;
  s->is_restricted = all;
  find_properties(s, keep);
  split_what_moves(s, keep);
  return true;
}

/* What is in doubt is restricted, until nothing is or no more can be. */
static void restrict_permanent(strata *s, bool *is_doubted, budget *own, arena *keep,
                               diag_sink *d) {
  for (uint32_t i = 0; i < RESTRICTIONS_MAX; i++) {
    if (!restrict_some(s, is_doubted, keep)) return;
    is_doubted = arena_zero_array(keep, bool, s->flat.relations.count + 1);
    arena *trial = arena_new();
    const bool ok = try_permanent_facts(s, is_doubted, own, trial, d);
    arena_free(trial);
    if (ok || own->end != BUDGET_LEFT || d->all.count) return;
  }
}

static bool find_permanent_facts(strata *s, arena *keep, budget *limits, diag_sink *d) {
  budget own = budget_within(limits, PERMANENT_SECONDS, PERMANENT_BYTES);
  diag_sink said;
  diag_sink_init(&said, keep);
  bool *is_doubted = arena_zero_array(keep, bool, s->flat.relations.count + 1);
  if (try_permanent_facts(s, is_doubted, &own, keep, &said)) return true;
  if (own.end == BUDGET_LEFT && !said.all.count)
    restrict_permanent(s, is_doubted, &own, keep, &said);
  if (own.end == BUDGET_LEFT && !said.all.count && try_permanent_facts(s, NULL, &own, keep, &said))
    return true;
  return report_permanent(limits, &own, &said, d);
}

/* Not those that the initial state is asked to depend on, which is declined. */
static void freeze_fluents(strata *s, arena *keep) {
  bool *is_spared = arena_zero_array(keep, bool, s->flat.relations.count + 1);
  for (flat_id r = 0; r < s->flat.relations.count; r++)
    is_spared[r] = s->asked_by[r] & ASKED_AT_START;
  fluents_freeze(&s->flat, is_spared, keep);
}

bool strata_build(strata *s, const program *p, arena *keep, budget *limits, diag_sink *d) {
  *s = (strata){.program = p};
  if (!shapes_are_exact(s, keep, limits, d) || !solve_distincts(s, keep, d)) return false;
  freeze_fluents(s, keep);
  if (!stratify(s, keep, d)) return false;
  find_properties(s, keep);
  split_what_moves(s, keep);
  s->plain = s->flat;
  s->is_restricted = arena_zero_array(keep, bool, s->plain.relations.count + 1);
  return start_is_known(s, keep, d) && find_permanent_facts(s, keep, limits, d);
}

bool strata_restrict(strata *s, const strata *from, const bool *wanted, bool hands_on, arena *keep,
                     budget *limits) {
  diag_sink unheard;
  diag_sink_init(&unheard, keep);
  *s = *from;
  s->hands_on |= hands_on;
  return restrict_some(s, wanted, keep) && find_permanent_facts(s, keep, limits, &unheard);
}

void strata_clauses_changed(strata *s, arena *keep) {
  bool *is_permanent = s->is_permanent;
  find_properties(s, keep);
  s->is_permanent = is_permanent;
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
