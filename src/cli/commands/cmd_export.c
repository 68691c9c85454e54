/* tabia export: a game in the language of another program. */
#include "base/spelling.h"
#include "cli/stage.h"

#include <string.h>

typedef struct export_command {
  uint32_t bases;
  uint32_t encoding;
  const char *property;
  const char *output;
  limit_choice limits;
} export_command;

static const command_help help = {
    .usage = "tabia export [OPTION] KIND GAME",
    .details =
        "Writes a game in the language of another program.  KIND is one of\n"
        "  aiger            for berkeley-abc and others, which answer one question about it\n"
        "  asp              for gringo, which grounds it (`ground --method asp` runs the same, with\n"
        "                   numbers in place of names)\n"
        "  prolog           for swipl, which searches it (a minimax to a depth)\n"
        "  prolog-grounder  for swipl, which grounds it (what `ground --method prolog` runs)",
    .example = "tabia export asp tic-tac-toe | gringo --text",
};

/* The kinds are stages of the same name; each has one option. */
static const struct export_kind {
  const char *name;
  const char *option;
} kinds[] = {
    {"aiger", "property"}, {"asp", "bases"}, {"prolog", "encoding"}, {"prolog-grounder", "bases"}};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

void export_kinds_list(void) {
  for (size_t i = 0; i < KIND_COUNT; i++) puts(kinds[i].name);
}

static const struct export_kind *find_kind(const char *name) {
  for (size_t i = 0; i < KIND_COUNT; i++)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  return NULL;
}

static int complain_unknown(const char *name) {
  spelling s = spelling_of(slice_of(name));
  for (size_t i = 0; i < KIND_COUNT; i++) spelling_is_nearer(&s, slice_of(kinds[i].name));
  if (s.best.start)
    return usage_error(&help, "there is no kind `%s`; did you mean `%s`?", name, s.best.start);
  return usage_error(&help, "there is no kind `%s`", name);
}

static const char *value_of(const struct export_kind *kind, const export_command *c) {
  if (strcmp(kind->option, "property") == 0) return c->property;
  return strcmp(kind->option, "bases") == 0 ? bases_words[c->bases]
                                            : translation_words[c->encoding];
}

/* The options of the other kinds have no effect. */
static bool fits(const struct export_kind *kind, const option *options, const arguments *given,
                 int *status) {
  for (size_t i = 0; i < KIND_COUNT; i++) {
    const char *const names[] = {kinds[i].option, NULL};
    if (strcmp(kinds[i].option, kind->option) != 0 &&
        !options_have_effect(&help, options, given, names, "on this kind", status))
      return false;
  }
  return true;
}

int cmd_export(int argc, char **argv) {
  export_command c = {0};
  const option options[] = {
      CHOICE_OPTION("bases", &c.bases, bases_words, "how the program will find fluents and moves"),
      CHOICE_OPTION("encoding", &c.encoding, translation_words,
                    "for prolog: how frame rules are translated"),
      STRING_OPTION("property", &c.property, "P",
                    "for aiger: the question, as for `tabia prove` (playable)"),
      OUTPUT_OPTION(&c.output),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 2, 2, &status)) return status;
  const struct export_kind *kind = find_kind(given.items[0]);
  if (!kind) return complain_unknown(given.items[0]);
  if (!fits(kind, options, &given, &status)) return status;
  if (session_begin(&s, &c.limits, &help, &status) && session_read(&s, given.items[1], &status)) {
    tabia_options_set(s.options, kind->option, value_of(kind, &c));
    status = stage_write(&s, kind->name, c.output);
  }
  return session_end(&s, status);
}
