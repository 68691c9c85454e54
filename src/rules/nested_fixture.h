/* Deep terms for tests. */
#ifndef TABIA_RULES_NESTED_FIXTURE_H
#define TABIA_RULES_NESTED_FIXTURE_H

#include "base/text.h"

/* (s (s ... leaf)), so many levels deep. */
static inline const char *nested(arena *keep, uint32_t depth, const char *leaf) {
  text words = text_new(keep);
  for (uint32_t i = 0; i < depth; i++) text_add(&words, "(s ");
  text_add(&words, leaf);
  for (uint32_t i = 0; i < depth; i++) text_add_char(&words, ')');
  return text_string(&words);
}

#endif
