/* Batches and what is known of single games; include/tabia.h has the rest (api_batch_test.c). */
#include "search/batch.h"

#include "machine/machine_fixture.h"
#include "search/playout.h"

enum { LANES_USED = 9, EACH = 3 };

static machine *open_kind(machine_fixture *f, const char *kind) {
  const machine_source from = {.program = &f->p};
  machine *m = machine_open(kind, &from, &f->b, &f->d);
  assert_non_null(m);
  return m;
}

/* On machines that take states one by one. */
static void games_from_lanes_are_playouts(void **state) {
  machine_fixture *f = *state;
  static const char *const kinds[] = {"circuit", "datalog", "reference"};
  open_builtin(f, "three-player-tic-tac-toe");
  for (uint32_t k = 0; k < 3; k++) {
    machine *m = open_kind(f, kinds[k]);
    machine_workspace *w = machine_workspace_new(m, NULL);
    batch *b = batch_new(m, LANES_USED, 2, NULL);
    player p;
    int32_t goals[LANES_USED * EACH * 3];
    const bundle_games games = {.seed = 3, .first = 100, .each = EACH};
    player_init(&p, m, w, f->keep);
    batch_play(b, &games, goals);
    for (uint32_t i = 0; i < LANES_USED * EACH; i++) {
      rng r = rng_new(3, 100 + i);
      assert_int_equal(playout(&p, &r, 0), PLAYOUT_TERMINAL);
      assert_memory_equal(goals + i * 3, p.goals, 3 * sizeof *goals);
    }
    batch_free(b);
    machine_workspace_free(m, w);
    machine_close(m);
  }
}

typedef struct sums {
  double sum, squares;
} sums;

static sums play_all(const machine *m, uint32_t lanes, uint32_t each, arena *keep) {
  batch *b = batch_new(m, lanes, 2, NULL);
  int32_t *goals = arena_new_array(keep, int32_t, (size_t)lanes * each * m->role_count);
  const bundle_games games = {.seed = 8, .each = each};
  sums s = {0, 0};
  batch_play(b, &games, goals);
  for (uint32_t i = 0; i < lanes * each; i++) {
    const double goal = goals[(size_t)i * m->role_count];
    s.sum += goal;
    s.squares += goal * goal;
  }
  batch_free(b);
  return s;
}

/* Turns, moves at once, chance: the mean goal is the same within five errors. */
static void games_are_worth_the_same_on_every_machine(void **state) {
  machine_fixture *f = *state;
  static const char *const names[] = {"connect-four", "tron", "monty-hall", "kuhn-poker"};
  enum { FEW = 2000, MANY = 40000 };
  for (uint32_t i = 0; i < 4; i++) {
    void *own;
    set_up(&own);
    machine_fixture *g = own;
    open_builtin(g, names[i]);
    machine *circuit = open_kind(g, "circuit"), *lanes = open_kind(g, "lanes");
    const sums few = play_all(circuit, 100, FEW / 100, g->keep);
    const sums many = play_all(lanes, 1000, MANY / 1000, g->keep);
    const double mean = many.sum / MANY, variance = many.squares / MANY - mean * mean;
    const double off = few.sum / FEW - mean;
    if (off * off >= 25 * variance / FEW * (1 + (double)FEW / MANY)) fail_msg("%s", names[i]);
    machine_close(circuit);
    machine_close(lanes);
    tear_down(&own);
  }
  (void)f;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(games_from_lanes_are_playouts),
      a_test(games_are_worth_the_same_on_every_machine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
