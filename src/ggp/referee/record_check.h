/* Replays a match record in the public JSON form (match_record.h): is every move legal, is every
   state as it says, is the game over with these goals? */
#ifndef TABIA_GGP_REFEREE_RECORD_CHECK_H
#define TABIA_GGP_REFEREE_RECORD_CHECK_H

#include "base/text.h"
#include "tabia.h"

/* Is the text a match record, rather than a trace?  Also one line of an archive,
   {"url": ..., "data": {...}}. */
bool record_is_one(slice words);

typedef struct record_report {
  uint64_t states; /* that were right */
  text words;      /* what is wrong, a line; "": nothing */
} record_report;

/* TABIA_OK: all is right.  TABIA_FAULTY: something is wrong; TABIA_UNREADABLE: a member is missing
   or of another kind; TABIA_LIMIT: a limit was reached. */
tabia_status record_check(record_report *r, const tabia_machine *m, slice words,
                          const tabia_limits *limits, arena *keep, tabia_messages *log);

#endif
