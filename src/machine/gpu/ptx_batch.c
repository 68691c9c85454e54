#include "machine/gpu/ptx_batch.h"

#include "machine/gpu/gpu_plan.h"
#include "machine/gpu/ptx_build.h"

#include <assert.h>
#include <string.h>

_Static_assert((int)BATCH_TILE_WORDS == (int)PTX_TILE_WORDS, "tiles are alike");

/* ---- the frame of all kernels ---- */

static void begin_kernel(ptx_builder *b, const char *parameters, uint32_t threads) {
  text_add(b->out, ".version 7.0\n.target sm_75\n.address_size 64\n"
                   ".extern .shared .align 16 .b8 memory[];\n.visible .entry play(\n");
  for (const char *at = parameters; *at;) {
    const size_t length = strcspn(at, " ");
    text_add_format(b->out, "  .param .u64 p_%.*s", (int)length, at);
    at += length + (at[length] == ' ');
    text_add(b->out, *at ? ",\n" : "\n)\n");
  }
  text_add_format(b->out, ".maxntid %u, 1, 1\n.minnctapersm 1\n{\n", threads);
}

static void end_kernel(ptx_builder *b) {
  text_add(b->out, "done:\n");
  ptx_line(b, "ret;");
  text_add(b->out, "}\n");
}

static void declare(ptx_builder *b) {
  ptx_line(b, ".reg .pred %%p<8>;");
  ptx_line(b, ".reg .b32 %%v<32>;");
  ptx_line(b, ".reg .b32 %%t<16>;");
  ptx_line(b, ".reg .b64 %%q<16>;");
  ptx_line(b, ".reg .b32 %%zero, %%one, %%me;");
  ptx_line(b, "mov.b32 %%zero, 0;");
  ptx_line(b, "mov.b32 %%one, 1;");
}

/* %me becomes the number of the thread among all. */
static void find_me(ptx_builder *b, uint32_t threads) {
  ptx_line(b, "mov.u32 %%t0, %%tid.x;");
  ptx_line(b, "mov.u32 %%t1, %%ctaid.x;");
  ptx_line(b, "mad.lo.u32 %%me, %%t1, %u, %%t0;", threads);
}

static void load_parameter(ptx_builder *b, const char *to, const char *name) {
  ptx_line(b, "ld.param.u64 %s, [p_%s];", to, name);
}

/* A parameter that fits 32 bits. */
static void load_number(ptx_builder *b, const char *to, const char *name) {
  load_parameter(b, "%q15", name);
  ptx_line(b, "mov.b64 {%s, %%t15}, %%q15;", to);
}

/* `to` becomes the address of row 0 of the word in a register. */
static void find_word(ptx_builder *b, const char *to, const char *word) {
  load_parameter(b, to, "planes");
  load_number(b, "%t0", "tile_bytes");
  ptx_line(b, "shr.u32 %%t1, %s, 5;", word);
  ptx_line(b, "mul.wide.u32 %%q15, %%t1, %%t0;");
  ptx_line(b, "add.u64 %s, %s, %%q15;", to, to);
  ptx_line(b, "and.b32 %%t1, %s, 31;", word);
  ptx_line(b, "mad.wide.u32 %s, %%t1, 4, %s;", to, to);
}

static void begin_plain(ptx_builder *b, const char *parameters) {
  begin_kernel(b, parameters, BATCH_THREADS);
  declare(b);
  find_me(b, BATCH_THREADS);
}

static void leave_beyond(ptx_builder *b, const char *limit) {
  load_number(b, "%t0", limit);
  ptx_line(b, "setp.ge.u32 %%p0, %%me, %%t0;");
  ptx_line(b, "@%%p0 bra done;");
}

/* ---- step ---- */

static void lay_out_step(ptx_builder *b) {
  ptx_program *p = b->p;
  p->rows = p->spill.global_count;
  p->shared_bytes = ptx_row_bytes(b, p->spill.shared_count);
}

static void put_step_head(ptx_builder *b) {
  begin_kernel(b, "planes scratch words threads option0", b->p->shape.threads);
  ptx_line(b, ".reg .pred %%p<2>;");
  ptx_line(b, ".reg .b32 %%v<%u>;", b->s->value_count);
  ptx_line(b, ".reg .b32 %%t<16>;");
  ptx_line(b, ".reg .b32 %%zero, %%me, %%near, %%word, %%words, %%threads, %%option0, %%changed;");
  ptx_line(b, ".reg .b64 %%q<16>;");
  ptx_line(b, ".reg .b64 %%own, %%tile;");
  ptx_line(b, "mov.b32 %%zero, 0;");
  ptx_line(b, "mov.b32 %%v0, 0;");
  load_number(b, "%words", "words");
  load_number(b, "%threads", "threads");
  load_number(b, "%option0", "option0");
}

/* Memory of the thread, in its block's part of scratch and of shared memory. */
static void put_step_addresses(ptx_builder *b) {
  const uint32_t threads = b->p->shape.threads;
  ptx_line(b, "mov.u32 %%me, %%tid.x;");
  ptx_line(b, "mov.u32 %%t0, memory;");
  ptx_line(b, "mad.lo.u32 %%near, %%me, 4, %%t0;");
  ptx_line(b, "mov.u32 %%t1, %%ctaid.x;");
  load_parameter(b, "%own", "scratch");
  ptx_line(b, "mad.wide.u32 %%own, %%t1, %u, %%own;", b->p->rows * threads * 4);
  ptx_line(b, "mad.wide.u32 %%own, %%me, 4, %%own;");
  ptx_line(b, "mad.lo.u32 %%word, %%t1, %u, %%me;", threads);
}

static void put_step_loop(ptx_builder *b, uint32_t rows) {
  text_add(b->out, "step:\n");
  ptx_line(b, "setp.ge.u32 %%p0, %%word, %%words;");
  ptx_line(b, "@%%p0 bra done;");
  load_parameter(b, "%tile", "planes");
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
  end_kernel(&b);
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
  load_number(b, "%t0", "blocks");
  ptx_line(b, "div.u32 %%t8, %%t1, %%t0;");
  ptx_line(b, "rem.u32 %%t7, %%t1, %%t0;");
  ptx_line(b, "mul.lo.u32 %%t7, %%t7, %u;", BATCH_THREADS);
  load_parameter(b, "%q0", "player_stride");
  ptx_line(b, "cvt.u64.u32 %%q1, %%t8;");
  ptx_line(b, "mul.lo.u64 %%q0, %%q0, %%q1;");
  load_parameter(b, "%q1", "from");
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
  begin_kernel(&b,
               "planes tile_bytes from stride size games row count limit player_stride row_step "
               "blocks",
               BATCH_THREADS);
  declare(&b);
  find_player(&b);
  load_number(&b, "%t2", "stride");
  load_number(&b, "%t3", "limit");
  load_number(&b, "%t4", "size");
  load_number(&b, "%t5", "games");
  for (uint32_t i = 0; i < 4; i++) ptx_line(&b, "setp.eq.u32 %%p%u, %%t4, %u;", i + 1, 1u << i);
  exchange_numbers(&b);
  transpose(&b);
  ptx_line(&b, "add.u32 %%me, %%t7, %%t6;");
  find_word(&b, "%q2", "%me");
  load_number(&b, "%t0", "row_step");
  load_number(&b, "%t1", "row");
  ptx_line(&b, "mad.lo.u32 %%t0, %%t0, %%t8, %%t1;");
  ptx_line(&b, "mad.wide.u32 %%q2, %%t0, %u, %%q2;", PTX_TILE_ROW_BYTES);
  load_number(&b, "%t6", "count");
  for (uint32_t i = 0; i < 32; i++) {
    ptx_line(&b, "setp.gt.u32 %%p0, %%t6, %u;", i);
    ptx_line(&b, "@%%p0 st.global.u32 [%%q2+%u], %%v%u;", i * PTX_TILE_ROW_BYTES, i);
  }
  end_kernel(&b);
}

/* ---- spread ---- */

/* %t4: chunks of a block, %t5: the block's first chunk, %t7: its first tile, %t8: how many tiles. */
static void find_block(ptx_builder *b) {
  ptx_line(b, "mov.u32 %%me, %%tid.x;");
  ptx_line(b, "mov.u32 %%t3, %%ctaid.x;");
  load_number(b, "%t4", "chunks");
  load_number(b, "%t5", "groups");
  load_number(b, "%t8", "tiles");
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
  load_parameter(b, "%q0", "planes");
  load_number(b, "%t0", "tile_bytes");
  ptx_line(b, "add.u32 %%t1, %%t7, %%t11;");
  ptx_line(b, "mad.wide.u32 %%q0, %%t1, %%t0, %%q0;");
  ptx_line(b, "mad.wide.u32 %%q0, %%t10, 4, %%q0;");
  load_parameter(b, "%q1", "rows");
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
  load_number(b, "%t0", "count");
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
  load_number(b, "%t2", "stride");
  ptx_line(b, "mul.lo.u32 %%t5, %%t5, %u;", is_bits ? 4 : 32);
  ptx_line(b, "sub.u32 %%t9, %%t2, %%t5;");
  load_parameter(b, "%q3", "to");
  ptx_line(b, "shl.b32 %%t7, %%t7, 10;");
  ptx_line(b, "mad.wide.u32 %%q3, %%t7, %%t2, %%q3;");
  ptx_line(b, "mad.wide.u32 %%q3, %%t5, 1, %%q3;");
  load_number(b, "%t10", "pieces");
  load_number(b, "%t3", "inverse");
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
  begin_kernel(&b, "planes tile_bytes rows count to stride chunks tiles groups pieces inverse",
               SPREAD_THREADS);
  declare(&b);
  find_block(&b);
  share_chunk(&b);
  text_add(out, "ready:\n");
  ptx_line(&b, "bar.sync 0;");
  store_pieces(&b, layout == LAYOUT_BITS);
  end_kernel(&b);
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

/* ---- tell ---- */

/* `to` becomes the bit of the game in a row. */
static void load_flag(ptx_builder *b, const char *to, const char *row) {
  load_number(b, "%t0", row);
  ptx_line(b, "mad.wide.u32 %%q15, %%t0, %u, %%q0;", PTX_TILE_ROW_BYTES);
  ptx_line(b, "ld.global.u32 %s, [%%q15];", to);
  ptx_line(b, "shr.u32 %s, %s, %%t3;", to, to);
  ptx_line(b, "and.b32 %s, %s, 1;", to, to);
}

static void store_flag(ptx_builder *b, const char *flag, const char *to) {
  load_parameter(b, "%q1", to);
  ptx_line(b, "mad.wide.u32 %%q1, %%me, 1, %%q1;");
  ptx_line(b, "st.global.u8 [%%q1], %s;", flag);
}

/* The goals of one player, from %q2 on: %t7 is how many hold, %t8 the value and %t9 the reward. */
static void find_goal(ptx_builder *b) {
  ptx_line(b, "ld.global.u32 %%t6, [%%q2];");
  ptx_line(b, "add.u64 %%q2, %%q2, 4;");
  ptx_line(b, "mov.b32 %%t7, 0;");
  load_number(b, "%t8", "no_goal");
  ptx_line(b, "mov.b32 %%t9, 0;");
  text_add(b->out, "goal:\n");
  ptx_line(b, "setp.eq.u32 %%p0, %%t6, 0;");
  ptx_line(b, "@%%p0 bra found;");
  ptx_line(b, "sub.u32 %%t6, %%t6, 1;");
  ptx_line(b, "ld.global.u32 %%t10, [%%q2];");
  ptx_line(b, "mad.wide.u32 %%q3, %%t10, %u, %%q0;", PTX_TILE_ROW_BYTES);
  ptx_line(b, "ld.global.u32 %%t10, [%%q3];");
  ptx_line(b, "shr.u32 %%t10, %%t10, %%t3;");
  ptx_line(b, "and.b32 %%t10, %%t10, 1;");
  ptx_line(b, "add.u32 %%t7, %%t7, %%t10;");
  ptx_line(b, "setp.ne.u32 %%p1, %%t10, 0;");
  ptx_line(b, "@%%p1 ld.global.u32 %%t8, [%%q2+4];");
  ptx_line(b, "@%%p1 ld.global.u32 %%t9, [%%q2+8];");
  ptx_line(b, "add.u64 %%q2, %%q2, 12;");
  ptx_line(b, "bra goal;");
  text_add(b->out, "found:\n");
}

/* Where players are of an even number, those of two go out together: the first waits for the second. */
static void store_goal(ptx_builder *b) {
  ptx_line(b, "@%%p2 bra single;");
  ptx_line(b, "and.b32 %%t0, %%t5, 1;");
  ptx_line(b, "setp.ne.u32 %%p0, %%t0, 0;");
  ptx_line(b, "@%%p0 mov.b32 %%t11, %%t8;");
  ptx_line(b, "@%%p0 mov.b32 %%t12, %%t9;");
  ptx_line(b, "@%%p0 bra player;");
  ptx_line(b, "st.global.v2.u32 [%%q4], {%%t11, %%t8};");
  ptx_line(b, "st.global.v2.u32 [%%q5], {%%t12, %%t9};");
  ptx_line(b, "add.u64 %%q4, %%q4, 8;");
  ptx_line(b, "add.u64 %%q5, %%q5, 8;");
  ptx_line(b, "bra player;");
  text_add(b->out, "single:\n");
  ptx_line(b, "st.global.u32 [%%q4], %%t8;");
  ptx_line(b, "st.global.u32 [%%q5], %%t9;");
  ptx_line(b, "add.u64 %%q4, %%q4, 4;");
  ptx_line(b, "add.u64 %%q5, %%q5, 4;");
  ptx_line(b, "bra player;");
}

static void tell_players(ptx_builder *b) {
  load_parameter(b, "%q2", "table");
  load_parameter(b, "%q4", "goals");
  load_parameter(b, "%q5", "rewards");
  load_number(b, "%t5", "players");
  ptx_line(b, "shl.b32 %%t0, %%t5, 2;");
  ptx_line(b, "mad.wide.u32 %%q4, %%me, %%t0, %%q4;");
  ptx_line(b, "mad.wide.u32 %%q5, %%me, %%t0, %%q5;");
  ptx_line(b, "and.b32 %%t0, %%t5, 1;");
  ptx_line(b, "setp.ne.u32 %%p2, %%t0, 0;");
  text_add(b->out, "player:\n");
  ptx_line(b, "setp.eq.u32 %%p0, %%t5, 0;");
  ptx_line(b, "@%%p0 bra done;");
  ptx_line(b, "sub.u32 %%t5, %%t5, 1;");
  find_goal(b);
  ptx_line(b, "setp.ne.u32 %%p0, %%t7, 1;");
  ptx_line(b, "@%%p0 mov.b32 %%t9, 0;");
  ptx_line(b, "setp.eq.or.u32 %%p0, %%t4, 0, %%p0;");
  load_number(b, "%t0", "no_goal");
  ptx_line(b, "@%%p0 mov.b32 %%t8, %%t0;");
  ptx_line(b, "@%%p0 mov.b32 %%t9, 0;");
  store_goal(b);
}

void ptx_write_tell(text *out) {
  ptx_builder b = {.out = out};
  begin_plain(&b, "planes tile_bytes games table players no_goal goals rewards terminated illegal "
                  "ended_row terminal_row illegal_row");
  leave_beyond(&b, "games");
  ptx_line(&b, "shr.u32 %%t2, %%me, 5;");
  ptx_line(&b, "and.b32 %%t3, %%me, 31;");
  find_word(&b, "%q0", "%t2");
  load_flag(&b, "%t4", "terminal_row");
  store_flag(&b, "%t4", "terminated");
  load_flag(&b, "%t4", "illegal_row");
  store_flag(&b, "%t4", "illegal");
  load_flag(&b, "%t4", "ended_row");
  tell_players(&b);
  end_kernel(&b);
}

/* ---- draw ---- */

/* %q1 becomes the number that draw_mix of machine/bundle.h gives. */
static void mix_number(ptx_builder *b) {
  static const uint64_t factors[] = {UINT64_C(0xbf58476d1ce4e5b9), UINT64_C(0x94d049bb133111eb)};
  static const uint32_t shifts[] = {30, 27, 31};
  for (uint32_t i = 0; i < 3; i++) {
    ptx_line(b, "shr.u64 %%q2, %%q1, %u;", shifts[i]);
    ptx_line(b, "xor.b64 %%q1, %%q1, %%q2;");
    if (i < 2) ptx_line(b, "mul.lo.u64 %%q1, %%q1, 0x%llx;", (unsigned long long)factors[i]);
  }
}

/* %t4 becomes how many moves are legal. */
static void count_moves(ptx_builder *b) {
  ptx_line(b, "mov.b32 %%t4, 0;");
  ptx_line(b, "mov.b32 %%t5, 0;");
  text_add(b->out, "count:\n");
  ptx_line(b, "mad.wide.u32 %%q3, %%t5, 4, %%q0;");
  ptx_line(b, "ld.global.v2.u32 {%%t6, %%t7}, [%%q3];");
  ptx_line(b, "popc.b32 %%t6, %%t6;");
  ptx_line(b, "popc.b32 %%t7, %%t7;");
  ptx_line(b, "add.u32 %%t4, %%t4, %%t6;");
  ptx_line(b, "add.u32 %%t4, %%t4, %%t7;");
  ptx_line(b, "add.u32 %%t5, %%t5, 2;");
  ptx_line(b, "setp.lt.u32 %%p0, %%t5, %%t3;");
  ptx_line(b, "@%%p0 bra count;");
}

/* %t8 becomes a number below %t4, as draw_below of machine/bundle.h finds it. */
static void draw_number(ptx_builder *b) {
  text_add(b->out, "again:\n");
  ptx_line(b, "mov.b64 {%%t6, %%t7}, %%q1;");
  ptx_line(b, "mul.wide.u32 %%q3, %%t7, %%t4;");
  ptx_line(b, "mov.b64 {%%t7, %%t8}, %%q3;");
  ptx_line(b, "sub.u32 %%t9, 0, %%t4;");
  ptx_line(b, "rem.u32 %%t9, %%t9, %%t4;");
  ptx_line(b, "setp.ge.u32 %%p0, %%t7, %%t9;");
  ptx_line(b, "@%%p0 bra drawn;");
  ptx_line(b, "add.u64 %%q1, %%q1, 0x9e3779b97f4a7c15;");
  mix_number(b);
  ptx_line(b, "bra again;");
  text_add(b->out, "drawn:\n");
}

/* %t9 becomes the move before which %t8 others are legal. */
static void select_move(ptx_builder *b) {
  ptx_line(b, "mov.b32 %%t5, 0;");
  text_add(b->out, "word:\n");
  ptx_line(b, "mad.wide.u32 %%q3, %%t5, 4, %%q0;");
  ptx_line(b, "ld.global.u32 %%t6, [%%q3];");
  ptx_line(b, "popc.b32 %%t7, %%t6;");
  ptx_line(b, "setp.lt.u32 %%p0, %%t8, %%t7;");
  ptx_line(b, "@%%p0 bra bits;");
  ptx_line(b, "sub.u32 %%t8, %%t8, %%t7;");
  ptx_line(b, "add.u32 %%t5, %%t5, 1;");
  ptx_line(b, "bra word;");
  text_add(b->out, "bits:\n");
  ptx_line(b, "setp.eq.u32 %%p0, %%t8, 0;");
  ptx_line(b, "@%%p0 bra bit;");
  ptx_line(b, "sub.u32 %%t7, %%t6, 1;");
  ptx_line(b, "and.b32 %%t6, %%t6, %%t7;");
  ptx_line(b, "sub.u32 %%t8, %%t8, 1;");
  ptx_line(b, "bra bits;");
  text_add(b->out, "bit:\n");
  ptx_line(b, "sub.u32 %%t7, 0, %%t6;");
  ptx_line(b, "and.b32 %%t6, %%t6, %%t7;");
  ptx_line(b, "bfind.u32 %%t6, %%t6;");
  ptx_line(b, "mad.lo.u32 %%t9, %%t5, 32, %%t6;");
}

void ptx_write_draw(text *out) {
  ptx_builder b = {.out = out};
  begin_plain(&b, "masks stride words to to_stride random random_step games");
  leave_beyond(&b, "games");
  load_parameter(&b, "%q0", "masks");
  load_number(&b, "%t2", "stride");
  load_number(&b, "%t3", "words");
  ptx_line(&b, "mul.wide.u32 %%q3, %%me, %%t2;");
  ptx_line(&b, "add.u64 %%q0, %%q0, %%q3;");
  count_moves(&b);
  ptx_line(&b, "mov.b32 %%t9, %u;", UINT32_MAX);
  ptx_line(&b, "setp.eq.u32 %%p0, %%t4, 0;");
  ptx_line(&b, "@%%p0 bra store;");
  load_parameter(&b, "%q1", "random_step");
  ptx_line(&b, "cvt.u64.u32 %%q2, %%me;");
  ptx_line(&b, "mul.lo.u64 %%q1, %%q1, %%q2;");
  load_parameter(&b, "%q2", "random");
  ptx_line(&b, "add.u64 %%q1, %%q1, %%q2;");
  mix_number(&b);
  draw_number(&b);
  select_move(&b);
  text_add(b.out, "store:\n");
  load_parameter(&b, "%q4", "to");
  load_number(&b, "%t2", "to_stride");
  ptx_line(&b, "mad.wide.u32 %%q4, %%me, %%t2, %%q4;");
  ptx_line(&b, "st.global.u32 [%%q4], %%t9;");
  end_kernel(&b);
}

/* ---- mix ---- */

/* %t2 becomes the games of the word that are replaced. */
static void load_which(ptx_builder *b) {
  load_parameter(b, "%q1", "which");
  load_number(b, "%t3", "games");
  ptx_line(b, "mov.b64 {%%t0, %%t1}, %%q1;");
  ptx_line(b, "or.b32 %%t0, %%t0, %%t1;");
  ptx_line(b, "mov.b32 %%t2, %u;", UINT32_MAX);
  ptx_line(b, "setp.eq.u32 %%p0, %%t0, 0;");
  ptx_line(b, "@%%p0 bra known;");
  ptx_line(b, "mov.b32 %%t2, 0;");
  ptx_line(b, "shl.b32 %%t4, %%me, 5;");
  for (uint32_t i = 0; i < 32; i++) {
    ptx_line(b, "add.u32 %%t5, %%t4, %u;", i);
    ptx_line(b, "mov.b32 %%t6, 0;");
    ptx_line(b, "setp.lt.u32 %%p0, %%t5, %%t3;");
    ptx_line(b, "mad.wide.u32 %%q2, %%t5, 1, %%q1;");
    ptx_line(b, "@%%p0 ld.global.u8 %%t6, [%%q2];");
    ptx_line(b, "setp.ne.u32 %%p0, %%t6, 0;");
    ptx_line(b, "@%%p0 or.b32 %%t2, %%t2, %u;", 1u << i);
  }
  text_add(b->out, "known:\n");
}

static void mix_row(ptx_builder *b) {
  ptx_line(b, "ld.global.u32 %%t5, [%%q4];");
  ptx_line(b, "ld.global.u32 %%t6, [%%q3];");
  ptx_line(b, "sub.u32 %%t7, 0, %%t5;");
  ptx_line(b, "setp.eq.u32 %%p0, %%t5, %u;", FILL_NEXT);
  ptx_line(b, "@%%p0 ld.global.u32 %%t7, [%%q2];");
  ptx_line(b, "lop3.b32 %%t7, %%t2, %%t7, %%t6, 0xca;");
  ptx_line(b, "st.global.u32 [%%q2], %%t7;");
  ptx_line(b, "add.u64 %%q2, %%q2, %u;", PTX_TILE_ROW_BYTES);
  ptx_line(b, "add.u64 %%q3, %%q3, %u;", PTX_TILE_ROW_BYTES);
  ptx_line(b, "add.u64 %%q4, %%q4, 4;");
}

void ptx_write_mix(text *out) {
  ptx_builder b = {.out = out};
  begin_plain(&b, "planes tile_bytes which games fill count states next was_over");
  load_which(&b);
  find_word(&b, "%q0", "%me");
  load_number(&b, "%t4", "next");
  ptx_line(&b, "mad.wide.u32 %%q2, %%t4, %u, %%q0;", PTX_TILE_ROW_BYTES);
  load_number(&b, "%t4", "states");
  ptx_line(&b, "mad.wide.u32 %%q3, %%t4, %u, %%q0;", PTX_TILE_ROW_BYTES);
  load_number(&b, "%t4", "was_over");
  ptx_line(&b, "mad.wide.u32 %%q5, %%t4, %u, %%q0;", PTX_TILE_ROW_BYTES);
  ptx_line(&b, "mov.b32 %%t5, %u;", UINT32_MAX);
  ptx_line(&b, "st.global.u32 [%%q5], %%t5;");
  load_parameter(&b, "%q4", "fill");
  load_number(&b, "%t4", "count");
  text_add(b.out, "row:\n");
  ptx_line(&b, "setp.eq.u32 %%p0, %%t4, 0;");
  ptx_line(&b, "@%%p0 bra done;");
  ptx_line(&b, "sub.u32 %%t4, %%t4, 1;");
  mix_row(&b);
  ptx_line(&b, "bra row;");
  end_kernel(&b);
}
