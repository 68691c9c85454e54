#include "api/builtin.h"
#include "tabia.h"

uint32_t tabia_game_count(void) { return (uint32_t)builtin_game_count(); }

const char *tabia_game_name(uint32_t i) {
  return i < builtin_game_count() ? builtin_game_at(i)->name : NULL;
}

const char *tabia_game_text(uint32_t i, size_t *length) {
  if (i >= builtin_game_count()) return NULL;
  *length = builtin_game_at(i)->length;
  return builtin_game_at(i)->text;
}

bool tabia_game_is_faulty(uint32_t i) {
  return i < builtin_game_count() && builtin_game_is_faulty(builtin_game_at(i));
}

uint32_t tabia_game_find(const char *name) {
  const builtin_game *found = builtin_game_find(name);
  return found ? (uint32_t)(found - builtin_game_at(0)) : tabia_game_count();
}
