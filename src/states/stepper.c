#include "states/stepper.h"

#include "base/bitset.h"

#include <string.h>

/* Above this many operations the instructions would take longer to make than they save. */
enum { NATIVE_OPS_MAX = 400 * 1000 };

void stepper_init(stepper *s, const circuit *c, arena *keep) {
  const bool native = lane_jit_is_possible() && c->inputs.count < NATIVE_OPS_MAX;
  *s = (stepper){.c = c};
  lane_net_build(&s->net, c, NET_STEPS, !native, keep, NULL);
  lane_code_make(&s->code, &s->net.program, lane_engine_best(), native, keep, NULL);
  s->state_bytes = (c->latches.count + 7) / 8;
}

void stepper_free(stepper *s) { lane_code_free(&s->code); }

void stepper_start(const stepper *s, uint8_t *state) {
  memset(state, 0, s->state_bytes);
  for (uint32_t i = 0; i < s->c->latches.count; i++)
    if (s->c->latches.items[i].initially) state[i / 8] |= (uint8_t)(1u << i % 8);
}

/* ---- rows and states ---- */

void bundle_init(bundle *b, const stepper *s, arena *keep) {
  *b = (bundle){.s = s, .rows = lane_rows_new(&s->net.program, s->c->goals.count + 1, keep)};
  b->terminal = b->rows + s->net.program.slot_count;
  b->targets = b->terminal + 1;
}

static uint32_t bytes_at(const stepper *s, uint32_t first) {
  const uint32_t left = s->state_bytes - first;
  return left < 8 ? left : 8;
}

void bundle_load(bundle *b, const uint8_t *states, uint32_t count) {
  const stepper *s = b->s;
  const uint32_t latches = s->c->latches.count;
  b->count = count;
  for (uint32_t first = 0; first < latches; first += 64)
    for (uint32_t word = 0; word * 64 < count; word++) {
      uint64_t block[64] = {0};
      const uint32_t lanes = count - word * 64 < 64 ? count - word * 64 : 64;
      const uint8_t *from = states + (size_t)word * 64 * s->state_bytes + first / 8;
      const uint32_t bytes = bytes_at(s, first / 8);
      for (uint32_t i = 0; i < lanes; i++, from += s->state_bytes) memcpy(&block[i], from, bytes);
      bits_transpose(block);
      for (uint32_t i = 0; i < 64 && first + i < latches; i++)
        b->rows[first + i + 1].words[word] = block[i];
    }
}

void bundle_store(const bundle *b, uint8_t *states) {
  const stepper *s = b->s;
  const uint32_t latches = s->c->latches.count;
  const lane_row *next = s->net.rows + s->net.next;
  for (uint32_t first = 0; first < latches; first += 64)
    for (uint32_t word = 0; word * 64 < b->count; word++) {
      uint64_t block[64] = {0};
      const uint32_t lanes = b->count - word * 64 < 64 ? b->count - word * 64 : 64;
      uint8_t *to = states + (size_t)word * 64 * s->state_bytes + first / 8;
      const uint32_t bytes = bytes_at(s, first / 8);
      for (uint32_t i = 0; i < 64 && first + i < latches; i++)
        block[i] = lane_word(b->rows, next[first + i], word);
      bits_transpose(block);
      for (uint32_t i = 0; i < lanes; i++, to += s->state_bytes) memcpy(to, &block[i], bytes);
    }
}

/* ---- running ---- */

static bundle_row read_row(const bundle *b, uint32_t root) {
  bundle_row out;
  for (uint32_t i = 0; i < ROW_WORDS; i++)
    out.words[i] = lane_word(b->rows, b->s->net.rows[root], i);
  return out;
}

void bundle_look(bundle *b) {
  const lane_net *n = &b->s->net;
  lane_code_run(&b->s->code, PHASE_TERMINAL, b->rows);
  *b->terminal = read_row(b, n->terminal);
  lane_code_run(&b->s->code, PHASE_GOALS, b->rows);
  for (uint32_t i = 0; i < b->s->c->goals.count; i++) b->targets[i] = read_row(b, n->goals + i);
  lane_code_run(&b->s->code, PHASE_LEGAL, b->rows);
}

void bundle_rest(bundle *b) {
  memset(b->rows + b->s->net.first_move, 0, b->s->c->moves.count * sizeof *b->rows);
  lane_code_run(&b->s->code, PHASE_NEXT, b->rows);
}

void bundle_step(bundle *b, const uint32_t *joints) {
  const circuit *c = b->s->c;
  bundle_row *moves = b->rows + b->s->net.first_move;
  memset(moves, 0, c->moves.count * sizeof *moves);
  for (uint32_t lane = 0; lane < b->count; lane++)
    for (uint32_t role = 0; role < c->roles.count; role++)
      moves[*joints++].words[lane / 64] |= UINT64_C(1) << lane % 64;
  lane_code_run(&b->s->code, PHASE_NEXT, b->rows);
}
