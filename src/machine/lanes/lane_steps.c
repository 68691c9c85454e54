#include "machine/lanes/lane_steps.h"

#include "base/bitset.h"

#include <string.h>

void lane_steps_init(lane_steps *s, const grounded *g, const lane_net *net, const lane_code *code,
                     arena *keep) {
  *s = (lane_steps){.g = g, .net = net, .code = code};
  s->rows = lane_rows_new(&net->program, 0, keep);
}

/* ---- positions in ---- */

/* 64 latches of 64 states. */
static void load_block(lane_steps *s, const uint64_t *positions, uint32_t word, uint32_t block) {
  const uint32_t words = grounded_words(s->g), latches = s->net->latches.count;
  uint64_t m[64] = {0};
  for (uint32_t i = 0; i < 64 && block * 64 + i < s->count; i++)
    m[i] = positions[(size_t)(block * 64 + i) * words + word];
  bits_transpose(m);
  for (uint32_t i = 0; i < 64 && word * 64 + i < latches; i++)
    s->rows[1 + word * 64 + i].words[block] = m[i];
}

void lane_steps_load(lane_steps *s, const uint64_t *positions, uint32_t count) {
  assert(count <= LANES && s->net->latches.count == s->g->circuit.latches.count);
  s->count = count;
  s->done = 0;
  for (uint32_t word = 0; word < grounded_words(s->g); word++)
    for (uint32_t block = 0; block * 64 < count; block++) load_block(s, positions, word, block);
}

void lane_steps_set_moves(lane_steps *s, const move_id *joints) {
  const circuit *c = s->net->c;
  memset(s->rows + s->net->first_move, 0, c->moves.count * sizeof *s->rows);
  for (uint32_t i = 0; i < s->count; i++)
    for (uint32_t role = 0; role < c->roles.count; role++) {
      const uint32_t move =
          c->roles.items[role].first_move + joints[(size_t)i * c->roles.count + role];
      s->rows[s->net->first_move + move].words[i / 64] |= UINT64_C(1) << i % 64;
    }
  if (s->done > PHASE_NEXT) s->done = 0;
}

/* ---- answers out ---- */

void lane_steps_run(lane_steps *s, lane_phase phase) {
  if (s->done == phase + 1u) return;
  if (s->done > phase) s->done = 0; /* its rows have been used for others since */
  for (lane_phase p = s->done; p <= phase; p++)
    if (p != PHASE_GOALS || phase == PHASE_GOALS) lane_code_run(s->code, p, s->rows);
  s->done = phase + 1u;
}

static void store_block(const lane_steps *s, uint64_t *positions, uint32_t word, uint32_t block) {
  const uint32_t words = grounded_words(s->g), latches = s->net->latches.count;
  uint64_t m[64] = {0};
  for (uint32_t i = 0; i < 64 && word * 64 + i < latches; i++)
    m[i] = lane_steps_word(s, s->net->next + word * 64 + i, block);
  bits_transpose(m);
  for (uint32_t i = 0; i < 64 && block * 64 + i < s->count; i++)
    positions[(size_t)(block * 64 + i) * words + word] = m[i];
}

void lane_steps_store(const lane_steps *s, uint64_t *positions) {
  for (uint32_t word = 0; word < grounded_words(s->g); word++)
    for (uint32_t block = 0; block * 64 < s->count; block++) store_block(s, positions, word, block);
}
