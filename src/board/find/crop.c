#include "board/find/crop.h"

enum { CROP_CELLS_LEAST = 12 };

/* The part of the axis from the first value that was seen to the last. */
static id_vec used_part(const id_vec *axis, const id_vec *seen) {
  uint32_t from = axis->count, to = 0;
  for (uint32_t i = 0; i < axis->count; i++)
    for (uint32_t k = 0; k < seen->count; k++)
      if (seen->items[k] == axis->items[i]) {
        if (from > i) from = i;
        to = i + 1;
      }
  return (id_vec){.items = axis->items + from, .count = to > from ? to - from : 0};
}

static bool was_there_at_first(const survey *v, const shape_survey *x, key k) {
  id_vec first = x->seen;
  first.count = x->seen_from[1];
  const uint32_t cells = key_count(v, &first, k);
  return cells >= CROP_CELLS_LEAST && 2 * cells >= key_count(v, &x->seen, k);
}

void board_crop(board *b, const survey *v, const board_layer *l) {
  const shape_survey *x = &v->shapes.items[l->shape];
  id_vec used[2];
  if (b->axis_count != 2 || !x->seen.count || !was_there_at_first(v, x, l->key)) return;
  arena *scratch = arena_new();
  bool is_small = true;
  for (uint32_t i = 0; i < 2; i++) {
    const id_vec seen = book_domain(&v->samples->fluents, &x->seen, l->key.columns[i], scratch);
    used[i] = used_part(&b->axes[i], &seen);
    is_small &= used[i].count * 10 <= b->axes[i].count * 6;
  }
  for (uint32_t i = 0; i < 2 && is_small; i++) b->axes[i] = used[i];
  arena_free(scratch);
}
