#include "machine/lanes/lane_program.h"

#include "machine/lanes/lane_order.h"
#include "machine/lanes/lane_program_sound.h"

#include <assert.h>
#include <string.h>

typedef struct scheduler {
  const lane_plan *plan;
  lane_program *p;
  arena *scratch;
  table_cover cover;
  lane_order order;
  uint32_t *defined;  /* by node: its operation; inputs and nodes without one: 0 */
  uint32_t *last_use; /* by node: the operation after which its slot is free */
  slot_id *slot;      /* by node */
  id_vec free_slots;
} scheduler;

static bool is_op(const scheduler *s, uint32_t node) { return s->cover.is_chosen[node]; }

/* ---- how long a row is needed ---- */

static void use_until(uint32_t *last, uint32_t end) {
  if (*last < end) *last = end;
}

/* What a loop reads from before it is needed until it has been left: its last operation must not
   write there, or the next round would read that. */
static void use_in_loop(scheduler *s, uint32_t node, const lane_loop *loop) {
  const bool is_from_before = !is_op(s, node) || s->defined[node] < loop->first;
  if (is_from_before) use_until(&s->last_use[node], loop->end);
}

static void find_last_uses(scheduler *s) {
  const lane_order *o = &s->order;
  for (uint32_t i = 0, loop = 0; i < o->nodes.count; i++) {
    const table_op *op = &s->cover.ops[o->nodes.items[i]];
    s->defined[o->nodes.items[i]] = s->last_use[o->nodes.items[i]] = i;
    while (loop < o->loops.count && o->loops.items[loop].end <= i) loop++;
    for (uint32_t k = 0; k < op->in_count; k++) {
      use_until(&s->last_use[op->in[k]], i);
      if (loop < o->loops.count && o->loops.items[loop].first <= i)
        use_in_loop(s, op->in[k], &o->loops.items[loop]);
    }
  }
  for (uint32_t i = 0; i < o->loops.count; i++)
    for (uint32_t k = 0; k < o->loops.items[i].place_count; k++)
      use_until(&s->last_use[o->places.items[o->loops.items[i].first_place + k].definition],
                o->loops.items[i].end);
  for (uint32_t i = 0; i < s->plan->roots.count; i++)
    use_until(&s->last_use[edge_node(s->plan->roots.items[i].e)],
              o->phase_end[s->plan->roots.items[i].until]);
}

/* ---- slots ---- */

/* Nodes by the operation after which they are free; lists end with ID_NONE. */
typedef struct endings {
  uint32_t *first; /* by operation */
  uint32_t *next;  /* by node */
} endings;

static endings list_endings(scheduler *s) {
  const uint32_t ops = s->order.nodes.count, nodes = s->plan->g->nodes.count;
  const endings e = {arena_new_array(s->scratch, uint32_t, ops + 1),
                     arena_new_array(s->scratch, uint32_t, nodes)};
  memset(e.first, 0xff, (ops + 1) * sizeof *e.first);
  for (uint32_t i = 0; i < ops; i++) {
    const uint32_t node = s->order.nodes.items[i], last = s->last_use[node];
    e.next[node] = e.first[last];
    e.first[last] = node;
  }
  return e;
}

static slot_id take_slot(scheduler *s) {
  return s->free_slots.count ? vec_pop(&s->free_slots) : s->p->slot_count++;
}

/* By node: the slot that a root wants.  One that is read later, or wanted twice, is not given; nor
   is it to a row that must be negated there, since others may read the node as it is. */
static slot_id *find_homes(const scheduler *s) {
  slot_id *homes = arena_zero_array(s->scratch, slot_id, s->plan->g->nodes.count);
  for (uint32_t i = 0; i < s->plan->roots.count; i++) {
    const lane_root *r = &s->plan->roots.items[i];
    const uint32_t node = edge_node(r->e);
    if (r->home == SLOT_FALSE || r->e & 1 || !is_op(s, node) || homes[node]) continue;
    const uint32_t input = s->plan->inputs.items[r->home - 1];
    if (s->last_use[input] <= s->defined[node]) homes[node] = r->home;
  }
  return homes;
}

/* The slot of an input that ends with an operation may be its output. */
static void assign_slots(scheduler *s) {
  const endings e = list_endings(s);
  const slot_id *homes = find_homes(s);
  uint32_t end_of_stretch = 0;
  s->p->slot_count = s->plan->inputs.count + 1;
  for (uint32_t i = 0; i < s->plan->inputs.count; i++) s->slot[s->plan->inputs.items[i]] = i + 1;
  for (uint32_t i = 0; i < s->order.nodes.count; i++) {
    const uint32_t node = s->order.nodes.items[i];
    const table_op *from = &s->cover.ops[node];
    if (i >= end_of_stretch) end_of_stretch = lane_order_stretch_end(&s->order, i);
    lane_op op = {.table = from->table, .is_local = s->last_use[node] < end_of_stretch};
    for (uint32_t k = 0; k < from->in_count; k++) op.in[k] = s->slot[from->in[k]];
    for (uint32_t end = e.first[i]; end != ID_NONE; end = e.next[end])
      if (end != node && !homes[end]) vec_push(s->scratch, &s->free_slots, s->slot[end]);
    op.out = s->slot[node] = homes[node] ? homes[node] : take_slot(s);
    if (s->last_use[node] == i && !homes[node]) vec_push(s->scratch, &s->free_slots, op.out);
    vec_push(s->p->keep, &s->p->ops, op);
  }
}

/* Takes over loops, whose places are slots from here on. */
static void take_loops(scheduler *s) {
  lane_program *p = s->p;
  memcpy(p->phase_end, s->order.phase_end, sizeof p->phase_end);
  if (!s->order.loops.count) return;
  vec_append(p->keep, &p->loops, s->order.loops.items, s->order.loops.count);
  for (uint32_t i = 0; i < s->order.places.count; i++) {
    lane_place place = s->order.places.items[i];
    place.place = s->slot[place.place];
    place.definition = s->slot[place.definition];
    vec_push(p->keep, &p->places, place);
  }
}

/* ---- all of it ---- */

static bool cover_plan(scheduler *s, budget *limits) {
  const lane_plan *plan = s->plan;
  id_vec roots = {0};
  for (uint32_t i = 0; i < plan->roots.count; i++)
    vec_push(s->scratch, &roots, edge_node(plan->roots.items[i].e));
  for (uint32_t i = 0; i < plan->places.count; i++)
    vec_push(s->scratch, &roots, edge_node(plan->places.items[i].definition));
  return tables_cover(&s->cover, plan->g, roots.items, roots.count, s->scratch, limits);
}

static void give_slots(scheduler *s, lane_row *rows) {
  const uint32_t nodes = s->plan->g->nodes.count;
  s->defined = arena_zero_array(s->scratch, uint32_t, nodes);
  s->last_use = arena_zero_array(s->scratch, uint32_t, nodes);
  s->slot = arena_zero_array(s->scratch, slot_id, nodes);
  find_last_uses(s);
  assign_slots(s);
  take_loops(s);
  for (uint32_t i = 0; i < s->plan->roots.count; i++) {
    const edge e = s->plan->roots.items[i].e;
    rows[i] = (lane_row){s->slot[edge_node(e)], e & 1};
  }
}

bool lane_program_build(lane_program *p, const lane_plan *plan, bool in_runs, lane_row *rows,
                        arena *keep, budget *limits) {
  arena *scratch = arena_new();
  *p = (lane_program){.keep = keep};
  scheduler s = {.plan = plan, .p = p, .scratch = scratch};
  budget_watch(limits, scratch);
  const bool ok =
      cover_plan(&s, limits) && lane_order_find(&s.order, plan, &s.cover, in_runs, scratch, limits);
  if (ok) give_slots(&s, rows);
  assert(!ok || lane_program_is_sound(p, plan->inputs.count));
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return ok;
}
