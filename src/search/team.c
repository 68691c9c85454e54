#include "search/team.h"

#include "base/arena.h"

#include <pthread.h>

typedef struct member {
  pthread_t thread;
  bool is_started;
  team_work *work;
  void *worker;
} member;

static void *run_member(void *context) {
  const member *m = context;
  m->work(m->worker);
  return NULL;
}

void team_run(void *workers, size_t size, uint32_t count, team_work *work) {
  arena *keep = arena_new();
  member *members = arena_new_array(keep, member, count + (size_t)1);
  for (uint32_t i = 1; i < count; i++) {
    members[i] = (member){.work = work, .worker = (char *)workers + i * size};
    members[i].is_started = pthread_create(&members[i].thread, NULL, run_member, &members[i]) == 0;
  }
  work(workers);
  for (uint32_t i = 1; i < count; i++)
    if (members[i].is_started) pthread_join(members[i].thread, NULL);
  arena_free(keep);
}
