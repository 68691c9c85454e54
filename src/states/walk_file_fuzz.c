/* Any bytes: read them as the file of a walk of a small game, and go on with the walk.  The first
   byte chooses the game, and whether the forger has mended the head and the checksum, as in most
   inputs: else hardly any would be read at all.  What a forger says may be believed, but nothing
   may crash or run on, and a line of play that is given leads to its state. */
#include "base/hash.h"
#include "circuit/circuit.h"
#include "states/walk_force.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const games[] = {
    /* two lamps, of which one can be switched in each step, until both are on */
    "(role r) (legal r tp) (legal r tq) (legal r stay) (goal r 50) (init p)\n"
    "(<= (next p) (true p) (not (does r tp))) (<= (next p) (not (true p)) (does r tp))\n"
    "(<= (next q) (true q) (not (does r tq))) (<= (next q) (not (true q)) (does r tq))\n"
    "(<= terminal (true p) (true q))",
    /* a counter that two can push */
    "(role x) (role y) (init (n 0)) (legal x go) (legal x wait) (legal y go) (goal x 0)\n"
    "(succ 0 1) (succ 1 2) (succ 2 3) (<= (next (n ?b)) (true (n ?a)) (succ ?a ?b) (does x go))\n"
    "(<= (next (n ?a)) (true (n ?a)) (does x wait)) (<= terminal (true (n 3)))\n"
    "(<= (goal y 100) (true (n 3)))"};

enum { GAMES = sizeof games / sizeof *games, HEAD = 16, CHECKSUM = 8, STATES_MAX = 10000 };

static void require(bool holds) {
  if (!holds) abort();
}

/* A game that is ready to be walked. */
typedef struct fuzz_game {
  arena *keep;
  diag_sink d;
  source s;
  tree t;
  program p;
  ground_program g;
  circuit c;
  lane_stepper stepper;
} fuzz_game;

static void open_game(fuzz_game *f, uint32_t number) {
  ground_stats stats;
  f->keep = arena_new();
  f->s = source_of("game", games[number], (uint32_t)strlen(games[number]));
  diag_sink_init(&f->d, f->keep);
  require(
      tree_read(&f->t, &f->s, symbols_new(f->keep), f->keep, &f->d) &&
      rules_build(&f->p, &f->t, f->keep, &f->d) &&
      ground_rules(&f->g, &f->p, (ground_options){.optimise = true}, f->keep, NULL, &f->d, &stats));
  ground_name_atoms(&f->g);
  require(circuit_build(&f->c, &f->g, f->keep, NULL, &f->d));
  for (uint32_t i = 0; i < f->c.goals.count; i++)
    vec_push(f->keep, &f->c.targets, f->c.goals.items[i].holds);
  require(lane_stepper_init(&f->stepper, &f->c, lane_state_bytes(&f->c), 0, f->keep, NULL));
}

static void close_game(fuzz_game *f) {
  lane_stepper_free(&f->stepper);
  arena_free(f->keep);
}

/* ---- the file ---- */

/* A file without a name, by a path that leads to it. */
typedef struct nameless_file {
  int number;
  char path[64];
} nameless_file;

static nameless_file file_of(const uint8_t *bytes, size_t size) {
  nameless_file f = {.number = memfd_create("walk", MFD_CLOEXEC)};
  snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.number);
  require(f.number >= 0 && write(f.number, bytes, size) == (ssize_t)size);
  return f;
}

/* The first bytes of a walk that has hardly begun: what it is, and of which game. */
static void get_head(fuzz_game *f, uint8_t *head) {
  char folder[] = "/tmp/tabia-fuzz-XXXXXX", path[sizeof folder + 8];
  walk w;
  require(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/walk", folder);
  walk_init(&w, &f->stepper, f->keep);
  require(walk_save(&w, path, &f->d));
  walk_free(&w);
  FILE *in = fopen(path, "rb");
  require(in && fread(head, 1, HEAD, in) == HEAD);
  fclose(in);
  unlink(path);
  rmdir(folder);
}

/* What a forger can do who knows the format. */
static void mend(fuzz_game *f, uint8_t *bytes, size_t size) {
  if (size < HEAD + CHECKSUM) return;
  get_head(f, bytes);
  hash_stream *sum = hash_stream_new();
  hash_stream_add(sum, bytes, size - CHECKSUM);
  const uint64_t value = hash_stream_value(sum);
  memcpy(bytes + size - CHECKSUM, &value, CHECKSUM);
  hash_stream_free(sum);
}

/* ---- going on with it ---- */

/* Plays a line and says whether it ends in the state. */
static bool line_leads_to(const walk *w, const id_vec *line, state_place to, arena *keep) {
  const uint32_t roles = w->s->c->roles.count, bytes = w->s->state_bytes;
  lane_steps l;
  uint8_t *state = arena_zero_array(keep, uint8_t, (size_t)LANES * bytes + 8);
  lane_steps_init(&l, w->s, keep);
  lane_stepper_start(w->s, state);
  for (uint32_t i = 0; i < line->count; i += roles) {
    lane_steps_load(&l, state, 1);
    lane_steps_step(&l, &line->items[i]);
    lane_steps_store_next(&l, state);
  }
  return memcmp(state, store_state(&w->store, to), bytes) == 0;
}

static void try_line(walk *w, state_place to, budget *b, arena *keep) {
  id_vec line = {0};
  if (walk_line(w, to, b, &line, keep)) require(line_leads_to(w, &line, to, keep));
}

static void ask_everything(walk *w, budget *b, arena *keep) {
  uint32_t longest;
  state_place cycle;
  id_vec round = {0};
  force_found found;
  for (uint32_t i = 0; i < w->s->c->targets.count; i++)
    if (w->targets[i].is_found) try_line(w, w->targets[i].where, b, keep);
  if (!w->is_complete) return;
  if (walk_find_end(w, b, &longest, &cycle, &round, keep) == WALK_CYCLES)
    try_line(w, cycle, b, keep);
  if (w->s->c->targets.count) walk_find_force(w, 0, 0, b, &found);
}

static void try_file(fuzz_game *f, const char *path) {
  budget limits = budget_new(2, (size_t)256 << 20);
  walk w;
  bool is_there;
  walk_init(&w, &f->stepper, f->keep);
  const bool is_read = walk_load(&w, path, &is_there, &f->d);
  require(is_there && is_read == (f->d.errors == 0));
  if (is_read &&
      walk_run(&w, (walk_options){.threads = 1, .max_states = STATES_MAX}, &limits, &f->d))
    ask_everything(&w, &limits, f->keep);
  walk_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_game f;
  if (!size) return 0;
  open_game(&f, data[0] % GAMES);
  uint8_t *bytes = arena_zero_array(f.keep, uint8_t, size);
  memcpy(bytes, data + 1, size - 1);
  if (data[0] / GAMES % 4) mend(&f, bytes, size - 1);
  const nameless_file file = file_of(bytes, size - 1);
  try_file(&f, file.path);
  close(file.number);
  close_game(&f);
  return 0;
}
