#include "solve/part_search.h"

#include "base/hash.h"

/* ---- combinations ---- */

static const uint32_t *node_at(const part_search *x, uint32_t node) {
  return x->kinds.items + (size_t)node * x->count;
}

static uint64_t hash_of_node(const void *context, uint32_t node) {
  const part_search *x = context;
  return hash_ids(node_at(x, node), x->count);
}

/* ID_NONE: it is not known; *at is where it would be. */
static uint32_t find_node(const part_search *x, const uint32_t *kinds, uint32_t *at) {
  const size_t bytes = x->count * sizeof *kinds;
  *at = id_table_first(&x->table, hash_ids(kinds, x->count));
  while (x->table.slots[*at] != ID_NONE &&
         memcmp(node_at(x, x->table.slots[*at]), kinds, bytes) != 0)
    *at = id_table_next(&x->table, *at);
  return x->table.slots[*at];
}

static void read_features(part_search *x, const uint32_t *kinds) {
  for (uint32_t part = 0; part < x->count; part++) {
    const part_graph *g = &x->graphs[part];
    const uint8_t *values = g->features + (size_t)g->state_of[kinds[part]] * g->feature_count;
    for (uint32_t i = 0; i < g->feature_count; i++)
      x->feature_values[x->circuits[part].features.items[i]] = values[i];
  }
  summary_evaluate(&x->s, x->feature_values, x->gate_values);
}

bool part_search_holds(const part_search *x, uint32_t output) {
  return summary_value(x->feature_values, x->gate_values, x->s.outputs.items[output]) ==
         SUMMARY_TRUE;
}

static uint32_t add_node(part_search *x, const uint32_t *kinds) {
  uint32_t at;
  id_table_reserve(&x->table, x->keep, hash_of_node, x);
  const uint32_t known = find_node(x, kinds, &at);
  if (known != ID_NONE) return known;
  vec_append(x->keep, &x->kinds, kinds, x->count);
  id_table_put(&x->table, at, x->node_count);
  read_features(x, kinds);
  vec_push(x->keep, &x->ends, part_search_holds(x, 0));
  x->o.visit(x->o.context, x, x->node_count, false);
  return x->node_count++;
}

/* ---- steps ---- */

/* False: go no further. */
typedef bool step_fn(part_search *x, const uint32_t *kinds);

static uint32_t following(const part_graph *g, uint32_t kind) {
  return g->kinds_from[kind + 1] - g->kinds_from[kind];
}

/* The role chooses one part, and time passes in the others. */
static bool for_each_of_one(part_search *x, const uint32_t *from, step_fn *visit) {
  uint32_t stuck = 0, stuck_part = 0;
  for (uint32_t part = 0; part < x->count; part++) {
    x->room[part] = x->graphs[part].idle_kinds[from[part]];
    if (x->room[part] != ID_NONE) continue;
    stuck++;
    stuck_part = part;
  }
  for (uint32_t part = 0; part < x->count; part++) {
    const part_graph *g = &x->graphs[part];
    if (stuck > 1 || (stuck == 1 && stuck_part != part)) continue;
    const uint32_t idle = x->room[part];
    for (uint32_t i = 0; i < following(g, from[part]); i++) {
      x->room[part] = g->kinds.items[g->kinds_from[from[part]] + i];
      x->steps_from++;
      if (!visit(x, x->room)) return false;
    }
    x->room[part] = idle;
  }
  return true;
}

/* All combinations of what can follow, like the digits of a number. */
static bool for_each_of_all(part_search *x, const uint32_t *from, uint32_t *digits,
                            step_fn *visit) {
  for (uint32_t part = 0; part < x->count; part++) {
    digits[part] = 0;
    if (!following(&x->graphs[part], from[part])) return true;
  }
  for (;;) {
    for (uint32_t part = 0; part < x->count; part++)
      x->room[part] =
          x->graphs[part].kinds.items[x->graphs[part].kinds_from[from[part]] + digits[part]];
    x->steps_from++;
    if (!visit(x, x->room)) return false;
    uint32_t part = 0;
    while (part < x->count && ++digits[part] == following(&x->graphs[part], from[part]))
      digits[part++] = 0;
    if (part == x->count) return true;
  }
}

/* Steps from a combination in which the game goes on. */
static bool for_each_step(part_search *x, uint32_t node, step_fn *visit) {
  uint32_t *from = x->from;
  memcpy(from, node_at(x, node), x->count * sizeof *from);
  x->steps_from = 0;
  return x->one_part ? for_each_of_one(x, from, visit)
                     : for_each_of_all(x, from, from + x->count, visit);
}

/* ---- forwards ---- */

static bool add_step(part_search *x, const uint32_t *kinds) {
  x->is_layered &= add_node(x, kinds) >= x->next_level;
  return !budget_is_spent(x->b) && x->node_count < x->most_nodes;
}

bool part_search_is_done(const part_search *x) { return vec_last(&x->levels) == x->node_count; }

bool part_search_expand(part_search *x) {
  const uint32_t first = vec_last(&x->levels), end = x->node_count;
  x->next_level = end;
  vec_push(x->keep, &x->levels, end);
  for (uint32_t node = first; node < end; node++) {
    if (x->ends.items[node]) continue;
    if (!for_each_step(x, node, add_step)) return false;
    if (!x->steps_from) x->o.visit(x->o.context, x, node, true);
  }
  return !budget_check_now(x->b);
}

/* ---- backwards ---- */

uint32_t part_search_level_end(const part_search *x, uint32_t depth) {
  return depth + 1 < x->levels.count ? x->levels.items[depth + 1] : x->node_count;
}

uint32_t part_search_depth(const part_search *x, uint32_t node) {
  uint32_t depth = 0;
  while (part_search_level_end(x, depth) <= node) depth++;
  return depth;
}

/* Stops at a step that leads on. */
static bool misses(part_search *x, const uint32_t *kinds) {
  uint32_t at;
  const uint32_t node = find_node(x, kinds, &at);
  return node == ID_NONE || node < x->next_level || !x->leads[node];
}

/* A shortest way goes from level to level. */
static void mark_level(part_search *x, uint32_t depth) {
  x->next_level = x->levels.items[depth + 1];
  for (uint32_t node = x->levels.items[depth]; node < x->levels.items[depth + 1]; node++)
    if (!x->ends.items[node] && !budget_is_spent(x->b))
      x->leads[node] = !for_each_step(x, node, misses);
}

/* ---- the line ---- */

/* Where a move of the game leads, by states of the parts.  False: it is not legal. */
static bool try_move(const part_search *x, const uint32_t *states, uint32_t move, uint32_t *next,
                     uint32_t *kinds) {
  for (uint32_t part = 0; part < x->count; part++) {
    const part_graph *g = &x->graphs[part];
    const part_step *s = part_graph_step(g, states[part], x->circuits[part].class_of[move]);
    if (!s) return false;
    next[part] = s->to;
    kinds[part] = g->kind_of[s->to];
  }
  return true;
}

/* Moves that lead to a combination of the next level on a shortest line; `next` are the states
   after the first of them. */
static void list_best_moves(part_search *x, const uint32_t *states, uint32_t depth, id_vec *moves,
                            uint32_t *next) {
  uint32_t *to = arena_new_array(x->keep, uint32_t, 2 * (size_t)x->count);
  x->next_level = x->levels.items[depth + 1];
  for (uint32_t m = 0; m < x->f.c->moves.count; m++) {
    if (!try_move(x, states, m, to, to + x->count) || misses(x, to + x->count)) continue;
    if (!moves->count) memcpy(next, to, x->count * sizeof *next);
    vec_push(x->keep, moves, m);
  }
}

bool part_search_line(part_search *x, uint8_t *wanted, uint32_t depth, id_vec *line,
                      id_vec *begins) {
  uint32_t *states = arena_new_array(x->keep, uint32_t, 2 * (size_t)x->count);
  x->leads = wanted;
  for (uint32_t d = depth; d-- > 0;) mark_level(x, d);
  for (uint32_t part = 0; part < x->count; part++) states[part] = x->graphs[part].start;
  for (uint32_t d = 0; d < depth && !budget_check_now(x->b); d++) {
    id_vec moves = {0};
    list_best_moves(x, states, d, &moves, states + x->count);
    if (!moves.count) return false;
    if (!d) *begins = moves;
    vec_push(x->keep, line, moves.items[0]);
    memcpy(states, states + x->count, x->count * sizeof *states);
  }
  return !budget_check_now(x->b);
}

/* ---- the beginning ---- */

static bool make_parts(part_search *x, diag_sink *d) {
  x->count = x->f.count + 1;
  x->circuits = arena_zero_array(x->keep, part_circuit, x->count);
  x->graphs = arena_zero_array(x->keep, part_graph, x->count);
  x->room = arena_new_array(x->keep, uint32_t, x->count);
  x->from = arena_new_array(x->keep, uint32_t, 2 * (size_t)x->count);
  for (uint32_t part = 0; part < x->count; part++) {
    part_circuit_make(&x->circuits[part], &x->f, part, &x->s, x->keep);
    if (!part_graph_make(&x->graphs[part], &x->circuits[part], x->o.threads, x->o.max_states,
                         x->keep, x->b, d))
      return false;
    x->part_states += x->graphs[part].state_count;
  }
  return true;
}

static const char *reason_against(const part_search *x, const circuit *c) {
  if (c->roles.count != 1 || role_is_nature(c->terms, c->roles.items[0].term))
    return "a game is searched by parts for one role";
  if (x->f.count) return NULL;
  return x->f.reason ? x->f.reason : "the game has no independent parts";
}

static void add_start(part_search *x) {
  uint32_t *start = arena_new_array(x->keep, uint32_t, x->count);
  for (uint32_t part = 0; part < x->count; part++)
    start[part] = x->graphs[part].kind_of[x->graphs[part].start];
  x->most_nodes = UINT32_MAX / 2 / x->count;
  if (x->o.max_states && x->o.max_states < x->most_nodes) x->most_nodes = (uint32_t)x->o.max_states;
  vec_push(x->keep, &x->levels, 0);
  add_node(x, start);
}

bool part_search_begin(part_search *x, const circuit *c, const wire_vec *outputs,
                       part_search_options o, arena *keep, budget *b, diag_sink *d,
                       const char **reason) {
  *x = (part_search){.o = o, .is_layered = true, .keep = keep, .b = b};
  if (c->roles.count == 1) factors_find(&x->f, c, keep, b);
  *reason = budget_check_now(b) ? NULL : reason_against(x, c);
  if (*reason || !x->f.count) return false;
  x->one_part = x->f.choices[0] == CHOOSES_ONE_PART;
  factor_summarise(&x->s, c, x->f.part_of, outputs, keep);
  x->feature_values = arena_zero_array(keep, uint8_t, x->s.features.count + (size_t)1);
  x->gate_values = arena_zero_array(keep, uint8_t, x->s.gates.count + (size_t)1);
  if (!make_parts(x, d)) return false;
  add_start(x);
  return true;
}
