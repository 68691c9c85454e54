/* A position in full, as text: used by traces, reports and comparisons of machines. */
#ifndef TABIA_MACHINE_STATE_VIEW_H
#define TABIA_MACHINE_STATE_VIEW_H

#include "machine/machine.h"

typedef struct text_list {
  const char **items; /* canonical KIF, sorted by bytes */
  uint32_t count;
} text_list;

typedef struct role_view {
  const char *name;
  move_id *moves;  /* in the order of their texts */
  text_list texts; /* of the moves */
  int32_t *goals;  /* all that hold, from the lowest */
  uint32_t goal_count;
} role_view;

typedef struct state_view {
  text_list fluents;
  bool terminal;
  role_view *roles;
  uint32_t role_count;
  uint32_t nature; /* the role that chance plays, which needs no goal; role_count: there is none */
} state_view;

/* False: there is trouble. */
bool state_view_read(state_view *v, const machine *m, machine_workspace *w, const void *position,
                     arena *keep);

/* The number of the role's move with this text; MOVE_NONE: it is not legal. */
move_id view_find_move(const role_view *r, const char *canonical);

/* The first role with several goals or none, but for `random`; role_count: all have one. */
uint32_t view_unjudged_role(const state_view *v);

/* The first role without a legal move; role_count: all have one. */
uint32_t view_stuck_role(const state_view *v);

text_list fluents_of(const machine *m, const void *position, arena *keep);

/* What the role sees during the joint move. */
text_list percepts_seen(const machine *m, machine_workspace *w, const void *position,
                        const move_id *joint, uint32_t role, arena *keep);

const char *move_words(const machine *m, uint32_t role, move_id move, arena *keep);

/* ---- lists as text ---- */

void list_sort(text_list *l);

void list_sha1(const text_list *l, char *hex); /* SHA1_HEX_SIZE bytes */

/* One line for each that is in one list alone: "-x" in `left`, "+x" in `right`. */
void list_diff(const text_list *left, const text_list *right, text *out);

#endif
