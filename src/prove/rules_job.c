/* Jobs on the first-order rules alone: for the method that needs no more, and for games that cannot
   be ground, or not within their limits. */
#include "prove/prove.h"

/* Of the time that is left, what grounding may take when there is a method that can do without. */
static const double grounding_part = 0.9;

/* Who plays is all that properties need to know to be named; roles that a rule gives stay unknown.
 */
static void name_roles(prove_job *j) {
  const id_vec roles = program_roles(j->program, j->keep);
  j->g.circuit.terms = j->program->terms;
  for (uint32_t i = 0; i < roles.count; i++)
    vec_push(j->keep, &j->g.circuit.roles, (circuit_role){.term = roles.items[i]});
}

static bool open_rules(prove_job *j, const program *p, prove_options o, diag_sink *d) {
  *j = (prove_job){.keep = arena_new(),
                   .program = p,
                   .options = o,
                   .has_rules_only = true,
                   .started = clock_now(),
                   .d = d};
  j->facts.keep = j->keep;
  name_roles(j);
  const bool has_role = p->relations.items[SYM_ROLE].clause_count > 0;
  if (!has_role) diag_add(d, DIAG_E601, SPAN_NONE, "the game has no role");
  return has_role;
}

/* Was it for limits or for terms without end, and not for a fault of the game or a wish of the
   user? */
static bool is_about_grounding(const diag *g) {
  return g->kind == DIAG_E801 || g->kind == DIAG_E802 || g->kind == DIAG_E804;
}

/* Forgets what was said since then. */
static void take_back(diag_sink *d, const diag_sink *before) {
  const __typeof__(d->all) all = d->all;
  *d = *before;
  d->all.items = all.items;
  d->all.capacity = all.capacity;
}

bool job_fall_back(prove_job *j, const char *why) {
  const prove_job failed = *j;
  job_close(j);
  const bool ok = open_rules(j, failed.program, failed.options, failed.d);
  j->started = failed.started;
  j->why_rules_only = why;
  return ok;
}

bool job_open_for(prove_job *j, const prove_method *m, const program *p, prove_options o, budget *b,
                  diag_sink *d) {
  if (m->input == INPUT_RULES) return open_rules(j, p, o, d);
  if (m->input == INPUT_CIRCUIT) return job_open(j, p, o, b, d);
  budget part = budget_part(b, budget_seconds_left(b) * grounding_part);
  const diag_sink before = *d;
  if (job_open(j, p, o, &part, d)) return true;
  if (!d->all.count || !is_about_grounding(&vec_last(&d->all))) {
    b->end = part.end;
    return false;
  }
  const char *why = vec_last(&d->all).message;
  take_back(d, &before);
  return job_fall_back(j, why);
}
