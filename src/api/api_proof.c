#include "api/api_proof.h"

#include "api/api_exchange.h"
#include "api/api_options.h"
#include "base/spelling.h"
#include "states/level_job.h"

#include <math.h>
#include <string.h>

/* ---- methods ---- */

uint32_t tabia_property_count(void) { return PROPERTY_KINDS; }

const char *tabia_property_name(uint32_t i) {
  return i < PROPERTY_KINDS ? property_kind_name((property_kind)i) : NULL;
}

const char *tabia_property_summary(uint32_t i) {
  return i < PROPERTY_KINDS ? property_kind_summary((property_kind)i) : NULL;
}

uint32_t tabia_method_count(void) {
  uint32_t count = 0;
  while (prove_methods[count].name) count++;
  return count;
}

const char *tabia_method_name(uint32_t i) {
  return i < tabia_method_count() ? prove_methods[i].name : NULL;
}

const char *tabia_method_summary(uint32_t i) {
  return i < tabia_method_count() ? prove_methods[i].summary : NULL;
}

static const prove_method *find_method(const char *name, tabia_messages *log) {
  const prove_method *found = prove_method_find(name);
  if (found) return found;
  spelling s = spelling_of(slice_of(name));
  for (const prove_method *m = prove_methods; m->name; m++)
    spelling_is_nearer(&s, slice_of(m->name));
  if (s.best.start)
    api_tell_error(log, "there is no method `%s`; did you mean `%s`?", name, s.best.start);
  else
    api_tell_error(log, "there is no method `%s`", name);
  return NULL;
}

/* ---- asking for properties ---- */

static tabia_proof *proof_new(const tabia_rules *rules) {
  arena *keep = arena_new();
  tabia_proof *p = arena_alloc_zero(keep, sizeof *p);
  p->keep = keep;
  p->rules = rules;
  return p;
}

tabia_proof *tabia_proof_new(const tabia_rules *rules) {
  API_GUARDED(tabia_proof *, proof_new(rules), NULL);
}

void tabia_proof_free(tabia_proof *p) {
  if (!p) return;
  if (p->has_job) job_close(&p->job);
  reading_free(p->r);
  arena_free(p->keep);
}

static void add_question(tabia_proof *p, const char *properties) {
  vec_push(p->keep, &p->asked, arena_copy_text(p->keep, properties, strlen(properties)));
}

void tabia_proof_ask(tabia_proof *p, const char *properties) {
  API_TRY_IN(NULL, add_question(p, properties), p->is_incomplete = true);
}

/* ---- several processes ---- */

void tabia_proof_set_exchange(tabia_proof *p, const tabia_exchange *e) {
  p->has_others = e != NULL;
  if (e) p->others = api_exchange(e);
}

void tabia_proof_set_checkpoint(tabia_proof *p, const char *folder, double seconds) {
  p->checkpoint = (checkpoint_wish){api_keep_text(p->keep, folder, &p->lacks_checkpoint), seconds};
}

static bool has_ranks(const tabia_proof *p) { return p->has_others || p->checkpoint.folder; }

/* All ask each other once, and prove together or not at all.  False: another is not ready. */
static bool others_are_ready(const tabia_proof *p, bool is_ready, tabia_messages *log) {
  uint64_t missing = !is_ready;
  if (!p->ranks || (ranks_sum(p->ranks, &missing, 1) && !missing) || !is_ready) return true;
  api_tell_error(log, "another process has failed or stopped");
  return false;
}

static bool suits_ranks(const tabia_proof *p, const prove_options *o, tabia_messages *log) {
  if (!has_ranks(p) || (strcmp(o->method->name, "exhaustive") == 0 && !o->walk_file)) return true;
  api_tell_error(
      log,
      "several processes, and checkpoints, are for the method `exhaustive` without a walk file");
  return false;
}

/* ---- running ---- */

static const char PROOF_CHOICES[] =
    "method=NAME threads=N seed=N confidence=C walk=FILE certificate=NAME "
    "not-terminal=yes|no reachable=yes|no mutexes=yes|no";

static bool are_sensible(const prove_options *p, const tabia_options *o, tabia_messages *log) {
  const bool is_abstract = strcmp(p->method->name, "abstract") == 0;
  if (!(p->confidence > 0 && p->confidence < 1)) {
    api_tell_error(log, "a confidence is more than 0 and less than 1");
    return false;
  }
  if (is_abstract || !(tabia_options_get(o, "not-terminal") || tabia_options_get(o, "reachable") ||
                       tabia_options_get(o, "mutexes")))
    return true;
  api_tell_error(log, "not-terminal, reachable and mutexes are for the method `abstract`");
  return false;
}

static bool read_options(const tabia_proof *proof, prove_options *p, const tabia_options *o,
                         tabia_messages *log) {
  double threads = 1, seed = 1, confidence = 0.99;
  if (!api_options_fit(o, PROOF_CHOICES, "a proof", log)) return false;
  const prove_method *method =
      find_method(api_option_text(o, "method", has_ranks(proof) ? "exhaustive" : "auto"), log);
  if (!method || !api_option_number(o, "threads", &threads, log) ||
      !api_option_whole(o, "seed", 0, 0x1p53, &seed, log) ||
      !api_option_number(o, "confidence", &confidence, log))
    return false;
  *p = (prove_options){
      .method = method,
      .threads = (uint32_t)fmin(fmax(threads, 1), 1024),
      .seed = (uint64_t)seed,
      .confidence = confidence,
      .walk_file = api_option_text(o, "walk", NULL),
      .abstract = {.not_terminal = api_option_is(o, PROOF_CHOICES, "not-terminal", "yes"),
                   .reachable = api_option_is(o, PROOF_CHOICES, "reachable", "yes"),
                   .mutexes = api_option_is(o, PROOF_CHOICES, "mutexes", "yes")}};
  return are_sensible(p, o, log) && suits_ranks(proof, p, log);
}

static void hand_over(void *context, const prove_job *j, uint32_t i) {
  tabia_proof *p = context;
  (void)j;
  if (p->found) p->found(p->context, p, i);
}

static bool ask_all(tabia_proof *p, budget *b, tabia_messages *log) {
  const char *complaint = NULL;
  for (uint32_t i = 0; i < p->asked.count; i++) {
    if (prover_ask(&p->job, p->asked.items[i], b, &complaint)) continue;
    api_tell_error(log, "%s", complaint);
    return false;
  }
  return true;
}

static bool is_limit(diag_kind k) { return k == DIAG_E801 || k == DIAG_E802 || k == DIAG_E803; }

/* What goes wrong while proving, but for limits, is about files, and says nothing of the game. */
static bool has_faulty_file(const tabia_proof *p) {
  const diag_sink *d = &p->r->diags;
  for (uint32_t i = 0; i < d->all.count; i++) {
    const diag_kind kind = d->all.items[i].kind;
    if (diag_infos[kind].severity == SEVERITY_ERROR && !is_limit(kind)) return true;
  }
  return false;
}

static tabia_status status_of(const tabia_proof *p) {
  tabia_status status = TABIA_OK;
  if (has_faulty_file(p)) return TABIA_UNREADABLE;
  if (p->r->diags.errors) status = TABIA_LIMIT;
  for (uint32_t i = 0; i < p->job.properties.count; i++) {
    if (p->job.findings[i].kind == VERDICT_REFUTED) return TABIA_FAULTY;
    if (p->job.findings[i].kind == VERDICT_UNKNOWN) status = TABIA_LIMIT;
  }
  return status;
}

static tabia_status run_opened(tabia_proof *p, prover_opening opening, budget *b,
                               tabia_messages *log) {
  if (opening != PROVER_READY) api_tell(log, &p->r->diags, &p->r->source);
  if (!others_are_ready(p, opening == PROVER_READY, log)) return TABIA_LIMIT;
  if (opening == PROVER_FAULTY) return api_failure(b);
  if (opening != PROVER_READY) diag_sink_init(&p->r->diags, p->r->keep); /* it was told */
  if (!ask_all(p, b, log)) return TABIA_MISUSE;
  prover_run(&p->job, b);
  api_tell(log, &p->r->diags, &p->r->source);
  return status_of(p);
}

static tabia_status run_read(tabia_proof *p, prove_options *o, budget *b, tabia_messages *log) {
  p->has_job = true;
  return run_opened(p, prover_open(&p->job, &p->r->program, *o, b, &p->r->diags), b, log);
}

/* False: the status says why. */
static bool read_rules(tabia_proof *p, budget *b, tabia_status *status, tabia_messages *log) {
  *status = TABIA_LIMIT;
  if (api_is_too_late(b, p->rules, log)) return false;
  *status = TABIA_FAULTY;
  p->r = reading_whole(p->rules, log);
  if (p->r) diag_sink_init(&p->r->diags, p->r->keep); /* warnings are for the check */
  return p->r;
}

static tabia_status run_with(tabia_proof *p, prove_options *o, const tabia_limits *limits,
                             tabia_messages *log) {
  tabia_status status;
  budget b = api_budget(limits);
  if (read_rules(p, &b, &status, log)) return run_read(p, o, &b, log);
  others_are_ready(p, false, log);
  return status;
}

static const char *kept_text(tabia_proof *p, const char *words) {
  return words ? arena_copy_text(p->keep, words, strlen(words)) : NULL;
}

static tabia_status run(tabia_proof *p, const tabia_options *options, const tabia_limits *limits,
                        tabia_found *found, void *context, tabia_messages *log) {
  prove_options o;
  if (p->is_incomplete || p->lacks_checkpoint) recovery_fail();
  if (!read_options(p, &o, options, log)) return TABIA_MISUSE;
  if (has_ranks(p)) p->ranks = ranks_join(p->has_others ? &p->others : NULL, p->keep);
  p->certificate = kept_text(p, api_option_text(options, "certificate", NULL));
  p->found = found;
  p->context = context;
  o.listener = (prove_listener){.found = hand_over, .context = p};
  o.walk_file = kept_text(p, o.walk_file);
  o.ranks = p->ranks;
  o.checkpoint = p->checkpoint;
  const tabia_status status = run_with(p, &o, limits, log);
  if (p->ranks) ranks_free(p->ranks);
  p->ranks = NULL;
  return status;
}

static tabia_status say_once(tabia_messages *log) {
  api_tell_error(log, "a proof is run once");
  return TABIA_MISUSE;
}

/* It may be run again. */
static tabia_status fail_to_run(tabia_proof *p, tabia_messages *log) {
  p->r = NULL;
  p->ranks = NULL;
  p->has_job = false;
  return api_no_memory(log);
}

tabia_status tabia_proof_run(tabia_proof *p, const tabia_options *options,
                             const tabia_limits *limits, tabia_found *found, void *context,
                             tabia_messages *log) {
  if (p->has_job) API_GUARDED(tabia_status, say_once(log), api_no_memory(log));
  API_GUARDED(tabia_status, run(p, options, limits, found, context, log), fail_to_run(p, log));
}
