#include "base/account.h"

#include "base/recovery.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* What a rulesheet takes that is read before anybody asks. */
static const size_t least_slack = (size_t)4 << 20;

struct account {
  atomic_size_t taken;
  atomic_size_t limit; /* 0: none */
  atomic_uint holders;
  atomic_bool has_refused;
};

account *account_new(size_t limit) {
  account *a = recovery_memory(NULL, NULL, sizeof *a, 0);
  atomic_init(&a->taken, 0);
  atomic_init(&a->limit, limit);
  atomic_init(&a->holders, 1);
  atomic_init(&a->has_refused, false);
  return a;
}

void account_hold(account *a) {
  if (a) atomic_fetch_add_explicit(&a->holders, 1, memory_order_relaxed);
}

void account_let_go(account *a) {
  if (!a || atomic_fetch_sub(&a->holders, 1) > 1) return;
  assert(account_bytes(a) == 0);
  free(a);
}

void account_set_limit(account *a, size_t limit) { atomic_store(&a->limit, limit); }

/* What may be taken by those who do not ask. */
static size_t most_of(size_t limit) {
  const size_t slack = limit / 8 > least_slack ? limit / 8 : least_slack;
  return limit < SIZE_MAX - slack ? limit + slack : SIZE_MAX;
}

bool account_take(account *a, size_t bytes) {
  if (!a) return true;
  const size_t limit = atomic_load_explicit(&a->limit, memory_order_relaxed);
  const size_t before = atomic_fetch_add_explicit(&a->taken, bytes, memory_order_relaxed);
  if (!limit || before + bytes <= most_of(limit)) return true;
  account_give_back(a, bytes);
  atomic_store(&a->has_refused, true);
  return false;
}

void account_give_back(account *a, size_t bytes) {
  if (a) atomic_fetch_sub_explicit(&a->taken, bytes, memory_order_relaxed);
}

size_t account_bytes(const account *a) {
  return a ? atomic_load_explicit(&a->taken, memory_order_relaxed) : 0;
}

bool account_is_spent(const account *a) {
  const size_t limit = a ? atomic_load_explicit(&a->limit, memory_order_relaxed) : 0;
  return limit && account_bytes(a) > limit;
}

bool account_has_refused(const account *a) { return a && atomic_load(&a->has_refused); }

void account_forget_refusal(account *a) {
  if (a) atomic_store(&a->has_refused, false);
}
