/* JSON values of the protocol.  Functions that return json_t * give a new reference. */
#ifndef TABIA_LSP_LSP_JSON_H
#define TABIA_LSP_LSP_JSON_H

#include "lsp/lsp_document.h"

#include <jansson.h>

/* The member at a path such as "textDocument.uri"; NULL where it leads nowhere. */
json_t *lsp_member(const json_t *of, const char *path);
const char *lsp_string(const json_t *of, const char *path); /* or NULL */
bool lsp_flag(const json_t *of, const char *path);          /* false where it is no boolean */

/* False: it is no position, or one of its numbers is negative.  Numbers that are too large mean the
   end. */
bool lsp_read_position(const json_t *value, lsp_position *at);
bool lsp_read_range(const json_t *value, lsp_document *d, size_t *start, size_t *end);

json_t *lsp_position_json(lsp_document *d, size_t offset);
json_t *lsp_range_json(lsp_document *d, size_t start, size_t end);
json_t *lsp_location_json(lsp_document *d, size_t start, size_t end);
json_t *lsp_edit_json(lsp_document *d, size_t start, size_t end, const char *bytes, size_t length);
json_t *lsp_markdown_json(const char *words);

/* A string of any bytes: those that are no UTF-8 become `?`. */
json_t *lsp_text_json(const char *bytes, size_t length);

#endif
