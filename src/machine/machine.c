#include "machine/machine.h"

#include "machine/reference.h"

#include <string.h>

const machine_ops *const machine_kinds[] = {&reference_machine, NULL};

const machine_ops *machine_kind(const char *name) {
  for (const machine_ops *const *kind = machine_kinds; *kind; kind++)
    if (strcmp((*kind)->name, name) == 0) return *kind;
  return NULL;
}

/* Why a faster machine could not be opened is of interest only when no machine could. */
static machine *open_fastest(const machine_source *source, budget *b, diag_sink *d) {
  for (const machine_ops *const *kind = machine_kinds; *kind; kind++) {
    diag_sink unheard;
    diag_sink_init(&unheard, d->keep);
    const bool is_last = !kind[1];
    machine *m = (*kind)->open(source, b, is_last ? d : &unheard);
    if (m) return m;
  }
  return NULL;
}

machine *machine_open(const char *name, const machine_source *source, budget *b, diag_sink *d) {
  const machine_ops *kind = machine_kind(name);
  return kind ? kind->open(source, b, d) : open_fastest(source, b, d);
}

bool machine_report_trouble(const machine_workspace *w, diag_sink *d) {
  const machine_trouble *t = &w->trouble;
  if (!t->is_there) return false;
  if (w->budget && w->budget->end != BUDGET_LEFT) budget_report(w->budget, d, t->message);
  else diag_add(d, t->kind, t->where, "%s", t->message);
  return true;
}
