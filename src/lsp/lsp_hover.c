/* Hovers, and signatures. */
#include "lsp/lsp_json.h"
#include "lsp/lsp_words.h"

enum { SHOWN_VALUES = 12, SHOWN_ARGUMENTS = 32 };

static const char *kind_name(tabia_word_kind kind) {
  switch (kind) {
    case TABIA_WORD_RELATION: return "relation";
    case TABIA_WORD_FUNCTION: return "function";
    case TABIA_WORD_CONSTANT: return "constant";
    case TABIA_WORD_VARIABLE: return "variable";
    default: return "keyword";
  }
}

/* ---- what there is to say ---- */

static void add_keyword(text *out, const lsp_keyword *k, bool is_kif) {
  uint32_t count = 0;
  while (count < 2 && k->arguments[count]) count++;
  text_add(out, "```gdl\n");
  lsp_add_call(out, is_kif, k->name, k->arguments, count, NULL);
  text_add_format(out, "\n```\n%s\n", k->meaning);
}

static void add_arguments(text *out, const tabia_source *s, uint32_t word, uint32_t arity) {
  for (uint32_t i = 0; i < arity && i < SHOWN_ARGUMENTS; i++) {
    const size_t before = out->length;
    text_add_format(out, "- argument %u: ", i + 1);
    const size_t values = out->length;
    lsp_add_values(out, s, word, i, SHOWN_VALUES);
    if (out->length == values)
      out->length = before;
    else
      text_add(out, "\n");
  }
  out->bytes[out->length] = '\0';
}

static void add_counts(text *out, const tabia_source *s, uint32_t thing) {
  uint32_t rules, facts, stratum = 0;
  const char *dependence = tabia_thing_dependence(s, thing, &stratum);
  lsp_count_clauses(s, thing, &rules, &facts);
  if (dependence) text_add_format(out, "%s, stratum %u, ", dependence, stratum);
  text_add_format(out, "%u rule%s, %u fact%s, ", rules, plural(rules), facts, plural(facts));
}

static void add_thing(text *out, lsp_document *d, const lsp_target *t) {
  const tabia_source *s = t->source;
  const tabia_word_kind kind = tabia_thing_kind(s, t->thing);
  const uint32_t uses = tabia_thing_word_count(s, t->thing);
  const uint32_t arity = tabia_thing_arity(s, t->thing);
  text_add_format(out, "**%s**", tabia_thing_name(s, t->thing));
  if (arity) text_add_format(out, "/%u", arity);
  text_add_format(out, " — %s; ", kind_name(kind));
  if (kind == TABIA_WORD_RELATION) add_counts(out, s, t->thing);
  text_add_format(out, "%u occurrence%s\n\n", uses, plural(uses));
  add_arguments(out, s, t->word, arity);
  lsp_add_doc(out, d, s, t->thing);
}

/* The values of a variable that all of its places allow. */
static void add_variable_values(text *out, const lsp_target *t) {
  size_t start, end;
  uint32_t call, argument;
  tabia_word_range(t->source, t->word, &start, &end);
  if (!tabia_source_call_at(t->source, start, &call, &argument)) return;
  const size_t before = out->length;
  text_add(out, "here: ");
  const size_t values = out->length;
  lsp_add_values(out, t->source, call, argument, SHOWN_VALUES);
  if (out->length == values) out->length = before;
  out->bytes[out->length] = '\0';
}

static void describe(text *out, const lsp_target *t) {
  lsp_document *d = t->document;
  size_t start, end;
  tabia_word_range(t->source, t->word, &start, &end);
  arena *scratch = arena_new();
  const char *name = arena_copy_text(scratch, d->words.bytes + start, end - start);
  const lsp_keyword *k = lsp_keyword_named(name);
  const tabia_word_kind kind = tabia_word_kind_of(t->source, t->word);
  if (k && (kind == TABIA_WORD_KEYWORD || kind == TABIA_WORD_OPERATOR || !k->is_relation))
    add_keyword(out, k, lsp_is_kif(d));
  if (kind == TABIA_WORD_KEYWORD)
    add_arguments(out, t->source, t->word, tabia_thing_arity(t->source, t->thing));
  if (t->thing != TABIA_NOTHING && kind != TABIA_WORD_KEYWORD) add_thing(out, d, t);
  if (kind == TABIA_WORD_VARIABLE) add_variable_values(out, t);
  arena_free(scratch);
}

json_t *on_hover(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_target t;
  size_t start, end;
  if (!lsp_find_target(s, params, &t, f)) return NULL;
  if (t.word == TABIA_NOTHING || tabia_word_kind_of(t.source, t.word) == TABIA_WORD_COMMENT)
    return json_null();
  arena *scratch = arena_new();
  text out = text_new(scratch);
  describe(&out, &t);
  tabia_word_range(t.source, t.word, &start, &end);
  json_t *hover = out.length
                      ? json_pack("{so so}", "contents", lsp_markdown_json(text_string(&out)),
                                  "range", lsp_range_json(t.document, start, end))
                      : json_null();
  arena_free(scratch);
  return hover;
}

/* ---- signatures ---- */

/* Names for arguments: the keyword's own, or the values that each can have. */
static void name_arguments(const char **names, const lsp_target *t, uint32_t word, uint32_t count,
                           arena *scratch) {
  const uint32_t thing = tabia_word_thing(t->source, word);
  const char *name = thing == TABIA_NOTHING ? "" : tabia_thing_name(t->source, thing);
  const lsp_keyword *k =
      tabia_word_kind_of(t->source, word) == TABIA_WORD_KEYWORD ? lsp_keyword_named(name) : NULL;
  for (uint32_t i = 0; i < count; i++) {
    text values = text_new(scratch);
    if (k && i < 2 && k->arguments[i]) {
      names[i] = k->arguments[i];
      continue;
    }
    lsp_add_values(&values, t->source, word, i, 4);
    if (!values.length) text_add_format(&values, "%u", i + 1);
    names[i] = text_string(&values);
  }
}

static json_t *signature_json(const lsp_target *t, uint32_t word, uint32_t argument, uint32_t count,
                              arena *scratch) {
  const char **names = arena_new_array(scratch, const char *, count + 1);
  size_t(*at)[2] = arena_alloc_zero(scratch, sizeof *at * (count + 1));
  text label = text_new(scratch);
  const char *name = tabia_thing_name(t->source, tabia_word_thing(t->source, word));
  name_arguments(names, t, word, count, scratch);
  lsp_add_call(&label, lsp_is_kif(t->document), name, names, count, at);
  json_t *parameters = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(parameters,
                          json_pack("{so}", "label", lsp_text_json(names[i], strlen(names[i]))));
  return json_pack("{s[{so so}] si si}", "signatures", "label",
                   lsp_text_json(text_string(&label), label.length), "parameters", parameters,
                   "activeSignature", 0, "activeParameter", (int)argument);
}

json_t *on_signature_help(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_target t;
  uint32_t word, argument;
  if (!lsp_find_target(s, params, &t, f)) return NULL;
  if (!tabia_source_call_at(t.source, t.offset, &word, &argument) ||
      tabia_word_thing(t.source, word) == TABIA_NOTHING)
    return json_null();
  const uint32_t thing = tabia_word_thing(t.source, word);
  uint32_t count = tabia_thing_arity(t.source, thing);
  if (count <= argument) count = argument + 1;
  arena *scratch = arena_new();
  json_t *help =
      count > SHOWN_ARGUMENTS ? json_null() : signature_json(&t, word, argument, count, scratch);
  arena_free(scratch);
  return help;
}
