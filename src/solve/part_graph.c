/* Kinds by partition refinement (Moore): first states differ by features, then by the kinds that
   follow, until no kind is split.  Kinds are compared by hashes; what comes out is compared
   exactly. */
#include "solve/part_graph.h"

#include "base/hash.h"

#include <stdlib.h>

typedef struct graph_maker {
  part_graph *g;
  const part_circuit *p;
  lane_stepper stepper;
  walk w;
  uint32_t bases[STORE_SHARDS]; /* what is added to a number within a shard */
  uint32_t *block;              /* states of the block that is being expanded */
  uint64_t *hashes;             /* by state */
  uint32_t *next_kind_of;
  arena *keep, *scratch;
  budget *b;
} graph_maker;

/* ---- states and steps ---- */

static uint32_t state_at(const graph_maker *x, state_place p) {
  return x->bases[p.shard] + p.number;
}

static bool take_steps(void *context, const lane_successors *batch) {
  graph_maker *x = context;
  part_graph *g = x->g;
  const uint32_t bytes = x->stepper.state_bytes;
  if (g->steps.count > UINT32_MAX / 2) return false;
  for (uint32_t i = 0; i < batch->count; i++) {
    state_place p = {0};
    const uint32_t from = x->block[batch->lanes[i]];
    store_find(&x->w.store, batch->states + (size_t)i * bytes, &p);
    const part_step step = {batch->joints[i], state_at(x, p)};
    if (!g->count[from]++) g->first[from] = g->steps.count;
    vec_push(x->keep, &g->steps, step);
  }
  return !budget_is_spent(x->b);
}

static void note_state(graph_maker *x, const lane_expander *e, uint32_t lane) {
  part_graph *g = x->g;
  const uint32_t state = x->block[lane];
  g->is_end[state] = e->look.terminal->words[lane / 64] >> lane % 64 & 1;
  for (uint32_t i = 0; i < g->feature_count; i++)
    g->features[(size_t)state * g->feature_count + i] =
        e->look.targets[i].words[lane / 64] >> lane % 64 & 1;
}

static bool expand_level(graph_maker *x, lane_expander *e, uint32_t level, uint8_t *states,
                         state_place *places) {
  for (uint64_t block = 0; block * LANES < level_size(&x->w, level); block++) {
    const uint32_t count = level_read(&x->w, level, block, states, places);
    if (budget_check_now(x->b)) return false;
    lane_expander_look(e, states, count);
    for (uint32_t i = 0; i < count; i++) {
      x->block[i] = state_at(x, places[i]);
      note_state(x, e, i);
    }
    if (!lane_expander_make_steps(e, take_steps, x)) return false;
  }
  return true;
}

static void make_room(graph_maker *x) {
  part_graph *g = x->g;
  const size_t states = (size_t)g->state_count + 1;
  g->first = arena_zero_array(x->keep, uint32_t, states);
  g->count = arena_zero_array(x->keep, uint32_t, states);
  g->is_end = arena_zero_array(x->keep, bool, states);
  g->features = arena_zero_array(x->keep, uint8_t, states * g->feature_count + 1);
  g->kind_of = arena_zero_array(x->keep, uint32_t, states);
  x->next_kind_of = arena_zero_array(x->scratch, uint32_t, states);
  x->hashes = arena_zero_array(x->scratch, uint64_t, states);
}

static bool expand_all(graph_maker *x) {
  lane_expander e;
  state_place *places = arena_new_array(x->scratch, state_place, LANES);
  uint8_t *states =
      arena_zero_array(x->scratch, uint8_t, (size_t)LANES * x->stepper.state_bytes + 8);
  arena *room = arena_new();
  bool ok = true;
  x->block = arena_new_array(x->scratch, uint32_t, LANES);
  lane_expander_init(&e, &x->stepper, room);
  for (uint32_t level = 0; level < x->w.levels.count && ok; level++)
    ok = expand_level(x, &e, level, states, places);
  arena_free(room);
  return ok;
}

static bool find_states(graph_maker *x, uint32_t threads, uint64_t max_states, diag_sink *d) {
  const walk_options o = {.threads = threads, .max_states = max_states};
  uint8_t *start = arena_zero_array(x->scratch, uint8_t, x->stepper.state_bytes + 8);
  state_place p = {0};
  if (!walk_run(&x->w, o, x->b, d) || !x->w.is_complete || walk_states(&x->w) > UINT32_MAX / 4)
    return false;
  for (uint32_t i = 0; i < STORE_SHARDS; i++) {
    x->bases[i] = x->g->state_count;
    x->g->state_count += x->w.store.shards[i].count;
  }
  lane_stepper_start(&x->stepper, start);
  store_find(&x->w.store, start, &p);
  x->g->start = state_at(x, p);
  make_room(x);
  return expand_all(x);
}

/* ---- kinds ---- */

static int by_number(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The kinds that can follow by moves that are not idle, each once, ascending. */
static void list_following(const part_graph *g, uint32_t state, id_vec *out, arena *scratch) {
  uint32_t kept = 0;
  out->count = 0;
  for (uint32_t i = 0; i < g->count[state]; i++) {
    const part_step s = g->steps.items[g->first[state] + i];
    if (s.move != g->idle) vec_push(scratch, out, g->kind_of[s.to]);
  }
  if (out->count > 1) qsort(out->items, out->count, sizeof *out->items, by_number);
  for (uint32_t i = 0; i < out->count; i++)
    if (!i || out->items[i] != out->items[kept - 1]) out->items[kept++] = out->items[i];
  out->count = kept;
}

static uint32_t idle_kind(const part_graph *g, uint32_t state) {
  const part_step *s = g->idle == CLASS_NONE ? NULL : part_graph_step(g, state, g->idle);
  return s ? g->kind_of[s->to] : ID_NONE;
}

static uint64_t hash_of_state(const void *context, uint32_t state) {
  const uint64_t *hashes = context;
  return hashes[state];
}

/* States with equal hashes are of one kind; returns how many kinds there are. */
static uint32_t number_kinds(graph_maker *x) {
  part_graph *g = x->g;
  id_table table = {0};
  arena *room = arena_new();
  uint32_t kinds = 0;
  for (uint32_t s = 0; s < g->state_count; s++) {
    id_table_reserve(&table, room, hash_of_state, x->hashes);
    uint32_t at = id_table_first(&table, x->hashes[s]);
    while (table.slots[at] != ID_NONE && x->hashes[table.slots[at]] != x->hashes[s])
      at = id_table_next(&table, at);
    if (table.slots[at] == ID_NONE) {
      id_table_put(&table, at, s);
      x->next_kind_of[s] = kinds++;
    } else
      x->next_kind_of[s] = x->next_kind_of[table.slots[at]];
  }
  memcpy(g->kind_of, x->next_kind_of, g->state_count * sizeof *g->kind_of);
  arena_free(room);
  return kinds;
}

static void hash_features(graph_maker *x) {
  const part_graph *g = x->g;
  for (uint32_t s = 0; s < g->state_count; s++)
    x->hashes[s] =
        hash_mix(hash_bytes(g->features + (size_t)s * g->feature_count, g->feature_count) +
                 g->is_end[s] + 1);
}

static void hash_following(graph_maker *x, id_vec *room) {
  const part_graph *g = x->g;
  for (uint32_t s = 0; s < g->state_count; s++) {
    list_following(g, s, room, x->scratch);
    uint64_t hash = hash_add(hash_mix(g->kind_of[s] + UINT64_C(1)), idle_kind(g, s));
    for (uint32_t i = 0; i < room->count; i++) hash = hash_add(hash, room->items[i]);
    x->hashes[s] = hash_mix(hash);
  }
}

static bool refine(graph_maker *x) {
  part_graph *g = x->g;
  id_vec room = {0};
  hash_features(x);
  for (uint32_t before = 0; g->kind_count = number_kinds(x), g->kind_count > before;) {
    before = g->kind_count;
    if (budget_check_now(x->b)) return false;
    hash_following(x, &room);
  }
  return true;
}

/* ---- the graph of kinds ---- */

static void note_kinds(graph_maker *x) {
  part_graph *g = x->g;
  id_vec room = {0};
  g->state_of = arena_new_array(x->keep, uint32_t, g->kind_count + (size_t)1);
  g->idle_kinds = arena_new_array(x->keep, uint32_t, g->kind_count + (size_t)1);
  g->kinds_from = arena_new_array(x->keep, uint32_t, g->kind_count + (size_t)1);
  for (uint32_t s = g->state_count; s-- > 0;) g->state_of[g->kind_of[s]] = s;
  for (uint32_t k = 0; k < g->kind_count; k++) {
    g->kinds_from[k] = g->kinds.count;
    g->idle_kinds[k] = idle_kind(g, g->state_of[k]);
    list_following(g, g->state_of[k], &room, x->scratch);
    vec_append(x->keep, &g->kinds, room.items, room.count);
  }
  g->kinds_from[g->kind_count] = g->kinds.count;
}

/* Is a state what its kind says? */
static bool is_of_kind(const part_graph *g, uint32_t s, id_vec *room, arena *scratch) {
  const uint32_t kind = g->kind_of[s], other = g->state_of[kind];
  const uint32_t first = g->kinds_from[kind], count = g->kinds_from[kind + 1] - first;
  const size_t width = g->feature_count;
  list_following(g, s, room, scratch);
  return g->is_end[s] == g->is_end[other] && idle_kind(g, s) == g->idle_kinds[kind] &&
         (!width || !memcmp(g->features + s * width, g->features + other * width, width)) &&
         room->count == count &&
         (!count || !memcmp(room->items, g->kinds.items + first, count * sizeof *room->items));
}

static bool kinds_are_sound(const graph_maker *x) {
  id_vec room = {0};
  for (uint32_t s = 0; s < x->g->state_count; s++)
    if (!is_of_kind(x->g, s, &room, x->scratch)) return false;
  return true;
}

static bool find_kinds(graph_maker *x) {
  if (!refine(x)) return false;
  note_kinds(x);
  return kinds_are_sound(x);
}

const part_step *part_graph_step(const part_graph *g, uint32_t state, uint32_t move) {
  for (uint32_t i = 0; i < g->count[state]; i++) {
    const part_step *s = &g->steps.items[g->first[state] + i];
    if (s->move == move) return s;
  }
  return NULL;
}

bool part_graph_make(part_graph *g, const part_circuit *p, uint32_t threads, uint64_t max_states,
                     arena *keep, budget *b, diag_sink *d) {
  graph_maker x = {.g = g, .p = p, .keep = keep, .scratch = arena_new(), .b = b};
  *g = (part_graph){.feature_count = p->features.count, .idle = p->idle};
  budget_watch(b, x.scratch);
  const bool ok =
      lane_stepper_init(&x.stepper, &p->c, lane_state_bytes(&p->c), LANE_NATIVE_MAX, x.scratch, b);
  bool is_made = false;
  if (ok) {
    walk_init(&x.w, &x.stepper, x.scratch);
    is_made = find_states(&x, threads, max_states, d) && find_kinds(&x);
    walk_free(&x.w);
    lane_stepper_free(&x.stepper);
  }
  budget_unwatch(b, x.scratch);
  arena_free(x.scratch);
  return is_made;
}
