/* The method `exhaustive`: every reachable state, once. */
#include "prove/methods.h"
#include "states/walk_force.h"

static const char method[] = "exhaustive";

/* A game of one role with more states is searched by its parts first. */
enum { FEW_STATES = 10000 };

/* So many states are walked before it is worth while to look for symmetries. */
enum { PLAIN_STATES = 1 << 17 };

/* All states, where those that were kept stand for others. */
static uint64_t all_states(prove_job *j, walk *w) {
  if (!w->s->symmetries) return walk_states(w);
  if (j->walk_kept != walk_states(w)) j->walk_all = walk_images(w);
  j->walk_kept = walk_states(w);
  return j->walk_all;
}

static finding walked(prove_job *j, walk *w) {
  return (finding){.method = method,
                   .states = all_states(j, w),
                   .depth = walk_depth(w),
                   .is_walked = w->is_complete,
                   .walk_file = w->file_checksum};
}

static void explain_lost_line(prove_job *j, uint32_t i, const budget *b) {
  job_explain(j, i, method, "a state was found, but not again the play that leads to it: %s",
              b->end == BUDGET_LEFT ? "the walk file is forged" : "it needs more time");
}

/* The play that leads to a state, found again in a little more than the time.  False: it stays
   open. */
static bool find_line(prove_job *j, uint32_t i, walk *w, state_place to, budget *b, id_vec *line) {
  budget later = budget_to_show(b);
  if (walk_line(w, to, &later, line, j->keep)) return true;
  explain_lost_line(j, i, &later);
  return false;
}

/* From the step behind it on the step counter excludes what is asked; ID_NONE: it does not.  What
   is never so is left to induction, whose proofs can be checked. */
static uint32_t last_step(const prove_job *j, uint32_t i) {
  const uint32_t target = j->targets[i];
  return j->reduced.targets.items[target] == WIRE_FALSE ? ID_NONE : j->last_steps[target];
}

/* All steps have been looked at that the step counter does not exclude. */
static bool is_past(const prove_job *j, uint32_t i, const walk *w) {
  const uint32_t last = last_step(j, i);
  return last != ID_NONE && w->levels.count - 2 > last;
}

static const char *words_of_past(const prove_job *j, uint32_t i) {
  text words = text_new(j->keep);
  text_add_format(&words, "after step %u the step counter excludes it", last_step(j, i));
  return text_string(&words);
}

static void settle_target(prove_job *j, uint32_t i, walk *w, budget *b) {
  const walk_found *found = &w->targets[j->targets[i]];
  finding v = walked(j, w);
  v.length = found->depth;
  if (!found->is_found && w->is_complete) job_never_reached(j, i, v);
  if (!found->is_found && is_past(j, i, w)) {
    v.reason = words_of_past(j, i);
    job_never_reached(j, i, v);
  }
  if (found->is_found && find_line(j, i, w, found->where, b, &v.line)) job_reached(j, i, v);
}

/* ---- ends ---- */

static void settle_end(prove_job *j, uint32_t i, walk *w, budget *b) {
  uint32_t longest;
  state_place cycle;
  id_vec round = {0};
  finding v = walked(j, w);
  const walk_end end = walk_find_end(w, b, &longest, &cycle, &round, j->keep);
  if (end == WALK_ENDS) {
    v.kind = VERDICT_PROVED;
    v.depth = longest;
    v.plays = play_length_exact(longest);
  }
  if (end == WALK_CYCLES) {
    budget later = budget_to_show(b);
    if (!walk_round(w, cycle, &round, &later, &v.line, &v.returns_to, j->keep)) {
      explain_lost_line(j, i, &later);
      return;
    }
    v.kind = VERDICT_REFUTED;
    v.has_line = true;
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
  finding v = walked(j, w);
  v.kind = force == FORCE_CAN ? VERDICT_PROVED : VERDICT_REFUTED;
  v.reason = words_of_force(j, role, force, &found);
  job_settle(j, i, v);
}

/* ---- all ---- */

/* Of what may stay open. */
static void explain_open(prove_job *j, uint32_t i, walk *w) {
  finding *v = &j->findings[i];
  const uint64_t states = all_states(j, w);
  const uint32_t depth = walk_depth(w); /* some of the level before may not have been looked at */
  if (depth > v->clear_steps + 1) v->clear_steps = depth - 1;
  job_explain(j, i, method, "looked at %llu state%s, to depth %u; %s", (unsigned long long)states,
              plural(states), depth,
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

/* The depth from which on step counters exclude all that is open; 0: it is not known. */
static uint32_t deepest_wanted(const prove_job *j) {
  uint32_t depth = 0;
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (!job_is_open(j, i) || j->targets[i] == ID_NONE) continue;
    const uint32_t last = last_step(j, i);
    if (last == ID_NONE) return 0;
    if (last + 1 > depth) depth = last + 1;
  }
  return depth;
}

/* ---- symmetries ---- */

/* What is asked holds of a state or of a play whenever it holds of their images: not so of
   formulas, and monotone looks at steps as they are. */
static bool is_kept_by_symmetries(property_kind k) {
  return k != PROPERTY_UNREACHABLE && k != PROPERTY_INVARIANT && k != PROPERTY_MONOTONE;
}

static bool may_use_symmetries(const prove_job *j) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (job_is_open(j, i) && !is_kept_by_symmetries(j->properties.items[i].kind)) return false;
  return !j->options.walk_file && !j->reads_moves_at_rest;
}

static void find_symmetries(prove_job *j, budget *b) {
  const lane_stepper *s = job_stepper(j);
  state_group_find(&j->symmetries, &j->g.ground, &j->reduced, s->state_bytes, j->keep, b);
  j->walks_by_them = *s;
  j->walks_by_them.symmetries = &j->symmetries;
  j->has_symmetries = true;
}

static bool has_use_of_symmetries(const prove_job *j) {
  return j->has_symmetries && j->symmetries.order > 1 && may_use_symmetries(j);
}

static walk *begun_walk(prove_job *j) {
  if (j->walk) return j->walk;
  j->walk = arena_alloc(j->keep, sizeof *j->walk);
  walk_init(j->walk, has_use_of_symmetries(j) ? &j->walks_by_them : job_stepper(j), j->keep);
  return j->walk;
}

void job_forget_walk(prove_job *j) {
  if (j->walk) walk_free(j->walk);
  clockless_free(j->clockless);
  j->walk = NULL;
  j->clockless = NULL;
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

static bool has_all_targets(const walk *w, const walk_options *o) {
  for (uint32_t t = 0; t < w->s->c->targets.count; t++)
    if (bitset_has(o->wanted, t) && !w->targets[t].is_found) return false;
  return true;
}

/* A walk of more states than these begins anew, and keeps one of those that are alike. */
static bool walk_far(prove_job *j, walk_options o, budget *b) {
  const uint64_t few = j->options.plain_states ? j->options.plain_states : PLAIN_STATES;
  walk *w = begun_walk(j);
  if (j->has_symmetries || !may_use_symmetries(j)) return walk_run(w, o, b, j->d);
  o.max_states = few;
  if (!walk_run(w, o, b, j->d)) return false;
  if (walk_states(w) <= few || w->is_complete || (o.only_targets && has_all_targets(w, &o)))
    return true;
  if (budget_check_now(b)) return true;
  o.max_states = 0;
  find_symmetries(j, b);
  if (has_use_of_symmetries(j)) job_forget_walk(j);
  return walk_run(begun_walk(j), o, b, j->d);
}

/* A game of one role may be in parts: where it has more than a few states, these are looked at
   first, within half of the time.  Who says when symmetries are to be used wants the walk. */
static void walk_parts(prove_job *j, walk *w, walk_options o, budget *b) {
  if (j->options.plain_states) return;
  o.max_states = FEW_STATES;
  if (j->reduced.roles.count != 1 || o.file || !walk_run(w, o, b, j->d) || w->is_complete) return;
  budget half = budget_part(b, budget_seconds_left(b) / 2);
  prove_by_parts(j, &half);
}

/* Where many states differ in a step counter alone, a walk without it is through sooner; `auto`
   tries methods first whose proofs can be checked.  True: nothing is left to walk for. */
static bool walk_without_clock(prove_job *j, walk *w, walk_options o, budget *b) {
  const bool is_auto = !j->options.method || j->options.method == prove_methods;
  o.max_states = PLAIN_STATES;
  if (is_auto || j->options.plain_states || o.file || !has_clock_to_leave_out(j)) return false;
  if (!walk_run(w, o, b, j->d) || w->is_complete) return false;
  if (o.only_targets && has_all_targets(w, &o)) return true;
  budget half = budget_part(b, budget_seconds_left(b) / 2);
  prove_without_clock(j, &half);
  return false;
}

void prove_by_walk(prove_job *j, budget *b) {
  arena *keep = arena_new();
  walk_options o = {.threads = j->options.threads,
                    .file = j->options.walk_file,
                    .wanted = open_targets(j, keep),
                    .only_targets = !wants_all_states(j)};
  walk_parts(j, begun_walk(j), o, b);
  const bool is_done = !job_is_settled(j) && walk_without_clock(j, begun_walk(j), o, b);
  o.wanted = open_targets(j, keep);
  o.only_targets = !wants_all_states(j);
  o.max_depth = o.only_targets ? deepest_wanted(j) : 0;
  if (!is_done && !job_is_settled(j)) j->has_bad_file = j->has_bad_file || !walk_far(j, o, b);
  walk *w = begun_walk(j);
  if (j->has_bad_file)
    explain_file(j);
  else
    settle_all(j, w, b);
  if (!leaves_room(w, b)) job_forget_walk(j);
  arena_free(keep);
}
