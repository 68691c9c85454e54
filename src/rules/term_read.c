#include "rules/term_read.h"

#include "read/canonical.h"

typedef struct term_reader {
  term_table *terms;
  const char *at;
  uint32_t depth;
  arena *scratch;
} term_reader;

static bool read_name(term_reader *r, symbol_id *name) {
  const slice words = {r->at, canonical_name_length(r->at)};
  if (!words.length || *r->at == '?') return false;
  *name = canonical_find(r->terms->symbols, words, r->scratch);
  r->at += words.length;
  return *name != SYM_NONE;
}

static bool read_term(term_reader *r, term_id *made);

/* Behind its parenthesis. */
static bool read_compound(term_reader *r, term_id *made) {
  id_vec args = {0};
  symbol_id name;
  if (!read_name(r, &name)) return false;
  while (*r->at == ' ') {
    term_id arg;
    r->at++;
    if (!read_term(r, &arg)) return false;
    vec_push(r->scratch, &args, arg);
  }
  return *r->at++ == ')' && term_compound(r->terms, name, args.items, args.count, made);
}

static bool read_term(term_reader *r, term_id *made) {
  symbol_id name;
  if (*r->at == '(') {
    r->at++;
    const bool is_read = r->depth++ < TERM_DEPTH_MAX && read_compound(r, made);
    r->depth--;
    return is_read;
  }
  if (!read_name(r, &name)) return false;
  *made = term_constant(r->terms, name);
  return true;
}

bool term_read_canonical(term_table *t, const char *words, arena *scratch, term_id *made) {
  const arena_mark mark = arena_save(scratch);
  term_reader r = {.terms = t, .at = words, .scratch = scratch};
  term_id read;
  const bool is_whole = read_term(&r, &read) && !*r.at;
  if (is_whole) *made = read;
  arena_restore(scratch, mark);
  return is_whole;
}
