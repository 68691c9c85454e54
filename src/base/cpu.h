/* Features of the processor that are not known when the program is built.

   __builtin_cpu_supports would do, but it adds a constructor that queries the processor at every
   start of the program, and on a virtual machine each query costs microseconds. */
#ifndef TABIA_BASE_CPU_H
#define TABIA_BASE_CPU_H

#include <stdbool.h>

/* Both the instructions and room for their registers with the system. */
bool cpu_has_avx2(void);
bool cpu_has_avx512f(void);
bool cpu_has_avx512_popcount(void); /* AVX512_VPOPCNTDQ */
bool cpu_has_avx512_bytes(void);    /* AVX512BW */
bool cpu_has_avx512_words(void);    /* AVX512DQ */
bool cpu_has_bmi2(void);
bool cpu_has_avx512_gfni(void); /* AVX512BW and GFNI */

#endif
