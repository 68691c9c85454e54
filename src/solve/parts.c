#include "solve/parts.h"

#include "solve/part_search.h"

enum { NO_GOAL = INT32_MIN };

typedef struct parts_solver {
  solve_result *r;
  const machine *m;
  const grounded *g;
  part_search search;
  VEC(int32_t) goals;    /* by combination; NO_GOAL: the game goes on */
  int32_t highest, best; /* goals: of the game; that was found */
  fault_kind fault;      /* the first one ... */
  uint32_t faulty;       /* ... and in which combination */
  arena *keep, *scratch;
  budget *b;
} parts_solver;

/* ---- combinations ---- */

static void note_fault(parts_solver *x, fault_kind kind, uint32_t node) {
  if (x->r->faults++) return;
  x->fault = kind;
  x->faulty = node;
}

/* Of an end: the first output is `terminal`, goals are behind. */
static int32_t goal_of_end(parts_solver *x, uint32_t node) {
  uint32_t count = 0;
  int32_t value = ENDLESS_VALUE;
  for (uint32_t i = x->g->goals_of[0]; i < x->g->goals_of[1]; i++) {
    if (!part_search_holds(&x->search, 1 + i - x->g->goals_of[0])) continue;
    value = x->g->goal_values[x->g->goals[i]];
    count++;
  }
  if (count == 1) return value;
  note_fault(x, count ? FAULT_SEVERAL_GOALS : FAULT_NO_GOAL, node);
  return ENDLESS_VALUE;
}

static void take_node(void *context, part_search *s, uint32_t node, bool is_stuck) {
  parts_solver *x = context;
  if (!is_stuck) vec_push(x->scratch, &x->goals, NO_GOAL);
  if (is_stuck) note_fault(x, FAULT_STUCK, node);
  if (is_stuck) x->goals.items[node] = ENDLESS_VALUE;
  if (!is_stuck && s->ends.items[node]) x->goals.items[node] = goal_of_end(x, node);
  if (x->goals.items[node] > x->best) x->best = x->goals.items[node];
}

/* Until the highest goal was found, or all combinations.  Combinations without a step count as
   ENDLESS_VALUE, which is seen only when their level is expanded. */
static bool search_all(parts_solver *x) {
  uint32_t levels_left = UINT32_MAX;
  for (; !part_search_is_done(&x->search); levels_left--) {
    if (x->best >= x->highest && levels_left > 1) levels_left = x->best == ENDLESS_VALUE;
    if (!levels_left) return true;
    if (!part_search_expand(&x->search)) return false;
  }
  return true;
}

/* ---- the line ---- */

/* Plays a line on the machine; false: a move is not legal there, or the game is over before. */
static bool play_line(const parts_solver *x, machine_workspace *w, const id_vec *line,
                      void *position) {
  const machine *m = x->m;
  move_id *legal = arena_new_array(x->scratch, move_id, x->g->circuit.moves.count + (size_t)1);
  machine_start(m, position);
  for (uint32_t i = 0; i < line->count; i++) {
    const uint32_t count = machine_legal(m, w, position, 0, legal, x->g->circuit.moves.count);
    uint32_t at = 0;
    while (at < count && legal[at] != line->items[i]) at++;
    if (at == count || machine_terminal(m, w, position)) return false;
    machine_step(m, w, position, &line->items[i], position);
  }
  return true;
}

/* Does the line do what is said of it?  A last look, by other code. */
static bool line_is_right(const parts_solver *x, const id_vec *line, void *position) {
  machine_workspace *w = machine_workspace_new(x->m, x->b);
  int32_t values[2];
  bool ok = play_line(x, w, line, position);
  if (ok && x->best != ENDLESS_VALUE) /* that may be the worth of a faulty end */
    ok = machine_terminal(x->m, w, position) &&
         machine_goals(x->m, w, position, 0, values, 2) == 1 && values[0] == x->best;
  machine_workspace_free(x->m, w);
  return ok;
}

/* The combinations of one depth that are like the one given: with its goal, or it alone. */
static uint8_t *mark_like(const parts_solver *x, uint32_t node, bool alone) {
  const uint32_t depth = part_search_depth(&x->search, node);
  uint8_t *wanted = arena_zero_array(x->scratch, uint8_t, x->search.node_count);
  wanted[node] = 1;
  for (uint32_t i = node; !alone && i < part_search_level_end(&x->search, depth); i++)
    wanted[i] = x->goals.items[i] == x->goals.items[node];
  return wanted;
}

static bool find_line(parts_solver *x, uint32_t node, bool alone, id_vec *line, id_vec *begins) {
  uint8_t *wanted = mark_like(x, node, alone);
  return part_search_line(&x->search, wanted, part_search_depth(&x->search, node), line, begins);
}

static void tell_fault(parts_solver *x) {
  id_vec line = {0}, begins = {0};
  if (x->fault == FAULT_NONE || !find_line(x, x->faulty, true, &line, &begins)) return;
  uint8_t *position = arena_alloc_zero(x->scratch, x->m->position_size + 8);
  machine_workspace *w = machine_workspace_new(x->m, x->b);
  const game_fault found = {
      .kind = x->fault, .position = position, .line = line.items, .length = line.count};
  if (play_line(x, w, &line, position)) x->r->fault = fault_copy(&found, x->m, x->keep);
  machine_workspace_free(x->m, w);
}

static void plan_start(parts_solver *x, const id_vec *moves) {
  mixed_plan *p = &x->r->plans[0];
  if (!moves->count) return;
  *p = (mixed_plan){.count = moves->count,
                    .moves = arena_new_array(x->keep, uint32_t, moves->count),
                    .shares = arena_zero_array(x->keep, double, moves->count)};
  for (uint32_t i = 0; i < moves->count; i++) p->moves[i] = moves->items[i];
  p->shares[0] = 1;
}

static bool note_best(parts_solver *x) {
  solve_result *r = x->r;
  id_vec line = {0}, begins = {0};
  uint32_t node = 0;
  while (x->goals.items[node] != x->best) node++;
  if (!find_line(x, node, false, &line, &begins)) return false;
  void *position = arena_alloc_zero(x->scratch, x->m->position_size + 8);
  if (!line_is_right(x, &line, position)) {
    r->reason = "what was found by parts is not confirmed by play";
    return true;
  }
  plan_start(x, &begins);
  vec_append(x->keep, &r->line, line.items, line.count);
  r->values[0] = x->best;
  r->has_remoteness = true;
  r->remoteness = r->length = line.count;
  tell_fault(x);
  return r->is_solved = true;
}

/* The role can reach no end: all of its moves are as good. */
static bool note_endless(parts_solver *x) {
  id_vec moves = {0};
  machine_workspace *w = machine_workspace_new(x->m, x->b);
  void *position = arena_alloc_zero(x->scratch, x->m->position_size + 8);
  machine_start(x->m, position);
  vec_reserve(x->scratch, &moves, machine_legal(x->m, w, position, 0, NULL, 0) + 1);
  moves.count = machine_legal(x->m, w, position, 0, moves.items, moves.capacity);
  machine_workspace_free(x->m, w);
  plan_start(x, &moves);
  x->r->has_endless = true;
  return x->r->is_solved = true;
}

/* ---- all of it ---- */

static wire_vec list_outputs(parts_solver *x) {
  wire_vec outputs = {0};
  const circuit *c = &x->g->circuit;
  vec_push(x->scratch, &outputs, c->terminal);
  for (uint32_t i = x->g->goals_of[0]; i < x->g->goals_of[1]; i++) {
    const int32_t value = x->g->goal_values[x->g->goals[i]];
    vec_push(x->scratch, &outputs, c->goals.items[x->g->goals[i]].holds);
    if (value > x->highest) x->highest = value;
  }
  return outputs;
}

static bool solve(parts_solver *x, const solve_options *o, diag_sink *d) {
  solve_result *r = x->r;
  part_search *s = &x->search;
  const part_search_options how = {o->threads, o->max_states, take_node, x};
  const wire_vec outputs = list_outputs(x);
  if (!part_search_begin(s, &x->g->circuit, &outputs, how, x->scratch, x->b, d, &r->reason))
    return r->reason != NULL;
  const bool is_searched = search_all(x);
  r->states = r->kept_states = s->part_states;
  r->nodes = s->node_count;
  r->parts = s->f.count;
  r->depth = s->levels.count - 1;
  r->bytes = s->kinds.count * sizeof *s->kinds.items;
  if (!is_searched) return false;
  return x->best == NO_GOAL ? note_endless(x) : note_best(x);
}

bool parts_solve(solve_result *r, const machine *m, const solve_options *o, arena *keep, budget *b,
                 diag_sink *d) {
  parts_solver *x = arena_alloc_zero(keep, sizeof *x);
  *x = (parts_solver){.r = r, .m = m, .g = machine_grounded(m), .keep = keep, .b = b};
  x->scratch = arena_new();
  x->highest = ENDLESS_VALUE; /* what a faulty end is worth */
  x->best = NO_GOAL;
  r->kind = SOLUTION_BY_PARTS;
  r->sense = MINIMAX_BEST;
  r->symmetries = 1;
  budget_watch(b, x->scratch);
  const bool ok = solve(x, o, d);
  budget_unwatch(b, x->scratch);
  arena_free(x->scratch);
  return ok;
}
