#include "api/api_options.h"

#include "tree/hidden/infoset_search.h"

#include <math.h>

struct tabia_strategy {
  arena *keep;
  arena *guard;      /* gives the group back */
  arena_group group; /* of what the search is made of: where memory ends, all of it goes */
  const tabia_machine *of;
  uint64_t seed;
  size_t bytes;
  double strangers;
  infoset_search *search; /* NULL: it is gone */
};

/* Games with strangers, unless the options say otherwise. */
static const double STRANGERS = .5;

/* From so many visits on games from the start are enough. */
enum { ENOUGH_VISITS = 20000 };

/* ---- opening ---- */

static const char STRATEGY_CHOICES[] = "seed=N memory=BYTES strangers=SHARE";

static bool read_options(tabia_strategy *s, const tabia_options *options, tabia_messages *log) {
  double seed = 1;
  if (!api_options_fit(options, STRATEGY_CHOICES, "a strategy", log)) return false;
  if (!api_option_number(options, "seed", &seed, log)) return false;
  if (!(seed >= 0 && seed <= 0x1p53 && seed == floor(seed))) {
    api_tell_error(log, "seed has to be a whole number below 2^53");
    return false;
  }
  s->seed = (uint64_t)seed;
  if (!api_option_number(options, "strangers", &s->strangers, log)) return false;
  if (!(s->strangers >= 0 && s->strangers < 1)) {
    api_tell_error(log, "strangers has to be at least 0 and below 1");
    return false;
  }
  return api_option_bytes(options, "memory", &s->bytes, log);
}

static void give_back_group(void *what) { arena_group_free(&((tabia_strategy *)what)->group); }

static void make_search(void *context) {
  tabia_strategy *s = context;
  s->search = infoset_search_new(s->of->m, s->seed, s->strangers, s->bytes);
}

static tabia_status open_strategy(tabia_strategy **out, const tabia_machine *m,
                                  const tabia_options *options, tabia_messages *log) {
  tabia_strategy read = {.of = m, .bytes = (size_t)256 << 20, .strangers = STRANGERS};
  if (!infoset_search_fits(m->m)) {
    api_tell_error(log, "a strategy needs a machine that knows its moves in advance");
    return TABIA_MISUSE;
  }
  if (!read_options(&read, options, log)) return TABIA_MISUSE;
  arena *keep = arena_new();
  tabia_strategy *s = arena_alloc_zero(keep, sizeof *s);
  s->keep = keep;
  s->of = m;
  s->seed = read.seed;
  s->bytes = read.bytes;
  s->strangers = read.strangers;
  s->guard = arena_guarding(give_back_group, s);
  if (!recovery_try(&s->group, make_search, s)) recovery_fail();
  *out = s;
  return TABIA_OK;
}

tabia_status tabia_strategy_open(tabia_strategy **out, const tabia_machine *m,
                                 const tabia_options *options, tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, open_strategy(out, m, options, log), api_no_memory(log));
}

void tabia_strategy_close(tabia_strategy *s) {
  if (!s) return;
  infoset_search_free(s->search);
  arena_free(s->guard);
  arena_free(s->keep);
}

/* What it knew is lost. */
static tabia_status fail(tabia_strategy *s, tabia_messages *log) {
  s->search = NULL;
  return api_no_memory(log);
}

/* ---- learning ---- */

/* How long, and about what. */
typedef struct strategy_order {
  double until;   /* clock_now(); 0: no limit */
  uint64_t games; /* in all; 0: no limit */
  uint32_t role;  /* whose set is aimed at, if it is little known */
  bool is_focused;
} strategy_order;

static strategy_order order_of(const tabia_strategy *s, double seconds, uint64_t games) {
  return (strategy_order){.until = seconds > 0 ? clock_now() + seconds : 0,
                          .games = games ? s->search->figures.games + games : 0};
}

static bool is_done(const tabia_strategy *s, const strategy_order *o) {
  if (o->until > 0 && clock_now() >= o->until) return true;
  return o->games && s->search->figures.games >= o->games;
}

static uint64_t visits_of(const tabia_strategy *s, uint32_t role) {
  const infoset_id id = infoset_now(s->search, role);
  return id == INFOSET_NONE ? 0 : s->search->store->sets.items[id].visits;
}

static uint32_t games_left(const tabia_strategy *s, const strategy_order *o) {
  const uint64_t left = o->games ? o->games - s->search->figures.games : LANES;
  return left < LANES ? (uint32_t)left : LANES;
}

/* One batch in four is from the start, so that the other roles go on learning, too. */
static uint32_t make_batch(tabia_strategy *s, const strategy_order *o, uint64_t number) {
  const uint32_t most = games_left(s, o);
  const bool is_aimed = o->is_focused && number % 4 && visits_of(s, o->role) < ENOUGH_VISITS;
  const uint32_t made = is_aimed ? infoset_focus(s->search, o->role, most) : 0;
  return made ? made : infoset_batch(s->search, most);
}

static tabia_status learn(tabia_strategy *s, const strategy_order *o, const tabia_limits *limits,
                          tabia_messages *log) {
  budget b = api_budget(limits);
  b.stage = "learning by self-play";
  if (!infoset_begin(s->search, &b)) return TABIA_LIMIT;
  for (uint64_t number = 0; !is_done(s, o); number++)
    if (!make_batch(s, o, number)) return api_tell_trouble(log, s->search->bundle->w, s->of);
  return TABIA_OK;
}

static tabia_status learn_from_start(tabia_strategy *s, double seconds, uint64_t games,
                                     const tabia_limits *limits, tabia_messages *log) {
  const strategy_order o = order_of(s, seconds, games);
  return learn(s, &o, limits, log);
}

tabia_status tabia_strategy_learn(tabia_strategy *s, double seconds, uint64_t games,
                                  const tabia_limits *limits, tabia_messages *log) {
  if (!s->search) return api_no_memory(log);
  API_GUARDED_IN(&s->group, tabia_status, learn_from_start(s, seconds, games, limits, log),
                 fail(s, log));
}

static tabia_status think(tabia_strategy *s, uint32_t role, double seconds, uint64_t games,
                          const tabia_limits *limits, tabia_messages *log) {
  strategy_order o = order_of(s, seconds, games);
  o.role = role;
  o.is_focused = true;
  return learn(s, &o, limits, log);
}

tabia_status tabia_strategy_think(tabia_strategy *s, uint32_t role, double seconds, uint64_t games,
                                  const tabia_limits *limits, tabia_messages *log) {
  if (!s->search) return api_no_memory(log);
  API_GUARDED_IN(&s->group, tabia_status, think(s, role, seconds, games, limits, log),
                 fail(s, log));
}

/* ---- what roles know ---- */

void tabia_strategy_restart(tabia_strategy *s) {
  if (s->search) infoset_restart(s->search);
}

static tabia_status tell(tabia_strategy *s, uint32_t role, infoset_news news) {
  infoset_tell(s->search, role, news);
  return TABIA_OK;
}

tabia_status tabia_strategy_tell(tabia_strategy *s, uint32_t role, tabia_move own,
                                 const tabia_percept *percepts, uint32_t count) {
  infoset_news news = {.own = own};
  if (!s->search) return TABIA_LIMIT;
  for (uint32_t i = 0; i < count; i++) news.percepts ^= infoset_percept(percepts[i]);
  API_GUARDED_IN(&s->group, tabia_status, tell(s, role, news), fail(s, NULL));
}

/* ---- what was found ---- */

static double share(const infoset_store *store, infoset_id id, tabia_move move) {
  const uint32_t count = store->sets.items[id].count;
  arena *scratch = arena_new();
  double *shares = arena_new_array(scratch, double, count), found = 0;
  infosets_average(store, id, shares);
  for (uint32_t i = 0; i < count; i++)
    if (infoset_choices(store, id)[i].move == move) found = shares[i];
  arena_free(scratch);
  return found;
}

double tabia_strategy_share(const tabia_strategy *s, uint32_t role, tabia_move move) {
  const infoset_id id = s->search ? infoset_now(s->search, role) : INFOSET_NONE;
  if (id == INFOSET_NONE) return 1;
  API_GUARDED(double, share(s->search->store, id, move), 1);
}

uint64_t tabia_strategy_visits(const tabia_strategy *s, uint32_t role) {
  const infoset_id id = s->search ? infoset_now(s->search, role) : INFOSET_NONE;
  if (id == INFOSET_NONE) return 0;
  uint64_t visits = 0;
  for (uint32_t i = 0; i < s->search->store->sets.items[id].count; i++)
    visits += infoset_choices(s->search->store, id)[i].visits;
  return visits;
}

uint64_t tabia_strategy_games(const tabia_strategy *s) {
  return s->search ? s->search->figures.games : 0;
}

uint64_t tabia_strategy_sets(const tabia_strategy *s) {
  return s->search ? s->search->store->sets.count : 0;
}
