#include "solve/solved_game.h"

#include "machine/lanes/lane_expander.h"
#include "search/joint_moves.h"
#include "solve/state_key.h"
#include "solve/turns.h"

bool solved_game_open(solved_game *g, const char *folder, const machine *m, arena *keep,
                      diag_sink *d) {
  const grounded *of = machine_grounded(m);
  *g = (solved_game){.m = m, .state_bytes = lane_state_bytes(&of->circuit), .nature = of->nature};
  for (uint32_t role = 0; role < m->role_count; role++) {
    if (role == g->nature) continue;
    if (g->chooser_count < 2) g->choosers[g->chooser_count] = role;
    g->chooser_count++;
  }
  if (!database_open(&g->files, folder, game_fingerprint(of, keep), keep, d)) return false;
  if (g->files.head.roles == m->role_count) return true;
  diag_add(d, DIAG_E701, SPAN_NONE, "the database in %s: it has another number of roles", folder);
  return false;
}

void solved_game_close(solved_game *g) { database_close(&g->files); }

/* ---- values ---- */

void solved_read_end(const solved_game *g, const machine *m, machine_workspace *w,
                     const void *position, solved_worth *out) {
  for (uint32_t role = 0; role < m->role_count; role++) {
    int32_t goal;
    const bool has_one = machine_goals(m, w, position, role, &goal, 1) == 1;
    out->values[role] = role != g->nature && has_one ? goal : ENDLESS_VALUE;
  }
  out->steps = g->files.head.has_steps ? 0 : SOLVED_NO_STEPS;
}

/* The second of two is the only one that chooses; see database_make.h. */
static bool is_swapped(const solved_game *g, machine_workspace *w, const void *position) {
  if (g->chooser_count != 2) return false;
  for (uint32_t role = 0; role < g->m->role_count; role++)
    if (!machine_legal(g->m, w, position, role, NULL, 0)) return false;
  return machine_legal(g->m, w, position, g->choosers[0], NULL, 0) < 2 &&
         machine_legal(g->m, w, position, g->choosers[1], NULL, 0) > 1;
}

static void read_value(const solved_game *g, uint16_t value, bool swapped, double *values) {
  const uint32_t roles = g->m->role_count, a = g->choosers[0], b = g->choosers[1];
  memcpy(values, g->files.values + (size_t)value * roles, roles * sizeof *values);
  if (!swapped) return;
  const double first = values[a];
  values[a] = values[b];
  values[b] = first;
}

database_answer solved_game_ask(const solved_game *g, machine_workspace *w, const void *position,
                                solved_worth *out) {
  uint16_t value, steps = STEPS_NONE;
  if (machine_terminal(g->m, w, position)) {
    solved_read_end(g, g->m, w, position, out);
    return w->trouble.is_there ? DATABASE_NOT_THERE : DATABASE_FOUND;
  }
  const hash_key key = key_of_state(position, g->state_bytes);
  const database_answer answer = database_find(&g->files, key, &value, &steps);
  if (answer != DATABASE_FOUND) return answer;
  read_value(g, value, is_swapped(g, w, position), out->values);
  out->steps = steps == STEPS_NONE ? SOLVED_NO_STEPS : steps;
  return answer;
}

/* ---- moves ---- */

/* One role always hurries; of two, who has more than ENDLESS_VALUE. */
bool solved_is_better(const solved_game *g, uint32_t role, const solved_worth *a,
                      const solved_worth *b) {
  const double x = a->values[role], y = b->values[role];
  if (x != y) return x > y;
  return g->chooser_count == 1 || x > ENDLESS_VALUE ? a->steps < b->steps : a->steps > b->steps;
}

/* The mean over the moves of `random`, where there are several.  False: it is not there. */
static bool ask_after(const solved_game *g, machine_workspace *w, const void *position,
                      joint_moves *j, solved_worth *out, arena *scratch) {
  const uint32_t roles = g->m->role_count;
  const uint32_t chances = g->nature < roles ? j->moves[g->nature].count : 1;
  void *next = arena_alloc_zero(scratch, g->m->position_size + 8);
  solved_worth one = {.values = arena_zero_array(scratch, double, roles)};
  *out = (solved_worth){.values = arena_zero_array(scratch, double, roles)};
  for (uint32_t i = 0; i < chances; i++) {
    if (g->nature < roles) joint_moves_set(j, g->nature, i);
    machine_step(g->m, w, position, j->joint, next);
    if (solved_game_ask(g, w, next, &one) != DATABASE_FOUND) return false;
    for (uint32_t r = 0; r < roles; r++) out->values[r] += one.values[r] / chances;
    out->steps = chances == 1 ? one.steps : SOLVED_NO_STEPS;
  }
  return true;
}

static bool others_choose(const solved_game *g, const joint_moves *j, uint32_t role) {
  for (uint32_t other = 0; other < g->m->role_count; other++)
    if (other != role && other != g->nature && j->moves[other].count > 1) return true;
  return false;
}

static uint32_t list_best(const solved_game *g, machine_workspace *w, const void *position,
                          joint_moves *j, uint32_t role, move_id *moves, uint32_t capacity,
                          arena *scratch) {
  solved_worth best = {0};
  uint32_t count = 0;
  for (uint32_t i = 0; i < j->moves[role].count; i++) {
    solved_worth after;
    joint_moves_set(j, role, i);
    const move_id move = j->joint[role];
    if (!ask_after(g, w, position, j, &after, scratch)) return 0;
    if (count && solved_is_better(g, role, &best, &after)) continue;
    if (!count || solved_is_better(g, role, &after, &best)) {
      best = after;
      count = 0;
    }
    if (count < capacity) moves[count] = move;
    count++;
  }
  return count;
}

uint32_t solved_game_moves(const solved_game *g, machine_workspace *w, const void *position,
                           uint32_t role, move_id *moves, uint32_t capacity) {
  uint32_t count = 0;
  if (role == g->nature || machine_terminal(g->m, w, position)) return 0;
  arena *scratch = arena_new();
  joint_moves j = joint_moves_new(g->m->role_count, scratch);
  if (joint_moves_first(&j, g->m, w, position) == j.role_count && !others_choose(g, &j, role))
    count = list_best(g, w, position, &j, role, moves, capacity, scratch);
  arena_free(scratch);
  return count;
}
