#include "base/rng.h"
#include "machine/lane_fixture.h"
#include "machine/lanes/lane_steps.h"

enum { SWITCHES = 150 };

/* Switches that stay as they are unless one is flipped; those that are on can be seen. */
static const char *switches(arena *keep) {
  text words = text_new(keep);
  text_add(&words,
           "(role r) (legal r wait) (<= (legal r (flip ?x)) (x ?x))\n"
           "(<= (legal r (off ?x)) (true (on ?x)))\n"
           "(<= (next (on ?x)) (true (on ?x)) (not (does r (flip ?x))) (not (does r (off ?x))))\n"
           "(<= (next (on ?x)) (x ?x) (not (true (on ?x))) (does r (flip ?x)))\n"
           "(<= terminal (true (on 7)) (true (on 149))) (<= (goal r 1) (true (on 64)))\n"
           "(<= (goal r 2) (not (true (on 64)))) (<= (sees r ?x) (true (on ?x)) (does r wait))\n");
  for (int i = 0; i < SWITCHES; i++) text_add_format(&words, "(x %d) ", i);
  return text_string(&words);
}

typedef struct steps_fixture {
  lane_game *l;
  lane_steps s;
  uint32_t words;
  uint64_t *from, *to; /* positions */
  move_id *joints;
  rng r;
} steps_fixture;

static steps_fixture begin(machine_fixture *f) {
  open_game(f, switches(f->keep));
  steps_fixture x = {.l = lane_game_new(f, NET_STEPS, lane_engine_best(), lane_jit_is_possible()),
                     .r = rng_new(11, 0)};
  x.words = grounded_words(&x.l->g);
  lane_stepper *stepper = arena_alloc_zero(f->keep, sizeof *stepper);
  assert_true(lane_stepper_init(stepper, &x.l->g.circuit, x.words * 8, UINT32_MAX, f->keep, NULL));
  lane_steps_init(&x.s, stepper, f->keep);
  assert_int_equal(x.l->g.circuit.latches.count, SWITCHES);
  x.from = arena_zero_array(f->keep, uint64_t, LANES * x.words);
  x.to = arena_zero_array(f->keep, uint64_t, LANES * x.words);
  x.joints = arena_zero_array(f->keep, move_id, LANES);
  return x;
}

static void end(steps_fixture *x) {
  lane_code code = x->s.s->code;
  lane_code_free(&code);
  lane_game_free(x->l);
}

static void draw_positions(steps_fixture *x, uint32_t count) {
  for (uint32_t i = 0; i < count * x->words; i++) {
    x->from[i] = rng_next(&x->r);
    if (i % x->words == x->words - 1) x->from[i] &= (UINT64_C(1) << SWITCHES % 64) - 1;
  }
}

static bool bit_of(const uint64_t *position, uint32_t latch) {
  return position[latch / 64] >> latch % 64 & 1;
}

static move_id move_called(const steps_fixture *x, const char *words, arena *keep) {
  for (move_id i = 0; i < x->l->g.circuit.moves.count; i++) {
    text one = text_new(keep);
    grounded_move_text(&x->l->g, 0, i, &one);
    if (strcmp(text_string(&one), words) == 0) return i;
  }
  fail_msg("no move %s", words);
  return MOVE_NONE;
}

/* The latch of a switch. */
static uint32_t latch_of(const steps_fixture *x, int number, arena *keep) {
  char words[24];
  snprintf(words, sizeof words, "(on %d)", number);
  const circuit *c = &x->l->g.circuit;
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    text one = text_new(keep);
    grounded_fluent_text(&x->l->g, i, &one);
    if (strcmp(text_string(&one), words) == 0)
      return c->gates.items[wire_gate(c->fluents.items[i].now)].number;
  }
  fail_msg("no fluent %s", words);
  return ID_NONE;
}

static const uint32_t counts[] = {1, 2, 63, 64, 65, 128, 300, 511, 512};

static void what_does_not_change_comes_out_as_it_went_in(void **state) {
  machine_fixture *f = *state;
  steps_fixture x = begin(f);
  for (uint32_t i = 0; i < LANES; i++) x.joints[i] = move_called(&x, "wait", f->keep);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    draw_positions(&x, counts[i]);
    lane_steps_load(&x.s, x.from, counts[i]);
    lane_steps_set_moves(&x.s, x.joints);
    lane_steps_run(&x.s, PHASE_NEXT);
    memset(x.to, 0x55, LANES * x.words * sizeof *x.to);
    lane_steps_store_next(&x.s, x.to);
    assert_memory_equal(x.from, x.to, counts[i] * x.words * sizeof *x.to);
    for (uint32_t k = counts[i] * x.words; k < LANES * x.words; k++)
      assert_true(x.to[k] == UINT64_C(0x5555555555555555));
  }
  end(&x);
}

/* Each state makes a move of its own. */
static void every_state_goes_its_own_way(void **state) {
  machine_fixture *f = *state;
  steps_fixture x = begin(f);
  uint32_t changed[LANES];
  draw_positions(&x, LANES);
  for (uint32_t i = 0; i < LANES; i++) {
    char words[24];
    const int number = (int)rng_below(&x.r, SWITCHES);
    snprintf(words, sizeof words, "(flip %d)", number);
    x.joints[i] = move_called(&x, words, f->keep);
    changed[i] = latch_of(&x, number, f->keep);
  }
  lane_steps_load(&x.s, x.from, LANES);
  lane_steps_set_moves(&x.s, x.joints);
  lane_steps_run(&x.s, PHASE_NEXT);
  lane_steps_store_next(&x.s, x.to);
  for (uint32_t i = 0; i < LANES; i++) {
    x.from[i * x.words + changed[i] / 64] ^= UINT64_C(1) << changed[i] % 64;
    assert_memory_equal(x.from + i * x.words, x.to + i * x.words, x.words * sizeof *x.to);
  }
  end(&x);
}

static void assert_answers(steps_fixture *x, uint32_t count, const uint32_t *latches) {
  const circuit *c = &x->l->g.circuit;
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t *p = x->from + i * x->words;
    lane_steps_run(&x->s, PHASE_TERMINAL);
    assert_int_equal(lane_steps_bit(&x->s, x->s.s->net.terminal, i),
                     bit_of(p, latches[0]) && bit_of(p, latches[1]));
    lane_steps_run(&x->s, PHASE_GOALS);
    for (uint32_t k = 0; k < c->goals.count; k++)
      assert_int_equal(lane_steps_bit(&x->s, x->s.s->net.goals + k, i),
                       bit_of(p, latches[2]) == (x->l->g.goal_values[k] == 1));
    lane_steps_run(&x->s, PHASE_LEGAL);
    uint32_t legal = 0, on = 0;
    for (uint32_t k = 0; k < c->moves.count; k++)
      legal += lane_steps_bit(&x->s, x->s.s->net.legal + k, i);
    for (uint32_t k = 0; k < SWITCHES; k++) on += bit_of(p, k);
    assert_int_equal(legal, 1 + SWITCHES + on);
  }
}

/* Phases may be asked for in any order. */
static void answers_are_those_of_each_state(void **state) {
  machine_fixture *f = *state;
  steps_fixture x = begin(f);
  const uint32_t latches[] = {latch_of(&x, 7, f->keep), latch_of(&x, 149, f->keep),
                              latch_of(&x, 64, f->keep)};
  draw_positions(&x, 70);
  lane_steps_load(&x.s, x.from, 70);
  assert_answers(&x, 70, latches);
  draw_positions(&x, 70);
  lane_steps_load(&x.s, x.from, 70);
  assert_answers(&x, 70, latches);
  end(&x);
}

static void other_moves_can_be_tried_in_the_same_states(void **state) {
  machine_fixture *f = *state;
  steps_fixture x = begin(f);
  const move_id tried[] = {move_called(&x, "wait", f->keep), move_called(&x, "(flip 3)", f->keep),
                           move_called(&x, "wait", f->keep)};
  const uint32_t latch = latch_of(&x, 3, f->keep);
  draw_positions(&x, 1);
  lane_steps_load(&x.s, x.from, 1);
  for (uint32_t i = 0; i < 3; i++) {
    lane_steps_set_moves(&x.s, &tried[i]);
    lane_steps_run(&x.s, PHASE_NEXT);
    lane_steps_store_next(&x.s, x.to);
    assert_int_equal(bit_of(x.to, latch) != bit_of(x.from, latch), i == 1);
    for (uint32_t k = 0; k < x.l->g.circuit.percepts.count; k++)
      assert_true(i != 1 || !lane_steps_bit(&x.s, x.s.s->net.percepts + k, 0));
  }
  end(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(what_does_not_change_comes_out_as_it_went_in),
      a_test(every_state_goes_its_own_way),
      a_test(answers_are_those_of_each_state),
      a_test(other_moves_can_be_tried_in_the_same_states),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
