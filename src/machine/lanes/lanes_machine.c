#include "machine/lanes/lanes_machine.h"

#include <pthread.h>
#include <string.h>

/* A net and its code are made when they are first asked for. */
typedef struct ready_net {
  arena *keep; /* NULL: not made yet */
  lane_net net;
  lane_code code;
} ready_net;

typedef struct net_store {
  pthread_mutex_t lock;
  ready_net nets[NET_RECORDS + 1];
} net_store;

typedef struct lanes {
  grounded_machine common;
  const lane_engine *engine;
  net_store *store;
} lanes;

typedef struct workspace {
  machine_workspace base;
  arena *keep;
  lane_steps steps;   /* made when it is first asked */
  uint64_t *position; /* that is loaded */
  bool is_loaded;
} workspace;

static const lanes *of(const machine *m) { return (const lanes *)m; }

/* ---- nets ---- */

static void make_net(const lanes *m, lane_net_kind kind, ready_net *r, budget *b) {
  const bool native = lane_jit_is_possible();
  arena *keep = arena_new();
  budget_watch(b, keep);
  const bool ok = lane_net_build(&r->net, &m->common.g.circuit, kind, !native, keep, b) &&
                  lane_code_make(&r->code, &r->net.program, m->engine, native, keep, b);
  budget_unwatch(b, keep);
  if (ok)
    r->keep = keep;
  else
    arena_free(keep);
}

/* NULL: the budget is spent. */
static const ready_net *get_net(const lanes *m, lane_net_kind kind, budget *b) {
  ready_net *r = &m->store->nets[kind];
  pthread_mutex_lock(&m->store->lock);
  if (!r->keep) make_net(m, kind, r, b);
  const bool is_made = r->keep;
  pthread_mutex_unlock(&m->store->lock);
  return is_made ? r : NULL;
}

bool lanes_prepare(const machine *base, machine_bulk bulk, budget *b) {
  return get_net(of(base), bulk == BULK_PLAYOUTS ? NET_PLAYS : NET_STEPS, b);
}

lane_player *lanes_player_new(const machine *base, lane_net_kind kind, arena *keep, budget *b) {
  const ready_net *r = get_net(of(base), kind, b);
  return r ? lane_player_new(machine_grounded(base), &r->net, &r->code, keep) : NULL;
}

bool lanes_steps_init(lane_steps *s, const machine *base, arena *keep, budget *b) {
  const ready_net *r = get_net(of(base), NET_STEPS, b);
  if (r) lane_steps_init(s, machine_grounded(base), &r->net, &r->code, keep);
  return r;
}

/* Parts of some ten milliseconds, and of several games for each lane. */
uint64_t lanes_part_size(const machine *base, budget *b) {
  enum { OPERATIONS = 1 << 24, LEAST = 1, MOST = 256 };
  const ready_net *r = get_net(of(base), NET_PLAYS, b);
  if (!r) return 0;
  const uint64_t games = OPERATIONS / (r->net.program.ops.count * UINT64_C(64) + 1);
  return LANES * (games < LEAST ? LEAST : games > MOST ? MOST : games);
}

/* ---- opening ---- */

static machine *open_lanes(const machine_source *source, budget *b, diag_sink *d) {
  lanes *m = (lanes *)grounded_machine_open(&lanes_machine, sizeof *m, source, b, d);
  if (!m) return NULL;
  m->engine = lane_engine_best();
  m->store = arena_alloc_zero(m->common.g.keep, sizeof *m->store);
  pthread_mutex_init(&m->store->lock, NULL);
  return &m->common.base;
}

static void close_lanes(machine *base) {
  lanes *m = (lanes *)base;
  for (lane_net_kind kind = NET_STEPS; kind <= NET_RECORDS; kind++) {
    if (!m->store->nets[kind].keep) continue;
    lane_code_free(&m->store->nets[kind].code);
    arena_free(m->store->nets[kind].keep);
  }
  pthread_mutex_destroy(&m->store->lock);
  grounded_close(&m->common.g);
}

static machine_workspace *workspace_new(const machine *base, budget *b) {
  const lanes *m = of(base);
  arena *keep = arena_new();
  workspace *w = arena_alloc_zero(keep, sizeof *w);
  w->base.budget = b;
  w->keep = keep;
  w->position = arena_new_array(keep, uint64_t, grounded_words(&m->common.g) + 1);
  return &w->base;
}

static void workspace_free(machine_workspace *base) { arena_free(((workspace *)base)->keep); }

/* ---- one state ---- */

/* False: there was no time to make the net; from there on nothing is answered. */
static bool is_ready(const machine *m, workspace *w) {
  if (w->steps.net || w->base.trouble.is_there) return !w->base.trouble.is_there;
  if (lanes_steps_init(&w->steps, m, w->keep, w->base.budget)) return true;
  w->base.trouble = (machine_trouble){.is_there = true,
                                      .kind = DIAG_E801,
                                      .where = SPAN_NONE,
                                      .message = "the circuit was not made ready to run"};
  return false;
}

/* NULL: there is trouble. */
static lane_steps *look(const machine *m, machine_workspace *base, const void *position,
                        lane_phase phase) {
  workspace *w = (workspace *)base;
  if (!is_ready(m, w)) return NULL;
  if (!w->is_loaded || memcmp(w->position, position, m->position_size) != 0) {
    memcpy(w->position, position, m->position_size);
    lane_steps_load(&w->steps, w->position, 1);
    w->is_loaded = true;
  }
  lane_steps_run(&w->steps, phase);
  return &w->steps;
}

static lane_steps *move(const machine *m, machine_workspace *base, const void *position,
                        const move_id *joint) {
  lane_steps *s = look(m, base, position, PHASE_LEGAL);
  if (!s) return NULL;
  lane_steps_set_moves(s, joint);
  lane_steps_run(s, PHASE_NEXT);
  return s;
}

static bool terminal(const machine *m, machine_workspace *w, const void *position) {
  const lane_steps *s = look(m, w, position, PHASE_TERMINAL);
  return !s || lane_steps_bit(s, s->net->terminal, 0);
}

static uint32_t legal(const machine *m, machine_workspace *w, const void *position, uint32_t role,
                      move_id *moves, uint32_t capacity) {
  const circuit_role *r = &machine_grounded(m)->circuit.roles.items[role];
  const lane_steps *s = look(m, w, position, PHASE_LEGAL);
  uint32_t count = 0;
  for (uint32_t i = 0; s && i < r->move_count; i++) {
    if (!lane_steps_bit(s, s->net->legal + r->first_move + i, 0)) continue;
    if (count < capacity) moves[count] = i;
    count++;
  }
  return count;
}

static uint32_t goals(const machine *m, machine_workspace *w, const void *position, uint32_t role,
                      int32_t *values, uint32_t capacity) {
  const grounded *g = machine_grounded(m);
  const lane_steps *s = look(m, w, position, PHASE_GOALS);
  uint32_t count = 0;
  for (uint32_t i = g->goals_of[role]; s && i < g->goals_of[role + 1]; i++) {
    if (!lane_steps_bit(s, s->net->goals + g->goals[i], 0)) continue;
    if (count < capacity) values[count] = g->goal_values[g->goals[i]];
    count++;
  }
  return count;
}

static void make_step(const machine *m, machine_workspace *w, const void *position,
                      const move_id *joint, void *next) {
  const lane_steps *s = move(m, w, position, joint);
  if (s)
    lane_steps_store(s, next);
  else
    memmove(next, position, m->position_size);
}

static uint32_t sees(const machine *m, machine_workspace *w, const void *position,
                     const move_id *joint, uint32_t role, sight_id *sights, uint32_t capacity) {
  const circuit *c = &machine_grounded(m)->circuit;
  const lane_steps *s = move(m, w, position, joint);
  uint32_t count = 0;
  for (uint32_t i = 0; s && i < c->percepts.count; i++) {
    if (c->percepts.items[i].role != role || !lane_steps_bit(s, s->net->percepts + i, 0)) continue;
    if (count < capacity) sights[count] = i;
    count++;
  }
  return count;
}

const machine_ops lanes_machine = {
    .name = "lanes",
    .summary = "512 games side by side, one bit each; for random play and whole frontiers",
    .is_for_bulk = true,
    .needs_grounding = true,
    .open = open_lanes,
    .close = close_lanes,
    .workspace_new = workspace_new,
    .workspace_free = workspace_free,
    .start = grounded_machine_start,
    .terminal = terminal,
    .legal = legal,
    .goals = goals,
    .step = make_step,
    .sees = sees,
    .fluents = grounded_machine_fluents,
    .fluent_text = grounded_machine_fluent_text,
    .move_text = grounded_machine_move_text,
    .sight_text = grounded_machine_sight_text,
};
