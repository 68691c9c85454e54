#include "api/api_known.h"

#include "api/api_plan.h"

/* ---- what is known ---- */

static void close_database(void *values) { tabia_database_close(values); }

/* Steps are known of games in turns with a constant sum, and of one role. */
static bool take(known_game *k, const tabia_machine *m, tabia_database *values) {
  *k = (known_game){arena_guarding(close_database, values), values, tabia_machine_role_count(m)};
  if (tabia_database_bytes(values, "steps") && k->roles <= 2) return true;
  known_free(k);
  return false;
}

tabia_status known_open(known_game *k, const tabia_machine *m, const char *folder,
                        tabia_messages *log) {
  tabia_database *values;
  const tabia_status status = tabia_database_open(&values, m, folder, log);
  if (status != TABIA_OK || take(k, m, values)) return status;
  api_tell_error(log,
                 "%s: a search takes values of games of one role, and of two in turn whose goals "
                 "add up to 100",
                 folder);
  return TABIA_MISUSE;
}

static void free_limits(void *limits) { tabia_limits_free(limits); }

bool known_find(known_game *k, const tabia_machine *m, double seconds, size_t bytes,
                const tabia_limits *limits) {
  if (k->values) return true;
  tabia_limits *part = api_part_of_limits(seconds, limits);
  arena *guard = arena_guarding(free_limits, part);
  tabia_database *values;
  if (part && (!part->bytes || bytes < part->bytes)) tabia_limits_set_bytes(part, bytes);
  if (part && tabia_database_solve(&values, m, part, NULL) == TABIA_OK) take(k, m, values);
  arena_free(guard);
  return k->values;
}

void known_free(known_game *k) {
  if (k->guard) arena_free(k->guard);
  *k = (known_game){0};
}

/* ---- moves ---- */

uint32_t known_moves(const known_game *k, tabia_workspace *w, const void *position, uint32_t role,
                     tabia_move *moves, uint32_t capacity, double *value) {
  double values[2];
  if (!k->values || !tabia_database_values(k->values, w, position, values)) return 0;
  *value = values[role];
  return tabia_database_moves(k->values, w, position, role, moves, capacity);
}

bool known_joint(const known_game *k, tabia_workspace *w, const void *position, tabia_move *joint) {
  double value;
  for (uint32_t r = 0; r < k->roles; r++) {
    const uint32_t count = tabia_position_legal(w, position, r, &joint[r], 1);
    if (!count || (count > 1 && !known_moves(k, w, position, r, &joint[r], 1, &value)))
      return false;
  }
  return !tabia_position_terminal(w, position);
}
