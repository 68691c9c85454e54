/* The stage `deps` as text: which relation depends on which, by strata. */
#ifndef TABIA_RULES_DEPENDENCIES_H
#define TABIA_RULES_DEPENDENCIES_H

#include "rules/analysis.h"

/* Is there a rule for the relation, or is it used? */
bool relation_is_mentioned(const program *p, relation_id r);

typedef enum dependencies_format {
  DEPENDENCIES_TEXT,
  DEPENDENCIES_DOT, /* for Graphviz: static relations are boxes, a dashed arrow is a negation */
  DEPENDENCIES_JSON /* {"relations":[{"name","arity","stratum","static"}],"edges":[{"from","to",
                       "negative"}]}, from the head to what it needs, by number */
} dependencies_format;

void dependencies_print(const analysis *a, dependencies_format format, const char *game,
                        arena *scratch, text *out);

#endif
