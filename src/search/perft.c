#include "search/perft.h"

#include "search/expand.h"
#include "search/perft_level.h"
#include "search/team.h"

#include <stdatomic.h>
#include <string.h>

/* A level is cut into parts of so many states; each thread takes one after another.  After every
   round of parts, what they have found is put together in the order of the parts, so the result
   does not depend on the threads. */
enum { PART_STATES = 512, ROUND_PARTS = 64 };

/* The last step of one line to each state of a level; kept to report the line to a fault. */
typedef struct links {
  id_vec parents; /* states of the level before */
  id_vec joints;  /* role_count moves for each */
} links;

/* Where successors go. */
typedef struct gathering {
  const level *here;
  size_t position_size;
  uint32_t role_count;
  level *there;
  links *links;
  arena *links_keep;
  uint64_t stuck;                   /* ways that end where a role cannot move */
  uint32_t stuck_state, stuck_role; /* the first of them; ID_NONE: none */
} gathering;

typedef struct part {
  level there;
  links links;
  gathering found;
} part;

typedef struct walk walk;

typedef struct worker {
  arena *keep;       /* its own: threads share none */
  arena *round_keep; /* what it finds in a round */
  walk *walk;
  budget budget; /* of its own, but for the first */
  machine_workspace *w;
  expander expander;
} worker;

/* What the walks of one perft share. */
typedef struct crew {
  const machine *m;
  machine_workspace *w; /* of the caller; the first worker's */
  const perft_options *o;
  worker *workers;
  uint32_t count;
  arena *keep;
} crew;

struct walk {
  crew *crew;
  perft_result *r; /* NULL: a part of another walk */
  arena *keep;     /* of the result */
  arena *scratch;
  links *links; /* by depth */
  size_t room;  /* depths that there is room for */
  level here, there;
  part *parts; /* of this round */
  uint32_t first_state, part_count;
  atomic_uint next_part;
};

/* ---- gathering ---- */

static void get_state(void *context, uint32_t i, void *room) {
  const gathering *g = context;
  level_get(g->here, i, room, g->position_size);
}

static void add_link(gathering *g, uint32_t parent, const move_id *joint) {
  vec_push(g->links_keep, &g->links->parents, parent);
  vec_append(g->links_keep, &g->links->joints, joint, g->role_count);
}

static void add_successor(void *context, uint32_t i, const move_id *joint, const void *next) {
  gathering *g = context;
  const uint32_t known = g->there->states.count;
  if (level_add(g->there, next, g->position_size, g->here->states.items[i].ways) == known)
    add_link(g, i, joint);
}

static void add_stuck(void *context, uint32_t i, uint32_t role) {
  gathering *g = context;
  g->stuck += g->here->states.items[i].ways;
  if (g->stuck_state != ID_NONE) return;
  g->stuck_state = i;
  g->stuck_role = role;
}

static gathering gathering_new(const walk *x, level *there, links *l, arena *links_keep) {
  return (gathering){.here = &x->here,
                     .position_size = x->crew->m->position_size,
                     .role_count = x->crew->m->role_count,
                     .there = there,
                     .links = l,
                     .links_keep = links_keep,
                     .stuck_state = ID_NONE};
}

static bool expand_into(expander *e, gathering *g, uint32_t first, uint32_t end) {
  const expand_sink sink = {get_state, add_successor, add_stuck, g};
  return expand_states(e, first, end, &sink);
}

/* ---- faults ---- */

/* The moves that lead to state `i` of level `depth`. */
static move_id *way_to(const walk *x, uint32_t depth, uint32_t i) {
  const uint32_t roles = x->crew->m->role_count;
  move_id *line = arena_new_array(x->scratch, move_id, (size_t)depth * roles + 1);
  for (uint32_t d = depth; d > 0; d--) {
    memcpy(line + (size_t)(d - 1) * roles, vec_from(&x->links[d].joints, (size_t)i * roles),
           roles * sizeof *line);
    i = x->links[d].parents.items[i];
  }
  return line;
}

static void note_stuck(walk *x, uint32_t depth, const gathering *g) {
  perft_result *r = x->r;
  const machine *m = x->crew->m;
  if (!r || g->stuck_state == ID_NONE) return;
  r->stuck += g->stuck;
  if (r->fault.kind != FAULT_NONE) return;
  void *position = arena_alloc(x->scratch, m->position_size);
  level_get(&x->here, g->stuck_state, position, m->position_size);
  const game_fault found = {.kind = FAULT_STUCK,
                            .role = g->stuck_role,
                            .position = position,
                            .line = way_to(x, depth, g->stuck_state),
                            .length = depth};
  r->fault = fault_copy(&found, m, x->keep);
}

/* ---- threads ---- */

static void work(void *context) {
  worker *k = context;
  walk *x = k->walk;
  bool goes_on = true;
  while (goes_on) {
    const uint32_t n = atomic_fetch_add(&x->next_part, 1);
    if (n >= x->part_count) return;
    const uint32_t first = x->first_state + n * PART_STATES;
    const uint32_t last = first + PART_STATES;
    const uint32_t end = last < x->here.states.count ? last : x->here.states.count;
    part *p = &x->parts[n];
    *p = (part){.there = {.keep = k->round_keep}};
    p->found = gathering_new(x, &p->there, &p->links, p->there.keep);
    goes_on = expand_into(&k->expander, &p->found, first, end);
  }
}

/* What is left of the memory, for all threads but the first, which has the budget of the caller. */
static void share_memory(walk *x) {
  const crew *c = x->crew;
  const budget *all = c->w->budget;
  if (!all || !all->max_bytes) return;
  const size_t used =
      arena_bytes(x->here.keep) + arena_bytes(x->there.keep) + arena_bytes(x->scratch);
  const size_t left = used < all->max_bytes ? all->max_bytes - used : 0;
  for (uint32_t i = 1; i < c->count; i++) c->workers[i].budget.max_bytes = left / c->count + 1;
}

static void begin_round(worker *k, walk *x) {
  k->walk = x;
  k->round_keep = arena_new();
  budget_watch(k->w->budget, k->round_keep);
}

static void end_round(worker *k) {
  budget_unwatch(k->w->budget, k->round_keep);
  arena_free(k->round_keep);
}

static void run_round(walk *x) {
  crew *c = x->crew;
  atomic_store(&x->next_part, 0);
  share_memory(x);
  for (uint32_t i = 0; i < c->count; i++) begin_round(&c->workers[i], x);
  team_run(c->workers, sizeof *c->workers, c->count, work);
}

/* The trouble of any thread is the caller's. */
static void take_trouble(crew *c) {
  for (uint32_t i = 1; i < c->count && !c->w->trouble.is_there; i++) {
    c->w->trouble = c->workers[i].w->trouble;
    if (c->w->budget && c->w->trouble.is_there) c->w->budget->end = c->workers[i].budget.end;
  }
}

static void merge_part(walk *x, uint32_t depth, part *p) {
  const uint32_t roles = x->crew->m->role_count;
  gathering all = gathering_new(x, &x->there, &x->links[depth + 1], x->scratch);
  for (uint32_t i = 0; i < p->there.states.count; i++) {
    const uint32_t known = x->there.states.count;
    if (level_add_state(&x->there, &p->there.states.items[i]) == known)
      add_link(&all, p->links.parents.items[i], vec_from(&p->links.joints, (size_t)i * roles));
  }
  note_stuck(x, depth, &p->found);
}

static void expand_round(walk *x, uint32_t depth, uint32_t first) {
  const uint32_t left = (x->here.states.count - first + PART_STATES - 1) / PART_STATES;
  x->first_state = first;
  x->part_count = left < ROUND_PARTS ? left : ROUND_PARTS;
  x->parts = arena_zero_array(x->scratch, part, x->part_count);
  run_round(x);
  take_trouble(x->crew);
  for (uint32_t i = 0; i < x->part_count; i++) {
    if (!x->parts[i].there.keep) continue; /* stopped before */
    if (!x->crew->w->trouble.is_there) merge_part(x, depth, &x->parts[i]);
  }
  for (uint32_t i = 0; i < x->crew->count; i++) end_round(&x->crew->workers[i]);
}

/* ---- the walk ---- */

/* One thread needs no parts. */
static uint32_t expand_alone(walk *x, uint32_t depth, uint32_t first) {
  const uint32_t last = first + PART_STATES;
  const uint32_t end = last < x->here.states.count ? last : x->here.states.count;
  gathering g = gathering_new(x, &x->there, &x->links[depth + 1], x->scratch);
  expand_into(&x->crew->workers[0].expander, &g, first, end);
  note_stuck(x, depth, &g);
  return end;
}

static bool expand_level(walk *x, uint32_t depth) {
  crew *c = x->crew;
  const uint32_t states = x->here.states.count;
  for (uint32_t first = 0; first < states && !workspace_is_over(c->w);) {
    progress_tell(c->o->progress, first, states, "states of depth %u", depth + 1);
    const bool alone = c->count == 1 || states - first <= PART_STATES;
    if (alone) {
      first = expand_alone(x, depth, first);
      continue;
    }
    expand_round(x, depth, first);
    first += x->part_count * PART_STATES;
  }
  budget_unwatch(c->w->budget, x->here.keep);
  level_free(&x->here);
  x->here = x->there;
  x->there = level_new();
  budget_watch(c->w->budget, x->there.keep);
  return !workspace_is_over(c->w);
}

static void *grown(const void *old, size_t count, size_t room, size_t size, arena *keep) {
  void *fresh = arena_alloc_zero(keep, room * size);
  if (count) memcpy(fresh, old, count * size);
  return fresh;
}

/* For a level of this depth.  A great depth that was asked for need not be reached. */
static void make_room(walk *x, uint32_t depth) {
  const size_t room = ((size_t)depth + 1) * 2, before = x->room;
  if (depth < before) return;
  x->links = grown(x->links, before, room, sizeof *x->links, x->scratch);
  if (x->r) {
    x->r->nodes = grown(x->r->nodes, before, room, sizeof *x->r->nodes, x->keep);
    x->r->unique = grown(x->r->unique, before, room, sizeof *x->r->unique, x->keep);
  }
  x->room = room;
}

static void count_level(walk *x, uint32_t depth) {
  if (!x->r) return;
  x->r->nodes[depth] = level_ways(&x->here);
  x->r->unique[depth] = x->here.states.count;
  x->r->total += x->r->nodes[depth];
  x->r->depth_done = depth;
}

/* The memory of a walk counts against the caller's budget. */
static void watch_walk(const walk *x, void (*watch)(budget *, const arena *)) {
  budget *b = x->crew->w->budget;
  watch(b, x->scratch);
  watch(b, x->here.keep);
  watch(b, x->there.keep);
}

/* Walks `depth` levels from the position; returns the ways of the last. */
static uint64_t walk_from(walk *x, const void *start, uint32_t depth) {
  x->scratch = arena_new();
  make_room(x, 0);
  x->here = level_new();
  x->there = level_new();
  watch_walk(x, budget_watch);
  level_add(&x->here, start, x->crew->m->position_size, 1);
  count_level(x, 0);
  for (uint32_t d = 0; d < depth; d++) {
    make_room(x, d + 1);
    if (!expand_level(x, d)) break;
    count_level(x, d + 1);
  }
  const uint64_t ways = level_ways(&x->here);
  watch_walk(x, budget_unwatch);
  level_free(&x->here);
  level_free(&x->there);
  arena_free(x->scratch);
  return ways;
}

/* ---- behind each first move ---- */

static void add_part(crew *c, perft_result *r, const joint_moves *first, const void *behind,
                     arena *keep) {
  walk x = {.crew = c, .keep = keep};
  perft_part p = {.joint = arena_new_array(keep, move_id, first->role_count)};
  if (first->role_count) memcpy(p.joint, first->joint, first->role_count * sizeof *p.joint);
  p.nodes = walk_from(&x, behind, c->o->depth - 1);
  vec_push(keep, &r->parts, p);
}

static void divide(crew *c, perft_result *r, const void *start, arena *keep) {
  joint_moves first = joint_moves_new(c->m->role_count, c->keep);
  void *next = arena_alloc(c->keep, c->m->position_size);
  if (!c->o->ignore_terminal && machine_terminal(c->m, c->w, start)) return;
  if (joint_moves_first(&first, c->m, c->w, start) < c->m->role_count) return;
  do {
    machine_step(c->m, c->w, start, first.joint, next);
    add_part(c, r, &first, next, keep);
  } while (!workspace_is_over(c->w) && joint_moves_next(&first));
}

/* ---- all of it ---- */

static void crew_init(crew *c) {
  c->workers = arena_zero_array(c->keep, worker, c->count);
  for (uint32_t i = 0; i < c->count; i++) {
    worker *k = &c->workers[i];
    k->w = c->w;
    if (i > 0) {
      k->budget = budget_share(c->w->budget, c->count);
      k->w = machine_workspace_new(c->m, &k->budget);
    }
    k->keep = arena_new();
    k->expander = expander_new(c->m, k->w, c->o->ignore_terminal, k->keep);
  }
}

static void crew_free(crew *c) {
  for (uint32_t i = 1; i < c->count; i++) machine_workspace_free(c->m, c->workers[i].w);
  for (uint32_t i = 0; i < c->count; i++) arena_free(c->workers[i].keep);
  arena_free(c->keep);
}

bool perft(perft_result *r, const machine *m, machine_workspace *w, const perft_options *o,
           arena *keep) {
  *r = (perft_result){0};
  crew c = {.m = m, .w = w, .o = o, .keep = arena_new(), .count = o->threads ? o->threads : 1};
  crew_init(&c);
  void *start = arena_alloc(keep, m->position_size);
  machine_start_at(m, o->start, start);
  walk x = {.crew = &c, .r = r, .keep = keep};
  walk_from(&x, start, o->depth);
  if (o->divide && o->depth && !w->trouble.is_there) divide(&c, r, start, keep);
  crew_free(&c);
  return !w->trouble.is_there;
}
