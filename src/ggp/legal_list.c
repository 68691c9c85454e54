#include "ggp/legal_list.h"

#include <stdlib.h>
#include <string.h>

const char *legal_move_text(const tabia_machine *m, uint32_t role, tabia_move move, arena *keep) {
  const size_t length = tabia_move_text(m, role, move, NULL, 0);
  char *words = arena_alloc(keep, length + 1);
  tabia_move_text(m, role, move, words, length + 1);
  return words;
}

static int compare_moves(const void *a, const void *b) {
  return strcmp(((const legal_move *)a)->words, ((const legal_move *)b)->words);
}

legal_list legal_list_of(const tabia_machine *m, tabia_workspace *w, const void *position,
                         uint32_t role, arena *keep) {
  const uint32_t count = tabia_position_legal(w, position, role, NULL, 0);
  tabia_move *moves = arena_new_array(keep, tabia_move, count + 1);
  if (!count || tabia_position_legal(w, position, role, moves, count) < count)
    return (legal_list){0};
  legal_list list = {count, arena_new_array(keep, legal_move, count)};
  for (uint32_t i = 0; i < count; i++)
    list.items[i] = (legal_move){legal_move_text(m, role, moves[i], keep), moves[i]};
  qsort(list.items, count, sizeof *list.items, compare_moves);
  return list;
}
