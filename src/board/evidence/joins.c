#include "board/evidence/joins.h"

#include "board/evidence/candidates.h"
#include "board/evidence/derived.h"

/* ---- names of two coordinates ---- */

static bool is_slice(const char *start, size_t length, const char *word) {
  return strlen(word) == length && strncmp(start, word, length) == 0;
}

/* posx and posy, col1 and row1: but for the word of an axis they are the same. */
static bool name_column_and_row(const char *a, const char *b) {
  static const char *const words[][2] = {
      {"x", "y"}, {"col", "row"}, {"column", "row"}, {"file", "rank"}};
  size_t first = 0, last = 0;
  const size_t m = strlen(a), n = strlen(b);
  while (a[first] && a[first] == b[first]) first++;
  while (last + first < m && last + first < n && a[m - 1 - last] == b[n - 1 - last]) last++;
  for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_slice(a + first, m - first - last, words[i][0]) &&
        is_slice(b + first, n - first - last, words[i][1]))
      return true;
  return false;
}

/* ---- pairs of shapes ---- */

enum { AXIS_LEAST = 4, JOINED_MOST = 20000, KEPT_MOST = 2 };

/* The one column that is a coordinate; UINT32_MAX: there is none, or the others do not name the
   fact. */
static uint32_t only_coordinate(const survey *v, const shape_survey *x) {
  uint32_t found = UINT32_MAX;
  key others = {0};
  if (x->is_nested || !x->column_count || x->column_count > 1 + KEPT_MOST || !x->seen.count)
    return UINT32_MAX;
  for (uint32_t i = 0; i < x->column_count; i++) {
    if (v->samples->fluents.shapes.items[x->shape].columns[i].form != SPLIT_NONE) return UINT32_MAX;
    if (column_is_coordinate(&x->columns[i]) && x->columns[i].domain.count >= AXIS_LEAST)
      found = i; /* the last one: things may have numbers, too */
  }
  for (uint32_t i = 0; i < x->column_count; i++)
    if (i != found) others.columns[others.count++] = i;
  if (found == UINT32_MAX) return found;
  const bool is_unique =
      others.count ? key_uniqueness(v, x, others) >= 0.999 : x->most_at_once == 1;
  return is_unique ? found : UINT32_MAX;
}

static bool have_same_things(const shape_survey *x, uint32_t but_x, const shape_survey *y,
                             uint32_t but_y) {
  if (x->column_count != y->column_count) return false;
  for (uint32_t i = 0, k = 0; i < x->column_count; i++) {
    if (i == but_x) continue;
    k += k == but_y;
    if (share_within(&x->columns[i].domain, &y->columns[k].domain) < 0.999 ||
        share_within(&y->columns[k].domain, &x->columns[i].domain) < 0.999)
      return false;
    k++;
  }
  return true;
}

typedef struct found_join {
  shape_id first, second;
  uint32_t first_column, second_column, cells;
} found_join;

static bool may_join(const survey *v, shape_id a, shape_id b, found_join *j) {
  const shape_survey *x = &v->shapes.items[a], *y = &v->shapes.items[b];
  const fact_book *book = &v->samples->fluents;
  if (!name_column_and_row(book->shapes.items[a].relation, book->shapes.items[b].relation) ||
      (uint64_t)x->facts.count * y->facts.count > JOINED_MOST)
    return false;
  *j = (found_join){a, b, only_coordinate(v, x), only_coordinate(v, y), 0};
  if (j->first_column == UINT32_MAX || j->second_column == UINT32_MAX) return false;
  j->cells = x->columns[j->first_column].domain.count * y->columns[j->second_column].domain.count;
  return have_same_things(x, j->first_column, y, j->second_column);
}

/* If there are several, only the large ones: speeds are stored in the same way as places. */
void find_joins(survey *v) {
  arena *scratch = arena_new();
  VEC(found_join) all = {0};
  found_join j;
  uint32_t most = 0;
  const uint32_t count = v->shapes.count;
  for (shape_id a = 0; a < count; a++)
    for (shape_id b = 0; b < count; b++)
      if (a != b && may_join(v, a, b, &j)) {
        vec_push(scratch, &all, j);
        if (j.cells > most) most = j.cells;
      }
  for (uint32_t i = 0; i < all.count; i++)
    if (all.items[i].cells * 2 > most)
      samples_add_join(v->samples, all.items[i].first, all.items[i].first_column,
                       all.items[i].second, all.items[i].second_column);
  arena_free(scratch);
}

/* ---- lists ---- */

enum { LIST_LEAST = 4 };

/* One fact, whose columns all have the same values, each of which is there once. */
static bool is_list(const survey *v, const shape_survey *x) {
  const fact_book *b = &v->samples->fluents;
  if (x->is_nested || x->column_count < LIST_LEAST || x->most_at_once != 1) return false;
  for (uint32_t i = 0; i < x->column_count; i++)
    if (share_within(&x->columns[i].domain, &x->columns[0].domain) < 0.8) return false;
  for (uint32_t f = 0; f < x->seen.count; f++)
    for (uint32_t i = 0; i < x->column_count; i++)
      for (uint32_t k = 0; k < i; k++)
        if (fact_value(b, x->seen.items[f], i) == fact_value(b, x->seen.items[f], k)) return false;
  return true;
}

void find_lists(survey *v) {
  const uint32_t count = v->shapes.count;
  for (shape_id s = 0; s < count; s++)
    if (is_list(v, &v->shapes.items[s])) samples_add_list(v->samples, s);
}
