#include "board/draw/picture_moves.h"

#include "board/draw/picture_effects.h"

/* ---- clicks by arguments ---- */

static id_vec cells_on_line(const board *b, uint32_t axis, value_id v, arena *keep) {
  id_vec found = {0};
  for (uint32_t i = 0; i < b->cells.count; i++)
    if (b->cells.items[i].key[axis] == v) vec_push(keep, &found, i);
  return found;
}

/* A whole key names one cell; a single column of a larger board, a column or row. */
static id_vec cells_of_step(const picture *p, const click_step *c, fact_id move, arena *keep) {
  const board *b = &p->layout->boards.items[c->board];
  const fact_book *moves = &p->samples->moves;
  id_vec found = {0};
  if (c->key.count == 1 && b->axis_count > 1)
    return cells_on_line(b, c->axis, fact_value(moves, move, c->key.columns[0]), keep);
  const uint32_t cell = key_cell(b, c->key, moves, move);
  if (cell != ID_NONE) vec_push(keep, &found, cell);
  return found;
}

static const click_rule *rule_of(const picture *p, fact_id move) {
  const shape_id s = p->samples->moves.facts.items[move].shape;
  for (uint32_t i = 0; i < p->layout->clicks.count; i++)
    if (p->layout->clicks.items[i].move == s) return &p->layout->clicks.items[i];
  return NULL;
}

static void add_clicks(picture *p, picture_move *m, arena *keep) {
  const click_rule *r = rule_of(p, m->fact);
  for (uint32_t i = 0; r && i < r->count; i++) {
    const picture_click made = {r->steps[i].board, cells_of_step(p, &r->steps[i], m->fact, keep)};
    if (made.cells.count) vec_push(keep, &m->clicks, made);
  }
}

/* ---- clicks by pieces ---- */

static bool stands_for(const picture *p, const board_layer *l, const picture_item *i, value_id v) {
  const fact_book *b = &p->samples->fluents;
  uint32_t columns[2 * COLUMN_MAX];
  const uint32_t count = layer_content(l, fact_shape(b, i->shown), columns);
  for (uint32_t k = 0; k < count; k++)
    if (fact_value(b, i->shown, columns[k]) == v) return true;
  return false;
}

/* The one cell on which the value stands, together with another if that is given; false: there is
   none, or there are several. */
static bool find_piece(const picture *p, value_id v, value_id with, uint32_t *board_number,
                       uint32_t *cell) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < p->boards.count; n++)
    for (uint32_t i = 0; i < p->boards.items[n].items.count; i++) {
      const picture_item *item = &p->boards.items[n].items.items[i];
      const board_layer *l = &p->boards.items[n].board->layers.items[0];
      if (item->is_blank || p->samples->fluents.facts.items[item->shown].shape != l->shape ||
          !stands_for(p, l, item, v) || (with != NAME_NONE && !stands_for(p, l, item, with)))
        continue;
      count++;
      *board_number = n;
      *cell = item->cell;
    }
  return count == 1;
}

/* Several pieces may have one name: then it is that of the role. */
static bool find_own_piece(const picture *p, const picture_move *m, value_id v,
                           uint32_t *board_number, uint32_t *cell) {
  const value_id owner = p->samples->role_names.items[m->role];
  return find_piece(p, v, NAME_NONE, board_number, cell) ||
         find_piece(p, v, owner, board_number, cell);
}

static bool is_clicked(const click_rule *r, uint32_t column) {
  for (uint32_t i = 0; r && i < r->count; i++)
    for (uint32_t k = 0; k < r->steps[i].key.count; k++)
      if (r->steps[i].key.columns[k] == column) return true;
  return false;
}

/* An argument that names a piece is a click on it, before the others. */
static void add_piece_click(picture *p, picture_move *m, arena *keep) {
  const shape *s = fact_shape(&p->samples->moves, m->fact);
  picture_click made = {0};
  uint32_t cell;
  for (uint32_t i = 0; i < s->column_count; i++) {
    const value_id v = fact_value(&p->samples->moves, m->fact, i);
    if (is_clicked(rule_of(p, m->fact), i) || v == NAME_NONE ||
        !find_own_piece(p, m, v, &made.board, &cell))
      continue;
    vec_push(keep, &made.cells, cell);
    vec_push(keep, &m->clicks, made);
    for (uint32_t k = m->clicks.count - 1; k; k--) m->clicks.items[k] = m->clicks.items[k - 1];
    m->clicks.items[0] = made;
    return;
  }
}

/* Where clicks on cells do not distinguish moves. */
static void click_pieces(picture *p, arena *keep) {
  for (uint32_t i = 0; i < p->moves.count; i++)
    if (p->moves.items[i].needs_menu || !p->moves.items[i].clicks.count)
      add_piece_click(p, &p->moves.items[i], keep);
}

/* ---- the same clicks ---- */

static bool have_same_clicks(const picture_move *a, const picture_move *b) {
  if (a->role != b->role || a->clicks.count != b->clicks.count) return false;
  for (uint32_t i = 0; i < a->clicks.count; i++) {
    const picture_click *x = &a->clicks.items[i], *y = &b->clicks.items[i];
    if (x->board != y->board || x->cells.count != y->cells.count ||
        memcmp(x->cells.items, y->cells.items, x->cells.count * sizeof(uint32_t)) != 0)
      return false;
  }
  return true;
}

static uint64_t clicks_hash(const picture_move *m) {
  uint64_t hash = m->role;
  for (uint32_t i = 0; i < m->clicks.count; i++) {
    const picture_click *c = &m->clicks.items[i];
    hash = hash_add(hash, c->board) ^ hash_ids(c->cells.items, c->cells.count);
  }
  return hash_mix(hash);
}

void picture_find_menus(picture *p, arena *scratch) {
  uint64_t *hashes = arena_new_array(scratch, uint64_t, p->moves.count + 1);
  for (uint32_t i = 0; i < p->moves.count; i++) {
    p->moves.items[i].needs_menu = false;
    hashes[i] = clicks_hash(&p->moves.items[i]);
  }
  for (uint32_t i = 0; i < p->moves.count; i++)
    for (uint32_t k = 0; k < i; k++) {
      picture_move *a = &p->moves.items[i], *b = &p->moves.items[k];
      if (hashes[i] != hashes[k] || !a->clicks.count || !have_same_clicks(a, b)) continue;
      a->needs_menu = b->needs_menu = true;
    }
}

/* ---- all moves ---- */

static void add_moves_of(picture *p, machine_workspace *w, const void *position, uint32_t role,
                         arena *keep) {
  const machine *m = p->samples->machine;
  const uint32_t count = machine_legal(m, w, position, role, NULL, 0);
  move_id *moves = arena_new_array(keep, move_id, count + 1);
  const uint32_t again = machine_legal(m, w, position, role, moves, count);
  for (uint32_t i = 0; i < count && i < again; i++) {
    picture_move made = {.role = role, .move = moves[i]};
    made.fact = samples_move(p->samples, role, moves[i], keep);
    add_clicks(p, &made, keep);
    vec_push(keep, &p->moves, made);
  }
}

void picture_add_moves(picture *p, machine_workspace *w, const void *position, const id_vec *facts,
                       arena *keep) {
  const machine *m = p->samples->machine;
  if (machine_terminal(m, w, position)) return;
  for (uint32_t role = 0; role < m->role_count; role++) add_moves_of(p, w, position, role, keep);
  picture_find_menus(p, keep);
  click_pieces(p, keep);
  picture_find_menus(p, keep);
  picture_click_effects(p, w, position, facts, keep);
}
