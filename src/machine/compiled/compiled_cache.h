/* Where compiled games are kept between runs: one folder for each user.

   $XDG_CACHE_HOME/tabia, or ~/.cache/tabia.  Its files are executed, so nobody else may be able to
   write to it or to replace the folder (own_folder.h).  If there is no such folder, builds are made
   in the folder for temporary files and nothing is kept.

   A library appears whole or not at all: it is built in a folder of its own, together with the
   compiler's temporary files, and then moved.  A checksum is at its end.  It is opened, checked and
   loaded through one descriptor.

   The modification time of a library is when it was last loaded.  When a new one is added, those
   not used for long are removed, then the least recently used ones until the rest is small enough.
   A library in use can be removed like any other: it stays loaded, and is built again when it is
   next needed.

   A process that is killed leaves its build folder behind.  Such folders that are older than any
   build can be are removed when the cache is next opened or gets a new library. */
#ifndef TABIA_MACHINE_COMPILED_COMPILED_CACHE_H
#define TABIA_MACHINE_COMPILED_COMPILED_CACHE_H

#include "base/budget.h"
#include "base/own_folder.h"
#include "base/text.h"

typedef struct compiled_cache {
  own_folder folder; /* where builds are made */
  bool is_lasting;   /* libraries are kept there */
} compiled_cache;

typedef struct cache_limits {
  uint64_t bytes;      /* of all libraries together */
  double unused_for;   /* seconds after which a library goes */
  double begun_before; /* seconds after which a build is taken to be left behind */
} cache_limits;

extern const cache_limits cache_limits_usual;

/* Removes builds that were left behind.  False: there is no place to write (reported). */
bool compiled_cache_open(compiled_cache *c, arena *keep, diag_sink *d);
void compiled_cache_close(compiled_cache *c);

/* The name of the library for a C text at a level of optimisation. */
const char *compiled_cache_name(const text *whole, uint32_t level, arena *keep);

/* A descriptor of the library, which counts as used now; -1: there is none, or it is damaged. */
int compiled_cache_find(const compiled_cache *c, const char *name);

/* A build that is under way. */
typedef struct cache_build {
  const compiled_cache *cache;
  const char *name;
  own_folder folder;  /* for the compiler's files */
  const char *output; /* the path that the compiler writes to, in this folder */
  arena *guard;       /* removes the folder */
} cache_build;

/* False: no folder can be made; errno says why.  Else call compiled_cache_end. */
bool compiled_cache_begin(cache_build *b, const compiled_cache *c, const char *name, arena *keep);

/* Puts the library that was built into its place; gives a descriptor of it, or -1: errno says
   why. */
int compiled_cache_finish(const cache_build *b);

/* Removes the folder with all that is still in it. */
void compiled_cache_end(cache_build *b);

/* Removes what is old, left behind, or too much.  Files that are not ours by name stay. */
void compiled_cache_prune(const compiled_cache *c, const cache_limits *limits);

#endif
