#include "machine/compiled/compiled_machine.h"

#include "base/recovery.h"
#include "compile/c_build.h"
#include "compile/compile.h"
#include "compile/tabia_game.h"
#include "machine/compiled/compiled_cache.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_LEVEL = 1, BETTER_LEVEL = 3 };

/* A game that is over sooner is not worth a better build. */
#define PATIENCE_SECONDS 0.3

typedef const tabia_game *game_function(void);

typedef struct library {
  void *handle;           /* of dlopen; NULL: not loaded */
  int file;               /* open as long as it is loaded: see load() */
  const tabia_game *game; /* NULL: not loaded */
  arena *guard;           /* unloads it */
} library;

/* What the thread that builds a better game works with. */
typedef struct improver {
  pthread_t thread;
  arena *guard; /* stops the thread; NULL: it was not started */
  arena *keep;
  text whole;                        /* its own copy */
  volatile sig_atomic_t is_unwanted; /* the machine is being closed; read and set atomically */
  pthread_mutex_t lock;
  pthread_cond_t wakes; /* when is_unwanted has been set */
  library result;
} improver;

typedef struct compiled {
  machine base;
  arena *keep;
  compiled_cache cache;
  library first;
  improver improver;
  _Atomic(const tabia_game *) best; /* of `first` or of the improver */
} compiled;

typedef struct workspace {
  machine_workspace base;
  arena *keep;
  arena *guard; /* frees `inner` */
  compiled *machine;
  const tabia_game *game;
  void *inner; /* of `game` */
} workspace;

static compiled *of(const machine *m) { return (compiled *)(uintptr_t)m; }

/* ---- libraries ---- */

static void close_library(void *what) {
  const library *l = what;
  dlclose(l->handle);
  close(l->file);
}

static void unload(library *l) {
  arena_free(l->guard);
  *l = (library){0};
}

static const tabia_game *game_in(void *handle) {
  game_function *function = NULL;
  void *address = dlsym(handle, "tabia_game_entry");
  memcpy(&function, &address, sizeof function); /* C has no cast from data to functions */
  const tabia_game *game = function ? function() : NULL;
  return game && game->version == TABIA_GAME_VERSION ? game : NULL;
}

/* Takes the descriptor; -1 is allowed.  The dynamic linker takes a name that it knows for the
   library that it has already: while this one is loaded, no other gets the number. */
static bool load(library *l, int file) {
  char path[64];
  if (file < 0) return false;
  snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), file);
  *l = (library){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL), .file = file};
  if (!l->handle) {
    close(file);
    return false;
  }
  l->guard = arena_guarding(close_library, l);
  l->game = game_in(l->handle);
  if (!l->game) unload(l);
  return l->game;
}

/* Compiles into the folder of a build; gives a descriptor of the library, or -1 (reported). */
static int compile_in(const cache_build *x, const text *whole, uint32_t level, arena *keep,
                      budget *limits, diag_sink *d) {
  const c_build_options o = {.product = C_SHARED,
                             .level = level,
                             .symbol = "tabia_game_entry",
                             .output = x->output,
                             .temporary_folder = x->folder.path};
  if (!c_build(whole, &o, keep, limits, d)) return -1;
  const int file = compiled_cache_finish(x);
  if (file < 0)
    diag_add(d, DIAG_E808, SPAN_NONE, "%s cannot be written: %s", x->output, strerror(errno));
  return file;
}

static bool build(library *l, const compiled_cache *c, const char *name, const text *whole,
                  uint32_t level, arena *keep, budget *limits, diag_sink *d) {
  cache_build x;
  if (!compiled_cache_begin(&x, c, name, keep)) {
    diag_add(d, DIAG_E808, SPAN_NONE, "no folder can be made in %s: %s", c->folder.path,
             strerror(errno));
    return false;
  }
  const int file = compile_in(&x, whole, level, keep, limits, d);
  const bool is_loaded = load(l, file);
  compiled_cache_end(&x);
  if (file >= 0 && !is_loaded)
    diag_add(d, DIAG_E808, SPAN_NONE, "the compiled game cannot be loaded");
  return is_loaded;
}

static bool find_or_build(library *l, const compiled_cache *c, const text *whole, uint32_t level,
                          arena *keep, budget *limits, diag_sink *d) {
  const char *name = compiled_cache_name(whole, level, keep);
  if (load(l, compiled_cache_find(c, name))) return true;
  if (!build(l, c, name, whole, level, keep, limits, d)) return false;
  compiled_cache_prune(c, &cache_limits_usual);
  return true;
}

/* ---- the better build ---- */

static bool is_unwanted(const improver *x) {
  return __atomic_load_n(&x->is_unwanted, __ATOMIC_RELAXED);
}

static void wait_a_moment(improver *x) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += (long)(PATIENCE_SECONDS * 1e9);
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&x->lock);
  while (!is_unwanted(x) && pthread_cond_timedwait(&x->wakes, &x->lock, &until) == 0) continue;
  pthread_mutex_unlock(&x->lock);
}

static bool is_built(const compiled *m, uint32_t level) {
  const improver *x = &m->improver;
  const int file = compiled_cache_find(&m->cache, compiled_cache_name(&x->whole, level, x->keep));
  if (file >= 0) close(file);
  return file >= 0;
}

static void improve(void *context) {
  compiled *m = context;
  improver *x = &m->improver;
  if (!is_built(m, BETTER_LEVEL)) wait_a_moment(x);
  budget limits = budget_new(0, 0);
  limits.interrupted = &x->is_unwanted;
  diag_sink unheard;
  diag_sink_init(&unheard, x->keep);
  if (!is_unwanted(x) &&
      find_or_build(&x->result, &m->cache, &x->whole, BETTER_LEVEL, x->keep, &limits, &unheard))
    atomic_store(&m->best, x->result.game);
}

/* Without memory there is no better game. */
static void *try_to_improve(void *machine) {
  recovery_try(NULL, improve, machine);
  return NULL;
}

static void wake(improver *x) {
  pthread_mutex_lock(&x->lock);
  __atomic_store_n(&x->is_unwanted, 1, __ATOMIC_RELAXED);
  pthread_cond_signal(&x->wakes);
  pthread_mutex_unlock(&x->lock);
}

static void end_improver(void *what) {
  improver *x = what;
  wake(x);
  pthread_join(x->thread, NULL);
  pthread_mutex_destroy(&x->lock);
  pthread_cond_destroy(&x->wakes);
  unload(&x->result);
}

static void start_improver(compiled *m, const text *whole) {
  improver *x = &m->improver;
  x->keep = arena_new();
  x->whole = text_new(x->keep);
  text_add_bytes(&x->whole, whole->bytes, whole->length);
  pthread_mutex_init(&x->lock, NULL);
  pthread_cond_init(&x->wakes, NULL);
  if (pthread_create(&x->thread, NULL, try_to_improve, m) == 0)
    x->guard = arena_guarding(end_improver, x);
}

static void stop_improver(improver *x) {
  arena_free(x->guard);
  arena_free(x->keep);
}

/* ---- workspaces ---- */

static void set_trouble(workspace *w, const char *message) {
  w->base.trouble = (machine_trouble){
      .is_there = true, .kind = DIAG_E820, .where = SPAN_NONE, .message = message};
}

/* A game that fails goes on with nothing: every position reads as terminal. */
static void note_trouble(workspace *w) {
  const char *message = w->game->trouble(w->inner);
  if (!message || w->base.trouble.is_there) return;
  if (strcmp(message, TABIA_GAME_NO_MEMORY) == 0) recovery_fail();
  set_trouble(w, message);
}

static bool must_stop(void *context) { return budget_check_now(context); }

static void free_inner(void *what) {
  workspace *w = what;
  if (w->inner) w->game->workspace_free(w->inner);
  w->inner = NULL;
}

/* Goes over to a better game.  False: there is trouble. */
static bool renew(workspace *w, const tabia_game *best) {
  if (w->base.trouble.is_there) return false;
  free_inner(w);
  w->inner = best->workspace_new();
  if (!w->inner) recovery_fail();
  w->game = best;
  best->set_stop(w->inner, must_stop, w->base.budget);
  return true;
}

/* Whether there is a game to ask: the best so far.  Positions are the same for all. */
static inline bool is_ready(workspace *w) {
  const tabia_game *best = atomic_load_explicit(&w->machine->best, memory_order_acquire);
  return (w->game == best && !w->base.trouble.is_there) || renew(w, best);
}

static machine_workspace *workspace_new(const machine *m, budget *b) {
  arena *keep = arena_new();
  workspace *w = arena_alloc_zero(keep, sizeof *w);
  *w = (workspace){.base.budget = b, .keep = keep, .machine = of(m)};
  w->guard = arena_guarding(free_inner, w);
  return &w->base;
}

static void workspace_free(machine_workspace *base) {
  workspace *w = (workspace *)base;
  arena_free(w->guard);
  arena_free(w->keep);
}

/* ---- the calls ---- */

static void start(const machine *m, void *position) { of(m)->first.game->start(position); }

/* A game in trouble answers that a state is terminal, and lists nothing: only then it is asked. */

static bool terminal(const machine *m, machine_workspace *base, const void *position) {
  workspace *w = (workspace *)base;
  (void)m;
  if (!is_ready(w)) return true;
  const bool result = w->game->terminal(w->inner, position);
  if (result) note_trouble(w);
  return result;
}

static uint32_t legal(const machine *m, machine_workspace *base, const void *position,
                      uint32_t role, move_id *moves, uint32_t capacity) {
  workspace *w = (workspace *)base;
  (void)m;
  if (!is_ready(w)) return 0;
  const uint32_t count = w->game->legal(w->inner, position, role, moves, capacity);
  if (!count) note_trouble(w);
  return count;
}

static uint32_t goals(const machine *m, machine_workspace *base, const void *position,
                      uint32_t role, int32_t *values, uint32_t capacity) {
  workspace *w = (workspace *)base;
  (void)m;
  if (!is_ready(w)) return 0;
  const uint32_t count = w->game->goals(w->inner, position, role, values, capacity);
  if (!count) note_trouble(w);
  return count;
}

static void step(const machine *m, machine_workspace *base, const void *position,
                 const move_id *joint, void *next) {
  workspace *w = (workspace *)base;
  (void)m;
  if (!is_ready(w)) return;
  w->game->step(w->inner, position, joint, next);
  note_trouble(w);
}

static uint32_t sees(const machine *m, machine_workspace *base, const void *position,
                     const move_id *joint, uint32_t role, percept_id *percepts, uint32_t capacity) {
  workspace *w = (workspace *)base;
  (void)m;
  if (!is_ready(w)) return 0;
  const uint32_t count = w->game->sees(w->inner, position, joint, role, percepts, capacity);
  if (!count) note_trouble(w);
  return count;
}

static uint32_t fluents(const machine *m, const void *position, fluent_id *ids, uint32_t capacity) {
  return of(m)->first.game->fluents(position, ids, capacity);
}

static fluent_id find_fluent(const machine *m, const char *canonical) {
  return of(m)->first.game->find_fluent(canonical);
}

static bool place_fluents(const machine *m, const fluent_id *ids, uint32_t count, void *position) {
  return of(m)->first.game->place(ids, count, position);
}

/* ---- texts ---- */

typedef size_t text_function(uint32_t number, char *bytes, size_t capacity);

static void add_text(text_function *words, uint32_t number, text *out) {
  char brief[256];
  const size_t length = words(number, brief, sizeof brief);
  if (length < sizeof brief) {
    text_add_bytes(out, brief, length);
    return;
  }
  char *whole = arena_alloc(out->keep, length + 1);
  words(number, whole, length + 1);
  text_add_bytes(out, whole, length);
}

static void fluent_text(const machine *m, fluent_id f, text *out) {
  add_text(of(m)->first.game->fluent_text, f, out);
}

static void move_text(const machine *m, uint32_t role, move_id move, text *out) {
  (void)role;
  add_text(of(m)->first.game->move_text, move, out);
}

static void percept_text(const machine *m, uint32_t role, percept_id percept, text *out) {
  (void)role;
  add_text(of(m)->first.game->percept_text, percept, out);
}

/* ---- opening ---- */

static void close_machine(machine *base) {
  compiled *m = of(base);
  stop_improver(&m->improver);
  unload(&m->first);
  compiled_cache_close(&m->cache);
  arena_free(m->keep);
}

/* The whole C text, in `keep`; the stages that led to it are forgotten. */
static bool write_game(const program *p, knowledge_base kb, text *whole, budget *b, diag_sink *d) {
  arena *stages = arena_new();
  budget_watch(b, stages);
  text game = text_new(stages);
  compilation c;
  const compile_options o = {.name = "game", .kb = kb};
  const bool ok = compile_game(&c, p, &o, COMPILE_C, stages, b, d, &game);
  if (ok) c_write_whole(&game, whole);
  budget_unwatch(b, stages);
  arena_free(stages);
  return ok;
}

machine *compiled_machine_open(const machine_source *source, const compiled_options *o, budget *b,
                               diag_sink *d) {
  arena *keep = arena_new();
  compiled *m = arena_alloc_zero(keep, sizeof *m);
  m->base.ops = &compiled_machine;
  m->keep = keep;
  m->cache.folder.descriptor = -1;
  text whole = text_new(keep);
  if (!write_game(source->program, o->kb, &whole, b, d) ||
      !compiled_cache_open(&m->cache, keep, d) ||
      !find_or_build(&m->first, &m->cache, &whole, o->is_built_once ? o->level : FIRST_LEVEL, keep,
                     b, d)) {
    close_machine(&m->base);
    return NULL;
  }
  m->base.position_size = m->first.game->position_size;
  m->base.role_count = m->first.game->role_count;
  m->base.roles = m->first.game->roles;
  atomic_store(&m->best, m->first.game);
  if (!o->is_built_once) start_improver(m, &whole);
  return &m->base;
}

static machine *open_machine(const machine_source *source, budget *b, diag_sink *d) {
  return compiled_machine_open(source, &(compiled_options){.kb = KB_DENSE}, b, d);
}

const machine_ops compiled_machine = {
    .name = "compiled",
    .summary = "the rules as C, compiled when the game is opened",
    .open = open_machine,
    .close = close_machine,
    .workspace_new = workspace_new,
    .workspace_free = workspace_free,
    .start = start,
    .terminal = terminal,
    .legal = legal,
    .goals = goals,
    .step = step,
    .sees = sees,
    .fluents = fluents,
    .find_fluent = find_fluent,
    .place = place_fluents,
    .fluent_text = fluent_text,
    .move_text = move_text,
    .percept_text = percept_text,
};
