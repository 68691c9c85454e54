/* What is at a byte, and around it. */
#include "rules/outline.h"

/* ---- what is there ---- */

uint32_t outline_word_at(const outline *o, uint32_t offset) {
  uint32_t low = 0, high = o->words.count;
  while (low < high) { /* the first word that begins behind the offset */
    const uint32_t middle = (low + high) / 2;
    if (o->words.items[middle].where.start <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return OUTLINE_NONE;
  const span last = o->words.items[low - 1].where;
  if (offset <= last.end && last.start < offset) return low - 1;
  if (offset < last.end) return low - 1;
  return low > 1 && o->words.items[low - 2].where.end == offset ? low - 2 : OUTLINE_NONE;
}

uint32_t outline_clause_at(const outline *o, uint32_t offset) {
  uint32_t low = 0, high = o->clauses.count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (o->clauses.items[middle].where.start <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low && offset <= o->clauses.items[low - 1].where.end ? low - 1 : OUTLINE_NONE;
}

static bool holds(span outer, span inner) {
  return outer.start <= inner.start && inner.end <= outer.end;
}

bool outline_widen(const outline *o, span *range) {
  const uint32_t clause = outline_clause_at(o, range->start);
  if (clause == OUTLINE_NONE) return false;
  const node_id top = o->clauses.items[clause].node;
  bool found = false;
  span best = SPAN_NONE;
  for (node_id n = top; n < node_after(o->tree, top); n++) {
    const span where = tree_node(o->tree, n)->where;
    if (!holds(where, *range) || where.end - where.start <= range->end - range->start) continue;
    if (found && where.end - where.start > best.end - best.start) continue;
    best = where;
    found = true;
  }
  if (found) *range = best;
  return found;
}

/* The smallest list of the clause around the offset whose first element is a word. */
static node_id list_around(const outline *o, node_id top, uint32_t offset) {
  node_id best = UINT32_MAX;
  uint32_t size = UINT32_MAX;
  for (node_id n = top; n < node_after(o->tree, top); n++) {
    if (!node_is_list(o->tree, n) || node_first(n) == node_after(o->tree, n)) continue;
    const uint32_t name = o->word_of_node[node_first(n)];
    const span where = tree_node(o->tree, n)->where;
    if (name == OUTLINE_NONE || where.start >= offset || offset > where.end) continue;
    const bool is_closed = o->tree->source->bytes[where.end - 1] == ')';
    if (is_closed && offset == where.end) continue;
    if (o->words.items[name].where.end >= offset && where.start + 1 < offset) continue;
    if (where.end - where.start > size) continue;
    size = where.end - where.start;
    best = n;
  }
  return best;
}

bool outline_call_at(const outline *o, uint32_t offset, uint32_t *name, uint32_t *argument) {
  const uint32_t clause = outline_clause_at(o, offset);
  if (clause == OUTLINE_NONE) return false;
  const node_id list = list_around(o, o->clauses.items[clause].node, offset);
  if (list == UINT32_MAX) return false;
  *name = o->word_of_node[node_first(list)];
  *argument = 0;
  for (node_id n = node_after(o->tree, node_first(list)); n < node_after(o->tree, list);
       n = node_after(o->tree, n))
    *argument += tree_node(o->tree, n)->where.end < offset;
  return true;
}

/* ---- new names ---- */

/* The name as this notation reads it; SYM_NONE: it is no name, or more than one. */
static symbol_id read_name(const outline *o, const char *name, bool *is_variable, arena *scratch) {
  const bool is_kif = o->tree->notation == NOTATION_KIF;
  text words = text_new(scratch);
  text_add_format(&words, is_kif ? "(p %s)" : "p(%s).", name);
  const source s = source_of("", text_string(&words), (uint32_t)words.length);
  tree t;
  diag_sink d;
  diag_sink_init(&d, scratch);
  symbol_table *symbols = symbols_new(scratch);
  if (!tree_read_as(&t, &s, o->tree->notation, symbols, scratch, &d) || d.warnings) return SYM_NONE;
  if (t.nodes.count != 3 || t.comments.count || node_is_list(&t, 2)) return SYM_NONE;
  *is_variable = symbol_is_variable(symbols, tree_node(&t, 2)->symbol);
  const slice read = symbol_name(symbols, tree_node(&t, 2)->symbol);
  if (is_kif && read.length != strlen(name)) return SYM_NONE; /* something was lost */
  if (tree_node(&t, 2)->symbol < SYM_FIXED_COUNT) return tree_node(&t, 2)->symbol;
  const symbol_id known = *is_variable ? symbol_find(o->tree->symbols, read)
                                       : symbol_find_constant(o->tree->symbols, read);
  return known == SYM_NONE ? SYM_NONE - 1 : known;
}

static bool is_goal_value(const outline *o, const thing *it) {
  if (it->kind != WORD_CONSTANT) return false;
  for (uint32_t i = 0; i < it->word_count; i++) {
    const node_id n = o->words.items[o->words_of.items[it->first_word + i]].node;
    const node_id list = o->parents[n];
    if (list == UINT32_MAX || node_functor(o->tree, list) != SYM_GOAL) continue;
    if (node_after(o->tree, n) == node_after(o->tree, list)) return true;
  }
  return false;
}

/* Relations live together, and so do names in terms, and the variables of one clause. */
static bool would_meet(const thing *a, const thing *b) {
  if (a->kind == WORD_VARIABLE || b->kind == WORD_VARIABLE)
    return a->kind == b->kind && a->clause == b->clause;
  const bool is_relation = a->kind == WORD_RELATION || a->kind == WORD_KEYWORD;
  return is_relation == (b->kind == WORD_RELATION || b->kind == WORD_KEYWORD);
}

static bool is_taken(const outline *o, uint32_t id, symbol_id name) {
  for (uint32_t i = 0; i < o->things.count; i++)
    if (i != id && o->things.items[i].name == name &&
        would_meet(&o->things.items[id], &o->things.items[i]))
      return true;
  return false;
}

const char *outline_rename_fault(const outline *o, uint32_t id, const char *name, arena *scratch) {
  const thing *it = &o->things.items[id];
  if (it->kind == WORD_KEYWORD || it->name < SYM_FIXED_COUNT)
    return "it belongs to the language and has no other name";
  if (is_goal_value(o, it)) return "it is a goal value";
  if (!name) return NULL;
  bool is_variable = false;
  const symbol_id new_name = read_name(o, name, &is_variable, scratch);
  if (new_name == SYM_NONE) return "the new name is not one name of this notation";
  if (is_variable != (it->kind == WORD_VARIABLE))
    return it->kind == WORD_VARIABLE ? "the new name is not a variable"
                                     : "the new name is a variable";
  if (new_name < SYM_FIXED_COUNT) return "the new name belongs to the language";
  if (new_name != it->name && is_taken(o, id, new_name))
    return "the new name stands for something else already";
  return NULL;
}
