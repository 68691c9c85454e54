/* Facts that the rules do not have, but that restate others in the form of a board.

   A join: (posx car 3) and (posy car 5) say (posx+posy car 3 5).  A list: (order c a b) says
   (order# 1 c), (order# 2 a), (order# 3 b).  They are added to every state that is read, so they
   are surveyed like others; a picture shows them as the facts from which they come. */
#ifndef TABIA_BOARD_EVIDENCE_DERIVED_H
#define TABIA_BOARD_EVIDENCE_DERIVED_H

#include "board/evidence/samples.h"

/* Facts of two shapes that agree in all columns but one each; these are the last columns of what
   is made. */
void samples_add_join(samples *s, shape_id first, uint32_t first_column, shape_id second,
                      uint32_t second_column);

/* The columns of a shape from the first to the last. */
void samples_add_list(samples *s, shape_id of);

/* Adds what follows from ascending facts, which stay so. */
void samples_derive(samples *s, id_vec *facts, arena *keep);

/* How facts of the shape are made; NULL: the rules have them. */
const derivation *samples_derivation(const samples *s, shape_id shape);

/* The facts of the state from which one was made; `and_from` is NAME_NONE where there is one. */
void samples_sources(samples *s, const id_vec *facts, fact_id made, fact_id *from,
                     fact_id *and_from);

#endif
