#include "board/evidence/steps.h"

#include <math.h>

enum { STEP_ARITY_MOST = 4, GROUPS_MOST = 64, STEPS_LEAST = 2 };

/* Facts that differ in nothing but the two values. */
typedef struct step_group {
  name_id relation;
  uint32_t at[2];                   /* which arguments the two values are */
  value_id others[STEP_ARITY_MOST]; /* NAME_NONE where there is none */
  bool is_direction;
  uint32_t count, number;
} step_group;

typedef struct reading_steps {
  const statics *s;
  const names *values;
  const uint32_t *place; /* by value; UINT32_MAX: it is not in the domain */
  uint32_t domain_count;
  VEC(step_group) groups;
  VEC(cell_step) found; /* `direction` is a group */
  arena *keep;
} reading_steps;

static const uint32_t *places_of(const names *values, const id_vec *domain, arena *keep) {
  const uint32_t count = values->items.count;
  uint32_t *place = arena_new_array(keep, uint32_t, count + 1);
  memset(place, 0xff, count * sizeof *place);
  for (uint32_t i = 0; i < domain->count; i++) place[domain->items[i]] = i;
  return place;
}

/* False: not two of its arguments are in the domain. */
static bool read_group(const reading_steps *r, uint32_t fact, step_group *g) {
  const static_fact *f = &r->s->facts.items[fact];
  uint32_t inside = 0;
  *g = (step_group){.relation = f->relation, .is_direction = true};
  memset(g->others, 0xff, sizeof g->others);
  for (uint32_t i = 0; i < f->arity; i++) {
    const value_id v = static_arg(r->s, fact, i);
    if (r->place[v] == UINT32_MAX)
      g->others[i] = v;
    else if (inside < 2)
      g->at[inside++] = i;
    else
      return false;
  }
  return inside == 2;
}

static uint32_t group_of(reading_steps *r, const step_group *g) {
  uint32_t i = 0;
  for (; i < r->groups.count; i++) {
    const step_group *x = &r->groups.items[i];
    if (x->relation == g->relation && memcmp(x->at, g->at, sizeof g->at) == 0 &&
        memcmp(x->others, g->others, sizeof g->others) == 0)
      break;
  }
  if (i == r->groups.count && i < GROUPS_MOST) vec_push(r->keep, &r->groups, *g);
  return i;
}

static void read_steps(reading_steps *r) {
  for (uint32_t f = 0; f < r->s->facts.count; f++) {
    step_group g;
    if (r->s->facts.items[f].arity > STEP_ARITY_MOST || !read_group(r, f, &g)) continue;
    const cell_step step = {group_of(r, &g), r->place[static_arg(r->s, f, g.at[0])],
                            r->place[static_arg(r->s, f, g.at[1])]};
    if (step.direction < r->groups.count) vec_push(r->keep, &r->found, step);
  }
}

/* Two steps of a group that begin or end at the same value make it no direction. */
static void find_directions(reading_steps *r) {
  const size_t size = (size_t)r->domain_count * r->groups.count;
  bool *leads_from = arena_zero_array(r->keep, bool, size + 1);
  bool *leads_to = arena_zero_array(r->keep, bool, size + 1);
  for (uint32_t i = 0; i < r->found.count; i++) {
    const cell_step *x = &r->found.items[i];
    step_group *g = &r->groups.items[x->direction];
    bool *from = &leads_from[(size_t)x->direction * r->domain_count + x->from];
    bool *to = &leads_to[(size_t)x->direction * r->domain_count + x->to];
    if (*from || *to || x->from == x->to) g->is_direction = false;
    *from = *to = true;
    g->count++;
  }
}

/* Directions that no other argument distinguishes are named by the relation. */
static const char *word_of(const reading_steps *r, const step_group *g) {
  for (uint32_t i = 0; i < STEP_ARITY_MOST; i++)
    if (g->others[i] != NAME_NONE) return names_text(r->values, g->others[i]);
  return names_text(&r->s->relations, g->relation);
}

static void number_directions(reading_steps *r, cell_steps *out) {
  for (uint32_t i = 0; i < r->groups.count; i++) {
    step_group *g = &r->groups.items[i];
    g->is_direction &= g->count >= STEPS_LEAST && out->directions < DIRECTIONS_MOST;
    if (!g->is_direction) continue;
    g->number = out->directions++;
    out->words[g->number] = word_of(r, g);
  }
}

cell_steps steps_between(const statics *s, const names *values, const id_vec *domain, arena *keep) {
  cell_steps out = {0};
  reading_steps r = {.s = s,
                     .values = values,
                     .place = places_of(values, domain, keep),
                     .domain_count = domain->count,
                     .keep = keep};
  read_steps(&r);
  find_directions(&r);
  number_directions(&r, &out);
  for (uint32_t i = 0; i < r.found.count; i++) {
    const step_group *g = &r.groups.items[r.found.items[i].direction];
    if (!g->is_direction) continue;
    const cell_step step = {g->number, r.found.items[i].from, r.found.items[i].to};
    vec_push(keep, &out.all, step);
  }
  return out;
}

bool steps_are_straight(const cell_steps *s, const double *x, const double *y) {
  double dx[DIRECTIONS_MOST], dy[DIRECTIONS_MOST];
  bool is_known[DIRECTIONS_MOST] = {0};
  for (uint32_t i = 0; i < s->all.count; i++) {
    const cell_step *step = &s->all.items[i];
    const double across = x[step->to] - x[step->from], down = y[step->to] - y[step->from];
    const uint32_t d = step->direction;
    if (is_known[d] && (fabs(dx[d] - across) > 0.01 || fabs(dy[d] - down) > 0.01)) return false;
    is_known[d] = true;
    dx[d] = across;
    dy[d] = down;
  }
  return true;
}
