#include "rules/relayout.h"

#include <string.h>

static const char *rules_text(const program *p, arena *keep) {
  text out = text_new(keep);
  for (rule_id r = 0; r < p->rules.count; r++) {
    rule_print_numbered(p, r, NOTATION_KIF, &out);
    text_add_char(&out, '\n');
  }
  return text_string(&out);
}

/* Reads the result again and compares, unless the limits are reached. */
static bool says_the_same(const program *p, const text *result, budget *limits) {
  if (budget_check_now(limits)) return true;
  arena *keep = arena_new();
  diag_sink d;
  diag_sink_init(&d, keep);
  const source s = source_of("", result->bytes, (uint32_t)result->length);
  tree t;
  program again;
  tree_read(&t, &s, symbols_new(keep), keep, &d);
  rules_build(&again, &t, keep, &d);
  const bool same =
      budget_check_now(limits) || strcmp(rules_text(&again, keep), rules_text(p, keep)) == 0;
  arena_free(keep);
  return same;
}

static bool has_syntax_errors(const diag_sink *d) {
  for (uint32_t i = 0; i < d->all.count; i++)
    if (strncmp(diag_infos[d->all.items[i].kind].code, "E1", 2) == 0) return true;
  return false;
}

bool rules_can_be_laid_out(const program *p, notation n, const diag_sink *d) {
  return !has_syntax_errors(d) && (n == p->tree->notation || d->errors == 0);
}

bool rules_lay_out(const program *p, notation n, budget *limits, text *out) {
  tree_format(p->tree, (format_options){.notation = n}, out);
  return says_the_same(p, out, limits);
}
