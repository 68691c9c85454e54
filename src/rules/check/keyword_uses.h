/* The uses of each fluent, or of each move: the heads that derive it, and where it is read. */
#ifndef TABIA_RULES_CHECK_KEYWORD_USES_H
#define TABIA_RULES_CHECK_KEYWORD_USES_H

#include "rules/check/check_parts.h"

/* A fluent or move by its name and number of arguments. */
typedef struct keyword_use {
  slot_value name;
  id_vec starts;      /* clauses that give it: init; legal */
  id_vec steps;       /* clauses that give it: next */
  uint32_t reads;     /* literals that read it */
  uint32_t own_reads; /* of them in a clause of `next` for itself */
} keyword_use;

typedef struct keyword_uses {
  const checker *c;
  VEC(keyword_use) all; /* in the order of the text: heads, then bodies */
  id_table index;
  bool reads_any; /* a variable stands for it in a body */
  bool gives_any; /* and in a head */
} keyword_uses;

keyword_uses fluent_uses(const checker *c); /* init, next; true */
keyword_uses move_uses(const checker *c);   /* legal; does */

/* NULL: nobody speaks of it. */
const keyword_use *keyword_use_of(const keyword_uses *u, slot_value name);

/* The fluent of an init or next head, the move of a legal head. */
term_id keyword_thing(const checker *c, clause_id id);

/* "(cell ...)", as the notation has it. */
const char *shown_thing(const checker *c, slot_value name);

#endif
