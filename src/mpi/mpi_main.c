/* tabia-mpi: one game, solved, proved, walked, counted or played by several processes
   (docs/cluster.md). */
#include "base/budget.h"
#include "mpi/mpi_arguments.h"
#include "mpi/mpi_exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_WRONG_USE = 2 };

static tabia_status open_job(mpi_job *j, const mpi_command *c) {
  j->log = tabia_messages_new();
  j->limits = tabia_limits_new();
  tabia_limits_set_seconds(j->limits, c->seconds);
  tabia_limits_set_bytes(j->limits, c->bytes);
  const tabia_status status = tabia_rules_read(&j->rules, c->game, j->log);
  if (status != TABIA_OK || strcmp(c->action, "prove") == 0) return status; /* needs rules alone */
  return tabia_machine_open(&j->machine, j->rules, "lanes", j->limits, j->log);
}

static void close_job(mpi_job *j) {
  tabia_solve_free(j->solve);
  tabia_machine_close(j->machine);
  tabia_rules_free(j->rules);
  tabia_limits_free(j->limits);
  tabia_messages_free(j->log);
}

/* ---- the answer ---- */

static void put_moves(const mpi_job *j, uint32_t role) {
  char words[4096];
  for (uint32_t i = 0; i < tabia_solve_move_count(j->solve, role); i++) {
    tabia_move_text(j->machine, role, tabia_solve_move(j->solve, role, i), words, sizeof words);
    printf("%s%s", i ? ", " : "; ", words);
  }
}

static void put_answer(const mpi_job *j, uint32_t processes, double seconds) {
  const tabia_solve *x = j->solve;
  printf("%llu states, %llu of them ends, to depth %u\n", (unsigned long long)tabia_solve_states(x),
         (unsigned long long)tabia_solve_ends(x), (unsigned)tabia_solve_depth(x));
  for (uint32_t role = 0; role < tabia_machine_role_count(j->machine); role++) {
    const char *name = tabia_machine_role(j->machine, role);
    if (strcmp(name, "random") == 0) continue;
    printf("%s: %.9g", name, tabia_solve_value(x, role));
    put_moves(j, role);
    putchar('\n');
  }
  if (tabia_solve_has_remoteness(x)) printf("remoteness %u\n", (unsigned)tabia_solve_remoteness(x));
  fprintf(stderr, "%u processes, %.2f seconds\n", (unsigned)processes, seconds);
}

static tabia_status solve_game(mpi_job *j, const mpi_command *c, const tabia_exchange *e) {
  const double begin = clock_now();
  j->solve = tabia_solve_new(j->machine);
  if (!j->solve) return TABIA_LIMIT;
  tabia_solve_set_most_states(j->solve, c->max_states);
  tabia_solve_set_database(j->solve, c->database);
  tabia_solve_set_checkpoint(j->solve, c->checkpoint, c->save_every);
  tabia_solve_set_exchange(j->solve, e);
  const tabia_status status = tabia_solve_run(j->solve, j->limits, j->log);
  if (e->rank == 0 && tabia_solve_has_values(j->solve)) put_answer(j, e->size, clock_now() - begin);
  return status;
}

/* All have the game, or none begins. */
static bool all_are_ready(tabia_status status) {
  int is_missing = status != TABIA_OK, any = 1;
  return MPI_Allreduce(&is_missing, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD) == MPI_SUCCESS &&
         !any;
}

static tabia_status do_it(mpi_job *j, const mpi_command *c, const tabia_exchange *e) {
  if (strcmp(c->action, "perft") == 0) return mpi_perft(j, c);
  if (strcmp(c->action, "playouts") == 0) return mpi_playouts(j, c);
  if (strcmp(c->action, "states") == 0) return mpi_states(j, c, e);
  if (strcmp(c->action, "prove") == 0) return mpi_prove(j, c, e);
  return solve_game(j, c, e);
}

/* A moment in which others that come to their end, too, can say what they have found. */
static void wait_a_moment(void) {
  enum { MOMENT = 1000 /* microseconds */, MOMENTS = 3000 };
  MPI_Request all;
  int is_done = 0;
  if (MPI_Ibarrier(MPI_COMM_WORLD, &all) != MPI_SUCCESS) return;
  for (int i = 0; i < MOMENTS && !is_done; i++) {
    if (MPI_Test(&all, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return;
    usleep(MOMENT);
  }
}

static void end_all(tabia_status status) {
  wait_a_moment();
  MPI_Abort(MPI_COMM_WORLD, (int)status);
}

/* Where one process cannot go on, all end. */
static int run_job(const mpi_command *c) {
  mpi_exchange x;
  const tabia_exchange e = mpi_exchange_open(&x);
  mpi_job j = {.rank = e.rank, .size = e.size};
  tabia_status status = open_job(&j, c);
  if (all_are_ready(status))
    status = do_it(&j, c, &e);
  else if (status == TABIA_OK)
    status = TABIA_UNREADABLE;
  if (e.rank == 0 || status == TABIA_LIMIT) fputs(tabia_messages_text(j.log), stderr);
  fflush(stdout);
  if (status == TABIA_LIMIT) end_all(status);
  close_job(&j);
  mpi_exchange_close(&x);
  return (int)status;
}

/* One process speaks for all. */
int main(int argc, char **argv) {
  mpi_command c = {.seed = 1, .depth = UINT64_MAX};
  int status = EXIT_WRONG_USE, rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const mpi_wish wish = mpi_arguments_read(&c, argc, argv, rank == 0);
  if (wish == MPI_WISH_JOB) status = run_job(&c);
  if (wish == MPI_WISH_HELP) status = EXIT_SUCCESS;
  if (wish == MPI_WISH_HELP && rank == 0) fputs(mpi_usage, stdout);
  if (wish == MPI_WISH_UNKNOWN && rank == 0)
    fputs("`tabia-mpi --help` shows how it is used\n", stderr);
  MPI_Finalize();
  return status;
}
