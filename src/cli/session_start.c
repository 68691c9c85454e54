/* Games from another start: --from and --after. */
#include "cli/session.h"

#include <string.h>

/* What an option gives: a text and what messages call it. */
typedef struct given_text {
  const char *name;
  text words;
} given_text;

static bool take_text(session *s, const char *option, const char *value, given_text *t,
                      int *status) {
  const char *why;
  *t = (given_text){option, text_new(s->keep)};
  if (*value != '@') {
    text_add(&t->words, value);
    return true;
  }
  t->name = value + 1;
  if (session_read_file(t->name, &t->words, &why)) return true;
  fprintf(stderr, "tabia: cannot read %s: %s\n", t->name, why);
  *status = EXIT_CANNOT_READ;
  return false;
}

static tabia_status start_with(session *s, const char *name, const char *words, size_t length) {
  tabia_rules *other;
  const tabia_status result = tabia_rules_with_start(&other, s->rules, name, words, length, s->log);
  if (result != TABIA_OK) {
    tabia_rules_free(other);
    return result;
  }
  tabia_rules_free(s->rules);
  s->rules = other;
  tabia_rules_set_limits(other, s->limits);
  s->start = arena_copy_text(s->keep, words, length);
  return result;
}

/* ---- moves ---- */

/* A few moves are played on a machine that is ready at once; what it cannot run, `reference` can.
 */
static tabia_status open_quickly(session *s, tabia_machine **machine) {
  if (tabia_machine_open(machine, s->rules, "datalog", s->limits, NULL) == TABIA_OK)
    return TABIA_OK;
  return tabia_machine_open(machine, s->rules, "reference", s->limits, s->log);
}

static tabia_status start_at(session *s, const tabia_machine *m, const void *position) {
  const size_t length = tabia_position_text(m, position, NULL, 0);
  char *words = arena_alloc(s->keep, length + 1);
  tabia_position_text(m, position, words, length + 1);
  return start_with(s, "--after", words, length);
}

static tabia_status start_behind(session *s, const given_text *moves) {
  tabia_machine *m;
  tabia_status result = open_quickly(s, &m);
  if (result != TABIA_OK) return result;
  tabia_workspace *w = tabia_workspace_new(m, s->limits);
  void *position = arena_alloc(s->keep, tabia_position_size(m));
  tabia_position_start(m, position);
  result = tabia_position_play(w, moves->name, moves->words.bytes, moves->words.length, position,
                               s->log);
  if (result == TABIA_OK) result = start_at(s, m, position);
  tabia_workspace_free(w);
  tabia_machine_close(m);
  return result;
}

/* ---- both ---- */

static bool begin_from(session *s, const char *from, int *status) {
  given_text t;
  if (!take_text(s, "--from", from, &t, status)) return false;
  const tabia_status result = start_with(s, t.name, t.words.bytes, t.words.length);
  *status = session_show(s, result);
  return result == TABIA_OK;
}

static bool begin_after(session *s, const char *after, int *status) {
  given_text t;
  if (!take_text(s, "--after", after, &t, status)) return false;
  const tabia_status result = start_behind(s, &t);
  *status = session_show(s, result);
  return result == TABIA_OK;
}

bool session_read_from(session *s, const char *game, const start_choice *o, int *status) {
  return session_read(s, game, status) && (!o->from || begin_from(s, o->from, status)) &&
         (!o->after || begin_after(s, o->after, status));
}

/* ---- a position of the machine that is open ---- */

static bool place_at(session *s, const char *from, void *position, int *status) {
  given_text t;
  if (!take_text(s, "--from", from, &t, status)) return false;
  const tabia_status result =
      tabia_position_read(s->machine, t.name, t.words.bytes, t.words.length, position, s->log);
  *status = session_show(s, result);
  return result == TABIA_OK;
}

static bool place_behind(session *s, const char *after, void *position, int *status) {
  given_text t;
  if (!take_text(s, "--after", after, &t, status)) return false;
  tabia_workspace *w = tabia_workspace_new(s->machine, s->limits);
  const tabia_status result =
      tabia_position_play(w, t.name, t.words.bytes, t.words.length, position, s->log);
  tabia_workspace_free(w);
  *status = session_show(s, result);
  return result == TABIA_OK;
}

bool session_place(session *s, const start_choice *o, void *position, int *status) {
  tabia_position_start(s->machine, position);
  return (!o->from || place_at(s, o->from, position, status)) &&
         (!o->after || place_behind(s, o->after, position, status));
}
