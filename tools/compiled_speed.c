/* compiled_speed SECONDS LEVEL GAME...

   Plays random games of each GAME on the machines `datalog` and `compiled` (built once, at an
   optimisation level), for some seconds of processor time each, with the same random numbers.  A
   line for each game, with tabs between: its path; for `datalog`, then for `compiled`, the
   processor seconds until it was ready, those of the C compiler included, states a second, and why
   it could not be opened. */
#include "machine/compiled/compiled_machine.h"
#include "machine/datalog/datalog_machine.h"
#include "search/playout.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { STEPS_MAX = 200 };

#define OPEN_SECONDS 60
#define LOOK_SECONDS 1e-3
#define OPEN_BYTES ((size_t)3 << 30)

static double seconds_of(const struct rusage *u) {
  return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
         (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1e-6;
}

/* Of this process and of those that it has waited for. */
static double processor_seconds(void) {
  struct rusage own, children;
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  return seconds_of(&own) + seconds_of(&children);
}

/* Plays `count` games more.  Long ones are broken off: a slow machine must come to an end, too. */
static uint64_t play_some(player *p, uint64_t *number, uint64_t count) {
  uint64_t states = 0;
  for (uint64_t i = 0; i < count && !p->w->trouble.is_there; i++) {
    rng r = rng_new(1, (*number)++);
    playout(p, &r, STEPS_MAX);
    states += p->length + 1;
  }
  return states;
}

static double states_a_second(const machine *m, double seconds, arena *keep) {
  machine_workspace *w = machine_workspace_new(m, NULL);
  player p;
  player_init(&p, m, w, keep);
  const double started = clock_process();
  double passed = 0;
  uint64_t states = 0;
  uint64_t number = 0;
  uint64_t at_once = 1; /* games between two looks at the clock */
  while (passed < seconds && !w->trouble.is_there) {
    states += play_some(&p, &number, at_once);
    const double now = clock_process() - started;
    if (now - passed < LOOK_SECONDS) at_once *= 2;
    passed = now;
  }
  if (w->trouble.is_there) printf("\ttrouble: %s", w->trouble.message);
  machine_workspace_free(m, w);
  return passed > 0 ? (double)states / passed : 0;
}

static void try_machine(const program *p, bool is_compiled, uint32_t level, double seconds) {
  arena *keep = arena_new();
  diag_sink d;
  budget b = budget_new(OPEN_SECONDS, OPEN_BYTES);
  diag_sink_init(&d, keep);
  const machine_source from = {.program = p};
  const compiled_options o = {.is_built_once = true, .level = level};
  const double started = processor_seconds();
  machine *m =
      is_compiled ? compiled_machine_open(&from, &o, &b, &d) : datalog_machine.open(&from, &b, &d);
  printf("\t%.4f", processor_seconds() - started);
  if (m)
    printf("\t%.6g\t", states_a_second(m, seconds, keep));
  else
    printf("\t\t%s", d.all.count ? d.all.items[d.all.count - 1].message : "no reason given");
  fflush(stdout);
  machine_close(m);
  arena_free(keep);
}

static void try_game(const char *path, uint32_t level, double seconds) {
  arena *keep = arena_new();
  diag_sink d;
  source s;
  tree t;
  program p;
  diag_sink_init(&d, keep);
  printf("%s", path);
  if (source_load(&s, path, keep, &d) && tree_read(&t, &s, symbols_new(keep), keep, &d) &&
      rules_build(&p, &t, keep, &d)) {
    try_machine(&p, false, level, seconds);
    try_machine(&p, true, level, seconds);
  }
  putchar('\n');
  fflush(stdout);
  arena_free(keep);
}

int main(int argc, char **argv) {
  for (int i = 3; i < argc; i++) try_game(argv[i], (uint32_t)atoi(argv[2]), atof(argv[1]));
}
