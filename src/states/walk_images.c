#include "states/walk_images.h"

#include <string.h>

void line_follow(const lane_stepper *s, const id_vec *line, uint8_t *state) {
  arena *scratch = arena_new();
  lane_steps steps;
  const uint32_t roles = s->c->roles.count;
  lane_steps_init(&steps, s, scratch);
  lane_stepper_start(s, state);
  for (uint32_t at = 0; at + roles <= line->count && roles; at += roles) {
    lane_steps_load(&steps, state, 1);
    lane_steps_step(&steps, line->items + at);
    lane_steps_store_next(&steps, state);
  }
  arena_free(scratch);
}

/* The number of an earlier round that began with this state; `count`: none. */
static uint32_t round_with(const uint8_t *begins, uint32_t count, const uint8_t *state,
                           uint32_t bytes) {
  uint32_t i = 0;
  while (i < count && memcmp(begins + (size_t)i * bytes, state, bytes) != 0) i++;
  return i;
}

bool line_cut_round(const lane_stepper *s, id_vec *line, uint32_t first, uint32_t round,
                    uint32_t *returns_to) {
  const uint32_t roles = s->c->roles.count, bytes = s->state_bytes;
  const uint32_t rounds = (line->count / roles - first) / round;
  arena *scratch = arena_new();
  uint8_t *begins = arena_zero_array(scratch, uint8_t, (rounds + (size_t)1) * bytes + 8);
  uint8_t *state = arena_zero_array(scratch, uint8_t, bytes + (size_t)8);
  bool is_found = false;
  for (uint32_t n = 0; n <= rounds && !is_found; n++) {
    const id_vec part = {.items = line->items, .count = (first + n * round) * roles};
    line_follow(s, &part, state);
    const uint32_t before = round_with(begins, n, state, bytes);
    is_found = before < n;
    if (is_found) line->count = part.count;
    if (is_found) *returns_to = first + before * round;
    memcpy(begins + (size_t)n * bytes, state, bytes);
  }
  arena_free(scratch);
  return is_found;
}

/* A step of real play that leads to an image of the wanted state. */
typedef struct image_search {
  const lane_stepper *s;
  const uint8_t *wanted;
  uint8_t *image;
  uint8_t *next; /* the state that the step leads to */
  uint32_t *joint;
  bool is_found;
} image_search;

static bool compare_images(void *context, const lane_successors *batch) {
  image_search *x = context;
  const uint32_t bytes = x->s->state_bytes, roles = x->s->c->roles.count;
  for (uint32_t i = 0; i < batch->count && !x->is_found; i++) {
    memcpy(x->image, batch->states + (size_t)i * bytes, bytes);
    state_group_reduce(x->s->symmetries, x->image, 1);
    if (memcmp(x->image, x->wanted, bytes) != 0) continue;
    memcpy(x->next, batch->states + (size_t)i * bytes, bytes);
    memcpy(x->joint, batch->joints + (size_t)i * roles, roles * sizeof *x->joint);
    x->is_found = true;
  }
  return !x->is_found;
}

/* The states that a line of a walk up to symmetry goes through, one behind another. */
static uint8_t *kept_states(const lane_stepper *s, const id_vec *line, arena *keep) {
  const uint32_t roles = s->c->roles.count, bytes = s->state_bytes;
  uint8_t *states = arena_zero_array(keep, uint8_t, (line->count / roles + 1) * (size_t)bytes + 8);
  lane_steps steps;
  lane_steps_init(&steps, s, keep);
  lane_stepper_start(s, states);
  for (uint32_t at = 0, i = 0; at + roles <= line->count; at += roles, i++) {
    uint8_t *next = states + (size_t)(i + 1) * bytes;
    lane_steps_load(&steps, states + (size_t)i * bytes, 1);
    lane_steps_step(&steps, line->items + at);
    lane_steps_store_next(&steps, next);
    state_group_reduce(s->symmetries, next, 1);
  }
  return states;
}

void line_straighten(const lane_stepper *s, id_vec *line) {
  const uint32_t roles = s->c->roles.count, bytes = s->state_bytes;
  if (!s->symmetries || !roles) return;
  arena *scratch = arena_new(), *steps = arena_new();
  const uint8_t *kept = kept_states(s, line, scratch);
  uint8_t *state = arena_zero_array(scratch, uint8_t, bytes + (size_t)8);
  image_search x = {.s = s, .image = arena_zero_array(scratch, uint8_t, bytes + (size_t)8)};
  x.next = arena_zero_array(scratch, uint8_t, bytes + (size_t)8);
  lane_expander e;
  lane_expander_init(&e, s, steps);
  e.keeps_states = true;
  lane_stepper_start(s, state);
  for (uint32_t at = 0, i = 0; at + roles <= line->count; at += roles, i++) {
    x.wanted = kept + (size_t)(i + 1) * bytes;
    x.joint = line->items + at;
    x.is_found = false;
    lane_expander_look(&e, state, 1);
    lane_expander_make_steps(&e, compare_images, &x);
    assert(x.is_found);
    memcpy(state, x.next, bytes);
  }
  arena_free(steps);
  arena_free(scratch);
}
