#include "circuit/passes.h"
#include "circuit/rebuild.h"

/* Sets of one move come first: the others are made of them. */
static void make_singles(rebuild *r, const move_sets *sets, wire *move_wires) {
  for (gate_id g = 0; g < r->in->gates.count; g++) {
    const gate it = r->in->gates.items[g];
    if (it.kind != GATE_MOVE_SET || sets->sets.items[it.number].count != 1) continue;
    const move_set *s = &sets->sets.items[it.number];
    const uint32_t move = r->in->roles.items[s->role].first_move + sets->members.items[s->first];
    r->wires[g] = move_wires[move] = make_input(&r->maker, GATE_MOVE, move);
  }
}

static wire make_union(rebuild *r, const move_set *s, const uint32_t *members,
                       const wire *move_wires) {
  const uint32_t first = r->in->roles.items[s->role].first_move;
  r->inputs.count = 0;
  for (uint32_t i = 0; i < s->count; i++)
    vec_push(r->scratch, &r->inputs, move_wires[first + members[i]]);
  return make_or(&r->maker, r->inputs.items, r->inputs.count);
}

void circuit_realise_sets(circuit *out, const circuit *in, const move_sets *sets, arena *keep) {
  rebuild r;
  rebuild_begin(&r, out, in, NULL, NULL, keep);
  wire *move_wires = arena_zero_array(r.scratch, wire, in->moves.count);
  make_singles(&r, sets, move_wires);
  for (gate_id g = 0; g < in->gates.count; g++) {
    const gate it = in->gates.items[g];
    if (it.kind != GATE_MOVE_SET || !bitset_has(r.needed, g)) continue;
    const move_set *s = &sets->sets.items[it.number];
    if (s->count > 1) r.wires[g] = make_union(&r, s, sets->members.items + s->first, move_wires);
  }
  rebuild_gates(&r, rebuild_copy_gate, NULL);
  rebuild_end(&r);
}
