#include "ggp/wire/http_server.h"

#include "base/budget.h"
#include "base/recovery.h"
#include "base/vec.h"
#include "ggp/wire/http_head.h"
#include "ggp/wire/sexp.h"
#include "ggp/wire/tcp.h"

#include <math.h>
#include <poll.h>
#include <unistd.h>

enum { CONNECTION_MAX = 64, REQUEST_MAX = 1 << 26 };

static const double PAUSE_SECONDS = 1; /* after which a body of unknown length is whole */
static const double IDLE_SECONDS = 30; /* without a byte */
static const double DRAIN_SECONDS = 2; /* for the sender to take its reply */

typedef enum connection_state {
  STATE_READING,
  STATE_WAITING, /* the request was handed over */
  STATE_WRITING,
  STATE_DRAINING /* all was sent; a close with bytes unread would make the sender lose it */
} connection_state;

typedef struct connection {
  arena *keep; /* all of it */
  int socket;
  connection_state state;
  uint64_t request; /* its number */
  text in, out;
  size_t sent;
  http_head head;
  bool has_head;
  bool is_post;   /* or any other method that has a body */
  sexp_scan scan; /* of the body */
  size_t scanned; /* bytes of `in` */
  double last;    /* when something came or went */
} connection;

struct http_server {
  arena *keep;
  int listener, wake;
  http_handler *handle;
  void *context;
  uint64_t next_request;
  uint32_t count;
  connection *connections[CONNECTION_MAX];
};

http_server *http_server_new(int listener, int wake, http_handler *handle, void *context) {
  arena *keep = arena_new();
  http_server *s = arena_alloc_zero(keep, sizeof *s);
  *s = (http_server){.keep = keep,
                     .listener = listener,
                     .wake = wake,
                     .handle = handle,
                     .context = context,
                     .next_request = 1};
  return s;
}

static void connection_free(connection *c) {
  close(c->socket);
  arena_free(c->keep);
}

void http_server_free(http_server *s) {
  for (uint32_t i = 0; i < s->count; i++) connection_free(s->connections[i]);
  close(s->listener);
  arena_free(s->keep);
}

uint32_t http_server_connections(const http_server *s) { return s->count; }

/* ---- replies ---- */

static void start_reply(connection *c, const char *body) {
  http_add_reply(&c->out, body);
  c->state = STATE_WRITING;
}

/* False: the connection is of no more use. */
static bool write_reply(connection *c) {
  const tcp_result result = tcp_send(c->socket, (slice){c->out.bytes, c->out.length}, &c->sent);
  c->last = clock_now();
  if (result == TCP_DONE) {
    shutdown(c->socket, SHUT_WR);
    c->state = STATE_DRAINING;
  }
  return result != TCP_ERROR;
}

void http_server_reply(http_server *s, uint64_t request, const char *body) {
  for (uint32_t i = 0; i < s->count; i++) {
    connection *c = s->connections[i];
    if (c->request != request || c->state != STATE_WAITING) continue;
    start_reply(c, body);
    write_reply(c); /* a broken one is noticed by poll() */
  }
}

/* ---- requests ---- */

static slice body_of(const connection *c) {
  return (slice){c->in.bytes + c->head.size, c->in.length - c->head.size};
}

static void hand_over(http_server *s, connection *c, slice body) {
  c->state = STATE_WAITING;
  c->request = s->next_request++;
  s->handle(s->context, c->request, body);
}

static bool scan_body(connection *c) {
  const size_t from = c->scanned > c->head.size ? c->scanned : c->head.size;
  c->scanned = c->in.length;
  return sexp_scan_add(&c->scan, c->in.bytes + from, c->in.length - from);
}

static void take_chunked(http_server *s, connection *c, bool at_end) {
  text body = text_new(c->keep);
  if (http_body_read(&c->head, body_of(c), at_end, &body) == HTTP_WHOLE)
    hand_over(s, c, (slice){text_string(&body), body.length});
}

static void take_body(http_server *s, connection *c, bool at_end) {
  const slice body = body_of(c);
  if (c->head.is_chunked) {
    take_chunked(s, c, at_end);
    return;
  }
  const bool has_all = c->head.has_length && body.length >= c->head.length && !c->scan.depth;
  if (scan_body(c) || at_end || (has_all && !c->scan.depth)) hand_over(s, c, body);
}

static void take_path(http_server *s, connection *c) {
  text message = text_new(c->keep);
  http_add_decoded(c->head.target, &message);
  hand_over(s, c, (slice){text_string(&message), message.length});
}

/* The slices of a head point into `in`, which moves as it grows: they are good only now, when the
   head has just come. */
static void take_request(http_server *s, connection *c, bool at_end) {
  if (c->is_post)
    take_body(s, c, at_end);
  else if (sexp_is(c->head.method, "GET"))
    take_path(s, c);
  else
    start_reply(c, "");
}

static http_progress find_head(connection *c) {
  const http_progress result = http_head_read(&c->head, (slice){c->in.bytes, c->in.length});
  if (result == HTTP_WHOLE && c->head.status) return HTTP_BROKEN;
  c->has_head = result == HTTP_WHOLE;
  c->is_post = !sexp_is(c->head.method, "GET") && !sexp_is(c->head.method, "OPTIONS");
  return result;
}

static bool look_at_request(http_server *s, connection *c, bool at_end) {
  if (!c->in.length) return !at_end;
  const http_progress head = c->has_head ? HTTP_WHOLE : find_head(c);
  if (head == HTTP_MORE) return !at_end;
  if (head == HTTP_BROKEN) return false;
  take_request(s, c, at_end);
  if (c->state == STATE_WRITING) write_reply(c);
  return c->state != STATE_READING || (!at_end && c->in.length < REQUEST_MAX);
}

/* ---- events ---- */

static bool read_request(http_server *s, connection *c) {
  const tcp_result result = tcp_receive(c->socket, &c->in, REQUEST_MAX);
  if (result == TCP_WAIT) return true;
  if (result == TCP_ERROR) return false;
  c->last = clock_now();
  return look_at_request(s, c, result == TCP_END);
}

/* What comes behind a request is of no interest; only its end is, once the reply is out.  A sender
   that has closed its side may still wait for the reply. */
static bool read_rest(connection *c) {
  text rest = text_new(c->keep);
  const arena_mark mark = arena_save(c->keep);
  const tcp_result result = tcp_receive(c->socket, &rest, 1 << 14);
  arena_restore(c->keep, mark);
  return result == TCP_WAIT || result == TCP_DONE ||
         (result == TCP_END && c->state == STATE_WRITING);
}

static bool serve(http_server *s, connection *c, short events) {
  switch (c->state) {
    case STATE_READING: return read_request(s, c);
    case STATE_WAITING: return !(events & (POLLERR | POLLHUP));
    case STATE_WRITING: return events & (POLLERR | POLLHUP) ? false : write_reply(c);
    case STATE_DRAINING: break;
  }
  return read_rest(c);
}

/* A connection without events: has it waited long enough? */
static bool is_worth_keeping(http_server *s, connection *c) {
  const double quiet = clock_now() - c->last;
  if (c->state == STATE_DRAINING) return quiet < DRAIN_SECONDS;
  if (c->state == STATE_WAITING) return true;
  if (c->state == STATE_READING && c->has_head && quiet >= PAUSE_SECONDS && body_of(c).length)
    return look_at_request(s, c, true);
  return quiet < IDLE_SECONDS;
}

static void drop(http_server *s, uint32_t i) {
  connection_free(s->connections[i]);
  s->connections[i] = s->connections[--s->count];
}

/* The one that has been quiet for longest makes room, unless it waits for its reply. */
static bool make_room(http_server *s) {
  uint32_t oldest = UINT32_MAX;
  if (s->count < CONNECTION_MAX) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (s->connections[i]->state != STATE_WAITING &&
        (oldest == UINT32_MAX || s->connections[i]->last < s->connections[oldest]->last))
      oldest = i;
  if (oldest == UINT32_MAX) return false;
  drop(s, oldest);
  return true;
}

typedef struct newcomer {
  http_server *s;
  int socket;
} newcomer;

static void add_newcomer(void *newcomer_) {
  const newcomer *n = newcomer_;
  arena *keep = arena_new();
  connection *c = arena_alloc_zero(keep, sizeof *c);
  *c = (connection){.keep = keep,
                    .socket = n->socket,
                    .in = text_new(keep),
                    .out = text_new(keep),
                    .last = clock_now()};
  n->s->connections[n->s->count++] = c;
}

static void take_newcomers(http_server *s) {
  for (;;) {
    newcomer n = {s, tcp_accept(s->listener)};
    if (n.socket < 0) return;
    if (make_room(s) && recovery_try(NULL, add_newcomer, &n)) continue;
    close(n.socket);
    return;
  }
}

static short events_of(const connection *c) {
  switch (c->state) {
    case STATE_READING:
    case STATE_DRAINING: return POLLIN;
    case STATE_WRITING: return POLLOUT;
    case STATE_WAITING: break;
  }
  return 0;
}

static double pause_of(const connection *c) {
  switch (c->state) {
    case STATE_READING: return c->has_head ? PAUSE_SECONDS : IDLE_SECONDS;
    case STATE_DRAINING: return DRAIN_SECONDS;
    case STATE_WAITING: return (double)INFINITY;
    case STATE_WRITING: break;
  }
  return IDLE_SECONDS;
}

static int wait_of(const http_server *s, double seconds) {
  double until = clock_now() + seconds;
  for (uint32_t i = 0; i < s->count; i++)
    until = fmin(until, s->connections[i]->last + pause_of(s->connections[i]));
  return (int)ceil(fmin(fmax(until - clock_now(), 0), 1) * 1000);
}

typedef struct serving {
  http_server *s;
  connection *c;
  short events;
  bool is_kept;
} serving;

static void serve_one(void *serving_) {
  serving *k = serving_;
  k->is_kept = k->events ? serve(k->s, k->c, k->events) : is_worth_keeping(k->s, k->c);
}

/* Backwards, since dropping one moves the last into its place.  One for which there is no memory is
   dropped. */
static void serve_all(http_server *s, const struct pollfd *watched, uint32_t count) {
  for (uint32_t i = count; i-- > 0;) {
    serving k = {.s = s, .c = s->connections[i], .events = watched[i].revents};
    if (!recovery_try(NULL, serve_one, &k) || !k.is_kept) drop(s, i);
  }
}

static void empty_wake(int wake) {
  uint64_t count;
  if (read(wake, &count, sizeof count) < 0) return;
}

void http_server_step(http_server *s, double seconds) {
  struct pollfd watched[CONNECTION_MAX + 2];
  const uint32_t count = s->count;
  for (uint32_t i = 0; i < count; i++)
    watched[i] =
        (struct pollfd){.fd = s->connections[i]->socket, .events = events_of(s->connections[i])};
  watched[count] = (struct pollfd){.fd = s->listener, .events = POLLIN};
  watched[count + 1] = (struct pollfd){.fd = s->wake, .events = POLLIN};
  if (poll(watched, count + 2, wait_of(s, seconds)) < 0) return;
  serve_all(s, watched, count);
  if (watched[count + 1].revents & POLLIN) empty_wake(s->wake);
  if (watched[count].revents & POLLIN) take_newcomers(s);
}
