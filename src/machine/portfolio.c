#include "machine/portfolio.h"

#include "base/rng.h"

typedef struct trial {
  const machine *m;
  machine_workspace *w;
  void *position;
  move_id *joint;
  rng r;
  arena *scratch;
} trial;

/* A random legal move; false: the role has none. */
static bool choose_move(trial *t, uint32_t role) {
  const arena_mark mark = arena_save(t->scratch);
  const uint32_t count = machine_legal(t->m, t->w, t->position, role, NULL, 0);
  if (count == 0) return false;
  move_id *moves = arena_new_array(t->scratch, move_id, count);
  machine_legal(t->m, t->w, t->position, role, moves, count);
  t->joint[role] = moves[rng_below(&t->r, count)];
  arena_restore(t->scratch, mark);
  return true;
}

static void make_step(trial *t) {
  bool goes_on = !machine_terminal(t->m, t->w, t->position);
  for (uint32_t r = 0; r < t->m->role_count && goes_on; r++) goes_on = choose_move(t, r);
  if (goes_on)
    machine_step(t->m, t->w, t->position, t->joint, t->position);
  else
    machine_start(t->m, t->position);
}

/* Steps in a second of processor time. */
static double measure(const machine *m, double seconds, budget *limits, arena *scratch) {
  trial t = {.m = m,
             .w = machine_workspace_new(m, limits),
             .r = rng_new(1, 0),
             .scratch = scratch,
             .position = arena_alloc(scratch, m->position_size),
             .joint = arena_new_array(scratch, move_id, m->role_count + 1)};
  const double started = clock_process();
  double passed = 0;
  uint64_t steps = 0;
  machine_start(m, t.position);
  for (; passed < seconds && !t.w->trouble.is_there && !budget_is_spent(limits);
       passed = clock_process() - started, steps++)
    make_step(&t);
  const bool is_fine = !t.w->trouble.is_there && passed > 0;
  machine_workspace_free(m, t.w);
  return is_fine ? (double)steps / passed : 0;
}

static double try_encoding(const char *kind, machine_source source, const encoded_program *e,
                           double seconds, budget *limits) {
  arena *scratch = arena_new();
  diag_sink unheard;
  budget b = limits ? *limits : budget_new(0, 0);
  b.watched_count = 0;
  diag_sink_init(&unheard, scratch);
  source.program = e->program;
  source.inertia_count = e->frame.inertia_count;
  machine *m = machine_open(kind, &source, &b, &unheard);
  const double speed = m ? measure(m, seconds, &b, scratch) : 0;
  machine_close(m);
  arena_free(scratch);
  return speed;
}

void portfolio_choose(portfolio *c, const char *kind, const machine_source *source,
                      frame_scope scope, double seconds, arena *keep, budget *limits) {
  *c = (portfolio){.best = ENCODING_ORIGINAL};
  for (uint32_t e = 0; e < ENCODING_COUNT; e++) {
    encoded_program *encoded = &c->encodings[e];
    frame_encode(encoded, source->program, (frame_encoding)e, scope, keep, limits);
    if (encoded->used != (frame_encoding)e) continue;
    c->steps_per_second[e] = try_encoding(kind, *source, encoded, seconds, limits);
    if (c->steps_per_second[e] > c->steps_per_second[c->best]) c->best = (frame_encoding)e;
  }
}
