/* The stage `terms` as text: names and lists as they were read, one form a line. */
#ifndef TABIA_READ_TREE_PRINT_H
#define TABIA_READ_TREE_PRINT_H

#include "read/tree.h"

void tree_print(const tree *t, arena *scratch, text *out);

#endif
