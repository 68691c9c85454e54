/* Formatting, folding, and what to select around a place. */
#include "lsp/lsp_json.h"
#include "lsp/lsp_server.h"

/* ---- formatting ---- */

static void take_text(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

/* The text laid out in its own notation; false: it is not in the language, or in the other one. */
static bool lay_out(const char *bytes, size_t length, const char *notation, text *out) {
  tabia_rules *rules = NULL;
  const bool can = tabia_rules_read_text(&rules, "", bytes, length, NULL) == TABIA_OK &&
                   (!notation || strcmp(tabia_rules_notation(rules), notation) == 0) &&
                   tabia_rules_format(rules, "same", take_text, out, NULL) == TABIA_OK;
  tabia_rules_free(rules);
  return can;
}

/* One edit for what differs between the old bytes and the new: none, if nothing does. */
static json_t *edits_between(lsp_document *d, size_t start, size_t end, const char *bytes,
                             size_t length) {
  const char *old = d->words.bytes;
  size_t from = 0;
  while (start < end && from < length && old[start] == bytes[from]) start++, from++;
  while (start && from && old[start - 1] != '\n') start--, from--; /* whole lines */
  while (start < end && from < length && old[end - 1] == bytes[length - 1]) end--, length--;
  json_t *edits = json_array();
  if (start == end && from == length) return edits;
  while (end < d->words.length && ((uint8_t)old[end] & 0xc0) == 0x80) end++, length++;
  json_array_append_new(edits, lsp_edit_json(d, start, end, bytes + from, length - from));
  return edits;
}

json_t *on_formatting(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_document *d = lsp_find_document(s, params, f);
  if (!d) return NULL;
  arena *scratch = arena_new();
  text out = text_new(scratch);
  json_t *edits;
  if (lay_out(d->words.bytes, d->words.length, NULL, &out))
    edits = edits_between(d, 0, d->words.length, out.bytes ? out.bytes : "", out.length);
  else
    edits = lsp_fail(f, LSP_REQUEST_FAILED, "a text with syntax errors is left as it is");
  arena_free(scratch);
  return edits;
}

/* Lays out the clauses from `first` to `last` as if they were the whole text. */
static json_t *format_clauses(lsp_document *d, const tabia_source *s, uint32_t first,
                              uint32_t last) {
  arena *scratch = arena_new();
  text out = text_new(scratch);
  size_t start, end, unused;
  tabia_clause_range(s, first, &start, &unused);
  tabia_clause_range(s, last, &unused, &end);
  if (d->words.bytes[end] == '.') end++; /* the stop of the infix notation */
  json_t *edits = NULL;
  if (lay_out(d->words.bytes + start, end - start, tabia_rules_notation(d->rules), &out)) {
    while (out.length && out.bytes[out.length - 1] == '\n') out.bytes[--out.length] = '\0';
    edits = edits_between(d, start, end, out.bytes ? out.bytes : "", out.length);
  }
  arena_free(scratch);
  return edits ? edits : json_array();
}

json_t *on_range_formatting(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  size_t start, end;
  lsp_document *d = lsp_find_range(s, params, &start, &end, f);
  if (!d) return NULL;
  const tabia_source *source = lsp_document_source(d);
  uint32_t first = TABIA_NOTHING, last = 0;
  for (uint32_t i = 0; source && i < tabia_source_clause_count(source); i++) {
    size_t from, to;
    tabia_clause_range(source, i, &from, &to);
    if (to < start || from > end) continue;
    if (first == TABIA_NOTHING) first = i;
    last = i;
  }
  return first == TABIA_NOTHING ? json_array() : format_clauses(d, source, first, last);
}

/* The clause that was closed by what was typed; none, while it is still open. */
json_t *on_type_formatting(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_target t;
  size_t start, end;
  if (!lsp_find_target(s, params, &t, f)) return NULL;
  size_t at = t.offset;
  while (at && strchr(" \t\r\n", t.document->words.bytes[at - 1])) at--;
  if (at && t.document->words.bytes[at - 1] == '.') at--;
  const uint32_t clause = tabia_source_clause_at(t.source, at);
  if (clause == TABIA_NOTHING) return json_array();
  tabia_clause_range(t.source, clause, &start, &end);
  return end == at ? format_clauses(t.document, t.source, clause, clause) : json_array();
}

/* ---- folding ---- */

static void add_fold(json_t *all, lsp_document *d, size_t start, size_t end, const char *kind) {
  const uint32_t from = lsp_document_position(d, start).line;
  const uint32_t to = lsp_document_position(d, end).line;
  if (from >= to) return;
  json_t *fold = json_pack("{si si}", "startLine", (int)from, "endLine", (int)to);
  if (kind) json_object_set_new(fold, "kind", json_string(kind));
  json_array_append_new(all, fold);
}

/* Comments on lines one below another are one fold. */
static void fold_comments(json_t *all, lsp_document *d, const tabia_source *s) {
  size_t first = 0, last = 0;
  bool has_some = false;
  for (uint32_t i = 0; i <= tabia_source_word_count(s); i++) {
    const bool is_comment =
        i < tabia_source_word_count(s) && tabia_word_kind_of(s, i) == TABIA_WORD_COMMENT;
    size_t start = 0, end = 0;
    if (is_comment) tabia_word_range(s, i, &start, &end);
    const bool goes_on =
        is_comment && has_some &&
        lsp_document_position(d, start).line <= lsp_document_position(d, last).line + 1;
    if (has_some && !goes_on) add_fold(all, d, first, last, "comment");
    if (is_comment && !goes_on) first = start;
    if (is_comment) last = end;
    has_some = is_comment;
  }
}

json_t *on_folding_range(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_document *d = lsp_find_document(s, params, f);
  const tabia_source *source = d ? lsp_document_source(d) : NULL;
  if (!source) return NULL;
  json_t *all = json_array();
  for (uint32_t i = 0; i < tabia_source_clause_count(source); i++) {
    size_t start, end;
    tabia_clause_range(source, i, &start, &end);
    add_fold(all, d, start, end, NULL);
  }
  fold_comments(all, d, source);
  return all;
}

/* ---- selection ---- */

enum { DEEPEST_SELECTION = 64 };

/* Ranges from the innermost on; each is the parent of the one before. */
static json_t *selection_json(lsp_document *d, const tabia_source *s, size_t offset) {
  size_t ranges[DEEPEST_SELECTION][2];
  uint32_t count = 0;
  size_t start = offset, end = offset;
  const uint32_t word = tabia_source_word_at(s, offset);
  if (word != TABIA_NOTHING) tabia_word_range(s, word, &start, &end);
  do {
    ranges[count][0] = start;
    ranges[count++][1] = end;
  } while (count < DEEPEST_SELECTION && tabia_source_widen(s, &start, &end));
  json_t *outer = NULL;
  while (count--) {
    json_t *one = json_pack("{so}", "range", lsp_range_json(d, ranges[count][0], ranges[count][1]));
    if (outer) json_object_set_new(one, "parent", outer);
    outer = one;
  }
  return outer;
}

json_t *on_selection_range(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_document *d = lsp_find_document(s, params, f);
  const tabia_source *source = d ? lsp_document_source(d) : NULL;
  size_t i;
  json_t *value;
  if (!source) return NULL;
  json_t *all = json_array();
  json_array_foreach(lsp_member(params, "positions"), i, value) {
    lsp_position at = {0, 0};
    lsp_read_position(value, &at);
    json_array_append_new(all, selection_json(d, source, lsp_document_offset(d, at)));
  }
  return all;
}
