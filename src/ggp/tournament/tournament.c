#include "ggp/tournament/tournament.h"

#include "ggp/tournament/match_worker.h"

#include <poll.h>
#include <sched.h>

enum { TRIES = 2 }; /* of a match whose process fails */

/* One of the matches that are played at the same time. */
typedef struct slot {
  bool is_used;
  uint32_t match;
  match_worker worker;
} slot;

typedef struct run {
  const tournament *t;
  arena *keep;
  slot *slots;
  uint32_t slot_count;
  uint8_t *state; /* of each match: tries so far, or DONE */
  int *cores;     /* those that this process may use */
  uint32_t core_count;
  bool has_failed, cannot_write;
} run;

enum { DONE = 255 };

/* ---- cores ---- */

static void find_cores(run *r) {
  cpu_set_t set;
  CPU_ZERO(&set);
  r->cores = arena_new_array(r->keep, int, CPU_SETSIZE);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return;
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET((size_t)i, &set)) r->cores[r->core_count++] = i;
}

enum { SEAT_MAX = 64 };

/* Those of a slot, for all its seats; where there are too few, seats and slots share them. */
static const int *cores_of(const run *r, uint32_t slot_number) {
  const uint32_t each = (uint32_t)r->t->plan->cores, first = slot_number * 2 * each;
  if (!each || !r->core_count) return NULL;
  int *own = arena_new_array(r->keep, int, (size_t)SEAT_MAX *each);
  for (uint32_t i = 0; i < SEAT_MAX * each; i++) {
    const uint32_t side = i / each % 2;
    own[i] = r->cores[(first + side * each + i % each) % r->core_count];
  }
  return own;
}

/* ---- what is next ---- */

static bool needs(const planned_match *m, uint32_t player) {
  return m->first == player || m->second == player;
}

/* A player that sits elsewhere plays one match at a time. */
static bool is_engaged(const run *r, uint32_t player) {
  if (player == NO_PLAYER || !r->t->plan->players.items[player].address) return false;
  for (uint32_t i = 0; i < r->slot_count; i++)
    if (r->slots[i].is_used && needs(&r->t->matches->items[r->slots[i].match], player)) return true;
  return false;
}

static bool is_running(const run *r, uint32_t match) {
  for (uint32_t i = 0; i < r->slot_count; i++)
    if (r->slots[i].is_used && r->slots[i].match == match) return true;
  return false;
}

static uint32_t next_match(const run *r) {
  for (uint32_t i = 0; i < r->t->matches->count; i++) {
    const planned_match *m = &r->t->matches->items[i];
    if (r->state[i] < TRIES && !is_running(r, i) && !is_engaged(r, m->first) &&
        !is_engaged(r, m->second))
      return i;
  }
  return r->t->matches->count;
}

static bool is_stopped(const run *r) { return *r->t->stop || r->cannot_write; }

static void fill_slots(run *r) {
  for (uint32_t i = 0; i < r->slot_count && !is_stopped(r); i++) {
    slot *s = &r->slots[i];
    const uint32_t match = s->is_used ? r->t->matches->count : next_match(r);
    if (match == r->t->matches->count) continue;
    s->match = match;
    r->state[match]++;
    const int *cores = cores_of(r, i);
    s->is_used = match_worker_start(&s->worker, r->t->plan, &r->t->matches->items[match], cores,
                                    cores ? (uint32_t)r->t->plan->cores : 0, r->t->stop);
    if (!s->is_used) match_worker_free(&s->worker);
  }
}

/* ---- results ---- */

static void tell(const run *r, const planned_match *m, const match_row *row, const char *why) {
  if (r->t->tell) r->t->tell(r->t->context, m, row, why);
}

static void take_result(run *r, slot *s) {
  const planned_match *m = &r->t->matches->items[s->match];
  match_row row;
  const char *why;
  s->is_used = false;
  if (match_worker_end(&s->worker, r->t->plan, m, &row, &why)) {
    r->cannot_write = !tournament_store_add(r->t->store, &row);
    r->state[s->match] = DONE;
    tell(r, m, r->cannot_write ? NULL : &row, tournament_store_fault(r->t->store));
  } else if (!*r->t->stop) {
    r->has_failed = r->has_failed || r->state[s->match] >= TRIES;
    tell(r, m, NULL, why);
  }
  match_worker_free(&s->worker);
}

static uint32_t used_slots(const run *r) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->slot_count; i++) count += r->slots[i].is_used;
  return count;
}

static void await_results(run *r) {
  struct pollfd *watched = arena_new_array(r->keep, struct pollfd, r->slot_count);
  for (uint32_t i = 0; i < r->slot_count; i++)
    watched[i] =
        (struct pollfd){.fd = r->slots[i].is_used ? r->slots[i].worker.pipe : -1, .events = POLLIN};
  if (poll(watched, r->slot_count, 500) <= 0) return;
  for (uint32_t i = 0; i < r->slot_count; i++)
    if (watched[i].revents && !match_worker_read(&r->slots[i].worker)) take_result(r, &r->slots[i]);
}

/* Matches that run are told to abort; what has come of them is lost. */
static void stop_workers(run *r) {
  for (uint32_t i = 0; i < r->slot_count; i++)
    if (r->slots[i].is_used) kill(r->slots[i].worker.process, SIGTERM);
  for (uint32_t i = 0; i < r->slot_count; i++) {
    if (!r->slots[i].is_used) continue;
    while (match_worker_read(&r->slots[i].worker)) continue;
    take_result(r, &r->slots[i]);
  }
}

/* ---- the tournament ---- */

static void note_what_is_done(run *r) {
  for (uint32_t i = 0; i < r->t->matches->count; i++)
    if (tournament_store_has(r->t->store, r->t->matches->items[i].key)) r->state[i] = DONE;
}

static tabia_status status_of(const run *r) {
  if (r->cannot_write) return TABIA_UNREADABLE;
  for (uint32_t i = 0; i < r->t->matches->count; i++)
    if (r->state[i] != DONE) return *r->t->stop ? TABIA_LIMIT : TABIA_FAULTY;
  return TABIA_OK;
}

tabia_status tournament_run(const tournament *t, arena *keep) {
  run r = {.t = t,
           .keep = keep,
           .slot_count = (uint32_t)t->plan->matches,
           .slots = arena_zero_array(keep, slot, t->plan->matches),
           .state = arena_zero_array(keep, uint8_t, t->matches->count + 1)};
  find_cores(&r);
  note_what_is_done(&r);
  fill_slots(&r);
  while (used_slots(&r) && !is_stopped(&r)) {
    const arena_mark mark = arena_save(keep);
    await_results(&r);
    arena_restore(keep, mark);
    fill_slots(&r);
  }
  stop_workers(&r);
  return status_of(&r);
}
