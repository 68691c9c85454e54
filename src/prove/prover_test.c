/* What front ends rely on. */
#include "prove/prove_fixture.h"

/* What a listener heard. */
typedef struct heard {
  text order;   /* of the properties, as they were told */
  text methods; /* that were tried */
  bool are_settled;
} heard;

static void hear_finding(void *context, const prove_job *j, uint32_t i) {
  heard *h = context;
  text_add_format(&h->order, "%s%s", h->order.length ? ", " : "", j->properties.items[i].name);
  h->are_settled &= !job_is_open(j, i);
}

static void hear_method(void *context, const prove_job *j, const char *method, double seconds) {
  heard *h = context;
  (void)j;
  assert_true(seconds > 0);
  text_add_format(&h->methods, "%s%s", h->methods.length ? ", " : "", method);
}

static heard listen(prove_fixture *f, const char *list, const char *method, double seconds) {
  heard h = {text_new(f->keep), text_new(f->keep), true};
  const prove_options o = {
      .method = prove_method_find(method),
      .threads = 1,
      .seed = 1,
      .confidence = 0.99,
      .listener = {.found = hear_finding, .trying = hear_method, .context = &h}};
  const char *complaint = NULL;
  budget b = budget_new(seconds, 0);
  close_job(f);
  assert_int_equal(prover_open(&f->j, &f->p, o, &b, &f->d), PROVER_READY);
  f->has_job = true;
  assert_true(prover_ask(&f->j, list, &b, &complaint));
  prover_run(&f->j, &b);
  f->j.options.listener = (prove_listener){0}; /* `h` goes */
  return h;
}

/* ---- telling ---- */

/* A win is seen at once; what needs all states comes later. */
static void each_finding_is_told_once_when_it_is_found(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  heard h = listen(f, "terminates, mutex, winnable", "exhaustive", AMPLE_SECONDS);
  assert_string_equal(text_string(&h.order), "winnable x, winnable o, terminates, mutex");
  assert_true(h.are_settled);
}

static void what_stays_unknown_is_told_at_the_end(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  heard h = listen(f, "strongly-winnable x, winnable x", "bmc", AMPLE_SECONDS);
  assert_string_equal(text_string(&h.order), "winnable x, strongly-winnable x");
  assert_false(h.are_settled);
}

static void methods_are_told_before_they_are_tried(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "nim");
  heard h = listen(f, "playable", "pdr", AMPLE_SECONDS);
  assert_string_equal(text_string(&h.methods), "pdr");
  h = listen(f, "goals", "auto", AMPLE_SECONDS);
  assert_int_equal(strncmp(text_string(&h.methods), "probe, exhaustive", 17), 0);
}

/* ---- asking ---- */

static void lists_have_commas_and_blanks(void **state) {
  prove_fixture *f = *state;
  const char *complaint = NULL;
  read_builtin(f, "tic-tac-toe");
  ask(f, "playable");
  f->j.properties.count = 0;
  assert_true(prover_ask(&f->j, " playable , goals,,winnable x ", &f->b, &complaint));
  assert_true(
      prover_ask(&f->j, "unreachable (and (control x) (control o)), mutex", &f->b, &complaint));
  assert_int_equal(f->j.properties.count, 5);
  assert_string_equal(f->j.properties.items[1].name, "goals");
  assert_string_equal(f->j.properties.items[2].name, "winnable x");
}

static void a_list_with_a_fault_adds_nothing(void **state) {
  prove_fixture *f = *state;
  const char *complaint = NULL;
  read_builtin(f, "nim");
  ask(f, "playable");
  assert_false(prover_ask(&f->j, "goals, playble", &f->b, &complaint));
  assert_non_null(strstr(complaint, "did you mean `playable`"));
  assert_false(prover_ask(&f->j, " , ", &f->b, &complaint));
  assert_int_equal(f->j.properties.count, 1);
}

/* ---- what is not known ---- */

static void a_method_that_does_not_look_at_it_names_those_that_do(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "nim");
  ask(f, "strongly-winnable first");
  run_whole(f, "pdr", 5);
  assert_string_equal(f->j.findings[0].reason,
                      "pdr: does not look at this; these methods do: exhaustive, proof-number");
}

static void a_method_says_why_it_did_not_decide(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/runs-in-circles");
  ask(f, "terminates");
  run_whole(f, "termination", AMPLE_SECONDS);
  assert_string_equal(f->j.findings[0].reason,
                      "termination: no measure of fluents was found that falls in every step");
}

static void methods_for_which_no_time_was_left_are_named(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "nim");
  ask(f, "terminates");
  run_whole(f, "auto", 1e-9);
  assert_string_equal(f->j.findings[0].reason,
                      "no time was left for probe, exhaustive, termination, bmc");
}

static void what_cannot_be_grounded_stays_unknown(void **state) {
  prove_fixture *f = *state;
  const prove_options o = {.method = prove_method_find("pdr"), .threads = 1};
  const char *complaint = NULL;
  read_game(f, "(role r) (init (at z)) (legal r go) (<= (next (at (s ?n))) (true (at ?n)))\n"
               "(<= terminal (true (at (s z)))) (goal r 100)");
  assert_int_equal(prover_open(&f->j, &f->p, o, &f->b, &f->d), PROVER_UNGROUND);
  f->has_job = true;
  assert_int_equal(f->d.errors, 1);
  assert_true(prover_ask(&f->j, "playable", &f->b, &complaint));
  prover_run(&f->j, &f->b);
  assert_int_equal(f->j.findings[0].kind, VERDICT_UNKNOWN);
  assert_non_null(f->j.findings[0].reason);
}

/* ---- what there is to show ---- */

static void a_line_of_play_is_written_as_a_trace(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/runs-in-circles");
  listen(f, "winnable, terminates", "exhaustive", AMPLE_SECONDS);
  const finding *v = &f->j.findings[f->j.properties.count - 1];
  text out = text_new(f->keep);
  assert_true(v->has_line);
  assert_true(prover_trace(&f->j, v, "circles", &f->b, &out));
  assert_non_null(strstr(text_string(&out), "\"circles\""));
}

static void certificates_are_of_all_that_has_one(void **state) {
  prove_fixture *f = *state;
  text out = text_new(f->keep);
  read_builtin(f, "nim");
  listen(f, "playable, strongly-winnable first, goals", "exhaustive", AMPLE_SECONDS);
  assert_true(prover_certify(&f->j, &out));
  assert_non_null(strstr(text_string(&out), "(property playable)"));
  assert_non_null(strstr(text_string(&out), "(property goals)"));
  assert_null(strstr(text_string(&out), "strongly"));
  listen(f, "strongly-winnable first", "exhaustive", AMPLE_SECONDS);
  text_clear(&out);
  assert_false(prover_certify(&f->j, &out));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(each_finding_is_told_once_when_it_is_found),
      a_test(what_stays_unknown_is_told_at_the_end),
      a_test(methods_are_told_before_they_are_tried),
      a_test(lists_have_commas_and_blanks),
      a_test(a_list_with_a_fault_adds_nothing),
      a_test(a_method_that_does_not_look_at_it_names_those_that_do),
      a_test(a_method_says_why_it_did_not_decide),
      a_test(methods_for_which_no_time_was_left_are_named),
      a_test(what_cannot_be_grounded_stays_unknown),
      a_test(a_line_of_play_is_written_as_a_trace),
      a_test(certificates_are_of_all_that_has_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
