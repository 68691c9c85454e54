#include "read/clause_cells.h"

#include "read/parse.h"

/* ---- cells ---- */

cell_id cell_new(clause_cells *c, symbol_id symbol, span where) {
  const cell fresh = {symbol, where, CELL_NONE, CELL_NONE, CELL_NONE, false};
  vec_push(c->scratch, &c->all, fresh);
  return c->all.count - 1;
}

void cell_append(clause_cells *c, cell_id list, cell_id element) {
  cell *l = cell_at(c, list);
  if (l->first == CELL_NONE)
    l->first = element;
  else
    cell_at(c, l->last)->next = element;
  l->last = element;
  const span inside = cell_at(c, element)->where;
  if (inside.end > l->where.end) l->where.end = inside.end;
  if (inside.start < l->where.start) l->where.start = inside.start;
}

cell_id cell_new_list(clause_cells *c, symbol_id functor, span where) {
  const cell_id name = cell_new(c, functor, where);
  const cell_id list = cell_new(c, SYM_NONE, where);
  cell_append(c, list, name);
  return list;
}

symbol_id cell_functor(const clause_cells *c, cell_id id) {
  const cell *list = cell_at(c, id);
  return list->symbol == SYM_NONE ? cell_at(c, list->first)->symbol : list->symbol;
}

/* ---- names for `_` ---- */

/* The number of a name ?_7, so that no `_` gets it; 0 for other names. */
static uint32_t fresh_number(const symbol_table *symbols, symbol_id s) {
  const slice name = symbol_name(symbols, s);
  if (name.length < 3 || name.length > 10 || name.start[0] != '?' || name.start[1] != '_') return 0;
  uint32_t number = 0;
  for (size_t i = 2; i < name.length; i++) {
    if (name.start[i] < '0' || name.start[i] > '9') return 0;
    number = number * 10 + (uint32_t)(name.start[i] - '0');
  }
  return number;
}

static bool has_fresh(const clause_cells *c) {
  for (uint32_t i = 0; i < c->all.count; i++)
    if (c->all.items[i].symbol == SYM_FRESH) return true;
  return false;
}

static uint32_t largest_fresh_number(const clause_cells *c, const symbol_table *symbols) {
  uint32_t largest = 0;
  for (uint32_t i = 0; i < c->all.count; i++) {
    const symbol_id s = c->all.items[i].symbol;
    if (s >= SYM_FRESH) continue;
    const uint32_t number = fresh_number(symbols, s);
    if (number > largest) largest = number;
  }
  return largest;
}

void cells_name_fresh(clause_cells *c, symbol_table *symbols) {
  if (!has_fresh(c)) return;
  uint32_t number = largest_fresh_number(c, symbols);
  for (uint32_t i = 0; i < c->all.count; i++) {
    if (c->all.items[i].symbol != SYM_FRESH) continue;
    char name[16];
    const int length = snprintf(name, sizeof name, "?_%u", ++number);
    c->all.items[i].symbol = symbol_intern(symbols, (slice){name, (size_t)length});
  }
}

/* ---- from cells to nodes ---- */

void cells_write(clause_cells *c, cell_id root, tree *t, arena *keep) {
  for (cell_id id = root;;) {
    const cell *now = cell_at(c, id);
    if (now->symbol == SYM_NONE)
      vec_push(c->scratch, &c->lists, ((cell_writing){id, t->nodes.count}));
    parse_push_node(t, keep, now->symbol, now->where);
    cell_id next = now->symbol == SYM_NONE ? now->first : now->next;
    while (next == CELL_NONE && c->lists.count) {
      const cell_writing done = vec_pop(&c->lists);
      t->nodes.items[done.node].after = t->nodes.count;
      next = cell_at(c, done.cell)->next;
    }
    if (next == CELL_NONE) return;
    id = next;
  }
}
