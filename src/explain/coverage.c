#include "explain/coverage.h"

#include "base/rng.h"
#include "explain/body_run.h"
#include "machine/state_view.h"
#include "rules/term_read.h"
#include "search/joint_moves.h"

coverage coverage_open(const program *p, budget *b, arena *keep) {
  return (coverage){
      .world = world_open(p, b, keep), .keep = keep, .fired = bitset_new(keep, p->rules.count + 1)};
}

void coverage_close(coverage *c) { world_close(c->world); }

bool coverage_counts(const program *p, rule_id r) {
  return p->rules.items[r].body < p->rules.items[r].body_end;
}

/* ---- one state ---- */

static term_list fluents_at(coverage *c, const machine *m, const void *position, arena *scratch) {
  const text_list words = fluents_of(m, position, scratch);
  term_id *terms = arena_new_array(scratch, term_id, words.count + (size_t)1);
  uint32_t known = 0;
  for (uint32_t i = 0; i < words.count; i++)
    known += term_read_canonical(c->world->terms, words.items[i], scratch, &terms[known]);
  return (term_list){terms, known};
}

static term_list moves_made(coverage *c, const machine *m, const move_id *joint, arena *scratch) {
  term_table *t = c->world->terms;
  term_id *does = arena_new_array(scratch, term_id, m->role_count + (size_t)1);
  uint32_t known = 0;
  for (uint32_t i = 0; joint && i < m->role_count; i++) {
    term_id args[2];
    if (term_read_canonical(t, m->roles[i], scratch, &args[0]) &&
        term_read_canonical(t, move_words(m, i, joint[i], scratch), scratch, &args[1]))
      does[known++] = term_atom(t, SYM_DOES, args, 2);
  }
  return (term_list){does, known};
}

/* A body_visitor: one way is enough. */
static bool note_solution(void *context, const term_id *bindings) {
  (void)bindings;
  *(bool *)context = true;
  return false;
}

static bool fires(coverage *c, const ref_clause *clause, arena *scratch) {
  bool is_found = false;
  const body_visitor v = {.context = &is_found, .solved = note_solution};
  term_id *bindings = arena_new_array(scratch, term_id, clause->variable_count + (size_t)1);
  for (uint32_t i = 0; i < clause->variable_count; i++) bindings[i] = TERM_NONE;
  body_run(c->world, clause, bindings, &v);
  return is_found;
}

void coverage_visit(coverage *c, const machine *m, const void *position, const move_id *joint) {
  arena *scratch = arena_new();
  world *w = c->world;
  world_set(w, fluents_at(c, m, position, scratch), moves_made(c, m, joint, scratch));
  for (uint32_t i = 0; i < w->rules.rules.count && !w->trouble.is_there; i++) {
    const ref_clause *clause = &w->rules.rules.items[i];
    const rule_id rule = w->program->clauses.items[clause->origin].rule;
    if (rule == RULE_NONE || bitset_has(c->fired, rule)) continue;
    if (fires(c, clause, scratch)) bitset_add(c->fired, rule);
  }
  world_set(w, (term_list){0}, (term_list){0}); /* its lists go now */
  arena_free(scratch);
}

/* ---- random games ---- */

static void draw(joint_moves *j, rng *r) {
  for (uint32_t i = 0; i < j->role_count; i++)
    j->joint[i] = j->moves[i].items[rng_below(r, j->moves[i].count)];
}

/* False: the game ends here. */
static bool play_on(coverage *c, const machine *m, machine_workspace *w, joint_moves *moves,
                    void *position, rng *r) {
  const bool is_over =
      machine_terminal(m, w, position) || joint_moves_first(moves, m, w, position) < m->role_count;
  if (!is_over) draw(moves, r);
  coverage_visit(c, m, position, is_over ? NULL : moves->joint);
  if (!is_over) machine_step(m, w, position, moves->joint, position);
  return !is_over;
}

uint64_t coverage_play(coverage *c, const machine *m, machine_workspace *w, uint64_t games,
                       uint64_t steps, uint64_t seed, budget *b) {
  joint_moves moves = joint_moves_new(m->role_count, c->keep);
  void *position = arena_alloc(c->keep, m->position_size);
  uint64_t played = 0;
  for (; played < games && !w->trouble.is_there && !budget_check_now(b); played++) {
    rng r = rng_new(seed, played);
    if (b) progress_tell(b->progress, (double)played, (double)games, "random games");
    machine_start(m, position);
    for (uint64_t i = 0; i < steps && !budget_is_spent(b); i++)
      if (!play_on(c, m, w, &moves, position, &r)) break;
  }
  return played;
}
