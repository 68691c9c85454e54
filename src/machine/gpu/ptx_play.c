#include "machine/gpu/ptx_build.h"
#include "machine/lanes/lane_counter.h"

static value_id in_of(const ptx_builder *b, const gpu_instruction *i, uint32_t k) {
  return gpu_ins(b->s, i)[k];
}

static value_id out_of(const ptx_builder *b, const gpu_instruction *i) {
  return gpu_outs(b->s, i)[0];
}

void ptx_put_ended(ptx_builder *b, const gpu_instruction *i) {
  ptx_line(b, "lop3.b32 %%v%u, %%v%u, %%given_up, %%counted, 0x20;", out_of(b, i), in_of(b, i, 0));
}

/* ---- counting ---- */

void ptx_put_goal(ptx_builder *b, const gpu_instruction *i) {
  ptx_line(b, "popc.b32 %%t0, %%v%u;", in_of(b, i, 0));
  if (b->s->counter_count <= GOALS_IN_REGISTERS) {
    ptx_line(b, "add.u32 %%goal%u, %%goal%u, %%t0;", i->number, i->number);
    return;
  }
  ptx_line(b, "setp.ne.u32 %%p0, %%t0, 0;");
  ptx_line(b, "@%%p0 red.shared.add.u32 [%%block+%u], %%t0;", b->goal_bytes + 4 * i->number);
}

/* Games of a word end one after another: what they have come to is added. */
void ptx_put_result(ptx_builder *b, const gpu_instruction *i) {
  const uint32_t at = PTX_TILE_ROW_BYTES * i->number;
  const value_id lanes = in_of(b, i, 0);
  ptx_line(b, "setp.ne.u32 %%p0, %%v%u, 0;", lanes);
  ptx_line(b, "@%%p0 ld.global.u32 %%t0, [%%results+%u];", at);
  ptx_line(b, "@%%p0 or.b32 %%t0, %%t0, %%v%u;", lanes);
  ptx_line(b, "@%%p0 st.global.u32 [%%results+%u], %%t0;", at);
}

/* The tile of the word, of so many rows, behind a number that is at `base` bytes. */
static void find_tile(ptx_builder *b, const char *to, const char *parameter, uint32_t base,
                      uint32_t rows) {
  ptx_line(b, "ld.param.u64 %s, [%s];", to, parameter);
  ptx_line(b, "mad.wide.u32 %s, %%t0, %u, %s;", to, rows * PTX_TILE_ROW_BYTES, to);
  ptx_line(b, "mad.wide.u32 %s, %%t1, 4, %s;", to, to);
  if (base) ptx_line(b, "add.u64 %s, %s, %u;", to, to, base);
}

void ptx_put_places(ptx_builder *b) {
  ptx_line(b, "shr.u32 %%t0, %%left, 5;");
  ptx_line(b, "and.b32 %%t1, %%left, %u;", PTX_TILE_WORDS - 1);
  find_tile(b, "%flips", "p_flips", 0, b->s->latch_count);
  find_tile(b, "%results", "p_sums", PTX_RESULTS, b->s->result_count);
}

void ptx_add_lanes(ptx_builder *b, const char *lanes, ptx_sum sum) {
  ptx_line(b, "popc.b32 %%t0, %s;", lanes);
  ptx_line(b, "cvt.u64.u32 %%q0, %%t0;");
  ptx_line(b, "red.global.add.u64 [%%sums+%u], %%q0;", 8 * sum);
}

static void note_part(ptx_builder *b) {
  ptx_line(b, "mov.b64 %%q0, {%%part_low, %%part_high};");
  ptx_line(b, "red.global.min.u64 [%%sums+%u], %%q0;", 8 * SUM_FAULTY);
}

void ptx_put_faults(ptx_builder *b, const gpu_instruction *i) {
  const uint32_t none = b->labels++;
  ptx_line(b, "mov.b32 %%t1, %%v%u;", in_of(b, i, 0));
  ptx_line(b, "mov.b32 %%t2, %%v%u;", in_of(b, i, 1));
  ptx_line(b, "or.b32 %%t3, %%t1, %%t2;");
  ptx_line(b, "setp.eq.u32 %%p0, %%t3, 0;");
  ptx_line(b, "@%%p0 bra L%u;", none);
  ptx_add_lanes(b, "%t1", SUM_NO_GOAL);
  ptx_add_lanes(b, "%t2", SUM_SEVERAL_GOALS);
  note_part(b);
  ptx_label(b, none);
}

/* ---- games that begin ---- */

void ptx_take_lane(ptx_builder *b, const char *lanes) {
  ptx_line(b, "bfind.u32 %%t2, %s;", lanes);
  ptx_line(b, "shl.b32 %%t3, %%one, %%t2;");
  ptx_line(b, "xor.b32 %s, %s, %%t3;", lanes, lanes);
}

/* Games begin in the lowest lanes of %t7, as long as there are some to start. */
static void put_fresh(ptx_builder *b) {
  const uint32_t enough = b->labels++, drop = b->labels++;
  ptx_line(b, "popc.b32 %%t5, %%t7;");
  ptx_line(b, "setp.le.u32 %%p0, %%t5, %%left;");
  ptx_line(b, "@%%p0 bra L%u;", enough);
  ptx_label(b, drop);
  ptx_take_lane(b, "%t7");
  ptx_line(b, "xor.b32 %%counted, %%counted, %%t3;");
  ptx_line(b, "sub.u32 %%t5, %%t5, 1;");
  ptx_line(b, "setp.gt.u32 %%p0, %%t5, %%left;");
  ptx_line(b, "@%%p0 bra L%u;", drop);
  ptx_label(b, enough);
  ptx_line(b, "sub.u32 %%left, %%left, %%t5;");
}

/* ---- words ---- */

/* The number of the word in %t5 and its part become the thread's. */
static void put_word(ptx_builder *b) {
  ptx_line(b, "and.b32 %%word, %%t5, %u;", COUNTER_WORDS - 1);
  ptx_line(b, "shr.u32 %%t0, %%t5, 4;");
  ptx_line(b, "cvt.u64.u32 %%q0, %%t0;");
  ptx_line(b, "ld.param.u64 %%q1, [p_first_part];");
  ptx_line(b, "add.u64 %%q0, %%q0, %%q1;");
  ptx_line(b, "mov.b64 {%%part_low, %%part_high}, %%q0;");
}

/* The lanes of word %t5 that are between two numbers; the word itself is kept in %left. */
static void put_lanes(ptx_builder *b) {
  ptx_line(b, "mov.b32 %%left, %%t5;");
  ptx_line(b, "shl.b32 %%t0, %%t5, 5;");
  ptx_line(b, "ld.param.u32 %%t1, [p_last_starts];");
  ptx_line(b, "sub.u32 %%t1, %%t1, %%t0;");
  ptx_line(b, "min.u32 %%t1, %%t1, %u;", PTX_LANES);
  ptx_line(b, "shl.b32 %%counted, %%one, %%t1;");
  ptx_line(b, "sub.u32 %%counted, %%counted, 1;");
  ptx_line(b, "ld.param.u32 %%t1, [p_starts];");
  ptx_line(b, "min.u32 %%t0, %%t0, %%t1;");
  ptx_line(b, "sub.u32 %%t1, %%t1, %%t0;");
  ptx_line(b, "shl.b32 %%t1, %%one, %%t1;");
  ptx_line(b, "sub.u32 %%t1, %%t1, 1;");
  ptx_line(b, "lop3.b32 %%counted, %%counted, %%t1, %%zero, 0x30;");
  ptx_put_places(b);
}

/* The games of the word, of `n` in its part: n / 16, and one more for the first n % 16. */
static void put_share(ptx_builder *b) {
  ptx_line(b, "ld.param.u32 %%t1, [p_starts];");
  ptx_line(b, "sub.u32 %%t2, %%t6, %u;", COUNTER_WORDS);
  ptx_line(b, "setp.ge.u32 %%p0, %%t5, %%t2;");
  ptx_line(b, "@%%p0 ld.param.u32 %%t1, [p_last_starts];");
  ptx_line(b, "shr.u32 %%left, %%t1, 4;");
  ptx_line(b, "and.b32 %%t1, %%t1, %u;", COUNTER_WORDS - 1);
  ptx_line(b, "setp.lt.u32 %%p0, %%word, %%t1;");
  ptx_line(b, "@%%p0 add.u32 %%left, %%left, 1;");
  ptx_line(b, "min.u32 %%t0, %%left, %u;", PTX_LANES);
  ptx_line(b, "sub.u32 %%left, %%left, %%t0;");
  ptx_line(b, "shl.b32 %%counted, %%one, %%t0;");
  ptx_line(b, "sub.u32 %%counted, %%counted, 1;");
}

/* A thread without games takes the next word.  Its latches become those of the start in the step
   under way, which is made in vain, as if the games of all lanes were over. */
static void put_fetch(ptx_builder *b, value_id gone, uint32_t done) {
  const uint32_t fetch = b->labels++, first = b->labels++;
  ptx_line(b, "setp.eq.u32 %%p0, %%mode, %u;", MODE_IDLE);
  ptx_line(b, "@%%p0 bra L%u;", done);
  ptx_label(b, fetch);
  ptx_line(b, "setp.eq.u32 %%p0, %%mode, %u;", MODE_NO_WORD);
  ptx_line(b, "@%%p0 bra L%u;", first);
  ptx_line(b, "red.global.add.u32 [%%sums+%u], %%one;", 8 * SUM_FINISHED);
  ptx_label(b, first);
  ptx_line(b, "atom.global.add.u32 %%t5, [%%sums+%u], %%one;", 8 * SUM_TAKEN);
  ptx_line(b, "ld.param.u32 %%t6, [p_words];");
  ptx_line(b, "mov.b32 %%mode, %u;", MODE_IDLE);
  ptx_line(b, "setp.ge.u32 %%p0, %%t5, %%t6;");
  ptx_line(b, "@%%p0 bra L%u;", done);
  ptx_line(b, "mov.b32 %%mode, %u;", MODE_PLAYS);
  put_word(b);
  if (ptx_is_each(b)) {
    put_lanes(b);
    ptx_line(b, "setp.eq.u32 %%begins, %%zero, 0;");
  } else {
    put_share(b);
  }
  ptx_line(b, "mov.b32 %%step, %u;", UINT32_MAX);
  ptx_line(b, "mov.b32 %%v%u, %u;", gone, UINT32_MAX);
  ptx_line(b, "ld.param.u32 %%check, [p_max_steps];");
  ptx_line(b, "setp.eq.u32 %%p0, %%counted, 0;");
  ptx_line(b, "@%%p0 bra L%u;", fetch);
}

/* No game begins where another has ended. */
static void close_each(ptx_builder *b, value_id gone, uint32_t done) {
  ptx_line(b, "setp.ne.u32 %%begins, %%zero, 0;");
  ptx_line(b, "lop3.b32 %%counted, %%counted, %%v%u, %%zero, 0x30;", gone);
  ptx_line(b, "setp.ne.u32 %%p0, %%counted, 0;");
  ptx_line(b, "@%%p0 bra L%u;", done);
  put_fetch(b, gone, done);
  ptx_label(b, done);
}

void ptx_put_close(ptx_builder *b, const gpu_instruction *i) {
  const uint32_t done = b->labels++;
  const value_id gone = out_of(b, i);
  ptx_line(b, "or.b32 %%v%u, %%v%u, %%given_up;", gone, in_of(b, i, 0));
  ptx_line(b, "mov.b32 %%given_up, 0;");
  if (ptx_is_each(b)) {
    close_each(b, gone, done);
    return;
  }
  ptx_line(b, "setp.ne.u32 %%p0, %%v%u, 0;", gone);
  ptx_line(b, "setp.eq.or.u32 %%p0, %%counted, 0, %%p0;");
  ptx_line(b, "@!%%p0 bra L%u;", done);
  ptx_line(b, "and.b32 %%t7, %%v%u, %%counted;", gone);
  put_fresh(b);
  ptx_line(b, "setp.ne.u32 %%p0, %%counted, 0;");
  ptx_line(b, "@%%p0 bra L%u;", done);
  put_fetch(b, gone, done);
  ptx_label(b, done);
}

/* ---- games that are given up ---- */

/* All games of a word begin at its step 0. */
static void put_all_too_long(ptx_builder *b, value_id gone) {
  const uint32_t none = b->labels++;
  ptx_line(b, "setp.lt.u32 %%p0, %%step, %%check;");
  ptx_line(b, "@%%p0 bra L%u;", none);
  ptx_line(b, "add.u32 %%t5, %%step, 1;");
  ptx_line(b, "setp.eq.u32 %%p0, %%t5, 0;");
  ptx_line(b, "@%%p0 bra L%u;", none);
  ptx_line(b, "lop3.b32 %%given_up, %%counted, %%v%u, %%zero, 0x30;", gone);
  ptx_add_lanes(b, "%given_up", SUM_TOO_LONG);
  ptx_label(b, none);
}

void ptx_put_stuck(ptx_builder *b, const gpu_instruction *i) {
  const uint32_t none = b->labels++;
  const value_id stuck = in_of(b, i, 0), gone = in_of(b, i, 1);
  if (ptx_is_each(b)) put_all_too_long(b, gone);
  if (stuck == VALUE_FALSE) return;
  ptx_line(b, "lop3.b32 %%t1, %%v%u, %%v%u, %%counted, 0x20;", stuck, gone);
  ptx_line(b, "lop3.b32 %%t1, %%t1, %%given_up, %%zero, 0x30;");
  ptx_line(b, "setp.eq.u32 %%p0, %%t1, 0;");
  ptx_line(b, "@%%p0 bra L%u;", none);
  ptx_add_lanes(b, "%t1", SUM_STUCK);
  note_part(b);
  ptx_line(b, "or.b32 %%given_up, %%given_up, %%t1;");
  ptx_label(b, none);
}
