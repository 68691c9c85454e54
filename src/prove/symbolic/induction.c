/* The method `induction`: a target that is not reached in the first k steps, and that no k steps
   without it can lead to, is never reached.  Facts that were proved (induct.h) help. */
#include "induct/founded.h"
#include "induct/induct.h"
#include "prove/methods.h"

static const char method[] = "induction";

enum { K_MAX = 4, CONFLICTS_MAX = 200 * 1000 };

static void require_facts(const prove_job *j, const fact_set *facts, unrolling *u, uint32_t time) {
  for (uint32_t i = 0; i < facts->all.count; i++)
    fact_require(facts, &j->full, &facts->all.items[i], u, time, 0);
}

/* Can the target be reached in fewer than k steps? */
static bool base_holds(prove_job *j, wire target, uint32_t k, budget *b) {
  unrolling *u = unroll_new(&j->full, true, b);
  bool holds = true;
  for (uint32_t time = 0; time < k && holds; time++) {
    const sat_literal reached = unroll_wire(u, target, time);
    holds = founded_solve(u, &reached, 1, CONFLICTS_MAX) == SAT_NO;
    unroll_require_step(u, time);
  }
  unroll_free(u);
  return holds && !budget_check_now(b);
}

/* No target, k times, and then one?  With k = 0: a state with all facts and the target? */
static bool step_holds(prove_job *j, const fact_set *facts, wire target, uint32_t k, budget *b) {
  unrolling *u = unroll_new(&j->full, false, b);
  for (uint32_t time = 0; time < k; time++) {
    require_facts(j, facts, u, time);
    sat_add_1(unroll_solver(u), -unroll_wire(u, target, time));
    unroll_require_step(u, time);
  }
  require_facts(j, facts, u, k);
  const sat_literal reached = unroll_wire(u, target, k);
  const bool holds = founded_solve(u, &reached, 1, CONFLICTS_MAX) == SAT_NO;
  unroll_free(u);
  return holds && !budget_check_now(b);
}

static void try_target(prove_job *j, uint32_t i, const fact_set *facts, budget *b) {
  const wire target = j->full.targets.items[j->targets[i]];
  for (uint32_t k = 0; k <= K_MAX && job_is_open(j, i) && !budget_check_now(b); k++) {
    if (!step_holds(j, facts, target, k, b) || !base_holds(j, target, k, b)) continue;
    job_never_reached(
        j, i, (finding){.method = method, .depth = k, .induction = k, .certificate = facts});
  }
  job_explain(j, i, method, "not with k up to %u and the %u fact%s that it found; it needs others",
              K_MAX, facts->all.count, plural(facts->all.count));
}

/* Where the moves of all roles are always legal, nobody can be stuck: there is nothing to ask. */
static void settle_constant(prove_job *j) {
  fact_set *none = arena_alloc_zero(j->keep, sizeof *none);
  none->keep = j->keep;
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (job_is_open(j, i) && j->targets[i] != ID_NONE &&
        j->full.targets.items[j->targets[i]] == WIRE_FALSE)
      job_never_reached(j, i, (finding){.method = method, .certificate = none});
}

void prove_by_induction(prove_job *j, budget *b) {
  if (!job_has_open_reach(j)) return;
  settle_constant(j);
  if (!job_has_open_reach(j)) return;
  budget half = budget_part(b, budget_seconds_left(b) / 2);
  const fact_set *facts = job_facts(j, &half);
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (job_is_open(j, i) && j->targets[i] != ID_NONE) try_target(j, i, facts, b);
}
