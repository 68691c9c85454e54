#include "board/draw/picture_effects.h"

#include "base/sort.h"
#include "board/changes.h"

typedef struct effects {
  picture *p;
  machine_workspace *w;
  const void *position;
  const id_vec *facts; /* of the position */
  move_id *joint;      /* the first legal move of every role */
  void *next;
  arena *keep;
} effects;

/* Cells by board and number, as one number. */
static uint32_t code_of(uint32_t board_number, uint32_t cell) {
  return board_number << 24 | (cell & 0xffffff);
}

static void add_cells(const effects *e, const id_vec *facts, id_vec *cells) {
  const layout *l = e->p->layout;
  for (uint32_t i = 0; i < facts->count; i++)
    for (uint32_t b = 0; b < l->boards.count; b++) {
      const uint32_t cell =
          board_cell_of(&l->boards.items[b], &e->p->samples->fluents, facts->items[i]);
      if (cell != ID_NONE) vec_push(e->keep, cells, code_of(b, cell));
    }
}

/* The cells that a move changes, those where something appears first. */
static id_vec cells_changed(effects *e, const picture_move *m) {
  samples *s = e->p->samples;
  id_vec cells = {0};
  const move_id usual = e->joint[m->role];
  e->joint[m->role] = m->move;
  machine_step(s->machine, e->w, e->position, e->joint, e->next);
  e->joint[m->role] = usual;
  const id_vec after = samples_read(s, e->next, e->keep);
  const id_vec come =
      facts_lost(after.items, after.count, e->facts->items, e->facts->count, e->keep);
  const id_vec gone =
      facts_lost(e->facts->items, e->facts->count, after.items, after.count, e->keep);
  add_cells(e, &come, &cells);
  add_cells(e, &gone, &cells);
  return cells;
}

static bool has_cell(const id_vec *cells, uint32_t code) {
  for (uint32_t i = 0; i < cells->count; i++)
    if (cells->items[i] == code) return true;
  return false;
}

/* A cell that no other move of the role changes. */
static uint32_t own_cell(const id_vec *changed, const picture_move *moves, uint32_t count,
                         uint32_t of) {
  for (uint32_t i = 0; i < changed[of].count; i++) {
    bool is_own = true;
    for (uint32_t k = 0; is_own && k < count; k++)
      is_own = k == of || moves[k].role != moves[of].role ||
               !has_cell(&changed[k], changed[of].items[i]);
    if (is_own) return changed[of].items[i];
  }
  return ID_NONE;
}

static void add_click(effects *e, picture_move *m, uint32_t code) {
  picture_click made = {.board = code >> 24};
  vec_push(e->keep, &made.cells, code & 0xffffff);
  if (m->needs_menu) m->clicks.count = 0;
  vec_push(e->keep, &m->clicks, made);
  m->is_by_effect = true;
}

/* The first legal move of each role; false: somebody has none. */
static bool usual_joint(effects *e) {
  const picture *p = e->p;
  for (uint32_t role = 0; role < p->samples->machine->role_count; role++) {
    uint32_t i = 0;
    while (i < p->moves.count && p->moves.items[i].role != role) i++;
    if (i == p->moves.count) return false;
    e->joint[role] = p->moves.items[i].move;
  }
  return true;
}

static uint32_t moves_of_role(const picture *p, uint32_t role) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->moves.count; i++) count += p->moves.items[i].role == role;
  return count;
}

/* A single move needs no choice. */
static bool needs_help(const picture *p, const picture_move *m) {
  return (!m->clicks.count || m->needs_menu) && moves_of_role(p, m->role) > 1;
}

enum { EFFECTS_MOST = 400 };

static bool is_any_helpless(const picture *p) {
  uint32_t helpless = 0;
  for (uint32_t i = 0; i < p->moves.count; i++) helpless += needs_help(p, &p->moves.items[i]);
  return helpless && p->moves.count <= EFFECTS_MOST && p->layout->boards.count;
}

void picture_click_effects(picture *p, machine_workspace *w, const void *position,
                           const id_vec *facts, arena *keep) {
  const machine *m = p->samples->machine;
  effects e = {p, w, position, facts, NULL, NULL, keep};
  if (!is_any_helpless(p)) return;
  e.joint = arena_new_array(keep, move_id, m->role_count);
  e.next = arena_alloc(keep, m->position_size);
  if (!usual_joint(&e)) return;
  id_vec *changed = arena_new_array(keep, id_vec, p->moves.count);
  for (uint32_t i = 0; i < p->moves.count; i++) changed[i] = cells_changed(&e, &p->moves.items[i]);
  for (uint32_t i = 0; i < p->moves.count; i++) {
    picture_move *move = &p->moves.items[i];
    const uint32_t own =
        needs_help(p, move) ? own_cell(changed, p->moves.items, p->moves.count, i) : ID_NONE;
    if (own != ID_NONE) add_click(&e, move, own);
  }
  picture_find_menus(p, keep);
}
