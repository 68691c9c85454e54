/* The method `pdr`, with the facts that are known and without: they help some games and hinder
   others. */
#include "prove/methods.h"
#include "prove/symbolic/pdr.h"

static const char method[] = "pdr";

static void settle_never(prove_job *j, uint32_t i, const pdr_result *r, const fact_set *facts) {
  fact_set *all = arena_alloc_zero(j->keep, sizeof *all);
  *all = r->clauses;
  if (facts) facts_add_all(all, facts);
  job_never_reached(j, i, (finding){.method = method, .depth = r->frames, .certificate = all});
}

static void try_target(prove_job *j, uint32_t i, const fact_set *facts, budget *b) {
  const wire target = j->full.targets.items[j->targets[i]];
  pdr_result r;
  pdr_run(&r, &j->full, target, facts, j->keep, b);
  if (r.answer == PDR_NEVER) settle_never(j, i, &r, facts);
  if (r.answer == PDR_REACHED)
    job_reached(
        j, i,
        (finding){.method = method, .line = r.line, .length = r.line.count / j->full.roles.count});
  const uint32_t steps = r.frames ? r.frames - 1 : 0;
  if (r.reason)
    job_explain(j, i, method, "%s", r.reason);
  else
    job_explain(j, i, method, "not reached in %u step%s; it needs more time", steps, plural(steps));
}

static uint32_t count_open(const prove_job *j) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < j->properties.count; i++)
    count += job_is_open(j, i) && j->targets[i] != ID_NONE;
  return count;
}

void prove_by_pdr(prove_job *j, budget *b) {
  const fact_set *ways[] = {NULL, j->has_facts && j->facts.all.count ? &j->facts : NULL};
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (!job_is_open(j, i) || j->targets[i] == ID_NONE) continue;
    const double share = budget_seconds_left(b) / count_open(j);
    for (uint32_t way = 0; way < 2 && job_is_open(j, i); way++) {
      budget part = budget_part(b, ways[1] ? share / 2 : share);
      if ((way == 0 || ways[way]) && !budget_check_now(b)) try_target(j, i, ways[way], &part);
    }
  }
}
