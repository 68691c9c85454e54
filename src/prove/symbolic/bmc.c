/* The method `bmc`: is a target reached in 0, 1, 2, ... steps?  The first line that is found is a
   shortest one.  When no further step can be made from any state, all plays have been looked at,
   and what was not reached never is. */
#include "induct/unroll.h"
#include "prove/methods.h"

static const char method[] = "bmc";

static uint32_t move_made(unrolling *u, const circuit *c, uint32_t role, uint32_t time) {
  const circuit_role *r = &c->roles.items[role];
  for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++)
    if (sat_value(unroll_solver(u), unroll_wire(u, c->moves.items[i].does, time))) return i;
  return r->first_move;
}

static void take_line(prove_job *j, unrolling *u, uint32_t length, id_vec *line) {
  line->count = 0;
  for (uint32_t time = 0; time < length; time++)
    for (uint32_t role = 0; role < j->full.roles.count; role++)
      vec_push(j->keep, line, move_made(u, &j->full, role, time));
}

static void settle_line(prove_job *j, uint32_t i, unrolling *u, uint32_t length) {
  finding v = {.method = method, .length = length};
  take_line(j, u, length, &v.line);
  job_reached(j, i, v);
}

sat_answer bmc_find_play(prove_job *j, uint32_t steps, id_vec *line, budget *b) {
  unrolling *u = unroll_new(&j->full, true, b);
  for (uint32_t time = 0; time < steps && !budget_check_now(b); time++)
    unroll_require_step(u, time);
  const sat_answer answer =
      budget_check_now(b) ? SAT_UNKNOWN : sat_solve(unroll_solver(u), NULL, 0, 0);
  if (answer == SAT_YES) take_line(j, u, steps, line);
  unroll_free(u);
  return answer;
}

/* Asks for all open targets after `time` steps. */
static void ask_targets(prove_job *j, unrolling *u, bool *is_given_up, uint32_t time, budget *b) {
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (!job_is_open(j, i) || j->targets[i] == ID_NONE || is_given_up[i]) continue;
    const sat_literal target = unroll_wire(u, j->full.targets.items[j->targets[i]], time);
    const sat_answer answer = sat_solve(unroll_solver(u), &target, 1, 0);
    if (answer == SAT_YES) settle_line(j, i, u, time);
    is_given_up[i] = answer == SAT_YES; /* a line that does not replay comes from recursive rules */
    if (answer == SAT_NO && j->findings[i].clear_steps <= time)
      j->findings[i].clear_steps = time + 1;
    if (!budget_check_now(b) && answer == SAT_NO)
      job_explain(j, i, method,
                  "not in %u step%s; to exclude it, it needs to go on to the longest play", time,
                  plural(time));
  }
}

static void settle_never(prove_job *j, const bool *is_given_up, uint32_t steps) {
  for (uint32_t i = 0; i < j->properties.count; i++) {
    finding v = {.method = method, .depth = steps, .is_bounded = true};
    if (j->targets[i] != ID_NONE && !is_given_up[i]) job_never_reached(j, i, v);
    if (j->properties.items[i].kind != PROPERTY_TERMINATES) continue;
    v.kind = VERDICT_PROVED;
    v.plays = play_length_exact(steps);
    job_settle(j, i, v);
  }
}

void prove_by_bmc(prove_job *j, budget *b) {
  if (!job_has_open_reach(j) && !job_has_open(j, PROPERTY_TERMINATES)) return;
  unrolling *u = unroll_new(&j->full, true, b);
  bool *is_given_up = arena_zero_array(j->keep, bool, j->properties.count + 1);
  for (uint32_t time = 0; !job_is_settled(j); time++) {
    ask_targets(j, u, is_given_up, time, b);
    unroll_require_step(u, time);
    if (budget_check_now(b)) break;
    const sat_answer goes_on = sat_solve(unroll_solver(u), NULL, 0, 0);
    if (goes_on == SAT_NO) settle_never(j, is_given_up, time);
    if (goes_on != SAT_YES) break;
  }
  unroll_free(u);
}
