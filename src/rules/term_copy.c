#include "rules/term_copy.h"

#include <string.h>

void terms_copy(term_table *to, const term_table *from, arena *keep) {
  *to = (term_table){.keep = keep, .symbols = from->symbols};
  vec_append(keep, &to->terms, from->terms.items, from->terms.count);
  vec_append(keep, &to->args, from->args.items, from->args.count);
  to->index = from->index;
  if (!from->index.slots) return;
  const size_t slots = (size_t)from->index.mask + 1;
  to->index.slots = arena_new_array(keep, uint32_t, slots);
  memcpy(to->index.slots, from->index.slots, slots * sizeof *to->index.slots);
}
