/* A flat program while it is rewritten; only for the files of rewrite.h. */
#ifndef TABIA_GROUND_REWRITE_REWRITER_H
#define TABIA_GROUND_REWRITE_REWRITER_H

#include "ground/rewrite/rewrite.h"

typedef struct rewriter {
  rewriting *result;
  arena *keep;
  VEC(relation_origin) origin;
  VEC(bool) is_open;
  VEC(flat_clause_id) came_from;
  VEC(bool) is_guarded;
  uint32_t names; /* new relations so far */
} rewriter;

/* Begins with a copy of `from`: clauses may be changed in place and added. */
void rewriter_copy(rewriter *w, rewriting *result, const rewriting *from, arena *keep);
void rewriter_finish(rewriter *w);

/* Additions can be undone. */
typedef struct rewriter_mark {
  uint32_t relations, clauses, literals, args;
} rewriter_mark;

rewriter_mark rewriter_save(const rewriter *w);
void rewriter_restore(rewriter *w, rewriter_mark mark);

/* A new relation with a name that nothing else has. */
flat_id rewriter_add_relation(rewriter *w, relation_origin origin, uint32_t arity, bool is_open);

flat_clause_id rewriter_add_clause(rewriter *w, flat_literal head, const flat_literal *body,
                                   uint32_t body_count, uint32_t variable_count,
                                   flat_clause_id came_from);

#endif
