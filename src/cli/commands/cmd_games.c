/* tabia games: what is inside the program. */
#include "base/json.h"
#include "base/spelling.h"
#include "cli/command.h"
#include "cli/options.h"
#include "tabia.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia games [OPTION] [NAME]",
    .details =
        "Lists the built-in games, each with the first line of its text.  With NAME, prints the\n"
        "rules of that game.",
    .example = "tabia games tic-tac-toe > mine.kif",
};

/* The first line of the comment on top, without its marks. */
static slice title(uint32_t game) {
  size_t length;
  const char *words = tabia_game_text(game, &length);
  const char *start = words + strspn(words, "; \t\n");
  return (slice){start, strcspn(start, "\n")};
}

static void list_as_text(bool faulty) {
  for (uint32_t i = 0; i < tabia_game_count(); i++) {
    if (tabia_game_is_faulty(i) != faulty) continue;
    const slice words = title(i);
    printf("%-32s  %.*s\n", tabia_game_name(i), (int)words.length, words.start);
  }
}

static void write_game(json_writer *w, uint32_t i) {
  size_t length;
  tabia_game_text(i, &length);
  json_open_object(w, NULL);
  json_put_string(w, "game", tabia_game_name(i));
  json_put_slice(w, "title", title(i));
  json_put_integer(w, "bytes", (int64_t)length);
  json_close_object(w);
}

static void list_as_json(bool faulty) {
  arena *keep = arena_new();
  text out = text_new(keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_open_array(&w, "games");
  for (uint32_t i = 0; i < tabia_game_count(); i++)
    if (tabia_game_is_faulty(i) == faulty) write_game(&w, i);
  json_close_array(&w);
  json_close_object(&w);
  puts(text_string(&out));
  arena_free(keep);
}

static int complain_unknown(const char *name) {
  spelling s = spelling_of(slice_of(name));
  for (uint32_t i = 0; i < tabia_game_count(); i++)
    spelling_is_nearer(&s, slice_of(tabia_game_name(i)));
  fprintf(stderr, "tabia: there is no built-in game `%s`", name);
  if (s.best.start) fprintf(stderr, "; did you mean `%s`?", s.best.start);
  fputs("\n`tabia games` lists them.\n", stderr);
  return EXIT_CANNOT_READ;
}

static int print_game(const char *name) {
  size_t length;
  const char *words = tabia_game_text(tabia_game_find(name), &length);
  if (!words) return complain_unknown(name);
  fwrite(words, 1, length, stdout);
  return EXIT_YES;
}

static const char *const of_lists[] = {"json", "faulty", NULL};

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
  if (given.count == 1 &&
      !options_have_effect(&help, options, &given, of_lists, "on one game", &status))
    return status;
  if (given.count == 1) return print_game(given.items[0]);
  if (as_json)
    list_as_json(faulty);
  else
    list_as_text(faulty);
  return EXIT_YES;
}
