#include "machine/gpu/ptx_emulator.h"

#include <stdlib.h>
#include <string.h>

typedef enum thread_end { THREAD_RUNS, THREAD_WAITS, THREAD_IS_OVER } thread_end;

typedef struct ptx_thread {
  uint64_t *registers;
  uint32_t *times;  /* by step: how often it has accessed memory, where that is counted */
  uint32_t *issued; /* by step: how often in this round, where that is counted */
  uint32_t round;
  uint32_t at;
  thread_end end;
} ptx_thread;

/* A sector that a thread has asked for. */
typedef struct ptx_access {
  uint64_t warp, step, time, sector;
} ptx_access;

typedef VEC(uint32_t) issue_vec; /* by round, and by step in it */

typedef struct runner {
  const ptx_code *c;
  const ptx_launch *l;
  uint8_t *shared;
  ptx_thread *threads;
  uint64_t nowhere[2]; /* what is accessed where nothing is */
  const char *error;
  arena *scratch;
  VEC(ptx_access) accesses; /* of the block, where they are counted */
  issue_vec *most;          /* by warp: how often one of its threads has issued what */
} runner;

/* ---- traffic ---- */

static bool accesses_global(ptx_opcode code) {
  return code >= OP_LOAD_GLOBAL && code <= OP_FETCH_ADD_GLOBAL && code != OP_LOAD_SHARED &&
         code != OP_STORE_SHARED && code != OP_ADD_SHARED;
}

static bool loads_global(ptx_opcode code) {
  return code == OP_LOAD_GLOBAL || (code >= OP_LOAD_GLOBAL_8 && code <= OP_LOAD_GLOBAL_QUAD);
}

/* The operand that is the address. */
static uint32_t address_of(ptx_opcode code) {
  if (code == OP_LOAD_GLOBAL_PAIR) return 2;
  if (code == OP_LOAD_GLOBAL_QUAD) return 4;
  return loads_global(code) || code == OP_FETCH_ADD_GLOBAL;
}

static int compare_accesses(const void *a, const void *b) {
  return memcmp(a, b, sizeof(ptx_access)); /* in any order: those alike come together */
}

static void count_sectors(runner *x) {
  const uint32_t count = x->accesses.count;
  const ptx_access *all = x->accesses.items;
  if (count) qsort(x->accesses.items, count, sizeof *all, compare_accesses);
  for (uint32_t i = 0; i < count; i++) {
    if (i && compare_accesses(&all[i - 1], &all[i]) == 0) continue;
    if (loads_global(x->c->steps.items[all[i].step].code))
      x->l->traffic->loads++;
    else
      x->l->traffic->stores++;
  }
  x->accesses.count = 0;
}

/* ---- issues ---- */

static void note_issue(runner *x, ptx_thread *t, uint32_t step) {
  const uint32_t count = x->c->steps.count;
  issue_vec *most = &x->most[t->registers[REG_THREAD] / 32];
  if (step == x->c->round_step) {
    t->round++;
    memset(t->issued, 0, count * sizeof *t->issued);
  }
  const uint32_t at = t->round * count + step;
  while (most->count <= at) vec_push(x->scratch, most, 0);
  if (++t->issued[step] > most->items[at]) most->items[at] = t->issued[step];
}

/* An assembler has no need of copies, and parameters are operands. */
static bool is_issued(ptx_opcode code) {
  return code != OP_MOVE && code != OP_SPLIT && code != OP_JOIN && code != OP_LOAD_PARAMETER;
}

static void count_warp(runner *x, issue_vec *most) {
  ptx_issues *to = x->l->issues;
  const uint32_t count = x->c->steps.count;
  for (uint32_t i = 0; i < most->count; i++) {
    const ptx_step *s = &x->c->steps.items[i % count];
    if (i % count == x->c->round_step) to->rounds += most->items[i];
    if (is_issued(s->code)) to->all[s->purpose].count += most->items[i];
  }
  most->count = 0;
}

static void count_issues(runner *x) {
  ptx_issues *to = x->l->issues;
  to->purposes = x->c->purpose_count;
  for (uint32_t i = 0; i < to->purposes; i++)
    memcpy(to->all[i].what, x->c->purposes[i], sizeof to->all[i].what);
  for (uint32_t i = 0; i * 32 < x->l->threads; i++) count_warp(x, &x->most[i]);
}

static void *global_at(runner *x, uint64_t address, uint32_t size) {
  for (uint32_t i = 0; i < x->l->memory_count; i++) {
    const ptx_range *r = &x->l->memory[i];
    if (address >= r->first && address + size <= r->first + r->size && address % size == 0)
      return (void *)(uintptr_t)address;
  }
  x->error = "an access to memory that was not allocated";
  return x->nowhere;
}

static uint32_t *shared_at(runner *x, uint64_t address) {
  const uint32_t at = (uint32_t)address;
  if (at % 4 == 0 && at + UINT64_C(4) <= x->l->shared_bytes)
    return (uint32_t *)(void *)(x->shared + at);
  x->error = "an access behind the end of shared memory";
  return (uint32_t *)(void *)x->shared;
}

static uint64_t value_of(const ptx_thread *t, const ptx_operand *o) {
  return o->reg == NO_REGISTER ? o->value : t->registers[o->reg] + o->value;
}

static uint32_t word_of(const ptx_thread *t, const ptx_operand *o) {
  return (uint32_t)value_of(t, o);
}

static void set(ptx_thread *t, const ptx_operand *o, uint64_t value) {
  t->registers[o->reg] = value;
}

static void set_word(ptx_thread *t, const ptx_operand *o, uint64_t value) {
  t->registers[o->reg] = (uint32_t)value;
}

static uint32_t table_of(uint32_t table, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t out = 0;
  for (uint32_t row = 0; row < 8; row++)
    if (table >> row & 1) out |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return out;
}

static uint64_t parameter(const runner *x, uint32_t number) {
  const uint8_t *at = (const uint8_t *)x->l->arguments + number / 2;
  uint64_t whole;
  uint32_t half;
  if (number & 1) {
    memcpy(&whole, at, sizeof whole);
    return whole;
  }
  memcpy(&half, at, sizeof half);
  return half;
}

/* Inserts `length` bits of a into b, from bit `at` on. */
static uint32_t insert_bits(uint32_t a, uint32_t b, uint32_t at, uint32_t length) {
  const uint32_t mask = at > 31 ? 0 : ((1u << length) - 1) << at;
  return (b & ~mask) | ((at > 31 ? 0 : a << at) & mask);
}

static void load_several(runner *x, ptx_thread *t, const ptx_step *s, uint32_t count) {
  const uint32_t *from = global_at(x, value_of(t, &s->a[count]), 4 * count);
  for (uint32_t i = 0; i < count; i++) set(t, &s->a[i], from[i]);
}

static void run_memory(runner *x, ptx_thread *t, const ptx_step *s) {
  const ptx_operand *a = s->a;
  switch (s->code) {
    case OP_LOAD_PARAMETER: set(t, &a[0], parameter(x, (uint32_t)a[1].value)); break;
    case OP_LOAD_GLOBAL: set(t, &a[0], *(uint32_t *)global_at(x, value_of(t, &a[1]), 4)); break;
    case OP_STORE_GLOBAL:
      *(uint32_t *)global_at(x, value_of(t, &a[0]), 4) = word_of(t, &a[1]);
      break;
    case OP_LOAD_GLOBAL_8: set(t, &a[0], *(uint8_t *)global_at(x, value_of(t, &a[1]), 1)); break;
    case OP_LOAD_GLOBAL_16: set(t, &a[0], *(uint16_t *)global_at(x, value_of(t, &a[1]), 2)); break;
    case OP_LOAD_GLOBAL_PAIR: load_several(x, t, s, 2); break;
    case OP_LOAD_GLOBAL_QUAD: load_several(x, t, s, 4); break;
    case OP_STORE_GLOBAL_8:
      *(uint8_t *)global_at(x, value_of(t, &a[0]), 1) = (uint8_t)word_of(t, &a[1]);
      break;
    case OP_STORE_GLOBAL_PAIR:
      *(uint64_t *)global_at(x, value_of(t, &a[0]), 8) =
          word_of(t, &a[1]) | (uint64_t)word_of(t, &a[2]) << 32;
      break;
    case OP_LOAD_SHARED: set(t, &a[0], *shared_at(x, value_of(t, &a[1]))); break;
    case OP_STORE_SHARED: *shared_at(x, value_of(t, &a[0])) = word_of(t, &a[1]); break;
    case OP_ADD_GLOBAL:
      *(uint32_t *)global_at(x, value_of(t, &a[0]), 4) += word_of(t, &a[1]);
      break;
    case OP_ADD_GLOBAL_64:
      *(uint64_t *)global_at(x, value_of(t, &a[0]), 8) += value_of(t, &a[1]);
      break;
    case OP_LEAST_GLOBAL_64: {
      uint64_t *at = global_at(x, value_of(t, &a[0]), 8);
      if (value_of(t, &a[1]) < *at) *at = value_of(t, &a[1]);
      break;
    }
    case OP_ADD_SHARED: *shared_at(x, value_of(t, &a[0])) += word_of(t, &a[1]); break;
    default: {
      uint32_t *at = global_at(x, value_of(t, &a[1]), 4);
      const uint32_t before = *at;
      *at += word_of(t, &a[2]);
      set(t, &a[0], before);
    }
  }
}

static void run_control(ptx_thread *t, const ptx_step *s) {
  switch (s->code) {
    case OP_BRANCH: t->at = (uint32_t)s->a[0].value; break;
    case OP_RETURN: t->end = THREAD_IS_OVER; break;
    default: t->end = THREAD_WAITS; /* behind the barrier, once all are there */
  }
}

static void run_logic(ptx_thread *t, const ptx_step *s) {
  const ptx_operand *o = s->a;
  const uint32_t a = word_of(t, &o[1]), b = word_of(t, &o[2]), c = word_of(t, &o[3]);
  switch (s->code) {
    case OP_MOVE: set_word(t, &o[0], a); break;
    case OP_SPLIT:
      set_word(t, &o[0], value_of(t, &o[2]));
      set_word(t, &o[1], value_of(t, &o[2]) >> 32);
      break;
    case OP_JOIN: set(t, &o[0], a | (uint64_t)b << 32); break;
    case OP_TABLE: set(t, &o[0], table_of((uint32_t)o[4].value, a, b, c)); break;
    case OP_AND: set(t, &o[0], a & b); break;
    case OP_OR: set(t, &o[0], a | b); break;
    case OP_XOR: set(t, &o[0], a ^ b); break;
    case OP_XOR_64: set(t, &o[0], value_of(t, &o[1]) ^ value_of(t, &o[2])); break;
    case OP_SHIFT_RIGHT_64: set(t, &o[0], b > 63 ? 0 : value_of(t, &o[1]) >> b); break;
    case OP_SHIFT_LEFT: set_word(t, &o[0], b > 31 ? 0 : (uint64_t)a << b); break;
    case OP_SHIFT_RIGHT: set(t, &o[0], b > 31 ? 0 : a >> b); break;
    case OP_INSERT: set(t, &o[0], insert_bits(a, b, c, word_of(t, &o[4]))); break;
    case OP_FIND: set(t, &o[0], a ? 31u - (uint32_t)__builtin_clz(a) : UINT32_MAX); break;
    case OP_COUNT: set(t, &o[0], (uint32_t)__builtin_popcount(a)); break;
    default: set(t, &o[0], a); /* OP_WIDEN */
  }
}

static void run_number(runner *x, ptx_thread *t, const ptx_step *s) {
  const ptx_operand *o = s->a;
  const uint32_t a = word_of(t, &o[1]), b = word_of(t, &o[2]);
  switch (s->code) {
    case OP_ADD: set_word(t, &o[0], (uint64_t)a + b); break;
    case OP_ADD_64: set(t, &o[0], value_of(t, &o[1]) + value_of(t, &o[2])); break;
    case OP_SUBTRACT: set_word(t, &o[0], (uint64_t)a - b); break;
    case OP_MULTIPLY: set_word(t, &o[0], (uint64_t)a * b); break;
    case OP_MULTIPLY_64: set(t, &o[0], value_of(t, &o[1]) * value_of(t, &o[2])); break;
    case OP_MULTIPLY_WIDE: set(t, &o[0], (uint64_t)a * b); break;
    case OP_MULTIPLY_ADD: set_word(t, &o[0], (uint64_t)a * b + word_of(t, &o[3])); break;
    case OP_MULTIPLY_ADD_WIDE: set(t, &o[0], (uint64_t)a * b + value_of(t, &o[3])); break;
    case OP_DIVIDE:
      if (!b) x->error = "a division by zero";
      set(t, &o[0], b ? a / b : 0);
      break;
    case OP_REMAINDER:
      if (!b) x->error = "a division by zero";
      set(t, &o[0], b ? a % b : 0);
      break;
    case OP_LEAST: set(t, &o[0], a < b ? a : b); break;
    case OP_EQUAL: set(t, &o[0], a == b); break;
    case OP_EQUAL_OR: set(t, &o[0], a == b || value_of(t, &o[3])); break;
    case OP_NOT_EQUAL: set(t, &o[0], a != b); break;
    case OP_NOT_EQUAL_OR: set(t, &o[0], a != b || value_of(t, &o[3])); break;
    case OP_LESS: set(t, &o[0], a < b); break;
    case OP_LESS_EQUAL: set(t, &o[0], a <= b); break;
    case OP_GREATER: set(t, &o[0], a > b); break;
    default: set(t, &o[0], a >= b);
  }
}

/* It comes before the instruction, which may change the register of the address. */
static void note_access(runner *x, ptx_thread *t, const ptx_step *s) {
  const uint64_t step = (uint64_t)(s - x->c->steps.items);
  const ptx_access it = {.warp = t->registers[REG_THREAD] / 32,
                         .step = step,
                         .time = t->times[step]++,
                         .sector = value_of(t, &s->a[address_of(s->code)]) / 32};
  vec_push(x->scratch, &x->accesses, it);
}

static void run_step(runner *x, ptx_thread *t, const ptx_step *s) {
  t->at++;
  if (x->l->issues) note_issue(x, t, (uint32_t)(s - x->c->steps.items));
  if (s->guard != NO_REGISTER && !t->registers[s->guard] != s->is_guard_negated) return;
  if (x->l->traffic && accesses_global(s->code)) note_access(x, t, s);
  if (s->code >= OP_BRANCH)
    run_control(t, s);
  else if (s->code >= OP_LOAD_PARAMETER && s->code <= OP_FETCH_ADD_GLOBAL)
    run_memory(x, t, s);
  else if ((s->code >= OP_ADD && s->code <= OP_LEAST) ||
           (s->code >= OP_EQUAL && s->code <= OP_GREATER_EQUAL))
    run_number(x, t, s);
  else
    run_logic(t, s);
}

static void run_thread(runner *x, ptx_thread *t) {
  t->end = THREAD_RUNS;
  while (t->end == THREAD_RUNS && !x->error) {
    if (t->at >= x->c->steps.count)
      x->error = "a thread ran behind the end";
    else
      run_step(x, t, &x->c->steps.items[t->at]);
  }
}

/* All threads have come to a barrier: they must be at the same one. */
static void pass_barrier(runner *x) {
  const uint32_t at = x->threads[0].at - 1;
  const ptx_step *s = &x->c->steps.items[at];
  bool any = false;
  for (uint32_t i = 0; i < x->l->threads; i++) {
    if (x->threads[i].at - 1 != at || x->threads[i].end != THREAD_WAITS)
      x->error = "threads wait at different barriers";
    if (s->code == OP_BARRIER_OR) any |= value_of(&x->threads[i], &s->a[2]) != 0;
  }
  for (uint32_t i = 0; i < x->l->threads && s->code == OP_BARRIER_OR; i++)
    set(&x->threads[i], &s->a[0], any);
}

static void run_block(runner *x, uint32_t block) {
  memset(x->shared, 0xa5, x->l->shared_bytes);
  for (uint32_t i = 0; i < x->l->threads; i++) {
    ptx_thread *t = &x->threads[i];
    memset(t->registers, 0x5a, x->c->register_count * sizeof *t->registers);
    t->at = 0;
    t->registers[REG_THREAD] = i;
    t->registers[REG_BLOCK] = block;
    t->registers[REG_MEMORY] = 0;
    t->round = 0;
    if (t->times) memset(t->times, 0, x->c->steps.count * sizeof *t->times);
  }
  do {
    for (uint32_t i = 0; i < x->l->threads && !x->error; i++) run_thread(x, &x->threads[i]);
    if (!x->error && x->threads[0].end == THREAD_WAITS) pass_barrier(x);
  } while (!x->error && x->threads[0].end == THREAD_WAITS);
  count_sectors(x);
  if (x->l->issues) count_issues(x);
}

const char *ptx_run(const ptx_code *c, const ptx_launch *l, arena *scratch) {
  runner x = {.c = c, .l = l, .scratch = scratch};
  x.shared = arena_alloc(scratch, l->shared_bytes + sizeof(uint32_t));
  x.threads = arena_zero_array(scratch, ptx_thread, l->threads);
  for (uint32_t i = 0; i < l->threads; i++) {
    x.threads[i].registers = arena_new_array(scratch, uint64_t, c->register_count);
    if (l->issues) x.threads[i].issued = arena_zero_array(scratch, uint32_t, c->steps.count);
    if (l->traffic) x.threads[i].times = arena_new_array(scratch, uint32_t, c->steps.count);
  }
  if (l->issues) x.most = arena_zero_array(scratch, issue_vec, l->threads / 32 + 1);
  for (uint32_t i = 0; i < l->blocks && !x.error; i++) run_block(&x, i);
  return x.error;
}
