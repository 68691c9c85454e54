#include "machine/gpu/ptx_writer.h"

#include "machine/gpu/gpu_plan.h"
#include "machine/gpu/ptx_build.h"

#include <string.h>

void ptx_line(ptx_builder *b, const char *format, ...) {
  va_list list;
  va_start(list, format);
  text_add(b->out, "  ");
  text_add_format_list(b->out, format, list);
  text_add_char(b->out, '\n');
  va_end(list);
}

void ptx_label(ptx_builder *b, uint32_t label) { text_add_format(b->out, "L%u:\n", label); }

void ptx_purpose(ptx_builder *b, const char *purpose) {
  if (b->purpose && strcmp(b->purpose, purpose) == 0) return;
  b->purpose = purpose;
  ptx_line(b, "// %s", purpose);
}

/* ---- where things are ---- */

static uint32_t length_words(const gpu_step *s) { return s->age_bits ? PTX_LENGTH_WORDS : 0; }

uint32_t ptx_counter_words(const gpu_step *s) { return s->counter_count + length_words(s); }

static void lay_out(ptx_builder *b) {
  ptx_program *p = b->p;
  b->latch_row = p->spill.global_count;
  b->state_row = b->latch_row + b->s->latch_count;
  b->age_row = b->state_row + PTX_STATES;
  p->rows = b->age_row + (b->s->age_bits ? PTX_LANES : 0);
  b->goal_bytes = ptx_row_bytes(b, p->spill.shared_count);
  b->length_bytes = b->goal_bytes + 4 * b->s->counter_count;
  p->shared_bytes = b->goal_bytes + 4 * ptx_counter_words(b->s);
  p->sum_count = PTX_SUMS + b->s->counter_count;
}

static void put_slot(ptx_builder *b, const char *verb, value_id v, const char *name) {
  static const char *const bases[] = {"%own", "%near", "%tile"};
  const spill_slot slot = b->p->spill.slots[v];
  const char *space = slot.space == SPILL_SHARED ? "shared" : "global";
  const char *base = bases[slot.space];
  const uint32_t bytes =
      slot.space == SPILL_BATCH ? slot.number * PTX_TILE_ROW_BYTES : ptx_row_bytes(b, slot.number);
  if (*verb == 'l')
    ptx_line(b, "ld.%s.u32 %s, [%s+%u];", space, name, base, bytes);
  else
    ptx_line(b, "st.%s.u32 [%s+%u], %s;", space, base, bytes, name);
}

static void put_access(ptx_builder *b, const char *verb, value_id v) {
  char name[16];
  snprintf(name, sizeof name, "%%v%u", v);
  put_slot(b, verb, v, name);
}

/* ---- the frame ---- */

static void put_head(ptx_builder *b) {
  text_add(
      b->out,
      ".version 7.0\n.target sm_75\n.address_size 64\n"
      ".extern .shared .align 16 .b8 memory[];\n"
      ".visible .entry play(\n"
      "  .param .u64 p_scratch,\n  .param .u64 p_sums,\n  .param .u64 p_flips,\n"
      "  .param .align 4 .b8 p_keys[80],\n  .param .u64 p_first_part,\n  .param .u32 p_words,\n"
      "  .param .u32 p_starts,\n  .param .u32 p_last_starts,\n  .param .u32 p_max_steps,\n"
      "  .param .u32 p_steps\n)\n");
  text_add_format(b->out, ".maxntid %u, 1, 1\n.minnctapersm 1\n{\n", b->p->shape.threads);
  ptx_line(b, ".reg .pred %%p<2>;");
  ptx_line(b, ".reg .b32 %%v<%u>;", b->s->value_count);
  ptx_line(b, ".reg .b32 %%t<13>;");
  ptx_line(b, ".reg .b32 %%x<4>;");
  ptx_line(b, ".reg .b32 %%h<5>;");
  ptx_line(b, ".reg .b32 %%goal<%u>;", GOALS_IN_REGISTERS);
  ptx_line(b, ".reg .b32 %%zero, %%one, %%me, %%near, %%block, %%round, %%changed;");
  ptx_line(b, ".reg .b32 %%mode, %%counted, %%given_up, %%left, %%step, %%check, %%old, %%copy;");
  ptx_line(b, ".reg .b32 %%part_low, %%part_high, %%word;");
  ptx_line(b, ".reg .b64 %%q<2>;");
  ptx_line(b, ".reg .b64 %%own, %%sums, %%flips;");
  if (!ptx_is_each(b)) return;
  ptx_line(b, ".reg .pred %%begins;");
  ptx_line(b, ".reg .b64 %%results;");
}

/* %own and %near are the first words of the thread in scratch and in shared memory. */
static void put_addresses(ptx_builder *b) {
  const uint32_t threads = b->p->shape.threads;
  ptx_line(b, "mov.b32 %%zero, 0;");
  ptx_line(b, "mov.b32 %%v0, 0;");
  ptx_line(b, "mov.b32 %%one, 1;");
  ptx_line(b, "mov.u32 %%me, %%tid.x;");
  ptx_line(b, "mov.u32 %%block, memory;");
  ptx_line(b, "mad.lo.u32 %%near, %%me, 4, %%block;");
  ptx_line(b, "and.b32 %%copy, %%me, %u;", ptx_length_copies(b->s) - 1);
  ptx_line(b, "mad.lo.u32 %%copy, %%copy, 4, %%block;");
  ptx_line(b, "mov.u32 %%t0, %%ctaid.x;");
  ptx_line(b, "ld.param.u64 %%own, [p_scratch];");
  ptx_line(b, "mad.wide.u32 %%own, %%t0, %u, %%own;", b->p->rows * threads * 4);
  ptx_line(b, "mad.wide.u32 %%own, %%me, 4, %%own;");
  ptx_line(b, "ld.param.u64 %%sums, [p_sums];");
  ptx_line(b, "ld.param.u64 %%flips, [p_flips];");
}

static const char *const state_names[PTX_STATES] = {"%mode", "%counted", "%given_up", "%left",
                                                    "%step", "%check",   "%part_low", "%part_high",
                                                    "%word", "%old"};

static void put_state(ptx_builder *b, bool is_load) {
  for (uint32_t i = 0; i < PTX_STATES; i++) {
    const uint32_t at = ptx_row_bytes(b, b->state_row + i);
    if (is_load)
      ptx_line(b, "ld.global.u32 %s, [%%own+%u];", state_names[i], at);
    else
      ptx_line(b, "st.global.u32 [%%own+%u], %s;", at, state_names[i]);
  }
}

/* Between the latch's row in scratch and where it is at the beginning of a step. */
static void put_latch(ptx_builder *b, uint32_t latch, bool is_load) {
  const value_id v = b->s->latch_of[latch];
  const uint32_t at = ptx_row_bytes(b, b->latch_row + latch);
  const bool is_held = b->p->spill.is_held[latch];
  if (is_load) ptx_line(b, "ld.global.u32 %%v%u, [%%own+%u];", v, at);
  if (!is_held) put_access(b, is_load ? "st" : "ld", v);
  if (!is_load) ptx_line(b, "st.global.u32 [%%own+%u], %%v%u;", at, v);
}

static void put_latches(ptx_builder *b, bool is_load) {
  for (uint32_t i = 0; i < b->s->latch_count; i++) put_latch(b, i, is_load);
}

/* Runs what follows until end_share for %t1 = %me, %me + threads, ... below a number. */
static uint32_t begin_share(ptx_builder *b) {
  ptx_line(b, "mov.b32 %%t1, %%me;");
  ptx_label(b, b->labels);
  return b->labels++;
}

static void end_share(ptx_builder *b, uint32_t label, uint32_t below) {
  ptx_line(b, "add.u32 %%t1, %%t1, %u;", b->p->shape.threads);
  ptx_line(b, "setp.lt.u32 %%p0, %%t1, %u;", below);
  ptx_line(b, "@%%p0 bra L%u;", label);
}

static bool has_register_goals(const ptx_builder *b) {
  return b->s->counter_count <= GOALS_IN_REGISTERS;
}

/* Threads with %t1 from `below` on do nothing. */
static uint32_t skip_from(ptx_builder *b, uint32_t below) {
  ptx_line(b, "setp.ge.u32 %%p0, %%t1, %u;", below);
  ptx_line(b, "@%%p0 bra L%u;", b->labels);
  return b->labels++;
}

static void clear_counters(ptx_builder *b) {
  const uint32_t words = ptx_counter_words(b->s);
  for (uint32_t i = 0; has_register_goals(b) && i < b->s->counter_count; i++)
    ptx_line(b, "mov.b32 %%goal%u, 0;", i);
  if (words) {
    const uint32_t label = begin_share(b), done = skip_from(b, words);
    ptx_line(b, "mad.lo.u32 %%t0, %%t1, 4, %%block;");
    ptx_line(b, "st.shared.u32 [%%t0+%u], %%zero;", b->goal_bytes);
    end_share(b, label, words);
    ptx_label(b, done);
  }
  ptx_line(b, "bar.sync 0;");
}

/* ---- sums of a block ---- */

static void add_goals(ptx_builder *b) {
  for (uint32_t i = 0; has_register_goals(b) && i < b->s->counter_count; i++)
    ptx_line(b, "red.shared.add.u32 [%%block+%u], %%goal%u;", b->goal_bytes + 4 * i, i);
  ptx_line(b, "bar.sync 0;");
  if (!b->s->counter_count) return;
  const uint32_t label = begin_share(b), done = skip_from(b, b->s->counter_count);
  ptx_line(b, "mad.lo.u32 %%t0, %%t1, 4, %%block;");
  ptx_line(b, "ld.shared.u32 %%t0, [%%t0+%u];", b->goal_bytes);
  ptx_line(b, "cvt.u64.u32 %%q1, %%t0;");
  ptx_line(b, "mad.wide.u32 %%q0, %%t1, 8, %%sums;");
  ptx_line(b, "red.global.add.u64 [%%q0+%u], %%q1;", 8 * PTX_SUMS);
  end_share(b, label, b->s->counter_count);
  ptx_label(b, done);
}

/* A thread adds up all copies of a counter. */
static void add_lengths(ptx_builder *b) {
  const uint32_t bytes = 4 * ptx_length_copies(b->s), rows = 1u << b->s->age_bits;
  if (!length_words(b->s)) return;
  const uint32_t label = begin_share(b), done = skip_from(b, rows);
  ptx_line(b, "mad.lo.u32 %%t2, %%t1, %u, %%block;", bytes);
  ptx_line(b, "add.u32 %%t3, %%t2, %u;", bytes);
  ptx_line(b, "mov.b32 %%t0, 0;");
  const uint32_t next = b->labels++;
  ptx_label(b, next);
  ptx_line(b, "ld.shared.u32 %%t4, [%%t2+%u];", b->length_bytes);
  ptx_line(b, "add.u32 %%t0, %%t0, %%t4;");
  ptx_line(b, "add.u32 %%t2, %%t2, 4;");
  ptx_line(b, "setp.lt.u32 %%p0, %%t2, %%t3;");
  ptx_line(b, "@%%p0 bra L%u;", next);
  ptx_line(b, "cvt.u64.u32 %%q1, %%t0;");
  ptx_line(b, "mad.wide.u32 %%q0, %%t1, 8, %%sums;");
  ptx_line(b, "red.global.add.u64 [%%q0+%u], %%q1;", 8 * b->p->sum_count);
  end_share(b, label, rows);
  ptx_label(b, done);
}

/* ---- a step ---- */

static void put_table(ptx_builder *b, const gpu_instruction *i) {
  const value_id *in = gpu_ins(b->s, i);
  ptx_line(b, "lop3.b32 %%v%u, %%v%u, %%v%u, %%v%u, 0x%02x;", gpu_outs(b->s, i)[0], in[0], in[1],
           in[2], i->table);
}

/* Where each game has a start of its own, it is read when a word is taken; what is in lanes without a
   game does not matter. */
static void put_flip(ptx_builder *b, const gpu_instruction *i) {
  if (ptx_is_each(b))
    ptx_line(b, "@%%begins ld.global.u32 %%t0, [%%flips+%u];", PTX_TILE_ROW_BYTES * i->number);
  else
    ptx_line(b, "ld.global.u32 %%t0, [%%flips+%u];", 4 * i->number);
  ptx_line(b, "lop3.b32 %%v%u, %%v%u, %%v%u, %%t0, 0x78;", gpu_outs(b->s, i)[0],
           gpu_ins(b->s, i)[0], gpu_ins(b->s, i)[1]);
}

static void put_settle(ptx_builder *b, const gpu_instruction *i) {
  const value_id place = gpu_ins(b->s, i)[0], definition = gpu_ins(b->s, i)[1];
  ptx_line(b, "lop3.b32 %%changed, %%changed, %%v%u, %%v%u, 0x%02x;", place, definition,
           i->table ? 0xf9 : 0xf6);
  ptx_line(b, "lop3.b32 %%v%u, %%v%u, %%zero, %%zero, 0x%02x;", place, definition,
           i->table ? 0x0f : 0xf0);
}

static void put_loop(ptx_builder *b, const gpu_instruction *i) {
  text_add_format(b->out, "loop%u:\n", i->number);
  ptx_line(b, "mov.b32 %%changed, 0;");
}

static void put_repeat(ptx_builder *b, const gpu_instruction *i) {
  ptx_line(b, "setp.ne.u32 %%p0, %%changed, 0;");
  ptx_line(b, "@%%p0 bra loop%u;", i->number);
}

static const char *purpose_of(gpu_kind kind) {
  switch (kind) {
    case GPU_ENDED:
    case GPU_CLOSE: return "ends";
    case GPU_GOAL:
    case GPU_FAULTS:
    case GPU_RESULT: return "goals";
    case GPU_RANDOM: return "random";
    case GPU_LENGTHS:
    case GPU_OLDER: return "lengths";
    case GPU_STUCK: return "limits";
    case GPU_REDRAW: return "redraws";
    default: return "rules";
  }
}

static void put_instruction(ptx_builder *b, const gpu_instruction *i) {
  ptx_purpose(b, purpose_of(i->kind));
  switch (i->kind) {
    case GPU_TABLE: put_table(b, i); break;
    case GPU_ENDED: ptx_put_ended(b, i); break;
    case GPU_GOAL: ptx_put_goal(b, i); break;
    case GPU_FAULTS: ptx_put_faults(b, i); break;
    case GPU_RESULT: ptx_put_result(b, i); break;
    case GPU_CLOSE: ptx_put_close(b, i); break;
    case GPU_RANDOM: ptx_put_random(b, i); break;
    case GPU_LENGTHS: ptx_put_lengths(b, i); break;
    case GPU_OLDER: ptx_put_older(b, i); break;
    case GPU_STUCK: ptx_put_stuck(b, i); break;
    case GPU_REDRAW: ptx_put_redraw(b, i); break;
    case GPU_FLIP: put_flip(b, i); break;
    case GPU_PLACE: ptx_line(b, "mov.b32 %%v%u, 0;", gpu_outs(b->s, i)[0]); break;
    case GPU_LOOP: put_loop(b, i); break;
    case GPU_SETTLE: put_settle(b, i); break;
    case GPU_REPEAT: put_repeat(b, i); break;
    case GPU_READ:
      ptx_line(b, "ld.global.u32 %%v%u, [%%tile+%u];", gpu_outs(b->s, i)[0],
               i->number * PTX_TILE_ROW_BYTES);
      break;
    case GPU_WRITE:
      ptx_line(b, "st.global.u32 [%%tile+%u], %%v%u;", i->number * PTX_TILE_ROW_BYTES,
               gpu_ins(b->s, i)[0]);
      break;
    case GPU_OPTION:
      ptx_line(b, "mov.b32 %%v%u, %%option%u;", gpu_outs(b->s, i)[0], i->number);
      break;
  }
}

/* Threads leave loops at different times: there is no barrier in them. */
void ptx_put_actions(ptx_builder *b) {
  const uint32_t barrier = b->p->shape.barrier;
  uint32_t passed = 0;
  bool is_in_loop = false;
  for (uint32_t i = 0; i < b->p->spill.actions.count; i++) {
    const spill_action a = b->p->spill.actions.items[i];
    if (a.kind != SPILL_RUN) {
      ptx_purpose(b, "memory");
      put_access(b, a.kind == SPILL_LOAD ? "ld" : "st", a.what);
      continue;
    }
    const gpu_instruction *it = &b->s->all.items[a.what];
    is_in_loop = it->kind == GPU_LOOP || (is_in_loop && it->kind != GPU_REPEAT);
    put_instruction(b, it);
    if (!barrier || ++passed < barrier || is_in_loop) continue;
    ptx_purpose(b, "steps");
    ptx_line(b, "bar.sync 0;");
    passed = 0;
  }
}

/* The next value of a latch goes where the latch is at the beginning of a step. */
static void put_next(ptx_builder *b, uint32_t latch) {
  const value_id v = b->s->latch_of[latch], next = b->s->next_of[latch];
  const gpu_spill *x = &b->p->spill;
  char name[16];
  if (x->is_home[latch]) return;
  snprintf(name, sizeof name, "%%v%u", v);
  if (x->is_in_register[latch])
    ptx_line(b, "mov.b32 %s, %%v%u;", name, next);
  else
    put_slot(b, "ld", next, name);
  if (!x->is_held[latch]) put_slot(b, "st", v, name);
}

/* Threads that are idle leave, with barriers only all of a block. */
static void put_step(ptx_builder *b) {
  text_add(b->out, "step:\n");
  ptx_purpose(b, "steps");
  ptx_line(b, "setp.ne.u32 %%p0, %%mode, %u;", MODE_IDLE);
  if (b->p->shape.barrier) ptx_line(b, "bar.red.or.pred %%p0, 0, %%p0;");
  ptx_line(b, "@!%%p0 bra done;");
  ptx_put_actions(b);
  ptx_purpose(b, "memory");
  for (uint32_t i = 0; i < b->s->latch_count; i++) put_next(b, i);
  ptx_purpose(b, "steps");
  ptx_line(b, "add.u32 %%step, %%step, 1;");
  ptx_line(b, "sub.u32 %%round, %%round, 1;");
  ptx_line(b, "setp.ne.u32 %%p0, %%round, 0;");
  ptx_line(b, "@%%p0 bra step;");
  text_add(b->out, "done:\n");
  ptx_purpose(b, "launch");
}

static void put_kernel(ptx_builder *b) {
  put_head(b);
  put_addresses(b);
  clear_counters(b);
  put_state(b, true);
  if (ptx_is_each(b)) ptx_put_places(b);
  put_latches(b, true);
  ptx_line(b, "ld.param.u32 %%round, [p_steps];");
  put_step(b);
  put_state(b, false);
  put_latches(b, false);
  if (b->s->age_bits) ptx_count_rest(b);
  add_goals(b);
  add_lengths(b);
  ptx_line(b, "ret;");
  text_add(b->out, "}\n");
}

bool ptx_write(ptx_program *p, const gpu_step *s, gpu_shape shape, text *out, arena *keep,
               budget *limits) {
  *p = (ptx_program){.step = s, .shape = shape};
  if (!gpu_plan(&p->step, &p->spill, &shape, keep, limits)) return false;
  ptx_builder b = {.p = p, .s = p->step, .out = out};
  lay_out(&b);
  put_kernel(&b);
  return true;
}
