#include "tree/tree_caller.h"
#include "tree/tree_joint.h"
#include "tree/tree_judge.h"

#include <string.h>

static bool is_abandoned(const descent *d) { return d->end == NODE_COMING; }

static void abandon(tree_search *s, descent *d) {
  tree_abandon(s, d);
  d->end = NODE_COMING;
}

static node_id last_node(const tree_search *s, const descent *d) {
  return s->steps.items[d->first + d->length - 1];
}

static const uint32_t *last_choices(const tree_search *s, const descent *d) {
  return s->choices.items + (size_t)(d->first + d->length - 1) * s->m->role_count;
}

/* ---- opening nodes ---- */

static void list_role(tree_search *s, uint32_t role) {
  move_lists *l = &s->lists[role];
  bundle_list_legal(s->bundle, role, l->moves, l->room, l->counts);
  uint32_t most = 0;
  for (uint32_t lane = 0; lane < s->bundle->count; lane++)
    if (l->counts[lane] > most) most = l->counts[lane];
  if (most <= l->room) return;
  l->room = most * 2;
  l->moves = arena_new_array(s->keep, move_id, (size_t)l->room * LANES);
  bundle_list_legal(s->bundle, role, l->moves, l->room, l->counts);
}

static void open_node(tree_search *s, node_id id, uint32_t lane) {
  bool can_move = true;
  for (uint32_t r = 0; r < s->m->role_count; r++) {
    const move_lists *l = &s->lists[r];
    const uint32_t count = l->counts[lane] < l->room ? l->counts[lane] : l->room;
    s->moves[r].count = 0;
    vec_append(s->keep, &s->moves[r], l->moves + (size_t)lane * l->room, count);
    can_move &= count > 0;
  }
  if (!can_move)
    node_of(s->store, id)->kind = NODE_STUCK;
  else if (!nodes_open(s->store, id, s->moves))
    s->is_full = true;
}

/* A network, or the caller, values successors anyway. */
static bool looks_for_ends(const tree_search *s) {
  return s->o.looks && s->o.solver && !s->net && !s->caller.judge;
}

static void open_nodes(tree_search *s, const node_id *ids, uint32_t count) {
  const size_t size = s->m->position_size;
  for (uint32_t i = 0; i < count; i++)
    memcpy(s->positions + i * size, nodes_position(s->store, ids[i]), size);
  bundle_load(s->bundle, s->positions, count);
  for (uint32_t r = 0; r < s->m->role_count; r++) list_role(s, r);
  for (uint32_t i = 0; i < count && !tree_is_over(s); i++) open_node(s, ids[i], i);
  if (s->net && !tree_is_over(s)) judge_nodes(s, ids, count);
  if (looks_for_ends(s) && !tree_is_over(s)) judge_ends(s, ids, count);
  if ((s->net || s->o.solver) && !tree_is_over(s)) joint_look(s, ids, count);
}

static bool is_to_be_opened(const tree_search *s, const descent *d) {
  return d->end < NODE_COMING && node_of(s->store, d->end)->kind == NODE_CLOSED;
}

/* Nodes are listed once, however many descents end there. */
static void open_ends(tree_search *s) {
  node_id ids[LANES];
  uint32_t count = 0;
  s->stamp++;
  for (uint32_t i = 0; i < s->descents.count; i++) {
    const descent *d = &s->descents.items[i];
    if (!is_to_be_opened(s, d) || node_of(s->store, d->end)->stamp == s->stamp) continue;
    node_of(s->store, d->end)->stamp = s->stamp;
    ids[count++] = d->end;
    if (count < LANES) continue;
    open_nodes(s, ids, count);
    count = 0;
  }
  if (count) open_nodes(s, ids, count);
}

static bool is_first_here(tree_search *s, node_id id) {
  if (node_of(s->store, id)->stamp == s->stamp) return false;
  node_of(s->store, id)->stamp = s->stamp;
  return true;
}

/* A descent that ended at a node that is open now.  If opening has told what the node is worth, one
   descent there is enough: as many as came would outweigh what was found elsewhere. */
static void go_on_from(tree_search *s, descent *d) {
  if (s->o.solver && nodes_is_solved(s->store, d->end)) {
    if (!is_first_here(s, d->end)) abandon(s, d);
  } else if (!tree_choose_on(s, d)) {
    d->end = NODE_COMING;
  }
}

/* Descents that ended at closed nodes go one step further. */
static void go_on(tree_search *s) {
  s->stamp++;
  for (uint32_t i = 0; i < s->descents.count; i++) {
    descent d = s->descents.items[i];
    if (!d.is_closed) continue;
    const uint8_t kind = node_of(s->store, d.end)->kind;
    if (kind == NODE_CLOSED) abandon(s, &d);
    if (kind == NODE_OPEN) go_on_from(s, &d);
    s->descents.items[i] = d;
  }
}

/* ---- new states ---- */

static void note_goal_sum(tree_search *s, int32_t sum) {
  if (s->goal_sum == GOAL_SUM_UNSEEN)
    s->goal_sum = sum;
  else if (s->goal_sum != sum)
    s->goal_sum = GOAL_SUM_VARIES;
}

/* Where a role has no goal its value is in the middle; `random` needs none. */
static void take_goals(tree_search *s, node_id id, const int32_t *goals) {
  int32_t sum = 0;
  node_of(s->store, id)->kind = NODE_TERMINAL;
  for (uint32_t r = 0; r < s->m->role_count; r++) {
    int32_t goal = goals[(size_t)r * LANES];
    if (goal == GOAL_NONE) goal = r == s->nature ? 0 : GOAL_MAX / 2;
    goal = goal < 0 ? 0 : goal > GOAL_MAX ? GOAL_MAX : goal;
    nodes_lows(s->store, id)[r] = nodes_highs(s->store, id)[r] = (uint8_t)goal;
    nodes_values(s->store, id)[r] = (float)goal / GOAL_MAX;
    if (r != s->nature) sum += goal;
  }
  note_goal_sum(s, sum);
}

static node_id find_or_add(tree_search *s, const void *position) {
  node_id id = s->o.transpositions ? nodes_find(s->store, position) : NODE_NONE;
  if (id != NODE_NONE) return id;
  id = nodes_add(s->store, position);
  if (id == NODE_NONE)
    s->is_full = true;
  else if (s->o.transpositions)
    nodes_index(s->store, id);
  return id;
}

node_id tree_make_end(tree_search *s, const void *position, uint32_t lane) {
  const node_id id = find_or_add(s, position);
  if (id != NODE_NONE && node_of(s->store, id)->kind == NODE_CLOSED)
    take_goals(s, id, s->ends + lane);
  return id;
}

/* The states of the lanes become nodes: those of the descents. */
static void make_nodes(tree_search *s, const uint32_t *which, uint32_t count) {
  const bundle_row terminal = bundle_terminal(s->bundle);
  for (uint32_t r = 0; r < s->m->role_count && !row_is_empty(&terminal); r++)
    bundle_goals(s->bundle, r, s->ends + (size_t)r * LANES);
  for (uint32_t i = 0; i < count; i++) {
    descent *d = &s->descents.items[which[i]];
    const node_id parent = last_node(s, d);
    d->end = find_or_add(s, s->positions + i * s->m->position_size);
    tree_set_child(s, parent, last_choices(s, d), d->end);
    if (d->end != NODE_NONE && row_has(&terminal, i) &&
        node_of(s->store, d->end)->kind == NODE_CLOSED)
      take_goals(s, d->end, s->ends + i);
    if (d->end == NODE_NONE) abandon(s, d);
  }
}

static void step_to(tree_search *s, const uint32_t *which, uint32_t count) {
  const size_t size = s->m->position_size;
  for (uint32_t i = 0; i < count; i++) {
    const descent *d = &s->descents.items[which[i]];
    memcpy(s->positions + i * size, nodes_position(s->store, last_node(s, d)), size);
    tree_joint(s, last_node(s, d), last_choices(s, d), s->joints + (size_t)i * s->m->role_count);
  }
  bundle_load(s->bundle, s->positions, count);
  bundle_step(s->bundle, s->joints, NULL);
  bundle_store(s->bundle, s->positions);
}

/* ---- outcomes ---- */

static float mean_goal(const tree_search *s, uint32_t lane, uint32_t role) {
  const uint32_t roles = s->m->role_count;
  float sum = 0;
  for (uint32_t k = 0; k < s->o.playouts; k++) {
    const int32_t goal = s->goals[((size_t)lane * s->o.playouts + k) * roles + role];
    sum += goal == GOAL_NONE ? .5f : (float)goal / GOAL_MAX;
  }
  return sum / (float)s->o.playouts;
}

/* Of games from some lanes: those that came to no end. */
static uint64_t count_unfinished(const tree_search *s, uint32_t count) {
  const uint32_t roles = s->m->role_count;
  uint64_t unfinished = 0;
  for (uint64_t game = 0; game < (uint64_t)count * s->o.playouts; game++) {
    uint32_t r = 0;
    while (r < roles && s->goals[game * roles + r] == GOAL_NONE) r++;
    unfinished += r == roles;
  }
  return unfinished;
}

static void play_from(tree_search *s, uint32_t count) {
  const bundle_games games = {.seed = s->o.seed,
                              .first = s->next_stream,
                              .each = s->o.playouts,
                              .max_steps = s->horizon.steps};
  bundle_play(s->bundle, &games, s->goals);
  s->next_stream += (uint64_t)count * s->o.playouts;
  s->figures.playouts += (uint64_t)count * s->o.playouts;
  if (!tree_is_over(s))
    horizon_learn(&s->horizon, (uint64_t)count * s->o.playouts, count_unfinished(s, count));
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t r = 0; r < s->m->role_count; r++)
      s->outcomes[(size_t)i * s->m->role_count + r] = mean_goal(s, i, r);
}

/* New nodes are opened at once, which judges them. */
static void open_new(tree_search *s, const uint32_t *which, uint32_t count) {
  node_id ids[LANES];
  uint32_t found = 0;
  s->stamp++;
  for (uint32_t i = 0; i < count; i++) {
    const node_id id = s->descents.items[which[i]].end;
    if (id >= NODE_COMING || node_of(s->store, id)->kind != NODE_CLOSED ||
        node_of(s->store, id)->stamp == s->stamp)
      continue;
    node_of(s->store, id)->stamp = s->stamp;
    ids[found++] = id;
  }
  if (found) open_nodes(s, ids, found);
}

static void judge_closed(tree_search *s, const uint32_t *which, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const node_id id = s->descents.items[which[i]].end;
    if (id < NODE_COMING && node_of(s->store, id)->kind == NODE_CLOSED &&
        !node_of(s->store, id)->visits)
      net_judge(s->net, nodes_position(s->store, id), nodes_values(s->store, id));
  }
}

/* With what random games have said, if they were asked. */
static void take_judgements(tree_search *s, const uint32_t *which, uint32_t count) {
  const float weight = (float)s->o.play_weight;
  for (uint32_t i = 0; i < count; i++) {
    const node_id id = s->descents.items[which[i]].end;
    float *outcome = s->outcomes + (size_t)i * s->m->role_count;
    if (id >= NODE_COMING) continue;
    judge_outcome(s, id, s->now);
    for (uint32_t r = 0; r < s->m->role_count; r++)
      outcome[r] = weight > 0 ? s->now[r] + weight * (outcome[r] - s->now[r]) : s->now[r];
  }
}

/* The lanes' states are judged first: opening puts others there. */
static void ask_caller(tree_search *s, const uint32_t *which, uint32_t count) {
  caller_ask(s, count);
  open_new(s, which, count);
  for (uint32_t i = 0; i < count && !tree_is_over(s); i++) {
    const node_id id = s->descents.items[which[i]].end;
    if (id < NODE_COMING && node_of(s->store, id)->kind == NODE_OPEN &&
        !node_of(s->store, id)->visits)
      caller_mark(s, id, i);
  }
}

/* Outcomes for new states, in the lanes. */
static void find_outcomes(tree_search *s, const uint32_t *which, uint32_t count) {
  if (s->caller.judge) {
    ask_caller(s, which, count);
    return;
  }
  if (!s->net || s->o.play_weight > 0) play_from(s, count);
  if (!s->net || tree_is_over(s)) return;
  if (s->o.eager)
    open_new(s, which, count);
  else
    judge_closed(s, which, count);
  if (!tree_is_over(s)) take_judgements(s, which, count);
}

static bool is_end(const tree_search *s, node_id id) {
  const uint8_t kind = node_of(s->store, id)->kind;
  return kind == NODE_TERMINAL || kind == NODE_STUCK;
}

/* The outcome of a descent to a state that is known is what is known of it. */
static void back_up_known(tree_search *s, const descent *d) {
  judge_outcome(s, d->end, s->known);
  tree_back_up(s, d, s->known);
}

static void back_up_played(tree_search *s, const uint32_t *which, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const descent *d = &s->descents.items[which[i]];
    if (is_abandoned(d) || is_end(s, d->end)) continue;
    tree_back_up(s, d, s->outcomes + (size_t)i * s->m->role_count);
  }
  for (uint32_t i = 0; i < count; i++) {
    const descent *d = &s->descents.items[which[i]];
    if (!is_abandoned(d) && is_end(s, d->end)) back_up_known(s, d);
  }
}

/* Trouble has come while these were on their way. */
static void give_up(tree_search *s, const uint32_t *which, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    descent *d = &s->descents.items[which[i]];
    if (d->end == NODE_NONE) tree_set_child(s, last_node(s, d), last_choices(s, d), NODE_NONE);
    if (!is_abandoned(d)) abandon(s, d);
  }
}

static void grow_bundle(tree_search *s, const uint32_t *which, uint32_t count) {
  if (!tree_is_over(s)) step_to(s, which, count);
  if (!tree_is_over(s)) make_nodes(s, which, count);
  if (!tree_is_over(s)) find_outcomes(s, which, count);
  if (tree_is_over(s))
    give_up(s, which, count);
  else
    back_up_played(s, which, count);
}

/* Descents that have found what is known beforehand are counted first: they take no time. */
static void grow_ends(tree_search *s) {
  uint32_t which[LANES], count = 0;
  for (uint32_t i = 0; i < s->descents.count; i++) {
    const descent *d = &s->descents.items[i];
    if (d->end < NODE_COMING) back_up_known(s, d);
    if (d->end != NODE_NONE) continue;
    which[count++] = i;
    if (count < LANES) continue;
    grow_bundle(s, which, count);
    count = 0;
  }
  if (count) grow_bundle(s, which, count);
}

void tree_grow(tree_search *s) {
  open_ends(s);
  go_on(s);
  grow_ends(s);
}

/* ---- the root ---- */

static void ask_about_root(tree_search *s) {
  memcpy(s->positions, nodes_position(s->store, s->root), s->m->position_size);
  caller_ask(s, 1);
  caller_mark(s, s->root, 0);
}

void tree_open_root(tree_search *s) {
  if (node_of(s->store, s->root)->kind != NODE_CLOSED) return;
  bundle_load(s->bundle, nodes_position(s->store, s->root), 1);
  const bundle_row terminal = bundle_terminal(s->bundle);
  if (!row_has(&terminal, 0)) {
    open_nodes(s, &s->root, 1);
    if (s->caller.judge && node_of(s->store, s->root)->kind == NODE_OPEN) ask_about_root(s);
    return;
  }
  for (uint32_t r = 0; r < s->m->role_count; r++)
    bundle_goals(s->bundle, r, s->ends + (size_t)r * LANES);
  if (!tree_is_over(s)) take_goals(s, s->root, s->ends);
}
