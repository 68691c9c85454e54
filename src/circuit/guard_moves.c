#include "circuit/guard_moves.h"

#include "circuit/rebuild.h"

/* A guard must be worth it; conjunctions in conjunctions are looked into so deep. */
enum { GUARDED_LEAST = 4, DEPTH_MAX = 4 };

static bool is_open(const circuit *c, wire w, uint32_t depth) {
  return depth && !wire_is_negated(w) && c->gates.items[wire_gate(w)].kind == GATE_AND;
}

/* ---- choosing ---- */

typedef struct condition_counts {
  const circuit *c;
  arena *scratch;
  uint32_t *times;  /* by wire: in how many moves it is */
  wire_vec counted; /* wires that are in any */
} condition_counts;

static void count_conditions(condition_counts *x, wire w, uint32_t depth) {
  if (!is_open(x->c, w, depth)) {
    if (x->times[w]++ == 0) vec_push(x->scratch, &x->counted, w);
    return;
  }
  for (uint32_t i = 0; i < x->c->gates.items[wire_gate(w)].input_count; i++)
    count_conditions(x, gate_inputs(x->c, wire_gate(w))[i], depth - 1);
}

wire circuit_find_guard(const circuit *c, uint32_t role, arena *scratch) {
  const circuit_role *r = &c->roles.items[role];
  condition_counts x = {.c = c,
                        .scratch = scratch,
                        .times = arena_zero_array(scratch, uint32_t, c->gates.count * (size_t)2)};
  wire best = WIRE_TRUE;
  uint32_t most = GUARDED_LEAST - 1;
  for (uint32_t i = 0; i < r->move_count; i++)
    count_conditions(&x, c->moves.items[r->first_move + i].legal, DEPTH_MAX);
  for (uint32_t i = 0; i < x.counted.count; i++) {
    const wire w = x.counted.items[i];
    if (wire_is_constant(w) || x.times[w] <= most) continue;
    most = x.times[w];
    best = w;
  }
  return best;
}

/* ---- taking it out ---- */

static bool list_without(const circuit *c, wire w, wire guard, uint32_t depth, wire_vec *rest,
                         arena *scratch) {
  if (w == guard) return true;
  if (!is_open(c, w, depth)) return false;
  const wire *inputs = gate_inputs(c, wire_gate(w));
  const uint32_t count = c->gates.items[wire_gate(w)].input_count;
  for (uint32_t i = 0; i < count; i++) {
    if (!list_without(c, inputs[i], guard, depth - 1, rest, scratch)) continue;
    for (uint32_t k = 0; k < count; k++)
      if (k != i) vec_push(scratch, rest, inputs[k]);
    return true;
  }
  return false;
}

bool circuit_list_without(const circuit *c, wire conjunction, wire guard, wire_vec *rest,
                          arena *scratch) {
  rest->count = 0;
  return list_without(c, conjunction, guard, DEPTH_MAX, rest, scratch);
}

/* ---- the circuit ---- */

static wire make_unguarded(rebuild *r, wire_vec *rest) {
  for (uint32_t i = 0; i < rest->count; i++) rest->items[i] = rebuild_wire(r, rest->items[i]);
  return make_and(&r->maker, rest->items, rest->count);
}

void circuit_guard_moves(circuit *out, move_guards *guards, const circuit *in, arena *keep) {
  arena *scratch = arena_new();
  wire *legal = arena_new_array(scratch, wire, in->moves.count + 1);
  wire_vec rest = {0};
  rebuild r;
  rebuild_begin(&r, out, in, NULL, keep);
  rebuild_gates(&r, rebuild_copy_gate, NULL);
  *guards = (move_guards){arena_new_array(keep, wire, in->roles.count + 1),
                          arena_zero_array(keep, bool, in->moves.count + 1)};
  for (uint32_t role = 0; role < in->roles.count; role++) {
    const circuit_role *from = &in->roles.items[role];
    const wire guard = circuit_find_guard(in, role, scratch);
    guards->guards[role] = rebuild_wire(&r, guard);
    for (uint32_t i = from->first_move; i < from->first_move + from->move_count; i++) {
      const wire old = in->moves.items[i].legal;
      guards->is_guarded[i] = circuit_list_without(in, old, guard, &rest, scratch);
      legal[i] = guards->is_guarded[i] ? make_unguarded(&r, &rest) : rebuild_wire(&r, old);
    }
  }
  rebuild_end(&r);
  for (uint32_t i = 0; i < in->moves.count; i++) out->moves.items[i].legal = legal[i];
  arena_free(scratch);
}
