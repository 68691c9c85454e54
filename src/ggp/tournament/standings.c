#include "ggp/tournament/standings.h"

#include <math.h>
#include <stdlib.h>

standings standings_new(arena *keep) { return (standings){.keep = keep}; }

/* ---- counting ---- */

static uint32_t player_named(standings *s, const char *name) {
  uint32_t i = 0;
  while (i < s->players.count && strcmp(s->players.items[i].name, name) != 0) i++;
  const player_standing fresh = {.name = arena_copy_text(s->keep, name, strlen(name))};
  if (i == s->players.count) vec_push(s->keep, &s->players, fresh);
  return i;
}

static pair_standing *pair_of(standings *s, uint32_t a, uint32_t b) {
  const pair_standing fresh = {.first = a < b ? a : b, .second = a < b ? b : a};
  for (uint32_t i = 0; i < s->pairs.count; i++)
    if (s->pairs.items[i].first == fresh.first && s->pairs.items[i].second == fresh.second)
      return &s->pairs.items[i];
  vec_push(s->keep, &s->pairs, fresh);
  return &vec_last(&s->pairs);
}

static void count_result(player_standing *p, double mine, double others, uint32_t errors) {
  p->matches++;
  p->wins += mine > others;
  p->draws += mine == others;
  p->losses += mine < others;
  p->errors += errors;
  p->goals += mine;
}

static void add_alone(standings *s, const match_row *row) {
  const uint32_t place = player_named(s, row->first); /* which may move the list */
  player_standing *p = &s->players.items[place];
  p->alone++;
  p->goals += row->first_goal;
  p->errors += row->first_errors;
}

static void add_pair(standings *s, const match_row *row) {
  const uint32_t a = player_named(s, row->first), b = player_named(s, row->second);
  pair_standing *pair = pair_of(s, a, b);
  const double lead =
      pair->first == a ? row->first_goal - row->second_goal : row->second_goal - row->first_goal;
  pair->wins += lead > 0;
  pair->draws += lead == 0;
  pair->losses += lead < 0;
  count_result(&s->players.items[a], row->first_goal, row->second_goal, row->first_errors);
  count_result(&s->players.items[b], row->second_goal, row->first_goal, row->second_errors);
}

void standings_add(void *context, const match_row *row) {
  standings *s = context;
  if (!row->is_completed)
    s->aborted++;
  else if (*row->second)
    add_pair(s, row);
  else
    add_alone(s, row);
}

/* ---- rating ---- */

enum { RATING_ROUNDS = 2000 };

static double pair_games(const pair_standing *p) { return p->wins + p->draws + p->losses + 1; }
static double pair_score(const pair_standing *p) { return p->wins + 0.5 * p->draws + 0.5; }

/* One step of minorisation and maximisation (Hunter 2004): strength by wins over expectation. */
static void improve(const standings *s, const double *strength, double *won, double *expected) {
  memset(won, 0, s->players.count * sizeof *won);
  memset(expected, 0, s->players.count * sizeof *expected);
  for (uint32_t i = 0; i < s->pairs.count; i++) {
    const pair_standing *p = &s->pairs.items[i];
    const double share = pair_games(p) / (strength[p->first] + strength[p->second]);
    won[p->first] += pair_score(p);
    won[p->second] += pair_games(p) - pair_score(p);
    expected[p->first] += share;
    expected[p->second] += share;
  }
}

static void note_ratings(standings *s, const double *strength) {
  double sum = 0;
  for (uint32_t i = 0; i < s->players.count; i++) sum += log10(strength[i]);
  for (uint32_t i = 0; i < s->players.count; i++)
    s->players.items[i].elo = 400 * (log10(strength[i]) - sum / s->players.count);
}

/* From the curvature of the likelihood at its maximum. */
static void note_errors(standings *s, const double *strength) {
  double *information = arena_zero_array(s->keep, double, s->players.count + 1);
  for (uint32_t i = 0; i < s->pairs.count; i++) {
    const pair_standing *p = &s->pairs.items[i];
    const double win = strength[p->first] / (strength[p->first] + strength[p->second]);
    information[p->first] += pair_games(p) * win * (1 - win);
    information[p->second] += pair_games(p) * win * (1 - win);
  }
  for (uint32_t i = 0; i < s->players.count; i++)
    s->players.items[i].elo_error =
        information[i] > 0 ? 1.96 * 400 / log(10) / sqrt(information[i]) : 0;
}

typedef struct ranked {
  player_standing standing;
  uint32_t before;
} ranked;

static int by_rating(const void *a, const void *b) {
  const player_standing *x = &((const ranked *)a)->standing, *y = &((const ranked *)b)->standing;
  if (x->elo != y->elo) return x->elo < y->elo ? 1 : -1;
  if (x->goals != y->goals) return x->goals < y->goals ? 1 : -1;
  return strcmp(x->name, y->name);
}

/* Pairs name players by their places, which change. */
static void order_players(standings *s) {
  const uint32_t count = s->players.count;
  ranked *all = arena_new_array(s->keep, ranked, count + 1);
  uint32_t *place = arena_new_array(s->keep, uint32_t, count + 1);
  for (uint32_t i = 0; i < count; i++) all[i] = (ranked){s->players.items[i], i};
  qsort(all, count, sizeof *all, by_rating);
  for (uint32_t i = 0; i < count; i++) {
    s->players.items[i] = all[i].standing;
    place[all[i].before] = i;
  }
  for (uint32_t i = 0; i < s->pairs.count; i++) {
    pair_standing *p = &s->pairs.items[i];
    const uint32_t a = place[p->first], b = place[p->second];
    *p = a < b ? (pair_standing){a, b, p->wins, p->draws, p->losses}
               : (pair_standing){b, a, p->losses, p->draws, p->wins};
  }
}

void standings_rate(standings *s) {
  const uint32_t count = s->players.count;
  double *strength = arena_new_array(s->keep, double, count + 1);
  double *won = arena_new_array(s->keep, double, count + 1);
  double *expected = arena_new_array(s->keep, double, count + 1);
  if (!count) return;
  for (uint32_t i = 0; i < count; i++) strength[i] = 1;
  for (int round = 0; round < RATING_ROUNDS; round++) {
    improve(s, strength, won, expected);
    for (uint32_t i = 0; i < count; i++)
      if (expected[i] > 0) strength[i] = won[i] / expected[i];
  }
  note_ratings(s, strength);
  note_errors(s, strength);
  order_players(s);
}

/* ---- the sequential test ---- */

static double expected_score(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

/* The normal approximation; a variance of zero, after wins alone, is taken for that of one draw
   among them. */
double pair_llr(const pair_standing *p, double low, double high) {
  const double n = p->wins + p->draws + p->losses;
  if (n < 1) return 0;
  const double mean = (p->wins + 0.5 * p->draws) / n;
  const double square = (p->wins + 0.25 * p->draws) / n;
  const double variance = fmax(square - mean * mean, 0.25 / (n + 1));
  const double s0 = expected_score(low), s1 = expected_score(high);
  return n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
}

const char *pair_verdict(double llr) {
  if (llr >= SPRT_BOUND) return "stronger";
  return llr <= -SPRT_BOUND ? "not stronger" : "open";
}
