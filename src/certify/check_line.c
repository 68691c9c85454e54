/* A line of play that decides a property, played on machine `reference`. */
#include "certify/play_state.h"

#include <string.h>

/* What a line that comes back is played again before it is given up. */
enum { ROUNDS_MAX = 256 };

typedef struct line_play {
  play p;
  checker *k;
  const evidence *e;
  arena *spare; /* has the state before the last step, as the play's scratch has the one after it */
  uint8_t *position;
  play_state before, now;
} line_play;

static bool read_next(line_play *l) {
  arena *oldest = l->spare;
  l->before = l->now;
  l->spare = l->p.scratch;
  l->p.scratch = oldest;
  arena_clear(oldest);
  return play_read(&l->p, l->k, l->position, &l->now);
}

/* False: it is not legal, or the game is over. */
static bool make_joint_move(line_play *l, uint32_t step) {
  const uint32_t roles = l->p.m->role_count;
  move_id *joint = arena_new_array(l->p.scratch, move_id, roles + 1);
  if (l->now.is_terminal) return checker_reject(l->k, "the line goes on after the end", ID_NONE);
  for (uint32_t role = 0; role < roles; role++) {
    const uint32_t move = l->e->line.items[step * roles + role];
    joint[role] = play_find_move(&l->p, &l->now, role, move);
    if (joint[role] == MOVE_NONE)
      return checker_reject(l->k, "a move of the line is not legal", ID_NONE);
  }
  machine_step(l->p.m, l->p.w, l->position, joint, l->position);
  return read_next(l);
}

static bool make_joint_moves(line_play *l, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++)
    if (!make_joint_move(l, i)) return false;
  return true;
}

static bool begin_line(line_play *l, checker *k, const evidence *e) {
  *l = (line_play){.k = k, .e = e, .spare = arena_new()};
  if (!play_open(&l->p, k, "reference", NULL)) return false;
  l->position = arena_alloc(l->p.keep, l->p.m->position_size + 1);
  machine_start(l->p.m, l->position);
  if (!play_read(&l->p, k, l->position, &l->now)) return false;
  l->before = l->now;
  return true;
}

/* The end of the line is played again and again until the state with which that began is there
   again: then it can be repeated for ever. */
static bool comes_back(line_play *l) {
  const uint32_t first = l->e->section->returns_to, end = l->e->line_length;
  const size_t size = l->p.m->position_size;
  uint8_t *begins = arena_alloc(l->p.keep, ROUNDS_MAX * size + 1);
  if (!make_joint_moves(l, 0, first)) return false;
  for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
    memcpy(begins + round * size, l->position, size);
    if (!make_joint_moves(l, first, end)) return false;
    for (uint32_t i = 0; i <= round; i++)
      if (memcmp(begins + i * size, l->position, size) == 0) return true;
  }
  return checker_reject(l->k, "the line does not come back", ID_NONE);
}

/* Its last state is one that must not be, or its last step. */
static bool ends_with_it(line_play *l) {
  if (!make_joint_moves(l, 0, l->e->line_length)) return false;
  const bool shows =
      l->e->kind == CERTIFIED_MONOTONE
          ? state_is_unjudged(&l->p, &l->now) || state_has_less(&l->p, &l->before, &l->now)
          : state_is_forbidden(&l->p, &l->now, l->e);
  return shows || checker_reject(l->k, "the line does not show it", ID_NONE);
}

bool line_holds(checker *k, const evidence *e) {
  line_play l;
  const bool is_of_ends = e->kind == CERTIFIED_TERMINATES;
  if (is_of_ends && e->section->returns_to >= e->line_length)
    return checker_reject(k, "the line does not come back", ID_NONE);
  const bool ok = begin_line(&l, k, e) && (is_of_ends ? comes_back(&l) : ends_with_it(&l));
  play_close(&l.p);
  arena_free(l.spare);
  return ok;
}
