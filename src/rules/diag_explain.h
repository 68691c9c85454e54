/* What a diagnostic means, why it matters, and an example of the fault and of its repair. */
#ifndef TABIA_RULES_DIAG_EXPLAIN_H
#define TABIA_RULES_DIAG_EXPLAIN_H

#include "base/diag.h"
#include "base/text.h"

typedef struct code_explanation {
  const char *why; /* some sentences */
  /* Rules, or part of a rulesheet; of a diagnostic of a command, command lines. */
  const char *faulty;
  const char *mended;
} code_explanation;

code_explanation diag_explanation(diag_kind kind);

/* All of it as a text of lines. */
void diag_explain(diag_kind kind, text *out);

#endif
