/* tabia-mpi: one game, solved by several processes (docs/cluster.md). */
#include "base/budget.h"
#include "mpi/mpi_exchange.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_WRONG_USE = 2 };

static const char usage[] =
    "Usage: mpirun -n N tabia-mpi solve [--database DIR] [--max-states N] [--time-limit SECONDS] GAME\n"
    "\n"
    "Solves a game of one role, or of two in turns, by several processes: each keeps the states\n"
    "that it owns.  Prints what `tabia solve` prints first; with --database the values of all\n"
    "states are kept, in the same bytes as `tabia solve --database` writes.\n"
    "\n"
    "Example:\n"
    "  mpirun -n 4 tabia-mpi solve tic-tac-toe\n";

typedef struct mpi_command {
  const char *game, *database;
  uint64_t max_states;
  double seconds;
} mpi_command;

typedef struct mpi_job {
  tabia_messages *log;
  tabia_limits *limits;
  tabia_rules *rules;
  tabia_machine *machine;
  tabia_solve *solve;
} mpi_job;

static bool read_arguments(mpi_command *c, int argc, char **argv) {
  static const struct option options[] = {{"database", required_argument, NULL, 'd'},
                                          {"max-states", required_argument, NULL, 'm'},
                                          {"time-limit", required_argument, NULL, 't'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  for (int letter; (letter = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
    if (letter == 'd') c->database = optarg;
    if (letter == 'm') c->max_states = strtoull(optarg, NULL, 10);
    if (letter == 't') c->seconds = strtod(optarg, NULL);
    if (letter == 'h' || letter == '?') return false;
  }
  if (argc - optind != 2 || strcmp(argv[optind], "solve") != 0) return false;
  c->game = argv[optind + 1];
  return true;
}

static tabia_status open_job(mpi_job *j, const mpi_command *c) {
  *j = (mpi_job){.log = tabia_messages_new(), .limits = tabia_limits_new()};
  tabia_limits_set_seconds(j->limits, c->seconds);
  const tabia_status status = tabia_rules_read(&j->rules, c->game, j->log);
  if (status != TABIA_OK) return status;
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

/* Where one process cannot go on, all end. */
static int run_job(const mpi_command *c) {
  mpi_exchange x;
  mpi_job j;
  const tabia_exchange e = mpi_exchange_open(&x);
  tabia_status status = open_job(&j, c);
  if (all_are_ready(status))
    status = solve_game(&j, c, &e);
  else if (status == TABIA_OK)
    status = TABIA_UNREADABLE;
  if (e.rank == 0 || status == TABIA_LIMIT) fputs(tabia_messages_text(j.log), stderr);
  fflush(stdout);
  if (status == TABIA_LIMIT) MPI_Abort(MPI_COMM_WORLD, (int)status);
  close_job(&j);
  mpi_exchange_close(&x);
  return (int)status;
}

int main(int argc, char **argv) {
  mpi_command c = {0};
  int status = EXIT_WRONG_USE;
  MPI_Init(&argc, &argv);
  if (read_arguments(&c, argc, argv))
    status = run_job(&c);
  else
    fputs(usage, stderr);
  MPI_Finalize();
  return status;
}
