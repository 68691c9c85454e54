#include "search/batch.h"

#include "base/text.h"
#include "machine/bulk_play.h"
#include "machine/transpose.h"
#include "search/pool.h"

#include <stdatomic.h>
#include <string.h>

/* Each block is worked on by one thread at a time. */
typedef struct block {
  bundle *b;
  budget budget;
} block;

struct batch {
  arena *keep;
  const machine *m;
  uint32_t lanes, capacity;
  bool is_part;
  uint64_t first; /* the number of its first lane: 0, unless it is a part */
  block *blocks;
  uint32_t block_count; /* that have lanes in use */
  uint32_t block_room;
  pool *pool;
  const transposer *transposer;
};

/* ---- making one ---- */

static bool open_block(batch *b, block *k, uint32_t threads, const budget *limits) {
  k->budget = budget_share(limits, threads);
  k->b = bundle_new(b->m, &k->budget);
  return k->b != NULL;
}

/* The lanes of a block that are in use. */
static uint32_t lanes_in(const batch *b, uint32_t i) {
  const uint32_t left = b->lanes - i * LANES;
  return left < LANES ? left : LANES;
}

static void use_lanes(batch *b, uint32_t lanes) {
  b->lanes = lanes;
  b->block_count = lanes / LANES + (lanes % LANES > 0);
}

/* A position in every lane: bundles know how many they have when they are loaded. */
static void begin_games(batch *b) {
  const size_t size = b->m->position_size;
  unsigned char *starts = arena_alloc_zero(b->keep, size * LANES + 1);
  for (uint32_t lane = 0; lane < LANES; lane++) machine_start(b->m, starts + lane * size);
  for (uint32_t i = 0; i < b->block_count; i++) bundle_load(b->blocks[i].b, starts, lanes_in(b, i));
}

batch *batch_new(const machine *m, uint32_t lanes, uint32_t threads, const budget *limits) {
  arena *keep = arena_new();
  batch *b = arena_alloc_zero(keep, sizeof *b);
  *b = (batch){.keep = keep, .m = m, .capacity = lanes, .transposer = transposer_best()};
  use_lanes(b, lanes);
  b->block_room = b->block_count;
  b->blocks = arena_zero_array(keep, block, b->block_room);
  const uint32_t helpers = threads < b->block_room ? threads : b->block_room;
  bool ok = true;
  for (uint32_t i = 0; ok && i < b->block_room; i++)
    ok = open_block(b, &b->blocks[i], b->block_room, limits);
  if (!ok) {
    batch_free(b);
    return NULL;
  }
  b->pool = pool_new(helpers, keep);
  begin_games(b);
  return b;
}

void batch_free(batch *b) {
  if (!b) return;
  pool_free(b->pool);
  for (uint32_t i = 0; i < b->block_room; i++) bundle_free(b->blocks[i].b);
  arena_free(b->keep);
}

const machine_workspace *batch_workspace(const batch *b) {
  uint32_t i = 0;
  while (i + 1 < b->block_count && !b->blocks[i].b->w->trouble.is_there) i++;
  return b->blocks[i].b->w;
}

uint32_t batch_lanes(const batch *b) { return b->lanes; }

/* ---- sets of lanes ---- */

static bundle_row row_of_lanes(const batch *b, uint32_t i, const bool *which) {
  bundle_row row = row_of_first(which ? 0 : lanes_in(b, i));
  for (uint32_t lane = 0; which && lane < lanes_in(b, i); lane++)
    row.words[lane / 64] |= (uint64_t)which[i * LANES + lane] << lane % 64;
  return row;
}

static void tell_lanes(const batch *b, uint32_t i, const bundle_row *row, bool *out) {
  b->transposer->to_bytes(row->words, 1, 1, lanes_in(b, i), out + (size_t)i * LANES, LANES);
}

/* ---- states ---- */

/* What a call is about. */
typedef struct request {
  batch *b;
  const bool *which;
  const void *given; /* positions, or joint moves */
  void *out;
  uint32_t role, capacity;
  uint32_t *counts;
  bundle_answer what;
  batch_layout layout;
  uint64_t seed, stream;
  const bundle_games *games;
  atomic_uint found;
} request;

static const char *position_of_block(const request *r, uint32_t i) {
  return (const char *)r->given + (size_t)i * LANES * r->b->m->position_size;
}

static void reset_block(void *context, uint32_t i) {
  const request *r = context;
  const bundle_row lanes = row_of_lanes(r->b, i, r->which);
  if (!row_is_empty(&lanes)) bundle_reset(r->b->blocks[i].b, &lanes);
}

void batch_reset(batch *b, const bool *which) {
  request r = {.b = b, .which = which};
  pool_run(b->pool, b->block_count, reset_block, &r);
}

static void put_block(void *context, uint32_t i) {
  const request *r = context;
  const bundle_row lanes = row_of_lanes(r->b, i, r->which);
  if (!row_is_empty(&lanes)) bundle_put(r->b->blocks[i].b, position_of_block(r, i), &lanes);
}

void batch_put(batch *b, const void *positions, const bool *which) {
  request r = {.b = b, .which = which, .given = positions};
  pool_run(b->pool, b->block_count, put_block, &r);
}

static void load_block(void *context, uint32_t i) {
  const request *r = context;
  bundle_load(r->b->blocks[i].b, position_of_block(r, i), lanes_in(r->b, i));
}

void batch_load(batch *b, const void *positions, uint32_t count) {
  request r = {.b = b, .given = positions};
  assert(count <= b->capacity);
  use_lanes(b, count);
  pool_run(b->pool, b->block_count, load_block, &r);
}

static void store_block(void *context, uint32_t i) {
  const request *r = context;
  bundle_store(r->b->blocks[i].b, (char *)r->out + (size_t)i * LANES * r->b->m->position_size);
}

void batch_store(batch *b, void *positions) {
  request r = {.b = b, .out = positions};
  pool_run(b->pool, b->block_count, store_block, &r);
}

/* ---- parts ---- */

typedef struct each_part {
  const batch *b;
  batch_part_work *work;
  void *context;
} each_part;

static void work_on_part(void *context, uint32_t i) {
  const each_part *e = context;
  batch part = *e->b;
  part.is_part = true;
  part.first = (uint64_t)i * LANES;
  part.blocks += i;
  part.block_count = part.block_room = 1;
  part.lanes = part.capacity = lanes_in(e->b, i);
  e->work(e->context, &part, i * LANES);
}

void batch_each(batch *b, batch_part_work *work, void *context) {
  each_part e = {b, work, context};
  pool_run(b->pool, b->block_count, work_on_part, &e);
}

/* ---- layouts ---- */

uint32_t batch_width(const machine *m, bundle_answer what, uint32_t role) {
  if (what == BUNDLE_TERMINAL) return 1;
  if (!m->numbers) return 0;
  return what == BUNDLE_LEGAL     ? m->numbers->moves[role]
         : what == BUNDLE_FLUENTS ? m->numbers->fluents
                                  : m->numbers->percepts[role];
}

static size_t words_for(uint32_t bits) { return (bits + 63) / 64; }

/* Bytes of a lane, or of a plane. */
static size_t row_size(uint32_t lanes, uint32_t width, batch_layout layout) {
  switch (layout) {
    case BATCH_BITS: return words_for(width) * sizeof(uint64_t);
    case BATCH_BYTES: return width;
    case BATCH_FLOATS: return width * sizeof(float);
    case BATCH_PLANES: break;
  }
  return words_for(lanes) * sizeof(uint64_t);
}

size_t batch_answer_size(const machine *m, uint32_t lanes, bundle_answer what, uint32_t role,
                         batch_layout layout) {
  const uint32_t width = batch_width(m, what, role);
  return row_size(lanes, width, layout) * (layout == BATCH_PLANES ? width : lanes);
}

static void write_bits(const request *r, const row_list *rows, uint32_t lanes, char *out,
                       size_t stride) {
  uint64_t words[WORDS_AT_ONCE * LANES];
  for (uint32_t first = 0; first < rows->count;) {
    char *to = out + first / 8;
    uint32_t width = 0;
    for (; width < WORDS_AT_ONCE && first < rows->count; first += BLOCK_ROWS)
      r->b->transposer->to_lanes(rows, first, words + LANES * width++);
    r->b->transposer->to_lines(words, width, lanes, to, stride);
  }
}

/* Blocks of rows that are transposed before their numbers are written, so that numbers are written
   in the order in which they lie: lane by lane, where they are no more.  It doubles what memory
   takes in a second.  Blocks are some words apart from multiples of the page size, or they would
   share sets of the cache. */
enum { NUMBER_BLOCKS = 32, BLOCK_WORDS = LANES + 8 };

static void write_numbers(const request *r, const row_list *rows, uint32_t lanes, char *out,
                          size_t stride) {
  const bool as_bytes = r->layout == BATCH_BYTES;
  const size_t size = as_bytes ? 1 : sizeof(float);
  uint64_t words[NUMBER_BLOCKS * BLOCK_WORDS];
  for (uint32_t begin = 0, end; begin < rows->count; begin = end) {
    end = begin;
    for (uint32_t k = 0; k < NUMBER_BLOCKS && end < rows->count; k++, end += BLOCK_ROWS)
      r->b->transposer->to_lanes(rows, end, words + (size_t)k * BLOCK_WORDS);
    if (end > rows->count) end = rows->count;
    (as_bytes ? r->b->transposer->to_bytes : r->b->transposer->to_floats)(
        words, BLOCK_WORDS, lanes, end - begin, out + begin * size, stride);
  }
}

static void write_lanes(const request *r, uint32_t i, const row_list *rows) {
  const uint32_t lanes = lanes_in(r->b, i);
  const size_t size = row_size(lanes, rows->count, r->layout);
  char *out = (char *)r->out + (size_t)i * LANES * size;
  if (r->layout == BATCH_BITS)
    write_bits(r, rows, lanes, out, size);
  else
    write_numbers(r, rows, lanes, out, size);
}

/* Lanes behind the last are 0. */
static void write_planes(const request *r, uint32_t i, const row_list *rows) {
  const uint32_t lanes = lanes_in(r->b, i);
  const size_t stride = words_for(r->b->lanes), words = words_for(lanes);
  const bundle_row used = row_of_first(lanes);
  uint64_t *out = (uint64_t *)r->out + (size_t)i * ROW_WORDS;
  for (uint32_t k = 0; k < rows->count; k++, out += stride)
    for (uint32_t word = 0; word < words; word++)
      out[word] = row_list_word(rows, k, word) & used.words[word];
}

static void read_block(void *context, uint32_t i) {
  const request *r = context;
  const row_list rows = bundle_ask(r->b->blocks[i].b, r->what, r->role);
  if (r->layout == BATCH_PLANES)
    write_planes(r, i, &rows);
  else
    write_lanes(r, i, &rows);
}

void batch_read(batch *b, bundle_answer what, uint32_t role, batch_layout layout, void *out) {
  request r = {.b = b, .what = what, .role = role, .layout = layout, .out = out};
  pool_run(b->pool, b->block_count, read_block, &r);
}

/* ---- other questions ---- */

static void ask_terminal(void *context, uint32_t i) {
  request *r = context;
  const bundle_row terminal = bundle_terminal(r->b->blocks[i].b);
  if (r->out) tell_lanes(r->b, i, &terminal, r->out);
  atomic_fetch_add(&r->found, row_count(&terminal));
}

uint32_t batch_terminal(batch *b, bool *terminal) {
  request r = {.b = b, .out = terminal};
  pool_run(b->pool, b->block_count, ask_terminal, &r);
  return atomic_load(&r.found);
}

static void ask_goals(void *context, uint32_t i) {
  const request *r = context;
  bundle_goals(r->b->blocks[i].b, r->role, (int32_t *)r->out + (size_t)i * LANES);
}

void batch_goals(batch *b, uint32_t role, int32_t *values) {
  request r = {.b = b, .role = role, .out = values};
  pool_run(b->pool, b->block_count, ask_goals, &r);
}

static void list_block(void *context, uint32_t i) {
  const request *r = context;
  const size_t first = (size_t)i * LANES;
  bundle_list_legal(r->b->blocks[i].b, r->role,
                    r->capacity ? (move_id *)r->out + first * r->capacity : NULL, r->capacity,
                    r->counts + first);
}

void batch_list_legal(batch *b, uint32_t role, move_id *moves, uint32_t capacity,
                      uint32_t *counts) {
  request r = {.b = b, .role = role, .out = moves, .capacity = capacity, .counts = counts};
  pool_run(b->pool, b->block_count, list_block, &r);
}

/* ---- moves ---- */

static void draw_block(void *context, uint32_t i) {
  const request *r = context;
  const uint64_t first = (uint64_t)i * LANES;
  bundle_draw(r->b->blocks[i].b, r->seed, r->stream, r->b->first + first,
              (move_id *)r->out + first * r->b->m->role_count);
}

void batch_draw(batch *b, uint64_t seed, uint64_t stream, move_id *joints) {
  request r = {.b = b, .seed = seed, .stream = stream, .out = joints};
  pool_run(b->pool, b->block_count, draw_block, &r);
}

static void step_block(void *context, uint32_t i) {
  request *r = context;
  const move_id *joints = (const move_id *)r->given + (size_t)i * LANES * r->b->m->role_count;
  bundle_row illegal;
  bundle_step(r->b->blocks[i].b, joints, &illegal);
  if (r->out) tell_lanes(r->b, i, &illegal, r->out);
  atomic_fetch_add(&r->found, row_count(&illegal));
}

uint32_t batch_step(batch *b, const move_id *joints, bool *illegal) {
  request r = {.b = b, .given = joints, .out = illegal};
  pool_run(b->pool, b->block_count, step_block, &r);
  return atomic_load(&r.found);
}

/* ---- random games ---- */

static void play_block(void *context, uint32_t i) {
  const request *r = context;
  const uint64_t first = (uint64_t)i * LANES * r->games->each;
  bundle_games games = *r->games;
  games.first += first + r->b->first * r->games->each;
  bundle_play(r->b->blocks[i].b, &games, (int32_t *)r->out + first * r->b->m->role_count);
}

/* A device that has failed, or has no time left, is the trouble of the first block. */
static void note_trouble(batch *b, const char *why) {
  machine_workspace *w = b->blocks[0].b->w;
  if (workspace_is_over(w) || !why) return;
  text words = text_new(b->keep);
  text_add_format(&words, "the device has failed: %s", why);
  w->budget->end = BUDGET_DEVICE;
  w->trouble = (machine_trouble){true, DIAG_E826, SPAN_NONE, text_string(&words)};
}

/* All at once, where the machine can.  A part is played as others are: in a thread of its own. */
static void play_together(batch *b, const bundle_games *games, int32_t *goals) {
  const char *why = NULL;
  arena *scratch = arena_new();
  uint64_t *positions = arena_alloc(scratch, (size_t)b->lanes * b->m->position_size + 1);
  const rollout_request r = {.positions = positions,
                             .games = (uint64_t)b->lanes * games->each,
                             .games_each = games->each,
                             .seed = games->seed,
                             .first = games->first,
                             .max_steps = games->max_steps,
                             .goals = goals};
  batch_store(b, positions);
  if (!b->m->ops->bulk_play->play_each(b->m, &r, &why, &b->blocks[0].budget)) note_trouble(b, why);
  arena_free(scratch);
}

void batch_play(batch *b, const bundle_games *games, int32_t *goals) {
  const bulk_play_ops *ops = b->m->ops->bulk_play;
  if (ops && ops->play_each && !b->is_part && b->lanes) {
    play_together(b, games, goals);
    return;
  }
  request r = {.b = b, .games = games, .out = goals};
  pool_run(b->pool, b->block_count, play_block, &r);
}
