/* A proof as an object: what api_proof.c runs and api_verdict.c reads. */
#ifndef TABIA_API_API_PROOF_H
#define TABIA_API_API_PROOF_H

#include "api/api.h"
#include "prove/prover.h"

struct tabia_proof {
  arena *keep;
  const tabia_rules *rules;
  VEC(const char *) asked;
  bool is_incomplete; /* there was no memory for what was asked */
  bool has_others;
  exchange others;
  checkpoint_wish checkpoint;
  bool lacks_checkpoint; /* there was no memory for the name of the folder */
  ranks *ranks;          /* while it runs with others or with a checkpoint; or NULL */
  reading *r;            /* once it runs: all below lives as long */
  prove_job job;
  bool has_job;
  const char *certificate; /* what it is called; or NULL */
  tabia_found *found;
  void *context;
};

#endif
