/* ./mcts RULESHEET [VISITS]  searches the start of a game by UCT and prints for each move of each
   role how often it was tried and what it was worth; the most tried is the one to play.

   Every role chooses for itself, so that any number of them may take turns or move at once.  The
   tree is walked on the machine `circuit`; a new state is worth the mean of many random games
   from there, which `lanes` plays side by side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tabia.h>

enum { GAMES = 512, ROLES_MAX = 64, TEXT_MAX = 100 };

typedef struct choice {
  tabia_move move;
  double visits, sum; /* of the role's own goals */
} choice;

typedef struct node {
  struct node *children, *next; /* a child for each joint move that was tried */
  tabia_move joint[ROLES_MAX];  /* that leads here */
  uint32_t counts[ROLES_MAX];
  choice *choices[ROLES_MAX];
  double visits;
  bool is_over; /* terminal, or a role cannot move, which is a fault of the game */
  unsigned char position[];
} node;

typedef struct search {
  const tabia_machine *machine;
  tabia_workspace *workspace;
  tabia_playouts *games;
  uint32_t roles;
} search;

static void *room_for(size_t size) {
  void *memory = calloc(1, size);
  if (!memory) exit(TABIA_LIMIT);
  return memory;
}

static void list_choices(search *s, node *n, uint32_t role) {
  const uint32_t count = tabia_position_legal(s->workspace, n->position, role, NULL, 0);
  tabia_move *moves = room_for((count + 1) * sizeof *moves);
  tabia_position_legal(s->workspace, n->position, role, moves, count);
  n->is_over = (n->counts[role] = count) == 0;
  n->choices[role] = room_for((count + 1) * sizeof(choice));
  for (uint32_t i = 0; i < count; i++) n->choices[role][i].move = moves[i];
  free(moves);
}

static node *new_node(search *s, const node *parent, const tabia_move *joint) {
  node *n = room_for(sizeof *n + tabia_position_size(s->machine));
  memcpy(n->joint, joint, s->roles * sizeof *joint);
  if (!parent) tabia_position_start(s->machine, n->position);
  if (parent) tabia_position_step(s->workspace, parent->position, joint, n->position);
  n->is_over = tabia_position_terminal(s->workspace, n->position);
  for (uint32_t role = 0; role < s->roles && !n->is_over; role++) list_choices(s, n, role);
  return n;
}

static void free_tree(node *n, uint32_t roles) {
  for (node *child; (child = n->children); free_tree(child, roles)) n->children = child->next;
  for (uint32_t role = 0; role < roles; role++) free(n->choices[role]);
  free(n);
}

static double upper_bound(const node *n, const choice *c) {
  return c->visits > 0 ? c->sum / c->visits + 50 * sqrt(log(n->visits) / c->visits) : INFINITY;
}

/* The best by UCB1; nature draws. */
static choice *choose(const search *s, const node *n, uint32_t role) {
  choice *all = n->choices[role], *best = all;
  if (strcmp(tabia_machine_role(s->machine, role), "random") == 0)
    return &all[(uint32_t)rand() % n->counts[role]];
  for (uint32_t i = 1; i < n->counts[role]; i++)
    if (upper_bound(n, &all[i]) > upper_bound(n, best)) best = &all[i];
  return best;
}

/* Goes down to a state that is new or over; its worth counts for all choices on the way. */
static void visit(search *s, node *n, double *values) {
  choice *chosen[ROLES_MAX];
  tabia_move joint[ROLES_MAX];
  node *child = n->children;
  if (n->visits++ == 0 || n->is_over) {
    tabia_playouts_set_start(s->games, n->position);
    tabia_playouts_set_seed(s->games, (uint64_t)rand());
    tabia_playouts_run(s->games, NULL, NULL);
    for (uint32_t role = 0; role < s->roles; role++)
      values[role] = tabia_playouts_mean_goal(s->games, role);
    return;
  }
  for (uint32_t role = 0; role < s->roles; role++)
    joint[role] = (chosen[role] = choose(s, n, role))->move;
  while (child && memcmp(child->joint, joint, s->roles * sizeof *joint) != 0) child = child->next;
  if (!child) {
    child = new_node(s, n, joint);
    child->next = n->children;
    n->children = child;
  }
  visit(s, child, values);
  for (uint32_t role = 0; role < s->roles; role++)
    chosen[role]->visits++, chosen[role]->sum += values[role];
}

static void print_choices(const search *s, const node *root, uint32_t role) {
  printf("%s\n", tabia_machine_role(s->machine, role));
  for (uint32_t i = 0; i < root->counts[role]; i++) {
    const choice *c = &root->choices[role][i];
    char words[TEXT_MAX];
    tabia_move_text(s->machine, role, c->move, words, sizeof words);
    printf("%9.0f %6.2f  %s\n", c->visits, c->visits > 0 ? c->sum / c->visits : 0, words);
  }
}

static void think(const tabia_machine *tree, const tabia_machine *many, uint64_t visits) {
  search s = {tree, tabia_workspace_new(tree, NULL), tabia_playouts_new(many),
              tabia_machine_role_count(tree)};
  double values[ROLES_MAX];
  if (s.roles > ROLES_MAX) exit(TABIA_LIMIT);
  node *root = new_node(&s, NULL, (tabia_move[ROLES_MAX]){0});
  tabia_playouts_set_count(s.games, GAMES);
  while (visits-- > 0) visit(&s, root, values);
  for (uint32_t role = 0; role < s.roles; role++) print_choices(&s, root, role);
  free_tree(root, s.roles);
  tabia_playouts_free(s.games);
  tabia_workspace_free(s.workspace);
}

int main(int argc, char **argv) {
  tabia_messages *log = tabia_messages_new();
  tabia_rules *rules = NULL;
  tabia_machine *tree = NULL, *many = NULL;
  if (tabia_rules_read_file(&rules, argc > 1 ? argv[1] : "-", log) == TABIA_OK &&
      tabia_machine_open(&tree, rules, "circuit", NULL, log) == TABIA_OK &&
      tabia_machine_open(&many, rules, "lanes", NULL, log) == TABIA_OK)
    think(tree, many, argc > 2 ? strtoull(argv[2], NULL, 10) : 5000);
  fputs(tabia_messages_text(log), stderr);
  tabia_machine_close(many);
  tabia_machine_close(tree);
  tabia_rules_free(rules);
  tabia_messages_free(log);
  return many ? TABIA_OK : TABIA_FAULTY;
}
