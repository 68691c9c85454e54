/* Names of atoms, made on demand; only for the files of ground.h. */
#ifndef TABIA_GROUND_ATOM_NAMES_H
#define TABIA_GROUND_ATOM_NAMES_H

#include "ground/ground.h"

/* The entry in ground_program.atoms for an atom that is not of a fluent or move. */
term_id atom_name_later(ground_program *g, term_id skeleton, const term_id *row, uint32_t arity);

#endif
