/* Of a game with a step counter that nothing reads before its last steps: a walk of states without
   the counter.  A state comes first at the depth of the walk, and later it can do no more; so what
   is reached before the counter is read is reached there.  At the step at which it is read for the
   first time, one of the states that came so far holds: they are asked what would be if it were
   that step.  After that step what is asked must be excluded, whatever else holds. */
#include "circuit/rebuild.h"
#include "prove/methods.h"
#include "states/walk.h"

static const char method[] = "exhaustive";

struct clockless {
  circuit c; /* behind the targets of the game: the same, as they are at the step that is read */
  uint32_t *late; /* by target: the one of these; the target itself, when they are the same */
  lane_stepper stepper;
  walk w;
};

/* Is what is asked for decided when the counter is read for the first time? */
static bool is_asked(const prove_job *j, uint32_t i) {
  const property_kind kind = j->properties.items[i].kind;
  if (!job_is_open(j, i) || j->targets[i] == ID_NONE) return false;
  if (kind == PROPERTY_MUTEX || kind == PROPERTY_DEAD) return false;
  const uint32_t last = j->last_steps[j->targets[i]];
  return j->clock.silent && last != ID_NONE && last <= j->clock.silent;
}

bool has_clock_to_leave_out(const prove_job *j) {
  if (j->reads_moves_at_rest || j->reduced.components.count) return false;
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (is_asked(j, i)) return true;
  return false;
}

static bitset asked_targets(const prove_job *j, const clockless *k, arena *keep) {
  const bitset wanted = bitset_new(keep, k->c.targets.count + 1);
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (!is_asked(j, i)) continue;
    bitset_add(wanted, j->targets[i]);
    bitset_add(wanted, k->late[j->targets[i]]);
  }
  return wanted;
}

/* ---- the circuit ---- */

/* The counter stands at `step`, or at none: ID_NONE. */
static void set_clock(rebuild *r, const step_clock *k, uint32_t step) {
  for (uint32_t i = 0; i < k->latches.count; i++)
    r->wires[r->in->latches.items[k->latches.items[i]].gate] = i == step ? WIRE_TRUE : WIRE_FALSE;
}

static void read_targets(const rebuild *r, wire_vec *out, arena *keep) {
  for (uint32_t t = 0; t < r->in->targets.count; t++)
    vec_push(keep, out, rebuild_wire(r, r->in->targets.items[t]));
}

static void add_late_targets(clockless *k, const wire_vec *late, arena *keep) {
  const uint32_t count = k->c.targets.count;
  k->late = arena_new_array(keep, uint32_t, count + (size_t)1);
  for (uint32_t t = 0; t < count; t++) {
    k->late[t] = t;
    if (late->items[t] == k->c.targets.items[t]) continue;
    k->late[t] = k->c.targets.count;
    vec_push(k->c.keep, &k->c.targets, late->items[t]);
  }
}

/* The gates are made twice; those that do not depend on the counter are the same. */
static void build_circuit(clockless *k, const prove_job *j, arena *keep) {
  arena *scratch = arena_new();
  const circuit *c = &j->reduced;
  wire *wires = arena_new_array(scratch, wire, c->latches.count + (size_t)1);
  wire_vec late = {0};
  rebuild r;
  for (uint32_t l = 0; l < c->latches.count; l++) wires[l] = ID_NONE;
  for (uint32_t i = 0; i < j->clock.latches.count; i++)
    wires[j->clock.latches.items[i]] = WIRE_FALSE;
  rebuild_begin(&r, &k->c, c, wires, keep);
  set_clock(&r, &j->clock, j->clock.silent);
  rebuild_gates(&r, rebuild_copy_gate, NULL);
  read_targets(&r, &late, scratch);
  set_clock(&r, &j->clock, ID_NONE);
  rebuild_gates(&r, rebuild_copy_gate, NULL);
  rebuild_end(&r);
  add_late_targets(k, &late, keep);
  arena_free(scratch);
}

static clockless *begun(prove_job *j) {
  if (j->clockless) return j->clockless;
  clockless *k = j->clockless = arena_alloc_zero(j->keep, sizeof *k);
  build_circuit(k, j, j->keep);
  lane_stepper_init(&k->stepper, &k->c, lane_state_bytes(&k->c), LANE_NATIVE_MAX, j->keep, NULL);
  walk_init(&k->w, &k->stepper, j->keep);
  return k;
}

void clockless_free(clockless *k) {
  if (!k) return;
  walk_free(&k->w);
  lane_stepper_free(&k->stepper);
}

/* ---- the walk ---- */

/* All states that come before the counter is read, and when it is. */
static bool is_through(const prove_job *j, const walk *w) {
  return w->is_complete || w->levels.count - 2 > j->clock.silent;
}

static void settle_never(prove_job *j, uint32_t i, const walk *w) {
  job_never_reached(j, i,
                    (finding){.method = method,
                              .states = walk_states(w),
                              .depth = walk_depth(w),
                              .reason = "states that differ in the step counter count once"});
}

static void settle_reached(prove_job *j, uint32_t i, walk *w, const walk_found *found, budget *b) {
  finding v = {.method = method, .states = walk_states(w), .length = found->depth};
  budget later = budget_to_show(b);
  if (walk_line(w, found->where, &later, &v.line, j->keep)) job_reached(j, i, v);
}

static void settle(prove_job *j, uint32_t i, clockless *k, budget *b) {
  walk *w = &k->w;
  const uint32_t silent = j->clock.silent;
  const walk_found *soon = &w->targets[j->targets[i]], *late = &w->targets[k->late[j->targets[i]]];
  if (soon->is_found && soon->depth < silent)
    settle_reached(j, i, w, soon, b);
  else if (late->is_found && late->depth == silent)
    settle_reached(j, i, w, late, b);
  else if (!late->is_found && is_through(j, w))
    settle_never(j, i, w);
}

void prove_without_clock(prove_job *j, budget *b) {
  if (!has_clock_to_leave_out(j)) return;
  arena *keep = arena_new();
  clockless *k = begun(j);
  const walk_options o = {.threads = j->options.threads,
                          .wanted = asked_targets(j, k, keep),
                          .only_targets = true,
                          .max_depth = j->clock.silent + 1};
  if (walk_run(&k->w, o, b, j->d))
    for (uint32_t i = 0; i < j->properties.count; i++)
      if (is_asked(j, i)) settle(j, i, k, b);
  arena_free(keep);
}
