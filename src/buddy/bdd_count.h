/* How many states a set has: exactly, below 2 to the 128. */
#ifndef TABIA_BUDDY_BDD_COUNT_H
#define TABIA_BUDDY_BDD_COUNT_H

#include <bdd.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct bdd_number {
  uint64_t high, low;
  bool is_over; /* it is larger */
} bdd_number;

bdd_number bdd_count(BDD set, uint32_t bits);
bdd_number bdd_number_sum(bdd_number a, bdd_number b);

/* Its decimal digits. */
enum { BDD_DIGITS = 48 };
const char *bdd_number_text(bdd_number n, char out[BDD_DIGITS]);

#endif
