#include "lsp/lsp_tokens.h"

#include "lsp/lsp_json.h"
#include "lsp/lsp_server.h"

static const char *const names[] = {"operator",   "keyword",  "function", "struct",
                                    "enumMember", "variable", "comment",  "number"};

enum { NUMBER = 7 };

json_t *lsp_token_legend(void) {
  json_t *types = json_array();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    json_array_append_new(types, json_string(names[i]));
  return json_pack("{so s[ss]}", "tokenTypes", types, "tokenModifiers", "definition", "readonly");
}

static bool is_number(const char *at, const char *end) {
  if (at == end) return false;
  for (; at < end; at++)
    if (*at < '0' || *at > '9') return false;
  return true;
}

/* Tokens are sent as distances from the token before. */
typedef struct token_list {
  lsp_document *document;
  const tabia_source *source;
  json_t *data;
  lsp_position last;
} token_list;

static void add_part(token_list *l, size_t start, size_t end, uint32_t type, bool defines) {
  const lsp_position at = lsp_document_position(l->document, start);
  const lsp_position to = lsp_document_position(l->document, end);
  if (at.line != to.line || at.character == to.character) return;
  const uint32_t part[] = {at.line - l->last.line,
                           at.line == l->last.line ? at.character - l->last.character
                                                   : at.character,
                           to.character - at.character, type, defines};
  for (uint32_t i = 0; i < 5; i++) json_array_append_new(l->data, json_integer(part[i]));
  l->last = at;
}

/* A token is on one line: a long comment is several. */
static void add_lines(token_list *l, size_t start, size_t end, uint32_t type, bool defines) {
  const char *bytes = l->document->words.bytes;
  for (size_t at = start; at < end;) {
    size_t stop = at;
    while (stop < end && bytes[stop] != '\n' && bytes[stop] != '\r') stop++;
    add_part(l, at, stop, type, defines);
    at = stop + 1;
  }
}

static void add_token(token_list *l, uint32_t word) {
  const char *bytes = l->document->words.bytes;
  size_t start, end;
  tabia_word_range(l->source, word, &start, &end);
  uint32_t type = (uint32_t)tabia_word_kind_of(l->source, word);
  if (type == TABIA_WORD_CONSTANT && is_number(bytes + start, bytes + end)) type = NUMBER;
  add_lines(l, start, end, type, tabia_word_defines(l->source, word));
}

json_t *on_semantic_tokens(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_document *d = lsp_find_document(s, params, f);
  size_t start = 0, end = d ? d->words.length : 0;
  const json_t *range = lsp_member(params, "range");
  if (!d) return NULL;
  if (range && !lsp_read_range(range, d, &start, &end))
    return lsp_fail(f, LSP_INVALID_PARAMS, "there is no range");
  token_list l = {.document = d, .source = lsp_document_source(d), .data = json_array()};
  for (uint32_t i = 0; l.source && i < tabia_source_word_count(l.source); i++) {
    size_t from, to;
    tabia_word_range(l.source, i, &from, &to);
    if (to >= start && from <= end) add_token(&l, i);
  }
  return json_pack("{so}", "data", l.data);
}
