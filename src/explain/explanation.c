#include "explain/explanation.h"

const explain_choice explain_usual = {.failure_levels = 4, .attempts_max = 8};

const char *why_kind_name(why_kind k) {
  static const char *const names[WHY_KINDS] = {"rule",  "fact",     "fluent", "move",
                                               "not",   "distinct", "fails",  "attempt",
                                               "holds", "again",    "note"};
  return names[k];
}

span clause_span(const program *p, clause_id c) {
  const rule_id r = p->clauses.items[c].rule;
  return r == RULE_NONE ? SPAN_NONE : program_span(p, p->rules.items[r].node);
}

why_step *explanation_add(explanation *e, why_kind kind, uint32_t depth, bool holds, term_id atom) {
  const why_step s = {.kind = kind,
                      .depth = depth,
                      .holds = holds,
                      .atom = atom,
                      .clause = ID_NONE,
                      .where = SPAN_NONE};
  vec_push(e->keep, &e->steps, s);
  return &vec_last(&e->steps);
}

/* ---- names of variables ---- */

typedef struct name_search {
  const symbol_id *names; /* by variable of the clause */
  const term_id *bindings;
  arena *keep;
  id_vec variables; /* that are free */
  VEC(symbol_id) found;
} name_search;

static void note_free(void *context, uint32_t variable) {
  name_search *s = context;
  if (s->bindings && s->bindings[variable] != TERM_NONE) return;
  for (uint32_t i = 0; i < s->variables.count; i++)
    if (s->variables.items[i] == variable) return;
  vec_push(s->keep, &s->variables, variable);
  vec_push(s->keep, &s->found, s->names[variable]);
}

const symbol_id *free_names(const world *w, clause_id c, term_id t, const term_id *bindings,
                            arena *keep) {
  const program *p = w->program;
  const rule_id r = p->clauses.items[c].rule;
  if (r == RULE_NONE) return NULL;
  name_search s = {.names = vec_from(&p->variable_names, p->rules.items[r].variables),
                   .bindings = bindings,
                   .keep = keep};
  term_each_variable(w->terms, t, note_free, &s);
  return s.found.items;
}
