#include "ggp/player/sitting.h"

#include "base/budget.h"
#include "base/recovery.h"
#include "base/vec.h"
#include "ggp/wire/name_map.h"
#include "ggp/wire/sexp.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

typedef enum rank { RANK_QUICK, RANK_DEEP, RANK_COUNT } rank;

typedef struct thinker {
  sitting *of;
  rank rank;
  pthread_t thread;
  bool is_started;
  atomic_bool is_done;
  tabia_limits *limits;
  tabia_messages *log; /* of opening a machine */
  mind *mind;          /* goes where memory ends, as all that its thread has made */
  uint32_t applied;    /* steps that it has followed */
  bool is_lost;

  /* Under the lock of the sitting: */
  bool is_thinking; /* about a move, or in the time of others: news end that */
  bool is_ready, has_failed;
  bool has_pondered; /* since the last news */
  uint32_t handled;  /* the last question that it has answered */
} thinker;

typedef struct answer {
  text move; /* canonical; "": none, or none yet */
  rank rank;
  bool is_final;
} answer;

struct sitting {
  arena *keep; /* not to be grown by thinkers */
  sitting_options options;
  tabia_rules *rules;
  arena *guard; /* gives back the rules, and what thinkers have that is of the library */
  const char *id, *role;
  name_map own_case;
  double play_clock;
  double ready_by;
  bool is_hidden; /* GDL-II */
  thinker thinkers[RANK_COUNT];

  pthread_mutex_t lock;
  pthread_cond_t news;
  arena *told; /* the texts of the history */
  VEC(match_step) history;
  uint32_t question; /* how many moves were asked for */
  double deadline;   /* of the last one */
  answer answer;     /* to it */
  bool is_over;
};

/* ---- log ---- */

static void say(const sitting *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line is written in one piece, and without memory of ours. */
static void say(const sitting *s, const char *format, ...) {
  FILE *log = s->options.log;
  if (!log) return;
  va_list list;
  va_start(list, format);
  flockfile(log);
  fprintf(log, "%s: ", s->id);
  vfprintf(log, format, list);
  fputc('\n', log);
  fflush(log);
  funlockfile(log);
  va_end(list);
}

static void say_messages(const sitting *s, tabia_messages *log) {
  if (tabia_messages_count_of(log, TABIA_ERROR)) say(s, "%s", tabia_messages_text(log));
}

/* ---- answers ---- */

static void wake_owner(const sitting *s) {
  const uint64_t one = 1;
  if (write(s->options.wake, &one, sizeof one) < 0) return; /* it is awake already */
}

static bool has_other(const sitting *s, rank r) {
  return s->thinkers[r].is_started && !s->thinkers[r].has_failed;
}

/* The quick one's word is the last only where nobody else will speak. */
static bool has_last_word(const sitting *s, rank r) {
  return r == RANK_DEEP || !has_other(s, RANK_DEEP);
}

/* How much an answer is worth waiting for. */
typedef enum certainty {
  SO_FAR,  /* a better one may come */
  AT_LAST, /* of this thinker */
  FORCED   /* there is no other move */
} certainty;

static void publish(thinker *t, uint32_t question, const char *move, certainty c) {
  sitting *s = t->of;
  recovery_lock(&s->lock);
  answer *a = &s->answer;
  if (move && question == s->question && (!a->move.length || t->rank >= a->rank)) {
    const size_t length = strlen(move); /* where memory ends, the old one stays */
    if (a->move.capacity <= length) text_grow(&a->move, length);
    text_clear(&a->move);
    text_add(&a->move, move);
    a->rank = t->rank;
  }
  if (question == s->question && t->rank >= a->rank)
    a->is_final = c == FORCED || (c == AT_LAST && has_last_word(s, t->rank));
  if (c != SO_FAR) t->handled = question;
  recovery_unlock(&s->lock);
  wake_owner(s);
}

/* ---- thinking ---- */

/* What a thinker does next, copied under the lock. */
typedef struct task {
  uint32_t steps; /* to follow, in all */
  uint32_t question;
  bool is_asked;
  bool is_alone; /* nobody else will answer */
  double deadline;
} task;

static bool has_task(const thinker *t) {
  const sitting *s = t->of;
  return t->applied < s->history.count || t->handled < s->question;
}

static bool is_leaving(const thinker *t) {
  const sitting *s = t->of;
  return s->is_over || (t->rank == RANK_QUICK && s->thinkers[RANK_DEEP].handled > 0);
}

/* Only the deep one, and only where somebody has moved: before, it learns. */
static bool may_ponder(const thinker *t) {
  return t->rank == RANK_DEEP && !t->has_pondered && t->handled > 0 && !t->is_lost;
}

/* Called with the lock, which is open meanwhile. */
static void ponder(thinker *t) {
  tabia_limits_reset(t->limits);
  t->is_thinking = true;
  t->has_pondered = true;
  recovery_unlock(&t->of->lock);
  mind_ponder(t->mind, t->limits);
  recovery_lock(&t->of->lock);
  t->is_thinking = false;
}

/* False: it is time to leave. */
static bool next_task(thinker *t, task *k) {
  sitting *s = t->of;
  recovery_lock(&s->lock);
  while (!is_leaving(t) && !has_task(t)) {
    if (may_ponder(t))
      ponder(t);
    else
      pthread_cond_wait(&s->news, &s->lock);
  }
  const bool goes_on = !is_leaving(t);
  if (goes_on) tabia_limits_reset(t->limits);
  t->is_thinking = goes_on;
  *k = (task){s->history.count, s->question, t->handled < s->question, has_last_word(s, t->rank),
              s->deadline};
  recovery_unlock(&s->lock);
  return goes_on;
}

static void end_task(thinker *t) {
  recovery_lock(&t->of->lock);
  t->is_thinking = false;
  recovery_unlock(&t->of->lock);
}

/* Items of the history stay as they are, but the list may be moved by its owner. */
static match_step step_at(sitting *s, uint32_t i) {
  recovery_lock(&s->lock);
  const match_step step = s->history.items[i];
  recovery_unlock(&s->lock);
  return step;
}

static void follow(thinker *t, uint32_t steps) {
  while (t->applied < steps && !t->is_lost) {
    const match_step step = step_at(t->of, t->applied++);
    t->is_lost = !mind_follow(t->mind, &step);
    if (t->is_lost)
      say(t->of, "step %u does not fit the rules: %s", t->applied,
          step.moves ? step.moves : step.percepts);
  }
  t->applied = steps;
}

/* What the search tells while it thinks. */
typedef struct listening {
  thinker *of;
  uint32_t question;
} listening;

static void hear(void *context, const char *move) {
  const listening *l = context;
  publish(l->of, l->question, move, SO_FAR);
}

/* Half of the time is for the deep one, where that may still come. */
static double time_to_think(const task *k) {
  const double left = k->deadline - clock_now();
  return k->is_alone ? left : left / 2;
}

static const char *think_about(thinker *t, const task *k, text *note, arena *scratch) {
  listening l = {t, k->question};
  mind_set_listener(t->mind, hear, &l);
  const char *move = mind_choose(t->mind, time_to_think(k), t->limits, note, scratch);
  mind_set_listener(t->mind, NULL, NULL);
  return move;
}

static void choose(thinker *t, const task *k, arena *scratch) {
  text note = text_new(scratch);
  const char *move = mind_any_move(t->mind, scratch);
  const bool is_forced = move && !mind_has_choice(t->mind);
  publish(t, k->question, move, is_forced ? FORCED : SO_FAR);
  if (move && !is_forced) move = think_about(t, k, &note, scratch);
  if (!is_forced) publish(t, k->question, move, AT_LAST);
  say(t->of, "turn %u on %s: %s%s%s", k->steps, mind_machine(t->mind), move ? move : "no move",
      note.length ? ", " : "", text_string(&note));
}

static void do_task(thinker *t, const task *k) {
  arena *scratch = arena_new();
  follow(t, k->steps);
  if (k->is_asked) choose(t, k, scratch);
  end_task(t);
  arena_free(scratch);
}

/* ---- getting ready ---- */

static const char *const machines[RANK_COUNT][3] = {
    [RANK_QUICK] = {"datalog", "reference", NULL}, [RANK_DEEP] = {"auto-many", "compiled", NULL}};

static const double LEAST_SECONDS = 0.25; /* for opening a machine */

static bool must_stop(sitting *s) {
  recovery_lock(&s->lock);
  const bool is_over = s->is_over;
  recovery_unlock(&s->lock);
  return is_over;
}

/* The quick one must have something at the end of the start clock: its first machine gets half of
   the time, and the next, which opens at once, whatever it takes. */
static double time_to_open(const thinker *t, const char *const *machine) {
  const bool has_another = t->rank == RANK_QUICK && machine[1];
  return has_another ? fmax((t->of->ready_by - clock_now()) / 2, LEAST_SECONDS) : 0;
}

static mind *open_mind(thinker *t, tabia_messages *log) {
  sitting *s = t->of;
  mind *opened = NULL;
  for (const char *const *machine = machines[t->rank]; *machine && !opened; machine++) {
    tabia_limits_set_seconds(t->limits, time_to_open(t, machine));
    if (!must_stop(s))
      opened = mind_open(&s->options.mind, s->rules, *machine, s->role, t->limits, log);
  }
  tabia_limits_set_seconds(t->limits, 0);
  return opened;
}

static void set_ready(thinker *t, bool has_failed) {
  recovery_lock(&t->of->lock);
  t->is_ready = true;
  t->has_failed = has_failed;
  if (has_failed && t->of->answer.move.length) t->of->answer.is_final = true;
  recovery_unlock(&t->of->lock);
  wake_owner(t->of);
}

static bool get_ready(thinker *t) {
  const double begin = clock_now();
  t->mind = open_mind(t, t->log);
  if (t->mind) say(t->of, "%s is open after %.2f s", mind_machine(t->mind), clock_now() - begin);
  const bool searches = t->mind && mind_searches(t->mind);
  const bool should_search = t->of->options.mind.kind >= MIND_UCT;
  if ((!t->mind || searches != should_search) && !must_stop(t->of)) say_messages(t->of, t->log);
  if (t->mind && t->rank == RANK_DEEP)
    mind_learn(t->mind, t->of->ready_by - clock_now(), t->limits);
  set_ready(t, !t->mind);
  return t->mind;
}

static void take_part(void *context) {
  thinker *t = context;
  task k;
  if (get_ready(t))
    while (next_task(t, &k)) do_task(t, &k);
  mind_close(t->mind);
}

static void *run_thinker(void *context) {
  thinker *t = context;
  if (!recovery_try(NULL, take_part, t)) {
    say(t->of, "no memory: the %s thinker gives up", t->rank == RANK_DEEP ? "deep" : "quick");
    end_task(t);
    set_ready(t, true);
  }
  atomic_store(&t->is_done, true);
  wake_owner(t->of);
  return NULL;
}

/* Asks for no memory: others may be under way. */
static void start_thinker(sitting *s, rank r) {
  thinker *t = &s->thinkers[r];
  t->is_started = pthread_create(&t->thread, NULL, run_thinker, t) == 0;
}

static void make_thinker(sitting *s, rank r) {
  thinker *t = &s->thinkers[r];
  *t = (thinker){.of = s, .rank = r, .limits = tabia_limits_new(), .log = tabia_messages_new()};
  if (!t->limits || !t->log) recovery_fail();
  tabia_limits_set_bytes(t->limits, s->options.machine_bytes);
}

/* ---- a match ---- */

static const char *copied(slice s, arena *keep) { return arena_copy_text(keep, s.start, s.length); }

static const char *canonical(slice terms, arena *keep) {
  text out = text_new(keep);
  sexp_add_canonical(terms, &out);
  return text_string(&out);
}

static bool read_rules(sitting *s, slice rules) {
  tabia_messages *log = tabia_messages_new();
  const tabia_status status =
      tabia_rules_read_text(&s->rules, s->id, rules.start, rules.length, log);
  if (status != TABIA_OK) say_messages(s, log);
  tabia_messages_free(log);
  tabia_info *info = status == TABIA_OK ? tabia_info_new(s->rules, NULL) : NULL;
  if (status == TABIA_OK && !info) recovery_fail();
  s->is_hidden = info && tabia_info_is(info, TABIA_HAS_PERCEPTS);
  tabia_info_free(info);
  return status == TABIA_OK;
}

/* Of what the library has made. */
static void give_back(void *sitting_) {
  const sitting *s = sitting_;
  for (int r = 0; r < RANK_COUNT; r++) {
    tabia_limits_free(s->thinkers[r].limits);
    tabia_messages_free(s->thinkers[r].log);
  }
  tabia_rules_free(s->rules);
}

sitting *sitting_new(const sitting_options *o, const ggp_message *start, double ready_by) {
  arena *keep = arena_new();
  sitting *s = arena_alloc_zero(keep, sizeof *s);
  *s = (sitting){.keep = keep,
                 .options = *o,
                 .id = copied(start->id, keep),
                 .role = canonical(start->role, keep),
                 .own_case = name_map_new(keep),
                 .play_clock = start->play_clock,
                 .ready_by = ready_by,
                 .told = arena_new()};
  s->answer.move = text_new(s->told);
  s->guard = arena_guarding(give_back, s);
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->news, NULL);
  name_map_learn_case(&s->own_case, start->rules);
  say(s, "start as %s, clocks %g and %g s", s->role, start->start_clock, start->play_clock);
  if (!read_rules(s, start->rules)) return s;
  for (int r = 0; r < RANK_COUNT; r++) make_thinker(s, (rank)r);
  recovery_lock(&s->lock); /* so that each sees whether there is another */
  start_thinker(s, RANK_QUICK);
  if (o->mind.kind >= MIND_UCT) start_thinker(s, RANK_DEEP);
  recovery_unlock(&s->lock);
  return s;
}

bool sitting_has_id(const sitting *s, slice id) { return sexp_is(id, s->id); }
double sitting_play_clock(const sitting *s) { return s->play_clock; }

bool sitting_is_ready(sitting *s) {
  recovery_lock(&s->lock);
  const thinker *best = &s->thinkers[has_other(s, RANK_DEEP) ? RANK_DEEP : RANK_QUICK];
  const bool is_ready = !best->is_started || best->is_ready;
  recovery_unlock(&s->lock);
  return is_ready;
}

/* ---- what is told ---- */

/* Ends thoughts that news have overtaken. */
static void spread_news(sitting *s) {
  for (int r = 0; r < RANK_COUNT; r++) {
    s->thinkers[r].has_pondered = false;
    if (s->thinkers[r].is_thinking) tabia_limits_cancel(s->thinkers[r].limits);
  }
  pthread_cond_broadcast(&s->news);
}

/* A server that does not say what the role did last means what was answered. */
static const char *own_move_of(sitting *s, const ggp_message *step) {
  if (step->last_move.length) return canonical(step->last_move, s->told);
  if (step->has_turn || !s->answer.move.length) return NULL;
  return arena_copy_text(s->told, s->answer.move.bytes, s->answer.move.length);
}

/* A turn that is told twice is one. */
static bool is_news(const sitting *s, const ggp_message *step) {
  if (step->is_first) return false;
  return !step->has_turn || step->turn > s->history.count;
}

void sitting_tell(sitting *s, const ggp_message *step) {
  recovery_lock(&s->lock);
  if (is_news(s, step)) {
    const char *terms = canonical(step->terms, s->told);
    const bool has_percepts = s->is_hidden || step->has_turn;
    const match_step told = {.moves = has_percepts ? NULL : terms,
                             .own = has_percepts ? own_move_of(s, step) : NULL,
                             .percepts = has_percepts ? terms : NULL};
    vec_push(s->told, &s->history, told);
    spread_news(s);
  }
  recovery_unlock(&s->lock);
}

void sitting_ask(sitting *s, double deadline) {
  recovery_lock(&s->lock);
  s->question++;
  s->deadline = deadline;
  text_clear(&s->answer.move);
  s->answer.is_final = false;
  s->answer.rank = RANK_QUICK;
  spread_news(s);
  recovery_unlock(&s->lock);
}

/* Can this thinker still find a move? */
static bool may_answer(const thinker *t) {
  return t->is_started && !t->has_failed && !is_leaving(t) && t->handled < t->of->question;
}

static bool is_hopeless(const sitting *s) {
  for (int r = 0; r < RANK_COUNT; r++)
    if (may_answer(&s->thinkers[r])) return false;
  return !s->answer.move.length;
}

bool sitting_answer(sitting *s, bool takes_any, text *move) {
  recovery_lock(&s->lock);
  const answer *a = &s->answer;
  const bool has_one = a->move.length && (takes_any || a->is_final), is_nil = is_hopeless(s);
  if (has_one) name_map_add_terms(&s->own_case, (slice){a->move.bytes, a->move.length}, move);
  if (is_nil) text_add(move, "nil");
  recovery_unlock(&s->lock);
  return has_one || is_nil;
}

/* ---- the end ---- */

void sitting_leave(sitting *s) {
  recovery_lock(&s->lock);
  s->is_over = true;
  for (int r = 0; r < RANK_COUNT; r++)
    if (s->thinkers[r].is_started) tabia_limits_cancel(s->thinkers[r].limits);
  pthread_cond_broadcast(&s->news);
  recovery_unlock(&s->lock);
}

bool sitting_is_gone(sitting *s) {
  bool is_gone = true;
  for (int r = 0; r < RANK_COUNT; r++)
    is_gone = is_gone && (!s->thinkers[r].is_started || atomic_load(&s->thinkers[r].is_done));
  return is_gone;
}

void sitting_free(sitting *s) {
  if (!s) return;
  sitting_leave(s);
  for (int r = 0; r < RANK_COUNT; r++) {
    if (s->thinkers[r].is_started) pthread_join(s->thinkers[r].thread, NULL);
  }
  arena_free(s->guard);
  pthread_cond_destroy(&s->news);
  pthread_mutex_destroy(&s->lock);
  arena_free(s->told);
  arena_free(s->keep);
}
