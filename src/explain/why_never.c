/* What can never be, and what comes nearest. */
#include "explain/explanation.h"

#include "base/spelling.h"

/* ---- what can never be ---- */

static void print(const world *w, term_id t, text *out) {
  term_print(w->terms, t, NOTATION_KIF, NULL, out);
}

static void add_name(const world *w, symbol_id s, text *out) {
  const slice name = symbol_canonical(w->terms->symbols, s);
  text_add_bytes(out, name.start, name.length);
}

static void propose_relation(const world *w, const term *it, text *out) {
  const symbol_table *symbols = w->terms->symbols;
  spelling s = spelling_of(symbol_folded(symbols, it->name));
  for (relation_id r = 0; r < w->program->relations.count; r++) {
    const relation *other = &w->program->relations.items[r];
    if (other->clause_count && other->name != it->name)
      spelling_is_nearer(&s, symbol_folded(symbols, other->name));
  }
  if (s.best.start)
    text_add_format(out, "; did you mean `%.*s`?", (int)s.best.length, s.best.start);
}

static const char *no_such_relation(const world *w, term_id atom, arena *keep) {
  const term *it = term_get(w->terms, atom);
  text out = text_new(keep);
  text_add(&out, "no rule and no fact gives `");
  add_name(w, it->name, &out);
  text_add_format(&out, "` with %u argument%s", it->arg_count, plural(it->arg_count));
  propose_relation(w, it, &out);
  return text_string(&out);
}

enum { SHOWN_VALUES = 8 };

static void add_values(const world *w, const slot_values *values, text *out) {
  for (uint32_t i = 0; i < values->count && i < SHOWN_VALUES; i++) {
    const slot_value v = values->items[i];
    text_add(out, i ? ", " : "");
    if (v.arity) text_add_char(out, '(');
    add_name(w, v.name, out);
    if (v.arity) text_add(out, " ...)");
  }
  if (values->count > SHOWN_VALUES) text_add(out, ", ...");
}

/* A term that can never stand where it does. */
typedef struct stranger {
  term_id term;
  slot_id slot;
} stranger;

static bool find_stranger(world *w, slot_id slot, term_id t, stranger *found) {
  const term *it = term_get(w->terms, t);
  const argument_values *v = world_values(w);
  if (it->is_variable || slot == SLOT_NONE || slot_is_open(v, slot)) return false;
  const slot_value value = {it->name, it->arg_count};
  *found = (stranger){t, slot};
  if (!slot_has(v, slot, value)) return true;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (find_stranger(w, slot_of_part(v, slot, value, i), term_arg(w->terms, t, i), found))
      return true;
  return false;
}

static bool find_in_atom(world *w, relation_id r, term_id atom, stranger *found) {
  for (uint32_t i = 0; i < term_get(w->terms, atom)->arg_count; i++)
    if (find_stranger(w, slot_of_argument(world_values(w), r, i), term_arg(w->terms, atom, i),
                      found))
      return true;
  return false;
}

static const char *stranger_words(world *w, const stranger *m, arena *keep) {
  const slot_values values = slots_common_values(world_values(w), &m->slot, 1, keep);
  text out = text_new(keep);
  text_add_char(&out, '`');
  print(w, m->term, &out);
  text_add(&out, "` can never stand there");
  if (values.count) text_add(&out, ", only ");
  add_values(w, &values, &out);
  return text_string(&out);
}

const char *explain_never(world *w, term_id pattern, arena *keep) {
  const relation_id r = world_relation(w, pattern);
  stranger s;
  if (r == RELATION_NONE) return no_such_relation(w, pattern, keep);
  const bool is_given = r == SYM_TRUE || r == SYM_DOES;
  if (!is_given && !w->program->relations.items[r].clause_count)
    return no_such_relation(w, pattern, keep);
  if (!relation_can_hold(world_values(w), r)) return "that can hold in no state at all";
  return find_in_atom(w, r, pattern, &s) ? stranger_words(w, &s, keep) : NULL;
}

/* ---- what comes nearest ---- */

/* How many names two terms have in common, at the same places. */
static uint32_t likeness(const term_table *t, term_id a, term_id b) {
  const term *one = term_get(t, a);
  const term *other = term_get(t, b);
  uint32_t score = 0;
  if (a == b) return 1 + 2 * one->size;
  if (one->is_variable || other->is_variable) return 1;
  if (!term_same_name(one, other)) return 0;
  for (uint32_t i = 0; i < one->arg_count; i++)
    score += likeness(t, term_arg(t, a, i), term_arg(t, b, i));
  return score + 1;
}

enum { NEAREST_SHOWN = 2 };

typedef struct nearest {
  term_id best[NEAREST_SHOWN];
  uint32_t scores[NEAREST_SHOWN];
  uint32_t count; /* of all that are like it */
} nearest;

static void consider(nearest *n, const term_table *t, term_id wanted, term_id other) {
  uint32_t score = likeness(t, wanted, other);
  if (score == 0) return;
  n->count++;
  for (uint32_t i = 0; i < NEAREST_SHOWN; i++) {
    if (score <= n->scores[i]) continue;
    const term_id worse = n->best[i];
    const uint32_t worse_score = n->scores[i];
    n->best[i] = other;
    n->scores[i] = score;
    other = worse;
    score = worse_score;
  }
}

/* Only the best, and a second one that is as good. */
static const char *nearest_words(const world *w, const nearest *n, const char *wrapper,
                                 arena *keep) {
  text out = text_new(keep);
  if (!n->count) return NULL;
  for (uint32_t i = 0; i < NEAREST_SHOWN && n->scores[i] == n->scores[0]; i++) {
    text_add_format(&out, "%s%s", i ? " and " : "", wrapper);
    print(w, n->best[i], &out);
    if (*wrapper) text_add_char(&out, ')');
  }
  const bool are_two = n->count > 1 && n->scores[1] == n->scores[0];
  text_add(&out, are_two ? " hold" : " holds");
  return text_string(&out);
}

static const char *nearest_in(const world *w, term_id wanted, term_list among, const char *wrapper,
                              arena *keep) {
  nearest n = {.best = {TERM_NONE, TERM_NONE}};
  for (uint32_t i = 0; i < among.count; i++) consider(&n, w->terms, wanted, among.items[i]);
  return nearest_words(w, &n, wrapper, keep);
}

static const char *nearest_fact(const world *w, term_id wanted, arena *keep) {
  nearest n = {.best = {TERM_NONE, TERM_NONE}};
  const program *p = w->program;
  const relation *r = &p->relations.items[world_relation(w, wanted)];
  for (uint32_t i = 0; i < r->clause_count; i++) {
    const clause *c = &p->clauses.items[p->clauses_of_relation.items[r->first_clause + i]];
    if (!c->body_count) consider(&n, w->terms, wanted, c->head);
  }
  return nearest_words(w, &n, "", keep);
}

const char *explain_nearest(world *w, term_id atom, arena *keep) {
  const relation_id r = world_relation(w, atom);
  if (r == RELATION_NONE) return NULL;
  if (r == SYM_TRUE) return nearest_in(w, term_arg(w->terms, atom, 0), w->fluents, "(true ", keep);
  if (r == SYM_DOES)
    return w->does.count ? nearest_in(w, atom, w->does, "", keep) : "no move is given";
  return w->rules.relations[r].is_listed ? nearest_fact(w, atom, keep) : NULL;
}
