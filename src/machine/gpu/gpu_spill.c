#include "machine/gpu/gpu_spill.h"

#include "base/sort.h"
#include "machine/gpu/gpu_step_sound.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NEVER UINT32_MAX

/* The time for which a value needs its slot, and how often it is asked for. */
typedef struct residence {
  uint32_t first, end, accesses; /* instructions; end is included */
} residence;

typedef struct planner {
  const gpu_step *s;
  gpu_spill *x;
  arena *scratch;
  uint32_t registers;
  /* uses of values, ascending: instructions, and the end of a loop that asks for the value again */
  uint32_t *first_use; /* by value and one more: in `uses` */
  uint32_t *uses;
  uint32_t *next;          /* by value: in `uses` */
  uint32_t *latch_of;      /* by value: the latch that it is the next value of; ID_NONE */
  uint32_t *defined;       /* by value: the instruction that gives it first; 0 for latches */
  bool *is_of_one;         /* by value: it is the next value of one latch alone */
  id_vec held;             /* values in registers */
  uint32_t *place;         /* by value: in `held`; ID_NONE: it is not */
  bool *is_saved;          /* by value: its slot has it */
  bool *was_held;          /* by value: scratch of loops */
  residence *slots;        /* by value */
  uint32_t *operation;     /* by value: what computes it again; ID_NONE */
  uint32_t at;             /* the instruction under way */
  id_vec loop_held;        /* values in registers at the head of the loop under way */
  uint32_t loop, loop_end; /* the loop under way: first and last instruction; 0: there is none */
} planner;

/* ---- when a value is needed ---- */

static void find_definitions(planner *p) {
  p->defined = arena_zero_array(p->scratch, uint32_t, p->s->value_count);
  for (uint32_t i = 0; i < p->s->all.count; i++) {
    const gpu_instruction *it = &p->s->all.items[i];
    for (uint32_t k = 0; k < it->out_count && it->kind != GPU_SETTLE; k++)
      p->defined[gpu_outs(p->s, it)[k]] = i;
  }
}

static uint32_t loop_end_from(const gpu_step *s, uint32_t i) {
  while (s->all.items[i].kind != GPU_REPEAT) i++;
  return i;
}

/* Calls for each use: by an instruction, and by the next round of the loop that it is in. */
static void each_use(const planner *p, uint32_t *count, bool is_filled) {
  uint32_t loop = NEVER, loop_end = 0;
  for (uint32_t i = 0; i < p->s->all.count; i++) {
    const gpu_instruction *it = &p->s->all.items[i];
    if (it->kind == GPU_LOOP) loop = i, loop_end = loop_end_from(p->s, i);
    if (it->kind == GPU_REPEAT) loop = NEVER;
    for (uint32_t k = 0; k < it->in_count; k++) {
      const value_id v = gpu_ins(p->s, it)[k];
      if (is_filled) p->uses[count[v]] = i;
      count[v]++;
      if (loop == NEVER || p->defined[v] > loop) continue;
      if (is_filled) p->uses[count[v]] = loop_end;
      count[v]++;
    }
  }
}

static void find_uses(planner *p) {
  const uint32_t values = p->s->value_count;
  uint32_t *count = arena_zero_array(p->scratch, uint32_t, values + 1);
  each_use(p, count, false);
  p->first_use = arena_new_array(p->scratch, uint32_t, values + 1);
  uint32_t sum = 0;
  for (value_id v = 0; v < values; v++) {
    p->first_use[v] = sum;
    sum += count[v];
    count[v] = p->first_use[v];
  }
  p->first_use[values] = sum;
  p->uses = arena_new_array(p->scratch, uint32_t, sum + 1);
  each_use(p, count, true);
  for (value_id v = 0; v < values; v++)
    sort_ids(p->uses + p->first_use[v], p->first_use[v + 1] - p->first_use[v]);
}

/* The next instruction from `at` on that asks for a value, counted into the next step for the next
   values of latches. */
static uint32_t next_use(planner *p, value_id v) {
  uint32_t *next = &p->next[v];
  while (*next < p->first_use[v + 1] && p->uses[*next] < p->at) ++*next;
  if (*next < p->first_use[v + 1]) return p->uses[*next];
  const uint32_t latch = p->latch_of[v];
  if (latch == ID_NONE) return NEVER;
  const value_id later = p->s->latch_of[latch];
  const bool is_read = p->first_use[later] < p->first_use[later + 1];
  return p->s->all.count + (is_read ? p->uses[p->first_use[later]] : p->s->all.count);
}

/* ---- registers ---- */

static void put(planner *p, spill_kind kind, uint32_t what) {
  const spill_action a = {kind, what};
  vec_push(p->x->keep, &p->x->actions, a);
}

static void touch_slot(planner *p, value_id v) {
  const uint32_t latch = p->latch_of[v];
  const bool is_home = latch != ID_NONE && p->x->is_home[latch];
  residence *r = &p->slots[is_home ? p->s->latch_of[latch] : v];
  if (!r->accesses++) r->first = p->at;
  r->end = p->at;
}

static void let_go(planner *p, value_id v) {
  const uint32_t at = p->place[v];
  p->held.items[at] = vec_last(&p->held);
  p->place[p->held.items[at]] = at;
  p->held.count--;
  p->place[v] = ID_NONE;
}

static void hold(planner *p, value_id v) {
  if (p->place[v] != ID_NONE) return;
  p->place[v] = p->held.count;
  vec_push(p->scratch, &p->held, v);
}

/* The next value of a latch goes to the slot of the latch at once where that is not read any more. */
static void find_home(planner *p, value_id v) {
  const uint32_t latch = p->latch_of[v];
  if (latch == ID_NONE || p->x->is_held[latch] || !p->is_of_one[v] || p->loop_end) return;
  const value_id old = p->s->latch_of[latch];
  const uint32_t end = p->first_use[old + 1];
  p->x->is_home[latch] = p->first_use[old] == end || p->uses[end - 1] < p->at;
}

static void store(planner *p, value_id v) {
  find_home(p, v);
  put(p, SPILL_STORE, v);
  touch_slot(p, v);
  p->is_saved[v] = true;
}

static void evict(planner *p, value_id v) {
  if (next_use(p, v) != NEVER && !p->is_saved[v]) store(p, v);
  let_go(p, v);
}

static bool is_pinned(const value_id *pinned, uint32_t count, value_id v) {
  for (uint32_t i = 0; i < count; i++)
    if (pinned[i] == v) return true;
  return false;
}

static void make_room(planner *p, uint32_t room, const value_id *pinned, uint32_t pin_count) {
  while (p->held.count + room > p->registers) {
    value_id best = VALUE_FALSE;
    uint32_t farthest = 0;
    for (uint32_t i = 0; i < p->held.count; i++) {
      const value_id v = p->held.items[i];
      const uint32_t next = next_use(p, v);
      if (best != VALUE_FALSE && next <= farthest) continue;
      if (is_pinned(pinned, pin_count, v)) continue;
      best = v;
      farthest = next;
    }
    assert(best != VALUE_FALSE);
    evict(p, best);
  }
}

/* All that it is made of is in registers. */
static bool is_at_hand(const planner *p, value_id v) {
  if (p->operation[v] == ID_NONE || p->loop_end) return false;
  const gpu_instruction *it = &p->s->all.items[p->operation[v]];
  for (uint32_t k = 0; k < it->in_count; k++) {
    const value_id in = gpu_ins(p->s, it)[k];
    if (in != VALUE_FALSE && p->place[in] == ID_NONE) return false;
  }
  return true;
}

static void load(planner *p, value_id v) {
  if (is_at_hand(p, v)) {
    put(p, SPILL_RUN, p->operation[v]);
    hold(p, v);
    return;
  }
  assert(p->is_saved[v]);
  put(p, SPILL_LOAD, v);
  touch_slot(p, v);
  hold(p, v);
}

/* ---- loops ---- */

/* What the loop does not ask for need not be in the way. */
static void enter_loop(planner *p) {
  p->loop = p->at;
  p->loop_end = loop_end_from(p->s, p->at);
  for (uint32_t i = p->held.count; i-- > 0 && p->registers != UINT32_MAX;)
    if (next_use(p, p->held.items[i]) > p->loop_end) evict(p, p->held.items[i]);
  p->loop_held.count = 0;
  for (uint32_t i = 0; i < p->held.count; i++)
    vec_push(p->scratch, &p->loop_held, p->held.items[i]);
}

/* A place that has changed and is in its slot at the head. */
static bool is_stale_at_head(planner *p, value_id v) {
  return !p->was_held[v] && !p->is_saved[v] && p->defined[v] < p->loop;
}

/* Registers hold what they held at the head; what else changed is in its slot. */
static void leave_loop(planner *p) {
  id_vec *wanted = &p->loop_held;
  for (uint32_t i = 0; i < wanted->count; i++) p->was_held[wanted->items[i]] = true;
  for (uint32_t i = 0; i < p->held.count; i++)
    if (is_stale_at_head(p, p->held.items[i])) store(p, p->held.items[i]);
  for (uint32_t i = 0; i < wanted->count; i++) {
    p->was_held[wanted->items[i]] = false;
    if (p->place[wanted->items[i]] != ID_NONE) continue;
    make_room(p, 1, wanted->items, wanted->count);
    load(p, wanted->items[i]);
  }
  p->loop = p->loop_end = 0;
}

/* ---- one instruction after another ---- */

static void drop_dead(planner *p) {
  for (uint32_t i = p->held.count; i-- > 0;)
    if (next_use(p, p->held.items[i]) == NEVER) let_go(p, p->held.items[i]);
}

static void bring(planner *p, const gpu_instruction *it) {
  const value_id *in = gpu_ins(p->s, it);
  for (uint32_t k = 0; k < it->in_count; k++) {
    if (in[k] == VALUE_FALSE || p->place[in[k]] != ID_NONE) continue;
    make_room(p, 1, in, it->in_count);
    load(p, in[k]);
  }
}

static bool is_short(const gpu_instruction *it) { return it->kind == GPU_TABLE; }

static bool is_row_of(const planner *p, value_id v, uint32_t row) {
  return p->x->slots[v].space == SPILL_BATCH && p->x->slots[v].number == row;
}

/* The result of an operation may take the register of an input that is read no more. */
static void run(planner *p, uint32_t i) {
  const gpu_instruction *it = &p->s->all.items[i];
  p->at = i;
  bring(p, it);
  if (it->kind == GPU_LOOP) enter_loop(p);
  if (it->kind == GPU_REPEAT) leave_loop(p);
  if (!is_short(it)) make_room(p, it->out_count, gpu_ins(p->s, it), it->in_count);
  put(p, SPILL_RUN, i);
  p->at = i + 1;
  for (uint32_t k = 0; k < it->in_count; k++) {
    const value_id v = gpu_ins(p->s, it)[k];
    if (v != VALUE_FALSE && p->place[v] != ID_NONE && next_use(p, v) == NEVER) let_go(p, v);
  }
  p->at = i;
  if (is_short(it)) make_room(p, it->out_count, NULL, 0);
  for (uint32_t k = 0; k < it->out_count; k++) {
    const value_id v = gpu_outs(p->s, it)[k];
    hold(p, v);
    p->is_saved[v] = it->kind == GPU_READ;
  }
  if (it->kind == GPU_WRITE && is_row_of(p, gpu_ins(p->s, it)[0], it->number))
    p->is_saved[gpu_ins(p->s, it)[0]] = true;
  p->at = i + 1;
  if (it->out_count > 1) drop_dead(p);
}

/* ---- the ends of a step ---- */

static void start_pass(planner *p) {
  const gpu_step *s = p->s;
  p->x->actions.count = 0;
  p->held.count = 0;
  p->at = 0;
  memcpy(p->next, p->first_use, s->value_count * sizeof *p->next);
  memset(p->place, 0xff, s->value_count * sizeof *p->place);
  memset(p->is_saved, 0, s->value_count * sizeof *p->is_saved);
  memset(p->slots, 0, s->value_count * sizeof *p->slots);
  memset(p->x->is_home, 0, s->latch_count * sizeof *p->x->is_home);
  for (uint32_t i = 0; i < s->latch_count; i++) {
    if (p->x->is_held[i])
      hold(p, s->latch_of[i]);
    else
      p->is_saved[s->latch_of[i]] = true;
  }
}

/* Whether each latch is in its register at the end as it was at the beginning. */
static bool is_stable(const planner *p) {
  for (uint32_t i = 0; i < p->s->latch_count; i++)
    if (p->x->is_held[i] != (p->place[p->s->next_of[i]] != ID_NONE)) return false;
  return true;
}

static void take_over_registers(planner *p) {
  for (uint32_t i = 0; i < p->s->latch_count; i++)
    p->x->is_held[i] = p->place[p->s->next_of[i]] != ID_NONE;
}

/* Latches that are in no register at the beginning of a step have a slot for all of it. */
static void keep_homes(planner *p) {
  const gpu_step *s = p->s;
  for (uint32_t i = 0; i < s->latch_count; i++) {
    if (p->x->is_held[i]) continue;
    residence *r = &p->slots[s->latch_of[i]];
    *r = (residence){0, s->all.count, r->accesses + 1};
  }
}

/* Next values that were put away elsewhere are fetched at the end. */
static void keep_next_values(planner *p) {
  for (uint32_t i = 0; i < p->s->latch_count; i++) {
    const value_id v = p->s->next_of[i];
    residence *r = &p->slots[v];
    p->x->is_in_register[i] = p->place[v] != ID_NONE;
    if (!r->accesses || p->x->is_in_register[i]) continue;
    r->accesses++;
    r->end = p->s->all.count;
  }
}

/* What was put away and has always been computed again was not needed; next values of latches are
   fetched at the end of the step. */
static void drop_stores(planner *p) {
  bool *is_loaded = arena_zero_array(p->scratch, bool, p->s->value_count);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->x->actions.count; i++) {
    const spill_action a = p->x->actions.items[i];
    if (a.kind == SPILL_LOAD) is_loaded[a.what] = true;
  }
  for (uint32_t i = 0; i < p->x->actions.count; i++) {
    const spill_action a = p->x->actions.items[i];
    const bool is_spare = a.kind == SPILL_STORE && p->operation[a.what] != ID_NONE &&
                          !is_loaded[a.what] && p->latch_of[a.what] == ID_NONE;
    if (is_spare) p->slots[a.what].accesses = 0;
    if (!is_spare) p->x->actions.items[kept++] = a;
  }
  p->x->actions.count = kept;
}

/* ---- slots ---- */

/* What a loop asks for of values from before it stays until the loop has ended. */
static void stay_in_loops(planner *p) {
  uint32_t loop = 0;
  for (uint32_t i = 0; i < p->s->all.count; i++) {
    if (p->s->all.items[i].kind == GPU_LOOP) loop = i;
    if (p->s->all.items[i].kind != GPU_REPEAT) continue;
    for (value_id v = 1; v < p->s->value_count; v++) {
      residence *r = &p->slots[v];
      if (!r->accesses || p->defined[v] > loop || r->end < loop || r->first > i) continue;
      if (r->first > loop) r->first = loop;
      if (r->end < i) r->end = i;
    }
  }
}

typedef struct slot_wish {
  value_id v;
  double worth; /* accesses in a unit of time */
  uint32_t first;
} slot_wish;

static int compare_worth(const void *a, const void *b) {
  const slot_wish *x = a, *y = b;
  if (x->worth != y->worth) return x->worth < y->worth ? 1 : -1;
  return x->v < y->v ? -1 : 1;
}

static int compare_first(const void *a, const void *b) {
  const slot_wish *x = a, *y = b;
  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  return x->v < y->v ? -1 : 1;
}

typedef VEC(slot_wish) slot_wishes;

static slot_wishes list_wishes(const planner *p) {
  slot_wishes list = {0};
  for (value_id v = 1; v < p->s->value_count; v++) {
    const residence *r = &p->slots[v];
    if (!r->accesses || p->x->slots[v].space == SPILL_BATCH) continue;
    const slot_wish w = {v, r->accesses / (double)(r->end - r->first + 1), r->first};
    vec_push(p->scratch, &list, w);
  }
  return list;
}

/* Takes values for shared memory as long as there is room for them at all times. */
static void choose_shared(planner *p, const slot_wishes *list, uint32_t shared) {
  uint32_t *taken = arena_zero_array(p->scratch, uint32_t, p->s->all.count + 1);
  for (uint32_t i = 0; i < list->count; i++) {
    const residence *r = &p->slots[list->items[i].v];
    uint32_t at = r->first;
    while (at <= r->end && taken[at] < shared) at++;
    if (at <= r->end) continue;
    for (at = r->first; at <= r->end; at++) taken[at]++;
    p->x->slots[list->items[i].v].space = SPILL_SHARED;
  }
}

/* Gives each value, in the order of time, a slot that is free. */
static uint32_t number_slots(planner *p, const slot_wishes *list, spill_space space) {
  id_vec free_from = {0}; /* by slot: the time from which it is free */
  for (uint32_t i = 0; i < list->count; i++) {
    const residence *r = &p->slots[list->items[i].v];
    spill_slot *slot = &p->x->slots[list->items[i].v];
    if (slot->space != space) continue;
    uint32_t k = 0;
    while (k < free_from.count && free_from.items[k] > r->first) k++;
    if (k == free_from.count) vec_push(p->scratch, &free_from, 0);
    free_from.items[k] = r->end + 1;
    slot->number = k;
  }
  return free_from.count;
}

static void give_slots(planner *p, uint32_t shared) {
  slot_wishes list;
  stay_in_loops(p);
  list = list_wishes(p);
  if (!list.count) return;
  qsort(list.items, list.count, sizeof *list.items, compare_worth);
  choose_shared(p, &list, shared);
  qsort(list.items, list.count, sizeof *list.items, compare_first);
  p->x->shared_count = number_slots(p, &list, SPILL_SHARED);
  p->x->global_count = number_slots(p, &list, SPILL_GLOBAL);
  for (uint32_t i = 0; i < p->s->latch_count; i++)
    if (p->x->is_home[i]) p->x->slots[p->s->next_of[i]] = p->x->slots[p->s->latch_of[i]];
}

/* ---- all of it ---- */

/* A value that is in a row of the batch needs no slot beside it. */
static void find_rows_of_batch(planner *p) {
  for (uint32_t i = 0; i < p->s->all.count; i++) {
    const gpu_instruction *it = &p->s->all.items[i];
    if (it->kind != GPU_READ && it->kind != GPU_WRITE) continue;
    spill_slot *slot =
        &p->x->slots[*(it->kind == GPU_READ ? gpu_outs(p->s, it) : gpu_ins(p->s, it))];
    if (slot->space != SPILL_BATCH) *slot = (spill_slot){SPILL_BATCH, it->number};
  }
}

static void planner_init(planner *p) {
  const gpu_step *s = p->s;
  find_definitions(p);
  find_uses(p);
  p->next = arena_new_array(p->scratch, uint32_t, s->value_count);
  p->place = arena_new_array(p->scratch, uint32_t, s->value_count);
  p->is_saved = arena_new_array(p->scratch, bool, s->value_count);
  p->was_held = arena_zero_array(p->scratch, bool, s->value_count);
  p->slots = arena_new_array(p->scratch, residence, s->value_count);
  p->operation = gpu_step_operations(s, p->scratch);
  p->latch_of = arena_new_array(p->scratch, uint32_t, s->value_count);
  memset(p->latch_of, 0xff, s->value_count * sizeof *p->latch_of);
  p->is_of_one = arena_zero_array(p->scratch, bool, s->value_count);
  for (uint32_t i = 0; i < s->latch_count; i++) {
    p->is_of_one[s->next_of[i]] = p->latch_of[s->next_of[i]] == ID_NONE;
    p->latch_of[s->next_of[i]] = i;
  }
  p->x->is_held = arena_zero_array(p->x->keep, bool, s->latch_count + 1);
  p->x->is_home = arena_zero_array(p->x->keep, bool, s->latch_count + 1);
  p->x->is_in_register = arena_zero_array(p->x->keep, bool, s->latch_count + 1);
  p->x->slots = arena_zero_array(p->x->keep, spill_slot, s->value_count);
  find_rows_of_batch(p);
  for (uint32_t i = 0; i < s->latch_count && p->registers == UINT32_MAX; i++)
    p->x->is_held[i] = true;
}

/* False: the budget is spent. */
static bool make_pass(planner *p, budget *limits) {
  start_pass(p);
  for (uint32_t i = 0; i < p->s->all.count; i++) {
    if (budget_is_spent(limits)) return false;
    run(p, i);
  }
  return true;
}

/* The first passes find out which latches are in registers when a step ends, so that they are when
   it begins. */
bool gpu_spill_plan(gpu_spill *x, const gpu_step *s, uint32_t registers, uint32_t shared,
                    arena *keep, budget *limits) {
  enum { PASSES = 3 };
  assert(gpu_step_is_sound(s));
  arena *scratch = arena_new();
  *x = (gpu_spill){.keep = keep};
  planner p = {.s = s, .x = x, .scratch = scratch, .registers = registers};
  budget_watch(limits, scratch);
  planner_init(&p);
  bool ok = true;
  for (uint32_t i = 0; ok && i < PASSES; i++) {
    if (i) take_over_registers(&p);
    ok = make_pass(&p, limits);
    if (is_stable(&p)) break;
  }
  if (ok) {
    drop_stores(&p);
    keep_next_values(&p);
    keep_homes(&p);
    give_slots(&p, shared);
  }
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return ok;
}
