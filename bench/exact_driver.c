/* ./exact_driver RULESHEET COUNT LEAST MOST CHOICES SECONDS...  asks how many moves keep the value of the game.
   COUNT positions are drawn, LEAST to MOST random steps from the start, in which exactly one move of
   the role to move keeps the value.  Values are those of tabia_solve: of all states, in a database,
   where these are few enough, else of each successor.  In each position a search with these choices
   (kind=uct, say) chooses, within so many seconds of processor time, without anything learned before; with
   learn=SECONDS among the choices, after so much.  Prints a line of JSON for each search: for each number of
   seconds how many moves kept the value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tabia.h>
#include <unistd.h>

enum { MOVES_MAX = 1 << 12, STATES_MAX = 8000000, TEXT_MAX = 1 << 18, SECONDS_MAX = 16 };

typedef struct table {
  tabia_rules *rules;
  tabia_machine *machine;
  tabia_workspace *w;
  tabia_messages *log;
  tabia_database *database; /* NULL: there are too many states */
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

/* Solves the game from its start; the files may go at once, since they are mapped. */
static void open_database(table *t) {
  char folder[] = "/tmp/exact-XXXXXX", command[64];
  if (!mkdtemp(folder)) stop(t, "no folder");
  tabia_solve *x = tabia_solve_new(t->machine);
  tabia_solve_set_most_states(x, STATES_MAX);
  tabia_solve_set_database(x, folder);
  tabia_solve_run(x, NULL, NULL);
  if (tabia_solve_has_database(x)) tabia_database_open(&t->database, t->machine, folder, t->log);
  tabia_solve_free(x);
  snprintf(command, sizeof command, "rm -r %s", folder);
  if (system(command)) stop(t, folder);
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
  open_database(t);
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

/* What `next` is worth to the mover. */
static double look_up_next(table *t) {
  double values[t->roles];
  if (!tabia_database_values(t->database, t->w, t->next, values)) stop(t, "not in the database");
  return values[t->mover];
}

/* The same; below 0: there are too many states. */
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
  if (!tabia_position_terminal(t->w, t->next))
    return t->database ? look_up_next(t) : solve_next(t);
  return tabia_position_goal(t->w, t->next, t->mover);
}

/* False: a value is not known, or another number of moves than one keeps the value. */
static bool value_moves(table *t) {
  uint32_t best = 0, equals = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    t->values[i] = value_of(t, t->moves[i]);
    if (t->values[i] < 0) return false;
    if (t->values[i] > t->values[best]) best = i;
  }
  for (uint32_t i = 0; i < t->count; i++) equals += t->values[i] == t->values[best];
  return equals == 1;
}

static bool draw_position(table *t, uint32_t least, uint32_t most) {
  return stray(t, least + (uint32_t)rand() % (most - least + 1)) && find_mover(t) && value_moves(t);
}

/* ---- choices ---- */

/* "name=value,name=value" */
static tabia_search *open_search(table *t, const char *choices) {
  tabia_search *s;
  double learn = 0;
  tabia_options *o = tabia_options_new();
  char *copy = strdup(choices), *rest = copy;
  tabia_options_set(o, "constant-sum", "assumed"); /* as a player does, and so is this */
  tabia_options_set(o, "solve", "yes");
  tabia_options_set(o, "clock", "processor");
  for (char *part; (part = strsep(&rest, ","));) {
    char *value = strchr(part, '=');
    if (!value) stop(t, part);
    *value++ = '\0';
    if (strcmp(part, "learn") == 0)
      learn = atof(value);
    else
      tabia_options_set(o, part, value);
  }
  if (tabia_search_open(&s, t->machine, o, NULL, t->log) != TABIA_OK) stop(t, "no search");
  if (learn > 0) tabia_search_learn(s, learn, NULL, t->log);
  tabia_options_free(o);
  free(copy);
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

typedef struct contestant {
  const char *choices;
  tabia_search *search;
  uint32_t kept[SECONDS_MAX]; /* by number of seconds: moves that kept the value */
} contestant;

static uint32_t open_searches(table *t, char *words, contestant *all, uint32_t most) {
  uint32_t count = 0;
  for (char *word; count < most && (word = strsep(&words, " "));)
    if (*word) all[count++] = (contestant){.choices = word, .search = open_search(t, word)};
  return count;
}

static void print_result(const contestant *c, uint32_t positions, char **seconds, uint32_t count) {
  printf("{\"search\":\"%s\",\"positions\":%u,\"kept\":{", c->choices, positions);
  for (uint32_t i = 0; i < count; i++)
    printf("%s\"%s\":%u", i ? "," : "", seconds[i], c->kept[i]);
  printf("}}\n");
}

int main(int argc, char **argv) {
  table t = {0};
  contestant all[8];
  if (argc < 7 || argc > 6 + SECONDS_MAX) return TABIA_MISUSE;
  const uint32_t positions = (uint32_t)atoi(argv[2]), times = (uint32_t)argc - 6;
  open_table(&t, argv[1]);
  const uint32_t searches = open_searches(&t, argv[5], all, sizeof all / sizeof *all);
  srand(1);
  for (uint32_t found = 0; found < positions;) {
    if (!draw_position(&t, (uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[4]))) continue;
    found++;
    for (uint32_t k = 0; k < searches * times; k++)
      all[k / times].kept[k % times] +=
          keeps_value(&t, all[k / times].search, atof(argv[6 + k % times]));
  }
  for (uint32_t k = 0; k < searches; k++) print_result(&all[k], positions, argv + 6, times);
  return TABIA_OK;
}
