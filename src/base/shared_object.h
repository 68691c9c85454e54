/* Code from a shared object, for a program that has no dynamic linker.

   The dynamic linker takes longer to start than most games take to be grounded, so the program is
   linked without it where that can be done, and what it compiles while it runs is loaded here.
   Such an object needs little: it is mapped, its relocations are applied, and the functions that
   it calls are looked up in a list of the caller's.  Constructors are not run, and the libraries
   that it names are not loaded.  Where this file does not know the machine, dlopen does it all.

   What is loaded is meant to be run, so it is trusted: no more is checked than that it is an object
   for this machine and needs nothing that cannot be had. */
#ifndef TABIA_BASE_SHARED_OBJECT_H
#define TABIA_BASE_SHARED_OBJECT_H

#include <stddef.h>

#if defined __x86_64__ && defined __LP64__ && defined __linux__
#define SHARED_OBJECT_LOADS_ELF 1
#else
#define SHARED_OBJECT_LOADS_ELF 0
#endif

typedef void any_function(void);

/* A function that an object may call; a list of them ends with a NULL name. */
typedef struct host_function {
  const char *name;
  any_function *address;
} host_function;

typedef struct shared_object {
  unsigned char *memory; /* NULL: not loaded */
  size_t size;           /* 0: `memory` is the handle of dlopen */
} shared_object;

/* The function `name` of the object at `path`; NULL, and nothing is loaded: there is none, or the
   object cannot be loaded. */
any_function *shared_object_load(shared_object *o, const char *path, const char *name,
                                 const host_function *host);

void shared_object_unload(shared_object *o); /* one that was not loaded is allowed */

#endif
