/* Messages by MPI, for tabia_solve_set_exchange.  Large ones are on their way while work goes on:
   sends do not block, and at most MPI_SENDS of them are under way. */
#ifndef TABIA_MPI_MPI_EXCHANGE_H
#define TABIA_MPI_MPI_EXCHANGE_H

#include "tabia.h"

#include <mpi.h>

enum { MPI_SENDS = 32 };

typedef struct mpi_exchange {
  MPI_Request requests[MPI_SENDS]; /* MPI_REQUEST_NULL: free */
  void *buffers[MPI_SENDS];        /* of TABIA_MESSAGE_MAX bytes; NULL: not used yet */
} mpi_exchange;

/* MPI must have been initialised.  Pointers of the result are to `x`. */
tabia_exchange mpi_exchange_open(mpi_exchange *x);
void mpi_exchange_close(mpi_exchange *x);

#endif
