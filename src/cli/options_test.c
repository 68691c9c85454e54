#include "cli/options.h"

#include "cli/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

static const command_help help = {"tabia try [OPTION] GAME...", "Tries.", "tabia try nim"};
static const char *const notations[] = {"kif", "prolog", NULL};

/* What one command line gave. */
typedef struct outcome {
  bool json, quiet;
  uint64_t depth;
  double seconds;
  const char *file;
  uint32_t notation;
  option_list words;
  bool goes_on;
  int status;
  arguments given;
  char *argv[16];
} outcome;

static option *table_of(outcome *o) {
  static option table[8];
  const option rows[] = {
      {.name = "json", .letter = 'j', .kind = OPTION_FLAG, .target = &o->json, .help = "JSON"},
      {.name = "quiet", .letter = 'q', .kind = OPTION_FLAG, .target = &o->quiet, .help = "hush"},
      {.name = "depth",
       .letter = 'd',
       .kind = OPTION_NUMBER,
       .target = &o->depth,
       .argument = "N",
       .help = "how deep",
       .least = 1,
       .most = 100},
      {.name = "time",
       .kind = OPTION_REAL,
       .target = &o->seconds,
       .argument = "S",
       .help = "seconds"},
      {.name = "output",
       .letter = 'o',
       .kind = OPTION_STRING,
       .target = &o->file,
       .argument = "FILE",
       .help = "where to"},
      {.name = "notation",
       .kind = OPTION_CHOICE,
       .target = &o->notation,
       .choices = notations,
       .help = "how to write"},
      {.name = "word",
       .letter = 'w',
       .kind = OPTION_LIST,
       .target = &o->words,
       .argument = "WORD",
       .help = "what to say"},
      {0}};
  memcpy(table, rows, sizeof rows);
  return table;
}

/* Messages would only clutter the report of the tests. */
static int hush(FILE *stream) {
  fflush(stream);
  const int kept = dup(fileno(stream));
  if (!freopen("/dev/null", "w", stream)) fail();
  return kept;
}

static void unhush(FILE *stream, int kept) {
  fflush(stream);
  dup2(kept, fileno(stream));
  close(kept);
}

/* Parses a line of words parted by single spaces, which `line` loses. */
static void parse(outcome *o, char *line) {
  *o = (outcome){.depth = 3};
  int argc = 0;
  for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) o->argv[argc++] = word;
  const int kept_out = hush(stdout), kept_err = hush(stderr);
  o->goes_on = options_parse(&help, table_of(o), argc, o->argv, &o->given, &o->status);
  unhush(stdout, kept_out);
  unhush(stderr, kept_err);
}

#define PARSE(o, words) \
  outcome o; \
  char o##_line[] = words; \
  parse(&o, o##_line)

static void leaves_defaults_alone(void **state) {
  (void)state;
  PARSE(o, "try nim");
  assert_true(o.goes_on);
  assert_false(o.json);
  assert_int_equal(o.depth, 3);
  assert_int_equal(o.given.count, 1);
  assert_string_equal(o.given.items[0], "nim");
}

static void reads_every_kind(void **state) {
  (void)state;
  PARSE(o, "try --json --depth 7 --time 1.5 --output x.kif --notation prolog");
  assert_true(o.goes_on);
  assert_true(o.json);
  assert_int_equal(o.depth, 7);
  assert_true(o.seconds > 1.4 && o.seconds < 1.6);
  assert_string_equal(o.file, "x.kif");
  assert_int_equal(o.notation, 1);
  assert_int_equal(o.given.count, 0);
}

static void reads_values_after_an_equals_sign(void **state) {
  (void)state;
  PARSE(o, "try --depth=9 --notation=kif --output=");
  assert_true(o.goes_on);
  assert_int_equal(o.depth, 9);
  assert_string_equal(o.file, "");
}

static void reads_letters_together(void **state) {
  (void)state;
  PARSE(o, "try -jqd5 -o out nim");
  assert_true(o.goes_on);
  assert_true(o.json && o.quiet);
  assert_int_equal(o.depth, 5);
  assert_string_equal(o.file, "out");
  assert_string_equal(o.given.items[0], "nim");
}

static void keeps_all_values_of_a_list(void **state) {
  (void)state;
  PARSE(o, "try -w one nim --word two --word=three");
  assert_true(o.goes_on);
  assert_int_equal(o.words.count, 3);
  assert_string_equal(o.words.items[0], "one");
  assert_string_equal(o.words.items[1], "two");
  assert_string_equal(o.words.items[2], "three");
}

static void keeps_the_order_of_operands_among_options(void **state) {
  (void)state;
  PARSE(o, "try a -j b --depth 4 - -- --json");
  assert_true(o.goes_on);
  assert_int_equal(o.given.count, 4);
  assert_string_equal(o.given.items[0], "a");
  assert_string_equal(o.given.items[1], "b");
  assert_string_equal(o.given.items[2], "-");
  assert_string_equal(o.given.items[3], "--json");
}

static void stops_at_help(void **state) {
  (void)state;
  PARSE(o, "try nim --help --nonsense");
  assert_false(o.goes_on);
  assert_int_equal(o.status, EXIT_YES);
}

static void rejects(const char *words) {
  char line[128];
  snprintf(line, sizeof line, "%s", words);
  outcome o;
  parse(&o, line);
  assert_false(o.goes_on);
  assert_int_equal(o.status, EXIT_USAGE);
}

static void rejects_wrong_lines(void **state) {
  (void)state;
  rejects("try --nonsense");
  rejects("try -x");
  rejects("try --json=yes");
  rejects("try --depth");
  rejects("try --depth x");
  rejects("try --depth -1");
  rejects("try --depth 0");
  rejects("try --depth 101");
  rejects("try --depth 99999999999999999999999");
  rejects("try --time -1");
  rejects("try --time soon");
  rejects("try --notation pascal");
}

static void counts_operands(void **state) {
  (void)state;
  PARSE(o, "try a b");
  const int kept = hush(stderr);
  const bool two = arguments_expect(&help, &o.given, 1, 2, &o.status);
  const bool one = arguments_expect(&help, &o.given, 0, 1, &o.status);
  const bool three = arguments_expect(&help, &o.given, 3, -1, &o.status);
  unhush(stderr, kept);
  assert_true(two);
  assert_false(one);
  assert_false(three);
  assert_int_equal(o.status, EXIT_USAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaves_defaults_alone),
      cmocka_unit_test(reads_every_kind),
      cmocka_unit_test(reads_values_after_an_equals_sign),
      cmocka_unit_test(reads_letters_together),
      cmocka_unit_test(keeps_all_values_of_a_list),
      cmocka_unit_test(keeps_the_order_of_operands_among_options),
      cmocka_unit_test(stops_at_help),
      cmocka_unit_test(rejects_wrong_lines),
      cmocka_unit_test(counts_operands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
