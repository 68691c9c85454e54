/* Bundles of any machine; those of machines that take states one by one. */
#include "machine/bundle.h"

#include "base/rng.h"

#include <string.h>

/* An answer as rows, made when it is first asked for. */
typedef struct plain_answer {
  bundle_row *rows; /* NULL: never made */
  bool is_known;    /* they are those of the states as they are */
} plain_answer;

typedef struct plain_bundle {
  bundle base;
  unsigned char *positions;
  unsigned char *before;    /* the states before the last step ... */
  move_id *joints;          /* ... the joint moves made there ... */
  bundle_row stepped;       /* ... and the lanes that made it */
  plain_answer *answers;    /* by kind, and by role where it has one */
  const lane_row *in_order; /* row i is i */
  id_vec list;              /* scratch */
  unsigned char *position;  /* scratch */
  move_id *joint;           /* scratch */
} plain_bundle;

static plain_bundle *of(bundle *b) { return (plain_bundle *)b; }

static unsigned char *position_at(const plain_bundle *p, uint32_t lane) {
  return p->positions + lane * p->base.m->position_size;
}

/* ---- opening ---- */

static const lane_row *rows_in_order(uint32_t count, arena *keep) {
  lane_row *rows = arena_new_array(keep, lane_row, count + 1);
  for (uint32_t i = 0; i < count; i++) rows[i] = (lane_row){i, false};
  return rows;
}

/* How many rows an answer has. */
static uint32_t row_count_of(const machine *m, bundle_answer what, uint32_t role) {
  if (what == BUNDLE_TERMINAL) return 1;
  if (!m->numbers) return 0;
  return what == BUNDLE_LEGAL     ? m->numbers->moves[role]
         : what == BUNDLE_FLUENTS ? m->numbers->fluents
                                  : m->numbers->percepts[role];
}

static uint32_t most_rows(const machine *m) {
  uint32_t most = 1;
  for (bundle_answer what = BUNDLE_TERMINAL; what <= BUNDLE_PERCEPTS; what++)
    for (uint32_t role = 0; role < m->role_count; role++)
      if (row_count_of(m, what, role) > most) most = row_count_of(m, what, role);
  return most;
}

static bundle *plain_open(const machine *m, budget *b) {
  arena *keep = arena_new();
  plain_bundle *p = lane_alloc(keep, sizeof *p);
  p->base = (bundle){.m = m, .keep = keep, .w = machine_workspace_new(m, b)};
  p->positions = arena_alloc_zero(keep, m->position_size * LANES + 1);
  p->before = arena_alloc_zero(keep, m->position_size * LANES + 1);
  p->position = arena_alloc_zero(keep, m->position_size + 1);
  p->joint = arena_zero_array(keep, move_id, m->role_count);
  p->joints = arena_zero_array(keep, move_id, (size_t)LANES * m->role_count);
  p->answers =
      arena_zero_array(keep, plain_answer, (size_t)(BUNDLE_PERCEPTS + 1) * m->role_count + 1);
  p->in_order = rows_in_order(most_rows(m), keep);
  return &p->base;
}

static void plain_close(bundle *b) { machine_workspace_free(b->m, b->w); }

/* ---- states ---- */

static void forget_answers(plain_bundle *p) {
  for (uint32_t i = 0; i < (uint32_t)(BUNDLE_PERCEPTS + 1) * p->base.m->role_count; i++)
    p->answers[i].is_known = false;
}

static void plain_load(bundle *b, const void *positions) {
  plain_bundle *p = of(b);
  memcpy(p->positions, positions, b->count * b->m->position_size);
  p->stepped = (bundle_row){{0}};
  forget_answers(p);
}

static void plain_put(bundle *b, const void *positions, const bundle_row *lanes) {
  plain_bundle *p = of(b);
  const size_t size = b->m->position_size;
  for (uint32_t lane = 0; lane < b->count; lane++)
    if (row_has(lanes, lane))
      memcpy(position_at(p, lane), (const char *)positions + lane * size, size);
  for (uint32_t word = 0; word < ROW_WORDS; word++) p->stepped.words[word] &= ~lanes->words[word];
  forget_answers(p);
}

static void plain_reset(bundle *b, const bundle_row *lanes) {
  plain_bundle *p = of(b);
  for (uint32_t lane = 0; lane < b->count; lane++)
    if (row_has(lanes, lane)) machine_start(b->m, position_at(p, lane));
  for (uint32_t word = 0; word < ROW_WORDS; word++) p->stepped.words[word] &= ~lanes->words[word];
  forget_answers(p);
}

static void plain_store(bundle *b, void *positions) {
  memcpy(positions, of(b)->positions, b->count * b->m->position_size);
}

/* ---- questions ---- */

/* Asks for a list, again if there is not room enough at first. */
#define LIST(p, ask) \
  do { \
    (p)->list.count = (ask); \
    if ((p)->list.count <= (p)->list.capacity) break; \
    const uint32_t needed = (p)->list.count; \
    (p)->list.count = 0; \
    vec_reserve((p)->base.keep, &(p)->list, needed); \
    (p)->list.count = (ask); \
  } while (0)

static void list_moves(plain_bundle *p, uint32_t lane, uint32_t role) {
  LIST(p, machine_legal(p->base.m, p->base.w, position_at(p, lane), role, p->list.items,
                        p->list.capacity));
}

/* What holds in a lane, in p->list. */
static void list_answer(plain_bundle *p, uint32_t lane, bundle_answer what, uint32_t role) {
  const machine *m = p->base.m;
  p->list.count = 0;
  switch (what) {
    case BUNDLE_TERMINAL:
      if (machine_terminal(m, p->base.w, position_at(p, lane))) vec_push(p->base.keep, &p->list, 0);
      break;
    case BUNDLE_LEGAL: list_moves(p, lane, role); break;
    case BUNDLE_FLUENTS:
      LIST(p, machine_fluents(m, position_at(p, lane), p->list.items, p->list.capacity));
      break;
    case BUNDLE_PERCEPTS:
      if (row_has(&p->stepped, lane))
        LIST(p, machine_sees(m, p->base.w, p->before + lane * m->position_size,
                             p->joints + (size_t)lane * m->role_count, role, p->list.items,
                             p->list.capacity));
      break;
  }
}

static void make_answer(plain_bundle *p, plain_answer *a, bundle_answer what, uint32_t role,
                        uint32_t rows) {
  if (!a->rows) a->rows = lane_alloc(p->base.keep, (rows + (size_t)1) * sizeof *a->rows);
  memset(a->rows, 0, rows * sizeof *a->rows);
  for (uint32_t lane = 0; lane < p->base.count; lane++) {
    list_answer(p, lane, what, role);
    for (uint32_t i = 0; i < p->list.count; i++) row_add(&a->rows[p->list.items[i]], lane);
  }
  a->is_known = true;
}

static row_list plain_ask(bundle *b, bundle_answer what, uint32_t role) {
  plain_bundle *p = of(b);
  const uint32_t rows = row_count_of(b->m, what, role);
  plain_answer *a = &p->answers[what * b->m->role_count + role];
  if (rows && !a->is_known) make_answer(p, a, what, role, rows);
  return (row_list){a->rows, p->in_order, rows};
}

static void plain_goals(bundle *b, uint32_t role, int32_t *values) {
  for (uint32_t lane = 0; lane < b->count; lane++)
    if (machine_goals(b->m, b->w, position_at(of(b), lane), role, &values[lane], 1) != 1)
      values[lane] = GOAL_NONE;
}

static void plain_list_legal(bundle *b, uint32_t role, move_id *moves, uint32_t capacity,
                             uint32_t *counts) {
  for (uint32_t lane = 0; lane < b->count; lane++)
    counts[lane] = machine_legal(b->m, b->w, position_at(of(b), lane), role,
                                 capacity ? moves + (size_t)lane * capacity : NULL, capacity);
}

/* ---- moves ---- */

static void plain_draw(bundle *b, uint64_t key, uint64_t first, move_id *joints) {
  plain_bundle *p = of(b);
  const uint32_t roles = b->m->role_count;
  for (uint32_t lane = 0; lane < b->count; lane++)
    for (uint32_t role = 0; role < roles; role++) {
      list_moves(p, lane, role);
      const uint64_t word = draw_word(key, first + lane, role, roles);
      joints[(size_t)lane * roles + role] =
          p->list.count ? p->list.items[draw_below(word, p->list.count)] : MOVE_NONE;
    }
}

static bool is_legal(plain_bundle *p, uint32_t lane, const move_id *joint) {
  for (uint32_t role = 0; role < p->base.m->role_count; role++) {
    list_moves(p, lane, role);
    uint32_t i = 0;
    while (i < p->list.count && p->list.items[i] != joint[role]) i++;
    if (i == p->list.count) return false;
  }
  return true;
}

static bool may_step(plain_bundle *p, uint32_t lane, const move_id *joint, bundle_row *illegal) {
  if (!illegal) return true;
  if (machine_terminal(p->base.m, p->base.w, position_at(p, lane))) return false;
  if (is_legal(p, lane, joint)) return true;
  row_add(illegal, lane);
  return false;
}

static void plain_step(bundle *b, const move_id *joints, bundle_row *illegal) {
  plain_bundle *p = of(b);
  const machine *m = b->m;
  if (illegal) *illegal = (bundle_row){{0}};
  p->stepped = (bundle_row){{0}};
  memcpy(p->before, p->positions, b->count * m->position_size);
  memcpy(p->joints, joints, b->count * m->role_count * sizeof *joints);
  for (uint32_t lane = 0; lane < b->count; lane++) {
    const move_id *joint = joints + (size_t)lane * m->role_count;
    if (!may_step(p, lane, joint, illegal)) continue;
    machine_step(m, b->w, position_at(p, lane), joint, position_at(p, lane));
    row_add(&p->stepped, lane);
  }
  forget_answers(p);
}

/* ---- random games ---- */

/* Draws a joint move for a position that is not in a lane.  False: some role cannot move. */
static bool draw_joint(plain_bundle *p, const void *position, rng *r, move_id *joint) {
  for (uint32_t role = 0; role < p->base.m->role_count; role++) {
    LIST(p, machine_legal(p->base.m, p->base.w, position, role, p->list.items, p->list.capacity));
    if (!p->list.count) return false;
    joint[role] = p->list.items[rng_below(r, p->list.count)];
  }
  return true;
}

/* Plays a game to its end, in place.  False: it has none. */
static bool play_on(plain_bundle *p, void *position, rng *r, uint64_t max_steps) {
  const machine *m = p->base.m;
  for (uint64_t step = 0; !machine_terminal(m, p->base.w, position); step++) {
    if ((max_steps && step == max_steps) || workspace_is_over(p->base.w)) return false;
    if (!draw_joint(p, position, r, p->joint)) return false;
    machine_step(m, p->base.w, position, p->joint, position);
  }
  return !p->base.w->trouble.is_there;
}

static void play_game(plain_bundle *p, uint32_t lane, const bundle_games *games, uint64_t game,
                      int32_t *goals) {
  const machine *m = p->base.m;
  rng r = rng_new(games->seed, games->first + game);
  memcpy(p->position, position_at(p, lane), m->position_size);
  const bool has_ended = play_on(p, p->position, &r, games->max_steps);
  for (uint32_t role = 0; role < m->role_count; role++)
    if (!has_ended || machine_goals(m, p->base.w, p->position, role, &goals[role], 1) != 1)
      goals[role] = GOAL_NONE;
}

static void plain_play(bundle *b, const bundle_games *games, int32_t *goals) {
  for (uint64_t game = 0; game < (uint64_t)b->count * games->each; game++)
    play_game(of(b), (uint32_t)(game / games->each), games, game, goals + game * b->m->role_count);
}

static const bundle_ops plain_bundles = {
    .open = plain_open,
    .close = plain_close,
    .load = plain_load,
    .put = plain_put,
    .reset = plain_reset,
    .store = plain_store,
    .ask = plain_ask,
    .goals = plain_goals,
    .list_legal = plain_list_legal,
    .draw = plain_draw,
    .step = plain_step,
    .play = plain_play,
};

/* ---- of any machine ---- */

bundle *bundle_new(const machine *m, budget *b) {
  const bundle_ops *ops = m->ops->bundle ? m->ops->bundle : &plain_bundles;
  bundle *new = ops->open(m, b);
  if (new) new->ops = ops;
  return new;
}

void bundle_free(bundle *b) {
  if (!b) return;
  arena *keep = b->keep;
  b->ops->close(b);
  arena_free(keep);
}

bundle_row bundle_terminal(bundle *b) {
  const row_list answer = bundle_ask(b, BUNDLE_TERMINAL, 0);
  bundle_row row = row_of_first(b->count);
  for (uint32_t word = 0; word < ROW_WORDS; word++)
    row.words[word] &= row_list_word(&answer, 0, word);
  return row;
}

void bundle_draw(bundle *b, uint64_t seed, uint64_t stream, uint64_t first, move_id *joints) {
  b->ops->draw(b, bundle_draw_key(seed, stream), first, joints);
}
