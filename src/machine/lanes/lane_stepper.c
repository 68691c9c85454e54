#include "machine/lanes/lane_stepper.h"

#include <string.h>

uint32_t lane_state_bytes(const circuit *c) { return (c->latches.count + 7) / 8; }

static void place_latches(lane_stepper *s, arena *keep) {
  lane_row *latches = arena_new_array(keep, lane_row, s->c->latches.count + 1);
  for (uint32_t i = 0; i < s->c->latches.count; i++) latches[i] = (lane_row){i + 1, false};
  s->latches = latches;
}

static bool is_latch(const lane_net *n, slot_id slot) {
  return slot != SLOT_FALSE && slot <= n->latches.count;
}

static void plan_copies(lane_stepper *s, arena *keep) {
  const lane_net *n = &s->net;
  for (uint32_t i = 0; i < n->latches.count; i++) {
    row_copy copy = {n->rows[n->next + i], i + 1};
    if (copy.from.slot == copy.to && !copy.from.negated) continue;
    if (is_latch(n, copy.from.slot) && copy.from.slot != copy.to) {
      const row_copy away = {copy.from, n->program.slot_count + s->aside.count};
      vec_push(keep, &s->aside, away);
      copy.from = (lane_row){away.to, false};
    }
    vec_push(keep, &s->copies, copy);
  }
}

bool lane_stepper_init(lane_stepper *s, const circuit *c, uint32_t state_bytes, uint32_t native_max,
                       arena *keep, budget *limits) {
  const bool native = lane_jit_is_possible() && c->inputs.count < native_max;
  *s = (lane_stepper){.c = c, .transposer = transposer_best(), .state_bytes = state_bytes};
  if (!lane_net_build(&s->net, c, NET_STEPS, !native, keep, limits) ||
      !lane_code_make(&s->code, &s->net.program, lane_engine_best(), native, keep, limits))
    return false;
  assert(s->net.latches.count == c->latches.count);
  place_latches(s, keep);
  plan_copies(s, keep);
  return true;
}

void lane_stepper_free(lane_stepper *s) { lane_code_free(&s->code); }

void lane_stepper_start(const lane_stepper *s, void *state) {
  uint8_t *bytes = state;
  memset(bytes, 0, s->state_bytes);
  for (uint32_t i = 0; i < s->c->latches.count; i++)
    if (s->c->latches.items[i].initially) bytes[i / 8] |= (uint8_t)(1u << i % 8);
}
