/* The program around a game: playouts, perft, options, results.  A game file defines, and then
   includes this one last:

     state                   a position; small, copied freely
     view                    what look() finds out and play() needs
     role_names              of the two players, the first to move first
     TOGETHER                how many games are played in turns, so that the processor has work
                             while it waits for a result of one of them
     state start(void)
     uint32_t look(const state *, view *)           how many legal moves; 0: the game is over
     void play(state *, const view *, uint32_t n)   makes the legal move with number n
     result score(const state *, const view *)      of a game that is over

   and, where it has a use for them, with the macro that says so:

     PREPARES  void prepare(void)                             runs before everything else
     DRAWS     uint32_t draw(state *, rng *, uint32_t moves)  uniform below the number of moves

   Every move is made on the board and every state is tested for its end: playouts may start from
   any state and be stopped at any. */
#ifndef PLAYOUTS_PROGRAM_H
#define PLAYOUTS_PROGRAM_H

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef PREPARES
static void prepare(void) {}
#endif

#ifndef DRAWS
INLINE uint32_t draw(state *s, rng *r, uint32_t moves) {
  (void)s;
  return rng_below(r, moves);
}
#endif

/* ---- playouts ---- */

enum { LEAST_BATCH = 1024, GOAL_OF_WINNER = 100, GOAL_OF_DRAWER = 50 };

typedef struct tally {
  uint64_t playouts, states;
  uint64_t squares; /* of the lengths */
  uint64_t shortest, longest;
  uint64_t results[RESULTS];
} tally;

INLINE void count_game(tally *t, uint64_t length, result r) {
  t->playouts++;
  t->states += length;
  t->squares += length * length;
  t->shortest = length < t->shortest ? length : t->shortest;
  t->longest = length > t->longest ? length : t->longest;
  t->results[r]++;
}

/* One game of several that are played in turns. */
typedef struct table {
  state s;
  uint64_t length;
  uint64_t left; /* games to be played here, this one included */
} table;

/* Makes one move, or counts the finished game and starts the next.  False: that was the last. */
INLINE bool advance(table *g, rng *r, tally *t) {
  view v;
  const uint32_t moves = look(&g->s, &v);
  if (LIKELY(moves)) {
    play(&g->s, &v, draw(&g->s, r, moves));
    g->length++;
    return true;
  }
  count_game(t, g->length, score(&g->s, &v));
  g->s = start();
  g->length = 0;
  return --g->left;
}

/* Plays exactly `count` games to their ends, so that short ones are not favoured. */
static void play_games(uint64_t count, rng *r, tally *t) {
  table g[TOGETHER];
  for (uint32_t i = 0; i < TOGETHER; i++)
    g[i] = (table){.s = start(), .left = count / TOGETHER + (i < count % TOGETHER)};
  bool all = g[TOGETHER - 1].left;
  while (all) {
#pragma GCC unroll 8
    for (uint32_t i = 0; i < TOGETHER; i++) all &= advance(&g[i], r, t);
  }
  for (uint32_t i = 0; i < TOGETHER; i++)
    while (g[i].left && advance(&g[i], r, t)) {}
}

/* ---- perft: the sequences of moves of each length; the last move of each is only counted ---- */

static void perft_from(const state *s, uint32_t depth, uint32_t at, uint64_t *nodes) {
  view v;
  const uint32_t moves = look(s, &v);
  nodes[at + 1] += moves;
  if (at + 1 == depth) return;
  for (uint32_t i = 0; i < moves; i++) {
    state next = *s;
    play(&next, &v, i);
    perft_from(&next, depth, at + 1, nodes);
  }
}

/* ---- results ---- */

static double seconds_used(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How often the player got 0, 50 and 100. */
static void histogram_of(const tally *t, int role, uint64_t counts[3]) {
  counts[0] = t->results[role == 0 ? SECOND_WINS : FIRST_WINS];
  counts[1] = t->results[DRAWN];
  counts[2] = t->results[role == 0 ? FIRST_WINS : SECOND_WINS];
}

static void show_role(const tally *t, int role, bool json) {
  uint64_t c[3];
  histogram_of(t, role, c);
  const double mean =
      ((double)c[1] * GOAL_OF_DRAWER + (double)c[2] * GOAL_OF_WINNER) / (double)t->playouts;
  printf(json ? "\"%s\":{\"mean\":%.6f,\"histogram\":{\"0\":%" PRIu64 ",\"50\":%" PRIu64
                ",\"100\":%" PRIu64 "}}"
              : "%s: mean goal %.3f; 0: %" PRIu64 " 50: %" PRIu64 " 100: %" PRIu64 "\n",
         role_names[role], mean, c[0], c[1], c[2]);
}

static void show_playouts(const tally *t, double seconds, bool json) {
  const double n = (double)t->playouts, mean = (double)t->states / n;
  const double deviation = sqrt(fmax(0, (double)t->squares / n - mean * mean));
  printf(json ? "{\"playouts\":%" PRIu64 ",\"states\":%" PRIu64 ",\"seconds\":%.6f,"
                "\"playouts_per_second\":%.6g,\"states_per_second\":%.6g,\"mean_length\":%.6f,"
                "\"length_deviation\":%.6f,\"shortest\":%" PRIu64 ",\"longest\":%" PRIu64
                ",\"outcomes\":{"
              : "%" PRIu64 " playouts, %" PRIu64 " states in %.3f s: %.0f playouts, %.0f states "
                "a second\nlength: mean %.5f, deviation %.3f, shortest %" PRIu64
                ", longest %" PRIu64 "\n",
         t->playouts, t->states, seconds, n / seconds, (double)t->states / seconds, mean, deviation,
         t->shortest, t->longest);
  show_role(t, 0, json);
  if (json) printf(",");
  show_role(t, 1, json);
  if (json) printf("}}\n");
}

static void show_perft(const uint64_t *nodes, uint32_t depth, double seconds, bool json) {
  uint64_t total = 0;
  for (uint32_t i = 0; i <= depth; i++) total += nodes[i];
  if (json) printf("{\"depth\":%" PRIu32 ",\"nodes\":[", depth);
  for (uint32_t i = 0; i <= depth; i++)
    printf(json ? "%s%" PRIu64 : "%s%" PRIu64 "\n", json && i ? "," : "", nodes[i]);
  if (json) printf("],\"total\":%" PRIu64 ",\"seconds\":%.6f}\n", total, seconds);
}

/* ---- options ---- */

typedef struct options {
  uint64_t playouts; /* 0: as many as `seconds` allow */
  double seconds;
  uint64_t seed;
  uint32_t perft; /* its depth; 0: play */
  bool json;
} options;

static void usage(const char *program) {
  fprintf(stderr, "Usage: %s [-n PLAYOUTS | -s SECONDS] [--seed N] [--json] [--perft DEPTH]\n",
          program);
  exit(2);
}

static options read_options(int count, char **words) {
  options o = {.seconds = 1, .seed = 1};
  for (int i = 1; i < count; i++) {
    const char *name = words[i];
    if (!strcmp(name, "--json")) {
      o.json = true;
      continue;
    }
    char *end = NULL;
    const double value = i + 1 < count ? strtod(words[++i], &end) : -1;
    if (!end || *end || value < 0) usage(words[0]);
    if (!strcmp(name, "-n"))
      o.playouts = (uint64_t)value;
    else if (!strcmp(name, "-s"))
      o.seconds = value;
    else if (!strcmp(name, "--seed"))
      o.seed = (uint64_t)value;
    else if (!strcmp(name, "--perft"))
      o.perft = (uint32_t)value;
    else
      usage(words[0]);
  }
  return o;
}

/* By time, batches double until one takes a tenth of it. */
static void run_playouts(const options *o) {
  rng r = {o->seed};
  tally t = {.shortest = UINT64_MAX};
  const double begin = seconds_used();
  if (o->playouts) {
    play_games(o->playouts, &r, &t);
  } else {
    double before = begin;
    for (uint64_t batch = LEAST_BATCH; before - begin < o->seconds;) {
      play_games(batch, &r, &t);
      const double now = seconds_used();
      if (now - before < o->seconds / 10) batch *= 2;
      before = now;
    }
  }
  show_playouts(&t, seconds_used() - begin, o->json);
}

static void run_perft(const options *o) {
  uint64_t *nodes = calloc(o->perft + 1, sizeof *nodes);
  if (!nodes) abort();
  const double begin = seconds_used();
  const state s = start();
  nodes[0] = 1;
  perft_from(&s, o->perft, 0, nodes);
  show_perft(nodes, o->perft, seconds_used() - begin, o->json);
  free(nodes);
}

int main(int count, char **words) {
  const options o = read_options(count, words);
  prepare();
  if (o.perft)
    run_perft(&o);
  else
    run_playouts(&o);
  return 0;
}

#endif
