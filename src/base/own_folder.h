/* Folders in which nobody else can plant or swap a file.

   Files in such a folder may be executed, so checking its path is not enough: the owner of a folder
   above it could replace it between check and use.  The folder is opened step by step from the
   root, without following links, and each step is checked after it was opened: it must belong to
   the user or to root, and others may not write to it, unless they can only add to it (as in /tmp).
   Then only the user and root can change where the path leads. */
#ifndef TABIA_BASE_OWN_FOLDER_H
#define TABIA_BASE_OWN_FOLDER_H

#include "base/arena.h"

typedef struct own_folder {
  const char *path; /* from the root, without links */
  int descriptor;
  arena *guard; /* closes it; NULL: it is not open */
} own_folder;

/* A folder that is there.  False: errno says why; EPERM: others could change where it leads. */
bool own_folder_open(own_folder *f, const char *path, arena *keep);

/* The folder for temporary files, $TMPDIR or /tmp. */
bool own_folder_open_temporary(own_folder *f, arena *keep);

/* A folder in another, made where it is missing, that must be the user's and that others are then
   kept out of. */
bool own_folder_enter(own_folder *f, const own_folder *parent, const char *name, arena *keep);

/* A new one with a random name that begins with `prefix`. */
bool own_folder_make(own_folder *f, const own_folder *parent, const char *prefix, arena *keep);

const char *own_folder_path(const own_folder *f, const char *name, arena *keep);

/* Removes a folder that `parent` holds, with the files in it; own_folder_close is still due. */
void own_folder_remove(const own_folder *f, const own_folder *parent);
void own_folder_remove_named(const own_folder *parent, const char *name);
void own_folder_close(own_folder *f);

#endif
