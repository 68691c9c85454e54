/* list_codes VERSION OUTPUT: writes the manual page of diagnostics from the table that the
   checker itself uses. */
#include <stdio.h>
#include <stdlib.h>

typedef struct row {
  const char *code;
  const char *name;
  const char *summary;
} row;

static const row rows[] = {
#define DIAG(code, severity, name, summary) {#code, name, summary},
#include "base/diag_table.def"
#undef DIAG
};

/* A minus that can be copied from the page must be written `\-`. */
static void put_roff(const char *words, FILE *out) {
  for (; *words; words++) {
    if (*words == '-' || *words == '\\') fputc('\\', out);
    fputc(*words, out);
  }
}

static void put_row(const row *r, FILE *out) {
  fprintf(out, ".TP\n.B %s ", r->code);
  put_roff(r->name, out);
  fputc('\n', out);
  put_roff(r->summary, out);
  fputc('\n', out);
}

static void put_page(const char *version, FILE *out) {
  fprintf(out, ".TH TABIA\\-CODES 7 \"\" \"tabia %s\"\n", version);
  fputs(".SH NAME\ntabia\\-codes \\- the diagnostics of tabia\n", out);
  fputs(".SH DESCRIPTION\nEvery diagnostic has a code that never changes its meaning.\n"
        "A code with\n.B E\nis an error: the rulesheet is rejected.\n"
        "A code with\n.B W\nis a warning.\n"
        "The first digit tells what the fault is about: 1 syntax, 2 keywords, 3 relations and\n"
        "functions, 4 variables, 5 conditions on whole programs, 6 the game, 7 reading files,\n"
        "8 grounding and running.\n.SH CODES\n",
        out);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) put_row(&rows[i], out);
  fputs(".SH SEE ALSO\n.BR tabia (1)\n", out);
}

int main(int argc, char **argv) {
  FILE *out = argc == 3 ? fopen(argv[2], "w") : NULL;
  if (!out) {
    fputs("usage: list_codes VERSION OUTPUT\n", stderr);
    return EXIT_FAILURE;
  }
  put_page(argv[1], out);
  return fclose(out) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
