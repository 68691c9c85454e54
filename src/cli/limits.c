#include "cli/limits.h"

bool limits_begin(budget *b, const limit_choice *o, const command_help *help, int *status) {
  size_t bytes;
  if (!limit_choice_read(o, help, &bytes, status)) return false;
  *b = budget_new(o->time_limit, bytes);
  b->interrupted = session_catch_signals();
  return true;
}
