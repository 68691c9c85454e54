/* ./strength_driver RULESHEET GAMES BUDGET LEARN FIRST SECOND [SEED [MOST]]  lets two searches play each
   other and prints one line of JSON.  FIRST and SECOND are options of a search, such as
   kind=tabia,exploration=0.3; with ponder=yes among them it thinks
   for a whole thought in the time of the other, too, where that has a choice.  BUDGET is a number of processor seconds for each thought, or of
   iterations if it ends with an i; two of them, with a colon between, are each for one search.  LEARN, processor seconds that each search learns before the
   first game.  Sides are swapped after every game; each pair of games begins with the same few
   random moves, others if those end the game.  After MOST processor seconds no pair is begun.  A role is of the first search if it plays an even number of roles behind. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tabia.h>
#include <time.h>

enum { OPENING_MOVES = 2, OPENINGS_MAX = 100, MOVES_MAX = 2000, STILL_MAX = 20 };

typedef struct table {
  tabia_machine *machine;
  tabia_workspace *w;
  tabia_messages *log;
  uint32_t roles;
  tabia_search *searches[2];
  bool ponders[2]; /* it thinks in the time of the other, too */
  void *position, *last;
  uint32_t still; /* steps that changed nothing, in a row */
  tabia_move *joint, *moves;
  const char *budgets[2]; /* of a thought */
  double used[2];         /* processor seconds */
  uint64_t thoughts[2], tried[2];
} table;

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void stop(table *t, const char *what) {
  fprintf(stderr, "%s\n%s", what, tabia_messages_text(t->log));
  exit(TABIA_FAULTY);
}

/* "name=value,name=value" */
static tabia_options *read_choices(const char *words, bool *ponders) {
  tabia_options *o = tabia_options_new();
  tabia_options_set(o, "constant-sum", "assumed"); /* as a player does, and so is this */
  tabia_options_set(o, "solve", "yes");
  char *copy = strdup(words), *rest = copy;
  for (char *part; (part = strsep(&rest, ","));) {
    char *value = strchr(part, '=');
    if (!value) continue;
    *value++ = '\0';
    if (strcmp(part, "ponder") == 0)
      *ponders = strcmp(value, "yes") == 0;
    else
      tabia_options_set(o, part, value);
  }
  tabia_options_set(o, "clock", "processor");
  free(copy);
  return o;
}

static void set_budget(tabia_search *s, const char *budget) {
  char *end;
  const double number = strtod(budget, &end);
  if (*end == 'i')
    tabia_search_set_iterations(s, (uint64_t)number);
  else
    tabia_search_set_seconds(s, number);
}

static void open_search(table *t, uint32_t i, const char *words, double learn) {
  tabia_options *o = read_choices(words, &t->ponders[i]);
  if (tabia_search_open(&t->searches[i], t->machine, o, NULL, t->log) != TABIA_OK)
    stop(t, "no search");
  set_budget(t->searches[i], t->budgets[i]);
  if (learn > 0) tabia_search_learn(t->searches[i], learn, NULL, t->log);
  tabia_options_free(o);
}

static void open_table(table *t, const char *path) {
  tabia_rules *rules;
  t->log = tabia_messages_new();
  if (tabia_rules_read(&rules, path, t->log) != TABIA_OK ||
      tabia_machine_open(&t->machine, rules, "lanes", NULL, t->log) != TABIA_OK)
    stop(t, "no machine");
  t->w = tabia_workspace_new(t->machine, NULL);
  t->roles = tabia_machine_role_count(t->machine);
  t->position = aligned_alloc(64, (tabia_position_size(t->machine) + 64) / 64 * 64);
  t->last = malloc(tabia_position_size(t->machine));
  t->joint = calloc(t->roles, sizeof *t->joint);
  t->moves = calloc(1 << 16, sizeof *t->moves);
}

/* ---- moves ---- */

static tabia_move random_move(table *t, uint32_t role) {
  const uint32_t count = tabia_position_legal(t->w, t->position, role, t->moves, 1 << 16);
  return t->moves[(uint32_t)rand() % count];
}

static bool is_random(const table *t, uint32_t role) {
  return strcmp(tabia_machine_role(t->machine, role), "random") == 0;
}

/* What pondering finds is in the tree.  Its time is not counted: it is that of the other. */
static void ponder(table *t, uint32_t role, uint32_t who) {
  if (t->ponders[who]) tabia_search_think(t->searches[who], t->position, role, NULL, t->log);
}

static tabia_move thought_move(table *t, uint32_t role, uint32_t who) {
  ponder(t, role, !who);
  const double before = processor_seconds();
  tabia_search_think(t->searches[who], t->position, role, NULL, t->log);
  t->used[who] += processor_seconds() - before;
  t->thoughts[who]++;
  t->tried[who] += tabia_search_effort(t->searches[who], TABIA_EFFORT_ITERATIONS);
  const tabia_move best = tabia_search_best(t->searches[who], role);
  return best == TABIA_NO_MOVE ? random_move(t, role) : best;
}

static tabia_move move_of(table *t, uint32_t role, uint32_t who) {
  const uint32_t count = tabia_position_legal(t->w, t->position, role, t->moves, 1 << 16);
  if (count == 1) return t->moves[0];
  if (is_random(t, role)) return random_move(t, role);
  return thought_move(t, role, who);
}

/* False: the game is over. */
static bool make_opening(table *t) {
  tabia_position_start(t->machine, t->position);
  for (uint32_t step = 0; step < OPENING_MOVES; step++) {
    for (uint32_t r = 0; r < t->roles; r++) t->joint[r] = random_move(t, r);
    tabia_position_step(t->w, t->position, t->joint, t->position);
    if (tabia_position_terminal(t->w, t->position)) return false;
  }
  return true;
}

/* Both may insist on the same square for ever: a game in which nothing changes is over, too. */
static bool is_over(const table *t) {
  return t->still == STILL_MAX || tabia_position_terminal(t->w, t->position);
}

static void make_step(table *t) {
  const size_t size = tabia_position_size(t->machine);
  memcpy(t->last, t->position, size);
  tabia_position_step(t->w, t->position, t->joint, t->position);
  t->still = memcmp(t->last, t->position, size) == 0 ? t->still + 1 : 0;
}

/* Gives back 1, 0 or .5, of the first search. */
static double play_game(table *t, uint32_t game) {
  double sums[2] = {0, 0}, counts[2] = {0, 0};
  for (uint32_t i = 0; i < 2; i++) tabia_search_forget(t->searches[i]);
  for (uint32_t tries = 0; !make_opening(t) && tries < OPENINGS_MAX; tries++) {}
  t->still = 0;
  for (uint32_t step = 0; step < MOVES_MAX && !is_over(t); step++) {
    for (uint32_t r = 0; r < t->roles; r++) t->joint[r] = move_of(t, r, (r + game) % 2);
    make_step(t);
  }
  for (uint32_t r = 0; r < t->roles; r++) {
    const int32_t goal = tabia_position_goal(t->w, t->position, r);
    if (is_random(t, r) || goal == TABIA_NO_GOAL) continue;
    sums[(r + game) % 2] += goal;
    counts[(r + game) % 2]++;
  }
  const double difference = sums[0] / fmax(counts[0], 1) - sums[1] / fmax(counts[1], 1);
  return difference > 0 ? 1 : difference < 0 ? 0 : .5;
}

/* ---- figures ---- */

static double elo_of(double score) {
  const double s = fmin(fmax(score, .001), .999);
  return -400 * log10(1 / s - 1);
}

/* Logarithm of how much likelier the results are at `high` Elo than at `low`, from the mean and the
   variance of a game's score. */
static double likelihood_ratio(double games, double mean, double variance, double low,
                               double high) {
  const double s0 = 1 / (1 + pow(10, -low / 400)), s1 = 1 / (1 + pow(10, -high / 400));
  return variance > 0 ? games * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance) : 0;
}

static void show(const table *t, const uint32_t counts[3]) {
  const double n = counts[0] + counts[1] + counts[2];
  const double mean = (counts[0] + .5 * counts[1]) / n;
  const double variance = (counts[0] + .25 * counts[1]) / n - mean * mean;
  const double error = sqrt(fmax(variance, .25 / n) / n);
  printf("{\"games\":%.0f,\"wins\":%u,\"draws\":%u,\"losses\":%u,\"score\":%.3f,\"error\":%.3f,"
         "\"elo\":%.0f,\"elo_low\":%.0f,\"elo_high\":%.0f,\"llr_0_200\":%.2f,"
         "\"style\":\"%s\",\"seconds_a_move\":[%.3f,%.3f],\"iterations_a_move\":[%.0f,%.0f]}\n",
         n, counts[0], counts[1], counts[2], mean, error, elo_of(mean), elo_of(mean - 1.96 * error),
         elo_of(mean + 1.96 * error), likelihood_ratio(n, mean, fmax(variance, .25 / n), 0, 200),
         tabia_search_style(t->searches[0]), t->used[0] / (double)t->thoughts[0],
         t->used[1] / (double)t->thoughts[1], (double)t->tried[0] / (double)t->thoughts[0],
         (double)t->tried[1] / (double)t->thoughts[1]);
}

int main(int argc, char **argv) {
  table t = {0};
  uint32_t counts[3] = {0, 0, 0};
  if (argc < 7) return TABIA_MISUSE;
  const uint32_t games = (uint32_t)atoi(argv[2]);
  const unsigned seed = argc > 7 ? (unsigned)atoi(argv[7]) : 1;
  const double most = argc > 8 ? atof(argv[8]) : HUGE_VAL;
  const char *second = strchr(argv[3], ':');
  t.budgets[0] = argv[3];
  t.budgets[1] = second ? second + 1 : argv[3];
  open_table(&t, argv[1]);
  for (uint32_t i = 0; i < 2; i++) open_search(&t, i, argv[5 + i], atof(argv[4]));
  for (uint32_t game = 0; game < games && (game % 2 || processor_seconds() < most); game++) {
    srand(seed * 1000003 + game / 2);
    const double score = play_game(&t, game);
    counts[score > .75 ? 0 : score > .25 ? 1 : 2]++;
    fputc(score > .75 ? '+' : score > .25 ? '=' : '-', stderr);
  }
  fputc('\n', stderr);
  show(&t, counts);
  return TABIA_OK;
}
