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

/* The first one lets the command end in order, so that it leaves nothing behind; a second ends the
   process as usual.  A signal that is ignored, as nohup does, stays ignored. */
static void catch_signal(int number) {
  struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND}, before;
  sigemptyset(&action.sa_mask);
  if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(number, &action, NULL);
}

static void catch_signals(void) {
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
  catch_signal(SIGHUP);
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
  catch_signals();
  return true;
}
