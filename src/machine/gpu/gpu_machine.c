#include "machine/gpu/gpu_machine.h"

#include "base/recovery.h"
#include "machine/gpu/gpu_batch.h"
#include "machine/gpu/gpu_bulk_play.h"
#include "machine/lanes/lane_bundle.h"

/* A device, and the code that has been begun for it. */
typedef struct gpu_place {
  gpu_device *device;
  pthread_mutex_t playing;      /* held while it is used */
  arena *code_keep[GPU_STARTS]; /* NULL: not begun yet */
  gpu_code codes[GPU_STARTS];
} gpu_place;

/* What is made when it is first asked for; the lock is held while it is made. */
typedef struct gpu_store {
  pthread_mutex_t making;
  arena *net_keep; /* NULL: not made yet */
  lane_net net;
  gpu_place *places;
  uint32_t place_count;
} gpu_store;

typedef struct gpu {
  lanes base;
  gpu_store *store;
} gpu;

static const gpu *of(const machine *m) { return (const gpu *)m; }

/* ---- making ---- */

typedef struct gpu_order {
  const gpu *m;
  gpu_place *place;
  gpu_start start;
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
  gpu_place *p = o->place;
  arena *keep = arena_new();
  gpu_step step;
  budget_watch(o->b, keep);
  gpu_step_make(&step, &o->m->base.common.g, &o->m->store->net, o->start, keep);
  const gpu_shape shape =
      gpu_shape_for(gpu_step_live(&step), p->device->shared_bytes, ptx_counter_words(&step));
  budget_unwatch(o->b, keep);
  gpu_code_begin(&p->codes[o->start], p->device, &step, shape, keep);
  p->code_keep[o->start] = keep;
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

const gpu_code *gpu_machine_code(const machine *base, uint32_t device, gpu_start start, budget *b) {
  const gpu *m = of(base);
  gpu_store *s = m->store;
  gpu_place *p = &s->places[device];
  if (!gpu_machine_net(base, b)) return NULL;
  recovery_lock(&s->making);
  if (!p->code_keep[start])
    make_for(m, make_code, &(gpu_order){.m = m, .place = p, .start = start, .b = b});
  const bool is_begun = p->code_keep[start];
  recovery_unlock(&s->making);
  return is_begun ? &p->codes[start] : NULL;
}

uint32_t gpu_machine_devices(const machine *m) { return of(m)->store->place_count; }

gpu_device *gpu_machine_device(const machine *m, uint32_t device) {
  return of(m)->store->places[device].device;
}

void gpu_machine_lock(const machine *m, uint32_t device) {
  recovery_lock(&of(m)->store->places[device].playing);
}

void gpu_machine_unlock(const machine *m, uint32_t device) {
  recovery_unlock(&of(m)->store->places[device].playing);
}

/* Code is made when it is known what for (gpu_bulk_play.c). */
static bool prepare(const machine *m, machine_bulk bulk, budget *b) {
  return bulk == BULK_PLAYOUTS ? gpu_machine_net(m, b) != NULL : lanes_prepare(m, bulk, b);
}

/* ---- opening ---- */

/* False: `d` says why there is no device. */
static bool open_devices(gpu_store *s, arena *keep, diag_sink *d) {
  gpu_device *all[GPU_DEVICES_MAX];
  s->place_count = gpu_devices_open(all, keep, d);
  s->places = arena_zero_array(keep, gpu_place, s->place_count + 1);
  for (uint32_t i = 0; i < s->place_count; i++) {
    s->places[i].device = all[i];
    pthread_mutex_init(&s->places[i].playing, NULL);
  }
  return s->place_count;
}

static machine *open_gpu(const machine_source *source, budget *b, diag_sink *d) {
  gpu *m = (gpu *)lanes_open(&gpu_machine, sizeof *m, source, b, d);
  if (!m) return NULL;
  m->store = arena_alloc_zero(m->base.common.g.keep, sizeof *m->store);
  if (!open_devices(m->store, m->base.common.g.keep, d)) {
    if (b) b->end = BUDGET_DEVICE;
    lanes_close(&m->base.common.base);
    return NULL;
  }
  pthread_mutex_init(&m->store->making, NULL);
  return &m->base.common.base;
}

static void close_place(gpu_place *p) {
  for (uint32_t i = 0; i < GPU_STARTS; i++) {
    if (!p->code_keep[i]) continue;
    gpu_code_free(&p->codes[i]);
    arena_free(p->code_keep[i]);
  }
  gpu_device_close(p->device);
  pthread_mutex_destroy(&p->playing);
}

static void close_gpu(machine *base) {
  gpu_store *s = of(base)->store;
  for (uint32_t i = 0; i < s->place_count; i++) close_place(&s->places[i]);
  arena_free(s->net_keep);
  pthread_mutex_destroy(&s->making);
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
    .device_batch = &gpu_batches,
    .fluent_text = grounded_machine_fluent_text,
    .move_text = grounded_machine_move_text,
    .percept_text = grounded_machine_percept_text,
};
