/* Jobs on the first-order rules alone: for the method that needs no more, and for games that cannot
   be ground, or not within their limits. */
#include "prove/prove.h"

/* Who plays is all that properties need to know to be named; roles that a rule gives stay unknown.
 */
static role_terms roles_of_program(const program *p, arena *keep) {
  return (role_terms){p->terms, program_roles(p, keep)};
}

bool job_open_rules(prove_job *j, const program *p, prove_options o, diag_sink *d) {
  *j = (prove_job){.keep = arena_new(),
                   .program = p,
                   .options = o,
                   .has_rules_only = true,
                   .started = clock_now(),
                   .d = d};
  j->facts.keep = j->keep;
  j->roles = roles_of_program(p, j->keep);
  const bool has_role = p->relations.items[SYM_ROLE].clause_count > 0;
  if (!has_role) diag_add(d, DIAG_E601, SPAN_NONE, "the game has no role");
  return has_role;
}

bool job_fall_back(prove_job *j, const char *why) {
  const prove_job failed = *j;
  job_close(j);
  const bool ok = job_open_rules(j, failed.program, failed.options, failed.d);
  j->started = failed.started;
  j->why_rules_only = why;
  return ok;
}
