#include "board/picture_moves.h"

#include "board/picture_effects.h"

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
  picture_click_effects(p, w, position, facts, keep);
}
