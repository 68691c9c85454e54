#include "cli/limits.h"

#include <stdlib.h>
#include <string.h>

/* A signal handler can reach nothing else. */
static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

static size_t unit_of(const char *letter) {
  switch (*letter) {
    case '\0': return 1;
    case 'k':
    case 'K': return (size_t)1 << 10;
    case 'm':
    case 'M': return (size_t)1 << 20;
    case 'g':
    case 'G': return (size_t)1 << 30;
    default: return 0;
  }
}

static bool read_bytes(const char *words, size_t *bytes) {
  char *end;
  *bytes = 0;
  if (!words) return true;
  const unsigned long long number = strtoull(words, &end, 10);
  const size_t unit = unit_of(end);
  *bytes = (size_t)number * unit;
  const bool is_whole = *words >= '0' && *words <= '9' && unit && (!*end || !end[1]);
  return is_whole && *bytes / unit == number;
}

/* A second interrupt ends the process as usual. */
static void catch_interrupt(void) {
  struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
}

bool limits_begin(budget *b, const limit_options *o, const command_help *help, int *status) {
  size_t bytes;
  if (!read_bytes(o->memory_limit, &bytes)) {
    *status =
        usage_error(help, "--memory-limit needs a number of bytes, not `%s`", o->memory_limit);
    return false;
  }
  *b = budget_new(o->time_limit, bytes);
  b->interrupted = &interrupted;
  catch_interrupt();
  return true;
}
