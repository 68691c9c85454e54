/* tabia games: what is inside the program. */
#include "api/builtin.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/options.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia games [OPTION] [NAME]",
    .details = "Lists the built-in games with the first line of what each says about itself.\n"
               "With NAME, prints the rules of that game.",
    .example = "tabia games tic-tac-toe > mine.kif",
};

/* The first line of the comment on top, without its marks. */
static slice title(const builtin_game *g) {
  const char *start = g->text + strspn(g->text, "; \t\n");
  return (slice){start, strcspn(start, "\n")};
}

static void list_as_text(bool faulty) {
  for (size_t i = 0; i < builtin_game_count(); i++) {
    const builtin_game *g = builtin_game_at(i);
    if (builtin_game_is_faulty(g) != faulty) continue;
    const slice words = title(g);
    printf("%-32s  %.*s\n", g->name, (int)words.length, words.start);
  }
}

static void list_as_json(bool faulty) {
  arena *keep = arena_new();
  text out = text_new(keep);
  json_writer w = json_to(&out);
  json_open_array(&w, NULL);
  for (size_t i = 0; i < builtin_game_count(); i++) {
    const builtin_game *g = builtin_game_at(i);
    if (builtin_game_is_faulty(g) != faulty) continue;
    json_open_object(&w, NULL);
    json_put_string(&w, "name", g->name);
    json_put_slice(&w, "title", title(g));
    json_put_integer(&w, "bytes", (int64_t)g->length);
    json_close_object(&w);
  }
  json_close_array(&w);
  puts(text_string(&out));
  arena_free(keep);
}

static int print_game(const char *name) {
  const builtin_game *g = builtin_game_find(name);
  if (g) {
    fwrite(g->text, 1, g->length, stdout);
    return EXIT_YES;
  }
  const char *nearest = builtin_game_nearest(name);
  fprintf(stderr, "tabia: there is no built-in game `%s`", name);
  if (nearest) fprintf(stderr, "; did you mean `%s`?", nearest);
  fputs("\n`tabia games` lists them.\n", stderr);
  return EXIT_CANNOT_READ;
}

int cmd_games(int argc, char **argv) {
  bool as_json = false, faulty = false;
  const option options[] = {
      FLAG_OPTION("faulty", &faulty, "list the faulty examples, one for each check, instead"),
      FLAG_OPTION("json", &as_json, "print the list as JSON"),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 0, 1, &status)) return status;
  if (given.count == 1) return print_game(given.items[0]);
  if (as_json)
    list_as_json(faulty);
  else
    list_as_text(faulty);
  return EXIT_YES;
}
