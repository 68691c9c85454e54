#include "machine/machine_fixture.h"
#include "machine/step_speed.h"

static void finds_a_kind_by_its_name(void **state) {
  (void)state;
  assert_ptr_equal(machine_kind("reference"), &reference_machine);
  assert_null(machine_kind("perpetual"));
}

static void reference_is_the_last_resort(void **state) {
  (void)state;
  const machine_ops *last = NULL;
  for (const machine_ops *const *kind = machine_kinds; *kind; kind++) last = *kind;
  assert_ptr_equal(last, &reference_machine);
}

static void every_kind_has_all_calls(void **state) {
  (void)state;
  for (const machine_ops *const *kind = machine_kinds; *kind; kind++) {
    const machine_ops *o = *kind;
    assert_true(o->name && o->summary && o->open && o->close && o->workspace_new);
    assert_true(o->workspace_free && o->start && o->terminal && o->legal && o->goals);
    assert_true(o->step && o->sees && o->fluents && o->fluent_text && o->move_text);
    assert_non_null(o->percept_text);
  }
}

/* Those that facts name come first, as in the rulesheet; then those that rules give, by their
   text. */
static void all_kinds_have_the_roles_in_the_same_order(void **state) {
  static const char *const order[] = {"zoe", "ann", "abe", "max", "zed"};
  machine_fixture *f = *state;
  open_game(f, "(name zed 1) (name max 3) (name abe 2) (role zoe)\n"
               "(<= (role ?x) (name ?x ?n)) (role ann) (<= (legal ?r go) (role ?r))");
  const machine_source from = {.program = &f->p};
  for (const machine_ops *const *kind = machine_kinds; *kind; kind++) {
    machine *m = machine_open((*kind)->name, &from, &f->b, &f->d);
    assert_non_null(m);
    assert_int_equal(m->role_count, sizeof order / sizeof *order);
    for (uint32_t i = 0; i < m->role_count; i++) assert_string_equal(m->roles[i], order[i]);
    machine_close(m);
  }
}

static void auto_opens_what_can_be_opened(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (legal r go)");
  const machine_source from = {.program = &f->p};
  machine *m = machine_open("auto", &from, NULL, &f->d);
  assert_non_null(m);
  machine_close(m);
}

static void auto_tells_why_nothing_can_be_opened(void **state) {
  machine_fixture *f = *state;
  assert_false(open_text(f, "(legal r go)"));
  const machine_source from = {.program = &f->p};
  const uint32_t before = f->d.errors;
  assert_null(machine_open("auto", &from, NULL, &f->d));
  assert_true(f->d.errors > before);
}

/* Small circuits are fast: nothing is compiled for them, however long the work is. */
static void auto_keeps_a_fast_circuit_for_long_work(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  const machine_source from = {.program = &f->p, .for_long = true};
  machine *m = machine_open("auto", &from, NULL, &f->d);
  assert_non_null(m);
  const double speed = machine_step_speed(m, TRY_AS_IN_SEARCH, 0.01, NULL);
  if (speed > 500000) assert_string_equal(m->ops->name, "circuit"); /* not on a slow day */
  machine_close(m);
}

/* Whatever is compared, what is opened plays the game. */
static void auto_finds_a_machine_for_long_work_on_a_slow_circuit(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "chess");
  const machine_source from = {.program = &f->p, .for_long = true};
  budget b = budget_new(0, 0);
  machine *m = machine_open("auto", &from, &b, &f->d);
  assert_non_null(m);
  machine_workspace *w = machine_workspace_new(m, &b);
  void *position = arena_alloc(f->keep, m->position_size);
  machine_start(m, position);
  assert_int_equal(machine_legal(m, w, position, 0, NULL, 0), 20);
  machine_workspace_free(m, w);
  machine_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(finds_a_kind_by_its_name),
      a_test(reference_is_the_last_resort),
      a_test(every_kind_has_all_calls),
      a_test(all_kinds_have_the_roles_in_the_same_order),
      a_test(auto_opens_what_can_be_opened),
      a_test(auto_tells_why_nothing_can_be_opened),
      a_test(auto_keeps_a_fast_circuit_for_long_work),
      a_test(auto_finds_a_machine_for_long_work_on_a_slow_circuit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
