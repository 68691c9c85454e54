/* The parts of messages, for the files that store and that write them. */
#ifndef TABIA_API_API_MESSAGES_H
#define TABIA_API_API_MESSAGES_H

#include "api/api.h"
#include "base/diag_choice.h"

typedef struct message {
  tabia_severity severity; /* TABIA_NOTE: a second place of the message before it */
  const char *code, *words, *hint;
  span where;             /* SPAN_NONE: no place */
  const diag_edit *edits; /* that mend it; or NULL */
  const source *source;   /* its lines are indexed; NULL: about no text */
} message;

struct tabia_messages {
  arena *keep;      /* the list */
  arena *texts;     /* words and sources */
  VEC(message) all; /* with room for one more, which says that there is no memory */
  diag_choice choice;
  uint32_t limit; /* of a kind; 0: all */
  uint32_t kept[DIAG_KIND_COUNT], dropped[DIAG_KIND_COUNT];
};

#endif
