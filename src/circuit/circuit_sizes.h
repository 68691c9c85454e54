/* The sizes of a circuit after each pass, as text. */
#ifndef TABIA_CIRCUIT_CIRCUIT_SIZES_H
#define TABIA_CIRCUIT_CIRCUIT_SIZES_H

#include "circuit/circuit.h"

/* `s` is of the ground rules that it was made from. */
void circuit_sizes_print(const circuit *c, const ground_stats *s, text *out);
void circuit_sizes_write_json(const circuit *c, const ground_stats *s, const char *game, text *out);

#endif
