#include "ggp/player/mind_hidden.h"

#include "base/budget.h"
#include "base/recovery.h"
#include "ggp/legal_list.h"

#include <math.h>

/* Games that must have reached a set, for each of its moves: with fewer, a search of consistent
   positions plays better (measured at dark tic-tac-toe). */
enum { VISITS_A_MOVE = 1000 };

/* If fewer games had reached the set before the match did, small shares are remains of exploration:
   only moves nearly as likely as the likeliest are drawn (purification: Ganzfried, Sandholm and
   Waugh 2012). */
enum { WELL_MIXED = 2000 };
static const double NEARLY = .9;

/* The part of the time after which it is known whether there are so many. */
#define FIRST_SHARE 0.25

struct mind_hidden {
  arena *keep;
  mind_options options;
  const tabia_machine *m;
  tabia_strategy *strategy;
  arena *guard; /* closes it */
  uint32_t role;
  uint32_t turn;
  bool is_lost; /* of what the role was told something is missing */
};

/* ---- making ---- */

static tabia_strategy *open_strategy(const mind_options *o, const tabia_machine *m) {
  char digits[32];
  tabia_strategy *opened;
  tabia_options *options = tabia_options_new();
  if (!options) recovery_fail();
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)o->seed);
  tabia_options_set(options, "seed", digits);
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)o->bytes);
  if (o->bytes) tabia_options_set(options, "memory", digits);
  tabia_strategy_open(&opened, m, options, NULL);
  tabia_options_free(options);
  return opened;
}

static void close_strategy(void *strategy) { tabia_strategy_close(strategy); }

mind_hidden *mind_hidden_open(const mind_options *o, const tabia_machine *m, uint32_t role) {
  if (!tabia_machine_has_hidden_state(m) || o->kind != MIND_TABIA) return NULL;
  tabia_strategy *opened = open_strategy(o, m);
  if (!opened) return NULL;
  arena *guard = arena_guarding(close_strategy, opened), *keep = arena_new();
  mind_hidden *h = arena_alloc_zero(keep, sizeof *h);
  *h = (mind_hidden){
      .keep = keep, .options = *o, .m = m, .strategy = opened, .guard = guard, .role = role};
  return h;
}

void mind_hidden_close(mind_hidden *h) {
  if (!h) return;
  arena_free(h->guard);
  arena_free(h->keep);
}

void mind_hidden_learn(mind_hidden *h, double seconds, const tabia_limits *limits) {
  tabia_strategy_learn(h->strategy, seconds, 0, limits, NULL);
}

void mind_hidden_follow(mind_hidden *h, const tracker *where) {
  tabia_move own;
  const tabia_percept *percepts;
  uint32_t count;
  h->turn++;
  if (!tracker_news(where, &own, &percepts, &count) ||
      tabia_strategy_tell(h->strategy, h->role, own, percepts, count) != TABIA_OK)
    h->is_lost = true;
}

/* ---- choosing ---- */

static double unit_of(const mind_hidden *h) {
  rng random = rng_new(h->options.seed, UINT64_C(0x10000) + h->turn * UINT64_C(64) + h->role);
  return (double)(rng_next(&random) >> 11) * 0x1p-53;
}

/* The shares of moves, of which small ones may be left out; their sum. */
static double list_shares(const mind_hidden *h, const legal_list *list, bool is_pure,
                          double *shares) {
  double most = 0, sum = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    shares[i] = tabia_strategy_share(h->strategy, h->role, list->items[i].move);
    most = fmax(most, shares[i]);
  }
  for (uint32_t i = 0; i < list->count; i++) {
    if (is_pure && shares[i] < most * NEARLY) shares[i] = 0;
    sum += shares[i];
  }
  return sum;
}

static const char *draw_move(const mind_hidden *h, const legal_list *list, bool is_pure, text *note,
                             arena *keep) {
  double *shares = arena_new_array(keep, double, list->count + (size_t)1);
  double left = unit_of(h) * list_shares(h, list, is_pure, shares), chosen = 0;
  const char *words = NULL;
  for (uint32_t i = 0; i < list->count; i++) {
    if (left >= 0 && shares[i] > 0) words = list->items[i].words, chosen = shares[i];
    left -= shares[i];
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
  const bool is_pure = tabia_strategy_visits(h->strategy, h->role) < WELL_MIXED;
  tabia_strategy_think(h->strategy, h->role, first, games, limits, NULL);
  if (!is_known(h, list.count)) return NULL;
  if (!games) tabia_strategy_think(h->strategy, h->role, seconds - first, 0, limits, NULL);
  return draw_move(h, &list, is_pure, note, keep);
}

void mind_hidden_ponder(mind_hidden *h, const tabia_limits *limits) {
  if (!h->is_lost) tabia_strategy_think(h->strategy, h->role, 0, 0, limits, NULL);
}
