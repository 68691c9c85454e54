#include "buddy/bdd_levels.h"

#include "base/bitset.h"
#include "buddy/bdd_count.h"
#include "buddy/bdd_steps.h"

typedef struct bdd_levels {
  const bdd_question *q;
  arena *keep;
  bdd_values values;
  bdd_steps steps;
  VEC(BDD) levels; /* held; states that are not terminal */
  VEC(BDD) whole;  /* likewise, with those that are */
  bitset found;    /* targets */
  bool is_layered;
  bdd_number states;
} bdd_levels;

static BDD start_of(const bdd_question *q) {
  BDD all = bdd_held(bddtrue);
  for (uint32_t b = q->bit_count; b-- > 0;)
    all = bdd_then(all, q->start[b] ? bdd_ithvar((int)b * 2) : bdd_nithvar((int)b * 2), bddop_and);
  return all;
}

static BDD without_ends(const bdd_levels *l, BDD set) {
  const BDD ends = bdd_where(&l->values, set, l->q->terminal);
  const BDD rest = bdd_held(bdd_apply(set, ends, bddop_diff));
  bdd_delref(ends);
  return rest;
}

/* ---- lines of play ---- */

/* Some state of a set, by bits; returns it as a set, held. */
static BDD pick(const bdd_levels *l, BDD set, uint32_t *state) {
  BDD at = set, one = bdd_held(bddtrue);
  for (uint32_t b = 0; b < l->q->bit_count; b++) {
    const bool is_at = at != bddtrue && at != bddfalse && bdd_var(at) == (int)b * 2;
    state[b] = is_at && bdd_low(at) == bddfalse;
    if (is_at) at = state[b] ? bdd_high(at) : bdd_low(at);
    one = bdd_then(one, state[b] ? bdd_ithvar((int)b * 2) : bdd_nithvar((int)b * 2), bddop_and);
  }
  return one;
}

/* A step from a state of the set to the state, which is replaced by it: the joint move; or NULL. */
static const uint32_t *step_back(bdd_levels *l, BDD set, uint32_t *state) {
  for (uint32_t i = 0; i < l->steps.joints.count; i++) {
    const uint32_t *joint = l->steps.joints.items[i];
    const BDD before = bdd_steps_back(&l->steps, set, joint, state);
    if (before != bddfalse) bdd_delref(pick(l, before, state));
    bdd_delref(before);
    if (before != bddfalse) return joint;
  }
  return NULL;
}

typedef VEC(const uint32_t *) joint_vec;

static void print_backwards(const bdd_levels *l, const joint_vec *joints) {
  for (uint32_t i = joints->count; i-- > 0;)
    for (uint32_t r = 0; r < l->q->role_count; r++) printf(" %u", joints->items[i][r]);
}

/* The moves to a state of that level, last one first. */
static void find_line(bdd_levels *l, uint32_t depth, uint32_t *state, joint_vec *line) {
  while (depth-- > 0) vec_push(l->keep, line, step_back(l, l->levels.items[depth], state));
}

static void print_target(bdd_levels *l, uint32_t target, BDD there) {
  const uint32_t depth = l->levels.count;
  uint32_t *state = arena_new_array(l->keep, uint32_t, l->q->bit_count + 1);
  joint_vec line = {0};
  bdd_delref(pick(l, there, state));
  find_line(l, depth, state, &line);
  printf("target %u %u", target, depth);
  print_backwards(l, &line);
  putchar('\n');
}

static void find_targets(bdd_levels *l, BDD level) {
  for (uint32_t t = 0; t < l->q->targets.count; t++) {
    if (bitset_has(l->found, t)) continue;
    const BDD there = bdd_where(&l->values, level, l->q->targets.items[t]);
    if (there != bddfalse) {
      bitset_add(l->found, t);
      print_target(l, t, there);
    }
    bdd_delref(there);
  }
}

/* ---- levels ---- */

static void print_level(bdd_levels *l, BDD level) {
  char digits[BDD_DIGITS];
  const bdd_number count = bdd_count(level, l->q->bit_count);
  l->states = bdd_number_sum(l->states, count);
  printf("level %u %s %d\n", l->levels.count,
         count.is_over ? "more" : bdd_number_text(count, digits), bdd_nodecount(level));
}

/* Takes what was reached before out of a set, which is given up. */
static BDD only_new(bdd_levels *l, BDD set) {
  for (uint32_t i = l->whole.count; i-- > 0 && set != bddfalse;) {
    const BDD before = set;
    set = bdd_held(bdd_apply(before, l->whole.items[i], bddop_diff));
    if (set != before) l->is_layered = false;
    bdd_delref(before);
  }
  return set;
}

/* False: there are more levels than are wanted. */
static bool walk_levels(bdd_levels *l) {
  BDD level = start_of(l->q);
  while (level != bddfalse) {
    print_level(l, level);
    find_targets(l, level);
    fflush(stdout);
    if (l->levels.count >= l->q->depth) return false;
    const BDD open = without_ends(l, level);
    vec_push(l->keep, &l->levels, open);
    vec_push(l->keep, &l->whole, level);
    level = only_new(l, bdd_steps_make(&l->steps, open));
  }
  return true;
}

/* ---- whether plays end ---- */

/* States that plays come back to, or states that follow on them: steps from the set lead to all of
   it.  Going back within it comes to a state twice. */
static void print_cycle(bdd_levels *l, BDD set) {
  const uint32_t bits = l->q->bit_count;
  VEC(BDD) met = {0};
  joint_vec back = {0};
  uint32_t *state = arena_new_array(l->keep, uint32_t, bits + 1), returns = 0, depth = 0;
  BDD at = pick(l, set, state);
  for (bool is_met = false; !is_met;) {
    vec_push(l->keep, &met, at);
    vec_push(l->keep, &back, step_back(l, set, state));
    BDD all = bdd_held(bddtrue);
    for (uint32_t b = bits; b-- > 0;)
      all = bdd_then(all, state[b] ? bdd_ithvar((int)b * 2) : bdd_nithvar((int)b * 2), bddop_and);
    at = all;
    for (uint32_t i = 0; i < met.count; i++)
      if (met.items[i] == at) is_met = true, returns = i;
  }
  joint_vec line = {0};
  vec_append(l->keep, &line, back.items + returns, back.count - returns);
  while (bdd_apply(l->levels.items[depth], at, bddop_and) == bddfalse) depth++;
  find_line(l, depth, state, &line);
  printf("cycle %u", depth);
  print_backwards(l, &line);
  putchar('\n');
}

/* The states at the end of plays of 0, 1, 2, ... steps that begin anywhere: fewer and fewer. */
static void find_ends(bdd_levels *l) {
  BDD set = bdd_held(bddfalse);
  for (uint32_t i = 0; i < l->levels.count; i++) set = bdd_then(set, l->levels.items[i], bddop_or);
  for (uint32_t steps = 0;; steps++) {
    const BDD after = bdd_steps_make(&l->steps, set), open = without_ends(l, after);
    bdd_delref(after);
    if (after == bddfalse) {
      printf("ends %u\n", steps);
      return;
    }
    bdd_delref(set);
    if (open == set) break;
    set = open;
  }
  print_cycle(l, set);
}

static void print_end(bdd_levels *l) {
  if (l->is_layered)
    printf("ends %u\n", l->levels.count - 1);
  else
    find_ends(l);
}

void bdd_levels_print(const bdd_question *q, arena *keep) {
  bdd_levels l = {.q = q, .keep = keep, .is_layered = true};
  char digits[BDD_DIGITS];
  l.found = bitset_new(keep, q->targets.count + 1);
  bdd_values_init(&l.values, q, keep);
  if (!l.values.is_beyond) bdd_steps_init(&l.steps, &l.values, keep);
  if (l.values.is_beyond) {
    puts("stop recursion");
    return;
  }
  if (!walk_levels(&l)) {
    puts("stop depth");
    return;
  }
  printf("states %s %d\n", l.states.is_over ? "more" : bdd_number_text(l.states, digits),
         l.is_layered);
  fflush(stdout);
  if (q->asks_ends) print_end(&l);
}
