#include "machine/lanes/lane_jit.h"

#include "base/cpu.h"

#include <string.h>
#include <sys/mman.h>

struct lane_jit {
  arena *guard; /* unmaps the code */
  void *code;
  size_t size;
  size_t *entries; /* by stretch */
};

lane_jit_fn *lane_jit_function(const lane_jit *j, uint32_t stretch) {
  lane_jit_fn *fn;
  void *at = (char *)j->code + j->entries[stretch];
  memcpy(&fn, &at, sizeof fn); /* data to function: what POSIX allows and ISO C cannot say */
  return fn;
}

void lane_jit_free(lane_jit *j) {
  if (j) arena_free(j->guard);
}

#ifdef __x86_64__

enum {
  REGISTERS = 32,
  NO_REGISTER = 0xff,
  BIAS = 128,          /* the base register points at this slot: near slots have short addresses */
  SOON = 96,           /* a row that is read again within so many operations is worth a register */
  SLOTS_MAX = 1 << 24, /* addresses have 32 bits */
  OPS_MAX = 1 << 25    /* and so has the place of an instruction in the code */
};

#define NEVER UINT32_MAX

typedef struct assembler {
  const lane_program *p;
  arena *scratch;
  VEC(uint8_t) code;
  uint32_t first, end;  /* the stretch under way */
  uint32_t *next_use;   /* by operation and operand (3 inputs, then the output): the next operation
                           of the stretch that reads the same row; NEVER: none */
  uint32_t *upcoming;   /* by slot: scratch of find_next_uses */
  uint8_t *register_of; /* by slot */
  slot_id held[REGISTERS];    /* by register; ID_NONE: free */
  uint32_t use_of[REGISTERS]; /* when what it holds is read next */
  bool is_saved[REGISTERS];   /* its slot has the row, too */
  uint32_t pinned;            /* registers of the operation under way */
} assembler;

/* ---- instructions ---- */

typedef struct instruction {
  uint8_t map, opcode; /* map 1: 0F, 3: 0F 3A */
} instruction;

static const instruction LOAD = {1, 0x6f}, STORE = {1, 0x7f}, AND = {1, 0xdb}, AND_NOT = {1, 0xdf},
                         OR = {1, 0xeb}, XOR = {1, 0xef}, TERNARY = {3, 0x25};

static void put(assembler *a, uint32_t byte) { vec_push(a->scratch, &a->code, (uint8_t)byte); }

/* The EVEX prefix of a 512-bit operation on 64-bit words, and the opcode. */
static void put_prefix(assembler *a, instruction i, uint32_t reg, uint32_t source, uint32_t rm) {
  put(a, 0x62);
  put(a, (~reg >> 3 & 1) << 7 | (~rm >> 4 & 1) << 6 | (~rm >> 3 & 1) << 5 | (~reg >> 4 & 1) << 4 |
             i.map);
  put(a, 0x80 | (~source & 15) << 3 | 0x05);
  put(a, 0x40 | (~source >> 4 & 1) << 3);
  put(a, i.opcode);
}

static void put_registers(assembler *a, instruction i, uint32_t reg, uint32_t source, uint32_t rm) {
  put_prefix(a, i, reg, source, rm);
  put(a, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

/* The third operand is the row of a slot; the base is rdi. */
static void put_memory(assembler *a, instruction i, uint32_t reg, uint32_t source, slot_id slot) {
  const int32_t rows = (int32_t)slot - BIAS;
  put_prefix(a, i, reg, source, 7);
  if (rows >= -128 && rows < 128) {
    put(a, 0x40 | (reg & 7) << 3 | 7);
    put(a, (uint8_t)rows);
    return;
  }
  const uint32_t bytes = (uint32_t)rows * (uint32_t)sizeof(bundle_row);
  put(a, 0x80 | (reg & 7) << 3 | 7);
  for (uint32_t k = 0; k < 4; k++) put(a, bytes >> 8 * k & 0xff);
}

/* ---- when a row is read next ---- */

static uint32_t *next_use(const assembler *a, uint32_t op, uint32_t operand) {
  return &a->next_use[(size_t)(op - a->first) * 4 + operand];
}

static void find_next_uses(assembler *a) {
  for (uint32_t i = a->end; i-- > a->first;) {
    const lane_op *op = &a->p->ops.items[i];
    *next_use(a, i, 3) = a->upcoming[op->out];
    a->upcoming[op->out] = NEVER;
    for (uint32_t k = 0; k < TABLE_INPUTS; k++) *next_use(a, i, k) = a->upcoming[op->in[k]];
    for (uint32_t k = 0; k < TABLE_INPUTS; k++) a->upcoming[op->in[k]] = i;
  }
  for (uint32_t i = a->first; i < a->end; i++)
    for (uint32_t k = 0; k < TABLE_INPUTS; k++) a->upcoming[a->p->ops.items[i].in[k]] = NEVER;
}

/* ---- registers ---- */

static void let_go(assembler *a, uint32_t reg) {
  if (a->held[reg] != ID_NONE) a->register_of[a->held[reg]] = NO_REGISTER;
  a->held[reg] = ID_NONE;
}

static void hold(assembler *a, uint32_t reg, slot_id slot, uint32_t next, bool is_saved) {
  if (a->register_of[slot] != NO_REGISTER) let_go(a, a->register_of[slot]);
  let_go(a, reg);
  a->held[reg] = slot;
  a->register_of[slot] = (uint8_t)reg;
  a->use_of[reg] = next;
  a->is_saved[reg] = is_saved;
}

/* A free register, or that of the row which is needed last. */
static uint32_t take_register(assembler *a) {
  uint32_t best = NO_REGISTER;
  for (uint32_t r = 0; r < REGISTERS; r++) {
    if (a->pinned >> r & 1) continue;
    if (a->held[r] == ID_NONE) {
      best = r;
      break;
    }
    if (best == NO_REGISTER || a->use_of[r] > a->use_of[best]) best = r;
  }
  if (a->held[best] != ID_NONE && a->use_of[best] != NEVER && !a->is_saved[best])
    put_memory(a, STORE, best, 0, a->held[best]);
  let_go(a, best);
  a->pinned |= 1u << best;
  return best;
}

static uint32_t load(assembler *a, slot_id slot, uint32_t next) {
  const uint32_t reg = take_register(a);
  put_memory(a, LOAD, reg, 0, slot);
  hold(a, reg, slot, next, true);
  return reg;
}

/* ---- one operation ---- */

/* An input of the operation under way. */
typedef struct operand {
  slot_id slot;
  uint32_t reg;    /* NO_REGISTER: only in its slot */
  uint32_t next;   /* when it is read again */
  uint32_t column; /* which input of the table it is */
} operand;

static bool depends_on(uint8_t table, uint32_t column) {
  static const uint8_t mask[TABLE_INPUTS] = {0x0f, 0x33, 0x55};
  const uint32_t shift = 4u >> column;
  return ((table >> shift) & mask[column]) != (table & mask[column]);
}

static uint32_t list_operands(assembler *a, uint32_t i, operand *out) {
  const lane_op *op = &a->p->ops.items[i];
  uint32_t count = 0;
  a->pinned = 0;
  for (uint32_t k = 0; k < TABLE_INPUTS; k++) {
    if (!depends_on(op->table, k)) continue;
    operand *o = &out[count++];
    *o = (operand){op->in[k], a->register_of[op->in[k]], *next_use(a, i, k), k};
    if (o->reg == NO_REGISTER) continue;
    a->use_of[o->reg] = o->next;
    a->pinned |= 1u << o->reg;
  }
  return count;
}

/* The same table with its inputs in another order: new input k is the old input columns[k]. */
static uint8_t reorder(uint8_t table, const uint32_t *columns) {
  uint8_t out = 0;
  for (uint32_t row = 0; row < 8; row++) {
    uint32_t index = 0;
    for (uint32_t k = 0; k < TABLE_INPUTS; k++)
      if (row >> (2 - k) & 1) index |= 4u >> columns[k];
    out |= (uint8_t)((table >> index & 1) << row);
  }
  return out;
}

static void swap(operand *a, operand *b) {
  const operand saved = *a;
  *a = *b;
  *b = saved;
}

static bool is_worth_a_register(uint32_t i, const operand *o) {
  return o->next != NEVER && o->next - i <= SOON;
}

/* Brings an operand into a register. */
static void fetch(assembler *a, operand *o) {
  if (o->reg == NO_REGISTER) o->reg = load(a, o->slot, o->next);
}

/* An operand that may stay in memory, if it is not read again soon. */
static void put_last(assembler *a, uint32_t i, instruction in, uint32_t reg, uint32_t source,
                     operand *o) {
  if (o->reg == NO_REGISTER && is_worth_a_register(i, o)) fetch(a, o);
  if (o->reg == NO_REGISTER)
    put_memory(a, in, reg, source, o->slot);
  else
    put_registers(a, in, reg, source, o->reg);
}

static bool dies(const operand *o) { return o->reg != NO_REGISTER && o->next == NEVER; }

/* The register for the result of an operation that does not destroy its inputs: that of an input
   which is read no more, or another. */
static uint32_t result_register(assembler *a, const operand *all, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    if (dies(&all[k])) return all[k].reg;
  return take_register(a);
}

/* The first operand is overwritten by the result: one that is read no more, else one that must be
   loaded anyway, else a copy. */
static uint32_t put_ternary(assembler *a, uint32_t i, operand *all) {
  uint32_t first = 0;
  for (uint32_t k = 0; k < TABLE_INPUTS; k++)
    if (all[k].reg == NO_REGISTER && all[first].reg != NO_REGISTER) first = k;
  for (uint32_t k = 0; k < TABLE_INPUTS; k++)
    if (dies(&all[k])) first = k;
  swap(&all[0], &all[first]);
  if (all[1].reg == NO_REGISTER && all[2].reg != NO_REGISTER) swap(&all[1], &all[2]);
  uint32_t result = all[0].reg;
  if (!dies(&all[0])) {
    if (all[0].reg == NO_REGISTER && is_worth_a_register(i, &all[0])) fetch(a, &all[0]);
    result = take_register(a);
    if (all[0].reg == NO_REGISTER)
      put_memory(a, LOAD, result, 0, all[0].slot);
    else
      put_registers(a, LOAD, result, 0, all[0].reg);
  }
  fetch(a, &all[1]);
  put_last(a, i, TERNARY, result, all[1].reg, &all[2]);
  const uint32_t columns[TABLE_INPUTS] = {all[0].column, all[1].column, all[2].column};
  put(a, reorder(a->p->ops.items[i].table, columns));
  return result;
}

/* The table of two inputs: bit 2x + y. */
static uint32_t pair_table(uint8_t table, const operand *x, const operand *y) {
  uint32_t out = 0;
  for (uint32_t row = 0; row < 4; row++) {
    const uint32_t index = (row >> 1) * (4u >> x->column) | (row & 1) * (4u >> y->column);
    out |= (uint32_t)(table >> index & 1) << row;
  }
  return out;
}

static uint32_t put_pair(assembler *a, uint32_t i, operand *all) {
  if (all[0].reg == NO_REGISTER) swap(&all[0], &all[1]);
  fetch(a, &all[0]);
  uint32_t table = pair_table(a->p->ops.items[i].table, &all[0], &all[1]);
  if (table == 0x4 && all[1].reg == NO_REGISTER) fetch(a, &all[1]);
  if (table == 0x4) { /* x & ~y is an instruction for ~x & y */
    swap(&all[0], &all[1]);
    table = 0x2;
  }
  const instruction in = table == 0x8   ? AND
                         : table == 0xe ? OR
                         : table == 0x6 ? XOR
                         : table == 0x2 ? AND_NOT
                                        : TERNARY;
  if (all[1].reg == NO_REGISTER && is_worth_a_register(i, &all[1])) fetch(a, &all[1]);
  const uint32_t result = result_register(a, all, 2);
  put_last(a, i, in, result, all[0].reg, &all[1]);
  if (in.map == TERNARY.map) put(a, table | table << 4);
  return result;
}

/* A row that is an input or its negation, or constant. */
static uint32_t put_simple(assembler *a, uint32_t i, operand *all, uint32_t count) {
  const uint8_t table = a->p->ops.items[i].table;
  if (count) fetch(a, &all[0]);
  const uint32_t result = result_register(a, all, count);
  const uint32_t source = count ? all[0].reg : result;
  const bool is_high = count ? table >> (4u >> all[0].column) & 1 : table & 1;
  put_registers(a, TERNARY, result, source, source);
  put(a, count ? (is_high ? 0xaa : 0x55) : (is_high ? 0xff : 0x00));
  return result;
}

static void put_op(assembler *a, uint32_t i) {
  const lane_op *op = &a->p->ops.items[i];
  operand all[TABLE_INPUTS];
  const uint32_t count = list_operands(a, i, all);
  const uint32_t result = count == 3   ? put_ternary(a, i, all)
                          : count == 2 ? put_pair(a, i, all)
                                       : put_simple(a, i, all, count);
  hold(a, result, op->out, *next_use(a, i, 3), !op->is_local);
  if (!op->is_local) put_memory(a, STORE, result, 0, op->out);
  for (uint32_t r = 0; r < REGISTERS; r++)
    if (a->held[r] != ID_NONE && a->use_of[r] == NEVER) let_go(a, r);
}

/* ---- stretches ---- */

/* rdi += BIAS rows. */
static void put_entry(assembler *a) {
  const uint32_t bytes = BIAS * (uint32_t)sizeof(bundle_row);
  put(a, 0x48);
  put(a, 0x81);
  put(a, 0xc7);
  for (uint32_t k = 0; k < 4; k++) put(a, bytes >> 8 * k & 0xff);
}

/* vzeroupper; ret.  What calls this code was built for SSE: on Intel processors its instructions
   stall as long as the upper halves of the vector registers are in use. */
static void put_exit(assembler *a) {
  put(a, 0xc5);
  put(a, 0xf8);
  put(a, 0x77);
  put(a, 0xc3);
}

/* False: the budget is spent. */
static bool put_stretch(assembler *a, uint32_t first, uint32_t end, budget *limits) {
  a->first = first;
  a->end = end;
  a->next_use = arena_new_array(a->scratch, uint32_t, (size_t)(end - first) * 4 + 1);
  find_next_uses(a);
  for (uint32_t r = 0; r < REGISTERS; r++) a->held[r] = ID_NONE;
  memset(a->register_of, NO_REGISTER, a->p->slot_count);
  put_entry(a);
  for (uint32_t i = first; i < end && !budget_is_spent(limits); i++) put_op(a, i);
  put_exit(a);
  return !budget_is_spent(limits);
}

static void unmap(void *what) {
  const lane_jit *j = what;
  munmap(j->code, j->size);
}

/* Makes a copy of the code that can be run. */
static bool publish(lane_jit *j, const uint8_t *code, size_t size) {
  j->size = size;
  j->code = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (j->code == MAP_FAILED) return false;
  memcpy(j->code, code, size);
  j->guard = arena_guarding(unmap, j);
  if (mprotect(j->code, size, PROT_READ | PROT_EXEC) == 0) return true;
  lane_jit_free(j);
  return false;
}

bool lane_jit_is_possible(void) { return cpu_has_avx512f(); }

lane_jit *lane_jit_make(const lane_program *p, const uint32_t *firsts, const uint32_t *ends,
                        uint32_t count, arena *keep, budget *limits) {
  if (!lane_jit_is_possible() || !p->ops.count || p->slot_count > SLOTS_MAX ||
      p->ops.count > OPS_MAX)
    return NULL;
  arena *scratch = arena_new();
  assembler a = {.p = p, .scratch = scratch};
  a.upcoming = arena_new_array(scratch, uint32_t, p->slot_count);
  memset(a.upcoming, 0xff, p->slot_count * sizeof *a.upcoming);
  a.register_of = arena_new_array(scratch, uint8_t, p->slot_count);
  lane_jit *j = arena_alloc_zero(keep, sizeof *j);
  j->entries = arena_new_array(keep, size_t, count + 1);
  bool ok = true;
  budget_watch(limits, scratch);
  for (uint32_t i = 0; ok && i < count; i++) {
    j->entries[i] = a.code.count;
    ok = put_stretch(&a, firsts[i], ends[i], limits);
  }
  ok = ok && publish(j, a.code.items, a.code.count);
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return ok ? j : NULL;
}

#else

bool lane_jit_is_possible(void) { return false; }

lane_jit *lane_jit_make(const lane_program *p, const uint32_t *firsts, const uint32_t *ends,
                        uint32_t count, arena *keep, budget *limits) {
  (void)p, (void)firsts, (void)ends, (void)count, (void)keep, (void)limits;
  return NULL;
}

#endif
