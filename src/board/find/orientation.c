#include "board/find/orientation.h"

#include "board/evidence/derived.h"
#include "board/evidence/owners.h"

#include <math.h>

/* ---- the first state ---- */

/* The mean places of the pieces of one owner at the start, on both axes, from 0 to 1. */
typedef struct army {
  uint32_t count;
  double place[2];
} army;

static uint32_t army_of(const survey *v, const shape_survey *x, const candidate *c, fact_id f) {
  for (uint32_t i = 0; i < x->column_count; i++) {
    bool is_key = false;
    for (uint32_t k = 0; k < c->key.count; k++) is_key |= c->key.columns[k] == i;
    if (is_key) continue;
    const uint32_t owner = owner_of(v->samples, fact_value(&v->samples->fluents, f, i));
    if (owner != OWNER_NONE) return owner;
  }
  return OWNER_NONE;
}

static bool is_blank_fact(const survey *v, const shape_survey *x, fact_id f, const id_vec *blanks) {
  for (uint32_t i = 0; i < x->column_count; i++)
    for (uint32_t k = 0; k < blanks->count; k++)
      if (fact_value(&v->samples->fluents, f, i) == blanks->items[k]) return true;
  return false;
}

static double place_on(const survey *v, const shape_survey *x, const candidate *c, uint32_t axis,
                       fact_id f) {
  const ordering *o = &x->columns[c->key.columns[axis]].order;
  const uint32_t at = ordering_find(o, fact_value(&v->samples->fluents, f, c->key.columns[axis]));
  return (double)at / fmax(1, o->items.count - 1);
}

enum { ARMIES = 2 };

static void muster(const survey *v, const candidate *c, const id_vec *blanks, army armies[ARMIES]) {
  const shape_survey *x = &v->shapes.items[c->shape];
  for (uint32_t i = x->seen_from[0]; i < x->seen_from[1]; i++) {
    const fact_id f = x->seen.items[i];
    const uint32_t owner = army_of(v, x, c, f);
    if (owner >= ARMIES || is_blank_fact(v, x, f, blanks)) continue;
    army *a = &armies[owner];
    for (uint32_t k = 0; k < 2; k++)
      a->place[k] += (place_on(v, x, c, k, f) - a->place[k]) / (a->count + 1);
    a->count++;
  }
}

/* 0 or 1: the armies start apart on that axis alone; 2: they do not. */
static uint32_t axis_apart(const army armies[ARMIES]) {
  if (!armies[0].count || !armies[1].count) return 2;
  const double a = fabs(armies[0].place[0] - armies[1].place[0]);
  const double b = fabs(armies[0].place[1] - armies[1].place[1]);
  if (fabs(a - b) < 0.25) return 2;
  return a > b ? 0 : 1;
}

/* ---- falling pieces ---- */

typedef struct falling {
  uint32_t added, raised; /* new pieces; those not in the first or last row */
  uint32_t supported[2];  /* new pieces above a full pile from the first row, or from the last */
} falling;

typedef struct pile_look {
  const survey *v;
  const shape_survey *x;
  const candidate *c;
  const id_vec *blanks;
  uint32_t height; /* which of the two coordinates */
} pile_look;

/* Is there a piece at height `at` of the same pile, in that state? */
static bool is_filled(const pile_look *p, uint32_t state, fact_id like, uint32_t at) {
  const fact_book *b = &p->v->samples->fluents;
  const uint32_t across = p->c->key.columns[1 - p->height], up = p->c->key.columns[p->height];
  const ordering *o = &p->x->columns[up].order;
  for (uint32_t i = p->x->seen_from[state]; i < p->x->seen_from[state + 1]; i++) {
    const fact_id f = p->x->seen.items[i];
    if (fact_value(b, f, across) == fact_value(b, like, across) &&
        ordering_find(o, fact_value(b, f, up)) == at)
      return !is_blank_fact(p->v, p->x, f, p->blanks);
  }
  return false;
}

/* The cells above a falling piece were empty before. */
static void note_piece(const pile_look *p, const sample_step *step, fact_id f, falling *n) {
  const uint32_t up = p->c->key.columns[p->height];
  const ordering *o = &p->x->columns[up].order;
  const uint32_t at = ordering_find(o, fact_value(&p->v->samples->fluents, f, up));
  const uint32_t last = o->items.count - 1;
  n->added++;
  n->raised += at > 0 && at < last;
  n->supported[0] += (at == 0 || is_filled(p, step->after, f, at - 1)) &&
                     (at == last || !is_filled(p, step->before, f, at + 1));
  n->supported[1] += (at == last || is_filled(p, step->after, f, at + 1)) &&
                     (at == 0 || !is_filled(p, step->before, f, at - 1));
}

enum { FALLS_LOOKED_AT = 60, FALLS_NEEDED = 8 };

static falling watch(const pile_look *p) {
  const samples *s = p->v->samples;
  falling n = {0};
  for (uint32_t i = 0; i < s->steps.count && n.added < FALLS_LOOKED_AT; i++) {
    const sample_step *step = &s->steps.items[i];
    const uint32_t *from = p->x->seen_from;
    for (uint32_t k = from[step->after]; k < from[step->after + 1]; k++) {
      const fact_id f = p->x->seen.items[k];
      if (!state_has(s, step->before, f) && !is_blank_fact(p->v, p->x, f, p->blanks))
        note_piece(p, step, f, &n);
    }
  }
  return n;
}

static bool falls(const falling *n, uint32_t way) {
  return n->added >= FALLS_NEEDED && n->raised * 4 >= n->added &&
         n->supported[way] * 20 >= n->added * 19;
}

static bool find_gravity(const survey *v, const candidate *c, const id_vec *blanks,
                         orientation *o) {
  for (uint32_t height = 0; height < 2; height++) {
    const pile_look p = {v, &v->shapes.items[c->shape], c, blanks, height};
    const falling n = watch(&p);
    if (!falls(&n, 0) && !falls(&n, 1)) continue;
    *o = (orientation){.is_swapped = height == 0, .rows_up = falls(&n, 0)};
    return true;
  }
  return false;
}

/* ---- all of it ---- */

static bool is_swapped_by_names(const column_survey *a, const column_survey *b) {
  if (a->hint == HINT_ROW && b->hint != HINT_ROW) return true;
  return b->hint == HINT_COLUMN && a->hint != HINT_COLUMN;
}

orientation orient(const survey *v, const candidate *c, const id_vec *blanks) {
  const shape_survey *x = &v->shapes.items[c->shape];
  const column_survey *a = &x->columns[c->key.columns[0]], *b = &x->columns[c->key.columns[1]];
  const bool letters = a->order.has_letters, others = b->order.has_letters;
  army armies[ARMIES] = {{0}};
  orientation o = {0};
  if (samples_derivation(v->samples, c->shape) || find_gravity(v, c, blanks, &o)) return o;
  muster(v, c, blanks, armies);
  const uint32_t apart = axis_apart(armies);
  if (apart < 2)
    o.is_swapped = apart == 0;
  else
    o.is_swapped = letters != others ? others : is_swapped_by_names(a, b);
  const uint32_t row = o.is_swapped ? 0 : 1;
  o.rows_up = letters != others && (o.is_swapped ? others : letters);
  if (apart < 2) o.rows_up = armies[0].place[row] < armies[1].place[row];
  return o;
}
