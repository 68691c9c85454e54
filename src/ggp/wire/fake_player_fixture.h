/* A player of tests: takes connections one after another and does to each what a script says.  It
   decides nothing by time but where the script waits. */
#ifndef TABIA_GGP_WIRE_FAKE_PLAYER_FIXTURE_H
#define TABIA_GGP_WIRE_FAKE_PLAYER_FIXTURE_H

#include "ggp/wire/tcp.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

typedef enum fake_way {
  FAKE_REPLIES, /* sends the bytes of the script and closes */
  FAKE_KEEPS,   /* sends them and keeps the connection open */
  FAKE_DRIPS,   /* sends them for ever, again and again, one byte at a time */
  FAKE_FLOODS,  /* the same, as fast as it can */
  FAKE_SLEEPS,  /* reads the request and never says a word */
  FAKE_RESETS   /* ends the connection at once, with a reset */
} fake_way;

typedef struct fake_script {
  fake_way way;
  const char *bytes;
} fake_script;

typedef struct fake_player {
  /* One for each connection; the last one for all that follow. */
  const fake_script *script;
  uint32_t count;
  int listener;
  uint16_t port;
  char address[32];
  pthread_t thread;
  atomic_bool is_over;
  atomic_uint requests;
  text last; /* the last request; to be read when it is over */
  arena *keep;
} fake_player;

/* Both ends close soon after the player is over. */
static bool fake_waits(const fake_player *p, int socket, short events, int milliseconds) {
  struct pollfd one = {.fd = socket, .events = events};
  while (!atomic_load(&p->is_over)) {
    const int result = poll(&one, 1, milliseconds < 20 ? milliseconds : 20);
    if (result > 0) return true;
    if ((milliseconds -= 20) <= 0) return false;
  }
  return false;
}

static void fake_reads_request(fake_player *p, int socket) {
  text_clear(&p->last);
  while (!strstr(text_string(&p->last), "\r\n\r\n") || p->last.bytes[p->last.length - 1] != ')') {
    if (!fake_waits(p, socket, POLLIN, 10000)) return;
    if (tcp_receive(socket, &p->last, 1 << 24) == TCP_END) return;
  }
}

static void fake_sends(const fake_player *p, int socket, const char *bytes) {
  size_t sent = 0;
  while (tcp_send(socket, slice_of(bytes), &sent) == TCP_WAIT)
    if (!fake_waits(p, socket, POLLOUT, 10000)) return;
}

static void fake_sends_for_ever(const fake_player *p, int socket, const char *bytes, bool drips) {
  for (size_t i = 0; !atomic_load(&p->is_over); i++) {
    size_t sent = 0;
    const char *at = drips ? bytes + i % strlen(bytes) : bytes;
    if (tcp_send(socket, (slice){at, drips ? 1 : strlen(bytes)}, &sent) == TCP_ERROR) return;
    if (drips) usleep(2000);
  }
}

/* Until the other side has closed. */
static void fake_keeps(const fake_player *p, int socket) {
  text rest = text_new(p->keep);
  while (fake_waits(p, socket, POLLIN, 60000))
    if (tcp_receive(socket, &rest, 1 << 24) != TCP_DONE) return;
}

static void fake_serves(fake_player *p, int socket, const fake_script *s) {
  if (s->way == FAKE_RESETS)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
  else
    fake_reads_request(p, socket);
  if (s->way == FAKE_REPLIES || s->way == FAKE_KEEPS) fake_sends(p, socket, s->bytes);
  if (s->way == FAKE_DRIPS || s->way == FAKE_FLOODS)
    fake_sends_for_ever(p, socket, s->bytes, s->way == FAKE_DRIPS);
  if (s->way == FAKE_KEEPS || s->way == FAKE_SLEEPS) fake_keeps(p, socket);
  close(socket);
}

static void *fake_run(void *context) {
  fake_player *p = context;
  while (!atomic_load(&p->is_over)) {
    if (!fake_waits(p, p->listener, POLLIN, 1000)) continue;
    const int socket = tcp_accept(p->listener);
    if (socket < 0) continue;
    const uint32_t i = atomic_fetch_add(&p->requests, 1);
    fake_serves(p, socket, &p->script[i < p->count ? i : p->count - 1]);
  }
  return NULL;
}

static inline void fake_player_start(fake_player *p, const fake_script *script, uint32_t count) {
  *p = (fake_player){.script = script, .count = count, .keep = arena_new()};
  p->last = text_new(p->keep);
  p->listener = tcp_listen("127.0.0.1", 0, &p->port);
  assert_true(p->listener >= 0);
  snprintf(p->address, sizeof p->address, "127.0.0.1:%u", p->port);
  assert_int_equal(pthread_create(&p->thread, NULL, fake_run, p), 0);
}

/* `last` can be read after that, until the memory is given back. */
static inline void fake_player_stop(fake_player *p) {
  atomic_store(&p->is_over, true);
  pthread_join(p->thread, NULL);
  close(p->listener);
}

static inline void fake_player_free(fake_player *p) { arena_free(p->keep); }

#endif
