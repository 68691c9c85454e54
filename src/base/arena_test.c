#include "base/base_fixture.h"

static bool is_filled(const unsigned char *bytes, size_t count, unsigned char with) {
  for (size_t i = 0; i < count; i++)
    if (bytes[i] != with) return false;
  return true;
}

static void memory_fits_any_type(void **state) {
  for (size_t size = 0; size < 100; size++) {
    const uintptr_t address = (uintptr_t)arena_alloc(*state, size);
    assert_int_not_equal(address, 0);
    assert_int_equal(address % 16, 0);
  }
  assert_int_equal((uintptr_t)arena_alloc(*state, ARENA_LARGE + 1) % 16, 0);
}

static void blocks_do_not_overlap(void **state) {
  unsigned char *blocks[200];
  for (int i = 0; i < 200; i++)
    blocks[i] = memset(arena_alloc(*state, (size_t)i * 37), i, (size_t)i * 37);
  for (int i = 0; i < 200; i++) assert_true(is_filled(blocks[i], (size_t)i * 37, (unsigned char)i));
}

static void zeroed_memory_is_zero(void **state) {
  memset(arena_alloc(*state, 1000), 7, 1000);
  arena_clear(*state);
  assert_true(is_filled(arena_alloc_zero(*state, 1000), 1000, 0));
}

/* From nothing to a large block of its own, in steps. */
static void growing_keeps_what_was_there(void **state) {
  unsigned char *block = NULL;
  size_t size = 0;
  for (size_t larger = 1; larger < 200000; larger = larger * 3 + 5) {
    block = arena_grow(*state, block, size, larger);
    assert_true(is_filled(block, size, 9));
    memset(block, 9, larger);
    size = larger;
    arena_alloc(*state, 10); /* so that it cannot always grow in place */
  }
}

static void the_newest_block_grows_in_place(void **state) {
  void *block = arena_alloc(*state, 100);
  assert_ptr_equal(arena_grow(*state, block, 100, 200), block);
  arena_alloc(*state, 1);
  assert_ptr_not_equal(arena_grow(*state, block, 200, 300), block);
}

/* Many arenas live for a moment and hold next to nothing. */
static void an_arena_with_little_in_it_is_small(void **state) {
  arena_alloc(*state, 100);
  assert_true(arena_bytes(*state) <= 1024);
}

static void a_mark_gives_back_what_is_newer(void **state) {
  unsigned char *old = memset(arena_alloc(*state, 100), 1, 100);
  const arena_mark mark = arena_save(*state);
  const size_t bytes = arena_bytes(*state);
  for (int i = 0; i < 50; i++) memset(arena_alloc(*state, 5000), 2, 5000);
  memset(arena_alloc(*state, 100000), 2, 100000);
  assert_true(arena_bytes(*state) > bytes);
  arena_restore(*state, mark);
  assert_int_equal(arena_bytes(*state), bytes);
  assert_true(is_filled(old, 100, 1));
}

static void a_mark_of_an_empty_arena_keeps_its_first_small_chunk(void **state) {
  const arena_mark mark = arena_save(*state);
  const void *first = arena_alloc(*state, 10);
  const size_t bytes = arena_bytes(*state);
  for (int i = 0; i < 50; i++) arena_alloc(*state, 500);
  arena_alloc(*state, ARENA_LARGE);
  arena_restore(*state, mark);
  assert_int_equal(arena_bytes(*state), bytes);
  assert_ptr_equal(arena_alloc(*state, 10), first);
}

static void an_older_large_block_survives_a_mark_though_it_grew(void **state) {
  unsigned char *large = memset(arena_alloc(*state, ARENA_LARGE), 3, ARENA_LARGE);
  const arena_mark mark = arena_save(*state);
  large = arena_grow(*state, large, ARENA_LARGE, 8 * ARENA_LARGE);
  arena_alloc(*state, ARENA_LARGE);
  arena_restore(*state, mark);
  assert_true(is_filled(large, ARENA_LARGE, 3));
  assert_int_equal(arena_bytes(*state), 8 * ARENA_LARGE);
}

static void a_large_block_can_be_given_back_early(void **state) {
  void *blocks[3];
  for (int i = 0; i < 3; i++) blocks[i] = arena_alloc(*state, ARENA_LARGE);
  arena_release(*state, blocks[1], ARENA_LARGE);
  assert_int_equal(arena_bytes(*state), 2 * ARENA_LARGE);
  arena_release(*state, blocks[2], ARENA_LARGE);
  arena_release(*state, blocks[0], ARENA_LARGE);
  assert_int_equal(arena_bytes(*state), 0);
  arena_release(*state, NULL, 0);
}

static void a_cleared_arena_holds_nothing(void **state) {
  arena_alloc(*state, 100000);
  assert_true(arena_bytes(*state) >= 100000);
  arena_clear(*state);
  assert_int_equal(arena_bytes(*state), 0);
}

static void a_copied_text_ends_with_nul(void **state) {
  assert_string_equal(arena_copy_text(*state, "abcdef", 3), "abc");
  assert_string_equal(arena_copy_text(*state, NULL, 0), "");
}

static void freeing_nothing_is_allowed(void **state) {
  (void)state;
  arena_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(memory_fits_any_type),
      base_test(blocks_do_not_overlap),
      base_test(zeroed_memory_is_zero),
      base_test(growing_keeps_what_was_there),
      base_test(the_newest_block_grows_in_place),
      base_test(an_arena_with_little_in_it_is_small),
      base_test(a_mark_gives_back_what_is_newer),
      base_test(a_mark_of_an_empty_arena_keeps_its_first_small_chunk),
      base_test(an_older_large_block_survives_a_mark_though_it_grew),
      base_test(a_large_block_can_be_given_back_early),
      base_test(a_cleared_arena_holds_nothing),
      base_test(a_copied_text_ends_with_nul),
      base_test(freeing_nothing_is_allowed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
