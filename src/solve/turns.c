/* Two phases.  First, states whose successors are all known become known, level by level from the
   last, again while that finds some: in a game without cycles that is all.  What is left can run
   into a cycle.  There, for each value in turn, states from which a side can force it are found by
   going over all of them until nothing changes; their steps fall from 'not known' to what is
   right, since each step counts one. */
#include "solve/turns.h"

#include "search/team.h"
#include "solve/turn_files.h"

#include <stdlib.h>
#include <string.h>

/* Of ranks: blocks of a level after which all have met. */
enum { CHUNK_BLOCKS = 1 << 13 };

/* What is looked for. */
typedef enum turn_phase { PHASE_ALL_KNOWN, PHASE_FORCE } turn_phase;

/* What one sweep shares. */
typedef struct sweep {
  turn_values *v;
  solve_space *s;
  turn_files *files; /* or NULL */
  uint32_t task;     /* how many things were looked for before */
  turn_phase phase;
  uint32_t wanted;  /* of PHASE_FORCE: the code ... */
  bool hero_forces; /* ... and who wants it */
  uint32_t level;
  uint64_t block_count;
  atomic_uint_fast64_t next_block; /* counts from the end of the level */
  uint64_t states_done;            /* of the levels behind this one */
  atomic_bool is_over, is_too_long;
  budget *limits;
} sweep;

/* What has come of a state so far. */
typedef struct lane_worth {
  turn_worth best;
  bool hero_moves;
  bool is_open; /* a successor is not known, or, where the other forces, is no good */
} lane_worth;

typedef struct sweeper {
  sweep *w;
  arena *keep;
  lane_expander e;
  uint8_t *states;
  state_place *places;
  state_place *next; /* by step of a batch */
  lane_worth lanes[LANES];
  /* Of several ranks. */
  uint64_t first_block;  /* of the chunk that is being done */
  lane_worth *worths;    /* by state of it */
  uint32_t slots[LANES]; /* by lane: which of them */
  uint8_t *near;         /* states to be looked up here */
  uint32_t *near_slots;
  uint8_t *record;
  budget limits;
  progress *progress; /* of the first sweeper; NULL: another reports */
  uint64_t changed;
} sweeper;

/* ---- comparing ---- */

static bool hurries(const turn_values *v, bool hero_moves, uint8_t code) {
  if (v->is_alone) return true;
  return hero_moves ? code > v->endless : code < v->endless;
}

bool turn_is_better(const turn_values *v, bool hero_moves, turn_worth a, turn_worth b) {
  if (a.code != b.code) return hero_moves ? a.code > b.code : a.code < b.code;
  return hurries(v, hero_moves, a.code) ? a.steps < b.steps : a.steps > b.steps;
}

/* One step before. */
static turn_worth turn_before(turn_worth after) {
  if (after.steps < STEPS_MAX) after.steps++;
  return after;
}

/* ---- a step ---- */

static void take_known(sweeper *k, lane_worth *l, turn_worth after) {
  if (after.code == CODE_OPEN) {
    l->is_open = true;
    return;
  }
  after = turn_before(after);
  if (l->best.code == CODE_OPEN || turn_is_better(k->w->v, l->hero_moves, after, l->best))
    l->best = after;
}

/* Who forces needs one step to the wanted value; where the other moves, all steps must lead to it
   or to something better for who forces. */
static void take_forced(const sweep *w, lane_worth *l, turn_worth after) {
  const bool forcer_moves = l->hero_moves == w->hero_forces;
  if (after.code == w->wanted) {
    after = turn_before(after);
    const bool is_first = l->best.code == CODE_OPEN;
    if (is_first || (forcer_moves ? after.steps < l->best.steps : after.steps > l->best.steps))
      l->best = after;
    return;
  }
  const bool is_bad =
      after.code == CODE_OPEN || (w->hero_forces ? after.code < w->wanted : after.code > w->wanted);
  if (!forcer_moves && is_bad) l->is_open = true;
}

static void take_worth(sweeper *k, lane_worth *l, turn_worth after) {
  if (k->w->phase == PHASE_ALL_KNOWN)
    take_known(k, l, after);
  else
    take_forced(k->w, l, after);
}

static bool take_steps(void *context, const lane_successors *batch) {
  sweeper *k = context;
  const sweep *w = k->w;
  store_find_all(&w->s->w.store, batch->states, batch->count, k->next);
  for (uint32_t i = 0; i < batch->count; i++)
    take_worth(k, &k->lanes[batch->lanes[i]], turn_worth_at(w->v, k->next[i]));
  return !budget_is_spent(&k->limits);
}

/* ---- a block ---- */

static bool is_due(const sweep *w, state_place p) {
  const uint8_t code = w->v->codes[p.shard][p.number];
  return code == CODE_OPEN || (w->phase == PHASE_FORCE && code == w->wanted);
}

/* Keeps the states of a block that may change. */
static uint32_t keep_due(sweeper *k, uint32_t count) {
  const uint32_t bytes = k->e.s->state_bytes;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_due(k->w, k->places[i])) continue;
    if (kept < i) memcpy(k->states + (size_t)kept * bytes, k->states + (size_t)i * bytes, bytes);
    k->places[kept++] = k->places[i];
  }
  return kept;
}

static uint8_t code_of(const turn_values *v, int32_t value) {
  uint32_t code = 0;
  while (v->values[code] != value) code++;
  return (uint8_t)code;
}

/* Ends, and states in which the game goes wrong, are what they are. */
static lane_worth first_worth(const sweeper *k, uint32_t lane) {
  const turn_values *v = k->w->v;
  uint32_t mover;
  lane_worth l = {.best = {CODE_OPEN, STEPS_NONE}};
  if (is_end_lane(&k->e, lane))
    l.best = (turn_worth){code_of(v, goal_in_lane(k->w->s, &k->e, v->hero, lane, NULL)), 0};
  else if (!lane_expander_is_open(&k->e, lane))
    l.best = (turn_worth){code_of(v, ENDLESS_VALUE), 0};
  else
    l.hero_moves = choosers_in_lane(k->w->s, &k->e, lane, &mover) == 0 || mover == v->hero;
  return l;
}

static void write_worth(sweeper *k, state_place p, turn_worth found) {
  turn_values *v = k->w->v;
  uint8_t *code = &v->codes[p.shard][p.number];
  uint16_t *steps = &v->steps[p.shard][p.number];
  const bool is_known = k->w->phase == PHASE_ALL_KNOWN;
  if (*code != CODE_OPEN && *steps <= found.steps) return;
  if (found.steps == STEPS_MAX) atomic_store(&k->w->is_too_long, true);
  *code = (uint8_t)(found.code | (is_known ? CODE_SETTLED : 0));
  *steps = found.steps;
  k->changed++;
}

static void sweep_block(sweeper *k, uint64_t block) {
  const uint32_t all = level_read(&k->w->s->w, k->w->level, block, k->states, k->places);
  const uint32_t count = keep_due(k, all);
  if (!count) return;
  lane_expander_look(&k->e, k->states, count);
  for (uint32_t i = 0; i < count; i++) k->lanes[i] = first_worth(k, i);
  if (!lane_expander_make_steps(&k->e, take_steps, k)) return;
  for (uint32_t i = 0; i < count; i++)
    if (!k->lanes[i].is_open && k->lanes[i].best.code != CODE_OPEN)
      write_worth(k, k->places[i], k->lanes[i].best);
}

static void say_progress(const sweeper *k, uint64_t blocks) {
  progress_tell(k->progress, (double)(k->w->states_done + blocks * LANES),
                (double)space_states(k->w->s), "states looked at");
}

static void sweep_blocks(void *worker) {
  sweeper *k = worker;
  sweep *w = k->w;
  for (;;) {
    if (budget_check_now(&k->limits)) atomic_store(&w->is_over, true);
    const uint64_t done = atomic_fetch_add(&w->next_block, 1);
    if (done >= w->block_count || atomic_load(&w->is_over)) return;
    say_progress(k, done);
    sweep_block(k, w->block_count - 1 - done);
  }
}

/* ---- a level over several ranks ---- */

/* Who has the state that a step leads to tells what it is worth.  A question is the number of the
   state in its chunk and the state that follows; an answer is that number and the worth. */
typedef struct step_answer {
  uint32_t slot;
  turn_worth worth;
} step_answer;

static void take_answers(void *context, uint32_t from, const uint8_t *bytes, size_t size) {
  sweeper *k = context;
  (void)from;
  for (size_t at = 0; at + sizeof(step_answer) <= size; at += sizeof(step_answer)) {
    step_answer a;
    memcpy(&a, bytes + at, sizeof a);
    take_worth(k, &k->worths[a.slot], a.worth);
  }
}

static void find_places(const sweeper *k, const uint8_t *states, uint32_t count) {
  level_walk_find_all(&k->w->s->spread, states, count, k->w->level + 1, k->next);
}

static void answer(sweeper *k, uint32_t from, uint32_t count) {
  find_places(k, k->near, count);
  for (uint32_t i = 0; i < count; i++) {
    step_answer a;
    memset(&a, 0, sizeof a);
    a.slot = k->near_slots[i];
    a.worth = turn_worth_at(k->w->v, k->next[i]);
    ranks_post(k->w->s->ranks, RANK_ANSWER, from, &a, sizeof a);
  }
}

static void take_questions(void *context, uint32_t from, const uint8_t *bytes, size_t size) {
  sweeper *k = context;
  const uint32_t state_bytes = k->e.s->state_bytes;
  uint32_t count = 0;
  for (size_t at = 0; at + 4 + state_bytes <= size; at += 4 + state_bytes) {
    memcpy(&k->near_slots[count], bytes + at, 4);
    memcpy(k->near + (size_t)count++ * state_bytes, bytes + at + 4, state_bytes);
    if (count == LANES) {
      answer(k, from, count);
      count = 0;
    }
  }
  answer(k, from, count);
}

static void ask(sweeper *k, uint32_t owner, uint32_t slot, const uint8_t *state) {
  const uint32_t state_bytes = k->e.s->state_bytes;
  memcpy(k->record, &slot, 4);
  memcpy(k->record + 4, state, state_bytes);
  ranks_post(k->w->s->ranks, RANK_ASK, owner, k->record, 4 + state_bytes);
}

static bool ask_steps(void *context, const lane_successors *batch) {
  sweeper *k = context;
  ranks *r = k->w->s->ranks;
  const uint32_t bytes = k->e.s->state_bytes;
  uint32_t near = 0;
  uint8_t *states = k->near + (size_t)LANES * bytes; /* answers use the first half */
  uint32_t *slots = k->near_slots + LANES;
  for (uint32_t i = 0; i < batch->count; i++) {
    const uint8_t *state = batch->states + (size_t)i * bytes;
    const uint32_t owner = rank_of_hash(r, hash_bytes(state, bytes));
    const uint32_t slot = k->slots[batch->lanes[i]];
    if (owner != ranks_rank(r)) {
      ask(k, owner, slot, state);
      continue;
    }
    slots[near] = slot;
    memcpy(states + (size_t)near++ * bytes, state, bytes);
  }
  find_places(k, states, near);
  for (uint32_t i = 0; i < near; i++)
    take_worth(k, &k->worths[slots[i]], turn_worth_at(k->w->v, k->next[i]));
  return !ranks_have_failed(r);
}

static void ask_block(sweeper *k, uint64_t block) {
  const uint32_t bytes = k->e.s->state_bytes, base = (uint32_t)(block - k->first_block) * LANES;
  const uint8_t *states = NULL;
  const uint32_t all = space_level_read(k->w->s, k->w->level, block, k->states, &states, k->places);
  uint32_t count = 0;
  for (uint32_t i = 0; i < all; i++) {
    k->worths[base + i] = (lane_worth){.best = {CODE_OPEN, STEPS_NONE}};
    if (!is_due(k->w, k->places[i])) continue;
    k->slots[count] = base + i;
    memcpy(k->states + (size_t)count++ * bytes, states + (size_t)i * bytes, bytes);
  }
  if (!count) return;
  lane_expander_look(&k->e, k->states, count);
  for (uint32_t i = 0; i < count; i++) k->worths[k->slots[i]] = first_worth(k, i);
  lane_expander_make_steps(&k->e, ask_steps, k);
}

static void write_chunk(sweeper *k, uint64_t end) {
  for (uint64_t block = k->first_block; block < end; block++) {
    const uint8_t *states;
    const uint32_t all =
        space_level_read(k->w->s, k->w->level, block, k->states, &states, k->places);
    for (uint32_t i = 0; i < all; i++) {
      const lane_worth *l = &k->worths[(block - k->first_block) * LANES + i];
      if (!l->is_open && l->best.code != CODE_OPEN) write_worth(k, k->places[i], l->best);
    }
  }
  const uint64_t first = k->first_block * LANES, size = space_level_size(k->w->s, k->w->level);
  const uint64_t behind = end * LANES < size ? end * LANES : size;
  if (first < behind)
    turn_files_note(k->w->files, k->w->level, (uint32_t)first, (uint32_t)(behind - first));
}

/* Some blocks of the level, from first_block on; returns where they end.  The rank that wishes for
   a checkpoint hurries the others. */
static uint64_t ask_chunk(sweeper *k) {
  sweep *w = k->w;
  ranks *r = w->s->ranks;
  uint64_t block = k->first_block;
  ranks_begin(r, RANK_ANSWER, take_answers, k);
  ranks_begin(r, RANK_ASK, take_questions, k);
  while (block < w->block_count && block - k->first_block < CHUNK_BLOCKS && !ranks_have_failed(r)) {
    say_progress(k, block);
    ask_block(k, block++);
    ranks_poll(r);
    if (budget_check_now(&k->limits)) ranks_stop(r);
    if (checkpoint_is_due(w->s->files)) ranks_hurry(r, RANK_ASK);
    if (ranks_are_hurried(r, RANK_ASK)) break;
  }
  if (!ranks_finish(r, RANK_ASK) || !ranks_finish(r, RANK_ANSWER)) atomic_store(&w->is_over, true);
  return block;
}

/* Is there more to do in this level, on any rank?  A checkpoint that is due is made. */
static bool has_more(sweep *w, uint64_t left) {
  uint64_t n[2] = {left, checkpoint_is_due(w->s->files)};
  if (!ranks_sum(w->s->ranks, n, 2) || (n[1] && !turn_files_save(w->files, w->task)))
    atomic_store(&w->is_over, true);
  return n[0] && !atomic_load(&w->is_over);
}

static void sweep_ranks(sweeper *k) {
  sweep *w = k->w;
  arena *keep = arena_new();
  const uint64_t most = w->block_count < CHUNK_BLOCKS ? w->block_count : CHUNK_BLOCKS;
  k->worths = arena_new_array(keep, lane_worth, most * LANES + 1);
  k->first_block = 0;
  do {
    const uint64_t end = ask_chunk(k);
    if (atomic_load(&w->is_over)) break;
    write_chunk(k, end);
    k->first_block = end;
  } while (has_more(w, w->block_count - k->first_block));
  arena_free(keep);
}

/* ---- a sweep ---- */

static void sweep_level(sweep *w, sweeper *sweepers, uint32_t threads) {
  w->block_count = (space_level_size(w->s, w->level) + LANES - 1) / LANES;
  atomic_store(&w->next_block, 0);
  if (w->s->ranks)
    sweep_ranks(&sweepers[0]);
  else
    team_run(sweepers, sizeof *sweepers, w->block_count < 2 ? 1 : threads, sweep_blocks);
}

/* A number of all ranks; 0 where that cannot be found out. */
static uint64_t sum_of_ranks(sweep *w, uint64_t number) {
  if (!w->s->ranks || ranks_sum(w->s->ranks, &number, 1)) return number;
  atomic_store(&w->is_over, true);
  return 0;
}

static void sweeper_init(sweeper *k, sweep *w) {
  const lane_stepper *s = &w->s->stepper;
  *k = (sweeper){.w = w, .keep = arena_new()};
  lane_expander_init(&k->e, s, k->keep);
  k->states = arena_new_array(k->keep, uint8_t, (size_t)LANES * s->state_bytes + 8);
  k->places = arena_new_array(k->keep, state_place, LANES);
  k->next = arena_new_array(k->keep, state_place, LANES);
  if (!w->s->ranks) return;
  k->near = arena_new_array(k->keep, uint8_t, 2 * (size_t)LANES * s->state_bytes + 8);
  k->near_slots = arena_new_array(k->keep, uint32_t, 2 * LANES);
  k->record = arena_new_array(k->keep, uint8_t, s->state_bytes + 4);
}

/* Over all levels, from the last.  Threads share a level only where no step stays in it: else what
   one finds could depend on how far another is.  Returns how many states changed. */
static uint64_t sweep_all(sweep *w, sweeper *sweepers) {
  const uint32_t threads = space_is_layered(w->s) ? w->s->threads : 1;
  uint64_t changed = 0;
  w->states_done = 0;
  for (uint32_t i = 0; i < w->s->threads; i++) {
    sweepers[i].limits = budget_share(w->limits, w->s->threads);
    sweepers[i].limits.max_bytes = 0;
    sweepers[i].progress = i ? NULL : w->limits->progress;
    sweepers[i].changed = 0;
  }
  for (w->level = space_level_count(w->s); w->level-- > 0 && !atomic_load(&w->is_over);) {
    sweep_level(w, sweepers, threads);
    w->states_done += space_level_size(w->s, w->level);
  }
  for (uint32_t i = 0; i < w->s->threads; i++) changed += sweepers[i].changed;
  changed = sum_of_ranks(w, changed);
  return atomic_load(&w->is_over) ? 0 : changed;
}

/* ---- all of it ---- */

static int compare_values(const void *a, const void *b) {
  return *(const int32_t *)a - *(const int32_t *)b;
}

static void add_value(turn_values *v, int32_t value) {
  for (uint32_t i = 0; i < v->value_count; i++)
    if (v->values[i] == value) return;
  v->values[v->value_count++] = value;
}

/* False: goals that the language does not know. */
static bool list_values(turn_values *v) {
  const grounded *g = v->s->g;
  add_value(v, ENDLESS_VALUE);
  if (v->is_alone) add_value(v, 0);
  for (uint32_t i = g->goals_of[v->hero]; i < g->goals_of[v->hero + 1]; i++) {
    if (v->value_count == CODE_MAX) return false;
    add_value(v, g->goal_values[g->goals[i]]);
  }
  qsort(v->values, v->value_count, sizeof *v->values, compare_values);
  v->endless = code_of(v, v->is_alone ? 0 : ENDLESS_VALUE);
  return true;
}

static void open_states(turn_values *v, arena *keep) {
  const uint32_t parts = space_part_count(v->s);
  v->codes = arena_new_array(keep, uint8_t *, parts + (size_t)1);
  v->steps = arena_new_array(keep, uint16_t *, parts + (size_t)1);
  for (uint32_t i = 0; i < parts; i++) {
    const size_t count = space_part_size(v->s, i) + (size_t)1;
    v->codes[i] = arena_new_array(keep, uint8_t, count);
    v->steps[i] = arena_new_array(keep, uint16_t, count);
    memset(v->codes[i], CODE_OPEN, count);
    memset(v->steps[i], 0xff, count * sizeof *v->steps[i]);
  }
}

static void force_value(sweep *w, sweeper *sweepers, uint32_t code, bool hero_forces) {
  w->phase = PHASE_FORCE;
  w->wanted = code;
  w->hero_forces = hero_forces;
  if (++w->task < turn_files_task(w->files)) return; /* that was done before */
  while (sweep_all(w, sweepers) > 0) continue;
}

/* States from which play can run into a cycle. */
static void force_all(sweep *w, sweeper *sweepers) {
  const turn_values *v = w->v;
  const uint32_t least = v->is_alone ? 0 : v->endless + 1;
  for (uint32_t code = v->value_count; code-- > least;) force_value(w, sweepers, code, true);
  for (uint32_t code = 0; !v->is_alone && code < v->endless; code++)
    force_value(w, sweepers, code, false);
}

static void close_states(turn_values *v, sweep *w) {
  for (uint32_t i = 0; i < space_part_count(v->s); i++)
    for (uint32_t n = 0; n < space_part_size(v->s, i); n++) {
      if (v->codes[i][n] != CODE_OPEN) continue;
      v->codes[i][n] = (uint8_t)v->endless;
      v->has_endless = true;
    }
  v->has_endless = sum_of_ranks(w, v->has_endless) > 0;
}

static bool has_open(const turn_values *v) {
  for (uint32_t i = 0; i < space_part_count(v->s); i++)
    if (memchr(v->codes[i], CODE_OPEN, space_part_size(v->s, i))) return true;
  return false;
}

/* Everything that is looked for, one after another. */
static void sweep_tasks(sweep *w, sweeper *sweepers) {
  if (turn_files_task(w->files) == 0)
    while (sweep_all(w, sweepers) > 0 && !space_is_layered(w->s)) continue;
  if (!atomic_load(&w->is_over) && sum_of_ranks(w, has_open(w->v)) > 0) force_all(w, sweepers);
  if (!atomic_load(&w->is_over) && !turn_files_end(w->files)) atomic_store(&w->is_over, true);
}

bool turns_solve(turn_values *all, uint32_t number, solve_space *s, uint32_t hero, arena *keep,
                 budget *b) {
  turn_values *v = &all[number];
  *v = (turn_values){.s = s, .hero = hero, .is_alone = s->choosers == 1};
  arena *scratch = arena_new();
  turn_files files;
  sweep w = {.v = v, .s = s, .phase = PHASE_ALL_KNOWN, .limits = b};
  sweeper *sweepers = arena_new_array(scratch, sweeper, s->threads);
  if (!list_values(v)) return false;
  open_states(v, keep);
  for (uint32_t i = 0; i < s->threads; i++) sweeper_init(&sweepers[i], &w);
  if (s->files) w.files = &files;
  if (s->files && !turn_files_begin(&files, all, number, scratch)) atomic_store(&w.is_over, true);
  if (!atomic_load(&w.is_over) && !turn_files_is_done(w.files)) sweep_tasks(&w, sweepers);
  for (uint32_t i = 0; i < s->threads; i++) arena_free(sweepers[i].keep);
  arena_free(scratch);
  close_states(v, &w);
  v->is_too_long = sum_of_ranks(&w, atomic_load(&w.is_too_long)) > 0;
  return !atomic_load(&w.is_over) && !v->is_too_long;
}
