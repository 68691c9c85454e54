/* tabia test: an author's expectations held against the rules. */
#include "base/bitset.h"
#include "base/json.h"
#include "cli/rule_tests.h"

static const command_help help = {
    .usage = "tabia test [OPTION] GAME FILE...",
    .details =
        "Checks the expectations in each FILE against the rules, and prints all that fail, with\n"
        "their place and the reason: what is legal after these moves, whether the game is over,\n"
        "goals, fluents, counts; docs/test.md has the language.  With --coverage, also lists the\n"
        "rules that never fire in the tests.  The status is 0 if all expectations hold, 1 if one\n"
        "fails, and 4 if a limit left some unchecked.",
    .example = "tabia test game.kif game.test --coverage",
};

typedef struct test_command {
  limit_choice limits;
  uint64_t depth, games, max_steps, seed;
  bool coverage, as_json;
} test_command;

/* ---- rules that never fired ---- */

/* Rules that fired in tests, and then in random games as well. */
typedef struct fired_rules {
  tabia_coverage *c;
  bitset in_tests;
  uint32_t count, missing; /* rules, and those that no test needs */
} fired_rules;

static fired_rules note_fired(const session *s, tabia_coverage *c) {
  fired_rules f = {.c = c, .count = tabia_coverage_count(c)};
  f.in_tests = bitset_new(s->keep, f.count + 1);
  for (uint32_t i = 0; i < f.count; i++) {
    if (tabia_coverage_fired(c, i))
      bitset_add(f.in_tests, i);
    else
      f.missing++;
  }
  return f;
}

static void put_missing(const session *s, const fired_rules *f, const test_command *c) {
  printf("%u of %u rules fire in the tests\n", f->count - f->missing, f->count);
  for (uint32_t i = 0; i < f->count; i++) {
    if (bitset_has(f->in_tests, i)) continue;
    printf("%s:%u: %s never fires in the tests, %s in %llu random games\n",
           tabia_rules_name(s->rules), tabia_coverage_line(f->c, i), tabia_coverage_rule(f->c, i),
           tabia_coverage_fired(f->c, i) ? "but does" : "nor", (unsigned long long)c->games);
  }
}

static void write_missing(json_writer *w, const fired_rules *f) {
  json_put_integer(w, "rules", f->count);
  json_open_array(w, "not_fired");
  for (uint32_t i = 0; i < f->count; i++) {
    if (bitset_has(f->in_tests, i)) continue;
    json_open_object(w, NULL);
    json_put_integer(w, "line", tabia_coverage_line(f->c, i));
    json_put_string(w, "rule", tabia_coverage_rule(f->c, i));
    json_put_bool(w, "in_random_games", tabia_coverage_fired(f->c, i));
    json_close_object(w);
  }
  json_close_array(w);
}

/* ---- failures ---- */

static void put_why(const char *why) {
  for (const char *at = why; *at;) {
    const int length = (int)(strchr(at, '\n') ? strchr(at, '\n') - at : (long)strlen(at));
    printf("    %.*s\n", length, at);
    at += length + (at[length] == '\n');
  }
}

static void put_failures(const rule_tests *t) {
  for (uint32_t i = 0; i < t->failures.count; i++) {
    const test_failure *f = &t->failures.items[i];
    printf("%s:%u: %s: %s fails\n  %s\n", f->file, f->line, f->test, f->expected, f->message);
    if (f->why) put_why(f->why);
  }
}

static void put_summary(const rule_tests *t) {
  printf("%u test%s, %u expectation%s, %u failure%s\n", t->tests, plural(t->tests), t->expectations,
         plural(t->expectations), t->failures.count, plural(t->failures.count));
}

static void write_failure(json_writer *w, const test_failure *f) {
  json_open_object(w, NULL);
  json_put_string(w, "file", f->file);
  json_put_integer(w, "line", f->line);
  json_put_string(w, "test", f->test);
  json_put_string(w, "expected", f->expected);
  json_put_string(w, "message", f->message);
  if (f->why)
    json_put_json(w, "why", f->why);
  else
    json_put_null(w, "why");
  json_close_object(w);
}

static void put_json(const rule_tests *t, const fired_rules *fired) {
  text out = text_new(t->s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(t->s->rules));
  json_put_integer(&w, "tests", t->tests);
  json_put_integer(&w, "expectations", t->expectations);
  json_open_array(&w, "failures");
  for (uint32_t i = 0; i < t->failures.count; i++) write_failure(&w, &t->failures.items[i]);
  json_close_array(&w);
  if (fired->c) write_missing(&w, fired);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static void put_all(const rule_tests *t, const fired_rules *fired, const test_command *c) {
  terminal_line_wipe(t->s->line);
  if (c->as_json) {
    put_json(t, fired);
    return;
  }
  put_failures(t);
  put_summary(t);
  if (fired->c) put_missing(t->s, fired, c);
}

static tabia_status run_files(rule_tests *t, const arguments *files) {
  tabia_status worst = TABIA_OK;
  for (int i = 1; i < files->count && worst == TABIA_OK; i++)
    worst = rule_tests_run(t, files->items[i]);
  return worst;
}

static int test(session *s, const test_command *c, const arguments *given) {
  rule_tests t = {.s = s,
                  .as_json = c->as_json,
                  .depth = c->depth < UINT32_MAX ? (uint32_t)c->depth : UINT32_MAX};
  fired_rules fired = {0};
  tabia_status result = TABIA_OK;
  if (c->coverage) result = tabia_coverage_new(&t.coverage, s->rules, s->limits, s->log);
  if (result == TABIA_OK) result = run_files(&t, given);
  if (result == TABIA_OK && c->coverage) {
    fired = note_fired(s, t.coverage);
    result = tabia_coverage_play(t.coverage, c->games, c->max_steps, c->seed, s->log);
  }
  if (result == TABIA_OK || result == TABIA_LIMIT) put_all(&t, &fired, c);
  tabia_coverage_free(t.coverage);
  const int status = session_show(s, result);
  return status || !t.failures.count ? status : EXIT_NO;
}

int cmd_test(int argc, char **argv) {
  test_command c = {.depth = 3, .games = 100, .max_steps = 200, .seed = 1};
  const option options[] = {
      FLAG_OPTION("coverage", &c.coverage, "also list rules that never fire"),
      NUMBER_OPTION("games", &c.games, "N", "--coverage: number of random games (100)"),
      NUMBER_OPTION("max-steps", &c.max_steps, "N",
                    "--coverage: limit of steps for a random game (200)"),
      NUMBER_OPTION("seed", &c.seed, "N", "--coverage: seed of the random games (1)"),
      NUMBER_OPTION("depth", &c.depth, "N", "fold explanations deeper than N (3)"),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 2, -1, &status)) return status;
  if (session_begin(&s, &c.limits, &help, &status) && session_read(&s, given.items[0], &status))
    status = test(&s, &c, &given);
  return session_end(&s, status);
}
