/* Games written down as traces. */
#include "api/api.h"

#include "machine/bulk_play.h"
#include "machine/bundle_row.h"
#include "machine/trace.h"

/* Where the lines of a trace go. */
typedef struct line_sink {
  tabia_put *put;
  void *context;
} line_sink;

static void put_line(void *context, const char *line) {
  const line_sink *s = context;
  s->put(s->context, line, strlen(line));
  s->put(s->context, "\n", 1);
}

static tabia_status write_trace(const tabia_machine *m, tabia_workspace *w, const trace_options *o,
                                line_sink sink, tabia_messages *log) {
  game_fault fault;
  const trace_end end = trace_write(m->m, w->w, o, put_line, &sink, w->keep, &fault);
  if (end == TRACE_TROUBLE) return api_workspace_status(w, log);
  if (end == TRACE_STEP_LIMIT)
    api_tell_warning(log, "stopped after %llu step%s, before the end of the game",
                     (unsigned long long)o->max_steps, plural(o->max_steps));
  return api_tell_fault(log, &fault, m->m);
}

static tabia_status play_and_write(const tabia_machine *m, const trace_options *o,
                                   const tabia_limits *limits, line_sink sink,
                                   tabia_messages *log) {
  tabia_workspace *w = api_workspace_new(m, limits);
  const tabia_status status = write_trace(m, w, o, sink, log);
  tabia_workspace_free(w);
  return status;
}

tabia_status tabia_trace_write(const tabia_machine *m, const char *game, uint64_t seed,
                               uint64_t max_steps, const tabia_limits *limits, tabia_put *put,
                               void *context, tabia_messages *log) {
  const trace_options o = {.game = game, .seed = seed, .max_steps = max_steps};
  const line_sink sink = {put, context};
  API_GUARDED(tabia_status, play_and_write(m, &o, limits, sink, log), api_no_memory(log));
}

/* ---- the game of a lane ---- */

/* The moves of the first game of a lane, role by role.  False: the budget is spent. */
static bool record_lane(tabia_workspace *w, uint64_t seed, uint32_t lane, uint64_t max_steps,
                        id_vec *moves) {
  const machine *m = w->of->m;
  const bulk_play_ops *ops = m->ops->bulk_play;
  const bulk_part part = {.seed = seed, .starts = ops->part_size(m, &w->budget)};
  return ops->record_first(m, &part, lane, max_steps, moves, w->keep, &w->budget);
}

static tabia_status tell_spent(tabia_workspace *w, tabia_messages *log) {
  diag_sink d;
  diag_sink_init(&d, w->keep);
  budget_report(&w->budget, &d, "the game was not played to its end");
  api_tell(log, &d, &w->of->rules->source);
  return TABIA_LIMIT;
}

/* A role without any move is stuck at the start, so that nobody asks for the text. */
static const char *words_of_move(const machine *m, uint32_t role, move_id move, arena *keep) {
  return move < m->numbers->moves[role] ? move_words(m, role, move, keep) : "";
}

static const char *const *words_of(const machine *m, const id_vec *moves, arena *keep) {
  const char **words = arena_new_array(keep, const char *, moves->count + (size_t)1);
  for (uint32_t i = 0; i < moves->count; i++)
    words[i] = words_of_move(m, i % m->role_count, moves->items[i], keep);
  return words;
}

static tabia_status write_lane(const tabia_machine *m, const char *game, uint64_t seed,
                               uint32_t lane, uint64_t max_steps, const tabia_limits *limits,
                               line_sink sink, tabia_messages *log) {
  id_vec moves = {0};
  const bulk_play_ops *ops = m->m->ops->bulk_play;
  if (!ops || lane >= ops->lanes) {
    api_tell_error(log, "only the machine `lanes` has lanes, 0 to %d", LANES - 1);
    return TABIA_MISUSE;
  }
  tabia_workspace *w = api_workspace_new(m, limits);
  const bool is_recorded = record_lane(w, seed, lane, max_steps, &moves);
  const trace_options o = {.game = game,
                           .seed = seed,
                           .max_steps = moves.count / m->m->role_count,
                           .moves = words_of(m->m, &moves, w->keep)};
  const tabia_status status = is_recorded ? write_trace(m, w, &o, sink, log) : tell_spent(w, log);
  tabia_workspace_free(w);
  return status;
}

tabia_status tabia_trace_write_lane(const tabia_machine *m, const char *game, uint64_t seed,
                                    uint32_t lane, uint64_t max_steps, const tabia_limits *limits,
                                    tabia_put *put, void *context, tabia_messages *log) {
  const line_sink sink = {put, context};
  API_GUARDED(tabia_status, write_lane(m, game, seed, lane, max_steps, limits, sink, log),
              api_no_memory(log));
}
