/* compare_compiled SECONDS STATES GAME...

   Plays random games of each GAME on the machine `reference` and on the machine `compiled`, under
   every knowledge base, until STATES states have been compared.  A line for each: `same`, `limit`
   (the seconds were over first), `declined` (with the reason) or `DIFFERENT`.  Exit 0: no game
   differs; 1: one does. */
#include "machine/compare.h"
#include "machine/compiled_machine.h"
#include "machine/reference.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct trial {
  arena *keep;
  diag_sink d;
  budget b;
  source s;
  tree t;
  program p;
  uint64_t states;
} trial;

static bool read_game(trial *x, const char *path) {
  diag_sink_init(&x->d, x->keep);
  return source_load(&x->s, path, x->keep, &x->d) &&
         tree_read(&x->t, &x->s, symbols_new(x->keep), x->keep, &x->d) &&
         rules_build(&x->p, &x->t, x->keep, &x->d);
}

static const char *last_message(const trial *x) {
  return x->d.all.count ? x->d.all.items[x->d.all.count - 1].message : "no reason given";
}

/* Compares until there are enough states; false: they differ, and it was said how. */
static bool compare_machines(trial *x, const machine *trusted, const machine *other,
                             uint64_t *compared) {
  machine_workspace *w[2] = {machine_workspace_new(trusted, &x->b),
                             machine_workspace_new(other, &x->b)};
  bool same = true;
  for (uint64_t seed = 1; same && *compared < x->states; seed++) {
    const compare_options o = {.seed = seed, .games = 1, .max_steps = 200};
    compare_report r;
    if (!machines_compare(&r, trusted, w[0], other, w[1], &o, x->keep)) break;
    *compared += r.states;
    same = r.same;
    if (!same) printf("%s", text_string(&r.words));
    if (budget_check_now(&x->b)) break;
  }
  machine_workspace_free(trusted, w[0]);
  machine_workspace_free(other, w[1]);
  return same;
}

static bool compare_kb(const char *path, knowledge_base kb, double seconds, uint64_t states) {
  trial x = {.keep = arena_new(), .b = budget_new(seconds, (size_t)3 << 30), .states = states};
  bool same = true;
  uint64_t compared = 0;
  const char *verdict = "declined";
  if (read_game(&x, path)) {
    const machine_source from = {.program = &x.p};
    machine *trusted = reference_machine.open(&from, &x.b, &x.d);
    machine *other = trusted ? compiled_machine_open(&from, kb, &x.b, &x.d) : NULL;
    if (other) {
      same = compare_machines(&x, trusted, other, &compared);
      verdict = !same ? "DIFFERENT" : compared < states ? "limit" : "same";
    }
    machine_close(other);
    machine_close(trusted);
  }
  printf("%s\t%s\t%s\t%llu\t%s\n", verdict, knowledge_base_names[kb], path,
         (unsigned long long)compared, *verdict == 'd' ? last_message(&x) : "");
  fflush(stdout);
  arena_free(x.keep);
  return same;
}

int main(int argc, char **argv) {
  bool same = true;
  for (int i = 3; i < argc; i++)
    for (uint32_t kb = KB_DENSE; kb <= KB_TRIE; kb++)
      same &= compare_kb(argv[i], (knowledge_base)kb, atof(argv[1]), strtoull(argv[2], NULL, 10));
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
