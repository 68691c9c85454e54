#include "symmetry/state_group.h"

#include "base/hash.h"

#include <string.h>

/* Bytes of the tables of all elements together, and what a state may have where there is more than
   one. */
enum { PARTS_MAX = 1 << 26, WORDS_MAX = 192 };

/* Symmetries are looked for in at most so much of the time that is left, and so many seconds. */
static const double search_part = 0.1, search_seconds = 10;

/* Where latches go: the number of a latch, times two, plus one where it is negated. */
typedef struct element_set {
  uint32_t latches, most;
  VEC(uint32_t) images; /* one element behind another */
  uint32_t count;
  id_table table;
} element_set;

/* ---- a generator ---- */

static const circuit_fluent *image_fluent(const circuit *c, const symmetry *s, uint32_t fluent) {
  return &c->fluents.items[s->fluents[fluent]];
}

/* False: the circuit has merged fluents in a way that the symmetry does not keep. */
static bool latch_images(const circuit *c, const symmetry *s, uint32_t *images) {
  for (uint32_t i = 0; i < c->latches.count; i++) {
    const uint32_t fluent = c->latches.items[i].fluent;
    const wire from = c->fluents.items[fluent].now, to = image_fluent(c, s, fluent)->now;
    if (wire_is_constant(to)) return false;
    images[i] = c->gates.items[wire_gate(to)].number << 1 | ((from ^ to) & 1);
  }
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    const wire from = c->fluents.items[i].now, to = image_fluent(c, s, i)->now;
    if (wire_is_constant(from) && from != to) return false;
    if (wire_is_constant(from)) continue;
    const uint32_t image = images[c->gates.items[wire_gate(from)].number] ^ (from & 1);
    if (wire_is_constant(to) || image != (c->gates.items[wire_gate(to)].number << 1 | (to & 1)))
      return false;
  }
  return true;
}

/* ---- a group ---- */

static uint64_t hash_of_element(const void *context, uint32_t id) {
  const element_set *e = context;
  return hash_ids(e->images.items + (size_t)id * e->latches, e->latches);
}

/* False: there are too many. */
static bool add_element(element_set *e, const uint32_t *images, arena *keep) {
  const uint64_t hash = hash_ids(images, e->latches);
  id_table_reserve(&e->table, keep, hash_of_element, e);
  uint32_t at = id_table_first(&e->table, hash);
  for (; e->table.slots[at] != ID_NONE; at = id_table_next(&e->table, at))
    if (memcmp(e->images.items + (size_t)e->table.slots[at] * e->latches, images,
               e->latches * sizeof *images) == 0)
      return true;
  if (e->count == e->most) return false;
  id_table_put(&e->table, at, e->count++);
  vec_append(keep, &e->images, images, e->latches);
  return true;
}

/* All products of the generators.  False: there are too many. */
static bool generate(element_set *e, const id_vec *generators, arena *keep) {
  const uint32_t n = e->latches;
  uint32_t *product = arena_new_array(keep, uint32_t, n + (size_t)1);
  for (uint32_t i = 0; i < n; i++) product[i] = i << 1;
  bool has_room = add_element(e, product, keep);
  for (uint32_t i = 0; i < e->count && has_room; i++)
    for (uint32_t k = 0; k * n < generators->count && has_room; k++) {
      for (uint32_t at = 0; at < n; at++) {
        const uint32_t image = e->images.items[(size_t)i * n + at];
        product[at] = generators->items[(size_t)k * n + (image >> 1)] ^ (image & 1);
      }
      has_room = add_element(e, product, keep);
    }
  return has_room;
}

/* The group of the generators, without those that would make it too large. */
static element_set group_of(state_group *g, const symmetries *s, const ground_program *rules,
                            const circuit *c, arena *scratch) {
  const uint32_t n = c->latches.count;
  const size_t bytes = (size_t)g->words * g->state_bytes * 2 * 16 * sizeof *g->parts;
  const size_t most = g->words > WORDS_MAX ? 1 : PARTS_MAX / (bytes + 1) + 1;
  element_set best = {.latches = n, .most = 1};
  id_vec generators = {0};
  uint32_t *images = arena_new_array(scratch, uint32_t, n + (size_t)1);
  generate(&best, &generators, scratch);
  for (uint32_t i = 0; i < s->items.count; i++) {
    if (symmetry_fixes_states(rules, &s->items.items[i])) continue;
    element_set larger = {.latches = n, .most = most < STATE_GROUP_MAX ? most : STATE_GROUP_MAX};
    const bool is_good = latch_images(c, &s->items.items[i], images);
    if (is_good) vec_append(scratch, &generators, images, n);
    if (is_good && generate(&larger, &generators, scratch))
      best = larger;
    else
      g->is_whole = false;
    if (is_good && best.count != larger.count) generators.count -= n;
  }
  return best;
}

/* ---- tables ---- */

static void fill_parts(state_group *g, uint32_t element, const uint32_t *images, uint32_t latches) {
  const size_t halves = (size_t)g->state_bytes * 2;
  uint64_t *parts = g->parts + (size_t)(element - 1) * halves * 16 * g->words;
  uint64_t *constants = g->constants + (size_t)(element - 1) * g->words;
  for (uint32_t latch = 0; latch < latches; latch++) {
    const uint32_t to = images[latch] >> 1;
    if (images[latch] & 1) constants[to / 64] ^= UINT64_C(1) << to % 64;
    for (uint32_t value = 0; value < 16; value++)
      if (value >> latch % 4 & 1)
        parts[((size_t)(latch / 4) * 16 + value) * g->words + to / 64] ^= UINT64_C(1) << to % 64;
  }
}

/* The symmetries are those of the ground program that the circuit was built from, and keep
   roles. */
static void state_group_make(state_group *g, const symmetries *s, const ground_program *rules,
                             const circuit *c, uint32_t state_bytes, arena *keep) {
  *g = (state_group){.is_whole = s->is_whole, .state_bytes = state_bytes};
  g->words = (state_bytes + 7) / 8;
  arena *scratch = arena_new();
  const element_set e = group_of(g, s, rules, c, scratch);
  const size_t others = e.count - 1;
  g->order = e.count;
  g->parts = arena_zero_array(keep, uint64_t, others * state_bytes * 2 * 16 * g->words + 1);
  g->constants = arena_zero_array(keep, uint64_t, others * g->words + 1);
  for (uint32_t i = 1; i < e.count; i++)
    fill_parts(g, i, e.images.items + (size_t)i * e.latches, e.latches);
  arena_free(scratch);
}

void state_group_find(state_group *g, const ground_program *rules, const circuit *c,
                      uint32_t state_bytes, arena *keep, budget *b) {
  symmetries found;
  arena *scratch = arena_new();
  const double left = budget_seconds_left(b) * search_part;
  budget part = budget_part(b, left < search_seconds ? left : search_seconds);
  symmetries_find(&found, rules, false, scratch, &part);
  state_group_make(g, &found, rules, c, state_bytes, keep);
  arena_free(scratch);
}

/* ---- images ---- */

static void make_image(const state_group *g, uint32_t element, const uint8_t *state,
                       uint64_t *image) {
  const uint64_t *part = g->parts + (size_t)(element - 1) * g->state_bytes * 2 * 16 * g->words;
  memcpy(image, g->constants + (size_t)(element - 1) * g->words, g->words * sizeof *image);
  for (uint32_t i = 0; i < g->state_bytes; i++, part += (size_t)2 * 16 * g->words) {
    const uint64_t *low = part + (size_t)(state[i] & 15) * g->words;
    const uint64_t *high = part + (size_t)(16 + (state[i] >> 4)) * g->words;
    for (uint32_t word = 0; word < g->words; word++) image[word] ^= low[word] ^ high[word];
  }
}

static int compare(const uint64_t *a, const uint64_t *b, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

void state_group_reduce(const state_group *g, uint8_t *states, uint32_t count) {
  uint64_t least[WORDS_MAX], image[WORDS_MAX];
  if (g->order == 1) return;
  assert(g->words && g->words <= WORDS_MAX);
  for (uint8_t *state = states; count-- > 0; state += g->state_bytes) {
    least[g->words - 1] = 0;
    memcpy(least, state, g->state_bytes);
    for (uint32_t i = 1; i < g->order; i++) {
      make_image(g, i, state, image);
      if (compare(image, least, g->words) < 0) memcpy(least, image, g->words * sizeof *least);
    }
    memcpy(state, least, g->state_bytes);
  }
}

uint32_t state_group_images(const state_group *g, const uint8_t *state) {
  uint64_t whole[WORDS_MAX], image[WORDS_MAX];
  uint32_t fixing = 1;
  if (g->order == 1) return 1;
  whole[g->words - 1] = 0;
  memcpy(whole, state, g->state_bytes);
  for (uint32_t i = 1; i < g->order; i++) {
    make_image(g, i, state, image);
    fixing += compare(image, whole, g->words) == 0;
  }
  return g->order / fixing;
}
