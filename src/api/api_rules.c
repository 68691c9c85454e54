#include "api/api.h"

#include "api/builtin.h"
#include "base/diag_choice.h"
#include "rules/relayout.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* ---- limits ---- */

static void let_go(void *total) { account_let_go(total); }

static tabia_limits *limits_new(void) {
  account *total = account_new(0);
  arena *keep = arena_guarding(let_go, total);
  tabia_limits *l = arena_alloc_zero(keep, sizeof *l);
  *l = (tabia_limits){.keep = keep,
                      .total = total,
                      .cancelled = arena_alloc_zero(keep, sizeof *l->cancelled),
                      .progress = arena_alloc_zero(keep, sizeof *l->progress)};
  return l;
}

tabia_limits *tabia_limits_new(void) { API_GUARDED(tabia_limits *, limits_new(), NULL); }

void tabia_limits_free(tabia_limits *l) {
  if (l) arena_free(l->keep);
}

void tabia_limits_set_seconds(tabia_limits *l, double seconds) {
  l->seconds = seconds;
  l->started = 0;
}

void tabia_limits_set_total(tabia_limits *l, double seconds) {
  l->seconds = seconds;
  l->started = clock_now();
}

void tabia_limits_set_bytes(tabia_limits *l, size_t bytes) {
  l->bytes = bytes;
  l->is_total = false;
}

void tabia_limits_set_total_bytes(tabia_limits *l, size_t bytes) {
  l->bytes = bytes;
  l->is_total = true;
  account_set_limit(l->total, bytes);
}

void tabia_limits_set_interrupt(tabia_limits *l, const volatile sig_atomic_t *flag) {
  l->interrupt = flag;
}

void tabia_limits_cancel(tabia_limits *l) { __atomic_store_n(l->cancelled, 1, __ATOMIC_RELAXED); }

void tabia_limits_reset(tabia_limits *l) { __atomic_store_n(l->cancelled, 0, __ATOMIC_RELAXED); }

void tabia_limits_set_progress(tabia_limits *l, tabia_progress *tell, void *context) {
  *l->progress = progress_to(tell, context);
}

double api_seconds_left(const tabia_limits *l) {
  if (!l || l->seconds <= 0) return HUGE_VAL;
  return l->started > 0 ? fmax(l->started + l->seconds - clock_now(), 0) : l->seconds;
}

static budget budget_of(const tabia_limits *l) {
  if (!l) return budget_new(0, 0);
  budget b = budget_new(l->seconds, l->bytes);
  if (l->started > 0) b.started = l->started;
  if (l->started > 0 && l->seconds > 0) b.deadline = l->started + l->seconds;
  b.interrupted = l->interrupt;
  b.cancelled = l->cancelled;
  b.progress = l->progress->tell ? l->progress : NULL;
  return b;
}

static void charge_call(const tabia_limits *l) {
  if (!l || !l->bytes) return;
  if (l->is_total) account_hold(l->total);
  recovery_charge(l->is_total ? l->total : account_new(l->bytes));
}

budget api_budget(const tabia_limits *l) {
  charge_call(l);
  return budget_of(l);
}

budget api_part_budget(const tabia_limits *l) {
  return recovery_account() ? budget_of(l) : api_budget(l);
}

tabia_status api_failure(const budget *b) {
  return b->end == BUDGET_LEFT ? TABIA_FAULTY : TABIA_LIMIT;
}

tabia_status api_tell_spent(tabia_messages *log, budget *b, const source *s, const char *how_far) {
  arena *keep = arena_new();
  diag_sink d;
  diag_sink_init(&d, keep);
  budget_check_now(b);
  budget_report(b, &d, how_far);
  api_tell(log, &d, s);
  arena_free(keep);
  return TABIA_LIMIT;
}

bool api_is_too_late(budget *b, const tabia_rules *rules, tabia_messages *log) {
  if (!budget_check_now(b)) return false;
  api_tell_spent(log, b, &rules->source, "nothing was begun");
  return true;
}

/* ---- reading ---- */

static reading *read_again(const tabia_rules *rules) {
  arena *keep = arena_new();
  reading *r = arena_alloc_zero(keep, sizeof *r);
  const source *from = &rules->source;
  *r = (reading){.keep = keep, .source = *from};
  r->source.name = arena_copy_text(keep, from->name, strlen(from->name));
  r->source.bytes = arena_copy_text(keep, from->bytes, from->length);
  diag_sink_init(&r->diags, keep);
  tree_read(&r->tree, &r->source, symbols_new(keep), keep, &r->diags);
  rules_build(&r->program, &r->tree, keep, &r->diags);
  return r;
}

reading *reading_new(const tabia_rules *rules) {
  reading *first = atomic_exchange(rules->first, NULL);
  const budget limits = api_part_budget(rules->limits);
  if (first) arena_enter_group(first->keep, recovery_group());
  reading *r = first ? first : read_again(rules);
  if (first) arena_charge(r->keep, recovery_account());
  r->limits = limits;
  return r;
}

void tabia_rules_set_limits(tabia_rules *rules, const tabia_limits *limits) {
  rules->limits = limits;
}

reading *reading_whole(const tabia_rules *rules, tabia_messages *log) {
  reading *r = reading_new(rules);
  if (!r->diags.errors) return r;
  api_tell(log, &r->diags, &r->source);
  reading_free(r);
  return NULL;
}

void reading_free(reading *r) {
  if (r) arena_free(r->keep);
}

/* ---- rules ---- */

static tabia_rules *rules_new(const char *name) {
  arena *keep = arena_new();
  tabia_rules *rules = arena_alloc_zero(keep, sizeof *rules);
  rules->keep = keep;
  rules->source = source_of(arena_copy_text(keep, name, strlen(name)), "", 0);
  rules->first = arena_alloc_zero(keep, sizeof *rules->first);
  return rules;
}

/* What was read is kept for the first that asks for it. */
static tabia_status finish_reading(tabia_rules **out, tabia_rules *rules, tabia_messages *log) {
  reading *r = read_again(rules);
  rules->is_whole = r->diags.errors == 0;
  rules->notation = r->tree.notation;
  if (!rules->is_whole) api_tell(log, &r->diags, &r->source);
  atomic_store(rules->first, r);
  *out = rules;
  return rules->is_whole ? TABIA_OK : TABIA_FAULTY;
}

static bool is_file(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

static void suggest_builtin(diag_sink *d, const char *name) {
  diag *last = d->all.count ? &vec_last(&d->all) : NULL;
  const char *nearest = builtin_game_nearest(name);
  if (!last || last->hint) return;
  if (nearest)
    diag_hint(d, last, "did you mean the built-in game `%s`?", nearest);
  else
    diag_hint(d, last, "`tabia games` lists the built-in games");
}

static tabia_status read_file(tabia_rules **out, const char *path, bool is_game,
                              tabia_messages *log) {
  tabia_rules *rules = rules_new(path);
  diag_sink d;
  diag_sink_init(&d, rules->keep);
  const source unread = rules->source;
  if (source_load(&rules->source, unread.name, rules->keep, &d))
    return finish_reading(out, rules, log);
  if (is_game) suggest_builtin(&d, path);
  api_tell(log, &d, &unread);
  tabia_rules_free(rules);
  return TABIA_UNREADABLE;
}

tabia_status tabia_rules_read_file(tabia_rules **out, const char *path, tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, read_file(out, path, false, log), api_no_memory(log));
}

tabia_status api_read_text(tabia_rules **out, const char *name, const char *words, size_t length,
                           tabia_messages *log) {
  if (length > SOURCE_MAX_BYTES) {
    api_tell_error(log, "%s is too long", name);
    return TABIA_UNREADABLE;
  }
  tabia_rules *rules = rules_new(name);
  rules->source =
      source_of(rules->source.name, arena_copy_text(rules->keep, words, length), (uint32_t)length);
  return finish_reading(out, rules, log);
}

static tabia_status read_game(tabia_rules **out, const char *name, tabia_messages *log) {
  const builtin_game *game = builtin_game_find(name);
  if (!game || is_file(name)) return read_file(out, name, true, log);
  return api_read_text(out, name, game->text, game->length, log);
}

tabia_status tabia_rules_read(tabia_rules **out, const char *name, tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, read_game(out, name, log), api_no_memory(log));
}

tabia_status tabia_rules_read_text(tabia_rules **out, const char *name, const char *words,
                                   size_t length, tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, api_read_text(out, name, words, length, log), api_no_memory(log));
}

void tabia_rules_free(tabia_rules *rules) {
  if (!rules) return;
  reading_free(atomic_load(rules->first));
  arena_free(rules->keep);
}

const char *tabia_rules_name(const tabia_rules *rules) { return rules->source.name; }

const char *tabia_rules_text(const tabia_rules *rules, size_t *length) {
  *length = rules->source.length;
  return rules->source.bytes;
}

const char *tabia_rules_notation(const tabia_rules *rules) {
  return notation_name(rules->notation);
}

bool tabia_rules_is_whole(const tabia_rules *rules) { return rules->is_whole; }

check_result api_check(reading *r, analysis *a, const tabia_messages *log) {
  arena *scratch = arena_new();
  budget_watch(&r->limits, r->keep);
  budget_watch(&r->limits, scratch);
  rules_analyse(a, &r->program, r->keep);
  r->diags.choice = api_choice(log);
  const check_result result = rules_check(&r->program, a, scratch, &r->limits, &r->diags);
  budget_unwatch(&r->limits, scratch);
  budget_report(&r->limits, &r->diags, "the rules were being checked");
  if (r->diags.choice) diag_choice_promote(r->diags.choice, &r->diags);
  r->diags.choice = NULL;
  arena_free(scratch);
  return result;
}

static tabia_status check(const tabia_rules *rules, tabia_messages *log) {
  reading *r = reading_new(rules);
  analysis a;
  api_check(r, &a, log);
  const tabia_status status = r->diags.errors ? api_failure(&r->limits) : TABIA_OK;
  api_tell(log, &r->diags, &r->source);
  reading_free(r);
  return status;
}

tabia_status tabia_rules_check(const tabia_rules *rules, tabia_messages *log) {
  API_GUARDED(tabia_status, check(rules, log), api_no_memory(log));
}

/* ---- layout ---- */

static bool find_notation(const char *word, notation same, notation *n, tabia_messages *log) {
  *n = strcmp(word, "prolog") == 0 ? NOTATION_PROLOG : NOTATION_KIF;
  if (strcmp(word, "same") == 0) *n = same;
  if (strcmp(word, "same") == 0 || strcmp(word, notation_name(*n)) == 0) return true;
  api_tell_error(log, "there is no notation `%s`: it is kif, prolog or same", word);
  return false;
}

static tabia_status lay_out(reading *r, notation n, text *result, tabia_messages *log) {
  if (!rules_can_be_laid_out(&r->program, n, &r->diags)) {
    api_tell(log, &r->diags, &r->source);
    return TABIA_FAULTY;
  }
  if (rules_lay_out(&r->program, n, &r->limits, result)) return TABIA_OK;
  api_tell_error(log,
                 "%s is left alone: the result would not say the same, which is a fault of "
                 "tabia; please report it",
                 r->source.name);
  return TABIA_FAULTY;
}

static tabia_status format(const tabia_rules *rules, const char *notation_word, tabia_put *put,
                           void *context, tabia_messages *log) {
  notation n;
  if (!find_notation(notation_word, rules->notation, &n, log)) return TABIA_MISUSE;
  reading *r = reading_new(rules);
  text result = text_new(r->keep);
  budget_watch(&r->limits, r->keep);
  tabia_status status = lay_out(r, n, &result, log);
  if (budget_check_now(&r->limits)) {
    budget_report(&r->limits, &r->diags, "the rules were being laid out");
    api_tell(log, &r->diags, &r->source);
    status = TABIA_LIMIT;
  }
  if (status == TABIA_OK) put(context, text_string(&result), result.length);
  reading_free(r);
  return status;
}

tabia_status tabia_rules_format(const tabia_rules *rules, const char *notation_word, tabia_put *put,
                                void *context, tabia_messages *log) {
  API_GUARDED(tabia_status, format(rules, notation_word, put, context, log), api_no_memory(log));
}
