#include "rules/check/value_words.h"

#include "base/spelling.h"

static const char *ordinal(uint32_t i) {
  static const char *const words[] = {"first", "second",  "third",  "fourth", "fifth",
                                      "sixth", "seventh", "eighth", "ninth",  "tenth"};
  return i < sizeof words / sizeof *words ? words[i] : NULL;
}

const char *shown_slot(const checker *c, slot_id at) {
  const slot_origin from = slot_comes_from(c->values, at);
  text out = text_new(c->scratch);
  if (from.owner.arity == 1)
    text_add(&out, "the argument");
  else if (ordinal(from.argument))
    text_add_format(&out, "the %s argument", ordinal(from.argument));
  else
    text_add_format(&out, "argument %u", from.argument + 1);
  text_add_format(&out, " of %s", shown_name(c, from.owner.name));
  return text_string(&out);
}

static void add_value(const checker *c, slot_value value, text *out) {
  const bool is_kif = shown_notation(c) == NOTATION_KIF;
  const char *name = shown_name(c, value.name);
  if (value.arity == 0)
    text_add(out, name);
  else
    text_add_format(out, is_kif ? "(%s ...)" : "%s(...)", name);
}

/* "1, 2 or 3"; "1, 2, 3, 4, 5 and 12 more"; functions are written (cell ...). */
static const char *shown_values(const checker *c, slot_values all) {
  enum { SHOWN = 8 };
  const uint32_t shown = all.count > SHOWN ? SHOWN - 2 : all.count;
  text out = text_new(c->scratch);
  for (uint32_t i = 0; i < shown; i++) {
    if (i) text_add(&out, i + 1 == all.count ? " or " : ", ");
    add_value(c, all.items[i], &out);
  }
  if (shown < all.count) text_add_format(&out, " and %u more", all.count - shown);
  return all.count ? text_string(&out) : "nothing";
}

const char *shown_values_at(const checker *c, slot_id at) {
  return shown_values(c, slots_common_values(c->values, &at, 1, c->scratch));
}

symbol_id nearest_value(const checker *c, slot_id at, symbol_id name) {
  const slot_values all = slots_common_values(c->values, &at, 1, c->scratch);
  spelling s = spelling_of(symbol_folded(c->p->symbols, name));
  symbol_id best = SYM_NONE;
  for (uint32_t i = 0; i < all.count; i++)
    if (all.items[i].name != name && all.items[i].arity == 0 &&
        spelling_is_nearer(&s, symbol_folded(c->p->symbols, all.items[i].name)))
      best = all.items[i].name;
  return best;
}

node_id node_of_misfit(const checker *c, node_id atom, const misfit *m) {
  node_id n = atom;
  for (uint32_t i = 0; i < m->depth; i++) n = node_of_argument(c, n, m->path[i]);
  return n;
}
