#include "machine/trace.h"

#include "base/json.h"
#include "base/sha1.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static void write_header(const machine *m, const trace_options *o, text *out) {
  json_writer w = json_to(out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", o->game);
  json_open_array(&w, "roles");
  for (uint32_t i = 0; i < m->role_count; i++) json_put_string(&w, NULL, m->roles[i]);
  json_close_array(&w);
  json_put_integer(&w, "seed", (int64_t)o->seed);
  json_close_object(&w);
}

static void write_legal(json_writer *w, const role_view *r) {
  char hex[SHA1_HEX_SIZE];
  list_sha1(&r->texts, hex);
  json_open_array(w, r->name);
  json_put_integer(w, NULL, r->texts.count);
  json_put_string(w, NULL, hex);
  json_close_array(w);
}

static void write_goals(json_writer *w, const role_view *r) {
  if (r->goal_count == 0) {
    json_put_null(w, r->name);
  } else if (r->goal_count == 1) {
    json_put_integer(w, r->name, r->goals[0]);
  } else {
    json_open_array(w, r->name);
    for (uint32_t i = 0; i < r->goal_count; i++) json_put_integer(w, NULL, r->goals[i]);
    json_close_array(w);
  }
}

static void write_roles(json_writer *w, const char *key, const state_view *v,
                        void (*write)(json_writer *, const role_view *)) {
  json_open_object(w, key);
  for (uint32_t i = 0; i < v->role_count; i++) write(w, &v->roles[i]);
  json_close_object(w);
}

static void write_moves(json_writer *w, const state_view *v, const uint32_t *choices) {
  json_open_object(w, "moves");
  for (uint32_t i = 0; i < v->role_count; i++)
    json_put_string(w, v->roles[i].name, v->roles[i].texts.items[choices[i]]);
  json_close_object(w);
}

/* `choices` is NULL in the last line. */
static void write_state(uint64_t step, const state_view *v, const uint32_t *choices, text *out) {
  char hex[SHA1_HEX_SIZE];
  json_writer w = json_to(out);
  list_sha1(&v->fluents, hex);
  json_open_object(&w, NULL);
  json_put_integer(&w, "step", (int64_t)step);
  json_put_integer(&w, "fluents", v->fluents.count);
  json_put_string(&w, "state", hex);
  write_roles(&w, "legal", v, write_legal);
  json_put_bool(&w, "terminal", v->terminal);
  write_roles(&w, "goals", v, write_goals);
  if (choices) write_moves(&w, v, choices);
  json_close_object(&w);
}

/* ---- playing ---- */

static uint32_t seeded_choice(uint64_t seed, uint64_t step, const role_view *r, arena *scratch) {
  char hex[SHA1_HEX_SIZE];
  text key = text_new(scratch);
  sha1 s;
  text_add_format(&key, "%llu/%llu/%s", (unsigned long long)seed, (unsigned long long)step,
                  r->name);
  sha1_init(&s);
  sha1_add(&s, key.bytes, key.length);
  sha1_hex(&s, hex);
  hex[12] = '\0';
  return (uint32_t)(strtoull(hex, NULL, 16) % r->texts.count);
}

typedef struct game_run {
  const machine *m;
  machine_workspace *w;
  const trace_options *o;
  arena *keep;
  arena *scratch; /* cleared for each state */
  void *position;
  id_vec line; /* moves so far, role by role */
  game_fault *fault;
  void (*put)(void *context, const char *line);
  void *context;
} game_run;

/* Which of the role's moves has this text; one has. */
static uint32_t choice_of(const role_view *r, const char *words) {
  for (uint32_t i = 0; i < r->texts.count; i++)
    if (strcmp(r->texts.items[i], words) == 0) return i;
  assert(false);
  return 0;
}

static move_id *choose_moves(game_run *g, uint64_t step, const state_view *v, uint32_t *choices) {
  const uint32_t start = g->line.count;
  const char *const *moves = g->o->moves;
  for (uint32_t i = 0; i < v->role_count; i++) {
    choices[i] = moves ? choice_of(&v->roles[i], moves[step * v->role_count + i])
                       : seeded_choice(g->o->seed, step, &v->roles[i], g->scratch);
    vec_push(g->keep, &g->line, v->roles[i].moves[choices[i]]);
  }
  return vec_from(&g->line, start);
}

static void put_state(const game_run *g, uint64_t step, const state_view *v,
                      const uint32_t *choices) {
  text line = text_new(g->scratch);
  write_state(step, v, choices, &line);
  g->put(g->context, text_string(&line));
}

/* Why the game does not continue here, if so. */
static bool has_ended(const game_run *g, uint64_t step, const state_view *v, trace_end *end) {
  if (v->terminal)
    *end = TRACE_TERMINAL;
  else if (view_stuck_role(v) < v->role_count)
    *end = TRACE_STUCK;
  else if (step >= g->o->max_steps)
    *end = TRACE_STEP_LIMIT;
  else
    return false;
  return true;
}

static fault_kind fault_at_end(const state_view *v, trace_end end, uint32_t *role) {
  *role = end == TRACE_STUCK ? view_stuck_role(v) : view_unjudged_role(v);
  if (end == TRACE_STUCK) return FAULT_STUCK;
  if (end != TRACE_TERMINAL || *role == v->role_count) return FAULT_NONE;
  return v->roles[*role].goal_count ? FAULT_SEVERAL_GOALS : FAULT_NO_GOAL;
}

static void note_fault(game_run *g, uint32_t step, const state_view *v, trace_end end) {
  uint32_t role;
  const fault_kind kind = fault_at_end(v, end, &role);
  *g->fault = (game_fault){
      .kind = kind, .role = role, .position = g->position, .line = g->line.items, .length = step};
}

static bool is_over(machine_workspace *w) {
  if (!w->trouble.is_there && budget_is_spent(w->budget))
    w->trouble = (machine_trouble){.is_there = true,
                                   .kind = DIAG_E801,
                                   .where = SPAN_NONE,
                                   .message = "the game was not played to its end"};
  return w->trouble.is_there;
}

/* Writes the state and makes the moves.  False: that was the last. */
static bool play_step(game_run *g, uint64_t step, trace_end *end) {
  state_view v;
  *end = TRACE_TROUBLE;
  if (is_over(g->w)) return false;
  if (!state_view_read(&v, g->m, g->w, g->position, g->scratch)) return false;
  if (has_ended(g, step, &v, end)) {
    put_state(g, step, &v, NULL);
    note_fault(g, (uint32_t)step, &v, *end);
    return false;
  }
  uint32_t *choices = arena_new_array(g->scratch, uint32_t, v.role_count);
  const move_id *joint = choose_moves(g, step, &v, choices);
  put_state(g, step, &v, choices);
  machine_step(g->m, g->w, g->position, joint, g->position);
  return true;
}

trace_end trace_write(const machine *m, machine_workspace *w, const trace_options *o,
                      void (*put)(void *context, const char *line), void *context, arena *keep,
                      game_fault *fault) {
  game_run g = {.m = m,
                .w = w,
                .o = o,
                .keep = keep,
                .scratch = arena_new(),
                .fault = fault,
                .put = put,
                .context = context};
  text header = text_new(keep);
  trace_end end;
  *fault = (game_fault){0};
  write_header(m, o, &header);
  put(context, text_string(&header));
  g.position = arena_alloc(keep, m->position_size);
  machine_start(m, g.position);
  for (uint64_t step = 0; play_step(&g, step, &end); step++) arena_clear(g.scratch);
  arena_free(g.scratch);
  return end;
}
