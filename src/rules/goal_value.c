#include "rules/goal_value.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The digits as a number; more than `most` when they are worth more. */
static uint64_t digits_value(slice digits, uint64_t most) {
  uint64_t value = 0;
  for (size_t i = 0; i < digits.length && value <= most; i++)
    value = 10 * value + (uint64_t)(digits.start[i] - '0');
  return value;
}

static bool are_digits(slice s) {
  for (size_t i = 0; i < s.length; i++)
    if (!is_digit(s.start[i])) return false;
  return s.length > 0;
}

bool goal_value(const term_table *terms, term_id t, int32_t *value) {
  if (term_get(terms, t)->arg_count) return false;
  return goal_value_of_name(terms->symbols, term_get(terms, t)->name, value);
}

bool goal_value_of_name(const symbol_table *symbols, symbol_id name, int32_t *value) {
  slice digits = symbol_folded(symbols, name);
  const char sign = digits.length ? digits.start[0] : '\0';
  if (sign == '-' || sign == '+') digits = (slice){digits.start + 1, digits.length - 1};
  if (!are_digits(digits)) return false;
  const uint64_t number = digits_value(digits, INT32_MAX);
  *value = (int32_t)(sign == '-' ? -(int64_t)number : (int64_t)number);
  return number <= INT32_MAX;
}
