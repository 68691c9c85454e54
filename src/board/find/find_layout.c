#include "board/find/find_layout.h"

#include "board/find/find_clicks.h"
#include "board/find/find_grids.h"
#include "board/find/find_rows.h"
#include "board/find/tints.h"
#include "board/find/walls.h"

/* What a shape that is on no board means. */
static rest_kind find_rest_kind(const survey *v, shape_id s) {
  const shape_survey *x = &v->shapes.items[s];
  const column_survey *c = x->columns;
  if (x->column_count == 1 && x->most_at_once <= 1) {
    if (c[0].has_roles_alone && c[0].domain.count > 1) return REST_TURN;
    if (c[0].order.quality >= 3 || c[0].order.is_numeric) return REST_COUNTER;
  }
  if (x->column_count == 2 && c[0].has_roles_alone && c[1].order.is_numeric) return REST_SCORE;
  return REST_FACT;
}

void find_layout(layout *l, const survey *v, arena *keep) {
  arena *scratch = arena_new();
  bool *is_drawn = arena_zero_array(scratch, bool, v->shapes.count + 1);
  *l = (layout){.keep = keep};
  find_grids(l, v, is_drawn, scratch);
  find_rows(l, v, is_drawn, scratch);
  for (uint32_t i = 0; i < l->boards.count; i++) {
    board_find_walls(&l->boards.items[i], v, keep);
    board_find_tints(&l->boards.items[i], v, keep);
  }
  for (shape_id s = 0; s < v->shapes.count; s++) vec_push(keep, &l->rest, find_rest_kind(v, s));
  find_clicks(l, v, scratch);
  arena_free(scratch);
}
