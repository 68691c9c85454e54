/* The kernels of batches in which a thread has a game, or a word of states to be replaced: tell, draw
   and mix of ptx_batch.h. */
#include "machine/gpu/ptx_batch.h"
#include "machine/gpu/ptx_kernel.h"

/* ---- tell ---- */

/* `to` becomes the bit of the game in a row. */
static void load_flag(ptx_builder *b, const char *to, const char *row) {
  ptx_load_number(b, "%t0", row);
  ptx_line(b, "mad.wide.u32 %%q15, %%t0, %u, %%q0;", PTX_TILE_ROW_BYTES);
  ptx_line(b, "ld.global.u32 %s, [%%q15];", to);
  ptx_line(b, "shr.u32 %s, %s, %%t3;", to, to);
  ptx_line(b, "and.b32 %s, %s, 1;", to, to);
}

static void store_flag(ptx_builder *b, const char *flag, const char *to) {
  ptx_load_parameter(b, "%q1", to);
  ptx_line(b, "mad.wide.u32 %%q1, %%me, 1, %%q1;");
  ptx_line(b, "st.global.u8 [%%q1], %s;", flag);
}

/* The goals of one player, from %q2 on: %t7 is how many hold, %t8 the value and %t9 the reward. */
static void find_goal(ptx_builder *b) {
  ptx_line(b, "ld.global.u32 %%t6, [%%q2];");
  ptx_line(b, "add.u64 %%q2, %%q2, 4;");
  ptx_line(b, "mov.b32 %%t7, 0;");
  ptx_load_number(b, "%t8", "no_goal");
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
  ptx_load_parameter(b, "%q2", "table");
  ptx_load_parameter(b, "%q4", "goals");
  ptx_load_parameter(b, "%q5", "rewards");
  ptx_load_number(b, "%t5", "players");
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
  ptx_load_number(b, "%t0", "no_goal");
  ptx_line(b, "@%%p0 mov.b32 %%t8, %%t0;");
  ptx_line(b, "@%%p0 mov.b32 %%t9, 0;");
  store_goal(b);
}

void ptx_write_tell(text *out) {
  ptx_builder b = {.out = out};
  ptx_begin_plain(&b,
                  "planes tile_bytes games table players no_goal goals rewards terminated illegal "
                  "ended_row terminal_row illegal_row");
  ptx_leave_beyond(&b, "games");
  ptx_line(&b, "shr.u32 %%t2, %%me, 5;");
  ptx_line(&b, "and.b32 %%t3, %%me, 31;");
  ptx_find_word(&b, "%q0", "%t2");
  load_flag(&b, "%t4", "terminal_row");
  store_flag(&b, "%t4", "terminated");
  load_flag(&b, "%t4", "illegal_row");
  store_flag(&b, "%t4", "illegal");
  load_flag(&b, "%t4", "ended_row");
  tell_players(&b);
  ptx_end_kernel(&b);
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
  ptx_begin_plain(&b, "masks stride words to to_stride random random_step games");
  ptx_leave_beyond(&b, "games");
  ptx_load_parameter(&b, "%q0", "masks");
  ptx_load_number(&b, "%t2", "stride");
  ptx_load_number(&b, "%t3", "words");
  ptx_line(&b, "mul.wide.u32 %%q3, %%me, %%t2;");
  ptx_line(&b, "add.u64 %%q0, %%q0, %%q3;");
  count_moves(&b);
  ptx_line(&b, "mov.b32 %%t9, %u;", UINT32_MAX);
  ptx_line(&b, "setp.eq.u32 %%p0, %%t4, 0;");
  ptx_line(&b, "@%%p0 bra store;");
  ptx_load_parameter(&b, "%q1", "random_step");
  ptx_line(&b, "cvt.u64.u32 %%q2, %%me;");
  ptx_line(&b, "mul.lo.u64 %%q1, %%q1, %%q2;");
  ptx_load_parameter(&b, "%q2", "random");
  ptx_line(&b, "add.u64 %%q1, %%q1, %%q2;");
  mix_number(&b);
  draw_number(&b);
  select_move(&b);
  text_add(b.out, "store:\n");
  ptx_load_parameter(&b, "%q4", "to");
  ptx_load_number(&b, "%t2", "to_stride");
  ptx_line(&b, "mad.wide.u32 %%q4, %%me, %%t2, %%q4;");
  ptx_line(&b, "st.global.u32 [%%q4], %%t9;");
  ptx_end_kernel(&b);
}

/* ---- mix ---- */

/* %t2 becomes the games of the word that are replaced. */
static void load_which(ptx_builder *b) {
  ptx_load_parameter(b, "%q1", "which");
  ptx_load_number(b, "%t3", "games");
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
  ptx_begin_plain(&b, "planes tile_bytes which games fill count states next was_over");
  load_which(&b);
  ptx_find_word(&b, "%q0", "%me");
  ptx_load_number(&b, "%t4", "next");
  ptx_line(&b, "mad.wide.u32 %%q2, %%t4, %u, %%q0;", PTX_TILE_ROW_BYTES);
  ptx_load_number(&b, "%t4", "states");
  ptx_line(&b, "mad.wide.u32 %%q3, %%t4, %u, %%q0;", PTX_TILE_ROW_BYTES);
  ptx_load_number(&b, "%t4", "was_over");
  ptx_line(&b, "mad.wide.u32 %%q5, %%t4, %u, %%q0;", PTX_TILE_ROW_BYTES);
  ptx_line(&b, "mov.b32 %%t5, %u;", UINT32_MAX);
  ptx_line(&b, "st.global.u32 [%%q5], %%t5;");
  ptx_load_parameter(&b, "%q4", "fill");
  ptx_load_number(&b, "%t4", "count");
  text_add(b.out, "row:\n");
  ptx_line(&b, "setp.eq.u32 %%p0, %%t4, 0;");
  ptx_line(&b, "@%%p0 bra done;");
  ptx_line(&b, "sub.u32 %%t4, %%t4, 1;");
  mix_row(&b);
  ptx_line(&b, "bra row;");
  ptx_end_kernel(&b);
}
