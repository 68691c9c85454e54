#include "machine/lanes/lanes_machine.h"

#include "base/recovery.h"
#include "machine/lanes/lane_bulk_play.h"
#include "machine/lanes/lane_bundle.h"

#include <string.h>

/* A net that plays and its code, made when they are first asked for. */
typedef struct ready_net {
  arena *keep; /* NULL: not made yet */
  lane_net net;
  lane_code code;
} ready_net;

/* Made on first use; the lock is held meanwhile. */
struct net_store {
  pthread_mutex_t lock;
  arena *stepper_keep; /* NULL: not made yet */
  lane_stepper stepper;
  ready_net plays, records;
};

typedef struct workspace {
  machine_workspace base;
  arena *keep;
  lane_steps steps;   /* made when it is first asked */
  uint64_t *position; /* that is loaded */
  uint32_t *joint;    /* scratch */
  bool is_loaded;
} workspace;

static const lanes *of(const machine *m) { return (const lanes *)m; }

/* ---- nets ---- */

/* What is to be made. */
typedef struct net_order {
  const lanes *m;
  lane_net_kind kind;
  ready_net *net;
  budget *b;
} net_order;

static ready_net *net_of(const lanes *m, lane_net_kind kind) {
  return kind == NET_PLAYS ? &m->store->plays : &m->store->records;
}

static void make_net(void *order) {
  const net_order *o = order;
  const lanes *m = o->m;
  ready_net *r = o->net;
  const bool native = lane_jit_is_possible();
  arena *keep = arena_new();
  budget_watch(o->b, keep);
  const bool ok = lane_net_build(&r->net, &m->common.g.circuit, o->kind, !native, keep, o->b) &&
                  lane_code_make(&r->code, &r->net.program, m->engine, native, keep, o->b);
  budget_unwatch(o->b, keep);
  if (ok)
    r->keep = keep;
  else
    arena_free(keep);
}

/* A net lives as long as the machine, even if the call that needed it first fails. */
static void make_for(const lanes *m, recovery_work *make, net_order *order) {
  if (!recovery_try(arena_group_of(m->common.g.keep), make, order)) recovery_fail();
}

/* NULL: the budget is spent. */
static const ready_net *get_net(const lanes *m, lane_net_kind kind, budget *b) {
  ready_net *r = net_of(m, kind);
  recovery_lock(&m->store->lock);
  if (!r->keep) make_for(m, make_net, &(net_order){m, kind, r, b});
  const bool is_made = r->keep;
  recovery_unlock(&m->store->lock);
  return is_made ? r : NULL;
}

static void make_stepper(void *order) {
  const net_order *o = order;
  const lanes *m = o->m;
  arena *keep = arena_new();
  budget_watch(o->b, keep);
  const bool ok = lane_stepper_init(&m->store->stepper, &m->common.g.circuit,
                                    (uint32_t)m->common.base.position_size, UINT32_MAX, keep, o->b);
  budget_unwatch(o->b, keep);
  if (ok)
    m->store->stepper_keep = keep;
  else
    arena_free(keep);
}

const lane_stepper *lanes_stepper(const machine *base, budget *b) {
  const lanes *m = of(base);
  recovery_lock(&m->store->lock);
  if (!m->store->stepper_keep) make_for(m, make_stepper, &(net_order){.m = m, .b = b});
  const bool is_made = m->store->stepper_keep;
  recovery_unlock(&m->store->lock);
  return is_made ? &m->store->stepper : NULL;
}

bool lanes_prepare(const machine *base, machine_bulk bulk, budget *b) {
  return bulk == BULK_PLAYOUTS ? get_net(of(base), NET_PLAYS, b) != NULL
                               : lanes_stepper(base, b) != NULL;
}

lane_player *lanes_player_new(const machine *base, lane_net_kind kind, arena *keep, budget *b) {
  const ready_net *r = get_net(of(base), kind, b);
  return r ? lane_player_new(machine_grounded(base), &r->net, &r->code, keep) : NULL;
}

lane_rollouts *lanes_rollouts_new(const machine *base, arena *keep, budget *b) {
  const ready_net *r = get_net(of(base), NET_PLAYS, b);
  return r ? lane_rollouts_new(machine_grounded(base), &r->net, &r->code, keep) : NULL;
}

/* Parts of some ten milliseconds, and of several games for each lane. */
uint64_t lanes_part_size_of(const lane_net *n) {
  enum { OPERATIONS = 1 << 24, LEAST = 1, MOST = 256 };
  const uint64_t games = OPERATIONS / (n->program.ops.count * UINT64_C(64) + 1);
  return LANES * (games < LEAST ? LEAST : games > MOST ? MOST : games);
}

uint64_t lanes_part_size(const machine *base, budget *b) {
  const ready_net *r = get_net(of(base), NET_PLAYS, b);
  return r ? lanes_part_size_of(&r->net) : 0;
}

/* ---- opening ---- */

machine *lanes_open(const machine_ops *ops, size_t size, const machine_source *source, budget *b,
                    diag_sink *d) {
  lanes *m = (lanes *)grounded_machine_open(ops, size, source, b, d);
  if (!m) return NULL;
  m->engine = lane_engine_best();
  m->store = arena_alloc_zero(m->common.g.keep, sizeof *m->store);
  pthread_mutex_init(&m->store->lock, NULL);
  return &m->common.base;
}

static machine *open_lanes(const machine_source *source, budget *b, diag_sink *d) {
  return lanes_open(&lanes_machine, sizeof(lanes), source, b, d);
}

void lanes_close(machine *base) {
  lanes *m = (lanes *)base;
  ready_net *nets[] = {&m->store->plays, &m->store->records};
  for (uint32_t i = 0; i < 2; i++) {
    if (!nets[i]->keep) continue;
    lane_code_free(&nets[i]->code);
    arena_free(nets[i]->keep);
  }
  if (m->store->stepper_keep) {
    lane_stepper_free(&m->store->stepper);
    arena_free(m->store->stepper_keep);
  }
  pthread_mutex_destroy(&m->store->lock);
  grounded_close(&m->common.g);
}

machine_workspace *lanes_workspace_new(const machine *base, budget *b) {
  const lanes *m = of(base);
  arena *keep = arena_new();
  workspace *w = arena_alloc_zero(keep, sizeof *w);
  w->base.budget = b;
  w->keep = keep;
  w->position = arena_new_array(keep, uint64_t, grounded_words(&m->common.g) + 1);
  w->joint = arena_new_array(keep, uint32_t, base->role_count + 1);
  return &w->base;
}

void lanes_workspace_free(machine_workspace *base) { arena_free(((workspace *)base)->keep); }

/* ---- one state ---- */

/* False: there was no time to make the net; from there on nothing is answered. */
static bool is_ready(const machine *m, workspace *w) {
  if (w->steps.s || w->base.trouble.is_there) return !w->base.trouble.is_there;
  const lane_stepper *s = lanes_stepper(m, w->base.budget);
  if (s) {
    lane_steps_init(&w->steps, s, w->keep);
    return true;
  }
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
  lane_steps *s = look(m, base, position, PHASE_TERMINAL);
  workspace *w = (workspace *)base;
  if (!s) return NULL;
  for (uint32_t role = 0; role < m->role_count; role++)
    w->joint[role] = s->s->c->roles.items[role].first_move + joint[role];
  lane_steps_step(s, w->joint);
  return s;
}

bool lanes_terminal(const machine *m, machine_workspace *w, const void *position) {
  const lane_steps *s = look(m, w, position, PHASE_TERMINAL);
  return !s || lane_steps_bit(s, s->s->net.terminal, 0);
}

uint32_t lanes_legal(const machine *m, machine_workspace *w, const void *position, uint32_t role,
                     move_id *moves, uint32_t capacity) {
  const circuit_role *r = &machine_grounded(m)->circuit.roles.items[role];
  const lane_steps *s = look(m, w, position, PHASE_LEGAL);
  uint32_t count = 0;
  for (uint32_t i = 0; s && i < r->move_count; i++) {
    if (!lane_steps_bit(s, s->s->net.legal + r->first_move + i, 0)) continue;
    if (count < capacity) moves[count] = i;
    count++;
  }
  return count;
}

uint32_t lanes_goals(const machine *m, machine_workspace *w, const void *position, uint32_t role,
                     int32_t *values, uint32_t capacity) {
  const grounded *g = machine_grounded(m);
  const lane_steps *s = look(m, w, position, PHASE_GOALS);
  uint32_t count = 0;
  for (uint32_t i = g->goals_of[role]; s && i < g->goals_of[role + 1]; i++) {
    if (!lane_steps_bit(s, s->s->net.goals + g->goals[i], 0)) continue;
    if (count < capacity) values[count] = g->goal_values[g->goals[i]];
    count++;
  }
  return count;
}

void lanes_step(const machine *m, machine_workspace *w, const void *position, const move_id *joint,
                void *next) {
  const lane_steps *s = move(m, w, position, joint);
  if (s)
    lane_steps_store_next(s, next);
  else
    memmove(next, position, m->position_size);
}

uint32_t lanes_sees(const machine *m, machine_workspace *w, const void *position,
                    const move_id *joint, uint32_t role, percept_id *percepts, uint32_t capacity) {
  const grounded *g = machine_grounded(m);
  const lane_steps *s = move(m, w, position, joint);
  uint32_t count = 0;
  for (uint32_t i = g->percepts_of[role]; s && i < g->percepts_of[role + 1]; i++) {
    if (!lane_steps_bit(s, s->s->net.percepts + g->percepts[i], 0)) continue;
    if (count < capacity) percepts[count] = i - g->percepts_of[role];
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
    .close = lanes_close,
    .workspace_new = lanes_workspace_new,
    .workspace_free = lanes_workspace_free,
    .start = grounded_machine_start,
    .terminal = lanes_terminal,
    .legal = lanes_legal,
    .goals = lanes_goals,
    .step = lanes_step,
    .sees = lanes_sees,
    .fluents = grounded_machine_fluents,
    .find_fluent = grounded_machine_find_fluent,
    .place = grounded_machine_place,
    .prepare = lanes_prepare,
    .bundle = &lane_bundles,
    .bulk_play = &lane_bulk_play,
    .fluent_text = grounded_machine_fluent_text,
    .move_text = grounded_machine_move_text,
    .percept_text = grounded_machine_percept_text,
};
