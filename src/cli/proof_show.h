/* Verdicts on standard output, as `tabia prove` and `tabia-mpi prove` print them. */
#ifndef TABIA_CLI_PROOF_SHOW_H
#define TABIA_CLI_PROOF_SHOW_H

#include "tabia.h"

/* Verdict `i`, as soon as it is found. */
void proof_put_verdict(const tabia_proof *p, uint32_t i);

/* All of them as one object, at the end. */
void proof_put_json(const tabia_proof *p, const char *game);

#endif
