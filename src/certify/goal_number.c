#include "certify/goal_number.h"

bool goal_number(const term_table *terms, term_id t, int32_t *value) {
  const slice name = symbol_folded(terms->symbols, term_get(terms, t)->name);
  uint64_t magnitude = 0;
  if (term_get(terms, t)->arg_count || !name.length) return false;
  const bool is_negative = name.start[0] == '-';
  const size_t first = is_negative || name.start[0] == '+';
  for (size_t i = first; i < name.length; i++) {
    if (name.start[i] < '0' || name.start[i] > '9') return false;
    magnitude = magnitude * 10 + (uint64_t)(name.start[i] - '0');
    if (magnitude > INT32_MAX) return false;
  }
  *value = (int32_t)(is_negative ? -(int64_t)magnitude : (int64_t)magnitude);
  return name.length > first;
}
