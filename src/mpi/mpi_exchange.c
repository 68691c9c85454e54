#include "mpi/mpi_exchange.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_TAG = 1, MOMENT = 50 /* microseconds */ };

/* A place for one more message; MPI_SENDS: there is none; -1: it failed. */
static int free_place(mpi_exchange *x) {
  for (int i = 0; i < MPI_SENDS; i++) {
    int is_done = 1;
    if (x->requests[i] != MPI_REQUEST_NULL &&
        MPI_Test(&x->requests[i], &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return -1;
    if (is_done) return i;
  }
  return MPI_SENDS;
}

static int send_message(void *context, uint32_t to, const void *bytes, size_t length) {
  mpi_exchange *x = context;
  const int place = free_place(x);
  if (place < 0) return -1;
  if (place == MPI_SENDS) return 0;
  if (!x->buffers[place]) x->buffers[place] = malloc(TABIA_MESSAGE_MAX);
  if (!x->buffers[place] || length > TABIA_MESSAGE_MAX) return -1;
  memcpy(x->buffers[place], bytes, length);
  return MPI_Isend(x->buffers[place], (int)length, MPI_BYTE, (int)to, MESSAGE_TAG, MPI_COMM_WORLD,
                   &x->requests[place]) == MPI_SUCCESS
             ? 1
             : -1;
}

static long receive_message(void *context, void *bytes, size_t capacity, bool wait) {
  MPI_Status status;
  int is_there = 0, length = 0;
  (void)context;
  if (MPI_Iprobe(MPI_ANY_SOURCE, MESSAGE_TAG, MPI_COMM_WORLD, &is_there, &status) != MPI_SUCCESS)
    return -1;
  if (!is_there) {
    if (wait) usleep(MOMENT);
    return 0;
  }
  if (MPI_Get_count(&status, MPI_BYTE, &length) != MPI_SUCCESS || (size_t)length > capacity ||
      MPI_Recv(bytes, length, MPI_BYTE, status.MPI_SOURCE, MESSAGE_TAG, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE) != MPI_SUCCESS)
    return -1;
  return length;
}

static bool wait_for_all(void *context) {
  mpi_exchange *x = context;
  MPI_Status unused[MPI_SENDS]; /* gcc warns of MPI_STATUSES_IGNORE as MPICH declares it */
  return MPI_Waitall(MPI_SENDS, x->requests, unused) == MPI_SUCCESS &&
         MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS;
}

tabia_exchange mpi_exchange_open(mpi_exchange *x) {
  int rank = 0, size = 1;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  memset(x, 0, sizeof *x);
  for (int i = 0; i < MPI_SENDS; i++) x->requests[i] = MPI_REQUEST_NULL;
  return (tabia_exchange){.context = x,
                          .rank = (uint32_t)rank,
                          .size = (uint32_t)size,
                          .send = send_message,
                          .receive = receive_message,
                          .barrier = wait_for_all};
}

void mpi_exchange_close(mpi_exchange *x) {
  for (int i = 0; i < MPI_SENDS; i++) free(x->buffers[i]);
}
