#include "machine/lanes/lane_program_sound.h"

/* ---- phases and loops ---- */

static bool phases_are_sound(const lane_program *p) {
  uint32_t end = 0;
  for (lane_phase phase = 0; phase < LANE_PHASES; phase++) {
    if (p->phase_end[phase] < end) return false;
    end = p->phase_end[phase];
  }
  return end == p->ops.count;
}

static bool places_are_sound(const lane_program *p, const lane_loop *l, uint32_t input_count) {
  if ((uint64_t)l->first_place + l->place_count > p->places.count) return false;
  for (uint32_t i = 0; i < l->place_count; i++) {
    const lane_place *it = &p->places.items[l->first_place + i];
    if (it->place == SLOT_FALSE || it->place > input_count || it->definition >= p->slot_count)
      return false;
  }
  return true;
}

/* A loop is in its phase, and after the loop before it. */
static bool loops_are_sound(const lane_program *p, uint32_t input_count) {
  uint32_t end = 0;
  for (uint32_t i = 0; i < p->loops.count; i++) {
    const lane_loop *l = &p->loops.items[i];
    if (l->phase >= LANE_PHASES || l->first < end || l->end < l->first ||
        l->end > p->phase_end[l->phase] || (l->phase && l->first < p->phase_end[l->phase - 1]) ||
        !places_are_sound(p, l, input_count))
      return false;
    end = l->end;
  }
  return true;
}

/* ---- operations ---- */

/* Who may read a slot: all, nobody yet, the goals alone (their phase may be left out), or those in
   the stretch with this number. */
enum { READ_BY_ALL, READ_BY_NONE, READ_BY_GOALS, FIRST_STRETCH };

typedef struct slot_reader {
  const lane_program *p;
  uint32_t *readers; /* by slot */
  uint32_t stretch;
  lane_phase phase; /* of the operation that is looked at */
  uint32_t loop;    /* the first that has not been left */
} slot_reader;

/* May another stretch of this phase read it? */
static bool phase_may_read(const slot_reader *r, lane_phase phase, slot_id slot) {
  return r->readers[slot] == READ_BY_ALL ||
         (phase == PHASE_GOALS && r->readers[slot] == READ_BY_GOALS);
}

/* A loop reads what it copies to its places after its last stretch. */
static bool leave_loop(slot_reader *r, const lane_loop *l) {
  for (uint32_t i = 0; i < l->place_count; i++)
    if (!phase_may_read(r, l->phase, r->p->places.items[l->first_place + i].definition))
      return false;
  r->loop++;
  return true;
}

/* Notices where a stretch ends; false: a loop that ends here needs what it cannot read. */
static bool go_to(slot_reader *r, uint32_t op) {
  const lane_program *p = r->p;
  for (; r->phase < LANE_PHASES && p->phase_end[r->phase] <= op; r->phase++) r->stretch++;
  for (; r->loop < p->loops.count && p->loops.items[r->loop].end <= op; r->stretch++)
    if (!leave_loop(r, &p->loops.items[r->loop])) return false;
  if (r->loop < p->loops.count && p->loops.items[r->loop].first == op) r->stretch++;
  return true;
}

static bool may_read(const slot_reader *r, slot_id slot) {
  return slot < r->p->slot_count &&
         (phase_may_read(r, r->phase, slot) || r->readers[slot] == r->stretch);
}

static bool op_is_sound(slot_reader *r, const lane_op *op) {
  for (uint32_t i = 0; i < TABLE_INPUTS; i++)
    if (!may_read(r, op->in[i])) return false;
  if (op->out == SLOT_FALSE || op->out >= r->p->slot_count) return false;
  const uint32_t others = r->phase == PHASE_GOALS ? READ_BY_GOALS : READ_BY_ALL;
  r->readers[op->out] = op->is_local ? r->stretch : others;
  return true;
}

static bool ops_are_sound(const lane_program *p, uint32_t input_count, arena *scratch) {
  slot_reader r = {.p = p, .stretch = FIRST_STRETCH};
  r.readers = arena_zero_array(scratch, uint32_t, p->slot_count);
  for (slot_id slot = input_count + 1; slot < p->slot_count; slot++) r.readers[slot] = READ_BY_NONE;
  for (uint32_t i = 0; i < p->ops.count; i++)
    if (!go_to(&r, i) || !op_is_sound(&r, &p->ops.items[i])) return false;
  return go_to(&r, p->ops.count);
}

bool lane_program_is_sound(const lane_program *p, uint32_t input_count) {
  if (input_count >= p->slot_count || !phases_are_sound(p) || !loops_are_sound(p, input_count))
    return false;
  arena *scratch = arena_new();
  const bool ok = ops_are_sound(p, input_count, scratch);
  arena_free(scratch);
  return ok;
}
