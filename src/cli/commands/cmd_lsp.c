#include "cli/command.h"
#include "cli/options.h"
#include "lsp/lsp_stdio.h"

static const command_help help = {
    .usage = "tabia lsp",
    .details =
        "Speaks the Language Server Protocol on standard input and output, for editors:\n"
        "diagnostics with quick fixes, formatting, hovers, completion, definitions, references,\n"
        "renaming, symbols, colours.  docs/lsp.md says how to set up an editor.  Ends when the\n"
        "client does; status 1 means that the client had not sent shutdown.",
    .example = "tabia lsp --stdio < /dev/null || echo 'nobody is there'"};

int cmd_lsp(int argc, char **argv) {
  bool on_stdio = false;
  const option options[] = {FLAG_OPTION("stdio", &on_stdio, "the default; some clients pass it"),
                            {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 0, 0, &status)) return status;
  return lsp_serve(stdin, stdout);
}
