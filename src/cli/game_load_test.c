#include "cli/game_load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void a_built_in_game_is_loaded_by_its_name(void **state) {
  (void)state;
  loaded_game g;
  assert_true(game_load(&g, "tic-tac-toe", LOAD_CHECK, 0));
  assert_int_equal(g.diags.errors, 0);
  assert_int_equal(g.program.relations.items[SYM_ROLE].clause_count, 2);
  assert_true(g.check.stratified && g.check.bounded);
  game_free(&g);
}

static void a_file_goes_before_a_built_in_game(void **state) {
  (void)state;
  char folder[] = "/tmp/tabia-test-XXXXXX";
  char before[4096];
  assert_non_null(mkdtemp(folder));
  assert_non_null(getcwd(before, sizeof before));
  assert_int_equal(chdir(folder), 0);
  FILE *file = fopen("tic-tac-toe", "w");
  assert_non_null(file);
  fputs("(role alone)\n", file);
  fclose(file);
  loaded_game g;
  assert_true(game_load(&g, "tic-tac-toe", LOAD_PROGRAM, 0));
  assert_int_equal(g.program.rules.count, 1);
  game_free(&g);
  assert_int_equal(unlink("tic-tac-toe") | chdir(before) | rmdir(folder), 0);
}

static void a_missing_file_is_told_with_a_near_name(void **state) {
  (void)state;
  loaded_game g;
  assert_false(game_load(&g, "tic-tac-to", LOAD_CHECK, 0));
  assert_int_equal(g.diags.all.count, 1);
  assert_int_equal(g.diags.all.items[0].kind, DIAG_E701);
  assert_string_equal(g.diags.all.items[0].hint, "did you mean the built-in game `tic-tac-toe`?");
  game_free(&g);
}

static void a_directory_is_not_a_game(void **state) {
  (void)state;
  loaded_game g;
  assert_false(game_load(&g, "/", LOAD_TREE, 0));
  assert_int_equal(g.diags.errors, 1);
  game_free(&g);
}

static void faults_do_not_stop_the_loading(void **state) {
  (void)state;
  loaded_game g;
  assert_true(game_load(&g, "faulty/unclosed-parenthesis", LOAD_CHECK, 0));
  assert_int_equal(g.diags.errors, 1);
  assert_true(g.program.rules.count > 0);
  game_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_built_in_game_is_loaded_by_its_name),
      cmocka_unit_test(a_file_goes_before_a_built_in_game),
      cmocka_unit_test(a_missing_file_is_told_with_a_near_name),
      cmocka_unit_test(a_directory_is_not_a_game),
      cmocka_unit_test(faults_do_not_stop_the_loading),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
