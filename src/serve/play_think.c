/* Moves that are searched for, and thoughts on the way. */
#include "serve/play_parts.h"

#include <math.h>

typedef struct thinking {
  play_session *s;
  uint32_t role;
} thinking;

static bool is_chance(const tabia_machine *m, uint32_t role) {
  return !strcmp(tabia_machine_role(m, role), "random");
}

static void write_values(json_writer *w, const tabia_machine *m, const tabia_search *x) {
  json_open_object(w, "values");
  for (uint32_t r = 0; r < tabia_machine_role_count(m); r++)
    if (!is_chance(m, r)) json_put_number(w, tabia_machine_role(m, r), tabia_search_value(x, r));
  json_close_object(w);
}

static void write_candidates(play_session *s, json_writer *w, const tabia_search *x,
                             uint32_t role) {
  json_open_array(w, "candidates");
  for (uint32_t i = 0; i < tabia_search_move_count(x, role); i++) {
    json_open_object(w, NULL);
    json_put_string(w, "move", play_move_words(s, s->thinker, role, tabia_search_move(x, role, i)));
    json_put_integer(w, "visits", (int64_t)tabia_search_move_visits(x, role, i));
    json_put_number(w, "mean", tabia_search_move_value(x, role, i));
    json_put_number(w, "share", tabia_search_move_share(x, role, i));
    json_put_bool(w, "proved", tabia_search_move_is_proved(x, role, i));
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_expected(play_session *s, json_writer *w, const tabia_search *x) {
  json_open_array(w, "witness");
  for (uint32_t i = 0; i < tabia_search_line_length(x); i++) {
    const tabia_move *joint = tabia_search_line_joint(x, i);
    json_open_object(w, NULL);
    for (uint32_t r = 0; r < tabia_machine_role_count(s->thinker); r++)
      json_put_string(w, tabia_machine_role(s->thinker, r),
                      play_move_words(s, s->thinker, r, joint[r]));
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_thought(play_session *s, json_writer *w, const tabia_search *x, uint32_t role,
                          bool is_last) {
  const tabia_move best = tabia_search_best(x, role);
  json_put_string(w, "machine", tabia_machine_kind(s->thinker));
  json_put_string(w, "role", tabia_machine_role(s->thinker, role));
  json_put_string(w, "move",
                  best == TABIA_NO_MOVE ? NULL : play_move_words(s, s->thinker, role, best));
  write_values(w, s->thinker, x);
  json_put_bool(w, "proved", tabia_search_is_proved(x));
  if (is_last) write_candidates(s, w, x, role);
  write_expected(s, w, x);
  json_put_integer(w, "iterations", (int64_t)tabia_search_effort(x, TABIA_EFFORT_ITERATIONS));
  json_put_integer(w, "playouts", (int64_t)tabia_search_effort(x, TABIA_EFFORT_PLAYOUTS));
  json_put_integer(w, "depth", (int64_t)tabia_search_effort(x, TABIA_EFFORT_DEPTH));
  json_put_integer(w, "tree_states", (int64_t)tabia_search_effort(x, TABIA_EFFORT_NODES));
  json_put_number(w, "seconds", tabia_search_time(x));
  json_put_bool(w, "imperfect_information", tabia_machine_has_hidden_state(s->thinker));
}

static void tell_thought(void *context, const tabia_search *x) {
  const thinking *t = context;
  text out;
  json_writer w;
  play_begin_answer(t->s, &w, &out);
  json_open_object(&w, "thought");
  write_thought(t->s, &w, x, t->role, false);
  json_close_object(&w);
  play_end_answer(t->s, &w, &out);
}

tabia_status play_open_thinker(play_session *s) {
  if (s->thinker) return TABIA_OK;
  tabia_limits_set_seconds(s->limits, OPEN_SECONDS);
  const tabia_status status =
      tabia_machine_open(&s->thinker, s->rules, "auto-many", s->limits, s->log);
  tabia_limits_set_seconds(s->limits, 0);
  return status;
}

static tabia_status open_search(play_session *s) {
  if (s->search) return TABIA_OK;
  tabia_status status = play_open_thinker(s);
  tabia_options *options = tabia_options_new();
  tabia_options_set(options, "memory", "256M");
  if (status == TABIA_OK)
    status = tabia_search_open(&s->search, s->thinker, options, s->limits, s->log);
  tabia_options_free(options);
  return status;
}

static uint32_t role_of(play_session *s, const char *name) {
  const uint32_t count = tabia_machine_role_count(s->machine);
  uint32_t role = 0;
  if (name) {
    while (role < count && strcmp(tabia_machine_role(s->machine, role), name) != 0) role++;
    return role;
  }
  const void *position = vec_last(&s->line).position;
  for (role = 0; role < count; role++)
    if (!is_chance(s->machine, role) &&
        tabia_position_legal(s->workspace, position, role, NULL, 0) > 1)
      return role;
  return 0;
}

/* By its text. */
tabia_status play_carry_over(play_session *s, void **position) {
  const char *words = play_state_words(s);
  *position = arena_alloc(s->scratch, tabia_position_size(s->thinker));
  return tabia_position_read(s->thinker, "state", words, strlen(words), *position, s->log);
}

static void set_effort(play_session *s, const json_t *params) {
  const json_t *seconds = json_object_get(params, "seconds"),
               *iterations = json_object_get(params, "iterations");
  const double wish = json_number_value(seconds);
  const bool counts = json_integer_value(iterations) > 0;
  tabia_search_set_iterations(s->search, counts ? (uint64_t)json_integer_value(iterations) : 0);
  tabia_search_set_seconds(s->search, fmin(wish > 0 ? wish
                                           : counts ? THINK_SECONDS_MAX
                                                    : 1,
                                           THINK_SECONDS_MAX));
}

void play_think(play_session *s, const json_t *params) {
  thinking t = {s, role_of(s, play_string(params, "role"))};
  text out;
  json_writer w;
  void *position;
  if (t.role == tabia_machine_role_count(s->machine)) {
    play_answer_error(s, "message", "the game has no such role");
    return;
  }
  tabia_status status = open_search(s);
  if (status == TABIA_OK) status = play_carry_over(s, &position);
  if (status != TABIA_OK) {
    play_answer_error(s, play_code_of(s, status, "rules"), "this game cannot be searched");
    return;
  }
  set_effort(s, params);
  tabia_search_set_listener(s->search, tell_thought, &t);
  tabia_search_think(s->search, position, t.role, s->limits, s->log);
  play_begin_answer(s, &w, &out);
  json_open_object(&w, "result");
  write_thought(s, &w, s->search, t.role, true);
  json_close_object(&w);
  play_end_answer(s, &w, &out);
}
