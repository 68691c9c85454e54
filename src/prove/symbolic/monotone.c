/* The property `monotone`: every role has one goal in every reachable state, and no step makes it
   smaller.  It is about steps, so the methods have a way of their own for it. */
#include "induct/induct.h"
#include "prove/methods.h"
#include "states/walk.h"

enum { CONFLICTS_MAX = 200 * 1000 };

static uint32_t goal_count(const prove_job *j) { return j->g.goals_of[j->g.circuit.roles.count]; }

/* ---- on a complete walk ---- */

/* Looks for the first fault. */
typedef struct fault_search {
  prove_job *j;
  uint32_t first; /* of the extras */
  lane_expander e;
  lane_steps after;
  bool is_found, is_step;
  uint32_t lane;
  uint32_t *joint;
} fault_search;

static uint32_t lane_in(const bundle_row *row, uint32_t count) {
  for (uint32_t lane = 0; lane < count; lane++)
    if (row->words[lane / 64] >> lane % 64 & 1) return lane;
  return ID_NONE;
}

static bool look_behind(void *context, const lane_successors *batch) {
  fault_search *f = context;
  const uint32_t roles = f->j->reduced.roles.count;
  lane_steps_load(&f->after, batch->states, batch->count);
  lane_steps_look(&f->after, true);
  for (uint32_t i = 0; i < goal_count(f->j) && !f->is_found; i++) {
    bundle_row falls;
    const bundle_row *had = &f->e.step.targets[f->first + 1 + i];
    const bundle_row *has = &f->after.targets[f->first + 1 + i];
    for (uint32_t word = 0; word < ROW_WORDS; word++)
      falls.words[word] = had->words[word] & ~has->words[word];
    const uint32_t step = lane_in(&falls, batch->count);
    if (step == ID_NONE) continue;
    f->is_found = f->is_step = true;
    f->lane = batch->lanes[step];
    for (uint32_t role = 0; role < roles; role++)
      f->joint[role] = batch->joints[(size_t)step * roles + role];
  }
  return !f->is_found;
}

static void settle_fault(fault_search *f, uint32_t property, walk *w, state_place where,
                         budget *b) {
  prove_job *j = f->j;
  finding v = {.kind = VERDICT_REFUTED, .method = "exhaustive", .states = walk_states(w)};
  budget later = budget_to_show(b);
  if (!walk_line(w, where, &later, &v.line, j->keep)) return;
  if (f->is_step) vec_append(j->keep, &v.line, f->joint, j->reduced.roles.count);
  v.has_line = true;
  v.length = v.depth = v.line.count / j->reduced.roles.count;
  job_settle(j, property, v);
}

static bool search_block(fault_search *f, walk *w, uint32_t level, uint64_t block, uint8_t *states,
                         state_place *places) {
  const uint32_t count = level_read(w, level, block, states, places);
  lane_expander_look(&f->e, states, count);
  f->lane = lane_in(&f->e.look.targets[f->first], count);
  f->is_found = f->lane != ID_NONE;
  return f->is_found || !lane_expander_make_steps(&f->e, look_behind, f);
}

void monotone_by_walk(prove_job *j, uint32_t property, walk *w, budget *b) {
  arena *scratch = arena_new();
  fault_search f = {.j = j, .first = j->extras[property]};
  uint8_t *states = arena_new_array(scratch, uint8_t, (size_t)LANES * w->s->state_bytes + 8);
  state_place *places = arena_new_array(scratch, state_place, LANES);
  f.joint = arena_zero_array(scratch, uint32_t, j->reduced.roles.count + 1);
  lane_expander_init(&f.e, w->s, scratch);
  f.e.needs_step_goals = true;
  lane_steps_init(&f.after, w->s, scratch);
  for (uint32_t level = 0; level < w->levels.count && !f.is_found && !budget_check_now(b); level++)
    for (uint64_t block = 0; block * LANES < level_size(w, level) && !f.is_found; block++) {
      if (budget_check_now(b)) break;
      if (search_block(&f, w, level, block, states, places))
        settle_fault(&f, property, w, places[f.lane], b);
    }
  if (!f.is_found && !budget_check_now(b))
    job_settle(j, property,
               (finding){.kind = VERDICT_PROVED,
                         .method = "exhaustive",
                         .states = walk_states(w),
                         .depth = walk_depth(w),
                         .walk_file = w->file_checksum});
  arena_free(scratch);
}

/* ---- by induction ---- */

static wire extra_wire(const prove_job *j, uint32_t property, uint32_t number) {
  return j->full.targets.items[j->extras[property] + number];
}

static void require_facts(const prove_job *j, const fact_set *facts, unrolling *u) {
  for (uint32_t i = 0; i < facts->all.count; i++)
    fact_require(facts, &j->full, &facts->all.items[i], u, 0, 0);
}

static bool is_refuted(unrolling *u, sat_literal l) {
  return sat_solve(unroll_solver(u), &l, 1, CONFLICTS_MAX) == SAT_NO;
}

/* Where the facts hold every role has its goal, and no step makes one smaller. */
static bool facts_suffice(prove_job *j, uint32_t property, const fact_set *facts, budget *b) {
  unrolling *u = unroll_new(&j->full, false, b);
  require_facts(j, facts, u);
  bool ok = is_refuted(u, unroll_wire(u, extra_wire(j, property, 0), 0));
  if (ok) unroll_require_step(u, 0);
  for (uint32_t i = 0; i < goal_count(j) && ok; i++) {
    const sat_literal had = unroll_wire(u, extra_wire(j, property, i + 1), 0);
    const sat_literal has = unroll_wire(u, extra_wire(j, property, i + 1), 1);
    ok = is_refuted(u, -unroll_any(u, (const sat_literal[]){-had, has}, 2));
  }
  unroll_free(u);
  return ok && !budget_check_now(b);
}

void prove_monotone(prove_job *j, budget *b) {
  if (!job_has_open(j, PROPERTY_MONOTONE)) return;
  budget half = budget_part(b, budget_seconds_left(b) / 2);
  const fact_set *facts = job_facts(j, &half);
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (j->properties.items[i].kind != PROPERTY_MONOTONE || !job_is_open(j, i)) continue;
    if (facts_suffice(j, i, facts, b))
      job_settle(j, i,
                 (finding){.kind = VERDICT_PROVED, .method = "induction", .certificate = facts});
    job_explain(j, i, "induction", "not with the %u fact%s that it found; it needs others",
                facts->all.count, plural(facts->all.count));
  }
}
