/* Shard by shard, which is in the order of keys: threads look at the states of a shard and make
   records of them; these are spread over groups; threads make the groups; they are written.  The
   last group of a shard waits for the rest of it in the next. */
#include "solve/database_maker.h"

#include "search/team.h"
#include "solve/state_key.h"

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

static void take_values(void *context, uint32_t from, const uint8_t *bytes, size_t size) {
  maker *k = context;
  const size_t each = k->table.roles * sizeof(double);
  double *values = arena_new_array(k->keep, double, k->table.roles);
  (void)from;
  for (size_t at = 0; at + each <= size; at += each) {
    memcpy(values, bytes + at, each);
    value_table_add(&k->table, values);
  }
}

/* Every rank gets the values of all. */
static bool share_values(maker *k) {
  ranks *r = k->s->ranks;
  if (!r) return true;
  const uint32_t count = k->table.items.count, roles = k->table.roles;
  double *values = arena_new_array(k->keep, double, count + 1);
  if (count) memcpy(values, k->table.items.items, count * sizeof *values);
  ranks_begin(r, RANK_ASK, take_values, k);
  for (uint32_t to = 0; to < ranks_size(r); to++)
    for (uint32_t i = 0; i < count && to != ranks_rank(r); i += roles)
      ranks_post(r, RANK_ASK, to, values + i, roles * sizeof *values);
  return ranks_finish(r, RANK_ASK);
}

/* All values that there are.  False: too many, or the budget is spent. */
static bool list_values(maker *k) {
  const uint32_t roles = k->s->m->role_count;
  double *values = arena_zero_array(k->keep, double, roles);
  uint16_t steps;
  value_table_init(&k->table, roles, k->keep);
  for (uint32_t part = 0; part < space_part_count(k->s); part++)
    for (uint32_t n = 0; n < space_part_size(k->s, part); n++) {
      read_values(k, (state_place){part, n}, values, &steps);
      value_table_add(&k->table, values);
      if (value_table_count(&k->table) > DATABASE_VALUES_MAX / 2) return false;
      if (budget_is_spent(k->limits)) return false;
    }
  if (!share_values(k)) return false;
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

static void add_records(maker_thread *t, const uint8_t *states, uint32_t count) {
  lane_expander_look(&t->e, states, count);
  for (uint32_t i = 0; i < count; i++)
    if (!is_end_lane(&t->e, i)) add_record(t, states + (size_t)i * t->k->s->stepper.state_bytes, i);
}

static void read_block(maker_thread *t, uint32_t first) {
  const state_store *store = &t->k->s->w.store;
  const uint32_t shard = t->k->shard, left = store->shards[shard].count - first;
  const uint32_t count = left < LANES ? left : LANES;
  for (uint32_t i = 0; i < count; i++) t->places[i] = (state_place){shard, first + i};
  add_records(t, store_state(store, (state_place){shard, first}), count);
}

/* Of ranks, which keep their states by level. */
static void read_levels(maker_thread *t) {
  const level_walk *w = &t->k->s->spread;
  const uint8_t *states;
  uint32_t count;
  for (uint64_t first = 0;
       (count = level_walk_shard_read(w, t->k->shard, first, &states, t->places)) > 0;
       first += count) {
    if (budget_check_now(&t->limits)) {
      atomic_store(&t->k->is_over, true);
      return;
    }
    add_records(t, states, count);
  }
}

void maker_read_blocks(void *thread) {
  maker_thread *t = thread;
  maker *k = t->k;
  if (k->s->ranks) {
    read_levels(t);
    return;
  }
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
      atomic_store(&k->has_collision, true);
  }
}

static uint64_t group_in_shard(const maker *k, hash_key key) {
  return group_of_key(key, k->groups) - k->first_group;
}

/* The first group that the next shard has states of. */
static uint64_t end_of_shard(const maker *k) {
  if (k->shard + 1 == STORE_SHARDS || k->first_group == k->end_group) return k->end_group;
  uint64_t end = group_of_key((hash_key){((uint64_t)k->shard + 1) << 58, 0}, k->groups);
  if (end >= k->end_group) end = k->end_group - 1; /* which waits for its guests */
  return end > k->first_group ? end : k->first_group;
}

static void count_records(uint32_t *counts, const maker *k, const record_vec *records) {
  for (uint32_t i = 0; i < records->count; i++) counts[group_in_shard(k, records->items[i].key)]++;
}

static void spread(const record_vec *from, const maker *k, uint32_t *next, database_record *to) {
  for (uint32_t i = 0; i < from->count; i++)
    to[next[group_in_shard(k, from->items[i].key)]++] = from->items[i];
}

/* Leaves out what another rank makes. */
static void drop_foreign(const maker *k, record_vec *records) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < records->count; i++)
    if (group_of_key(records->items[i].key, k->groups) >= k->first_group)
      records->items[kept++] = records->items[i];
  records->count = kept;
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

static void keep_groups(maker *k) {
  for (uint32_t i = 0; i < k->group_count; i++) {
    group_head h = {.group = k->first_group + i};
    for (uint32_t c = 0; c < DATABASE_COLUMNS; c++) h.sizes[c] = k->built[i].columns[c].count;
    vec_append(k->keep, &k->made, (const uint8_t *)&h, sizeof h);
    for (uint32_t c = 0; c < DATABASE_COLUMNS; c++)
      vec_append(k->keep, &k->made, k->built[i].columns[c].items, h.sizes[c]);
  }
}

static bool write_groups(maker *k, database_writer *w) {
  if (!w) {
    keep_groups(k);
    return true;
  }
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
  team_run(threads, sizeof *threads, k->s->threads, maker_read_blocks);
  if (atomic_load(&k->is_over)) return false;
  for (uint32_t i = 0; i < k->s->threads; i++) drop_foreign(k, &threads[i].records);
  if (k->shard + 1 == STORE_SHARDS)
    vec_append(threads[0].keep, &threads[0].records, k->guests.items, k->guests.count);
  sort_records(k, threads, now);
  atomic_store(&k->next, 0);
  team_run(threads, sizeof *threads, k->s->threads, build_groups);
  const bool ok =
      !atomic_load(&k->is_over) && !atomic_load(&k->has_collision) && write_groups(k, w);
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
                         .keys = k->s->states - k->s->ends,
                         .groups = k->groups,
                         .others = k->s->ends,
                         .roles = k->s->m->role_count,
                         .value_count = value_table_count(&k->table),
                         .has_steps = k->v.has_steps};
}

/* ---- all of it ---- */

static bool make_and_write(maker *k, maker_thread *threads, const char *folder, database_size *size,
                           diag_sink *d) {
  database_writer w;
  const bool writes = !k->s->ranks || ranks_rank(k->s->ranks) == 0;
  const database_head head = head_of(k);
  bool ok = !writes || database_writer_begin(&w, folder, &head, k->keep, d);
  ok = ok && maker_exchange_guests(k, threads) && make_shards(k, threads, writes ? &w : NULL);
  if (!ok && k->s->ranks) ranks_stop(k->s->ranks);
  ok = ok && maker_gather_groups(k, writes ? &w : NULL);
  if (writes) ok = database_writer_end(&w, k->table.items.items, ok);
  *size = (database_size){.keys = head.keys};
  if (writes) memcpy(size->bytes, w.head.bytes, sizeof size->bytes);
  return maker_share_end(k, ok, size);
}

static bool write_all(maker *k, const char *folder, database_size *size, diag_sink *d) {
  maker_thread *threads = arena_new_array(k->keep, maker_thread, k->s->threads);
  for (uint32_t i = 0; i < k->s->threads; i++) thread_init(&threads[i], k);
  const bool ok = make_and_write(k, threads, folder, size, d);
  for (uint32_t i = 0; i < k->s->threads; i++) {
    arena_free(threads[i].bytes);
    arena_free(threads[i].keep);
  }
  return ok;
}

bool database_make(const char *folder, solve_space *s, const uint32_t *choosers, state_values v,
                   database_size *size, const char **reason, budget *b, diag_sink *d) {
  maker k = {.s = s, .v = v, .choosers = choosers, .keep = arena_new(), .limits = b};
  k.end_group = k.groups = hash_groups(s->states - s->ends);
  if (s->ranks) {
    k.first_group = maker_first_group(&k, ranks_rank(s->ranks));
    k.end_group = maker_first_group(&k, ranks_rank(s->ranks) + 1);
  }
  const bool is_listed = list_values(&k);
  const bool ok = is_listed && write_all(&k, folder, size, d);
  if (!is_listed && !budget_check_now(b)) *reason = "there are too many different values";
  if (atomic_load(&k.has_collision)) *reason = "two states have the same hash";
  arena_free(k.keep);
  return ok;
}
