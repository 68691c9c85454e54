/* How long games are.  The age of the game in each lane is in rows of bits that grow with each step
   (gpu_step.c).  A sound end leaves its lane waiting, with its age at that moment, until all lanes
   that wait are counted, those of one length together.  That is after as many steps as few games end
   in, so that hardly a lane ends again meanwhile; all threads do it in the same steps, as those of
   a warp would have to wait for each other else.

   Of a lane of %old, what its age has above these bits is in scratch; such lanes are few. */
#include "machine/gpu/ptx_build.h"

static uint32_t age_bits(const ptx_builder *b) { return b->s->age_bits; }

/* ---- what an instruction reads ---- */

typedef struct length_ins {
  value_id gone, sound, waiting;
  const value_id *last, *age; /* by bit */
} length_ins;

static length_ins ins_of(const ptx_builder *b, const gpu_instruction *i) {
  const value_id *in = gpu_ins(b->s, i);
  return (length_ins){in[0], in[1], in[2], in + 3, in + 3 + age_bits(b)};
}

/* ---- one lane ---- */

/* The lane is that of %t2 and %t3; where its number is among those of older games is in %q0. */
static void address_lane(ptx_builder *b) {
  ptx_line(b, "mad.wide.u32 %%q0, %%t2, %u, %%own;", ptx_row_bytes(b, 1));
}

/* The age of the lane is in %t5. */
static void put_age(ptx_builder *b, const value_id *age) {
  const uint32_t young = b->labels++;
  ptx_line(b, "mov.b32 %%t5, 0;");
  for (uint32_t i = 0; i < age_bits(b); i++) {
    ptx_line(b, "shr.u32 %%t0, %%v%u, %%t2;", age[i]);
    ptx_line(b, "bfi.b32 %%t5, %%t0, %%t5, %u, 1;", i);
  }
  ptx_line(b, "and.b32 %%t0, %%old, %%t3;");
  ptx_line(b, "setp.eq.u32 %%p0, %%t0, 0;");
  ptx_line(b, "@%%p0 bra L%u;", young);
  address_lane(b);
  ptx_line(b, "ld.global.u32 %%t0, [%%q0+%u];", ptx_row_bytes(b, b->age_row));
  ptx_line(b, "shl.b32 %%t0, %%t0, %u;", age_bits(b));
  ptx_line(b, "add.u32 %%t5, %%t5, %%t0;");
  ptx_label(b, young);
}

/* ---- counting ---- */

/* Counts the lanes of %t7, those of the greatest length first. */
static void count_waiting(ptx_builder *b, const value_id *last) {
  const uint32_t row = 4 * ptx_length_copies(b->s), next = b->labels++, done = b->labels++;
  ptx_line(b, "setp.eq.u32 %%p0, %%t7, 0;");
  ptx_line(b, "@%%p0 bra L%u;", done);
  ptx_label(b, next);
  ptx_line(b, "mov.b32 %%t6, %%t7;");
  ptx_line(b, "mov.b32 %%t4, %%copy;");
  for (uint32_t i = age_bits(b); i-- > 0;) {
    ptx_line(b, "and.b32 %%t0, %%t6, %%v%u;", last[i]);
    ptx_line(b, "setp.ne.u32 %%p0, %%t0, 0;");
    ptx_line(b, "@%%p0 mov.b32 %%t6, %%t0;");
    ptx_line(b, "@%%p0 add.u32 %%t4, %%t4, %u;", row << i);
  }
  ptx_line(b, "popc.b32 %%t0, %%t6;");
  ptx_line(b, "red.shared.add.u32 [%%t4+%u], %%t0;", b->length_bytes);
  ptx_line(b, "xor.b32 %%t7, %%t7, %%t6;");
  ptx_line(b, "setp.ne.u32 %%p0, %%t7, 0;");
  ptx_line(b, "@%%p0 bra L%u;", next);
  ptx_label(b, done);
}

/* Counts the lanes of %t1 one by one, by their age: that of an old game is none of a counter near. */
static void count_old(ptx_builder *b, const value_id *age) {
  const uint32_t next = b->labels++, done = b->labels++;
  ptx_label(b, next);
  ptx_line(b, "setp.eq.u32 %%p0, %%t1, 0;");
  ptx_line(b, "@%%p0 bra L%u;", done);
  ptx_take_lane(b, "%t1");
  put_age(b, age);
  ptx_line(b, "mad.wide.u32 %%q0, %%t5, 8, %%sums;");
  ptx_line(b, "cvt.u64.u32 %%q1, %%one;");
  ptx_line(b, "red.global.add.u64 [%%q0+%u], %%q1;", 8 * b->p->sum_count);
  ptx_line(b, "bra L%u;", next);
  ptx_label(b, done);
}

/* Lanes that have ended wait, unless they are old; those that wait are counted where it is time, or
   where one of them has ended again. */
static void put_ends(ptx_builder *b, const gpu_instruction *i) {
  const length_ins in = ins_of(b, i);
  const value_id *out = gpu_outs(b->s, i);
  const uint32_t kept = b->labels++;
  ptx_line(b, "mov.b32 %%v%u, %%v%u;", out[0], in.waiting);
  ptx_line(b, "lop3.b32 %%v%u, %%v%u, %%old, %%zero, 0x30;", out[1], in.sound);
  ptx_line(b, "and.b32 %%t0, %%round, %u;", b->s->count_every - 1);
  ptx_line(b, "setp.eq.u32 %%p0, %%t0, 0;");
  ptx_line(b, "lop3.b32 %%t1, %%v%u, %%v%u, %%old, 0xe0;", in.sound, in.waiting);
  ptx_line(b, "setp.ne.or.u32 %%p0, %%t1, 0, %%p0;");
  ptx_line(b, "@!%%p0 bra L%u;", kept);
  ptx_line(b, "mov.b32 %%t7, %%v%u;", in.waiting);
  ptx_line(b, "mov.b32 %%v%u, 0;", out[0]);
  count_waiting(b, in.last);
  ptx_line(b, "and.b32 %%t1, %%v%u, %%old;", in.sound);
  count_old(b, in.age);
  ptx_label(b, kept);
}

/* ---- games that are too long ---- */

/* Looks at all lanes: gives up those that are too long, and finds the next step at which one could
   be.  At step -1 nothing is under way. */
static void put_too_long(ptx_builder *b, const gpu_instruction *i) {
  const length_ins in = ins_of(b, i);
  const uint32_t none = b->labels++, next = b->labels++, done = b->labels++;
  ptx_line(b, "setp.lt.u32 %%p0, %%step, %%check;");
  ptx_line(b, "@%%p0 bra L%u;", none);
  ptx_line(b, "add.u32 %%t5, %%step, 1;");
  ptx_line(b, "setp.eq.u32 %%p0, %%t5, 0;");
  ptx_line(b, "@%%p0 bra L%u;", none);
  ptx_line(b, "ld.param.u32 %%t6, [p_max_steps];");
  ptx_line(b, "add.u32 %%check, %%t5, %%t6;");
  ptx_line(b, "lop3.b32 %%t1, %%counted, %%v%u, %%zero, 0x30;", in.gone);
  ptx_label(b, next);
  ptx_line(b, "setp.eq.u32 %%p0, %%t1, 0;");
  ptx_line(b, "@%%p0 bra L%u;", done);
  ptx_take_lane(b, "%t1");
  put_age(b, in.age);
  ptx_line(b, "setp.ge.u32 %%p0, %%t5, %%t6;");
  ptx_line(b, "@%%p0 or.b32 %%given_up, %%given_up, %%t3;");
  ptx_line(b, "@%%p0 bra L%u;", next);
  ptx_line(b, "sub.u32 %%t5, %%step, %%t5;");
  ptx_line(b, "add.u32 %%t5, %%t5, %%t6;");
  ptx_line(b, "min.u32 %%check, %%check, %%t5;");
  ptx_line(b, "bra L%u;", next);
  ptx_label(b, done);
  ptx_add_lanes(b, "%given_up", SUM_TOO_LONG);
  ptx_label(b, none);
}

void ptx_put_lengths(ptx_builder *b, const gpu_instruction *i) {
  put_ends(b, i);
  ptx_purpose(b, "limits");
  put_too_long(b, i);
}

/* ---- older games ---- */

/* Lanes whose game begins anew are old no more; those of the carry are once more so. */
void ptx_put_older(ptx_builder *b, const gpu_instruction *i) {
  const value_id carry = gpu_ins(b->s, i)[0], gone = gpu_ins(b->s, i)[1];
  const uint32_t next = b->labels++, done = b->labels++;
  ptx_line(b, "lop3.b32 %%old, %%old, %%v%u, %%zero, 0x30;", gone);
  ptx_line(b, "mov.b32 %%t1, %%v%u;", carry);
  ptx_label(b, next);
  ptx_line(b, "setp.eq.u32 %%p0, %%t1, 0;");
  ptx_line(b, "@%%p0 bra L%u;", done);
  ptx_take_lane(b, "%t1");
  address_lane(b);
  ptx_line(b, "mov.b32 %%t0, 0;");
  ptx_line(b, "and.b32 %%t4, %%old, %%t3;");
  ptx_line(b, "setp.ne.u32 %%p0, %%t4, 0;");
  ptx_line(b, "@%%p0 ld.global.u32 %%t0, [%%q0+%u];", ptx_row_bytes(b, b->age_row));
  ptx_line(b, "add.u32 %%t0, %%t0, 1;");
  ptx_line(b, "st.global.u32 [%%q0+%u], %%t0;", ptx_row_bytes(b, b->age_row));
  ptx_line(b, "or.b32 %%old, %%old, %%t3;");
  ptx_line(b, "bra L%u;", next);
  ptx_label(b, done);
}

/* ---- the end of a launch ---- */

/* Latches are in their registers, and in scratch. */
void ptx_count_rest(ptx_builder *b) {
  const uint32_t waiting = b->s->ages + 2 * age_bits(b);
  ptx_purpose(b, "lengths");
  ptx_line(b, "mov.b32 %%t7, %%v%u;", b->s->latch_of[waiting]);
  count_waiting(b, &b->s->latch_of[b->s->ages + age_bits(b)]);
  ptx_line(b, "st.global.u32 [%%own+%u], %%zero;", ptx_row_bytes(b, b->latch_row + waiting));
  ptx_purpose(b, "launch");
}
