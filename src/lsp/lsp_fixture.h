/* A server without threads, and what it has sent. */
#ifndef TABIA_LSP_LSP_FIXTURE_H
#define TABIA_LSP_LSP_FIXTURE_H

#include "lsp/lsp_json.h"
#include "lsp/lsp_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct lsp_fixture {
  lsp_server *server;
  json_t *sent; /* an array */
  int next_id;
} lsp_fixture;

static inline void keep_sent(void *context, const char *bytes, size_t length) {
  lsp_fixture *f = context;
  json_t *message = json_loadb(bytes, length, JSON_ALLOW_NUL, NULL);
  assert_non_null(message);
  json_array_append_new(f->sent, message);
}

static inline void give(lsp_fixture *f, const char *method, json_t *params, int id) {
  json_t *m = json_pack("{ss ss so}", "jsonrpc", "2.0", "method", method, "params", params);
  if (id) json_object_set_new(m, "id", json_integer(id));
  char *words = json_dumps(m, 0);
  lsp_server_take(f->server, words, strlen(words));
  free(words);
  json_decref(m);
}

/* The answer: a borrowed reference. */
static inline json_t *ask(lsp_fixture *f, const char *method, json_t *params) {
  const int id = ++f->next_id;
  give(f, method, params, id);
  for (size_t i = json_array_size(f->sent); i--;) {
    json_t *m = json_array_get(f->sent, i);
    if (json_integer_value(json_object_get(m, "id")) == id) return m;
  }
  return NULL;
}

static inline json_t *result_of(json_t *answer) { return json_object_get(answer, "result"); }

/* The items of the last diagnostics. */
static inline json_t *last_diagnostics(const lsp_fixture *f) {
  for (size_t i = json_array_size(f->sent); i--;) {
    json_t *m = json_array_get(f->sent, i);
    if (json_object_get(m, "method")) return lsp_member(m, "params.diagnostics");
  }
  return NULL;
}

static inline void start(lsp_fixture *f, const char *encoding) {
  ask(f, "initialize",
      json_pack("{s{s{s[s]} s{s{s{sb}}}}}", "capabilities", "general", "positionEncodings",
                encoding, "textDocument", "completion", "completionItem", "snippetSupport", 1));
}

static inline void open_text(lsp_fixture *f, const char *words) {
  give(f, "textDocument/didOpen",
       json_pack("{s{ss ss si ss}}", "textDocument", "uri", "file:///g.kif", "languageId", "gdl",
                 "version", 1, "text", words),
       0);
}

static inline json_t *at(int line, int character) {
  return json_pack("{s{ss} s{si si}}", "textDocument", "uri", "file:///g.kif", "position", "line",
                   line, "character", character);
}

static inline void change(lsp_fixture *f, int line, int from, int to_line, int to,
                          const char *words) {
  give(f, "textDocument/didChange",
       json_pack("{s{ss si} s[{s{s{si si} s{si si}} ss}]}", "textDocument", "uri", "file:///g.kif",
                 "version", 2, "contentChanges", "range", "start", "line", line, "character", from,
                 "end", "line", to_line, "character", to, "text", words),
       0);
}

static inline int set_up(void **state) {
  lsp_fixture *f = test_malloc(sizeof *f);
  *f = (lsp_fixture){.sent = json_array()};
  f->server = lsp_server_new(keep_sent, f, false);
  *state = f;
  return 0;
}

static inline int tear_down(void **state) {
  lsp_fixture *f = *state;
  lsp_server_free(f->server);
  json_decref(f->sent);
  test_free(f);
  return 0;
}

#endif
