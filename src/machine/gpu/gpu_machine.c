#include "machine/gpu/gpu_machine.h"

#include "base/recovery.h"
#include "machine/gpu/gpu_bulk_play.h"
#include "machine/lanes/lane_bundle.h"

/* What is made when it is first asked for; the locks are held while it is made, or used. */
typedef struct gpu_store {
  pthread_mutex_t making, playing;
  gpu_device *device;
  arena *net_keep; /* NULL: not made yet */
  lane_net net;
  arena *code_keep[2]; /* by whether games begin elsewhere; NULL: not made yet */
  gpu_code codes[2];
} gpu_store;

typedef struct gpu {
  lanes base;
  gpu_store *store;
} gpu;

static const gpu *of(const machine *m) { return (const gpu *)m; }

/* ---- making ---- */

typedef struct gpu_order {
  const gpu *m;
  bool has_start;
  budget *b;
} gpu_order;

/* Operations come in the order in which few values are live, whatever the processor prefers. */
static void make_net(void *order) {
  const gpu_order *o = order;
  gpu_store *s = o->m->store;
  arena *keep = arena_new();
  budget_watch(o->b, keep);
  const bool ok =
      lane_net_build(&s->net, &o->m->base.common.g.circuit, NET_PLAYS, false, keep, o->b);
  budget_unwatch(o->b, keep);
  if (ok)
    s->net_keep = keep;
  else
    arena_free(keep);
}

static void make_code(void *order) {
  const gpu_order *o = order;
  gpu_store *s = o->m->store;
  arena *keep = arena_new();
  gpu_step step;
  budget_watch(o->b, keep);
  gpu_step_make(&step, &o->m->base.common.g, &s->net, o->has_start, keep);
  const gpu_shape shape =
      gpu_shape_for(gpu_step_live(&step), s->device->shared_bytes, step.counter_count);
  const bool ok = gpu_code_make(&s->codes[o->has_start], s->device, &step, shape, keep, o->b);
  budget_unwatch(o->b, keep);
  if (ok)
    s->code_keep[o->has_start] = keep;
  else
    arena_free(keep);
}

/* What is made lives as long as the machine, even if the call that needed it first fails. */
static void make_for(const gpu *m, recovery_work *make, gpu_order *order) {
  if (!recovery_try(arena_group_of(m->base.common.g.keep), make, order)) recovery_fail();
}

const lane_net *gpu_machine_net(const machine *base, budget *b) {
  const gpu *m = of(base);
  gpu_store *s = m->store;
  recovery_lock(&s->making);
  if (!s->net_keep) make_for(m, make_net, &(gpu_order){.m = m, .b = b});
  const bool is_made = s->net_keep;
  recovery_unlock(&s->making);
  return is_made ? &s->net : NULL;
}

const gpu_code *gpu_machine_code(const machine *base, bool has_start, const char **trouble,
                                 budget *b) {
  const gpu *m = of(base);
  gpu_store *s = m->store;
  if (!gpu_machine_net(base, b)) return NULL;
  recovery_lock(&s->making);
  if (!s->code_keep[has_start])
    make_for(m, make_code, &(gpu_order){.m = m, .has_start = has_start, .b = b});
  const bool is_made = s->code_keep[has_start];
  recovery_unlock(&s->making);
  if (!is_made && (!b || b->end == BUDGET_LEFT)) *trouble = s->device->message;
  return is_made ? &s->codes[has_start] : NULL;
}

void gpu_machine_lock(const machine *m) { recovery_lock(&of(m)->store->playing); }
void gpu_machine_unlock(const machine *m) { recovery_unlock(&of(m)->store->playing); }

/* A device that fails is found when games are played; then its message is told. */
static bool prepare(const machine *m, machine_bulk bulk, budget *b) {
  const char *trouble;
  if (bulk != BULK_PLAYOUTS) return lanes_prepare(m, bulk, b);
  return gpu_machine_code(m, false, &trouble, b) || !b || b->end == BUDGET_LEFT;
}

/* ---- opening ---- */

static machine *open_gpu(const machine_source *source, budget *b, diag_sink *d) {
  gpu *m = (gpu *)lanes_open(&gpu_machine, sizeof *m, source, b, d);
  if (!m) return NULL;
  m->store = arena_alloc_zero(m->base.common.g.keep, sizeof *m->store);
  m->store->device = gpu_device_open(m->base.common.g.keep, d);
  if (!m->store->device) {
    if (b) b->end = BUDGET_DEVICE;
    lanes_close(&m->base.common.base);
    return NULL;
  }
  pthread_mutex_init(&m->store->making, NULL);
  pthread_mutex_init(&m->store->playing, NULL);
  return &m->base.common.base;
}

static void close_gpu(machine *base) {
  gpu_store *s = of(base)->store;
  for (uint32_t i = 0; i < 2; i++) {
    if (!s->code_keep[i]) continue;
    gpu_code_free(&s->codes[i]);
    arena_free(s->code_keep[i]);
  }
  arena_free(s->net_keep);
  gpu_device_close(s->device);
  pthread_mutex_destroy(&s->making);
  pthread_mutex_destroy(&s->playing);
  lanes_close(base);
}

const machine_ops gpu_machine = {
    .name = "gpu",
    .summary = "random games on an NVIDIA card, the same ones as on lanes by counter",
    .is_for_bulk = true,
    .needs_grounding = true,
    .open = open_gpu,
    .close = close_gpu,
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
    .prepare = prepare,
    .bundle = &lane_bundles,
    .bulk_play = &gpu_bulk_play,
    .fluent_text = grounded_machine_fluent_text,
    .move_text = grounded_machine_move_text,
    .sight_text = grounded_machine_sight_text,
};
