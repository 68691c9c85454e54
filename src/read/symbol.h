/* Names as numbers.

   Names compare without regard to case; each is printed as it was first written.  The
   keywords of GDL have fixed numbers, so that `symbol == SYM_TRUE` is a test. */
#ifndef TABIA_READ_SYMBOL_H
#define TABIA_READ_SYMBOL_H

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"

typedef uint32_t symbol_id;

enum {
  SYM_ROLE,
  SYM_INIT,
  SYM_TRUE,
  SYM_DOES,
  SYM_NEXT,
  SYM_LEGAL,
  SYM_GOAL,
  SYM_TERMINAL,
  SYM_BASE,
  SYM_INPUT,
  SYM_SEES, /* the keywords that name relations */
  SYM_DISTINCT,
  SYM_NOT,
  SYM_AND,
  SYM_OR,
  SYM_RULE,   /* the logical ones; SYM_RULE is `<=` */
  SYM_RANDOM, /* the role that nature plays */
  SYM_FIXED_COUNT
};

#define SYM_NONE UINT32_MAX

typedef struct symbol_table symbol_table;

symbol_table *symbols_new(arena *keep); /* holds the keywords already */

/* A name that begins with `?` is a variable, unless it is asked for as a constant. */
symbol_id symbol_intern(symbol_table *t, slice name);
symbol_id symbol_intern_constant(symbol_table *t, slice name);
symbol_id symbol_find(const symbol_table *t, slice name); /* or SYM_NONE */
symbol_id symbol_find_constant(const symbol_table *t, slice name);

/* The bytes of a name may be any, NUL too.  Its canonical text is what KIF reads as that name, in
   lower case and with escapes where they are needed; it is UTF-8 without control characters. */
slice symbol_name(const symbol_table *t, symbol_id s);   /* as first written */
slice symbol_folded(const symbol_table *t, symbol_id s); /* in lower case */
slice symbol_canonical(const symbol_table *t, symbol_id s);
uint32_t symbol_count(const symbol_table *t);

static inline bool symbol_is_keyword_relation(symbol_id s) { return s <= SYM_SEES; }
static inline bool symbol_is_logical(symbol_id s) { return s >= SYM_DISTINCT && s <= SYM_RULE; }
bool symbol_is_variable(const symbol_table *t, symbol_id s);

/* The number of arguments with which a keyword relation has its meaning. */
uint32_t keyword_arity(symbol_id keyword);

#endif
