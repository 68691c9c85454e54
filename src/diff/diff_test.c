/* Verdicts of the provers held against a walk through all pairs of states, over random games and
   copies of them that lack a rule. */
#include "diff/diff.h"

#include "ground/random_game_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { GAMES = 40 };

typedef struct read_rules {
  source s;
  tree t;
  program p;
} read_rules;

static void read_rules_of(read_rules *r, const char *words, arena *keep) {
  diag_sink d;
  diag_sink_init(&d, keep);
  r->s = source_of("test", words, (uint32_t)strlen(words));
  assert_true(tree_read(&r->t, &r->s, symbols_new(keep), keep, &d));
  assert_true(rules_build(&r->p, &r->t, keep, &d));
}

/* Without its line of that number, counted from the last, but never without a role. */
static const char *without_line(const char *words, uint32_t line, arena *keep) {
  const char *at = words;
  for (; line && strchr(at, '\n'); line--) at = strchr(at, '\n') + 1;
  const char *end = strchr(at, '\n');
  if (!end || strncmp(at, "(role", strlen("(role")) == 0) return words;
  text out = text_new(keep);
  text_add_bytes(&out, words, (size_t)(at - words));
  text_add(&out, end + 1);
  return text_string(&out);
}

static diff_result decide(const read_rules *old, const read_rules *new, diff_method method,
                          arena *keep) {
  diff_result r;
  diag_sink d;
  const diff_names none = {0};
  budget b = budget_new(2, 0);
  diag_sink_init(&d, keep);
  const diff_question q = {.method = method,
                           .old_rules = &old->p,
                           .new_rules = &new->p,
                           .names = &none,
                           .seed = 1,
                           .threads = 1};
  assert_true(diff_run(&r, &q, &b, &d, keep));
  return r;
}

static uint32_t line_count(const char *words) {
  uint32_t lines = 0;
  for (; *words; words++) lines += *words == '\n';
  return lines;
}

static void assert_same_verdicts(const diff_result *walked, const diff_result *proved,
                                 uint64_t seed) {
  if (walked->verdict == VERDICT_UNKNOWN || proved->verdict == VERDICT_UNKNOWN) return;
  if (walked->verdict != proved->verdict)
    fail_msg("game %llu: %s says %s, %s says %s", (unsigned long long)seed, walked->method,
             verdict_name(walked->verdict), proved->method, verdict_name(proved->verdict));
  if (proved->verdict == VERDICT_REFUTED && proved->is_shortest)
    assert_int_equal(walked->length, proved->length);
}

static void provers_agree_with_a_walk_through_all_pairs(void **state) {
  uint32_t same = 0, different = 0;
  (void)state;
  for (uint64_t seed = 0; seed < GAMES; seed++) {
    arena *keep = arena_new();
    rng r = rng_new(seed, 3);
    read_rules old, new;
    const char *words = random_game_text(&r, keep);
    read_rules_of(&old, words, keep);
    read_rules_of(&new, without_line(words, rng_below(&r, line_count(words)), keep), keep);
    const diff_result walked = decide(&old, &new, DIFF_PAIRS, keep);
    const diff_result proved = decide(&old, &new, DIFF_PRODUCT, keep);
    assert_same_verdicts(&walked, &proved, seed);
    same += walked.verdict == VERDICT_PROVED && proved.verdict == VERDICT_PROVED;
    different += walked.verdict == VERDICT_REFUTED && proved.verdict == VERDICT_REFUTED;
    arena_free(keep);
  }
  assert_true(same > GAMES / 8 && different > GAMES / 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(provers_agree_with_a_walk_through_all_pairs),
  };
  return cmocka_run_group_tests_name("diff/diff", tests, NULL, NULL);
}
