/* tabia verify: does a machine play as a trace says, or as the reference does? */
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

/* ---- traces ---- */

static int show_report(running_game *g, const char *path, const trace_report *r) {
  switch (r->verdict) {
    case TRACE_RIGHT:
      printf("%s: right, %u state%s\n", path, r->states, r->states == 1 ? "" : "s");
      return EXIT_YES;
    case TRACE_WRONG: printf("%s: wrong, %s", path, r->words.bytes); return EXIT_NO;
    case TRACE_UNREADABLE:
      fprintf(stderr, "tabia: %s is not a trace: %s", path, r->words.bytes);
      return EXIT_CANNOT_READ;
    case TRACE_UNDECIDED: break;
  }
  printf("%s: undecided after %u states\n", path, r->states);
  return game_trouble(g, g->w);
}

static bool load_trace(running_game *g, const char *path, source *trace) {
  diag_sink d;
  diag_sink_init(&d, g->game.scratch);
  if (source_load(trace, path, g->game.scratch, &d)) return true;
  fprintf(stderr, "tabia: %s\n", d.all.items[0].message);
  return false;
}

static int verify_trace(running_game *g, const char *path) {
  source trace;
  if (!load_trace(g, path, &trace)) return EXIT_CANNOT_READ;
  trace_report r;
  trace_verify(&r, g->m, g->w, trace.bytes, trace.length, g->game.scratch);
  const int status = show_report(g, path, &r);
  arena_clear(g->game.scratch);
  return status;
}

/* A trouble ends it all: the workspace answers no more. */
static int verify_traces(running_game *g, char **paths, int count) {
  int worst = EXIT_YES;
  for (int i = 0; i < count && !g->w->trouble.is_there; i++) {
    const int status = verify_trace(g, paths[i]);
    if (status > worst) worst = status;
  }
  return worst;
}

/* ---- machines ---- */

static int show_comparison(const machine *m, const compare_report *r) {
  if (r->same)
    printf("%s: agrees with reference in %llu games, %llu states\n", m->ops->name,
           (unsigned long long)r->games, (unsigned long long)r->states);
  else
    printf("%s: wrong, %s", m->ops->name, r->words.bytes);
  return r->same ? EXIT_YES : EXIT_NO;
}

static int compare_opened(running_game *g, const machine *m, const compare_options *o) {
  budget b = budget_new(0, 0);
  compare_report r;
  b.deadline = g->budget.deadline;
  machine_workspace *w = machine_workspace_new(m, &b);
  const bool decided = machines_compare(&r, g->m, g->w, m, w, o, g->game.scratch);
  int status = show_comparison(m, &r);
  if (!decided) status = game_trouble(g, g->w->trouble.is_there ? g->w : w);
  machine_workspace_free(m, w);
  return status;
}

static int compare_machine(running_game *g, const machine_ops *kind, const compare_options *o) {
  const machine_source source = game_source(g);
  machine *m = kind->open(&source, &g->budget, &g->game.diags);
  if (!m) {
    printf("%s: cannot run this game\n", kind->name);
    return game_show_late(g);
  }
  const int status = compare_opened(g, m, o);
  machine_close(m);
  return status;
}

/* `which` is a machine or `all`; reference needs no comparison with itself unless it is named. */
static int compare_machines(running_game *g, const char *which, const compare_options *o) {
  const bool all = strcmp(which, "all") == 0;
  int worst = EXIT_YES;
  for (const machine_ops *const *kind = machine_kinds; *kind; kind++) {
    const bool is_reference = *kind == g->m->ops;
    if (all ? is_reference : strcmp(which, (*kind)->name) != 0) continue;
    const int status = compare_machine(g, *kind, o);
    if (status > worst) worst = status;
  }
  return worst;
}

static bool machines_are_known(const char *which, int *status) {
  if (strcmp(which, "all") == 0 || machine_kind(which)) return true;
  *status = usage_error(&help, "there is no machine `%s`", which);
  return false;
}

static int run_comparison(const char *which, machine_options *m, const compare_options *o,
                          const arguments *given) {
  int status;
  running_game g;
  if (!machines_are_known(which, &status)) return status;
  if (!arguments_expect(&help, given, 1, 1, &status)) return status;
  const uint32_t encoding = m->encoding; /* reference itself plays the rules as they are */
  m->machine = "reference";
  m->encoding = ENCODING_ORIGINAL;
  if (game_run(&g, given->items[0], m, &help, &status)) {
    game_encode(&g, encoding, which);
    status = compare_machines(&g, which, o);
  }
  game_stop(&g);
  return status;
}

int cmd_verify(int argc, char **argv) {
  const char *which = NULL;
  machine_options m = {0};
  compare_options o = {.seed = 1, .games = 10, .max_steps = 1000};
  const option options[] = {{.name = "machines",
                             .kind = OPTION_STRING,
                             .target = &which,
                             .argument = "NAME",
                             .help = "compare this machine, or `all`, with reference"},
                            {.name = "games",
                             .kind = OPTION_NUMBER,
                             .target = &o.games,
                             .argument = "N",
                             .help = "random games to compare (10)"},
                            {.name = "states",
                             .kind = OPTION_NUMBER,
                             .target = &o.states,
                             .argument = "N",
                             .help = "compare this many states, in as many games as it takes"},
                            {.name = "max-steps",
                             .kind = OPTION_NUMBER,
                             .target = &o.max_steps,
                             .argument = "N",
                             .help = "steps of a random game at most (1000)"},
                            {.name = "ignore-terminal",
                             .kind = OPTION_FLAG,
                             .target = &o.ignore_terminal,
                             .help = "play on in terminal states"},
                            {.name = "seed",
                             .kind = OPTION_NUMBER,
                             .target = &o.seed,
                             .argument = "N",
                             .help = "of the random games (1)"},
                            MACHINE_OPTIONS(&m),
                            {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (which) return run_comparison(which, &m, &o, &given);
  if (!arguments_expect(&help, &given, 2, -1, &status)) return status;
  running_game g;
  if (game_run(&g, given.items[0], &m, &help, &status))
    status = verify_traces(&g, given.items + 1, given.count - 1);
  game_stop(&g);
  return status;
}
