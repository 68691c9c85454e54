/* tabia verify: does a machine play as a trace says, or as the reference does? */
#include "base/json.h"
#include "cli/command.h"
#include "cli/machine_load.h"
#include "machine/compare.h"
#include "machine/trace.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia verify [OPTION] GAME TRACE...",
    .details =
        "Replays each TRACE (as `tabia trace` writes them) and tells the first difference: what\n"
        "was expected and what was found.  With --machines, plays random games instead, on\n"
        "the machine named (or `all`) and on `reference` at once, and compares every state.",
    .example = "tabia trace nim > nim.jsonl; tabia verify nim nim.jsonl",
};

typedef struct verify_command {
  const char *which; /* machines to compare; NULL: check traces */
  machine_options machine;
  compare_options compare;
  bool as_json;
} verify_command;

/* ---- traces ---- */

static const char *verdict_name(trace_verdict v) {
  switch (v) {
    case TRACE_RIGHT: return "right";
    case TRACE_WRONG: return "wrong";
    case TRACE_UNREADABLE: return "unreadable";
    case TRACE_UNDECIDED: break;
  }
  return "undecided";
}

/* One object a line. */
static void put_report_as_json(const running_game *g, const char *path, const trace_report *r) {
  text out = text_new(g->game.scratch);
  json_writer w = json_to(&out);
  text words = r->words;
  json_open_object(&w, NULL);
  json_put_string(&w, "game", g->game.source.name);
  json_put_string(&w, "trace", path);
  json_put_string(&w, "machine", g->m->ops->name);
  json_put_string(&w, "verdict", verdict_name(r->verdict));
  json_put_integer(&w, "states", r->states);
  json_put_string(&w, "difference", words.length ? text_string(&words) : NULL);
  json_close_object(&w);
  puts(text_string(&out));
}

static int status_of(running_game *g, trace_verdict v) {
  switch (v) {
    case TRACE_RIGHT: return EXIT_YES;
    case TRACE_WRONG: return EXIT_NO;
    case TRACE_UNREADABLE: return EXIT_CANNOT_READ;
    case TRACE_UNDECIDED: break;
  }
  return game_trouble(g, g->w);
}

static void put_report(const char *path, const trace_report *r) {
  switch (r->verdict) {
    case TRACE_RIGHT: printf("%s: right, %u state%s\n", path, r->states, plural(r->states)); break;
    case TRACE_WRONG: printf("%s: wrong, %s", path, r->words.bytes); break;
    case TRACE_UNREADABLE:
      fprintf(stderr, "tabia: %s is not a trace: %s", path, r->words.bytes);
      break;
    case TRACE_UNDECIDED:
      printf("%s: undecided after %u state%s\n", path, r->states, plural(r->states));
      break;
  }
}

static bool load_trace(running_game *g, const char *path, source *trace) {
  diag_sink d;
  diag_sink_init(&d, g->game.scratch);
  if (source_load(trace, path, g->game.scratch, &d)) return true;
  fprintf(stderr, "tabia: %s\n", d.all.items[0].message);
  return false;
}

static int verify_trace(running_game *g, const char *path, bool as_json) {
  source trace;
  if (!load_trace(g, path, &trace)) return EXIT_CANNOT_READ;
  trace_report r;
  trace_verify(&r, g->m, g->w, trace.bytes, trace.length, g->game.scratch);
  if (as_json)
    put_report_as_json(g, path, &r);
  else
    put_report(path, &r);
  const int status = status_of(g, r.verdict);
  arena_clear(g->game.scratch);
  return status;
}

/* A trouble ends it all: the workspace answers no more. */
static int verify_traces(running_game *g, char **paths, int count, bool as_json) {
  int worst = EXIT_YES;
  for (int i = 0; i < count && !g->w->trouble.is_there; i++) {
    const int status = verify_trace(g, paths[i], as_json);
    if (status > worst) worst = status;
  }
  return worst;
}

/* ---- machines ---- */

/* Not decided: one of the two had trouble, of which is told elsewhere. */
static void put_comparison(const machine *m, const compare_report *r, bool decided) {
  if (r->same)
    printf("%s: %s %llu game%s, %llu state%s\n", m->ops->name,
           decided ? "agrees with reference in" : "undecided after", (unsigned long long)r->games,
           plural(r->games), (unsigned long long)r->states, plural(r->states));
  else
    printf("%s: wrong, %s", m->ops->name, r->words.bytes);
}

/* `r` is NULL when the machine cannot run the game. */
static const char *comparison_verdict(const compare_report *r, bool decided) {
  if (!r) return "not opened";
  if (!r->same) return "wrong";
  return decided ? "right" : "undecided";
}

static void put_comparison_as_json(const running_game *g, const char *name, const compare_report *r,
                                   bool decided) {
  text out = text_new(g->game.scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", g->game.source.name);
  json_put_string(&w, "machine", name);
  json_put_string(&w, "verdict", comparison_verdict(r, decided));
  if (r) {
    text words = r->words;
    json_put_integer(&w, "playouts", (int64_t)r->games);
    json_put_integer(&w, "states", (int64_t)r->states);
    json_put_string(&w, "difference", words.length ? text_string(&words) : NULL);
  }
  json_close_object(&w);
  puts(text_string(&out));
}

static int compare_opened(running_game *g, const machine *m, const verify_command *c) {
  budget b = budget_new(0, 0);
  compare_report r;
  b.deadline = g->budget.deadline;
  machine_workspace *w = machine_workspace_new(m, &b);
  const bool decided = machines_compare(&r, g->m, g->w, m, w, &c->compare, g->game.scratch);
  int status = r.same ? EXIT_YES : EXIT_NO;
  if (c->as_json)
    put_comparison_as_json(g, m->ops->name, &r, decided);
  else
    put_comparison(m, &r, decided);
  if (!decided) status = game_trouble(g, g->w->trouble.is_there ? g->w : w);
  machine_workspace_free(m, w);
  return status;
}

/* Says why a machine cannot run the game, unless the last that cannot gave the same reason. */
static int show_reason(running_game *g, diag *said) {
  const diag_sink *d = &g->game.diags;
  const diag *now = d->all.items;
  const bool is_said = d->all.count == 1 && said->message && said->kind == now->kind &&
                       said->where.start == now->where.start &&
                       strcmp(said->message, now->message) == 0;
  if (is_said && g->budget.end == BUDGET_LEFT) return EXIT_NO;
  if (d->all.count) *said = *now;
  return game_show_late(g);
}

/* `said`: why the last machine that cannot run the game cannot, if there was one. */
static int compare_machine(running_game *g, const machine_ops *kind, const verify_command *c,
                           diag *said) {
  const machine_source source = game_source(g);
  game_forget_warnings(&g->game); /* and what was said of the last machine */
  machine *m = kind->open(&source, &g->budget, &g->game.diags);
  if (!m) {
    if (c->as_json)
      put_comparison_as_json(g, kind->name, NULL, false);
    else
      printf("%s: cannot run this game\n", kind->name);
    return show_reason(g, said);
  }
  const int status = compare_opened(g, m, c);
  machine_close(m);
  return status;
}

/* Reference needs no comparison with itself unless it is named. */
static int compare_machines(running_game *g, const verify_command *c) {
  const bool all = strcmp(c->which, "all") == 0;
  int worst = EXIT_YES;
  diag said = {0};
  for (const machine_ops *const *kind = machine_kinds; *kind; kind++) {
    const bool is_reference = *kind == g->m->ops;
    if (all ? is_reference : strcmp(c->which, (*kind)->name) != 0) continue;
    const int status = compare_machine(g, *kind, c, &said);
    if (status > worst) worst = status;
  }
  return worst;
}

static bool machines_are_known(const char *which, int *status) {
  if (strcmp(which, "all") == 0 || machine_kind(which)) return true;
  *status = usage_error(&help, "there is no machine `%s`", which);
  return false;
}

static int run_comparison(verify_command *c, const arguments *given) {
  int status;
  running_game g;
  machine_options *m = &c->machine;
  if (!machines_are_known(c->which, &status)) return status;
  if (!arguments_expect(&help, given, 1, 1, &status)) return status;
  if (c->compare.ignore_terminal) m->scope = SCOPE_PLAY_ON;
  const uint32_t encoding = m->encoding; /* reference itself plays the rules as they are */
  m->machine = "reference";
  m->encoding = ENCODING_ORIGINAL;
  if (game_run(&g, given->items[0], m, &help, &status)) {
    game_encode(&g, encoding, c->which);
    status = compare_machines(&g, c);
  }
  game_stop(&g);
  return status;
}

int cmd_verify(int argc, char **argv) {
  verify_command c = {.compare = {.seed = 1, .games = 10, .max_steps = 1000}};
  compare_options *o = &c.compare;
  const option options[] = {
      STRING_OPTION("machines", &c.which, "NAME", "compare this machine, or `all`, with reference"),
      NUMBER_OPTION("games", &o->games, "N", "random games to compare (10)"),
      NUMBER_OPTION("states", &o->states, "N",
                    "compare this many states, in as many games as it takes"),
      NUMBER_OPTION("max-steps", &o->max_steps, "N", "steps of a random game at most (1000)"),
      FLAG_OPTION("ignore-terminal", &o->ignore_terminal, "play on in terminal states"),
      NUMBER_OPTION("seed", &o->seed, "N", "of the random games (1)"),
      FLAG_OPTION("json", &c.as_json, "print a JSON object for each trace or machine"),
      MACHINE_OPTIONS(&c.machine),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (c.which) return run_comparison(&c, &given);
  if (!arguments_expect(&help, &given, 2, -1, &status)) return status;
  running_game g;
  if (game_run(&g, given.items[0], &c.machine, &help, &status))
    status = verify_traces(&g, vec_from(&given, 1), given.count - 1, c.as_json);
  game_stop(&g);
  return status;
}
