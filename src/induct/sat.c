#include "induct/sat.h"

#include <ccadical.h>

enum { CLAUSES_BETWEEN_LOOKS = 1 << 14, CALLS_BETWEEN_LOOKS = 1 << 8 };

struct sat_solver {
  CCaDiCaL *core;
  budget *limits;
  growth_watch growth;
  sat_counts counts;
};

static int is_out_of_budget(void *state) {
  sat_solver *s = state;
  return budget_check_now(s->limits) || growth_is_spent(&s->growth, CALLS_BETWEEN_LOOKS);
}

sat_solver *sat_new(budget *limits, arena *keep) {
  sat_solver *s = arena_alloc_zero(keep, sizeof *s);
  *s = (sat_solver){.core = ccadical_init(), .limits = limits, .growth = growth_begin(limits)};
  ccadical_set_option(s->core, "quiet", 1);
  if (limits) ccadical_set_terminate(s->core, s, is_out_of_budget);
  return s;
}

void sat_free(sat_solver *s) {
  if (s) ccadical_release(s->core);
}

void sat_prefer_false(sat_solver *s) {
  ccadical_set_option(s->core, "phase", 0);
  ccadical_set_option(s->core, "forcephase", 1);
  ccadical_set_option(s->core, "lucky", 0);
}

sat_literal sat_variable(sat_solver *s) { return (sat_literal)++s->counts.variables; }

void sat_add(sat_solver *s, const sat_literal *clause, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) ccadical_add(s->core, clause[i]);
  ccadical_add(s->core, 0);
  s->counts.clauses++;
  growth_is_spent(&s->growth, CLAUSES_BETWEEN_LOOKS);
}

void sat_add_1(sat_solver *s, sat_literal a) { sat_add(s, &a, 1); }

void sat_add_2(sat_solver *s, sat_literal a, sat_literal b) {
  sat_add(s, (const sat_literal[]){a, b}, 2);
}

void sat_add_3(sat_solver *s, sat_literal a, sat_literal b, sat_literal c) {
  sat_add(s, (const sat_literal[]){a, b, c}, 3);
}

sat_answer sat_solve(sat_solver *s, const sat_literal *assumptions, uint32_t count,
                     uint32_t conflicts) {
  if (is_out_of_budget(s)) return SAT_UNKNOWN;
  s->counts.questions++;
  for (uint32_t i = 0; i < count; i++) ccadical_assume(s->core, assumptions[i]);
  if (conflicts) ccadical_limit(s->core, "conflicts", (int)conflicts);
  const int answer = ccadical_solve(s->core);
  return answer == 10 ? SAT_YES : answer == 20 ? SAT_NO : SAT_UNKNOWN;
}

/* Versions of the solver differ in what they give back for a negative literal. */
bool sat_value(const sat_solver *s, sat_literal l) {
  return l > 0 ? ccadical_val(s->core, l) > 0 : !(ccadical_val(s->core, -l) > 0);
}

bool sat_was_used(const sat_solver *s, sat_literal assumption) {
  return ccadical_failed(s->core, assumption) != 0;
}

sat_counts sat_count(const sat_solver *s) { return s->counts; }
