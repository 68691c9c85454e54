#include "board/evidence/lattice.h"

#include <math.h>
#include <stdlib.h>

enum { LATTICE_LEAST = 6, LATTICE_MOST = 300, STEP_MOST = 4 };

/* ---- by steps ---- */

/* Two directions are taken as across and down; all others follow. */
typedef struct growing {
  const cell_steps *s;
  uint32_t count; /* of the domain */
  bool *is_placed;
  int *x, *y;
  bool is_known[DIRECTIONS_MOST];
  int dx[DIRECTIONS_MOST], dy[DIRECTIONS_MOST];
  uint32_t placed;
  bool is_wrong, has_grown;
} growing;

static void put(growing *g, uint32_t cell, int x, int y) {
  g->is_placed[cell] = true;
  g->x[cell] = x;
  g->y[cell] = y;
  g->placed++;
  g->has_grown = true;
}

static void learn(growing *g, const cell_step *s) {
  const uint32_t d = s->direction;
  g->dx[d] = g->x[s->to] - g->x[s->from];
  g->dy[d] = g->y[s->to] - g->y[s->from];
  g->is_known[d] = g->has_grown = true;
  g->is_wrong |= abs(g->dx[d]) > STEP_MOST || abs(g->dy[d]) > STEP_MOST;
}

static void follow(growing *g, const cell_step *s) {
  const uint32_t d = s->direction;
  const bool from = g->is_placed[s->from], to = g->is_placed[s->to];
  if (!g->is_known[d]) {
    if (from && to) learn(g, s);
  } else if (from && to) {
    g->is_wrong |=
        g->x[s->to] - g->x[s->from] != g->dx[d] || g->y[s->to] - g->y[s->from] != g->dy[d];
  } else if (from) {
    put(g, s->to, g->x[s->from] + g->dx[d], g->y[s->from] + g->dy[d]);
  } else if (to) {
    put(g, s->from, g->x[s->to] - g->dx[d], g->y[s->to] - g->dy[d]);
  }
}

static bool have_one_place(const growing *g) {
  for (uint32_t i = 0; i < g->count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (g->is_placed[i] && g->is_placed[k] && g->x[i] == g->x[k] && g->y[i] == g->y[k])
        return true;
  return false;
}

static bool lie_on_a_line(const growing *g, const int *at) {
  int lowest = 0, highest = 0;
  for (uint32_t i = 0; i < g->count; i++) {
    if (!g->is_placed[i]) continue;
    if (at[i] < lowest) lowest = at[i];
    if (at[i] > highest) highest = at[i];
  }
  return lowest == highest;
}

static growing grow(const cell_steps *s, uint32_t count, uint32_t across, uint32_t down,
                    arena *keep) {
  growing g = {.s = s,
               .count = count,
               .is_placed = arena_zero_array(keep, bool, count),
               .x = arena_zero_array(keep, int, count),
               .y = arena_zero_array(keep, int, count)};
  g.is_known[across] = g.is_known[down] = true;
  g.dx[across] = g.dy[down] = 1;
  uint32_t first = 0;
  while (s->all.items[first].direction != across) first++;
  put(&g, s->all.items[first].from, 0, 0);
  while (g.has_grown && !g.is_wrong) {
    g.has_grown = false;
    for (uint32_t i = 0; i < s->all.count; i++) follow(&g, &s->all.items[i]);
  }
  g.is_wrong |= have_one_place(&g) || lie_on_a_line(&g, g.x) || lie_on_a_line(&g, g.y);
  return g;
}

/* The pair of directions that places the most. */
static bool grow_best(const cell_steps *s, uint32_t count, growing *best, arena *keep) {
  best->placed = 0;
  for (uint32_t a = 0; a < s->directions; a++)
    for (uint32_t b = 0; b < s->directions; b++) {
      if (a == b) continue;
      const growing g = grow(s, count, a, b, keep);
      if (!g.is_wrong && g.placed > best->placed) *best = g;
    }
  return best->placed >= LATTICE_LEAST && best->placed * 10 >= count * 6;
}

/* 1: steps lead by (1, 1), too; -1: by (1, -1); 0: by neither, or by both. */
static int diagonal_of(const growing *g) {
  bool rising = false, falling = false;
  for (uint32_t d = 0; d < g->s->directions; d++) {
    if (!g->is_known[d] || abs(g->dx[d]) != 1 || abs(g->dy[d]) != 1) continue;
    *(g->dx[d] == g->dy[d] ? &rising : &falling) = true;
  }
  return (int)rising - (int)falling;
}

/* ---- which way is up ---- */

static bool has_word(const char *text, const char *const *words) {
  for (; *words; words++)
    if (strstr(text, *words)) return true;
  return false;
}

/* The difference on the page of a direction that has one of the common names; false: it has none. */
static bool word_leads(const char *text, int *dx, int *dy) {
  static const char *const up[] = {"north", "up", NULL}, *const down[] = {"south", "down", NULL},
                           *const left[] = {"west", "left", NULL},
                           *const right[] = {"east", "right", NULL};
  *dx = has_word(text, right) - has_word(text, left);
  *dy = has_word(text, down) - has_word(text, up);
  return (*dx != 0) != (*dy != 0);
}

typedef struct turning {
  bool is_swapped;
  int across, down; /* 1 or -1 */
} turning;

static void turn_by(turning *t, const growing *g, uint32_t d, const char *text) {
  int dx, dy;
  if (!g->is_known[d] || !word_leads(text, &dx, &dy) || (g->dx[d] != 0) == (g->dy[d] != 0)) return;
  t->is_swapped = (dx != 0) != (g->dx[d] != 0);
  const int by = g->dx[d] + g->dy[d];
  if (dx) t->across = dx * by > 0 ? 1 : -1;
  if (dy) t->down = dy * by > 0 ? 1 : -1;
}

static turning turning_of(const growing *g) {
  turning t = {.across = 1, .down = 1};
  for (uint32_t d = 0; d < g->s->directions; d++) turn_by(&t, g, d, g->s->words[d]);
  return t;
}

/* ---- places ---- */

/* Hexagons lie in rows, each half a cell beside the next. */
static void lay_out(lattice *l, const growing *g, const turning *t) {
  const int diagonal = diagonal_of(g);
  l->is_of_hexagons = diagonal != 0;
  for (uint32_t i = 0; i < g->count; i++) {
    const double x = t->across * (t->is_swapped ? g->y[i] : g->x[i]);
    const double y = t->down * (t->is_swapped ? g->x[i] : g->y[i]);
    const int slope = diagonal * t->across * t->down;
    l->x[i] = diagonal ? x - slope * y / 2 : x;
    l->y[i] = diagonal ? y * 0.866 : y;
  }
}

static void move_to_origin(lattice *l, const bool *is_placed, uint32_t count, double *width,
                           double *height) {
  double x = HUGE_VAL, y = HUGE_VAL;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_placed[i]) continue;
    x = fmin(x, l->x[i]);
    y = fmin(y, l->y[i]);
  }
  *width = *height = 0;
  for (uint32_t i = 0; i < count; i++) {
    l->x[i] -= x;
    l->y[i] -= y;
    if (is_placed[i]) *width = fmax(*width, l->x[i]);
    if (is_placed[i]) *height = fmax(*height, l->y[i]);
  }
}

static void place_others(lattice *l, const growing *g, double width, double height) {
  uint32_t at = 0;
  const uint32_t in_row = (uint32_t)width + 1;
  for (uint32_t i = 0; i < g->count; i++) {
    if (g->is_placed[i]) continue;
    l->x[i] = at % in_row;
    l->y[i] = height + 1.5 + at / in_row;
    at++;
  }
}

static bool place_by_steps(lattice *l, const cell_steps *steps, uint32_t count, arena *keep) {
  growing g;
  double width, height;
  if (!grow_best(steps, count, &g, keep)) return false;
  const turning t = turning_of(&g);
  lay_out(l, &g, &t);
  move_to_origin(l, g.is_placed, count, &width, &height);
  place_others(l, &g, width, height);
  return true;
}

/* ---- by names ---- */

static bool read_coordinates(const names *values, const id_vec *domain, split_form form,
                             lattice *l) {
  slice parts[2];
  for (uint32_t i = 0; i < domain->count; i++) {
    if (!split_text(names_text(values, domain->items[i]), form, parts)) return false;
    l->x[i] = split_number(parts[1]);
    l->y[i] = split_number(parts[0]);
  }
  return true;
}

/* The middle of each row comes above that of the next. */
static void centre_rows(lattice *l, uint32_t count, arena *keep) {
  double *middle = arena_zero_array(keep, double, count);
  for (uint32_t i = 0; i < count; i++) {
    double least = l->x[i], most = l->x[i];
    for (uint32_t k = 0; k < count; k++) {
      if (l->y[k] != l->y[i]) continue;
      least = fmin(least, l->x[k]);
      most = fmax(most, l->x[k]);
    }
    middle[i] = (least + most) / 2;
  }
  for (uint32_t i = 0; i < count; i++) l->x[i] -= middle[i];
}

/* Names such as b2 may tell the row, and the place in it from its own left end. */
static bool place_by_rows(lattice *l, const cell_steps *steps, const names *values,
                          const id_vec *domain, arena *keep) {
  double width, height;
  if (!read_coordinates(values, domain, SPLIT_LETTER_NUMBER, l)) return false;
  if (steps_are_straight(steps, l->x, l->y)) return false;
  centre_rows(l, domain->count, keep);
  if (!steps_are_straight(steps, l->x, l->y)) return false;
  bool *all = arena_new_array(keep, bool, domain->count);
  memset(all, true, domain->count);
  for (uint32_t i = 0; i < domain->count; i++) l->y[i] *= 0.866;
  move_to_origin(l, all, domain->count, &width, &height);
  l->is_of_hexagons = true;
  return true;
}

/* ---- all of it ---- */

static bool find(lattice *l, const statics *s, const names *values, const id_vec *domain,
                 arena *keep) {
  if (domain->count < LATTICE_LEAST || domain->count > LATTICE_MOST) return false;
  const cell_steps steps = steps_between(s, values, domain, keep);
  if (steps.directions < 2 || steps.all.count * 2 < domain->count) return false;
  return place_by_rows(l, &steps, values, domain, keep) ||
         place_by_steps(l, &steps, domain->count, keep);
}

bool lattice_find(lattice *l, const statics *s, const names *values, const id_vec *domain,
                  arena *keep) {
  arena *scratch = arena_new();
  *l = (lattice){.x = arena_zero_array(keep, double, domain->count + 1),
                 .y = arena_zero_array(keep, double, domain->count + 1)};
  const bool is_found = find(l, s, values, domain, scratch);
  arena_free(scratch);
  return is_found;
}

bool lattice_denies_split(const statics *s, const names *values, const id_vec *domain,
                          split_form form) {
  arena *scratch = arena_new();
  lattice l = {.x = arena_zero_array(scratch, double, domain->count + 1),
               .y = arena_zero_array(scratch, double, domain->count + 1)};
  const cell_steps steps = steps_between(s, values, domain, scratch);
  const bool denies = steps.directions >= 2 && read_coordinates(values, domain, form, &l) &&
                      !steps_are_straight(&steps, l.x, l.y) && find(&l, s, values, domain, scratch);
  arena_free(scratch);
  return denies;
}
