#include "ground/sort_by_key.h"

#include <assert.h>
#include <string.h>

enum {
  RUN_MIN = 8,   /* shorter runs are made so long by insertion */
  RUNS_MAX = 34, /* that wait to be merged: each is more than twice as long as the next */
};

/* The first `sorted` of them are. */
static void insert_others(key_and_id *items, uint32_t sorted, uint32_t count) {
  for (uint32_t i = sorted; i < count; i++) {
    const key_and_id it = items[i];
    uint32_t at = i;
    for (; at > 0 && items[at - 1].key > it.key; at--) items[at] = items[at - 1];
    items[at] = it;
  }
}

static void reverse(key_and_id *items, uint32_t count) {
  for (uint32_t i = 0; i < count / 2; i++) {
    const key_and_id it = items[i];
    items[i] = items[count - 1 - i];
    items[count - 1 - i] = it;
  }
}

/* Makes a beginning of the items rise; returns how long it is.  Joins give what they find newest
   first, so many lists consist of few parts that rise or fall. */
static uint32_t make_run(key_and_id *items, uint32_t count) {
  uint32_t length = 1;
  while (length < count && items[length - 1].key > items[length].key) length++;
  if (length > 1)
    reverse(items, length);
  else
    while (length < count && items[length - 1].key <= items[length].key) length++;
  if (length >= RUN_MIN || length == count) return length;
  const uint32_t enough = count < RUN_MIN ? count : RUN_MIN;
  insert_others(items, length, enough);
  return enough;
}

/* Merges two adjacent runs. */
static void merge(key_and_id *items, uint32_t left_count, uint32_t right_count, key_and_id *room) {
  memcpy(room, items, left_count * sizeof *items);
  const key_and_id *left = room;
  const key_and_id *const left_end = room + left_count;
  const key_and_id *right = items + left_count;
  const key_and_id *const right_end = right + right_count;
  key_and_id *to = items;
  while (left < left_end && right < right_end) *to++ = right->key < left->key ? *right++ : *left++;
  memcpy(to, left, (size_t)(left_end - left) * sizeof *to); /* the rest of the right is in place */
}

void sort_by_key(key_and_id *items, uint32_t count, key_and_id *room) {
  uint32_t lengths[RUNS_MAX];
  uint32_t runs = 0;
  for (uint32_t start = 0; start < count;) {
    uint32_t last = make_run(items + start, count - start);
    start += last;
    for (; runs > 0 && (start == count || lengths[runs - 1] / 2 <= last); runs--) {
      merge(items + start - last - lengths[runs - 1], lengths[runs - 1], last, room);
      last += lengths[runs - 1];
    }
    assert(runs < RUNS_MAX);
    lengths[runs++] = last;
  }
}
