#include "serve/server.h"

#include "base/budget.h"
#include "ggp/wire/tcp.h"
#include "serve/connection.h"
#include "serve/ws_frame.h"

#include <assert.h>
#include <poll.h>
#include <unistd.h>

static const double HEAD_SECONDS = 10;   /* for a request to be whole */
static const double IDLE_SECONDS = 30;   /* between two requests */
static const double STUCK_SECONDS = 60;  /* without taking anything */
static const double PING_SECONDS = 30;   /* of silence */
static const double SILENT_SECONDS = 90; /* until a WebSocket is given up */
static const double SHUT_SECONDS = 2;    /* for the client to close, too */

/* ---- beginning and end ---- */

server *server_new(const server_options *o) {
  arena *keep = arena_new();
  server *s = arena_alloc_zero(keep, sizeof *s);
  *s = (server){.o = *o, .keep = keep, .started = clock_now(), .next_ticket = 1};
  s->pictures = arena_zero_array(keep, const char *, tabia_game_count());
  if (own_folder_open_temporary(&s->temporary, keep) &&
      own_folder_make(&s->folder, &s->temporary, "tabia-serve", keep))
    return s;
  arena_free(keep);
  return NULL;
}

static void drop(server *s, uint32_t i) {
  connection *c = s->connections[i];
  s->connections[i] = s->connections[--s->count];
  work_abandon(s, c);
  close(c->socket);
  arena_free(c->keep);
}

void server_free(server *s) {
  while (s->count) drop(s, s->count - 1);
  for (int i = 0; i < 5000 && s->dying_count; i++) {
    work_bury(s);
    if (s->dying_count) poll(NULL, 0, 1);
  }
  close(s->o.listener);
  own_folder_remove(&s->folder, &s->temporary);
  own_folder_close(&s->folder);
  own_folder_close(&s->temporary);
  arena_free(s->keep);
}

/* ---- newcomers ---- */

/* The idle connection that has been quiet for longest makes room. */
static bool make_room(server *s) {
  uint32_t oldest = UINT32_MAX;
  if (s->count < s->o.connections) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if ((s->connections[i]->kind == FOR_WEB || s->connections[i]->is_shut) &&
        s->connections[i]->out.length == s->connections[i]->sent &&
        (oldest == UINT32_MAX || s->connections[i]->heard < s->connections[oldest]->heard))
      oldest = i;
  if (oldest == UINT32_MAX) return false;
  drop(s, oldest);
  return true;
}

static void add_connection(server *s, int socket) {
  arena *keep = arena_new();
  connection *c = arena_alloc_zero(keep, sizeof *c);
  *c = (connection){.keep = keep,
                    .socket = socket,
                    .in = text_new(keep),
                    .out = text_new(keep),
                    .message = text_new(keep),
                    .from_child = {text_new(keep), text_new(keep)},
                    .to_child = text_new(keep),
                    .child = {.out = -1, .err = -1, .folder = {.descriptor = -1}},
                    .heard = clock_now(),
                    .took = clock_now()};
  s->connections[s->count++] = c;
}

static void take_newcomers(server *s) {
  for (uint32_t i = 0; i < 64; i++) {
    const int socket = tcp_accept(s->o.listener);
    if (socket < 0) return;
    if (make_room(s))
      add_connection(s, socket);
    else
      close(socket);
  }
}

/* ---- reading ---- */

static void forget_first(text *t, size_t count) {
  assert(count <= t->length);
  if (count == 0) return;
  memmove(t->bytes, t->bytes + count, t->length - count);
  t->length -= count;
  t->bytes[t->length] = '\0';
}

/* False: the connection is of no more use. */
static bool take_control(connection *c, const ws_frame *f) {
  if (f->code == WS_PING) ws_frame_add(&c->out, WS_PONG, (slice){f->bytes, f->length});
  if (f->code == WS_CLOSE) connection_send_close(c);
  return f->code != WS_BINARY;
}

static bool take_frame(server *s, connection *c, const ws_frame *f) {
  if (f->code > WS_TEXT) return take_control(c, f);
  if (c->is_open != (f->code == WS_CONTINUE)) return false;
  c->is_open = !f->is_last;
  if (c->message.length + f->length > MESSAGE_MAX) {
    connection_refuse_length(c);
    return true;
  }
  if (f->is_last && f->code == WS_TEXT) {
    work_take_message(s, c, (slice){f->bytes, f->length});
    return true;
  }
  text_add_bytes(&c->message, f->bytes, f->length);
  if (!f->is_last) return true;
  work_take_message(s, c, (slice){c->message.bytes, c->message.length});
  text_clear(&c->message);
  return true;
}

static bool take_frames(server *s, connection *c) {
  size_t taken = 0;
  bool is_good = true;
  ws_frame f;
  while (is_good && !c->is_closing) {
    const ws_progress p = ws_frame_read(&f, c->in.bytes + taken, c->in.length - taken, MESSAGE_MAX);
    if (p == WS_MORE) break;
    if (p == WS_TOO_LONG) connection_refuse_length(c);
    is_good = p == WS_TOO_LONG || (p == WS_WHOLE && take_frame(s, c, &f));
    if (p == WS_WHOLE) taken += f.size;
  }
  forget_first(&c->in, c->is_closing ? c->in.length : taken);
  return is_good;
}

/* One request at a time: the next is read when the answer to this one is out. */
static bool take_request(server *s, connection *c) {
  web_request r;
  const web_progress p = web_request_read(&r, (slice){c->in.bytes, c->in.length});
  if (p == WEB_MORE) return true;
  if (p == WEB_BROKEN) {
    c->is_closing = true;
    web_send_error(c, 400, "bad-request", "the request cannot be read");
    return true;
  }
  s->requests++;
  web_answer_request(s, c, &r);
  forget_first(&c->in, r.size);
  return true;
}

static bool has_unsent(const connection *c) { return c->out.length > c->sent; }

static bool take_input(server *s, connection *c) {
  if (c->is_closing) {
    text_clear(&c->in);
    return true;
  }
  if (c->kind >= FOR_JOB) return !c->in.length || take_frames(s, c);
  return c->kind != FOR_WEB || has_unsent(c) || !c->in.length || take_request(s, c);
}

/* What has come may be whole messages of the largest size, and no more than that. */
static bool read_socket(server *s, connection *c) {
  const size_t most = c->kind >= FOR_JOB ? MESSAGE_MAX + 100 : WEB_HEAD_MAX + 1;
  const tcp_result result = tcp_receive(c->socket, &c->in, most);
  if (c->is_shut) {
    text_clear(&c->in);
    return result == TCP_DONE || result == TCP_WAIT;
  }
  if (result == TCP_ERROR || (result == TCP_END && !has_unsent(c))) return false;
  if (result == TCP_WAIT) return true;
  if (result == TCP_END) c->is_closing = true;
  c->heard = clock_now();
  return take_input(s, c);
}

/* ---- writing ---- */

static bool write_socket(server *s, connection *c) {
  const size_t before = c->sent;
  const tcp_result result = tcp_send(c->socket, (slice){c->out.bytes, c->out.length}, &c->sent);
  if (result == TCP_ERROR) return false;
  if (c->sent > before) c->took = clock_now();
  if (has_unsent(c)) return true;
  text_clear(&c->out);
  c->sent = 0;
  if (!c->is_closing) return take_input(s, c);
  c->is_shut = shutdown(c->socket, SHUT_WR) == 0;
  c->shut = clock_now();
  return c->is_shut;
}

/* ---- the loop ---- */

static bool is_worth_keeping(connection *c, double now) {
  const double quiet = now - c->heard;
  if (c->is_shut) return now - c->shut < SHUT_SECONDS;
  if (has_unsent(c)) return now - c->took < STUCK_SECONDS;
  c->took = now;
  if (c->kind == FOR_PICTURE) return true;
  if (c->kind == FOR_WEB) return quiet < (c->in.length ? HEAD_SECONDS : IDLE_SECONDS);
  if (quiet > PING_SECONDS && now - c->pinged > PING_SECONDS) {
    c->pinged = now;
    ws_frame_add(&c->out, WS_PING, (slice){"", 0});
  }
  return quiet < SILENT_SECONDS;
}

static bool is_full(const connection *c) { return c->out.length - c->sent > OUT_MAX; }

/* A client that does not read answers is not read from; requests are handled one at a time. */
static short socket_events(const connection *c) {
  const bool has_room = c->kind >= FOR_JOB ? !is_full(c) : !has_unsent(c) && c->kind == FOR_WEB;
  return (short)((has_room ? POLLIN : 0) | (has_unsent(c) ? POLLOUT : 0));
}

/* A child is read only as fast as its client takes what it says. */
static short child_events(const connection *c, uint32_t which) {
  const bool has_words = which == 0 && c->to_child.length > c->to_child_sent;
  return (short)((is_full(c) ? 0 : POLLIN) | (has_words ? POLLOUT : 0));
}

enum { WATCHED_EACH = 3 };

static uint32_t watch_all(const server *s, struct pollfd *watched) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const connection *c = s->connections[i];
    watched[count++] = (struct pollfd){.fd = c->socket, .events = socket_events(c)};
    watched[count++] = (struct pollfd){.fd = c->child.out, .events = child_events(c, 0)};
    watched[count++] = (struct pollfd){.fd = c->child.err, .events = child_events(c, 1)};
  }
  watched[count++] = (struct pollfd){.fd = s->o.listener, .events = POLLIN};
  return count;
}

static bool serve(server *s, connection *c, const struct pollfd *events, double now) {
  if (events[1].revents & POLLOUT) work_write(c);
  for (uint32_t i = 0; i < 2; i++)
    if (events[i + 1].revents & (POLLIN | POLLHUP | POLLERR)) work_read(s, c, i);
  if (c->work != WORK_NONE) work_look(s, c, now);
  if (events[0].revents & (POLLERR | POLLNVAL)) return false;
  if (events[0].revents & (POLLIN | POLLHUP) && !read_socket(s, c)) return false;
  if (has_unsent(c) && !write_socket(s, c)) return false;
  return is_worth_keeping(c, now);
}

/* Backwards, since dropping one moves the last into its place. */
static void serve_all(server *s, const struct pollfd *watched, uint32_t count) {
  const double now = clock_now();
  for (uint32_t i = count; i-- > 0;)
    if (!serve(s, s->connections[i], &watched[(size_t)i * WATCHED_EACH], now)) drop(s, i);
}

/* The memory of all connections is bounded: the largest is dropped. */
static void hold_to_memory(server *s) {
  for (;;) {
    size_t all = 0;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < s->count; i++) {
      all += arena_bytes(s->connections[i]->keep);
      if (arena_bytes(s->connections[i]->keep) > arena_bytes(s->connections[largest]->keep))
        largest = i;
    }
    if (all <= BUFFERS_MAX) return;
    drop(s, largest);
  }
}

/* Somebody's child has closed its output, or was killed, and is about to end. */
static bool waits_for_an_end(const server *s) {
  if (s->dying_count) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (s->connections[i]->work == WORK_RUNNING && s->connections[i]->child.out < 0) return true;
  return false;
}

void server_run(server *s, const volatile sig_atomic_t *stop) {
  struct pollfd *watched =
      arena_new_array(s->keep, struct pollfd, CONNECTIONS_MAX * WATCHED_EACH + 1);
  while (!*stop) {
    const uint32_t count = s->count, all = watch_all(s, watched);
    if (poll(watched, all, waits_for_an_end(s) ? 2 : 250) < 0) continue;
    serve_all(s, watched, count);
    if (watched[all - 1].revents & POLLIN) take_newcomers(s);
    hold_to_memory(s);
    work_bury(s);
    work_start_queued(s);
  }
}
