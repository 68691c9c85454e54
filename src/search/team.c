#include "search/team.h"

#include "base/recovery.h"

typedef struct member {
  pthread_t thread;
  bool is_started;
  bool is_short; /* of memory */
  team_work *work;
  void *worker;
  arena_group *group; /* of what it makes */
  account *account;   /* to which that is charged */
} member;

static void *run_member(void *context) {
  member *m = context;
  m->is_short = !recovery_try_for(m->account, m->group, m->work, m->worker);
  return NULL;
}

static bool is_any_short(const member *members, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (members[i].is_short) return true;
  return false;
}

void team_run(void *workers, size_t size, uint32_t count, team_work *work) {
  arena *keep = arena_new();
  member *members = arena_new_array(keep, member, count + (size_t)1);
  for (uint32_t i = 0; i < count; i++) {
    members[i] = (member){.work = work,
                          .worker = (char *)workers + i * size,
                          .group = recovery_group(),
                          .account = recovery_account()};
    if (i)
      members[i].is_started =
          pthread_create(&members[i].thread, NULL, run_member, &members[i]) == 0;
  }
  run_member(&members[0]);
  for (uint32_t i = 1; i < count; i++)
    if (members[i].is_started) pthread_join(members[i].thread, NULL);
  const bool is_short = is_any_short(members, count);
  arena_free(keep);
  if (is_short) recovery_fail();
}
