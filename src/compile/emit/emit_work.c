/* How much work a loop can be, at the most, from the sizes of columns: where that is much, the loop
   asks now and then whether to go on. */
#include "compile/emit/emit_parts.h"

/* Rounds of the innermost loop: that many take about a millisecond, or a quarter of a microsecond.
 */
#define MUCH 1e6
#define LITTLE 256.0

/* The rows that can agree with given values in some columns. */
static double rounds_of(const emitter *e, flat_id r, uint64_t known) {
  double rounds = 1;
  for (uint32_t i = 0; i < emit_arity(e, r); i++)
    if (!(known >> i & 1)) rounds *= domain_size(domain_of(e->d, r, i));
  if (emit_kind(e, r) == KIND_PERMANENT && rounds > e->n->facts[r].count)
    rounds = e->n->facts[r].count;
  return rounds;
}

double emit_work_of_firing(emitter *e, const firing *f) {
  double work = 0;
  for (uint32_t i = 0; i < f->trigger_count; i++)
    work += emit_work_from(e, &e->v->triggers.items[f->first_trigger + i], 0);
  return work;
}

static double work_of_passing(emitter *e, flat_id r) {
  double *known = &e->work_of_passing[r];
  if (*known > 0) return *known;
  *known = 1; /* none is passed to itself */
  double work = 1;
  for (uint32_t i = 0; i < e->v->passed.count; i++)
    if (e->v->passed.items[i].relation == r) work += emit_work_of_firing(e, &e->v->passed.items[i]);
  return *known = work;
}

double emit_work_from(emitter *e, const trigger *t, uint32_t next) {
  const flat_id head = e->f->clauses.items[t->clause].head;
  double work = emit_kind(e, head) == KIND_PASSED ? work_of_passing(e, head) : 1;
  for (uint32_t i = next; i < t->remaining_count; i++) {
    const remaining *rest = &e->v->remaining.items[t->first_remaining + i];
    work *= rounds_of(e, e->f->literals.items[rest->literal].relation, rest->known);
  }
  return work;
}

void emit_stop(emitter *e, const c_loop *loop, double work_inside) {
  const double work = rounds_of(e, loop->relation, loop->known) * work_inside;
  if (!loop->is_loop || work < MUCH) return;
  if (work_inside < LITTLE && loop->is_counted)
    text_add_format(e->out, "if (i%u %% 256 == 255 && TR_IS_OVER(k)) break;\n", loop->number);
  else
    text_add(e->out, "if (TR_IS_OVER(k)) break;\n");
}
