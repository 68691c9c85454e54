/* What the tests of this folder share: a game that is read, played at random and surveyed. */
#ifndef TABIA_BOARD_BOARD_FIXTURE_H
#define TABIA_BOARD_BOARD_FIXTURE_H

#include "board/draw/drawing.h"
#include "board/find/find_layout.h"
#include "board/layout_text.h"
#include "rules/game_fixture.h"

typedef struct board_fixture {
  arena *keep;
  diag_sink d;
  source s;
  tree t;
  program p;
  budget b;
  machine *m;
  machine_workspace *w;
  void *position;
  samples samples;
  survey survey;
  layout layout;
} board_fixture;

static inline int set_up(void **state) {
  board_fixture *f = test_malloc(sizeof *f);
  *f = (board_fixture){.keep = arena_new(), .b = budget_new(0, 0)};
  diag_sink_init(&f->d, f->keep);
  *state = f;
  return 0;
}

static inline int tear_down(void **state) {
  board_fixture *f = *state;
  if (f->m) machine_workspace_free(f->m, f->w);
  machine_close(f->m);
  arena_free(f->keep);
  test_free(f);
  return 0;
}

static inline void read_rules(board_fixture *f, const char *words) {
  read_program(&f->p, &f->t, &f->s, words, f->keep, &f->d);
}

/* False: no machine can run it. */
static inline bool lay_out(board_fixture *f, const char *kind, const char *words) {
  read_rules(f, words);
  const machine_source from = {.program = &f->p};
  f->m = machine_open(kind, &from, &f->b, &f->d);
  if (!f->m) return false;
  f->w = machine_workspace_new(f->m, &f->b);
  f->position = arena_alloc(f->keep, f->m->position_size);
  machine_start(f->m, f->position);
  samples_take(&f->samples, f->m, 1, &f->b, f->keep);
  survey_make(&f->survey, &f->samples, &f->p, f->keep);
  find_layout(&f->layout, &f->survey, f->keep);
  return true;
}

static inline const char *layout_words(board_fixture *f) {
  text out = text_new(f->keep);
  layout_write(&f->layout, &f->samples, &out);
  return text_string(&out);
}

static inline picture picture_now(board_fixture *f) {
  picture p;
  picture_make(&p, &f->layout, &f->samples, f->w, f->position, f->keep);
  return p;
}

/* One role that does `MOVE`s of a board whose cells never change by themselves; `FACTS` are more of
   the rules. */
#define STILL_GAME(FACTS) \
  "(role robot) " FACTS " (legal robot wait) (<= (next ?f) (true ?f)) (goal robot 50)" \
  " (<= terminal (true over))"

/* Pieces of x and o on three columns of three rows. */
#define NOUGHTS \
  "(role x) (role o) (index 1) (index 2) (index 3) (init (control x))\n" \
  "(<= (legal ?p (put ?r ?c)) (true (control ?p)) (index ?r) (index ?c) (not (taken ?r ?c)))\n" \
  "(<= (taken ?r ?c) (true (cell ?r ?c ?p)))\n" \
  "(<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))\n" \
  "(<= (next (cell ?r ?c ?p)) (true (cell ?r ?c ?p)))\n" \
  "(<= (next (cell ?row ?col ?p)) (does ?p (put ?row ?col)))\n" \
  "(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))\n" \
  "(<= open (index ?r) (index ?c) (not (taken ?r ?c))) (<= terminal (not open))\n" \
  "(<= (goal ?p 50) (role ?p))\n"

#endif
