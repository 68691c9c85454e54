#include "ground/text_order.h"

#include "ground/sort_by_key.h"

#include <stdlib.h>
#include <string.h>

/* Items of one relation and with one number before their texts: neighbours in the order. */
typedef struct group {
  uint32_t first, count; /* in sorter.order */
} group;

typedef struct sorter {
  const text_items *x;
  arena *scratch;
  uint32_t *rank; /* by term: its place among the constants, from 1 on; 0: does not occur */
  uint32_t rank_bits;
  uint32_t *order;
  VEC(group) groups;
} sorter;

/* ---- texts ---- */

static int compare_items(const text_items *x, uint32_t a, uint32_t b) {
  if (x->before && x->before[a] != x->before[b]) return x->before[a] < x->before[b] ? -1 : 1;
  return term_compare(x->f->terms, x->terms[a], x->terms[b]);
}

static int compare_items_in(const void *left, const void *right, void *context) {
  return compare_items(context, *(const uint32_t *)left, *(const uint32_t *)right);
}

static int compare_groups(const void *left, const void *right, void *context) {
  const sorter *s = context;
  return compare_items(s->x, s->order[((const group *)left)->first],
                       s->order[((const group *)right)->first]);
}

static int compare_terms(const void *left, const void *right, void *context) {
  return term_compare(context, *(const term_id *)left, *(const term_id *)right);
}

/* ---- constants ---- */

/* False: a cell holds more than a constant. */
static bool collect_constants(sorter *s, id_vec *constants) {
  const text_items *x = s->x;
  for (uint32_t i = 0; i < x->relation_count; i++) {
    const table *t = &x->tables[x->relations[i]];
    if (!x->f->relations.items[x->relations[i]].is_exact) return false;
    for (uint32_t at = 0; at < t->cells.count; at++) {
      const term_id it = t->cells.items[at];
      if (s->rank[it]) continue;
      s->rank[it] = 1;
      vec_push(s->scratch, constants, it);
    }
  }
  return true;
}

/* A name goes on with a blank or, as last argument, with `)`.  A longer name that begins with it
   comes behind it in either case, unless its next byte is less than `)`. */
static bool begins_oddly(const term_table *t, term_id shorter, term_id longer) {
  const slice a = symbol_canonical(t->symbols, term_get(t, shorter)->name);
  const slice b = symbol_canonical(t->symbols, term_get(t, longer)->name);
  return a.length < b.length && memcmp(a.start, b.start, a.length) == 0 &&
         (unsigned char)b.start[a.length] <= ')';
}

/* False: the order of the constants alone does not determine that of the texts. */
static bool rank_constants(sorter *s) {
  term_table *terms = s->x->f->terms;
  s->rank = arena_zero_array(s->scratch, uint32_t, terms->terms.count);
  id_vec constants = {0};
  if (!collect_constants(s, &constants)) return false;
  if (constants.count)
    qsort_r(constants.items, constants.count, sizeof *constants.items, compare_terms, terms);
  for (uint32_t i = 0; i < constants.count; i++) {
    if (i && begins_oddly(terms, constants.items[i - 1], constants.items[i])) return false;
    s->rank[constants.items[i]] = i + 1;
  }
  for (; constants.count >> s->rank_bits; s->rank_bits++) continue;
  return true;
}

/* ---- rows ---- */

static uint64_t key_of_row(const sorter *s, const table *t, uint32_t row) {
  uint64_t key = 0;
  for (uint32_t i = 0; i < t->arity; i++) key = key << s->rank_bits | s->rank[table_row(t, row)[i]];
  return key;
}

/* Items from..from+rows-1 into the order, and their groups. */
static void sort_rows(sorter *s, const table *t, uint32_t from) {
  const uint32_t *before = s->x->before;
  key_and_id *keys = arena_new_array(s->scratch, key_and_id, t->count);
  key_and_id *room = arena_new_array(s->scratch, key_and_id, t->count);
  const uint32_t shift = t->arity * s->rank_bits;
  for (uint32_t row = 0; row < t->count; row++) {
    const uint64_t number = before ? (before[from + row] & 0xff) : 0;
    keys[row] = (key_and_id){number << shift | key_of_row(s, t, row), from + row};
  }
  sort_by_key(keys, t->count, room);
  for (uint32_t i = 0; i < t->count; i++) {
    s->order[from + i] = keys[i].id;
    const bool goes_on = i && (!before || before[keys[i].id] == before[keys[i - 1].id]);
    if (goes_on)
      vec_last(&s->groups).count++;
    else
      vec_push(s->scratch, &s->groups, ((group){from + i, 1}));
  }
}

static bool keys_fit(const sorter *s) {
  const text_items *x = s->x;
  for (uint32_t i = 0; i < x->count && x->before; i++)
    if (x->before[i] > 0xfe && x->before[i] != ID_NONE) return false;
  for (uint32_t i = 0; i < x->relation_count; i++)
    if (x->tables[x->relations[i]].arity * s->rank_bits > 56) return false;
  return true;
}

/* ---- groups ---- */

/* False: some overlap. */
static bool groups_are_apart(const sorter *s) {
  for (uint32_t i = 1; i < s->groups.count; i++) {
    const group *a = &s->groups.items[i - 1];
    if (compare_items(s->x, s->order[a->first + a->count - 1], s->order[s->groups.items[i].first]) >
        0)
      return false;
  }
  return true;
}

static uint32_t *groups_in_order(const sorter *s) {
  uint32_t *all = arena_new_array(s->scratch, uint32_t, s->x->count);
  uint32_t at = 0;
  for (uint32_t i = 0; i < s->groups.count; i++) {
    const group *g = &s->groups.items[i];
    memcpy(all + at, s->order + g->first, g->count * sizeof *all);
    at += g->count;
  }
  return all;
}

/* NULL: not by numbers. */
static uint32_t *order_by_numbers(sorter *s) {
  if (!rank_constants(s) || !keys_fit(s)) return NULL;
  uint32_t from = 0;
  for (uint32_t i = 0; i < s->x->relation_count; i++) {
    const table *t = &s->x->tables[s->x->relations[i]];
    sort_rows(s, t, from);
    from += t->count;
  }
  if (s->groups.count)
    qsort_r(s->groups.items, s->groups.count, sizeof *s->groups.items, compare_groups, s);
  return groups_are_apart(s) ? groups_in_order(s) : NULL;
}

uint32_t *text_order(const text_items *x, arena *scratch) {
  sorter s = {.x = x, .scratch = scratch, .order = arena_new_array(scratch, uint32_t, x->count)};
  uint32_t *order = order_by_numbers(&s);
  if (order) return order;
  for (uint32_t i = 0; i < x->count; i++) s.order[i] = i;
  text_items items = *x;
  if (x->count) qsort_r(s.order, x->count, sizeof *s.order, compare_items_in, &items);
  return s.order;
}
