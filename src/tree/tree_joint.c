#include "tree/tree_joint.h"

#include "solve/matrix_game.h"
#include "tree/joint_game.h"
#include "tree/tree_bounds.h"

#include <math.h>
#include <string.h>

enum { JOINTS_MAX = 256, MIX_WORK = 4096, MIX_ROUNDS_MAX = 64 };

/* ---- joint moves ---- */

/* Of one node, counted as joint_game.h says. */
typedef struct joint_moves {
  tree_search *s;
  node_id id;
  uint32_t count;    /* 0: there are too many, or chance is among those who choose */
  uint32_t *sizes;   /* by role: its moves */
  uint32_t *strides; /* by role: from a move to its next */
  uint32_t *choices; /* scratch, by role: edges */
} joint_moves;

static uint32_t count_of(const joint_moves *j, bool chance) {
  uint64_t count = 1;
  for (uint32_t r = 0; r < j->s->m->role_count && count <= JOINTS_MAX; r++) {
    j->strides[r] = (uint32_t)count;
    count *= j->sizes[r];
  }
  return chance || count > JOINTS_MAX ? 0 : (uint32_t)count;
}

static joint_moves moves_of(tree_search *s, node_id id) {
  const uint32_t roles = s->m->role_count, *firsts = nodes_firsts(s->store, id);
  joint_moves j = {.s = s,
                   .id = id,
                   .sizes = arena_new_array(s->scratch, uint32_t, roles),
                   .strides = arena_new_array(s->scratch, uint32_t, roles),
                   .choices = arena_new_array(s->scratch, uint32_t, roles)};
  for (uint32_t r = 0; r < roles; r++)
    j.sizes[r] = firsts[r] == firsts[r + 1] ? 1 : firsts[r + 1] - firsts[r];
  j.count = count_of(&j, s->nature < roles && j.sizes[s->nature] > 1);
  return j;
}

static uint32_t digit(const joint_moves *j, uint32_t joint, uint32_t role) {
  return joint / j->strides[role] % j->sizes[role];
}

/* The edges of a joint move; for roles without a choice, 0. */
static const uint32_t *edges_of(const joint_moves *j, uint32_t joint) {
  const uint32_t *firsts = nodes_firsts(j->s->store, j->id);
  for (uint32_t r = 0; r < j->s->m->role_count; r++)
    j->choices[r] = j->sizes[r] == 1 ? 0 : firsts[r] + digit(j, joint, r);
  return j->choices;
}

static play_edge *edge_at(const joint_moves *j, uint32_t role, uint32_t i) {
  return nodes_edge(j->s->store, j->id, nodes_firsts(j->s->store, j->id)[role] + i);
}

static bool is_out(const joint_moves *j, uint32_t role, uint32_t i) {
  return j->sizes[role] > 1 && joint_is_out(edge_at(j, role, i));
}

/* Those with move i of a role: begin with -1; count: there are no more. */
static uint32_t next_with(const joint_moves *j, uint32_t role, uint32_t i, uint32_t joint) {
  const uint32_t stride = j->strides[role], first = i * stride;
  if (joint == UINT32_MAX) return first;
  joint++;
  if (joint % stride == 0) joint += stride * (j->sizes[role] - 1);
  return joint < j->count ? joint : j->count;
}

/* ---- what successors are worth ---- */

typedef struct joint_bounds {
  uint8_t *lows, *highs; /* by joint move and role */
  bool *is_gone;         /* by joint move: some role's move is out */
} joint_bounds;

static void take_out(const joint_moves *j, const joint_bounds *b, uint32_t role, uint32_t i) {
  for (uint32_t k = next_with(j, role, i, UINT32_MAX); k < j->count; k = next_with(j, role, i, k))
    b->is_gone[k] = true;
}

static joint_bounds read_bounds(const joint_moves *j) {
  const uint32_t roles = j->s->m->role_count;
  const joint_bounds b = {arena_zero_array(j->s->scratch, uint8_t, (size_t)j->count * roles),
                          arena_new_array(j->s->scratch, uint8_t, (size_t)j->count * roles),
                          arena_zero_array(j->s->scratch, bool, j->count)};
  memset(b.highs, GOAL_MAX, (size_t)j->count * roles);
  for (uint32_t r = 0; r < roles; r++)
    for (uint32_t i = 0; i < j->sizes[r]; i++)
      if (is_out(j, r, i)) take_out(j, &b, r, i);
  for (uint32_t k = 0; k < j->count; k++) {
    const node_id *child =
        b.is_gone[k] ? NULL : nodes_find_joint_child(j->s->store, j->id, edges_of(j, k));
    if (!child || *child >= NODE_COMING) continue;
    memcpy(b.lows + (size_t)k * roles, nodes_lows(j->s->store, *child), roles);
    memcpy(b.highs + (size_t)k * roles, nodes_highs(j->s->store, *child), roles);
  }
  return b;
}

/* ---- dominated moves ---- */

/* Both are in. */
static bool dominates(const joint_moves *j, const joint_bounds *b, uint32_t role, uint32_t better,
                      uint32_t worse) {
  const uint32_t roles = j->s->m->role_count, stride = j->strides[role];
  bool is_strict = better < worse;
  for (uint32_t k = next_with(j, role, worse, UINT32_MAX); k < j->count;
       k = next_with(j, role, worse, k)) {
    if (b->is_gone[k]) continue;
    const uint8_t most = b->highs[(size_t)k * roles + role];
    const uint8_t least = b->lows[(size_t)(k - worse * stride + better * stride) * roles + role];
    if (most > least) return false;
    is_strict |= most < least;
  }
  return is_strict;
}

static bool is_dominated(const joint_moves *j, const joint_bounds *b, uint32_t role, uint32_t i) {
  for (uint32_t k = 0; k < j->sizes[role]; k++)
    if (k != i && !is_out(j, role, k) && dominates(j, b, role, k, i)) return true;
  return false;
}

static bool drop_dominated(const joint_moves *j, const joint_bounds *b) {
  bool changed = false;
  for (uint32_t r = 0; r < j->s->m->role_count; r++)
    for (uint32_t i = 0; j->sizes[r] > 1 && i < j->sizes[r]; i++) {
      if (is_out(j, r, i) || !is_dominated(j, b, r, i)) continue;
      edge_at(j, r, i)->regret = -1;
      edge_at(j, r, i)->prior = 0;
      take_out(j, b, r, i);
      changed = true;
    }
  return changed;
}

/* ---- bounds ---- */

/* What the role gets with a move, over all that the others may do. */
static bounds of_move(const joint_moves *j, const joint_bounds *b, uint32_t role, uint32_t i) {
  const uint32_t roles = j->s->m->role_count;
  bounds own = {GOAL_MAX, 0};
  for (uint32_t k = next_with(j, role, i, UINT32_MAX); k < j->count; k = next_with(j, role, i, k)) {
    if (b->is_gone[k]) continue;
    const uint8_t low = b->lows[(size_t)k * roles + role];
    const uint8_t high = b->highs[(size_t)k * roles + role];
    if (low < own.low) own.low = low;
    if (high > own.high) own.high = high;
  }
  return own;
}

/* With one move; the edges take what they are good for. */
static bounds of_pure(const joint_moves *j, const joint_bounds *b, uint32_t role) {
  bounds own = {0, 0};
  for (uint32_t i = 0; i < j->sizes[role]; i++) {
    if (is_out(j, role, i)) continue;
    const bounds with = of_move(j, b, role, i);
    if (j->sizes[role] > 1) edge_at(j, role, i)->low = with.low;
    if (j->sizes[role] > 1) edge_at(j, role, i)->high = with.high;
    if (with.low > own.low) own.low = with.low;
    if (with.high > own.high) own.high = with.high;
  }
  return own;
}

/* The table of the role's lower bounds: a row for each of its moves that are in, a column for what
   the others may do. */
static matrix_game table_of(const joint_moves *j, const joint_bounds *b, uint32_t role) {
  const uint32_t roles = j->s->m->role_count;
  double *items = arena_new_array(j->s->scratch, double, j->count);
  matrix_game g = {.items = items};
  uint32_t at = 0;
  for (uint32_t i = 0; i < j->sizes[role]; i++) {
    if (is_out(j, role, i)) continue;
    g.rows++;
    for (uint32_t k = next_with(j, role, i, UINT32_MAX); k < j->count; k = next_with(j, role, i, k))
      if (!b->is_gone[k]) items[at++] = b->lows[(size_t)k * roles + role];
  }
  g.columns = at / g.rows;
  return g;
}

/* Solved: what is played is no more learned. */
static void fix_shares(const joint_moves *j, uint32_t role, const double *shares) {
  for (uint32_t i = 0, row = 0; i < j->sizes[role]; i++)
    if (!is_out(j, role, i)) edge_at(j, role, i)->prior = (float)shares[row++];
}

/* What the role can make sure of by a mixture: a certified guarantee, rounded up by less than a
   millionth. */
static uint8_t guarantee(const joint_moves *j, const joint_bounds *b, uint32_t role,
                         double *shares) {
  const matrix_game g = table_of(j, b, role);
  return (uint8_t)floor(matrix_game_solve(&g, shares, j->s->scratch, NULL) + 1e-6);
}

static bounds of_role(const joint_moves *j, const joint_bounds *b, uint32_t role, double *shares) {
  const bounds pure = of_pure(j, b, role);
  const uint8_t low = guarantee(j, b, role, shares);
  j->s->has_mixed_bounds |= low > pure.low;
  return (bounds){low, pure.high};
}

static bool set_all(const joint_moves *j, const bounds *own, double *const *shares) {
  const uint32_t roles = j->s->m->role_count;
  bool changed = false;
  for (uint32_t r = 0; r < roles; r++) {
    const bounds b = roles == 2 ? bounds_with_sum(j->s, own[r], own[1 - r]) : own[r];
    changed |= bounds_set(j->s, j->id, r, b);
  }
  for (uint32_t r = 0; r < roles && nodes_is_solved(j->s->store, j->id); r++)
    if (j->sizes[r] > 1) fix_shares(j, r, shares[r]);
  return changed;
}

static bool tighten(const joint_moves *j) {
  const uint32_t roles = j->s->m->role_count;
  const joint_bounds b = read_bounds(j);
  bounds *own = arena_new_array(j->s->scratch, bounds, roles);
  double **shares = arena_new_array(j->s->scratch, double *, roles);
  while (drop_dominated(j, &b)) {}
  for (uint32_t r = 0; r < roles; r++) {
    shares[r] = arena_zero_array(j->s->scratch, double, j->sizes[r]);
    own[r] = of_role(j, &b, r, shares[r]);
  }
  return set_all(j, own, shares);
}

bool joint_tighten(tree_search *s, node_id id) {
  const arena_mark mark = arena_save(s->scratch);
  const joint_moves j = moves_of(s, id);
  const bool changed = j.count && tighten(&j);
  arena_restore(s->scratch, mark);
  return changed;
}

/* ---- looking at successors ---- */

typedef struct looking {
  tree_search *s;
  joint_moves *nodes;
  uint32_t node_count;
  float *values; /* by joint move of all nodes, and role */
  uint32_t at;   /* joint moves that were looked at */
  uint32_t node_of[LANES], joint_of[LANES];
  uint32_t count; /* in the lanes */
} looking;

static void step_lanes(looking *k) {
  tree_search *s = k->s;
  const size_t size = s->m->position_size;
  for (uint32_t i = 0; i < k->count; i++) {
    const joint_moves *j = &k->nodes[k->node_of[i]];
    memcpy(s->positions + i * size, nodes_position(s->store, j->id), size);
    tree_joint(s, j->id, edges_of(j, k->joint_of[i]), s->joints + (size_t)i * s->m->role_count);
  }
  bundle_load(s->bundle, s->positions, k->count);
  bundle_step(s->bundle, s->joints, NULL);
  bundle_store(s->bundle, s->positions);
}

static void take_end(looking *k, uint32_t lane, float *values) {
  tree_search *s = k->s;
  const joint_moves *j = &k->nodes[k->node_of[lane]];
  const node_id child = tree_make_end(s, s->positions + lane * s->m->position_size, lane);
  for (uint32_t r = 0; r < s->m->role_count; r++)
    values[r] = child == NODE_NONE ? .5f : nodes_values(s->store, child)[r];
  if (child != NODE_NONE)
    *nodes_joint_child(s->store, j->id, edges_of(j, k->joint_of[lane])) = child;
}

static void look_at_lanes(looking *k) {
  tree_search *s = k->s;
  const uint32_t roles = s->m->role_count;
  step_lanes(k);
  const bundle_row terminal = bundle_terminal(s->bundle);
  for (uint32_t r = 0; r < roles && !row_is_empty(&terminal); r++)
    bundle_goals(s->bundle, r, s->ends + (size_t)r * LANES);
  for (uint32_t i = 0; i < k->count && !tree_is_over(s); i++) {
    float *values = k->values + (size_t)(k->at + i) * roles;
    if (row_has(&terminal, i))
      take_end(k, i, values);
    else if (s->net)
      net_judge(s->net, s->positions + i * s->m->position_size, values);
  }
  k->at += k->count;
  k->count = 0;
}

static void look_at_all(looking *k) {
  for (uint32_t n = 0; n < k->node_count; n++)
    for (uint32_t i = 0; i < k->nodes[n].count; i++) {
      k->node_of[k->count] = n;
      k->joint_of[k->count] = i;
      if (++k->count == LANES) look_at_lanes(k);
    }
  if (k->count) look_at_lanes(k);
}

/* A node is worth what roles get that mix over what its successors are worth. */
static void judge_node(const joint_moves *j, const float *values) {
  tree_search *s = j->s;
  const joint_game g = {s->m->role_count, j->sizes, values};
  const uint32_t fair = MIX_WORK / j->count;
  uint32_t all = 0;
  for (uint32_t r = 0; r < s->m->role_count; r++) all += j->sizes[r];
  float *shares = arena_new_array(s->scratch, float, all);
  joint_game_mix(&g, fair < MIX_ROUNDS_MAX ? fair : MIX_ROUNDS_MAX, shares, s->now, s->scratch);
  if (!node_of(s->store, j->id)->visits)
    memcpy(nodes_values(s->store, j->id), s->now, s->m->role_count * sizeof *s->now);
  for (uint32_t r = 0, at = 0; r < s->m->role_count; at += j->sizes[r++])
    for (uint32_t i = 0; j->sizes[r] > 1 && i < j->sizes[r]; i++) {
      edge_at(j, r, i)->regret = shares[at + i];
      edge_at(j, r, i)->value = s->now[r];
    }
}

static void list_nodes(looking *k, const node_id *ids, uint32_t count) {
  uint32_t joints = 0;
  k->nodes = arena_new_array(k->s->scratch, joint_moves, count);
  for (uint32_t i = 0; i < count; i++) {
    if (node_of(k->s->store, ids[i])->kind != NODE_OPEN ||
        nodes_edges(k->s->store, ids[i])->chooser != CHOOSERS_MANY)
      continue;
    const joint_moves j = moves_of(k->s, ids[i]);
    if (!j.count) continue;
    k->nodes[k->node_count++] = j;
    joints += j.count;
  }
  k->values = arena_zero_array(k->s->scratch, float, (size_t)joints * k->s->m->role_count);
}

void joint_look(tree_search *s, const node_id *ids, uint32_t count) {
  const arena_mark mark = arena_save(s->scratch);
  looking k = {.s = s};
  list_nodes(&k, ids, count);
  look_at_all(&k);
  for (uint32_t n = 0, at = 0; n < k.node_count && !tree_is_over(s); at += k.nodes[n++].count) {
    if (s->net) judge_node(&k.nodes[n], k.values + (size_t)at * s->m->role_count);
    if (s->o.solver) tighten(&k.nodes[n]);
  }
  arena_restore(s->scratch, mark);
}
