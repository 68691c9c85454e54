/* The language server: messages come in, messages go out.

   One thread passes it messages in order (lsp_server_take).  It answers quick requests at once; a
   slow request becomes a job (lsp_job.h) of another thread, which sends the answer when it is
   ready.  Without threads, jobs run at once, so that tests need not wait.

   lsp_method_table.def says which message is answered by which function.  A function that answers
   reads its parameters, asks tabia.h and makes a JSON value; it sends nothing by itself. */
#ifndef TABIA_LSP_LSP_SERVER_H
#define TABIA_LSP_LSP_SERVER_H

#include "lsp/lsp_document.h"

#include <jansson.h>
#include <pthread.h>

/* Codes of the protocol. */
enum {
  LSP_PARSE_ERROR = -32700,
  LSP_INVALID_REQUEST = -32600,
  LSP_METHOD_NOT_FOUND = -32601,
  LSP_INVALID_PARAMS = -32602,
  LSP_NOT_INITIALIZED = -32002,
  LSP_REQUEST_FAILED = -32803,
  LSP_CANCELLED = -32800
};

typedef void lsp_send(void *context, const char *bytes, size_t length);

typedef enum lsp_state { LSP_FRESH, LSP_RUNNING, LSP_SHUT_DOWN, LSP_EXITED } lsp_state;

typedef struct lsp_server {
  arena *keep;
  lsp_send *send;
  void *context;
  pthread_mutex_t lock; /* held to change documents and to send */
  lsp_state state;
  lsp_encoding encoding;
  bool pulls;        /* the client asks for diagnostics by itself */
  bool has_snippets; /* completions may have placeholders */
  json_t *warnings;  /* words for tabia_messages_choose */
  VEC(lsp_document *) documents;
  uint64_t revisions; /* the last that was given to a text */
  struct lsp_jobs *jobs;
  json_t *cancelled; /* an array of ids that were cancelled before they came up */
} lsp_server;

lsp_server *lsp_server_new(lsp_send *send, void *context, bool has_threads);
void lsp_server_free(lsp_server *s); /* waits for jobs, which are cancelled */

/* One message, without its header. */
void lsp_server_take(lsp_server *s, const char *bytes, size_t length);

/* From any thread, as soon as the message has come: a request need not be answered any more. */
void lsp_server_cancel(lsp_server *s, const json_t *id);

/* ---- for the functions that answer ---- */

/* Why there is no answer. */
typedef struct lsp_failure {
  int code; /* 0: there is one */
  char words[256];
} lsp_failure;

json_t *lsp_fail(lsp_failure *f, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4))); /* NULL */

/* Answers a request; NULL with f->code 0: a job will. */
typedef json_t *lsp_answer(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f);
typedef void lsp_note(lsp_server *s, json_t *params);

#define REQUEST(method, function) lsp_answer function;
#define NOTIFICATION(method, function) lsp_note function;
#include "lsp/lsp_method_table.def"
#undef REQUEST
#undef NOTIFICATION

/* The document that params.textDocument.uri names; NULL: it is not open, and f says so. */
lsp_document *lsp_find_document(lsp_server *s, const json_t *params, lsp_failure *f);
/* The same with the offsets of params.range. */
lsp_document *lsp_find_range(lsp_server *s, const json_t *params, size_t *start, size_t *end,
                             lsp_failure *f);
lsp_document *lsp_document_of_uri(lsp_server *s, const char *uri);

/* The same with its source, and the offset of params.position. */
typedef struct lsp_target {
  lsp_document *document;
  const tabia_source *source;
  size_t offset;
  uint32_t word, thing; /* or TABIA_NOTHING */
} lsp_target;

bool lsp_find_target(lsp_server *s, const json_t *params, lsp_target *t, lsp_failure *f);

void lsp_choose_warnings(void *server, tabia_messages *log);

void lsp_send_answer(lsp_server *s, const json_t *id, json_t *result, const lsp_failure *f);
void lsp_send_note(lsp_server *s, const char *method, json_t *params); /* takes the reference */

/* A text has changed or was opened: what is being found out about the old one is of no use. */
void lsp_text_changed(lsp_server *s, lsp_document *d);

#endif
