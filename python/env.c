#include "env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What copies of some archives have for `stdin`, `stdout` and `stderr` (build_ffi.py). */
FILE *tabia_stdin, *tabia_stdout, *tabia_stderr;

__attribute__((constructor)) static void set_streams(void) {
  tabia_stdin = stdin;
  tabia_stdout = stdout;
  tabia_stderr = stderr;
}

/* ---- texts ---- */

static void grow(tabia_sink *sink, size_t length) {
  if (sink->length + length <= sink->capacity) return;
  sink->capacity = (sink->length + length) * 2;
  char *larger = (char *)realloc(sink->bytes, sink->capacity);
  if (!larger) abort();
  sink->bytes = larger;
}

void tabia_sink_put(void *context, const char *bytes, size_t length) {
  tabia_sink *sink = (tabia_sink *)context;
  grow(sink, length + 1);
  memcpy(sink->bytes + sink->length, bytes, length);
  sink->length += length;
}

void tabia_sink_clear(tabia_sink *sink) {
  free(sink->bytes);
  *sink = (tabia_sink){0};
}

/* ---- Ctrl-C ---- */

/* A signal handler has no other place; only the main thread writes these. */
static volatile sig_atomic_t was_interrupted;
static struct sigaction before;

static void on_interrupt(int number, siginfo_t *info, void *context) {
  was_interrupted = 1;
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(number, info, context);
  else
    before.sa_handler(number);
}

const volatile sig_atomic_t *tabia_interrupt_begin(void) {
  struct sigaction there;
  was_interrupted = 0;
  if (sigaction(SIGINT, NULL, &there) != 0) return NULL;
  if ((there.sa_flags & SA_SIGINFO) && there.sa_sigaction == on_interrupt) return &was_interrupted;
  before = there;
  if (!(before.sa_flags & SA_SIGINFO) &&
      (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN))
    return NULL;
  struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  ours.sa_sigaction = on_interrupt;
  sigemptyset(&ours.sa_mask);
  return sigaction(SIGINT, &ours, NULL) == 0 ? &was_interrupted : NULL;
}

bool tabia_interrupt_end(void) {
  sigaction(SIGINT, &before, NULL);
  return was_interrupted != 0;
}

/* ---- batches: a block of lanes ---- */

/* What a call is about: all lanes, block by block. */
typedef struct job {
  tabia_env *e;
  const tabia_move *actions;
  uint32_t width;
  const bool *which;
  const char *positions;
  size_t position_size;
  uint32_t looks;
} job;

/* The lanes of a block, as if there were no others. */
static tabia_env view_of(const tabia_env *e, tabia_batch *part, size_t first) {
  tabia_env v = *e;
  v.batch = part;
  v.lanes = tabia_batch_lanes(part);
  v.parts += first / TABIA_BLOCK;
  v.joints += first * e->roles;
  v.drawn += first * e->roles;
  for (uint32_t i = 0; i < 2; i++) v.sample[i] += first * e->players;
  v.current += first;
  v.terminated += first;
  v.truncated += first;
  v.age += first;
  v.over += first;
  v.illegal += first;
  v.now += first;
  v.lost += first;
  v.ended += first;
  v.column += first;
  v.counts += first * (e->players + 1);
  v.mask += first * e->mask_words;
  v.reward += first * e->players;
  v.goals += first * e->players;
  return v;
}

/* ---- batches: joint moves ---- */

static bool has_nature(const tabia_env *e) { return e->nature < e->roles; }

static void draw_joints(tabia_env *e) { tabia_batch_draw(e->batch, e->seed, e->steps, e->joints); }

static void place_actions(tabia_env *e, const tabia_move *actions) {
  for (size_t lane = 0; lane < e->lanes; lane++)
    for (uint32_t player = 0; player < e->players; player++)
      e->joints[lane * e->roles + e->player_roles[player]] = actions[lane * e->players + player];
}

static void count_choices(tabia_env *e) {
  for (uint32_t player = 0; player < e->players; player++)
    tabia_batch_legal(e->batch, e->player_roles[player], NULL, 0,
                      e->counts + (size_t)player * e->lanes);
}

/* The one player of the lane with several moves; TABIA_ENV_CHANCE: none; TABIA_ENV_SEVERAL. */
static int32_t chooser(const tabia_env *e, size_t lane) {
  int32_t found = TABIA_ENV_CHANCE;
  for (uint32_t player = 0; player < e->players; player++) {
    if (e->counts[(size_t)player * e->lanes + lane] < 2) continue;
    if (found >= 0) return TABIA_ENV_SEVERAL;
    found = (int32_t)player;
  }
  return found;
}

/* Is one action enough in all lanes of the block? */
static void check_choosers(void *context, tabia_batch *part, uint32_t first) {
  const job *j = context;
  tabia_env e = view_of(j->e, part, first);
  count_choices(&e);
  e.parts->is_simultaneous = false;
  for (size_t lane = 0; lane < e.lanes; lane++)
    if (!e.over[lane] && chooser(&e, lane) == TABIA_ENV_SEVERAL) e.parts->is_simultaneous = true;
}

/* Only moves are already in the joints, since they can be drawn alone. */
static void place_single_actions(tabia_env *e, const tabia_move *actions) {
  for (size_t lane = 0; lane < e->lanes; lane++) {
    const int32_t player = e->over[lane] ? TABIA_ENV_CHANCE : chooser(e, lane);
    if (player >= 0) e->joints[lane * e->roles + e->player_roles[player]] = actions[lane];
  }
}

/* A game that was lost by an illegal action, or cut, is no terminal state: nobody moves there. */
static void hold_lost(tabia_env *e) {
  for (size_t lane = 0; e->parts->lost_count && lane < e->lanes; lane++)
    if (e->lost[lane]) e->joints[lane * e->roles] = TABIA_NO_MOVE;
}

static bool is_single(const tabia_env *e, uint32_t width) { return width == 1 && e->players > 1; }

/* The joint moves to make. */
static const tabia_move *joints_of(tabia_env *e, const tabia_move *actions, uint32_t width) {
  const bool single = is_single(e, width);
  if (!single && !has_nature(e) && !e->parts->lost_count) return actions;
  if (single || has_nature(e)) draw_joints(e);
  if (single)
    place_single_actions(e, actions);
  else
    place_actions(e, actions);
  hold_lost(e);
  return e->joints;
}

/* ---- batches: illegal actions ---- */

static uint32_t forget_lost(tabia_env *e, uint32_t illegal) {
  for (size_t lane = 0; e->parts->lost_count && lane < e->lanes; lane++) {
    if (!e->lost[lane] || !e->illegal[lane]) continue;
    e->illegal[lane] = false;
    illegal--;
  }
  return illegal;
}

static bool is_guilty(const tabia_env *e, uint32_t player, size_t lane, tabia_move move) {
  const size_t words = ((size_t)e->move_counts[player] + 63) / 64;
  if (move >= e->move_counts[player]) return true;
  return !(e->mask[lane * words + move / 64] >> (move % 64) & 1);
}

/* What an illegal action costs: -1, and the others get one for each player but themselves. */
static void punish(tabia_env *e, const tabia_move *joints) {
  const float others = (float)(e->players - 1);
  for (uint32_t player = 0; player < e->players; player++) {
    const uint32_t role = e->player_roles[player];
    tabia_batch_read(e->batch, TABIA_LEGAL, role, TABIA_BITS, e->mask);
    for (size_t lane = 0; lane < e->lanes; lane++) {
      if (!e->illegal[lane]) continue;
      const bool guilty = is_guilty(e, player, lane, joints[lane * e->roles + role]);
      e->reward[lane * e->players + player] = guilty ? -1 : others;
    }
  }
  e->parts->has_reward = true;
}

static uint32_t end_illegal(tabia_env *e, const tabia_move *joints) {
  uint32_t ended = 0;
  punish(e, joints);
  for (size_t lane = 0; lane < e->lanes; lane++) {
    if (!e->illegal[lane]) continue;
    e->lost[lane] = e->terminated[lane] = true;
    ended++;
  }
  e->parts->lost_count += ended;
  return ended;
}

/* ---- batches: the end of games ---- */

static void clear_rewards(tabia_env *e) {
  if (!e->parts->has_reward) return;
  memset(e->reward, 0, sizeof *e->reward * e->lanes * e->players);
  e->parts->has_reward = false;
}

/* The lanes that have ended, eight at a glance: at most steps few do. */
static uint32_t list_ended(tabia_env *e) {
  uint32_t count = 0;
  for (uint32_t lane = 0; lane < e->lanes; lane += 8) {
    uint64_t flags = 0;
    const uint32_t here = e->lanes - lane < 8 ? e->lanes - lane : 8;
    memcpy(&flags, e->now + lane, here);
    for (uint32_t i = 0; flags && i < here; i++)
      if (e->now[lane + i]) e->ended[count++] = lane + i;
  }
  return count;
}

static void set_goals(tabia_env *e, uint32_t player, uint32_t ended) {
  tabia_batch_goals(e->batch, e->player_roles[player], e->column);
  for (uint32_t i = 0; i < ended; i++) {
    const size_t at = (size_t)e->ended[i] * e->players + player;
    const int32_t goal = e->column[e->ended[i]];
    e->goals[at] = goal;
    e->reward[at] = goal == TABIA_NO_GOAL ? 0 : (float)(goal - 50) / 50;
  }
}

/* Games that have ended by the last step, which is where `now` holds from here on. */
static uint32_t end_games(tabia_env *e) {
  uint32_t ended = tabia_batch_terminal(e->batch, e->now);
  for (size_t lane = 0; e->parts->waiting && lane < e->lanes; lane++) {
    ended -= e->now[lane] && e->over[lane];
    e->now[lane] = e->now[lane] && !e->over[lane];
  }
  if (!ended) return 0;
  list_ended(e);
  for (uint32_t player = 0; player < e->players; player++) set_goals(e, player, ended);
  for (uint32_t i = 0; i < ended; i++) e->terminated[e->ended[i]] = true;
  e->parts->has_reward = true;
  return ended;
}

/* Games that have had all their steps. */
static uint32_t cut_games(tabia_env *e) {
  uint32_t cut = 0;
  for (size_t lane = 0; e->max_steps && lane < e->lanes; lane++) {
    if (e->over[lane] || e->illegal[lane]) continue;
    if (++e->age[lane] < e->max_steps || e->terminated[lane]) continue;
    e->lost[lane] = e->truncated[lane] = true;
    cut++;
  }
  e->parts->lost_count += cut;
  return cut;
}

static void forget_ages(tabia_env *e, const bool *which) {
  for (size_t lane = 0; e->max_steps && lane < e->lanes; lane++)
    if (!which || which[lane]) e->age[lane] = 0;
}

static void forget_ends(tabia_env *e, const bool *which) {
  e->parts->waiting = e->parts->lost_count = 0;
  for (size_t lane = 0; lane < e->lanes; lane++) {
    const bool stays = which && !which[lane];
    e->over[lane] = e->over[lane] && stays;
    e->lost[lane] = e->lost[lane] && stays;
    e->parts->waiting += e->over[lane];
    e->parts->lost_count += e->lost[lane];
  }
}

static void begin_anew(tabia_env *e, const bool *which) {
  tabia_batch_reset(e->batch, which);
  forget_ages(e, which);
  if (e->parts->waiting || e->parts->lost_count) forget_ends(e, which);
}

static void keep_over(tabia_env *e) {
  e->parts->waiting = 0;
  for (size_t lane = 0; lane < e->lanes; lane++) {
    e->over[lane] |= e->now[lane];
    e->parts->waiting += e->over[lane];
  }
}

/* Flags of the last step: those that still wait keep theirs where nothing begins by itself. */
static void clear_flags(tabia_env *e) {
  for (size_t lane = 0; e->max_steps && lane < e->lanes; lane++)
    e->truncated[lane] = e->truncated[lane] && e->over[lane] && e->ending == TABIA_ENDING_STAYS;
  if (e->ending != TABIA_ENDING_STAYS)
    memset(e->terminated, 0, e->lanes);
  else
    for (size_t lane = 0; lane < e->lanes; lane++)
      e->terminated[lane] = e->over[lane] && !e->truncated[lane];
}

static void note_ended(tabia_env *e) {
  memcpy(e->now, e->terminated, e->lanes);
  for (size_t lane = 0; e->max_steps && lane < e->lanes; lane++) e->now[lane] |= e->truncated[lane];
}

static void end_or_begin(tabia_env *e, uint32_t ended) {
  if (e->ending == TABIA_ENDING_NEXT_STEP && e->parts->waiting) {
    memcpy(e->now, e->over, e->lanes);
    begin_anew(e, e->now);
  }
  if (!ended) return;
  note_ended(e);
  if (e->ending == TABIA_ENDING_SAME_STEP)
    begin_anew(e, e->now);
  else
    keep_over(e);
}

static void step_lanes(tabia_env *e, const tabia_move *actions, uint32_t width) {
  const tabia_move *joints = joints_of(e, actions, width);
  clear_rewards(e);
  clear_flags(e);
  const uint32_t illegal = forget_lost(e, tabia_batch_step(e->batch, joints, e->illegal));
  const uint32_t lost = illegal && e->illegal_loses ? end_illegal(e, joints) : 0;
  const uint32_t ended = lost + end_games(e);
  end_or_begin(e, ended + cut_games(e));
  e->parts->has_illegal = illegal && !e->illegal_loses;
}

/* ---- batches: looks ---- */

/* Where nobody has a choice and chance has none, the first player makes its only move. */
static int32_t without_choice(const tabia_env *e, size_t lane) {
  const uint32_t *of_nature = e->counts + (size_t)e->players * e->lanes;
  return has_nature(e) && of_nature[lane] > 1 ? TABIA_ENV_CHANCE : 0;
}

static void look_who_chooses(tabia_env *e) {
  count_choices(e);
  if (has_nature(e))
    tabia_batch_legal(e->batch, e->nature, NULL, 0, e->counts + (size_t)e->players * e->lanes);
  for (size_t lane = 0; lane < e->lanes; lane++) {
    e->current[lane] = e->over[lane] ? TABIA_ENV_OVER : chooser(e, lane);
    if (e->current[lane] == TABIA_ENV_CHANCE) e->current[lane] = without_choice(e, lane);
  }
}

/* Drawn uniformly among the legal ones. */
static void draw_sample(tabia_env *e) {
  tabia_move *actions = e->sample[e->samples & 1], *joints = has_nature(e) ? e->drawn : actions;
  tabia_batch_draw(e->batch, ~e->seed, e->samples, joints);
  for (size_t lane = 0; has_nature(e) && lane < e->lanes; lane++)
    for (uint32_t player = 0; player < e->players; player++)
      actions[lane * e->players + player] = joints[lane * e->roles + e->player_roles[player]];
}

static void read_answers(const tabia_env *e, const tabia_look *looks, uint32_t count,
                         size_t first) {
  for (uint32_t i = 0; i < count; i++)
    tabia_batch_read(e->batch, looks[i].what, looks[i].role, looks[i].layout,
                     looks[i].out + first * looks[i].stride);
}

static void look(tabia_env *e, size_t first, uint32_t looks) {
  if (looks & TABIA_LOOK_MASKS) read_answers(e, e->masks, e->players, first);
  if (looks & TABIA_LOOK_FLUENTS) read_answers(e, e->fluents, 1, first);
  if (looks & TABIA_LOOK_PERCEPTS) read_answers(e, e->percepts, e->players, first);
  if (looks & TABIA_LOOK_SAMPLE) draw_sample(e);
  if (looks & TABIA_LOOK_CURRENT) look_who_chooses(e);
}

/* ---- batches: calls ---- */

static uint32_t part_count(const tabia_env *e) { return (e->lanes - 1) / TABIA_BLOCK + 1; }

static bool is_simultaneous(job *j) {
  bool found = false;
  tabia_batch_each(j->e->batch, check_choosers, j);
  for (uint32_t i = 0; i < part_count(j->e); i++) found |= j->e->parts[i].is_simultaneous;
  return found;
}

static void step_part(void *context, tabia_batch *part, uint32_t first) {
  const job *j = context;
  tabia_env e = view_of(j->e, part, first);
  step_lanes(&e, j->actions + (size_t)first * j->width, j->width);
  look(&e, first, j->looks);
}

static bool has_illegal(const tabia_env *e) {
  for (uint32_t i = 0; i < part_count(e); i++)
    if (e->parts[i].has_illegal) return true;
  return false;
}

static void count_looks(tabia_env *e, uint32_t looks) {
  if (looks & TABIA_LOOK_SAMPLE) e->samples++;
}

tabia_env_result tabia_env_step(tabia_env *e, const tabia_move *actions, uint32_t width,
                                uint32_t looks) {
  job j = {.e = e, .actions = actions, .width = width, .looks = looks};
  if (is_single(e, width) && is_simultaneous(&j)) return TABIA_ENV_SIMULTANEOUS;
  tabia_batch_each(e->batch, step_part, &j);
  e->steps++;
  count_looks(e, looks);
  if (tabia_batch_status(e->batch, NULL) != TABIA_OK) return TABIA_ENV_TROUBLE;
  return has_illegal(e) ? TABIA_ENV_ILLEGAL : TABIA_ENV_OK;
}

static void look_at_part(void *context, tabia_batch *part, uint32_t first) {
  const job *j = context;
  tabia_env e = view_of(j->e, part, first);
  look(&e, first, j->looks);
}

void tabia_env_look(tabia_env *e, uint32_t looks) {
  job j = {.e = e, .looks = looks};
  tabia_batch_each(e->batch, look_at_part, &j);
  count_looks(e, looks);
}

static void reset_part(void *context, tabia_batch *part, uint32_t first) {
  const job *j = context;
  const bool *which = j->which ? j->which + first : NULL;
  tabia_env e = view_of(j->e, part, first);
  tabia_batch_reset(part, which);
  forget_ages(&e, which);
  forget_ends(&e, which);
}

void tabia_env_reset(tabia_env *e, const bool *which) {
  job j = {.e = e, .which = which};
  tabia_batch_each(e->batch, reset_part, &j);
}

/* A terminal state that is put there is over; it brings no reward. */
static void put_part(void *context, tabia_batch *part, uint32_t first) {
  const job *j = context;
  const bool *which = j->which ? j->which + first : NULL;
  tabia_env e = view_of(j->e, part, first);
  tabia_batch_put(part, j->positions + first * j->position_size, which);
  forget_ages(&e, which);
  forget_ends(&e, which);
  if (e.ending == TABIA_ENDING_SAME_STEP || !tabia_batch_terminal(part, e.now)) return;
  for (size_t lane = 0; lane < e.lanes; lane++) e.now[lane] |= e.over[lane];
  memcpy(e.over, e.now, e.lanes);
  e.parts->waiting = 0;
  for (size_t lane = 0; lane < e.lanes; lane++) e.parts->waiting += e.over[lane];
}

void tabia_env_put(tabia_env *e, const void *positions, size_t size, const bool *which) {
  job j = {.e = e, .positions = positions, .position_size = size, .which = which};
  tabia_batch_each(e->batch, put_part, &j);
}
