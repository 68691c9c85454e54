/* Symbols as each notation writes them. */
#ifndef TABIA_READ_NAME_H
#define TABIA_READ_NAME_H

#include "read/tree.h"

/* One name as it was first written: escaped, quoted, or with its first letter changed, where that
   is needed to read it back as the same name.  symbol_canonical is the same in KIF and lower
   case. */
void name_print(const symbol_table *symbols, symbol_id name, notation n, text *out);

#endif
