#include "sat/sat.h"

#include "sat/sat_core.h"

enum { CLAUSES_BETWEEN_LOOKS = 1 << 14, CALLS_BETWEEN_LOOKS = 1 << 8 };

struct sat_solver {
  sat_core core;
  arena *guard; /* frees the core */
  budget *limits;
  growth_watch growth;
  sat_counts counts;
};

static int is_out_of_budget(void *state) {
  sat_solver *s = state;
  return budget_check_now(s->limits) || growth_is_spent(&s->growth, CALLS_BETWEEN_LOOKS);
}

/* A solver that has failed has no memory left: that is the end of the budget, too. */
static void note_failure(const sat_solver *s) {
  if (s->core.has_failed && s->limits && s->limits->end == BUDGET_LEFT)
    s->limits->end = BUDGET_MEMORY;
}

static void free_core(void *core) { sat_core_free(core); }

sat_solver *sat_new(budget *limits, arena *keep) {
  sat_solver *s = arena_alloc_zero(keep, sizeof *s);
  *s = (sat_solver){.limits = limits, .growth = growth_begin(limits)};
  sat_core_init(&s->core);
  s->guard = arena_guarding(free_core, &s->core);
  sat_core_set_option(&s->core, "quiet", 1);
  if (limits) sat_core_set_stop(&s->core, is_out_of_budget, s);
  note_failure(s);
  return s;
}

void sat_free(sat_solver *s) {
  if (s) arena_free(s->guard);
}

void sat_prefer_false(sat_solver *s) {
  sat_core_set_option(&s->core, "phase", 0);
  sat_core_set_option(&s->core, "forcephase", 1);
  sat_core_set_option(&s->core, "lucky", 0);
}

sat_literal sat_variable(sat_solver *s) { return (sat_literal)++s->counts.variables; }

void sat_put(sat_solver *s, sat_literal l) {
  sat_core_put(&s->core, l);
  if (l != 0) return;
  s->counts.clauses++;
  note_failure(s);
  growth_is_spent(&s->growth, CLAUSES_BETWEEN_LOOKS);
}

void sat_add(sat_solver *s, const sat_literal *clause, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) sat_put(s, clause[i]);
  sat_put(s, 0);
}

void sat_add_1(sat_solver *s, sat_literal a) { sat_add(s, &a, 1); }

void sat_add_2(sat_solver *s, sat_literal a, sat_literal b) {
  sat_add(s, (const sat_literal[]){a, b}, 2);
}

void sat_add_3(sat_solver *s, sat_literal a, sat_literal b, sat_literal c) {
  sat_add(s, (const sat_literal[]){a, b, c}, 3);
}

sat_literal sat_conjunction(sat_solver *s, const sat_literal *all, uint32_t count) {
  const sat_literal l = sat_variable(s);
  for (uint32_t i = 0; i < count; i++) sat_add_2(s, -l, all[i]);
  for (uint32_t i = 0; i < count; i++) sat_put(s, -all[i]);
  sat_put(s, l);
  sat_put(s, 0);
  return l;
}

sat_answer sat_solve(sat_solver *s, const sat_literal *assumptions, uint32_t count,
                     uint32_t conflicts) {
  if (is_out_of_budget(s)) return SAT_UNKNOWN;
  s->counts.questions++;
  const int answer = sat_core_solve(&s->core, assumptions, count, conflicts);
  note_failure(s);
  return answer == 10 ? SAT_YES : answer == 20 ? SAT_NO : SAT_UNKNOWN;
}

/* Versions of the solver differ in what they give back for a negative literal. */
bool sat_value(const sat_solver *s, sat_literal l) {
  return l > 0 ? sat_core_value(&s->core, l) > 0 : !(sat_core_value(&s->core, -l) > 0);
}

bool sat_was_used(const sat_solver *s, sat_literal assumption) {
  return sat_core_failed(&s->core, assumption);
}

sat_counts sat_count(const sat_solver *s) { return s->counts; }
