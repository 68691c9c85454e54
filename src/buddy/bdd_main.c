/* tabia-bdd: the states of a game by level, by binary decision diagrams.

   BuDDy keeps its diagrams in global variables, and ends where they fail: so it runs in this
   process of its own, which the library starts and whose output it reads (src/bdd/bdd_run.h). */
#include "buddy/bdd_levels.h"

#include <bdd.h>
#include <stdlib.h>
#include <unistd.h>

/* Bytes of a node, with what the caches take for it. */
enum { NODE_BYTES = 40, CACHE_RATIO = 8, FIRST_NODES = 1 << 16, FIRST_CACHE = 1 << 14 };

/* Tables are full, or the system has no memory. */
static void stop(int error) {
  puts(error == BDD_NODENUM || error == BDD_MEMORY ? "stop memory" : bdd_errstring(error));
  fflush(stdout);
  _exit(EXIT_SUCCESS);
}

static void begin(const bdd_question *q) {
  const uint64_t most = q->memory / NODE_BYTES;
  const int nodes = most > INT32_MAX ? INT32_MAX : most < FIRST_NODES ? FIRST_NODES : (int)most;
  bdd_init(FIRST_NODES, FIRST_CACHE);
  bdd_error_hook(stop);
  bdd_gbc_hook(NULL);
  bdd_setmaxnodenum(nodes);
  bdd_setmaxincrease(nodes / 8 + FIRST_NODES);
  bdd_setcacheratio(CACHE_RATIO);
  bdd_setvarnum((int)q->bit_count * 2 + 2);
}

int main(void) {
  arena *keep = arena_new();
  bdd_question q;
  if (bdd_question_read(&q, stdin, keep)) {
    begin(&q);
    bdd_levels_print(&q, keep);
    bdd_done();
  } else {
    puts("stop question");
  }
  arena_free(keep);
  return EXIT_SUCCESS;
}
