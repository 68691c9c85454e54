#include "api/api_exchange.h"

#include "machine/circuit_positions.h"
#include "prove/state_levels.h"

struct tabia_levels {
  arena *keep;
  arena *result; /* of the last run */
  const tabia_machine *of;
  state_levels_options options;
  exchange others;       /* where there are any */
  bool lacks_checkpoint; /* there was no memory for the name of the folder */
  state_levels found;
};

static tabia_levels *levels_new(const tabia_machine *m) {
  arena *keep = arena_new();
  tabia_levels *x = arena_alloc_zero(keep, sizeof *x);
  *x = (tabia_levels){.keep = keep, .result = arena_new(), .of = m, .options = {.threads = 1}};
  return x;
}

tabia_levels *tabia_levels_new(const tabia_machine *m) {
  API_GUARDED(tabia_levels *, levels_new(m), NULL);
}

void tabia_levels_free(tabia_levels *x) {
  if (!x) return;
  arena_free(x->result);
  arena_free(x->keep);
}

void tabia_levels_set_threads(tabia_levels *x, uint32_t threads) {
  x->options.threads = threads ? threads : 1;
}

void tabia_levels_set_diagrams(tabia_levels *x, bool are_used) {
  x->options.by_diagrams = are_used;
}

void tabia_levels_set_exchange(tabia_levels *x, const tabia_exchange *e) {
  x->options.others = e ? &x->others : NULL;
  if (e) x->others = api_exchange(e);
}

void tabia_levels_set_checkpoint(tabia_levels *x, const char *folder, double seconds) {
  x->options.checkpoint =
      (checkpoint_wish){api_keep_text(x->keep, folder, &x->lacks_checkpoint), seconds};
}

static void forget(tabia_levels *x) {
  arena_clear(x->result);
  x->found = (state_levels){0};
}

static tabia_status run(tabia_levels *x, uint32_t depth, const tabia_limits *limits,
                        tabia_messages *log) {
  const machine *m = x->of->m;
  forget(x);
  if (x->lacks_checkpoint) recovery_fail();
  if (!m->grounded) {
    api_tell_error(
        log, "declined: counting states needs a machine with a circuit: `lanes` or `circuit`");
    return TABIA_FAULTY;
  }
  if (x->options.by_diagrams && (x->options.others || x->options.checkpoint.folder)) {
    api_tell_error(log, "diagrams are of one process and have no checkpoint");
    return TABIA_MISUSE;
  }
  budget b = api_budget(limits);
  diag_sink d = {.keep = x->result};
  x->options.depth = depth;
  if (state_levels_count(&x->found, machine_grounded(m), x->options, x->result, &b, &d))
    return TABIA_OK;
  const bool has_trouble = d.errors > 0 && b.end == BUDGET_LEFT;
  if (x->found.reason)
    api_tell_error(log, "%s", x->found.reason);
  else if (x->found.has_failed_ranks && b.end == BUDGET_LEFT && !d.errors)
    api_tell_error(log, "another process has failed or stopped");
  if (!d.errors) budget_report(&b, &d, "not all states were found");
  api_tell(log, &d, &x->of->rules->source);
  return has_trouble ? TABIA_UNREADABLE : TABIA_LIMIT;
}

static tabia_status fail_to_run(tabia_levels *x, tabia_messages *log) {
  forget(x);
  return api_no_memory(log);
}

tabia_status tabia_levels_run(tabia_levels *x, uint32_t depth, const tabia_limits *limits,
                              tabia_messages *log) {
  API_GUARDED(tabia_status, run(x, depth, limits, log), fail_to_run(x, log));
}

uint32_t tabia_levels_count(const tabia_levels *x) { return x->found.counts.count; }

const char *tabia_levels_states(const tabia_levels *x, uint32_t depth) {
  return depth < x->found.counts.count ? x->found.counts.items[depth] : NULL;
}

const char *tabia_levels_total(const tabia_levels *x) { return x->found.total; }

bool tabia_levels_are_all(const tabia_levels *x) { return x->found.is_complete; }
