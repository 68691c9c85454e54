/* What makes a database (database_make.c), and what several ranks do for it (database_ranks.c). */
#ifndef TABIA_SOLVE_DATABASE_MAKER_H
#define TABIA_SOLVE_DATABASE_MAKER_H

#include "database/database_writer.h"
#include "solve/database_make.h"
#include "solve/value_table.h"

#include <stdatomic.h>

typedef VEC(database_record) record_vec;

/* What threads share. */
typedef struct maker {
  solve_space *s;
  state_values v;
  const uint32_t *choosers;
  value_table table;
  uint16_t *swapped; /* by value: its place with the choosers changed round */
  uint64_t groups;
  uint64_t end_group; /* the first behind those that this rank makes */
  record_vec guests;  /* records of its last group that other ranks had */
  byte_vec made;      /* of ranks but the first: groups to be sent, each with a group_head */
  arena *keep;
  budget *limits;
  uint32_t shard;
  record_vec records;    /* of the shard, by group, and the one before them that is not whole */
  uint64_t first_group;  /* of `records` */
  uint32_t group_count;  /* that are whole */
  uint32_t *starts;      /* by group, in `records`; one more than there are */
  database_group *built; /* by group */
  atomic_uint_fast64_t next;
  atomic_bool is_over, has_collision; /* two states with one key */
} maker;

typedef struct maker_thread {
  maker *k;
  arena *keep;  /* lasts */
  arena *bytes; /* of groups, for one shard */
  lane_expander e;
  state_place *places;
  double *values;
  record_vec records;
  budget limits;
} maker_thread;

/* A group as it is sent; the bytes of its columns lie behind. */
typedef struct group_head {
  uint64_t group;
  uint32_t sizes[DATABASE_COLUMNS];
  uint32_t padding;
} group_head;

/* Makes records of the states of the shard, block after block; for the threads of a team. */
void maker_read_blocks(void *thread);

/* The first group whose first hash the rank has. */
uint64_t maker_first_group(const maker *k, uint32_t rank);

/* The first states of a rank may be of a group that begins before them: they go to its owner. */
bool maker_exchange_guests(maker *k, maker_thread *t);

/* Gathers the groups of all ranks but the first, one rank after another. */
bool maker_gather_groups(maker *k, database_writer *w);

/* All ranks learn whether all has succeeded, and how large the database is. */
bool maker_share_end(const maker *k, bool ok, database_size *size);

#endif
