#include "lsp/lsp_document.h"

lsp_document *lsp_document_new(const char *uri, lsp_encoding encoding) {
  arena *keep = arena_new();
  lsp_document *d = arena_alloc_zero(keep, sizeof *d);
  *d = (lsp_document){.keep = keep,
                      .uri = arena_copy_text(keep, uri, strlen(uri)),
                      .encoding = encoding,
                      .text_keep = arena_new(),
                      .line_keep = arena_new()};
  d->words = text_new(d->text_keep);
  return d;
}

static void forget(lsp_document *d) {
  tabia_source_free(d->source);
  tabia_rules_free(d->rules);
  d->source = NULL;
  d->rules = NULL;
  lsp_document_forget_messages(d);
  d->lines.count = 0;
}

void lsp_document_forget_messages(lsp_document *d) {
  tabia_messages_free(d->messages);
  d->messages = NULL;
}

void lsp_document_free(lsp_document *d) {
  if (!d) return;
  forget(d);
  arena_free(d->text_keep);
  arena_free(d->line_keep);
  arena_free(d->keep);
}

/* ---- the text ---- */

void lsp_document_set(lsp_document *d, const char *bytes, size_t length) {
  forget(d);
  d->revision++;
  arena_clear(d->text_keep);
  d->words = text_new(d->text_keep);
  text_add_bytes(&d->words, bytes, length);
}

void lsp_document_replace(lsp_document *d, size_t start, size_t end, const char *bytes,
                          size_t length) {
  text *t = &d->words;
  assert(start <= end && end <= t->length);
  forget(d);
  d->revision++;
  const size_t after = t->length - (end - start) + length;
  if (after >= t->capacity) text_grow(t, after - t->length);
  memmove(t->bytes + start + length, t->bytes + end, t->length - end);
  if (length) memcpy(t->bytes + start, bytes, length);
  t->length = after;
  t->bytes[t->length] = '\0';
}

/* ---- lines: LF, CR LF, or CR alone end them ---- */

static void index_lines(lsp_document *d) {
  if (d->lines.count) return;
  const char *bytes = d->words.bytes;
  vec_push(d->line_keep, &d->lines, 0);
  for (size_t i = 0; i < d->words.length; i++) {
    if (bytes[i] != '\n' && bytes[i] != '\r') continue;
    if (bytes[i] == '\r' && bytes[i + 1] == '\n') continue;
    vec_push(d->line_keep, &d->lines, i + 1);
  }
}

/* ---- characters ---- */

/* The bytes of the character at `at`, 1 where it is no UTF-8. */
static size_t character_length(const char *at, const char *end) {
  const uint8_t first = (uint8_t)*at;
  const size_t length = first < 0x80             ? 1
                        : first >= 0xf0          ? 4
                        : first >= 0xe0          ? 3
                        : (first & 0xe0) == 0xc0 ? 2
                                                 : 1;
  if (length > (size_t)(end - at)) return 1;
  for (size_t i = 1; i < length; i++)
    if (((uint8_t)at[i] & 0xc0) != 0x80) return 1;
  return length;
}

static uint32_t units_of(const lsp_document *d, size_t bytes) {
  if (d->encoding == LSP_UTF8) return (uint32_t)bytes;
  return bytes == 4 ? 2 : 1;
}

static bool ends_line(char c) { return c == '\n' || c == '\r'; }

size_t lsp_document_offset(lsp_document *d, lsp_position at) {
  index_lines(d);
  if (at.line >= d->lines.count) return d->words.length;
  const char *end = d->words.bytes + d->words.length;
  const char *p = d->words.bytes + d->lines.items[at.line];
  for (uint32_t units = 0; p < end && !ends_line(*p);) {
    const size_t length = character_length(p, end);
    units += units_of(d, length);
    if (units > at.character) break;
    p += length;
  }
  return (size_t)(p - d->words.bytes);
}

static uint32_t line_of(const lsp_document *d, size_t offset) {
  uint32_t low = 0, high = d->lines.count;
  while (low + 1 < high) {
    const uint32_t middle = (low + high) / 2;
    if (d->lines.items[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

lsp_position lsp_document_position(lsp_document *d, size_t offset) {
  index_lines(d);
  if (offset > d->words.length) offset = d->words.length;
  lsp_position at = {line_of(d, offset), 0};
  const char *end = d->words.bytes + offset;
  for (const char *p = d->words.bytes + d->lines.items[at.line]; p < end;) {
    const size_t length = character_length(p, d->words.bytes + d->words.length);
    if (p + length > end) break;
    at.character += units_of(d, length);
    p += length;
  }
  return at;
}

/* ---- what is known of it ---- */

const tabia_rules *lsp_document_rules(lsp_document *d) {
  if (!d->rules) tabia_rules_read_text(&d->rules, d->uri, d->words.bytes, d->words.length, NULL);
  return d->rules;
}

const tabia_source *lsp_document_source(lsp_document *d) {
  if (!d->source && lsp_document_rules(d)) d->source = tabia_source_new(d->rules, NULL, NULL);
  return d->source;
}

const tabia_messages *lsp_document_messages(lsp_document *d,
                                            void (*choose)(void *context, tabia_messages *log),
                                            void *context) {
  if (d->messages || !lsp_document_rules(d)) return d->messages;
  d->messages = tabia_messages_new();
  if (!d->messages) return NULL;
  choose(context, d->messages);
  tabia_rules_check(d->rules, d->messages);
  return d->messages;
}
