#include "api/api_fixture.h"

/* Two can move for ever, and nothing comes of it. */
#define ENDLESS_GAME \
  "(role x) (role y) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 0) (goal x 0) (goal y 0)\n" \
  "(legal x go) (legal x stay) (legal y wait)\n" \
  "(<= (next (at ?b)) (true (at ?a)) (succ ?a ?b) (does x go))\n" \
  "(<= (next (at ?a)) (true (at ?a)) (does x stay)) (<= terminal (true never))\n" \
  "(<= (next never) (true never))\n"

static const double moment = 0.05, nothing = 1e-9;

/* ---- rules ---- */

static void checks_and_layout_keep_to_the_limits_of_the_rules(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_limits_set_seconds(f->limits, nothing);
  tabia_rules_set_limits(f->rules, f->limits);
  assert_int_equal(tabia_rules_check(f->rules, f->log), TABIA_LIMIT);
  assert_says(f, "the time limit was reached");
  assert_int_equal(tabia_rules_format(f->rules, "kif", collect, f, f->log), TABIA_LIMIT);
  assert_int_equal(f->length, 0);
  tabia_info *info = tabia_info_new(f->rules, f->log);
  assert_int_equal(tabia_info_status(info), TABIA_LIMIT);
  tabia_info_free(info);
}

static void without_limits_all_is_found_out(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_limits_set_seconds(f->limits, nothing);
  tabia_rules_set_limits(f->rules, f->limits);
  tabia_rules_set_limits(f->rules, NULL);
  assert_int_equal(tabia_rules_check(f->rules, f->log), TABIA_OK);
  tabia_info *info = tabia_info_new(f->rules, f->log);
  assert_int_equal(tabia_info_status(info), TABIA_OK);
  tabia_info_free(info);
}

/* ---- time ---- */

static tabia_status open_again(api_fixture *f) {
  tabia_machine_close(f->machine);
  f->machine = NULL;
  return tabia_machine_open(&f->machine, f->rules, "circuit", f->limits, f->log);
}

static void a_total_is_of_all_calls_together(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_limits_set_total(f->limits, 600);
  assert_int_equal(open_again(f), TABIA_OK);
  tabia_limits_set_total(f->limits, nothing);
  assert_int_equal(open_again(f), TABIA_LIMIT);
  tabia_limits_set_seconds(f->limits, 600);
  assert_int_equal(open_again(f), TABIA_OK);
}

/* ---- memory ---- */

enum { LITTLE = 4096, ENOUGH = 1 << 26 };

static void a_call_that_takes_too_much_stops(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_limits_set_bytes(f->limits, LITTLE);
  assert_int_equal(open_again(f), TABIA_LIMIT);
  assert_says(f, "the memory limit was reached");
  tabia_limits_set_bytes(f->limits, ENOUGH);
  assert_int_equal(open_again(f), TABIA_OK);
}

static tabia_status open_until_limit(api_fixture *f, tabia_machine **machines, uint32_t *count) {
  tabia_status status = TABIA_OK;
  for (; *count < 1000 && status == TABIA_OK; *count += status == TABIA_OK)
    status = tabia_machine_open(&machines[*count], f->rules, "circuit", f->limits, f->log);
  return status;
}

static void total_bytes_are_of_all_that_calls_have_made(void **state) {
  api_fixture *f = *state;
  tabia_machine *machines[1000];
  uint32_t count = 0;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_limits_set_total_bytes(f->limits, 1 << 20);
  assert_int_equal(open_until_limit(f, machines, &count), TABIA_LIMIT);
  assert_says(f, "the memory limit was reached");
  assert_true(count > 1);
  tabia_machine_close(machines[--count]);
  assert_int_equal(tabia_machine_open(&machines[count], f->rules, "circuit", f->limits, f->log),
                   TABIA_OK);
  tabia_limits_set_bytes(f->limits, 1 << 20);
  assert_int_equal(open_again(f), TABIA_OK); /* each for itself */
  for (uint32_t i = 0; i <= count; i++) tabia_machine_close(machines[i]);
}

static void play_game(api_fixture *f) {
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_playouts_set_count(p, 10);
  assert_int_equal(tabia_playouts_run(p, f->limits, f->log), TABIA_OK);
  tabia_playouts_free(p);
}

static void limits_may_go_before_what_was_made_with_them(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_limits_set_total_bytes(f->limits, ENOUGH);
  assert_int_equal(open_again(f), TABIA_OK);
  tabia_limits_free(f->limits);
  f->limits = NULL;
  play_game(f);
}

/* ---- a game that never ends ---- */

static void play_at_random(api_fixture *f) {
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_playouts_set_count(p, 1);
  assert_int_equal(tabia_playouts_run(p, f->limits, f->log), TABIA_LIMIT);
  tabia_playouts_free(p);
}

static void count_ways(api_fixture *f) {
  tabia_perft *p = tabia_perft_new(f->machine);
  assert_int_equal(tabia_perft_run(p, 100000000, f->limits, f->log), TABIA_LIMIT);
  tabia_perft_free(p);
}

static void search_tree(api_fixture *f) {
  tabia_minimax *x = tabia_minimax_new(f->machine);
  assert_int_equal(tabia_minimax_run(x, 40, f->limits, f->log), TABIA_LIMIT);
  tabia_minimax_free(x);
}

static void in_an_endless_game_every_call_comes_back(void **state) {
  static const char *const kinds[] = {"lanes", "circuit", "compiled", "datalog", "reference"};
  api_fixture *f = *state;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    open_game(f, ENDLESS_GAME, kinds[i]);
    tabia_limits_set_seconds(f->limits, moment);
    play_at_random(f);
    count_ways(f);
    search_tree(f);
    tabia_machine_close(f->machine);
    f->machine = NULL;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(checks_and_layout_keep_to_the_limits_of_the_rules),
      a_test(without_limits_all_is_found_out),
      a_test(a_total_is_of_all_calls_together),
      a_test(a_call_that_takes_too_much_stops),
      a_test(total_bytes_are_of_all_that_calls_have_made),
      a_test(limits_may_go_before_what_was_made_with_them),
      a_test(in_an_endless_game_every_call_comes_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
