/* A cache of compiled games for a group of tests alone. */
#ifndef TABIA_MACHINE_COMPILED_CACHE_FIXTURE_H
#define TABIA_MACHINE_COMPILED_CACHE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline int make_cache(void **state) {
  static char folder[] = "/tmp/tabia-test-XXXXXX";
  (void)state;
  if (!mkdtemp(folder)) return -1;
  return setenv("XDG_CACHE_HOME", folder, 1);
}

static inline int drop_cache(void **state) {
  char command[200];
  (void)state;
  snprintf(command, sizeof command, "rm -rf '%s'", getenv("XDG_CACHE_HOME"));
  return system(command);
}

#endif
