#include "base/base_fixture.h"
#include "base/recovery.h"
#include "base/vec.h"

static size_t allocations_left = SIZE_MAX; /* before one fails */

bool memory_is_refused(size_t bytes) {
  (void)bytes;
  return allocations_left != SIZE_MAX && allocations_left-- == 0;
}

/* What was given back, in order. */
static char given_back[16];

static char a = 'a', b = 'b', c = 'c', d = 'd', x = 'x';

static void give_back(void *what) {
  const size_t length = strlen(given_back);
  given_back[length] = *(const char *)what;
  given_back[length + 1] = '\0';
}

static int begin(void **state) {
  allocations_left = SIZE_MAX;
  given_back[0] = '\0';
  return set_up(state);
}

static void fail_at_once(void *context) {
  (void)context;
  recovery_fail();
}

static void guard_letters(void *context) {
  (void)context;
  arena_guarding(give_back, &a);
  arena_free(arena_guarding(give_back, &b));
  arena_guarding(give_back, &c);
}

static void guard_letters_and_fail(void *context) {
  guard_letters(context);
  recovery_fail();
}

static void grow_without_end(void *context) {
  id_vec *v = context;
  arena *keep = arena_new();
  for (;;) vec_push(keep, v, 1);
}

static void a_failure_goes_on_at_the_last_point(void **state) {
  (void)state;
  assert_false(recovery_try(NULL, fail_at_once, NULL));
  assert_null(recovery_group());
}

static void a_failure_gives_back_what_was_made_since_newest_first(void **state) {
  (void)state;
  assert_false(recovery_try(NULL, guard_letters_and_fail, NULL));
  assert_string_equal(given_back, "bca");
}

static void what_succeeds_is_kept_and_belongs_to_the_group(void **state) {
  (void)state;
  arena_group group = {0};
  assert_true(recovery_try(&group, guard_letters, NULL));
  assert_string_equal(given_back, "b");
  arena_group_free(&group);
  assert_string_equal(given_back, "bca");
  assert_null(group.newest);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  for (size_t i = 0; i < 12; i++) {
    id_vec v = {0};
    allocations_left = i;
    assert_false(recovery_try(NULL, grow_without_end, &v));
  }
}

static void grow_older(void *context) { arena_grow(context, NULL, 0, 5000); }

static void an_older_arena_stays_whole(void **state) {
  unsigned char *old = memset(arena_alloc(*state, 2000), 5, 2000);
  const size_t bytes = arena_bytes(*state);
  allocations_left = 0;
  assert_false(recovery_try(NULL, grow_older, *state));
  assert_int_equal(arena_bytes(*state), bytes);
  assert_int_equal(old[1999], 5);
}

static void guard_without_memory(void *context) {
  allocations_left = 0;
  arena_guarding(give_back, context);
}

static void what_cannot_be_guarded_is_given_back_at_once(void **state) {
  (void)state;
  assert_false(recovery_try(NULL, guard_without_memory, &x));
  assert_string_equal(given_back, "x");
}

static void fail_inside(void *context) {
  *(bool *)context = !recovery_try(recovery_group(), guard_letters_and_fail, NULL);
  arena_guarding(give_back, &d);
}

static void an_inner_failure_leaves_the_outer_work_alone(void **state) {
  (void)state;
  bool has_failed = false;
  arena_group group = {0};
  assert_true(recovery_try(&group, fail_inside, &has_failed));
  assert_true(has_failed);
  assert_string_equal(given_back, "bca");
  arena_group_free(&group);
  assert_string_equal(given_back, "bcad");
}

static void add_to_older_and_fail(void *context) {
  assert_true(recovery_try(arena_group_of(context), guard_letters, NULL));
  recovery_fail();
}

static void what_was_added_to_an_older_group_outlives_a_failure(void **state) {
  (void)state;
  arena_group group = {0};
  assert_true(recovery_try(&group, guard_letters, NULL));
  assert_false(recovery_try(NULL, add_to_older_and_fail, group.newest));
  assert_string_equal(given_back, "bb");
  arena_group_free(&group);
  assert_string_equal(given_back, "bbcaca");
}

static void lock_and_fail(void *context) {
  recovery_lock(context);
  recovery_fail();
}

static void a_lock_is_given_back(void **state) {
  (void)state;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  assert_false(recovery_try(NULL, lock_and_fail, &lock));
  assert_int_equal(pthread_mutex_trylock(&lock), 0);
  recovery_unlock(&lock);
}

enum { THREADS = 4, ROUNDS = 2000 };

static void make_and_free(void *context) {
  (void)context;
  for (int i = 0; i < ROUNDS; i++) arena_free(arena_new());
  arena_new();
}

static void *run_thread(void *context) {
  recovery r;
  recovery_enter(&r, context);
  if (setjmp(r.here) == 0) {
    make_and_free(NULL);
    recovery_leave(&r);
  }
  return NULL;
}

static void threads_share_a_group(void **state) {
  (void)state;
  arena_group group = {0};
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, run_thread, &group), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  assert_non_null(group.newest);
  arena_group_free(&group);
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, begin, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_failure_goes_on_at_the_last_point),
      a_test(a_failure_gives_back_what_was_made_since_newest_first),
      a_test(what_succeeds_is_kept_and_belongs_to_the_group),
      a_test(every_allocation_may_fail),
      a_test(an_older_arena_stays_whole),
      a_test(what_cannot_be_guarded_is_given_back_at_once),
      a_test(an_inner_failure_leaves_the_outer_work_alone),
      a_test(what_was_added_to_an_older_group_outlives_a_failure),
      a_test(a_lock_is_given_back),
      a_test(threads_share_a_group),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
