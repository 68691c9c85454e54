/* Machines held against traces, and against each other. */
#include "api/api.h"

#include "machine/compare.h"
#include "machine/trace.h"

struct tabia_comparison {
  arena *keep;
  arena *results; /* of the last run */
  compare_options options;
  uint64_t games, states;
  const char *difference; /* NULL: there is none */
};

static tabia_comparison *comparison_new(void) {
  arena *keep = arena_new();
  tabia_comparison *c = arena_alloc_zero(keep, sizeof *c);
  *c = (tabia_comparison){
      .keep = keep, .results = arena_new(), .options = {.seed = 1, .games = 10, .max_steps = 1000}};
  return c;
}

tabia_comparison *tabia_comparison_new(void) {
  API_GUARDED(tabia_comparison *, comparison_new(), NULL);
}

void tabia_comparison_free(tabia_comparison *c) {
  if (!c) return;
  arena_free(c->results);
  arena_free(c->keep);
}

void tabia_comparison_set_seed(tabia_comparison *c, uint64_t seed) { c->options.seed = seed; }

void tabia_comparison_set_games(tabia_comparison *c, uint64_t games) { c->options.games = games; }

void tabia_comparison_set_states(tabia_comparison *c, uint64_t states) {
  c->options.states = states;
}

void tabia_comparison_set_max_steps(tabia_comparison *c, uint64_t steps) {
  c->options.max_steps = steps;
}

void tabia_comparison_set_ignore_terminal(tabia_comparison *c, bool ignore) {
  c->options.ignore_terminal = ignore;
}

uint64_t tabia_comparison_games(const tabia_comparison *c) { return c->games; }

uint64_t tabia_comparison_states(const tabia_comparison *c) { return c->states; }

const char *tabia_comparison_difference(const tabia_comparison *c) { return c->difference; }

/* ---- running ---- */

static void forget(tabia_comparison *c) {
  arena_clear(c->results);
  c->games = c->states = 0;
  c->difference = NULL;
}

static void take(tabia_comparison *c, uint64_t games, uint64_t states, const text *words) {
  forget(c);
  c->games = games;
  c->states = states;
  c->difference = words->length ? arena_copy_text(c->results, words->bytes, words->length) : NULL;
}

static tabia_status fail(tabia_comparison *c, tabia_messages *log) {
  forget(c);
  return api_no_memory(log);
}

static tabia_status run(tabia_comparison *c, const tabia_machine *trusted,
                        const tabia_machine *other, const tabia_limits *limits,
                        tabia_messages *log) {
  tabia_workspace *w = api_workspace_new(trusted, limits);
  tabia_workspace *v = api_workspace_new(other, limits);
  compare_report r;
  const bool decided = machines_compare(&r, trusted->m, w->w, other->m, v->w, &c->options, w->keep);
  tabia_status status = r.same ? TABIA_OK : TABIA_FAULTY;
  take(c, r.games, r.states, &r.words);
  if (!r.same)
    api_tell_error(log, "the machines differ, %s", text_string(&r.words));
  else if (!decided)
    status = api_workspace_status(w->w->trouble.is_there ? w : v, log);
  tabia_workspace_free(v);
  tabia_workspace_free(w);
  return status;
}

tabia_status tabia_comparison_run(tabia_comparison *c, const tabia_machine *trusted,
                                  const tabia_machine *other, const tabia_limits *limits,
                                  tabia_messages *log) {
  API_GUARDED(tabia_status, run(c, trusted, other, limits, log), fail(c, log));
}

static tabia_status tell_verdict(const trace_report *r, const tabia_workspace *w,
                                 tabia_messages *log) {
  switch (r->verdict) {
    case TRACE_RIGHT: return TABIA_OK;
    case TRACE_WRONG: api_tell_error(log, "the trace is wrong, %s", r->words.bytes); break;
    case TRACE_UNREADABLE:
      api_tell_error(log, "this is not a trace: %s", r->words.bytes);
      return TABIA_UNREADABLE;
    case TRACE_UNDECIDED: return api_workspace_status(w, log);
  }
  return TABIA_FAULTY;
}

static tabia_status replay(tabia_comparison *c, const tabia_machine *m, const char *trace,
                           size_t length, const tabia_limits *limits, tabia_messages *log) {
  tabia_workspace *w = api_workspace_new(m, limits);
  trace_report r;
  trace_verify(&r, m->m, w->w, trace, length, w->keep);
  take(c, 0, r.states, &r.words);
  const tabia_status status = tell_verdict(&r, w, log);
  tabia_workspace_free(w);
  return status;
}

tabia_status tabia_comparison_replay(tabia_comparison *c, const tabia_machine *m, const char *trace,
                                     size_t length, const tabia_limits *limits,
                                     tabia_messages *log) {
  API_GUARDED(tabia_status, replay(c, m, trace, length, limits, log), fail(c, log));
}
