/* Reading and checking traces. */
#include "base/recovery.h"
#include "base/sha1.h"
#include "machine/trace.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct verifier {
  trace_report *report;
  const machine *m;
  machine_workspace *w;
  arena *scratch; /* cleared for each state */
  void *position;
  uint32_t step;
  bool is_open;   /* moves were made in the last state that was read */
  const char *at; /* what is still to be read ... */
  const char *end;
  uint32_t line; /* ... and the number of the line before it */
} verifier;

static bool found_wrong(verifier *x, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The machine has it otherwise.  Always false. */
static bool found_wrong(verifier *x, const char *format, ...) {
  text *words = &x->report->words;
  va_list list;
  x->report->verdict = TRACE_WRONG;
  text_add_format(words, "step %u: ", x->step);
  va_start(list, format);
  text_add_format_list(words, format, list);
  va_end(list);
  text_add_char(words, '\n');
  return false;
}

static bool found_in_line(verifier *x, trace_verdict verdict, const char *why) {
  x->report->verdict = verdict;
  if (x->line) text_add_format(&x->report->words, "line %u: ", x->line);
  text_add_format(&x->report->words, "%s\n", why);
  return false;
}

/* The trace is not whole.  Always false. */
static bool found_damaged(verifier *x, const char *why) {
  return found_in_line(x, TRACE_WRONG, why);
}

/* It is no trace.  Always false. */
static bool found_unreadable(verifier *x, const char *why) {
  return found_in_line(x, TRACE_UNREADABLE, why);
}

static void add_list(text *out, const text_list *l) {
  for (uint32_t i = 0; i < l->count; i++) text_add_format(out, "+  %s\n", l->items[i]);
}

/* A trace has only the length and the SHA-1 of a list. */
static bool check_list(verifier *x, const char *what, const json_t *count, const json_t *hash,
                       const text_list *found) {
  char hex[SHA1_HEX_SIZE];
  list_sha1(found, hex);
  const char *expected = json_string_value(hash);
  if (!expected) return found_unreadable(x, "a fingerprint is missing");
  if (json_integer_value(count) == found->count && strcmp(expected, hex) == 0) return true;
  found_wrong(x, "the %s differ", what);
  text *out = &x->report->words;
  text_add_format(out, "-%lld, SHA-1 %s\n", (long long)json_integer_value(count), expected);
  text_add_format(out, "+%u, SHA-1 %s\n", found->count, hex);
  add_list(out, found);
  return false;
}

static bool check_legal(verifier *x, const json_t *legal, const role_view *r) {
  const json_t *pair = json_object_get(legal, r->name);
  text what = text_new(x->scratch);
  text_add_format(&what, "legal moves of %s", r->name);
  return check_list(x, text_string(&what), json_array_get(pair, 0), json_array_get(pair, 1),
                    &r->texts);
}

static bool goals_agree(const json_t *expected, const role_view *r) {
  if (json_is_null(expected)) return r->goal_count == 0;
  if (json_is_integer(expected))
    return r->goal_count == 1 && json_integer_value(expected) == r->goals[0];
  if (json_array_size(expected) != r->goal_count) return false;
  for (uint32_t i = 0; i < r->goal_count; i++)
    if (json_integer_value(json_array_get(expected, i)) != r->goals[i]) return false;
  return true;
}

static bool check_goals(verifier *x, const json_t *goals, const role_view *r) {
  const json_t *expected = json_object_get(goals, r->name);
  if (!expected) return found_unreadable(x, "the goal of a role is missing");
  if (goals_agree(expected, r)) return true;
  char *words = json_dumps(expected, JSON_ENCODE_ANY | JSON_COMPACT);
  if (!words) recovery_fail();
  arena *guard = arena_guarding(free, words);
  found_wrong(x, "the goals of %s differ", r->name);
  text_add_format(&x->report->words, "-%s\n", words);
  arena_free(guard);
  text_add_char(&x->report->words, '+');
  for (uint32_t i = 0; i < r->goal_count; i++)
    text_add_format(&x->report->words, "%s%d", i ? "," : "", r->goals[i]);
  text_add(&x->report->words, r->goal_count ? "\n" : "none\n");
  return false;
}

static bool check_terminal(verifier *x, const json_t *line, const state_view *v) {
  const json_t *terminal = json_object_get(line, "terminal");
  if (!json_is_boolean(terminal)) return found_unreadable(x, "`terminal` is missing");
  if (json_is_true(terminal) == v->terminal) return true;
  return found_wrong(x, "the state should %sbe terminal", v->terminal ? "not " : "");
}

static bool check_state(verifier *x, const json_t *line, const state_view *v) {
  const json_t *legal = json_object_get(line, "legal");
  const json_t *goals = json_object_get(line, "goals");
  if (!check_list(x, "fluents", json_object_get(line, "fluents"), json_object_get(line, "state"),
                  &v->fluents))
    return false;
  if (!check_terminal(x, line, v)) return false;
  for (uint32_t i = 0; i < v->role_count; i++)
    if (!check_legal(x, legal, &v->roles[i]) || !check_goals(x, goals, &v->roles[i])) return false;
  return true;
}

static bool make_moves(verifier *x, const json_t *moves, const state_view *v) {
  move_id *joint = arena_new_array(x->scratch, move_id, v->role_count);
  for (uint32_t i = 0; i < v->role_count; i++) {
    const char *move = json_string_value(json_object_get(moves, v->roles[i].name));
    if (!move) return found_unreadable(x, "the move of a role is missing");
    joint[i] = view_find_move(&v->roles[i], move);
    if (joint[i] == MOVE_NONE)
      return found_wrong(x, "%s is not a legal move of %s", move, v->roles[i].name);
  }
  machine_step(x->m, x->w, x->position, joint, x->position);
  return true;
}

static bool check_step(verifier *x, const json_t *line) {
  const json_t *step = json_object_get(line, "step");
  if (!json_is_integer(step)) return found_damaged(x, "`step` is missing");
  if (json_integer_value(step) == x->step) return true;
  found_damaged(x, "the number of the step is wrong");
  text_add_format(&x->report->words, "-%lld\n+%u\n", (long long)json_integer_value(step), x->step);
  return false;
}

/* A state, and the moves that are made in it. */
static bool verify_line(verifier *x, const json_t *line) {
  state_view v;
  if (!state_view_read(&v, x->m, x->w, x->position, x->scratch)) {
    x->report->verdict = TRACE_UNDECIDED;
    return false;
  }
  if (!check_state(x, line, &v)) return false;
  if (!check_step(x, line)) return false;
  x->report->states++;
  const json_t *moves = json_object_get(line, "moves");
  x->is_open = moves;
  if (moves && v.terminal) return found_damaged(x, "moves are made in a terminal state");
  return !moves || make_moves(x, moves, &v);
}

static bool check_header(verifier *x, const json_t *line) {
  const json_t *roles = json_object_get(line, "roles");
  if (!json_is_array(roles)) return found_unreadable(x, "the first line does not name the roles");
  bool same = json_array_size(roles) == x->m->role_count;
  for (uint32_t i = 0; same && i < x->m->role_count; i++) {
    const char *name = json_string_value(json_array_get(roles, i));
    same = name && strcmp(name, x->m->roles[i]) == 0;
  }
  return same || found_wrong(x, "the roles differ");
}

static bool is_empty(slice line) {
  return !line.length || (line.length == 1 && line.start[0] == '\r');
}

/* Moves on to the next line that is not empty.  False: there is none. */
static bool next_line(verifier *x, slice *line) {
  do {
    if (x->at == x->end) return false;
    const char *end = memchr(x->at, '\n', (size_t)(x->end - x->at));
    *line = (slice){x->at, (size_t)((end ? end : x->end) - x->at)};
    x->at = end ? end + 1 : x->end;
    x->line++;
  } while (is_empty(*line));
  return true;
}

static void drop_json(void *value) { json_decref(value); }

/* NULL: it is not JSON.  It hangs on the arena. */
static const json_t *read_json(slice words, arena **guard) {
  json_error_t error;
  json_t *value = json_loadb(words.start, words.length, 0, &error);
  if (!value && json_error_code(&error) == json_error_out_of_memory) recovery_fail();
  *guard = arena_guarding(drop_json, value);
  return value;
}

static bool verify_state(verifier *x, slice words) {
  arena *guard;
  if (x->step && !x->is_open)
    return found_damaged(x, "there is more, though no moves are made in the state before");
  const json_t *line = read_json(words, &guard);
  const bool is_right = line ? verify_line(x, line) : found_damaged(x, "it is not JSON");
  arena_free(guard);
  arena_clear(x->scratch);
  x->step++;
  return is_right;
}

static void verify_states(verifier *x) {
  slice words;
  while (next_line(x, &words))
    if (!verify_state(x, words)) return;
  if (!x->step)
    found_unreadable(x, "no states follow");
  else if (x->is_open)
    found_damaged(x, "moves are made, but the state that they lead to is missing");
}

static void verify_all(verifier *x) {
  slice words;
  arena *guard;
  if (!next_line(x, &words)) {
    found_unreadable(x, "the trace is empty");
    return;
  }
  const json_t *header = read_json(words, &guard);
  const bool fits = header ? check_header(x, header) : found_unreadable(x, "it is not JSON");
  arena_free(guard);
  if (!fits) return;
  machine_start(x->m, x->position);
  verify_states(x);
}

void trace_verify(trace_report *r, const machine *m, machine_workspace *w, const char *bytes,
                  size_t length, arena *keep) {
  *r = (trace_report){.verdict = TRACE_RIGHT, .words = text_new(keep)};
  verifier x = {
      .report = r, .m = m, .w = w, .scratch = arena_new(), .at = bytes, .end = bytes + length};
  x.position = arena_alloc(keep, m->position_size);
  verify_all(&x);
  arena_free(x.scratch);
}
