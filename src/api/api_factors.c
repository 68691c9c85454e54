#include "api/api.h"

#include "factors/factors.h"
#include "machine/circuit_positions.h"

struct tabia_factors {
  arena *keep;
  const grounded *g;
  factors found;
};

_Static_assert(TABIA_PART_COMMON == PART_COMMON && TABIA_PART_NONE == PART_UNREAD &&
                   TABIA_NO_CLASS == CLASS_NONE,
               "one set of numbers");

static tabia_status find(tabia_factors **out, const tabia_machine *m, const tabia_limits *limits,
                         tabia_messages *log) {
  if (!m->m->grounded) {
    api_tell_error(log, "finding factors needs a machine with a circuit: `lanes` or `circuit`");
    return TABIA_FAULTY;
  }
  arena *keep = arena_new();
  budget b = api_budget(limits);
  tabia_factors *x = arena_alloc_zero(keep, sizeof *x);
  *x = (tabia_factors){.keep = keep, .g = machine_grounded(m->m)};
  factors_find(&x->found, &x->g->circuit, keep, &b);
  *out = x;
  return TABIA_OK;
}

tabia_status tabia_factors_find(tabia_factors **out, const tabia_machine *m,
                                const tabia_limits *limits, tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, find(out, m, limits, log), api_no_memory(log));
}

void tabia_factors_free(tabia_factors *x) {
  if (x) arena_free(x->keep);
}

uint32_t tabia_factors_count(const tabia_factors *x) { return x->found.count; }

const char *tabia_factors_reason(const tabia_factors *x) { return x->found.reason; }

uint32_t tabia_factors_fluent_count(const tabia_factors *x) { return x->g->circuit.fluents.count; }

uint32_t tabia_factors_fluent_part(const tabia_factors *x, tabia_fluent f) {
  const circuit *c = &x->g->circuit;
  if (f >= c->fluents.count || !x->found.count) return TABIA_PART_NONE;
  const wire now = c->fluents.items[f].now;
  if (wire_is_constant(now)) return TABIA_PART_NONE;
  return x->found.part_of[c->gates.items[wire_gate(now)].number];
}

bool tabia_factors_ends(const tabia_factors *x, uint32_t part) {
  return part < x->found.count && x->found.ends[part];
}

bool tabia_factors_scores(const tabia_factors *x, uint32_t part) {
  return part < x->found.count && x->found.scores[part];
}

static bool has_role(const tabia_factors *x, uint32_t part, uint32_t role) {
  return part < x->found.count && role < x->found.c->roles.count;
}

bool tabia_factors_chooses_in_all(const tabia_factors *x, uint32_t role) {
  return has_role(x, 0, role) && x->found.choices[role] == CHOOSES_IN_ALL_PARTS;
}

uint32_t tabia_factors_class_count(const tabia_factors *x, uint32_t part, uint32_t role) {
  return has_role(x, part, role) ? factor_class_count(&x->found, part, role) : 0;
}

uint32_t tabia_factors_idle_class(const tabia_factors *x, uint32_t part, uint32_t role) {
  return has_role(x, part, role) ? factor_idle_class(&x->found, part, role) : TABIA_NO_CLASS;
}

uint32_t tabia_factors_move_class(const tabia_factors *x, uint32_t part, uint32_t role,
                                  tabia_move move) {
  if (!has_role(x, part, role)) return TABIA_NO_CLASS;
  const circuit_role *r = &x->found.c->roles.items[role];
  return move < r->move_count ? factor_class(&x->found, part, r->first_move + move)
                              : TABIA_NO_CLASS;
}
