#include "serve/play_session.h"

#include "base/rng.h"
#include "serve/play_parts.h"

/* ---- a game ---- */

static void close_game(play_session *s) {
  play_forget_exact(s);
  tabia_search_close(s->search);
  tabia_board_free(s->board);
  tabia_workspace_free(s->workspace);
  tabia_machine_close(s->thinker);
  tabia_machine_close(s->machine);
  tabia_rules_free(s->rules);
  s->search = NULL;
  s->board = NULL;
  s->workspace = NULL;
  s->thinker = s->machine = NULL;
  s->rules = NULL;
  arena_clear(s->game);
  s->state = NULL;
  memset(&s->line, 0, sizeof s->line);
}

static bool open_machine(play_session *s, const char *layout) {
  tabia_limits_set_seconds(s->limits, OPEN_SECONDS);
  if (tabia_machine_open(&s->machine, s->rules, "auto", s->limits, s->log) != TABIA_OK)
    return false;
  tabia_limits_set_seconds(s->limits, 0);
  s->workspace = tabia_workspace_new(s->machine, s->limits);
  tabia_limits_set_seconds(s->limits, 5);
  if (layout)
    tabia_board_read(&s->board, s->machine, "layout", layout, strlen(layout), s->limits, s->log);
  else
    tabia_board_new(&s->board, s->machine, s->limits, s->log);
  tabia_limits_set_seconds(s->limits, 0);
  return s->workspace;
}

static tabia_status read_rules(play_session *s, const json_t *params) {
  const json_t *rules = json_object_get(params, "rules");
  const char *name = play_string(params, "name"), *game = play_string(params, "game");
  size_t length = json_string_length(rules);
  const char *words = json_string_value(rules);
  if (!words && game && tabia_game_find(game) < tabia_game_count())
    words = tabia_game_text(tabia_game_find(game), &length);
  if (!words) return TABIA_MISUSE;
  return tabia_rules_read_text(&s->rules,
                               name   ? name
                               : game ? game
                                      : "game.kif",
                               words, length, s->log);
}

/* ---- methods ---- */

/* `from`: the moves behind this step are told, too; UINT32_MAX: none. */
static void answer_position(play_session *s, uint32_t from) {
  text out;
  json_writer w;
  const tabia_status status = tabia_workspace_status(s->workspace, s->log);
  if (status != TABIA_OK) {
    play_answer_error(s, play_code_of(s, status, "rules"), "the game goes wrong here");
    return;
  }
  play_begin_answer(s, &w, &out);
  json_open_object(&w, "result");
  play_write_position(s, &w);
  if (from != UINT32_MAX) {
    json_open_array(&w, "played");
    for (uint32_t i = from; i < s->line.count; i++)
      play_write_joint(s, &w, NULL, s->line.items[i].joint);
    json_close_array(&w);
  }
  json_close_object(&w);
  play_end_answer(s, &w, &out);
}

static void do_position(play_session *s, const json_t *params) {
  (void)params;
  answer_position(s, UINT32_MAX);
}

static void write_opened(play_session *s, json_writer *w, const tabia_info *info, bool plays) {
  json_put_string(w, "name", tabia_rules_name(s->rules));
  json_put_string(w, "notation", tabia_rules_notation(s->rules));
  json_put_bool(w, "sound", info && tabia_info_is_sound(info));
  play_write_diagnostics(s, w);
  json_put_bool(w, "playable", plays);
  json_open_array(w, "roles");
  for (uint32_t i = 0; plays && i < tabia_machine_role_count(s->machine); i++)
    json_put_string(w, NULL, tabia_machine_role(s->machine, i));
  json_close_array(w);
  json_put_bool(w, "random", info && tabia_info_is(info, TABIA_HAS_RANDOM));
  json_put_bool(w, "hidden", info && tabia_info_is(info, TABIA_HAS_PERCEPTS));
  if (!plays) return;
  json_put_string(w, "machine", tabia_machine_kind(s->machine));
  json_put_number(w, "seconds", tabia_machine_open_seconds(s->machine));
  json_open_object(w, "position");
  play_write_position(s, w);
  json_close_object(w);
}

static void do_open(play_session *s, const json_t *params) {
  text out;
  json_writer w;
  close_game(s);
  const tabia_status status = read_rules(s, params);
  if (!s->rules) {
    play_answer_error(s, "message",
                      status == TABIA_MISUSE ? "`rules` or `game` is missing"
                                             : "the rules cannot be read");
    return;
  }
  tabia_messages_clear(s->log);
  tabia_limits_set_seconds(s->limits, OPEN_SECONDS);
  tabia_rules_set_limits(s->rules, s->limits);
  tabia_info *info = tabia_info_new(s->rules, s->log);
  const bool plays = tabia_rules_is_whole(s->rules) &&
                     open_machine(s, play_string(params, "layout")) && play_begin_line(s, NULL);
  play_begin_answer(s, &w, &out);
  json_open_object(&w, "result");
  write_opened(s, &w, info, plays);
  json_close_object(&w);
  play_end_answer(s, &w, &out);
  tabia_info_free(info);
  if (!plays) close_game(s);
}

/* The moves of an object, in the order of roles; a role that is left out has one move only. */
static const char *moves_of(play_session *s, const json_t *moves) {
  text t = text_new(s->scratch);
  if (json_is_string(moves)) return json_string_value(moves);
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++) {
    const char *given = play_string(moves, tabia_machine_role(s->machine, i));
    tabia_move *legal;
    const uint32_t count = play_legal_moves(s, vec_last(&s->line).position, i, &legal);
    if (!given && count != 1) return NULL;
    text_add_format(&t, "%s%s", i ? " " : "",
                    given ? given : play_move_words(s, s->machine, i, legal[0]));
  }
  return text_string(&t);
}

static void do_play(play_session *s, const json_t *params) {
  const json_t *moves = json_object_get(params, "moves");
  const bool is_over = tabia_position_terminal(s->workspace, vec_last(&s->line).position);
  const char *words = is_over ? "" : moves_of(s, moves);
  if (!words)
    play_answer_error(s, "move", "a role that has a choice is left out of `moves`");
  else if (!play_add_step(s, words, NULL))
    play_answer_error(s, s->code, is_over ? "the game is over" : "this move is not legal");
  else
    answer_position(s, UINT32_MAX);
}

static bool random_step(play_session *s, rng *r) {
  const uint32_t roles = tabia_machine_role_count(s->machine);
  const void *position = vec_last(&s->line).position;
  tabia_move *joint = arena_new_array(s->scratch, tabia_move, roles + 1), *moves;
  text t = text_new(s->scratch);
  if (tabia_position_terminal(s->workspace, position)) return false;
  for (uint32_t i = 0; i < roles; i++) {
    const uint32_t count = play_legal_moves(s, position, i, &moves);
    if (!count) return false;
    joint[i] = moves[rng_below(r, count)];
    text_add_format(&t, "%s%s", i ? " " : "", play_move_words(s, s->machine, i, joint[i]));
  }
  return play_add_step(s, text_string(&t), joint);
}

static void do_random(play_session *s, const json_t *params) {
  const json_t *steps = json_object_get(params, "steps");
  const json_int_t wanted = steps ? json_integer_value(steps) : 1;
  const uint32_t from = s->line.count;
  rng r = rng_new((uint64_t)json_integer_value(json_object_get(params, "seed")), 0);
  for (json_int_t i = 0; (i < wanted || !wanted) && i < STEPS_MAX; i++)
    if (!random_step(s, &r)) break;
  answer_position(s, from);
}

static void do_draw(play_session *s, const json_t *params) {
  const char *format = play_string(params, "format");
  text t = text_new(s->scratch), out;
  json_writer w;
  if (!format) format = "svg";
  if (!s->board) {
    play_answer_error(s, "rules", "this game cannot be drawn");
    return;
  }
  if (!strcmp(format, "layout")) {
    tabia_board_write_layout(s->board, play_put, &t);
  } else if (tabia_board_draw(s->board, vec_last(&s->line).position, format, play_put, &t,
                              s->log) != TABIA_OK) {
    play_answer_error(s, "message", "there is no such format");
    return;
  }
  play_begin_answer(s, &w, &out);
  json_open_object(&w, "result");
  json_put_string(&w, "format", format);
  json_put_string(&w, "drawing", text_string(&t));
  json_close_object(&w);
  play_end_answer(s, &w, &out);
}

/* ---- requests ---- */

static void do_stop(play_session *s, const json_t *params) {
  text out;
  json_writer w;
  (void)params;
  play_begin_answer(s, &w, &out);
  json_open_object(&w, "result");
  json_close_object(&w);
  play_end_answer(s, &w, &out);
}

typedef void method_work(play_session *s, const json_t *params);

static const struct {
  const char *name;
  bool has_place;
  method_work *work;
} methods[] = {
    {"open", false, do_open},    {"position", true, do_position}, {"play", true, do_play},
    {"random", true, do_random}, {"draw", true, do_draw},         {"think", true, play_think},
    {"why", true, play_why},     {"solve", false, play_solve},    {"stop", false, do_stop}};

static void run_method(play_session *s, size_t method, const json_t *params) {
  s->code = NULL;
  if (methods[method].has_place && !play_go_to(s, params)) {
    const bool is_closed = !strcmp(s->code, "closed");
    play_answer_error(s, s->code,
                      is_closed ? "no game is open" : "there is no such place in the game");
    return;
  }
  methods[method].work(s, params);
}

static void answer_request(play_session *s, const json_t *request) {
  const char *name = json_string_value(json_object_get(request, "method"));
  arena_clear(s->scratch);
  tabia_messages_clear(s->log);
  s->id = json_object_get(request, "id");
  if (!name) {
    play_answer_error(s, "message", "a request is an object with `id`, `method` and `params`");
    return;
  }
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (!strcmp(methods[i].name, name)) {
      run_method(s, i, json_object_get(request, "params"));
      return;
    }
  play_answer_error(s, "method", "there is no such method");
}

void play_session_run(FILE *in, FILE *out) {
  play_session s = {.out = out,
                    .log = tabia_messages_new(),
                    .limits = tabia_limits_new(),
                    .game = arena_new(),
                    .scratch = arena_new()};
  tabia_messages_set_limit(s.log, 100);
  s.requests = request_line_new(in, s.limits);
  for (json_t *request; s.requests && (request = request_line_next(s.requests));) {
    answer_request(&s, request);
    json_decref(request);
  }
  close_game(&s);
  if (s.requests) request_line_free(s.requests);
  tabia_limits_free(s.limits);
  tabia_messages_free(s.log);
  arena_free(s.game);
  arena_free(s.scratch);
}
