/* An author's expectations in a file beside the rules (docs/test.md), read and checked.

   A file has forms (test NAME STEP...); steps are done in order: (from FLUENT...), (after MOVE...)
   and (does MOVE...) select a state and moves; (moves ROLE MOVE...), (count N LITERAL), (perft
   N...) and literals are the expectations there. */
#ifndef TABIA_CLI_RULE_TESTS_H
#define TABIA_CLI_RULE_TESTS_H

#include "base/vec.h"
#include "cli/session.h"

typedef struct test_failure {
  const char *file;
  uint32_t line;
  const char *test;     /* its name */
  const char *expected; /* as it is written */
  const char *message;  /* what is the case */
  const char *why;      /* an explanation, as text or JSON; or NULL */
} test_failure;

typedef struct rule_tests {
  session *s;
  bool as_json; /* explanations */
  uint32_t depth;
  tabia_coverage *coverage; /* is shown every line of play; or NULL */
  VEC(test_failure) failures;
  uint32_t tests, expectations;
} rule_tests;

/* Runs all tests of a file.  TABIA_UNREADABLE: it cannot be read, or is no list of tests, which was
   shown; else what fails is in `failures`.  TABIA_LIMIT: a limit ended the tests, and the log says
   which. */
tabia_status rule_tests_run(rule_tests *t, const char *path);

#endif
