#include "prove/explicit/seek_steps.h"

/* Of more latches a name is hardly a counter; and what cannot be reached is that far. */
enum { MOST_OF_NAME = 256, FAR = 1000 };

/* ---- names ---- */

static uint32_t name_of_latch(const circuit *c, uint32_t latch) {
  return term_get(c->terms, c->fluents.items[c->latches.items[latch].fluent].term)->name;
}

static void find_names(seek_steps *s, const circuit *c, arena *keep) {
  id_vec symbols = {0};
  for (uint32_t l = 0; l < c->latches.count; l++) {
    const uint32_t symbol = name_of_latch(c, l);
    uint32_t n = 0;
    while (n < symbols.count && symbols.items[n] != symbol) n++;
    if (n == symbols.count) {
      const seek_name fresh = {0};
      vec_push(keep, &symbols, symbol);
      vec_push(keep, &s->names, fresh);
    }
    s->name_of[l] = n;
    s->place_of[l] = s->names.items[n].latches.count;
    vec_push(keep, &s->names.items[n].latches, l);
  }
}

/* ---- steps ---- */

/* One step from each latch that the value after a step depends on. */
static void note_single_steps(seek_name *n, const circuit *c, uint32_t to, arena *scratch) {
  const arena_mark mark = arena_save(scratch);
  const uint32_t count = n->latches.count;
  const wire next = c->latches.items[n->latches.items[to]].next;
  const bitset in = gates_behind(c, next, ID_NONE, scratch);
  for (uint32_t from = 0; from < count; from++)
    if (bitset_has(in, c->latches.items[n->latches.items[from]].gate))
      n->steps[from * count + to] = 1;
  arena_restore(scratch, mark);
}

/* Floyd and Warshall. */
static void close_steps(seek_name *n) {
  const uint32_t count = n->latches.count;
  for (uint32_t by = 0; by < count; by++)
    for (uint32_t from = 0; from < count; from++)
      for (uint32_t to = 0; to < count; to++) {
        const uint32_t around = n->steps[from * count + by] + n->steps[by * count + to];
        if (around < n->steps[from * count + to]) n->steps[from * count + to] = (uint16_t)around;
      }
}

static void measure_name(seek_name *n, const circuit *c, arena *keep, arena *scratch) {
  const uint32_t count = n->latches.count;
  if (count > MOST_OF_NAME) return;
  n->steps = arena_new_array(keep, uint16_t, (size_t)count * count + 1);
  for (uint32_t i = 0; i < count * count; i++) n->steps[i] = FAR;
  for (uint32_t i = 0; i < count; i++) note_single_steps(n, c, i, scratch);
  close_steps(n);
}

void seek_steps_init(seek_steps *s, const circuit *c, arena *keep) {
  arena *scratch = arena_new();
  *s = (seek_steps){0};
  s->name_of = arena_new_array(keep, uint32_t, (size_t)c->latches.count + 1);
  s->place_of = arena_new_array(keep, uint32_t, (size_t)c->latches.count + 1);
  find_names(s, c, keep);
  for (uint32_t n = 0; n < s->names.count; n++) measure_name(&s->names.items[n], c, keep, scratch);
  arena_free(scratch);
}

uint32_t seek_steps_to(const seek_steps *s, uint32_t latch, const uint8_t *state) {
  const seek_name *n = &s->names.items[s->name_of[latch]];
  if (state_has(state, latch)) return 0;
  if (!n->steps) return 1;
  uint32_t least = FAR;
  for (uint32_t i = 0; i < n->latches.count; i++)
    if (state_has(state, n->latches.items[i])) {
      const uint32_t steps = n->steps[i * n->latches.count + s->place_of[latch]];
      if (steps < least) least = steps;
    }
  return least == FAR ? 1 : least;
}
