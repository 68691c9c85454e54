/* Which relation depends on which, as a hierarchy of calls: the rules of a relation call the
   relations in their bodies. */
#include "lsp/lsp_json.h"
#include "lsp/lsp_words.h"

static bool is_relation(const tabia_source *s, uint32_t thing) {
  if (thing == TABIA_NOTHING) return false;
  const tabia_word_kind kind = tabia_thing_kind(s, thing);
  return kind == TABIA_WORD_RELATION || kind == TABIA_WORD_KEYWORD;
}

static uint32_t first_definition(const tabia_source *s, uint32_t thing) {
  for (uint32_t i = 0; i < tabia_thing_word_count(s, thing); i++)
    if (tabia_word_defines(s, tabia_thing_word(s, thing, i))) return tabia_thing_word(s, thing, i);
  return tabia_thing_word(s, thing, 0);
}

static json_t *item_json(lsp_document *d, const tabia_source *s, uint32_t thing) {
  const uint32_t word = first_definition(s, thing);
  const char *name = tabia_thing_name(s, thing);
  size_t start, end, from = 0, to = 0;
  tabia_word_range(s, word, &start, &end);
  if (tabia_word_clause(s, word) != TABIA_NOTHING)
    tabia_clause_range(s, tabia_word_clause(s, word), &from, &to);
  return json_pack("{so si ss so so s{so si}}", "name", lsp_text_json(name, strlen(name)), "kind",
                   12, "uri", d->uri, "range", lsp_range_json(d, from, to), "selectionRange",
                   lsp_range_json(d, start, end), "data", "name", lsp_text_json(name, strlen(name)),
                   "arity", (int)tabia_thing_arity(s, thing));
}

json_t *on_prepare_hierarchy(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_target t;
  if (!lsp_find_target(s, params, &t, f)) return NULL;
  if (!is_relation(t.source, t.thing)) return json_null();
  return json_pack("[o]", item_json(t.document, t.source, t.thing));
}

/* The thing that an item of ours is about; TABIA_NOTHING: the text has it no more. */
static uint32_t find_item(lsp_server *s, const json_t *params, lsp_document **d) {
  const char *name = lsp_string(params, "item.data.name");
  const json_t *arity = lsp_member(params, "item.data.arity");
  *d = lsp_document_of_uri(s, lsp_string(params, "item.uri"));
  const tabia_source *source = *d ? lsp_document_source(*d) : NULL;
  for (uint32_t i = 0; source && name && i < tabia_source_thing_count(source); i++)
    if (is_relation(source, i) && tabia_thing_word_count(source, i) &&
        strcmp(tabia_thing_name(source, i), name) == 0 &&
        tabia_thing_arity(source, i) == (uint32_t)json_integer_value(arity))
      return i;
  return TABIA_NOTHING;
}

/* Calls with one other relation, under its number. */
static void add_call(json_t *calls, lsp_document *d, const tabia_source *s, uint32_t other,
                     uint32_t word, const char *direction) {
  char key[16];
  size_t start, end;
  snprintf(key, sizeof key, "%u", other);
  json_t *call = json_object_get(calls, key);
  if (!call) {
    call = json_pack("{so s[]}", direction, item_json(d, s, other), "fromRanges");
    json_object_set_new(calls, key, call);
  }
  tabia_word_range(s, word, &start, &end);
  json_array_append_new(json_object_get(call, "fromRanges"), lsp_range_json(d, start, end));
}

static json_t *listed(json_t *calls) {
  json_t *all = json_array();
  const char *key;
  json_t *call;
  json_object_foreach(calls, key, call) json_array_append(all, call);
  json_decref(calls);
  return all;
}

static uint32_t head_thing(const tabia_source *s, uint32_t clause) {
  const uint32_t head = clause == TABIA_NOTHING ? TABIA_NOTHING : tabia_clause_head(s, clause);
  return head == TABIA_NOTHING ? TABIA_NOTHING : tabia_word_thing(s, head);
}

json_t *on_incoming_calls(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id, (void)f;
  lsp_document *d;
  const uint32_t thing = find_item(s, params, &d);
  if (thing == TABIA_NOTHING) return json_array();
  const tabia_source *source = lsp_document_source(d);
  json_t *calls = json_object();
  for (uint32_t i = 0; i < tabia_thing_word_count(source, thing); i++) {
    const uint32_t word = tabia_thing_word(source, thing, i);
    const uint32_t caller = head_thing(source, tabia_word_clause(source, word));
    if (tabia_word_defines(source, word) || !is_relation(source, caller)) continue;
    add_call(calls, d, source, caller, word, "from");
  }
  return listed(calls);
}

json_t *on_outgoing_calls(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id, (void)f;
  lsp_document *d;
  const uint32_t thing = find_item(s, params, &d);
  if (thing == TABIA_NOTHING) return json_array();
  const tabia_source *source = lsp_document_source(d);
  json_t *calls = json_object();
  for (uint32_t i = 0; i < tabia_source_word_count(source); i++) {
    const uint32_t called = tabia_word_thing(source, i);
    if (tabia_word_defines(source, i) || !is_relation(source, called)) continue;
    if (head_thing(source, tabia_word_clause(source, i)) == thing)
      add_call(calls, d, source, called, i, "to");
  }
  return listed(calls);
}
