/* Ground terms as SWI-Prolog and gringo read them.

   A name of a rulesheet may have any bytes.  Names that are constants or numbers of the other
   language stay as they are; the others are written so that different names stay different:

   SWI-Prolog    quoted: 'not-filled', '050', '5'(a).  Relations that are no keywords get a prefix
                 that no predicate or operator of its own has: g_length(1, 2) for length(1, 2)
   gringo        a constant as a string: "not-filled", "050".  Functions and relations cannot be
                 strings: each byte that is no letter, digit or `_` is a prime and two hexadecimal
                 digits, and where the name would not begin with a small letter, or is `not`, f''
                 stands before it: not'2dfilled(a), f''5(a)

   A name may have bytes that are not UTF-8, or that only look like a blank.  SWI-Prolog gets all
   its bytes as hexadecimal digits after an escape character, '\x1b\ff00'; gringo gets a constant
   that is written like a function, as also for control characters.

   Names are the same in small and in capital letters: those that begin with a capital are written
   in lower case.  Tabia reads the text for SWI-Prolog in its infix notation, as a game in which
   those relations have the longer names. */
#ifndef TABIA_GROUND_OTHERS_FOREIGN_NAMES_H
#define TABIA_GROUND_OTHERS_FOREIGN_NAMES_H

#include "rules/term.h"

/* A name in quotes, after a prefix that needs none. */
void foreign_prolog_quoted(const char *prefix, slice name, text *out);

void foreign_prolog_term(const term_table *t, term_id id, text *out);
void foreign_asp_term(const term_table *t, term_id id, text *out);

/* The same for an atom, whose name is a relation even if it has no arguments. */
void foreign_prolog_atom(const term_table *t, term_id id, text *out);
void foreign_prolog_relation(const term_table *t, term_id id, text *out); /* its name alone */
void foreign_asp_atom(const term_table *t, term_id id, text *out);

/* Names alone, for gringo.  A relation is written like a function.  A variable has its own name
   where that is a word that begins with a letter; else false, and nothing is written. */
void foreign_asp_name(const symbol_table *symbols, symbol_id s, bool has_arguments, text *out);
bool foreign_asp_variable(const symbol_table *symbols, symbol_id variable, text *out);

#endif
