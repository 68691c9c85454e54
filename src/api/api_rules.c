#include "api/api.h"

#include "circuit/circuit.h"

#include <string.h>

/* ---- limits ---- */

tabia_limits *tabia_limits_new(void) {
  arena *keep = arena_new();
  tabia_limits *l = arena_alloc_zero(keep, sizeof *l);
  l->keep = keep;
  return l;
}

void tabia_limits_free(tabia_limits *l) {
  if (l) arena_free(l->keep);
}

void tabia_limits_set_seconds(tabia_limits *l, double seconds) { l->seconds = seconds; }

void tabia_limits_set_bytes(tabia_limits *l, size_t bytes) { l->bytes = bytes; }

void tabia_limits_set_interrupt(tabia_limits *l, const volatile sig_atomic_t *flag) {
  l->interrupt = flag;
}

budget api_budget(const tabia_limits *l) {
  if (!l) return budget_new(0, 0);
  budget b = budget_new(l->seconds, l->bytes);
  b.interrupted = l->interrupt;
  return b;
}

tabia_status api_failure(const budget *b) {
  return b->end == BUDGET_LEFT ? TABIA_FAULTY : TABIA_LIMIT;
}

/* ---- reading ---- */

reading *reading_new(const tabia_rules *rules) {
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

void reading_free(reading *r) { arena_free(r->keep); }

/* Tells what is wrong with the text, and gives it out only if nothing is. */
static tabia_status finish_reading(tabia_rules **out, tabia_rules *rules, tabia_messages *log) {
  reading *r = reading_new(rules);
  const bool is_sound = r->diags.errors == 0;
  if (!is_sound) api_tell(log, &r->diags, &r->source);
  reading_free(r);
  if (is_sound)
    *out = rules;
  else
    tabia_rules_free(rules);
  return is_sound ? TABIA_OK : TABIA_FAULTY;
}

static tabia_rules *rules_new(void) {
  arena *keep = arena_new();
  tabia_rules *rules = arena_alloc_zero(keep, sizeof *rules);
  rules->keep = keep;
  return rules;
}

tabia_status tabia_rules_read_file(tabia_rules **out, const char *path, tabia_messages *log) {
  tabia_rules *rules = rules_new();
  diag_sink d;
  *out = NULL;
  diag_sink_init(&d, rules->keep);
  const char *name = arena_copy_text(rules->keep, path, strlen(path));
  if (source_load(&rules->source, name, rules->keep, &d)) return finish_reading(out, rules, log);
  rules->source = source_of(name, "", 0);
  api_tell(log, &d, &rules->source);
  tabia_rules_free(rules);
  return TABIA_UNREADABLE;
}

tabia_status tabia_rules_read_text(tabia_rules **out, const char *name, const char *words,
                                   size_t length, tabia_messages *log) {
  *out = NULL;
  if (length > SOURCE_MAX_BYTES) {
    api_tell_error(log, "%s is too long", name);
    return TABIA_UNREADABLE;
  }
  tabia_rules *rules = rules_new();
  rules->source = source_of(arena_copy_text(rules->keep, name, strlen(name)),
                            arena_copy_text(rules->keep, words, length), (uint32_t)length);
  return finish_reading(out, rules, log);
}

void tabia_rules_free(tabia_rules *rules) {
  if (rules) arena_free(rules->keep);
}

const char *tabia_rules_name(const tabia_rules *rules) { return rules->source.name; }

tabia_status tabia_rules_check(const tabia_rules *rules, tabia_messages *log) {
  reading *r = reading_new(rules);
  arena *scratch = arena_new();
  analysis a;
  rules_analyse(&a, &r->program, r->keep);
  rules_check(&r->program, &a, scratch, &r->diags);
  const tabia_status status = r->diags.errors ? TABIA_FAULTY : TABIA_OK;
  api_tell(log, &r->diags, &r->source);
  arena_free(scratch);
  reading_free(r);
  return status;
}

/* ---- writing ---- */

/* The number of a word in a list that NULL ends; or its length, and a message. */
static uint32_t find_word(const char *const *words, const char *word, const char *what,
                          tabia_messages *log) {
  uint32_t i = 0;
  while (words[i] && strcmp(words[i], word) != 0) i++;
  if (!words[i]) api_tell_error(log, "there is no %s `%s`", what, word);
  return i;
}

/* The ground rules of a game, in the memory of what was read. */
typedef struct grounding {
  reading *r;
  budget b;
  ground_program ground;
} grounding;

static bool grounding_open(grounding *g, const tabia_rules *rules, ground_options how,
                           const tabia_limits *limits) {
  ground_stats unused;
  g->r = reading_new(rules);
  g->b = api_budget(limits);
  budget_watch(&g->b, g->r->keep);
  return ground_rules(&g->ground, &g->r->program, how, g->r->keep, &g->b, &g->r->diags, &unused);
}

static tabia_status grounding_close(grounding *g, bool ok, tabia_messages *log) {
  if (!ok) api_tell(log, &g->r->diags, &g->r->source);
  reading_free(g->r);
  return ok ? TABIA_OK : api_failure(&g->b);
}

tabia_status tabia_rules_write_ground(const tabia_rules *rules, const char *method,
                                      const char *format, const tabia_limits *limits,
                                      tabia_put *put, void *context, tabia_messages *log) {
  static const char *const formats[] = {"kif", "prolog", "asp", "json", NULL};
  enum { JSON = 3, FORMATS };
  const uint32_t form = find_word(formats, format, "format", log);
  ground_options how = {.optimise = true};
  grounding g;
  if (form == FORMATS) return TABIA_MISUSE;
  if (!ground_method_find(method, &how.method)) {
    api_tell_error(log, "there is no method `%s`", method);
    return TABIA_MISUSE;
  }
  const bool ok = grounding_open(&g, rules, how, limits);
  const text_sink to = {put, context};
  if (ok && form == JSON) ground_write_json(&g.ground, to);
  if (ok && form != JSON) ground_print(&g.ground, (ground_format)form, to);
  return grounding_close(&g, ok, log);
}

tabia_status tabia_rules_write_circuit(const tabia_rules *rules, const char *format,
                                       const tabia_limits *limits, tabia_put *put, void *context,
                                       tabia_messages *log) {
  static const char *const formats[] = {"text", "dot", "json", NULL};
  enum { JSON = 2, FORMATS };
  const uint32_t form = find_word(formats, format, "format", log);
  const ground_options how = {.optimise = true};
  grounding g;
  circuit c;
  if (form == FORMATS) return TABIA_MISUSE;
  const bool ok = grounding_open(&g, rules, how, limits) &&
                  circuit_build(&c, &g.ground, g.r->keep, &g.b, &g.r->diags);
  text out = text_new(g.r->keep);
  if (ok && form == JSON) circuit_write_json(&c, &out);
  if (ok && form != JSON) circuit_print(&c, (circuit_format)form, &out);
  if (ok) put(context, text_string(&out), out.length);
  return grounding_close(&g, ok, log);
}
