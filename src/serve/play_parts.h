/* What the parts of a session share: the game, the line that was last asked about, and answers. */
#ifndef TABIA_SERVE_PLAY_PARTS_H
#define TABIA_SERVE_PLAY_PARTS_H

#include "base/json.h"
#include "base/vec.h"
#include "serve/request_line.h"

#include <string.h>

enum { THINK_SECONDS_MAX = 60, STEPS_MAX = 10000, OPEN_SECONDS = 30, SOLVE_SECONDS = 20 };

/* A step of the line. */
typedef struct line_step {
  const char *words; /* the joint move as it was asked for; NULL at the start */
  tabia_move *joint;
  void *position; /* behind it */
} line_step;

typedef struct play_session {
  FILE *out;
  request_line *requests;
  tabia_messages *log;
  tabia_limits *limits;
  tabia_rules *rules;
  tabia_machine *machine, *thinker;
  tabia_workspace *workspace;
  tabia_board *board;
  tabia_search *search;
  tabia_database *exact;            /* values of all states; NULL: not solved */
  tabia_workspace *exact_workspace; /* of the thinker, for them */
  arena *game;                      /* the line */
  arena *scratch;
  char *state; /* the start of the line; NULL: the game's own */
  VEC(line_step) line;
  const json_t *id; /* of the request */
  const char *code; /* of the error; NULL: none */
} play_session;

/* play_answer.c: an answer is an object with the id of its request. */
void play_begin_answer(play_session *s, json_writer *w, text *out);
void play_end_answer(play_session *s, json_writer *w, text *out);
void play_answer_error(play_session *s, const char *code, const char *message);
void play_write_diagnostics(play_session *s, json_writer *w);
void play_put(void *context, const char *bytes, size_t length); /* adds to a text */
void play_put_one_line(json_writer *w, const char *key, text *json);
/* The code of a status that is not good: `usual`, unless it was a limit or a stop. */
const char *play_code_of(const play_session *s, tabia_status status, const char *usual);
const char *play_string(const json_t *params, const char *name); /* NULL: there is none */

/* play_line.c.  False: `code` says why. */
bool play_begin_line(play_session *s, const char *state);
bool play_add_step(play_session *s, const char *words, const tabia_move *joint);
bool play_go_to(play_session *s, const json_t *params);
const char *play_state_words(play_session *s); /* of the last position of the line */

/* play_position.c */
const char *play_move_words(play_session *s, const tabia_machine *m, uint32_t role,
                            tabia_move move);
uint32_t play_legal_moves(play_session *s, const void *position, uint32_t role, tabia_move **moves);
void play_write_joint(play_session *s, json_writer *w, const char *key, const tabia_move *joint);
void play_write_position(play_session *s, json_writer *w); /* the members of the last one */

/* play_think.c: the machine that thinks and solves, and the last position of the line on it. */
tabia_status play_open_thinker(play_session *s);
tabia_status play_carry_over(play_session *s, void **position);

/* play_exact.c */
void play_solve(play_session *s, const json_t *params);
void play_write_exact(play_session *s, json_writer *w); /* where it is known */
void play_forget_exact(play_session *s);

/* Methods with a place, where the line ends. */
void play_think(play_session *s, const json_t *params);
void play_why(play_session *s, const json_t *params);

#endif
