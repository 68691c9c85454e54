#include "machine/lane_program.h"

#include "base/bitset.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 }; /* operations that may change places to make runs */

typedef struct scheduler {
  const lane_plan *plan;
  lane_program *p;
  arena *scratch;
  table_cover cover;
  uint32_t *part;   /* by node: the last recursive part that it depends on, plus 1 */
  bitset is_placed; /* nodes whose operation is in `order` */
  id_vec order;     /* nodes, in the order of their operations */
  id_vec stack;
  uint32_t *defined;  /* by node: its operation; inputs and nodes without one: 0 */
  uint32_t *last_use; /* by node: the operation after which its slot is free */
  slot_id *slot;      /* by node */
  id_vec free_slots;
} scheduler;

static bool is_op(const scheduler *s, uint32_t node) { return s->cover.is_chosen[node]; }

/* ---- the order of operations ---- */

/* Parts are in order, so a node's number tells nothing: a place may be read before its definition
   is made, but never before the places of its part are. */
static void find_parts(scheduler *s) {
  for (uint32_t i = 0; i < s->plan->places.count; i++)
    s->part[s->plan->places.items[i].node] = s->plan->places.items[i].part + 1;
  for (uint32_t node = 1; node < s->plan->g->nodes.count; node++) {
    if (!is_op(s, node)) continue;
    for (uint32_t i = 0; i < s->cover.ops[node].in_count; i++) {
      const uint32_t part = s->part[s->cover.ops[node].in[i]];
      if (part > s->part[node]) s->part[node] = part;
    }
  }
}

/* Places what a node needs, and then its own operation.  Operations that depend on the part `own`
   (plus 1) go to `body`. */
static void place_node(scheduler *s, uint32_t root, uint32_t own, id_vec *body) {
  s->stack.count = 0;
  vec_push(s->scratch, &s->stack, root << 1);
  while (s->stack.count) {
    const uint32_t top = vec_pop(&s->stack), node = top >> 1;
    if (!is_op(s, node) || bitset_has(s->is_placed, node)) continue;
    if (top & 1) {
      bitset_add(s->is_placed, node);
      vec_push(s->scratch, s->part[node] == own && body ? body : &s->order, node);
      continue;
    }
    vec_push(s->scratch, &s->stack, top | 1);
    for (uint32_t i = s->cover.ops[node].in_count; i-- > 0;)
      vec_push(s->scratch, &s->stack, s->cover.ops[node].in[i] << 1);
  }
}

/* The loop of a part; what it needs from outside comes before it. */
static void place_part(scheduler *s, lane_phase phase, uint32_t part) {
  const lane_plan *plan = s->plan;
  id_vec body = {0};
  lane_loop loop = {.phase = phase, .first_place = s->p->places.count};
  for (uint32_t i = 0; i < plan->places.count; i++) {
    if (plan->places.items[i].part != part) continue;
    const edge definition = plan->places.items[i].definition;
    place_node(s, edge_node(definition), part + 1, &body);
    const lane_place place = {.place = plan->places.items[i].node,
                              .definition = edge_node(definition),
                              .negated = definition & 1};
    vec_push(s->p->keep, &s->p->places, place); /* nodes, until slots are known */
  }
  loop.place_count = s->p->places.count - loop.first_place;
  loop.first = s->order.count;
  vec_append(s->scratch, &s->order, body.items, body.count);
  loop.end = s->order.count;
  vec_push(s->p->keep, &s->p->loops, loop);
}

/* All nodes that some roots need, and the parts with all that defines their places: a part is one
   loop. */
static bitset find_cone(const scheduler *s, lane_phase first, lane_phase last, bitset parts) {
  const lane_plan *plan = s->plan;
  const bitset cone = bitset_new(s->scratch, plan->g->nodes.count);
  for (uint32_t i = 0; i < plan->roots.count; i++)
    if (plan->roots.items[i].phase >= first && plan->roots.items[i].phase <= last)
      bitset_add(cone, edge_node(plan->roots.items[i].e));
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t node = plan->g->nodes.count; node-- > 1;)
      for (uint32_t i = 0;
           is_op(s, node) && bitset_has(cone, node) && i < s->cover.ops[node].in_count; i++)
        bitset_add(cone, s->cover.ops[node].in[i]);
    for (uint32_t i = 0; i < plan->places.count; i++)
      if (bitset_has(cone, plan->places.items[i].node))
        bitset_add(parts, plan->places.items[i].part);
    for (uint32_t i = 0; i < plan->places.count; i++)
      if (bitset_has(parts, plan->places.items[i].part))
        changed |= bitset_insert(cone, edge_node(plan->places.items[i].definition));
  }
  return cone;
}

static void place_phase(scheduler *s, lane_phase phase, bitset placed_parts) {
  const lane_plan *plan = s->plan;
  const bitset parts = bitset_new(s->scratch, plan->part_count + 1);
  find_cone(s, phase, phase, parts);
  for (uint32_t part = 0; part < plan->part_count; part++)
    if (bitset_has(parts, part) && bitset_insert(placed_parts, part)) place_part(s, phase, part);
  for (uint32_t i = 0; i < plan->roots.count; i++)
    if (plan->roots.items[i].phase == phase)
      place_node(s, edge_node(plan->roots.items[i].e), 0, NULL);
}

/* Goals may be left out: what they have in common with later phases is computed before them. */
static void place_shared_with_goals(scheduler *s, bitset placed_parts) {
  const bitset goal_parts = bitset_new(s->scratch, s->plan->part_count + 1);
  const bitset later_parts = bitset_new(s->scratch, s->plan->part_count + 1);
  const bitset goals = find_cone(s, PHASE_GOALS, PHASE_GOALS, goal_parts);
  const bitset later = find_cone(s, PHASE_LEGAL, PHASE_NEXT, later_parts);
  for (uint32_t part = 0; part < s->plan->part_count; part++)
    if (bitset_has(goal_parts, part) && bitset_has(later_parts, part) &&
        bitset_insert(placed_parts, part))
      place_part(s, PHASE_TERMINAL, part);
  for (uint32_t node = 1; node < s->plan->g->nodes.count; node++)
    if (bitset_has(goals, node) && bitset_has(later, node)) place_node(s, node, 0, NULL);
}

static void place_all(scheduler *s) {
  const bitset placed_parts = bitset_new(s->scratch, s->plan->part_count + 1);
  for (lane_phase phase = PHASE_TERMINAL; phase < LANE_PHASES; phase++) {
    place_phase(s, phase, placed_parts);
    if (phase == PHASE_TERMINAL) place_shared_with_goals(s, placed_parts);
    s->p->phase_end[phase] = s->order.count;
  }
}

/* ---- runs ---- */

/* An operation of a chunk: how many others of the chunk it waits for, one after another. */
typedef struct chunk_op {
  uint32_t node;
  uint32_t level;
  uint8_t table;
} chunk_op;

static int compare_chunk_ops(const void *left, const void *right) {
  const chunk_op *a = left, *b = right;
  if (a->level != b->level) return a->level < b->level ? -1 : 1;
  if (a->table != b->table) return a->table < b->table ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static void sort_chunk(scheduler *s, uint32_t first, uint32_t end, uint32_t *level) {
  chunk_op ops[CHUNK];
  for (uint32_t i = first; i < end; i++) {
    const uint32_t node = s->order.items[i];
    const table_op *op = &s->cover.ops[node];
    uint32_t deepest = 0;
    for (uint32_t k = 0; k < op->in_count; k++)
      if (level[op->in[k]] > deepest) deepest = level[op->in[k]];
    level[node] = deepest + 1;
    ops[i - first] = (chunk_op){node, deepest + 1, op->table};
  }
  qsort(ops, end - first, sizeof *ops, compare_chunk_ops);
  for (uint32_t i = first; i < end; i++) {
    s->order.items[i] = ops[i - first].node;
    level[s->order.items[i]] = 0;
  }
}

/* The end of the stretch without phase or loop boundary that an operation is in. */
static uint32_t stretch_end(const lane_program *p, uint32_t at) {
  uint32_t end = UINT32_MAX;
  for (lane_phase phase = PHASE_TERMINAL; phase < LANE_PHASES; phase++)
    if (p->phase_end[phase] > at && p->phase_end[phase] < end) end = p->phase_end[phase];
  for (uint32_t i = 0; i < p->loops.count; i++) {
    if (p->loops.items[i].first > at && p->loops.items[i].first < end)
      end = p->loops.items[i].first;
    if (p->loops.items[i].end > at && p->loops.items[i].end < end) end = p->loops.items[i].end;
  }
  return end;
}

static void sort_into_runs(scheduler *s) {
  uint32_t *level = arena_zero_array(s->scratch, uint32_t, s->plan->g->nodes.count);
  for (uint32_t i = 0, end; i < s->order.count; i = end) {
    end = stretch_end(s->p, i);
    if (end - i > CHUNK) end = i + CHUNK;
    sort_chunk(s, i, end, level);
  }
}

/* ---- how long a row is needed ---- */

/* What a loop reads from before it is needed until it has been left: its last operation must not
   write there, or the next round would read that. */
static void use_in_loop(scheduler *s, uint32_t node, const lane_loop *loop) {
  const bool is_from_before = !is_op(s, node) || s->defined[node] < loop->first;
  if (is_from_before && s->last_use[node] < loop->end) s->last_use[node] = loop->end;
}

static void find_last_uses(scheduler *s) {
  const lane_program *p = s->p;
  for (uint32_t i = 0, loop = 0; i < s->order.count; i++) {
    const table_op *op = &s->cover.ops[s->order.items[i]];
    s->defined[s->order.items[i]] = s->last_use[s->order.items[i]] = i;
    while (loop < p->loops.count && p->loops.items[loop].end <= i) loop++;
    for (uint32_t k = 0; k < op->in_count; k++) {
      const uint32_t node = op->in[k];
      if (s->last_use[node] < i) s->last_use[node] = i;
      if (loop < p->loops.count && p->loops.items[loop].first <= i)
        use_in_loop(s, node, &p->loops.items[loop]);
    }
  }
  for (uint32_t i = 0; i < p->loops.count; i++)
    for (uint32_t k = 0; k < p->loops.items[i].place_count; k++) {
      uint32_t *last = &s->last_use[p->places.items[p->loops.items[i].first_place + k].definition];
      if (*last < p->loops.items[i].end) *last = p->loops.items[i].end;
    }
  for (uint32_t i = 0; i < s->plan->roots.count; i++) {
    uint32_t *last = &s->last_use[edge_node(s->plan->roots.items[i].e)];
    const uint32_t until = p->phase_end[s->plan->roots.items[i].until];
    if (*last < until) *last = until;
  }
}

/* ---- slots ---- */

/* Nodes by the operation after which they are free; lists end with ID_NONE. */
typedef struct endings {
  uint32_t *first; /* by operation */
  uint32_t *next;  /* by node */
} endings;

static endings list_endings(scheduler *s) {
  const uint32_t ops = s->order.count, nodes = s->plan->g->nodes.count;
  const endings e = {arena_new_array(s->scratch, uint32_t, ops + 1),
                     arena_new_array(s->scratch, uint32_t, nodes)};
  memset(e.first, 0xff, (ops + 1) * sizeof *e.first);
  for (uint32_t i = 0; i < ops; i++) {
    const uint32_t node = s->order.items[i], last = s->last_use[node];
    e.next[node] = e.first[last];
    e.first[last] = node;
  }
  return e;
}

static slot_id take_slot(scheduler *s) {
  return s->free_slots.count ? vec_pop(&s->free_slots) : s->p->slot_count++;
}

/* By node: the slot that a root wants.  One that is read later, or wanted twice, is not given; nor is
   it to a row that must be negated there, since others may read the node as it is. */
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
  for (uint32_t i = 0; i < s->order.count; i++) {
    const uint32_t node = s->order.items[i];
    const table_op *from = &s->cover.ops[node];
    if (i >= end_of_stretch) end_of_stretch = stretch_end(s->p, i);
    lane_op op = {.table = from->table, .is_local = s->last_use[node] < end_of_stretch};
    for (uint32_t k = 0; k < from->in_count; k++) op.in[k] = s->slot[from->in[k]];
    for (uint32_t end = e.first[i]; end != ID_NONE; end = e.next[end])
      if (end != node && !homes[end]) vec_push(s->scratch, &s->free_slots, s->slot[end]);
    op.out = s->slot[node] = homes[node] ? homes[node] : take_slot(s);
    if (s->last_use[node] == i && !homes[node]) vec_push(s->scratch, &s->free_slots, op.out);
    vec_push(s->p->keep, &s->p->ops, op);
  }
}

static void name_places(scheduler *s) {
  for (uint32_t i = 0; i < s->p->places.count; i++) {
    lane_place *place = &s->p->places.items[i];
    place->place = s->slot[place->place];
    place->definition = s->slot[place->definition];
  }
}

/* ---- all of it ---- */

static table_cover cover_plan(const lane_plan *plan, arena *scratch) {
  id_vec roots = {0};
  for (uint32_t i = 0; i < plan->roots.count; i++)
    vec_push(scratch, &roots, edge_node(plan->roots.items[i].e));
  for (uint32_t i = 0; i < plan->places.count; i++)
    vec_push(scratch, &roots, edge_node(plan->places.items[i].definition));
  return tables_cover(plan->g, roots.items, roots.count, scratch);
}

void lane_program_build(lane_program *p, const lane_plan *plan, bool in_runs, lane_row *rows,
                        arena *keep) {
  arena *scratch = arena_new();
  const uint32_t nodes = plan->g->nodes.count;
  *p = (lane_program){.keep = keep};
  scheduler s = {.plan = plan,
                 .p = p,
                 .scratch = scratch,
                 .cover = cover_plan(plan, scratch),
                 .part = arena_zero_array(scratch, uint32_t, nodes),
                 .is_placed = bitset_new(scratch, nodes),
                 .defined = arena_zero_array(scratch, uint32_t, nodes),
                 .last_use = arena_zero_array(scratch, uint32_t, nodes),
                 .slot = arena_zero_array(scratch, slot_id, nodes)};
  find_parts(&s);
  place_all(&s);
  if (in_runs) sort_into_runs(&s);
  find_last_uses(&s);
  assign_slots(&s);
  name_places(&s);
  for (uint32_t i = 0; i < plan->roots.count; i++)
    rows[i] = (lane_row){s.slot[edge_node(plan->roots.items[i].e)], plan->roots.items[i].e & 1};
  arena_free(scratch);
}
