/* A state in full, for people and for programs. */
#ifndef TABIA_CLI_STATE_TEXT_H
#define TABIA_CLI_STATE_TEXT_H

#include "base/text.h"
#include "base/vec.h"
#include "tabia.h"

typedef VEC(const char *) word_list;

typedef struct role_text {
  const char *name;
  word_list legal;
  word_list percepts;
  int32_t *goals;
  uint32_t goal_count;
} role_text;

typedef struct state_text {
  word_list fluents; /* sorted by bytes */
  bool is_terminal;
  role_text *roles;
  uint32_t role_count;
  bool has_percepts;
} state_text;

/* What is read while the workspace is in trouble is of no use. */
state_text state_text_read(tabia_workspace *w, const tabia_machine *m, const void *position,
                           arena *keep);

/* What each role sees of the joint move that is made in `before`. */
void state_text_add_percepts(state_text *t, tabia_workspace *w, const tabia_machine *m,
                             const void *before, const tabia_move *joint, arena *keep);

/* Lines on standard output, with an empty one behind them; or an object on a line. */
void state_text_put(const state_text *t);
void state_text_put_json(const state_text *t, uint64_t step, arena *scratch);

#endif
