/* Random games: every process plays its share, and the figures add up. */
#include "mpi/mpi_job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GOALS = 101 };

/* What is summed up, as MPI takes it: numbers, one behind another. */
typedef struct play_sums {
  uint64_t played, states, squares, too_long, stuck, bad_goals, faults;
} play_sums;

enum { SUMS = sizeof(play_sums) / sizeof(uint64_t) };

static uint64_t squares_of(const tabia_playouts *p) {
  const double mean = tabia_playouts_mean_length(p), by = tabia_playouts_length_deviation(p);
  return (uint64_t)llround((by * by + mean * mean) * (double)tabia_playouts_played(p));
}

static bool add_up(const tabia_playouts *p, bool is_faulty, play_sums *s) {
  uint64_t numbers[SUMS];
  *s = (play_sums){.played = tabia_playouts_played(p),
                   .states = tabia_playouts_states(p),
                   .squares = squares_of(p),
                   .too_long = tabia_playouts_too_long(p),
                   .stuck = tabia_playouts_stuck(p),
                   .bad_goals = tabia_playouts_bad_goals(p),
                   .faults = is_faulty};
  memcpy(numbers, s, sizeof numbers);
  if (!mpi_add_up(numbers, SUMS)) return false;
  memcpy(s, numbers, sizeof numbers);
  return true;
}

/* The shortest and the longest game of all processes. */
static bool find_range(const tabia_playouts *p, uint64_t *shortest, uint64_t *longest) {
  *shortest = tabia_playouts_played(p) ? tabia_playouts_shortest(p) : UINT64_MAX;
  *longest = tabia_playouts_longest(p);
  return MPI_Allreduce(MPI_IN_PLACE, shortest, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD) ==
             MPI_SUCCESS &&
         MPI_Allreduce(MPI_IN_PLACE, longest, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD) ==
             MPI_SUCCESS;
}

static void put_lengths(const play_sums *s, uint64_t shortest, uint64_t longest) {
  const double games = s->played ? (double)s->played : 1;
  const double mean = (double)s->states / games;
  const double variance = (double)s->squares / games - mean * mean;
  printf("%llu playouts, %llu states\n", (unsigned long long)s->played,
         (unsigned long long)s->states);
  printf("length: mean %.5f, deviation %.3f, shortest %llu, longest %llu\n", mean,
         variance > 0 ? sqrt(variance) : 0, (unsigned long long)(s->played ? shortest : 0),
         (unsigned long long)longest);
}

static void put_role(const mpi_job *j, uint32_t role, const uint64_t *goals) {
  uint64_t games = 0, sum = 0;
  for (uint64_t value = 0; value < GOALS; value++) {
    games += goals[value];
    sum += goals[value] * value;
  }
  if (!games) return;
  printf("%s: mean goal %.3f;", tabia_machine_role(j->machine, role), (double)sum / (double)games);
  for (uint64_t value = 0; value < GOALS; value++)
    if (goals[value])
      printf(" %llu: %llu", (unsigned long long)value, (unsigned long long)goals[value]);
  putchar('\n');
}

static void put_uncounted(uint64_t count, const char *why) {
  if (count) printf("%llu not counted: %s\n", (unsigned long long)count, why);
}

static void put_all_uncounted(const play_sums *s) {
  put_uncounted(s->stuck, "a role could not move");
  put_uncounted(s->bad_goals, "a role had several goals or none");
  put_uncounted(s->too_long, "longer than the most steps allowed");
}

static bool put_roles(const mpi_job *j, const tabia_playouts *p) {
  for (uint32_t role = 0; role < tabia_machine_role_count(j->machine); role++) {
    uint64_t goals[GOALS];
    for (int32_t value = 0; value < GOALS; value++)
      goals[value] = tabia_playouts_goal_count(p, role, value);
    if (!mpi_add_up(goals, GOALS)) return false;
    if (j->rank == 0) put_role(j, role, goals);
  }
  return true;
}

static tabia_status show(const mpi_job *j, const tabia_playouts *p, tabia_status status) {
  play_sums s;
  uint64_t shortest, longest;
  if (!add_up(p, status == TABIA_FAULTY, &s) || !find_range(p, &shortest, &longest))
    return TABIA_LIMIT;
  if (j->rank == 0) put_lengths(&s, shortest, longest);
  if (!put_roles(j, p)) return TABIA_LIMIT;
  if (j->rank == 0) put_all_uncounted(&s);
  return s.faults ? TABIA_FAULTY : TABIA_OK;
}

tabia_status mpi_playouts(const mpi_job *j, const mpi_command *c) {
  tabia_playouts *p = tabia_playouts_new(j->machine);
  if (!p) return TABIA_LIMIT;
  tabia_playouts_set_count(p, c->count);
  tabia_playouts_set_seed(p, c->seed);
  tabia_playouts_set_max_steps(p, c->steps);
  tabia_playouts_set_share(p, j->rank, j->size);
  tabia_status status = tabia_playouts_run(p, j->limits, j->log);
  if (status == TABIA_OK || status == TABIA_FAULTY) status = show(j, p, status);
  tabia_playouts_free(p);
  return status;
}
