#include "cli/game_load.h"

#include "api/builtin.h"
#include "cli/command.h"
#include "cli/diag_show.h"

#include <string.h>
#include <sys/stat.h>

static bool is_file(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

static void suggest_builtin(loaded_game *g, const char *name) {
  diag *last = g->diags.all.count ? &vec_last(&g->diags.all) : NULL;
  const char *nearest = builtin_game_nearest(name);
  if (!last || last->hint) return;
  if (nearest)
    diag_hint(&g->diags, last, "did you mean the built-in game `%s`?", nearest);
  else
    diag_hint(&g->diags, last, "`tabia games` lists the built-in games");
}

static bool load_source(loaded_game *g, const char *name) {
  const builtin_game *b = builtin_game_find(name);
  if (b && !is_file(name)) {
    g->source = source_of(name, b->text, (uint32_t)b->length);
    return true;
  }
  if (source_load(&g->source, name, g->keep, &g->diags)) return true;
  suggest_builtin(g, name);
  return false;
}

static void build(loaded_game *g, load_depth depth) {
  tree_read(&g->tree, &g->source, g->symbols, g->keep, &g->diags);
  if (depth == LOAD_TREE) return;
  rules_build(&g->program, &g->tree, g->keep, &g->diags);
  if (depth == LOAD_PROGRAM) return;
  rules_analyse(&g->analysis, &g->program, g->keep);
  if (depth == LOAD_ANALYSIS) return;
  g->check = rules_check(&g->program, &g->analysis, g->scratch, &g->diags);
}

bool game_load(loaded_game *g, const char *name, load_depth depth, uint32_t limit) {
  return game_load_chosen(g, name, depth, limit, NULL);
}

bool game_load_chosen(loaded_game *g, const char *name, load_depth depth, uint32_t limit,
                      const diag_choice *choice) {
  *g = (loaded_game){.keep = arena_new(), .scratch = arena_new()};
  diag_choice_default(&g->choice);
  g->symbols = symbols_new(g->keep);
  diag_sink_init(&g->diags, g->keep);
  g->diags.limit = limit;
  g->diags.choice = choice ? choice : &g->choice;
  g->is_readable = load_source(g, name);
  if (g->is_readable) build(g, depth);
  if (g->diags.all.count) source_index_lines(&g->source, g->keep);
  diag_sort(&g->diags);
  return g->is_readable;
}

bool game_load_sound(loaded_game *g, const char *name, load_depth depth, int *status) {
  game_load(g, name, depth, DIAG_SHOWN_OF_A_KIND);
  *status = game_report(g, false);
  return *status == EXIT_YES;
}

void game_free(loaded_game *g) {
  arena_free(g->keep);
  arena_free(g->scratch);
}

int game_report(loaded_game *g, bool with_warnings) {
  const bool lacks_lines = g->is_readable && !g->source.line_starts; /* of what was added late */
  if (g->diags.all.count && lacks_lines) source_index_lines(&g->source, g->keep);
  diag_report(&g->source, &g->diags, with_warnings ? SEVERITY_NOTE : SEVERITY_ERROR);
  if (!g->is_readable) return EXIT_CANNOT_READ;
  return g->diags.errors ? EXIT_NO : EXIT_YES;
}

/* A limit that stopped the command is told, whoever met it. */
static int report_late(loaded_game *g, const budget *b, bool with_warnings) {
  if (!g->diags.errors) budget_report(b, &g->diags, "not all was done");
  diag_sort(&g->diags);
  const int status = game_report(g, with_warnings);
  return b->end == BUDGET_LEFT ? status : EXIT_LIMIT;
}

int game_report_late(loaded_game *g, const budget *b) { return report_late(g, b, false); }

void game_forget_warnings(loaded_game *g) {
  const uint32_t limit = g->diags.limit;
  diag_sink_init(&g->diags, g->keep);
  g->diags.limit = limit;
}

int game_report_late_warnings(loaded_game *g, const budget *b) { return report_late(g, b, true); }
