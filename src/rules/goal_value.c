#include "rules/goal_value.h"

#include <stdlib.h>
#include <string.h>

bool goal_value(const term_table *terms, term_id t, int32_t *value) {
  if (term_get(terms, t)->arg_count) return false;
  const slice name = symbol_folded(terms->symbols, term_get(terms, t)->name);
  char digits[12], *end;
  if (name.length == 0 || name.length >= sizeof digits) return false;
  memcpy(digits, name.start, name.length);
  digits[name.length] = '\0';
  const long number = strtol(digits, &end, 10);
  *value = (int32_t)number;
  return *end == '\0' && number == *value;
}
