/* tabia bases: what can be true, and what can be done. */
#include "cli/stage.h"

static const command_help help = {
    .usage = "tabia bases [OPTION] GAME",
    .details =
        "Prints a base fact for every fluent that may ever be true and an input fact for every\n"
        "move that may ever be made.",
    .example = "tabia bases tic-tac-toe",
};

int cmd_bases(int argc, char **argv) {
  uint32_t method = 0;
  bool as_json = false;
  limit_choice limits = {0};
  const option options[] = {
      CHOICE_OPTION("bases", &method, bases_words, "how fluents and moves are found"),
      FLAG_OPTION("json", &as_json, "print a JSON object"),
      SESSION_LIMITS(&limits),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  session s;
  if (session_begin(&s, &limits, &help, &status) && session_read(&s, given.items[0], &status)) {
    tabia_options_set(s.options, "bases", bases_words[method]);
    tabia_options_set(s.options, "format", as_json ? "json" : "kif");
    status = stage_write(&s, "bases", NULL);
  }
  return session_end(&s, status);
}
