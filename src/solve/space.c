#include "solve/space.h"

static bool has_start(const solve_space *s) {
  if (!s->ranks) return true;
  const uint64_t hash = hash_bytes(s->start, s->stepper.state_bytes);
  return rank_of_hash(s->ranks, hash) == ranks_rank(s->ranks);
}

bool space_init(solve_space *s, const machine *m, uint32_t threads, ranks *r, arena *keep,
                budget *b) {
  const grounded *g = machine_grounded(m);
  *s = (solve_space){.keep = keep, .m = m, .g = g, .ranks = r, .is_constant_sum = true};
  s->threads = r ? 1 : threads;
  s->choosers = m->role_count - (g->nature < m->role_count);
  if (!lane_stepper_init(&s->stepper, &g->circuit, lane_state_bytes(&g->circuit), LANE_NATIVE_MAX,
                         keep, b)) {
    s->keep = NULL;
    return false;
  }
  s->start = arena_zero_array(keep, uint8_t, s->stepper.state_bytes + 8);
  lane_stepper_start(&s->stepper, s->start);
  walk_init_part(&s->w, &s->stepper, has_start(s), keep);
  return true;
}

void space_free(solve_space *s) {
  if (!s->keep) return;
  walk_free(&s->w);
  lane_stepper_free(&s->stepper);
}

bool space_walk(solve_space *s, uint64_t max_states, budget *b, diag_sink *d) {
  const walk_options o = {.threads = s->threads, .max_states = max_states};
  if (s->ranks) return rank_walk_run(&s->w, s->ranks, max_states, b);
  return walk_run(&s->w, o, b, d) && s->w.is_complete;
}

/* ---- one state ---- */

int32_t goal_in_lane(const solve_space *s, const lane_expander *e, uint32_t role, uint32_t lane,
                     fault_kind *fault) {
  const grounded *g = s->g;
  uint32_t count = 0;
  int32_t value = ENDLESS_VALUE;
  for (uint32_t i = g->goals_of[role]; i < g->goals_of[role + 1]; i++) {
    if (!(e->look.goals[g->goals[i]].words[lane / 64] >> lane % 64 & 1)) continue;
    value = g->goal_values[g->goals[i]];
    count++;
  }
  if (role == g->nature) return ENDLESS_VALUE;
  if (count != 1 && fault) *fault = count ? FAULT_SEVERAL_GOALS : FAULT_NO_GOAL;
  return count == 1 ? value : ENDLESS_VALUE;
}

uint32_t choosers_in_lane(const solve_space *s, const lane_expander *e, uint32_t lane,
                          uint32_t *last) {
  uint32_t count = 0;
  *last = 0;
  for (uint32_t role = 0; role < s->m->role_count; role++) {
    if (role == s->g->nature || moves_in_lane(e, role, lane) < 2) continue;
    *last = role;
    count++;
  }
  return count;
}

/* ---- all states ---- */

static void note_fault(solve_space *s, fault_kind kind, uint32_t role, state_place where) {
  if (s->faults++) return;
  s->fault = kind;
  s->fault_role = role;
  s->fault_place = where;
}

static void survey_end(solve_space *s, const lane_expander *e, uint32_t lane, state_place where) {
  int32_t sum = 0;
  s->ends++;
  for (uint32_t role = 0; role < s->m->role_count; role++) {
    fault_kind fault = FAULT_NONE;
    const int32_t goal = goal_in_lane(s, e, role, lane, &fault);
    if (fault != FAULT_NONE) note_fault(s, fault, role, where);
    if (role != s->g->nature) sum += goal;
  }
  s->is_constant_sum &= sum == WHOLE_SUM;
}

static void survey_state(solve_space *s, const lane_expander *e, uint32_t lane, state_place where) {
  uint32_t last;
  if (is_end_lane(e, lane)) {
    survey_end(s, e, lane, where);
    return;
  }
  if (!lane_expander_is_open(e, lane)) {
    note_fault(s, FAULT_STUCK, lane_expander_stuck(e, lane), where);
    return;
  }
  s->has_choices_at_once |= choosers_in_lane(s, e, lane, &last) > 1;
  s->has_chance |= s->g->nature < s->m->role_count && moves_in_lane(e, s->g->nature, lane) > 1;
}

/* What every rank has seen, put together. */
static bool share_survey(solve_space *s) {
  uint64_t n[] = {walk_states(&s->w),     s->ends,       s->faults,
                  s->has_choices_at_once, s->has_chance, !s->is_constant_sum};
  s->own_ends = s->ends;
  if (s->ranks && !ranks_sum(s->ranks, n, sizeof n / sizeof *n)) return false;
  s->states = n[0];
  s->ends = n[1];
  s->faults = n[2];
  s->has_choices_at_once = n[3] > 0;
  s->has_chance = n[4] > 0;
  s->is_constant_sum = n[5] == 0;
  return true;
}

bool space_survey(solve_space *s, budget *b) {
  arena *scratch = arena_new();
  lane_expander e;
  lane_expander_init(&e, &s->stepper, scratch);
  state_place *places = arena_new_array(scratch, state_place, LANES);
  uint8_t *states = arena_new_array(scratch, uint8_t, (size_t)LANES * s->stepper.state_bytes + 8);
  bool is_timely = true;
  for (uint32_t level = 0; level < s->w.levels.count && is_timely; level++)
    for (uint64_t block = 0; block * LANES < level_size(&s->w, level) && is_timely; block++) {
      const uint32_t count = level_read(&s->w, level, block, states, places);
      lane_expander_look(&e, states, count);
      for (uint32_t i = 0; i < count; i++) survey_state(s, &e, i, places[i]);
      is_timely = !budget_check_now(b);
    }
  arena_free(scratch);
  s->is_constant_sum &= s->choosers == 2;
  return is_timely && share_survey(s);
}
