#include "ggp/player/local_player.h"

#include "ggp/wire/tcp.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

struct local_player {
  arena *keep;
  arena *guard; /* stops the thread, also where memory ends in the one that has started it */
  player *player;
  pthread_t thread;
  bool runs;
  cpu_set_t cores;
  bool has_cores;
  char address[32];
};

bool local_player_kind(const char *word, mind_kind *kind) {
  for (int i = 0; mind_names[i]; i++)
    if (strcmp(mind_names[i], word) == 0) {
      *kind = (mind_kind)i;
      return true;
    }
  return false;
}

/* Threads that it starts inherit its cores. */
static void *run(void *context) {
  local_player *p = context;
  if (p->has_cores) pthread_setaffinity_np(pthread_self(), sizeof p->cores, &p->cores);
  player_run(p->player, NULL);
  return NULL;
}

static void note_cores(local_player *p, const int *cores) {
  CPU_ZERO(&p->cores);
  for (; cores && *cores >= 0; cores++) CPU_SET((size_t)*cores, &p->cores);
  p->has_cores = cores && CPU_COUNT(&p->cores) > 0;
}

static void stop(void *local) {
  const local_player *p = local;
  if (p->runs) player_stop(p->player);
  if (p->runs) pthread_join(p->thread, NULL);
  player_free(p->player);
}

local_player *local_player_start(const player_options *o, const int *cores) {
  uint16_t port;
  const int listener = tcp_listen("127.0.0.1", 0, &port);
  if (listener < 0) return NULL;
  arena *keep = arena_new();
  local_player *p = arena_alloc_zero(keep, sizeof *p);
  p->keep = keep;
  p->player = player_new(o, listener);
  note_cores(p, cores);
  snprintf(p->address, sizeof p->address, "127.0.0.1:%u", port);
  p->guard = arena_guarding(stop, p);
  const int fault = pthread_create(&p->thread, NULL, run, p);
  p->runs = !fault;
  if (p->runs) return p;
  local_player_stop(p);
  errno = fault;
  return NULL;
}

void local_player_stop(local_player *p) {
  if (!p) return;
  arena_free(p->guard);
  arena_free(p->keep);
}

const char *local_player_address(const local_player *p) { return p->address; }
