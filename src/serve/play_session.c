#include "serve/play_session.h"

#include "base/json.h"
#include "base/rng.h"
#include "base/vec.h"
#include "serve/request_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { THINK_SECONDS_MAX = 60, STEPS_MAX = 10000 };
static const double OPEN_SECONDS = 30;

/* A step of the line that was last asked about. */
typedef struct line_step {
  const char *words; /* the joint move as it was asked for; NULL at the start */
  tabia_move *joint;
  void *position; /* behind it */
} line_step;

typedef struct play_session {
  FILE *out;
  tabia_messages *log;
  tabia_limits *limits;
  tabia_rules *rules;
  tabia_machine *machine, *thinker;
  tabia_workspace *workspace;
  tabia_board *board;
  tabia_search *search;
  arena *game; /* the line */
  arena *scratch;
  char *state; /* the start of the line; NULL: the game's own */
  VEC(line_step) line;
  const json_t *id; /* of the request */
  const char *code; /* of the error; NULL: none */
} play_session;

/* ---- answers ---- */

static void put_json(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

static text begin_answer(play_session *s, json_writer *w, text *out) {
  char *id = json_dumps(s->id, JSON_ENCODE_ANY | JSON_COMPACT);
  *out = text_new(s->scratch);
  *w = json_to(out);
  json_open_object(w, NULL);
  json_put_json(w, "id", id ? id : "null");
  free(id);
  return *out;
}

static void end_answer(play_session *s, json_writer *w, text *out) {
  json_close_object(w);
  fprintf(s->out, "%s\n", text_string(out));
  fflush(s->out);
}

static void write_diagnostics(play_session *s, json_writer *w) {
  text t = text_new(s->scratch);
  tabia_messages_write(s->log, "json", TABIA_NOTE, put_json, &t);
  for (size_t i = 0; i < t.length; i++)
    if (t.bytes[i] == '\n') t.bytes[i] = ' ';
  json_put_json(w, "diagnostics", t.length ? text_string(&t) : "[]");
}

static void answer_error(play_session *s, const char *code, const char *message) {
  text out;
  json_writer w;
  const bool has_messages = tabia_messages_count(s->log);
  begin_answer(s, &w, &out);
  json_open_object(&w, "error");
  json_put_string(&w, "code", code);
  json_put_string(&w, "message", has_messages ? tabia_message_text(s->log, 0) : message);
  write_diagnostics(s, &w);
  json_close_object(&w);
  end_answer(s, &w, &out);
}

/* The code of a status that is not good. */
static const char *code_of(tabia_status status, const char *usual) {
  return status == TABIA_LIMIT ? "limit" : usual;
}

static const char *string_of(const json_t *params, const char *name) {
  return json_string_value(json_object_get(params, name));
}

/* ---- a game ---- */

static void close_game(play_session *s) {
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
  const char *name = string_of(params, "name"), *game = string_of(params, "game");
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

/* ---- places ---- */

static void *new_position(play_session *s) {
  return arena_alloc(s->game, tabia_position_size(s->machine));
}

static bool fail(play_session *s, tabia_status status, const char *code) {
  s->code = code_of(status, code);
  return false;
}

static bool begin_line(play_session *s, const char *state) {
  arena_clear(s->game);
  memset(&s->line, 0, sizeof s->line);
  s->state = NULL;
  void *start = new_position(s);
  tabia_position_start(s->machine, start);
  if (state) {
    const tabia_status status =
        tabia_position_read(s->machine, "state", state, strlen(state), start, s->log);
    if (status != TABIA_OK) return fail(s, status, "state");
    s->state = arena_copy_text(s->game, state, strlen(state));
  }
  vec_push(s->game, &s->line, ((line_step){.position = start}));
  return true;
}

/* A joint move as one text: it may come as a list. */
static const char *joint_words(play_session *s, const json_t *move) {
  if (json_is_string(move)) return json_string_value(move);
  text t = text_new(s->scratch);
  for (size_t i = 0; i < json_array_size(move); i++) {
    const char *one = json_string_value(json_array_get(move, i));
    text_add_format(&t, "%s%s", i ? " " : "", one ? one : "");
  }
  return text_string(&t);
}

static bool add_step(play_session *s, const char *words, const tabia_move *joint) {
  const line_step last = vec_last(&s->line);
  const uint32_t roles = tabia_machine_role_count(s->machine);
  line_step next = {.words = arena_copy_text(s->game, words, strlen(words)),
                    .joint = arena_new_array(s->game, tabia_move, roles + 1),
                    .position = new_position(s)};
  if (tabia_position_terminal(s->workspace, last.position)) return fail(s, TABIA_OK, "over");
  if (joint) {
    memcpy(next.joint, joint, roles * sizeof *joint);
  } else {
    const tabia_status status = tabia_joint_read(s->workspace, last.position, "move", words,
                                                 strlen(words), next.joint, s->log);
    if (status != TABIA_OK) return fail(s, status, "move");
  }
  tabia_position_step(s->workspace, last.position, next.joint, next.position);
  vec_push(s->game, &s->line, next);
  return true;
}

static bool same_state(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

/* Goes on from what the line has in common with the last one. */
static bool go_to(play_session *s, const json_t *params) {
  const char *state = string_of(params, "state");
  const json_t *after = json_object_get(params, "after");
  size_t known = 0;
  if (!s->machine) return fail(s, TABIA_OK, "closed");
  if (after && !json_is_array(after)) return fail(s, TABIA_OK, "message");
  const bool goes_on = s->line.count && same_state(state, s->state);
  if (!goes_on && !begin_line(s, state)) return false;
  while (known + 1 < s->line.count && known < json_array_size(after) &&
         !strcmp(s->line.items[known + 1].words, joint_words(s, json_array_get(after, known))))
    known++;
  s->line.count = (uint32_t)known + 1;
  for (; known < json_array_size(after); known++)
    if (!add_step(s, joint_words(s, json_array_get(after, known)), NULL)) return false;
  return true;
}

/* ---- positions as JSON ---- */

static const char *fluent_words(play_session *s, tabia_fluent f) {
  const size_t length = tabia_fluent_text(s->machine, f, NULL, 0);
  char *words = arena_alloc(s->scratch, length + 1);
  tabia_fluent_text(s->machine, f, words, length + 1);
  return words;
}

static const char *move_words(play_session *s, const tabia_machine *m, uint32_t role,
                              tabia_move move) {
  const size_t length = tabia_move_text(m, role, move, NULL, 0);
  char *words = arena_alloc(s->scratch, length + 1);
  tabia_move_text(m, role, move, words, length + 1);
  return words;
}

static int compare_words(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void write_facts(play_session *s, json_writer *w, const void *position) {
  const uint32_t count = tabia_position_fluents(s->machine, position, NULL, 0);
  tabia_fluent *fluents = arena_new_array(s->scratch, tabia_fluent, count + 1);
  const char **words = arena_new_array(s->scratch, const char *, count + 1);
  tabia_position_fluents(s->machine, position, fluents, count);
  for (uint32_t i = 0; i < count; i++) words[i] = fluent_words(s, fluents[i]);
  qsort(words, count, sizeof *words, compare_words);
  json_open_array(w, "facts");
  for (uint32_t i = 0; i < count; i++) json_put_string(w, NULL, words[i]);
  json_close_array(w);
}

static uint32_t legal_moves(play_session *s, const void *position, uint32_t role,
                            tabia_move **moves) {
  const uint32_t room = tabia_position_legal(s->workspace, position, role, NULL, 0);
  *moves = arena_new_array(s->scratch, tabia_move, room + (size_t)1);
  const uint32_t count = tabia_position_legal(s->workspace, position, role, *moves, room);
  return count < room ? count : room;
}

static void write_goals(play_session *s, json_writer *w, const void *position, uint32_t role) {
  int32_t goals[101];
  const uint32_t count = tabia_position_goals(s->workspace, position, role, goals, 101);
  json_open_array(w, "goals");
  for (uint32_t i = 0; i < count && i < 101; i++) json_put_integer(w, NULL, goals[i]);
  json_close_array(w);
}

static void write_sees(play_session *s, json_writer *w, uint32_t role) {
  const line_step *before = &s->line.items[s->line.count - 2], *last = &vec_last(&s->line);
  const uint32_t room =
      tabia_position_sees(s->workspace, before->position, last->joint, role, NULL, 0);
  tabia_sight *seen = arena_new_array(s->scratch, tabia_sight, room + (size_t)1);
  const uint32_t count =
      tabia_position_sees(s->workspace, before->position, last->joint, role, seen, room);
  json_open_array(w, "sees");
  for (uint32_t i = 0; i < count && i < room; i++) {
    const size_t length = tabia_sight_text(s->machine, role, seen[i], NULL, 0);
    char *words = arena_alloc(s->scratch, length + 1);
    tabia_sight_text(s->machine, role, seen[i], words, length + 1);
    json_put_string(w, NULL, words);
  }
  json_close_array(w);
}

static void write_role(play_session *s, json_writer *w, const void *position, uint32_t role) {
  tabia_move *moves;
  const uint32_t count = legal_moves(s, position, role, &moves);
  json_open_object(w, NULL);
  json_put_string(w, "role", tabia_machine_role(s->machine, role));
  json_open_array(w, "legal");
  for (uint32_t i = 0; i < count; i++)
    json_put_string(w, NULL, move_words(s, s->machine, role, moves[i]));
  json_close_array(w);
  write_goals(s, w, position, role);
  if (s->line.count > 1 && tabia_machine_has_hidden_state(s->machine)) write_sees(s, w, role);
  json_close_object(w);
}

static void write_joint(play_session *s, json_writer *w, const char *key, const tabia_move *joint) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++)
    json_put_string(w, NULL, move_words(s, s->machine, i, joint[i]));
  json_close_array(w);
}

/* JSON that was written with line ends around it. */
static void put_one_line(json_writer *w, const char *key, text *t) {
  for (size_t i = 0; i < t->length; i++)
    if (t->bytes[i] == '\n') t->bytes[i] = ' ';
  json_put_json(w, key, text_string(t));
}

static void write_board(play_session *s, json_writer *w, const void *position) {
  text t = text_new(s->scratch);
  if (s->board && tabia_board_draw(s->board, position, "json", put_json, &t, NULL) == TABIA_OK)
    put_one_line(w, "board", &t);
  else
    json_put_null(w, "board");
}

/* The members of a position, the last one of the line. */
static void write_position(play_session *s, json_writer *w) {
  const line_step *last = &vec_last(&s->line);
  const size_t length = tabia_position_text(s->machine, last->position, NULL, 0);
  char *words = arena_alloc(s->scratch, length + 1);
  tabia_position_text(s->machine, last->position, words, length + 1);
  json_put_integer(w, "step", s->line.count - 1);
  json_put_string(w, "state", words);
  write_facts(s, w, last->position);
  json_put_bool(w, "terminal", tabia_position_terminal(s->workspace, last->position));
  json_open_array(w, "roles");
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++)
    write_role(s, w, last->position, i);
  json_close_array(w);
  if (last->joint) write_joint(s, w, "joint", last->joint);
  write_board(s, w, last->position);
}

/* `from`: the moves behind this step are told, too; UINT32_MAX: none. */
static void answer_position(play_session *s, uint32_t from) {
  text out;
  json_writer w;
  const tabia_status status = tabia_workspace_status(s->workspace, s->log);
  if (status != TABIA_OK) {
    answer_error(s, code_of(status, "rules"), "the game goes wrong here");
    return;
  }
  begin_answer(s, &w, &out);
  json_open_object(&w, "result");
  write_position(s, &w);
  if (from != UINT32_MAX) {
    json_open_array(&w, "played");
    for (uint32_t i = from; i < s->line.count; i++)
      write_joint(s, &w, NULL, s->line.items[i].joint);
    json_close_array(&w);
  }
  json_close_object(&w);
  end_answer(s, &w, &out);
}

/* ---- methods ---- */

static void do_position(play_session *s, const json_t *params) {
  (void)params;
  answer_position(s, UINT32_MAX);
}

static void write_opened(play_session *s, json_writer *w, const tabia_info *info, bool plays) {
  json_put_string(w, "name", tabia_rules_name(s->rules));
  json_put_string(w, "notation", tabia_rules_notation(s->rules));
  json_put_bool(w, "sound", info && tabia_info_is_sound(info));
  write_diagnostics(s, w);
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
  write_position(s, w);
  json_close_object(w);
}

static void do_open(play_session *s, const json_t *params) {
  text out;
  json_writer w;
  close_game(s);
  const tabia_status status = read_rules(s, params);
  if (!s->rules) {
    answer_error(s, "message",
                 status == TABIA_MISUSE ? "`rules` or `game` is missing"
                                        : "the rules cannot be read");
    return;
  }
  tabia_messages_clear(s->log);
  tabia_limits_set_seconds(s->limits, OPEN_SECONDS);
  tabia_rules_set_limits(s->rules, s->limits);
  tabia_info *info = tabia_info_new(s->rules, s->log);
  const bool plays = tabia_rules_is_whole(s->rules) &&
                     open_machine(s, string_of(params, "layout")) && begin_line(s, NULL);
  begin_answer(s, &w, &out);
  json_open_object(&w, "result");
  write_opened(s, &w, info, plays);
  json_close_object(&w);
  end_answer(s, &w, &out);
  tabia_info_free(info);
  if (!plays) close_game(s);
}

/* The moves of an object, in the order of roles; a role that is left out has one move only. */
static const char *moves_of(play_session *s, const json_t *moves) {
  text t = text_new(s->scratch);
  if (json_is_string(moves)) return json_string_value(moves);
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++) {
    const char *given = string_of(moves, tabia_machine_role(s->machine, i));
    tabia_move *legal;
    const uint32_t count = legal_moves(s, vec_last(&s->line).position, i, &legal);
    if (!given && count != 1) return NULL;
    text_add_format(&t, "%s%s", i ? " " : "",
                    given ? given : move_words(s, s->machine, i, legal[0]));
  }
  return text_string(&t);
}

static void do_play(play_session *s, const json_t *params) {
  const json_t *moves = json_object_get(params, "moves");
  const bool is_over = tabia_position_terminal(s->workspace, vec_last(&s->line).position);
  const char *words = is_over ? "" : moves_of(s, moves);
  if (!words)
    answer_error(s, "move", "a role that has a choice is left out of `moves`");
  else if (!add_step(s, words, NULL))
    answer_error(s, s->code, is_over ? "the game is over" : "this move is not legal");
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
    const uint32_t count = legal_moves(s, position, i, &moves);
    if (!count) return false;
    joint[i] = moves[rng_below(r, count)];
    text_add_format(&t, "%s%s", i ? " " : "", move_words(s, s->machine, i, joint[i]));
  }
  return add_step(s, text_string(&t), joint);
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
  const char *format = string_of(params, "format");
  text t = text_new(s->scratch), out;
  json_writer w;
  if (!format) format = "svg";
  if (!s->board) {
    answer_error(s, "rules", "this game cannot be drawn");
    return;
  }
  if (!strcmp(format, "layout")) {
    tabia_board_write_layout(s->board, put_json, &t);
  } else if (tabia_board_draw(s->board, vec_last(&s->line).position, format, put_json, &t,
                              s->log) != TABIA_OK) {
    answer_error(s, "message", "there is no such format");
    return;
  }
  begin_answer(s, &w, &out);
  json_open_object(&w, "result");
  json_put_string(&w, "format", format);
  json_put_string(&w, "drawing", text_string(&t));
  json_close_object(&w);
  end_answer(s, &w, &out);
}

/* ---- thinking ---- */

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
    json_put_string(w, "move", move_words(s, s->thinker, role, tabia_search_move(x, role, i)));
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
      json_put_string(w, tabia_machine_role(s->thinker, r), move_words(s, s->thinker, r, joint[r]));
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_thought(play_session *s, json_writer *w, const tabia_search *x, uint32_t role,
                          bool is_last) {
  const tabia_move best = tabia_search_best(x, role);
  json_put_string(w, "machine", tabia_machine_kind(s->thinker));
  json_put_string(w, "role", tabia_machine_role(s->thinker, role));
  json_put_string(w, "move", best == TABIA_NO_MOVE ? NULL : move_words(s, s->thinker, role, best));
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
  begin_answer(t->s, &w, &out);
  json_open_object(&w, "thought");
  write_thought(t->s, &w, x, t->role, false);
  json_close_object(&w);
  end_answer(t->s, &w, &out);
}

static tabia_status open_thinker(play_session *s) {
  if (s->search) return TABIA_OK;
  tabia_limits_set_seconds(s->limits, OPEN_SECONDS);
  tabia_status status = tabia_machine_open(&s->thinker, s->rules, "auto-many", s->limits, s->log);
  tabia_limits_set_seconds(s->limits, 0);
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

/* The position on the machine that thinks, by its text. */
static tabia_status carry_over(play_session *s, void **position) {
  const void *from = vec_last(&s->line).position;
  const size_t length = tabia_position_text(s->machine, from, NULL, 0);
  char *words = arena_alloc(s->scratch, length + 1);
  tabia_position_text(s->machine, from, words, length + 1);
  *position = arena_alloc(s->scratch, tabia_position_size(s->thinker));
  return tabia_position_read(s->thinker, "state", words, length, *position, s->log);
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

static void do_think(play_session *s, const json_t *params) {
  thinking t = {s, role_of(s, string_of(params, "role"))};
  text out;
  json_writer w;
  void *position;
  if (t.role == tabia_machine_role_count(s->machine)) {
    answer_error(s, "message", "the game has no such role");
    return;
  }
  tabia_status status = open_thinker(s);
  if (status == TABIA_OK) status = carry_over(s, &position);
  if (status != TABIA_OK) {
    answer_error(s, code_of(status, "rules"), "this game cannot be searched");
    return;
  }
  set_effort(s, params);
  tabia_search_set_listener(s->search, tell_thought, &t);
  tabia_search_think(s->search, position, t.role, s->limits, s->log);
  begin_answer(s, &w, &out);
  json_open_object(&w, "result");
  write_thought(s, &w, s->search, t.role, true);
  json_close_object(&w);
  end_answer(s, &w, &out);
}

static void do_stop(play_session *s, const json_t *params) {
  text out;
  json_writer w;
  (void)params;
  begin_answer(s, &w, &out);
  json_open_object(&w, "result");
  json_close_object(&w);
  end_answer(s, &w, &out);
}

/* ---- requests ---- */

typedef void method_work(play_session *s, const json_t *params);

static const struct {
  const char *name;
  bool has_place;
  method_work *work;
} methods[] = {{"open", false, do_open}, {"position", true, do_position},
               {"play", true, do_play},  {"random", true, do_random},
               {"draw", true, do_draw},  {"think", true, do_think},
               {"stop", false, do_stop}};

static void run_method(play_session *s, size_t method, const json_t *params) {
  s->code = NULL;
  if (methods[method].has_place && !go_to(s, params)) {
    const bool is_closed = !strcmp(s->code, "closed");
    answer_error(s, s->code, is_closed ? "no game is open" : "there is no such place in the game");
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
    answer_error(s, "message", "a request is an object with `id`, `method` and `params`");
    return;
  }
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (!strcmp(methods[i].name, name)) {
      run_method(s, i, json_object_get(request, "params"));
      return;
    }
  answer_error(s, "method", "there is no such method");
}

void play_session_run(FILE *in, FILE *out) {
  play_session s = {.out = out,
                    .log = tabia_messages_new(),
                    .limits = tabia_limits_new(),
                    .game = arena_new(),
                    .scratch = arena_new()};
  tabia_messages_set_limit(s.log, 100);
  request_line *requests = request_line_new(in, s.limits);
  for (json_t *request; requests && (request = request_line_next(requests));) {
    answer_request(&s, request);
    json_decref(request);
  }
  close_game(&s);
  if (requests) request_line_free(requests);
  tabia_limits_free(s.limits);
  tabia_messages_free(s.log);
  arena_free(s.game);
  arena_free(s.scratch);
}
