#include "ggp/wire/exchange.h"

#include "base/budget.h"
#include "ggp/wire/http_head.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <unistd.h>

/* One player's connection. */
typedef struct line {
  exchange *of;
  int socket; /* below 0: it is done */
  text request, in;
  size_t sent;
  double asked; /* when the request was out */
  http_head head;
  bool has_head;
  size_t head_start; /* behind heads like `100 Continue` */
} line;

static void hang_up(line *l, exchange_outcome outcome, const char *why) {
  if (l->socket >= 0) close(l->socket);
  l->socket = -1;
  l->of->outcome = outcome;
  l->of->why = why;
}

static void dial(line *l, exchange *of, double begin, arena *keep) {
  *l = (line){.of = of, .request = text_new(keep), .in = text_new(keep), .asked = begin};
  of->reply = (slice){"", 0};
  of->seconds = 0;
  http_add_request(&l->request, of->to->host, of->receiver, slice_of(of->message));
  l->socket = tcp_connect(of->to);
  if (l->socket < 0) hang_up(l, EXCHANGE_FAILED, strerror(errno));
}

/* ---- replies ---- */

static slice received(const line *l) {
  return (slice){l->in.bytes + l->head_start, l->in.length - l->head_start};
}

static bool begins_as_http(slice bytes) {
  static const char word[] = "HTTP/";
  const size_t length = sizeof word - 1;
  return memcmp(bytes.start, word, bytes.length < length ? bytes.length : length) == 0;
}

/* Passes over heads that only announce another one. */
static http_progress read_head(line *l) {
  while (!l->has_head) {
    if (l->in.length == l->head_start) return HTTP_MORE;
    if (!begins_as_http(received(l))) return HTTP_BROKEN;
    const http_progress result = http_head_read(&l->head, received(l));
    if (result != HTTP_WHOLE) return result;
    if (l->head.status == 0) return HTTP_BROKEN;
    l->head_start += l->head.status < 200 ? l->head.size : 0;
    l->has_head = l->head.status >= 200;
  }
  return HTTP_WHOLE;
}

static http_progress read_reply(line *l, bool at_end, text *body) {
  const http_progress head = read_head(l);
  if (head == HTTP_MORE && at_end) return HTTP_BROKEN;
  if (head != HTTP_WHOLE) return head;
  const slice all = received(l);
  return http_body_read(&l->head, (slice){all.start + l->head.size, all.length - l->head.size},
                        at_end, body);
}

static void look_at_reply(line *l, bool at_end) {
  text body = text_new(l->in.keep);
  switch (read_reply(l, at_end, &body)) {
    case HTTP_MORE:
      /* Nobody's move is as long as this. */
      if (l->in.length >= REPLY_MAX) hang_up(l, EXCHANGE_REPLY, NULL);
      return;
    case HTTP_BROKEN:
      hang_up(l, EXCHANGE_FAILED, at_end ? "closed before the reply was whole" : "no HTTP");
      return;
    case HTTP_WHOLE: break;
  }
  l->of->reply = (slice){text_string(&body), body.length};
  hang_up(l, EXCHANGE_REPLY, NULL);
}

/* ---- events ---- */

/* A player may answer and close before it has read everything: then its reply counts. */
static void talk(line *l) {
  const tcp_result result =
      tcp_send(l->socket, (slice){l->request.bytes, l->request.length}, &l->sent);
  if (result == TCP_ERROR && errno != EPIPE && errno != ECONNRESET)
    hang_up(l, EXCHANGE_FAILED, strerror(errno));
  else if (result == TCP_ERROR)
    l->sent = l->request.length;
  l->asked = clock_now();
}

static void listen_to(line *l) {
  const tcp_result result = tcp_receive(l->socket, &l->in, REPLY_MAX);
  if (result == TCP_WAIT) return;
  if (result == TCP_ERROR)
    hang_up(l, EXCHANGE_FAILED, strerror(errno));
  else
    look_at_reply(l, result == TCP_END);
}

static void serve(line *l, short events) {
  if (events & (POLLOUT | POLLERR) && l->sent < l->request.length) talk(l);
  if (l->socket >= 0 && events & (POLLIN | POLLHUP | POLLERR)) listen_to(l);
  if (l->socket < 0) l->of->seconds = clock_now() - l->asked;
}

static uint32_t watch(const line *lines, uint32_t count, struct pollfd *watched) {
  uint32_t open = 0;
  for (uint32_t i = 0; i < count; i++) {
    const bool is_sending = lines[i].sent < lines[i].request.length;
    watched[i] = (struct pollfd){.fd = lines[i].socket,
                                 .events = (short)(POLLIN | (is_sending ? POLLOUT : 0))};
    open += lines[i].socket >= 0;
  }
  return open;
}

/* Half a second at most, so that a signal just before poll() is not slept through. */
static int milliseconds_until(double deadline) {
  return (int)ceil(fmin(fmax(deadline - clock_now(), 0), 0.5) * 1000);
}

void exchange_all(exchange *list, uint32_t count, double deadline,
                  const volatile sig_atomic_t *stop, arena *keep) {
  const double begin = clock_now();
  line *lines = arena_new_array(keep, line, count);
  struct pollfd *watched = arena_new_array(keep, struct pollfd, count);
  for (uint32_t i = 0; i < count; i++) dial(&lines[i], &list[i], begin, keep);
  while (watch(lines, count, watched) && clock_now() < deadline && !(stop && *stop)) {
    if (poll(watched, count, milliseconds_until(deadline)) <= 0) continue;
    for (uint32_t i = 0; i < count; i++)
      if (watched[i].fd >= 0 && watched[i].revents) serve(&lines[i], watched[i].revents);
  }
  for (uint32_t i = 0; i < count; i++)
    if (lines[i].socket >= 0) {
      hang_up(&lines[i], EXCHANGE_LATE, NULL);
      list[i].seconds = clock_now() - lines[i].asked;
    }
}
