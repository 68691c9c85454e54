#include "machine/machine.h"

#include "machine/circuit/circuit_machine.h"
#include "machine/compiled/compiled_machine.h"
#include "machine/datalog/datalog_machine.h"
#include "machine/gpu/gpu_machine.h"
#include "machine/lanes/lanes_machine.h"
#include "machine/reference/reference.h"
#include "machine/step_speed.h"

#include <string.h>

const machine_ops *const machine_kinds[] = {&lanes_machine,   &circuit_machine,   &compiled_machine,
                                            &datalog_machine, &reference_machine, NULL};

const machine_ops *const machine_device_kinds[] = {&gpu_machine, NULL};

uint32_t machine_nature(const machine *m) {
  uint32_t role = 0;
  while (role < m->role_count && strcmp(m->roles[role], "random") != 0) role++;
  return role;
}

static const machine_ops *find_kind(const machine_ops *const *kind, const char *name) {
  while (*kind && strcmp((*kind)->name, name) != 0) kind++;
  return *kind;
}

const machine_ops *machine_kind(const char *name) {
  const machine_ops *found = find_kind(machine_kinds, name);
  return found ? found : find_kind(machine_device_kinds, name);
}

/* What "auto" spends on grounding before it takes another machine. */
enum { GROUNDING_SECONDS = 10 };
#define GROUNDING_BYTES ((size_t)2 << 30)

/* For long work the circuit is compared with the compiled game where it makes fewer steps a second
   than this; for the trial of each; what building may take. */
enum { SLOW_STEPS = 250000, BUILDING_SECONDS = 10 };
#define TRIAL_SECONDS 0.02

/* At most half of what is left. */
static budget budget_for_grounding(const budget *b) {
  const double now = clock_now();
  const double left = b && b->deadline > 0 ? (b->deadline - now) / 2 : GROUNDING_SECONDS;
  budget part = b ? *b : (budget){0};
  part.watched_count = 0;
  part.deadline = now + (left < GROUNDING_SECONDS ? left : GROUNDING_SECONDS);
  if (!part.max_bytes || part.max_bytes / 2 > GROUNDING_BYTES)
    part.max_bytes = GROUNDING_BYTES;
  else
    part.max_bytes /= 2;
  return part;
}

/* A game without roles is no game on any machine. */
static machine *open_with_roles(const machine_ops *kind, const machine_source *source, budget *b,
                                diag_sink *d) {
  machine *m = kind->open(source, b, d);
  if (!m || m->role_count) return m;
  diag_add(d, DIAG_E601, SPAN_NONE, "the game has no role");
  machine_close(m);
  return NULL;
}

/* A machine for bulk is no use when what it needs for that is not made in time. */
static machine *if_ready(machine *m, machine_bulk bulk, budget *b) {
  if (!m || bulk == BULK_NONE || machine_prepare(m, bulk, b)) return m;
  machine_close(m);
  return NULL;
}

static machine *open_kind(const machine_ops *kind, const machine_source *source, budget *b,
                          diag_sink *d) {
  if (!kind->needs_grounding) return open_with_roles(kind, source, b, d);
  budget part = budget_for_grounding(b);
  machine *m = if_ready(open_with_roles(kind, source, &part, d), source->bulk, &part);
  if (b && part.end == BUDGET_INTERRUPT) b->end = BUDGET_INTERRUPT;
  return m;
}

/* The machine, or another in its place that makes more steps, if it is slow and one can be built.
 */
static machine *compare_with_compiled(machine *m, const machine_source *source, budget *b,
                                      diag_sink *d) {
  const double speed = machine_step_speed(m, TRY_AS_IN_SEARCH, TRIAL_SECONDS, b);
  if (speed >= SLOW_STEPS) return m;
  budget part = budget_share(b, 2);
  const double now = clock_now();
  const double left = b && b->deadline > 0 ? (b->deadline - now) / 4 : BUILDING_SECONDS;
  part.deadline = now + (left < BUILDING_SECONDS ? left : BUILDING_SECONDS);
  machine *other = open_with_roles(&compiled_machine, source, &part, d);
  if (b && part.end == BUDGET_INTERRUPT) b->end = BUDGET_INTERRUPT;
  const bool is_faster =
      other && machine_step_speed(other, TRY_AS_IN_SEARCH, TRIAL_SECONDS, b) > speed;
  machine_close(is_faster ? m : other);
  return is_faster ? other : m;
}

/* Why a faster machine could not be opened is of interest only when no machine could. */
static machine *open_fastest(const machine_source *source, budget *b, diag_sink *d) {
  bool was_ground_in_vain = false;
  for (const machine_ops *const *kind = machine_kinds; *kind; kind++) {
    if ((*kind)->is_for_bulk && !source->bulk) continue;
    if ((*kind)->needs_grounding && was_ground_in_vain) continue;
    diag_sink unheard;
    diag_sink_init(&unheard, d->keep);
    const bool is_last = !kind[1];
    machine *m = open_kind(*kind, source, b, is_last ? d : &unheard);
    if (m && source->for_long && *kind == &circuit_machine)
      return compare_with_compiled(m, source, b, &unheard);
    if (m) return m;
    was_ground_in_vain |= (*kind)->needs_grounding;
  }
  return NULL;
}

machine *machine_open(const char *name, const machine_source *source, budget *b, diag_sink *d) {
  const machine_ops *kind = machine_kind(name);
  return kind ? open_with_roles(kind, source, b, d) : open_fastest(source, b, d);
}

bool workspace_is_over(machine_workspace *w) {
  if (!w->trouble.is_there && budget_is_spent(w->budget))
    w->trouble = (machine_trouble){.is_there = true,
                                   .kind = DIAG_E801,
                                   .where = SPAN_NONE,
                                   .message = "not all states were counted"};
  return w->trouble.is_there;
}

bool machine_report_trouble(const machine_workspace *w, diag_sink *d) {
  const machine_trouble *t = &w->trouble;
  if (!t->is_there) return false;
  if (w->budget && w->budget->end != BUDGET_LEFT && w->budget->end != BUDGET_DEVICE)
    budget_report(w->budget, d, t->message);
  else
    diag_add(d, t->kind, t->where, "%s", t->message);
  return true;
}
