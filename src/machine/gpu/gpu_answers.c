/* The buffers in which a batch on a device writes its answers. */
#include "machine/gpu/gpu_answers.h"

#include <string.h>

static uint32_t *new_list(const gpu_batch *x, uint32_t count, arena *keep) {
  uint32_t *rows = arena_new_array(keep, uint32_t, batch_list_room(count) + 1);
  for (size_t i = 0; i < batch_list_room(count); i++) rows[i] = x->rows.nothing;
  return rows;
}

uint32_t *batch_list_rows(gpu_batch *x, uint32_t first, uint32_t count, arena *keep) {
  uint32_t *rows = new_list(x, count, keep);
  for (uint32_t i = 0; i < count; i++) rows[i] = first + i;
  return rows;
}

#define ROW_NEGATED UINT32_C(0x80000000)

/* A fluent that no latch has is a constant. */
static uint32_t *list_fluents(gpu_batch *x) {
  const circuit *c = &x->g->circuit;
  uint32_t *rows = new_list(x, c->fluents.count, x->keep);
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    const wire now = c->fluents.items[i].now;
    const gate it = c->gates.items[wire_gate(now)];
    const uint32_t row = it.kind == GATE_LATCH ? x->rows.states + it.number : x->rows.nothing;
    rows[i] = row | (wire_is_negated(now) ? ROW_NEGATED : 0);
  }
  return rows;
}

static uint32_t *list_percepts(gpu_batch *x, uint32_t role, uint32_t count) {
  uint32_t *rows = new_list(x, count, x->keep);
  for (uint32_t i = 0; i < count; i++)
    rows[i] =
        x->rows.states + x->g->circuit.latches.count + x->g->percepts[x->g->percepts_of[role] + i];
  return rows;
}

static uint32_t *list_answer(gpu_batch *x, device_answer what, uint32_t role, uint32_t *count) {
  const circuit_role *r = &x->g->circuit.roles.items[role];
  if (what == DEVICE_LEGAL) {
    *count = r->move_count;
    return batch_list_rows(x, x->rows.legal + r->first_move, *count, x->keep);
  }
  if (what == DEVICE_FLUENTS) {
    *count = x->g->circuit.fluents.count;
    return list_fluents(x);
  }
  *count = x->g->percepts_of[role + 1] - x->g->percepts_of[role];
  return list_percepts(x, role, *count);
}

/* Games behind the last one have their place, too. */
bool batch_make_output(gpu_batch *x, device_answer what, uint32_t role, device_layout layout,
                       batch_output *o) {
  *o = (batch_output){.what = what, .role = role, .layout = layout};
  const uint32_t *rows = list_answer(x, what, role, &o->count);
  const uint32_t words = (o->count + 63) / 64;
  o->at.item_bytes = 1;
  o->at.columns = layout == DEVICE_BITS ? words * 8 : o->count;
  o->at.stride = layout == DEVICE_BITS ? words * 8 : (o->count + 7) / 8 * 8;
  o->rows = batch_hold_copy(x, rows, batch_list_room(o->count) * sizeof *rows);
  if (o->rows) o->at.address = batch_hold(x, o->at.stride * 32 * x->words);
  return o->at.address;
}

bool batch_spread_new(gpu_batch *x, device_answer what, uint32_t role, device_layout layout,
                      device_buffer *out) {
  batch_output o;
  for (uint32_t i = 0; i < x->outputs.count; i++) {
    const batch_output *old = &x->outputs.items[i];
    if (old->what != what || old->role != role || old->layout != layout) continue;
    *out = old->at;
    return true;
  }
  if (!batch_make_output(x, what, role, layout, &o)) return false;
  vec_push(x->keep, &x->outputs, o);
  *out = o.at;
  return batch_spread(x, &o);
}

static uint32_t reward_bits(int32_t goal) {
  const float reward = (float)(goal - 50) / 50;
  uint32_t bits;
  memcpy(&bits, &reward, sizeof bits);
  return bits;
}

static uint64_t make_goal_table(gpu_batch *x) {
  const grounded *g = x->g;
  VEC(uint32_t) table = {0};
  for (uint32_t role = 0; role < g->circuit.roles.count; role++) {
    const uint32_t first = g->goals_of[role], end = g->goals_of[role + 1];
    if (role == g->nature) continue;
    vec_push(x->keep, &table, end - first);
    for (uint32_t i = first; i < end; i++) {
      const int32_t value = g->goal_values[g->goals[i]];
      vec_push(x->keep, &table, x->rows.goals + g->goals[i]);
      vec_push(x->keep, &table, (uint32_t)value);
      vec_push(x->keep, &table, reward_bits(value));
    }
  }
  return batch_hold_copy(x, table.items, table.count * sizeof *table.items);
}

static bool make_told(gpu_batch *x) {
  const size_t games = x->base.games, players = batch_players(x);
  const size_t sizes[] = {games * players * 4, games * players * 4, games, games};
  uint64_t told[4];
  x->goal_table = make_goal_table(x);
  if (!x->goal_table) return false;
  for (uint32_t i = 0; i < 4; i++)
    if (!(told[i] = batch_hold(x, sizes[i]))) return false;
  memcpy(x->told, told, sizeof told);
  return batch_tell(x);
}

bool batch_find_told(gpu_batch *x, device_answer what, device_buffer *out) {
  const uint32_t players = batch_players(x);
  const bool is_number = what == DEVICE_GOALS || what == DEVICE_REWARDS;
  if (!x->told[0] && !make_told(x)) return false;
  *out = (device_buffer){.address = x->told[what - DEVICE_GOALS],
                         .columns = is_number ? players : 1,
                         .item_bytes = is_number ? 4 : 1,
                         .stride = is_number ? players * 4 : 1};
  return true;
}
