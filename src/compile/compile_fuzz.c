/* Any bytes: read them as rules and compile them to C with small budgets.  What comes out must have
   balanced braces and comments, and nothing in it but printable ASCII: whatever a name says, it
   says it inside a string or a comment. */
#include "compile/compile.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
  if (!holds) abort();
}

/* Strings and comments end where they should, and braces match outside them. */
static void require_balanced(const text *c) {
  int64_t depth = 0;
  enum { IN_CODE, IN_STRING, IN_COMMENT } where = IN_CODE;
  for (size_t i = 0; i < c->length; i++) {
    const char at = c->bytes[i];
    require(at == '\n' || (at >= ' ' && at <= '~'));
    require(at != '?' || c->bytes[i + 1] != '?'); /* no trigraph */
    if (where == IN_STRING) {
      require(at != '\n');
      if (at == '\\')
        i++;
      else if (at == '"')
        where = IN_CODE;
    } else if (where == IN_COMMENT) {
      require(at != '/' || c->bytes[i + 1] != '*');
      if (at == '*' && c->bytes[i + 1] == '/') where = IN_CODE, i++;
    } else if (at == '"') {
      where = IN_STRING;
    } else if (at == '/' && c->bytes[i + 1] == '*') {
      where = IN_COMMENT, i++;
    } else {
      depth += (at == '{') - (at == '}');
      require(depth >= 0);
    }
  }
  require(where == IN_CODE && depth == 0);
}

static void compile_with(const program *p, knowledge_base kb, diag_sink *d) {
  arena *keep = arena_new();
  budget limits = budget_new(0.2, (size_t)64 << 20);
  budget_watch(&limits, keep);
  text out = text_new(keep);
  compilation c;
  const compile_options o = {.name = "fuzz", .kb = kb};
  const uint32_t errors = d->errors;
  if (compile_game(&c, p, &o, COMPILE_C, keep, &limits, d, &out))
    require_balanced(&out);
  else
    require(d->errors > errors);
  arena_free(keep);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 20000) return 0;
  arena *keep = arena_new();
  diag_sink d;
  diag_sink_init(&d, keep);
  d.limit = 20;
  source s = source_of("fuzz", arena_copy_text(keep, (const char *)data, size), (uint32_t)size);
  source_index_lines(&s, keep);
  tree t;
  program p;
  if (tree_read(&t, &s, symbols_new(keep), keep, &d) && rules_build(&p, &t, keep, &d))
    compile_with(&p, (knowledge_base)(size % 3), &d);
  arena_free(keep);
  return 0;
}
