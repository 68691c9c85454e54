#include "board/changes.h"

id_vec facts_lost(const fact_id *first, uint32_t first_count, const fact_id *second,
                  uint32_t second_count, arena *keep) {
  id_vec lost = {0};
  for (uint32_t i = 0, k = 0; i < first_count; i++) {
    while (k < second_count && second[k] < first[i]) k++;
    if (k == second_count || second[k] != first[i]) vec_push(keep, &lost, first[i]);
  }
  return lost;
}

uint32_t board_cell_of(const board *b, const fact_book *book, fact_id f) {
  const shape_id s = book->facts.items[f].shape;
  for (uint32_t i = 0; i < b->layers.count; i++)
    if (b->layers.items[i].shape == s) return key_cell(b, b->layers.items[i].key, book, f);
  return ID_NONE;
}

static void add_cells(step_changes *c, const board *b, const fact_book *book, const id_vec *facts,
                      arena *keep) {
  for (uint32_t i = 0; i < facts->count; i++) {
    const uint32_t cell = board_cell_of(b, book, facts->items[i]);
    if (cell != ID_NONE) vec_push(keep, &c->cells, cell);
  }
}

static void add_step(step_changes *c, const board *b, const samples *s, const sample_step *step,
                     arena *keep) {
  const fact_id *before = state_facts(s, step->before), *after = state_facts(s, step->after);
  const uint32_t m = s->states.items[step->before].count, n = s->states.items[step->after].count;
  const id_vec gone = facts_lost(before, m, after, n, keep);
  const id_vec come = facts_lost(after, n, before, m, keep);
  add_cells(c, b, &s->fluents, &gone, keep);
  add_cells(c, b, &s->fluents, &come, keep);
}

step_changes changes_on(const board *b, const samples *s, arena *keep) {
  step_changes c = {.from = arena_zero_array(keep, uint32_t, s->steps.count + 1)};
  for (uint32_t i = 0; i < s->steps.count; i++) {
    add_step(&c, b, s, &s->steps.items[i], keep);
    c.from[i + 1] = c.cells.count;
  }
  return c;
}

bool changes_have(const step_changes *c, uint32_t step, uint32_t cell) {
  for (uint32_t i = c->from[step]; i < c->from[step + 1]; i++)
    if (c->cells.items[i] == cell) return true;
  return false;
}
