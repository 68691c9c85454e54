#include "base/rng.h"
#include "board/board_fixture.h"
#include "ground/random_game_fixture.h"

static uint32_t facts_shown(const picture *p) {
  uint32_t shown = p->rest.count;
  for (uint32_t i = 0; i < p->boards.count; i++) shown += p->boards.items[i].items.count;
  return shown;
}

static void assert_drawn(board_fixture *f) {
  const picture p = picture_now(f);
  text out = text_new(f->keep);
  assert_int_equal(facts_shown(&p), machine_fluents(f->m, f->position, NULL, 0));
  picture_write_text(&p, &out);
  picture_write_json(&p, &out);
  picture_write_svg(&p, &out);
}

/* ---- what is shown ---- */

static void every_fact_is_on_a_cell_or_in_the_rest(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", NOUGHTS));
  assert_drawn(f);
}

static bool step(board_fixture *f, rng *r) {
  move_id joint[8], moves[64];
  if (machine_terminal(f->m, f->w, f->position)) return false;
  for (uint32_t i = 0; i < f->m->role_count; i++) {
    const uint32_t count = machine_legal(f->m, f->w, f->position, i, moves, 64);
    if (!count || count > 64) return false;
    joint[i] = moves[rng_below(r, count)];
  }
  machine_step(f->m, f->w, f->position, joint, f->position);
  return true;
}

static void draw_random_game(uint32_t seed) {
  void *state;
  set_up(&state);
  board_fixture *f = state;
  rng r = rng_new(seed, 7);
  const char *rules = random_game_text(&r, f->keep);
  if (lay_out(f, seed % 2 ? "circuit" : "reference", rules)) {
    assert_drawn(f);
    for (uint32_t i = 0; i < 5 && step(f, &r); i++) assert_drawn(f);
  }
  tear_down(&state);
}

static void random_games_are_drawn_with_all_their_facts(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < 60; seed++) draw_random_game(seed);
}

/* ---- clicks ---- */

static void arguments_that_name_a_cell_are_a_click_on_it(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", NOUGHTS));
  const picture p = picture_now(f);
  assert_int_equal(p.moves.count, 9 + 1);
  const picture_move *m = &p.moves.items[1]; /* (put 1 2) */
  assert_int_equal(m->clicks.count, 1);
  const board_cell *c = &p.boards.items[0].cells[m->clicks.items[0].cells.items[0]];
  assert_true(c->x == 1 && c->y == 0);
  assert_false(m->needs_menu);
}

static void a_move_without_arguments_is_a_click_on_what_it_changes(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(
      f, "circuit",
      "(role ant) (init (at 2 2)) (succ 1 2) (succ 2 3) (legal ant north) (legal ant east)\n"
      "(<= (next (at ?x ?y)) (true (at ?x ?z)) (succ ?z ?y) (does ant north))\n"
      "(<= (next (at ?x ?y)) (true (at ?z ?y)) (succ ?z ?x) (does ant east))\n"
      "(<= (base (at ?x ?y)) (index ?x) (index ?y)) (index 1) (index 2) (index 3)\n"
      "(init (food 1 1)) (init (food 2 3)) (init (food 3 2)) (init (food 3 3)) (init (food 1 2))\n"
      "(init (food 1 3)) (init (food 2 1)) (init (food 2 2)) (init (food 3 1))\n"
      "(<= (next (food ?x ?y)) (true (food ?x ?y)))\n"
      "(<= terminal (true (at 3 ?y))) (<= terminal (true (at ?x 3))) (goal ant 50)"));
  const picture p = picture_now(f);
  assert_int_equal(p.moves.count, 2);
  for (uint32_t i = 0; i < 2; i++) {
    assert_true(p.moves.items[i].is_by_effect);
    assert_false(p.moves.items[i].needs_menu);
  }
}

/* ---- names ---- */

static void names_with_markup_are_escaped(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit",
                      STILL_GAME("(init (cell 1 1 <b>&\"x\")) (init (cell 1 2 <b>&\"x\"))"
                                 "(init (cell 2 1 <script>)) (init (cell 2 2 o))"
                                 "(init (say </svg>))")));
  const picture p = picture_now(f);
  text svg = text_new(f->keep);
  picture_write_svg(&p, &svg);
  assert_null(strstr(svg.bytes, "<script"));
  assert_null(strstr(svg.bytes, "<b>"));
  assert_non_null(strstr(svg.bytes, "&lt;script&gt;"));
  assert_non_null(strstr(svg.bytes, "&lt;/svg&gt;"));
}

static void text_shows_rows_and_columns(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit",
                      STILL_GAME("(init (cell 1 1 x)) (init (cell 1 2 empty)) (init (cell 2 1 o))"
                                 "(init (cell 2 2 empty)) (init (step 3))")));
  const picture p = picture_now(f);
  text out = text_new(f->keep);
  picture_write_text(&p, &out);
  assert_string_equal(text_string(&out), "1  x o\n2  . .\n   1 2\n\nstep: 3\n");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(every_fact_is_on_a_cell_or_in_the_rest),
      cmocka_unit_test(random_games_are_drawn_with_all_their_facts),
      CASE(arguments_that_name_a_cell_are_a_click_on_it),
      CASE(a_move_without_arguments_is_a_click_on_what_it_changes),
      CASE(names_with_markup_are_escaped),
      CASE(text_shows_rows_and_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
