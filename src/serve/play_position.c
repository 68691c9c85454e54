/* Positions as JSON. */
#include "serve/play_parts.h"

#include <stdlib.h>

static const char *fluent_words(play_session *s, tabia_fluent f) {
  const size_t length = tabia_fluent_text(s->machine, f, NULL, 0);
  char *words = arena_alloc(s->scratch, length + 1);
  tabia_fluent_text(s->machine, f, words, length + 1);
  return words;
}

const char *play_move_words(play_session *s, const tabia_machine *m, uint32_t role,
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

uint32_t play_legal_moves(play_session *s, const void *position, uint32_t role,
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
  tabia_percept *seen = arena_new_array(s->scratch, tabia_percept, room + (size_t)1);
  const uint32_t count =
      tabia_position_sees(s->workspace, before->position, last->joint, role, seen, room);
  json_open_array(w, "sees");
  for (uint32_t i = 0; i < count && i < room; i++) {
    const size_t length = tabia_percept_text(s->machine, role, seen[i], NULL, 0);
    char *words = arena_alloc(s->scratch, length + 1);
    tabia_percept_text(s->machine, role, seen[i], words, length + 1);
    json_put_string(w, NULL, words);
  }
  json_close_array(w);
}

static void write_role(play_session *s, json_writer *w, const void *position, uint32_t role) {
  tabia_move *moves;
  const uint32_t count = play_legal_moves(s, position, role, &moves);
  json_open_object(w, NULL);
  json_put_string(w, "role", tabia_machine_role(s->machine, role));
  json_open_array(w, "legal");
  for (uint32_t i = 0; i < count; i++)
    json_put_string(w, NULL, play_move_words(s, s->machine, role, moves[i]));
  json_close_array(w);
  write_goals(s, w, position, role);
  if (s->line.count > 1 && tabia_machine_has_hidden_state(s->machine)) write_sees(s, w, role);
  json_close_object(w);
}

void play_write_joint(play_session *s, json_writer *w, const char *key, const tabia_move *joint) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++)
    json_put_string(w, NULL, play_move_words(s, s->machine, i, joint[i]));
  json_close_array(w);
}

static void write_board(play_session *s, json_writer *w, const void *position) {
  text t = text_new(s->scratch);
  if (s->board && tabia_board_draw(s->board, position, "json", play_put, &t, NULL) == TABIA_OK)
    play_put_one_line(w, "board", &t);
  else
    json_put_null(w, "board");
}

void play_write_position(play_session *s, json_writer *w) {
  const line_step *last = &vec_last(&s->line);
  json_put_integer(w, "step", s->line.count - 1);
  json_put_string(w, "state", play_state_words(s));
  write_facts(s, w, last->position);
  json_put_bool(w, "terminal", tabia_position_terminal(s->workspace, last->position));
  json_open_array(w, "roles");
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++)
    write_role(s, w, last->position, i);
  json_close_array(w);
  if (last->joint) play_write_joint(s, w, "joint", last->joint);
  write_board(s, w, last->position);
  play_write_exact(s, w);
}
