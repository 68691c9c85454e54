#include "cli/completion.h"

#include "cli/command.h"
#include "tabia.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef const char *name_of(uint32_t i);

static void show_table(uint32_t count, name_of *name, name_of *summary) {
  for (uint32_t i = 0; i < count; i++) printf("%s\t%s\n", name(i), summary(i));
}

static void show_machines(void) {
  puts("auto\tthe fastest for the purpose");
  show_table(tabia_kind_count(), tabia_kind_name, tabia_kind_summary);
}

static void show_compared(void) {
  puts("all\tall but `reference`, which they are compared with");
  show_table(tabia_kind_count(), tabia_kind_name, tabia_kind_summary);
}

static void show_properties(void) {
  show_table(tabia_property_count(), tabia_property_name, tabia_property_summary);
}

static void show_methods(void) {
  show_table(tabia_method_count(), tabia_method_name, tabia_method_summary);
}

static void show_codes(void) {
  show_table(tabia_code_count(), tabia_code, tabia_code_summary);
  show_table(tabia_code_count(), tabia_code_name, tabia_code_summary);
}

static void show_games(void) {
  for (uint32_t i = 0; i < tabia_game_count(); i++)
    if (!tabia_game_is_faulty(i)) printf("%s\ta built-in game\n", tabia_game_name(i));
}

static void show_benches(void) { puts("read\tthe reader\nplay\trandom games on every machine"); }

typedef struct place {
  const char *command; /* NULL: any */
  const char *word;    /* an option, or "" for an operand */
  void (*show)(void);
} place;

/* The first that fits counts. */
static const place places[] = {
    {NULL, "--machine", show_machines},
    {"verify", "--machines", show_compared},
    {NULL, "--property", show_properties},
    {"prove", "-p", show_properties},
    {"prove", "--method", show_methods},
    {"prove", "-m", show_methods},
    {"check", "--warn", show_codes},
    {"check", "-W", show_codes},
    {"check", "--explain", show_codes},
    {"show", "", show_stages_list},
    {"export", "", export_kinds_list},
    {"bench", "", show_benches},
    {"machines", "", NULL},
    {NULL, "", show_games},
};

static bool fits(const place *p, const char *command, const char *word) {
  return (!p->command || strcmp(p->command, command) == 0) && strcmp(p->word, word) == 0;
}

int completion_show(int argc, char **argv) {
  const size_t count = sizeof places / sizeof *places;
  size_t i = 0;
  if (argc != 3) return EXIT_USAGE;
  while (i < count && !fits(&places[i], argv[1], argv[2])) i++;
  if (i < count && places[i].show) places[i].show();
  return EXIT_YES;
}
