/* Positions as text, and from text. */
#include "api/api_terms.h"

#include "machine/fluent_set.h"

static size_t position_text(const machine *m, const void *position, char *out, size_t capacity) {
  text words = text_new(arena_new());
  text_add(&words, "");
  position_print(m, position, &words);
  return api_give_text(&words, out, capacity);
}

size_t tabia_position_text(const tabia_machine *m, const void *position, char *out,
                           size_t capacity) {
  API_GUARDED(size_t, position_text(m->m, position, out, capacity),
              api_give_nothing(out, capacity));
}

/* ---- reading ---- */

/* The numbers of the fluents.  False: some have none. */
static bool find_fluents(given_terms *g, const machine *m, fluent_id *fluents) {
  bool ok = true;
  for (uint32_t i = 0; i < g->items.count; i++) {
    const given_term *it = &g->items.items[i];
    fluents[i] = m->ops->find_fluent(m, it->canonical);
    if (fluents[i] != FLUENT_NONE) continue;
    diag_add(&g->diags, DIAG_E823, it->where, "no play leads to a state with `%s`", it->canonical);
    ok = false;
  }
  return ok;
}

static span place_of(const given_terms *g, const fluent_id *fluents, fluent_id f) {
  for (uint32_t i = 0; i < g->items.count; i++)
    if (fluents[i] == f) return g->items.items[i].where;
  return SPAN_NONE;
}

static void complain(given_terms *g, const machine *m, span where, const char *with, fluent_id f) {
  text words = text_new(g->keep);
  m->ops->fluent_text(m, f, &words);
  diag *said = diag_add(&g->diags, DIAG_E824, where, "no play leads to such a state %s `%s`", with,
                        text_string(&words));
  diag_hint(&g->diags, said,
            "`%s` has that built in; use `reference`, or the same game with this start",
            m->ops->name);
}

static void tell_conflict(given_terms *g, const machine *m, const fluent_id *fluents,
                          const fluent_conflict *c) {
  for (uint32_t i = 0; i < c->excess_count; i++)
    complain(g, m, place_of(g, fluents, c->excess[i]), "with", c->excess[i]);
  for (uint32_t i = 0; i < c->missing_count; i++)
    complain(g, m, SPAN_NONE, "without", c->missing[i]);
  if (c->is_full)
    diag_add(&g->diags, DIAG_E820, SPAN_NONE, "`%s` has no room for all these fluents",
             m->ops->name);
}

static tabia_status place_fluents(given_terms *g, const tabia_machine *m, void *position) {
  fluent_id *fluents = arena_new_array(g->keep, fluent_id, g->items.count + (size_t)1);
  fluent_conflict c;
  if (!given_fluents_check(g, &m->rules->program) || !find_fluents(g, m->m, fluents))
    return TABIA_UNREADABLE;
  void *made = arena_alloc(g->keep, m->m->position_size);
  if (!position_of_fluents(m->m, fluents, g->items.count, made, &c, g->keep)) {
    tell_conflict(g, m->m, fluents, &c);
    return TABIA_FAULTY;
  }
  memcpy(position, made, m->m->position_size);
  return TABIA_OK;
}

static tabia_status read_position(const tabia_machine *m, const char *name, const char *words,
                                  size_t length, void *position, tabia_messages *log) {
  given_terms g;
  const bool is_kif = given_terms_read(&g, name, words, length);
  const tabia_status status = is_kif ? place_fluents(&g, m, position) : TABIA_UNREADABLE;
  if (status != TABIA_OK) api_tell(log, &g.diags, &g.source);
  given_terms_free(&g);
  return status;
}

tabia_status tabia_position_read(const tabia_machine *m, const char *name, const char *words,
                                 size_t length, void *position, tabia_messages *log) {
  API_GUARDED(tabia_status, read_position(m, name, words, length, position, log),
              api_no_memory(log));
}
