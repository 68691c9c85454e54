/* compare_encodings SECONDS STATES GAME...

   Plays random games of each GAME by its own rules on the machine `reference`, and at the same time
   on `datalog` (or `compiled`, where that declines) by its own rules and by those of every frame
   encoding, until STATES states have been compared.  The seconds are for playing, and again for
   each translation.  Exit 0: all agree; 1: one does not, and standard output says where; 4: nothing
   could be compared within the seconds, or not every encoding. */
#include "frame/encoding.h"
#include "frame/pruning.h"
#include "machine/compare.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXIT_SAME = 0, EXIT_DIFFERENT = 1, EXIT_LIMIT = 4 };
enum { PLAYER_COUNT = 5, GAME_STEPS = 200 };

#define MEMORY ((size_t)3 << 30)

typedef struct trial {
  arena *keep;
  diag_sink d;
  budget b;
  double seconds;
  source s;
  tree t;
  program p;
  machine *machines[PLAYER_COUNT];
  compared players[PLAYER_COUNT];
  uint32_t count;
  encoded_program encoded[ENCODING_COUNT];
  frame_program generic;
  text missing;   /* the encodings that there are not, each with a reason */
  uint32_t heard; /* messages before the last attempt */
} trial;

static bool read_game(trial *x, const char *path) {
  return source_load(&x->s, path, x->keep, &x->d) &&
         tree_read(&x->t, &x->s, symbols_new(x->keep), x->keep, &x->d) &&
         rules_build(&x->p, &x->t, x->keep, &x->d);
}

static void renew_budget(trial *x) {
  x->b = budget_new(x->seconds, MEMORY);
  budget_watch(&x->b, x->keep);
  x->heard = x->d.all.count;
}

static void miss(trial *x, const char *encoding) {
  const diag_sink *d = &x->d;
  text_add_format(&x->missing, "%sno %s (%s)", x->missing.length ? ", " : "", encoding,
                  d->all.count > x->heard ? vec_last(&d->all).message : "out of time");
}

static void add_player(trial *x, const char *name, machine *m) {
  if (!m) {
    miss(x, name);
    return;
  }
  x->machines[x->count] = m;
  x->players[x->count++] = (compared){name, m, machine_workspace_new(m, &x->b)};
}

static machine *open_on(trial *x, const char *kind, machine_source from) {
  renew_budget(x);
  return machine_open(kind, &from, &x->b, &x->d);
}

static void add_encoded(trial *x, const char *name, const program *p, uint32_t inertia_count) {
  const machine_source from = {.program = p, .inertia_count = inertia_count};
  machine *m = open_on(x, "datalog", from);
  add_player(x, name, m ? m : open_on(x, "compiled", from));
}

/* One joint move of variables: for the paper's sake, no machine asks for it. */
static void add_generic(trial *x) {
  frame_translation f;
  renew_budget(x);
  if (frame_open(&f, &x->p, x->keep, &x->b, &x->d) &&
      frame_translate(&f, COVER_GENERIC, (frame_pruning){0}, &x->b, &x->d)) {
    frame_write_program(&f, &x->generic, x->keep);
    add_encoded(x, "generic", &x->generic.program, x->generic.inertia_count);
  } else {
    miss(x, "generic");
  }
  frame_close(&f);
}

/* A game without frame rules is its own translation. */
static void add_encoding(trial *x, frame_encoding wanted) {
  encoded_program *e = &x->encoded[wanted];
  renew_budget(x);
  frame_encode(e, &x->p, wanted, SCOPE_GAMES, x->keep, &x->b);
  if (x->b.end != BUDGET_LEFT) {
    miss(x, frame_encoding_name(wanted));
    return;
  }
  add_encoded(x, frame_encoding_name(wanted), e->program, e->frame.inertia_count);
}

static void open_players(trial *x) {
  add_player(x, "reference", open_on(x, "reference", (machine_source){.program = &x->p}));
  add_encoding(x, ENCODING_ORIGINAL);
  add_generic(x);
  add_encoding(x, ENCODING_DIRECT);
  add_encoding(x, ENCODING_PRUNED);
}

static void close_players(trial *x) {
  for (uint32_t i = 0; i < x->count; i++) {
    machine_workspace_free(x->machines[i], x->players[i].w);
    machine_close(x->machines[i]);
  }
}

/* What stopped a player, but for the budget; or NULL. */
static const char *trouble_of(const trial *x) {
  if (x->b.end != BUDGET_LEFT) return NULL;
  for (uint32_t i = 0; i < x->count; i++)
    if (x->players[i].w->trouble.is_there) return x->players[i].w->trouble.message;
  return NULL;
}

static int tell(const trial *x, const compare_report *r, const char *path) {
  const char *trouble = trouble_of(x);
  const bool is_whole = r->states && !x->missing.length && !trouble;
  printf("%s %s: %llu states,",
         !r->same   ? "DIFFERENT"
         : is_whole ? "same"
                    : "limit",
         path, (unsigned long long)r->states);
  for (uint32_t i = 1; i < x->count; i++) printf(" %s", x->players[i].name);
  if (x->missing.length) printf("; %.*s", (int)x->missing.length, x->missing.bytes);
  if (trouble) printf("; trouble: %s", trouble);
  printf("\n%.*s", (int)r->words.length, r->words.bytes);
  return !r->same ? EXIT_DIFFERENT : is_whole ? EXIT_SAME : EXIT_LIMIT;
}

static int compare_game(const char *path, double seconds, uint64_t states) {
  const compare_options o = {.seed = 1, .states = states, .max_steps = GAME_STEPS};
  trial x = {.keep = arena_new(), .seconds = seconds};
  compare_report r = {.same = true};
  diag_sink_init(&x.d, x.keep);
  x.missing = text_new(x.keep);
  if (read_game(&x, path)) open_players(&x);
  renew_budget(&x);
  if (x.count > 1) machines_compare_all(&r, x.players, x.count, &o, x.keep);
  const int status = tell(&x, &r, path);
  close_players(&x);
  arena_free(x.keep);
  return status;
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
