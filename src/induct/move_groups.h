/* Which moves a query must distinguish.

   The values of a few fluents after a step depend on few individual moves; of the others it matters
   only that one of a set is made, such as 'some move elsewhere' for the contents of a square. Moves
   of a role that no gate below the queried wires distinguishes are a group. A query with groups in
   place of moves is much smaller and has the same answers, except that a group requires only what
   all of its moves need to be legal. */
#ifndef TABIA_INDUCT_MOVE_GROUPS_H
#define TABIA_INDUCT_MOVE_GROUPS_H

#include "base/bitset.h"
#include "induct/move_needs.h"

/* What is known of the moves of a circuit. */
typedef struct move_table {
  const circuit *c;
  watched_latches read_most;
  bitset sets;      /* gates that say 'none of these moves', made of moves and such gates */
  uint32_t *opened; /* room: by gate, the last call of move_table_inputs that opened it; */
  uint32_t *calls;  /* and how many there were */
} move_table;

move_table move_table_new(const circuit *c, arena *keep);

/* The inputs of a conjunction, with the moves of a set in place of each set among them. */
void move_table_inputs(const move_table *t, gate_id g, id_vec *wires, arena *scratch);

typedef struct move_group {
  uint32_t size;     /* how many moves */
  uint32_t example;  /* one of them */
  latch_needs needs; /* what all of them need, of the latches watched */
} move_group;

typedef struct move_groups {
  const uint32_t *group_of;    /* by move */
  const uint32_t *first_group; /* by role, and one more */
  const move_group *all;
  watched_latches watched; /* those that the wires in question read, and those read most */
  const move_table *table;
} move_groups;

/* For a question about these wires, which may depend on moves. */
move_groups move_groups_find(const move_table *t, const wire *wires, uint32_t count, arena *keep);

#endif
