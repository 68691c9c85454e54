/* Diagnostics: what is wrong, where, and how to fix it.

   Stages add diagnostics to a sink and continue; their caller sorts them by place and shows them.
   A place is a byte range of one source; lines and columns are computed when shown.  Each kind of
   fault is a row of diag_table.def: code, severity, name, summary. */
#ifndef TABIA_BASE_DIAG_H
#define TABIA_BASE_DIAG_H

#include "base/arena.h"
#include "base/vec.h"

/* Bytes start .. end-1 of a source.  start == end is a point. */
typedef struct span {
  uint32_t start;
  uint32_t end;
} span;

#define SPAN_NONE ((span){UINT32_MAX, UINT32_MAX})

typedef enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR } severity;

typedef enum diag_kind {
#define DIAG(code, severity, name, summary) DIAG_##code,
#include "base/diag_table.def"
#undef DIAG
  DIAG_KIND_COUNT
} diag_kind;

typedef struct diag_info {
  const char *code; /* "E101": stable for ever */
  severity severity;
  const char *name;    /* "unclosed-parenthesis" */
  const char *summary; /* one line for the manual */
} diag_info;

extern const diag_info diag_infos[DIAG_KIND_COUNT];

/* A second place that helps to understand the first. */
typedef struct diag_related {
  span where;
  const char *message;
  struct diag_related *next;
} diag_related;

/* The bytes to replace, to fix the fault. */
typedef struct diag_edit {
  span where;
  const char *with;
  struct diag_edit *next;
} diag_edit;

typedef struct diag {
  diag_kind kind;
  span where;
  const char *message;
  const char *hint;      /* or NULL */
  diag_related *related; /* in the order added */
  diag_edit *edits;      /* so too; none where the hint leaves a choice */
  uint32_t order;        /* set by diag_sort */
  bool rejects;          /* a warning that counts as an error: see diag_choice.h */
} diag;

/* This many of a kind are shown by default. */
enum { DIAG_SHOWN_OF_A_KIND = 20 };

struct diag_choice;

typedef struct diag_sink {
  arena *keep; /* holds messages */
  VEC(diag) all;
  uint32_t errors;
  uint32_t warnings;
  uint32_t limit; /* further ones of a kind are counted, not kept; 0: no limit */
  diag unkept;    /* what diag_add returns for one that is not kept */
  const struct diag_choice
      *choice; /* kinds that are off are neither kept nor counted; NULL: none */
  uint32_t kept_of_kind[DIAG_KIND_COUNT];
  uint32_t unkept_of_kind[DIAG_KIND_COUNT];
} diag_sink;

void diag_sink_init(diag_sink *d, arena *keep);

/* How many of a kind there were, kept or not. */
static inline uint32_t diag_count(const diag_sink *d, diag_kind kind) {
  return d->kept_of_kind[kind] + d->unkept_of_kind[kind];
}

/* Adds a diagnostic with a printf-style message.  The result can be given a hint and
   related places until the next diag_add; it is never NULL. */
diag *diag_add(diag_sink *d, diag_kind kind, span where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_hint(diag_sink *d, diag *about, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_relate(diag_sink *d, diag *about, span where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* One edit, of those that together do what the hint says; given in the order of the text. */
void diag_mend(diag_sink *d, diag *about, span where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Forgets what was added since the sink was copied to `before`. */
void diag_take_back(diag_sink *d, const diag_sink *before);

/* Causes before consequences: what cannot be read, then what is wrong by itself, then what may
   follow from that (a rule that can never fire).  Each of these by place, then code. */
void diag_sort(diag_sink *d);

severity diag_severity(const diag *g);
const char *severity_name(severity s); /* "error" */

#endif
