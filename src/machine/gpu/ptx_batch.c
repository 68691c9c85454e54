#include "machine/gpu/ptx_batch.h"

#include "machine/gpu/gpu_plan.h"
#include "machine/gpu/ptx_kernel.h"

#include <assert.h>
#include <string.h>

_Static_assert((int)BATCH_TILE_WORDS == (int)PTX_TILE_WORDS, "tiles are alike");

/* ---- step ---- */

static void lay_out_step(ptx_builder *b) {
  ptx_program *p = b->p;
  p->rows = p->spill.global_count;
  p->shared_bytes = ptx_row_bytes(b, p->spill.shared_count);
}

static void put_step_head(ptx_builder *b) {
  ptx_begin_kernel(b, "planes scratch words threads option0", b->p->shape.threads);
  ptx_line(b, ".reg .pred %%p<2>;");
  ptx_line(b, ".reg .b32 %%v<%u>;", b->s->value_count);
  ptx_line(b, ".reg .b32 %%t<16>;");
  ptx_line(b, ".reg .b32 %%zero, %%me, %%near, %%word, %%words, %%threads, %%option0, %%changed;");
  ptx_line(b, ".reg .b64 %%q<16>;");
  ptx_line(b, ".reg .b64 %%own, %%tile;");
  ptx_line(b, "mov.b32 %%zero, 0;");
  ptx_line(b, "mov.b32 %%v0, 0;");
  ptx_load_number(b, "%words", "words");
  ptx_load_number(b, "%threads", "threads");
  ptx_load_number(b, "%option0", "option0");
}

/* Memory of the thread, in its block's part of scratch and of shared memory. */
static void put_step_addresses(ptx_builder *b) {
  const uint32_t threads = b->p->shape.threads;
  ptx_line(b, "mov.u32 %%me, %%tid.x;");
  ptx_line(b, "mov.u32 %%t0, memory;");
  ptx_line(b, "mad.lo.u32 %%near, %%me, 4, %%t0;");
  ptx_line(b, "mov.u32 %%t1, %%ctaid.x;");
  ptx_load_parameter(b, "%own", "scratch");
  ptx_line(b, "mad.wide.u32 %%own, %%t1, %u, %%own;", b->p->rows * threads * 4);
  ptx_line(b, "mad.wide.u32 %%own, %%me, 4, %%own;");
  ptx_line(b, "mad.lo.u32 %%word, %%t1, %u, %%me;", threads);
}

static void put_step_loop(ptx_builder *b, uint32_t rows) {
  text_add(b->out, "step:\n");
  ptx_line(b, "setp.ge.u32 %%p0, %%word, %%words;");
  ptx_line(b, "@%%p0 bra done;");
  ptx_load_parameter(b, "%tile", "planes");
  ptx_line(b, "shr.u32 %%t0, %%word, 5;");
  ptx_line(b, "mad.wide.u32 %%tile, %%t0, %u, %%tile;", rows * PTX_TILE_ROW_BYTES);
  ptx_line(b, "and.b32 %%t0, %%word, 31;");
  ptx_line(b, "mad.wide.u32 %%tile, %%t0, 4, %%tile;");
  ptx_put_actions(b);
  ptx_line(b, "add.u32 %%word, %%word, %%threads;");
  ptx_line(b, "bra step;");
}

bool ptx_write_batch_step(ptx_program *p, const gpu_step *s, gpu_shape shape, uint32_t rows,
                          text *out, arena *keep, budget *limits) {
  *p = (ptx_program){.step = s, .shape = shape};
  assert(BATCH_WORDS_LEAST % shape.threads == 0);
  if (!gpu_plan(&p->step, &p->spill, &shape, keep, limits)) return false;
  ptx_builder b = {.p = p, .s = p->step, .out = out};
  lay_out_step(&b);
  put_step_head(&b);
  put_step_addresses(&b);
  put_step_loop(&b, rows);
  ptx_end_kernel(&b);
  return true;
}

/* ---- squares of bits ---- */

/* Bits of %v<i> and %v<i + distance> change places: those of one `distance` higher in the former
   with those of the latter. */
static void swap_bits(ptx_builder *b, uint32_t i, uint32_t distance, uint32_t mask) {
  ptx_line(b, "shr.u32 %%t0, %%v%u, %u;", i, distance);
  ptx_line(b, "lop3.b32 %%t0, %%t0, %%v%u, %u, 0x28;", i + distance, mask);
  ptx_line(b, "xor.b32 %%v%u, %%v%u, %%t0;", i + distance, i + distance);
  ptx_line(b, "shl.b32 %%t0, %%t0, %u;", distance);
  ptx_line(b, "xor.b32 %%v%u, %%v%u, %%t0;", i, i);
}

/* Bit j of %v<i> becomes bit i of %v<j>. */
static void transpose(ptx_builder *b) {
  static const uint32_t masks[] = {0x0000ffff, 0x00ff00ff, 0x0f0f0f0f, 0x33333333, 0x55555555};
  for (uint32_t k = 0, distance = 16; distance; k++, distance /= 2)
    for (uint32_t i = 0; i < 32; i++)
      if (!(i & distance)) swap_bits(b, i, distance, masks[k]);
}

/* ---- gather ---- */

/* %v<i> becomes a number of the size that holds among %p1 to %p4. */
static void load_sized(ptx_builder *b, uint32_t i, const char *address) {
  ptx_line(b, "mov.b32 %%t1, 0;");
  ptx_line(b, "@%%p1 ld.global.u8 %%v%u, [%s];", i, address);
  ptx_line(b, "@%%p2 ld.global.u16 %%v%u, [%s];", i, address);
  ptx_line(b, "@%%p3 ld.global.u32 %%v%u, [%s];", i, address);
  ptx_line(b, "@%%p4 ld.global.u32 %%v%u, [%s];", i, address);
  ptx_line(b, "@%%p4 ld.global.u32 %%t1, [%s+4];", address);
  ptx_line(b, "setp.ge.u32 %%p0, %%v%u, %%t3;", i);
  ptx_line(b, "setp.ne.or.u32 %%p0, %%t1, 0, %%p0;");
  ptx_line(b, "@%%p0 mov.b32 %%v%u, %u;", i, UINT32_MAX);
}

/* %q0 becomes where the player's numbers are, %t7 the block's first word, %t8 the player. */
static void find_player(ptx_builder *b) {
  ptx_line(b, "mov.u32 %%t1, %%ctaid.x;");
  ptx_load_number(b, "%t0", "blocks");
  ptx_line(b, "div.u32 %%t8, %%t1, %%t0;");
  ptx_line(b, "rem.u32 %%t7, %%t1, %%t0;");
  ptx_line(b, "mul.lo.u32 %%t7, %%t7, %u;", BATCH_THREADS);
  ptx_load_parameter(b, "%q0", "player_stride");
  ptx_line(b, "cvt.u64.u32 %%q1, %%t8;");
  ptx_line(b, "mul.lo.u64 %%q0, %%q0, %%q1;");
  ptx_load_parameter(b, "%q1", "from");
  ptx_line(b, "add.u64 %%q0, %%q0, %%q1;");
}

/* Threads read numbers that stand next to each other, and leave them where the thread of their word
   finds them: a word has a place more than it needs, so that threads never ask one bank. */
static void exchange_numbers(ptx_builder *b) {
  ptx_line(b, "mov.u32 %%t6, %%tid.x;");
  ptx_line(b, "mad.lo.u32 %%t9, %%t7, 32, %%t6;");
  ptx_line(b, "sub.u32 %%t5, %%t5, 1;");
  for (uint32_t i = 0; i < 32; i++) {
    ptx_line(b, "add.u32 %%t0, %%t9, %u;", i * BATCH_THREADS);
    ptx_line(b, "min.u32 %%t0, %%t0, %%t5;");
    ptx_line(b, "mad.wide.u32 %%q1, %%t0, %%t2, %%q0;");
    load_sized(b, i, "%q1");
  }
  ptx_line(b, "mov.u32 %%t10, memory;");
  ptx_line(b, "shr.u32 %%t0, %%t6, 5;");
  ptx_line(b, "add.u32 %%t0, %%t0, %%t6;");
  ptx_line(b, "mad.lo.u32 %%t0, %%t0, 4, %%t10;");
  for (uint32_t i = 0; i < 32; i++)
    ptx_line(b, "st.shared.u32 [%%t0+%u], %%v%u;", i * BATCH_THREADS / 32 * 33 * 4, i);
  ptx_line(b, "bar.sync 0;");
  ptx_line(b, "mad.lo.u32 %%t0, %%t6, %u, %%t10;", 33 * 4);
  for (uint32_t i = 0; i < 32; i++) ptx_line(b, "ld.shared.u32 %%v%u, [%%t0+%u];", i, 4 * i);
}

void ptx_write_gather(text *out) {
  ptx_builder b = {.out = out};
  ptx_begin_kernel(
      &b,
      "planes tile_bytes from stride size games row count limit player_stride row_step "
      "blocks",
      BATCH_THREADS);
  ptx_declare(&b);
  find_player(&b);
  ptx_load_number(&b, "%t2", "stride");
  ptx_load_number(&b, "%t3", "limit");
  ptx_load_number(&b, "%t4", "size");
  ptx_load_number(&b, "%t5", "games");
  for (uint32_t i = 0; i < 4; i++) ptx_line(&b, "setp.eq.u32 %%p%u, %%t4, %u;", i + 1, 1u << i);
  exchange_numbers(&b);
  transpose(&b);
  ptx_line(&b, "add.u32 %%me, %%t7, %%t6;");
  ptx_find_word(&b, "%q2", "%me");
  ptx_load_number(&b, "%t0", "row_step");
  ptx_load_number(&b, "%t1", "row");
  ptx_line(&b, "mad.lo.u32 %%t0, %%t0, %%t8, %%t1;");
  ptx_line(&b, "mad.wide.u32 %%q2, %%t0, %u, %%q2;", PTX_TILE_ROW_BYTES);
  ptx_load_number(&b, "%t6", "count");
  for (uint32_t i = 0; i < 32; i++) {
    ptx_line(&b, "setp.gt.u32 %%p0, %%t6, %u;", i);
    ptx_line(&b, "@%%p0 st.global.u32 [%%q2+%u], %%v%u;", i * PTX_TILE_ROW_BYTES, i);
  }
  ptx_end_kernel(&b);
}

/* ---- spread ---- */

/* %t4: chunks of a block, %t5: the block's first chunk, %t7: its first tile, %t8: how many tiles. */
static void find_block(ptx_builder *b) {
  ptx_line(b, "mov.u32 %%me, %%tid.x;");
  ptx_line(b, "mov.u32 %%t3, %%ctaid.x;");
  ptx_load_number(b, "%t4", "chunks");
  ptx_load_number(b, "%t5", "groups");
  ptx_load_number(b, "%t8", "tiles");
  ptx_line(b, "div.u32 %%t7, %%t3, %%t5;");
  ptx_line(b, "mul.lo.u32 %%t7, %%t7, %%t8;");
  ptx_line(b, "rem.u32 %%t5, %%t3, %%t5;");
  ptx_line(b, "mul.lo.u32 %%t5, %%t5, %%t4;");
}

/* Where the warp's chunk is: %q0 its tile, %q1 its list of rows, %t14 its place in shared memory.
   Places of neighbouring threads are an odd number of words apart: they are in different banks. */
static void find_chunk(ptx_builder *b) {
  ptx_line(b, "shr.u32 %%t9, %%me, 5;");
  ptx_line(b, "and.b32 %%t10, %%me, 31;");
  ptx_line(b, "div.u32 %%t11, %%t9, %%t4;");
  ptx_line(b, "rem.u32 %%t12, %%t9, %%t4;");
  ptx_line(b, "setp.ge.u32 %%p0, %%t11, %%t8;");
  ptx_line(b, "@%%p0 bra ready;");
  ptx_line(b, "add.u32 %%t13, %%t5, %%t12;");
  ptx_line(b, "shl.b32 %%t13, %%t13, 5;");
  ptx_line(b, "mad.lo.u32 %%t0, %%t11, 32, %%t10;");
  ptx_line(b, "mad.lo.u32 %%t1, %%t4, 32, 1;");
  ptx_line(b, "mad.lo.u32 %%t14, %%t0, %%t1, %%t12;");
  ptx_line(b, "mov.u32 %%t0, memory;");
  ptx_line(b, "mad.lo.u32 %%t14, %%t14, 4, %%t0;");
  ptx_load_parameter(b, "%q0", "planes");
  ptx_load_number(b, "%t0", "tile_bytes");
  ptx_line(b, "add.u32 %%t1, %%t7, %%t11;");
  ptx_line(b, "mad.wide.u32 %%q0, %%t1, %%t0, %%q0;");
  ptx_line(b, "mad.wide.u32 %%q0, %%t10, 4, %%q0;");
  ptx_load_parameter(b, "%q1", "rows");
  ptx_line(b, "mad.wide.u32 %%q1, %%t13, 4, %%q1;");
}

/* %v<i> becomes row %t13 + i of the answer. */
static void load_rows(ptx_builder *b) {
  for (uint32_t i = 0; i < 32; i += 4)
    ptx_line(b, "ld.global.v4.u32 {%%v%u, %%v%u, %%v%u, %%v%u}, [%%q1+%u];", i, i + 1, i + 2, i + 3,
             4 * i);
  for (uint32_t i = 0; i < 32; i++) {
    ptx_line(b, "and.b32 %%t0, %%v%u, %u;", i, INT32_MAX);
    ptx_line(b, "mad.wide.u32 %%q2, %%t0, %u, %%q0;", PTX_TILE_ROW_BYTES);
    ptx_line(b, "shr.u32 %%t1, %%v%u, 31;", i);
    ptx_line(b, "sub.u32 %%t1, 0, %%t1;");
    ptx_line(b, "ld.global.u32 %%v%u, [%%q2];", i);
    ptx_line(b, "xor.b32 %%v%u, %%v%u, %%t1;", i, i);
  }
}

/* A warp puts 32 rows of a tile into shared memory: a word of each game, game by game. */
static void share_chunk(ptx_builder *b) {
  find_chunk(b);
  ptx_load_number(b, "%t0", "count");
  ptx_line(b, "setp.ge.u32 %%p0, %%t13, %%t0;");
  for (uint32_t i = 0; i < 32; i++) ptx_line(b, "mov.b32 %%v%u, 0;", i);
  ptx_line(b, "@%%p0 bra put;");
  load_rows(b);
  transpose(b);
  text_add(b->out, "put:\n");
  ptx_line(b, "shl.b32 %%t0, %%t4, 2;");
  for (uint32_t i = 0; i < 32; i++) {
    ptx_line(b, "st.shared.u32 [%%t14], %%v%u;", i);
    ptx_line(b, "add.u32 %%t14, %%t14, %%t0;");
  }
}

/* Four bits of %v2 become four bytes, by a product. */
static void spread_bits(ptx_builder *b, uint32_t to) {
  ptx_line(b, "and.b32 %%v%u, %%v2, 15;", to);
  ptx_line(b, "mul.lo.u32 %%v%u, %%v%u, %u;", to, to, 0x00204081);
  ptx_line(b, "and.b32 %%v%u, %%v%u, %u;", to, to, 0x01010101);
}

/* %v0 and %v1 become the eight bytes of a piece: number %t13 of the game whose first word is %t14. */
static void take_piece(ptx_builder *b, bool is_bits) {
  if (is_bits)
    ptx_line(b, "mad.lo.u32 %%t14, %%t13, 2, %%t14;");
  else {
    ptx_line(b, "shr.u32 %%t0, %%t13, 2;");
    ptx_line(b, "add.u32 %%t14, %%t14, %%t0;");
  }
  ptx_line(b, "mov.u32 %%t0, memory;");
  ptx_line(b, "mad.lo.u32 %%t14, %%t14, 4, %%t0;");
  if (is_bits) {
    ptx_line(b, "ld.shared.u32 %%v0, [%%t14];");
    ptx_line(b, "ld.shared.u32 %%v1, [%%t14+4];");
    return;
  }
  ptx_line(b, "ld.shared.u32 %%v2, [%%t14];");
  ptx_line(b, "and.b32 %%t0, %%t13, 3;");
  ptx_line(b, "shl.b32 %%t0, %%t0, 3;");
  ptx_line(b, "shr.u32 %%v2, %%v2, %%t0;");
  spread_bits(b, 0);
  ptx_line(b, "shr.u32 %%v2, %%v2, 4;");
  spread_bits(b, 1);
}

/* %q3: where the block's first game goes; %t2: a game's bytes; %t9: those from there on; %t10: pieces
   of a game; %t11: of all. */
static void find_target(ptx_builder *b, bool is_bits) {
  ptx_load_number(b, "%t2", "stride");
  ptx_line(b, "mul.lo.u32 %%t5, %%t5, %u;", is_bits ? 4 : 32);
  ptx_line(b, "sub.u32 %%t9, %%t2, %%t5;");
  ptx_load_parameter(b, "%q3", "to");
  ptx_line(b, "shl.b32 %%t7, %%t7, 10;");
  ptx_line(b, "mad.wide.u32 %%q3, %%t7, %%t2, %%q3;");
  ptx_line(b, "mad.wide.u32 %%q3, %%t5, 1, %%q3;");
  ptx_load_number(b, "%t10", "pieces");
  ptx_load_number(b, "%t3", "inverse");
  ptx_line(b, "shl.b32 %%t11, %%t8, 10;");
  ptx_line(b, "mul.lo.u32 %%t11, %%t11, %%t10;");
}

/* The block's games go out in the order of their bytes, so that a warp writes 256 in one go. */
static void store_pieces(ptx_builder *b, bool is_bits) {
  find_target(b, is_bits);
  text_add(b->out, "piece:\n");
  ptx_line(b, "setp.ge.u32 %%p0, %%me, %%t11;");
  ptx_line(b, "@%%p0 bra done;");
  ptx_line(b, "shl.b32 %%t0, %%me, 1;");
  ptx_line(b, "mul.wide.u32 %%q4, %%t0, %%t3;");
  ptx_line(b, "mov.b64 {%%t0, %%t12}, %%q4;");
  ptx_line(b, "mul.lo.u32 %%t13, %%t12, %%t10;");
  ptx_line(b, "sub.u32 %%t13, %%me, %%t13;");
  ptx_line(b, "shr.u32 %%t14, %%t12, 5;");
  ptx_line(b, "mad.lo.u32 %%t14, %%t12, %%t4, %%t14;");
  take_piece(b, is_bits);
  ptx_line(b, "shl.b32 %%t13, %%t13, 3;");
  ptx_line(b, "setp.lt.u32 %%p1, %%t13, %%t9;");
  ptx_line(b, "mad.wide.u32 %%q5, %%t12, %%t2, %%q3;");
  ptx_line(b, "mad.wide.u32 %%q5, %%t13, 1, %%q5;");
  ptx_line(b, "@%%p1 st.global.v2.u32 [%%q5], {%%v0, %%v1};");
  ptx_line(b, "add.u32 %%me, %%me, %u;", SPREAD_THREADS);
  ptx_line(b, "bra piece;");
}

void ptx_write_spread(text *out, ptx_layout layout) {
  ptx_builder b = {.out = out};
  ptx_begin_kernel(&b, "planes tile_bytes rows count to stride chunks tiles groups pieces inverse",
                   SPREAD_THREADS);
  ptx_declare(&b);
  find_block(&b);
  share_chunk(&b);
  text_add(out, "ready:\n");
  ptx_line(&b, "bar.sync 0;");
  store_pieces(&b, layout == LAYOUT_BITS);
  ptx_end_kernel(&b);
}

static uint32_t quotient_up(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

uint32_t ptx_spread_shape(ptx_spread_arguments *a, ptx_layout layout, uint32_t tiles) {
  const bool is_bits = layout == LAYOUT_BITS;
  const uint32_t all = quotient_up((uint32_t)a->stride, is_bits ? 4 : 32);
  uint32_t chunks = quotient_up(all, quotient_up(all, SPREAD_CHUNKS));
  if (is_bits) chunks += chunks % 2; /* a piece has two */
  a->chunks = chunks;
  a->tiles = SPREAD_CHUNKS / chunks;
  a->groups = quotient_up(all, chunks);
  a->pieces = a->groups == 1 ? a->stride / 8 : chunks * (is_bits ? 4 : 32) / 8;
  a->inverse = quotient_up(1u << 31, (uint32_t)a->pieces);
  assert(tiles % a->tiles == 0);
  return (uint32_t)(tiles / a->tiles * a->groups);
}
