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

/* What is as deep as a term that is there can be made. */
term_id term_copy(term_table *to, const term_table *from, term_id id, arena *scratch) {
  const term it = *term_get(from, id);
  if (it.is_variable) return term_variable(to, it.name);
  if (it.arg_count == 0) return term_constant(to, it.name);
  term_id few[8];
  term_id *args = it.arg_count <= 8 ? few : arena_new_array(scratch, term_id, it.arg_count);
  for (uint32_t i = 0; i < it.arg_count; i++)
    args[i] = term_copy(to, from, from->args.items[it.args + i], scratch);
  return term_atom(to, it.name, args, it.arg_count);
}
