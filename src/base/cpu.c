#include "base/cpu.h"

#ifdef __x86_64__

#include <cpuid.h>
#include <stdint.h>

/* Bits of XCR0: what the system saves when it switches tasks. */
enum { SAVES_AVX = 0x06, SAVES_AVX512 = 0xe6 };

static bool system_saves(uint32_t parts) {
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return false;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  (void)high;
  return (low & parts) == parts;
}

bool cpu_has_avx2(void) {
  uint32_t a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_AVX2 && system_saves(SAVES_AVX);
}

bool cpu_has_avx512f(void) {
  uint32_t a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_AVX512F && system_saves(SAVES_AVX512);
}

bool cpu_has_avx512_popcount(void) {
  uint32_t a, b, c, d;
  return cpu_has_avx512f() && __get_cpuid_count(7, 0, &a, &b, &c, &d) && c & bit_AVX512VPOPCNTDQ;
}

bool cpu_has_avx512_bytes(void) {
  uint32_t a, b, c, d;
  return cpu_has_avx512f() && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_AVX512BW;
}

bool cpu_has_avx512_words(void) {
  uint32_t a, b, c, d;
  return cpu_has_avx512f() && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_AVX512DQ;
}

bool cpu_has_bmi2(void) {
  uint32_t a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_BMI && b & bit_BMI2;
}

bool cpu_has_avx512_gfni(void) {
  uint32_t a, b, c, d;
  return cpu_has_avx512_bytes() && __get_cpuid_count(7, 0, &a, &b, &c, &d) && c & bit_GFNI;
}

#else

bool cpu_has_avx2(void) { return false; }
bool cpu_has_avx512f(void) { return false; }
bool cpu_has_avx512_popcount(void) { return false; }
bool cpu_has_avx512_bytes(void) { return false; }
bool cpu_has_avx512_words(void) { return false; }
bool cpu_has_bmi2(void) { return false; }
bool cpu_has_avx512_gfni(void) { return false; }

#endif
