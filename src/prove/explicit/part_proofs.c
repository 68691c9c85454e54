/* Of a game of one role that falls into independent parts: every combination of states of its parts
   that differ stands for the reachable states that are like it (solve/part_search.h), so what no
   combination reaches no state does. */
#include "prove/methods.h"
#include "solve/part_search.h"

static const char method[] = "exhaustive";

/* So many states of a part, and combinations. */
static const uint64_t most_states = 20 * 1000 * 1000;

typedef struct part_proof {
  prove_job *j;
  part_search search;
  uint32_t
      *found; /* by target of the circuit: the first combination in which it holds; or ID_NONE */
  uint32_t missing; /* targets that are asked for and were not found */
  bool *is_wanted;  /* by target */
  arena *keep;
} part_proof;

/* The first output is `terminal`, targets are behind. */
static void take_node(void *context, part_search *s, uint32_t node, bool is_stuck) {
  part_proof *p = context;
  for (uint32_t i = 0; i < p->j->reduced.targets.count && !is_stuck; i++) {
    if (!p->is_wanted[i] || p->found[i] != ID_NONE || !part_search_holds(s, i + 1)) continue;
    p->found[i] = node;
    p->missing--;
  }
}

static bool asks_for_target(const prove_job *j, uint32_t property) {
  const property_kind kind = j->properties.items[property].kind;
  return job_is_open(j, property) && j->targets[property] != ID_NONE && kind != PROPERTY_MUTEX &&
         kind != PROPERTY_DEAD;
}

static void begin_questions(part_proof *p) {
  const prove_job *j = p->j;
  const uint32_t targets = j->reduced.targets.count;
  p->found = arena_new_array(p->keep, uint32_t, targets + (size_t)1);
  p->is_wanted = arena_zero_array(p->keep, bool, targets + (size_t)1);
  for (uint32_t i = 0; i < targets; i++) p->found[i] = ID_NONE;
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (asks_for_target(j, i)) p->is_wanted[j->targets[i]] = true;
  for (uint32_t i = 0; i < targets; i++) p->missing += p->is_wanted[i];
}

static finding searched(const part_proof *p) {
  const part_search *s = &p->search;
  return (finding){
      .method = method, .states = s->node_count, .depth = part_search_depth(s, s->node_count - 1)};
}

static void settle_target(part_proof *p, uint32_t property) {
  finding v = searched(p);
  id_vec line = {0}, begins = {0};
  const uint32_t node = p->found[p->j->targets[property]];
  if (node == ID_NONE) {
    job_never_reached(p->j, property, v);
    return;
  }
  uint8_t *wanted = arena_zero_array(p->keep, uint8_t, p->search.node_count);
  wanted[node] = 1;
  v.length = part_search_depth(&p->search, node);
  if (!part_search_line(&p->search, wanted, v.length, &line, &begins)) return;
  vec_append(p->j->keep, &v.line, line.items, line.count);
  job_reached(p->j, property, v);
}

/* Where every step led to a new depth, there is no way back, and the last depth is the longest
   play. */
static void settle_end(part_proof *p, uint32_t property) {
  finding v = searched(p);
  if (!p->search.is_layered) return;
  v.kind = VERDICT_PROVED;
  v.plays = play_length_exact(v.depth);
  job_settle(p->j, property, v);
}

static void settle_all(part_proof *p) {
  prove_job *j = p->j;
  const bool is_done = part_search_is_done(&p->search);
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (asks_for_target(j, i) && (is_done || p->found[j->targets[i]] != ID_NONE))
      settle_target(p, i);
    if (j->properties.items[i].kind == PROPERTY_TERMINATES && job_is_open(j, i) && is_done)
      settle_end(p, i);
  }
}

static bool begin(part_proof *p, budget *b) {
  prove_job *j = p->j;
  wire_vec outputs = {0};
  const char *reason;
  const part_search_options how = {j->options.threads, most_states, take_node, p};
  vec_push(p->keep, &outputs, j->reduced.terminal);
  vec_append(p->keep, &outputs, j->reduced.targets.items, j->reduced.targets.count);
  return part_search_begin(&p->search, &j->reduced, &outputs, how, p->keep, b, j->d, &reason);
}

void prove_by_parts(prove_job *j, budget *b) {
  if (j->reduced.roles.count != 1) return;
  part_proof p = {.j = j, .keep = arena_new()};
  const bool asks_for_end = job_has_open(j, PROPERTY_TERMINATES);
  budget_watch(b, p.keep);
  begin_questions(&p);
  if (begin(&p, b)) {
    while ((p.missing || asks_for_end) && !part_search_is_done(&p.search))
      if (!part_search_expand(&p.search)) break;
    settle_all(&p);
  }
  budget_unwatch(b, p.keep);
  arena_free(p.keep);
}
