#include "tree/hidden/infoset_search.h"

/* The part of a learner's moves that is drawn evenly. */
static const float TRYING = .5f;

enum {
  STEPS_MAX = 2000,  /* of a game */
  WELL_KNOWN = 1000, /* visits from the start: games that are aimed do not change such sets */
  WELL_TAUGHT = 100, /* lessons: strangers have nothing to say about such sets */
  VALUE_WINDOW = 200 /* outcomes over which values are means */
};

/* ---- choosing ---- */

static bool is_learner(const infoset_search *s, const infoset_game *g, infoset_id id) {
  return s->store->sets.items[id].role == g->learner;
}

static float chance_of(float share, uint32_t count, bool tries) {
  return tries ? TRYING / (float)count + (1 - TRYING) * share : share;
}

/* Draws a move at a set, and notes it. */
static uint32_t draw_at(infoset_search *s, infoset_game *g, infoset_id id) {
  const uint32_t count = s->store->sets.items[id].count;
  const bool tries = is_learner(s, g, id);
  float left = infoset_unit(s);
  infosets_shares(s->store, id, s->shares);
  uint32_t i = 0;
  while (i + 1 < count && (left -= chance_of(s->shares[i], count, tries)) >= 0) i++;
  vec_push(s->keep, &g->path, ((infoset_step){id, i, chance_of(s->shares[i], count, tries)}));
  return i;
}

/* The set of a role in a lane; one that is new is made, and the game goes on at random after this
   step.  INFOSET_NONE: there is no room. */
static infoset_id set_of(infoset_search *s, uint32_t role, uint32_t lane) {
  const uint64_t key = s->keys[(size_t)role * LANES + lane];
  const infoset_id id = infosets_find(s->store, key);
  if (id != INFOSET_NONE && s->store->sets.items[id].count == s->counts[lane]) return id;
  s->games[lane].is_over = true;
  if (id != INFOSET_NONE) return INFOSET_NONE; /* rules that do not tell a role its moves */
  return infosets_add(s->store, key, role, s->moves + (size_t)lane * s->room, s->counts[lane]);
}

static bool draws_evenly(const infoset_search *s, uint32_t role, uint32_t lane) {
  return role == s->nature || (s->games[lane].has_strangers && role != s->games[lane].learner);
}

static move_id choose(infoset_search *s, uint32_t role, uint32_t lane) {
  const move_id *moves = s->moves + (size_t)lane * s->room;
  const uint32_t count = s->counts[lane];
  if (!count) s->games[lane].is_over = s->games[lane].is_lost = true;
  if (!count) return MOVE_NONE;
  if (count == 1) return moves[0];
  if (draws_evenly(s, role, lane)) return moves[rng_below(&s->random, count)];
  const infoset_id id = set_of(s, role, lane);
  if (id == INFOSET_NONE) return moves[rng_below(&s->random, count)];
  return moves[draw_at(s, &s->games[lane], id)];
}

/* ---- ends ---- */

static float outcome_of(int32_t goal) {
  if (goal == GOAL_NONE) return .5f;
  return goal < 0 ? 0 : goal > 100 ? 1 : (float)goal / 100;
}

static void end_terminal(infoset_search *s, const bool *was_over) {
  const bundle_row terminal = bundle_terminal(s->bundle);
  if (row_is_empty(&terminal)) return;
  for (uint32_t r = 0; r < s->m->role_count; r++) {
    bundle_goals(s->bundle, r, s->goals);
    for (uint32_t lane = 0; lane < s->bundle->count; lane++)
      if (!was_over[lane] && row_has(&terminal, lane)) {
        s->outcomes[(size_t)lane * s->m->role_count + r] = outcome_of(s->goals[lane]);
        s->games[lane].is_over = true;
      }
  }
}

/* Lanes that have left the known sets in this step, and are not terminal: to be played from. */
static void keep_leavers(infoset_search *s, const bool *was_over) {
  const size_t size = s->m->position_size;
  const bundle_row terminal = bundle_terminal(s->bundle);
  bool is_stored = false;
  for (uint32_t lane = 0; lane < s->bundle->count; lane++) {
    const infoset_game *g = &s->games[lane];
    if (was_over[lane] || !g->is_over || g->is_lost || row_has(&terminal, lane)) continue;
    if (!is_stored) bundle_store(s->bundle, s->positions);
    is_stored = true;
    memcpy(s->ends + s->end_count * size, s->positions + lane * size, size);
    s->end_lanes[s->end_count++] = lane;
  }
}

static void play_ends(infoset_search *s) {
  const uint32_t roles = s->m->role_count;
  const bundle_games games = {
      .seed = s->seed, .first = s->next_stream, .each = 1, .max_steps = STEPS_MAX};
  if (!s->end_count) return;
  bundle_load(s->bundle, s->ends, s->end_count);
  bundle_play(s->bundle, &games, s->goals);
  s->next_stream += s->end_count;
  for (uint32_t i = 0; i < s->end_count; i++)
    for (uint32_t r = 0; r < roles; r++)
      s->outcomes[(size_t)s->end_lanes[i] * roles + r] =
          outcome_of(s->goals[(size_t)i * roles + r]);
}

/* ---- playing ---- */

static bool note_over(const infoset_search *s, bool *was_over) {
  bool goes_on = false;
  for (uint32_t lane = 0; lane < s->bundle->count; lane++) {
    was_over[lane] = s->games[lane].is_over;
    goes_on |= !was_over[lane];
  }
  return goes_on;
}

static void choose_all(infoset_search *s, const bool *was_over) {
  const uint32_t roles = s->m->role_count;
  for (uint32_t r = 0; r < roles; r++) {
    infoset_list(s, r);
    for (uint32_t lane = 0; lane < s->bundle->count; lane++)
      s->joints[(size_t)lane * roles + r] =
          was_over[lane] || s->games[lane].is_lost ? MOVE_NONE : choose(s, r, lane);
  }
}

static void lose_the_rest(infoset_search *s) {
  for (uint32_t lane = 0; lane < s->bundle->count; lane++)
    if (!s->games[lane].is_over) s->games[lane].is_over = s->games[lane].is_lost = true;
}

void infoset_play_on(infoset_search *s, uint32_t count) {
  bool was_over[LANES];
  assert(count == s->bundle->count);
  (void)count;
  note_over(s, was_over);
  end_terminal(s, was_over);
  for (uint32_t step = 0; step < STEPS_MAX && note_over(s, was_over); step++) {
    if (infoset_is_over(s)) return;
    choose_all(s, was_over);
    infoset_step_lanes(s);
    keep_leavers(s, was_over);
    end_terminal(s, was_over);
  }
  lose_the_rest(s);
  play_ends(s);
}

/* ---- learning ---- */

static bool is_aimed(const infoset_search *s) { return s->focus < s->m->role_count; }

/* Games that are aimed at what one role knows say nothing new about others that are well known, and
   strangers show only what others would not. */
static bool may_change(const infoset_search *s, const infoset_game *g, infoset_id id) {
  const infoset *i = &s->store->sets.items[id];
  if (g->has_strangers) return i->lessons < WELL_TAUGHT;
  return !is_aimed(s) || i->role == s->focus || i->visits < WELL_KNOWN;
}

/* What a move is worth to the learner: what is known of it, corrected by what was seen where it was
   made (a control variate). */
static float seen_value(const infoset_choice *c, bool was_made, float drawn, float outcome) {
  return was_made ? c->value + (outcome - c->value) / drawn : c->value;
}

static void note_value(infoset_choice *c, float outcome) {
  c->visits++;
  c->value += (outcome - c->value) / (float)(c->visits < VALUE_WINDOW ? c->visits : VALUE_WINDOW);
}

/* Returns what the set is worth by its present shares. */
static float learn_at(infoset_search *s, const infoset_game *g, const infoset_step *step,
                      float outcome) {
  infoset_choice *c = infoset_choices(s->store, step->set);
  const uint32_t count = s->store->sets.items[step->set].count;
  float worth = 0;
  infosets_shares(s->store, step->set, s->shares);
  for (uint32_t i = 0; i < count; i++)
    worth += s->shares[i] * seen_value(&c[i], i == step->choice, step->drawn, outcome);
  for (uint32_t i = 0; i < count && may_change(s, g, step->set); i++) {
    const float missed = seen_value(&c[i], i == step->choice, step->drawn, outcome) - worth;
    c[i].regret = c[i].regret + missed > 0 ? c[i].regret + missed : 0;
  }
  note_value(&c[step->choice], outcome);
  return worth;
}

/* Later strategies are better, and count more, by how often the set was met: for one that was made
   late, too. */
static void average_at(infoset_search *s, const infoset_game *g, const infoset_step *step) {
  infoset_choice *c = infoset_choices(s->store, step->set);
  const uint32_t count = s->store->sets.items[step->set].count;
  if (!may_change(s, g, step->set)) return;
  const double weight = ++s->store->sets.items[step->set].averaged;
  infosets_shares(s->store, step->set, s->shares);
  for (uint32_t i = 0; i < count; i++) c[i].sum += weight * (double)s->shares[i];
}

static void count_visit(const infoset_search *s, const infoset_game *g, infoset *set) {
  if (g->has_strangers) return;
  set->visits += !is_aimed(s);
  set->lessons += set->role == g->learner;
}

static void learn_from(infoset_search *s, const infoset_game *g, const float *outcomes) {
  float outcome = g->learner < s->m->role_count ? outcomes[g->learner] : 0;
  for (uint32_t k = g->path.count; k-- > 0;) {
    const infoset_step *step = &g->path.items[k];
    count_visit(s, g, &s->store->sets.items[step->set]);
    if (is_learner(s, g, step->set))
      outcome = learn_at(s, g, step, outcome);
    else
      average_at(s, g, step);
  }
}

void infoset_learn(infoset_search *s, uint32_t count) {
  for (uint32_t lane = 0; lane < count; lane++)
    if (!s->games[lane].is_lost)
      learn_from(s, &s->games[lane], s->outcomes + (size_t)lane * s->m->role_count);
}
