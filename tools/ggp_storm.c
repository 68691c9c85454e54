/* ggp_storm player COUNT [SEED]    mutated requests to a player on the loopback
   ggp_storm referee COUNT [SEED]   mutated replies to a referee there

   Each is a whole form of the protocol with up to four mutations.  Nothing may crash or hang, and
   after each thousand a match goes as it should. */
#include "base/budget.h"
#include "base/rng.h"
#include "ggp/player/local_player.h"
#include "ggp/referee/referee.h"
#include "ggp/wire/exchange.h"

#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { HANGS_AFTER = 60, CHECK_EVERY = 1000, MUTATIONS = 4 };

#define RULES \
  "( role Red ) ( role black ) ( init ( step 1 ) ) ( succ 1 2 ) ( succ 2 3 ) ( card Ace ) " \
  "( <= ( legal Red ( Pick ?c ) ) ( card ?c ) ) ( legal black noop ) " \
  "( <= ( next ( step ?m ) ) ( true ( step ?n ) ) ( succ ?n ?m ) ) " \
  "( <= terminal ( true ( step 3 ) ) ) ( goal Red 100 ) ( goal black 0 ) "

/* Clocks of 0: what has no move says so at once. */
static const char *const messages[] = {"( INFO )",
                                       "( PING )",
                                       "( PREVIEW (" RULES ") 1 )",
                                       "( START m1 Red (" RULES ") 0 0)",
                                       "( START m1 black (" RULES "( sees Red 1 ) ) 0 0)",
                                       "( PLAY m1 NIL )",
                                       "( PLAY m1 (( Pick Ace ) noop ) )",
                                       "( PLAY m1 0 NIL NIL )",
                                       "( PLAY m1 1 noop (( saw 1 )) )",
                                       "( STOP m1 (( Pick Ace ) noop ) )",
                                       "( ABORT m1 )"};

/* A request or a reply: `head`, the length of the words in some form, `middle`, the words, `tail`. */
typedef enum length_form { LENGTH_NONE, LENGTH_DECIMAL, LENGTH_HEX } length_form;

typedef struct http_form {
  const char *head;
  length_form length;
  const char *middle, *tail;
} http_form;

static const http_form requests[] = {
    {"POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: G\r\nReceiver: N\r\nContent-Type: "
     "text/acl\r\nContent-Length: ",
     LENGTH_DECIMAL, "\r\n\r\n", ""},
    {"POST / HTTP/1.1\nHost: localhost\ncontent-length: ", LENGTH_DECIMAL, "\n\n", ""},
    {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", LENGTH_HEX, "\r\n", "\r\n0\r\n\r\n"},
    {"GET /", LENGTH_NONE, "", " HTTP/1.0\r\n\r\n"},
    {"POST / HTTP/1.0", LENGTH_NONE, "\r\n\r\n", ""},
    {"OPTIONS / HTTP/1.1\r\nContent-Length: ", LENGTH_DECIMAL, "\r\n\r\n", ""}};

static const http_form replies[] = {
    {"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: ", LENGTH_DECIMAL, "\r\n\r\n",
     ""},
    {"HTTP/1.1 200 OK\nconnection: keep-alive\ncontent-length: ", LENGTH_DECIMAL, "\n\n", ""},
    {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
     LENGTH_HEX, "\r\n", "\r\n0\r\n\r\n"},
    {"HTTP/1.0 500 Error", LENGTH_NONE, "\r\n\r\n", ""}};

static const char *const answers[] = {"ready", "( Pick Ace )", "noop", "nil", "done", "(Pick ?c)"};

static const char *const pieces[] = {"(",
                                     ")",
                                     " ",
                                     "\r\n\r\n",
                                     "\n",
                                     "Content-Length: -1\r\n",
                                     "Content-Length: 99999999999999999999\r\n",
                                     "Transfer-Encoding: chunked\r\n",
                                     "ffffffffffffffff\r\n",
                                     "%00",
                                     "\xff\xfe",
                                     "NIL",
                                     "m1",
                                     "1e308",
                                     "-1",
                                     "(((((((((((((((((((((((((((((((((",
                                     "(<= (legal Red ?x) (true ?x))",
                                     "(<= (next (f ?x)) (true ?x))",
                                     "(sees Red ?x)",
                                     "?"};

#define ONE_OF(list, random) ((list)[rng_below(random, sizeof(list) / sizeof *(list))])

static _Noreturn void die(const char *what, slice bytes) {
  fprintf(stderr, "ggp_storm: %s %.*s\n", what, (int)bytes.length, bytes.start);
  exit(1);
}

static slice no_bytes(void) { return slice_of(""); }
static slice all_of(const text *t) { return (slice){t->bytes, t->length}; }

/* ---- mutations ---- */

static void replace(text *t, size_t from, size_t to, slice by, arena *scratch) {
  text out = text_new(scratch);
  text_add_bytes(&out, t->bytes, from);
  text_add_bytes(&out, by.start, by.length);
  text_add_bytes(&out, t->bytes + to, t->length - to);
  *t = out;
}

static void mutate(text *t, rng *random, arena *scratch) {
  const size_t a = rng_below(random, (uint32_t)t->length + 1);
  const size_t b = a + rng_below(random, (uint32_t)(t->length - a) + 1);
  switch (rng_below(random, 5)) {
    case 0: replace(t, a, a, slice_of(ONE_OF(pieces, random)), scratch); return;
    case 1: replace(t, a, b, slice_of(ONE_OF(pieces, random)), scratch); return;
    case 2: replace(t, b, b, (slice){t->bytes + a, b - a}, scratch); return; /* twice */
    case 3: replace(t, a, t->length, slice_of(""), scratch); return;         /* cut off */
    default:
      if (a < t->length) t->bytes[a] ^= (char)(1u << rng_below(random, 8));
  }
}

static text in_form(const http_form *f, const char *words, arena *scratch) {
  text t = text_new(scratch);
  text_add(&t, f->head);
  if (f->length == LENGTH_DECIMAL) text_add_format(&t, "%zu", strlen(words));
  if (f->length == LENGTH_HEX) text_add_format(&t, "%zx", strlen(words));
  text_add(&t, f->middle);
  text_add(&t, words);
  text_add(&t, f->tail);
  return t;
}

static text mutated(http_form form, const char *words, rng *random, arena *scratch) {
  text t = in_form(&form, words, scratch);
  const uint32_t times = rng_below(random, MUTATIONS + 1);
  for (uint32_t i = 0; i < times; i++) mutate(&t, random, scratch);
  return t;
}

/* ---- one connection ---- */

static void wait_for(int socket, short events, double until, const text *bytes) {
  struct pollfd one = {.fd = socket, .events = events};
  const double left = until - clock_now();
  if (left <= 0 || poll(&one, 1, (int)(left * 1000) + 1) == 0) die("hangs after", all_of(bytes));
}

/* Errors are the other side's right: it may close at any time. */
static void send_all(int socket, const text *t) {
  const double until = clock_now() + HANGS_AFTER;
  size_t sent = 0;
  while (tcp_send(socket, all_of(t), &sent) == TCP_WAIT) wait_for(socket, POLLOUT, until, t);
}

static void receive_all(int socket, const text *sent, arena *scratch) {
  const double until = clock_now() + HANGS_AFTER;
  text in = text_new(scratch);
  for (tcp_result r; (r = tcp_receive(socket, &in, REPLY_MAX)) == TCP_WAIT || r == TCP_DONE;)
    if (r == TCP_WAIT) wait_for(socket, POLLIN, until, sent);
}

/* ---- a player under mutated requests ---- */

typedef struct player_storm {
  local_player *player;
  tcp_address address;
  rng random;
} player_storm;

static void send_mutated(player_storm *s, arena *scratch) {
  const char *words = ONE_OF(messages, &s->random);
  const text t = mutated(ONE_OF(requests, &s->random), words, &s->random, scratch);
  const int socket = tcp_connect(&s->address);
  if (socket < 0) die("cannot connect", no_bytes());
  wait_for(socket, POLLOUT, clock_now() + HANGS_AFTER, &t);
  send_all(socket, &t);
  shutdown(socket, SHUT_WR);
  if (rng_below(&s->random, 8)) receive_all(socket, &t, scratch); /* else it hangs up at once */
  close(socket);
}

static void expect(player_storm *s, const char *message, const char *answer, arena *scratch) {
  exchange e = {.to = &s->address, .receiver = "storm", .message = message};
  exchange_all(&e, 1, clock_now() + HANGS_AFTER, NULL, scratch);
  if (e.outcome != EXCHANGE_REPLY) die("no reply", no_bytes());
  if (e.reply.length != strlen(answer) || memcmp(e.reply.start, answer, e.reply.length) != 0)
    die("another reply than expected:", e.reply);
}

/* A START of which nobody waits for the answer may still lie in the player's queue and would end the
   match; an answered message means that what came before it was read. */
static void play_well(player_storm *s, arena *scratch) {
  for (int i = 0; i < 3; i++) expect(s, "( PING )", "ready", scratch);
  expect(s, "( START fine Red (" RULES ") 30 30)", "ready", scratch);
  expect(s, "( PLAY fine NIL )", "( Pick Ace )", scratch);
  expect(s, "( PLAY fine (( Pick Ace ) noop ) )", "( Pick Ace )", scratch);
  expect(s, "( STOP fine (( Pick Ace ) noop ) )", "done", scratch);
}

static void storm_player(uint64_t count, uint64_t seed, arena *keep) {
  const player_options options = {.mind = {.kind = MIND_RANDOM, .seed = seed},
                                  .machine_bytes = 64 << 20,
                                  .name = "storm",
                                  .margin = 0.5};
  player_storm s = {.player = local_player_start(&options, NULL), .random = rng_new(seed, 0)};
  const char *why;
  if (!s.player || !tcp_resolve(&s.address, local_player_address(s.player), keep, &why))
    die("no player", no_bytes());
  arena *scratch = arena_new();
  for (uint64_t i = 1; i <= count; i++) {
    const arena_mark mark = arena_save(scratch);
    send_mutated(&s, scratch);
    if (i % CHECK_EVERY == 0 || i == count) play_well(&s, scratch);
    arena_restore(scratch, mark);
  }
  arena_free(scratch);
  local_player_stop(s.player);
}

/* ---- a referee under mutated replies ---- */

typedef struct referee_storm {
  int listener;
  uint16_t port;
  atomic_bool is_over, is_tame; /* tame: replies as they should be */
  atomic_uint_fast64_t replies;
  rng random; /* of the thread alone */
} referee_storm;

static const char *tame_answer(text *request) {
  const char *words = text_string(request);
  if (strstr(words, "( START")) return "ready";
  return strstr(words, "( PLAY") ? "( Pick Ace )" : "done";
}

static text mutated_reply(rng *random, arena *scratch) {
  const char *words = ONE_OF(answers, random);
  return mutated(ONE_OF(replies, random), words, random, scratch);
}

static void reply_to(referee_storm *s, int socket, arena *scratch) {
  const double until = clock_now() + HANGS_AFTER;
  text in = text_new(scratch);
  while (in.length == 0 || in.bytes[in.length - 1] != ')') {
    const tcp_result r = tcp_receive(socket, &in, REPLY_MAX);
    if (r == TCP_END || r == TCP_ERROR) return;
    if (r == TCP_WAIT) wait_for(socket, POLLIN, until, &in);
  }
  const text out = atomic_load(&s->is_tame) ? in_form(&replies[0], tame_answer(&in), scratch)
                                            : mutated_reply(&s->random, scratch);
  send_all(socket, &out);
  atomic_fetch_add(&s->replies, 1);
}

static void *reply_to_all(void *context) {
  referee_storm *s = context;
  arena *scratch = arena_new();
  while (!atomic_load(&s->is_over)) {
    struct pollfd one = {.fd = s->listener, .events = POLLIN};
    if (poll(&one, 1, 20) <= 0) continue;
    const int socket = tcp_accept(s->listener);
    if (socket < 0) continue;
    const arena_mark mark = arena_save(scratch);
    reply_to(s, socket, scratch);
    arena_restore(scratch, mark);
    close(socket);
  }
  arena_free(scratch);
  return NULL;
}

/* Every match ends, whatever comes back; a tame one ends without an error. */
static void play_match(const match_setup *setup, bool is_tame) {
  arena *keep = arena_new();
  match_result r;
  if (match_play(&r, setup, keep, NULL) != TABIA_OK || !r.is_completed) die("no match", no_bytes());
  if (r.late) die("late, though every reply ends", no_bytes());
  if (is_tame && r.illegal + r.unreachable) die("an error in a match without one", no_bytes());
  arena_free(keep);
}

static void play_matches(referee_storm *s, const match_setup *setup, uint64_t count) {
  for (uint64_t i = 1; atomic_load(&s->replies) < count; i++) {
    const bool is_tame = i % (CHECK_EVERY / 4) == 0;
    atomic_store(&s->is_tame, is_tame);
    play_match(setup, is_tame);
  }
  atomic_store(&s->is_tame, true);
  play_match(setup, true);
}

static void storm_referee(uint64_t count, uint64_t seed, arena *keep) {
  static const char rules_text[] = "(role Red) (init (step 1)) (succ 1 2) (succ 2 3) (card Ace)"
                                   "(<= (legal Red (Pick ?c)) (card ?c)) (legal Red noop)"
                                   "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))"
                                   "(<= terminal (true (step 3))) (goal Red 100)";
  referee_storm s = {.random = rng_new(seed, 0)};
  match_seat seat = {.name = "storm"};
  pthread_t thread;
  char address[32];
  const char *why;
  tabia_rules *rules;
  tabia_machine *machine;
  if ((s.listener = tcp_listen("127.0.0.1", 0, &s.port)) < 0) die("cannot listen", no_bytes());
  snprintf(address, sizeof address, "127.0.0.1:%u", s.port);
  if (tabia_rules_read_text(&rules, "storm", rules_text, strlen(rules_text), NULL) != TABIA_OK ||
      tabia_machine_open(&machine, rules, "circuit", NULL, NULL) != TABIA_OK ||
      !tcp_resolve(&seat.address, address, keep, &why) ||
      pthread_create(&thread, NULL, reply_to_all, &s))
    die("no referee", no_bytes());
  const match_setup setup = {.id = "m1",
                             .rules = rules,
                             .machine = machine,
                             .seats = &seat,
                             .start_clock = HANGS_AFTER,
                             .play_clock = HANGS_AFTER,
                             .seed = seed};
  play_matches(&s, &setup, count);
  atomic_store(&s.is_over, true);
  pthread_join(thread, NULL);
  close(s.listener);
  tabia_machine_close(machine);
  tabia_rules_free(rules);
}

int main(int argc, char **argv) {
  const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
  const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  arena *keep = arena_new();
  const double begin = clock_now();
  if (count && strcmp(argv[1], "player") == 0)
    storm_player(count, seed, keep);
  else if (count && strcmp(argv[1], "referee") == 0)
    storm_referee(count, seed, keep);
  else
    die("usage: ggp_storm player|referee COUNT [SEED]", no_bytes());
  printf("%" PRIu64 " mutated %s in %.0f s\n", count,
         strcmp(argv[1], "player") ? "replies" : "requests", clock_now() - begin);
  arena_free(keep);
  return 0;
}
