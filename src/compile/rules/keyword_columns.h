/* How relations with different keywords hold the same arguments: init(f), true(f) and next(f),
   legal(r, m) and does(r, m). */
#ifndef TABIA_COMPILE_RULES_KEYWORD_COLUMNS_H
#define TABIA_COMPILE_RULES_KEYWORD_COLUMNS_H

#include "datalog/flat.h"

/* Column i of `to` is column from_column[i] of `from`, or (ID_NONE) the constant constants[i]. */
typedef struct column_map {
  uint32_t *from_column;
  term_id *constants;
} column_map;

/* False: no atom of `from` has a place in `to`. */
bool columns_map(const flat_program *f, flat_id from, flat_id to, column_map *m, arena *keep);

/* next(q(V1, ..., Vn)) <= true(q(V1, ..., Vn)): all facts stay. */
bool clause_keeps_all(const flat_program *f, const flat_clause *c, arena *scratch);

#endif
