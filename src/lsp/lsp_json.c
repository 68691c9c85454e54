#include "lsp/lsp_json.h"

json_t *lsp_member(const json_t *of, const char *path) {
  char name[64];
  json_t *at = NULL;
  while (json_is_object(of)) {
    const size_t length = strcspn(path, ".");
    if (length >= sizeof name) return NULL;
    memcpy(name, path, length);
    name[length] = '\0';
    at = json_object_get(of, name);
    if (!path[length] || !at) return at;
    path += length + 1;
    of = at;
  }
  return NULL;
}

const char *lsp_string(const json_t *of, const char *path) {
  return json_string_value(lsp_member(of, path));
}

bool lsp_flag(const json_t *of, const char *path) { return json_is_true(lsp_member(of, path)); }

/* ---- places ---- */

static bool read_number(const json_t *value, uint32_t *number) {
  if (!json_is_integer(value) || json_integer_value(value) < 0) return false;
  const json_int_t given = json_integer_value(value);
  *number = given > INT32_MAX ? INT32_MAX : (uint32_t)given;
  return true;
}

bool lsp_read_position(const json_t *value, lsp_position *at) {
  return read_number(json_object_get(value, "line"), &at->line) &&
         read_number(json_object_get(value, "character"), &at->character);
}

bool lsp_read_range(const json_t *value, lsp_document *d, size_t *start, size_t *end) {
  lsp_position from, to;
  if (!lsp_read_position(json_object_get(value, "start"), &from) ||
      !lsp_read_position(json_object_get(value, "end"), &to))
    return false;
  *start = lsp_document_offset(d, from);
  *end = lsp_document_offset(d, to);
  return *start <= *end;
}

json_t *lsp_position_json(lsp_document *d, size_t offset) {
  const lsp_position at = lsp_document_position(d, offset);
  return json_pack("{si si}", "line", (int)at.line, "character", (int)at.character);
}

json_t *lsp_range_json(lsp_document *d, size_t start, size_t end) {
  return json_pack("{so so}", "start", lsp_position_json(d, start), "end",
                   lsp_position_json(d, end));
}

json_t *lsp_location_json(lsp_document *d, size_t start, size_t end) {
  return json_pack("{ss so}", "uri", d->uri, "range", lsp_range_json(d, start, end));
}

/* ---- texts ---- */

json_t *lsp_text_json(const char *bytes, size_t length) {
  json_t *value = json_stringn(bytes, length);
  if (value) return value;
  arena *scratch = arena_new();
  char *copy = arena_copy_text(scratch, bytes, length);
  for (size_t i = 0; i < length; i++)
    if ((uint8_t)copy[i] >= 0x80) copy[i] = '?';
  value = json_stringn(copy, length);
  arena_free(scratch);
  return value;
}

json_t *lsp_edit_json(lsp_document *d, size_t start, size_t end, const char *bytes, size_t length) {
  return json_pack("{so so}", "range", lsp_range_json(d, start, end), "newText",
                   lsp_text_json(bytes, length));
}

json_t *lsp_markdown_json(const char *words) {
  return json_pack("{ss so}", "kind", "markdown", "value", lsp_text_json(words, strlen(words)));
}
