#include "machine/gpu/ptx_emulator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Runs a kernel of two threads with eight words of memory; NULL, or what went wrong. */
static const char *run(arena *keep, const char *body, uint32_t *words, ptx_issues *issues) {
  static const char head[] =
      ".visible .entry play(\n.param .u64 p_at,\n.param .u32 p_number,\n.param .align 4 .b8 p_list[8]\n)\n{\n"
      ".reg .pred %p<2>;\n.reg .b32 %a, %b, %v<4>;\n.reg .b64 %at, %q<2>;\n"
      "ld.param.u64 %at, [p_at];\nld.param.u32 %a, [p_number];\n";
  char text[2000];
  const char *error;
  struct {
    uint64_t at;
    uint32_t number, list[2];
  } arguments = {(uint64_t)(uintptr_t)words, 12, {33, 34}};
  const ptx_range range = {arguments.at, 8 * sizeof *words};
  snprintf(text, sizeof text, "%s%s\nret;\n}\n", head, body);
  const ptx_code *c = ptx_read(text, &error, keep);
  if (!c) return error;
  const ptx_launch l = {.blocks = 1,
                        .threads = 2,
                        .shared_bytes = 8,
                        .arguments = &arguments,
                        .memory = &range,
                        .memory_count = 1,
                        .issues = issues};
  return ptx_run(c, &l, keep);
}

static uint32_t result_of(const char *body) {
  _Alignas(16) uint32_t words[8] = {0, 0, 5};
  arena *keep = arena_new();
  const char *error = run(keep, body, words, NULL);
  if (error) fail_msg("%s", error);
  arena_free(keep);
  return words[0];
}

static void instructions_do_what_their_manual_says(void **state) {
  static const struct {
    const char *body;
    uint32_t result;
  } cases[] = {
      {"st.global.u32 [%at+0], %a;", 12},
      {"ld.param.u32 %v1, [p_list+4];\nst.global.u32 [%at+0], %v1;", 34},
      {"mov.u32 %b, %tid.x;\nred.global.add.u32 [%at+0], %b;", 1},
      {"lop3.b32 %v1, %a, 10, 6, 0x96;\nst.global.u32 [%at+0], %v1;", 12 ^ 10 ^ 6},
      {"lop3.b32 %v1, %a, 10, 6, 0x20;\nst.global.u32 [%at+0], %v1;", 12 & ~10 & 6},
      {"shl.b32 %v1, %a, 32;\nst.global.u32 [%at+0], %v1;", 0},
      {"bfind.u32 %v1, %a;\nst.global.u32 [%at+0], %v1;", 3},
      {"popc.b32 %v1, %a;\nst.global.u32 [%at+0], %v1;", 2},
      {"bfi.b32 %v1, %a, 255, 4, 3;\nst.global.u32 [%at+0], %v1;", 0xcf},
      {"mul.wide.u32 %q0, %a, 4000000000;\nmov.b64 {%v1, %v2}, %q0;\nst.global.u32 [%at+0], %v2;",
       11},
      {"rem.u32 %v1, 29, %a;\nst.global.u32 [%at+0], %v1;", 5},
      {"sub.u32 %v1, 0, %a;\nst.global.u32 [%at+0], %v1;", 0u - 12},
      {"setp.lt.u32 %p0, %a, 12;\nmov.b32 %b, 1;\n@!%p0 mov.b32 %b, 2;\nst.global.u32 [%at+0], %b;",
       2},
      {"setp.eq.u32 %p1, %a, 12;\nsetp.eq.or.u32 %p0, %a, 1, %p1;\n@%p0 bra end;\n"
       "st.global.u32 [%at+0], %a;\nend:",
       0},
      {"mad.wide.u32 %q0, 2, 4, %at;\nld.global.u32 %b, [%q0+0];\nst.global.u32 [%at+0], %b;", 5},
      {"ld.global.v2.u32 {%v0, %v1}, [%at+8];\nst.global.u32 [%at+0], %v0;", 5},
      {"ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%at+0];\nst.global.u32 [%at+0], %v2;", 5},
  };
  (void)state;
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (result_of(cases[i].body) != cases[i].result) fail_msg("%s", cases[i].body);
}

/* Each thread reads what the other has written before the barrier. */
static void threads_wait_at_barriers(void **state) {
  (void)state;
  assert_int_equal(result_of("mov.u32 %b, %tid.x;\nmad.lo.u32 %v0, %b, 4, 0;\nadd.u32 %v1, %b, 7;\n"
                             "st.shared.u32 [%v0+0], %v1;\nbar.sync 0;\nxor.b32 %v0, %v0, 4;\n"
                             "ld.shared.u32 %v2, [%v0+0];\nmad.wide.u32 %q0, %b, 4, %at;\n"
                             "st.global.u32 [%q0+0], %v2;"),
                   8);
  assert_int_equal(result_of("mov.u32 %b, %tid.x;\nsetp.eq.u32 %p0, %b, 1;\n"
                             "bar.red.or.pred %p0, 0, %p0;\n@%p0 red.global.add.u32 [%at+0], 1;"),
                   2);
}

/* The first thread goes through the loop three times, the second twice. */
static void threads_of_a_warp_wait_for_each_other(void **state) {
  _Alignas(16) uint32_t words[8] = {0};
  ptx_issues issues = {0};
  arena *keep = arena_new();
  (void)state;
  assert_null(run(keep,
                  "// loop\nmov.u32 %b, %tid.x;\nagain:\nadd.u32 %b, %b, 1;\n"
                  "setp.lt.u32 %p0, %b, 3;\n@%p0 bra again;\n// end\nst.global.u32 [%at+0], %b;",
                  words, &issues));
  assert_int_equal(issues.purposes, 3);
  assert_string_equal(issues.all[1].what, "loop");
  assert_int_equal(issues.all[1].count, 3 * 3);
  assert_string_equal(issues.all[2].what, "end");
  assert_int_equal(issues.all[2].count, 2); /* with ret */
  arena_free(keep);
}

static void mistakes_are_found(void **state) {
  static const struct {
    const char *body, *error;
  } cases[] = {
      {"ld.global.u32 %b, [%at+32];", "an access to memory that was not allocated"},
      {"ld.global.u32 %b, [%at+2];", "an access to memory that was not allocated"},
      {"ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%at+8];",
       "an access to memory that was not allocated"},
      {"mov.b32 %b, 8;\nld.shared.u32 %b, [%b+0];", "an access behind the end of shared memory"},
      {"rem.u32 %b, %a, 0;", "a division by zero"},
      {"fma.rn.f32 %b, %a, %a, %a;", "line 12: an unknown instruction"},
      {"mov.b32 %b, %nobody;", "line 12: an unknown register"},
      {"bra nowhere;", "line 12: an unknown name"},
      {"// a_purpose_with_too_many_letters", "line 12: a purpose too many, or too long"},
      {"mov.b32 %b, 1", "line 12: no semicolon"},
      {"mov.u32 %b, %tid.x;\nsetp.eq.u32 %p0, %b, 1;\n@%p0 bra end;\nbar.sync 0;\nend:\nbar.sync 0;",
       "threads wait at different barriers"},
  };
  _Alignas(16) uint32_t words[8] = {0};
  (void)state;
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *keep = arena_new();
    const char *error = run(keep, cases[i].body, words, NULL);
    assert_non_null(error);
    assert_string_equal(error, cases[i].error);
    arena_free(keep);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instructions_do_what_their_manual_says),
      cmocka_unit_test(threads_wait_at_barriers),
      cmocka_unit_test(threads_of_a_warp_wait_for_each_other),
      cmocka_unit_test(mistakes_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
