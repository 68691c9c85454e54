/* uct GAME [ROUNDS]: searches the start of a game in which roles take turns.  In each round 512
   leaves are chosen, and a random game from every one of them is played at once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tabia.h>

enum { LEAVES = 512, NODES = 1 << 18, ROLES = 8, MOVES = 1000 };

typedef struct node {
  uint32_t parent, child, children, mover; /* children lie one behind another */
  tabia_move move;                         /* that the parent's mover made */
  double visits, sum;                      /* of goals of the parent's mover */
} node;

static node tree[NODES];
static uint32_t used = 1;

/* One role has a choice, the others have one move. */
static uint32_t expand(tabia_workspace *w, node *n, char *at, size_t size, uint32_t roles) {
  tabia_move legal[ROLES][MOVES], joint[ROLES];
  const char *here = at + (size_t)(n - tree) * size;
  for (uint32_t r = 0; r < roles && !tabia_position_terminal(w, here); r++) {
    const uint32_t count = tabia_position_legal(w, here, r, legal[r], MOVES);
    if (count > n->children && used + count < NODES) n->mover = r, n->children = count;
    joint[r] = legal[r][0];
  }
  n->child = used;
  for (uint32_t i = 0; i < n->children; i++, used++) {
    tree[used].move = joint[n->mover] = legal[n->mover][i];
    tree[used].parent = (uint32_t)(n - tree);
    tabia_position_step(w, here, joint, at + used * size);
  }
  return n->children;
}

static double promise(const node *n) {
  if (n->visits == 0) return 1e9;
  return n->sum / n->visits + 40 * sqrt(log(tree[n->parent].visits) / n->visits);
}

/* A visit counts at once, its game when it has been played: so leaves of a round differ. */
static uint32_t choose_leaf(tabia_workspace *w, char *at, size_t size, uint32_t roles) {
  node *n = tree;
  while (n->visits++ > 0 && (n->children || expand(w, n, at, size, roles))) {
    node *best = &tree[n->child];
    for (node *c = best; c < &tree[n->child + n->children]; c++)
      if (promise(c) > promise(best)) best = c;
    n = best;
  }
  return (uint32_t)(n - tree);
}

static void search(const tabia_machine *m, tabia_batch *batch, uint64_t rounds) {
  const size_t size = tabia_position_size(m);
  const uint32_t roles = tabia_machine_role_count(m);
  char *at = (char *)malloc(NODES * size), *leaves = (char *)malloc(LEAVES * size);
  int32_t *goals = (int32_t *)malloc(LEAVES * ROLES * sizeof *goals);
  tabia_workspace *w = tabia_workspace_new(m, NULL);
  uint32_t leaf[LEAVES];
  tabia_position_start(m, at);
  for (uint64_t round = 0; round < rounds; round++) {
    for (uint32_t i = 0; i < LEAVES; i++)
      memcpy(leaves + i * size, at + (leaf[i] = choose_leaf(w, at, size, roles)) * size, size);
    tabia_batch_load(batch, leaves, LEAVES);
    tabia_batch_play(batch, 1, round * LEAVES, 1, 0, goals, NULL);
    for (uint32_t i = 0; i < LEAVES; i++)
      for (uint32_t n = leaf[i]; n; n = tree[n].parent)
        tree[n].sum += goals[i * roles + tree[tree[n].parent].mover];
  }
  tabia_workspace_free(w);
  free(at), free(leaves), free(goals);
}

int main(int argc, char **argv) {
  tabia_messages *log = tabia_messages_new();
  tabia_rules *rules = NULL;
  tabia_machine *m = NULL;
  tabia_batch *batch = NULL;
  char words[100];
  if (argc > 1 && tabia_rules_read(&rules, argv[1], log) == TABIA_OK &&
      tabia_machine_open(&m, rules, "lanes", NULL, log) == TABIA_OK &&
      tabia_batch_new(&batch, m, LEAVES, 1, NULL, log) == TABIA_OK)
    search(m, batch, argc > 2 ? strtoull(argv[2], NULL, 10) : 100);
  for (node *c = &tree[tree->child]; c < &tree[tree->child + tree->children]; c++) {
    tabia_move_text(m, tree->mover, c->move, words, sizeof words);
    printf("%9.0f %6.2f  %s\n", c->visits, c->sum / c->visits, words);
  }
  fputs(tabia_messages_text(log), stderr);
  tabia_batch_free(batch);
  tabia_machine_close(m);
  tabia_rules_free(rules);
  tabia_messages_free(log);
  return used > 1 ? 0 : 1;
}
