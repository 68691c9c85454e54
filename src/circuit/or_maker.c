#include "circuit/or_maker.h"

#include <string.h>

enum { DEPTH_MAX = 32 };

/* Marks in `times` where the next term of a key is to stand, while terms are gathered, and inputs
   that all terms have, while these are dropped. */
#define IS_MARKED (UINT32_C(1) << 31)

/* ---- what is decided ---- */

static bool is_among(const wire *wires, uint32_t count, wire w) {
  uint32_t low = 0, high = count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (wires[middle] < w)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && wires[low] == w;
}

/* Drops what holds anyway from a term.  False: the term cannot hold. */
static bool reduce_term(or_maker *f, const wire *plain, uint32_t plain_count, or_term *t) {
  wire *wires = vec_from(&f->wires, t->first);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    if (is_among(plain, plain_count, wire_not(wires[i]))) return false;
    if (!is_among(plain, plain_count, wires[i])) wires[kept++] = wires[i];
  }
  t->count = kept;
  return true;
}

uint32_t or_reduce(or_maker *f, const wire *plain, uint32_t plain_count, or_term *terms,
                   uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (reduce_term(f, plain, plain_count, &terms[i])) terms[kept++] = terms[i];
  return kept;
}

/* ---- what terms have in common ---- */

static void count_times(or_maker *f, const or_term *terms, uint32_t count) {
  uint32_t *times = f->times.items;
  for (uint32_t i = 0; i < count; i++) {
    const wire *wires = f->wires.items + terms[i].first;
    for (uint32_t k = 0; k < terms[i].count; k++) times[wires[k]]++;
  }
}

/* Adds the inputs that all terms have to `common`, and marks them. */
static void find_common(or_maker *f, const or_term *terms, uint32_t count) {
  for (uint32_t k = 0; k < terms[0].count; k++) {
    const wire w = f->wires.items[terms[0].first + k];
    if (f->times.items[w] < count) continue;
    vec_push(f->scratch, &f->common, w);
    f->times.items[w] = IS_MARKED;
  }
}

/* Of the inputs of each term that not all have, the one that most have; ID_NONE when it has none in
   common.  Returns true if any has one. */
static bool choose_keys(or_maker *f, or_term *terms, uint32_t count) {
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    const wire *wires = f->wires.items + terms[i].first;
    uint32_t most = 1;
    terms[i].key = ID_NONE;
    for (uint32_t k = 0; k < terms[i].count; k++) {
      const uint32_t times = f->times.items[wires[k]];
      if (times <= most || times == IS_MARKED) continue;
      most = times;
      terms[i].key = wires[k];
    }
    any |= most > 1;
  }
  return any;
}

/* Forgets the counts and drops the inputs that all have. */
static void forget_times(or_maker *f, or_term *terms, uint32_t count, uint32_t first_common) {
  uint32_t *times = f->times.items;
  const bool has_common = f->common.count > first_common;
  for (uint32_t i = 0; i < count; i++) {
    wire *wires = f->wires.items + terms[i].first;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < terms[i].count; k++) {
      const wire w = wires[k];
      if (has_common && times[w] == IS_MARKED) continue;
      times[w] = 0;
      wires[kept++] = w;
    }
    terms[i].count = kept;
  }
  for (uint32_t i = first_common; i < f->common.count; i++) times[f->common.items[i]] = 0;
}

/* Brings the terms of a key together, in the order in which the keys are first seen, and those that
   have a key of their own or none behind them, without key.  Returns how many are together. */
static uint32_t gather_terms(or_maker *f, or_term *terms, uint32_t count) {
  uint32_t together = 0;
  f->unsorted.count = 0;
  vec_append(f->scratch, &f->unsorted, terms, count);
  const or_term *from = f->unsorted.items;
  for (uint32_t i = 0; i < count; i++)
    if (from[i].key != ID_NONE) f->times.items[from[i].key]++;
  for (uint32_t i = 0; i < count; i++)
    together += from[i].key != ID_NONE && f->times.items[from[i].key] > 1;
  uint32_t next = 0, alone = together;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *place = from[i].key == ID_NONE ? NULL : &f->times.items[from[i].key];
    if (!place || *place == 1) {
      terms[alone] = from[i];
      terms[alone++].key = ID_NONE;
      if (place) *place = 0;
      continue;
    }
    if (!(*place & IS_MARKED)) {
      const uint32_t first = next;
      next += *place;
      *place = first | IS_MARKED;
    }
    terms[(*place)++ & ~IS_MARKED] = from[i];
  }
  for (uint32_t i = 0; i < together; i++) f->times.items[terms[i].key] = 0;
  return together;
}

/* ---- two terms ---- */

/* Takes what two terms have in common out of them. */
static void split_two(or_maker *f, or_term *a, or_term *b) {
  wire *x = f->wires.items + a->first, *y = f->wires.items + b->first;
  uint32_t i = 0, k = 0, x_kept = 0, y_kept = 0;
  while (i < a->count && k < b->count) {
    if (x[i] < y[k]) {
      x[x_kept++] = x[i++];
    } else if (x[i] > y[k]) {
      y[y_kept++] = y[k++];
    } else {
      vec_push(f->scratch, &f->common, x[i]);
      i++;
      k++;
    }
  }
  while (i < a->count) x[x_kept++] = x[i++];
  while (k < b->count) y[y_kept++] = y[k++];
  a->count = x_kept;
  b->count = y_kept;
}

/* ---- gates ---- */

/* Takes what all terms have in common out of them and adds it to `common`, and brings those
   together that have another input in common; returns how many do. */
static uint32_t split_terms(or_maker *f, or_term *terms, uint32_t count) {
  if (count == 2) {
    split_two(f, &terms[0], &terms[1]);
    return 0;
  }
  const uint32_t first = f->common.count;
  count_times(f, terms, count);
  find_common(f, terms, count);
  const bool has_keys = choose_keys(f, terms, count);
  forget_times(f, terms, count, first);
  return has_keys ? gather_terms(f, terms, count) : 0;
}

/* Adds the terms that stand alone to the parts. */
static void make_alone(or_maker *f, const or_term *terms, uint32_t count) {
  f->alone.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    const wire_range range = {terms[i].first, terms[i].count};
    vec_push(f->scratch, &f->alone, range);
  }
  vec_reserve(f->scratch, &f->parts, count);
  make_ands(f->maker, &f->wires, f->alone.items, count, vec_from(&f->parts, f->parts.count));
  f->parts.count += count;
}

/* In place of the parts from `first` on their disjunction, with the inputs from `first_common` on
   as further conditions. */
static void join_parts(or_maker *f, uint32_t first, uint32_t first_common) {
  const wire any = make_or(f->maker, vec_from(&f->parts, first), f->parts.count - first);
  vec_push(f->scratch, &f->common, any);
  f->parts.count = first;
  vec_push(f->scratch, &f->parts,
           make_and(f->maker, vec_from(&f->common, first_common), f->common.count - first_common));
  f->common.count = first_common;
}

/* Terms that differ in one input each: what they have in common, and one of these inputs. */
typedef struct leaf {
  uint32_t first, count;     /* of `common`: what they have in common; behind it is room for one */
  uint32_t others, or_count; /* of `common`: the negations of what they differ in, reduced */
  uint64_t hash;             /* of the gate that is looked for next */
} leaf;

enum { LEAVES_AT_ONCE = 16 };

typedef struct leaf_list {
  leaf items[LEAVES_AT_ONCE];
  uint32_t count;
} leaf_list;

/* Adds the leaves to the parts: where gates will be looked for is asked of memory before any is. */
static void make_leaves(or_maker *f, leaf_list *leaves) {
  for (uint32_t i = 0; i < leaves->count; i++) {
    leaf *l = &leaves->items[i];
    wire *all = f->common.items + l->first;
    const wire none = make_expected(f->maker, f->common.items + l->others, l->or_count, l->hash);
    all[l->count++] = wire_not(none);
    if (!reduce_inputs(all, &l->count)) l->count = 0;
    l->hash = expect_reduced(f->maker, all, l->count);
  }
  for (uint32_t i = 0; i < leaves->count; i++) {
    const leaf *l = &leaves->items[i];
    const wire *all = f->common.items + l->first;
    if (l->count) /* else it never holds */
      vec_push(f->scratch, &f->parts, make_expected(f->maker, all, l->count, l->hash));
  }
  if (leaves->count) f->common.count = leaves->items[0].first;
  leaves->count = 0;
}

/* Adds terms of one wire each to the leaves, with what they have in common from `first` on. */
static void add_leaf(or_maker *f, const or_term *terms, uint32_t count, uint32_t first,
                     leaf_list *leaves) {
  leaf l = {.first = first, .count = f->common.count - first, .others = f->common.count + 1};
  vec_push(f->scratch, &f->common, WIRE_TRUE); /* the room */
  for (uint32_t i = 0; i < count; i++)
    vec_push(f->scratch, &f->common, wire_not(f->wires.items[terms[i].first]));
  l.or_count = count;
  if (!reduce_inputs(vec_from(&f->common, l.others), &l.or_count)) {
    l.or_count = 1; /* one of them always holds */
    f->common.items[l.others] = WIRE_FALSE;
  }
  l.hash = expect_reduced(f->maker, vec_from(&f->common, l.others), l.or_count);
  leaves->items[leaves->count++] = l;
  if (leaves->count == LEAVES_AT_ONCE) make_leaves(f, leaves);
}

static bool all_have(const or_term *terms, uint32_t count, uint32_t wires) {
  for (uint32_t i = 0; i < count; i++)
    if (terms[i].count != wires) return false;
  return true;
}

/* Takes the key out of terms that have one input besides it. */
static void drop_key(or_maker *f, or_term *terms, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    terms[i].first += f->wires.items[terms[i].first] == terms[i].key;
    terms[i].count = 1;
  }
}

static void make_parts(or_maker *f, or_term *terms, uint32_t count, uint32_t depth);

/* Adds terms of one key to the parts, or to the leaves. */
static void make_group(or_maker *f, or_term *terms, uint32_t count, uint32_t depth,
                       leaf_list *leaves) {
  const uint32_t first = f->parts.count, first_common = f->common.count;
  if (all_have(terms, count, 2)) {
    vec_push(f->scratch, &f->common, terms[0].key);
    drop_key(f, terms, count);
    add_leaf(f, terms, count, first_common, leaves);
  } else if (count > 2) {
    make_parts(f, terms, count, depth);
  } else {
    split_two(f, &terms[0], &terms[1]);
    if (all_have(terms, 2, 1)) {
      add_leaf(f, terms, 2, first_common, leaves);
      return;
    }
    make_alone(f, terms, 2);
    join_parts(f, first, first_common);
  }
}

/* Adds what the disjunction of the terms is made of to the parts.  Recursion goes as deep as inputs
   are taken out of terms, and no deeper than DEPTH_MAX. */
static void make_parts(or_maker *f, or_term *terms, uint32_t count, uint32_t depth) {
  const uint32_t first = f->parts.count, first_common = f->common.count;
  const uint32_t together = count > 1 && depth < DEPTH_MAX ? split_terms(f, terms, count) : 0;
  const bool has_common = f->common.count > first_common;
  leaf_list leaves;
  leaves.count = 0;
  for (uint32_t i = 0, end; i < together; i = end) {
    for (end = i + 1; end < together && terms[end].key == terms[i].key;) end++;
    make_group(f, terms + i, end - i, depth + 1, &leaves);
  }
  make_leaves(f, &leaves);
  make_alone(f, terms + together, count - together);
  if (has_common) join_parts(f, first, first_common);
}

static void make_room_for_times(or_maker *f) {
  const uint32_t wires = f->maker->c->gates.count * 2, old = f->times.count;
  if (wires <= old) return;
  vec_reserve(f->scratch, &f->times, wires - old);
  f->times.count = wires + wires / 8 < f->times.capacity ? wires + wires / 8 : f->times.capacity;
  memset(f->times.items + old, 0, (f->times.count - old) * sizeof *f->times.items);
}

wire or_make(or_maker *f, or_term *terms, uint32_t count) {
  if (count == 1)
    return make_reduced(f->maker, vec_from(&f->wires, terms[0].first), terms[0].count);
  make_room_for_times(f);
  make_parts(f, terms, count, 0);
  const wire made = make_or(f->maker, f->parts.items, f->parts.count);
  f->parts.count = 0;
  return made;
}

void or_parts(or_maker *f, or_term *terms, uint32_t count, wire_vec *parts) {
  make_room_for_times(f);
  make_parts(f, terms, count, 0);
  vec_append(f->scratch, parts, f->parts.items, f->parts.count);
  f->parts.count = 0;
}
