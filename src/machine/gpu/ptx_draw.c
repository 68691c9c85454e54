#include "base/philox.h"
#include "machine/gpu/ptx_build.h"
#include "machine/lanes/lane_counter.h"

/* Keys of rounds are parameters: operands of instructions, which need no registers. */
static void load_key(ptx_builder *b, const char *to, uint32_t round, uint32_t which) {
  ptx_line(b, "ld.param.u32 %s, [p_keys+%u];", to, (2 * round + which) * 4);
}

/* What the first three rounds of all numbers of a step have in common, whose counters differ in the
   second word alone: %h0..%h4. */
static void put_common_rounds(ptx_builder *b) {
  ptx_line(b, "mul.wide.u32 %%q0, %%step, %u;", PHILOX_M0);
  ptx_line(b, "mul.wide.u32 %%q1, %%part_low, %u;", PHILOX_M1);
  ptx_line(b, "mov.b64 {%%h1, %%t1}, %%q0;");
  ptx_line(b, "mov.b64 {%%t2, %%t3}, %%q1;");
  load_key(b, "%t4", 0, 0);
  load_key(b, "%t5", 0, 1);
  ptx_line(b, "xor.b32 %%h0, %%t3, %%t4;");
  ptx_line(b, "lop3.b32 %%t0, %%t1, %%part_high, %%t5, 0x96;");
  ptx_line(b, "mul.wide.u32 %%q1, %%t0, %u;", PHILOX_M1);
  ptx_line(b, "mov.b64 {%%h2, %%t3}, %%q1;");
  load_key(b, "%t4", 1, 0);
  ptx_line(b, "lop3.b32 %%t0, %%t3, %%t2, %%t4, 0x96;");
  ptx_line(b, "mul.wide.u32 %%q0, %%t0, %u;", PHILOX_M0);
  ptx_line(b, "mov.b64 {%%h4, %%t1}, %%q0;");
  load_key(b, "%t5", 2, 1);
  ptx_line(b, "xor.b32 %%h3, %%t1, %%t5;");
}

static void put_first_rounds(ptx_builder *b) {
  ptx_line(b, "xor.b32 %%x0, %%h0, %%x1;");
  ptx_line(b, "mul.wide.u32 %%q0, %%x0, %u;", PHILOX_M0);
  ptx_line(b, "mov.b64 {%%x3, %%t1}, %%q0;");
  load_key(b, "%t5", 1, 1);
  ptx_line(b, "lop3.b32 %%x2, %%t1, %%h1, %%t5, 0x96;");
  ptx_line(b, "mul.wide.u32 %%q1, %%x2, %u;", PHILOX_M1);
  ptx_line(b, "mov.b64 {%%x1, %%t3}, %%q1;");
  load_key(b, "%t4", 2, 0);
  ptx_line(b, "lop3.b32 %%x0, %%t3, %%h2, %%t4, 0x96;");
  ptx_line(b, "xor.b32 %%x2, %%h3, %%x3;");
  ptx_line(b, "mov.b32 %%x3, %%h4;");
}

static void put_round(ptx_builder *b, uint32_t round) {
  ptx_line(b, "mul.wide.u32 %%q0, %%x0, %u;", PHILOX_M0);
  ptx_line(b, "mul.wide.u32 %%q1, %%x2, %u;", PHILOX_M1);
  ptx_line(b, "mov.b64 {%%t0, %%t1}, %%q0;");
  ptx_line(b, "mov.b64 {%%t2, %%t3}, %%q1;");
  load_key(b, "%t4", round, 0);
  load_key(b, "%t5", round, 1);
  ptx_line(b, "lop3.b32 %%x0, %%t3, %%x1, %%t4, 0x96;");
  ptx_line(b, "mov.b32 %%x1, %%t2;");
  ptx_line(b, "lop3.b32 %%x2, %%t1, %%x3, %%t5, 0x96;");
  ptx_line(b, "mov.b32 %%x3, %%t0;");
}

/* %x0..%x3 become philox(%step, %x1, the part; seed). */
static void put_philox(ptx_builder *b) {
  put_first_rounds(b);
  for (uint32_t round = 3; round < PHILOX_ROUNDS; round++) put_round(b, round);
}

void ptx_put_random(ptx_builder *b, const gpu_instruction *i) {
  if (!b->has_common_rounds) put_common_rounds(b);
  b->has_common_rounds = true;
  ptx_line(b, "add.u32 %%x1, %%word, %u;", i->number * COUNTER_WORDS);
  put_philox(b);
  for (uint32_t k = 0; k < i->out_count; k++)
    ptx_line(b, "mov.b32 %%v%u, %%x%u;", gpu_outs(b->s, i)[k], k);
}

/* Reads a number of `count` bits of the lane in %t6 from the values `from`. */
static void put_gather(ptx_builder *b, const char *to, const value_id *from, uint32_t count) {
  ptx_line(b, "mov.b32 %s, 0;", to);
  for (uint32_t i = 0; i < count; i++) {
    if (from[i] == VALUE_FALSE) continue;
    ptx_line(b, "shr.u32 %%t0, %%v%u, %%t6;", from[i]);
    ptx_line(b, "bfi.b32 %s, %%t0, %s, %u, 1;", to, to, i);
  }
}

/* Draws below %t7 for the lane in %t6 until a draw is not biased; the number is in %t8. */
static void put_attempts(ptx_builder *b, uint32_t draw) {
  const uint32_t again = b->labels++, done = b->labels++;
  ptx_line(b, "shl.b32 %%t9, %%word, 5;");
  ptx_line(b, "add.u32 %%t9, %%t9, %%t6;");
  ptx_line(b, "add.u32 %%t9, %%t9, %u;",
           COUNTER_REDRAWS + (draw << COUNTER_DRAW_SHIFT) - (1u << COUNTER_ATTEMPT_SHIFT));
  ptx_label(b, again);
  ptx_line(b, "add.u32 %%t9, %%t9, %u;", 1u << COUNTER_ATTEMPT_SHIFT);
  ptx_line(b, "mov.b32 %%x1, %%t9;");
  put_philox(b);
  ptx_line(b, "mul.wide.u32 %%q0, %%x0, %%t7;");
  ptx_line(b, "mov.b64 {%%t11, %%t8}, %%q0;");
  ptx_line(b, "setp.ge.u32 %%p0, %%t11, %%t7;"); /* as good as always: there is no need to divide */
  ptx_line(b, "@%%p0 bra L%u;", done);
  ptx_line(b, "sub.u32 %%t10, 0, %%t7;");
  ptx_line(b, "rem.u32 %%t10, %%t10, %%t7;");
  ptx_line(b, "setp.lt.u32 %%p0, %%t11, %%t10;");
  ptx_line(b, "@%%p0 bra L%u;", again);
  ptx_label(b, done);
}

/* The lanes whose draw may be biased are looked at one by one; those whose game is over or does not
   count need no draw. */
void ptx_put_redraw(ptx_builder *b, const gpu_instruction *i) {
  const lane_draw *d = &b->s->net->draws.items[i->number];
  const value_id *in = gpu_ins(b->s, i), *out = gpu_outs(b->s, i);
  const value_id *count = in + 2, *low = count + d->count_bits, *high = low + d->random_bits;
  const uint32_t next = b->labels++, done = b->labels++;
  for (uint32_t k = 0; k < d->count_bits; k++)
    ptx_line(b, "mov.b32 %%v%u, %%v%u;", out[k], high[k]);
  if (in[0] == VALUE_FALSE) return;
  ptx_line(b, "lop3.b32 %%t12, %%v%u, %%v%u, %%counted, 0x20;", in[0], in[1]);
  ptx_label(b, next);
  ptx_line(b, "setp.eq.u32 %%p0, %%t12, 0;");
  ptx_line(b, "@%%p0 bra L%u;", done);
  ptx_line(b, "bfind.u32 %%t6, %%t12;");
  ptx_line(b, "shl.b32 %%t0, %%one, %%t6;");
  ptx_line(b, "xor.b32 %%t12, %%t12, %%t0;");
  put_gather(b, "%t7", count, d->count_bits);
  ptx_line(b, "setp.eq.u32 %%p0, %%t7, 0;");
  ptx_line(b, "@%%p0 bra L%u;", next);
  put_gather(b, "%t8", low, d->random_bits);
  ptx_line(b, "mov.b32 %%t0, %u;", 1u << d->random_bits);
  ptx_line(b, "rem.u32 %%t0, %%t0, %%t7;");
  ptx_line(b, "setp.ge.u32 %%p0, %%t8, %%t0;");
  ptx_line(b, "@%%p0 bra L%u;", next);
  put_attempts(b, i->number);
  for (uint32_t k = 0; k < d->count_bits; k++) {
    ptx_line(b, "shr.u32 %%t0, %%t8, %u;", k);
    ptx_line(b, "bfi.b32 %%v%u, %%t0, %%v%u, %%t6, 1;", out[k], out[k]);
  }
  ptx_line(b, "bra L%u;", next);
  ptx_label(b, done);
}
