/* Where compiled games are kept between runs: one folder for each user.

   $XDG_CACHE_HOME/tabia, or ~/.cache/tabia.  What lies there is run, so the folder must belong to
   the user and nobody else may write to it; where that cannot be had, a new folder of our own takes
   its place and goes when we do.  A file appears whole or not at all.

   A library's time of change is when it was last loaded.  When a new one has come, those that were
   not used for long go, then the least recently used until the rest is small enough.  A library
   that is in use can go like any other: it stays loaded, and is built again when it is next wanted.

   A process that is killed leaves the part behind that it was building.  Parts older than any build
   go when the cache is next opened or has got a new library. */
#ifndef TABIA_MACHINE_COMPILED_COMPILED_CACHE_H
#define TABIA_MACHINE_COMPILED_COMPILED_CACHE_H

#include "base/budget.h"
#include "base/text.h"

typedef struct compiled_cache {
  const char *folder;
  bool is_passing; /* ours alone: removed with all that is in it */
} compiled_cache;

typedef struct cache_limits {
  uint64_t bytes;      /* of all libraries together */
  double unused_for;   /* seconds after which a library goes */
  double begun_before; /* seconds after which a part is taken to be left behind */
} cache_limits;

extern const cache_limits cache_limits_usual;

/* Removes parts that were left behind.  False: there is no place to write (reported). */
bool compiled_cache_open(compiled_cache *c, arena *keep, diag_sink *d);
void compiled_cache_close(const compiled_cache *c);

/* The path of the library for a C text at a level of optimisation. */
const char *compiled_cache_path(const compiled_cache *c, const text *whole, uint32_t level,
                                arena *keep);

/* A new empty file beside the library, to build it in; NULL: it cannot be made. */
const char *compiled_cache_begin(const char *path, arena *keep);

/* Moves a finished part to its place; false: that failed, and the part is gone. */
bool compiled_cache_finish(const char *part, const char *path);

/* A regular file of this user that nobody else can write to.  It counts as used now. */
bool compiled_cache_has(const char *path);

/* Removes what is old, left behind, or too much.  Files that are not ours by name stay. */
void compiled_cache_prune(const compiled_cache *c, const cache_limits *limits);

#endif
