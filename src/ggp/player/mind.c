#include "ggp/player/mind.h"

#include "base/budget.h"
#include "base/recovery.h"
#include "ggp/legal_list.h"
#include "ggp/player/mind_hidden.h"
#include "ggp/player/mind_search.h"

#include <math.h>

const char *const mind_names[] = {"random", "legal", "uct", "tabia", NULL};

struct mind {
  arena *keep;
  mind_options options;
  tabia_machine *machine;
  arena *guard; /* closes it */
  tabia_workspace *w;
  arena *w_guard;
  tracker *where;
  mind_search *search; /* NULL: it does not search */
  mind_hidden *hidden; /* NULL: the state is known, or its kind does not care */
  uint32_t role;
  uint64_t turn; /* steps that it has followed */
};

/* ---- making ---- */

static uint32_t role_named(const tabia_machine *m, const char *name) {
  uint32_t i = 0;
  while (i < tabia_machine_role_count(m) && strcmp(tabia_machine_role(m, i), name) != 0) i++;
  return i;
}

static void close_machine(void *machine) { tabia_machine_close(machine); }
static void free_workspace(void *w) { tabia_workspace_free(w); }

static mind *mind_new(const mind_options *o, tabia_machine *machine, arena *guard, uint32_t role) {
  arena *keep = arena_new();
  mind *m = arena_alloc_zero(keep, sizeof *m);
  *m = (mind){.keep = keep,
              .options = *o,
              .machine = machine,
              .guard = guard,
              .w = tabia_workspace_new(machine, NULL),
              .role = role};
  if (!m->w) recovery_fail();
  m->w_guard = arena_guarding(free_workspace, m->w);
  m->where = tracker_new(machine, m->w, role, o->seed);
  return m;
}

mind *mind_open(const mind_options *o, const tabia_rules *rules, const char *machine,
                const char *role, const tabia_limits *limits, tabia_messages *log) {
  tabia_machine *opened;
  if (tabia_machine_open(&opened, rules, machine, limits, log) != TABIA_OK) return NULL;
  arena *guard = arena_guarding(close_machine, opened);
  const uint32_t number = role_named(opened, role);
  if (number == tabia_machine_role_count(opened)) {
    arena_free(guard);
    return NULL;
  }
  mind *m = mind_new(o, opened, guard, number);
  if (o->kind >= MIND_UCT) m->search = mind_search_open(o, opened, number, limits, log);
  if (m->search) m->hidden = mind_hidden_open(o, opened, number);
  return m;
}

void mind_close(mind *m) {
  if (!m) return;
  arena *guard = m->guard;
  mind_search_close(m->search);
  mind_hidden_close(m->hidden);
  tracker_free(m->where);
  arena_free(m->w_guard);
  arena_free(m->keep);
  arena_free(guard);
}

const char *mind_machine(const mind *m) { return tabia_machine_kind(m->machine); }
bool mind_searches(const mind *m) { return m->search; }

void mind_learn(mind *m, double seconds, const tabia_limits *limits) {
  if (m->hidden && seconds > 0)
    mind_hidden_learn(m->hidden, seconds, limits);
  else if (m->search && seconds > 0)
    mind_search_learn(m->search, seconds, limits);
}

/* ---- following ---- */

bool mind_follow(mind *m, const match_step *step) {
  m->turn++;
  const bool fits = tracker_step(m->where, step);
  if (m->hidden) mind_hidden_follow(m->hidden, m->where);
  return fits;
}

static const void *position_of(const mind *m) { return tracker_position(m->where, 0); }

static bool mind_is_over(mind *m) {
  return !tracker_count(m->where) || tabia_position_terminal(m->w, position_of(m));
}

/* ---- choosing ---- */

/* A number below `count` for this turn: the same whatever the machine is, and whoever was asked
   before. */
static uint32_t draw(const mind *m, uint32_t count) {
  rng random = rng_new(m->options.seed, m->turn * tabia_machine_role_count(m->machine) + m->role);
  return m->options.kind == MIND_LEGAL ? 0 : rng_below(&random, count);
}

/* Legal moves are the same in all positions that the role cannot tell apart. */
const char *mind_any_move(mind *m, arena *keep) {
  if (!tracker_count(m->where)) return NULL;
  const legal_list list = legal_list_of(m->machine, m->w, position_of(m), m->role, keep);
  return list.count ? list.items[draw(m, list.count)].words : NULL;
}

bool mind_has_choice(mind *m) {
  return tracker_count(m->where) &&
         tabia_position_legal(m->w, position_of(m), m->role, NULL, 0) > 1;
}

const char *mind_choose(mind *m, double seconds, const tabia_limits *limits, text *note,
                        arena *keep) {
  const char *found = NULL;
  const double end = clock_now() + seconds;
  if (m->hidden && seconds > 0 && mind_has_choice(m))
    found = mind_hidden_choose(m->hidden, m->w, m->where, seconds, limits, note, keep);
  if (!found && m->search && seconds > 0 && mind_has_choice(m))
    found = mind_search_choose(m->search, m->where, fmax(end - clock_now(), seconds / 10), limits,
                               note, keep);
  return found ? found : mind_any_move(m, keep);
}

void mind_ponder(mind *m, const tabia_limits *limits) {
  if (m->search && tracker_count(m->where) && !mind_is_over(m))
    m->hidden ? mind_hidden_ponder(m->hidden, limits)
              : mind_search_ponder(m->search, m->where, limits);
}

void mind_set_listener(mind *m, mind_listener *tell, void *context) {
  if (m->search) mind_search_set_listener(m->search, tell, context);
}
