/* Diagnostics, pushed and pulled, and the edits that fix them. */
#include "base/recovery.h"
#include "lsp/lsp_job.h"
#include "lsp/lsp_json.h"

/* ---- one message ---- */

enum { TAG_UNNECESSARY = 1, TAG_DEPRECATED = 2 };

/* What could be left out, and what the language forbids by now. */
static int tag_of(const char *code) {
  static const char *const unnecessary[] = {"W305", "W308", "W607", "W608", "W617",
                                            "W619", "W621", "W627", "W113"};
  for (size_t i = 0; i < sizeof unnecessary / sizeof *unnecessary; i++)
    if (strcmp(code, unnecessary[i]) == 0) return TAG_UNNECESSARY;
  return strcmp(code, "W207") == 0 || strcmp(code, "W208") == 0 ? TAG_DEPRECATED : 0;
}

static int severity_of(const tabia_messages *log, uint32_t i) {
  return tabia_message_severity(log, i) == TABIA_ERROR ? 1 : 2;
}

/* A message about no place is shown at the start. */
static json_t *range_of(lsp_document *d, const tabia_messages *log, uint32_t i) {
  size_t start = 0, end = 0;
  tabia_message_range(log, i, &start, &end);
  return lsp_range_json(d, start, end);
}

static json_t *related_of(lsp_document *d, const tabia_messages *log, uint32_t i) {
  json_t *all = json_array();
  for (i++; i < tabia_messages_count(log) && tabia_message_severity(log, i) == TABIA_NOTE; i++) {
    const char *words = tabia_message_text(log, i);
    json_array_append_new(all, json_pack("{s{ss so} so}", "location", "uri", d->uri, "range",
                                         range_of(d, log, i), "message",
                                         lsp_text_json(words, strlen(words))));
  }
  return all;
}

static json_t *words_of(const tabia_messages *log, uint32_t i) {
  arena *scratch = arena_new();
  text words = text_new(scratch);
  text_add(&words, tabia_message_text(log, i));
  if (tabia_message_hint(log, i)) text_add_format(&words, "\n%s", tabia_message_hint(log, i));
  json_t *value = lsp_text_json(words.bytes, words.length);
  arena_free(scratch);
  return value;
}

static json_t *diagnostic_json(lsp_document *d, const tabia_messages *log, uint32_t i) {
  const char *code = tabia_message_code(log, i);
  json_t *g = json_pack("{so si ss ss so so}", "range", range_of(d, log, i), "severity",
                        severity_of(log, i), "code", code, "source", "tabia", "message",
                        words_of(log, i), "relatedInformation", related_of(d, log, i));
  if (tag_of(code)) json_object_set_new(g, "tags", json_pack("[i]", tag_of(code)));
  return g;
}

static json_t *all_diagnostics(lsp_document *d, const tabia_messages *log) {
  json_t *all = json_array();
  for (uint32_t i = 0; log && i < tabia_messages_count(log); i++)
    if (tabia_message_severity(log, i) != TABIA_NOTE)
      json_array_append_new(all, diagnostic_json(d, log, i));
  return all;
}

/* ---- finding them ---- */

/* NULL: the text has changed, or the job was cancelled. */
static json_t *find_diagnostics(lsp_server *s, lsp_job *j) {
  tabia_messages *log = tabia_messages_new();
  tabia_rules *rules = NULL;
  recovery_lock(&s->lock);
  lsp_choose_warnings(s, log);
  recovery_unlock(&s->lock);
  tabia_rules_read_text(&rules, j->copy->uri, j->copy->words.bytes, j->copy->words.length, NULL);
  if (rules) tabia_rules_set_limits(rules, j->limits);
  const bool is_done = rules && tabia_rules_check(rules, log) != TABIA_LIMIT;
  json_t *all = is_done ? all_diagnostics(j->copy, log) : NULL;
  tabia_rules_free(rules);
  tabia_messages_free(log);
  return all;
}

/* Is this still the text?  The caller holds the lock of the server. */
static bool is_current(lsp_server *s, const lsp_job *j) {
  const lsp_document *d = lsp_document_of_uri(s, j->copy->uri);
  return d && d->revision == j->copy->revision;
}

static json_t *push_diagnostics(lsp_server *s, lsp_job *j, lsp_failure *f) {
  (void)f;
  json_t *all = find_diagnostics(s, j);
  if (!all) return NULL;
  json_t *note = json_pack("{ss ss s{ss sI so}}", "jsonrpc", "2.0", "method",
                           "textDocument/publishDiagnostics", "params", "uri", j->copy->uri,
                           "version", (json_int_t)j->copy->version, "diagnostics", all);
  char *words = json_dumps(note, JSON_COMPACT);
  recovery_lock(&s->lock); /* no edit comes between the question and the message */
  if (words && is_current(s, j)) s->send(s->context, words, strlen(words));
  recovery_unlock(&s->lock);
  free(words);
  json_decref(note);
  return NULL;
}

void lsp_text_changed(lsp_server *s, lsp_document *d) {
  if (!s->pulls) lsp_jobs_put(s->jobs, lsp_job_new(push_diagnostics, NULL, NULL, d));
}

/* ---- asked for ---- */

static json_t *report(const char *kind, uint64_t revision, json_t *items) {
  char name[32];
  snprintf(name, sizeof name, "%llu", (unsigned long long)revision);
  json_t *r = json_pack("{ss ss}", "kind", kind, "resultId", name);
  if (items) json_object_set_new(r, "items", items);
  return r;
}

static json_t *pull_diagnostics(lsp_server *s, lsp_job *j, lsp_failure *f) {
  json_t *all = find_diagnostics(s, j);
  if (!all) return lsp_fail(f, LSP_CANCELLED, "the text has changed");
  return report("full", j->copy->revision, all);
}

json_t *on_diagnostic(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  const lsp_document *d = lsp_find_document(s, params, f);
  const char *before = lsp_string(params, "previousResultId");
  if (!d) return NULL;
  if (before && strtoull(before, NULL, 10) == d->revision)
    return report("unchanged", d->revision, NULL);
  lsp_jobs_put(s->jobs, lsp_job_new(pull_diagnostics, id, params, d));
  return NULL;
}

/* ---- quick fixes ---- */

typedef struct mending {
  lsp_document *document;
  json_t *edits;
} mending;

static void add_edit(void *context, size_t start, size_t end, const char *words) {
  mending *m = context;
  json_array_append_new(m->edits, lsp_edit_json(m->document, start, end, words, strlen(words)));
}

static json_t *action_json(lsp_document *d, const tabia_messages *log, uint32_t i) {
  mending m = {d, json_array()};
  const char *hint = tabia_message_hint(log, i);
  tabia_message_edits(log, i, add_edit, &m);
  return json_pack("{so ss sb s[o] s{s{so}}}", "title",
                   lsp_text_json(hint ? hint : "mend it", hint ? strlen(hint) : 7), "kind",
                   "quickfix", "isPreferred", 1, "diagnostics", diagnostic_json(d, log, i), "edit",
                   "changes", d->uri, m.edits);
}

static bool touches(const tabia_messages *log, uint32_t i, size_t start, size_t end) {
  size_t from, to;
  return tabia_message_range(log, i, &from, &to) && from <= end && start <= to;
}

/* `only` may ask for other kinds than ours. */
static bool wants_fixes(const json_t *params) {
  const json_t *only = lsp_member(params, "context.only");
  size_t i;
  json_t *kind;
  if (!json_is_array(only)) return true;
  json_array_foreach(only, i,
                     kind) if (json_is_string(kind) &&
                               strncmp(json_string_value(kind), "quickfix", 8) == 0) return true;
  return false;
}

json_t *on_code_action(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  size_t start, end;
  lsp_document *d = lsp_find_range(s, params, &start, &end, f);
  if (!d) return NULL;
  json_t *all = json_array();
  if (!wants_fixes(params)) return all;
  const tabia_messages *log = lsp_document_messages(d, lsp_choose_warnings, s);
  for (uint32_t i = 0; log && i < tabia_messages_count(log); i++)
    if (tabia_message_edits(log, i, NULL, NULL) && touches(log, i, start, end))
      json_array_append_new(all, action_json(d, log, i));
  return all;
}
