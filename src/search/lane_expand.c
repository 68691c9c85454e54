#include "search/lane_expand.h"

#include "machine/lanes/lanes_machine.h"

#include <string.h>

/* The legal moves of one role in all states of a bundle, state by state. */
typedef struct bundle_moves {
  uint32_t first[LANES + 1]; /* first[i] .. first[i+1]-1 are those of state i */
  id_vec moves;
} bundle_moves;

struct lane_expander {
  arena *keep;
  const machine *m;
  lane_steps steps;
  uint64_t *states; /* the bundle that is expanded */
  bundle_moves *roles;
  uint32_t *at; /* by role: which move of the state is its part of the joint move */
  /* successors that are still to be made */
  uint64_t *parents, *successors;
  move_id *joints;
  uint32_t origins[LANES];
  uint32_t waiting;
};

lane_expander *lane_expander_new(const machine *m, arena *keep, budget *b) {
  const size_t words = m->position_size / sizeof(uint64_t) + 1;
  lane_expander *l = arena_alloc_zero(keep, sizeof *l);
  l->keep = keep;
  l->m = m;
  l->states = arena_new_array(keep, uint64_t, words * LANES);
  l->parents = arena_new_array(keep, uint64_t, words * LANES);
  l->successors = arena_new_array(keep, uint64_t, words * LANES);
  l->joints = arena_new_array(keep, move_id, m->role_count * (size_t)LANES);
  l->roles = arena_zero_array(keep, bundle_moves, m->role_count);
  l->at = arena_zero_array(keep, uint32_t, m->role_count);
  return lanes_steps_init(&l->steps, m, keep, b) ? l : NULL;
}

static void *position_at(const lane_expander *l, uint64_t *all, uint32_t i) {
  return (char *)all + i * l->m->position_size;
}

/* ---- legal moves ---- */

/* Calls `each` for all pairs of a state and a move of a role, by move. */
typedef void each_move_fn(bundle_moves *b, uint32_t state, move_id move);

static void for_each_move(lane_expander *l, uint32_t role, each_move_fn *each) {
  const circuit_role *r = &l->steps.net->c->roles.items[role];
  for (uint32_t i = 0; i < r->move_count; i++)
    for (uint32_t word = 0; word * 64 < l->steps.count; word++) {
      uint64_t states = lane_steps_word(&l->steps, l->steps.net->legal + r->first_move + i, word);
      if (l->steps.count - word * 64 < 64) states &= (UINT64_C(1) << l->steps.count % 64) - 1;
      for (; states; states &= states - 1)
        each(&l->roles[role], word * 64 + (uint32_t)__builtin_ctzll(states), i);
    }
}

static void count_move(bundle_moves *b, uint32_t state, move_id move) {
  (void)move;
  b->first[state + 1]++;
}

/* While moves are added, first[i] is where the next one of state i goes. */
static void add_move(bundle_moves *b, uint32_t state, move_id move) {
  b->moves.items[b->first[state]++] = move;
}

static void list_moves(lane_expander *l, uint32_t role) {
  bundle_moves *b = &l->roles[role];
  memset(b->first, 0, sizeof b->first);
  for_each_move(l, role, count_move);
  for (uint32_t i = 0; i < LANES; i++) b->first[i + 1] += b->first[i];
  b->moves.count = 0;
  vec_reserve(l->keep, &b->moves, b->first[LANES] + 1);
  for_each_move(l, role, add_move);
  memmove(b->first + 1, b->first, LANES * sizeof *b->first);
  b->first[0] = 0;
}

/* ---- successors ---- */

static void make_waiting(lane_expander *l, const expand_sink *sink) {
  if (!l->waiting) return;
  lane_steps_load(&l->steps, l->parents, l->waiting);
  lane_steps_set_moves(&l->steps, l->joints);
  lane_steps_run(&l->steps, PHASE_NEXT);
  lane_steps_store(&l->steps, l->successors);
  for (uint32_t i = 0; i < l->waiting; i++)
    sink->successor(sink->context, l->origins[i], l->joints + (size_t)i * l->m->role_count,
                    position_at(l, l->successors, i));
  l->waiting = 0;
}

static void add_successor(lane_expander *l, uint32_t state, uint32_t origin,
                          const expand_sink *sink) {
  const uint32_t roles = l->m->role_count;
  memcpy(position_at(l, l->parents, l->waiting), position_at(l, l->states, state),
         l->m->position_size);
  for (uint32_t role = 0; role < roles; role++)
    l->joints[(size_t)l->waiting * roles + role] =
        l->roles[role].moves.items[l->roles[role].first[state] + l->at[role]];
  l->origins[l->waiting++] = origin;
  if (l->waiting == LANES) make_waiting(l, sink);
}

static uint32_t move_count(const lane_expander *l, uint32_t role, uint32_t state) {
  return l->roles[role].first[state + 1] - l->roles[role].first[state];
}

/* The last role's move changes fastest, as in joint_moves.h. */
static bool next_joint(lane_expander *l, uint32_t state) {
  for (uint32_t role = l->m->role_count; role-- > 0;) {
    if (++l->at[role] < move_count(l, role, state)) return true;
    l->at[role] = 0;
  }
  return false;
}

/* A bundle may take long: the clock is looked at each time. */
static bool is_over(machine_workspace *w) {
  if (w->budget) w->budget->countdown = 0;
  return workspace_is_over(w);
}

/* The budget is asked whenever a bundle of successors has been made. */
static void expand_state(lane_expander *l, machine_workspace *w, uint32_t state, bool is_terminal,
                         uint32_t origin, const expand_sink *sink) {
  for (uint32_t role = 0; role < l->m->role_count; role++) {
    l->at[role] = 0;
    if (move_count(l, role, state)) continue;
    if (!is_terminal) sink->stuck(sink->context, origin, role);
    return;
  }
  do add_successor(l, state, origin, sink);
  while (next_joint(l, state) && (l->waiting || !is_over(w)));
}

/* ---- bundles of states ---- */

static void expand_bundle(lane_expander *l, const expander *x, uint32_t first, uint32_t count,
                          const expand_sink *sink) {
  uint64_t terminal[ROW_WORDS];
  for (uint32_t i = 0; i < count; i++)
    sink->state(sink->context, first + i, position_at(l, l->states, i));
  lane_steps_load(&l->steps, l->states, count);
  lane_steps_run(&l->steps, PHASE_TERMINAL);
  for (uint32_t i = 0; i < ROW_WORDS; i++)
    terminal[i] = lane_steps_word(&l->steps, l->steps.net->terminal, i);
  lane_steps_run(&l->steps, PHASE_LEGAL);
  for (uint32_t role = 0; role < l->m->role_count; role++) list_moves(l, role);
  for (uint32_t i = 0; i < count; i++) {
    const bool is_terminal = terminal[i / 64] >> i % 64 & 1;
    if (!is_terminal || x->ignore_terminal) expand_state(l, x->w, i, is_terminal, first + i, sink);
  }
  make_waiting(l, sink);
}

bool lane_expand_states(lane_expander *l, const expander *x, uint32_t first, uint32_t end,
                        const expand_sink *sink) {
  for (uint32_t i = first; i < end && !is_over(x->w); i += LANES)
    expand_bundle(l, x, i, end - i < LANES ? end - i : LANES, sink);
  return !x->w->trouble.is_there;
}
