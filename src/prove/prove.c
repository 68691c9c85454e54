#include "prove/prove.h"

#include "prove/methods.h"
#include "rules/analysis.h"

#include <math.h>
#include <string.h>

/* How long a replay may take, even if no time is left: a line that was found should be shown. */
static const double replay_seconds = 60;

/* As good as no limit. */
#define LONG_SECONDS 1e9

/* ---- jobs ---- */

static bool reads_moves_at_rest(const program *p, arena *keep) {
  analysis a;
  rules_analyse(&a, p, keep);
  return a.depends_on_does[SYM_LEGAL] || a.depends_on_does[SYM_GOAL] ||
         a.depends_on_does[SYM_TERMINAL];
}

bool job_open(prove_job *j, const program *p, prove_options o, budget *b, diag_sink *d) {
  const machine_source from = {.program = p};
  *j = (prove_job){.keep = arena_new(), .program = p, .options = o, .started = clock_now(), .d = d};
  j->facts.keep = j->walked_groups.keep = j->keep;
  j->marked = bitset_new(j->keep, p->relations.count + 1);
  if (!grounded_open(&j->g, &from, b, d)) return false;
  j->reads_moves_at_rest = reads_moves_at_rest(p, j->keep);
  j->roles = roles_of_circuit(&j->g.circuit, j->keep);
  if (!j->roles.all.count) diag_add(d, DIAG_E601, SPAN_NONE, "the game has no role");
  return j->roles.all.count > 0;
}

void job_close(prove_job *j) {
  job_forget_walk(j);
  job_dismiss_judge(j);
  if (j->has_stepper) lane_stepper_free(&j->stepper);
  grounded_close(&j->g);
  arena_free(j->keep);
}

void job_ask(prove_job *j, const property_vec *properties) {
  j->properties = *properties;
  j->findings = arena_zero_array(j->keep, finding, properties->count + 1);
  j->is_told = arena_zero_array(j->keep, bool, properties->count + 1);
  if (j->has_rules_only) return;
  j->targets = question_targets(properties, j->keep);
  j->extras = question_extras(properties, &j->g, j->keep);
  question_circuit(&j->full, &j->g, properties, false, j->keep);
  question_circuit(&j->reduced, &j->g, properties, true, j->keep);
  step_clock_find(&j->clock, &j->reduced, j->keep);
  j->last_steps = step_clock_last(&j->clock, &j->reduced, j->keep);
}

state_atoms job_atoms(const prove_job *j) {
  const circuit *c = j->has_rules_only ? NULL : &j->g.circuit;
  return (state_atoms){.roles = j->roles, .c = c, .rules = j->program};
}

bool job_has_open(const prove_job *j, property_kind kind) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == kind && job_is_open(j, i)) return true;
  return false;
}

bool job_has_open_reach(const prove_job *j) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (property_is_reach(j->properties.items[i].kind) && job_is_open(j, i)) return true;
  return false;
}

bool job_is_settled(const prove_job *j) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (job_is_open(j, i)) return false;
  return true;
}

/* ---- telling ---- */

static void tell(prove_job *j, uint32_t i) {
  const prove_listener *l = &j->options.listener;
  if (j->is_told[i]) return;
  j->is_told[i] = true;
  if (l->found) l->found(l->context, j, i);
}

/* "induction, at most 24 s, 3 of 7 open" */
static const char *words_of_stage(prove_job *j, const char *method, double seconds) {
  text words = text_new(j->keep);
  uint32_t open = 0;
  for (uint32_t i = 0; i < j->properties.count; i++) open += job_is_open(j, i);
  text_add(&words, method);
  if (seconds < LONG_SECONDS) text_add_format(&words, ", at most %.0f s", ceil(seconds));
  text_add_format(&words, ", %u of %u open", open, j->properties.count);
  return text_string(&words);
}

void job_tell_method(prove_job *j, const char *method, budget *b) {
  const prove_listener *l = &j->options.listener;
  const double seconds = budget_seconds_left(b);
  b->stage = words_of_stage(j, method, seconds);
  b->started = clock_now();
  if (l->trying) l->trying(l->context, j, method, seconds);
}

void job_end(prove_job *j) {
  for (uint32_t i = 0; i < j->properties.count; i++) {
    finding *v = &j->findings[i];
    if (job_is_open(j, i) && j->why_rules_only && !v->reason)
      job_explain(j, i, NULL, "%s", j->why_rules_only);
    if (job_is_open(j, i)) v->seconds = clock_now() - j->started;
    tell(j, i);
  }
}

/* ---- verdicts ---- */

witness_judge *job_judge(prove_job *j, double seconds) {
  const bool is_too_late = budget_check_now(&j->showing); /* then nobody need be told again */
  j->replay_limits = budget_part(&j->showing, seconds);
  if (is_too_late) return NULL;
  if (!j->has_judge)
    j->has_judge =
        witness_judge_open(&j->judge, &j->g.circuit, j->program, &j->replay_limits, j->d);
  if (!j->has_judge) witness_judge_close(&j->judge);
  return j->has_judge ? &j->judge : NULL;
}

void job_dismiss_judge(prove_job *j) {
  if (j->has_judge) witness_judge_close(&j->judge);
  j->has_judge = false;
}

static bool replays(prove_job *j, uint32_t i, finding *v) {
  witness_judge *judge = job_judge(j, replay_seconds);
  const bool ok = judge && witness_judge_agrees(judge, &j->properties.items[i], v, j->keep);
  if (!ok) job_dismiss_judge(j);
  return ok;
}

void job_settle(prove_job *j, uint32_t i, finding v) {
  if (!job_is_open(j, i)) return;
  v.seconds = clock_now() - j->started;
  if (j->reads_moves_at_rest) { /* the checker has no clauses for that */
    v.certificate = NULL;
    v.is_bounded = false;
  }
  if (v.has_line && !replays(j, i, &v)) {
    job_explain(j, i, v.method,
                j->replay_limits.end == BUDGET_LEFT
                    ? "found a line that machine `reference` does not confirm"
                    : "found a line, and machine `reference` had no time to confirm it");
    return;
  }
  j->findings[i] = v;
  if (!v.may_grow) tell(j, i);
}

void job_reached(prove_job *j, uint32_t i, finding v) {
  const bool is_good = j->properties.items[i].kind == PROPERTY_WINNABLE;
  v.kind = is_good ? VERDICT_PROVED : VERDICT_REFUTED;
  v.has_line = true;
  v.depth = v.length;
  job_settle(j, i, v);
}

void job_never_reached(prove_job *j, uint32_t i, finding v) {
  const bool is_good = j->properties.items[i].kind == PROPERTY_WINNABLE;
  v.kind = is_good ? VERDICT_REFUTED : VERDICT_PROVED;
  job_settle(j, i, v);
}

/* What is asked about something that never holds. */
void job_settle_absent(prove_job *j) {
  for (uint32_t i = 0; !j->has_rules_only && i < j->properties.count; i++) {
    const char *absent = j->properties.items[i].claim.absent;
    if (!absent || j->full.targets.items[j->targets[i]] != WIRE_FALSE) continue;
    text why = text_new(j->keep);
    text_add_format(&why, "%s can never hold: no rule that can fire gives it", absent);
    job_never_reached(j, i, (finding){.method = "grounding", .reason = text_string(&why)});
  }
}

static const char *words_of_attempts(const finding *v, arena *keep) {
  text words = text_new(keep);
  for (uint32_t i = 0; i < v->attempts.count; i++) {
    const attempt *a = &v->attempts.items[i];
    text_add_format(&words, "%s%s%s%s", i ? "; " : "", a->method ? a->method : "",
                    a->method ? ": " : "", a->words);
  }
  return text_string(&words);
}

static attempt *attempt_by(finding *v, const char *method, arena *keep) {
  for (uint32_t i = 0; i < v->attempts.count; i++)
    if (v->attempts.items[i].method == method ||
        (method && v->attempts.items[i].method && strcmp(v->attempts.items[i].method, method) == 0))
      return &v->attempts.items[i];
  vec_push(keep, &v->attempts, (attempt){.method = method});
  return &vec_last(&v->attempts);
}

void job_explain(prove_job *j, uint32_t i, const char *method, const char *format, ...) {
  if (!job_is_open(j, i)) return;
  text words = text_new(j->keep);
  va_list list;
  va_start(list, format);
  text_add_format_list(&words, format, list);
  va_end(list);
  attempt_by(&j->findings[i], method, j->keep)->words = text_string(&words);
  j->findings[i].reason = words_of_attempts(&j->findings[i], j->keep);
}

const lane_stepper *job_stepper(prove_job *j) {
  if (!j->has_stepper)
    lane_stepper_init(&j->stepper, &j->reduced, lane_state_bytes(&j->reduced), LANE_NATIVE_MAX,
                      j->keep, NULL);
  j->has_stepper = true;
  return &j->stepper;
}
