#include "solve/space.h"

#include "solve/state_key.h"

/* The files of the job, if it is to have any, and what they hold. */
static bool begin_spread(solve_space *s, checkpoint_wish c, diag_sink *d) {
  if (c.folder) {
    s->files = arena_alloc_zero(s->keep, sizeof *s->files);
    if (!checkpoint_open(s->files, c, game_fingerprint(s->g, s->keep), s->stepper.state_bytes,
                         s->ranks, s->keep, d))
      return false;
  }
  s->is_begun = true;
  return level_walk_init(&s->spread, &s->stepper, s->ranks, s->files, s->keep, d);
}

static void use_symmetries(solve_space *s, budget *b) {
  state_group_find(&s->symmetries, &s->g->ground, &s->g->circuit, s->stepper.state_bytes, s->keep,
                   b);
  if (s->symmetries.order > 1) s->stepper.symmetries = &s->symmetries;
}

bool space_init(solve_space *s, const machine *m, uint32_t threads, bool by_symmetry, ranks *r,
                checkpoint_wish c, arena *keep, budget *b, diag_sink *d) {
  const grounded *g = machine_grounded(m);
  *s = (solve_space){.keep = keep, .m = m, .g = g, .ranks = r, .is_constant_sum = true};
  s->threads = r ? 1 : threads;
  s->choosers = m->role_count - (g->nature < m->role_count);
  if (!lane_stepper_init(&s->stepper, &g->circuit, lane_state_bytes(&g->circuit), LANE_NATIVE_MAX,
                         keep, b)) {
    s->keep = NULL;
    return false;
  }
  s->symmetries.order = 1;
  if (by_symmetry) use_symmetries(s, b);
  s->start = arena_zero_array(keep, uint8_t, s->stepper.state_bytes + 8);
  lane_stepper_start(&s->stepper, s->start);
  if (r) return begin_spread(s, c, d);
  walk_init(&s->w, &s->stepper, keep);
  return true;
}

void space_free(solve_space *s) {
  if (!s->keep) return;
  if (!s->ranks) walk_free(&s->w);
  if (s->is_begun) level_walk_free(&s->spread);
  lane_stepper_free(&s->stepper);
}

bool space_walk(solve_space *s, uint64_t max_states, budget *b, diag_sink *d) {
  const walk_options o = {.threads = s->threads, .max_states = max_states};
  const level_walk_limits most = {.max_states = max_states, .max_bytes = b->max_bytes};
  if (s->ranks) return level_walk_run(&s->spread, most, b);
  return walk_run(&s->w, o, b, d) && s->w.is_complete;
}

/* ---- by level, and by part ---- */

uint32_t space_level_count(const solve_space *s) {
  return s->ranks ? s->spread.levels.count : s->w.levels.count;
}

uint64_t space_level_size(const solve_space *s, uint32_t level) {
  return s->ranks ? s->spread.levels.items[level]->count : level_size(&s->w, level);
}

uint32_t space_level_read(solve_space *s, uint32_t level, uint64_t block, uint8_t *room,
                          const uint8_t **states, state_place *places) {
  if (s->ranks) return level_walk_read(&s->spread, level, block, states, places);
  *states = room;
  return level_read(&s->w, level, block, room, places);
}

uint64_t space_states(const solve_space *s) {
  return s->ranks ? level_walk_states(&s->spread) : walk_states(&s->w);
}

/* The last level of a complete walk is empty. */
uint32_t space_depth(const solve_space *s) {
  if (!s->ranks) return walk_depth(&s->w);
  return s->spread.sizes.count ? s->spread.sizes.count - 1 - s->spread.is_complete : 0;
}

bool space_is_layered(const solve_space *s) {
  return s->ranks ? s->spread.is_layered : s->w.is_layered;
}

uint32_t space_part_count(const solve_space *s) {
  return s->ranks ? s->spread.levels.count : STORE_SHARDS;
}

uint32_t space_part_size(const solve_space *s, uint32_t part) {
  return s->ranks ? s->spread.levels.items[part]->count : s->w.store.shards[part].count;
}

bool space_find(const solve_space *s, const uint8_t *state, state_place *where) {
  return s->ranks ? level_walk_find(&s->spread, state, where)
                  : store_find(&s->w.store, state, where);
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

static const uint8_t *state_in_lane(const solve_space *s, const lane_expander *e, uint32_t lane) {
  return e->from + (size_t)lane * s->stepper.state_bytes;
}

static void survey_end(solve_space *s, const lane_expander *e, uint32_t lane, state_place where) {
  int32_t sum = 0;
  s->ends += state_group_images(&s->symmetries, state_in_lane(s, e, lane));
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
  s->states += state_group_images(&s->symmetries, state_in_lane(s, e, lane));
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
  uint64_t n[] = {s->states,          s->ends, s->faults, s->has_choices_at_once, s->has_chance,
                  !s->is_constant_sum};
  if (s->ranks && !ranks_sum(s->ranks, n, sizeof n / sizeof *n)) return false;
  s->states = n[0];
  s->ends = n[1];
  s->faults = n[2];
  s->has_choices_at_once = n[3] > 0;
  s->has_chance = n[4] > 0;
  s->is_constant_sum = n[5] == 0;
  s->kept = space_states(s);
  return true;
}

bool space_survey(solve_space *s, budget *b) {
  arena *scratch = arena_new();
  lane_expander e;
  lane_expander_init(&e, &s->stepper, scratch);
  state_place *places = arena_new_array(scratch, state_place, LANES);
  uint8_t *room = arena_new_array(scratch, uint8_t, (size_t)LANES * s->stepper.state_bytes + 8);
  const uint8_t *states;
  bool is_timely = true;
  for (uint32_t level = 0; level < space_level_count(s) && is_timely; level++)
    for (uint64_t block = 0; block * LANES < space_level_size(s, level) && is_timely; block++) {
      const uint32_t count = space_level_read(s, level, block, room, &states, places);
      lane_expander_look(&e, states, count);
      for (uint32_t i = 0; i < count; i++) survey_state(s, &e, i, places[i]);
      is_timely = !budget_check_now(b);
    }
  arena_free(scratch);
  s->is_constant_sum &= s->choosers == 2;
  return is_timely && share_survey(s);
}
