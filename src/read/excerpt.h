/* The line that a message is about, with a caret under the place. */
#ifndef TABIA_READ_EXCERPT_H
#define TABIA_READ_EXCERPT_H

#include "read/source.h"

/* Two lines; nothing for a span that is no place.  The source has its lines indexed.  `colour`: an
   escape sequence for the caret, or "". */
void excerpt_add(text *out, const source *s, span where, const char *colour);

#endif
