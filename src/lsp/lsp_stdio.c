#include "lsp/lsp_stdio.h"

#include "base/recovery.h"
#include "lsp/lsp_server.h"

enum { HEADER_MAX = 4096, MESSAGE_MAX = 1 << 28 };

typedef struct inbox_message {
  arena *keep;
  char *bytes;
  size_t length;
  struct inbox_message *next;
} inbox_message;

typedef struct inbox {
  FILE *in;
  lsp_server *server;
  pthread_mutex_t lock;
  pthread_cond_t change;
  inbox_message *first, **end;
  bool is_over;
} inbox;

/* ---- reading ---- */

/* The length that the header gives; false: the input has ended, or is none of the protocol. */
static bool read_header(FILE *in, size_t *length) {
  char line[HEADER_MAX];
  bool found = false;
  while (fgets(line, sizeof line, in)) {
    if (line[0] == '\r' || line[0] == '\n') {
      if (found) return *length <= MESSAGE_MAX;
      continue;
    }
    if (strncasecmp(line, "Content-Length:", 15) != 0) continue;
    *length = strtoull(line + 15, NULL, 10);
    found = true;
  }
  return false;
}

typedef struct reading {
  FILE *in;
  inbox_message *message;
} reading;

static void read_message(void *context) {
  reading *r = context;
  size_t length;
  if (!read_header(r->in, &length)) return;
  arena *keep = arena_new();
  inbox_message *m = arena_alloc_zero(keep, sizeof *m);
  *m = (inbox_message){.keep = keep, .bytes = arena_alloc(keep, length + 1), .length = length};
  if (fread(m->bytes, 1, length, r->in) == length)
    r->message = m;
  else
    arena_free(keep);
}

/* NULL: the input has ended, or there is no memory for what comes. */
static inbox_message *next_message(FILE *in) {
  reading r = {in, NULL};
  if (!recovery_try(NULL, read_message, &r)) fputs("tabia lsp: no memory for a message\n", stderr);
  return r.message;
}

/* A request that is cancelled while others wait is never begun. */
static void cancel_early(lsp_server *s, const inbox_message *m) {
  if (m->length > HEADER_MAX || !memmem(m->bytes, m->length, "$/cancelRequest", 15)) return;
  json_t *message = json_loadb(m->bytes, m->length, 0, NULL);
  const char *method = json_string_value(json_object_get(message, "method"));
  if (method && strcmp(method, "$/cancelRequest") == 0)
    lsp_server_cancel(s, json_object_get(json_object_get(message, "params"), "id"));
  json_decref(message);
}

static void *read_all(void *context) {
  inbox *b = context;
  for (;;) {
    inbox_message *m = next_message(b->in);
    if (m) cancel_early(b->server, m);
    pthread_mutex_lock(&b->lock);
    if (m) {
      *b->end = m;
      b->end = &m->next;
    }
    b->is_over |= !m;
    pthread_cond_signal(&b->change);
    pthread_mutex_unlock(&b->lock);
    if (!m) return NULL;
  }
}

/* ---- acting ---- */

static inbox_message *take_first(inbox *b) {
  pthread_mutex_lock(&b->lock);
  while (!b->first && !b->is_over) pthread_cond_wait(&b->change, &b->lock);
  inbox_message *m = b->first;
  if (m) b->first = m->next;
  if (!b->first) b->end = &b->first;
  pthread_mutex_unlock(&b->lock);
  return m;
}

static void send_message(void *out, const char *bytes, size_t length) {
  fprintf(out, "Content-Length: %zu\r\n\r\n", length);
  fwrite(bytes, 1, length, out);
  fflush(out);
}

static void work(inbox *b, bool *was_shut_down) {
  inbox_message *m;
  while (b->server->state != LSP_EXITED && (m = take_first(b)) != NULL) {
    *was_shut_down |= b->server->state == LSP_SHUT_DOWN;
    lsp_server_take(b->server, m->bytes, m->length);
    arena_free(m->keep);
  }
  *was_shut_down |= b->server->state == LSP_SHUT_DOWN;
}

int lsp_serve(FILE *in, FILE *out) {
  inbox b = {.in = in, .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER};
  pthread_t reader;
  bool was_shut_down = false;
  b.end = &b.first;
  b.server = lsp_server_new(send_message, out, true);
  if (pthread_create(&reader, NULL, read_all, &b) != 0) return 1;
  work(&b, &was_shut_down);
  /* The reader may wait for input that never comes: the process ends without it. */
  if (b.is_over) pthread_join(reader, NULL);
  if (b.is_over) lsp_server_free(b.server);
  return was_shut_down ? 0 : 1;
}
