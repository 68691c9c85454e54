/* The transposition table of a proof-number search: states with their numbers, as many as there is
   room for.

   An entry is a question, a whole state, its numbers and how much work they took.  Entries lie in
   buckets of four; where a bucket is full, the one with the least work goes.  So what is found is
   true of that state, but what was put may be gone. */
#ifndef TABIA_SOLVE_PN_TABLE_H
#define TABIA_SOLVE_PN_TABLE_H

#include "base/arena.h"

#define PN_INFINITE UINT32_MAX

/* How many leaves must at least be decided to show that the seeker gets there, and that it does not
   (Allis 1994).  0: it is shown; the other number is then PN_INFINITE. */
typedef struct pn_numbers {
  uint32_t yes, no;
  bool is_by_cycle; /* `no` is 0 since play would come back: it holds on this path only */
} pn_numbers;

static inline bool pn_is_decided(pn_numbers n) { return n.yes == 0 || n.no == 0; }

typedef struct pn_table {
  arena *keep;
  uint8_t *entries;
  uint32_t state_bytes, stride;
  uint64_t buckets; /* a power of two */
  uint64_t used;
  size_t most_bytes; /* while it grows, too */
} pn_table;

/* It starts small and grows as long as that takes no more than so many bytes. */
void pn_table_init(pn_table *t, uint32_t state_bytes, size_t most_bytes, arena *keep);

/* Fetches what the next call for that state will read. */
void pn_table_prefetch(const pn_table *t, uint32_t question, uint64_t hash);

/* Questions are numbered from 0, up to 65,534; the hash is that of hash_bytes(state). */
bool pn_table_find(const pn_table *t, uint32_t question, const uint8_t *state, uint64_t hash,
                   pn_numbers *found);
void pn_table_put(pn_table *t, uint32_t question, const uint8_t *state, uint64_t hash, pn_numbers n,
                  uint64_t work);

/* Forgets whatever rests on a cycle. */
void pn_table_forget_cycles(pn_table *t);

#endif
