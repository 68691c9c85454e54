/* The order in which the atoms of ground rules become gates, and who reads them.

   An atom can be read in two contexts: while no move is made, as by legal, goal and terminal, and
   while each role makes a move. For an atom that does not depend on moves they are the same, and
   only the first is used. */
#ifndef TABIA_CIRCUIT_ATOM_ORDER_H
#define TABIA_CIRCUIT_ATOM_ORDER_H

#include "base/bitset.h"
#include "base/graph.h"
#include "ground/ground.h"

typedef enum moment { STILL, MOVING, MOMENTS } moment;

enum { READS_SEVERAL = 2 }; /* or more: what is read so is to be a gate */

typedef struct atom_order {
  const ground_program *g;
  const uint32_t *atoms;   /* all of them, component by component, those first that others need */
  bitset uses_moves;       /* atoms that depend on moves */
  uint8_t *reads[MOMENTS]; /* by atom: how many rules read it; an output counts as several */
  /* Where some atoms need themselves; else NULL, and every atom is a component of its own. */
  uint32_t *component; /* by atom: the strongly connected component */
  graph needs;         /* from an atom to the atoms in its bodies */
  bitset needs_itself; /* atoms in whose own bodies they are */
  uint32_t *turn;      /* by atom: scratch of whoever orders a component */
} atom_order;

void atom_order_find(atom_order *o, const ground_program *g, arena *keep);

/* Where the component ends that begins at `first` of o->atoms. */
uint32_t atom_order_component_end(const atom_order *o, uint32_t first);

/* Does an atom of the component first .. end-1 need itself? */
bool atom_order_is_recursive(const atom_order *o, uint32_t first, uint32_t end);

/* An atom of a component that needs the negation of another one of it; ATOM_NONE: there is none. */
atom_id atom_order_unstratified(const atom_order *o, const uint32_t *atoms, uint32_t count);

/* The atoms of a component, those first that can be had without the others, then what follows from
   them: so that most values are final after one pass. */
uint32_t *atom_order_within(const atom_order *o, const uint32_t *atoms, uint32_t count,
                            arena *keep);

#endif
