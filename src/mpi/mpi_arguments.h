/* The words after `tabia-mpi`. */
#ifndef TABIA_MPI_MPI_ARGUMENTS_H
#define TABIA_MPI_MPI_ARGUMENTS_H

#include "mpi/mpi_job.h"

typedef enum mpi_wish { MPI_WISH_JOB, MPI_WISH_HELP, MPI_WISH_UNKNOWN } mpi_wish;

/* MPI_WISH_UNKNOWN: they are not understood, and `speaks` (of one process) says why on standard
   error. */
mpi_wish mpi_arguments_read(mpi_command *c, int argc, char **argv, bool speaks);

extern const char mpi_usage[];

#endif
