/* What the tests of this folder share: a rulesheet that is read, and where messages go. */
#ifndef TABIA_API_API_FIXTURE_H
#define TABIA_API_API_FIXTURE_H

#include "tabia.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct api_fixture {
  tabia_messages *log;
  tabia_limits *limits;
  tabia_rules *rules;
  tabia_machine *machine;
  tabia_options *options;
  char words[1 << 16]; /* what was put */
  size_t length;
} api_fixture;

/* More than a position of any game below takes, on any machine. */
enum { POSITION_MAX = 1 << 16 };

/* A robot counts to three, or stops; to stop at once is worth nothing. */
#define COUNTING_GAME \
  "(role robot) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)\n" \
  "(legal robot stop) (<= (legal robot go) (true (at ?x)) (succ ?x ?y))\n" \
  "(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does robot go))\n" \
  "(<= (next (at ?x)) (true (at ?x)) (does robot stop))\n" \
  "(<= (next over) (does robot stop)) (<= terminal (true over))\n" \
  "(<= (sees robot (was ?x)) (true (at ?x)) (does robot ?m))\n" \
  "(<= (goal robot 0) (true (at 0))) (<= (goal robot 40) (true (at 1)))\n" \
  "(<= (goal robot 70) (true (at 2))) (<= (goal robot 100) (true (at 3)))\n"

/* The one role cannot move when it has gone once. */
#define STUCK_GAME \
  "(role robot) (init here) (<= (legal robot go) (true here))\n" \
  "(<= (next there) (does robot go)) (<= terminal (true nowhere))\n" \
  "(<= (next nowhere) (true there) (true here)) (goal robot 0)\n"

static inline int set_up(void **state) {
  api_fixture *f = test_calloc(1, sizeof *f);
  f->log = tabia_messages_new();
  f->limits = tabia_limits_new();
  f->options = tabia_options_new();
  *state = f;
  return 0;
}

static inline int tear_down(void **state) {
  api_fixture *f = *state;
  tabia_machine_close(f->machine);
  tabia_rules_free(f->rules);
  tabia_options_free(f->options);
  tabia_limits_free(f->limits);
  tabia_messages_free(f->log);
  test_free(f);
  return 0;
}

static inline tabia_status read_text(api_fixture *f, const char *words) {
  tabia_rules_free(f->rules);
  return tabia_rules_read_text(&f->rules, "test", words, strlen(words), f->log);
}

static inline void open_game(api_fixture *f, const char *words, const char *kind) {
  assert_int_equal(read_text(f, words), TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, kind, NULL, f->log), TABIA_OK);
}

static inline void open_file(api_fixture *f, const char *path, const char *kind) {
  assert_int_equal(tabia_rules_read_file(&f->rules, path, f->log), TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, kind, NULL, f->log), TABIA_OK);
}

/* A tabia_put that collects in the fixture. */
static inline void collect(void *context, const char *bytes, size_t length) {
  api_fixture *f = context;
  assert_true(f->length + length < sizeof f->words);
  memcpy(f->words + f->length, bytes, length);
  f->length += length;
  f->words[f->length] = '\0';
}

/* The text of a stage, with the options of the fixture. */
static inline tabia_status write_stage(api_fixture *f, const char *stage) {
  f->length = 0;
  return tabia_rules_write(f->rules, stage, f->options, f->limits, collect, f, f->log);
}

static inline void assert_says(api_fixture *f, const char *part) {
  if (!strstr(tabia_messages_text(f->log), part))
    fail_msg("no `%s` in: %s", part, tabia_messages_text(f->log));
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
