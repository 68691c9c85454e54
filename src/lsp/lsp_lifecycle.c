/* The beginning, the end, and what is agreed upon; open texts and their edits. */
#include "lsp/lsp_job.h"
#include "lsp/lsp_json.h"
#include "lsp/lsp_tokens.h"

/* ---- beginning and end ---- */

static bool offers_utf8(const json_t *params) {
  const json_t *offered = lsp_member(params, "capabilities.general.positionEncodings");
  size_t i;
  json_t *name;
  json_array_foreach(offered, i,
                     name) if (json_is_string(name) &&
                               strcmp(json_string_value(name), "utf-8") == 0) return true;
  return false;
}

static void take_warnings(lsp_server *s, const json_t *words) {
  if (!json_is_array(words)) return;
  json_t *copy = json_deep_copy(words);
  pthread_mutex_lock(&s->lock);
  json_t *old = s->warnings;
  s->warnings = copy;
  pthread_mutex_unlock(&s->lock);
  json_decref(old);
}

static json_t *options_json(void) {
  return json_pack("{s{sb si} s{sb sb} s{s[s]} s{s[ssssss] sb}}", "textDocumentSync", "openClose",
                   1, "change", 2, "diagnosticProvider", "interFileDependencies", 0,
                   "workspaceDiagnostics", 0, "codeActionProvider", "codeActionKinds", "quickfix",
                   "completionProvider", "triggerCharacters", "(", " ", "?", ",", "<", ":",
                   "resolveProvider", 0);
}

static void add_more_options(json_t *c) {
  json_t *more =
      json_pack("{s{s[sss]} s{sb} s{ss s[ss]} s{sb} s{s[sss]} s{so sb sb}}",
                "signatureHelpProvider", "triggerCharacters", "(", " ", ",", "renameProvider",
                "prepareProvider", 1, "documentOnTypeFormattingProvider", "firstTriggerCharacter",
                ")", "moreTriggerCharacter", ".", "\n", "codeLensProvider", "resolveProvider", 1,
                "executeCommandProvider", "commands", "tabia.report", "tabia.prove", "tabia.board",
                "semanticTokensProvider", "legend", lsp_token_legend(), "full", 1, "range", 1);
  json_object_update(c, more);
  json_decref(more);
}

static json_t *capabilities_json(const lsp_server *s) {
  static const char *const plain[] = {"hoverProvider",
                                      "definitionProvider",
                                      "referencesProvider",
                                      "documentHighlightProvider",
                                      "documentSymbolProvider",
                                      "workspaceSymbolProvider",
                                      "foldingRangeProvider",
                                      "selectionRangeProvider",
                                      "documentFormattingProvider",
                                      "documentRangeFormattingProvider",
                                      "inlayHintProvider",
                                      "callHierarchyProvider"};
  json_t *c = options_json();
  add_more_options(c);
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    json_object_set_new(c, plain[i], json_true());
  json_object_set_new(c, "positionEncoding",
                      json_string(s->encoding == LSP_UTF8 ? "utf-8" : "utf-16"));
  return c;
}

json_t *on_initialize(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id, (void)f;
  s->encoding = offers_utf8(params) ? LSP_UTF8 : LSP_UTF16;
  s->pulls = lsp_member(params, "capabilities.textDocument.diagnostic") != NULL;
  s->has_snippets =
      lsp_flag(params, "capabilities.textDocument.completion.completionItem.snippetSupport");
  take_warnings(s, lsp_member(params, "initializationOptions.warnings"));
  s->state = LSP_RUNNING;
  return json_pack("{so s{ss ss}}", "capabilities", capabilities_json(s), "serverInfo", "name",
                   "tabia", "version", tabia_version());
}

json_t *on_shutdown(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id, (void)params, (void)f;
  s->state = LSP_SHUT_DOWN;
  return json_null();
}

void on_exit_server(lsp_server *s, json_t *params) {
  (void)params;
  s->state = LSP_EXITED;
}

void on_nothing(lsp_server *s, json_t *params) { (void)s, (void)params; }

void on_cancel(lsp_server *s, json_t *params) {
  lsp_server_cancel(s, json_object_get(params, "id"));
}

/* ---- texts ---- */

void on_configuration(lsp_server *s, json_t *params) {
  take_warnings(s, lsp_member(params, "settings.tabia.warnings"));
  for (uint32_t i = 0; i < s->documents.count; i++) {
    lsp_document_forget_messages(s->documents.items[i]);
    lsp_text_changed(s, s->documents.items[i]);
  }
}

static lsp_document *open_document(lsp_server *s, const char *uri) {
  lsp_document *d = lsp_document_of_uri(s, uri);
  if (d) return d;
  d = lsp_document_new(uri, s->encoding);
  pthread_mutex_lock(&s->lock);
  vec_push(s->keep, &s->documents, d);
  pthread_mutex_unlock(&s->lock);
  return d;
}

/* Revisions are of the server: a document that is opened again has new ones. */
static void set_revision(lsp_server *s, lsp_document *d, const json_t *version) {
  d->revision = ++s->revisions;
  if (json_is_integer(version)) d->version = json_integer_value(version);
}

void on_open(lsp_server *s, json_t *params) {
  const char *uri = lsp_string(params, "textDocument.uri");
  const json_t *words = lsp_member(params, "textDocument.text");
  if (!uri || !json_is_string(words)) return;
  lsp_document *d = open_document(s, uri);
  pthread_mutex_lock(&s->lock);
  lsp_document_set(d, json_string_value(words), json_string_length(words));
  set_revision(s, d, lsp_member(params, "textDocument.version"));
  pthread_mutex_unlock(&s->lock);
  lsp_text_changed(s, d);
}

/* One edit, or the whole text.  A range that is none is passed over. */
static void apply_change(lsp_document *d, const json_t *change) {
  const json_t *words = json_object_get(change, "text");
  const json_t *range = json_object_get(change, "range");
  size_t start, end;
  if (!json_is_string(words)) return;
  const char *bytes = json_string_value(words);
  if (!range || json_is_null(range))
    lsp_document_set(d, bytes, json_string_length(words));
  else if (lsp_read_range(range, d, &start, &end))
    lsp_document_replace(d, start, end, bytes, json_string_length(words));
}

void on_change(lsp_server *s, json_t *params) {
  lsp_failure f = {0};
  lsp_document *d = lsp_find_document(s, params, &f);
  const json_t *changes = lsp_member(params, "contentChanges");
  size_t i;
  json_t *change;
  if (!d) return;
  pthread_mutex_lock(&s->lock);
  json_array_foreach(changes, i, change) apply_change(d, change);
  set_revision(s, d, lsp_member(params, "textDocument.version"));
  pthread_mutex_unlock(&s->lock);
  lsp_text_changed(s, d);
}

void on_close(lsp_server *s, json_t *params) {
  lsp_failure f = {0};
  lsp_document *d = lsp_find_document(s, params, &f);
  if (!d) return;
  lsp_jobs_cancel_document(s->jobs, d->uri);
  pthread_mutex_lock(&s->lock);
  for (uint32_t i = 0; i < s->documents.count; i++)
    if (s->documents.items[i] == d) s->documents.items[i] = vec_last(&s->documents);
  s->documents.count--;
  pthread_mutex_unlock(&s->lock);
  if (!s->pulls)
    lsp_send_note(s, "textDocument/publishDiagnostics",
                  json_pack("{ss s[]}", "uri", d->uri, "diagnostics"));
  lsp_document_free(d);
}
