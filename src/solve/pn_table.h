/* The transposition table of a proof-number search, within a bound of bytes.

   An entry is a question, a whole state, its numbers and the work that they took.  Entries are in
   buckets of four; in a full bucket the one with the least work is replaced.  Since states are
   stored whole, an entry is never that of another state. */
#ifndef TABIA_SOLVE_PN_TABLE_H
#define TABIA_SOLVE_PN_TABLE_H

#include "base/arena.h"

#define PN_INFINITE UINT32_MAX

/* The least number of leaves that must be decided to prove that the seeker succeeds, and that it
   fails (Allis 1994).  0: it is proved; the other number is then PN_INFINITE. */
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

/* It starts small, and grows to at most `most_bytes`. */
void pn_table_init(pn_table *t, uint32_t state_bytes, size_t most_bytes, arena *keep);

/* Fetches what the next call for that state will read. */
void pn_table_prefetch(const pn_table *t, uint32_t question, uint64_t hash);

/* Questions are numbered from 0, up to 65,534; the hash is that of hash_bytes(state). */
bool pn_table_find(const pn_table *t, uint32_t question, const uint8_t *state, uint64_t hash,
                   pn_numbers *found);
void pn_table_put(pn_table *t, uint32_t question, const uint8_t *state, uint64_t hash, pn_numbers n,
                  uint64_t work);

/* Removes all entries that rest on a cycle. */
void pn_table_forget_cycles(pn_table *t);

#endif
