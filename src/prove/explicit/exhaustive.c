/* The method `exhaustive`: every reachable state, once. */
#include "prove/methods.h"
#include "states/walk_force.h"

static const char method[] = "exhaustive";

static finding walked(const walk *w) {
  return (finding){.method = method,
                   .states = walk_states(w),
                   .depth = walk_depth(w),
                   .is_walked = w->is_complete,
                   .walk_file = w->file_checksum};
}

/* The play that leads to a state, found again in a little more than the time.  False: it stays
   open. */
static bool find_line(prove_job *j, uint32_t i, walk *w, state_place to, budget *b, id_vec *line) {
  budget later = budget_to_show(b);
  if (walk_line(w, to, &later, line, j->keep)) return true;
  job_explain(j, i, method, "a state was found, but not again the play that leads to it: %s",
              later.end == BUDGET_LEFT ? "the walk file is forged" : "it needs more time");
  return false;
}

static void settle_target(prove_job *j, uint32_t i, walk *w, budget *b) {
  const walk_found *found = &w->targets[j->targets[i]];
  finding v = walked(w);
  v.length = found->depth;
  if (!found->is_found && w->is_complete) job_never_reached(j, i, v);
  if (found->is_found && find_line(j, i, w, found->where, b, &v.line)) job_reached(j, i, v);
}

/* ---- ends ---- */

static void settle_end(prove_job *j, uint32_t i, walk *w, budget *b) {
  uint32_t longest;
  state_place cycle;
  id_vec round = {0};
  finding v = walked(w);
  const walk_end end = walk_find_end(w, b, &longest, &cycle, &round, j->keep);
  if (end == WALK_ENDS) {
    v.kind = VERDICT_PROVED;
    v.depth = longest;
    v.plays = play_length_exact(longest);
  }
  if (end == WALK_CYCLES) {
    if (!find_line(j, i, w, cycle, b, &v.line)) return;
    v.kind = VERDICT_REFUTED;
    v.has_line = true;
    v.returns_to = v.line.count / j->reduced.roles.count;
    vec_append(j->keep, &v.line, round.items, round.count);
    v.length = v.depth = v.line.count / j->reduced.roles.count;
  }
  if (end != WALK_UNDECIDED) job_settle(j, i, v);
}

/* ---- strategies ---- */

/* The others can keep the role from a win that it cannot force only if it may know their moves:
   roles take turns, and chance has no part in it. */
static const char *words_of_force(const prove_job *j, uint32_t role, walk_force force,
                                  const force_found *found) {
  const char *name = j->g.roles[role];
  const bool is_determined = !found->has_choices_at_once && !program_has_sees(j->program) &&
                             j->g.nature == j->g.circuit.roles.count;
  text words = text_new(j->keep);
  if (force == FORCE_CAN)
    text_add_format(&words, "%s can force it in %u step%s at most", name, found->steps,
                    plural(found->steps));
  else if (is_determined)
    text_add_format(&words, "the others can keep %s from it", name);
  else
    text_add_format(&words, "%s has no strategy that is sure to win, whatever the others do", name);
  if (force == FORCE_CANNOT && program_has_sees(j->program))
    text_add(&words, ", not even if it knew the state");
  return text_string(&words);
}

/* A role that cannot force a win when it knows the state cannot do so when it does not. */
static void settle_force(prove_job *j, uint32_t i, walk *w, budget *b) {
  force_found found;
  const uint32_t role = j->properties.items[i].role;
  const walk_force force = walk_find_force(w, role, j->extras[i], b, &found);
  if (force == FORCE_UNDECIDED) return;
  if (force == FORCE_CAN && program_has_sees(j->program)) {
    job_explain(j, i, method,
                "%s could force it in %u step%s if it knew the state; but the game has `sees` "
                "rules: roles know only what they see, and that is not looked at",
                j->g.roles[role], found.steps, plural(found.steps));
    return;
  }
  finding v = walked(w);
  v.kind = force == FORCE_CAN ? VERDICT_PROVED : VERDICT_REFUTED;
  v.reason = words_of_force(j, role, force, &found);
  job_settle(j, i, v);
}

/* ---- all ---- */

/* Of what may stay open. */
static void explain_open(prove_job *j, uint32_t i, const walk *w) {
  finding *v = &j->findings[i];
  const uint32_t depth = walk_depth(w); /* some of the level before may not have been looked at */
  if (depth > v->clear_steps + 1) v->clear_steps = depth - 1;
  job_explain(j, i, method, "looked at %llu state%s, to depth %u; %s",
              (unsigned long long)walk_states(w), plural(walk_states(w)), depth,
              w->is_complete ? "these are all, but comparing them needs more time"
                             : "there may be more: it needs more time or memory");
}

static void settle_all(prove_job *j, walk *w, budget *b) {
  for (uint32_t i = 0; i < j->properties.count; i++) {
    const property_kind kind = j->properties.items[i].kind;
    if (!job_is_open(j, i) || kind == PROPERTY_MUTEX || kind == PROPERTY_DEAD) continue;
    explain_open(j, i, w);
    if (j->targets[i] != ID_NONE) settle_target(j, i, w, b);
  }
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (!job_is_open(j, i)) continue;
    const property_kind kind = j->properties.items[i].kind;
    if (kind == PROPERTY_TERMINATES && w->is_complete) settle_end(j, i, w, b);
    if (kind == PROPERTY_MONOTONE && w->is_complete) monotone_by_walk(j, i, w, b);
    if (kind == PROPERTY_STRONGLY_WINNABLE && w->is_complete) settle_force(j, i, w, b);
  }
}

/* Is anything open that takes more than finding targets? */
static bool wants_all_states(const prove_job *j) {
  return job_has_open(j, PROPERTY_TERMINATES) || job_has_open(j, PROPERTY_MONOTONE) ||
         job_has_open(j, PROPERTY_STRONGLY_WINNABLE);
}

static bitset open_targets(const prove_job *j, arena *keep) {
  const bitset wanted = bitset_new(keep, j->reduced.targets.count + 1);
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (job_is_open(j, i) && j->targets[i] != ID_NONE) bitset_add(wanted, j->targets[i]);
  return wanted;
}

static walk *begun_walk(prove_job *j) {
  if (j->walk) return j->walk;
  j->walk = arena_alloc(j->keep, sizeof *j->walk);
  walk_init(j->walk, job_stepper(j), j->keep);
  return j->walk;
}

void job_forget_walk(prove_job *j) {
  if (j->walk) walk_free(j->walk);
  j->walk = NULL;
}

/* A walk that a limit stops is kept, to be gone on with, unless other methods would lack the room.
 */
static bool leaves_room(const walk *w, const budget *b) {
  return !b->max_bytes || atomic_load(&w->store.bytes) < b->max_bytes / 2;
}

static void explain_file(prove_job *j) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    job_explain(j, i, method, "the file %s cannot be used for the walk", j->options.walk_file);
}

void prove_by_walk(prove_job *j, budget *b) {
  arena *keep = arena_new();
  const walk_options o = {.threads = j->options.threads,
                          .file = j->options.walk_file,
                          .wanted = open_targets(j, keep),
                          .only_targets = !wants_all_states(j)};
  walk *w = begun_walk(j);
  j->has_bad_file = j->has_bad_file || !walk_run(w, o, b, j->d);
  if (j->has_bad_file)
    explain_file(j);
  else
    settle_all(j, w, b);
  if (!leaves_room(w, b)) job_forget_walk(j);
  arena_free(keep);
}
