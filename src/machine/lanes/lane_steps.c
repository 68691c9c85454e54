#include "machine/lanes/lane_steps.h"

#include <string.h>

void lane_steps_init(lane_steps *b, const lane_stepper *s, arena *keep) {
  const lane_program *p = &s->net.program;
  *b = (lane_steps){.s = s};
  const uint32_t answers = 1 + s->c->goals.count + s->c->targets.count;
  b->rows = lane_rows_new(p, s->aside.count + answers, keep);
  b->terminal = b->rows + p->slot_count + s->aside.count;
  b->goals = b->terminal + 1;
  b->targets = b->goals + s->c->goals.count;
}

/* ---- states in and out ---- */

static uint32_t bytes_at(const lane_stepper *s, uint32_t first) {
  const uint32_t left = s->state_bytes - first;
  return left < 8 ? left : 8;
}

static uint32_t latches_at(const lane_stepper *s, uint32_t first) {
  const uint32_t left = s->c->latches.count - first;
  return left < BLOCK_ROWS ? left : BLOCK_ROWS;
}

/* Rows of the latches `first` and behind it. */
static void read_block(const lane_steps *b, const uint8_t *states, uint32_t first,
                       bundle_row *block) {
  const uint32_t bytes = bytes_at(b->s, first / 8);
  uint64_t lanes[LANES];
  const uint8_t *from = states + first / 8;
  for (uint32_t i = 0; i < b->count; i++, from += b->s->state_bytes) {
    lanes[i] = 0;
    memcpy(&lanes[i], from, bytes);
  }
  memset(lanes + b->count, 0, (LANES - b->count) * sizeof *lanes);
  b->s->transposer->to_rows(lanes, block);
}

void lane_steps_load(lane_steps *b, const void *states, uint32_t count) {
  assert(count <= LANES);
  bundle_row block[BLOCK_ROWS];
  b->count = count;
  b->done = 0;
  for (uint32_t first = 0; first < b->s->c->latches.count; first += BLOCK_ROWS) {
    read_block(b, states, first, block);
    memcpy(b->rows + 1 + first, block, latches_at(b->s, first) * sizeof *block);
  }
}

void lane_steps_put(lane_steps *b, const void *states, const bundle_row *lanes) {
  bundle_row block[BLOCK_ROWS];
  b->done = 0;
  for (uint32_t first = 0; first < b->s->c->latches.count; first += BLOCK_ROWS) {
    read_block(b, states, first, block);
    for (uint32_t i = 0; i < latches_at(b->s, first); i++)
      row_blend(&b->rows[1 + first + i], &block[i], lanes);
  }
}

void lane_steps_reset(lane_steps *b, const bundle_row *lanes) {
  const bundle_row all = row_of_first(LANES), none = {{0}};
  b->done = 0;
  for (uint32_t i = 0; i < b->s->c->latches.count; i++)
    row_blend(&b->rows[i + 1], b->s->c->latches.items[i].initially ? &all : &none, lanes);
}

/* States of whole words, a line of eight at a time. */
static void store_words(const lane_steps *b, const row_list *latches, char *states) {
  uint64_t words[WORDS_AT_ONCE * LANES];
  for (uint32_t first = 0; first < latches->count;) {
    char *to = states + first / 8;
    uint32_t width = 0;
    for (; width < WORDS_AT_ONCE && first < latches->count; first += BLOCK_ROWS)
      b->s->transposer->to_lanes(latches, first, words + LANES * width++);
    b->s->transposer->to_lines(words, width, b->count, to, b->s->state_bytes);
  }
}

static void store_bytes(const lane_steps *b, const row_list *latches, char *states) {
  uint64_t lanes[LANES];
  for (uint32_t first = 0; first < latches->count; first += BLOCK_ROWS) {
    const uint32_t bytes = bytes_at(b->s, first / 8);
    char *to = states + first / 8;
    b->s->transposer->to_lanes(latches, first, lanes);
    for (uint32_t i = 0; i < b->count; i++, to += b->s->state_bytes) memcpy(to, &lanes[i], bytes);
  }
}

static void store(const lane_steps *b, const row_list *latches, void *states) {
  if (b->s->state_bytes % sizeof(uint64_t))
    store_bytes(b, latches, states);
  else
    store_words(b, latches, states);
}

void lane_steps_store_next(const lane_steps *b, void *states) {
  const lane_net *n = &b->s->net;
  const row_list latches = {b->rows, n->rows + n->next, n->latches.count};
  store(b, &latches, states);
}

void lane_steps_store(const lane_steps *b, void *states) {
  const row_list latches = {b->rows, b->s->latches, b->s->net.latches.count};
  store(b, &latches, states);
}

/* ---- running ---- */

void lane_steps_run(lane_steps *b, lane_phase phase) {
  if (b->done >> phase & 1) return;
  if (b->done >> phase) b->done = 0; /* its rows have been used for later phases since */
  for (lane_phase p = PHASE_TERMINAL; p <= phase; p++) {
    if (b->done >> p & 1 || (p == PHASE_GOALS && phase != PHASE_GOALS)) continue;
    lane_code_run(&b->s->code, p, b->rows);
    b->done |= 1u << p;
  }
  if (phase == PHASE_NEXT) b->done = 1u << PHASE_NEXT;
}

static bundle_row read_row(const lane_steps *b, uint32_t root) {
  bundle_row out;
  for (uint32_t i = 0; i < ROW_WORDS; i++) out.words[i] = lane_steps_word(b, root, i);
  return out;
}

void lane_steps_look(lane_steps *b, bool with_goals) {
  const lane_net *n = &b->s->net;
  lane_steps_run(b, with_goals ? PHASE_GOALS : PHASE_TERMINAL);
  *b->terminal = read_row(b, n->terminal);
  for (uint32_t i = 0; with_goals && i < b->s->c->goals.count; i++)
    b->goals[i] = read_row(b, n->goals + i);
  for (uint32_t i = 0; with_goals && i < b->s->c->targets.count; i++)
    b->targets[i] = read_row(b, n->targets + i);
  lane_steps_run(b, PHASE_LEGAL);
}

/* ---- moves ---- */

void lane_steps_set_no_moves(lane_steps *b) {
  memset(b->rows + b->s->net.first_move, 0, b->s->c->moves.count * sizeof *b->rows);
  if (b->done >> PHASE_NEXT & 1) b->done = 0;
}

void lane_steps_set_moves(lane_steps *b, const uint32_t *joints) {
  const uint32_t roles = b->s->c->roles.count;
  bundle_row *moves = b->rows + b->s->net.first_move;
  lane_steps_set_no_moves(b);
  for (uint32_t lane = 0; lane < b->count; lane++)
    for (uint32_t role = 0; role < roles; role++)
      moves[*joints++].words[lane / 64] |= UINT64_C(1) << lane % 64;
}

void lane_steps_step(lane_steps *b, const uint32_t *joints) {
  lane_steps_set_moves(b, joints);
  lane_steps_run(b, PHASE_NEXT);
}

static void copy_row(bundle_row *rows, const row_copy *c, const bundle_row *lanes) {
  for (uint32_t word = 0; word < ROW_WORDS; word++) {
    const uint64_t value = lane_word(rows, c->from, word);
    uint64_t *to = &rows[c->to].words[word];
    *to ^= (*to ^ value) & lanes->words[word];
  }
}

void lane_steps_latch(lane_steps *b, const bundle_row *lanes) {
  const lane_stepper *s = b->s;
  assert(b->done >> PHASE_NEXT & 1);
  for (uint32_t i = 0; i < s->aside.count; i++) copy_row(b->rows, &s->aside.items[i], lanes);
  for (uint32_t i = 0; i < s->copies.count; i++) copy_row(b->rows, &s->copies.items[i], lanes);
  b->done = 0;
}
