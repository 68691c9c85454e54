#include "api/api.h"

#include "machine/lanes/lanes_machine.h"

#include <string.h>

_Static_assert(TABIA_BUNDLE_MAX == (int)LANES,
               "a bundle is what the machine `lanes` steps at once");

struct tabia_bundle {
  arena *keep;
  const machine *m;
  tabia_workspace *w; /* for machines that take one after another; else it only has limits */
  bool has_lanes;
  lane_steps steps;         /* if it has lanes */
  unsigned char *positions; /* as they were loaded or stepped to */
  uint32_t count;
};

tabia_bundle *tabia_bundle_new(const tabia_machine *m, const tabia_limits *limits) {
  arena *keep = arena_new();
  tabia_bundle *b = arena_alloc_zero(keep, sizeof *b);
  *b = (tabia_bundle){.keep = keep, .m = m->m, .has_lanes = machine_is_lanes(m->m)};
  b->w = tabia_workspace_new(m, limits);
  b->positions = arena_alloc(keep, m->m->position_size * LANES + 1);
  if (b->has_lanes) lanes_steps_init(&b->steps, m->m, keep, NULL);
  return b;
}

void tabia_bundle_free(tabia_bundle *b) {
  if (!b) return;
  tabia_workspace_free(b->w);
  arena_free(b->keep);
}

tabia_status tabia_bundle_status(const tabia_bundle *b, tabia_messages *log) {
  return tabia_workspace_status(b->w, log);
}

/* ---- in and out ---- */

static unsigned char *position_at(const tabia_bundle *b, uint32_t i) {
  return b->positions + i * b->m->position_size;
}

bool tabia_bundle_load(tabia_bundle *b, const void *positions, uint32_t count) {
  if (count > TABIA_BUNDLE_MAX) return false;
  b->count = count;
  memcpy(b->positions, positions, count * b->m->position_size);
  if (b->has_lanes) lane_steps_load(&b->steps, (const uint64_t *)(void *)b->positions, count);
  return true;
}

uint32_t tabia_bundle_count(const tabia_bundle *b) { return b->count; }

void tabia_bundle_store(const tabia_bundle *b, void *positions) {
  memcpy(positions, b->positions, b->count * b->m->position_size);
}

/* ---- lanes ---- */

static void lanes_goals(tabia_bundle *b, uint32_t role, int32_t *values) {
  const grounded *g = machine_grounded(b->m);
  bool is_seen[TABIA_BUNDLE_MAX] = {false};
  lane_steps_run(&b->steps, PHASE_GOALS);
  for (uint32_t i = 0; i < b->count; i++) values[i] = TABIA_NO_GOAL;
  for (uint32_t k = g->goals_of[role]; k < g->goals_of[role + 1]; k++)
    for (uint32_t i = 0; i < b->count; i++) {
      if (!lane_steps_bit(&b->steps, b->steps.net->goals + g->goals[k], i)) continue;
      values[i] = is_seen[i] ? TABIA_NO_GOAL : g->goal_values[g->goals[k]];
      is_seen[i] = true;
    }
}

/* Adds a move to the lists of the states in one word that have it. */
static void list_move(uint64_t states, uint32_t first, tabia_move move, tabia_move *moves,
                      uint32_t capacity, uint32_t *counts) {
  for (; states; states &= states - 1) {
    const uint32_t i = first + (uint32_t)__builtin_ctzll(states);
    if (counts[i] < capacity) moves[(size_t)i * capacity + counts[i]] = move;
    counts[i]++;
  }
}

/* The lanes behind the last state hold what was there before: they are masked. */
static uint64_t states_in_word(const tabia_bundle *b, uint32_t word) {
  const uint32_t left = b->count - word * 64;
  return left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
}

static void lanes_legal(tabia_bundle *b, uint32_t role, tabia_move *moves, uint32_t capacity,
                        uint32_t *counts) {
  const circuit_role *r = &machine_grounded(b->m)->circuit.roles.items[role];
  const uint32_t root = b->steps.net->legal + r->first_move;
  lane_steps_run(&b->steps, PHASE_LEGAL);
  memset(counts, 0, b->count * sizeof *counts);
  for (uint32_t move = 0; move < r->move_count; move++)
    for (uint32_t word = 0; word * 64 < b->count; word++) {
      const uint64_t states =
          lane_steps_word(&b->steps, root + move, word) & states_in_word(b, word);
      list_move(states, word * 64, move, moves, capacity, counts);
    }
}

static void lanes_step(tabia_bundle *b, const tabia_move *joints) {
  uint64_t *positions = (uint64_t *)(void *)b->positions;
  lane_steps_run(&b->steps, PHASE_LEGAL);
  lane_steps_set_moves(&b->steps, joints);
  lane_steps_run(&b->steps, PHASE_NEXT);
  lane_steps_store(&b->steps, positions);
  lane_steps_load(&b->steps, positions, b->count);
}

/* ---- any machine ---- */

void tabia_bundle_terminal(tabia_bundle *b, bool *answers) {
  if (b->has_lanes) lane_steps_run(&b->steps, PHASE_TERMINAL);
  for (uint32_t i = 0; i < b->count; i++)
    answers[i] = b->has_lanes ? lane_steps_bit(&b->steps, b->steps.net->terminal, i)
                              : tabia_position_terminal(b->w, position_at(b, i));
}

void tabia_bundle_goals(tabia_bundle *b, uint32_t role, int32_t *values) {
  if (b->has_lanes) {
    lanes_goals(b, role, values);
    return;
  }
  for (uint32_t i = 0; i < b->count; i++)
    values[i] = tabia_position_goal(b->w, position_at(b, i), role);
}

void tabia_bundle_legal(tabia_bundle *b, uint32_t role, tabia_move *moves, uint32_t capacity,
                        uint32_t *counts) {
  if (b->has_lanes) {
    lanes_legal(b, role, moves, capacity, counts);
    return;
  }
  for (uint32_t i = 0; i < b->count; i++)
    counts[i] = tabia_position_legal(b->w, position_at(b, i), role,
                                     capacity ? moves + (size_t)i * capacity : NULL, capacity);
}

void tabia_bundle_step(tabia_bundle *b, const tabia_move *joints) {
  if (b->has_lanes) {
    lanes_step(b, joints);
    return;
  }
  for (uint32_t i = 0; i < b->count; i++)
    tabia_position_step(b->w, position_at(b, i), joints + (size_t)i * b->m->role_count,
                        position_at(b, i));
}
