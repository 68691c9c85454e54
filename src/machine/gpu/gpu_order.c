#include "machine/gpu/gpu_order.h"

#include "base/graph.h"
#include "machine/gpu/gpu_step_sound.h"

#include <assert.h>
#include <string.h>

typedef struct orderer {
  gpu_step *s;
  arena *scratch;
  graph readers;    /* from values to the instructions that read them */
  uint32_t *waits;  /* by instruction: values that it reads and are not there, as often as given */
  uint32_t *unread; /* by value: times that it will still be read */
  uint32_t *reader; /* by value: the GPU_READ that gives it; ID_NONE */
  bitset is_placed; /* instructions */
  bitset is_fixed;  /* instructions that stay in their order */
  VEC(gpu_instruction) order;
  id_vec ready; /* instructions to look at */
  bool is_in_loop;
} orderer;

static const gpu_instruction *at(const orderer *x, uint32_t i) { return &x->s->all.items[i]; }

/* ---- what is known beforehand ---- */

static bool is_movable(gpu_kind kind) { return kind == GPU_TABLE || kind == GPU_WRITE; }

static void find_fixed(orderer *x) {
  bool is_in_loop = false;
  for (uint32_t i = 0; i < x->s->all.count; i++) {
    is_in_loop |= at(x, i)->kind == GPU_LOOP;
    if (is_in_loop || !is_movable(at(x, i)->kind)) bitset_add(x->is_fixed, i);
    is_in_loop &= at(x, i)->kind != GPU_REPEAT;
  }
}

/* A place is given by GPU_PLACE and by GPU_SETTLE. */
static uint32_t *count_definitions(const orderer *x) {
  uint32_t *count = arena_zero_array(x->scratch, uint32_t, x->s->value_count);
  for (uint32_t i = 0; i < x->s->all.count; i++)
    for (uint32_t k = 0; k < at(x, i)->out_count && at(x, i)->kind != GPU_READ; k++)
      count[gpu_outs(x->s, at(x, i))[k]]++;
  return count;
}

static void find_readers(orderer *x) {
  const uint32_t *definitions = count_definitions(x);
  id_vec tails = {0}, heads = {0};
  for (uint32_t i = 0; i < x->s->all.count; i++) {
    const gpu_instruction *it = at(x, i);
    if (it->kind == GPU_READ) x->reader[gpu_outs(x->s, it)[0]] = i;
    for (uint32_t k = 0; k < it->in_count; k++) {
      const value_id v = gpu_ins(x->s, it)[k];
      vec_push(x->scratch, &tails, v);
      vec_push(x->scratch, &heads, i);
      x->waits[i] += definitions[v];
      x->unread[v]++;
    }
  }
  for (uint32_t i = 0; i < x->s->latch_count; i++) x->unread[x->s->next_of[i]]++;
  x->readers = graph_new(x->scratch, x->s->value_count, tails.items, heads.items, tails.count);
}

/* ---- placing ---- */

static bool frees(const orderer *x, const gpu_instruction *it) {
  if (it->kind == GPU_WRITE) return true;
  for (uint32_t k = 0; k < it->in_count; k++) {
    const value_id v = gpu_ins(x->s, it)[k];
    uint32_t times = 0;
    for (uint32_t j = 0; j < it->in_count; j++) times += gpu_ins(x->s, it)[j] == v;
    if (v != VALUE_FALSE && x->unread[v] == times && x->reader[v] == ID_NONE) return true;
  }
  return false;
}

static void offer_readers(orderer *x, value_id v) {
  for (uint32_t i = x->readers.from[v]; i < x->readers.from[v + 1]; i++)
    if (!bitset_has(x->is_placed, x->readers.to[i]))
      vec_push(x->scratch, &x->ready, x->readers.to[i]);
}

static void read_first(orderer *x, value_id v) {
  const uint32_t reader = x->reader[v];
  if (reader == ID_NONE || !bitset_insert(x->is_placed, reader)) return;
  vec_push(x->s->keep, &x->order, *at(x, reader));
}

static void put_down(orderer *x, uint32_t i) {
  const gpu_instruction *it = at(x, i);
  bitset_add(x->is_placed, i);
  for (uint32_t k = 0; k < it->in_count; k++) read_first(x, gpu_ins(x->s, it)[k]);
  vec_push(x->s->keep, &x->order, *it);
  for (uint32_t k = 0; k < it->out_count; k++) {
    const value_id v = gpu_outs(x->s, it)[k];
    for (uint32_t j = x->readers.from[v]; j < x->readers.from[v + 1]; j++)
      x->waits[x->readers.to[j]]--;
    offer_readers(x, v);
  }
  for (uint32_t k = 0; k < it->in_count; k++) {
    const value_id v = gpu_ins(x->s, it)[k];
    if (v != VALUE_FALSE && --x->unread[v] == 1) offer_readers(x, v);
  }
}

static void put_ready(orderer *x) {
  while (!x->is_in_loop && x->ready.count) {
    const uint32_t i = vec_pop(&x->ready);
    if (bitset_has(x->is_fixed, i) || bitset_has(x->is_placed, i) || x->waits[i]) continue;
    if (frees(x, at(x, i))) put_down(x, i);
  }
}

static void put_all(orderer *x) {
  for (uint32_t i = 0; i < x->s->all.count; i++) {
    const gpu_kind kind = at(x, i)->kind;
    x->is_in_loop |= kind == GPU_LOOP;
    if (kind != GPU_READ && !bitset_has(x->is_placed, i)) put_down(x, i);
    x->is_in_loop &= kind != GPU_REPEAT;
    put_ready(x);
  }
}

void gpu_step_order(gpu_step *s) {
  arena *scratch = arena_new();
  orderer x = {.s = s,
               .scratch = scratch,
               .waits = arena_zero_array(scratch, uint32_t, s->all.count + 1),
               .unread = arena_zero_array(scratch, uint32_t, s->value_count),
               .reader = arena_new_array(scratch, uint32_t, s->value_count),
               .is_placed = bitset_new(scratch, s->all.count + 1),
               .is_fixed = bitset_new(scratch, s->all.count + 1)};
  memset(x.reader, 0xff, s->value_count * sizeof *x.reader);
  find_fixed(&x);
  find_readers(&x);
  put_all(&x);
  memcpy(s->all.items, x.order.items, x.order.count * sizeof *x.order.items);
  s->all.count = x.order.count;
  arena_free(scratch);
  assert(gpu_step_is_sound(s));
}
