/* A text as an editor needs it: every name in it, what each stands for, and its other occurrences.
   Texts with faults have an outline, too: it is made from the tree, not from the program.

   A word is one name at one place.  A thing is what words stand for: a relation with its number of
   arguments, a function likewise, a constant, or a variable of one clause.  Operators and comments
   are words that stand for nothing. */
#ifndef TABIA_RULES_OUTLINE_H
#define TABIA_RULES_OUTLINE_H

#include "rules/program.h"

typedef enum word_kind {
  WORD_OPERATOR, /* <=, not, and, or, distinct, as far as they are written */
  WORD_KEYWORD,  /* a relation of the language: role, init, ... */
  WORD_RELATION,
  WORD_FUNCTION,
  WORD_CONSTANT,
  WORD_VARIABLE,
  WORD_COMMENT
} word_kind;

#define OUTLINE_NONE UINT32_MAX

typedef struct word {
  span where;
  node_id node; /* UINT32_MAX for comments */
  word_kind kind;
  uint32_t thing;  /* or OUTLINE_NONE */
  uint32_t clause; /* or OUTLINE_NONE */
  bool defines;    /* says what the thing is: in the head of a clause */
} word;

typedef struct thing {
  symbol_id name;
  word_kind kind;
  uint32_t arity;
  uint32_t clause;     /* of a variable */
  uint32_t first_word; /* outline.words_of[first_word ..+ word_count-1] */
  uint32_t word_count;
  span doc; /* the comments above its first definition; or SPAN_NONE */
} thing;

/* A form at the top level. */
typedef struct outline_clause {
  node_id node;
  span where;
  uint32_t head; /* the word that names its relation; or OUTLINE_NONE */
  bool is_rule;  /* it is written with `<=` */
} outline_clause;

typedef struct outline {
  arena *keep;
  const tree *tree;
  VEC(word) words; /* in the order of the text */
  VEC(thing) things;
  id_vec words_of; /* by thing, in the order of the text */
  VEC(outline_clause) clauses;
  node_id *parents;       /* by node; UINT32_MAX at the top */
  uint32_t *word_of_node; /* by node; or OUTLINE_NONE */
  id_table thing_index;
} outline;

void outline_make(outline *o, const tree *t, arena *keep);

/* The word that holds the offset, or ends there; OUTLINE_NONE: there is none. */
uint32_t outline_word_at(const outline *o, uint32_t offset);

/* The clause that holds the offset, or ends there; OUTLINE_NONE. */
uint32_t outline_clause_at(const outline *o, uint32_t offset);

/* The smallest node that holds the range and is larger; false: there is none. */
bool outline_widen(const outline *o, span *range);

/* The innermost list around the offset that is an atom or a term: the word that names it, and the
   number of the argument that stands there, or would.  False: there is none. */
bool outline_call_at(const outline *o, uint32_t offset, uint32_t *word, uint32_t *argument);

/* A new name for a thing.  NULL: it can have it; else why not. */
const char *outline_rename_fault(const outline *o, uint32_t thing, const char *name,
                                 arena *scratch);

#endif
