/* Diagnostics for people: the message, its line with a caret under the place, the second places
   and the hint; and for programs: JSON. */
#ifndef TABIA_CLI_DIAG_SHOW_H
#define TABIA_CLI_DIAG_SHOW_H

#include "base/json.h"
#include "read/source.h"

typedef struct diag_view {
  const source *source; /* with its lines indexed */
  FILE *out;
  bool colour;
  severity least; /* what is less severe is not shown */
} diag_view;

void diag_show(const diag_view *view, const diag *g);
void diag_show_all(const diag_view *view, const diag_sink *d);

/* Shows what is at least so severe on standard error; the source has its lines indexed. */
void diag_report(const source *s, const diag_sink *d, severity least);

/* An array under `key`. */
void diag_write_json(json_writer *w, const char *key, const source *s, const diag_sink *d);

/* An object under `key`: how many more of each code there were than the sink has kept. */
void diag_write_unkept(json_writer *w, const char *key, const diag_sink *d);

/* A terminal that can show colours, and the user has not said NO_COLOR. */
bool stream_has_colour(FILE *stream);

#endif
