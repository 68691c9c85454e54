#include "base/sha1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *hex_of(const char *words, size_t times) {
  static char hex[SHA1_HEX_SIZE];
  sha1 s;
  sha1_init(&s);
  for (size_t i = 0; i < times; i++) sha1_add(&s, words, strlen(words));
  sha1_hex(&s, hex);
  return hex;
}

/* The examples of FIPS 180. */
static void gives_the_sums_of_the_standard(void **state) {
  (void)state;
  assert_string_equal(hex_of("", 1), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  assert_string_equal(hex_of("abc", 1), "a9993e364706816aba3e25717850c26c9cd0d89d");
  assert_string_equal(hex_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1),
                      "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  assert_string_equal(hex_of("a", 1000000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

static void parts_and_whole_give_the_same(void **state) {
  (void)state;
  char whole[201] = "";
  for (int i = 0; i < 20; i++) strcat(whole, "0123456789");
  char hex[SHA1_HEX_SIZE];
  strcpy(hex, hex_of(whole, 1));
  assert_string_equal(hex_of("0123456789", 20), hex);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gives_the_sums_of_the_standard),
      cmocka_unit_test(parts_and_whole_give_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
