#include "machine/lanes/gate_moves.h"

/* Lists of more moves than this, all together, are not made. */
enum { MOVES_MAX = 1 << 23 };

typedef struct finder {
  gate_moves *m;
  const circuit *c;
  bitset which;
  bitset has; /* moves of the gate under way */
  arena *keep;
} finder;

static bool is_move(const circuit *c, wire w) {
  return c->gates.items[wire_gate(w)].kind == GATE_MOVE;
}

bool gate_moves_is_part(const gate_moves *m, const circuit *c, wire w) {
  if (is_move(c, w)) return wire_is_negated(w);
  return !wire_is_negated(w) && bitset_has(m->is_pure, wire_gate(w));
}

static void add_move(finder *f, uint32_t move) {
  if (bitset_insert(f->has, move)) vec_push(f->keep, &f->m->moves, move);
}

static void add_input(finder *f, wire w) {
  gate_moves *m = f->m;
  if (is_move(f->c, w)) {
    add_move(f, f->c->gates.items[wire_gate(w)].number);
    return;
  }
  for (uint32_t i = m->first[wire_gate(w)]; i < m->first[wire_gate(w) + 1]; i++)
    add_move(f, m->moves.items[i]);
}

static void list_gate(finder *f, gate_id g) {
  gate_moves *m = f->m;
  const uint32_t first = m->moves.count;
  bool is_pure = m->moves.count < MOVES_MAX;
  for (uint32_t i = 0; i < f->c->gates.items[g].input_count; i++) {
    const wire w = gate_inputs(f->c, g)[i];
    if (first >= MOVES_MAX || !gate_moves_is_part(m, f->c, w))
      is_pure = false;
    else
      add_input(f, w);
  }
  for (uint32_t i = first; i < m->moves.count; i++) bitset_remove(f->has, m->moves.items[i]);
  if (is_pure) bitset_add(m->is_pure, g);
}

/* A gate is asked if something needs it that is not itself pure, or in another way. */
static void ask(finder *f, wire w, bool is_whole) {
  if (!is_whole || !gate_moves_is_part(f->m, f->c, w)) bitset_add(f->m->is_asked, wire_gate(w));
}

static void find_asked(finder *f) {
  const circuit *c = f->c;
  for (gate_id g = 0; g < c->gates.count; g++) {
    if (!bitset_has(f->which, g) || c->gates.items[g].kind != GATE_AND) continue;
    if (!bitset_has(f->m->is_pure, g)) bitset_add(f->m->is_asked, g);
    for (uint32_t i = 0; i < c->gates.items[g].input_count; i++) ask(f, gate_inputs(c, g)[i], true);
  }
  for (uint32_t i = 0; i < c->latches.count; i++) ask(f, c->latches.items[i].next, false);
  for (uint32_t i = 0; i < c->places.count; i++) ask(f, c->places.items[i].definition, false);
  for (uint32_t i = 0; i < c->percepts.count; i++) ask(f, c->percepts.items[i].holds, false);
}

void gate_moves_find(gate_moves *m, const circuit *c, bitset which, arena *keep) {
  *m = (gate_moves){.first = arena_zero_array(keep, uint32_t, c->gates.count + 1),
                    .is_pure = bitset_new(keep, c->gates.count),
                    .is_asked = bitset_new(keep, c->gates.count)};
  finder f = {
      .m = m, .c = c, .which = which, .has = bitset_new(keep, c->moves.count + 1), .keep = keep};
  for (gate_id g = 0; g < c->gates.count; g++) {
    m->first[g] = m->moves.count;
    if (bitset_has(which, g) && c->gates.items[g].kind == GATE_AND) list_gate(&f, g);
    m->first[g + 1] = m->moves.count;
  }
  find_asked(&f);
}
