#include "board/find/blanks.h"

/* ---- by what changes ---- */

typedef struct change_counts {
  uint32_t *by_value; /* changes in which the value comes or goes */
  uint32_t *gained;   /* those in which it comes */
  uint32_t *at_first; /* cells of the first state that have it */
  uint32_t changes, first_cells;
} change_counts;

static void count_difference(const survey *v, const shape_survey *x, uint32_t from, uint32_t to,
                             uint32_t content, uint32_t *also, change_counts *n) {
  const samples *s = v->samples;
  for (uint32_t i = x->seen_from[from]; i < x->seen_from[from + 1]; i++) {
    const fact_id f = x->seen.items[i];
    if (state_has(s, to, f)) continue;
    n->by_value[fact_value(&s->fluents, f, content)]++;
    if (also) also[fact_value(&s->fluents, f, content)]++;
    n->changes++;
  }
}

static change_counts count_changes(const survey *v, const shape_survey *x, uint32_t content,
                                   arena *scratch) {
  const samples *s = v->samples;
  const uint32_t values = s->fluents.values.items.count;
  change_counts n = {arena_zero_array(scratch, uint32_t, values),
                     arena_zero_array(scratch, uint32_t, values),
                     arena_zero_array(scratch, uint32_t, values), 0, 0};
  for (uint32_t i = 0; i < s->steps.count; i++) {
    const sample_step *step = &s->steps.items[i];
    count_difference(v, x, step->before, step->after, content, NULL, &n);
    count_difference(v, x, step->after, step->before, content, n.gained, &n);
  }
  for (uint32_t i = x->seen_from[0]; i < x->seen_from[1]; i++, n.first_cells++)
    n.at_first[fact_value(&s->fluents, x->seen.items[i], content)]++;
  return n;
}

/* A change is counted as one value that goes and one that comes, so 40 % here are 80 % of them.
   What fills half the board at first is no piece, either, if it goes and never comes, or if it
   takes part in half of the changes. */
static bool is_blank_by_changes(const change_counts *n, value_id value) {
  if (n->changes < 10) return false;
  if (n->by_value[value] * 10 >= n->changes * 4) return n->at_first[value] * 10 >= n->first_cells;
  if (n->at_first[value] * 2 < n->first_cells) return false;
  return n->by_value[value] * 4 >= n->changes || (n->by_value[value] && !n->gained[value]);
}

/* ---- by words ---- */

/* Where there is a w, b is rather black. */
static bool is_black(const survey *v, const id_vec *domain, const char *text) {
  const name_id white = names_find(&v->samples->fluents.values, "w", 1);
  if (strcmp(text, "b") != 0 || white == NAME_NONE) return false;
  return share_within(&(id_vec){.items = (uint32_t[]){white}, .count = 1}, domain) > 0;
}

/* Does another value fill most of the board at first?  Then a letter is rather a piece. */
static bool is_outnumbered(const survey *v, const shape_survey *x, uint32_t content,
                           value_id value) {
  const fact_book *b = &v->samples->fluents;
  const id_vec *d = &x->columns[content].domain;
  for (uint32_t i = 0; i < d->count; i++) {
    uint32_t count = 0;
    for (uint32_t k = x->seen_from[0]; k < x->seen_from[1]; k++)
      count += fact_value(b, x->seen.items[k], content) == d->items[i];
    if (d->items[i] != value && count * 2 > x->seen_from[1]) return true;
  }
  return false;
}

static bool is_blank_by_word(const survey *v, const shape_survey *x, uint32_t content,
                             value_id value, bool is_full) {
  const char *text = value_text(&v->samples->fluents, value);
  if (!is_blank_word(text) || is_black(v, &x->columns[content].domain, text)) return false;
  return text[1] || (is_full && !is_outnumbered(v, x, content, value));
}

static bool find_word(const survey *v, const shape_survey *x, uint32_t content, bool is_full,
                      id_vec *found, arena *keep) {
  const id_vec *d = &x->columns[content].domain;
  if (d->count < 2) return false;
  for (uint32_t i = 0; i < d->count; i++)
    if (is_blank_by_word(v, x, content, d->items[i], is_full)) {
      vec_push(keep, found, d->items[i]);
      return true;
    }
  return false;
}

static uint32_t only_content(const shape_survey *x, key k) {
  uint32_t taken = 0;
  for (uint32_t i = 0; i < k.count; i++) taken |= 1u << k.columns[i];
  uint32_t column = 0;
  while (taken & 1u << column) column++;
  return x->column_count == k.count + 1 ? column : UINT32_MAX;
}

id_vec find_blanks(const survey *v, const candidate *c, arena *keep) {
  const shape_survey *x = &v->shapes.items[c->shape];
  const uint32_t content = only_content(x, c->key);
  id_vec found = {0};
  if (content == UINT32_MAX) return found;
  const double fill = key_fill(v, x, c->key);
  if (find_word(v, x, content, fill >= 0.8, &found, keep) || fill < 0.95) return found;
  arena *scratch = arena_new();
  const change_counts n = count_changes(v, x, content, scratch);
  const id_vec *d = &x->columns[content].domain;
  for (uint32_t i = 0; i < d->count && !found.count; i++)
    if (is_blank_by_changes(&n, d->items[i])) vec_push(keep, &found, d->items[i]);
  arena_free(scratch);
  return found;
}
