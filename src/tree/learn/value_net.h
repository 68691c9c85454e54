/* A small network that judges states: what each role may expect.

   Its inputs are the bits of a position, of which few are set; a layer of hidden units sees them,
   and so does the output of each role directly.  Only what is set costs time.  It is trained by
   steps down the gradient, each weight of an input slower the more it was changed (AdaGrad).

   It is for machines whose positions are bits, one for each thing that can hold: those that ground
   the rules. */
#ifndef TABIA_TREE_LEARN_VALUE_NET_H
#define TABIA_TREE_LEARN_VALUE_NET_H

#include "base/rng.h"
#include "machine/machine.h"

enum { NET_HIDDEN = 32, NET_WIDTH = 40 };

typedef struct value_net value_net;

/* NULL: positions of this machine are not bits. */
value_net *net_new(const machine *m, uint64_t seed, arena *keep);
bool net_fits(const machine *m);

/* Writes float[roles], 0 to 1. */
void net_judge(const value_net *n, const void *position, float *values);

/* What units begin with in a position, float[NET_WIDTH], from which positions that differ little are
   judged sooner. */
void net_sum(const value_net *n, const void *position, float *sums);
void net_judge_near(const value_net *n, const void *known, const float *known_sums,
                    const void *position, float *values);

/* One step towards `targets`, float[roles]; returns the squared error before it, for a role. */
float net_train(value_net *n, const void *position, const float *targets, float rate);

/* Same weights. */
void net_copy(value_net *to, const value_net *from);

#endif
