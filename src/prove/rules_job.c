/* Jobs on the first-order rules alone: for the method that needs no more, and for games that cannot
   be ground, or not within their limits. */
#include "prove/prove.h"

#include "rules/term_read.h"

static bool has_role_rules(const program *p) {
  const relation *r = &p->relations.items[SYM_ROLE];
  for (uint32_t i = 0; i < r->clause_count; i++)
    if (p->clauses.items[p->clauses_of_relation.items[r->first_clause + i]].body_count) return true;
  return false;
}

/* Of the time that is left, what finding roles may take. */
static const double roles_part = 0.1;

/* By machine `reference`, which grounds nothing; those that are facts, if it cannot. */
static id_vec find_roles(const program *p, budget *b, diag_sink *d, arena *keep) {
  const machine_source from = {.program = p};
  const diag_sink before = *d;
  budget part = budget_part(b, budget_seconds_left(b) * roles_part);
  id_vec roles = {0};
  machine *m = machine_open("reference", &from, &part, d);
  if (!m) {
    diag_take_back(d, &before);
    return program_roles(p, keep);
  }
  for (uint32_t i = 0; i < m->role_count; i++) {
    term_id role;
    if (term_read_canonical(p->terms, m->roles[i], keep, &role)) vec_push(keep, &roles, role);
  }
  machine_close(m);
  return roles;
}

/* Who plays is all that properties need to know to be named. */
static role_terms name_roles(const program *p, budget *b, diag_sink *d, arena *keep) {
  return (role_terms){p->terms,
                      has_role_rules(p) ? find_roles(p, b, d, keep) : program_roles(p, keep)};
}

bool job_open_rules(prove_job *j, const program *p, prove_options o, budget *b, diag_sink *d) {
  *j = (prove_job){.keep = arena_new(),
                   .program = p,
                   .options = o,
                   .has_rules_only = true,
                   .started = clock_now(),
                   .d = d};
  j->facts.keep = j->keep;
  j->roles = name_roles(p, b, d, j->keep);
  const bool has_role = p->relations.items[SYM_ROLE].clause_count > 0;
  if (!has_role) diag_add(d, DIAG_E601, SPAN_NONE, "the game has no role");
  return has_role;
}

bool job_fall_back(prove_job *j, const char *why, budget *b) {
  const prove_job failed = *j;
  job_close(j);
  const bool ok = job_open_rules(j, failed.program, failed.options, b, failed.d);
  j->started = failed.started;
  j->why_rules_only = why;
  return ok;
}
