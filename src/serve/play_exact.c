/* Exact values: the game is solved once, and its states are looked up. */
#include "serve/play_parts.h"

#include <math.h>

enum { SOLVE_BYTES = 768 << 20 };

void play_forget_exact(play_session *s) {
  tabia_workspace_free(s->exact_workspace);
  tabia_database_close(s->exact);
  s->exact_workspace = NULL;
  s->exact = NULL;
}

/* ---- values of a position ---- */

typedef struct worth {
  double *values; /* by role */
  uint32_t steps; /* to the end under best play */
  bool has_steps;
} worth;

static bool find_worth(play_session *s, const void *position, worth *to) {
  to->has_steps = tabia_database_remoteness(s->exact, s->exact_workspace, position, &to->steps);
  return tabia_database_values(s->exact, s->exact_workspace, position, to->values);
}

static void write_steps(json_writer *w, const worth *of) {
  if (of->has_steps)
    json_put_integer(w, "remoteness", of->steps);
  else
    json_put_null(w, "remoteness");
}

static void write_values(play_session *s, json_writer *w, const worth *of) {
  json_open_object(w, "values");
  for (uint32_t i = 0; i < tabia_machine_role_count(s->thinker); i++)
    if (strcmp(tabia_machine_role(s->thinker, i), "random") != 0)
      json_put_number(w, tabia_machine_role(s->thinker, i), of->values[i]);
  json_close_object(w);
}

/* ---- its moves ---- */

/* Legal moves of all roles: of one alone that chooses, and of the others a single one. */
typedef struct choice {
  tabia_move *joint, *moves;
  uint32_t role, count;
} choice;

static bool find_choice(play_session *s, const void *position, choice *c) {
  const uint32_t roles = tabia_machine_role_count(s->thinker);
  c->joint = arena_new_array(s->scratch, tabia_move, roles + (size_t)1);
  c->count = 0;
  if (tabia_position_terminal(s->exact_workspace, position)) return false;
  for (uint32_t i = 0; i < roles; i++) {
    const uint32_t count = tabia_position_legal(s->exact_workspace, position, i, &c->joint[i], 1);
    if (count == 1) continue;
    if (!count || c->count || !strcmp(tabia_machine_role(s->thinker, i), "random")) return false;
    c->moves = arena_new_array(s->scratch, tabia_move, count);
    c->count = tabia_position_legal(s->exact_workspace, position, i, c->moves, count);
    c->role = i;
  }
  return c->count;
}

static void write_move(play_session *s, json_writer *w, const void *position, const choice *c,
                       tabia_move move) {
  worth of = {.values = arena_zero_array(s->scratch, double, tabia_machine_role_count(s->thinker))};
  void *next = arena_alloc(s->scratch, tabia_position_size(s->thinker));
  c->joint[c->role] = move;
  tabia_position_step(s->exact_workspace, position, c->joint, next);
  if (!find_worth(s, next, &of)) return;
  json_open_object(w, NULL);
  json_put_string(w, "role", tabia_machine_role(s->thinker, c->role));
  json_put_string(w, "move", play_move_words(s, s->thinker, c->role, move));
  json_put_number(w, "value", of.values[c->role]);
  of.steps++;
  write_steps(w, &of);
  json_close_object(w);
}

/* A state that was put in by hand need not be among those that were solved. */
void play_write_exact(play_session *s, json_writer *w) {
  worth of;
  choice c;
  void *position;
  if (!s->exact || s->state || play_carry_over(s, &position) != TABIA_OK) return;
  of.values = arena_zero_array(s->scratch, double, tabia_machine_role_count(s->thinker));
  if (!find_worth(s, position, &of)) return;
  json_open_object(w, "exact");
  write_values(s, w, &of);
  write_steps(w, &of);
  json_open_array(w, "moves");
  if (find_choice(s, position, &c))
    for (uint32_t i = 0; i < c.count; i++) write_move(s, w, position, &c, c.moves[i]);
  json_close_array(w);
  json_close_object(w);
}

/* ---- solving ---- */

static void tell_progress(void *context, const char *what, double done, double whole) {
  play_session *s = context;
  text out;
  json_writer w;
  play_begin_answer(s, &w, &out);
  json_open_object(&w, "progress");
  json_put_string(&w, "what", what);
  json_put_number(&w, "done", done);
  json_put_number(&w, "whole", whole);
  json_close_object(&w);
  play_end_answer(s, &w, &out);
}

static tabia_status solve(play_session *s, double seconds) {
  tabia_status status = play_open_thinker(s);
  if (status != TABIA_OK || s->exact) return status;
  tabia_limits_set_seconds(s->limits, seconds);
  tabia_limits_set_bytes(s->limits, SOLVE_BYTES);
  tabia_limits_set_progress(s->limits, tell_progress, s);
  status = tabia_database_solve(&s->exact, s->thinker, s->limits, s->log);
  tabia_limits_set_progress(s->limits, NULL, NULL);
  tabia_limits_set_bytes(s->limits, 0);
  tabia_limits_set_seconds(s->limits, 0);
  if (status == TABIA_OK) s->exact_workspace = tabia_workspace_new(s->thinker, NULL);
  if (s->exact && !s->exact_workspace) {
    play_forget_exact(s);
    status = TABIA_LIMIT;
  }
  return status;
}

void play_solve(play_session *s, const json_t *params) {
  const double wish = json_number_value(json_object_get(params, "seconds"));
  text out;
  json_writer w;
  if (!s->machine) {
    play_answer_error(s, "closed", "no game is open");
    return;
  }
  const tabia_status status = solve(s, wish > 0 ? fmin(wish, THINK_SECONDS_MAX) : SOLVE_SECONDS);
  if (status != TABIA_OK) {
    play_answer_error(s, play_code_of(s, status, "declined"), "the game was not solved");
    return;
  }
  play_begin_answer(s, &w, &out);
  json_open_object(&w, "result");
  json_put_integer(&w, "states",
                   (int64_t)(tabia_database_states(s->exact) + tabia_database_ends(s->exact)));
  json_put_integer(&w, "ends", (int64_t)tabia_database_ends(s->exact));
  json_close_object(&w);
  play_end_answer(s, &w, &out);
}
