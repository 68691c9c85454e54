/* The text of rules as editors see it. */
#include "api/api.h"
#include "read/name.h"
#include "rules/argument_values.h"
#include "rules/outline.h"

#include <string.h>

struct tabia_source {
  reading *r; /* whose arena holds all of it */
  outline outline;
  analysis analysis;
  const argument_values *values;
  const char **names; /* by thing */
};

/* ---- making ---- */

static const char *name_of(const tabia_source *s, const thing *it) {
  text name = text_new(s->r->keep);
  name_print(s->r->tree.symbols, it->name, s->r->tree.notation, &name);
  return text_string(&name);
}

static tabia_source *source_new(const tabia_rules *rules, const tabia_limits *limits) {
  reading *r = reading_new(rules);
  tabia_source *s = arena_alloc_zero(r->keep, sizeof *s);
  budget b = api_budget(limits);
  s->r = r;
  outline_make(&s->outline, &r->tree, r->keep);
  rules_analyse(&s->analysis, &r->program, r->keep);
  budget_watch(&b, r->keep);
  s->values = argument_values_find(&r->program, &b, r->keep);
  s->names = arena_new_array(r->keep, const char *, s->outline.things.count + 1);
  for (uint32_t i = 0; i < s->outline.things.count; i++)
    s->names[i] = name_of(s, &s->outline.things.items[i]);
  return s;
}

static tabia_source *source_without_memory(tabia_messages *log) {
  api_no_memory(log);
  return NULL;
}

tabia_source *tabia_source_new(const tabia_rules *rules, const tabia_limits *limits,
                               tabia_messages *log) {
  API_GUARDED(tabia_source *, source_new(rules, limits), source_without_memory(log));
}

void tabia_source_free(tabia_source *s) {
  if (s) reading_free(s->r);
}

/* ---- words ---- */

static void give_range(span where, size_t *start, size_t *end) {
  *start = where.start;
  *end = where.end;
}

static uint32_t offset_in(const tabia_source *s, size_t offset) {
  return offset < s->r->source.length ? (uint32_t)offset : s->r->source.length;
}

static const word *word_at(const tabia_source *s, uint32_t i) {
  assert(i < s->outline.words.count);
  return &s->outline.words.items[i];
}

uint32_t tabia_source_word_count(const tabia_source *s) { return s->outline.words.count; }

uint32_t tabia_source_word_at(const tabia_source *s, size_t offset) {
  return outline_word_at(&s->outline, offset_in(s, offset));
}

tabia_word_kind tabia_word_kind_of(const tabia_source *s, uint32_t i) {
  return (tabia_word_kind)word_at(s, i)->kind;
}

void tabia_word_range(const tabia_source *s, uint32_t i, size_t *start, size_t *end) {
  give_range(word_at(s, i)->where, start, end);
}

uint32_t tabia_word_thing(const tabia_source *s, uint32_t i) { return word_at(s, i)->thing; }

uint32_t tabia_word_clause(const tabia_source *s, uint32_t i) { return word_at(s, i)->clause; }

bool tabia_word_defines(const tabia_source *s, uint32_t i) { return word_at(s, i)->defines; }

/* ---- things ---- */

static const thing *thing_at(const tabia_source *s, uint32_t i) {
  assert(i < s->outline.things.count);
  return &s->outline.things.items[i];
}

uint32_t tabia_source_thing_count(const tabia_source *s) { return s->outline.things.count; }

tabia_word_kind tabia_thing_kind(const tabia_source *s, uint32_t i) {
  return (tabia_word_kind)thing_at(s, i)->kind;
}

const char *tabia_thing_name(const tabia_source *s, uint32_t i) {
  assert(i < s->outline.things.count);
  return s->names[i];
}

uint32_t tabia_thing_arity(const tabia_source *s, uint32_t i) { return thing_at(s, i)->arity; }

uint32_t tabia_thing_word_count(const tabia_source *s, uint32_t i) {
  return thing_at(s, i)->word_count;
}

uint32_t tabia_thing_word(const tabia_source *s, uint32_t i, uint32_t k) {
  assert(k < thing_at(s, i)->word_count);
  return s->outline.words_of.items[thing_at(s, i)->first_word + k];
}

bool tabia_thing_doc(const tabia_source *s, uint32_t i, size_t *start, size_t *end) {
  const span doc = thing_at(s, i)->doc;
  if (doc.start == UINT32_MAX) return false;
  give_range(doc, start, end);
  return true;
}

const char *tabia_thing_dependence(const tabia_source *s, uint32_t i, uint32_t *stratum) {
  const thing *it = thing_at(s, i);
  if (it->kind != WORD_RELATION && it->kind != WORD_KEYWORD) return NULL;
  const relation_id r = program_relation(&s->r->program, it->name, it->arity);
  if (r == RELATION_NONE) return NULL;
  *stratum = s->analysis.stratum[r];
  return s->analysis.is_dynamic[r] ? "dynamic" : "static";
}

/* ---- clauses ---- */

static const outline_clause *clause_at(const tabia_source *s, uint32_t i) {
  assert(i < s->outline.clauses.count);
  return &s->outline.clauses.items[i];
}

uint32_t tabia_source_clause_count(const tabia_source *s) { return s->outline.clauses.count; }

uint32_t tabia_source_clause_at(const tabia_source *s, size_t offset) {
  return outline_clause_at(&s->outline, offset_in(s, offset));
}

void tabia_clause_range(const tabia_source *s, uint32_t i, size_t *start, size_t *end) {
  give_range(clause_at(s, i)->where, start, end);
}

uint32_t tabia_clause_head(const tabia_source *s, uint32_t i) { return clause_at(s, i)->head; }

bool tabia_clause_is_rule(const tabia_source *s, uint32_t i) { return clause_at(s, i)->is_rule; }

bool tabia_source_widen(const tabia_source *s, size_t *start, size_t *end) {
  span range = {offset_in(s, *start), offset_in(s, *end)};
  if (!outline_widen(&s->outline, &range)) return false;
  give_range(range, start, end);
  return true;
}

bool tabia_source_call_at(const tabia_source *s, size_t offset, uint32_t *name,
                          uint32_t *argument) {
  return outline_call_at(&s->outline, offset_in(s, offset), name, argument);
}

/* ---- values ---- */

/* The relation of that name with room for the argument, whatever is written behind it. */
static relation_id find_relation(const program *p, symbol_id name, uint32_t arity,
                                 uint32_t argument) {
  const relation_id exact = program_relation(p, name, arity);
  if (exact != RELATION_NONE && argument < arity) return exact;
  for (relation_id r = 0; r < p->relations.count; r++)
    if (p->relations.items[r].name == name && p->relations.items[r].arity > argument) return r;
  return RELATION_NONE;
}

static uint32_t argument_number(const tree *t, node_id list, node_id of) {
  uint32_t i = 0;
  for (node_id n = node_after(t, node_first(list)); n < of; n = node_after(t, n)) i++;
  return i;
}

static bool is_atom(const outline *o, node_id list) {
  const uint32_t name = o->word_of_node[node_first(list)];
  if (name == OUTLINE_NONE) return true;
  const word_kind kind = o->words.items[name].kind;
  return kind == WORD_RELATION || kind == WORD_KEYWORD || kind == WORD_OPERATOR;
}

enum { DEEPEST = 8 };

/* A function at the slot with room for the argument. */
static slot_id find_part(const argument_values *v, slot_id at, symbol_id name, uint32_t arity,
                         uint32_t argument, arena *scratch) {
  const slot_id exact = slot_of_part(v, at, (slot_value){name, arity}, argument);
  if (exact != SLOT_NONE && argument < arity) return exact;
  const slot_values all = slots_common_values(v, &at, 1, scratch);
  for (uint32_t i = 0; i < all.count; i++)
    if (all.items[i].name == name && all.items[i].arity > argument)
      return slot_of_part(v, at, all.items[i], argument);
  return SLOT_NONE;
}

/* The slot of an argument of the list that the word names: from the atom inwards. */
static slot_id find_slot(const tabia_source *s, const word *name, uint32_t argument,
                         arena *scratch) {
  const outline *o = &s->outline;
  const tree *t = o->tree;
  node_id path[DEEPEST]; /* lists, the innermost first */
  uint32_t depth = 0;
  node_id list = o->parents[name->node];
  if (list == UINT32_MAX || node_first(list) != name->node) return SLOT_NONE;
  for (;; list = o->parents[list]) {
    if (list == UINT32_MAX || depth == DEEPEST) return SLOT_NONE;
    path[depth++] = list;
    if (is_atom(o, list)) break;
  }
  slot_id at = SLOT_NONE;
  while (depth--) {
    const uint32_t i = depth ? argument_number(t, path[depth], path[depth - 1]) : argument;
    const symbol_id functor = node_functor(t, path[depth]);
    const uint32_t arity = node_element_count(t, path[depth]) - 1;
    if (at == SLOT_NONE) {
      const relation_id r = find_relation(&s->r->program, functor, arity, i);
      if (r != RELATION_NONE) at = slot_of_argument(s->values, r, i);
    } else {
      at = find_part(s->values, at, functor, arity, i, scratch);
    }
    if (at == SLOT_NONE) return SLOT_NONE;
  }
  return at;
}

static uint32_t give_values(const tabia_source *s, const word *name, uint32_t argument,
                            tabia_value *take, void *context) {
  if (name->node == UINT32_MAX) return 0;
  arena *scratch = arena_new();
  const slot_id at = find_slot(s, name, argument, scratch);
  slot_values all = {0};
  if (at != SLOT_NONE && !slot_is_open(s->values, at))
    all = slots_common_values(s->values, &at, 1, scratch);
  for (uint32_t i = 0; i < all.count; i++) {
    text words = text_new(scratch);
    name_print(s->r->tree.symbols, all.items[i].name, s->r->tree.notation, &words);
    if (take) take(context, text_string(&words), all.items[i].arity);
  }
  arena_free(scratch);
  return all.count;
}

uint32_t tabia_source_values(const tabia_source *s, uint32_t name, uint32_t argument,
                             tabia_value *take, void *context) {
  API_GUARDED(uint32_t, give_values(s, word_at(s, name), argument, take, context), 0);
}

/* ---- other names ---- */

static tabia_status rename_thing(const tabia_source *s, uint32_t id, const char *name,
                                 tabia_edit *edit, void *context, tabia_messages *log) {
  arena *scratch = arena_new();
  const char *fault = outline_rename_fault(&s->outline, id, name, scratch);
  if (fault) api_tell_error(log, "%s cannot be renamed: %s", s->names[id], fault);
  arena_free(scratch);
  if (fault) return TABIA_MISUSE;
  const thing *it = thing_at(s, id);
  for (uint32_t i = 0; name && edit && i < it->word_count; i++) {
    const span where = word_at(s, s->outline.words_of.items[it->first_word + i])->where;
    edit(context, where.start, where.end, name);
  }
  return TABIA_OK;
}

tabia_status tabia_source_rename(const tabia_source *s, uint32_t id, const char *name,
                                 tabia_edit *edit, void *context, tabia_messages *log) {
  API_GUARDED(tabia_status, rename_thing(s, id, name, edit, context, log), api_no_memory(log));
}
