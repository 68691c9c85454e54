#include "board/evidence/candidates.h"

#include "board/evidence/derived.h"
#include "board/evidence/edges.h"

#include <math.h>

double share_within(const id_vec *values, const id_vec *all) {
  uint32_t inside = 0;
  for (uint32_t i = 0; i < values->count; i++)
    for (uint32_t k = 0; k < all->count; k++)
      if (all->items[k] == values->items[i]) {
        inside++;
        break;
      }
  return values->count ? (double)inside / values->count : 0;
}

static bool is_one_of(const char *text, const char *const *words) {
  for (; *words; words++)
    if (strcmp(text, *words) == 0) return true;
  return false;
}

bool is_blank_word(const char *text) {
  static const char *const words[] = {"b",    "blank",   "empty", "none", "nil",
                                      "free", "vacant",  "space", "e",    "clear",
                                      "null", "nothing", "-",     "_",    NULL};
  return is_one_of(text, words);
}

/* ---- signs ---- */

typedef struct pair_look {
  const survey *v;
  const shape_survey *x;
  const column_survey *a, *b;
  key key; /* with the outer columns */
  bool has_content;
} pair_look;

static double of_uniqueness(const pair_look *p) {
  if (!p->has_content) return 2;
  const double u = key_uniqueness(p->v, p->x, p->key);
  if (u >= 0.999) return 3;
  if (u >= 0.9) return 1.5;
  return u < 0.5 ? -1.5 : 0;
}

static double grid_size(const pair_look *p) {
  double size = 1;
  for (uint32_t i = 0; i < p->key.count; i++)
    size *= p->x->columns[p->key.columns[i]].order.items.count;
  return size;
}

static double of_coverage(const pair_look *p) {
  const double coverage = key_count(p->v, &p->x->facts, p->key) / grid_size(p);
  return coverage >= 0.3 ? 2 * fmin(coverage, 1) : -2;
}

static double of_fill(const pair_look *p) { return key_fill(p->v, p->x, p->key) >= 0.999 ? 1 : 0; }

static double of_domains(const pair_look *p) {
  const id_vec *a = &p->a->order.items, *b = &p->b->order.items;
  double score = p->a->order.quality >= 3 ? 0.5 : 0;
  score += p->b->order.quality >= 3 ? 0.5 : 0;
  if (a->count != b->count) return score;
  return score + (share_within(a, b) >= 0.999 ? 1.7 : 0.7);
}

static double of_names(const pair_look *p) {
  static const char *const words[] = {"cell", "board",    "pos",   "position", "square", "at",
                                      "loc",  "location", "piece", "point",    "field",  NULL};
  const axis_hint a = p->a->hint, b = p->b->hint;
  const char *relation = p->v->samples->fluents.shapes.items[p->x->shape].relation;
  double score = is_one_of(relation, words) ? 0.7 : 0;
  if (a && b && a != b) return score + 1.5;
  return score + (a || b ? 0.7 : 0);
}

static bool moves_fit(const shape_survey *m, const pair_look *p) {
  for (uint32_t i = 0; i + 1 < m->column_count; i++)
    if (share_within(&m->columns[i].domain, &p->a->order.items) >= 0.8 &&
        share_within(&m->columns[i + 1].domain, &p->b->order.items) >= 0.8)
      return true;
  return false;
}

static double of_moves(const pair_look *p) {
  for (uint32_t i = 0; i < p->v->moves.count; i++)
    if (moves_fit(&p->v->moves.items[i], p)) return 1;
  return 0;
}

/* One fact of which many columns have the same values: (order b c a d). */
static bool is_a_list(const pair_look *p) {
  uint32_t alike = 0;
  for (uint32_t i = 0; i < p->x->column_count; i++)
    alike += share_within(&p->x->columns[i].domain, &p->a->domain) >= 0.8;
  return alike >= 3;
}

/* One of the two names the fact by itself: the other is a number that it has, such as a height or
   a count. */
static double of_counters(const pair_look *p) {
  double score = 0;
  if (p->x->most_at_once < 2) return is_a_list(p) ? -6 : p->has_content ? -1.5 : -0.5;
  for (uint32_t i = 0; i < 2; i++) {
    key alone = {.columns = {p->key.columns[i]}, .count = 1};
    for (uint32_t k = 2; k < p->key.count; k++) alone.columns[alone.count++] = p->key.columns[k];
    if (key_uniqueness(p->v, p->x, alone) < 0.999) continue;
    const double loss = key_fill(p->v, p->x, alone) >= 0.95 ? -4 : -2;
    if (loss < score) score = loss;
  }
  return score;
}

static bool has_blank_word(const pair_look *p, const column_survey *c) {
  const fact_book *b = &p->v->samples->fluents;
  if (c->order.has_letters) return false;
  for (uint32_t i = 0; i < c->domain.count; i++)
    if (is_blank_word(value_text(b, c->domain.items[i]))) return true;
  return false;
}

static double of_form(const pair_look *p) {
  const double a = p->a->order.items.count, b = p->b->order.items.count;
  double score = fmax(a, b) / fmin(a, b) > 8 ? -1.5 : 0;
  if (fmax(a, b) > 60) score -= 2;
  if (has_blank_word(p, p->a) || has_blank_word(p, p->b)) score -= 2;
  return score;
}

static double score_of(const pair_look *p) {
  const bool is_adjacent = p->key.columns[1] == p->key.columns[0] + 1;
  return of_uniqueness(p) + of_coverage(p) + of_fill(p) + of_domains(p) + of_names(p) +
         of_moves(p) + of_counters(p) + of_form(p) + (is_adjacent ? 1 : 0);
}

/* ---- pairs ---- */

/* (on a b), (on b a), ..., but never (on a a): things that stand on things, not cells. */
static bool lacks_the_diagonal(const survey *v, const shape_survey *x, key k) {
  const fact_book *b = &v->samples->fluents;
  const uint32_t n = x->columns[k.columns[0]].domain.count;
  if (x->column_count != 2 || share_within(&x->columns[0].domain, &x->columns[1].domain) < 0.8)
    return false;
  for (uint32_t i = 0; i < x->facts.count; i++)
    if (fact_value(b, x->facts.items[i], 0) == fact_value(b, x->facts.items[i], 1)) return false;
  return n >= 3 && key_count(v, &x->facts, k) + n >= n * x->columns[k.columns[1]].domain.count;
}

static pair_look look_at(const survey *v, const shape_survey *x, key k) {
  return (pair_look){.v = v,
                     .x = x,
                     .a = &x->columns[k.columns[0]],
                     .b = &x->columns[k.columns[1]],
                     .key = k,
                     .has_content = x->column_count > k.count};
}

static void consider(const survey *v, const shape_survey *x, key k, double handicap,
                     candidate *best) {
  const pair_look p = look_at(v, x, k);
  if (grid_size(&p) < 4 || lacks_the_diagonal(v, x, k)) return;
  const double score = score_of(&p) + handicap;
  if (score <= best->score) return;
  *best = (candidate){.shape = x->shape,
                      .key = k,
                      .score = score,
                      .cells = key_count(v, &x->facts, k),
                      .has_content = p.has_content};
}

static bool is_in(key k, uint32_t column) {
  for (uint32_t i = 0; i < k.count; i++)
    if (k.columns[i] == column) return true;
  return false;
}

enum { OUTER_MOST = 16 };

/* May boards lie side by side by this column?  Then it is ordered, or all its cells are there. */
static bool is_outer(const survey *v, const shape_survey *x, key with) {
  const column_survey *c = &x->columns[with.columns[with.count - 1]];
  if (c->domain.count < 2 || c->domain.count > OUTER_MOST || !c->order.items.count) return false;
  if (column_is_coordinate(c)) return true;
  return x->column_count > with.count && key_fill(v, x, with) >= 0.95;
}

/* With one or two more columns, where the pair alone does not name the facts. */
static void consider_outer(const survey *v, const shape_survey *x, key k, candidate *best) {
  if (k.count == KEY_MAX || key_uniqueness(v, x, k) >= 0.999) return;
  for (uint32_t c = 0; c < x->column_count; c++) {
    if (is_in(k, c)) continue;
    key with = k;
    with.columns[with.count++] = c;
    if (!is_outer(v, x, with)) continue;
    if (key_uniqueness(v, x, with) >= 0.999) consider(v, x, with, -0.5 * (with.count - 2), best);
    if (with.count < KEY_MAX) consider_outer(v, x, with, best);
  }
}

static void consider_pair(const survey *v, const shape_survey *x, uint32_t a, uint32_t b,
                          candidate *best) {
  const key k = {.columns = {a, b}, .count = 2};
  if (!column_is_coordinate(&x->columns[a]) || !column_is_coordinate(&x->columns[b])) return;
  consider(v, x, k, 0, best);
  consider_outer(v, x, k, best);
}

/* The last two columns of a join are column and row. */
static bool is_join(const survey *v, const shape_survey *x, candidate *c) {
  const derivation *d = samples_derivation(v->samples, x->shape);
  if (!d || d->second == SHAPE_NONE) return false;
  const key k = {.columns = {x->column_count - 2, x->column_count - 1}, .count = 2};
  *c = (candidate){.shape = x->shape,
                   .key = k,
                   .score = SCORE_BOARD,
                   .cells = key_count(v, &x->facts, k),
                   .has_content = x->column_count > 2};
  return true;
}

candidate candidate_of(const survey *v, shape_id s) {
  const shape_survey *x = &v->shapes.items[s];
  candidate best = {.shape = s};
  if (is_join(v, x, &best) || edges_in_shape(v, s, &best) || sides_in_shape(v, s, &best))
    return best;
  for (uint32_t a = 0; a < x->column_count; a++)
    for (uint32_t b = a + 1; b < x->column_count; b++) consider_pair(v, x, a, b, &best);
  return best;
}
