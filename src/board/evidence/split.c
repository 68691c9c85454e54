#include "board/evidence/split.h"

#include <ctype.h>
#include <stdlib.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static size_t digits_at(const char *text) {
  size_t length = 0;
  while (is_digit(text[length])) length++;
  return length;
}

static const char *skip_to_digit(const char *text) {
  while (*text && !is_digit(*text)) text++;
  return text;
}

static bool split_letter(const char *text, slice parts[2]) {
  const size_t digits = is_letter(text[0]) ? digits_at(text + 1) : 0;
  parts[0] = (slice){text, 1};
  parts[1] = (slice){text + 1, digits};
  return digits && digits <= 2 && !text[1 + digits];
}

/* Exactly two runs of digits, with something between them and nothing after. */
static bool split_numbers(const char *text, slice parts[2]) {
  const char *first = skip_to_digit(text);
  parts[0] = (slice){first, digits_at(first)};
  const char *second = skip_to_digit(first + parts[0].length);
  parts[1] = (slice){second, digits_at(second)};
  return parts[0].length && parts[1].length && !second[parts[1].length];
}

static bool split_digits(const char *text, slice parts[2]) {
  const char *first = skip_to_digit(text);
  parts[0] = (slice){first, 1};
  parts[1] = (slice){first + 1, 1};
  return digits_at(first) == 2 && !first[2];
}

bool split_text(const char *text, split_form form, slice parts[2]) {
  switch (form) {
    case SPLIT_LETTER_NUMBER: return split_letter(text, parts);
    case SPLIT_TWO_NUMBERS: return split_numbers(text, parts);
    case SPLIT_TWO_DIGITS: return split_digits(text, parts);
    default: return false;
  }
}

/* ---- which form ---- */

/* Values of parts are small: letters count from 'a', numbers are below a hundred. */
enum { PART_SPAN = 128, SPLIT_MOST = 4096 };

typedef struct part_counts {
  bool is_there[PART_SPAN];
  uint32_t count, lowest, highest;
} part_counts;

uint32_t split_number(slice part) {
  uint32_t number = 0;
  if (!is_digit(*part.start)) return (uint32_t)tolower(*part.start) - 'a';
  for (size_t i = 0; i < part.length; i++) number = 10 * number + (uint32_t)(part.start[i] - '0');
  return number;
}

static bool count_part(part_counts *c, slice part) {
  const uint32_t n = part.length > 2 ? PART_SPAN : split_number(part);
  if (n >= PART_SPAN) return false;
  if (!c->count || n < c->lowest) c->lowest = n;
  if (!c->count || n > c->highest) c->highest = n;
  c->count += !c->is_there[n];
  c->is_there[n] = true;
  return true;
}

static bool is_axis(const part_counts *c) {
  return c->count >= 2 && c->highest - c->lowest + 1 <= 2 * c->count;
}

/* Prefixes must be the same: n_1_1 and s_1_1 are different things. */
static bool has_prefix_of(const char *text, const char *other) {
  const size_t length = (size_t)(skip_to_digit(text) - text);
  return length == (size_t)(skip_to_digit(other) - other) && strncmp(text, other, length) == 0;
}

static bool fills_a_grid(const names *n, const name_id *values, uint32_t count, split_form form) {
  part_counts counts[2] = {0};
  slice parts[2];
  for (uint32_t i = 0; i < count; i++) {
    const char *text = names_text(n, values[i]);
    if (!split_text(text, form, parts) || !count_part(&counts[0], parts[0]) ||
        !count_part(&counts[1], parts[1]))
      return false;
    if (form != SPLIT_LETTER_NUMBER && !has_prefix_of(text, names_text(n, values[0]))) return false;
  }
  return is_axis(&counts[0]) && is_axis(&counts[1]) &&
         10 * count >= 3 * counts[0].count * counts[1].count;
}

/* 11, 12, ... 88 is a board, 10, 11, ... 30 a counter. */
static bool is_a_counter(const names *n, const name_id *values, uint32_t count) {
  long lowest = 100, highest = 0;
  for (uint32_t i = 0; i < count; i++) {
    const long number = strtol(skip_to_digit(names_text(n, values[i])), NULL, 10);
    if (number < lowest) lowest = number;
    if (number > highest) highest = number;
  }
  return highest - lowest + 1 == (long)count;
}

split_form split_form_of(const names *n, const name_id *values, uint32_t count) {
  if (count < 4 || count > SPLIT_MOST) return SPLIT_NONE;
  for (split_form f = SPLIT_LETTER_NUMBER; f < SPLIT_FORM_COUNT; f++)
    if (fills_a_grid(n, values, count, f) &&
        !(f == SPLIT_TWO_DIGITS && is_a_counter(n, values, count)))
      return f;
  return SPLIT_NONE;
}

/* ---- parts ---- */

void split_add(names *n, name_id value, split_form form) {
  slice parts[2];
  if (!split_text(names_text(n, value), form, parts)) return;
  names_add(n, parts[0].start, parts[0].length);
  names_add(n, parts[1].start, parts[1].length);
}

name_id split_find(const names *n, name_id value, split_form form, split_part part) {
  slice parts[2];
  if (!split_text(names_text(n, value), form, parts)) return NAME_NONE;
  return names_find(n, parts[part].start, parts[part].length);
}
