/* Several ranks make a database: a group belongs to the rank that has its first hash, and others send
   their records of it there.  The first rank writes; the others keep their groups until it is their
   turn to send them. */
#include "solve/database_maker.h"

uint64_t maker_first_group(const maker *k, uint32_t rank) {
  if (rank == ranks_size(k->s->ranks)) return k->groups;
  const uint64_t start = hash_first(rank, ranks_size(k->s->ranks));
  const uint64_t group = hash_scale(start, k->groups);
  return group + (hash_first(group, k->groups) < start);
}

static void take_guests(void *context, uint32_t from, const uint8_t *bytes, size_t size) {
  maker *k = context;
  (void)from;
  for (size_t at = 0; at + sizeof(database_record) <= size; at += sizeof(database_record)) {
    database_record r;
    memcpy(&r, bytes + at, sizeof r);
    vec_push(k->keep, &k->guests, r);
  }
}

/* Sends the records that the thread has found of groups that others make. */
static void send_foreign(maker *k, maker_thread *t) {
  ranks *r = k->s->ranks;
  for (uint32_t i = 0; i < t->records.count; i++) {
    const database_record *it = &t->records.items[i];
    const uint64_t group = group_of_key(it->key, k->groups);
    if (group < k->first_group)
      ranks_post(r, RANK_ASK, rank_of_hash(r, hash_first(group, k->groups)), it, sizeof *it);
  }
  t->records.count = 0;
}

bool maker_exchange_guests(maker *k, maker_thread *t) {
  ranks *r = k->s->ranks;
  if (!r) return true;
  const uint64_t start = hash_first(ranks_rank(r), ranks_size(r));
  const uint64_t end = hash_first(k->first_group, k->groups);
  ranks_begin(r, RANK_ASK, take_guests, k);
  for (k->shard = shard_of_hash(start); start < end || k->first_group == k->groups; k->shard++) {
    if (k->shard == STORE_SHARDS || (end && k->shard > shard_of_hash(end - 1))) break;
    atomic_store(&k->next, 0);
    maker_read_blocks(t);
    send_foreign(k, t);
  }
  if (atomic_load(&k->is_over)) ranks_stop(r);
  return ranks_finish(r, RANK_ASK);
}

/* Groups of another rank, as they come. */
typedef struct arrival {
  maker *k;
  arena *keep;
  uint64_t first, count;
  const uint8_t **groups; /* by number from the first: a group_head and the bytes; or NULL */
} arrival;

static size_t group_size(const group_head *h) {
  return sizeof *h + h->sizes[0] + (size_t)h->sizes[1] + h->sizes[2];
}

static void take_groups(void *context, uint32_t from, const uint8_t *bytes, size_t size) {
  arrival *a = context;
  group_head h;
  (void)from;
  for (size_t at = 0; at + sizeof h <= size; at += group_size(&h)) {
    memcpy(&h, bytes + at, sizeof h);
    if (at + group_size(&h) > size || h.group - a->first >= a->count) return;
    uint8_t *copy = arena_alloc(a->keep, group_size(&h));
    memcpy(copy, bytes + at, group_size(&h));
    a->groups[h.group - a->first] = copy;
  }
}

static bool write_arrived(const arrival *a, database_writer *w) {
  for (uint64_t i = 0; i < a->count; i++) {
    group_head h;
    const uint8_t *bytes[DATABASE_COLUMNS], *next = a->groups[i];
    size_t sizes[DATABASE_COLUMNS];
    if (!next) return false;
    memcpy(&h, next, sizeof h);
    next += sizeof h;
    for (uint32_t c = 0; c < DATABASE_COLUMNS; next += sizes[c++]) {
      bytes[c] = next;
      sizes[c] = h.sizes[c];
    }
    if (!database_writer_add(w, bytes, sizes)) return false;
  }
  return true;
}

static void send_groups(maker *k) {
  group_head h;
  for (uint32_t at = 0; at < k->made.count; at += (uint32_t)group_size(&h)) {
    memcpy(&h, k->made.items + at, sizeof h);
    ranks_post(k->s->ranks, RANK_ASK, 0, k->made.items + at, group_size(&h));
  }
}

bool maker_gather_groups(maker *k, database_writer *w) {
  ranks *r = k->s->ranks;
  bool ok = true;
  for (uint32_t turn = 1; r && ok && turn < ranks_size(r); turn++) {
    arrival a = {.k = k, .keep = arena_new(), .first = maker_first_group(k, turn)};
    a.count = maker_first_group(k, turn + 1) - a.first;
    a.groups = arena_zero_array(a.keep, const uint8_t *, a.count + 1);
    ranks_begin(r, RANK_ASK, take_groups, &a);
    if (ranks_rank(r) == turn) send_groups(k);
    ok = ranks_finish(r, RANK_ASK) && (!w || write_arrived(&a, w));
    if (!ok) ranks_stop(r);
    arena_free(a.keep);
  }
  return ok;
}

bool maker_share_end(const maker *k, bool ok, database_size *size) {
  uint64_t n[1 + DATABASE_COLUMNS] = {!ok, size->bytes[0], size->bytes[1], size->bytes[2]};
  if (k->s->ranks && !ranks_sum(k->s->ranks, n, 1 + DATABASE_COLUMNS)) return false;
  memcpy(size->bytes, n + 1, sizeof size->bytes);
  return n[0] == 0;
}
