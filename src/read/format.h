/* Formats a rulesheet: one rule a block, comments kept in their places.

   The result reads back as the same rules in either notation; formatting it again changes
   nothing.  In the infix notation (a) becomes a and a rule without conditions becomes a
   fact; a list whose first element is not a name, which no rule may hold, has no infix
   form. */
#ifndef TABIA_READ_FORMAT_H
#define TABIA_READ_FORMAT_H

#include "read/name.h"
#include "read/tree.h"

enum { FORMAT_WIDTH = 100 };

typedef struct format_options {
  notation notation;
  uint32_t width; /* a rule that fits this many columns stays on one line; 0: FORMAT_WIDTH */
} format_options;

void tree_format(const tree *t, format_options options, text *out);

#endif
