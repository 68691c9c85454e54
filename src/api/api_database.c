#include "api/api.h"

#include "solve/database_check.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct tabia_database {
  arena *keep;
  const tabia_machine *of;
  solved_game game;
};

/* ---- opening ---- */

static tabia_status open_database(tabia_database **out, const tabia_machine *m, const char *folder,
                                  tabia_messages *log) {
  if (!m->m->grounded) {
    api_tell_error(log, "a database needs a machine with a circuit: `lanes` or `circuit`");
    return TABIA_MISUSE;
  }
  arena *keep = arena_new();
  diag_sink d;
  tabia_database *b = arena_alloc_zero(keep, sizeof *b);
  *b = (tabia_database){.keep = keep, .of = m};
  diag_sink_init(&d, keep);
  const bool ok = solved_game_open(&b->game, folder, m->m, keep, &d);
  api_tell(log, &d, &m->rules->source);
  if (ok)
    *out = b;
  else
    tabia_database_close(b);
  return ok ? TABIA_OK : TABIA_UNREADABLE;
}

tabia_status tabia_database_open(tabia_database **out, const tabia_machine *m, const char *folder,
                                 tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, open_database(out, m, folder, log), api_no_memory(log));
}

void tabia_database_close(tabia_database *b) {
  if (!b) return;
  solved_game_close(&b->game);
  arena_free(b->keep);
}

/* ---- solving ---- */

enum { FOLDER_MAX = 512, NAME_MAX_BYTES = 256 };

static bool make_folder(char folder[FOLDER_MAX]) {
  const char *place = getenv("TMPDIR");
  if (!place || !*place) place = "/tmp";
  return snprintf(folder, FOLDER_MAX, "%s/tabia-XXXXXX", place) < FOLDER_MAX && mkdtemp(folder);
}

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

static tabia_status solve_to_folder(tabia_database **out, const tabia_machine *m,
                                    const char *folder, const tabia_limits *limits,
                                    tabia_messages *log) {
  tabia_solve *x = tabia_solve_new(m);
  if (!x) return api_no_memory(log);
  tabia_solve_set_database(x, folder);
  tabia_status status = tabia_solve_run(x, limits, log);
  if (tabia_solve_has_database(x)) status = tabia_database_open(out, m, folder, log);
  tabia_solve_free(x);
  return status;
}

/* While the folder is there, only functions of the header are called, which recover by themselves.
   The files stay mapped when their names are gone. */
static tabia_status solve_for_once(tabia_database **out, const tabia_machine *m,
                                   const tabia_limits *limits, tabia_messages *log) {
  char folder[FOLDER_MAX];
  if (tabia_machine_has_hidden_state(m)) {
    api_tell_error(log, "declined: roles do not know the state");
    return TABIA_FAULTY;
  }
  if (!make_folder(folder)) {
    api_tell_error(log, "there is no folder for temporary files: %s", strerror(errno));
    return TABIA_UNREADABLE;
  }
  const tabia_status status = solve_to_folder(out, m, folder, limits, log);
  remove_folder(folder);
  return status;
}

tabia_status tabia_database_solve(tabia_database **out, const tabia_machine *m,
                                  const tabia_limits *limits, tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, solve_for_once(out, m, limits, log), api_no_memory(log));
}

/* ---- asking ---- */

bool tabia_database_values(const tabia_database *b, tabia_workspace *w, const void *position,
                           double *values) {
  solved_worth worth = {.values = values};
  API_ASK(w, bool, solved_game_ask(&b->game, w->w, position, &worth) == DATABASE_FOUND, false);
}

static bool read_steps(const tabia_database *b, tabia_workspace *w, const void *position,
                       uint32_t *steps) {
  arena *scratch = arena_new();
  solved_worth worth = {.values = arena_zero_array(scratch, double, b->of->m->role_count)};
  const bool is_found = solved_game_ask(&b->game, w->w, position, &worth) == DATABASE_FOUND;
  arena_free(scratch);
  *steps = worth.steps;
  return is_found && worth.steps != SOLVED_NO_STEPS;
}

bool tabia_database_remoteness(const tabia_database *b, tabia_workspace *w, const void *position,
                               uint32_t *steps) {
  API_ASK(w, bool, read_steps(b, w, position, steps), false);
}

uint32_t tabia_database_moves(const tabia_database *b, tabia_workspace *w, const void *position,
                              uint32_t role, tabia_move *moves, uint32_t capacity) {
  API_ASK(w, uint32_t, solved_game_moves(&b->game, w->w, position, role, moves, capacity), 0);
}

uint64_t tabia_database_states(const tabia_database *b) { return b->game.files.head.keys; }

uint64_t tabia_database_ends(const tabia_database *b) { return b->game.files.head.others; }

uint64_t tabia_database_bytes(const tabia_database *b, const char *file) {
  for (uint32_t i = 0; i < DATABASE_COLUMNS; i++)
    if (strcmp(file, database_file_names[i]) == 0) return b->game.files.head.bytes[i];
  return 0;
}

/* ---- checking ---- */

static tabia_status check_values(const tabia_database *b, const tabia_machine *judge,
                                 uint64_t positions, uint64_t seed, const tabia_limits *limits,
                                 tabia_messages *log, uint64_t *checked) {
  arena *keep = arena_new();
  budget limit = api_budget(limits);
  database_check_result r;
  diag_sink d;
  const database_check_options o = {positions, seed};
  diag_sink_init(&d, keep);
  const bool is_done = database_check(&b->game, judge->m, o, &r, keep, &limit, &d);
  if (!is_done) budget_report(&limit, &d, "not all positions were checked");
  api_tell(log, &d, &judge->rules->source);
  if (r.wrong)
    api_tell_error(log, "%llu of %llu positions are wrong; the first: %s",
                   (unsigned long long)r.wrong, (unsigned long long)r.positions, r.first_wrong);
  if (checked) *checked = r.positions;
  arena_free(keep);
  return r.wrong ? TABIA_FAULTY : is_done ? TABIA_OK : api_failure(&limit);
}

tabia_status tabia_database_check(const tabia_database *b, const tabia_machine *judge,
                                  uint64_t positions, uint64_t seed, const tabia_limits *limits,
                                  tabia_messages *log, uint64_t *checked) {
  API_GUARDED(tabia_status, check_values(b, judge, positions, seed, limits, log, checked),
              api_no_memory(log));
}
