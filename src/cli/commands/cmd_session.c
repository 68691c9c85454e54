/* tabia session: a game that is played by messages, for pages and other programs. */
#include "cli/command.h"
#include "cli/options.h"
#include "serve/play_session.h"

static const command_help help = {
    .usage = "tabia session",
    .details =
        "Reads requests from standard input, one JSON object a line, and answers each on a line:\n"
        "opens a game; gives positions after any moves, with board and legal moves; makes random\n"
        "moves; searches for moves, with thoughts on the way.  docs/serve.md has the methods.",
    .example =
        "echo '{\"id\":1,\"method\":\"open\",\"params\":{\"game\":\"nim\"}}' | tabia session",
};

int cmd_session(int argc, char **argv) {
  const option options[] = {{0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 0, 0, &status)) return status;
  play_session_run(stdin, stdout);
  return EXIT_YES;
}
