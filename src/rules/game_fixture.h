/* What fixtures of folders to the right share: rules from a text, and the texts of built-in games. */
#ifndef TABIA_RULES_GAME_FIXTURE_H
#define TABIA_RULES_GAME_FIXTURE_H

#include "rules/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The tree refers to the source, and the program to the tree. */
static inline void read_program(program *p, tree *t, source *s, const char *words, arena *keep,
                                diag_sink *d) {
  *s = source_of("test", words, (uint32_t)strlen(words));
  source_index_lines(s, keep);
  assert_true(tree_read(t, s, symbols_new(keep), keep, d));
  assert_true(rules_build(p, t, keep, d));
}

/* The text of a game of games/: tests run at the root of the sources. */
static inline const char *read_game_file(const char *name, arena *keep, diag_sink *d) {
  text path = text_new(keep);
  source s;
  text_add_format(&path, "games/%s.kif", name);
  assert_true(source_load(&s, text_string(&path), keep, d));
  return s.bytes;
}

#endif
