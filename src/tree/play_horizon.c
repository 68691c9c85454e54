#include "tree/play_horizon.h"

enum { FIRST_STEPS = 256, GAMES_EACH = 256 };

/* Of games that come to no end: how many are too many, and what part of them has to be left for
   twice as many steps to be worth it. */
static const double MANY = .25, LEFT = .8;

play_horizon horizon_new(uint64_t most) {
  if (!most) most = UINT64_MAX;
  return (play_horizon){.steps = most < FIRST_STEPS ? most : FIRST_STEPS, .most = most};
}

static void look(play_horizon *h, double share) {
  if (h->before > 0 && share > LEFT * h->before) {
    h->steps /= 2;
    h->is_fixed = true;
    return;
  }
  h->before = share > MANY && h->steps < h->most ? share : 0;
  if (h->before > 0) h->steps = h->steps > h->most / 2 ? h->most : h->steps * 2;
}

void horizon_learn(play_horizon *h, uint64_t games, uint64_t unfinished) {
  h->games += games;
  h->unfinished += unfinished;
  if (h->is_fixed || h->games < GAMES_EACH) return;
  look(h, (double)h->unfinished / (double)h->games);
  h->games = h->unfinished = 0;
}
