/* A game as a table of functions: the interface of a C file made by `tabia compile`.  Such a C file
   needs only this header and tabia_runtime.h.

   A position is a flat block of `position_size` bytes that the caller owns: it may be copied,
   compared with memcmp and kept in tables; equal states are equal blocks.  Each thread uses a
   workspace of its own; no call changes anything else.

   At most `capacity` elements of a list are written; the result is the length of the whole list.
   Moves are listed in the order of their canonical text.  Texts are canonical KIF, truncated to
   `capacity` bytes including the NUL; the result is their whole length. */
#ifndef TABIA_COMPILE_TABIA_GAME_H
#define TABIA_COMPILE_TABIA_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TABIA_GAME_VERSION 3

/* The trouble of a workspace that has no memory left. */
#define TABIA_GAME_NO_MEMORY "there is no memory left"

typedef struct tabia_game {
  uint32_t version; /* TABIA_GAME_VERSION */
  uint32_t role_count;
  const char *const *roles; /* canonical KIF, in the order of the rulesheet */
  size_t position_size;     /* in bytes */

  void *(*workspace_new)(void); /* NULL: no memory */
  void (*workspace_free)(void *workspace);
  /* NULL, or why the workspace can go no further: it has no memory left, it was stopped, or a state
     has more facts than a position has room for.  Its answers are worthless from then on. */
  const char *(*trouble)(const void *workspace);

  void (*start)(void *position);
  bool (*terminal)(void *workspace, const void *position);
  uint32_t (*legal)(void *workspace, const void *position, uint32_t role, uint32_t *moves,
                    uint32_t capacity);
  /* All goals that hold, from the lowest: a sound game has one for each role. */
  uint32_t (*goals)(void *workspace, const void *position, uint32_t role, int32_t *values,
                    uint32_t capacity);
  /* One move for each role.  `next` may be `position` itself. */
  void (*step)(void *workspace, const void *position, const uint32_t *joint, void *next);
  uint32_t (*sees)(void *workspace, const void *position, const uint32_t *joint, uint32_t role,
                   uint32_t *percepts, uint32_t capacity);
  uint32_t (*fluents)(const void *position, uint32_t *fluents, uint32_t capacity);

  size_t (*fluent_text)(uint32_t fluent, char *text, size_t capacity);
  size_t (*move_text)(uint32_t move, char *text, size_t capacity);
  size_t (*percept_text)(uint32_t percept, char *text, size_t capacity);

  /* From now on `must_stop` is asked now and then while an answer is worked out.  NULL: it is not,
     as at first. */
  void (*set_stop)(void *workspace, bool (*must_stop)(void *context), void *context);

  /* The fluent with this text; UINT32_MAX: there is none. */
  uint32_t (*find_fluent)(const char *text);
  /* The position with these fluents, which are in ascending order, each once.  Fluents that no play
     changes are as in the start.  False: there is no room for so many. */
  bool (*place)(const uint32_t *fluents, uint32_t count, void *position);
} tabia_game;

#endif
