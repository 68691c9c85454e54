#include "api/api.h"

#include "search/perft.h"

struct tabia_perft {
  arena *keep;
  arena *result; /* of the last run */
  const tabia_machine *of;
  perft_options options;
  void *start; /* room for a position */
  perft_result counts;
};

static tabia_perft *perft_new(const tabia_machine *m) {
  arena *keep = arena_new();
  tabia_perft *p = arena_alloc_zero(keep, sizeof *p);
  *p = (tabia_perft){.keep = keep,
                     .result = arena_new(),
                     .of = m,
                     .options = {.threads = 1},
                     .start = arena_alloc(keep, m->m->position_size)};
  return p;
}

tabia_perft *tabia_perft_new(const tabia_machine *m) {
  API_GUARDED(tabia_perft *, perft_new(m), NULL);
}

void tabia_perft_free(tabia_perft *p) {
  if (!p) return;
  arena_free(p->result);
  arena_free(p->keep);
}

void tabia_perft_set_threads(tabia_perft *p, uint32_t threads) { p->options.threads = threads; }

void tabia_perft_set_ignore_terminal(tabia_perft *p, bool ignore) {
  p->options.ignore_terminal = ignore;
}

static tabia_status run(tabia_perft *p, uint32_t depth, const tabia_limits *limits,
                        tabia_messages *log) {
  const tabia_machine *m = p->of;
  tabia_workspace *w = api_workspace_new(m, limits);
  arena_clear(p->result);
  p->options.depth = depth;
  p->options.progress = w->budget.progress;
  const bool done = perft(&p->counts, m->m, w->w, &p->options, p->result);
  const tabia_status fault = api_tell_fault(log, &p->counts.fault, m->m);
  const tabia_status status = done ? fault : api_workspace_status(w, log);
  tabia_workspace_free(w);
  return status;
}

static tabia_status fail_to_run(tabia_perft *p, tabia_messages *log) {
  arena_clear(p->result);
  p->counts = (perft_result){0};
  return api_no_memory(log);
}

tabia_status tabia_perft_run(tabia_perft *p, uint32_t depth, const tabia_limits *limits,
                             tabia_messages *log) {
  API_GUARDED(tabia_status, run(p, depth, limits, log), fail_to_run(p, log));
}

uint32_t tabia_perft_depth(const tabia_perft *p) { return p->counts.depth_done; }

/* Before the first run there is no list. */
static uint64_t count_at(const tabia_perft *p, const uint64_t *counts, uint32_t depth) {
  return counts && depth <= p->counts.depth_done ? counts[depth] : 0;
}

uint64_t tabia_perft_nodes(const tabia_perft *p, uint32_t depth) {
  return count_at(p, p->counts.nodes, depth);
}

uint64_t tabia_perft_unique(const tabia_perft *p, uint32_t depth) {
  return count_at(p, p->counts.unique, depth);
}

void tabia_perft_set_start(tabia_perft *p, const void *position) {
  p->options.start = api_keep_start(p->of, p->start, position);
}

void tabia_perft_set_divide(tabia_perft *p, bool divide) { p->options.divide = divide; }

uint64_t tabia_perft_total(const tabia_perft *p) { return p->counts.total; }

uint64_t tabia_perft_stuck(const tabia_perft *p) { return p->counts.stuck; }

uint32_t tabia_perft_part_count(const tabia_perft *p) { return p->counts.parts.count; }

const tabia_move *tabia_perft_part_joint(const tabia_perft *p, uint32_t i) {
  assert(i < p->counts.parts.count);
  return p->counts.parts.items[i].joint;
}

uint64_t tabia_perft_part_nodes(const tabia_perft *p, uint32_t i) {
  assert(i < p->counts.parts.count);
  return p->counts.parts.items[i].nodes;
}
