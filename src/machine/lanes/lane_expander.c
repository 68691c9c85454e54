#include "machine/lanes/lane_expander.h"

#include <string.h>

void lane_expander_init(lane_expander *e, const lane_stepper *s, arena *keep) {
  const uint32_t roles = s->c->roles.count;
  *e = (lane_expander){.s = s, .keep = keep, .open = lane_alloc(keep, sizeof(bundle_row))};
  lane_steps_init(&e->look, s, keep);
  lane_steps_init(&e->step, s, keep);
  e->starts = arena_zero_array(keep, uint32_t, roles * LANES + 1);
  e->ends = arena_zero_array(keep, uint32_t, roles * LANES + 1);
  e->lanes = arena_new_array(keep, uint32_t, LANES);
  e->joints = arena_new_array(keep, uint32_t, (size_t)LANES * (roles + 1));
  e->before = arena_new_array(keep, uint8_t, (size_t)LANES * s->state_bytes + 8);
  e->after = arena_new_array(keep, uint8_t, (size_t)LANES * s->state_bytes + 8);
}

/* ---- legal moves ---- */

static void count_moves(lane_expander *e, const circuit_role *r, uint32_t *counts) {
  for (uint32_t move = r->first_move; move < r->first_move + r->move_count; move++)
    for (uint32_t word = 0; word * 64 < e->look.count; word++)
      for (uint64_t left = lane_steps_legal(&e->look, move, word) & e->open->words[word]; left;
           left &= left - 1)
        counts[word * 64 + (uint32_t)__builtin_ctzll(left)]++;
}

static void list_moves(lane_expander *e, const circuit_role *r, uint32_t *ends) {
  for (uint32_t move = r->first_move; move < r->first_move + r->move_count; move++)
    for (uint32_t word = 0; word * 64 < e->look.count; word++)
      for (uint64_t left = lane_steps_legal(&e->look, move, word) & e->open->words[word]; left;
           left &= left - 1)
        e->legal.items[ends[word * 64 + (uint32_t)__builtin_ctzll(left)]++] = move;
}

/* Lists the moves of a role in the open lanes; lanes without one are closed. */
static void read_role(lane_expander *e, uint32_t role) {
  const circuit_role *r = &e->s->c->roles.items[role];
  uint32_t *starts = e->starts + role * LANES, *ends = e->ends + role * LANES;
  memset(ends, 0, LANES * sizeof *ends);
  count_moves(e, r, ends);
  uint32_t total = 0;
  for (uint32_t lane = 0; lane < e->look.count; lane++) {
    const uint32_t count = ends[lane];
    if (!count) e->open->words[lane / 64] &= ~(UINT64_C(1) << lane % 64);
    starts[lane] = ends[lane] = e->legal.count + total;
    total += count;
  }
  vec_reserve(e->keep, &e->legal, total);
  e->legal.count += total;
  list_moves(e, r, ends);
}

void lane_expander_look(lane_expander *e, const void *states, uint32_t count) {
  e->from = states;
  lane_steps_load(&e->look, states, count);
  lane_steps_look(&e->look, !e->needs_no_goals);
  *e->open = row_of_first(count);
  for (uint32_t word = 0; word < ROW_WORDS && !e->ignores_terminal; word++)
    e->open->words[word] &= ~e->look.terminal->words[word];
  e->legal.count = 0;
  for (uint32_t role = 0; role < e->s->c->roles.count; role++) read_role(e, role);
}

uint32_t lane_expander_stuck(const lane_expander *e, uint32_t lane) {
  uint32_t role = 0;
  while (role < e->s->c->roles.count &&
         e->ends[role * LANES + lane] > e->starts[role * LANES + lane])
    role++;
  return role;
}

void lane_expander_choose(const lane_expander *e, uint32_t lane, rng *r, uint32_t *joint) {
  const bool is_open = lane_expander_is_open(e, lane);
  for (uint32_t role = 0; role < e->s->c->roles.count; role++) {
    const uint32_t at = role * LANES + lane;
    const uint32_t first = e->starts[at], count = e->ends[at] - first;
    joint[role] = is_open ? e->legal.items[first + rng_below(r, count)]
                          : e->s->c->roles.items[role].first_move;
  }
}

/* ---- steps ---- */

static bool make_steps(lane_expander *e, lane_successors_fn *visit, void *context) {
  if (!e->count) return true;
  lane_steps_load(&e->step, e->before, e->count);
  if (e->needs_step_goals) lane_steps_look(&e->step, true);
  lane_steps_step(&e->step, e->joints);
  lane_steps_store_next(&e->step, e->after);
  if (e->s->symmetries && !e->keeps_states)
    state_group_reduce(e->s->symmetries, e->after, e->count);
  const lane_successors batch = {e->count, e->lanes, e->joints, e->after};
  e->count = 0;
  return visit(context, &batch);
}

/* The next joint move of a lane; false: that was the last. */
static bool next_joint(const lane_expander *e, uint32_t lane, uint32_t *digits) {
  for (uint32_t role = e->s->c->roles.count; role-- > 0;) {
    const uint32_t at = role * LANES + lane;
    if (++digits[role] < e->ends[at] - e->starts[at]) return true;
    digits[role] = 0;
  }
  return false;
}

static void add_step(lane_expander *e, uint32_t lane, const uint32_t *digits) {
  const uint32_t roles = e->s->c->roles.count, bytes = e->s->state_bytes;
  uint32_t *joint = e->joints + (size_t)e->count * roles;
  for (uint32_t role = 0; role < roles; role++)
    joint[role] = e->legal.items[e->starts[role * LANES + lane] + digits[role]];
  memcpy(e->before + (size_t)e->count * bytes, e->from + (size_t)lane * bytes, bytes);
  e->lanes[e->count++] = lane;
}

bool lane_expander_make_steps(lane_expander *e, lane_successors_fn *visit, void *context) {
  const arena_mark mark = arena_save(e->keep);
  uint32_t *digits = arena_zero_array(e->keep, uint32_t, e->s->c->roles.count + 1);
  bool goes_on = true;
  for (uint32_t lane = 0; lane < e->look.count && goes_on; lane++) {
    if (!lane_expander_is_open(e, lane)) continue;
    do {
      add_step(e, lane, digits);
      if (e->count == LANES) goes_on = make_steps(e, visit, context);
    } while (goes_on && next_joint(e, lane, digits));
  }
  goes_on = goes_on && make_steps(e, visit, context);
  e->count = 0;
  arena_restore(e->keep, mark);
  return goes_on;
}
