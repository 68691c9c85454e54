/* tabia circuit: the ground rules as gates. */
#include "cli/stage.h"

static const command_help help = {
    .usage = "tabia circuit [OPTION] GAME",
    .details =
        "Turns the ground rules into gates, and prints how many there are after each pass, or the\n"
        "gates themselves.",
    .example = "tabia circuit tic-tac-toe",
};

static const char *const format_choices[] = {"counts", "text", "dot", "json", NULL};
static const char *const formats[] = {"sizes", "text", "dot", "json"};

int cmd_circuit(int argc, char **argv) {
  uint32_t format = 0;
  const char *path = NULL;
  bool as_json = false;
  limit_choice limits = {0};
  const option options[] = {
      CHOICE_OPTION("format", &format, format_choices, "sizes after each pass, or the gates"),
      OUTPUT_OPTION(&path),
      FLAG_OPTION("json", &as_json, "the sizes after each pass as one JSON object"),
      SESSION_LIMITS(&limits),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (as_json && format)
    return usage_error(&help, "--json prints the sizes; --format json alone writes the gates");
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  session s;
  if (session_begin(&s, &limits, &help, &status) && session_read(&s, given.items[0], &status)) {
    tabia_options_set(s.options, "format", as_json ? "sizes-json" : formats[format]);
    status = stage_write(&s, "circuit", path);
  }
  return session_end(&s, status);
}
