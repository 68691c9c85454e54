#include "induct/induct.h"
#include "induct/induct_fixture.h"

/* A dog has one life at a time, but may be headed somewhere and sit as well.  To turn costs a life,
   and where it is headed is read without asking for which life. */
static const char dog[] =
    "(role r) (init (dog 9 north)) (init (at 1)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)\n"
    "(succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (wait a) (wait b) (wait c)\n"
    "(wait d) (wait e) (wait f) (wait g) (wait h) (after north south) (after south north)\n"
    "(next-to 1 2) (next-to 2 3) (next-to 3 4) (next-to 4 1)\n"
    "(<= (legal r ?w) (wait ?w)) (legal r turn)\n"
    "(<= (heads ?d) (true (dog ?l ?d)))\n"
    "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) (<= terminal (true (step 9)))\n"
    "(<= (next (dog ?l ?d)) (true (dog ?l ?x)) (heads ?d) (not (does r turn)))\n"
    "(<= (next (dog ?l sits)) (true (dog ?l ?x)) (not (does r turn)))\n"
    "(<= (next (dog ?l ?e)) (does r turn) (true (dog ?m ?x)) (succ ?l ?m) (heads ?d)\n"
    "  (after ?d ?e))\n"
    "(<= (next (at ?q)) (true (at ?p)) (heads north) (next-to ?p ?q))\n"
    "(<= (next (at ?q)) (true (at ?p)) (heads south) (next-to ?q ?p))";

/* How many groups hold both fluents. */
static uint32_t groups_with_both(const determined_guesses *sets, uint32_t a, uint32_t b) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < sets->count; i++) {
    const fact_set *s = &sets->items[i].first;
    for (uint32_t k = 0; k < s->all.count; k++) {
      const fact *f = &s->all.items[k];
      uint32_t both = 0;
      for (uint32_t m = 0; m < f->count; m++)
        both +=
            s->members.items[f->first + m] >> 1 == a || s->members.items[f->first + m] >> 1 == b;
      found += both == 2;
    }
  }
  return found;
}

static void every_two_lives_are_in_one_group(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  sample seen;
  determined_guesses sets = {0};
  build_circuit(f, dog, &g, &c);
  sample_play(&seen, &c, 128, 1, f->keep, NULL);
  facts_guess_determined(&sets, &c, &seen, f->keep, NULL);
  const uint32_t north_9 = fluent_number(f, &c, "(dog 9 north)");
  const uint32_t sits_9 = fluent_number(f, &c, "(dog 9 sits)");
  const uint32_t south_3 = fluent_number(f, &c, "(dog 3 south)");
  const uint32_t sits_2 = fluent_number(f, &c, "(dog 2 sits)");
  assert_int_equal(groups_with_both(&sets, north_9, south_3), 1);
  assert_int_equal(groups_with_both(&sets, sits_9, south_3), 1);
  assert_int_equal(groups_with_both(&sets, sits_2, south_3), 1);
  assert_int_equal(groups_with_both(&sets, north_9, sits_9), 0);
}

/* That the dog is in one place rests on where it is headed, and that on its one life. */
static void proves_what_rests_on_one_life(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  fact_set proved = {.keep = f->keep};
  induct_counts counts = {0};
  text out = text_new(f->keep);
  build_circuit(f, dog, &g, &c);
  induct_find_facts(&proved, &c, (induct_options){.seed = 1, .never_true = true}, NULL, &counts);
  facts_print(&proved, &c, &out);
  assert_int_equal(counts.proved, proved.all.count);
  assert_non_null(strstr(text_string(&out), "(at-most-one (at 1) (at 2) (at 3) (at 4))"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(every_two_lives_are_in_one_group),
      rules_test(proves_what_rests_on_one_life),
  };
  return cmocka_run_group_tests_name("induct/guess_determined", tests, NULL, NULL);
}
