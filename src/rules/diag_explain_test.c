#include "rules/diag_explain.h"

#include "rules/rules_fixture.h"

static bool is_command(const char *example) { return example[0] == '$'; }

/* What only a command tells: of a rulesheet alone it cannot be known. */
static bool is_told_by_check(diag_kind kind) { return diag_infos[kind].code[1] < '7'; }

static void every_code_is_explained(void **state) {
  (void)state;
  for (int i = 0; i < DIAG_KIND_COUNT; i++) {
    const code_explanation e = diag_explanation((diag_kind)i);
    if (!e.why || !e.faulty || !e.mended) fail_msg("%s is not explained", diag_infos[i].code);
    assert_true(strlen(e.why) > 40);
    if (is_told_by_check((diag_kind)i)) assert_false(is_command(e.faulty));
  }
}

static bool has(rules_fixture *f, diag_kind kind, const char *words) {
  check_text(f, words);
  return count_of(f, kind) > 0;
}

static void every_example_has_the_fault_and_is_mended(void **state) {
  rules_fixture *f = *state;
  uint32_t wrong = 0;
  for (int i = 0; i < DIAG_KIND_COUNT; i++) {
    const code_explanation e = diag_explanation((diag_kind)i);
    if (!is_told_by_check((diag_kind)i)) continue;
    const bool is_faulty = has(f, (diag_kind)i, e.faulty);
    const bool is_mended = !has(f, (diag_kind)i, e.mended);
    if (is_faulty && is_mended) continue;
    print_error("%s: %s\n", diag_infos[i].code, is_faulty ? "not mended" : "no fault");
    wrong++;
  }
  assert_int_equal(wrong, 0);
}

static void a_mend_has_no_error_of_another_kind_in_the_text(void **state) {
  rules_fixture *f = *state;
  for (int i = 0; i < DIAG_KIND_COUNT; i++) {
    const code_explanation e = diag_explanation((diag_kind)i);
    if (!is_command(e.mended) && !build_text(f, e.mended)) fail_msg("%s", diag_infos[i].code);
  }
}

static void lines_are_short_and_examples_are_indented(void **state) {
  rules_fixture *f = *state;
  text out = text_new(f->keep);
  diag_explain(DIAG_W406, &out);
  const char *words = text_string(&out);
  assert_non_null(strstr(words, "W406 single-variable (warning, off by default)\n"));
  assert_non_null(strstr(words, "\nFor example:\n    (<= marked"));
  assert_non_null(strstr(words, "\nRepaired:\n    (<= marked"));
  for (const char *at = words; *at; at += strcspn(at, "\n") + 1)
    assert_true(strcspn(at, "\n") <= 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(every_code_is_explained),
      rules_test(every_example_has_the_fault_and_is_mended),
      rules_test(a_mend_has_no_error_of_another_kind_in_the_text),
      rules_test(lines_are_short_and_examples_are_indented),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
