/* Games from another start. */
#include "api/api_terms.h"

#include "rules/term_read.h"

/* Blanks in place of all but line ends, so that every other place stays what it is. */
static void wipe(char *bytes, uint32_t start, uint32_t end) {
  for (uint32_t i = start; i < end; i++)
    if (bytes[i] != '\n' && bytes[i] != '\r') bytes[i] = ' ';
}

/* Behind a clause in infix notation: its full stop too, if there is one. */
static uint32_t end_of_clause(const reading *r, uint32_t end) {
  uint32_t at = end;
  if (r->tree.notation == NOTATION_KIF) return end;
  while (at < r->source.length && strchr(" \t\r\n", r->source.bytes[at])) at++;
  return at < r->source.length && r->source.bytes[at] == '.' ? at + 1 : end;
}

static void wipe_init(const reading *r, char *bytes) {
  for (rule_id i = 0; i < r->program.rules.count; i++) {
    const rule *it = &r->program.rules.items[i];
    if (term_get(r->program.terms, it->head)->name != SYM_INIT) continue;
    const span where = tree_node(&r->tree, it->node)->where;
    wipe(bytes, where.start, end_of_clause(r, where.end));
  }
}

static void add_init(const reading *r, term_id fluent, text *out) {
  const bool is_kif = r->tree.notation == NOTATION_KIF;
  text_add(out, is_kif ? "(init " : "init(");
  term_print(r->program.terms, fluent, r->tree.notation, NULL, out);
  text_add(out, is_kif ? ")\n" : ").\n");
}

/* Names of the fluents all stand in the rules. */
static void add_start(const reading *r, const given_terms *g, text *out) {
  text_add_char(out, '\n'); /* the text may end within a comment */
  for (uint32_t i = 0; i < g->items.count; i++) {
    term_id fluent;
    if (term_read_canonical(r->program.terms, g->items.items[i].canonical, g->keep, &fluent))
      add_init(r, fluent, out);
  }
}

/* What a rule asks of `init` would change, too. */
static bool is_asked(const reading *r, tabia_messages *log) {
  if (r->program.relations.items[SYM_INIT].first_use == UINT32_MAX) return false;
  api_tell_error(log, "a rule of %s has `init` as a condition: the game cannot get another start",
                 r->source.name);
  return true;
}

static tabia_status rewrite(tabia_rules **other, reading *r, given_terms *g, tabia_messages *log) {
  if (!given_fluents_check(g, &r->program)) return TABIA_UNREADABLE;
  if (is_asked(r, log)) return TABIA_FAULTY;
  char *bytes = arena_copy_text(g->keep, r->source.bytes, r->source.length);
  text whole = text_new(g->keep);
  wipe_init(r, bytes);
  text_add_bytes(&whole, bytes, r->source.length);
  add_start(r, g, &whole);
  return api_read_text(other, r->source.name, whole.bytes, whole.length, log);
}

static tabia_status with_start(tabia_rules **other, const tabia_rules *rules, const char *name,
                               const char *words, size_t length, tabia_messages *log) {
  reading *r = reading_whole(rules, log);
  if (!r) return TABIA_FAULTY;
  given_terms g;
  const bool is_kif = given_terms_read(&g, name, words, length);
  const tabia_status status = is_kif ? rewrite(other, r, &g, log) : TABIA_UNREADABLE;
  if (g.diags.errors) api_tell(log, &g.diags, &g.source);
  given_terms_free(&g);
  reading_free(r);
  return status;
}

static tabia_status fail(tabia_rules **other, tabia_messages *log) {
  *other = NULL;
  return api_no_memory(log);
}

tabia_status tabia_rules_with_start(tabia_rules **other, const tabia_rules *rules, const char *name,
                                    const char *words, size_t length, tabia_messages *log) {
  *other = NULL;
  API_GUARDED(tabia_status, with_start(other, rules, name, words, length, log), fail(other, log));
}
