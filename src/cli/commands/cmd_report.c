/* tabia report: all that is quickly known about a game, on one page. */
#include "circuit/circuit.h"
#include "cli/command.h"
#include "cli/machine_speeds.h"
#include "ground/ground.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia report [OPTION] GAME",
    .details =
        "Tells on one page whether the rules are sound, what the game is like, how large its\n"
        "rules are without variables and as gates, who wins at random, and how fast each machine\n"
        "plays it here.",
    .example = "tabia report tic-tac-toe",
};

typedef struct report_command {
  machine_options machine;
  playout_options play;
  bool as_json;
} report_command;

/* What was found. */
typedef struct report {
  const running_game *g;
  ground_stats ground;
  bool is_ground;
  const char *unground; /* why not, in words */
  uint32_t gates;       /* of its circuit; 0: none */
  double circuit_seconds;
  playout_summary played;
  machine_speed_vec speeds;
} report;

/* ---- finding it out ---- */

enum { GROUND_SECONDS = 20 };
static const size_t ground_bytes = (size_t)4 << 30;
static const double play_seconds = 0.2; /* on each machine */

/* Of the memory that the user allows, as much as that. */
static size_t least_bytes(const running_game *g, size_t bytes) {
  return g->budget.max_bytes && g->budget.max_bytes < bytes ? g->budget.max_bytes : bytes;
}

static void find_circuit(report *r, const ground_program *ground, arena *keep, budget *b,
                         diag_sink *d) {
  circuit c;
  const double begin = clock_now();
  if (!circuit_build(&c, ground, keep, b, d)) return;
  r->circuit_seconds = clock_now() - begin;
  r->gates = c.counts[c.pass_count - 1].gates;
}

/* Grounding has limits of its own, so that a game too large for it still gets a report. */
static void find_ground(report *r, running_game *g) {
  arena *keep = arena_new();
  diag_sink d;
  diag_sink_init(&d, keep);
  budget b = budget_part(&g->budget, GROUND_SECONDS);
  b.max_bytes = least_bytes(g, ground_bytes);
  budget_watch(&b, keep);
  ground_program ground;
  const ground_options o = {.method = METHOD_NATIVE, .bases = BASES_ONESTEP, .optimise = true};
  r->is_ground = ground_rules(&ground, &g->game.program, o, keep, &b, &d, &r->ground);
  if (!r->is_ground)
    r->unground = d.all.count ? arena_copy_text(g->game.scratch, d.all.items[0].message,
                                                strlen(d.all.items[0].message))
                              : "not within the limits";
  if (r->is_ground) find_circuit(r, &ground, keep, &b, &d);
  arena_free(keep);
}

static void find_speeds(report *r, running_game *g) {
  budget limits = g->budget;
  limits.progress = NULL;
  const speed_options how = {.open_seconds = GROUND_SECONDS,
                             .open_bytes = least_bytes(g, ground_bytes),
                             .play_seconds = play_seconds,
                             .seed = 1,
                             .limits = &limits};
  r->speeds = machine_speeds(&g->game.program, &how, g->game.scratch);
  if (budget_check_now(&g->budget))
    budget_report(&g->budget, &g->game.diags, "the machines were not all tried to their end");
}

/* ---- words ---- */

/* Who chooses: what random play has shown, which is not a proof. */
static const char *turns(const report *r) {
  const play_choices *c = &r->played.choices;
  if (r->played.states == 0) return "unknown";
  if (r->g->m->role_count == 1) return "alone";
  if (c->by_several == 0) return "in turn";
  return c->by_one ? "in turn and at once" : "at once";
}

static const char *unless(bool holds) { return holds ? "" : "not "; }

/* ---- for people ---- */

static void put_checks(const loaded_game *g) {
  const check_result *c = &g->check;
  printf("game          %s: %u bytes of %s\n", g->source.name, g->source.length,
         notation_name(g->tree.notation));
  printf("rules         sound, %u warning%s; %sstratified, %sallowed, %srecursion restricted, "
         "%sbounded\n",
         g->diags.warnings, plural(g->diags.warnings), unless(c->stratified), unless(c->allowed),
         unless(c->recursion_ok), unless(c->bounded));
}

static void put_roles(const report *r) {
  const machine *m = r->g->m;
  printf("roles         %u:", m->role_count);
  for (uint32_t i = 0; i < m->role_count; i++) printf(" %s", m->roles[i]);
  if (m->role_count > 1) printf("; they choose %s", turns(r));
  putchar('\n');
}

static void put_ground(const report *r) {
  const ground_stats *s = &r->ground;
  if (!r->is_ground) {
    printf("ground        %s\n", r->unground);
    return;
  }
  printf("fluents       %u\nmoves         %u\n", s->fluents, s->moves);
  printf("ground        %llu rules, %llu literals, in %.4f s\n", (unsigned long long)s->rules,
         (unsigned long long)s->literals, s->seconds_total);
  printf("circuit       %u gates, in %.4f s\n", r->gates, r->circuit_seconds);
}

static void put_goals(const report *r) {
  const machine *m = r->g->m;
  const char *before = "";
  fputs("mean goal    ", stdout);
  for (uint32_t i = 0; i < m->role_count; i++) {
    if (!playouts_has_goals(&r->played, m, i)) continue;
    printf("%s %s %.1f", before, m->roles[i], playouts_mean_goal(&r->played, i));
    before = ",";
  }
  fputs(" under random play\n", stdout);
}

static void put_play(const report *r) {
  const playout_summary *s = &r->played;
  printf("branching     %.2f joint moves in a state, on average\n", playouts_joint_moves(s));
  printf("length        %.2f steps on average, from %llu to %llu\n", playouts_mean_length(s),
         (unsigned long long)s->shortest, (unsigned long long)s->longest);
  put_goals(r);
  playouts_put_uncounted(s, "              ");
}

static void put_as_text(const report *r) {
  put_checks(&r->g->game);
  put_roles(r);
  put_ground(r);
  put_play(r);
  putchar('\n');
  machine_speeds_put(&r->speeds);
}

/* ---- for programs ---- */

static void write_checks(json_writer *w, const loaded_game *g) {
  json_put_string(w, "game", g->source.name);
  json_put_string(w, "notation", notation_name(g->tree.notation));
  json_put_integer(w, "bytes", g->source.length);
  json_put_integer(w, "warnings", g->diags.warnings);
  json_put_bool(w, "stratified", g->check.stratified);
  json_put_bool(w, "allowed", g->check.allowed);
  json_put_bool(w, "recursion_ok", g->check.recursion_ok);
  json_put_bool(w, "bounded", g->check.bounded);
}

static void write_ground(json_writer *w, const report *r) {
  if (!r->is_ground) {
    json_put_null(w, "ground");
    return;
  }
  json_open_object(w, "ground");
  json_put_integer(w, "fluents", r->ground.fluents);
  json_put_integer(w, "moves", r->ground.moves);
  json_put_integer(w, "rules", (int64_t)r->ground.rules);
  json_put_integer(w, "literals", (int64_t)r->ground.literals);
  json_put_number(w, "seconds", r->ground.seconds_total);
  json_put_integer(w, "gates", r->gates);
  json_put_number(w, "circuit_seconds", r->circuit_seconds);
  json_close_object(w);
}

static void write_play(json_writer *w, const report *r) {
  json_open_object(w, "play");
  playouts_write(w, r->g->m, &r->played);
  json_put_string(w, "turns", turns(r));
  json_put_number(w, "joint_moves", playouts_joint_moves(&r->played));
  json_close_object(w);
}

static void put_as_json(const report *r) {
  text out = text_new(r->g->game.scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  write_checks(&w, &r->g->game);
  json_open_array(&w, "roles");
  for (uint32_t i = 0; i < r->g->m->role_count; i++) json_put_string(&w, NULL, r->g->m->roles[i]);
  json_close_array(&w);
  write_ground(&w, r);
  write_play(&w, r);
  machine_speeds_write(&w, "machines", &r->speeds);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static int make_report(running_game *g, report_command *c) {
  report r = {.g = g};
  progress p = progress_on_stderr(true);
  g->budget.progress = c->play.progress = &p;
  find_ground(&r, g);
  budget playing = g->budget;
  const bool done =
      playouts_run(&r.played, g->m, &c->play, &playing, g->game.scratch, &g->game.diags);
  progress_say(&p, "playing on every machine");
  if (!budget_check_now(&g->budget)) find_speeds(&r, g);
  progress_done(&p);
  if (c->as_json)
    put_as_json(&r);
  else
    put_as_text(&r);
  const int fault = playouts_show_fault(g, &r.played, c->play.seed);
  return done && g->budget.end == BUDGET_LEFT ? fault : game_show_late(g);
}

int cmd_report(int argc, char **argv) {
  report_command c = {
      .machine = {.only_sound = true},
      .play = {.seed = 1, .count = 300, .seconds = 5, .max_steps = 100000, .threads = 1}};
  const option options[] = {
      NUMBER_OPTION("count", &c.play.count, "N", "random playouts (300)", .letter = 'n',
                    .least = 1),
      REAL_OPTION("seconds", &c.play.seconds, "S", "play no longer than this (5)"),
      NUMBER_OPTION("seed", &c.play.seed, "N", "decides the moves (1)"),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      MACHINE_OPTIONS(&c.machine),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  running_game g;
  if (game_run(&g, given.items[0], &c.machine, &help, &status)) status = make_report(&g, &c);
  game_stop(&g);
  return status;
}
