/* tree_images ITERATIONS GAME...

   How many states of a search tree are images of others under the symmetries of the rules
   (symmetry/state_group.h): what a tree with one node for each set of symmetric states would save.
   A line of a table for each GAME, the name of a built-in one: the order of its group, and for
   roots 0, 2, 4 and 6 random steps from the start (five of each, but of the start) the percentage
   of states that are images of others. */
#include "api/api.h"
#include "machine/circuit_positions.h"
#include "symmetry/state_group.h"
#include "tree/style.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOTS = 5, STEPS_MAX = 6, MOVES_MAX = 4096, ROLES_MAX = 64 };

typedef struct image_count {
  const machine *m;
  machine_workspace *w;
  state_group group;
  uint64_t iterations;
  budget limits;
  uint64_t states, left; /* of all roots; without images of others */
} image_count;

static int compare_states(const void *a, const void *b, void *size) {
  return memcmp(a, b, *(size_t *)size);
}

static uint32_t distinct(const image_count *x, uint8_t *states, uint32_t count) {
  size_t size = x->m->position_size;
  uint32_t found = count > 0;
  qsort_r(states, count, size, compare_states, &size);
  for (uint32_t i = 1; i < count; i++)
    found += memcmp(states + i * size, states + (i - 1) * size, size) != 0;
  return found;
}

static void count_images(image_count *x, const tree_store *store, arena *keep) {
  const size_t size = x->m->position_size;
  uint8_t *states = arena_alloc(keep, nodes_count(store) * size + 1);
  uint32_t count = 0;
  for (node_id id = 0; id < store->places.count; id++)
    if (store->places.items[id]) memcpy(states + size * count++, nodes_position(store, id), size);
  x->states += distinct(x, states, count);
  if (x->group.order > 1) state_group_reduce(&x->group, states, count);
  x->left += distinct(x, states, count);
}

static void search(image_count *x, const void *root) {
  const tree_options usual = {.memory = (size_t)512 << 20,
                              .seed = 1,
                              .max_steps = 4000,
                              .solver = true,
                              .transpositions = true,
                              .looks = true,
                              .regrets = true,
                              .assumes_sum = true};
  const tree_options o = style_apply(&usual, STYLE_PLAYS);
  arena *keep = arena_new();
  tree_search *s = tree_search_new(x->m, &o);
  tree_begin(s, &x->limits);
  tree_set_root(s, root);
  while (s->figures.iterations < x->iterations && tree_round(s, UINT32_MAX)) {}
  count_images(x, s->store, keep);
  tree_search_free(s);
  arena_free(keep);
}

/* False: the game is over before. */
static bool stray(image_count *x, void *position, uint32_t steps, unsigned seed) {
  move_id moves[MOVES_MAX], joint[ROLES_MAX];
  srand(seed);
  machine_start(x->m, position);
  for (uint32_t i = 0; i < steps && !machine_terminal(x->m, x->w, position); i++) {
    for (uint32_t r = 0; r < x->m->role_count; r++) {
      const uint32_t count = machine_legal(x->m, x->w, position, r, moves, MOVES_MAX);
      joint[r] = moves[(uint32_t)rand() % count];
    }
    machine_step(x->m, x->w, position, joint, position);
  }
  return !machine_terminal(x->m, x->w, position);
}

static void try_roots(image_count *x, uint32_t steps, arena *keep) {
  void *root = arena_alloc_zero(keep, x->m->position_size);
  x->states = x->left = 0;
  for (unsigned seed = 1; seed <= (steps ? ROOTS : 1); seed++)
    if (stray(x, root, steps, seed)) search(x, root);
  printf(" %.1f |", x->states ? 100.0 * (double)(x->states - x->left) / (double)x->states : 0);
  fflush(stdout);
}

static void try_game(const tabia_machine *opened, const char *name, uint64_t iterations) {
  arena *keep = arena_new();
  image_count x = {.m = opened->m, .iterations = iterations, .limits = api_budget(NULL)};
  const grounded *g = machine_grounded(x.m);
  x.w = machine_workspace_new(x.m, &x.limits);
  state_group_find(&x.group, &g->ground, &g->circuit, (uint32_t)x.m->position_size, keep,
                   &x.limits);
  printf("| %s | %u |", name, x.group.order);
  for (uint32_t steps = 0; steps <= STEPS_MAX; steps += 2) try_roots(&x, steps, keep);
  putchar('\n');
  machine_workspace_free(x.m, x.w);
  arena_free(keep);
}

int main(int argc, char **argv) {
  tabia_messages *log = tabia_messages_new();
  for (int i = 2; i < argc; i++) {
    tabia_rules *rules;
    tabia_machine *m;
    if (tabia_rules_read(&rules, argv[i], log) != TABIA_OK ||
        tabia_machine_open(&m, rules, "lanes", NULL, log) != TABIA_OK) {
      fprintf(stderr, "%s", tabia_messages_text(log));
      return TABIA_FAULTY;
    }
    try_game(m, argv[i], strtoull(argv[1], NULL, 10));
    tabia_machine_close(m);
    tabia_rules_free(rules);
  }
  tabia_messages_free(log);
}
