/* compare_encodings SECONDS STATES GAME...

   Plays random games of each GAME by its own rules and by those of every frame encoding, all on the
   machine `reference`, until STATES states have been compared.  Exit 0: all agree; 1: one does not,
   and standard output says where; 4: nothing could be compared within the seconds. */
#include "frame/pruning.h"
#include "machine/compare.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXIT_SAME = 0, EXIT_DIFFERENT = 1, EXIT_LIMIT = 4 };

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

/* Compares the two programs; false: they differ, and it was said how. */
static bool compare_programs(trial *x, const program *other, const char *title,
                             uint64_t *compared) {
  const machine_source from[2] = {{.program = &x->p}, {.program = other}};
  machine *m[2] = {0};
  machine_workspace *w[2] = {0};
  for (uint32_t i = 0; i < 2; i++) {
    m[i] = machine_open("reference", &from[i], &x->b, &x->d);
    if (m[i]) w[i] = machine_workspace_new(m[i], &x->b);
  }
  bool same = true;
  for (uint64_t seed = 1; m[0] && m[1] && same && *compared < x->states; seed++) {
    const compare_options o = {.seed = seed, .games = 1, .max_steps = 200};
    compare_report r;
    if (!machines_compare(&r, m[0], w[0], m[1], w[1], &o, x->keep)) break;
    *compared += r.states;
    same = r.same;
    if (!same) printf("%s: %s", title, text_string(&r.words));
  }
  for (uint32_t i = 0; i < 2; i++) {
    if (m[i]) machine_workspace_free(m[i], w[i]);
    machine_close(m[i]);
  }
  return same;
}

static bool translate(trial *x, frame_cover cover, frame_translation *f) {
  frame_proof proof = {0};
  if (!frame_open(f, &x->p, x->keep, &x->b, &x->d)) return false;
  if (cover == COVER_PRUNED) frame_prove(&proof, f, SCOPE_GAMES, FRAME_PRUNING_SECONDS, x->keep, &x->b);
  return frame_translate(f, cover, frame_pruning_by(&proof), &x->b, &x->d);
}

static int compare_cover(trial *x, frame_cover cover, const char *path) {
  frame_translation f;
  int status = EXIT_LIMIT;
  const double started = clock_now();
  if (translate(x, cover, &f)) {
    frame_program whole;
    const double seconds = clock_now() - started;
    frame_write_program(&f, &whole, x->keep);
    uint64_t states = 0;
    const bool same = compare_programs(x, &whole.program, frame_cover_name(cover), &states);
    status = !same ? EXIT_DIFFERENT : states ? EXIT_SAME : EXIT_LIMIT;
    printf("%s %s %s: %llu states, %u frame rules, %u joint moves, %u fnext rules, %u helpers, "
           "%.2f s\n",
           status == EXIT_SAME    ? "same"
           : status == EXIT_LIMIT ? "limit"
                                  : "DIFFERENT",
           frame_cover_name(cover), path, (unsigned long long)states, f.rules.count,
           f.covering.count, f.ceasing.count, f.helpers.all.count, seconds);
  } else {
    printf("limit %s %s: %s\n", frame_cover_name(cover), path,
           x->d.all.count ? x->d.all.items[x->d.all.count - 1].message : "no reason given");
  }
  frame_close(&f);
  return status;
}

static int compare_game(const char *path, double seconds, uint64_t states) {
  int worst = EXIT_SAME;
  for (uint32_t cover = COVER_GENERIC; cover <= COVER_PRUNED; cover++) {
    trial x = {.keep = arena_new(), .b = budget_new(seconds, (size_t)2 << 30), .states = states};
    budget_watch(&x.b, x.keep);
    const int status =
        read_game(&x, path) ? compare_cover(&x, (frame_cover)cover, path) : EXIT_LIMIT;
    if (status == EXIT_DIFFERENT || worst == EXIT_SAME) worst = status;
    arena_free(x.keep);
  }
  return worst;
}

int main(int argc, char **argv) {
  if (argc < 4) return EXIT_LIMIT;
  int worst = EXIT_SAME;
  for (int i = 3; i < argc; i++) {
    const int status = compare_game(argv[i], atof(argv[1]), strtoull(argv[2], NULL, 10));
    if (status == EXIT_DIFFERENT || worst == EXIT_SAME) worst = status;
    fflush(stdout);
  }
  return worst;
}
