#include "prove/explicit/beam.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 8, STEPS_MAX = TRIES * LANES, DEPTH_MAX = 1000, SEEN_SLOTS = 1 << 18 };

/* ---- targets ---- */

/* The line to a state: to a lane of the last level, and one step more. */
static finding finding_of_step(const beam *b, uint32_t parent, const uint32_t *joint) {
  const uint32_t roles = b->s->c->roles.count, length = b->levels.count + (joint != NULL);
  finding v = {.method = b->owner.method, .states = b->state_count, .length = length};
  vec_reserve(b->j->keep, &v.line, length * roles);
  v.line.count = length * roles;
  if (joint) memcpy(v.line.items + (size_t)b->levels.count * roles, joint, roles * sizeof *joint);
  for (uint32_t d = b->levels.count; d-- > 0;) {
    const beam_level *at = &b->levels.items[d];
    memcpy(v.line.items + (size_t)d * roles, at->joints + (size_t)parent * roles,
           roles * sizeof *joint);
    parent = at->parents[parent];
  }
  return v;
}

/* Looks for targets among the states that `e` has looked at; `joints`: the steps to them, or NULL
   at the start. */
static void note_targets(beam *b, const lane_expander *e, const uint32_t *joints) {
  for (uint32_t i = 0; i < b->j->properties.count; i++) {
    const uint32_t target = b->j->targets[i];
    if (target == ID_NONE || !job_is_open(b->j, i)) continue;
    const uint32_t lane = row_first_lane(&e->look.targets[target]);
    if (lane >= e->look.count) continue;
    const uint32_t *joint = joints ? joints + (size_t)lane * b->s->c->roles.count : NULL;
    job_reached(b->j, i, finding_of_step(b, lane, joint));
  }
}

/* ---- steps ---- */

/* True when the state was not met in this round, as far as is remembered. */
static bool is_new(beam *b, const uint8_t *state) {
  const uint64_t hash = hash_bytes(state, b->s->state_bytes);
  uint64_t *slot = &b->seen[hash % SEEN_SLOTS];
  if (*slot == hash) return false;
  *slot = hash;
  return true;
}

static void add_step(beam *b, uint32_t number, uint32_t lane, const uint8_t *state) {
  beam_step fresh = {.number = number, .parent = lane};
  b->owner.rate(b->owner.context, b, &fresh, lane, state);
  b->steps[b->step_count++] = fresh;
}

/* A random step from every state. */
static void try_steps(beam *b, uint32_t try) {
  const uint32_t roles = b->s->c->roles.count, first = try * LANES;
  uint32_t *joints = b->joints + (size_t)first * roles;
  uint8_t *after = b->next_states + (size_t)first * b->s->state_bytes;
  for (uint32_t lane = 0; lane < b->count; lane++)
    lane_expander_choose(&b->now, lane, &b->r, joints + (size_t)lane * roles);
  lane_steps_load(&b->now.step, b->states, b->count);
  lane_steps_step(&b->now.step, joints);
  lane_steps_store_next(&b->now.step, after);
  lane_expander_look(&b->next, after, b->count);
  b->state_count += b->count;
  note_targets(b, &b->next, joints);
  for (uint32_t lane = 0; lane < b->count; lane++) {
    const uint8_t *state = after + (size_t)lane * b->s->state_bytes;
    if (lane_expander_is_open(&b->next, lane) && is_new(b, state))
      add_step(b, first + lane, lane, state);
  }
}

static int compare_steps(const void *left, const void *right) {
  const beam_step *a = left, *b = right;
  if (a->score != b->score) return a->score < b->score ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

/* The best steps lead to the states of the next level. */
static void keep_best(beam *b) {
  const uint32_t roles = b->s->c->roles.count, bytes = b->s->state_bytes;
  qsort(b->steps, b->step_count, sizeof *b->steps, compare_steps);
  b->count = b->step_count < LANES ? b->step_count : LANES;
  uint32_t *parents = arena_new_array(b->round, uint32_t, b->count + 1);
  uint32_t *joints = arena_new_array(b->round, uint32_t, (size_t)b->count * roles + 1);
  for (uint32_t i = 0; i < b->count; i++) {
    const beam_step *it = &b->steps[i];
    parents[i] = it->parent;
    b->notes[i] = it->note;
    memcpy(joints + (size_t)i * roles, b->joints + (size_t)it->number * roles,
           roles * sizeof *joints);
    memcpy(b->states + (size_t)i * bytes, b->next_states + (size_t)it->number * bytes, bytes);
  }
  const beam_level fresh = {parents, joints};
  vec_push(b->round, &b->levels, fresh);
}

/* ---- rounds ---- */

/* At the start there is one state: it is put into every lane, so that many steps are tried. */
static void begin_round(beam *b) {
  const uint32_t bytes = b->s->state_bytes;
  b->count = LANES;
  memset(b->seen, 0, SEEN_SLOTS * sizeof *b->seen);
  lane_stepper_start(b->s, b->states);
  for (uint32_t lane = 1; lane < LANES; lane++)
    memcpy(b->states + (size_t)lane * bytes, b->states, bytes);
  for (uint32_t lane = 0; lane < LANES; lane++) b->notes[lane] = b->owner.first_note;
  lane_expander_look(&b->now, b->states, b->count);
  note_targets(b, &b->now, NULL);
}

static bool goes_on(const beam *b) { return b->owner.goes_on(b->owner.context); }

bool beam_run_round(beam *b) {
  const arena_mark mark = arena_save(b->round);
  b->levels.items = NULL;
  b->levels.count = b->levels.capacity = 0;
  begin_round(b);
  while (lane_expander_is_open(&b->now, 0) && b->levels.count < DEPTH_MAX && goes_on(b)) {
    b->step_count = 0;
    for (uint32_t try = 0; try < TRIES && goes_on(b); try++) try_steps(b, try);
    if (!b->step_count) break;
    keep_best(b);
    lane_expander_look(&b->now, b->states, b->count);
  }
  const bool has_stepped = b->levels.count > 0;
  arena_restore(b->round, mark);
  return has_stepped;
}

void beam_init(beam *b, prove_job *j, beam_owner owner, uint64_t stream, arena *keep) {
  const lane_stepper *s = job_stepper(j);
  const size_t roles = s->c->roles.count;
  *b = (beam){.j = j, .s = s, .round = arena_new(), .owner = owner};
  b->r = rng_new(j->options.seed, stream);
  lane_expander_init(&b->now, s, keep);
  lane_expander_init(&b->next, s, keep);
  b->states = arena_zero_array(keep, uint8_t, (size_t)LANES * s->state_bytes + 8);
  b->notes = arena_new_array(keep, uint32_t, LANES);
  b->joints = arena_new_array(keep, uint32_t, STEPS_MAX * roles);
  b->next_states = arena_zero_array(keep, uint8_t, (size_t)STEPS_MAX * s->state_bytes + 8);
  b->steps = arena_new_array(keep, beam_step, STEPS_MAX);
  b->seen = arena_new_array(keep, uint64_t, SEEN_SLOTS);
}

void beam_free(beam *b) { arena_free(b->round); }
