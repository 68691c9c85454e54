#include "ggp/player/player.h"

#include "base/budget.h"
#include "base/hash.h"
#include "base/recovery.h"
#include "base/vec.h"
#include "ggp/player/sitting.h"
#include "ggp/wire/http_server.h"

#include <math.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

typedef enum waiting { WAITS_FOR_NOTHING, WAITS_TO_BE_READY, WAITS_FOR_MOVE } waiting;

struct player {
  arena *keep;
  player_options options;
  http_server *server;
  int wake;
  atomic_bool is_stopped;
  sitting *now; /* NULL: no match */
  VEC(sitting *) leaving;

  /* The request that is to be answered. */
  waiting waits;
  uint64_t request;
  double patience; /* until then the answer may get better */
  double end;      /* then whatever there is goes out */

  double last_message; /* of the match */
};

/* Of a match that nobody speaks of any more, beyond its play clock. */
static const double DEAD_SECONDS = 60;

/* The margin, at most a quarter of the clock. */
static double margin_within(double margin, double clock) { return fmin(margin, clock / 4); }

/* ---- answers ---- */

static void answer_waiting(player *p, const char *words) {
  if (p->waits != WAITS_FOR_NOTHING) http_server_reply(p->server, p->request, words);
  p->waits = WAITS_FOR_NOTHING;
}

/* An answer goes out when it is final, or when half of the margin is used up; without any, the
   other half is waited for. */
static void wait_for(player *p, waiting what, uint64_t request, double clock) {
  const double margin = margin_within(p->options.margin, clock), now = clock_now();
  answer_waiting(p, "nil");
  p->waits = what;
  p->request = request;
  p->patience = now + clock - margin / 2;
  p->end = now + clock - margin / 8;
}

static void look_for_move(player *p) {
  arena *scratch = arena_new();
  text move = text_new(scratch);
  if (sitting_answer(p->now, clock_now() >= p->patience, &move))
    answer_waiting(p, text_string(&move));
  else if (clock_now() >= p->end)
    answer_waiting(p, "nil");
  arena_free(scratch);
}

/* Where there is no memory for the answer, the next look may find some. */
static void look_for_answer(void *player_) {
  player *p = player_;
  if (!p->now) {
    answer_waiting(p, "nil");
    return;
  }
  if (p->waits == WAITS_FOR_MOVE) look_for_move(p);
  if (p->waits == WAITS_TO_BE_READY && (sitting_is_ready(p->now) || clock_now() >= p->patience))
    answer_waiting(p, "ready");
}

/* ---- matches ---- */

/* Asks for no memory: there has been room for it since the match began. */
static void leave_sitting(player *p) {
  if (!p->now) return;
  sitting_leave(p->now);
  vec_push(p->keep, &p->leaving, p->now);
  p->now = NULL;
}

static void leave_match(player *p) {
  leave_sitting(p);
  answer_waiting(p, "nil");
}

static void forget_old_matches(player *p) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->leaving.count; i++) {
    if (sitting_is_gone(p->leaving.items[i]))
      sitting_free(p->leaving.items[i]);
    else
      p->leaving.items[kept++] = p->leaving.items[i];
  }
  p->leaving.count = kept;
}

static bool is_occupied(const player *p) {
  return p->now && p->options.stays &&
         clock_now() < p->last_message + sitting_play_clock(p->now) + DEAD_SECONDS;
}

/* ---- messages ---- */

/* A search takes seeds below 2^53. */
static uint64_t seed_for(const player *p, slice id) {
  const uint64_t seed = p->options.mind.seed;
  return p->options.draws_by_match ? hash_mix(hash_bytes(id.start, id.length) + seed) >> 11 : seed;
}

static void take_start(player *p, uint64_t request, const ggp_message *m) {
  const double margin = margin_within(p->options.margin, m->start_clock);
  sitting_options options = {.mind = p->options.mind,
                             .machine_bytes = p->options.machine_bytes,
                             .wake = p->wake,
                             .log = p->options.log};
  options.mind.seed = seed_for(p, m->id);
  if (is_occupied(p) && !sitting_has_id(p->now, m->id)) {
    http_server_reply(p->server, request, "busy");
    return;
  }
  leave_match(p);
  vec_reserve(p->keep, &p->leaving, 1);
  wait_for(p, WAITS_TO_BE_READY, request, m->start_clock);
  p->now = sitting_new(&options, m, clock_now() + m->start_clock - margin);
}

static void take_play(player *p, uint64_t request, const ggp_message *m) {
  const double clock = sitting_play_clock(p->now);
  sitting_tell(p->now, m);
  wait_for(p, WAITS_FOR_MOVE, request, clock);
  sitting_ask(p->now, clock_now() + clock - margin_within(p->options.margin, clock));
}

static void take_stop(player *p, uint64_t request, const ggp_message *m) {
  sitting_tell(p->now, m);
  http_server_reply(p->server, request, "done");
  leave_match(p);
}

static void take_abort(player *p, uint64_t request) {
  leave_match(p);
  http_server_reply(p->server, request, "aborted");
}

static void take_info(player *p, uint64_t request) {
  char words[512];
  snprintf(words, sizeof words, "( ( name %s ) ( status %s ) ( species alien ) )", p->options.name,
           p->now ? "busy" : "available");
  http_server_reply(p->server, request, words);
}

static bool is_of_match(const player *p, const ggp_message *m) {
  return p->now && sitting_has_id(p->now, m->id);
}

static void take_message(player *p, uint64_t request, const ggp_message *m) {
  const bool is_step = m->kind == GGP_PLAY || m->kind == GGP_STOP || m->kind == GGP_ABORT;
  if (is_step && !is_of_match(p, m)) {
    http_server_reply(p->server, request, "busy");
    return;
  }
  if (is_step) p->last_message = clock_now();
  switch (m->kind) {
    case GGP_START: take_start(p, request, m); break;
    case GGP_PLAY: take_play(p, request, m); break;
    case GGP_STOP: take_stop(p, request, m); break;
    case GGP_ABORT: take_abort(p, request); break;
    case GGP_INFO: take_info(p, request); break;
    case GGP_PING: http_server_reply(p->server, request, "ready"); break;
    case GGP_PREVIEW: http_server_reply(p->server, request, "done"); break;
    case GGP_UNKNOWN: break;
  }
  if (m->kind == GGP_START) p->last_message = clock_now();
}

typedef struct player_request {
  player *p;
  uint64_t number;
  slice body;
} player_request;

/* A browser that asks for nothing is told who this is. */
static void take_body(void *request) {
  const player_request *r = request;
  ggp_message m;
  if (!r->body.length)
    take_info(r->p, r->number);
  else if (ggp_message_read(&m, r->body))
    take_message(r->p, r->number, &m);
  else
    http_server_reply(r->p->server, r->number, "nil");
}

static void take_request(void *context, uint64_t request, slice body) {
  player_request r = {context, request, body};
  if (recovery_try(NULL, take_body, &r)) return;
  if (r.p->options.log) fputs("no memory: the match is given up\n", r.p->options.log);
  leave_sitting(r.p);
  http_server_reply(r.p->server, request, "nil");
}

/* ---- the player ---- */

player *player_new(const player_options *o, int listener) {
  arena *keep = arena_new();
  player *p = arena_alloc_zero(keep, sizeof *p);
  *p = (player){.keep = keep, .options = *o, .wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  p->server = http_server_new(listener, p->wake, take_request, p);
  return p;
}

static double time_to_wait(const player *p) {
  const double now = clock_now();
  if (p->waits == WAITS_FOR_NOTHING) return 0.5;
  return fmax((now < p->patience ? p->patience : p->end) - now, 0.001);
}

void player_run(player *p, const volatile sig_atomic_t *stop) {
  while (!atomic_load(&p->is_stopped) && !(stop && *stop)) {
    http_server_step(p->server, time_to_wait(p));
    recovery_try(NULL, look_for_answer, p);
    forget_old_matches(p);
  }
}

void player_stop(player *p) {
  const uint64_t one = 1;
  atomic_store(&p->is_stopped, true);
  if (write(p->wake, &one, sizeof one) < 0) return; /* it is awake already */
}

void player_free(player *p) {
  if (!p) return;
  leave_match(p);
  for (uint32_t i = 0; i < p->leaving.count; i++) sitting_free(p->leaving.items[i]);
  http_server_free(p->server);
  close(p->wake);
  arena_free(p->keep);
}
