#include "ground/keyed.h"

#include <stdbool.h>
#include <string.h>

enum { RUN = 24 }; /* as many are sorted by insertion */

static void sort_run(keyed *items, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const keyed it = items[i];
    uint32_t at = i;
    for (; at > 0 && items[at - 1].key > it.key; at--) items[at] = items[at - 1];
    items[at] = it;
  }
}

static void merge(const keyed *left, uint32_t left_count, const keyed *right, uint32_t right_count,
                  keyed *to) {
  const keyed *const left_end = left + left_count;
  const keyed *const right_end = right + right_count;
  while (left < left_end && right < right_end) *to++ = right->key < left->key ? *right++ : *left++;
  if (left < left_end)
    memcpy(to, left, (size_t)(left_end - left) * sizeof *to);
  else if (right < right_end)
    memcpy(to, right, (size_t)(right_end - right) * sizeof *to);
}

/* Merges neighbouring runs of this length. */
static void merge_runs(const keyed *from, uint32_t count, uint32_t length, keyed *to) {
  for (uint32_t start = 0; start < count; start += 2 * length) {
    const uint32_t left = count - start < length ? count - start : length;
    const uint32_t rest = count - start - left;
    merge(from + start, left, from + start + left, rest < length ? rest : length, to + start);
  }
}

static void reverse(keyed *items, uint32_t count) {
  for (uint32_t i = 0; i < count / 2; i++) {
    const keyed it = items[i];
    items[i] = items[count - 1 - i];
    items[count - 1 - i] = it;
  }
}

/* Joins give what they find newest first, so many lists come in order or backwards. */
static bool sort_at_once(keyed *items, uint32_t count) {
  uint32_t rising = 1;
  uint32_t falling = 1;
  while (rising < count && items[rising - 1].key <= items[rising].key) rising++;
  if (rising >= count) return true;
  while (falling < count && items[falling - 1].key > items[falling].key) falling++;
  if (falling < count) return false;
  reverse(items, count);
  return true;
}

void keyed_sort(keyed *items, uint32_t count, keyed *room) {
  if (sort_at_once(items, count)) return;
  for (uint32_t start = 0; start < count; start += RUN)
    sort_run(items + start, count - start < RUN ? count - start : RUN);
  keyed *from = items;
  keyed *to = room;
  for (uint32_t length = RUN; length < count; length *= 2) {
    merge_runs(from, count, length, to);
    keyed *const merged = to;
    to = from;
    from = merged;
  }
  if (from != items) memcpy(items, from, count * sizeof *items);
}
