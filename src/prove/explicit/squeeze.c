/* The method `squeeze`: play that leaves a role fewer and fewer moves, until it has none.

   A fault of `playable` may be too rare for random games and too deep for a walk.  So some hundred
   states are kept, of the random steps from them those that leave the role fewest moves, and so on;
   one role after the other, again and again.  It proves nothing. */
#include "base/rng.h"
#include "prove/methods.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 8, CANDIDATES_MAX = TRIES * LANES, DEPTH_MAX = 1000, SEEN_SLOTS = 1 << 18 };

/* A step that was tried. */
typedef struct candidate {
  uint32_t number; /* of its state and joint move */
  uint32_t parent; /* the lane that it was made from */
  uint32_t moves;  /* of the role, when it last had a choice */
  uint64_t score;  /* the lower the better */
} candidate;

/* How the states of a level came about, by lane. */
typedef struct level {
  const uint32_t *parents;
  const uint32_t *joints;
} level;

typedef VEC(level) level_vec;

typedef struct squeeze {
  prove_job *j;
  const lane_stepper *s;
  arena *keep;
  arena *round; /* the levels */
  rng r;
  uint32_t role; /* that is to be left without a move */
  lane_expander now, next;
  uint8_t *states; /* of the lanes */
  uint32_t *moves; /* by lane: of the role, when it last had a choice */
  uint32_t count;  /* lanes in use */
  level_vec levels;
  uint32_t *joints;     /* by candidate */
  uint8_t *next_states; /* by candidate */
  candidate *candidates;
  uint32_t candidate_count;
  uint64_t *seen; /* hashes of states of this round, each at one place */
  uint64_t state_count, rounds;
} squeeze;

/* ---- faults ---- */

/* The line to a state: to a lane of the last level, and one step more. */
static finding finding_of_step(const squeeze *q, uint32_t parent, const uint32_t *joint) {
  const uint32_t roles = q->s->c->roles.count, length = q->levels.count + (joint != NULL);
  finding v = {.method = "squeeze", .states = q->state_count, .length = length};
  vec_reserve(q->j->keep, &v.line, length * roles);
  v.line.count = length * roles;
  if (joint) memcpy(v.line.items + (size_t)q->levels.count * roles, joint, roles * sizeof *joint);
  for (uint32_t d = q->levels.count; d-- > 0;) {
    const level *at = &q->levels.items[d];
    memcpy(v.line.items + (size_t)d * roles, at->joints + (size_t)parent * roles,
           roles * sizeof *joint);
    parent = at->parents[parent];
  }
  return v;
}

/* Looks for targets among the states that `e` has looked at; `joints`: the steps to them, or NULL
   at the start. */
static void note_targets(squeeze *q, const lane_expander *e, const uint32_t *joints) {
  for (uint32_t i = 0; i < q->j->properties.count; i++) {
    const uint32_t target = q->j->targets[i];
    if (target == ID_NONE || !job_is_open(q->j, i)) continue;
    const uint32_t lane = row_first_lane(&e->look.targets[target]);
    if (lane >= e->look.count) continue;
    const uint32_t *joint = joints ? joints + (size_t)lane * q->s->c->roles.count : NULL;
    job_reached(q->j, i, finding_of_step(q, lane, joint));
  }
}

/* ---- steps ---- */

/* True when the state was not met in this round, as far as is remembered. */
static bool is_new(squeeze *q, const uint8_t *state) {
  const uint64_t hash = hash_bytes(state, q->s->state_bytes);
  uint64_t *slot = &q->seen[hash % SEEN_SLOTS];
  if (*slot == hash) return false;
  *slot = hash;
  return true;
}

/* A state in which the role has one move, as when it is not its turn, is as good as the one before.
   Chance keeps the states from becoming all alike. */
static void add_candidate(squeeze *q, uint32_t number, uint32_t lane) {
  const uint32_t at = q->role * LANES + lane;
  const uint32_t choices = q->next.ends[at] - q->next.starts[at];
  candidate fresh = {number, lane, choices > 1 ? choices : q->moves[lane], 0};
  fresh.score = fresh.moves * UINT64_C(1024) + rng_below(&q->r, 1024 + 256 * fresh.moves);
  q->candidates[q->candidate_count++] = fresh;
}

/* A random step from every state. */
static void try_steps(squeeze *q, uint32_t try) {
  const uint32_t roles = q->s->c->roles.count, first = try * LANES;
  uint32_t *joints = q->joints + (size_t)first * roles;
  uint8_t *after = q->next_states + (size_t)first * q->s->state_bytes;
  for (uint32_t lane = 0; lane < q->count; lane++)
    lane_expander_choose(&q->now, lane, &q->r, joints + (size_t)lane * roles);
  lane_steps_load(&q->now.step, q->states, q->count);
  lane_steps_step(&q->now.step, joints);
  lane_steps_store_next(&q->now.step, after);
  lane_expander_look(&q->next, after, q->count);
  q->state_count += q->count;
  note_targets(q, &q->next, joints);
  for (uint32_t lane = 0; lane < q->count; lane++)
    if (lane_expander_is_open(&q->next, lane) &&
        is_new(q, after + (size_t)lane * q->s->state_bytes))
      add_candidate(q, first + lane, lane);
}

static int compare_candidates(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  if (a->score != b->score) return a->score < b->score ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

/* The best candidates are the states of the next level. */
static void keep_best(squeeze *q) {
  const uint32_t roles = q->s->c->roles.count, bytes = q->s->state_bytes;
  qsort(q->candidates, q->candidate_count, sizeof *q->candidates, compare_candidates);
  q->count = q->candidate_count < LANES ? q->candidate_count : LANES;
  uint32_t *parents = arena_new_array(q->round, uint32_t, q->count + 1);
  uint32_t *joints = arena_new_array(q->round, uint32_t, (size_t)q->count * roles + 1);
  for (uint32_t i = 0; i < q->count; i++) {
    const candidate *it = &q->candidates[i];
    parents[i] = it->parent;
    q->moves[i] = it->moves;
    memcpy(joints + (size_t)i * roles, q->joints + (size_t)it->number * roles,
           roles * sizeof *joints);
    memcpy(q->states + (size_t)i * bytes, q->next_states + (size_t)it->number * bytes, bytes);
  }
  const level fresh = {parents, joints};
  vec_push(q->round, &q->levels, fresh);
}

/* ---- rounds ---- */

/* At the start there is one state: it is put into every lane, so that many steps are tried. */
static void begin_round(squeeze *q) {
  const uint32_t bytes = q->s->state_bytes;
  q->role = (uint32_t)(q->rounds++ % q->s->c->roles.count);
  q->count = LANES;
  memset(q->seen, 0, SEEN_SLOTS * sizeof *q->seen);
  lane_stepper_start(q->s, q->states);
  for (uint32_t lane = 1; lane < LANES; lane++)
    memcpy(q->states + (size_t)lane * bytes, q->states, bytes);
  for (uint32_t lane = 0; lane < LANES; lane++)
    q->moves[lane] = q->s->c->roles.items[q->role].move_count;
  lane_expander_look(&q->now, q->states, q->count);
  note_targets(q, &q->now, NULL);
}

static bool goes_on(const squeeze *q, budget *b) {
  return job_has_open(q->j, PROPERTY_PLAYABLE) && !budget_check_now(b);
}

/* False: there is no step. */
static bool run_round(squeeze *q, budget *b) {
  const arena_mark mark = arena_save(q->round);
  q->levels = (level_vec){0};
  begin_round(q);
  while (lane_expander_is_open(&q->now, 0) && q->levels.count < DEPTH_MAX && goes_on(q, b)) {
    q->candidate_count = 0;
    for (uint32_t try = 0; try < TRIES && goes_on(q, b); try++) try_steps(q, try);
    if (!q->candidate_count) break;
    keep_best(q);
    lane_expander_look(&q->now, q->states, q->count);
  }
  const bool has_stepped = q->levels.count > 0;
  arena_restore(q->round, mark);
  return has_stepped;
}

static void squeeze_init(squeeze *q, prove_job *j, arena *keep) {
  const lane_stepper *s = job_stepper(j);
  const size_t roles = s->c->roles.count;
  *q = (squeeze){.j = j, .s = s, .keep = keep, .round = arena_new()};
  q->r = rng_new(j->options.seed, j->squeezes++);
  lane_expander_init(&q->now, s, keep);
  lane_expander_init(&q->next, s, keep);
  q->states = arena_zero_array(keep, uint8_t, (size_t)LANES * s->state_bytes + 8);
  q->moves = arena_new_array(keep, uint32_t, LANES);
  q->joints = arena_new_array(keep, uint32_t, CANDIDATES_MAX * roles);
  q->next_states = arena_zero_array(keep, uint8_t, (size_t)CANDIDATES_MAX * s->state_bytes + 8);
  q->candidates = arena_new_array(keep, candidate, CANDIDATES_MAX);
  q->seen = arena_new_array(keep, uint64_t, SEEN_SLOTS);
}

void prove_by_squeezing(prove_job *j, budget *b) {
  if (!job_has_open(j, PROPERTY_PLAYABLE)) return;
  arena *keep = arena_new();
  squeeze *q = arena_alloc(keep, sizeof *q);
  squeeze_init(q, j, keep);
  while (goes_on(q, b) && run_round(q, b)) continue;
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == PROPERTY_PLAYABLE)
      job_explain(j, i, "squeeze", "%llu states on the way to few moves, and none without",
                  (unsigned long long)q->state_count);
  arena_free(q->round);
  arena_free(keep);
}
