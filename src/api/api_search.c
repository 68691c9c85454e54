#include "api/api_known.h"
#include "api/api_options.h"
#include "api/api_plan.h"

#include "tree/thinker.h"

#include <math.h>
#include <string.h>

struct tabia_search {
  arena *keep;
  arena *guard; /* gives the group back */
  arena_group
      group;    /* of what the thinker and known values are made of: where memory ends, all goes */
  thought none; /* that is found then */
  tree_options options;
  search_style style;
  const tabia_machine *of;
  void *start;      /* the start of the game */
  thinker *thinker; /* NULL: it is gone */
  const thought *found;
  bool plans; /* a game of one role, of which a plan may be found */
  play_plan plan;
  bool solves; /* a small game of two roles is solved */
  known_game known;
  tabia_workspace *w; /* where it is looked up */
  arena *planned;     /* of the thought that plan or values make */
  thought by_plan;
  think_order order;
  tabia_thought *listener;
  void *listener_context;
};

/* ---- options ---- */

static const char SEARCH_CHOICES[] =
    "kind=tabia|batched|uct exploration=C leaves=N playouts=N max-steps=N threads=N memory=BYTES "
    "seed=N solver=yes|no solve=no|yes constant-sum=unknown|assumed transpositions=yes|no looks=yes|no priors=yes|no regrets=yes|no learning=yes|no style=auto|plays|judges|mixes "
    "clock=wall|processor database=FOLDER";

/* What is zero, the style decides. */
static tree_options usual_options(uint32_t kind) {
  static const tree_options usual[] = {
      {.solver = true,
       .transpositions = true,
       .looks = true,
       .priors = true,
       .learning = true,
       .regrets = true},
      {.exploration = .7, .leaves = 128, .playouts = 4, .solver = true, .transpositions = true},
      {.exploration = .7, .leaves = 1, .playouts = 1}};
  tree_options o = usual[kind];
  o.max_steps = 4000;
  o.memory = (size_t)512 << 20;
  o.seed = 1;
  return o;
}

static bool read_count(const tabia_options *options, const char *name, double most, uint32_t *count,
                       tabia_messages *log) {
  double number = *count;
  if (!tabia_options_get(options, name)) return true;
  if (!api_option_whole(options, name, 1, most, &number, log)) return false;
  *count = (uint32_t)number;
  return true;
}

static bool read_seed(const tabia_options *options, tree_options *o, tabia_messages *log) {
  double seed = (double)o->seed, steps = (double)o->max_steps;
  if (!api_option_whole(options, "seed", 0, 0x1p53, &seed, log) ||
      !api_option_whole(options, "max-steps", 0, 0x1p53, &steps, log))
    return false;
  o->seed = (uint64_t)seed;
  o->max_steps = (uint64_t)steps;
  return true;
}

/* What is not chosen stays as is usual for the kind. */
static void read_switch(const tabia_options *options, const char *name, bool *is_on) {
  if (tabia_options_get(options, name))
    *is_on = api_option_is(options, SEARCH_CHOICES, name, "yes");
}

static bool read_options(const tabia_options *options, tree_options *o, tabia_messages *log) {
  if (!api_options_fit(options, SEARCH_CHOICES, "a search", log)) return false;
  *o = usual_options(api_option(options, SEARCH_CHOICES, "kind"));
  read_switch(options, "solver", &o->solver);
  read_switch(options, "transpositions", &o->transpositions);
  read_switch(options, "looks", &o->looks);
  read_switch(options, "priors", &o->priors);
  read_switch(options, "regrets", &o->regrets);
  read_switch(options, "learning", &o->learning);
  o->assumes_sum = api_option_is(options, SEARCH_CHOICES, "constant-sum", "assumed");
  return api_option_number(options, "exploration", &o->exploration, log) &&
         read_count(options, "leaves", 1 << 14, &o->leaves, log) &&
         read_count(options, "playouts", 1 << 12, &o->playouts, log) &&
         read_count(options, "threads", 1 << 10, &o->threads, log) &&
         api_option_bytes(options, "memory", &o->memory, log) && read_seed(options, o, log);
}

/* Positions of other machines are no bits, and with hidden moves values say little. */
static bool may_solve(const tabia_machine *m, const tabia_options *options, const tree_options *o) {
  return api_option_is(options, SEARCH_CHOICES, "solve", "yes") && o->learning &&
         m->m->role_count == 2 && machine_nature(m->m) == 2 && !tabia_machine_has_hidden_state(m);
}

static search_style style_of(const tabia_options *options) {
  const uint32_t choice = api_option(options, SEARCH_CHOICES, "style");
  return choice ? (search_style)(choice - 1) : STYLE_COUNT;
}

/* ---- opening ---- */

static void give_back_group(void *what) { arena_group_free(&((tabia_search *)what)->group); }

/* What is made in the group of the search. */
typedef struct making {
  tabia_search *s;
  const char *database; /* or NULL */
  tabia_messages *log;
  tabia_status status;
} making;

static void make(void *context) {
  making *m = context;
  tabia_search *s = m->s;
  s->thinker = thinker_new(s->of->m, &s->options, s->style);
  if (!m->database) return;
  m->status = known_open(&s->known, s->of, m->database, m->log);
  s->w = tabia_workspace_new(s->of, NULL);
}

static thought thought_of_nothing(uint32_t roles, arena *keep) {
  thought t = {.roles = arena_zero_array(keep, role_report, roles + (size_t)1)};
  for (uint32_t i = 0; i < roles; i++) t.roles[i].best = MOVE_NONE;
  return t;
}

/* The tree grows over many calls, each with limits of its own: it gets half of those given here. */
static size_t tree_bytes(size_t wanted, const tabia_limits *limits) {
  static const size_t least = (size_t)1 << 20;
  const size_t most = limits && limits->bytes ? limits->bytes / 2 : wanted;
  if (wanted <= most) return wanted;
  return most > least ? most : least;
}

static tabia_status open_search(tabia_search **out, const tabia_machine *m,
                                const tabia_options *options, const tabia_limits *limits,
                                tabia_messages *log) {
  tree_options o;
  if (!read_options(options, &o, log)) return TABIA_MISUSE;
  o.memory = tree_bytes(o.memory, limits);
  arena *keep = arena_new();
  tabia_search *s = arena_alloc_zero(keep, sizeof *s);
  *s = (tabia_search){.keep = keep,
                      .of = m,
                      .none = thought_of_nothing(m->m->role_count, keep),
                      .options = o,
                      .style = style_of(options),
                      .start = arena_alloc(keep, m->m->position_size)};
  s->guard = arena_guarding(give_back_group, s);
  s->plan = plan_new();
  s->planned = arena_new();
  making parts = {s, api_option_text(options, "database", NULL), log, TABIA_OK};
  if (!recovery_try(&s->group, make, &parts)) recovery_fail();
  if (parts.status != TABIA_OK) {
    tabia_search_close(s);
    return parts.status;
  }
  s->plans = plan_is_for(m) && o.learning;
  s->solves = may_solve(m, options, &o);
  machine_start(m->m, s->start);
  s->found = thinker_thought(s->thinker);
  s->order.by_processor = api_option_is(options, SEARCH_CHOICES, "clock", "processor");
  *out = s;
  return TABIA_OK;
}

tabia_status tabia_search_open(tabia_search **out, const tabia_machine *m,
                               const tabia_options *options, const tabia_limits *limits,
                               tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, open_search(out, m, options, limits, log), api_no_memory(log));
}

void tabia_search_close(tabia_search *s) {
  if (!s) return;
  known_free(&s->known);
  thinker_free(s->thinker);
  arena_free(s->guard);
  plan_free(&s->plan);
  tabia_workspace_free(s->w);
  arena_free(s->planned);
  arena_free(s->keep);
}

/* What it knew is lost. */
static tabia_status fail(tabia_search *s, tabia_messages *log) {
  s->thinker = NULL;
  s->known = (known_game){0};
  s->found = &s->none;
  return api_no_memory(log);
}

/* The part of the start clock in which it is tried to solve the game. */
#define SOLVE_SHARE 0.3

/* If all values are known, there is nothing to learn. */
static bool solve(tabia_search *s, double seconds, const tabia_limits *limits) {
  if (s->known.values) return true;
  if (!s->solves || seconds <= 0) return false;
  if (!s->w) s->w = tabia_workspace_new(s->of, NULL);
  return s->w && known_find(&s->known, s->of, seconds * SOLVE_SHARE, s->options.memory, limits);
}

static tabia_status learn(tabia_search *s, double seconds, const tabia_limits *limits,
                          tabia_messages *log) {
  budget b = api_budget(limits);
  b.stage = "learning";
  const double began = clock_now();
  if (solve(s, seconds, limits)) return TABIA_OK;
  seconds -= clock_now() - began;
  if (s->plans) {
    plan_find(&s->plan, s->of, s->start, seconds, limits);
    return TABIA_OK;
  }
  if (thinker_learn(s->thinker, seconds, s->order.by_processor, &b)) return TABIA_OK;
  return api_tell_spent(log, &b, &s->of->rules->source, "learning ended early");
}

tabia_status tabia_search_learn(tabia_search *s, double seconds, const tabia_limits *limits,
                                tabia_messages *log) {
  if (!s->thinker) return api_no_memory(log);
  API_GUARDED_IN(&s->group, tabia_status, learn(s, seconds, limits, log), fail(s, log));
}

void tabia_search_forget(tabia_search *s) {
  if (s->thinker) API_TRY_IN(&s->group, thinker_forget(s->thinker), fail(s, NULL));
}

void tabia_search_set_seconds(tabia_search *s, double seconds) { s->order.seconds = seconds; }

void tabia_search_set_iterations(tabia_search *s, uint64_t iterations) {
  s->order.iterations = iterations;
}

static void tell(void *context, const thought *t) {
  const tabia_search *s = context;
  (void)t; /* it is `found` */
  s->listener(s->listener_context, s);
}

void tabia_search_set_listener(tabia_search *s, tabia_thought *listener, void *context) {
  s->listener = listener;
  s->listener_context = context;
  s->order.tell = listener ? tell : NULL;
  s->order.context = s;
}

_Static_assert((int)TABIA_JUDGE_MAX == (int)LANES, "new states come in bundles");

void tabia_search_set_judge(tabia_search *s, tabia_judge *judge, bool with_priors, void *context) {
  if (!s->thinker) return;
  API_TRY_IN(&s->group, thinker_set_judge(s->thinker, judge, with_priors, context), fail(s, NULL));
}

/* ---- thinking ---- */

/* The part of the time of a thought in which a plan is looked for. */
#define PLAN_SHARE 0.6

/* Nothing is reported about moves other than the best. */
static void list_moves(tabia_search *s, tabia_workspace *w, role_report *r, uint32_t role) {
  r->count = tabia_position_legal(w, s->order.position, role, NULL, 0);
  r->moves = arena_zero_array(s->planned, move_report, r->count);
  move_id *moves = arena_new_array(s->planned, move_id, r->count);
  r->count = tabia_position_legal(w, s->order.position, role, moves, r->count);
  for (uint32_t i = 0; i < r->count; i++)
    r->moves[i] = (move_report){.move = moves[i],
                                .visits = moves[i] == r->best,
                                .value = moves[i] == r->best ? r->value : GOAL_MAX / 2.0,
                                .share = moves[i] == r->best,
                                .is_solved = moves[i] == r->best};
}

/* What there is to say when the rest of the plan is all that is left to do. */
static void follow_plan(tabia_search *s, uint32_t place) {
  arena_clear(s->planned);
  role_report *r = arena_zero_array(s->planned, role_report, 1);
  *r = (role_report){
      .best = s->plan.moves[place], .value = GOAL_MAX, .low = GOAL_MAX, .high = GOAL_MAX};
  tabia_workspace *w = api_workspace_new(s->of, NULL);
  list_moves(s, w, r, 0);
  tabia_workspace_free(w);
  s->by_plan = (thought){.roles = r,
                         .is_solved = true,
                         .line = s->plan.moves + place,
                         .line_length = s->plan.length - place,
                         .iterations = 1,
                         .depth = s->plan.length - place};
  s->found = &s->by_plan;
}

/* Is there a plan?  If not, one is looked for, where time is what the thought has. */
static bool is_planned(tabia_search *s, const tabia_limits *limits) {
  const double seconds = s->order.seconds * PLAN_SHARE;
  uint32_t place = plan_place(&s->plan, s->of, s->order.position);
  if (place == s->plan.length && seconds > 0 && !s->order.iterations &&
      plan_find(&s->plan, s->of, s->order.position, seconds, limits))
    place = 0;
  if (place == s->plan.length) return false;
  follow_plan(s, place);
  return true;
}

/* Best play to the end, as far as a line goes; its first joint move is there. */
static uint32_t known_line(tabia_search *s, move_id *line, uint32_t most) {
  unsigned char *here = arena_alloc(s->planned, s->of->m->position_size);
  uint32_t length = 0;
  memcpy(here, s->order.position, s->of->m->position_size);
  while (length < most &&
         known_joint(&s->known, s->w, here, line + (size_t)length * s->known.roles))
    tabia_position_step(s->w, here, line + (size_t)length++ * s->known.roles, here);
  return length;
}

/* What there is to say where the value is known, which is `value` for the role of the order. */
static void tell_known(tabia_search *s, double value) {
  enum { LINE_MAX = 64 };
  move_id *line = arena_new_array(s->planned, move_id, LINE_MAX * 2);
  role_report *roles = arena_zero_array(s->planned, role_report, 2);
  const uint32_t length = known_line(s, line, LINE_MAX);
  for (uint32_t r = 0; r < s->known.roles; r++) {
    const double worth = r == s->order.role ? value : GOAL_MAX - value;
    roles[r] = (role_report){
        .best = line[r], .value = worth, .low = (uint8_t)worth, .high = (uint8_t)worth};
    list_moves(s, s->w, &roles[r], r);
  }
  s->by_plan = (thought){.roles = roles,
                         .is_solved = true,
                         .line = line,
                         .line_length = length,
                         .iterations = 1,
                         .depth = length};
  s->found = &s->by_plan;
}

/* Is the best move known without a search?  If the role cannot win against another, a search may still find
   which of the moves that keep the value is the hardest for the other. */
static bool is_known(tabia_search *s, move_id *moves, uint32_t room, uint32_t *count) {
  double value = 0;
  *count = known_moves(&s->known, s->w, s->order.position, s->order.role, moves, room, &value);
  if (*count > room) *count = room;
  if (!*count || (*count > 1 && value <= GOAL_MAX / 2.0 && s->known.roles == 2)) return false;
  arena_clear(s->planned);
  tell_known(s, value);
  return true;
}

static bool is_among(move_id move, const move_id *moves, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (moves[i] == move) return true;
  return false;
}

/* Among the moves that keep the value, the one that was tried most. */
static void keep_value(tabia_search *s, const move_id *moves, uint32_t count) {
  const role_report *found = &s->found->roles[s->order.role];
  if (!count || !found->count) return;
  arena_clear(s->planned);
  role_report *roles = arena_new_array(s->planned, role_report, 2);
  memcpy(roles, s->found->roles, 2 * sizeof *roles);
  role_report *r = &roles[s->order.role];
  r->moves = arena_new_array(s->planned, move_report, r->count);
  memcpy(r->moves, found->moves, r->count * sizeof *r->moves);
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < r->count; i++)
    if (is_among(r->moves[i].move, moves, count) &&
        (best == UINT32_MAX || r->moves[i].visits > r->moves[best].visits))
      best = i;
  if (best == UINT32_MAX) return; /* what was found is about another position */
  for (uint32_t i = 0; i < r->count; i++) r->moves[i].share = i == best;
  r->best = r->moves[best].move;
  s->by_plan = *s->found;
  s->by_plan.roles = roles;
  s->found = &s->by_plan;
}

static tabia_status think_in_tree(tabia_search *s, const think_order *o, const budget *b,
                                  tabia_messages *log) {
  s->found = thinker_thought(s->thinker);
  if (thinker_think(s->thinker, o, b)) return TABIA_OK;
  const machine_workspace *w = thinker_workspace(s->thinker);
  return w ? api_tell_trouble(log, w, s->of) : TABIA_LIMIT;
}

static tabia_status think(tabia_search *s, const void *position, uint32_t role,
                          const tabia_limits *limits, tabia_messages *log) {
  enum { BEST_MAX = 256 };
  budget b = api_budget(limits);
  const double began = clock_now();
  b.stage = "searching";
  move_id moves[BEST_MAX];
  uint32_t known = 0;
  s->order.position = position ? position : s->start;
  s->order.role = role;
  if ((s->plans && is_planned(s, limits)) ||
      (s->known.values && is_known(s, moves, BEST_MAX, &known))) {
    s->by_plan.seconds = clock_now() - began;
    return TABIA_OK;
  }
  think_order o = s->order;
  if (o.seconds > 0) o.seconds = fmax(o.seconds - (clock_now() - began), o.seconds / 10);
  const tabia_status status = think_in_tree(s, &o, &b, log);
  keep_value(s, moves, known);
  return status;
}

tabia_status tabia_search_think(tabia_search *s, const void *position, uint32_t role,
                                const tabia_limits *limits, tabia_messages *log) {
  if (!s->thinker) return api_no_memory(log);
  API_GUARDED_IN(&s->group, tabia_status, think(s, position, role, limits, log), fail(s, log));
}

/* ---- what was found ---- */

static const role_report *of_role(const tabia_search *s, uint32_t role) {
  return &s->found->roles[role];
}

tabia_move tabia_search_best(const tabia_search *s, uint32_t role) {
  return of_role(s, role)->best;
}

double tabia_search_value(const tabia_search *s, uint32_t role) { return of_role(s, role)->value; }

double tabia_search_least(const tabia_search *s, uint32_t role) { return of_role(s, role)->low; }

double tabia_search_most(const tabia_search *s, uint32_t role) { return of_role(s, role)->high; }

bool tabia_search_is_proved(const tabia_search *s) {
  return s->found->is_solved && !s->found->is_assumed;
}

uint32_t tabia_search_move_count(const tabia_search *s, uint32_t role) {
  return of_role(s, role)->count;
}

static const move_report *of_move(const tabia_search *s, uint32_t role, uint32_t i) {
  return &of_role(s, role)->moves[i];
}

tabia_move tabia_search_move(const tabia_search *s, uint32_t role, uint32_t i) {
  return of_move(s, role, i)->move;
}

uint64_t tabia_search_move_visits(const tabia_search *s, uint32_t role, uint32_t i) {
  return of_move(s, role, i)->visits;
}

double tabia_search_move_value(const tabia_search *s, uint32_t role, uint32_t i) {
  return of_move(s, role, i)->value;
}

double tabia_search_move_share(const tabia_search *s, uint32_t role, uint32_t i) {
  return of_move(s, role, i)->share;
}

bool tabia_search_move_is_proved(const tabia_search *s, uint32_t role, uint32_t i) {
  return of_move(s, role, i)->is_solved && !s->found->is_assumed;
}

uint32_t tabia_search_line_length(const tabia_search *s) { return s->found->line_length; }

const tabia_move *tabia_search_line_joint(const tabia_search *s, uint32_t step) {
  return s->found->line + (size_t)step * s->of->m->role_count;
}

uint64_t tabia_search_effort(const tabia_search *s, tabia_effort what) {
  switch (what) {
    case TABIA_EFFORT_ITERATIONS: return s->found->iterations;
    case TABIA_EFFORT_PLAYOUTS: return s->found->playouts;
    case TABIA_EFFORT_DEPTH: return s->found->depth;
    case TABIA_EFFORT_NODES: return s->found->nodes;
    case TABIA_EFFORT_BYTES: return s->found->bytes;
  }
  return 0;
}

double tabia_search_time(const tabia_search *s) { return s->found->seconds; }

const char *tabia_search_style(const tabia_search *s) { return style_names[s->found->style]; }
