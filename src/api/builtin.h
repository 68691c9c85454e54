/* The games inside the library: games/NAME.kif is `NAME`, games/faulty/NAME.kif is
   `faulty/NAME`.  The table is made at build time and sorted by name. */
#ifndef TABIA_API_BUILTIN_H
#define TABIA_API_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct builtin_game {
  const char *name;
  const char *text; /* `length` bytes, then a NUL */
  size_t length;
} builtin_game;

extern const builtin_game builtin_table[]; /* for builtin.c */
extern const size_t builtin_table_size;

size_t builtin_game_count(void);
const builtin_game *builtin_game_at(size_t i);
const builtin_game *builtin_game_find(const char *name);  /* or NULL */
const char *builtin_game_nearest(const char *misspelled); /* a name to propose, or NULL */
bool builtin_game_is_faulty(const builtin_game *g);

#endif
