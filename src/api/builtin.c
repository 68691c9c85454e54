#include "api/builtin.h"

#include "base/spelling.h"

#include <stdlib.h>
#include <string.h>

size_t builtin_game_count(void) { return builtin_table_size; }

const builtin_game *builtin_game_at(size_t i) { return &builtin_table[i]; }

static int compare_name(const void *name, const void *game) {
  return strcmp(name, ((const builtin_game *)game)->name);
}

const builtin_game *builtin_game_find(const char *name) {
  return bsearch(name, builtin_table, builtin_table_size, sizeof *builtin_table, compare_name);
}

const char *builtin_game_nearest(const char *misspelled) {
  spelling s = spelling_of(slice_of(misspelled));
  for (size_t i = 0; i < builtin_table_size; i++)
    spelling_is_nearer(&s, slice_of(builtin_table[i].name));
  return s.best.start;
}

bool builtin_game_is_faulty(const builtin_game *g) { return strncmp(g->name, "faulty/", 7) == 0; }
