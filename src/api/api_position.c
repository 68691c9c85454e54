#include "api/api.h"

#include "base/hash.h"
#include "machine/state_view.h"

#include <string.h>

/* ---- workspaces ---- */

static void give_back_group(void *what) { arena_group_free(&((tabia_workspace *)what)->group); }

static void make_inner(void *context) {
  tabia_workspace *w = context;
  w->w = machine_workspace_new(w->of->m, &w->budget);
}

static tabia_workspace *new_workspace(const tabia_machine *m, budget limits) {
  arena *keep = arena_new();
  tabia_workspace *w = arena_alloc_zero(keep, sizeof *w);
  *w = (tabia_workspace){.keep = keep, .of = m, .budget = limits};
  w->guard = arena_guarding(give_back_group, w);
  if (!recovery_try(&w->group, make_inner, w)) recovery_fail();
  return w;
}

tabia_workspace *api_workspace_new(const tabia_machine *m, const tabia_limits *limits) {
  return new_workspace(m, api_part_budget(limits));
}

tabia_workspace *api_workspace_within(const tabia_machine *m, double seconds, size_t bytes) {
  if (bytes) recovery_charge(account_new(bytes));
  return new_workspace(m, budget_new(seconds, bytes));
}

tabia_workspace *tabia_workspace_new(const tabia_machine *m, const tabia_limits *limits) {
  API_GUARDED(tabia_workspace *, api_workspace_new(m, limits), NULL);
}

void tabia_workspace_free(tabia_workspace *w) {
  if (!w) return;
  machine_workspace_free(w->of->m, w->w);
  arena_free(w->guard);
  arena_free(w->keep);
}

tabia_status api_tell_trouble(tabia_messages *log, const machine_workspace *w,
                              const tabia_machine *m) {
  if (!w->trouble.is_there) return TABIA_OK;
  arena *scratch = arena_new();
  diag_sink d;
  diag_sink_init(&d, scratch);
  machine_report_trouble(w, &d);
  api_tell(log, &d, &m->rules->source);
  arena_free(scratch);
  return w->budget ? api_failure(w->budget) : TABIA_FAULTY;
}

tabia_status api_workspace_status(const tabia_workspace *w, tabia_messages *log) {
  return api_tell_trouble(log, w->w, w->of);
}

tabia_status tabia_workspace_status(const tabia_workspace *w, tabia_messages *log) {
  if (!w->w) return api_no_memory(log);
  API_GUARDED(tabia_status, api_workspace_status(w, log), api_no_memory(log));
}

/* ---- positions ---- */

size_t tabia_position_size(const tabia_machine *m) { return m->m->position_size; }

void tabia_position_start(const tabia_machine *m, void *position) { machine_start(m->m, position); }

uint64_t tabia_position_hash(const tabia_machine *m, const void *position) {
  return hash_bytes(position, m->m->position_size);
}

uint32_t tabia_position_fluents(const tabia_machine *m, const void *position, tabia_fluent *fluents,
                                uint32_t capacity) {
  return machine_fluents(m->m, position, fluents, capacity);
}

bool tabia_position_terminal(tabia_workspace *w, const void *position) {
  API_ASK(w, bool, machine_terminal(w->of->m, w->w, position), true);
}

uint32_t tabia_position_legal(tabia_workspace *w, const void *position, uint32_t role,
                              tabia_move *moves, uint32_t capacity) {
  API_ASK(w, uint32_t, machine_legal(w->of->m, w->w, position, role, moves, capacity), 0);
}

int32_t tabia_position_goal(tabia_workspace *w, const void *position, uint32_t role) {
  int32_t value;
  return tabia_position_goals(w, position, role, &value, 1) == 1 ? value : TABIA_NO_GOAL;
}

uint32_t tabia_position_goals(tabia_workspace *w, const void *position, uint32_t role,
                              int32_t *values, uint32_t capacity) {
  API_ASK(w, uint32_t, machine_goals(w->of->m, w->w, position, role, values, capacity), 0);
}

static bool step(tabia_workspace *w, const void *position, const tabia_move *joint, void *next) {
  machine_step(w->of->m, w->w, position, joint, next);
  return true;
}

static bool try_to_step(tabia_workspace *w, const void *position, const tabia_move *joint,
                        void *next) {
  API_ASK(w, bool, step(w, position, joint, next), false);
}

/* A position that is none must not get about. */
void tabia_position_step(tabia_workspace *w, const void *position, const tabia_move *joint,
                         void *next) {
  if (!try_to_step(w, position, joint, next)) memmove(next, position, w->of->m->position_size);
}

uint32_t tabia_position_sees(tabia_workspace *w, const void *position, const tabia_move *joint,
                             uint32_t role, tabia_percept *percepts, uint32_t capacity) {
  API_ASK(w, uint32_t, machine_sees(w->of->m, w->w, position, joint, role, percepts, capacity), 0);
}

/* ---- words ---- */

size_t api_give_text(text *words, char *out, size_t capacity) {
  const size_t length = words->length, shown = length < capacity ? length : capacity - 1;
  if (capacity) {
    memcpy(out, text_string(words), shown);
    out[shown] = '\0';
  }
  arena_free(words->keep);
  return length;
}

size_t api_give_nothing(char *out, size_t capacity) {
  if (capacity) out[0] = '\0';
  return 0;
}

static size_t move_text(const machine *m, uint32_t role, tabia_move move, char *out,
                        size_t capacity) {
  text words = text_new(arena_new());
  m->ops->move_text(m, role, move, &words);
  return api_give_text(&words, out, capacity);
}

size_t tabia_move_text(const tabia_machine *m, uint32_t role, tabia_move move, char *out,
                       size_t capacity) {
  API_GUARDED(size_t, move_text(m->m, role, move, out, capacity), api_give_nothing(out, capacity));
}

static size_t fluent_text(const machine *m, tabia_fluent f, char *out, size_t capacity) {
  text words = text_new(arena_new());
  m->ops->fluent_text(m, f, &words);
  return api_give_text(&words, out, capacity);
}

size_t tabia_fluent_text(const tabia_machine *m, tabia_fluent f, char *out, size_t capacity) {
  API_GUARDED(size_t, fluent_text(m->m, f, out, capacity), api_give_nothing(out, capacity));
}

static size_t percept_text(const machine *m, uint32_t role, tabia_percept s, char *out,
                           size_t capacity) {
  text words = text_new(arena_new());
  m->ops->percept_text(m, role, s, &words);
  return api_give_text(&words, out, capacity);
}

size_t tabia_percept_text(const tabia_machine *m, uint32_t role, tabia_percept s, char *out,
                          size_t capacity) {
  API_GUARDED(size_t, percept_text(m->m, role, s, out, capacity), api_give_nothing(out, capacity));
}

static bool find_move(tabia_workspace *w, const void *position, uint32_t role, const char *words,
                      tabia_move *move) {
  const machine *m = w->of->m;
  const arena_mark mark = arena_save(w->keep);
  uint32_t count = machine_legal(m, w->w, position, role, NULL, 0);
  move_id *moves = arena_new_array(w->keep, move_id, count + 1);
  bool found = false;
  count = machine_legal(m, w->w, position, role, moves, count);
  for (uint32_t i = 0; i < count && !found; i++) {
    found = strcmp(move_words(m, role, moves[i], w->keep), words) == 0;
    if (found) *move = moves[i];
  }
  arena_restore(w->keep, mark);
  return found;
}

bool tabia_move_find(tabia_workspace *w, const void *position, uint32_t role, const char *words,
                     tabia_move *move) {
  API_ASK(w, bool, find_move(w, position, role, words, move), false);
}
