#include "board/evidence/statics.h"

#include "board/evidence/hexagons.h"

enum { STATIC_ARITY_MAX = 6, STATIC_MOST = 20000 };

typedef struct reading_statics {
  statics *s;
  const program *p;
  names *values;
  arena *keep, *scratch;
} reading_statics;

static name_id key_of(reading_statics *r, symbol_id name, uint32_t arity) {
  text key = text_new(r->scratch);
  const slice words = symbol_canonical(r->p->symbols, name);
  text_add_bytes(&key, words.start, words.length);
  text_add_format(&key, "/%u", arity);
  return names_add(&r->s->relations, key.bytes, key.length);
}

static value_id value_of(reading_statics *r, term_id t) {
  text words = text_new(r->scratch);
  term_print(r->p->terms, t, NOTATION_KIF, NULL, &words);
  return names_add(r->values, words.bytes, words.length);
}

static void add_fact(reading_statics *r, term_id head) {
  const term *t = term_get(r->p->terms, head);
  const arena_mark mark = arena_save(r->scratch);
  const static_fact made = {key_of(r, t->name, t->arg_count), r->s->args.count, t->arg_count};
  for (uint32_t i = 0; i < made.arity; i++)
    vec_push(r->keep, &r->s->args, value_of(r, term_arg(r->p->terms, head, i)));
  vec_push(r->keep, &r->s->facts, made);
  arena_restore(r->scratch, mark);
}

static void read_facts(reading_statics *r) {
  const program *p = r->p;
  for (relation_id rel = KEYWORD_RELATION_COUNT; rel < p->relations.count; rel++) {
    const relation *x = &p->relations.items[rel];
    if (!x->arity || x->arity > STATIC_ARITY_MAX) continue;
    for (uint32_t i = 0; i < x->clause_count && r->s->facts.count < STATIC_MOST; i++) {
      const clause *c = &p->clauses.items[p->clauses_of_relation.items[x->first_clause + i]];
      if (!c->body_count) add_fact(r, c->head);
    }
  }
}

/* ---- names of variables ---- */

static bool is_one_of(slice name, const char *const *words) {
  for (; *words; words++)
    if (slice_equals(name, *words)) return true;
  return false;
}

/* Without the `?`, and without a number at the end. */
static axis_hint hint_of(slice name) {
  static const char *const columns[] = {"x", "col", "column", "file", "c", NULL};
  static const char *const rows[] = {"y", "row", "rank", "r", NULL};
  slice bare = {name.start + 1, name.length - 1};
  while (bare.length > 1 && bare.start[bare.length - 1] >= '0' &&
         bare.start[bare.length - 1] <= '9')
    bare.length--;
  if (is_one_of(bare, columns)) return HINT_COLUMN;
  return is_one_of(bare, rows) ? HINT_ROW : HINT_NONE;
}

static void add_hint(reading_statics *r, name_id relation, uint32_t argument, axis_hint hint) {
  const argument_hint made = {relation, argument, hint};
  if (hint != HINT_NONE) vec_push(r->keep, &r->s->hints, made);
}

static void read_names(reading_statics *r, const rule *of, term_id fluent) {
  const term_table *terms = r->p->terms;
  const term *t = term_get(terms, fluent);
  if (t->is_variable || !t->arg_count || t->arg_count > COLUMN_MAX) return;
  const name_id relation = key_of(r, t->name, t->arg_count);
  for (uint32_t i = 0; i < t->arg_count; i++) {
    const term_id arg = term_arg(terms, fluent, i);
    if (!term_is_variable(terms, arg)) continue;
    const symbol_id name =
        r->p->variable_names.items[of->variables + term_variable_number(terms, arg)];
    add_hint(r, relation, i, hint_of(symbol_folded(r->p->symbols, name)));
  }
}

static bool holds_a_fluent(const term *t) {
  return !t->is_variable && t->arg_count == 1 &&
         (t->name == SYM_TRUE || t->name == SYM_NEXT || t->name == SYM_INIT || t->name == SYM_BASE);
}

static void read_atom(reading_statics *r, const rule *of, term_id atom) {
  if (holds_a_fluent(term_get(r->p->terms, atom)))
    read_names(r, of, term_arg(r->p->terms, atom, 0));
}

static void read_hints(reading_statics *r) {
  for (rule_id i = 0; i < r->p->rules.count; i++) {
    const rule *x = &r->p->rules.items[i];
    const arena_mark mark = arena_save(r->scratch);
    read_atom(r, x, x->head);
    for (uint32_t f = x->body; f < x->body_end; f++)
      if (r->p->formulas.items[f].kind == FORMULA_ATOM)
        read_atom(r, x, r->p->formulas.items[f].atom);
    arena_restore(r->scratch, mark);
  }
}

/* ---- facts that rules ask of cells ---- */

/* The argument of the term that is this variable; its count of arguments: none is. */
static uint32_t argument_of(const term_table *terms, term_id t, term_id variable) {
  uint32_t i = 0;
  while (i < term_get(terms, t)->arg_count && term_arg(terms, t, i) != variable) i++;
  return i;
}

static void add_mark(reading_statics *r, term_id asked, term_id fluent) {
  const term_table *terms = r->p->terms;
  const term *t = term_get(terms, asked), *f = term_get(terms, fluent);
  if (f->is_variable || f->arg_count > COLUMN_MAX) return;
  cell_mark made = {.count = t->arg_count};
  for (uint32_t i = 0; i < t->arg_count; i++) {
    const term_id arg = term_arg(terms, asked, i);
    made.arguments[i] = argument_of(terms, fluent, arg);
    if (!term_is_variable(terms, arg) || made.arguments[i] == f->arg_count) return;
  }
  made.relation = key_of(r, t->name, t->arg_count);
  made.fluent = key_of(r, f->name, f->arg_count);
  vec_push(r->keep, &r->s->marks, made);
}

static bool is_asked_of_cells(const term *t) {
  return !t->is_variable && t->name >= KEYWORD_RELATION_COUNT && t->arg_count > 0 &&
         t->arg_count <= 2;
}

static void read_marks_of(reading_statics *r, const clause *c, term_id fluent) {
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &r->p->literals.items[c->body + i];
    if (l->kind != LITERAL_DISTINCT && is_asked_of_cells(term_get(r->p->terms, l->atom)))
      add_mark(r, l->atom, fluent);
  }
}

static void read_marks(reading_statics *r) {
  const term_table *terms = r->p->terms;
  for (uint32_t i = 0; i < r->p->clauses.count; i++) {
    const clause *c = &r->p->clauses.items[i];
    const arena_mark mark = arena_save(r->scratch);
    for (uint32_t k = 0; k < c->body_count; k++) {
      const term_id atom = r->p->literals.items[c->body + k].atom;
      if (r->p->literals.items[c->body + k].kind == LITERAL_POSITIVE &&
          holds_a_fluent(term_get(terms, atom)))
        read_marks_of(r, c, term_arg(terms, atom, 0));
    }
    arena_restore(r->scratch, mark);
  }
}

/* The subject of most of its variables. */
axis_hint statics_hint(const statics *s, const char *relation, uint32_t arity, uint32_t argument) {
  char key[128];
  const int length = snprintf(key, sizeof key, "%s/%u", relation, arity);
  if (length >= (int)sizeof key) return HINT_NONE;
  const name_id of = names_find(&s->relations, key, (size_t)length);
  int votes = 0;
  for (uint32_t i = 0; of != NAME_NONE && i < s->hints.count; i++) {
    const argument_hint *h = &s->hints.items[i];
    if (h->relation == of && h->argument == argument) votes += h->hint == HINT_ROW ? 1 : -1;
  }
  if (!votes) return HINT_NONE;
  return votes > 0 ? HINT_ROW : HINT_COLUMN;
}

void statics_read(statics *s, const program *p, names *values, arena *keep) {
  reading_statics r = {s, p, values, keep, arena_new()};
  *s = (statics){.relations = names_new(keep)};
  read_facts(&r);
  read_hints(&r);
  read_marks(&r);
  s->hexagon_skew = rules_hexagon_skew(p);
  if (!s->hexagon_skew) s->hexagon_skew = facts_hexagon_skew(s, values);
  arena_free(r.scratch);
}
