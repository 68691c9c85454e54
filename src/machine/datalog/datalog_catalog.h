/* Numbers for fluents, moves and percepts.

   The terms of a keyword come in several shapes.  Each shape whose facts have places gets a range
   of numbers: base + place.  Terms of the other shapes get `size` plus a name (datalog_names.h).
   Moves and percepts of a term that is not a role have no number: shapes in which the role is a
   compound are left out. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_CATALOG_H
#define TABIA_MACHINE_DATALOG_DATALOG_CATALOG_H

#include "machine/datalog/datalog_layout.h"

typedef struct dl_entry {
  flat_id from; /* the relation that gives them: next, legal or sees; or ID_NONE */
  flat_id to;   /* the relation that takes them: true or does; or ID_NONE */
  const dl_layout *layout;
  uint32_t base;
} dl_entry;

typedef struct dl_catalog {
  dl_entry *entries; /* in the order of their bases */
  uint32_t count;
  uint32_t size;     /* of all ranges */
  uint32_t argument; /* of the atom: which argument the term is */
  bool has_names;    /* some shape has no range */
  bool is_ordered;   /* for one role, numbers are in the order of the canonical text */
} dl_catalog;

/* The terms under `keyword`, which `from` gives and `to` takes (SYM_NONE: nothing). */
dl_catalog dl_catalog_make(const dl_rules *r, const dl_layout *layouts, symbol_id keyword,
                           symbol_id from, symbol_id to, arena *keep);

/* The entry of a number below `size`; the search begins at `*hint` and leaves it there. */
static inline const dl_entry *dl_catalog_find(const dl_catalog *c, uint32_t number,
                                              uint32_t *hint) {
  while (*hint && number < c->entries[*hint].base) --*hint;
  while (*hint + 1 < c->count && number >= c->entries[*hint + 1].base) ++*hint;
  return &c->entries[*hint];
}

#endif
