#include "solve/matrix_game.h"

#include <math.h>
#include <string.h>

static double at(const matrix_game *g, uint32_t row, uint32_t column) {
  return g->items[(size_t)row * g->columns + column];
}

static double guarantee_of(const matrix_game *g, const double *shares) {
  double least = HUGE_VAL;
  for (uint32_t c = 0; c < g->columns; c++) {
    double sum = 0;
    for (uint32_t r = 0; r < g->rows; r++) sum += shares[r] * at(g, r, c);
    least = fmin(least, sum);
  }
  return least;
}

/* ---- one row is best ---- */

static double worst_of_row(const matrix_game *g, uint32_t row) {
  double worst = HUGE_VAL;
  for (uint32_t c = 0; c < g->columns; c++) worst = fmin(worst, at(g, row, c));
  return worst;
}

static double best_of_column(const matrix_game *g, uint32_t column) {
  double best = -HUGE_VAL;
  for (uint32_t r = 0; r < g->rows; r++) best = fmax(best, at(g, r, column));
  return best;
}

/* Is there a saddle point?  Then the first row that has one is taken, and nothing is rounded. */
static bool take_saddle(const matrix_game *g, double *shares, double *value) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  uint32_t row = 0;
  for (uint32_t c = 0; c < g->columns; c++) least = fmin(least, best_of_column(g, c));
  for (uint32_t r = 0; r < g->rows; r++) {
    const double worst = worst_of_row(g, r);
    if (worst <= most) continue;
    most = worst;
    row = r;
  }
  memset(shares, 0, g->rows * sizeof *shares);
  shares[row] = 1;
  *value = most;
  return most >= least;
}

/* ---- simplex ---- */

/* Maximise the sum of y with A y <= 1, where all of A is at least 1: what who chooses the column
   mixes, and in the prices of the rows what who chooses the row does.  A line of the tableau has
   the columns, the slacks of the rows and the right side; the last line is the objective. */
typedef struct tableau {
  uint32_t rows, width;
  double *items;
  uint32_t *basis; /* by row: the variable */
} tableau;

static double *line_of(const tableau *t, uint32_t row) { return t->items + (size_t)row * t->width; }

static void tableau_init(tableau *t, const matrix_game *g, arena *scratch) {
  double least = HUGE_VAL;
  for (uint32_t r = 0; r < g->rows; r++) least = fmin(least, worst_of_row(g, r));
  t->rows = g->rows;
  t->width = g->columns + g->rows + 1;
  t->items = arena_zero_array(scratch, double, ((size_t)t->rows + 1) * t->width);
  t->basis = arena_new_array(scratch, uint32_t, t->rows);
  for (uint32_t r = 0; r < g->rows; r++) {
    for (uint32_t c = 0; c < g->columns; c++) line_of(t, r)[c] = at(g, r, c) - least + 1;
    line_of(t, r)[g->columns + r] = 1;
    line_of(t, r)[t->width - 1] = 1;
    t->basis[r] = g->columns + r;
  }
  for (uint32_t c = 0; c < g->columns; c++) line_of(t, t->rows)[c] = -1;
}

/* The steepest, which takes fewest steps; or the first, by Bland's rule, which never cycles; width: there is
   none. */
static uint32_t entering(const tableau *t, bool is_first) {
  const double *objective = line_of(t, t->rows);
  double least = -1e-12;
  uint32_t best = t->width;
  for (uint32_t i = 0; i + 1 < t->width && !(is_first && best < t->width); i++) {
    if (objective[i] >= least) continue;
    least = objective[i];
    best = i;
  }
  return best;
}

static uint32_t leaving(const tableau *t, uint32_t column) {
  uint32_t best = t->rows;
  double least = HUGE_VAL;
  for (uint32_t r = 0; r < t->rows; r++) {
    const double *line = line_of(t, r);
    if (line[column] < 1e-12) continue;
    const double ratio = line[t->width - 1] / line[column];
    if (ratio > least || (ratio == least && t->basis[r] > t->basis[best])) continue;
    least = ratio;
    best = r;
  }
  return best;
}

static void pivot(tableau *t, uint32_t row, uint32_t column) {
  double *line = line_of(t, row);
  const double by = line[column];
  for (uint32_t i = 0; i < t->width; i++) line[i] /= by;
  for (uint32_t r = 0; r <= t->rows; r++) {
    double *other = line_of(t, r);
    const double times = other[column];
    if (r == row || times == 0) continue;
    for (uint32_t i = 0; i < t->width; i++) other[i] -= times * line[i];
  }
  t->basis[row] = column;
}

static void read_shares(const tableau *t, const matrix_game *g, double *shares) {
  double sum = 0;
  for (uint32_t r = 0; r < g->rows; r++) {
    shares[r] = fmax(line_of(t, t->rows)[g->columns + r], 0);
    sum += shares[r];
  }
  for (uint32_t r = 0; r < g->rows; r++) shares[r] /= sum;
}

double matrix_game_solve(const matrix_game *g, double *shares, arena *scratch, budget *b) {
  enum { PIVOTS_MAX = 10000 };
  double value;
  tableau t;
  if (take_saddle(g, shares, &value)) return value;
  const arena_mark mark = arena_save(scratch);
  tableau_init(&t, g, scratch);
  for (uint32_t i = 0; i < PIVOTS_MAX && !budget_is_spent(b); i++) {
    const uint32_t column = entering(&t, i > 8 * t.width);
    const uint32_t row = column < t.width ? leaving(&t, column) : t.rows;
    if (row == t.rows) break;
    pivot(&t, row, column);
  }
  read_shares(&t, g, shares);
  arena_restore(scratch, mark);
  return guarantee_of(g, shares);
}
