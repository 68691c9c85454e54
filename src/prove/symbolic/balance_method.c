/* The method `balance`: a target that no state has in which all facts hold and all sums have the
   value that no step changes (balances.h), or to which no step leads from states without it. */
#include "induct/founded.h"
#include "prove/methods.h"
#include "prove/symbolic/balances.h"

static const char method[] = "balance";

enum { K_MAX = 1, CONFLICTS_MAX = 200 * 1000 };

static void require_all(const prove_job *j, const balance_vec *sums, unrolling *u, uint32_t time,
                        arena *scratch) {
  for (uint32_t i = 0; i < j->facts.all.count; i++)
    fact_require(&j->facts, &j->full, &j->facts.all.items[i], u, time, 0);
  for (uint32_t i = 0; i < sums->count; i++)
    balance_require(&sums->items[i], &j->full, u, time, scratch);
}

/* Is the target false in the first state? */
static bool base_holds(prove_job *j, wire target, budget *b) {
  unrolling *u = unroll_new(&j->full, true, b);
  const sat_literal reached = unroll_wire(u, target, 0);
  const bool holds = founded_solve(u, &reached, 1, CONFLICTS_MAX) == SAT_NO;
  unroll_free(u);
  return holds && !budget_check_now(b);
}

static bool step_holds(prove_job *j, const balance_vec *sums, wire target, uint32_t k, budget *b) {
  arena *scratch = arena_new();
  unrolling *u = unroll_new(&j->full, false, b);
  for (uint32_t time = 0; time < k; time++) {
    require_all(j, sums, u, time, scratch);
    sat_add_1(unroll_solver(u), -unroll_wire(u, target, time));
    unroll_require_step(u, time);
  }
  require_all(j, sums, u, k, scratch);
  const sat_literal reached = unroll_wire(u, target, k);
  const bool holds = founded_solve(u, &reached, 1, CONFLICTS_MAX) == SAT_NO;
  unroll_free(u);
  arena_free(scratch);
  return holds && !budget_check_now(b);
}

static void try_target(prove_job *j, uint32_t i, const balance_vec *sums, budget *b) {
  const wire target = j->full.targets.items[j->targets[i]];
  for (uint32_t k = 0; k <= K_MAX && sums->count && job_is_open(j, i) && !budget_check_now(b); k++)
    if (base_holds(j, target, b) && step_holds(j, sums, target, k, b)) {
      text words = text_new(j->keep);
      text_add_format(&words, "%u sum%s of fluents that no step changes", sums->count,
                      plural(sums->count));
      job_never_reached(j, i,
                        (finding){.method = method, .depth = k, .reason = text_string(&words)});
    }
  job_explain(j, i, method, "not with %u sum%s of fluents that no step changes", sums->count,
              plural(sums->count));
}

/* What is left open by sums of one kind is asked again with those of the next, too. */
void prove_by_balance(prove_job *j, budget *b) {
  if (!job_has_open_reach(j)) return;
  arena *keep = arena_new();
  balance_vec sums = {0};
  budget for_facts = budget_part(b, budget_seconds_left(b) / 3);
  const fact_set *facts = job_facts(j, &for_facts);
  for (uint32_t kind = 0; kind < BALANCE_KINDS && job_has_open_reach(j); kind++) {
    budget for_sums = budget_part(b, budget_seconds_left(b) / 2);
    const uint32_t known = sums.count;
    balances_find(&sums, kind, &j->full, facts, j->options.seed, keep, &for_sums);
    for (uint32_t i = 0; i < j->properties.count && (!kind || sums.count > known); i++)
      if (job_is_open(j, i) && j->targets[i] != ID_NONE) try_target(j, i, &sums, b);
  }
  arena_free(keep);
}
