/* What the tests of this folder and of search/ share: a game that runs. */
#ifndef TABIA_MACHINE_MACHINE_FIXTURE_H
#define TABIA_MACHINE_MACHINE_FIXTURE_H

#include "machine/reference/reference.h"
#include "machine/state_view.h"
#include "rules/game_fixture.h"

typedef struct machine_fixture {
  arena *keep;
  diag_sink d;
  source s;
  tree t;
  program p;
  budget b;
  machine *m;
  machine_workspace *w;
  void *position;
  state_view view;
} machine_fixture;

static inline int set_up(void **state) {
  machine_fixture *f = test_malloc(sizeof *f);
  *f = (machine_fixture){.keep = arena_new(), .b = budget_new(0, 0)};
  diag_sink_init(&f->d, f->keep);
  *state = f;
  return 0;
}

static inline void close_game(machine_fixture *f) {
  if (f->m) machine_workspace_free(f->m, f->w);
  machine_close(f->m);
  f->m = NULL;
}

static inline int tear_down(void **state) {
  machine_fixture *f = *state;
  close_game(f);
  arena_free(f->keep);
  test_free(f);
  return 0;
}

/* In place of the game that was open, if there was one. */
static inline bool open_text(machine_fixture *f, const char *words) {
  close_game(f);
  read_program(&f->p, &f->t, &f->s, words, f->keep, &f->d);
  const machine_source from = {.program = &f->p};
  f->m = machine_open("reference", &from, &f->b, &f->d);
  if (!f->m) return false;
  f->w = machine_workspace_new(f->m, &f->b);
  f->position = arena_alloc(f->keep, f->m->position_size);
  machine_start(f->m, f->position);
  return true;
}

static inline void open_game(machine_fixture *f, const char *words) {
  assert_true(open_text(f, words));
}

static inline const char *builtin_text(machine_fixture *f, const char *name) {
  return read_game_file(name, f->keep, &f->d);
}

static inline void open_builtin(machine_fixture *f, const char *name) {
  open_game(f, builtin_text(f, name));
}

static inline void look(machine_fixture *f) {
  assert_true(state_view_read(&f->view, f->m, f->w, f->position, f->keep));
}

/* The list with a blank between its items. */
static inline const char *joined(machine_fixture *f, const text_list *l) {
  text out = text_new(f->keep);
  for (uint32_t i = 0; i < l->count; i++) text_add_format(&out, "%s%s", i ? " " : "", l->items[i]);
  return text_string(&out);
}

static inline const char *fluents_now(machine_fixture *f) {
  look(f);
  return joined(f, &f->view.fluents);
}

static inline const char *moves_now(machine_fixture *f, uint32_t role) {
  look(f);
  return joined(f, &f->view.roles[role].texts);
}

static inline const char *goals_now(machine_fixture *f, uint32_t role) {
  text out = text_new(f->keep);
  look(f);
  for (uint32_t i = 0; i < f->view.roles[role].goal_count; i++)
    text_add_format(&out, "%s%d", i ? " " : "", f->view.roles[role].goals[i]);
  return text_string(&out);
}

static inline move_id move_named(machine_fixture *f, uint32_t role, const char *words) {
  look(f);
  const move_id move = view_find_move(&f->view.roles[role], words);
  assert_int_not_equal(move, MOVE_NONE);
  return move;
}

/* Steps a game of one role. */
static inline void make_move(machine_fixture *f, const char *words) {
  const move_id joint[] = {move_named(f, 0, words)};
  machine_step(f->m, f->w, f->position, joint, f->position);
}

/* The state cannot be evaluated: this is why, and this line is to blame (0: none). */
static inline void assert_trouble(machine_fixture *f, diag_kind kind, uint32_t line) {
  assert_false(state_view_read(&f->view, f->m, f->w, f->position, f->keep));
  const machine_trouble *t = &f->w->trouble;
  assert_string_equal(diag_infos[t->kind].code, diag_infos[kind].code);
  assert_int_equal(t->where.start == UINT32_MAX ? 0 : source_place(&f->s, t->where.start).line,
                   line);
}

/* A compound is no role, even if a role is in it: nobody may do, get or see what is said of one. */
#define COMPOUNDS_ARE_NO_ROLES \
  "(role r) (role s) (init (turn (cc r 1))) (init (left 3)) (down 3 2) (down 2 1)" \
  "(<= (legal ?p (a ?n)) (role ?p) (true (left ?n)))" \
  "(legal (cc r) b) (<= (legal (cc r 1) (c ?n)) (true (left ?n)))" \
  "(<= (legal ?p d) (true (turn ?p)))" \
  "(<= (next (left ?m)) (true (left ?n)) (down ?n ?m)) (<= (next (turn ?p)) (true (turn ?p)))" \
  "(<= (next marked) (does (cc r) b)) (<= (next marked) (does (cc ?p 1) ?m))" \
  "(<= terminal (true (left 1))) (goal r 40) (goal s 30) (goal (cc r) 70) (goal (pair r 60) 80)" \
  "(<= (goal ?p 90) (true (turn ?p))) (<= (sees ?p (did ?m)) (does ?p ?m))" \
  "(<= (sees (cc r) secret) (does r ?m)) (<= (sees (cc ?p 1) (did ?m)) (does ?p ?m))" \
  "(<= (sees ?p d) (true (turn ?p)))"

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
