#include "cli/machine_load.h"

#include "base/spelling.h"
#include "cli/command.h"

#include <string.h>

/* ---- options ---- */

const char *const encoding_choices[] = {"original", "direct", "pruned", "auto", NULL};

static bool check_machine_name(const char *name, const command_help *help, int *status) {
  if (!name || strcmp(name, "auto") == 0 || machine_kind(name)) return true;
  spelling s = spelling_of(slice_of(name));
  for (const machine_ops *const *kind = machine_kinds; *kind; kind++)
    spelling_is_nearer(&s, slice_of((*kind)->name));
  *status = s.best.start ? usage_error(help, "there is no machine `%s`; did you mean `%s`?", name,
                                       s.best.start)
                         : usage_error(help, "there is no machine `%s`", name);
  return false;
}

/* ---- messages ---- */

int game_show_late(running_game *g) { return game_report_late(&g->game, &g->budget); }

int game_trouble(running_game *g, const machine_workspace *w) {
  if (w->budget) g->budget.end = w->budget->end;
  return machine_report_trouble(w, &g->game.diags) ? game_show_late(g) : EXIT_YES;
}

int game_show_fault(const running_game *g, const game_fault *f, const char *where) {
  if (f->kind == FAULT_NONE) return EXIT_YES;
  text words = text_new(g->game.scratch);
  fault_describe(f, g->m, &words);
  fprintf(stderr, "tabia: %s%s%s", where ? where : "", where ? ": " : "", text_string(&words));
  return EXIT_NO;
}

/* ---- the game ---- */

machine_source game_source(const running_game *g) {
  return (machine_source){.program = g->program,
                          .inertia_count = g->inertia_count,
                          .bulk = g->bulk,
                          .for_long = g->for_long};
}

void game_encode(running_game *g, uint32_t encoding, const char *machine) {
  g->program = &g->game.program;
  g->encoding = ENCODING_ORIGINAL;
  g->inertia_count = 0;
  if (encoding == ENCODING_ORIGINAL) return;
  const machine_source original = game_source(g);
  portfolio *p = &g->encodings;
  if (encoding == ENCODING_COUNT) {
    const portfolio_task task = {.kind = machine ? machine : "auto",
                                 .source = &original,
                                 .scope = g->scope,
                                 .depth = g->depth,
                                 .seconds = PORTFOLIO_SECONDS};
    portfolio_choose(p, &task, g->game.keep, &g->budget);
    encoding = p->best;
  } else {
    frame_encode(&p->encodings[encoding], &g->game.program, (frame_encoding)encoding, g->scope,
                 g->game.keep, &g->budget);
  }
  g->program = p->encodings[encoding].program;
  g->encoding = p->encodings[encoding].used;
  g->inertia_count = p->encodings[encoding].frame.inertia_count;
}

static bool open_machine(running_game *g, const char *kind, int *status) {
  const machine_source source = game_source(g);
  g->m = machine_open(kind ? kind : "auto", &source, &g->budget, &g->game.diags);
  if (g->m)
    g->w = machine_workspace_new(g->m, &g->budget);
  else
    *status = game_show_late(g);
  return g->m;
}

bool game_run(running_game *g, const char *name, const machine_options *o, const command_help *help,
              int *status) {
  *g = (running_game){
      .bulk = o->bulk, .for_long = o->for_long, .depth = o->depth, .scope = o->scope};
  if (!check_machine_name(o->machine, help, status)) return false;
  if (!limits_begin(&g->budget, &o->limits, help, status)) return false;
  const load_depth depth = o->only_sound ? LOAD_CHECK : LOAD_PROGRAM;
  if (!game_load_sound(&g->game, name, depth, status)) return false;
  game_encode(g, o->encoding, o->machine);
  return open_machine(g, o->machine, status);
}

void game_stop(running_game *g) {
  if (g->m) machine_workspace_free(g->m, g->w);
  machine_close(g->m);
  game_free(&g->game);
}
