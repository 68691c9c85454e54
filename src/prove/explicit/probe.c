/* The method `probe`: random play, 512 games side by side.

   It refutes what it happens to see, and proves what needs one example only.  For the rest it tells
   how rare a fault must be: when n games showed none, then with confidence c a random game shows
   one with a probability of at most -ln(1 - c) / n. */
#include "base/rng.h"
#include "prove/methods.h"

#include <math.h>
#include <string.h>

/* Longer games are given up. */
enum { LENGTH_MAX = 4096 };

/* One of the games. */
typedef struct lane_game {
  id_vec line;
  VEC(uint64_t) seen; /* hashes of its states, from the start */
} lane_game;

typedef struct probe {
  prove_job *j;
  arena *keep;
  const lane_stepper *s;
  lane_expander steps;
  rng r;
  uint8_t *start;
  uint8_t *states;  /* of the lanes */
  uint32_t *joints; /* that they make next */
  lane_game games[LANES];
  bool *is_reached; /* by target */
  uint64_t plays, state_count;
  bool wants_length;
  bool has_cycle;
  uint32_t monotone;           /* the property; ID_NONE: it is not asked for, or settled */
  uint64_t *had;               /* its extras in the states before, ROW_WORDS for each ... */
  uint64_t went_on[ROW_WORDS]; /* ... and the lanes whose game has gone on since */
} probe;

static uint8_t *state_of(const probe *p, uint32_t lane) {
  return p->states + (size_t)lane * p->s->state_bytes;
}

static void begin_game(probe *p, uint32_t lane) {
  p->games[lane].line.count = 0;
  p->games[lane].seen.count = 0;
  memcpy(state_of(p, lane), p->start, p->s->state_bytes);
}

/* ---- what is seen ---- */

static finding finding_of_line(const probe *p, uint32_t lane) {
  const id_vec *line = &p->games[lane].line;
  finding v = {
      .method = "probe", .states = p->state_count, .length = line->count / p->s->c->roles.count};
  vec_append(p->j->keep, &v.line, line->items, line->count);
  return v;
}

static void note_targets(probe *p) {
  for (uint32_t i = 0; i < p->j->properties.count; i++) {
    const uint32_t target = p->j->targets[i];
    if (target == ID_NONE || p->is_reached[target]) continue;
    const uint32_t lane = row_first_lane(&p->steps.look.targets[target]);
    if (lane == ID_NONE) continue;
    p->is_reached[target] = true;
    job_reached(p->j, i, finding_of_line(p, lane));
  }
}

static void settle_fall(probe *p, uint32_t lane) {
  finding v = finding_of_line(p, lane);
  v.kind = VERDICT_REFUTED;
  v.has_line = true;
  v.depth = v.length;
  job_settle(p->j, p->monotone, v);
  p->monotone = ID_NONE;
}

/* Has a role no goal, or a smaller one than in the state before? */
static void note_falls(probe *p) {
  const uint32_t goals = p->j->g.goals_of[p->s->c->roles.count];
  for (uint32_t i = 0; i <= goals && p->monotone != ID_NONE; i++) {
    const bundle_row *has = &p->steps.look.targets[p->j->extras[p->monotone] + i];
    bundle_row bad;
    for (uint32_t word = 0; word < ROW_WORDS; word++) {
      uint64_t *had = &p->had[i * ROW_WORDS + word];
      bad.words[word] = i ? *had & ~has->words[word] & p->went_on[word] : has->words[word];
      *had = has->words[word];
    }
    if (row_first_lane(&bad) != ID_NONE) settle_fall(p, row_first_lane(&bad));
  }
}

static void settle_cycle(probe *p, uint32_t lane, uint32_t returns_to) {
  finding v = finding_of_line(p, lane);
  v.kind = VERDICT_REFUTED;
  v.has_line = true;
  v.returns_to = returns_to;
  v.depth = v.length;
  p->has_cycle = true;
  for (uint32_t i = 0; i < p->j->properties.count; i++)
    if (p->j->properties.items[i].kind == PROPERTY_TERMINATES) job_settle(p->j, i, v);
}

/* Has this game been in this state before? */
static void note_state(probe *p, uint32_t lane) {
  lane_game *g = &p->games[lane];
  const uint64_t hash = hash_bytes(state_of(p, lane), p->s->state_bytes);
  for (uint32_t i = 0; i < g->seen.count && !p->has_cycle; i++)
    if (g->seen.items[i] == hash) settle_cycle(p, lane, i);
  vec_push(p->keep, &g->seen, hash);
}

/* ---- playing ---- */

static void keep_longest(probe *p, const lane_game *g, uint32_t length) {
  id_vec *kept = &p->j->longest_line;
  p->j->longest_seen = length;
  kept->count = 0;
  vec_append(p->j->keep, kept, g->line.items, g->line.count);
}

static void advance(probe *p, uint32_t lane) {
  const uint32_t roles = p->s->c->roles.count;
  lane_game *g = &p->games[lane];
  const bool is_open = lane_expander_is_open(&p->steps, lane);
  const uint32_t length = g->line.count / roles;
  if (p->wants_length && length > p->j->longest_seen) keep_longest(p, g, length);
  if (!is_open || length >= LENGTH_MAX) {
    p->plays += !is_open;
    begin_game(p, lane);
    return;
  }
  p->went_on[lane / 64] |= UINT64_C(1) << lane % 64;
  vec_append(p->keep, &g->line, p->joints + (size_t)lane * roles, roles);
}

static void play_step(probe *p) {
  for (uint32_t lane = 0; lane < LANES && !p->has_cycle; lane++) note_state(p, lane);
  lane_expander_look(&p->steps, p->states, LANES);
  p->state_count += LANES;
  note_targets(p);
  note_falls(p);
  for (uint32_t lane = 0; lane < LANES; lane++)
    lane_expander_choose(&p->steps, lane, &p->r, p->joints + (size_t)lane * p->s->c->roles.count);
  lane_steps_step(&p->steps.look, p->joints);
  lane_steps_store_next(&p->steps.look, p->states);
  memset(p->went_on, 0, sizeof p->went_on);
  for (uint32_t lane = 0; lane < LANES; lane++) advance(p, lane);
}

/* ---- the method ---- */

static void probe_init(probe *p, prove_job *j, const lane_stepper *s, arena *keep) {
  memset(p, 0, sizeof *p);
  p->j = j;
  p->keep = keep;
  p->s = s;
  p->r = rng_new(j->options.seed, 0);
  lane_expander_init(&p->steps, s, keep);
  p->start = arena_zero_array(keep, uint8_t, s->state_bytes + 8);
  p->states = arena_zero_array(keep, uint8_t, (size_t)LANES * s->state_bytes + 8);
  p->joints = arena_zero_array(keep, uint32_t, (size_t)LANES * (s->c->roles.count + 1));
  p->is_reached = arena_zero_array(keep, bool, s->c->targets.count + 1);
  p->has_cycle = !job_has_open(j, PROPERTY_TERMINATES);
  p->wants_length = !p->has_cycle;
  p->monotone = ID_NONE;
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == PROPERTY_MONOTONE && job_is_open(j, i)) p->monotone = i;
  p->had = arena_zero_array(keep, uint64_t, (j->g.goals_of[s->c->roles.count] + 1) * ROW_WORDS);
  lane_stepper_start(s, p->start);
  for (uint32_t lane = 0; lane < LANES; lane++) begin_game(p, lane);
}

static void settle_rest(probe *p) {
  prove_job *j = p->j;
  for (uint32_t i = 0; i < j->properties.count; i++) {
    const property_kind kind = j->properties.items[i].kind;
    if (kind == PROPERTY_MUTEX || kind == PROPERTY_STRONGLY_WINNABLE || kind == PROPERTY_DEAD ||
        !p->plays)
      continue;
    j->findings[i].games += p->plays;
    job_explain(j, i, "probe",
                "%llu random game%s (%llu state%s) did not %s it: with confidence %g a random game "
                "does with a probability of at most %.2g",
                (unsigned long long)p->plays, plural(p->plays), (unsigned long long)p->state_count,
                plural(p->state_count), kind == PROPERTY_WINNABLE ? "prove" : "refute",
                j->options.confidence, fmin(1, -log1p(-j->options.confidence) / (double)p->plays));
  }
}

/* What is left may be asked again later. */
static bool has_longest(const probe *p) {
  return p->j->enough_steps && p->j->longest_seen >= p->j->enough_steps;
}

static bool can_learn(const probe *p) {
  if (p->wants_length && has_longest(p)) return false;
  return job_has_open_reach(p->j) || !p->has_cycle || p->monotone != ID_NONE;
}

/* A role without any move ends every game at once. */
static bool can_move(const circuit *c) {
  for (uint32_t role = 0; role < c->roles.count; role++)
    if (!c->roles.items[role].move_count) return false;
  return true;
}

void prove_by_play(prove_job *j, budget *b) {
  if (!can_move(&j->reduced)) return;
  arena *keep = arena_new();
  probe *p = arena_alloc(keep, sizeof *p);
  probe_init(p, j, job_stepper(j), keep);
  while (can_learn(p) && !budget_check_now(b)) play_step(p);
  settle_rest(p);
  arena_free(keep);
}
