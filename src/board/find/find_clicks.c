#include "board/find/find_clicks.h"

#include "board/changes.h"
#include "board/evidence/candidates.h"

typedef struct click_search {
  const layout *l;
  const survey *v;
  const shape_survey *move;
  step_changes *changes; /* by board */
} click_search;

/* ---- how often the named cell changes ---- */

typedef bool names_a_change(const click_search *s, const click_step *c, uint32_t step, fact_id m);

static bool changes_cell(const click_search *s, const click_step *c, uint32_t step, fact_id m) {
  const board *b = &s->l->boards.items[c->board];
  const uint32_t cell = key_cell(b, c->key, &s->v->samples->moves, m);
  return cell != ID_NONE && changes_have(&s->changes[c->board], step, cell);
}

static bool changes_line(const click_search *s, const click_step *c, uint32_t step, fact_id m) {
  const board *b = &s->l->boards.items[c->board];
  const step_changes *x = &s->changes[c->board];
  const value_id v = fact_value(&s->v->samples->moves, m, c->key.columns[0]);
  for (uint32_t i = x->from[step]; i < x->from[step + 1]; i++)
    if (b->cells.items[x->cells.items[i]].key[c->axis] == v) return true;
  return false;
}

enum { MOVES_LOOKED_AT = 200 };

/* The share of moves that do; 0.5 where none was made. */
static double change_rate(const click_search *s, const click_step *c, names_a_change *does) {
  const samples *x = s->v->samples;
  const uint32_t roles = x->machine->role_count;
  uint32_t made = 0, hits = 0;
  for (uint32_t i = 0; i < x->steps.count && made < MOVES_LOOKED_AT; i++)
    for (uint32_t role = 0; role < roles; role++) {
      const fact_id m = x->joints.items[x->steps.items[i].joint + role];
      if (x->moves.facts.items[m].shape != s->move->shape) continue;
      made++;
      hits += does(s, c, i, m);
    }
  return made ? (double)hits / made : 0.5;
}

/* ---- windows of arguments ---- */

/* Axes in the order in which the board's own facts name them. */
static void argument_order(const board *b, uint32_t *axes) {
  const key *k = &b->layers.items[0].key;
  for (uint32_t i = 0; i < k->count; i++) {
    uint32_t at = i;
    for (; at && k->columns[axes[at - 1]] > k->columns[i]; at--) axes[at] = axes[at - 1];
    axes[at] = i;
  }
}

static bool fits(const click_search *s, const board *b, key k) {
  for (uint32_t i = 0; i < k.count; i++)
    if (share_within(&s->move->columns[k.columns[i]].domain, &b->axes[i]) < 0.85) return false;
  return true;
}

static void consider_window(const click_search *s, uint32_t board_number, key k, double *best,
                            click_step *found) {
  const click_step c = {.board = board_number, .key = k};
  if (!fits(s, &s->l->boards.items[board_number], k)) return;
  double rate = change_rate(s, &c, changes_cell);
  const bool is_stack = s->l->boards.items[board_number].kind == BOARD_STACKS;
  if (is_stack && rate < 0.5) rate = 0.5; /* what something is put on does not change itself */
  if (rate <= *best) return;
  *best = rate;
  *found = c;
}

static void consider_board(const click_search *s, uint32_t number, uint32_t from, uint32_t count,
                           double *best, click_step *found) {
  const board *b = &s->l->boards.items[number];
  uint32_t axes[KEY_MAX];
  if (from + count > s->move->column_count || count > b->layers.items[0].key.count) return;
  argument_order(b, axes);
  key k = {.count = count};
  for (uint32_t i = 0; i < count; i++) {
    if (axes[i] >= count) return;
    k.columns[axes[i]] = from + i;
  }
  consider_window(s, number, k, best, found);
  if (count < 2) return;
  const uint32_t column = k.columns[AXIS_COLUMN];
  k.columns[AXIS_COLUMN] = k.columns[AXIS_ROW];
  k.columns[AXIS_ROW] = column;
  consider_window(s, number, k, best, found);
}

/* The fewest changes by which arguments are believed to name a cell; and what any arguments have
   that could name one. */
static const double RATE_LEAST = 0.25, RATE_ANY = -1;

/* The cell that arguments from `from` on name and that changes most often; returns how often, or
   `least`: they name none that does so more often. */
static double find_window(const click_search *s, uint32_t from, double least, click_step *found) {
  double best = least;
  found->key.count = 0;
  for (uint32_t i = 0; i < s->l->boards.count; i++) {
    const board *b = &s->l->boards.items[i];
    consider_board(s, i, from, b->layers.items[0].key.count, &best, found);
    if (b->lines == LINES_SIDES) consider_board(s, i, from, 2, &best, found);
  }
  return best;
}

/* The same arguments earlier by a whole key: do they fit the same board? */
static bool find_window_before(const click_search *s, const click_step *behind, click_step *found) {
  *found = *behind;
  for (uint32_t i = 0; i < found->key.count; i++) found->key.columns[i] -= found->key.count;
  return fits(s, &s->l->boards.items[found->board], found->key);
}

/* Arguments that name a cell which need not change, if those behind them name one that does: a
   piece that brings forth another stays.  Not where the arguments are only shifted. */
static bool find_still_window(const click_search *s, uint32_t from, click_step *found) {
  click_step behind, shifted;
  find_window(s, from, RATE_ANY, found);
  const uint32_t count = found->key.count;
  if (count < 2) return false;
  const double rate = find_window(s, from + count, RATE_LEAST, &behind);
  if (behind.key.count != count || find_window(s, from + 1, RATE_LEAST, &shifted) > rate)
    return false;
  return find_window_before(s, &behind, found);
}

/* ---- columns and rows ---- */

static bool find_line(const click_search *s, click_step *found) {
  double best = 0.6;
  found->key.count = 0;
  for (uint32_t n = 0; n < s->l->boards.count; n++)
    for (uint32_t i = 0; i < s->move->column_count; i++)
      for (uint32_t axis = 0; axis < 2 && s->l->boards.items[n].axis_count == 2; axis++) {
        const click_step c = {.board = n, .key = {.columns = {i}, .count = 1}, .axis = axis};
        const id_vec *domain = &s->move->columns[i].domain;
        if (domain->count < 2 || share_within(domain, &s->l->boards.items[n].axes[axis]) < 0.85)
          continue;
        const double rate = change_rate(s, &c, changes_line);
        if (rate <= best) continue;
        best = rate;
        *found = c;
      }
  return found->key.count > 0;
}

/* A move that changes nothing on the board, but whose only arguments name a cell, or whose name
   says that its argument is a row or a column. */
static bool find_named(const click_search *s, click_step *found) {
  const char *name = s->v->samples->moves.shapes.items[s->move->shape].relation;
  find_window(s, 0, RATE_ANY, found);
  if (found->key.count > 1 && found->key.count == s->move->column_count) return true;
  const uint32_t axis = strstr(name, "row") ? AXIS_ROW : AXIS_COLUMN;
  if (s->move->column_count != 1 || !s->l->boards.count ||
      !(strstr(name, "row") || strstr(name, "col")))
    return false;
  *found = (click_step){.key = {.count = 1}, .axis = axis};
  return s->l->boards.items[0].axis_count == 2 &&
         share_within(&s->move->columns[0].domain, &s->l->boards.items[0].axes[axis]) >= 0.85;
}

/* ---- all moves ---- */

static click_rule rule_of(const click_search *s) {
  click_rule r = {.move = s->move->shape};
  for (uint32_t at = 0; at < s->move->column_count && r.count < CLICKS_MAX;) {
    click_step *step = &r.steps[r.count];
    find_window(s, at, RATE_LEAST, step);
    const bool is_found = step->key.count || find_still_window(s, at, step);
    at += is_found ? step->key.count : 1;
    r.count += is_found;
  }
  if (!r.count) r.count = find_line(s, &r.steps[0]) || find_named(s, &r.steps[0]);
  return r;
}

void find_clicks(layout *l, const survey *v, arena *scratch) {
  click_search s = {.l = l, .v = v};
  s.changes = arena_new_array(scratch, step_changes, l->boards.count + 1);
  for (uint32_t i = 0; i < l->boards.count; i++)
    s.changes[i] = changes_on(&l->boards.items[i], v->samples, scratch);
  for (uint32_t i = 0; i < v->moves.count; i++) {
    s.move = &v->moves.items[i];
    vec_push(l->keep, &l->clicks, rule_of(&s));
  }
}
