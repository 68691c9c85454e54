/* tabia machines: the ways to run a game. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/options.h"
#include "tabia.h"

static const command_help help = {
    .usage = "tabia machines [OPTION]",
    .details =
        "Lists the machines that can run a game, from the fastest to the slowest.  All give the\n"
        "same answers; not every game can be run on every machine.",
    .example = "tabia machines",
};

static void list_as_json(void) {
  arena *keep = arena_new();
  text out = text_new(keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_open_array(&w, "machines");
  for (uint32_t i = 0; i < tabia_kind_count(); i++) {
    json_open_object(&w, NULL);
    json_put_string(&w, "machine", tabia_kind_name(i));
    json_put_string(&w, "summary", tabia_kind_summary(i));
    json_close_object(&w);
  }
  json_close_array(&w);
  json_close_object(&w);
  puts(text_string(&out));
  arena_free(keep);
}

static void list_as_text(void) {
  for (uint32_t i = 0; i < tabia_kind_count(); i++)
    printf("%-10s  %s\n", tabia_kind_name(i), tabia_kind_summary(i));
}

int cmd_machines(int argc, char **argv) {
  bool as_json = false;
  const option options[] = {FLAG_OPTION("json", &as_json, "print the list as JSON"), {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 0, 0, &status)) return status;
  if (as_json)
    list_as_json();
  else
    list_as_text();
  return EXIT_YES;
}
