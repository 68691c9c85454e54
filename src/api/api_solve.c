#include "api/api_exchange.h"

#include "solve/solve.h"

struct tabia_solve {
  arena *keep;
  arena *result; /* of the last run */
  const tabia_machine *of;
  solve_options options;
  exchange others;                       /* where there are any */
  bool lacks_database, lacks_checkpoint; /* there was no memory for the name of the folder */
  solve_result found;
};

static tabia_solve *solve_new(const tabia_machine *m) {
  arena *keep = arena_new();
  tabia_solve *x = arena_alloc_zero(keep, sizeof *x);
  *x = (tabia_solve){
      .keep = keep, .result = arena_new(), .of = m, .options = {.threads = 1, .by_symmetry = true}};
  return x;
}

tabia_solve *tabia_solve_new(const tabia_machine *m) {
  API_GUARDED(tabia_solve *, solve_new(m), NULL);
}

void tabia_solve_free(tabia_solve *x) {
  if (!x) return;
  arena_free(x->result);
  arena_free(x->keep);
}

void tabia_solve_set_threads(tabia_solve *x, uint32_t threads) {
  x->options.threads = threads ? threads : 1;
}

void tabia_solve_set_most_states(tabia_solve *x, uint64_t states) {
  x->options.max_states = states;
}

void tabia_solve_set_method(tabia_solve *x, tabia_solve_method method) {
  x->options.method = (solve_method)method;
}

static_assert((int)TABIA_SOLVE_AUTO == (int)SOLVE_AUTO &&
                  (int)TABIA_SOLVE_WEAK == (int)SOLVE_WEAK &&
                  (int)TABIA_SOLVE_BY_PARTS == (int)SOLVE_BY_PARTS,
              "the methods of the header are those of the solver");

void tabia_solve_set_symmetry(tabia_solve *x, bool is_used) { x->options.by_symmetry = is_used; }

void tabia_solve_set_database(tabia_solve *x, const char *folder) {
  x->options.database = api_keep_text(x->keep, folder, &x->lacks_database);
}

void tabia_solve_set_checkpoint(tabia_solve *x, const char *folder, double seconds) {
  x->options.checkpoint =
      (checkpoint_wish){api_keep_text(x->keep, folder, &x->lacks_checkpoint), seconds};
}

void tabia_solve_set_exchange(tabia_solve *x, const tabia_exchange *e) {
  x->options.others = e ? &x->others : NULL;
  if (e) x->others = api_exchange(e);
}

/* ---- running ---- */

static void forget(tabia_solve *x) {
  arena_clear(x->result);
  x->found = (solve_result){0};
}

static const char *reason_to_decline(const tabia_solve *x) {
  const machine *m = x->of->m;
  if (!m->grounded) return "solving needs a machine with a circuit: `lanes` or `circuit`";
  return minimax_choosers(m) ? NULL : "only `random` plays";
}

/* What to try instead. */
static const char *way_out(const tabia_solve *x) {
  return x->options.method == SOLVE_BY_PARTS ? "`--method auto` solves games as a whole, too"
                                             : "`tabia bestmove` searches such games";
}

static tabia_status solve_it(tabia_solve *x, budget *b, tabia_messages *log) {
  diag_sink d = {.keep = x->result};
  const bool is_done = solve_game(&x->found, x->of->m, &x->options, x->result, b, &d);
  const tabia_status fault = api_tell_fault(log, &x->found.fault, x->of->m);
  if (is_done && x->found.reason) {
    api_tell_error(log, "declined: %s; %s", x->found.reason, way_out(x));
    return TABIA_FAULTY;
  }
  if (is_done && x->found.database_reason) {
    api_tell_error(log, "no database was written: %s", x->found.database_reason);
    return TABIA_FAULTY;
  }
  const bool knows_why = !is_done && (!x->options.others || d.errors > 0 || budget_check_now(b));
  if (x->found.has_failed_ranks && !knows_why) {
    api_tell_error(log, "another process has failed or stopped");
    return TABIA_LIMIT;
  }
  if (is_done) return fault;
  const bool has_trouble = d.errors > 0;
  budget_report(b, &d, "the game was not solved");
  if (!d.errors) api_tell_error(log, "there are more states than were allowed: not all were found");
  api_tell(log, &d, &x->of->rules->source);
  return has_trouble ? TABIA_UNREADABLE : TABIA_LIMIT;
}

static tabia_status run(tabia_solve *x, const tabia_limits *limits, tabia_messages *log) {
  forget(x);
  if (x->lacks_database || x->lacks_checkpoint) recovery_fail();
  const char *reason = reason_to_decline(x);
  if (reason) {
    x->found.reason = reason;
    api_tell_error(log, "declined: %s", reason);
    return TABIA_FAULTY;
  }
  budget b = api_budget(limits);
  x->options.is_hidden = tabia_machine_has_hidden_state(x->of);
  return solve_it(x, &b, log);
}

static tabia_status fail_to_run(tabia_solve *x, tabia_messages *log) {
  forget(x);
  return api_no_memory(log);
}

tabia_status tabia_solve_run(tabia_solve *x, const tabia_limits *limits, tabia_messages *log) {
  API_GUARDED(tabia_status, run(x, limits, log), fail_to_run(x, log));
}

/* ---- asking ---- */

bool tabia_solve_has_values(const tabia_solve *x) { return x->found.is_solved; }

const char *tabia_solve_kind(const tabia_solve *x) {
  static const char *const names[] = {[SOLUTION_STRONG] = "strong",
                                      [SOLUTION_WEAK] = "weak",
                                      [SOLUTION_BY_PARTS] = "by-parts",
                                      [SOLUTION_EQUILIBRIUM] = "equilibrium"};
  return x->found.is_solved ? names[x->found.kind] : NULL;
}

const char *tabia_solve_reason(const tabia_solve *x) { return x->found.reason; }

double tabia_solve_value(const tabia_solve *x, uint32_t role) {
  return x->found.is_solved ? x->found.values[role] : HORIZON_VALUE;
}

double tabia_solve_gap(const tabia_solve *x) { return x->found.gap; }

tabia_sense tabia_solve_sense(const tabia_solve *x) { return (tabia_sense)x->found.sense; }

bool tabia_solve_has_chance(const tabia_solve *x) { return x->found.has_chance; }

bool tabia_solve_has_endless(const tabia_solve *x) { return x->found.has_endless; }

bool tabia_solve_has_remoteness(const tabia_solve *x) { return x->found.has_remoteness; }

uint32_t tabia_solve_remoteness(const tabia_solve *x) { return x->found.remoteness; }

uint32_t tabia_solve_move_count(const tabia_solve *x, uint32_t role) {
  return x->found.is_solved ? x->found.plans[role].count : 0;
}

tabia_move tabia_solve_move(const tabia_solve *x, uint32_t role, uint32_t i) {
  return i < tabia_solve_move_count(x, role) ? x->found.plans[role].moves[i] : TABIA_NO_MOVE;
}

double tabia_solve_move_share(const tabia_solve *x, uint32_t role, uint32_t i) {
  return i < tabia_solve_move_count(x, role) ? x->found.plans[role].shares[i] : 0;
}

uint32_t tabia_solve_line_length(const tabia_solve *x) {
  return x->found.is_solved ? x->found.length : 0;
}

const tabia_move *tabia_solve_line_joint(const tabia_solve *x, uint32_t i) {
  if (i >= tabia_solve_line_length(x)) return NULL;
  return x->found.line.items + (size_t)i * x->of->m->role_count;
}

uint64_t tabia_solve_states(const tabia_solve *x) { return x->found.states; }

uint64_t tabia_solve_nodes(const tabia_solve *x) { return x->found.nodes; }

uint32_t tabia_solve_parts(const tabia_solve *x) { return x->found.parts; }

uint64_t tabia_solve_kept_states(const tabia_solve *x) { return x->found.kept_states; }

uint32_t tabia_solve_symmetries(const tabia_solve *x) { return x->found.symmetries; }

uint64_t tabia_solve_ends(const tabia_solve *x) { return x->found.ends; }

uint32_t tabia_solve_depth(const tabia_solve *x) { return x->found.depth; }

uint64_t tabia_solve_bytes(const tabia_solve *x) { return x->found.bytes; }

uint64_t tabia_solve_faults(const tabia_solve *x) { return x->found.faults; }

bool tabia_solve_has_database(const tabia_solve *x) { return x->found.has_database; }
