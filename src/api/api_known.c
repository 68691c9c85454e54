#include "api/api_known.h"

#include "api/api_plan.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FOLDER_MAX = 512, NAME_MAX_BYTES = 256 };

/* ---- solving ---- */

/* What is made of functions of the header, and a folder that nobody else sees. */
typedef struct solving {
  char folder[FOLDER_MAX];
  tabia_limits *limits;
  tabia_solve *solve;
} solving;

static void remove_folder(const char *folder) {
  char path[FOLDER_MAX + NAME_MAX_BYTES];
  DIR *d = opendir(folder);
  if (!d) return;
  for (const struct dirent *e; (e = readdir(d));) {
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (e->d_name[0] != '.') unlink(path);
  }
  closedir(d);
  rmdir(folder);
}

static void end_solving(void *what) {
  solving *s = what;
  tabia_solve_free(s->solve);
  tabia_limits_free(s->limits);
  if (s->folder[0]) remove_folder(s->folder);
}

static bool make_folder(solving *s) {
  const char *place = getenv("TMPDIR");
  const int length =
      snprintf(s->folder, sizeof s->folder, "%s/tabia-XXXXXX", place && *place ? place : "/tmp");
  if (length < (int)sizeof s->folder && mkdtemp(s->folder)) return true;
  s->folder[0] = '\0';
  return false;
}

static bool run(solving *s, const tabia_machine *m) {
  s->solve = tabia_solve_new(m);
  if (!s->solve || !s->limits || !make_folder(s)) return false;
  tabia_solve_set_database(s->solve, s->folder);
  tabia_solve_run(s->solve, s->limits, NULL);
  return tabia_solve_has_database(s->solve);
}

/* ---- what is known ---- */

static void close_database(void *values) { tabia_database_close(values); }

/* Steps are known of games in turns with a constant sum, and of one role. */
tabia_status known_open(known_game *k, const tabia_machine *m, const char *folder,
                        tabia_messages *log) {
  tabia_database *values;
  const tabia_status status = tabia_database_open(&values, m, folder, log);
  if (status != TABIA_OK) return status;
  *k = (known_game){arena_guarding(close_database, values), values, tabia_machine_role_count(m)};
  if (tabia_database_bytes(values, "steps") && k->roles <= 2) return TABIA_OK;
  known_free(k);
  api_tell_error(log,
                 "%s: a search takes values of games of one role, and of two in turns whose goals "
                 "add up to 100",
                 folder);
  return TABIA_MISUSE;
}

/* The files stay mapped when their names are gone. */
bool known_find(known_game *k, const tabia_machine *m, double seconds, size_t bytes,
                const tabia_limits *limits) {
  solving s = {.limits = api_part_of_limits(seconds, limits)};
  if (k->values) return true;
  arena *guard = arena_guarding(end_solving, &s);
  if (s.limits && (!s.limits->bytes || bytes < s.limits->bytes))
    tabia_limits_set_bytes(s.limits, bytes);
  if (run(&s, m)) known_open(k, m, s.folder, NULL);
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
