#include "lsp/lsp_server.h"

#include "lsp/lsp_job.h"
#include "lsp/lsp_json.h"

/* ---- the server ---- */

lsp_server *lsp_server_new(lsp_send *send, void *context, bool has_threads) {
  arena *keep = arena_new();
  lsp_server *s = arena_alloc_zero(keep, sizeof *s);
  *s = (lsp_server){.keep = keep,
                    .send = send,
                    .context = context,
                    .warnings = json_array(),
                    .cancelled = json_array()};
  pthread_mutex_init(&s->lock, NULL);
  s->jobs = lsp_jobs_new(s, has_threads);
  return s;
}

void lsp_server_free(lsp_server *s) {
  lsp_jobs_free(s->jobs);
  for (uint32_t i = 0; i < s->documents.count; i++) lsp_document_free(s->documents.items[i]);
  json_decref(s->warnings);
  json_decref(s->cancelled);
  pthread_mutex_destroy(&s->lock);
  arena_free(s->keep);
}

void lsp_choose_warnings(void *server, tabia_messages *log) {
  const lsp_server *s = server;
  size_t i;
  json_t *word;
  tabia_messages_set_limit(log, 200);
  json_array_foreach(s->warnings, i, word) if (json_is_string(word))
      tabia_messages_choose(log, json_string_value(word));
  tabia_messages_clear(log); /* a word that is none is no fault of the text */
}

/* ---- sending ---- */

/* Takes the reference. */
static void send_json(lsp_server *s, json_t *message) {
  char *words = json_dumps(message, JSON_COMPACT);
  pthread_mutex_lock(&s->lock);
  if (words) s->send(s->context, words, strlen(words));
  pthread_mutex_unlock(&s->lock);
  free(words);
  json_decref(message);
}

json_t *lsp_fail(lsp_failure *f, int code, const char *format, ...) {
  va_list list;
  va_start(list, format);
  f->code = code;
  vsnprintf(f->words, sizeof f->words, format, list);
  va_end(list);
  return NULL;
}

void lsp_send_answer(lsp_server *s, const json_t *id, json_t *result, const lsp_failure *f) {
  json_t *answer = json_pack("{ss sO*}", "jsonrpc", "2.0", "id", id);
  if (f->code) {
    json_decref(result);
    json_t *words = lsp_text_json(f->words, strlen(f->words));
    json_object_set_new(answer, "error", json_pack("{si so}", "code", f->code, "message", words));
  } else {
    json_object_set_new(answer, "result", result ? result : json_null());
  }
  send_json(s, answer);
}

void lsp_send_note(lsp_server *s, const char *method, json_t *params) {
  send_json(s, json_pack("{ss ss so}", "jsonrpc", "2.0", "method", method, "params", params));
}

/* ---- documents ---- */

lsp_document *lsp_document_of_uri(lsp_server *s, const char *uri) {
  for (uint32_t i = 0; uri && i < s->documents.count; i++)
    if (strcmp(s->documents.items[i]->uri, uri) == 0) return s->documents.items[i];
  return NULL;
}

lsp_document *lsp_find_document(lsp_server *s, const json_t *params, lsp_failure *f) {
  lsp_document *d = lsp_document_of_uri(s, lsp_string(params, "textDocument.uri"));
  if (!d) lsp_fail(f, LSP_INVALID_PARAMS, "no such document is open");
  return d;
}

lsp_document *lsp_find_range(lsp_server *s, const json_t *params, size_t *start, size_t *end,
                             lsp_failure *f) {
  lsp_document *d = lsp_find_document(s, params, f);
  if (!d || lsp_read_range(lsp_member(params, "range"), d, start, end)) return d;
  lsp_fail(f, LSP_INVALID_PARAMS, "there is no range");
  return NULL;
}

bool lsp_find_target(lsp_server *s, const json_t *params, lsp_target *t, lsp_failure *f) {
  lsp_position at;
  *t = (lsp_target){.document = lsp_find_document(s, params, f)};
  if (!t->document) return false;
  if (!lsp_read_position(lsp_member(params, "position"), &at)) {
    lsp_fail(f, LSP_INVALID_PARAMS, "there is no position");
    return false;
  }
  t->source = lsp_document_source(t->document);
  if (!t->source) {
    lsp_fail(f, LSP_REQUEST_FAILED, "there is no memory left");
    return false;
  }
  t->offset = lsp_document_offset(t->document, at);
  t->word = tabia_source_word_at(t->source, t->offset);
  t->thing = t->word == TABIA_NOTHING ? TABIA_NOTHING : tabia_word_thing(t->source, t->word);
  return true;
}

/* ---- taking messages ---- */

typedef struct method {
  const char *name;
  lsp_answer *answer;
  lsp_note *note;
} method;

static const method methods[] = {
#define REQUEST(name, function) {name, function, NULL},
#define NOTIFICATION(name, function) {name, NULL, function},
#include "lsp/lsp_method_table.def"
#undef REQUEST
#undef NOTIFICATION
};

static const method *find_method(const char *name) {
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (strcmp(methods[i].name, name) == 0) return &methods[i];
  return NULL;
}

/* True once: the request was cancelled before it came up. */
static bool was_cancelled(lsp_server *s, const json_t *id) {
  bool found = false;
  pthread_mutex_lock(&s->lock);
  for (size_t i = json_array_size(s->cancelled); i--;) {
    if (!json_equal(json_array_get(s->cancelled, i), id)) continue;
    json_array_remove(s->cancelled, i);
    found = true;
  }
  pthread_mutex_unlock(&s->lock);
  return found;
}

enum { CANCELLED_MAX = 64 }; /* ids of requests that never come are forgotten */

void lsp_server_cancel(lsp_server *s, const json_t *id) {
  if (!id || lsp_jobs_cancel_request(s->jobs, id)) return;
  json_t *copy = json_deep_copy(id);
  pthread_mutex_lock(&s->lock);
  if (json_array_size(s->cancelled) == CANCELLED_MAX) json_array_remove(s->cancelled, 0);
  json_array_append_new(s->cancelled, copy);
  pthread_mutex_unlock(&s->lock);
}

static json_t *answer_request(lsp_server *s, const char *name, const json_t *id, json_t *params,
                              lsp_failure *f, bool *is_job) {
  const method *m = find_method(name);
  const bool is_first = strcmp(name, "initialize") == 0;
  *is_job = false;
  if (was_cancelled(s, id)) return lsp_fail(f, LSP_CANCELLED, "cancelled");
  if (s->state == LSP_FRESH && !is_first)
    return lsp_fail(f, LSP_NOT_INITIALIZED, "initialize comes first");
  if (s->state >= LSP_SHUT_DOWN || (is_first && s->state != LSP_FRESH))
    return lsp_fail(f, LSP_INVALID_REQUEST, "%s cannot come now", name);
  if (!m || !m->answer) return lsp_fail(f, LSP_METHOD_NOT_FOUND, "there is no method %s", name);
  json_t *result = m->answer(s, id, params, f);
  *is_job = !result && !f->code;
  return result;
}

static void take_note(lsp_server *s, const char *name, json_t *params) {
  const method *m = find_method(name);
  if (!m || !m->note) return; /* what we do not know may be passed over */
  const bool is_exit = strcmp(name, "exit") == 0;
  if (s->state == LSP_RUNNING || is_exit) m->note(s, params);
}

static void take_message(lsp_server *s, json_t *message) {
  const char *name = json_string_value(json_object_get(message, "method"));
  const json_t *id = json_object_get(message, "id");
  json_t *params = json_object_get(message, "params");
  lsp_failure f = {0};
  bool is_job = false;
  json_t *result = NULL;
  if (!name && id && !json_object_get(message, "error") && !json_object_get(message, "result"))
    lsp_fail(&f, LSP_INVALID_REQUEST, "a request without a method");
  else if (!name)
    return; /* an answer to nothing that we asked */
  else if (!id)
    take_note(s, name, params);
  else
    result = answer_request(s, name, id, params, &f, &is_job);
  if (id && !is_job) lsp_send_answer(s, id, result, &f);
}

void lsp_server_take(lsp_server *s, const char *bytes, size_t length) {
  json_error_t why;
  json_t *message = json_loadb(bytes, length, JSON_ALLOW_NUL, &why);
  lsp_failure f = {0};
  if (!json_is_object(message)) {
    json_t *none = json_null();
    lsp_fail(&f, message ? LSP_INVALID_REQUEST : LSP_PARSE_ERROR, "%s",
             message ? "a message is an object" : why.text);
    lsp_send_answer(s, none, NULL, &f);
  } else {
    take_message(s, message);
  }
  json_decref(message);
}
