#include "tree/learn/self_play.h"

#include "tree/joint_game.h"

#include <math.h>
#include <string.h>

enum {
  GAMES = 256,       /* side by side */
  LENGTH_LEAST = 10, /* a shorter game counts as so long */
  LENGTH_MAX = 400,  /* a longer game is given up, and learned from as far as it goes */
  MEMORY_STATES = 1 << 16,
  LESSONS_EACH = 4,        /* how often a state is learned */
  OPENING_MAX = 12,        /* random moves at the beginning of a game, at the most */
  CANDIDATES_MAX = 1 << 9, /* moves of one state that are looked at */
  JOINTS_MAX = 100,        /* joint moves, where several roles choose */
  MIX_ROUNDS = 32
};

static const float LAMBDA = .8f, RATE = .05f, NOISE = .03f, IMPATIENCE = .5f;
static const uint32_t STRAY_IN = 24; /* one move in so many is a random one */

/* One of the games. */
typedef struct own_game {
  unsigned char *positions; /* LENGTH_MAX of them */
  float *expected;          /* by state and role: after the best move */
  bool *strayed;            /* by state: another move was made */
  uint32_t length;          /* states so far, the present one not counted */
  uint32_t opening;         /* random moves that are left */
  uint32_t first, count;    /* its candidates in the present step */
  bool is_joint;            /* these are all joint moves, counted as joint_game.h says */
} own_game;

/* A successor of a state. */
typedef struct candidate {
  uint32_t game;
  bool is_end;
} candidate;

typedef struct lesson_store {
  unsigned char *positions;
  float *targets; /* by state and role */
  uint32_t count, next;
} lesson_store;

struct self_play {
  const machine *m;
  arena *keep;
  value_net *net;
  bundle *bundle;
  rng random;
  uint32_t nature;
  own_game games[GAMES];
  unsigned char *now; /* positions of the games, one behind another */
  move_id *lists[64]; /* by role: legal moves, by game */
  uint32_t *counts[64];
  uint32_t rooms[64];
  VEC(candidate) candidates;
  id_vec joints;            /* by candidate and role */
  VEC(unsigned char) after; /* positions by candidate */
  VEC(float) worth;         /* by candidate and role */
  int32_t *goals;           /* by role and lane */
  lesson_store lessons;
  uint32_t summed; /* the game to which `sums` belong; GAMES: to none */
  float sums[NET_WIDTH];
  float *means;    /* by role: of ends, moving */
  float *target;   /* scratch, by role */
  uint32_t *sizes; /* likewise */
  arena *scratch;
  self_play_figures figures;
};

/* ---- making one ---- */

static size_t size_of(const self_play *p) { return p->m->position_size; }

/* A third of a game is random at the most. */
static uint32_t draw_opening(self_play *p) {
  const double most = fmin(OPENING_MAX, p->figures.length / 3);
  return rng_below(&p->random, (uint32_t)most + 1);
}

static void begin_game(self_play *p, uint32_t i) {
  own_game *g = &p->games[i];
  g->length = 0;
  g->opening = draw_opening(p);
  machine_start(p->m, p->now + i * size_of(p));
}

static void make_games(self_play *p) {
  const uint32_t roles = p->m->role_count;
  for (uint32_t i = 0; i < GAMES; i++) {
    own_game *g = &p->games[i];
    g->positions = arena_alloc(p->keep, LENGTH_MAX * size_of(p));
    g->expected = arena_new_array(p->keep, float, (size_t)LENGTH_MAX *roles);
    g->strayed = arena_new_array(p->keep, bool, LENGTH_MAX);
    begin_game(p, i);
  }
}

self_play *self_play_new(const machine *m, value_net *net, uint64_t seed, budget *limits) {
  const uint32_t roles = m->role_count;
  if (roles > 64) return NULL;
  bundle *b = bundle_new(m, limits);
  if (!b) return NULL;
  arena *keep = arena_new();
  self_play *p = arena_alloc_zero(keep, sizeof *p);
  p->m = m;
  p->keep = keep;
  p->net = net;
  p->bundle = b;
  p->random = rng_new(seed, 11);
  p->nature = machine_nature(m);
  p->now = arena_alloc(keep, GAMES * m->position_size);
  p->goals = arena_new_array(keep, int32_t, (size_t)LANES * roles);
  p->means = arena_new_array(keep, float, roles);
  for (uint32_t r = 0; r < roles; r++) p->means[r] = .5f;
  p->target = arena_new_array(keep, float, roles);
  p->sizes = arena_new_array(keep, uint32_t, roles);
  p->scratch = arena_new();
  p->lessons.positions = arena_alloc(keep, (size_t)MEMORY_STATES * m->position_size);
  p->lessons.targets = arena_new_array(keep, float, (size_t)MEMORY_STATES *roles);
  for (uint32_t r = 0; r < roles; r++) p->counts[r] = arena_zero_array(keep, uint32_t, LANES);
  p->figures.error = .25;
  make_games(p);
  return p;
}

void self_play_free(self_play *p) {
  if (!p) return;
  bundle_free(p->bundle);
  arena_free(p->scratch);
  arena_free(p->keep);
}

const self_play_figures *self_play_told(const self_play *p) { return &p->figures; }

/* ---- candidates ---- */

static void list_moves(self_play *p, uint32_t role) {
  uint32_t most = 0;
  bundle_list_legal(p->bundle, role, p->lists[role], p->rooms[role], p->counts[role]);
  for (uint32_t i = 0; i < GAMES; i++)
    if (p->counts[role][i] > most) most = p->counts[role][i];
  if (most <= p->rooms[role]) return;
  p->rooms[role] = most * 2;
  p->lists[role] = arena_new_array(p->keep, move_id, (size_t)p->rooms[role] * LANES);
  bundle_list_legal(p->bundle, role, p->lists[role], p->rooms[role], p->counts[role]);
}

static move_id move_at(const self_play *p, uint32_t game, uint32_t role, uint32_t i) {
  return p->lists[role][(size_t)game * p->rooms[role] + i];
}

/* The only role that chooses; role_count: none or several do, or chance. */
static uint32_t chooser_of(const self_play *p, uint32_t game) {
  uint32_t chooser = p->m->role_count, count = 0;
  for (uint32_t r = 0; r < p->m->role_count; r++)
    if (p->counts[r][game] > 1) chooser = r, count++;
  return count == 1 && chooser != p->nature ? chooser : p->m->role_count;
}

static void add_candidate(self_play *p, uint32_t game, uint32_t chooser, uint32_t i) {
  vec_push(p->keep, &p->candidates, ((candidate){.game = game}));
  for (uint32_t r = 0; r < p->m->role_count; r++)
    vec_push(p->keep, &p->joints,
             move_at(p, game, r, r == chooser ? i : rng_below(&p->random, p->counts[r][game])));
}

static bool is_stuck(const self_play *p, uint32_t game) {
  for (uint32_t r = 0; r < p->m->role_count; r++)
    if (!p->counts[r][game]) return true;
  return false;
}

/* How many joint moves there are, if several roles choose, chance does not, and they are few; or 0.
 */
static uint32_t count_joints(const self_play *p, uint32_t game) {
  uint32_t count = 1, choosers = 0;
  for (uint32_t r = 0; r < p->m->role_count; r++) {
    count *= p->counts[r][game];
    choosers += p->counts[r][game] > 1;
    if (count > JOINTS_MAX || (r == p->nature && p->counts[r][game] > 1)) return 0;
  }
  return choosers > 1 ? count : 0;
}

static void add_joint(self_play *p, uint32_t game, uint32_t joint) {
  vec_push(p->keep, &p->candidates, ((candidate){.game = game}));
  for (uint32_t r = 0; r < p->m->role_count; joint /= p->counts[r++][game])
    vec_push(p->keep, &p->joints, move_at(p, game, r, joint % p->counts[r][game]));
}

/* All moves of the role that chooses, or all joint moves of several; in the opening, or where there
   are too many, one drawn at random. */
static void add_candidates(self_play *p, uint32_t game) {
  own_game *g = &p->games[game];
  const uint32_t chooser = chooser_of(p, game), roles = p->m->role_count;
  g->first = p->candidates.count;
  g->is_joint = false;
  g->count = 0;
  if (is_stuck(p, game)) return;
  const uint32_t joints = g->opening ? 0 : count_joints(p, game);
  g->is_joint = joints > 0;
  if (g->is_joint) {
    g->count = joints;
    for (uint32_t i = 0; i < joints; i++) add_joint(p, game, i);
    return;
  }
  const bool looks = chooser < roles && !g->opening;
  const uint32_t all = looks ? p->counts[chooser][game] : 1;
  g->count = all < CANDIDATES_MAX ? all : CANDIDATES_MAX;
  for (uint32_t i = 0; i < g->count; i++) add_candidate(p, game, looks ? chooser : roles, i);
}

/* ---- looking ahead ---- */

static void judge_end(self_play *p, uint32_t lane, float *worth) {
  for (uint32_t r = 0; r < p->m->role_count; r++) {
    const int32_t goal = p->goals[(size_t)r * LANES + lane];
    worth[r] = goal == GOAL_NONE ? .5f : (float)goal / 100;
  }
}

/* Candidates of a game differ little from its present state. */
static void judge_candidate(self_play *p, uint32_t i, float *worth) {
  const uint32_t game = p->candidates.items[i].game;
  const void *now = p->now + game * size_of(p);
  if (p->summed != game) net_sum(p->net, now, p->sums);
  p->summed = game;
  net_judge_near(p->net, now, p->sums, p->after.items + i * size_of(p), worth);
}

static void judge_bundle(self_play *p, uint32_t first, uint32_t count) {
  const bundle_row terminal = bundle_terminal(p->bundle);
  for (uint32_t r = 0; r < p->m->role_count && !row_is_empty(&terminal); r++)
    bundle_goals(p->bundle, r, p->goals + (size_t)r * LANES);
  for (uint32_t i = 0; i < count; i++) {
    float *worth = p->worth.items + (size_t)(first + i) * p->m->role_count;
    p->candidates.items[first + i].is_end = row_has(&terminal, i);
    if (row_has(&terminal, i))
      judge_end(p, i, worth);
    else
      judge_candidate(p, first + i, worth);
  }
}

static void step_bundle(self_play *p, uint32_t first, uint32_t count) {
  unsigned char *after = p->after.items + first * size_of(p);
  for (uint32_t i = 0; i < count; i++)
    memcpy(after + i * size_of(p), p->now + p->candidates.items[first + i].game * size_of(p),
           size_of(p));
  bundle_load(p->bundle, after, count);
  bundle_step(p->bundle, p->joints.items + (size_t)first * p->m->role_count, NULL);
  bundle_store(p->bundle, after);
  judge_bundle(p, first, count);
}

static void look_ahead(self_play *p) {
  const uint32_t count = p->candidates.count;
  p->after.count = p->worth.count = 0;
  p->summed = GAMES;
  vec_reserve(p->keep, &p->after, (uint32_t)(count * size_of(p)));
  vec_reserve(p->keep, &p->worth, count * p->m->role_count);
  for (uint32_t first = 0; first < count; first += LANES)
    step_bundle(p, first, count - first < LANES ? count - first : LANES);
}

/* ---- learning ---- */

static void remember(self_play *p, const void *position, const float *target) {
  lesson_store *l = &p->lessons;
  memcpy(l->positions + l->next * size_of(p), position, size_of(p));
  memcpy(l->targets + (size_t)l->next * p->m->role_count, target,
         p->m->role_count * sizeof *target);
  l->next = (l->next + 1) % MEMORY_STATES;
  if (l->count < MEMORY_STATES) l->count++;
  p->figures.states++;
}

static void note_end(self_play *p, const own_game *g, const float *end) {
  const double games = fmin((double)++p->figures.games, 500);
  p->figures.length += ((double)g->length - p->figures.length) / games;
  for (uint32_t r = 0; r < p->m->role_count; r++)
    p->means[r] += (end[r] - p->means[r]) / (float)games;
}

/* How much of what is better than the mean, or worse, is left a step before. */
static float patience(const self_play *p) {
  return 1 - IMPATIENCE / (float)fmax(p->figures.length, LENGTH_LEAST);
}

/* From the last state on: each is to be worth what was expected then, and what came of it, less what
   waiting for it costs. */
static void learn_game(self_play *p, own_game *g, const float *end) {
  const uint32_t roles = p->m->role_count;
  note_end(p, g, end);
  const float left = patience(p);
  memcpy(p->target, end, roles * sizeof *end);
  for (uint32_t t = g->length; t-- > 0;) {
    const float *expected = g->expected + (size_t)t * roles;
    const float later = g->strayed[t] ? 0 : LAMBDA;
    for (uint32_t r = 0; r < roles; r++) {
      const float found = expected[r] + later * (p->target[r] - expected[r]);
      p->target[r] = p->means[r] + left * (found - p->means[r]);
    }
    remember(p, g->positions + t * size_of(p), p->target);
  }
}

static void take_lesson(self_play *p, uint32_t i) {
  const float rate = RATE / (1 + (float)p->figures.trained * 5e-7f);
  const float error = net_train(p->net, p->lessons.positions + i * size_of(p),
                                p->lessons.targets + (size_t)i * p->m->role_count, rate);
  p->figures.error += ((double)error - p->figures.error) * 1e-4;
  p->figures.trained++;
}

/* They are drawn a few at a time, so that memory has time to bring them. */
static void take_lessons(self_play *p, uint64_t count) {
  enum { AT_ONCE = 16 };
  uint32_t which[AT_ONCE];
  for (uint64_t left = count; left && p->lessons.count;) {
    const uint32_t some = left < AT_ONCE ? (uint32_t)left : AT_ONCE;
    for (uint32_t k = 0; k < some; k++) {
      which[k] = rng_below(&p->random, p->lessons.count);
      __builtin_prefetch(p->lessons.positions + which[k] * size_of(p));
      __builtin_prefetch(p->lessons.targets + (size_t)which[k] * p->m->role_count);
    }
    for (uint32_t k = 0; k < some; k++) take_lesson(p, which[k]);
    left -= some;
  }
}

/* ---- moves ---- */

static float noise(self_play *p) {
  return ((float)(rng_next(&p->random) >> 40) * 0x1p-24f) * NOISE;
}

/* The candidate that is best for the role that chooses. */
static uint32_t best_of(self_play *p, const own_game *g, uint32_t chooser) {
  uint32_t best = g->first;
  float most = -1;
  for (uint32_t i = g->first; i < g->first + g->count; i++) {
    const float value = p->worth.items[(size_t)i * p->m->role_count + chooser] +
                        (p->candidates.items[i].is_end ? 0 : noise(p));
    if (value > most) best = i, most = value;
  }
  return best;
}

static uint32_t draw_share(self_play *p, const float *shares, uint32_t count) {
  float left = (float)(rng_next(&p->random) >> 40) * 0x1p-24f;
  for (uint32_t i = 0; i + 1 < count; i++)
    if ((left -= shares[i]) < 0) return i;
  return count - 1;
}

/* Roles that choose at once mix their moves: draws a candidate, and finds what they expect. */
static uint32_t mix_candidates(self_play *p, uint32_t game, float *expected) {
  const own_game *g = &p->games[game];
  const uint32_t roles = p->m->role_count;
  const arena_mark mark = arena_save(p->scratch);
  uint32_t all = 0, made = g->first;
  for (uint32_t r = 0; r < roles; r++) all += p->sizes[r] = p->counts[r][game];
  float *shares = arena_new_array(p->scratch, float, all);
  const joint_game j = {roles, p->sizes, p->worth.items + (size_t)g->first * roles};
  joint_game_mix(&j, MIX_ROUNDS, shares, expected, p->scratch);
  for (uint32_t r = 0, stride = 1; r < roles; stride *= p->sizes[r], shares += p->sizes[r++])
    made += stride * draw_share(p, shares, p->sizes[r]);
  arena_restore(p->scratch, mark);
  return made;
}

/* Keeps the state with what is expected after the best move. */
static void note_state(self_play *p, uint32_t game, const float *expected, bool strays) {
  own_game *g = &p->games[game];
  const uint32_t roles = p->m->role_count;
  memcpy(g->positions + g->length * size_of(p), p->now + game * size_of(p), size_of(p));
  memcpy(g->expected + (size_t)g->length * roles, expected, roles * sizeof(float));
  g->strayed[g->length++] = strays;
}

/* The candidate that is made unless the game strays, and what is expected of it. */
static uint32_t choose(self_play *p, uint32_t game, float *expected) {
  const own_game *g = &p->games[game];
  const uint32_t chooser = chooser_of(p, game), roles = p->m->role_count;
  if (g->is_joint) return mix_candidates(p, game, expected);
  const uint32_t best = chooser < roles ? best_of(p, g, chooser) : g->first;
  memcpy(expected, p->worth.items + (size_t)best * roles, roles * sizeof *expected);
  return best;
}

static void make_move(self_play *p, uint32_t game) {
  own_game *g = &p->games[game];
  const uint32_t roles = p->m->role_count;
  if (!g->count) {
    begin_game(p, game);
    return;
  }
  const uint32_t best = choose(p, game, p->target);
  const bool strays = g->count > 1 && rng_below(&p->random, STRAY_IN) == 0;
  const uint32_t made = strays ? g->first + rng_below(&p->random, g->count) : best;
  if (!g->opening) note_state(p, game, p->target, best != made);
  if (g->opening) g->opening--;
  memcpy(p->now + game * size_of(p), p->after.items + made * size_of(p), size_of(p));
  if (!p->candidates.items[made].is_end && g->length < LENGTH_MAX) return;
  learn_game(p, g, p->worth.items + (size_t)made * roles);
  begin_game(p, game);
}

bool self_play_step(self_play *p) {
  const uint64_t before = p->figures.states;
  p->candidates.count = p->joints.count = 0;
  bundle_load(p->bundle, p->now, GAMES);
  for (uint32_t r = 0; r < p->m->role_count; r++) list_moves(p, r);
  for (uint32_t i = 0; i < GAMES; i++) add_candidates(p, i);
  look_ahead(p);
  if (p->bundle->w->trouble.is_there || workspace_is_over(p->bundle->w)) return false;
  for (uint32_t i = 0; i < GAMES; i++) make_move(p, i);
  take_lessons(p, (p->figures.states - before) * LESSONS_EACH);
  return true;
}
