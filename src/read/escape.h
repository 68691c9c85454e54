/* How a name of any bytes is written, so that it reads back as the same name.

     KIF      a `\` takes the next character into the name: a\ b, f\(x\), and \?x for a name that
              is no variable although it begins with `?`
     infix    quotes: 'a b', '?x'; '' or \' is a quote in them, and \\ a backslash
     both     \xHH\, as in ISO Prolog, is the byte HH: for a control character, for bytes that are
              not UTF-8, and for a character that only looks like a blank

   This file handles bytes only: name.h prints symbols. */
#ifndef TABIA_READ_ESCAPE_H
#define TABIA_READ_ESCAPE_H

#include "base/text.h"

enum { HEX_ESCAPE_LENGTH = 5 };

/* How many bytes at `at` no text holds outside of comments, so that they are written as numbers;
   0: a character that may stand there. */
uint32_t escape_odd_bytes(const char *at, const char *end);
bool escape_has_odd_bytes(slice name);

/* Can a KIF text hold the name as it is?  That is: its bytes, read there, are this name. */
bool escape_is_plain_kif(slice name, bool is_variable);

void escape_add_kif(slice name, bool is_variable, text *out);
void escape_add_quoted(slice name, text *out);
void escape_add_in_quotes(slice name, text *out); /* the same without the quotes around it */

/* Is there a \xHH\ at `at`? */
bool escape_is_hex(const char *at, const char *end);
char escape_hex_byte(const char *at);

/* How many bytes the KIF escape at `at`, a `\`, takes. */
size_t escape_length(const char *at, const char *end);

#endif
