#include "rules/check/keyword_uses.h"

static uint64_t name_hash(slot_value x) { return hash_ids((const uint32_t[]){x.name, x.arity}, 2); }

static uint64_t hash_of_use(const void *context, uint32_t id) {
  return name_hash(((const keyword_uses *)context)->all.items[id].name);
}

static bool is_same(slot_value a, slot_value b) { return a.name == b.name && a.arity == b.arity; }

static keyword_use *use_of(keyword_uses *u, slot_value name) {
  id_table_reserve(&u->index, u->c->scratch, hash_of_use, u);
  uint32_t at = id_table_first(&u->index, name_hash(name));
  for (; u->index.slots[at] != ID_NONE; at = id_table_next(&u->index, at))
    if (is_same(u->all.items[u->index.slots[at]].name, name))
      return &u->all.items[u->index.slots[at]];
  const keyword_use fresh = {.name = name};
  vec_push(u->c->scratch, &u->all, fresh);
  id_table_put(&u->index, at, u->all.count - 1);
  return &vec_last(&u->all);
}

const keyword_use *keyword_use_of(const keyword_uses *u, slot_value name) {
  for (uint32_t i = 0; i < u->all.count; i++)
    if (is_same(u->all.items[i].name, name)) return &u->all.items[i];
  return NULL;
}

static slot_value name_of(const checker *c, term_id t) {
  return (slot_value){term_get(c->p->terms, t)->name, term_get(c->p->terms, t)->arg_count};
}

static term_id last_argument(const checker *c, term_id atom) {
  return term_arg(c->p->terms, atom, term_get(c->p->terms, atom)->arg_count - 1u);
}

term_id keyword_thing(const checker *c, clause_id id) {
  return last_argument(c, clause_at(c, id)->head);
}

static void note_head(keyword_uses *u, clause_id id, bool is_step) {
  const checker *c = u->c;
  const term_id thing = keyword_thing(c, id);
  if (term_is_variable(c->p->terms, thing)) {
    u->gives_any = true;
    return;
  }
  keyword_use *use = use_of(u, name_of(c, thing));
  vec_push(c->scratch, is_step ? &use->steps : &use->starts, id);
}

static void note_heads(keyword_uses *u, relation_id r, bool is_step) {
  for (uint32_t i = 0; i < u->c->p->relations.items[r].clause_count; i++)
    note_head(u, clause_of(u->c, r, i), is_step);
}

static bool is_next_of(const checker *c, term_id head, slot_value name) {
  if (atom_relation(c->p, head) != SYM_NEXT) return false;
  const term_id thing = last_argument(c, head);
  return !term_is_variable(c->p->terms, thing) && is_same(name_of(c, thing), name);
}

static void note_reads(keyword_uses *u, const clause *it, relation_id r) {
  const checker *c = u->c;
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(c, it->body + i);
    if (l->kind == LITERAL_DISTINCT || atom_relation(c->p, l->atom) != r) continue;
    const term_id thing = last_argument(c, l->atom);
    if (term_is_variable(c->p->terms, thing)) {
      u->reads_any = true;
      continue;
    }
    keyword_use *use = use_of(u, name_of(c, thing));
    use->reads++;
    use->own_reads += is_next_of(c, it->head, use->name);
  }
}

static void note_all_reads(keyword_uses *u, relation_id r) {
  for (clause_id i = 0; i < u->c->p->clauses.count; i++) note_reads(u, clause_at(u->c, i), r);
}

keyword_uses fluent_uses(const checker *c) {
  keyword_uses u = {.c = c};
  note_heads(&u, SYM_INIT, false);
  note_heads(&u, SYM_NEXT, true);
  note_all_reads(&u, SYM_TRUE);
  return u;
}

keyword_uses move_uses(const checker *c) {
  keyword_uses u = {.c = c};
  note_heads(&u, SYM_LEGAL, false);
  note_all_reads(&u, SYM_DOES);
  return u;
}

const char *shown_thing(const checker *c, slot_value name) {
  const char *shown = shown_name(c, name.name);
  if (name.arity == 0) return shown;
  text out = text_new(c->scratch);
  text_add_format(&out, shown_notation(c) == NOTATION_KIF ? "(%s ...)" : "%s(...)", shown);
  return text_string(&out);
}
