/* The bytes that several arenas hold together, and their limit: the memory limit of a call.

   An arena is charged to the account of the recovery point at which it is made (recovery.h), and so
   are arenas of threads that work for the call.  Once the limit is reached, loops stop with what
   they have (budget.h).  An allocation that asks no budget, such as doubling an array, may exceed
   the limit by an eighth, or a few megabytes; beyond that it fails, and the call ends as if the
   system had no memory. */
#ifndef TABIA_BASE_ACCOUNT_H
#define TABIA_BASE_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>

/* NULL stands for no account, which has no limit.  Threads may use one at the same time. */
typedef struct account account;

/* 0: no limit.  It has one holder, and goes when it has none. */
account *account_new(size_t limit);
void account_hold(account *a);
void account_let_go(account *a);

void account_set_limit(account *a, size_t limit); /* 0: none */

/* False: that is too much, and nothing is taken. */
bool account_take(account *a, size_t bytes);
void account_give_back(account *a, size_t bytes);

size_t account_bytes(const account *a);  /* taken now */
bool account_is_spent(const account *a); /* more than the limit is taken */
bool account_has_refused(const account *a);
void account_forget_refusal(account *a);

#endif
