#include "rules/check/subsume.h"

#include <string.h>

enum { STEPS_MAX = 20000 };

typedef struct subsumption {
  const program *p;
  const clause *wide, *narrow;
  term_id *bound;  /* by variable of `wide`; TERM_NONE where free */
  uint32_t *trail; /* variables in the order in which they were bound */
  uint32_t trail_count;
  uint32_t steps_left;
} subsumption;

static bool match(subsumption *s, term_id pattern, term_id t) {
  const term *x = term_get(s->p->terms, pattern);
  if (x->is_variable) {
    if (s->bound[x->name] != TERM_NONE) return s->bound[x->name] == t;
    s->bound[x->name] = t;
    s->trail[s->trail_count++] = x->name;
    return true;
  }
  if (x->is_ground) return pattern == t;
  const term *y = term_get(s->p->terms, t);
  if (y->is_variable || !term_same_name(x, y)) return false;
  for (uint32_t i = 0; i < x->arg_count; i++)
    if (!match(s, term_arg(s->p->terms, pattern, i), term_arg(s->p->terms, t, i))) return false;
  return true;
}

static void undo(subsumption *s, uint32_t to) {
  while (s->trail_count > to) s->bound[s->trail[--s->trail_count]] = TERM_NONE;
}

/* Every literal of `wide` from number `i` on is one of `narrow`'s. */
static bool covers(subsumption *s, uint32_t i) {
  if (i == s->wide->body_count) return true;
  const literal *l = &s->p->literals.items[s->wide->body + i];
  for (uint32_t n = 0; n < s->narrow->body_count && s->steps_left; n++) {
    const literal *m = &s->p->literals.items[s->narrow->body + n];
    const uint32_t mark = s->trail_count;
    s->steps_left--;
    if (l->kind == m->kind && match(s, l->atom, m->atom) && covers(s, i + 1)) return true;
    undo(s, mark);
  }
  return false;
}

bool clause_subsumes(const program *p, const clause *wide, term_id a, const clause *narrow,
                     term_id b, arena *scratch) {
  enum { LITERALS_MAX = 64 };
  if (wide->body_count > LITERALS_MAX || narrow->body_count > LITERALS_MAX) return false;
  const arena_mark mark = arena_save(scratch);
  subsumption s = {.p = p,
                   .wide = wide,
                   .narrow = narrow,
                   .steps_left = STEPS_MAX,
                   .bound = arena_new_array(scratch, term_id, wide->variable_count + 1),
                   .trail = arena_new_array(scratch, uint32_t, wide->variable_count + 1)};
  memset(s.bound, 0xff, (wide->variable_count + 1) * sizeof *s.bound);
  const bool does = match(&s, a, b) && covers(&s, 0);
  arena_restore(scratch, mark);
  return does;
}
