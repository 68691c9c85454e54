/* ./exact_driver RULESHEET COUNT LEAST MOST KIND SECONDS...  asks how many moves keep the value of the game.
   COUNT positions are drawn, LEAST to MOST random steps from the start, in which the moves of the
   role to move have different values; values are those of tabia_solve.  In each the search of a
   kind chooses, within so many seconds of processor time, without anything learned before.  Prints
   one line of JSON: for each number of seconds how many moves kept the value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tabia.h>

enum { MOVES_MAX = 1 << 12, STATES_MAX = 2000000, TEXT_MAX = 1 << 18 };

typedef struct table {
  tabia_rules *rules;
  tabia_machine *machine;
  tabia_workspace *w;
  tabia_messages *log;
  uint32_t roles, mover, count;
  unsigned char *position, *next;
  tabia_move *joint, *moves;
  double *values; /* by move of the role that is to move */
  char *text;
} table;

static void stop(table *t, const char *what) {
  fprintf(stderr, "%s\n%s", what, tabia_messages_text(t->log));
  exit(TABIA_FAULTY);
}

static void open_table(table *t, const char *path) {
  t->log = tabia_messages_new();
  if (tabia_rules_read(&t->rules, path, t->log) != TABIA_OK ||
      tabia_machine_open(&t->machine, t->rules, "lanes", NULL, t->log) != TABIA_OK)
    stop(t, "no machine");
  const size_t size = (tabia_position_size(t->machine) + 64) / 64 * 64;
  t->w = tabia_workspace_new(t->machine, NULL);
  t->roles = tabia_machine_role_count(t->machine);
  t->position = aligned_alloc(64, size);
  t->next = aligned_alloc(64, size);
  t->joint = calloc(t->roles, sizeof *t->joint);
  t->moves = calloc(MOVES_MAX, sizeof *t->moves);
  t->values = calloc(MOVES_MAX, sizeof *t->values);
  t->text = malloc(TEXT_MAX);
}

/* ---- positions ---- */

static void draw_joint(table *t) {
  for (uint32_t r = 0; r < t->roles; r++) {
    const uint32_t count = tabia_position_legal(t->w, t->position, r, t->moves, MOVES_MAX);
    t->joint[r] = t->moves[(uint32_t)rand() % count];
  }
}

/* False: the game is over before. */
static bool stray(table *t, uint32_t steps) {
  tabia_position_start(t->machine, t->position);
  for (uint32_t i = 0; i < steps; i++) {
    draw_joint(t);
    tabia_position_step(t->w, t->position, t->joint, t->position);
    if (tabia_position_terminal(t->w, t->position)) return false;
  }
  return true;
}

/* The only role with a choice, its moves, and the moves of the others; false: there is none. */
static bool find_mover(table *t) {
  uint32_t choosers = 0;
  for (uint32_t r = 0; r < t->roles; r++) {
    const uint32_t count = tabia_position_legal(t->w, t->position, r, t->moves, MOVES_MAX);
    t->joint[r] = t->moves[0];
    if (count > 1) t->mover = r, choosers++;
  }
  if (choosers != 1) return false;
  t->count = tabia_position_legal(t->w, t->position, t->mover, t->moves, MOVES_MAX);
  return true;
}

/* ---- values ---- */

/* What `next` is worth to the mover; below 0: there are too many states. */
static double solve_next(table *t) {
  tabia_rules *from;
  tabia_machine *m;
  const size_t length = tabia_position_text(t->machine, t->next, t->text, TEXT_MAX);
  if (tabia_rules_with_start(&from, t->rules, "position", t->text, length, t->log) != TABIA_OK ||
      tabia_machine_open(&m, from, "lanes", NULL, t->log) != TABIA_OK)
    stop(t, "no position");
  tabia_solve *x = tabia_solve_new(m);
  tabia_solve_set_most_states(x, STATES_MAX);
  tabia_solve_run(x, NULL, NULL);
  const double value = tabia_solve_has_values(x) ? tabia_solve_value(x, t->mover) : -1;
  tabia_solve_free(x);
  tabia_machine_close(m);
  tabia_rules_free(from);
  return value;
}

static double value_of(table *t, tabia_move move) {
  t->joint[t->mover] = move;
  tabia_position_step(t->w, t->position, t->joint, t->next);
  if (!tabia_position_terminal(t->w, t->next)) return solve_next(t);
  return tabia_position_goal(t->w, t->next, t->mover);
}

/* False: a value is not known, or all are equal, so that nothing can be lost. */
static bool value_moves(table *t) {
  bool differ = false;
  for (uint32_t i = 0; i < t->count; i++) {
    t->values[i] = value_of(t, t->moves[i]);
    if (t->values[i] < 0) return false;
    differ |= t->values[i] != t->values[0];
  }
  return differ;
}

static bool draw_position(table *t, uint32_t least, uint32_t most) {
  return stray(t, least + (uint32_t)rand() % (most - least + 1)) && find_mover(t) && value_moves(t);
}

/* ---- choices ---- */

static tabia_search *open_search(table *t, const char *kind) {
  tabia_search *s;
  tabia_options *o = tabia_options_new();
  tabia_options_set(o, "kind", kind);
  tabia_options_set(o, "constant-sum", "assumed"); /* as a player does */
  tabia_options_set(o, "clock", "processor");
  if (tabia_search_open(&s, t->machine, o, NULL, t->log) != TABIA_OK) stop(t, "no search");
  tabia_options_free(o);
  return s;
}

static bool keeps_value(table *t, tabia_search *s, double seconds) {
  double best = -1, chosen = -1;
  tabia_search_forget(s);
  tabia_search_set_seconds(s, seconds);
  tabia_search_think(s, t->position, t->mover, NULL, t->log);
  for (uint32_t i = 0; i < t->count; i++) {
    if (t->values[i] > best) best = t->values[i];
    if (t->moves[i] == tabia_search_best(s, t->mover)) chosen = t->values[i];
  }
  return chosen == best;
}

int main(int argc, char **argv) {
  table t = {0};
  uint32_t kept[16] = {0}, found = 0;
  if (argc < 7 || argc > 6 + 16) return TABIA_MISUSE;
  open_table(&t, argv[1]);
  tabia_search *s = open_search(&t, argv[5]);
  srand(1);
  while (found < (uint32_t)atoi(argv[2])) {
    if (!draw_position(&t, (uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[4]))) continue;
    found++;
    for (int i = 6; i < argc; i++) kept[i - 6] += keeps_value(&t, s, atof(argv[i]));
  }
  printf("{\"kind\":\"%s\",\"positions\":%u,\"kept\":{", argv[5], found);
  for (int i = 6; i < argc; i++) printf("%s\"%s\":%u", i > 6 ? "," : "", argv[i], kept[i - 6]);
  printf("}}\n");
  return TABIA_OK;
}
