#include "ggp/referee/record_check.h"

#include "base/vec.h"
#include "ggp/wire/sexp.h"

#include <jansson.h>
#include <stdlib.h>

/* ---- JSON ---- */

static json_t *load_record(slice words) {
  json_t *whole = json_loadb(words.start, words.length, JSON_DISABLE_EOF_CHECK, NULL);
  json_t *data = json_object_get(whole, "data");
  if (!data) return whole;
  json_incref(data);
  json_decref(whole);
  return data;
}

bool record_is_one(slice words) {
  json_t *record = load_record(words);
  const bool is_one = json_is_string(json_object_get(record, "matchId"));
  json_decref(record);
  return is_one;
}

/* ---- replaying ---- */

typedef struct replay {
  record_report *report;
  const tabia_machine *m;
  tabia_workspace *w;
  arena *scratch; /* for one step */
  void *position;
  tabia_move *joint;
  const json_t *states, *moves;
} replay;

static void complain(replay *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void complain(replay *r, const char *format, ...) {
  va_list list;
  va_start(list, format);
  text_add_format_list(&r->report->words, format, list);
  va_end(list);
  text_add_char(&r->report->words, '\n');
}

static const char *canonical(const char *words, arena *keep) {
  text out = text_new(keep);
  sexp_add_canonical(slice_of(words), &out);
  return text_string(&out);
}

static int compare_words(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The fluents of "( ( cell 1 ) ... )" as tabia_position_text has them. */
static const char *sorted_state(const char *words, arena *keep) {
  VEC(const char *) fluents = {0};
  text out = text_new(keep);
  slice rest = slice_of(words), term;
  if (sexp_next(&rest, &term) != SEXP_LIST) return "";
  slice inside = sexp_inside(term);
  for (sexp_kind kind; (kind = sexp_next(&inside, &term)) == SEXP_NAME || kind == SEXP_LIST;)
    vec_push(keep, &fluents, canonical(arena_copy_text(keep, term.start, term.length), keep));
  if (fluents.count) qsort(fluents.items, fluents.count, sizeof *fluents.items, compare_words);
  for (uint32_t i = 0; i < fluents.count; i++)
    text_add_format(&out, "%s%s", i ? " " : "", fluents.items[i]);
  return text_string(&out);
}

static bool state_is_right(replay *r, size_t i) {
  const char *told = json_string_value(json_array_get(r->states, i));
  const size_t length = tabia_position_text(r->m, r->position, NULL, 0);
  char *found = arena_alloc(r->scratch, length + 1);
  tabia_position_text(r->m, r->position, found, length + 1);
  const char *expected = told ? sorted_state(told, r->scratch) : "";
  if (strcmp(expected, found) == 0) {
    r->report->states++;
    return true;
  }
  complain(r, "state %zu: the record has `%s`, the game `%s`", i, expected, found);
  return false;
}

static bool move_is_legal(replay *r, size_t step, uint32_t role) {
  const json_t *moves = json_array_get(r->moves, step);
  const char *told = json_string_value(json_array_get(moves, role));
  const char *words = told ? canonical(told, r->scratch) : "";
  if (tabia_move_find(r->w, r->position, role, words, &r->joint[role])) return true;
  complain(r, "step %zu: `%s` is not legal for %s", step + 1, words,
           tabia_machine_role(r->m, role));
  return false;
}

static bool step_is_right(replay *r, size_t step) {
  bool is_legal = true;
  for (uint32_t i = 0; is_legal && i < tabia_machine_role_count(r->m); i++)
    is_legal = move_is_legal(r, step, i);
  if (!is_legal) return false;
  tabia_position_step(r->w, r->position, r->joint, r->position);
  const bool is_right = state_is_right(r, step + 1);
  arena_clear(r->scratch);
  return is_right;
}

/* ---- the end ---- */

static bool goal_is_right(replay *r, const json_t *goals, uint32_t role) {
  const json_t *told = json_array_get(goals, role);
  const int32_t found = tabia_position_goal(r->w, r->position, role);
  if (json_is_null(told) ? found == TABIA_NO_GOAL : json_number_value(told) == found) return true;
  complain(r, "the goal of %s is %d in the game", tabia_machine_role(r->m, role), (int)found);
  return false;
}

static bool end_is_right(replay *r, const json_t *record) {
  const bool is_over = tabia_position_terminal(r->w, r->position);
  bool is_right = true;
  if (!json_is_true(json_object_get(record, "isCompleted"))) return true;
  if (!is_over) complain(r, "the record says that the game is over, and it is not");
  for (uint32_t i = 0; is_over && is_right && i < tabia_machine_role_count(r->m); i++)
    is_right = goal_is_right(r, json_object_get(record, "goalValues"), i);
  return is_over && is_right;
}

static tabia_status run_replay(replay *r, const json_t *record, tabia_messages *log) {
  r->states = json_object_get(record, "states");
  r->moves = json_object_get(record, "moves");
  if (!json_is_array(r->states) || !json_is_array(r->moves)) {
    complain(r, "`states` or `moves` is missing");
    return TABIA_UNREADABLE;
  }
  tabia_position_start(r->m, r->position);
  bool is_right = state_is_right(r, 0);
  for (size_t i = 0; is_right && i < json_array_size(r->moves); i++) is_right = step_is_right(r, i);
  is_right = is_right && end_is_right(r, record);
  const tabia_status trouble = tabia_workspace_status(r->w, log);
  return trouble != TABIA_OK ? trouble : is_right ? TABIA_OK : TABIA_FAULTY;
}

tabia_status record_check(record_report *report, const tabia_machine *m, slice words,
                          const tabia_limits *limits, arena *keep, tabia_messages *log) {
  *report = (record_report){.words = text_new(keep)};
  replay r = {.report = report,
              .m = m,
              .w = tabia_workspace_new(m, limits),
              .scratch = arena_new(),
              .position = arena_alloc_zero(keep, tabia_position_size(m)),
              .joint = arena_new_array(keep, tabia_move, tabia_machine_role_count(m))};
  json_t *record = load_record(words);
  const tabia_status status = run_replay(&r, record, log);
  json_decref(record);
  arena_free(r.scratch);
  tabia_workspace_free(r.w);
  return status;
}
