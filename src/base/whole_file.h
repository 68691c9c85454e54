/* A file that appears whole or not at all.

   It is written beside its final place under a random new name (O_EXCL), so that it is never
   written through a planted link; then it is synced and renamed.  A replaced file keeps its mode,
   and its owner and group if we are allowed to set them.  A symbolic link stays a link: its target
   is replaced.  Devices and pipes are written to directly.

     whole_file f;
     if (!whole_file_begin(&f, path, keep)) return complain(path, strerror(errno));
     const bool is_complete = write_it(f.file);
     if (!whole_file_end(&f, is_complete)) return complain(path, strerror(errno)); */
#ifndef TABIA_BASE_WHOLE_FILE_H
#define TABIA_BASE_WHOLE_FILE_H

#include "base/arena.h"

#include <stdio.h>

typedef struct whole_file {
  FILE *file;       /* to write to */
  const char *path; /* its place, with links followed */
  const char *part; /* what is written; NULL: the device or pipe itself */
  arena *guard;     /* gives it up */
} whole_file;

/* False: it cannot be written; errno says why.  Else whole_file_end is due, and `f` stays where it
   is until then. */
bool whole_file_begin(whole_file *f, const char *path, arena *keep);

/* Moves the file to its place; where it is not complete or something failed, it goes, and what
   stood there before stays.  False: nothing was put there; errno says why, as the caller left it
   where it says that the file is not complete. */
bool whole_file_end(whole_file *f, bool is_complete);

/* Whoever is killed in between leaves a file with the name of its place and this behind. */
bool whole_file_is_part(const char *behind);

#endif
