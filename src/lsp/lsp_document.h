/* A rulesheet that is open in an editor: its text, its lines, and what is known of it.

   The text is UTF-8. Positions of the protocol count lines from 0, and in a line UTF-16 units or
   bytes, as negotiated. A position after the end of its line means that end, a line after the last
   means the end of the text. A byte that is not UTF-8 counts as one unit. */
#ifndef TABIA_LSP_LSP_DOCUMENT_H
#define TABIA_LSP_LSP_DOCUMENT_H

#include "base/text.h"
#include "base/vec.h"
#include "tabia.h"

typedef enum lsp_encoding { LSP_UTF16, LSP_UTF8 } lsp_encoding;

typedef struct lsp_position {
  uint32_t line, character;
} lsp_position;

typedef struct lsp_document {
  arena *keep; /* this, the URI */
  const char *uri;
  int64_t version;   /* as the client counts */
  uint64_t revision; /* as we do: no two texts have the same */
  lsp_encoding encoding;
  arena *text_keep;
  text words;
  arena *line_keep;
  VEC(size_t) lines; /* where each begins; empty: not known */
  /* For this revision, made on demand: */
  tabia_rules *rules;
  tabia_source *source;
  tabia_messages *messages; /* of tabia_rules_check */
} lsp_document;

lsp_document *lsp_document_new(const char *uri, lsp_encoding encoding);
void lsp_document_free(lsp_document *d);

/* Each makes a new revision. */
void lsp_document_set(lsp_document *d, const char *bytes, size_t length);
void lsp_document_replace(lsp_document *d, size_t start, size_t end, const char *bytes,
                          size_t length);

size_t lsp_document_offset(lsp_document *d, lsp_position at);
lsp_position lsp_document_position(lsp_document *d, size_t offset);

/* NULL: there is no memory. */
const tabia_rules *lsp_document_rules(lsp_document *d);
const tabia_source *lsp_document_source(lsp_document *d);
/* The results of the checks; `choose` selects the warnings. */
const tabia_messages *lsp_document_messages(lsp_document *d,
                                            void (*choose)(void *context, tabia_messages *log),
                                            void *context);
void lsp_document_forget_messages(lsp_document *d);

#endif
