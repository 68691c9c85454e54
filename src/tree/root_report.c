#include "tree/root_report.h"

#include <string.h>

/* ---- which edge ---- */

typedef struct edge_range {
  uint32_t first, end;
} edge_range;

static edge_range edges_of(const tree_search *s, node_id id, uint32_t role) {
  const uint32_t *firsts = nodes_firsts(s->store, id);
  return (edge_range){firsts[role], firsts[role + 1]};
}

static bool is_solved(const play_edge *e) { return e->low == e->high; }

/* Is its value one? */
static bool is_told(const play_edge *e) { return e->visits || is_solved(e); }

/* Is `a` to be taken rather than `b`?  What is sure against what is hoped for, by value; else the
   one that was tried more. */
static bool is_better(const play_edge *a, const play_edge *b) {
  if (a->low >= b->high && a->low > b->low) return true;
  if (b->low >= a->high && b->low > a->low) return false;
  if (is_solved(a) != is_solved(b) && is_told(a) && is_told(b)) return a->value > b->value;
  return a->visits > b->visits;
}

static uint32_t best_edge(const tree_search *s, node_id id, edge_range r) {
  uint32_t best = r.first;
  for (uint32_t i = r.first + 1; i < r.end; i++)
    if (is_better(nodes_edge(s->store, id, i), nodes_edge(s->store, id, best))) best = i;
  return best;
}

/* ---- moves ---- */

static move_report report_edge(const play_edge *e) {
  return (move_report){.move = e->move,
                       .visits = e->visits,
                       .value = is_told(e) ? (double)e->value * GOAL_MAX : GOAL_MAX / 2.0,
                       .is_solved = is_solved(e)};
}

static void report_forced(role_report *r, const tree_search *s, uint32_t role, arena *keep) {
  r->count = 1;
  r->moves = arena_zero_array(keep, move_report, 1);
  r->moves[0] = (move_report){.move = nodes_forced(s->store, s->root)[role],
                              .visits = node_of(s->store, s->root)->visits,
                              .value = r->value,
                              .share = 1,
                              .is_solved = r->low == r->high};
  r->best = r->moves[0].move;
}

static void report_choice(role_report *r, const tree_search *s, edge_range edges, arena *keep) {
  r->count = edges.end - edges.first;
  r->moves = arena_zero_array(keep, move_report, r->count);
  for (uint32_t i = 0; i < r->count; i++)
    r->moves[i] = report_edge(nodes_edge(s->store, s->root, edges.first + i));
  r->best = nodes_edge(s->store, s->root, best_edge(s, s->root, edges))->move;
}

/* The part of the most frequent move's share below which a move is not made.  An average over all rounds has
   left what was played before more was known (thresholding: Ganzfried, Sandholm and Waugh 2012). */
static const double LEAST_REGRETTED = .2, LEAST_TRIED = .02;

/* Where roles choose at once: how often a move should be made, which with confidence bounds is how
   often it was tried, but for what was tried for the sake of trying. */
static void find_shares(role_report *r, const tree_search *s, edge_range edges) {
  const bool is_known = nodes_is_solved(s->store, s->root);
  const bool by_regret = s->o.regrets || is_known;
  const double least = s->o.regrets && !is_known ? LEAST_REGRETTED : LEAST_TRIED;
  double most = 0, sum = 0;
  for (uint32_t i = 0; i < r->count; i++) {
    const play_edge *e = nodes_edge(s->store, s->root, edges.first + i);
    r->moves[i].share = by_regret ? (double)e->prior : (double)e->visits;
    most = r->moves[i].share > most ? r->moves[i].share : most;
  }
  for (uint32_t i = 0; i < r->count; i++) {
    if (r->moves[i].share < most * least) r->moves[i].share = 0;
    sum += r->moves[i].share;
  }
  for (uint32_t i = 0; i < r->count; i++)
    r->moves[i].share = sum > 0 ? r->moves[i].share / sum : 1.0 / r->count;
}

static void draw_best(role_report *r, rng *random) {
  double left = (double)(rng_next(random) >> 11) * 0x1p-53;
  for (uint32_t i = 0; i < r->count; i++) {
    if (left >= 0 && r->moves[i].share > 0) r->best = r->moves[i].move;
    left -= r->moves[i].share;
  }
}

static void report_role(role_report *r, const tree_search *s, uint32_t role, arena *keep) {
  const play_node *n = node_of(s->store, s->root);
  r->low = nodes_lows(s->store, s->root)[role];
  r->high = nodes_highs(s->store, s->root)[role];
  r->value = n->visits ? (double)nodes_values(s->store, s->root)[role] * GOAL_MAX : GOAL_MAX / 2.0;
  r->value = r->value < r->low ? r->low : r->value > r->high ? r->high : r->value;
  r->best = MOVE_NONE;
  if (n->kind != NODE_OPEN) return;
  const edge_range edges = edges_of(s, s->root, role);
  if (edges.first == edges.end) {
    report_forced(r, s, role, keep);
    return;
  }
  report_choice(r, s, edges, keep);
  if (nodes_edges(s->store, s->root)->chooser != CHOOSERS_MANY) {
    for (uint32_t i = 0; i < r->count; i++) r->moves[i].share = r->moves[i].move == r->best;
    return;
  }
  rng random = rng_new(s->o.seed ^ s->next_stream, role + UINT64_C(1));
  find_shares(r, s, edges);
  draw_best(r, &random);
}

/* ---- the line ---- */

/* The best edges of a node; where roles choose at once, the ones tried most. */
static void choose_line(const tree_search *s, node_id id, uint32_t *choices) {
  for (uint32_t r = 0; r < s->m->role_count; r++) {
    const edge_range edges = edges_of(s, id, r);
    choices[r] = edges.first == edges.end ? 0 : best_edge(s, id, edges);
  }
}

static bool is_worth_telling(const tree_search *s, node_id id) {
  const play_node *n = node_of(s->store, id);
  return n->kind == NODE_OPEN && n->visits > 1;
}

static void report_line(thought *t, const tree_search *s, arena *keep) {
  enum { LINE_MAX = 64 };
  const uint32_t roles = s->m->role_count;
  uint32_t *choices = arena_zero_array(keep, uint32_t, roles);
  t->line = arena_new_array(keep, move_id, (size_t)LINE_MAX * roles);
  t->line_length = 0;
  for (node_id id = s->root; id < NODE_COMING && t->line_length < LINE_MAX;) {
    if (!is_worth_telling(s, id)) return;
    choose_line(s, id, choices);
    tree_joint(s, id, choices, t->line + (size_t)t->line_length++ * roles);
    id = tree_child(s, id, choices);
  }
}

void root_report(thought *t, const tree_search *s, arena *keep) {
  const uint32_t roles = s->m->role_count;
  *t = (thought){.roles = arena_zero_array(keep, role_report, roles),
                 .is_solved = nodes_is_solved(s->store, s->root),
                 .is_assumed = tree_is_assumed(s),
                 .is_terminal = node_of(s->store, s->root)->kind == NODE_TERMINAL,
                 .iterations = s->figures.iterations,
                 .playouts = s->figures.playouts,
                 .nodes = nodes_count(s->store),
                 .depth = s->figures.depth,
                 .bytes = nodes_bytes(s->store)};
  for (uint32_t r = 0; r < roles; r++) report_role(&t->roles[r], s, r, keep);
  report_line(t, s, keep);
}

/* ---- several trees ---- */

static void add_move(move_report *m, const move_report *other) {
  const double visits = (double)(m->visits + other->visits);
  if (other->is_solved && !m->is_solved)
    m->value = other->value;
  else if (visits > 0 && m->is_solved == other->is_solved)
    m->value += (other->value - m->value) * (double)other->visits / visits;
  m->is_solved |= other->is_solved;
  m->visits += other->visits;
}

/* What is solved counts by its value, what is not by how often it was tried. */
static bool is_preferred(const move_report *a, const move_report *b) {
  if (a->is_solved || b->is_solved) return a->value > b->value;
  return a->visits > b->visits;
}

static void add_role(role_report *r, const role_report *other, double weight) {
  if (r->count != other->count) return;
  r->value += (other->value - r->value) * weight;
  const bool is_mixed = r->count && r->moves[0].share > 0 && r->moves[0].share < 1;
  uint32_t best = 0;
  for (uint32_t i = 0; i < r->count; i++) {
    add_move(&r->moves[i], &other->moves[i]);
    if (is_mixed) r->moves[i].share += (other->moves[i].share - r->moves[i].share) * weight;
    if (is_preferred(&r->moves[i], &r->moves[best])) best = i;
  }
  if (!r->count || is_mixed) return;
  r->best = r->moves[best].move;
  for (uint32_t i = 0; i < r->count; i++) r->moves[i].share = i == best;
}

static void add_figures(thought *t, const thought *other) {
  t->iterations += other->iterations;
  t->playouts += other->playouts;
  t->nodes += other->nodes;
  t->bytes += other->bytes;
  if (other->depth > t->depth) t->depth = other->depth;
}

/* What has been solved needs no second opinion. */
void thought_add(thought *t, const thought *other, uint32_t roles) {
  const double all = (double)(t->iterations + other->iterations);
  const thought old = *t;
  if (other->is_solved && !t->is_solved) {
    *t = *other;
    t->seconds = old.seconds;
    t->style = old.style;
    add_figures(t, &old);
    return;
  }
  for (uint32_t r = 0; r < roles && !t->is_solved && all > 0; r++)
    add_role(&t->roles[r], &other->roles[r], (double)other->iterations / all);
  t->is_assumed |= other->is_assumed;
  add_figures(t, other);
}
