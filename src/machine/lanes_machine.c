#include "machine/lanes_machine.h"

#include <pthread.h>
#include <string.h>

/* A net and its code are made when they are first asked for. */
typedef struct ready_net {
  bool is_made;
  lane_net net;
  lane_code code;
} ready_net;

typedef struct net_store {
  pthread_mutex_t lock;
  ready_net nets[NET_RECORDS + 1];
} net_store;

typedef struct lanes {
  machine base;
  grounded g;
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

const grounded *lanes_grounded(const machine *m) { return &of(m)->g; }

/* ---- nets ---- */

static const ready_net *get_net(const lanes *m, lane_net_kind kind) {
  ready_net *r = &m->store->nets[kind];
  pthread_mutex_lock(&m->store->lock);
  if (!r->is_made) {
    const bool native = lane_jit_is_possible();
    lane_net_build(&r->net, &m->g.circuit, kind, !native, m->g.keep);
    lane_code_make(&r->code, &r->net.program, m->engine, native, m->g.keep);
    r->is_made = true;
  }
  pthread_mutex_unlock(&m->store->lock);
  return r;
}

lane_player *lanes_player_new(const machine *base, lane_net_kind kind, arena *keep) {
  const ready_net *r = get_net(of(base), kind);
  return lane_player_new(&of(base)->g, &r->net, &r->code, keep);
}

void lanes_steps_init(lane_steps *s, const machine *base, arena *keep) {
  const ready_net *r = get_net(of(base), NET_STEPS);
  lane_steps_init(s, &of(base)->g, &r->net, &r->code, keep);
}

/* Parts of some ten milliseconds, and of several games for each lane. */
uint64_t lanes_part_size(const machine *base) {
  enum { OPERATIONS = 1 << 24, LEAST = 1, MOST = 256 };
  const ready_net *r = get_net(of(base), NET_PLAYS);
  const uint64_t games = OPERATIONS / (r->net.program.ops.count * UINT64_C(64) + 1);
  return LANES * (games < LEAST ? LEAST : games > MOST ? MOST : games);
}

/* ---- opening ---- */

static machine *open_lanes(const machine_source *source, budget *b, diag_sink *d) {
  grounded g;
  if (!grounded_open(&g, source, b, d)) {
    grounded_close(&g);
    return NULL;
  }
  lanes *m = arena_alloc_zero(g.keep, sizeof *m);
  m->g = g;
  m->engine = lane_engine_best();
  m->store = arena_alloc_zero(g.keep, sizeof *m->store);
  pthread_mutex_init(&m->store->lock, NULL);
  m->base = (machine){.ops = &lanes_machine,
                      .position_size = grounded_words(&g) * sizeof(uint64_t),
                      .role_count = g.circuit.roles.count,
                      .roles = g.roles};
  return &m->base;
}

static void close_lanes(machine *base) {
  lanes *m = (lanes *)base;
  for (lane_net_kind kind = NET_STEPS; kind <= NET_RECORDS; kind++)
    if (m->store->nets[kind].is_made) lane_code_free(&m->store->nets[kind].code);
  pthread_mutex_destroy(&m->store->lock);
  grounded_close(&m->g);
}

static machine_workspace *workspace_new(const machine *base, budget *b) {
  const lanes *m = of(base);
  arena *keep = arena_new();
  workspace *w = arena_alloc_zero(keep, sizeof *w);
  w->base.budget = b;
  w->keep = keep;
  w->position = arena_new_array(keep, uint64_t, grounded_words(&m->g) + 1);
  return &w->base;
}

static void workspace_free(machine_workspace *base) { arena_free(((workspace *)base)->keep); }

/* ---- one state ---- */

static lane_steps *look(const machine *m, machine_workspace *base, const void *position,
                        lane_phase phase) {
  workspace *w = (workspace *)base;
  if (!w->steps.net) lanes_steps_init(&w->steps, m, w->keep);
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
  lane_steps_set_moves(s, joint);
  lane_steps_run(s, PHASE_NEXT);
  return s;
}

static void start(const machine *m, void *position) { grounded_start(&of(m)->g, position); }

static bool terminal(const machine *m, machine_workspace *w, const void *position) {
  if (w->trouble.is_there) return true;
  const lane_steps *s = look(m, w, position, PHASE_TERMINAL);
  return lane_steps_bit(s, s->net->terminal, 0);
}

static uint32_t legal(const machine *m, machine_workspace *w, const void *position, uint32_t role,
                      move_id *moves, uint32_t capacity) {
  const circuit_role *r = &of(m)->g.circuit.roles.items[role];
  const lane_steps *s = look(m, w, position, PHASE_LEGAL);
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->move_count; i++) {
    if (!lane_steps_bit(s, s->net->legal + r->first_move + i, 0)) continue;
    if (count < capacity) moves[count] = i;
    count++;
  }
  return count;
}

static uint32_t goals(const machine *m, machine_workspace *w, const void *position, uint32_t role,
                      int32_t *values, uint32_t capacity) {
  const grounded *g = &of(m)->g;
  const lane_steps *s = look(m, w, position, PHASE_GOALS);
  uint32_t count = 0;
  for (uint32_t i = g->goals_of[role]; i < g->goals_of[role + 1]; i++) {
    if (!lane_steps_bit(s, s->net->goals + g->goals[i], 0)) continue;
    if (count < capacity) values[count] = g->goal_values[g->goals[i]];
    count++;
  }
  return count;
}

static void make_step(const machine *m, machine_workspace *w, const void *position,
                      const move_id *joint, void *next) {
  lane_steps_store(move(m, w, position, joint), next);
}

static uint32_t sees(const machine *m, machine_workspace *w, const void *position,
                     const move_id *joint, uint32_t role, sight_id *sights, uint32_t capacity) {
  const circuit *c = &of(m)->g.circuit;
  const lane_steps *s = move(m, w, position, joint);
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->percepts.count; i++) {
    if (c->percepts.items[i].role != role || !lane_steps_bit(s, s->net->percepts + i, 0)) continue;
    if (count < capacity) sights[count] = i;
    count++;
  }
  return count;
}

static uint32_t fluents(const machine *m, const void *position, fluent_id *all, uint32_t capacity) {
  return grounded_fluents(&of(m)->g, position, all, capacity);
}

/* ---- words ---- */

static void fluent_text(const machine *m, fluent_id f, text *out) {
  grounded_fluent_text(&of(m)->g, f, out);
}

static void move_text(const machine *m, uint32_t role, move_id id, text *out) {
  grounded_move_text(&of(m)->g, role, id, out);
}

static void sight_text(const machine *m, uint32_t role, sight_id sight, text *out) {
  (void)role;
  grounded_sight_text(&of(m)->g, sight, out);
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
    .start = start,
    .terminal = terminal,
    .legal = legal,
    .goals = goals,
    .step = make_step,
    .sees = sees,
    .fluents = fluents,
    .fluent_text = fluent_text,
    .move_text = move_text,
    .sight_text = sight_text,
};
