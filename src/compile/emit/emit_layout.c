/* Indents a C text by its braces, so that the files which write it need not. */
#include "compile/emit/emit_parts.h"

#include <string.h>

/* Braces that a line opens and closes, outside strings and comments. */
typedef struct line_braces {
  uint32_t closed_first; /* before it opens any */
  int32_t balance;
} line_braces;

static line_braces braces_of(const char *line, size_t length) {
  line_braces b = {0, 0};
  bool in_string = false;
  bool has_opened = false;
  if (length >= 2 && line[0] == '/' && line[1] == '*') return b;
  for (size_t i = 0; i < length; i++) {
    if (line[i] == '\\' && in_string)
      i++;
    else if (line[i] == '"')
      in_string = !in_string;
    else if (in_string)
      continue;
    else if (line[i] == '{')
      b.balance++, has_opened = true;
    else if (line[i] == '}')
      b.balance--, b.closed_first += !has_opened;
  }
  return b;
}

void emit_indented(const text *plain, text *out) {
  int32_t depth = 0;
  const char *end = plain->bytes + plain->length;
  for (const char *at = plain->bytes; at < end;) {
    const char *next = memchr(at, '\n', (size_t)(end - at));
    if (!next) next = end;
    while (at < next && *at == ' ') at++;
    const size_t length = (size_t)(next - at);
    const line_braces b = braces_of(at, length);
    const int32_t indent = depth - (int32_t)b.closed_first;
    const bool is_label = length && at[length - 1] == ':' && !memchr(at, ' ', length);
    if (length && *at != '#' && !is_label)
      for (int32_t i = 0; i < indent; i++) text_add(out, "  ");
    text_add_bytes(out, at, length);
    text_add_char(out, '\n');
    depth += b.balance;
    at = next + 1;
  }
}
