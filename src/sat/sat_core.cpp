#include "sat/sat_core.h"

#include <ccadical.h>

namespace {

template <typename Act> void guard(sat_core *c, Act act) noexcept {
  if (c->has_failed) return;
  try {
    act();
  } catch (...) {
    c->has_failed = true;
  }
}

} // namespace

void sat_core_init(sat_core *c) {
  *c = sat_core{nullptr, false};
  guard(c, [=] { c->solver = ccadical_init(); });
}

void sat_core_free(sat_core *c) {
  guard(c, [=] { ccadical_release(c->solver); });
}

void sat_core_set_option(sat_core *c, const char *name, int value) {
  guard(c, [=] { ccadical_set_option(c->solver, name, value); });
}

void sat_core_set_stop(sat_core *c, int (*must_stop)(void *context), void *context) {
  guard(c, [=] { ccadical_set_terminate(c->solver, context, must_stop); });
}

void sat_core_put(sat_core *c, int32_t literal) {
  guard(c, [=] { ccadical_add(c->solver, literal); });
}

/* The first value of a model may be what completes the model, which takes memory: it is asked for
   here. */
int sat_core_solve(sat_core *c, const int32_t *assumptions, uint32_t count, uint32_t conflicts) {
  int answer = 0;
  guard(c, [=, &answer] {
    for (uint32_t i = 0; i < count; i++) ccadical_assume(c->solver, assumptions[i]);
    if (conflicts) ccadical_limit(c->solver, "conflicts", static_cast<int>(conflicts));
    answer = ccadical_solve(c->solver);
    if (answer == 10) ccadical_val(c->solver, 1);
  });
  return c->has_failed ? 0 : answer;
}

int sat_core_value(const sat_core *c, int32_t variable) {
  return c->has_failed ? 0 : ccadical_val(c->solver, variable);
}

bool sat_core_failed(const sat_core *c, int32_t assumption) {
  return !c->has_failed && ccadical_failed(c->solver, assumption) != 0;
}
