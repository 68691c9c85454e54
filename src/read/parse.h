/* The two parsers behind tree_read, and what they share. */
#ifndef TABIA_READ_PARSE_H
#define TABIA_READ_PARSE_H

#include "read/tree.h"

void kif_parse(tree *t, arena *keep, diag_sink *d);    /* kif.c */
void prolog_parse(tree *t, arena *keep, diag_sink *d); /* prolog.c */

/* The first byte of the rules: behind a byte order mark, if there is one. */
const char *parse_start(const source *s);

/* Makes room for more nodes when there is none: as many as the text will need, if it goes
   on as it did up to `offset`. */
void parse_reserve_nodes(tree *t, arena *keep, uint32_t offset);

static inline void parse_push_node(tree *t, arena *keep, symbol_id symbol, span where) {
  if (t->nodes.count == t->nodes.capacity) parse_reserve_nodes(t, keep, where.start);
  const node_id after = t->nodes.count + 1;
  t->nodes.items[t->nodes.count++] = (node){symbol, after, where};
}

/* Adds the line comment that starts at `at`; returns where its line ends. */
const char *parse_line_comment(tree *t, arena *keep, const char *at);

/* Bytes at `at` that cannot stand in a name outside quotes although they are above ASCII:
   no UTF-8, or a character that looks like a blank.  0: a fine character is there. */
uint32_t parse_odd_bytes(const char *at, const char *end);

/* Reports the bytes from..to, of which none can be part of a rulesheet. */
void parse_report_bytes(const source *s, const char *from, const char *to, diag_sink *d);

#endif
