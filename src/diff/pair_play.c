/* Random games on both sides, and lines that are played again. */
#include "diff/pair_search.h"

#include "base/rng.h"

typedef struct pair_player {
  side_by_side *s;
  arena *keep; /* of one game */
  VEC(const char *) line;
  pair_found found;
} pair_player;

static void draw(pair_player *p, rng *r, uint32_t *choice) {
  for (uint32_t i = 0; i < p->s->roles; i++) {
    const text_list *moves = &p->s->old.view.roles[i].texts;
    choice[i] = rng_below(r, moves->count);
    const char *words = moves->items[choice[i]];
    vec_push(p->keep, &p->line, arena_copy_text(p->keep, words, strlen(words)));
  }
}

/* One state and a step from it.  False: the game ends here. */
static bool play_on(pair_player *p, rng *r) {
  p->found.states++;
  if (!side_by_side_look(p->s) || side_by_side_is_over(p->s)) return false;
  uint32_t *choice = arena_new_array(p->s->scratch, uint32_t, p->s->roles + (size_t)1);
  draw(p, r, choice);
  return side_by_side_step(p->s, choice);
}

static void play_game(pair_player *p, rng r, budget *b) {
  arena_clear(p->keep);
  p->line.items = NULL;
  p->line.count = p->line.capacity = 0;
  side_by_side_start(p->s);
  uint32_t steps = 0;
  while (steps < PAIR_GAME_STEPS && !budget_is_spent(b) && play_on(p, &r)) steps++;
  p->found.is_different = p->s->differences.count > 0;
}

static void take_line(pair_player *p, arena *keep) {
  pair_found *f = &p->found;
  f->length = p->line.count / p->s->roles;
  f->line = arena_new_array(keep, const char *, p->line.count + (size_t)1);
  for (uint32_t i = 0; i < p->line.count; i++)
    f->line[i] = arena_copy_text(keep, p->line.items[i], strlen(p->line.items[i]));
}

pair_found pair_play(side_by_side *s, uint64_t games, budget *b, arena *keep) {
  pair_player p = {.s = s, .keep = arena_new()};
  for (uint64_t i = 0; i < games && !budget_check_now(b) && !p.found.is_different; i++) {
    play_game(&p, rng_new(s->q->seed, i), b);
    if (side_by_side_has_trouble(s)) break;
    p.found.games += b->end == BUDGET_LEFT && !p.found.is_different;
  }
  if (p.found.is_different) take_line(&p, keep);
  arena_free(p.keep);
  return p.found;
}

bool pair_replay(side_by_side *s, const char *const *line, uint32_t length) {
  side_by_side_start(s);
  for (uint32_t step = 0; step < length; step++) {
    if (!side_by_side_look(s)) break;
    if (!side_by_side_play(s, line + (size_t)step * s->roles)) return s->differences.count > 0;
  }
  if (!s->differences.count) side_by_side_look(s);
  return s->differences.count > 0;
}
