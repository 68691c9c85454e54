#include "board/draw/picture_stacks.h"

#include <math.h>

/* What each cell stands on; ID_NONE: on the ground. */
static uint32_t *read_supports(const picture_board *b, const samples *s, arena *scratch) {
  const board_layer *l = &b->board->layers.items[0];
  const uint32_t cells = b->board->cells.count;
  uint32_t *under = arena_new_array(scratch, uint32_t, cells + 1);
  memset(under, 0xff, cells * sizeof *under);
  for (uint32_t i = 0; i < b->items.count; i++) {
    const picture_item *item = &b->items.items[i];
    if (s->fluents.facts.items[item->fact].shape != l->shape) continue;
    const value_id on = fact_value(&s->fluents, item->fact, 1 - l->key.columns[0]);
    under[item->cell] = board_find(b->board, &on);
  }
  return under;
}

/* Several may stand on one: the table is no thing, but the ground. */
static bool is_ground(const uint32_t *under, uint32_t cells, uint32_t cell) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < cells; i++) count += under[i] == cell;
  return under[cell] == ID_NONE && count > 1;
}

static uint32_t height_of(const uint32_t *under, uint32_t cells, uint32_t cell, uint32_t *bottom) {
  uint32_t height = 0;
  for (*bottom = cell; under[*bottom] != ID_NONE && height < cells; height++)
    *bottom = under[*bottom];
  return height;
}

/* Piles from left to right in the order of their lowest things. */
void picture_stack(picture_board *b, const samples *s, arena *scratch) {
  const uint32_t cells = b->board->cells.count;
  uint32_t *under = read_supports(b, s, scratch),
           *column = arena_new_array(scratch, uint32_t, cells + 1);
  uint32_t bottom, columns = 0;
  double highest = 0;
  for (uint32_t i = 0; i < cells; i++)
    for (uint32_t k = 0; k < cells && is_ground(under, cells, i); k++)
      if (under[k] == i) under[k] = ID_NONE;
  for (uint32_t i = 0; i < cells; i++)
    if (under[i] == ID_NONE) column[i] = columns++;
  for (uint32_t i = 0; i < cells; i++) {
    b->cells[i].y = height_of(under, cells, i, &bottom);
    b->cells[i].x = column[bottom];
    highest = fmax(highest, b->cells[i].y);
  }
  for (uint32_t i = 0; i < cells; i++) b->cells[i].y = highest - b->cells[i].y;
  b->width = columns;
  b->height = highest + 1;
}
