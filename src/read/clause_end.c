#include "read/clause_end.h"

static void report(const loose_end *l, diag_sink *d) {
  diag *g = diag_add(d, DIAG_W114, (span){l->at, l->at},
                     "this clause ends with its line, without a full stop");
  diag_relate(d, g, l->next, "this is read as another clause");
  diag_hint(d, g, "add a `,` if the next line goes on with it, else a `.`");
}

/* The rest of the text may have been lost with the stop. */
static void report_last(const clause_ends *e, diag_sink *d) {
  diag *g = diag_add(d, DIAG_W114, (span){e->last, e->last},
                     "the last clause has no full stop: the text ends here");
  diag_hint(d, g, "add a `.`, if nothing is missing");
}

void clause_ends_report(const clause_ends *e, diag_sink *d) {
  const bool has_stops = e->stops >= e->loose.count;
  for (uint32_t i = 0; i < e->loose.count; i++)
    if (has_stops || e->loose.items[i].next_is_indented) report(&e->loose.items[i], d);
  if (e->is_open && e->stops && has_stops) report_last(e, d);
}
