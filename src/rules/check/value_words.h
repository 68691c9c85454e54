/* Texts about argument values: the name of a slot, and its possible values. */
#ifndef TABIA_RULES_CHECK_VALUE_WORDS_H
#define TABIA_RULES_CHECK_VALUE_WORDS_H

#include "rules/argument_values.h"
#include "rules/check/check_parts.h"

/* "the second argument of cell" */
const char *shown_slot(const checker *c, slot_id at);

const char *shown_values_at(const checker *c, slot_id at);

/* The constant at the slot whose name is nearest to this; SYM_NONE: none is near. */
symbol_id nearest_value(const checker *c, slot_id at, symbol_id name);

/* The node that the path of a misfit leads to, from the node of its atom. */
node_id node_of_misfit(const checker *c, node_id atom, const misfit *m);

#endif
