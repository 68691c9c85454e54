#include "ggp/mind_hidden.h"

#include "base/budget.h"
#include "ggp/legal_list.h"

/* Games that must have come to a set, for each of its moves: with less, positions that agree with
   what was seen are the better advisers (dark tic-tac-toe, docs/search.md). */
enum { VISITS_A_MOVE = 2000 };

/* The part of the time after which it is known whether there are so many. */
#define FIRST_SHARE 0.25

struct mind_hidden {
  arena *keep;
  mind_options options;
  const tabia_machine *m;
  tabia_strategy *strategy;
  uint32_t role;
  uint32_t turn;
  bool is_lost; /* of what the role was told something is missing */
};

/* ---- making ---- */

static tabia_strategy *open_strategy(const mind_options *o, const tabia_machine *m) {
  char digits[32];
  tabia_strategy *opened;
  tabia_options *options = tabia_options_new();
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)o->seed);
  tabia_options_set(options, "seed", digits);
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)o->bytes);
  if (o->bytes) tabia_options_set(options, "memory", digits);
  tabia_strategy_open(&opened, m, options, NULL);
  tabia_options_free(options);
  return opened;
}

mind_hidden *mind_hidden_open(const mind_options *o, const tabia_machine *m, uint32_t role) {
  if (!tabia_machine_has_hidden_state(m) || o->kind != MIND_TABIA) return NULL;
  tabia_strategy *opened = open_strategy(o, m);
  if (!opened) return NULL;
  arena *keep = arena_new();
  mind_hidden *h = arena_alloc_zero(keep, sizeof *h);
  *h = (mind_hidden){.keep = keep, .options = *o, .m = m, .strategy = opened, .role = role};
  return h;
}

void mind_hidden_close(mind_hidden *h) {
  if (!h) return;
  tabia_strategy_close(h->strategy);
  arena_free(h->keep);
}

void mind_hidden_learn(mind_hidden *h, double seconds, const tabia_limits *limits) {
  tabia_strategy_learn(h->strategy, seconds, 0, limits, NULL);
}

void mind_hidden_follow(mind_hidden *h, const tracker *where) {
  tabia_move own;
  const tabia_sight *sights;
  uint32_t count;
  h->turn++;
  if (!tracker_news(where, &own, &sights, &count) ||
      tabia_strategy_tell(h->strategy, h->role, own, sights, count) != TABIA_OK)
    h->is_lost = true;
}

/* ---- choosing ---- */

static double unit_of(const mind_hidden *h) {
  rng random = rng_new(h->options.seed, UINT64_C(0x10000) + h->turn * UINT64_C(64) + h->role);
  return (double)(rng_next(&random) >> 11) * 0x1p-53;
}

static const char *draw_move(const mind_hidden *h, const legal_list *list, text *note) {
  double left = unit_of(h), chosen = 0;
  const char *words = NULL;
  for (uint32_t i = 0; i < list->count; i++) {
    const double share = tabia_strategy_share(h->strategy, h->role, list->items[i].move);
    if (left >= 0 && share > 0) words = list->items[i].words, chosen = share;
    left -= share;
  }
  text_add_format(note, "share %.2f, %llu games, %llu information sets", chosen,
                  (unsigned long long)tabia_strategy_games(h->strategy),
                  (unsigned long long)tabia_strategy_sets(h->strategy));
  return words;
}

static bool is_known(const mind_hidden *h, uint32_t moves) {
  return tabia_strategy_visits(h->strategy, h->role) >= (uint64_t)moves * VISITS_A_MOVE;
}

const char *mind_hidden_choose(mind_hidden *h, tabia_workspace *w, tracker *where, double seconds,
                               const tabia_limits *limits, text *note, arena *keep) {
  if (h->is_lost) return NULL;
  const double first = seconds * FIRST_SHARE;
  const uint64_t games = h->options.iterations;
  const legal_list list = legal_list_of(h->m, w, tracker_position(where, 0), h->role, keep);
  tabia_strategy_think(h->strategy, h->role, first, games, limits, NULL);
  if (!is_known(h, list.count)) return NULL;
  if (!games) tabia_strategy_think(h->strategy, h->role, seconds - first, 0, limits, NULL);
  return draw_move(h, &list, note);
}

void mind_hidden_ponder(mind_hidden *h, const tabia_limits *limits) {
  if (!h->is_lost) tabia_strategy_think(h->strategy, h->role, 0, 0, limits, NULL);
}
