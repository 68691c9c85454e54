#include "ggp/tournament/tournament_store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

struct tournament_store {
  arena *keep;
  sqlite3 *db;
  int lock; /* of the file, held as long as it is open */
};

static const char schema[] =
    "PRAGMA synchronous = FULL;"
    "CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS match ("
    "  key TEXT PRIMARY KEY, game TEXT NOT NULL, round INTEGER NOT NULL,"
    "  first TEXT NOT NULL, second TEXT NOT NULL, completed INTEGER NOT NULL,"
    "  steps INTEGER NOT NULL, first_goal REAL NOT NULL, second_goal REAL NOT NULL,"
    "  first_errors INTEGER NOT NULL, second_errors INTEGER NOT NULL,"
    "  seconds REAL NOT NULL, record TEXT NOT NULL);";

/* ---- opening ---- */

static const char *said(const char *what, const char *why, arena *keep) {
  text out = text_new(keep);
  text_add_format(&out, "%s: %s", what, why);
  return text_string(&out);
}

enum { LOCK_TRIES = 250, LOCK_PAUSE_US = 20 * 1000 };

/* The workers of a tournament that was killed hold its lock until they have ended, too. */
static bool lock_soon(int file) {
  for (uint32_t i = 0; i < LOCK_TRIES; i++) {
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return true;
    usleep(LOCK_PAUSE_US);
  }
  return false;
}

/* flock() is no business of SQLite, whose own locks are others. */
static bool hold(tournament_store *s, const char *path, const char **why) {
  s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (s->lock < 0)
    *why = said(path, strerror(errno), s->keep);
  else if (!lock_soon(s->lock))
    *why = said(path, "another tournament writes there", s->keep);
  else
    return true;
  return false;
}

static sqlite3_stmt *prepare(tournament_store *s, const char *words) {
  sqlite3_stmt *q = NULL;
  sqlite3_prepare_v2(s->db, words, -1, &q, NULL);
  return q;
}

static void bind_text(sqlite3_stmt *q, int at, const char *words) {
  sqlite3_bind_text(q, at, words, -1, SQLITE_TRANSIENT);
}

/* Settings are written once, by whoever makes the file. */
static bool agree(tournament_store *s, const char *settings, const char *path, const char **why) {
  sqlite3_stmt *put =
      prepare(s, "INSERT OR IGNORE INTO setting (name, value) VALUES ('settings', ?)");
  bind_text(put, 1, settings);
  sqlite3_step(put);
  sqlite3_finalize(put);
  sqlite3_stmt *get = prepare(s, "SELECT value FROM setting WHERE name = 'settings'");
  const bool is_there = sqlite3_step(get) == SQLITE_ROW;
  const bool is_same = is_there && strcmp((const char *)sqlite3_column_text(get, 0), settings) == 0;
  sqlite3_finalize(get);
  if (!is_same)
    *why = said(path, is_there ? "it has results under other settings" : sqlite3_errmsg(s->db),
                s->keep);
  return is_same;
}

static bool open_database(tournament_store *s, const char *path, const char **why) {
  if (sqlite3_open(path, &s->db) == SQLITE_OK &&
      sqlite3_exec(s->db, schema, NULL, NULL, NULL) == SQLITE_OK)
    return true;
  *why = said(path, sqlite3_errmsg(s->db), s->keep);
  return false;
}

tournament_store *tournament_store_open(const char *path, const char *settings, arena *keep,
                                        const char **why) {
  tournament_store *s = arena_alloc_zero(keep, sizeof *s);
  s->keep = keep;
  if (hold(s, path, why) && open_database(s, path, why) && agree(s, settings, path, why)) return s;
  tournament_store_close(s);
  return NULL;
}

void tournament_store_close(tournament_store *s) {
  if (!s) return;
  sqlite3_close(s->db);
  if (s->lock >= 0) close(s->lock);
}

const char *tournament_store_fault(tournament_store *s) { return sqlite3_errmsg(s->db); }

/* ---- rows ---- */

bool tournament_store_has(tournament_store *s, const char *key) {
  sqlite3_stmt *q = prepare(s, "SELECT 1 FROM match WHERE key = ?");
  bind_text(q, 1, key);
  const bool has = sqlite3_step(q) == SQLITE_ROW;
  sqlite3_finalize(q);
  return has;
}

bool tournament_store_add(tournament_store *s, const match_row *row) {
  sqlite3_stmt *q = prepare(s, "INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  bind_text(q, 1, row->key);
  bind_text(q, 2, row->game);
  sqlite3_bind_int64(q, 3, row->round);
  bind_text(q, 4, row->first);
  bind_text(q, 5, row->second);
  sqlite3_bind_int64(q, 6, row->is_completed);
  sqlite3_bind_int64(q, 7, row->steps);
  sqlite3_bind_double(q, 8, row->first_goal);
  sqlite3_bind_double(q, 9, row->second_goal);
  sqlite3_bind_int64(q, 10, row->first_errors);
  sqlite3_bind_int64(q, 11, row->second_errors);
  sqlite3_bind_double(q, 12, row->seconds);
  bind_text(q, 13, row->record);
  const bool is_done = sqlite3_step(q) == SQLITE_DONE;
  sqlite3_finalize(q);
  return is_done;
}

static const char *column(sqlite3_stmt *q, int at) {
  return (const char *)sqlite3_column_text(q, at);
}

void tournament_store_each(tournament_store *s, void (*take)(void *context, const match_row *row),
                           void *context) {
  sqlite3_stmt *q = prepare(s, "SELECT key, game, round, first, second, completed, steps, "
                               "first_goal, second_goal, first_errors, second_errors, seconds "
                               "FROM match ORDER BY round, key");
  while (sqlite3_step(q) == SQLITE_ROW) {
    const match_row row = {.key = column(q, 0),
                           .game = column(q, 1),
                           .round = (uint32_t)sqlite3_column_int64(q, 2),
                           .first = column(q, 3),
                           .second = column(q, 4),
                           .is_completed = sqlite3_column_int(q, 5),
                           .steps = (uint32_t)sqlite3_column_int64(q, 6),
                           .first_goal = sqlite3_column_double(q, 7),
                           .second_goal = sqlite3_column_double(q, 8),
                           .first_errors = (uint32_t)sqlite3_column_int64(q, 9),
                           .second_errors = (uint32_t)sqlite3_column_int64(q, 10),
                           .seconds = sqlite3_column_double(q, 11)};
    take(context, &row);
  }
  sqlite3_finalize(q);
}
