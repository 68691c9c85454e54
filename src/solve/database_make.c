/* Shard by shard, which is in the order of keys: threads look at the states of a shard and make
   records of them; these are spread over groups; threads make the groups; they are written.  The
   last group of a shard waits for the rest of it in the next. */
#include "solve/database_make.h"

#include "database/database_writer.h"
#include "search/team.h"
#include "solve/state_key.h"
#include "solve/value_table.h"

typedef VEC(database_record) record_vec;

/* What threads share. */
typedef struct maker {
  solve_space *s;
  state_values v;
  const uint32_t *choosers;
  value_table table;
  uint16_t *swapped; /* by value: its place with the choosers changed round */
  uint64_t groups;
  arena *keep;
  budget *limits;
  uint32_t shard;
  record_vec records;    /* of the shard, by group, and the one before them that is not whole */
  uint64_t first_group;  /* of `records` */
  uint32_t group_count;  /* that are whole */
  uint32_t *starts;      /* by group, in `records`; one more than there are */
  database_group *built; /* by group */
  atomic_uint_fast64_t next;
  atomic_bool is_over, has_twins; /* two states with one key */
} maker;

typedef struct maker_thread {
  maker *k;
  arena *keep;  /* lasts */
  arena *bytes; /* of groups, for one shard */
  lane_expander e;
  state_place *places;
  double *values;
  record_vec records;
  budget limits;
} maker_thread;

/* ---- values ---- */

static void read_values(const maker *k, state_place p, double *values, uint16_t *steps) {
  k->v.read(k->v.context, p, values, steps);
  for (uint32_t role = 0; role < k->s->m->role_count; role++) values[role] += 0.0; /* no -0 */
}

static void fill_swapped(maker *k) {
  const uint32_t count = value_table_count(&k->table), roles = k->table.roles;
  double *values = arena_new_array(k->keep, double, roles);
  k->swapped = arena_new_array(k->keep, uint16_t, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    memcpy(values, value_table_at(&k->table, i), roles * sizeof *values);
    values[k->choosers[0]] = value_table_at(&k->table, i)[k->choosers[1]];
    values[k->choosers[1]] = value_table_at(&k->table, i)[k->choosers[0]];
    k->swapped[i] = (uint16_t)value_table_place(&k->table, values);
  }
}

/* All values that there are.  False: too many, or the budget is spent. */
static bool list_values(maker *k) {
  const uint32_t roles = k->s->m->role_count;
  double *values = arena_zero_array(k->keep, double, roles);
  uint16_t steps;
  value_table_init(&k->table, roles, k->keep);
  for (uint32_t shard = 0; shard < STORE_SHARDS; shard++)
    for (uint32_t n = 0; n < k->s->w.store.shards[shard].count; n++) {
      read_values(k, (state_place){shard, n}, values, &steps);
      value_table_add(&k->table, values);
      if (value_table_count(&k->table) > DATABASE_VALUES_MAX / 2) return false;
      if (budget_is_spent(k->limits)) return false;
    }
  if (k->s->choosers == 2) value_table_close_under_swap(&k->table, k->choosers[0], k->choosers[1]);
  value_table_sort(&k->table);
  if (k->s->choosers == 2) fill_swapped(k);
  return true;
}

/* ---- records ---- */

static void add_record(maker_thread *t, const uint8_t *state, uint32_t lane) {
  const maker *k = t->k;
  uint32_t mover;
  database_record r = {.key = key_of_state(state, k->s->stepper.state_bytes)};
  read_values(k, t->places[lane], t->values, &r.steps);
  r.value = (uint16_t)value_table_place(&k->table, t->values);
  if (k->s->choosers == 2 && lane_expander_is_open(&t->e, lane) &&
      choosers_in_lane(k->s, &t->e, lane, &mover) == 1 && mover == k->choosers[1])
    r.value = k->swapped[r.value];
  vec_push(t->keep, &t->records, r);
}

static void read_block(maker_thread *t, uint32_t first) {
  const state_store *store = &t->k->s->w.store;
  const uint32_t shard = t->k->shard, left = store->shards[shard].count - first;
  const uint32_t count = left < LANES ? left : LANES, bytes = store->state_bytes;
  const uint8_t *states = store_state(store, (state_place){shard, first});
  for (uint32_t i = 0; i < count; i++) t->places[i] = (state_place){shard, first + i};
  lane_expander_look(&t->e, states, count);
  for (uint32_t i = 0; i < count; i++)
    if (!is_end_lane(&t->e, i)) add_record(t, states + (size_t)i * bytes, i);
}

static void read_blocks(void *thread) {
  maker_thread *t = thread;
  maker *k = t->k;
  for (;;) {
    if (budget_check_now(&t->limits)) atomic_store(&k->is_over, true);
    const uint64_t first = atomic_fetch_add(&k->next, LANES);
    if (first >= k->s->w.store.shards[k->shard].count || atomic_load(&k->is_over)) return;
    read_block(t, (uint32_t)first);
  }
}

/* ---- groups ---- */

static void build_groups(void *thread) {
  maker_thread *t = thread;
  maker *k = t->k;
  for (;;) {
    if (budget_check_now(&t->limits)) atomic_store(&k->is_over, true);
    const uint64_t i = atomic_fetch_add(&k->next, 1);
    if (i >= k->group_count || atomic_load(&k->is_over)) return;
    if (!database_group_build(&k->built[i], k->records.items + k->starts[i],
                              k->starts[i + 1] - k->starts[i], k->groups, k->v.has_steps, t->bytes))
      atomic_store(&k->has_twins, true);
  }
}

static uint64_t group_in_shard(const maker *k, hash_key key) {
  return group_of_key(key, k->groups) - k->first_group;
}

/* The first group that the next shard has states of. */
static uint64_t end_of_shard(const maker *k) {
  if (k->shard + 1 == STORE_SHARDS) return k->groups;
  return group_of_key((hash_key){((uint64_t)k->shard + 1) << 58, 0}, k->groups);
}

static void count_records(uint32_t *counts, const maker *k, const record_vec *records) {
  for (uint32_t i = 0; i < records->count; i++) counts[group_in_shard(k, records->items[i].key)]++;
}

static void spread(const record_vec *from, const maker *k, uint32_t *next, database_record *to) {
  for (uint32_t i = 0; i < from->count; i++)
    to[next[group_in_shard(k, from->items[i].key)]++] = from->items[i];
}

/* Puts what threads have found and what was left over in the order of groups, in `keep`. */
static void sort_records(maker *k, maker_thread *threads, arena *keep) {
  const uint64_t groups = end_of_shard(k) - k->first_group;
  uint32_t *next = arena_zero_array(keep, uint32_t, groups + 2);
  k->starts = arena_zero_array(keep, uint32_t, groups + 3);
  count_records(next, k, &k->records);
  for (uint32_t i = 0; i < k->s->threads; i++) count_records(next, k, &threads[i].records);
  for (uint64_t g = 0; g <= groups; g++) {
    k->starts[g + 1] = k->starts[g] + next[g];
    next[g] = k->starts[g];
  }
  record_vec all = {.count = k->starts[groups + 1], .capacity = k->starts[groups + 1]};
  all.items = arena_new_array(keep, database_record, all.count + 1);
  spread(&k->records, k, next, all.items);
  for (uint32_t i = 0; i < k->s->threads; i++) {
    spread(&threads[i].records, k, next, all.items);
    threads[i].records.count = 0;
  }
  k->records = all;
  k->group_count = (uint32_t)groups;
  k->built = arena_zero_array(keep, database_group, groups + 1);
}

/* ---- writing ---- */

static bool write_groups(maker *k, database_writer *w) {
  for (uint32_t i = 0; i < k->group_count; i++) {
    const uint8_t *bytes[DATABASE_COLUMNS];
    size_t sizes[DATABASE_COLUMNS];
    for (uint32_t c = 0; c < DATABASE_COLUMNS; c++) {
      bytes[c] = k->built[i].columns[c].items;
      sizes[c] = k->built[i].columns[c].count;
    }
    if (!database_writer_add(w, bytes, sizes)) return false;
  }
  return true;
}

/* The group that is not whole, in `keep`. */
static void keep_rest(maker *k, arena *keep) {
  record_vec rest = {0};
  const uint32_t first = k->starts[k->group_count];
  vec_append(keep, &rest, k->records.items + first, k->records.count - first);
  k->records = rest;
  k->first_group += k->group_count;
}

static bool make_shard(maker *k, maker_thread *threads, arena *now, database_writer *w) {
  atomic_store(&k->next, 0);
  team_run(threads, sizeof *threads, k->s->threads, read_blocks);
  if (atomic_load(&k->is_over)) return false;
  sort_records(k, threads, now);
  atomic_store(&k->next, 0);
  team_run(threads, sizeof *threads, k->s->threads, build_groups);
  const bool ok = !atomic_load(&k->is_over) && !atomic_load(&k->has_twins) && write_groups(k, w);
  for (uint32_t i = 0; i < k->s->threads; i++) arena_clear(threads[i].bytes);
  return ok;
}

/* What waits for the next shard lies in the arena that this shard does not use. */
static bool make_shards(maker *k, maker_thread *threads, database_writer *w) {
  arena *arenas[2] = {arena_new(), arena_new()};
  bool ok = true;
  for (k->shard = 0; k->shard < STORE_SHARDS && ok; k->shard++) {
    arena *now = arenas[k->shard % 2], *next = arenas[(k->shard + 1) % 2];
    ok = make_shard(k, threads, now, w);
    arena_clear(next);
    if (ok) keep_rest(k, next);
    progress_tell(k->limits->progress, k->shard + 1, STORE_SHARDS, "parts of the database");
  }
  arena_free(arenas[1]);
  arena_free(arenas[0]);
  return ok;
}

static void thread_init(maker_thread *t, maker *k) {
  *t = (maker_thread){.k = k, .keep = arena_new(), .bytes = arena_new()};
  t->limits = budget_share(k->limits, k->s->threads);
  t->limits.max_bytes = 0;
  lane_expander_init(&t->e, &k->s->stepper, t->keep);
  t->places = arena_new_array(t->keep, state_place, LANES);
  t->values = arena_zero_array(t->keep, double, k->s->m->role_count);
}

static database_head head_of(const maker *k) {
  return (database_head){.fingerprint = game_fingerprint(k->s->g, k->keep),
                         .keys = walk_states(&k->s->w) - k->s->ends,
                         .groups = k->groups,
                         .others = k->s->ends,
                         .roles = k->s->m->role_count,
                         .value_count = value_table_count(&k->table),
                         .has_steps = k->v.has_steps};
}

static bool write_all(maker *k, const char *folder, database_size *size, diag_sink *d) {
  database_writer w;
  const database_head head = head_of(k);
  maker_thread *threads = arena_new_array(k->keep, maker_thread, k->s->threads);
  for (uint32_t i = 0; i < k->s->threads; i++) thread_init(&threads[i], k);
  bool ok = database_writer_begin(&w, folder, &head, k->keep, d) && make_shards(k, threads, &w);
  ok = database_writer_end(&w, k->table.items.items, ok);
  for (uint32_t i = 0; i < k->s->threads; i++) {
    arena_free(threads[i].bytes);
    arena_free(threads[i].keep);
  }
  *size = (database_size){.keys = head.keys};
  memcpy(size->bytes, w.head.bytes, sizeof size->bytes);
  return ok;
}

bool database_make(const char *folder, solve_space *s, const uint32_t *choosers, state_values v,
                   database_size *size, const char **reason, budget *b, diag_sink *d) {
  maker k = {.s = s, .v = v, .choosers = choosers, .keep = arena_new(), .limits = b};
  k.groups = hash_groups(walk_states(&s->w) - s->ends);
  const bool is_listed = list_values(&k);
  const bool ok = is_listed && write_all(&k, folder, size, d);
  if (!is_listed && !budget_check_now(b)) *reason = "there are too many different values";
  if (atomic_load(&k.has_twins)) *reason = "two states have the same hash";
  arena_free(k.keep);
  return ok;
}
