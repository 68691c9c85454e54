/* Ways to play, by depth.  Every process makes the same list of states some steps from the start,
   each with the number of ways that lead there, and counts on from those that are its own.  A state
   that is reached from those of several processes is expanded by each of them. */
#include "base/vec.h"
#include "mpi/mpi_job.h"

#include <stdio.h>
#include <string.h>

/* States for each process, at least, so that none waits long for others. */
enum { SHARES = 16 };

typedef struct perft_front {
  size_t bytes; /* of a position */
  arena *keep;
  VEC(uint64_t) ways, hashes;
  uint8_t *positions;
  uint32_t room, depth;
} perft_front;

static uint8_t *front_position(const perft_front *f, uint32_t i) {
  return f->positions + i * f->bytes;
}

static void add_position(perft_front *f, const mpi_job *j, const void *position, uint64_t ways) {
  const uint64_t hash = tabia_position_hash(j->machine, position);
  for (uint32_t i = 0; i < f->ways.count; i++) {
    if (f->hashes.items[i] != hash || memcmp(front_position(f, i), position, f->bytes) != 0)
      continue;
    f->ways.items[i] += ways;
    return;
  }
  if (f->ways.count == f->room) {
    f->positions =
        arena_grow(f->keep, f->positions, f->room * f->bytes, (f->room + 64) * 2 * f->bytes);
    f->room = (f->room + 64) * 2;
  }
  memcpy(front_position(f, f->ways.count), position, f->bytes);
  vec_push(f->keep, &f->hashes, hash);
  vec_push(f->keep, &f->ways, ways);
}

/* All steps from a state. */
static tabia_status expand(perft_front *next, const mpi_job *j, tabia_perft *one,
                           tabia_workspace *w, const void *position, uint64_t ways) {
  uint64_t *after = arena_alloc(next->keep, next->bytes);
  if (tabia_position_terminal(w, position)) return TABIA_OK;
  tabia_perft_set_start(one, position);
  const tabia_status status = tabia_perft_run(one, 1, j->limits, j->log);
  if (status != TABIA_OK && status != TABIA_FAULTY) return status;
  for (uint32_t i = 0; i < tabia_perft_part_count(one); i++) {
    tabia_position_step(w, position, tabia_perft_part_joint(one, i), after);
    add_position(next, j, after, ways);
  }
  return TABIA_OK;
}

static tabia_status make_front(perft_front *f, const mpi_job *j, uint32_t depth) {
  tabia_workspace *w = tabia_workspace_new(j->machine, j->limits);
  tabia_perft *one = tabia_perft_new(j->machine);
  tabia_status status = w && one ? TABIA_OK : TABIA_LIMIT;
  void *start = arena_alloc(f->keep, f->bytes);
  tabia_position_start(j->machine, start);
  add_position(f, j, start, 1);
  if (one) tabia_perft_set_divide(one, true);
  while (status == TABIA_OK && f->ways.count && f->ways.count < SHARES * j->size &&
         f->depth + 1 < depth) {
    perft_front next = {.bytes = f->bytes, .keep = f->keep, .depth = f->depth + 1};
    for (uint32_t i = 0; i < f->ways.count && status == TABIA_OK; i++)
      status = expand(&next, j, one, w, front_position(f, i), f->ways.items[i]);
    *f = next;
  }
  tabia_perft_free(one);
  tabia_workspace_free(w);
  return status;
}

/* `nodes`: by depth. */
static tabia_status count_behind(const perft_front *f, const mpi_job *j, tabia_perft *p,
                                 uint32_t depth, uint64_t *nodes, uint64_t *stuck) {
  for (uint32_t i = j->rank; i < f->ways.count; i += j->size) {
    tabia_perft_set_start(p, front_position(f, i));
    const tabia_status status = tabia_perft_run(p, depth - f->depth, j->limits, j->log);
    if (status != TABIA_OK && status != TABIA_FAULTY) return status;
    for (uint32_t d = f->depth + 1; d <= depth; d++)
      nodes[d] += f->ways.items[i] * tabia_perft_nodes(p, d - f->depth);
    *stuck += f->ways.items[i] * tabia_perft_stuck(p);
  }
  return TABIA_OK;
}

/* Up to the depth of the front, by the first process. */
static tabia_status count_before(const perft_front *f, const mpi_job *j, tabia_perft *p,
                                 uint64_t *nodes, uint64_t *stuck) {
  if (j->rank) return TABIA_OK;
  const tabia_status status = tabia_perft_run(p, f->depth, j->limits, j->log);
  for (uint32_t d = 0; d <= f->depth; d++) nodes[d] = tabia_perft_nodes(p, d);
  *stuck = tabia_perft_stuck(p);
  return status == TABIA_FAULTY ? TABIA_OK : status;
}

static void put_counts(const uint64_t *nodes, uint32_t depth) {
  uint64_t total = 0;
  puts("depth           nodes");
  for (uint32_t d = 0; d <= depth; d++) {
    printf("%5u %15llu\n", (unsigned)d, (unsigned long long)nodes[d]);
    total += nodes[d];
  }
  printf("total %15llu\n", (unsigned long long)total);
}

static tabia_status count(perft_front *f, const mpi_job *j, tabia_perft *p, uint32_t depth) {
  uint64_t *sums = arena_zero_array(f->keep, uint64_t, depth + 2); /* nodes, then what is stuck */
  tabia_status status = make_front(f, j, depth);
  if (status == TABIA_OK) status = count_before(f, j, p, sums, &sums[depth + 1]);
  if (status == TABIA_OK) status = count_behind(f, j, p, depth, sums, &sums[depth + 1]);
  if (status != TABIA_OK) return status;
  if (!mpi_add_up(sums, depth + 2)) return TABIA_LIMIT;
  if (j->rank == 0) put_counts(sums, depth);
  return sums[depth + 1] ? TABIA_FAULTY : TABIA_OK;
}

tabia_status mpi_perft(const mpi_job *j, const mpi_command *c) {
  perft_front f = {.bytes = tabia_position_size(j->machine), .keep = arena_new()};
  tabia_perft *p = tabia_perft_new(j->machine);
  const tabia_status status = p ? count(&f, j, p, (uint32_t)c->depth) : TABIA_LIMIT;
  tabia_perft_free(p);
  arena_free(f.keep);
  return status;
}
