/* Names that say nothing: every constant and variable but keywords and numbers gets a random word,
   so that no player knows a game by its names. */
#ifndef TABIA_GGP_WIRE_SCRAMBLE_H
#define TABIA_GGP_WIRE_SCRAMBLE_H

#include "base/rng.h"
#include "ggp/wire/name_map.h"

/* Adds a new word to `to` for every name of the terms, and the way back to `back`. */
void scramble_names(slice terms, rng *random, name_map *to, name_map *back);

#endif
