#include "frame/pruning.h"
#include "rules/rules_fixture.h"

/* Two players take turns at marking ten cells; who wins is asked of ten cells at once, which has
   more ground rules than anyone could write. */
static const char endless_goals[] =
    "(role x) (role o) (init (control x)) (digit 0) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)\n"
    "(succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (<= (digit ?n) (succ ?m ?n))\n"
    "(<= (legal ?r (mark ?n)) (true (control ?r)) (digit ?n))\n"
    "(<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))\n"
    "(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))\n"
    "(<= (next (cell ?n ?r)) (does ?r (mark ?n)))\n"
    "(<= (next (cell ?n ?r)) (true (cell ?n ?r)) (does ?q (mark ?m)) (distinct ?n ?m))\n"
    "(<= (row ?r ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j) (true (cell ?a ?r)) (true (cell ?b ?r))\n"
    " (true (cell ?c ?r)) (true (cell ?d ?r)) (true (cell ?e ?r)) (true (cell ?f ?r))\n"
    " (true (cell ?g ?r)) (true (cell ?h ?r)) (true (cell ?i ?r)) (true (cell ?j ?r)))\n"
    "(<= (goal ?r 100) (row ?r ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j) (distinct ?a ?j))\n"
    "(<= terminal (row ?r ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j) (distinct ?a ?j))\n";

static void pairs_are_proved_impossible_where_goals_cannot_be_grounded(void **state) {
  rules_fixture *f = *state;
  frame_translation t;
  frame_proof proof;
  budget limits = budget_new(0, (size_t)16 << 20);
  assert_true(build_text(f, endless_goals));
  assert_true(frame_open(&t, &f->p, f->keep, &limits, &f->d));
  frame_prove(&proof, &t, SCOPE_GAMES, 20, f->keep, &limits);
  assert_int_equal(proof.pairs.count, 2); /* both mark, both do nothing */
  frame_close(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(pairs_are_proved_impossible_where_goals_cannot_be_grounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
