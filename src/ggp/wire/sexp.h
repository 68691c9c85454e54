/* Messages and moves as text: names and lists in KIF, taken apart in place.

   A term is a slice of the text that holds it; nothing is copied and nothing recurses, whatever
   comes in.  Names are any bytes but blanks, parentheses and `;`, which begins a comment; a `\`
   takes the next byte into a name. */
#ifndef TABIA_GGP_WIRE_SEXP_H
#define TABIA_GGP_WIRE_SEXP_H

#include "base/text.h"

typedef enum sexp_kind {
  SEXP_END, /* nothing is left */
  SEXP_NAME,
  SEXP_LIST,
  SEXP_BROKEN /* a parenthesis is missing, or one too many */
} sexp_kind;

/* Takes the next term off the front of `rest`. */
sexp_kind sexp_next(slice *rest, slice *term);

/* Takes the next token: `(`, `)` or a name.  False: there is none. */
bool sexp_token(slice *rest, slice *token);

slice sexp_inside(slice list);              /* what stands between its parentheses */
bool sexp_is(slice term, const char *word); /* the same but for the case of letters */

/* Adds terms on one line, without comments: one blank between any two tokens, `( mark 1 1 )`, as
   referees and players write them; or canonical, as tabia.h does: lower case, `(mark 1 1)`. */
void sexp_add_spaced(slice terms, text *out);
void sexp_add_canonical(slice terms, text *out);
void sexp_add_lower(slice name, text *out);

/* Is the first list of a text complete?  Asked as the bytes come in. */
typedef struct sexp_scan {
  uint64_t depth;
  bool has_begun; /* a list has been opened */
  bool is_closed; /* and closed */
  bool in_comment;
  bool is_escaped;
} sexp_scan;

bool sexp_scan_add(sexp_scan *s, const char *bytes, size_t length);

#endif
