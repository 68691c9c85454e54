/* compare_compiled SECONDS STATES GAME...

   Plays random games of each GAME on the machine `reference` and on the machine `compiled`, in
   every encoding and under every knowledge base, until STATES states have been compared; then
   counts the ways to play (perft) on both, as deep as a few thousand go.  SECONDS are for each of
   them.

   The first that has agreed with `reference` stands in for it from then on: the same seeds lead to
   the same states.  A line for each: `same`, `limit` (the seconds were over first), `declined`
   (with the reason) or `DIFFERENT`.  Exit 0: nothing differs; 1: something does. */
#include "frame/encoding.h"
#include "machine/compare.h"
#include "machine/compiled/compiled_machine.h"
#include "machine/reference/reference.h"
#include "search/perft.h"

#include <stdio.h>
#include <stdlib.h>

enum { GAME_STEPS = 200, PERFT_DEPTH = 12 };

#define OPEN_SECONDS 100
#define OPEN_BYTES ((size_t)3 << 30)
#define PERFT_NODES 3000 /* of the deepest level, about */

typedef struct trial {
  arena *keep;
  diag_sink d;
  budget b;
  source s;
  tree t;
  program p;
  double seconds;
  uint64_t states; /* to be compared */
  machine *trusted;
  uint32_t depth; /* of perft; 0: not known */
  perft_result ways;
} trial;

static bool read_game(trial *x, const char *path) {
  return source_load(&x->s, path, x->keep, &x->d) &&
         tree_read(&x->t, &x->s, symbols_new(x->keep), x->keep, &x->d) &&
         rules_build(&x->p, &x->t, x->keep, &x->d);
}

static void renew_budget(trial *x) { x->b = budget_new(x->seconds, OPEN_BYTES); }

/* ---- states ---- */

/* Compares until there are enough states; false: they differ, and it was said how. */
static bool compare_states(trial *x, const machine *other, uint64_t *compared) {
  machine_workspace *w[2] = {machine_workspace_new(x->trusted, &x->b),
                             machine_workspace_new(other, &x->b)};
  bool same = true;
  for (uint64_t seed = 1; same && *compared < x->states; seed++) {
    const compare_options o = {.seed = seed, .games = 1, .max_steps = GAME_STEPS};
    compare_report r;
    if (!machines_compare(&r, x->trusted, w[0], other, w[1], &o, x->keep)) break;
    *compared += r.states;
    same = r.same;
    if (!same) printf("%s", text_string(&r.words));
    if (budget_check_now(&x->b)) break;
  }
  machine_workspace_free(x->trusted, w[0]);
  machine_workspace_free(other, w[1]);
  return same;
}

/* ---- ways to play ---- */

static bool count_ways(trial *x, const machine *m, uint32_t depth, perft_result *r) {
  machine_workspace *w = machine_workspace_new(m, &x->b);
  const perft_options o = {.depth = depth};
  const bool ok = perft(r, m, w, &o, x->keep);
  machine_workspace_free(m, w);
  return ok;
}

/* One level more would be about so many. */
static double expected_nodes(const perft_result *r, uint32_t depth) {
  const double last = (double)r->nodes[depth];
  return depth ? last * last / (double)r->nodes[depth - 1] : last;
}

static void find_depth(trial *x) {
  perft_result r;
  x->depth = 0;
  for (uint32_t depth = 1; depth <= PERFT_DEPTH; depth++) {
    if (!count_ways(x, x->trusted, depth, &r)) return;
    x->depth = depth;
    x->ways = r;
    if (r.nodes[depth] == 0 || expected_nodes(&r, depth) > PERFT_NODES) return;
  }
}

static bool compare_ways(trial *x, const machine *other) {
  perft_result r;
  if (!x->depth || !count_ways(x, other, x->depth, &r)) return true;
  for (uint32_t i = 0; i <= x->depth; i++) {
    if (r.nodes[i] == x->ways.nodes[i] && r.unique[i] == x->ways.unique[i]) continue;
    printf("depth %u: %llu ways to %llu states, found are %llu to %llu\n", i,
           (unsigned long long)x->ways.nodes[i], (unsigned long long)x->ways.unique[i],
           (unsigned long long)r.nodes[i], (unsigned long long)r.unique[i]);
    return false;
  }
  return true;
}

/* ---- one game ---- */

static const char *last_message(const trial *x) {
  return x->d.all.count ? x->d.all.items[x->d.all.count - 1].message : "no reason given";
}

/* From now on this one stands in for what it was compared with, as far as it was compared. */
static void trust(trial *x, machine *m, uint64_t compared) {
  machine_close(x->trusted);
  x->trusted = m;
  x->states = compared;
  renew_budget(x);
  find_depth(x);
}

static bool try_combination(trial *x, const char *path, frame_encoding e, const program *p,
                            knowledge_base kb) {
  const machine_source from = {.program = p};
  const compiled_options o = {.kb = kb, .is_built_once = true};
  const bool is_first = x->trusted->ops == &reference_machine;
  bool same = true;
  uint64_t compared = 0;
  const char *verdict = "declined";
  renew_budget(x);
  if (is_first) find_depth(x);
  budget opening = budget_new(OPEN_SECONDS, OPEN_BYTES);
  machine *m = compiled_machine_open(&from, &o, &opening, &x->d);
  renew_budget(x);
  if (m) {
    same = compare_states(x, m, &compared) && compare_ways(x, m);
    verdict = !same ? "DIFFERENT" : compared < x->states ? "limit" : "same";
  }
  printf("%s\t%s\t%s\t%s\t%llu\t%s\n", verdict, frame_encoding_name(e), knowledge_base_names[kb],
         path, (unsigned long long)compared, m ? "" : last_message(x));
  fflush(stdout);
  if (m && same && is_first && compared)
    trust(x, m, compared);
  else
    machine_close(m);
  return same;
}

static bool try_encoding(trial *x, const char *path, frame_encoding e) {
  encoded_program encoded;
  bool same = true;
  renew_budget(x);
  frame_encode(&encoded, &x->p, e, SCOPE_GAMES, x->keep, &x->b);
  if (encoded.used != e) return true;
  for (uint32_t kb = KB_DENSE; kb <= KB_TRIE; kb++)
    same &= try_combination(x, path, e, encoded.program, (knowledge_base)kb);
  return same;
}

static bool try_game(const char *path, double seconds, uint64_t states) {
  trial x = {.keep = arena_new(), .seconds = seconds, .states = states};
  bool same = true;
  diag_sink_init(&x.d, x.keep);
  renew_budget(&x);
  if (read_game(&x, path)) {
    const machine_source from = {.program = &x.p};
    x.trusted = reference_machine.open(&from, &x.b, &x.d);
  }
  if (!x.trusted) printf("declined\toriginal\treference\t%s\t0\t%s\n", path, last_message(&x));
  for (uint32_t e = 0; x.trusted && e < ENCODING_COUNT; e++)
    same &= try_encoding(&x, path, (frame_encoding)e);
  machine_close(x.trusted);
  arena_free(x.keep);
  return same;
}

int main(int argc, char **argv) {
  bool same = true;
  for (int i = 3; i < argc; i++)
    same &= try_game(argv[i], atof(argv[1]), strtoull(argv[2], NULL, 10));
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
