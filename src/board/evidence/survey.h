/* The fluents and moves of a game by shape and column, with the order of each column's values: the
   input of every search for boards. */
#ifndef TABIA_BOARD_EVIDENCE_SURVEY_H
#define TABIA_BOARD_EVIDENCE_SURVEY_H

#include "board/evidence/order.h"
#include "board/evidence/samples.h"

typedef struct column_survey {
  id_vec domain; /* all values that the column can have */
  ordering order;
  bool has_roles_alone;
  axis_hint hint;
} column_survey;

typedef struct shape_survey {
  shape_id shape;
  id_vec facts;
  uint32_t column_count;
  column_survey columns[2 * COLUMN_MAX];
  id_vec seen;           /* facts in states, one state after another */
  uint32_t *seen_from;   /* by state, and one more: where its facts start in `seen` */
  uint32_t most_at_once; /* of any state */
  bool is_nested;
} shape_survey;

typedef struct survey {
  arena *keep;
  samples *samples;
  statics statics;
  VEC(shape_survey) shapes; /* of fluents, by their number */
  VEC(shape_survey) moves;  /* of moves; nothing was seen of them in states */
} survey;

void survey_make(survey *v, samples *s, const program *p, arena *keep);

static inline bool column_is_coordinate(const column_survey *c) {
  return ordering_is_coordinate(&c->order) && !c->has_roles_alone;
}

#endif
