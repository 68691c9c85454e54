/* tabia playout: random games, counted. */
#include "search/playout.h"

#include "base/json.h"
#include "cli/command.h"
#include "cli/machine_load.h"

#include <math.h>

static const command_help help = {
    .usage = "tabia playout [OPTION] GAME",
    .details = "Plays random games and tells how long they are, who wins, and how fast it went.  A game\n"
               "in which a role cannot move, or ends with several goals or none, is not counted.",
    .example = "tabia playout -n 100 tic-tac-toe",
};

typedef struct playout_command {
  machine_options machine;
  playout_options play;
  uint64_t threads;
  bool as_json;
} playout_command;

/* ---- figures ---- */

static double per(double sum, uint64_t count) { return count ? sum / (double)count : 0; }

static double mean_length(const playout_summary *s) { return per((double)s->states, s->playouts); }

static double deviation(const playout_summary *s) {
  const double mean = mean_length(s);
  const double variance = per((double)s->length_squares, s->playouts) - mean * mean;
  return variance > 0 ? sqrt(variance) : 0;
}

static double a_second(uint64_t count, double seconds) {
  return seconds > 0 ? (double)count / seconds : 0;
}

static uint64_t bad_goals(const playout_summary *s) {
  return s->faults[FAULT_NO_GOAL] + s->faults[FAULT_SEVERAL_GOALS];
}

/* ---- for people ---- */

static void put_role(const char *name, const role_score *r, uint64_t playouts) {
  printf("%s: mean goal %.3f;", name, per((double)r->sum, playouts));
  for (int value = 0; value < GOAL_VALUES; value++)
    if (r->histogram[value]) printf(" %d: %llu", value, (unsigned long long)r->histogram[value]);
  putchar('\n');
}

static void put_uncounted(uint64_t count, const char *why) {
  if (count) printf("%llu not counted: %s\n", (unsigned long long)count, why);
}

static void put_as_text(const machine *m, const playout_summary *s) {
  printf("%llu playouts, %llu states in %.3f s on %s: %.0f playouts, %.0f states a second\n",
         (unsigned long long)s->playouts, (unsigned long long)s->states, s->time, m->ops->name,
         a_second(s->playouts, s->time), a_second(s->states, s->time));
  printf("length: mean %.5f, deviation %.3f, shortest %llu, longest %llu\n", mean_length(s),
         deviation(s), (unsigned long long)s->shortest, (unsigned long long)s->longest);
  for (uint32_t i = 0; i < m->role_count; i++) put_role(m->roles[i], &s->roles[i], s->playouts);
  put_uncounted(s->faults[FAULT_STUCK], "a role could not move");
  put_uncounted(bad_goals(s), "a role had several goals or none");
  put_uncounted(s->too_long, "longer than --max-steps");
}

/* ---- for programs ---- */

static void write_histogram(json_writer *w, const role_score *r) {
  char value[12];
  json_open_object(w, "histogram");
  for (int i = 0; i < GOAL_VALUES; i++) {
    if (!r->histogram[i]) continue;
    snprintf(value, sizeof value, "%d", i);
    json_integer(w, value, (int64_t)r->histogram[i]);
  }
  json_close_object(w);
}

static void write_goals(json_writer *w, const machine *m, const playout_summary *s) {
  json_open_object(w, "goals");
  for (uint32_t i = 0; i < m->role_count; i++) {
    json_open_object(w, m->roles[i]);
    json_number(w, "mean", per((double)s->roles[i].sum, s->playouts));
    write_histogram(w, &s->roles[i]);
    json_close_object(w);
  }
  json_close_object(w);
}

static void write_lengths(json_writer *w, const playout_summary *s) {
  json_number(w, "mean_length", mean_length(s));
  json_number(w, "length_deviation", deviation(s));
  json_integer(w, "shortest", (int64_t)s->shortest);
  json_integer(w, "longest", (int64_t)s->longest);
}

static void put_as_json(const machine *m, const playout_summary *s, arena *scratch) {
  text out = text_new(scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_string(&w, "machine", m->ops->name);
  json_integer(&w, "playouts", (int64_t)s->playouts);
  json_integer(&w, "states", (int64_t)s->states);
  json_number(&w, "seconds", s->time);
  json_number(&w, "playouts_per_second", a_second(s->playouts, s->time));
  json_number(&w, "states_per_second", a_second(s->states, s->time));
  write_lengths(&w, s);
  write_goals(&w, m, s);
  json_integer(&w, "stuck", (int64_t)s->faults[FAULT_STUCK]);
  json_integer(&w, "bad_goals", (int64_t)bad_goals(s));
  json_integer(&w, "too_long", (int64_t)s->too_long);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static int show_fault(const running_game *g, const playout_command *c, const playout_summary *s) {
  text where = text_new(g->game.scratch);
  text_add_format(&where, "playout %llu of seed %llu", (unsigned long long)s->first_fault,
                  (unsigned long long)c->play.seed);
  return game_show_fault(g, &s->fault, text_string(&where));
}

static int play(running_game *g, playout_command *c) {
  progress p = progress_on_stderr(true);
  playout_summary s;
  c->play.threads = (uint32_t)c->threads;
  c->play.progress = &p;
  const bool done = playouts_run(&s, g->m, &c->play, &g->budget, g->game.scratch, &g->game.diags);
  progress_done(&p);
  if (c->as_json) put_as_json(g->m, &s, g->game.scratch);
  else put_as_text(g->m, &s);
  const int fault = show_fault(g, c, &s);
  return done ? fault : game_show_late(g);
}

int cmd_playout(int argc, char **argv) {
  playout_command c = {.threads = 1, .play = {.seed = 1, .max_steps = 100000}};
  const option options[] = {
      {.letter = 'n', .name = "count", .kind = OPTION_NUMBER, .target = &c.play.count,
       .argument = "N", .help = "playouts (1000, unless --seconds is given)", .least = 1},
      {.name = "seconds", .kind = OPTION_REAL, .target = &c.play.seconds, .argument = "S",
       .help = "play for this time"},
      {.name = "seed", .kind = OPTION_NUMBER, .target = &c.play.seed, .argument = "N",
       .help = "decides the moves (1)"},
      {.name = "max-steps", .kind = OPTION_NUMBER, .target = &c.play.max_steps, .argument = "N",
       .help = "give a playout up after this many steps (100000)", .least = 1},
      {.name = "threads", .kind = OPTION_NUMBER, .target = &c.threads, .argument = "N",
       .help = "threads to play on (1)", .least = 1, .most = 1024},
      {.name = "json", .kind = OPTION_FLAG, .target = &c.as_json, .help = "print a JSON object"},
      MACHINE_OPTIONS(&c.machine),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (!c.play.count && c.play.seconds == 0) c.play.count = 1000;
  running_game g;
  if (game_run(&g, given.items[0], &c.machine, &help, &status)) status = play(&g, &c);
  game_stop(&g);
  return status;
}
