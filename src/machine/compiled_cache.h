/* Where compiled games are kept between runs: one folder for each user.

   $XDG_CACHE_HOME/tabia, or ~/.cache/tabia.  What lies there is run, so the folder must belong to
   the user and nobody else may write to it; where that cannot be had, a new folder of our own takes
   its place and goes when we do.  A file appears whole or not at all. */
#ifndef TABIA_MACHINE_COMPILED_CACHE_H
#define TABIA_MACHINE_COMPILED_CACHE_H

#include "base/budget.h"
#include "base/text.h"

typedef struct compiled_cache {
  const char *folder;
  bool is_passing; /* ours alone: removed with all that is in it */
} compiled_cache;

/* False: there is no place to write (reported). */
bool compiled_cache_open(compiled_cache *c, arena *keep, diag_sink *d);
void compiled_cache_close(const compiled_cache *c);

/* The path of the library for a C text at a level of optimisation. */
const char *compiled_cache_path(const compiled_cache *c, const text *whole, uint32_t level,
                                arena *keep);

/* A regular file of this user that nobody else can write to. */
bool compiled_cache_has(const char *path);

#endif
