#include "api/api.h"

#include "search/minimax.h"

struct tabia_minimax {
  arena *keep;
  arena *result; /* of the last run */
  const tabia_machine *of;
  minimax_options options;
  void *start; /* room for a position */
  bool as_if_seen;
  bool has_values;
  minimax_result found;
};

static tabia_minimax *minimax_new(const tabia_machine *m) {
  arena *keep = arena_new();
  tabia_minimax *x = arena_alloc_zero(keep, sizeof *x);
  *x = (tabia_minimax){.keep = keep,
                       .result = arena_new(),
                       .of = m,
                       .start = arena_alloc(keep, m->m->position_size)};
  return x;
}

tabia_minimax *tabia_minimax_new(const tabia_machine *m) {
  API_GUARDED(tabia_minimax *, minimax_new(m), NULL);
}

void tabia_minimax_free(tabia_minimax *x) {
  if (!x) return;
  arena_free(x->result);
  arena_free(x->keep);
}

void tabia_minimax_set_alpha_beta(tabia_minimax *x, bool wanted) { x->options.alpha_beta = wanted; }

void tabia_minimax_set_ignore_terminal(tabia_minimax *x, bool ignore) {
  x->options.ignore_terminal = ignore;
}

void tabia_minimax_set_start(tabia_minimax *x, const void *position) {
  x->options.start = api_keep_start(x->of, x->start, position);
}

void tabia_minimax_set_perfect_information(tabia_minimax *x, bool wanted) {
  x->as_if_seen = wanted;
}

bool tabia_machine_has_hidden_state(const tabia_machine *m) {
  return has_imperfect_information(&m->rules->program, m->m);
}

/* ---- running ---- */

static tabia_status complain(const tabia_minimax *x, uint32_t depth, tabia_messages *log) {
  if (depth > MINIMAX_DEPTH_MAX) {
    api_tell_error(log, "the depth is at most %d", MINIMAX_DEPTH_MAX);
    return TABIA_MISUSE;
  }
  if (x->options.alpha_beta && minimax_choosers(x->of->m) > 2) {
    api_tell_error(log, "alpha-beta is for one or two roles");
    return TABIA_MISUSE;
  }
  if (!x->as_if_seen && tabia_machine_has_hidden_state(x->of)) {
    api_tell_error(log, "the game has `sees` rules (GDL-II): roles know only what they see, and "
                        "values of a search that knows the state mean nothing");
    return TABIA_FAULTY;
  }
  return TABIA_OK;
}

static void forget_values(tabia_minimax *x) {
  arena_clear(x->result);
  x->found = (minimax_result){0};
  x->has_values = false;
}

static tabia_status run(tabia_minimax *x, uint32_t depth, const tabia_limits *limits,
                        tabia_messages *log) {
  const tabia_status complaint = complain(x, depth, log);
  forget_values(x);
  if (complaint != TABIA_OK) return complaint;
  tabia_workspace *w = api_workspace_new(x->of, limits);
  x->options.depth = depth;
  x->options.progress = w->budget.progress;
  x->has_values = minimax(&x->found, x->of->m, w->w, &x->options, x->result);
  const tabia_status fault = api_tell_fault(log, &x->found.fault, x->of->m);
  const tabia_status status = x->has_values ? fault : api_workspace_status(w, log);
  tabia_workspace_free(w);
  return status;
}

static tabia_status fail_to_run(tabia_minimax *x, tabia_messages *log) {
  forget_values(x);
  return api_no_memory(log);
}

tabia_status tabia_minimax_run(tabia_minimax *x, uint32_t depth, const tabia_limits *limits,
                               tabia_messages *log) {
  API_GUARDED(tabia_status, run(x, depth, limits, log), fail_to_run(x, log));
}

/* ---- asking ---- */

bool tabia_minimax_has_values(const tabia_minimax *x) { return x->has_values; }

double tabia_minimax_value(const tabia_minimax *x, uint32_t role) {
  return x->has_values ? x->found.values[role] : HORIZON_VALUE;
}

bool tabia_minimax_has_most(const tabia_minimax *x) { return x->has_values && x->found.most; }

double tabia_minimax_most(const tabia_minimax *x, uint32_t role) {
  return tabia_minimax_has_most(x) ? x->found.most[role] : tabia_minimax_value(x, role);
}

static_assert((int)TABIA_SENSE_MAX_N == (int)MINIMAX_MAX_N && (int)TABIA_SENSE_BEST == MINIMAX_BEST,
              "the senses of the header are those of the search");

tabia_sense tabia_minimax_sense(const tabia_minimax *x) { return (tabia_sense)x->found.sense; }

const char *tabia_sense_name(tabia_sense s) { return minimax_sense_name((minimax_sense)s); }

bool tabia_minimax_has_chance(const tabia_minimax *x) { return x->found.has_chance; }

bool tabia_minimax_reaches_end(const tabia_minimax *x) { return x->found.reaches_end; }

bool tabia_minimax_is_exact(const tabia_minimax *x) {
  return x->has_values && minimax_is_exact(&x->found) && !tabia_machine_has_hidden_state(x->of);
}

uint64_t tabia_minimax_nodes(const tabia_minimax *x, uint32_t depth) {
  return x->found.nodes && depth <= x->options.depth ? x->found.nodes[depth] : 0;
}

uint64_t tabia_minimax_total(const tabia_minimax *x) { return x->found.total; }

uint64_t tabia_minimax_faults(const tabia_minimax *x) { return x->found.faults; }
