/* Which moves a query about a few atoms must distinguish, on ground rules.

   Rules that differ only in a move are merged for the query into one rule with 'one of these
   moves'; so are rules that differ in an atom which only says that one of some moves is made.  The
   moves merged in one place are a set, and the moves of a role that are in the same sets are a
   group: they differ only in what makes them legal. */
#ifndef TABIA_CERTIFY_ALIKE_MOVES_H
#define TABIA_CERTIFY_ALIKE_MOVES_H

#include "base/bitset.h"
#include "certify/ground_clauses.h"

/* Things in parts that are split by one subset after the other. */
typedef struct partition {
  uint32_t *part_of; /* by thing */
  VEC(struct part {
    uint32_t size;
    uint32_t made_by;  /* the subset by which it was made; or ID_NONE */
    uint32_t split_by; /* the last subset that took things from it; or ID_NONE */
    uint32_t other;    /* the part that they went to */
  })
  parts;
} partition;

/* A rule, or all those that differ from it in one move or one set of moves. */
typedef struct asked_body {
  uint32_t rule;
  uint32_t open;      /* its place among the literals; ID_NONE: there is none */
  uint32_t last_atom; /* what may stand there, in alike_moves.open_atoms; or ID_NONE */
} asked_body;

/* A `does`, or an atom that says that one of some moves is made. */
typedef struct open_atom {
  atom_id atom;
  uint32_t before; /* in alike_moves.open_atoms; or ID_NONE */
} open_atom;

typedef struct alike_moves {
  const ground_clauses *c;
  arena *keep, *inner;
  uint32_t *role_of; /* by move */
  bitset unions;     /* atoms that say that one of some moves is made */
  uint32_t *seen_by; /* by atom: the last set in which its moves were looked up */
  /* the question: */
  id_vec atoms;      /* that it depends on, but for fluents and moves */
  id_vec first_body; /* by place in `atoms`, and one more */
  VEC(asked_body) bodies;
  VEC(open_atom) open_atoms;
  bitset has_atom;     /* what is in `atoms` */
  partition sets;      /* of atoms; part 0 stands in no body */
  id_vec first_in_set; /* by set, and one more: in `groups_in_sets` */
  id_vec groups_in_sets;
  partition groups; /* of moves: first those of each role that it does not depend on */
} alike_moves;

alike_moves *alike_moves_new(ground_clauses *c, arena *keep);
void alike_moves_free(alike_moves *m);

/* For a question about these atoms; an ATOM_NONE is passed over.  If the budget ends on the way,
   what was found says nothing. */
void alike_moves_find(alike_moves *m, const atom_id *atoms, uint32_t count);

/* Does the question depend on the moves of this group? */
static inline bool alike_moves_reads(const alike_moves *m, uint32_t group) {
  return group >= m->c->g->roles.count;
}

#endif
