#include "machine/lanes/draw_layout.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
  GROUP_SIZE = 15,         /* uses all values of its bits */
  GROUPING_FROM = 32,      /* fewer rows are a group each */
  NAMED_UP_TO = 1 << 14,   /* rows; more are not looked at by name */
  MEMBERS_UP_TO = 1 << 19, /* of all sets; likewise */
  FEW = 4,                 /* so many rows are asked for one by one */
  COLUMN_COST = 8          /* operations, about */
};

/* A layout by names must take less than this part of what the plain one takes: both are estimated.
 */
#define WORTH_IT 0.75

/* ---- rows by group ---- */

/* Sorts rows by a number below `count` that each has, keeping the order of equals.  first[i] is
   where those with number i begin, first[count] their end. */
static void sort_rows(const uint32_t *rows, uint32_t row_count, const uint32_t *number,
                      uint32_t count, uint32_t *sorted, uint32_t *first) {
  memset(first, 0, (count + (size_t)2) * sizeof *first);
  for (uint32_t i = 0; i < row_count; i++) first[number[i] + 2]++;
  for (uint32_t i = 0; i < count; i++) first[i + 2] += first[i + 1];
  for (uint32_t i = 0; i < row_count; i++) sorted[first[number[rows[i]] + 1]++] = rows[i];
}

/* Fills in what follows from the groups and columns of rows. */
static void list_rows(draw_layout *l, arena *keep) {
  const uint32_t most = l->group_count > l->column_count ? l->group_count : l->column_count;
  uint32_t *all = arena_new_array(keep, uint32_t, l->row_count + 1);
  uint32_t *by_column = arena_new_array(keep, uint32_t, l->row_count + 1);
  l->first = arena_new_array(keep, uint32_t, most + 2);
  l->rows = arena_new_array(keep, uint32_t, l->row_count + 1);
  l->column_size = arena_zero_array(keep, uint32_t, l->column_count + 1);
  for (uint32_t i = 0; i < l->row_count; i++) {
    all[i] = i;
    l->column_size[l->column[i]]++;
  }
  sort_rows(all, l->row_count, l->column, l->column_count, by_column, l->first);
  sort_rows(by_column, l->row_count, l->group, l->group_count, l->rows, l->first);
}

draw_layout draw_layout_in_groups(uint32_t row_count, uint32_t group_size, arena *keep) {
  draw_layout l = {.row_count = row_count,
                   .group_count = (row_count + group_size - 1) / group_size,
                   .column_count = group_size,
                   .group = arena_new_array(keep, uint32_t, row_count + 1),
                   .column = arena_new_array(keep, uint32_t, row_count + 1)};
  for (uint32_t i = 0; i < row_count; i++) {
    l.group[i] = i / group_size;
    l.column[i] = i % group_size;
  }
  list_rows(&l, keep);
  return l;
}

/* ---- sets by layout ---- */

void draw_splitter_init(draw_splitter *s, const draw_layout *l, arena *keep) {
  *s = (draw_splitter){.l = l,
                       .keep = keep,
                       .in_group = arena_zero_array(keep, uint32_t, l->group_count + 1),
                       .in_column = arena_zero_array(keep, uint32_t, l->column_count + 1)};
}

/* A whole group or column is counted as one that has been taken by leaving TAKEN there. */
#define TAKEN UINT32_MAX

static bool take_whole(uint32_t *count, uint32_t size, uint32_t number, id_vec *list, arena *keep) {
  if (*count == TAKEN) return true;
  if (*count != size) return false;
  *count = TAKEN;
  vec_push(keep, list, number);
  return true;
}

static bool take_group(draw_splitter *s, uint32_t row) {
  const uint32_t g = s->l->group[row];
  return take_whole(&s->in_group[g], s->l->first[g + 1] - s->l->first[g], g, &s->groups, s->keep);
}

static bool take_column(draw_splitter *s, uint32_t row) {
  const uint32_t c = s->l->column[row];
  return take_whole(&s->in_column[c], s->l->column_size[c], c, &s->columns, s->keep);
}

/* All groups that can be taken, then columns for what is left, or the other way round. */
static uint32_t split(draw_splitter *s, const uint32_t *rows, uint32_t count, bool groups_first) {
  const draw_layout *l = s->l;
  s->groups.count = s->columns.count = s->rows.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    s->in_group[l->group[rows[i]]]++;
    s->in_column[l->column[rows[i]]]++;
  }
  for (uint32_t i = 0; i < count; i++) {
    const bool is_taken = groups_first ? take_group(s, rows[i]) || take_column(s, rows[i])
                                       : take_column(s, rows[i]) || take_group(s, rows[i]);
    if (!is_taken) vec_push(s->keep, &s->rows, rows[i]);
  }
  for (uint32_t i = 0; i < count; i++)
    s->in_group[l->group[rows[i]]] = s->in_column[l->column[rows[i]]] = 0;
  return s->groups.count + s->columns.count + s->rows.count;
}

uint32_t draw_split(draw_splitter *s, const uint32_t *rows, uint32_t count) {
  const uint32_t by_column = split(s, rows, count, false), by_group = split(s, rows, count, true);
  return by_column < by_group ? split(s, rows, count, false) : by_group;
}

/* ---- finding a layout ---- */

/* What is tried. */
typedef struct layout_trial {
  const draw_name *names;
  const draw_sets *sets;
  uint32_t row_count;
  uint32_t group_count, column_count;
  uint32_t *group, *column; /* by row */
  uint32_t *group_size;     /* by group */
  uint32_t *counts;         /* by group; zero between uses */
  uint64_t *keys;           /* by row: what rows of one group, or of one column, have in common */
  bool *is_single;          /* by row: it is asked for by itself */
  uint32_t *order;          /* rows; scratch */
} layout_trial;

typedef struct keyed_row {
  uint64_t key;
  uint32_t row;
} keyed_row;

static int compare_keys(const void *left, const void *right) {
  const keyed_row *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

/* Rows with the same key get the same number, in the order in which they first come; returns how
   many numbers there are. */
static uint32_t number_keys(layout_trial *t, uint32_t *numbers, arena *scratch) {
  const arena_mark mark = arena_save(scratch);
  keyed_row *rows = arena_new_array(scratch, keyed_row, t->row_count);
  uint32_t *leader =
      arena_new_array(scratch, uint32_t, t->row_count); /* by row: the first like it */
  uint32_t count = 0;
  for (uint32_t i = 0; i < t->row_count; i++) rows[i] = (keyed_row){t->keys[i], i};
  qsort(rows, t->row_count, sizeof *rows, compare_keys);
  for (uint32_t i = 0, first = 0; i < t->row_count; i++) {
    if (rows[i].key != rows[first].key) first = i;
    leader[rows[i].row] = rows[first].row;
  }
  for (uint32_t i = 0; i < t->row_count; i++)
    numbers[i] = leader[i] == i ? count++ : numbers[leader[i]];
  arena_restore(scratch, mark);
  return count;
}

/* Groups of rows that have some of their words in common. */
static void group_by_words(layout_trial *t, uint32_t which, arena *scratch) {
  for (uint32_t i = 0; i < t->row_count; i++) {
    t->keys[i] = 1;
    for (uint32_t k = 0; k < DRAW_WORDS; k++)
      if (which >> k & 1) t->keys[i] = hash_mix(hash_add(t->keys[i], t->names[i].words[k]));
  }
  t->group_count = number_keys(t, t->group, scratch);
  memset(t->group_size, 0, t->row_count * sizeof *t->group_size);
  for (uint32_t i = 0; i < t->row_count; i++) t->group_size[t->group[i]]++;
}

static const uint32_t *rows_of_set(const draw_sets *s, uint32_t set, uint32_t *count) {
  const uint32_t first = set ? s->ends.items[set - 1] : 0;
  *count = s->ends.items[set] - first;
  return vec_from(&s->rows, first);
}

/* Adds the set to the keys of its rows, but for those in whole groups; few rows are asked for one
   by one.  Returns what that costs. */
static double add_set(layout_trial *t, uint32_t set) {
  uint32_t count, left = 0, whole = 0;
  const uint32_t *rows = rows_of_set(t->sets, set, &count);
  for (uint32_t i = 0; i < count; i++) t->counts[t->group[rows[i]]]++;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t g = t->group[rows[i]];
    if (t->counts[g] < t->group_size[g])
      t->order[left++] = rows[i];
    else
      whole++;
  }
  for (uint32_t i = 0; i < left; i++) {
    if (left <= FEW)
      t->is_single[t->order[i]] = true;
    else
      t->keys[t->order[i]] = hash_mix(hash_add(t->keys[t->order[i]], set));
  }
  for (uint32_t i = 0; i < count; i++) t->counts[t->group[rows[i]]] = 0;
  const double mean_size = (double)t->row_count / t->group_count;
  return (whole / mean_size + (left <= FEW ? left : left / mean_size)) / 2;
}

/* Rows that are in the same sets share a column; of those in one group each has its own. */
static void find_columns(layout_trial *t, arena *scratch) {
  const arena_mark mark = arena_save(scratch);
  keyed_row *rows = arena_new_array(scratch, keyed_row, t->row_count);
  for (uint32_t i = 0; i < t->row_count; i++)
    rows[i] = (keyed_row){hash_mix(hash_add(t->keys[i], t->group[i])), i};
  qsort(rows, t->row_count, sizeof *rows, compare_keys);
  for (uint32_t i = 0, copy = 0; i < t->row_count; i++) {
    copy = i && rows[i].key == rows[i - 1].key ? copy + 1 : 0;
    t->order[rows[i].row] = copy;
  }
  for (uint32_t i = 0; i < t->row_count; i++)
    t->keys[i] = hash_mix(hash_add(t->keys[i], t->order[i]));
  arena_restore(scratch, mark);
  t->column_count = number_keys(t, t->column, scratch);
}

static uint32_t bit_length(uint32_t x) { return x ? 32 - (uint32_t)__builtin_clz(x) : 0; }

/* The tree of counts and the way down it. */
static double tree_cost(uint32_t rows, uint32_t groups) {
  return groups * (6.0 + 3 * bit_length(rows / groups));
}

/* Operations for the choice by groups that have these words in common, without what every layout
   takes. */
static double try_words(layout_trial *t, uint32_t which, double least, arena *scratch) {
  group_by_words(t, which, scratch);
  double cost = tree_cost(t->row_count, t->group_count);
  if (t->group_count < 2 || t->group_count * 2 > t->row_count || cost >= least) return least;
  for (uint32_t i = 0; i < t->row_count; i++) {
    t->keys[i] = 0;
    t->is_single[i] = false;
  }
  for (uint32_t set = 0; set < t->sets->ends.count; set++) cost += add_set(t, set);
  find_columns(t, scratch);
  cost += (double)COLUMN_COST * t->column_count;
  for (uint32_t i = 0; i < t->row_count; i++) cost += t->is_single[i];
  return cost;
}

/* The same for groups of rows as they come: every row that is in a set is made, and sets of them.
 */
static double plain_cost(const layout_trial *t) {
  double cost = tree_cost(t->row_count, t->row_count / GROUP_SIZE) + COLUMN_COST * GROUP_SIZE;
  bool *is_asked = t->is_single;
  for (uint32_t i = 0; i < t->sets->rows.count; i++) is_asked[t->sets->rows.items[i]] = true;
  for (uint32_t i = 0; i < t->row_count; i++) cost += is_asked[i];
  return cost + t->sets->rows.count / 2.0;
}

/* Those in which rows differ, as bits. */
static uint32_t varying_words(const layout_trial *t) {
  uint32_t words = 0;
  for (uint32_t i = 1; i < t->row_count; i++)
    for (uint32_t k = 0; k < DRAW_WORDS; k++)
      words |= (uint32_t)(t->names[i].words[k] != t->names[0].words[k]) << k;
  return words;
}

static void trial_init(layout_trial *t, uint32_t rows, const draw_name *names,
                       const draw_sets *sets, arena *scratch) {
  *t = (layout_trial){.names = names,
                      .sets = sets,
                      .row_count = rows,
                      .group = arena_new_array(scratch, uint32_t, rows),
                      .column = arena_new_array(scratch, uint32_t, rows),
                      .group_size = arena_zero_array(scratch, uint32_t, rows),
                      .counts = arena_zero_array(scratch, uint32_t, rows),
                      .keys = arena_new_array(scratch, uint64_t, rows),
                      .is_single = arena_zero_array(scratch, bool, rows),
                      .order = arena_new_array(scratch, uint32_t, rows)};
}

static draw_layout take_trial(const layout_trial *t, arena *keep) {
  draw_layout l = {.row_count = t->row_count,
                   .group_count = t->group_count,
                   .column_count = t->column_count,
                   .group = arena_new_array(keep, uint32_t, t->row_count),
                   .column = arena_new_array(keep, uint32_t, t->row_count)};
  memcpy(l.group, t->group, t->row_count * sizeof *l.group);
  memcpy(l.column, t->column, t->row_count * sizeof *l.column);
  list_rows(&l, keep);
  return l;
}

draw_layout draw_layout_find(uint32_t row_count, const draw_name *names, const draw_sets *sets,
                             arena *keep) {
  if (row_count < GROUPING_FROM) return draw_layout_in_groups(row_count, 1, keep);
  arena *scratch = arena_new();
  layout_trial t;
  uint32_t best = 0;
  trial_init(&t, row_count, names, sets, scratch);
  double least = plain_cost(&t) * WORTH_IT;
  const bool is_small = row_count <= NAMED_UP_TO && sets->rows.count <= MEMBERS_UP_TO;
  const uint32_t words = is_small ? varying_words(&t) : 0;
  for (uint32_t which = 1; which <= words; which++) {
    if (which & ~words) continue;
    const double cost = try_words(&t, which, least, scratch);
    if (cost >= least) continue;
    least = cost;
    best = which;
  }
  if (best) try_words(&t, best, 1e300, scratch);
  const draw_layout l =
      best ? take_trial(&t, keep) : draw_layout_in_groups(row_count, GROUP_SIZE, keep);
  arena_free(scratch);
  return l;
}
