#include "ggp/player/mind_search.h"

#include "base/budget.h"
#include "base/recovery.h"
#include "ggp/legal_list.h"

#include <math.h>

enum { WORLD_MAX = 24 }; /* positions that are searched for one move where it is not known */

struct mind_search {
  arena *keep;
  mind_options options;
  const tabia_machine *m;
  tabia_search *search;
  arena *guard; /* closes it */
  uint32_t role;
  mind_listener *tell;
  void *context;
};

/* ---- making ---- */

static void set_number(tabia_options *options, const char *name, uint64_t number) {
  char digits[32];
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
  if (number) tabia_options_set(options, name, digits);
}

static tabia_options *search_options(const mind_options *o) {
  tabia_options *options = tabia_options_new();
  if (!options) recovery_fail();
  tabia_options_set(options, "kind", mind_names[o->kind]);
  tabia_options_set(options, "constant-sum", "assumed"); /* a player has nothing to prove */
  tabia_options_set(options, "solve", "yes");            /* its positions come up in play */
  set_number(options, "threads", o->threads);
  set_number(options, "memory", o->bytes);
  set_number(options, "seed", o->seed);
  return options;
}

/* With the values of the database, if they are of this game. */
static tabia_status open_search(tabia_search **search, const mind_options *o,
                                const tabia_machine *m, const tabia_limits *limits,
                                tabia_messages *log) {
  tabia_status status = TABIA_UNREADABLE;
  tabia_options *options = search_options(o);
  if (o->database) {
    tabia_options_set(options, "database", o->database);
    status = tabia_search_open(search, m, options, limits, NULL);
    tabia_options_set(options, "database", NULL);
  }
  if (status != TABIA_OK) status = tabia_search_open(search, m, options, limits, log);
  tabia_options_free(options);
  return status;
}

static void close_search(void *search) { tabia_search_close(search); }

mind_search *mind_search_open(const mind_options *o, const tabia_machine *m, uint32_t role,
                              const tabia_limits *limits, tabia_messages *log) {
  tabia_search *opened;
  if (open_search(&opened, o, m, limits, log) != TABIA_OK) return NULL;
  arena *guard = arena_guarding(close_search, opened), *keep = arena_new();
  mind_search *s = arena_alloc_zero(keep, sizeof *s);
  *s = (mind_search){
      .keep = keep, .options = *o, .m = m, .search = opened, .guard = guard, .role = role};
  return s;
}

void mind_search_close(mind_search *s) {
  if (!s) return;
  arena_free(s->guard);
  arena_free(s->keep);
}

void mind_search_set_role(mind_search *s, uint32_t role) { s->role = role; }

void mind_search_learn(mind_search *s, double seconds, const tabia_limits *limits) {
  tabia_search_learn(s->search, seconds, limits, NULL);
}

/* ---- what is best so far ---- */

static void tell_best(void *context, const tabia_search *search) {
  mind_search *s = context;
  const tabia_move best = tabia_search_best(search, s->role);
  if (!s->tell || best == TABIA_NO_MOVE) return;
  arena *scratch = arena_new();
  s->tell(s->context, legal_move_text(s->m, s->role, best, scratch));
  arena_free(scratch);
}

void mind_search_set_listener(mind_search *s, mind_listener *tell, void *context) {
  s->tell = tell;
  s->context = context;
}

/* ---- one position ---- */

static void think(mind_search *s, const void *position, double seconds,
                  const tabia_limits *limits) {
  tabia_search_set_seconds(s->search, seconds);
  tabia_search_set_iterations(s->search, s->options.iterations);
  tabia_search_think(s->search, position, s->role, limits, NULL);
}

static void add_effort(const mind_search *s, text *note) {
  text_add_format(note, "%llu iterations, depth %llu, %llu nodes, %.2f s",
                  (unsigned long long)tabia_search_effort(s->search, TABIA_EFFORT_ITERATIONS),
                  (unsigned long long)tabia_search_effort(s->search, TABIA_EFFORT_DEPTH),
                  (unsigned long long)tabia_search_effort(s->search, TABIA_EFFORT_NODES),
                  tabia_search_time(s->search));
}

static void add_thought(const mind_search *s, text *note) {
  text_add_format(note, "value %.1f%s, ", tabia_search_value(s->search, s->role),
                  tabia_search_is_proved(s->search) ? " (proved)" : "");
  add_effort(s, note);
}

static const char *choose_known(mind_search *s, const void *position, double seconds,
                                const tabia_limits *limits, text *note, arena *keep) {
  tabia_search_set_listener(s->search, s->tell ? tell_best : NULL, s);
  think(s, position, seconds, limits);
  const tabia_move best = tabia_search_best(s->search, s->role);
  if (best == TABIA_NO_MOVE) return NULL;
  add_thought(s, note);
  return legal_move_text(s->m, s->role, best, keep);
}

/* ---- positions of which one is true ---- */

typedef struct ballot {
  uint32_t count;
  tabia_move *moves; /* the legal moves, in the order of their text */
  double *values;    /* of each */
} ballot;

static ballot ballot_new(const mind_search *s, arena *keep) {
  const uint32_t count = tabia_search_move_count(s->search, s->role);
  ballot b = {count, arena_new_array(keep, tabia_move, count + 1),
              arena_zero_array(keep, double, count + 1)};
  for (uint32_t i = 0; i < count; i++) b.moves[i] = tabia_search_move(s->search, s->role, i);
  return b;
}

/* A move of which nothing is known counts as the worst; one that was looked at can be known without
   a visit.  A position in which the game is over has no
   moves, and no vote: else the role would have been told. */
static void add_votes(ballot *b, const mind_search *s, double weight) {
  const uint32_t count = tabia_search_move_count(s->search, s->role);
  for (uint32_t i = 0; i < b->count && i < count; i++)
    if (tabia_search_move_visits(s->search, s->role, i) ||
        tabia_search_move_is_proved(s->search, s->role, i))
      b->values[i] += weight * tabia_search_move_value(s->search, s->role, i);
}

static uint32_t winner(const ballot *b) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < b->count; i++)
    if (b->values[i] > b->values[best]) best = i;
  return best;
}

/* All positions with their weights where they are few, else some that are drawn. */
static const void *world(tracker *where, uint32_t i, uint32_t worlds, double *weight) {
  const bool takes_all = tracker_count(where) <= WORLD_MAX;
  *weight = takes_all ? tracker_weight(where, i) : 1.0 / worlds;
  return takes_all ? tracker_position(where, i) : tracker_draw(where);
}

static const char *choose_unknown(mind_search *s, tracker *where, double seconds,
                                  const tabia_limits *limits, text *note, arena *keep) {
  const uint32_t worlds = tracker_count(where) < WORLD_MAX ? tracker_count(where) : WORLD_MAX;
  const double end = clock_now() + seconds;
  ballot b = {0};
  tabia_search_set_listener(s->search, NULL, NULL);
  for (uint32_t i = 0; i < worlds && (clock_now() < end || i == 0); i++) {
    double weight;
    const void *position = world(where, i, worlds, &weight);
    think(s, position, fmax((end - clock_now()) / (worlds - i), 1e-3), limits);
    if (!b.count) b = ballot_new(s, keep);
    add_votes(&b, s, weight);
  }
  if (!b.count) return NULL;
  const uint32_t best = winner(&b);
  text_add_format(note, "value %.1f over %u of %u positions, ", b.values[best], worlds,
                  tracker_count(where));
  add_effort(s, note);
  return legal_move_text(s->m, s->role, b.moves[best], keep);
}

const char *mind_search_choose(mind_search *s, tracker *where, double seconds,
                               const tabia_limits *limits, text *note, arena *keep) {
  return tracker_count(where) == 1
             ? choose_known(s, tracker_position(where, 0), seconds, limits, note, keep)
             : choose_unknown(s, where, seconds, limits, note, keep);
}

/* Where the position is not known, nothing of it would be of use later. */
void mind_search_ponder(mind_search *s, tracker *where, const tabia_limits *limits) {
  if (tracker_count(where) != 1) return;
  tabia_search_set_listener(s->search, NULL, NULL);
  tabia_search_set_seconds(s->search, 0);
  tabia_search_set_iterations(s->search, 0);
  tabia_search_think(s->search, tracker_position(where, 0), s->role, limits, NULL);
}
