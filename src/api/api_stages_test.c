/* Every stage as text, and the options by which it is chosen. */
#include "api/api_fixture.h"

#include <stdio.h>

/* The game with its bases declared, as one method wants them. */
#define DECLARED_GAME \
  COUNTING_GAME "(base over) (<= (base (at ?x)) (succ ?x ?y)) (base (at 3))\n" \
                "(input robot go) (input robot stop)\n"

static void every_stage_can_be_written(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  for (uint32_t i = 0; i < tabia_stage_count(); i++) {
    if (write_stage(f, tabia_stage_name(i)) != TABIA_OK)
      fail_msg("%s: %s", tabia_stage_name(i), tabia_messages_text(f->log));
    assert_true(f->length > 0);
    assert_true(strlen(tabia_stage_summary(i)) > 0);
  }
  assert_null(tabia_stage_name(tabia_stage_count()));
}

/* Tries each value that tabia_stage_options lists, but for methods that need other programs. */
static void every_listed_option_is_understood(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, DECLARED_GAME), TABIA_OK);
  for (uint32_t i = 0; i < tabia_stage_count(); i++) {
    char list[512], *rest_of_list, *rest_of_row;
    snprintf(list, sizeof list, "%s", tabia_stage_options(i));
    for (char *row = strtok_r(list, " ", &rest_of_list); row;
         row = strtok_r(NULL, " ", &rest_of_list)) {
      const char *name = strtok_r(row, "=", &rest_of_row);
      for (const char *v; (v = strtok_r(NULL, "|", &rest_of_row));) {
        const bool is_text = strcmp(v, "SECONDS") == 0 || strcmp(v, "P") == 0;
        if (strcmp(name, "method") == 0) continue;
        tabia_options_set(f->options, name, !is_text ? v : *v == 'P' ? "playable" : "1");
        if (write_stage(f, tabia_stage_name(i)) != TABIA_OK)
          fail_msg("%s %s=%s: %s", tabia_stage_name(i), name, v, tabia_messages_text(f->log));
      }
      tabia_options_set(f->options, name, NULL);
    }
  }
}

static void rules_are_written_ground(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  assert_int_equal(write_stage(f, "ground"), TABIA_OK);
  assert_non_null(strstr(f->words, "(next (at 3))"));
  assert_null(strchr(f->words, '?'));
}

static void options_choose_the_form(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_options_set(f->options, "format", "dot");
  assert_string_equal(tabia_options_get(f->options, "format"), "dot");
  assert_int_equal(write_stage(f, "circuit"), TABIA_OK);
  assert_non_null(strstr(f->words, "digraph"));
  tabia_options_set(f->options, "format", NULL);
  assert_null(tabia_options_get(f->options, "format"));
}

static void unknown_words_are_misuse(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  assert_int_equal(write_stage(f, "grond"), TABIA_MISUSE);
  assert_says(f, "there is no stage `grond`; did you mean `ground`?");
  tabia_options_set(f->options, "format", "xml");
  assert_int_equal(write_stage(f, "ground"), TABIA_MISUSE);
  assert_says(f, "format of ground cannot be `xml`");
  tabia_options_set(f->options, "format", NULL);
  tabia_options_set(f->options, "metod", "asp");
  assert_int_equal(write_stage(f, "ground"), TABIA_MISUSE);
  assert_says(f, "ground has no option `metod`; did you mean `method`?");
  tabia_options_set(f->options, "metod", NULL);
  tabia_options_set(f->options, "prove-limit", "soon");
  assert_int_equal(write_stage(f, "frame"), TABIA_MISUSE);
  tabia_options_set(f->options, "prove-limit", NULL);
  tabia_options_set(f->options, "property", "terminates");
  assert_int_equal(write_stage(f, "aiger"), TABIA_MISUSE);
  assert_int_equal(f->length, 0);
}

static void grounding_keeps_to_its_limits(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read(&f->rules, "chess", f->log), TABIA_OK);
  tabia_limits_set_bytes(f->limits, 1 << 20);
  assert_int_equal(write_stage(f, "ground"), TABIA_LIMIT);
  assert_says(f, "[E802]");
}

static void methods_are_known_by_name(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  assert_int_equal(tabia_rules_compare_methods(f->rules, "guess", NULL, f->log), TABIA_MISUSE);
  assert_int_equal(tabia_rules_compare_methods(f->rules, "native", NULL, f->log), TABIA_OK);
}

static void a_game_is_built(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  assert_int_equal(tabia_rules_build(f->rules, f->options, NULL, collect, f, f->log), TABIA_OK);
  assert_memory_equal(f->words, "\177ELF", 4);
  assert_non_null(strstr(tabia_game_header("tabia_game.h"), "TABIA"));
  assert_non_null(tabia_game_header("tabia_runtime.h"));
  assert_null(tabia_game_header("stdio.h"));
  tabia_options_set(f->options, "level", "4");
  assert_int_equal(tabia_rules_build(f->rules, f->options, NULL, collect, f, f->log), TABIA_MISUSE);
  assert_says(f, "level has to be a whole number from 0 to 3");
  tabia_options_set(f->options, "level", NULL);
  tabia_options_set(f->options, "product", "program");
  assert_int_equal(tabia_rules_build(f->rules, f->options, NULL, collect, f, f->log), TABIA_MISUSE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(every_stage_can_be_written), a_test(every_listed_option_is_understood),
      a_test(rules_are_written_ground),   a_test(options_choose_the_form),
      a_test(unknown_words_are_misuse),   a_test(grounding_keeps_to_its_limits),
      a_test(methods_are_known_by_name),  a_test(a_game_is_built),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
