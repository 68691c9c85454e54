#include "compile/rules/sibling_relation.h"

static symbol_id fresh_name(flat_program *f, symbol_id plain, const char *suffix, arena *keep) {
  symbol_table *symbols = f->source->symbols;
  const slice stem = symbol_name(symbols, plain);
  text name = text_new(keep);
  text_add_bytes(&name, stem.start, stem.length);
  text_add_format(&name, "#%s", suffix);
  while (symbol_find_constant(symbols, (slice){name.bytes, name.length}) != SYM_NONE)
    text_add_char(&name, '#');
  return symbol_intern_constant(symbols, (slice){name.bytes, name.length});
}

flat_id sibling_relation_add(flat_program *f, flat_id of, const char *suffix, arena *keep) {
  flat_relation sibling = f->relations.items[of];
  const term it = *term_get(f->terms, sibling.skeleton);
  term_id *args = arena_new_array(keep, term_id, it.arg_count + 1);
  for (uint32_t i = 0; i < it.arg_count; i++) args[i] = term_arg(f->terms, sibling.skeleton, i);
  sibling.relation = RELATION_NONE;
  sibling.skeleton = term_atom(f->terms, fresh_name(f, it.name, suffix, keep), args, it.arg_count);
  vec_push(keep, &f->relations, sibling);
  return f->relations.count - 1;
}
