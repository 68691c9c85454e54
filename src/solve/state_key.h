/* States as keys of a database (database/database.h). */
#ifndef TABIA_SOLVE_STATE_KEY_H
#define TABIA_SOLVE_STATE_KEY_H

#include "base/hash.h"
#include "database/minimal_hash.h"
#include "machine/circuit_game.h"

/* The higher half is the hash of the store (store_hash), so states of a shard are neighbours. */
static inline hash_key key_of_state(const void *state, size_t bytes) {
  enum { LOW_SEED = 0x7ab1a };
  return (hash_key){hash_bytes(state, bytes), hash_bytes_seeded(state, bytes, LOW_SEED)};
}

/* One number for a circuit and the names of its roles, fluents and moves: what a state means. */
uint64_t game_fingerprint(const grounded *g, arena *scratch);

#endif
