#include "rules/check/clause_slots.h"

void clause_slots_read(clause_slots *s, const clause *it) {
  misfit ignored;
  if (s->of == it) return;
  s->of = it;
  s->all.count = 0;
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(s->c, it->body + i);
    if (l->kind == LITERAL_POSITIVE)
      atom_can_match(s->c->values, l->atom, i, &s->all, &ignored, s->c->scratch);
  }
}

bool clause_term_can_be(const clause_slots *s, term_id t, slot_value constant) {
  const term *it = term_get(s->c->p->terms, t);
  if (!it->is_variable) return it->name == constant.name && it->arg_count == constant.arity;
  for (uint32_t i = 0; i < s->all.count; i++)
    if (s->all.items[i].variable == it->name &&
        !slot_has(s->c->values, s->all.items[i].slot, constant))
      return false;
  return true;
}

bool clause_variable_values(const clause_slots *s, uint32_t variable, slot_values *out) {
  id_vec slots = {0};
  for (uint32_t i = 0; i < s->all.count; i++)
    if (s->all.items[i].variable == variable) vec_push(s->c->scratch, &slots, s->all.items[i].slot);
  if (slots.count == 0) return false;
  *out = slots_common_values(s->c->values, slots.items, slots.count, s->c->scratch);
  return true;
}

uint32_t clause_variable_choice(const clause_slots *s, uint32_t variable) {
  slot_values all;
  return clause_variable_values(s, variable, &all) ? all.count : UINT32_MAX;
}
