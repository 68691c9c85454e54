/* What the tests of this folder share: a text, its tree, and what was said about it. */
#ifndef TABIA_READ_READ_FIXTURE_H
#define TABIA_READ_READ_FIXTURE_H

#include "read/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct read_fixture {
  arena *keep;
  diag_sink d;
  source s;
  tree t;
} read_fixture;

static inline int set_up(void **state) {
  read_fixture *f = test_malloc(sizeof *f);
  *f = (read_fixture){.keep = arena_new()};
  diag_sink_init(&f->d, f->keep);
  *state = f;
  return 0;
}

static inline int tear_down(void **state) {
  read_fixture *f = *state;
  arena_free(f->keep);
  test_free(f);
  return 0;
}

static inline bool read_bytes(read_fixture *f, const char *bytes, size_t length) {
  const char *copy = arena_copy_text(f->keep, bytes, length);
  f->s = source_of("test", copy, (uint32_t)length);
  source_index_lines(&f->s, f->keep);
  diag_sink_init(&f->d, f->keep);
  return tree_read(&f->t, &f->s, symbols_new(f->keep), f->keep, &f->d);
}

static inline bool read_text(read_fixture *f, const char *words) {
  return read_bytes(f, words, strlen(words));
}

/* The tree as KIF on one line, forms separated by blanks; for shallow trees. */
static inline void add_node(const tree *t, node_id n, text *out) {
  if (!node_is_list(t, n)) {
    const slice name = symbol_name(t->symbols, tree_node(t, n)->symbol);
    text_add_bytes(out, name.start, name.length);
    return;
  }
  text_add_char(out, '(');
  for (node_id e = node_first(n); e != node_after(t, n); e = node_after(t, e)) {
    if (e != node_first(n)) text_add_char(out, ' ');
    add_node(t, e, out);
  }
  text_add_char(out, ')');
}

static inline const char *shape(read_fixture *f) {
  text out = text_new(f->keep);
  for (node_id n = 0; n != f->t.nodes.count; n = node_after(&f->t, n)) {
    if (n) text_add_char(&out, ' ');
    add_node(&f->t, n, &out);
  }
  return text_string(&out);
}

static inline const char *shape_of_text(read_fixture *f, const char *words) {
  const bool fine = read_text(f, words);
  if (!fine) print_error("%s: %s\n", words, f->d.all.items[0].message);
  assert_true(fine);
  return shape(f);
}

#define assert_reads(f, words, expected) \
  assert_string_equal(shape_of_text((f), (words)), (expected))

/* Fault number `i` of the text: its code, line, column and words. */
static inline void assert_fault(read_fixture *f, uint32_t i, diag_kind kind, uint32_t line,
                                uint32_t column, const char *message) {
  assert_true(i < f->d.all.count);
  const diag *g = &f->d.all.items[i];
  assert_string_equal(g->message, message);
  assert_string_equal(diag_infos[g->kind].code, diag_infos[kind].code);
  const place at = source_place(&f->s, g->where.start);
  assert_int_equal(at.line, line);
  assert_int_equal(at.column, column);
}

static inline void assert_one_fault(read_fixture *f, const char *words, diag_kind kind,
                                    uint32_t line, uint32_t column, const char *message) {
  assert_false(read_text(f, words));
  assert_fault(f, 0, kind, line, column, message);
  assert_int_equal(f->d.all.count, 1);
}

static inline void assert_related(read_fixture *f, uint32_t i, uint32_t line, uint32_t column) {
  const diag_related *r = f->d.all.items[i].related;
  assert_non_null(r);
  const place at = source_place(&f->s, r->where.start);
  assert_int_equal(at.line, line);
  assert_int_equal(at.column, column);
}

/* Every list ends where its last element does, and spans are inside the text. */
static inline void assert_tree_is_sound(const tree *t) {
  for (node_id n = 0; n < t->nodes.count; n++) {
    const node *now = tree_node(t, n);
    assert_true(now->after > n && now->after <= t->nodes.count);
    assert_true(now->where.start <= now->where.end && now->where.end <= t->source->length);
    assert_true(now->symbol == SYM_NONE || now->after == n + 1);
  }
}

/* Reads every beginning of a text: no crash, and no fault outside of what is there. */
static inline void read_every_beginning(read_fixture *f, const char *words) {
  for (size_t length = 0; length <= strlen(words); length++) {
    const bool fine = read_bytes(f, words, length);
    assert_int_equal(fine, f->d.errors == 0);
    for (uint32_t i = 0; i < f->d.all.count; i++)
      assert_true(f->d.all.items[i].where.end <= length);
    assert_tree_is_sound(&f->t);
  }
}

static inline const char *formatted(read_fixture *f, notation n, uint32_t width) {
  text out = text_new(f->keep);
  tree_format(&f->t, (format_options){n, width}, &out);
  return text_string(&out);
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
