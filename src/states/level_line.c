#include "states/level_line.h"

/* Blocks of a level after which ranks ask each other whether one of them is done. */
enum { ROUND_BLOCKS = 64 };

#define NO_RANK UINT32_MAX

/* A record is the moves of a step and the state that it begins with. */
typedef struct parent_search {
  const level_walk *w;
  lane_expander e;
  const uint8_t *wanted;
  uint32_t moves_size, record_size;
  uint8_t *own;
  bool has_own;
  uint8_t *best; /* of the first rank that has one */
  uint32_t best_rank;
} parent_search;

static bool compare_steps(void *context, const lane_successors *batch) {
  parent_search *x = context;
  const uint32_t bytes = x->w->s->state_bytes, roles = x->w->s->c->roles.count;
  for (uint32_t i = 0; i < batch->count && !x->has_own; i++) {
    if (memcmp(batch->states + (size_t)i * bytes, x->wanted, bytes) != 0) continue;
    x->has_own = true;
    memcpy(x->own, batch->joints + (size_t)i * roles, x->moves_size);
    memcpy(x->own + x->moves_size, x->e.from + (size_t)batch->lanes[i] * bytes, bytes);
  }
  return !x->has_own;
}

/* Some blocks of a level of this rank, from *next on. */
static void search_round(parent_search *x, const level_run *l, uint32_t *next) {
  for (uint32_t i = 0; i < ROUND_BLOCKS && *next < l->count && !x->has_own; i++) {
    const uint32_t count = l->count - *next < LANES ? l->count - *next : LANES;
    lane_expander_look(&x->e, level_run_state(l, *next), count);
    lane_expander_make_steps(&x->e, compare_steps, x);
    *next += count;
  }
}

static void take_parent(void *context, uint32_t from, const uint8_t *record, size_t size) {
  parent_search *x = context;
  if (size != x->record_size || from >= x->best_rank) return;
  x->best_rank = from;
  memcpy(x->best, record, size);
}

static bool share_parent(parent_search *x) {
  ranks *r = x->w->r;
  ranks_begin(r, RANK_ANSWER, take_parent, x);
  if (x->has_own) ranks_post_all(r, RANK_ANSWER, x->own, x->record_size);
  return ranks_finish(r, RANK_ANSWER);
}

/* A step to the wanted state, from a state of the level. */
static bool find_parent(parent_search *x, uint32_t level, budget *b) {
  const level_run *l = x->w->levels.items[level];
  uint32_t next = 0;
  uint64_t left = 1;
  x->has_own = false;
  x->best_rank = NO_RANK;
  while (left && x->best_rank == NO_RANK) {
    search_round(x, l, &next);
    if (budget_check_now(b)) ranks_stop(x->w->r);
    left = next < l->count;
    if (!share_parent(x) || !ranks_sum(x->w->r, &left, 1)) return false;
  }
  return x->best_rank != NO_RANK;
}

static void search_init(parent_search *x, const level_walk *w, arena *scratch) {
  const uint32_t bytes = w->s->state_bytes, roles = w->s->c->roles.count;
  *x = (parent_search){.w = w, .moves_size = roles * (uint32_t)sizeof(uint32_t)};
  x->record_size = x->moves_size + bytes;
  x->own = arena_new_array(scratch, uint8_t, x->record_size + (size_t)8);
  x->best = arena_new_array(scratch, uint8_t, x->record_size + (size_t)8);
  lane_expander_init(&x->e, w->s, scratch);
  x->e.needs_no_goals = true;
}

bool level_walk_line(const level_walk *w, const uint8_t *state, uint32_t level, budget *b,
                     id_vec *line, arena *keep) {
  arena *scratch = arena_new(), *steps = arena_new(); /* the expander rewinds the latter */
  parent_search x;
  const uint32_t bytes = w->s->state_bytes, roles = w->s->c->roles.count;
  uint8_t *wanted = arena_zero_array(scratch, uint8_t, bytes + (size_t)8);
  bool is_whole = true;
  search_init(&x, w, steps);
  memcpy(wanted, state, bytes);
  x.wanted = wanted;
  vec_reserve(keep, line, level * roles + 1);
  line->count = level * roles;
  while (is_whole && level-- > 0) {
    is_whole = find_parent(&x, level, b);
    memcpy(vec_from(line, (size_t)level * roles), x.best, x.moves_size);
    memcpy(wanted, x.best + x.moves_size, bytes);
  }
  arena_free(steps);
  arena_free(scratch);
  return is_whole;
}
