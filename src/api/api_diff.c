/* Two rulesheets compared, as an object. */
#include "api/api_options.h"

#include "diff/diff.h"

#include <math.h>
#include <string.h>

struct tabia_diff {
  arena *keep;
  const tabia_rules *old_rules, *new_rules;
  diff_names names;
  diff_result result;
};

/* Methods in the order of diff_method. */
static const char diff_choices[] =
    "map=NAMES goals=always|end method=auto|pairs|product|play seed=N threads=N";

/* ---- running ---- */

/* Both rulesheets while they are compared. */
typedef struct diff_readings {
  reading *old, *new;
} diff_readings;

static void close_readings(diff_readings *r) {
  reading_free(r->old);
  reading_free(r->new);
}

static bool read_both(diff_readings *r, const tabia_diff *d, tabia_messages *log) {
  r->old = reading_whole(d->old_rules, log);
  if (r->old) r->new = reading_whole(d->new_rules, log);
  return r->old && r->new;
}

static bool read_names(tabia_diff *d, const diff_readings *r, const tabia_options *o,
                       tabia_messages *log) {
  const char *complaint, *words = api_option_text(o, "map", "");
  if (diff_names_read(&d->names, words, &r->new->program, d->keep, &complaint)) return true;
  api_tell_error(log, "%s", complaint);
  return false;
}

static tabia_status status_of(const diff_result *r) {
  if (r->verdict == VERDICT_PROVED) return TABIA_OK;
  return r->verdict == VERDICT_REFUTED ? TABIA_FAULTY : TABIA_LIMIT;
}

static tabia_status compare(tabia_diff *d, const diff_readings *r, const tabia_options *o,
                            const tabia_limits *limits, tabia_messages *log, bool *is_made) {
  double seed = 1, threads = 1;
  if (!api_option_whole(o, "seed", 0, 0x1p53, &seed, log) ||
      !api_option_number(o, "threads", &threads, log))
    return TABIA_MISUSE;
  if (!read_names(d, r, o, log)) return TABIA_MISUSE;
  const diff_question q = {.old_rules = &r->old->program,
                           .new_rules = &r->new->program,
                           .names = &d->names,
                           .method = (diff_method)api_option(o, diff_choices, "method"),
                           .goals_at_end = api_option_is(o, diff_choices, "goals", "end"),
                           .seed = (uint64_t)seed,
                           .threads = (uint32_t)fmin(fmax(threads, 1), 1024)};
  budget b = api_budget(limits);
  diag_sink_init(&r->old->diags, r->old->keep); /* warnings are for the check */
  *is_made = diff_run(&d->result, &q, &b, &r->old->diags, d->keep);
  if (*is_made) return status_of(&d->result);
  api_tell(log, &r->old->diags, d->result.is_new_faulty ? &r->new->source : &r->old->source);
  return api_failure(&b);
}

static tabia_status run(tabia_diff **out, const tabia_rules *old_rules,
                        const tabia_rules *new_rules, const tabia_options *options,
                        const tabia_limits *limits, tabia_messages *log) {
  if (!api_options_fit(options, diff_choices, "diff", log)) return TABIA_MISUSE;
  arena *keep = arena_new();
  diff_readings r = {0};
  bool is_made = false;
  tabia_status status = TABIA_FAULTY;
  tabia_diff *d = arena_alloc_zero(keep, sizeof *d);
  *d = (tabia_diff){.keep = keep, .old_rules = old_rules, .new_rules = new_rules};
  if (read_both(&r, d, log)) status = compare(d, &r, options, limits, log, &is_made);
  close_readings(&r);
  if (is_made)
    *out = d;
  else
    arena_free(keep);
  return status;
}

tabia_status tabia_diff_run(tabia_diff **diff, const tabia_rules *old_rules,
                            const tabia_rules *new_rules, const tabia_options *options,
                            const tabia_limits *limits, tabia_messages *log) {
  *diff = NULL;
  API_GUARDED(tabia_status, run(diff, old_rules, new_rules, options, limits, log),
              api_no_memory(log));
}

void tabia_diff_free(tabia_diff *d) {
  if (d) arena_free(d->keep);
}

/* ---- what was found ---- */

tabia_verdict tabia_diff_verdict(const tabia_diff *d) {
  if (d->result.verdict == VERDICT_UNKNOWN) return TABIA_UNKNOWN;
  return d->result.verdict == VERDICT_PROVED ? TABIA_PROVED : TABIA_REFUTED;
}

const char *tabia_diff_method(const tabia_diff *d) { return d->result.method; }
const char *tabia_diff_reason(const tabia_diff *d) { return d->result.reason; }
double tabia_diff_seconds(const tabia_diff *d) { return d->result.seconds; }
uint64_t tabia_diff_states(const tabia_diff *d) { return d->result.states; }
uint64_t tabia_diff_games(const tabia_diff *d) { return d->result.games; }
uint32_t tabia_diff_depth(const tabia_diff *d) { return d->result.depth; }
uint32_t tabia_diff_role_count(const tabia_diff *d) { return d->result.role_count; }

const char *tabia_diff_role(const tabia_diff *d, uint32_t role) { return d->result.roles[role]; }

uint32_t tabia_diff_line_length(const tabia_diff *d) { return d->result.length; }

const char *tabia_diff_line_move(const tabia_diff *d, uint32_t step, uint32_t role) {
  return d->result.line[step * d->result.role_count + role];
}

bool tabia_diff_line_is_shortest(const tabia_diff *d) { return d->result.is_shortest; }

uint32_t tabia_diff_count(const tabia_diff *d) { return d->result.differences.count; }

const char *tabia_diff_kind(const tabia_diff *d, uint32_t i) {
  return difference_kind_name(d->result.differences.items[i].kind);
}

const char *tabia_diff_literal(const tabia_diff *d, uint32_t i) {
  return d->result.differences.items[i].literal;
}

bool tabia_diff_is_in_new(const tabia_diff *d, uint32_t i) {
  return d->result.differences.items[i].is_in_new;
}

/* ---- why ---- */

/* The moves of steps `first` .. `end`-1 as one side writes them. */
static const char *moves_of(const tabia_diff *d, uint32_t first, uint32_t end, bool in_new,
                            arena *keep) {
  const diff_result *r = &d->result;
  text out = text_new(keep);
  for (uint32_t step = first; step < end; step++)
    for (uint32_t i = 0; i < r->role_count; i++) {
      const uint32_t role = in_new ? r->order_in_new[i] : i;
      const char *move = tabia_diff_line_move(d, step, role);
      text_add_format(&out, "%s ", in_new ? names_to_new(&d->names, move, keep) : move);
    }
  return text_string(&out);
}

static tabia_status ask_why(const tabia_diff *d, uint32_t i, bool in_new,
                            const tabia_limits *limits, tabia_options *o, arena *keep,
                            tabia_why **why, tabia_messages *log) {
  const difference *x = &d->result.differences.items[i];
  const bool is_of_step = x->kind == DIFFERENCE_SEES;
  const uint32_t length = d->result.length - is_of_step;
  const char *literal = in_new ? names_to_new(&d->names, x->literal, keep) : x->literal;
  tabia_options_set(o, "after", moves_of(d, 0, length, in_new, keep));
  if (is_of_step) tabia_options_set(o, "does", moves_of(d, length, length + 1, in_new, keep));
  return tabia_why_ask(why, in_new ? d->new_rules : d->old_rules, literal, o, limits, log);
}

static void free_options(void *what) {
  tabia_options **o = what;
  tabia_options_free(*o);
}

static tabia_status why_differs(const tabia_diff *d, uint32_t i, bool in_new,
                                const tabia_limits *limits, tabia_why **why, tabia_messages *log) {
  tabia_options *o = NULL;
  arena *keep = arena_guarding(free_options, &o);
  o = tabia_options_new();
  if (!o) recovery_fail();
  const tabia_status status = ask_why(d, i, in_new, limits, o, keep, why, log);
  arena_free(keep);
  return status;
}

tabia_status tabia_diff_why(const tabia_diff *d, uint32_t i, bool in_new,
                            const tabia_limits *limits, tabia_why **why, tabia_messages *log) {
  *why = NULL;
  API_GUARDED(tabia_status, why_differs(d, i, in_new, limits, why, log), api_no_memory(log));
}
