#include "cli/command.h"
#include "cli/options.h"
#include "lsp/lsp_stdio.h"

static const command_help help = {
    .usage = "tabia lsp",
    .details = "Speaks the Language Server Protocol on standard input and output, for editors:\n"
               "diagnostics with quick fixes, formatting, hovers, completion, definitions,\n"
               "references, renaming, symbols, colours.  docs/lsp.md says how editors are set up.\n"
               "It ends with the client; status 1: the client has not said shutdown before.",
    .example = "tabia lsp --stdio < /dev/null || echo 'nobody is there'"};

int cmd_lsp(int argc, char **argv) {
  bool on_stdio = false;
  const option options[] = {FLAG_OPTION("stdio", &on_stdio, "as without it: some clients say so"),
                            {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 0, 0, &status)) return status;
  return lsp_serve(stdin, stdout);
}
