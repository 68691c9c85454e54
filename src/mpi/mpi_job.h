/* What `tabia-mpi` is asked to do, and what every process has to do it with. */
#ifndef TABIA_MPI_MPI_JOB_H
#define TABIA_MPI_MPI_JOB_H

#include "tabia.h"

#include <mpi.h>

typedef struct mpi_command {
  const char *action; /* solve, states, prove, perft or playouts */
  const char *game, *database, *checkpoint;
  uint64_t max_states;
  uint64_t depth;              /* of perft and states; UINT64_MAX: it was not given */
  uint64_t count, seed, steps; /* of playouts */
  size_t bytes;
  double seconds, save_every;
  const char *properties; /* of prove; NULL: the usual ones */
  bool as_json;           /* of states and prove */
} mpi_command;

typedef struct mpi_job {
  uint32_t rank, size;
  tabia_messages *log;
  tabia_limits *limits;
  tabia_rules *rules;
  tabia_machine *machine;
  tabia_solve *solve;
} mpi_job;

/* Every process gets the sum over all.  False: a process has failed. */
static inline bool mpi_add_up(uint64_t *numbers, uint32_t count) {
  return MPI_Allreduce(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD) ==
         MPI_SUCCESS;
}

/* They print what `tabia perft`, `tabia playout`, `tabia prove` and `tabia states` print, but for
   the time. */
tabia_status mpi_perft(const mpi_job *j, const mpi_command *c);
tabia_status mpi_playouts(const mpi_job *j, const mpi_command *c);
tabia_status mpi_prove(const mpi_job *j, const mpi_command *c, const tabia_exchange *e);
tabia_status mpi_states(const mpi_job *j, const mpi_command *c, const tabia_exchange *e);

#endif
