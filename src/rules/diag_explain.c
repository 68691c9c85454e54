#include "rules/diag_explain.h"

#include "base/diag_choice.h"

#include <string.h>

static const code_explanation explanations[DIAG_KIND_COUNT] = {
#define EXPLAIN(code, why, faulty, mended) [DIAG_##code] = {why, faulty, mended},
#include "rules/diag_explain_table.def"
#undef EXPLAIN
};

code_explanation diag_explanation(diag_kind kind) { return explanations[kind]; }

/* Breaks words into lines that a terminal shows whole. */
static void add_wrapped(const char *words, text *out) {
  enum { WIDTH = 78 };
  size_t column = 0;
  while (*words) {
    const size_t length = strcspn(words, " ");
    if (column && column + 1 + length > WIDTH) {
      text_add_char(out, '\n');
      column = 0;
    }
    if (column) text_add_char(out, ' ');
    text_add_bytes(out, words, length);
    column += length + (column > 0);
    words += length + (words[length] == ' ');
  }
  text_add_char(out, '\n');
}

static void add_example(const char *title, const char *lines, text *out) {
  text_add_format(out, "\n%s\n", title);
  while (*lines) {
    const size_t length = strcspn(lines, "\n");
    text_add(out, "    ");
    text_add_bytes(out, lines, length);
    text_add_char(out, '\n');
    lines += length + (lines[length] == '\n');
  }
}

void diag_explain(diag_kind kind, text *out) {
  const diag_info *info = &diag_infos[kind];
  text_add_format(out, "%s %s (%s%s)\n", info->code, info->name, severity_name(info->severity),
                  diag_is_on_by_default(kind) ? "" : ", off by default");
  add_wrapped(info->summary, out);
  text_add_char(out, '\n');
  add_wrapped(explanations[kind].why, out);
  add_example("For example:", explanations[kind].faulty, out);
  add_example("Repaired:", explanations[kind].mended, out);
}
