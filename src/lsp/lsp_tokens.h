/* Semantic tokens: what each word is, for colours. */
#ifndef TABIA_LSP_LSP_TOKENS_H
#define TABIA_LSP_LSP_TOKENS_H

#include <jansson.h>

json_t *lsp_token_legend(void); /* a new reference */

#endif
