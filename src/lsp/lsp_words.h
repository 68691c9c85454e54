/* Words about what is in a text, which hover, completion and signatures share. */
#ifndef TABIA_LSP_LSP_WORDS_H
#define TABIA_LSP_LSP_WORDS_H

#include "lsp/lsp_server.h"

/* A word of the language: what it takes, and what it means. */
typedef struct lsp_keyword {
  const char *name;
  const char *arguments[2]; /* NULL behind the last */
  const char *meaning;
  bool is_relation;
} lsp_keyword;

const lsp_keyword *lsp_keyword_named(const char *name); /* NULL: it is none */
const lsp_keyword *lsp_keyword_at(uint32_t i);          /* NULL if i is out of range */

bool lsp_is_kif(lsp_document *d);

/* `(cell ?1 ?2 ?3)` or `cell(A, B, C)`: the thing with names for its arguments; `at`, unless it is
   NULL, takes where each argument begins and ends in the text. */
void lsp_add_call(text *out, bool is_kif, const char *name, const char *const *arguments,
                  uint32_t count, size_t (*at)[2]);

/* The values of an argument, as far as they fit a line: "x, o or 3 more". */
void lsp_add_values(text *out, const tabia_source *s, uint32_t word, uint32_t argument,
                    uint32_t most);

/* The doc comment without its marks. */
void lsp_add_doc(text *out, lsp_document *d, const tabia_source *s, uint32_t thing);

/* Rules and facts in whose heads it is. */
void lsp_count_clauses(const tabia_source *s, uint32_t thing, uint32_t *rules, uint32_t *facts);

#endif
