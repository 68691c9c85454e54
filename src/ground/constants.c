/* Atoms that hold always or never: see simplify.h.

   What is known of one atom settles literals, and so rules, and so other atoms; each literal is
   looked at once for this.  Two things need a view of the whole: atoms that hold only if they hold
   (found by deriving all that is possible anew), and fluents that never cease as long as they all
   do not. */
#include "ground/simplify.h"

#include "base/bitset.h"

#include <string.h>

enum { CEASING_ROUNDS_MAX = 64 };

#define RULE_FAILS UINT32_MAX

/* A rule that holds an atom, times two, plus one where it is negated there. */
typedef uint32_t use;

typedef struct folding {
  ground_program *g;
  arena *scratch;
  budget *limits;
  bool through_states;
  uint32_t *uses_from; /* by atom: its uses are */
  use *uses;           /* uses[uses_from[a] .. uses_from[a+1]-1] */
  atom_id *leads_to;   /* next(f) to true(f), legal(r, m) to does(r, m); or ATOM_NONE */
  bitset certain;      /* atoms that always hold */
  bitset impossible;   /* atoms that never do */
  uint32_t *open;    /* by rule: literals that are not known to hold; RULE_FAILS: one never does */
  uint32_t failed;   /* rules that fail */
  uint32_t *ways;    /* by atom: rules that do not fail, and for given atoms ways to be given */
  id_vec queue;      /* atoms that were settled and whose uses are to be told */
  uint32_t *missing; /* by rule: room for the two views of the whole */
  bitset members;    /* atoms: room for them */
} folding;

/* ---- setting up ---- */

static void index_uses(folding *f) {
  const ground_program *g = f->g;
  uint32_t *from = f->uses_from = arena_zero_array(f->scratch, uint32_t, g->atoms.count + 1);
  for (uint32_t r = 0; r < g->rules.count; r++)
    for (uint32_t i = 0; i < g->rules.items[r].body_count; i++)
      from[literal_atom(g->literals.items[g->rules.items[r].body + i])]++;
  for (atom_id a = 0; a < g->atoms.count; a++) from[a + 1] += from[a];
  f->uses = arena_new_array(f->scratch, use, from[g->atoms.count]);
  for (uint32_t r = g->rules.count; r-- > 0;)
    for (uint32_t i = 0; i < g->rules.items[r].body_count; i++) {
      const ground_literal l = g->literals.items[g->rules.items[r].body + i];
      f->uses[--from[literal_atom(l)]] = r << 1 | literal_is_negated(l);
    }
}

static void link_states(folding *f) {
  const ground_program *g = f->g;
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (g->fluents.items[i].next != ATOM_NONE)
      f->leads_to[g->fluents.items[i].next] = g->fluents.items[i].holds;
  for (uint32_t i = 0; i < g->moves.count; i++)
    if (g->moves.items[i].legal != ATOM_NONE)
      f->leads_to[g->moves.items[i].legal] = g->moves.items[i].does;
}

/* What is given from outside may be given, or only what can come about. */
static void count_given_ways(folding *f) {
  const ground_program *g = f->g;
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    const ground_fluent *it = &g->fluents.items[i];
    if (it->holds == ATOM_NONE) continue;
    if (!f->through_states || it->initially) f->ways[it->holds]++;
    if (f->through_states && it->next != ATOM_NONE) f->ways[it->holds]++;
  }
  for (uint32_t i = 0; i < g->moves.count; i++) {
    const ground_move *it = &g->moves.items[i];
    if (it->does == ATOM_NONE) continue;
    if (!f->through_states || it->legal != ATOM_NONE) f->ways[it->does]++;
  }
}

static folding folding_new(ground_program *g, bool through_states, budget *limits, arena *scratch) {
  const uint32_t atoms = g->atoms.count;
  folding f = {.g = g,
               .scratch = scratch,
               .limits = limits,
               .through_states = through_states,
               .leads_to = arena_new_array(scratch, atom_id, atoms),
               .certain = bitset_new(scratch, atoms),
               .impossible = bitset_new(scratch, atoms),
               .open = arena_new_array(scratch, uint32_t, g->rules.count),
               .ways = arena_zero_array(scratch, uint32_t, atoms),
               .missing = arena_new_array(scratch, uint32_t, g->rules.count),
               .members = bitset_new(scratch, atoms)};
  index_uses(&f);
  memset(f.leads_to, 0xff, atoms * sizeof *f.leads_to);
  if (through_states) link_states(&f);
  count_given_ways(&f);
  return f;
}

/* ---- one atom settles others ---- */

static void settle_true(folding *f, atom_id a) {
  if (bitset_insert(f->certain, a)) vec_push(f->scratch, &f->queue, a);
}

static void settle_false(folding *f, atom_id a) {
  if (bitset_insert(f->impossible, a)) vec_push(f->scratch, &f->queue, a);
}

static void lose_way(folding *f, atom_id a) {
  if (--f->ways[a] == 0) settle_false(f, a);
}

static void fail_rule(folding *f, uint32_t r) {
  f->open[r] = RULE_FAILS;
  f->failed++;
  lose_way(f, f->g->rules.items[r].head);
}

static void tell_uses(folding *f, atom_id a) {
  const bool holds = bitset_has(f->certain, a);
  for (uint32_t i = f->uses_from[a]; i < f->uses_from[a + 1]; i++) {
    const uint32_t r = f->uses[i] >> 1;
    const bool is_negated = f->uses[i] & 1;
    if (f->open[r] == RULE_FAILS) continue;
    if (holds == is_negated)
      fail_rule(f, r);
    else if (--f->open[r] == 0)
      settle_true(f, f->g->rules.items[r].head);
  }
  if (!holds && f->leads_to[a] != ATOM_NONE) lose_way(f, f->leads_to[a]);
}

static void propagate(folding *f) {
  while (f->queue.count && !budget_is_spent(f->limits)) tell_uses(f, vec_pop(&f->queue));
}

static void settle_at_once(folding *f) {
  const ground_program *g = f->g;
  for (uint32_t r = 0; r < g->rules.count; r++) {
    f->open[r] = g->rules.items[r].body_count;
    f->ways[g->rules.items[r].head]++;
  }
  for (uint32_t r = 0; r < g->rules.count; r++)
    if (f->open[r] == 0) settle_true(f, g->rules.items[r].head);
  for (atom_id a = 0; a < g->atoms.count; a++)
    if (f->ways[a] == 0) settle_false(f, a);
  propagate(f);
}

/* ---- views of the whole ---- */

static void add_member(folding *f, atom_id a) {
  if (bitset_insert(f->members, a)) vec_push(f->scratch, &f->queue, a);
}

/* Adds the heads of rules whose missing literals are all members; with `follows_links` also what
   can come about in the next state. */
static void close_members(folding *f, bool follows_links) {
  while (f->queue.count && !budget_is_spent(f->limits)) {
    const atom_id a = vec_pop(&f->queue);
    if (follows_links && f->leads_to[a] != ATOM_NONE) add_member(f, f->leads_to[a]);
    for (uint32_t i = f->uses_from[a]; i < f->uses_from[a + 1]; i++) {
      const uint32_t r = f->uses[i] >> 1;
      if (f->uses[i] & 1 || f->missing[r] == RULE_FAILS) continue;
      if (--f->missing[r] == 0) add_member(f, f->g->rules.items[r].head);
    }
  }
}

static void add_given_members(folding *f) {
  const ground_program *g = f->g;
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (g->fluents.items[i].holds != ATOM_NONE &&
        (!f->through_states || g->fluents.items[i].initially))
      add_member(f, g->fluents.items[i].holds);
  for (uint32_t i = 0; i < g->moves.count && !f->through_states; i++)
    if (g->moves.items[i].does != ATOM_NONE) add_member(f, g->moves.items[i].does);
}

static uint32_t count_positives(const ground_program *g, const ground_rule *r) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->body_count; i++)
    count += !literal_is_negated(g->literals.items[r->body + i]);
  return count;
}

/* Atoms that cannot be derived from what is given, with every open negation taken to hold. */
static void drop_unfounded(folding *f) {
  const ground_program *g = f->g;
  bitset_clear(f->members);
  add_given_members(f);
  for (uint32_t r = 0; r < g->rules.count; r++) {
    const bool fails = f->open[r] == RULE_FAILS;
    f->missing[r] = fails ? RULE_FAILS : count_positives(g, &g->rules.items[r]);
    if (f->missing[r] == 0) add_member(f, g->rules.items[r].head);
  }
  close_members(f, true);
  if (budget_is_spent(f->limits)) return;
  for (atom_id a = 0; a < g->atoms.count; a++)
    if (!bitset_has(f->members, a)) settle_false(f, a);
  propagate(f);
}

static bool may_never_cease(const folding *f, const ground_fluent *it) {
  return it->initially && it->holds != ATOM_NONE && it->next != ATOM_NONE &&
         !bitset_has(f->certain, it->holds) && !bitset_has(f->impossible, it->next);
}

/* The atoms that hold whenever the fluents that are kept do. */
static void find_held_by(folding *f, bitset kept) {
  bitset_clear(f->members);
  memcpy(f->missing, f->open, f->g->rules.count * sizeof *f->missing);
  for (uint32_t i = 0; i < f->g->fluents.count; i++)
    if (bitset_has(kept, i)) add_member(f, f->g->fluents.items[i].holds);
  close_members(f, false);
}

static bool holds_in_next(const folding *f, const ground_fluent *it) {
  return bitset_has(f->members, it->next) || bitset_has(f->certain, it->next);
}

/* Fluents that start true are taken never to cease, until one is found whose next does not follow;
   then again without it. */
static void keep_fluents(folding *f) {
  const ground_program *g = f->g;
  const bitset kept = bitset_new(f->scratch, g->fluents.count);
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (may_never_cease(f, &g->fluents.items[i])) bitset_add(kept, i);
  for (uint32_t round = 0; round < CEASING_ROUNDS_MAX && !bitset_is_empty(kept); round++) {
    if (budget_is_spent(f->limits)) return;
    find_held_by(f, kept);
    bool changed = false;
    for (uint32_t i = 0; i < g->fluents.count; i++) {
      if (!bitset_has(kept, i) || holds_in_next(f, &g->fluents.items[i])) continue;
      bitset_remove(kept, i);
      changed = true;
    }
    if (changed) continue;
    for (uint32_t i = 0; i < g->fluents.count; i++)
      if (bitset_has(kept, i)) settle_true(f, g->fluents.items[i].holds);
    propagate(f);
    return;
  }
}

/* ---- the rules that are left ---- */

/* Removes literals that hold. */
static void fold_body(const folding *f, ground_rule *r) {
  ground_literal *literals = f->g->literals.items;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = literals[r->body + i];
    const bitset holds = literal_is_negated(l) ? f->impossible : f->certain;
    if (!bitset_has(holds, literal_atom(l))) literals[r->body + kept++] = l;
  }
  r->body_count = kept;
}

/* A certain atom keeps one rule without conditions. */
static void fold_rules(folding *f) {
  ground_program *g = f->g;
  bitset_clear(f->members);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->rules.count; i++) {
    ground_rule r = g->rules.items[i];
    if (f->open[i] == RULE_FAILS) continue;
    if (bitset_has(f->certain, r.head)) {
      if (!bitset_insert(f->members, r.head)) continue;
      r.body_count = 0;
    } else if (f->open[i] < r.body_count) {
      fold_body(f, &r);
    }
    g->rules.items[kept++] = r;
  }
  g->rules.count = kept;
}

/* Until no rule fails any more: each that does may leave others that hold only if they hold. */
static void drop_all_unfounded(folding *f) {
  for (uint32_t before = UINT32_MAX; before != f->failed && !budget_is_spent(f->limits);) {
    before = f->failed;
    drop_unfounded(f);
  }
}

void ground_fold_constants(ground_program *g, bool through_states, budget *limits) {
  arena *scratch = arena_new();
  folding f = folding_new(g, through_states, limits, scratch);
  settle_at_once(&f);
  for (uint32_t before = UINT32_MAX; before != f.failed && !budget_is_spent(limits);) {
    drop_all_unfounded(&f);
    before = f.failed;
    if (through_states) keep_fluents(&f);
  }
  fold_rules(&f);
  arena_free(scratch);
}
