/* The tokens of the infix notation. */
#ifndef TABIA_READ_TOKEN_H
#define TABIA_READ_TOKEN_H

#include "read/tree.h"

typedef enum token_kind {
  TOKEN_END_OF_TEXT,
  TOKEN_NAME,     /* a word, a number, a quoted name */
  TOKEN_VARIABLE, /* symbol begins with `?` */
  TOKEN_FRESH,    /* `_`: a variable that nothing else is */
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_COMMA,
  TOKEN_AND,
  TOKEN_OR,
  TOKEN_NOT,
  TOKEN_DISTINCT, /* `!=` or `\=` */
  TOKEN_ARROW,    /* `:-`, `<=` or `<-` */
  TOKEN_STOP,
  TOKEN_MARKS,   /* other marks: a name where an operand must be, else an unknown operator */
  TOKEN_FOREIGN, /* a character that means nothing here */
  TOKEN_BAD      /* reported already */
} token_kind;

typedef struct token {
  token_kind kind;
  symbol_id symbol; /* of names and variables, and of `and`, `or`, `not` as words */
  span where;
  uint32_t column; /* from 1, in bytes */
  bool is_word;    /* `and`, `or`, `not`: written in letters */
  bool is_first;   /* on its line, or in the text */
  bool touches;    /* nothing stands between the token before and this one */
} token;

typedef struct tokenizer {
  tree *t; /* takes the comments */
  arena *keep;
  diag_sink *d;
  const char *at;
  const char *end;
  const char *line; /* where this line starts */
  text name;        /* a name without its quotes, or with its `?` */
  token_kind last;
} tokenizer;

tokenizer tokens_of(tree *t, arena *keep, arena *scratch, diag_sink *d);
token token_next(tokenizer *z);

#endif
