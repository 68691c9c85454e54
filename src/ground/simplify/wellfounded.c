#include "ground/simplify/wellfounded.h"

#include <string.h>

enum { CEASING_ROUNDS_MAX = 64 };

/* A rule that has an atom in its body, times two, plus one where it is negated there. */
typedef uint32_t use;

typedef struct finder {
  const ground_program *g;
  arena *scratch;
  budget *limits;
  bool through_states;
  wellfounded m;
  atom_id *leads_to; /* next(f) to true(f), legal(r, m) to does(r, m); or ATOM_NONE */
  bitset given;      /* atoms of fluents and moves */
  uint32_t *waiting; /* by atom: the first rule that waits for it, or ID_NONE */
  uint32_t *after;   /* by rule: the next that waits for the same atom */
  id_vec queue;      /* atoms that were found and whose rules are to be told */
} finder;

/* ---- setting up ---- */

static void note_given(finder *f, atom_id given, atom_id source) {
  if (given != ATOM_NONE) bitset_add(f->given, given);
  if (f->through_states && source != ATOM_NONE) f->leads_to[source] = given;
}

static finder finder_new(const ground_program *g, bool through_states, arena *keep, arena *scratch,
                         budget *limits) {
  const uint32_t atoms = g->atoms.count;
  finder f = {.g = g,
              .scratch = scratch,
              .limits = limits,
              .through_states = through_states,
              .m = {bitset_new(keep, atoms), bitset_new(keep, atoms)},
              .leads_to = arena_new_array(scratch, atom_id, atoms),
              .given = bitset_new(scratch, atoms),
              .waiting = arena_new_array(scratch, uint32_t, atoms),
              .after = arena_new_array(scratch, uint32_t, g->rules.count)};
  memset(f.leads_to, 0xff, atoms * sizeof *f.leads_to);
  for (uint32_t i = 0; i < g->fluents.count; i++)
    note_given(&f, g->fluents.items[i].holds, g->fluents.items[i].next);
  for (uint32_t i = 0; i < g->moves.count; i++)
    note_given(&f, g->moves.items[i].does, g->moves.items[i].legal);
  return f;
}

static void copy_set(bitset to, bitset from) {
  memcpy(to.words, from.words, bitset_words(from) * sizeof *from.words);
}

static void add_all(bitset to) {
  const uint32_t whole = to.size / 64;
  memset(to.words, 0xff, whole * sizeof *to.words);
  for (uint32_t i = whole * 64; i < to.size; i++) bitset_add(to, i);
}

/* ---- deriving: a rule waits at the first of its literals that does not hold yet ---- */

#define RULE_FIRES (ATOM_NONE - 1) /* in place of an atom that is missing */
#define RULE_FAILS ATOM_NONE

typedef struct derivation {
  bitset holds;       /* grows: atoms that hold */
  bitset refuting;    /* a negated atom holds unless it is one of these */
  bool follows_links; /* what is next of a state can be true, what is legal can be done */
} derivation;

static inline atom_id missing_atom(const ground_program *g, const ground_rule *r,
                                   const derivation *d) {
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = g->literals.items[r->body + i];
    const atom_id a = literal_atom(l);
    if (!literal_is_negated(l)) {
      if (!bitset_has(d->holds, a)) return a;
    } else if (bitset_has(d->refuting, a)) {
      return RULE_FAILS;
    }
  }
  return RULE_FIRES;
}

static void add_atom(finder *f, const derivation *d, atom_id a) {
  while (a != ATOM_NONE && bitset_insert(d->holds, a)) {
    vec_push(f->scratch, &f->queue, a);
    a = d->follows_links ? f->leads_to[a] : ATOM_NONE;
  }
}

static inline void try_rule(finder *f, const derivation *d, uint32_t r) {
  const ground_rule *it = &f->g->rules.items[r];
  if (bitset_has(d->holds, it->head)) return;
  const atom_id missing = missing_atom(f->g, it, d);
  if (missing == RULE_FAILS) return;
  if (missing == RULE_FIRES) {
    add_atom(f, d, it->head);
    return;
  }
  f->after[r] = f->waiting[missing];
  f->waiting[missing] = r;
}

static void tell_waiting(finder *f, const derivation *d, atom_id a) {
  uint32_t next;
  for (uint32_t r = f->waiting[a]; r != ID_NONE; r = next) {
    next = f->after[r];
    if (next != ID_NONE) __builtin_prefetch(&f->g->rules.items[next]);
    try_rule(f, d, r);
  }
}

/* Tells rules until nothing follows any more.  False: the budget has ended. */
static bool finish_derivation(finder *f, const derivation *d) {
  while (f->queue.count && !budget_is_spent(f->limits)) tell_waiting(f, d, vec_pop(&f->queue));
  f->queue.count = 0;
  return !budget_is_spent(f->limits);
}

static void forget_waiting(finder *f) {
  memset(f->waiting, 0xff, f->g->atoms.count * sizeof *f->waiting);
}

/* All that follows by all rules.  The later ones come first: they were made for the earlier. */
static bool derive(finder *f, const derivation *d) {
  forget_waiting(f);
  for (uint32_t r = f->g->rules.count; r-- > 0 && !budget_is_spent(f->limits);) try_rule(f, d, r);
  return finish_derivation(f, d);
}

static bool derive_by(finder *f, const derivation *d, const id_vec *rules) {
  forget_waiting(f);
  for (uint32_t i = rules->count; i-- > 0;) try_rule(f, d, rules->items[i]);
  return finish_derivation(f, d);
}

/* ---- what is possible, and what is certain ---- */

/* The inputs, before any rule. */
static void add_given(const finder *f, bitset to) {
  if (!f->through_states) {
    copy_set(to, f->given);
    return;
  }
  for (uint32_t i = 0; i < f->g->fluents.count; i++) {
    const ground_fluent *it = &f->g->fluents.items[i];
    if (it->initially && it->holds != ATOM_NONE) bitset_add(to, it->holds);
  }
}

/* The heads of all rules, and what they lead to.  Many rules have the head of the one before. */
static void add_heads(const finder *f, bitset to) {
  const ground_program *g = f->g;
  for (uint32_t r = 0; r < g->rules.count; r++) {
    const atom_id head = g->rules.items[r].head;
    if (r > 0 && head == g->rules.items[r - 1].head) continue;
    bitset_add(to, head);
    if (f->leads_to[head] != ATOM_NONE) bitset_add(to, f->leads_to[head]);
  }
}

static void find_possible(finder *f) {
  const bitset possible = bitset_new(f->scratch, f->g->atoms.count);
  add_given(f, possible);
  if (f->g->is_derived && bitset_is_empty(f->m.certain))
    add_heads(f, possible);
  else if (!derive(f, &(derivation){possible, f->m.certain, f->through_states}))
    return;
  copy_set(f->m.possible, possible);
}

/* ---- fluents that never cease ---- */

static bool may_never_cease(const finder *f, const ground_fluent *it) {
  return it->initially && it->holds != ATOM_NONE && it->next != ATOM_NONE &&
         !bitset_has(f->m.certain, it->holds) && bitset_has(f->m.possible, it->next);
}

/* Fluents, by place, that start true and of which nothing more is known. */
static bitset lasting_fluents(const finder *f) {
  const bitset lasting = bitset_new(f->scratch, f->g->fluents.count);
  for (uint32_t i = 0; i < f->g->fluents.count && f->through_states; i++)
    if (may_never_cease(f, &f->g->fluents.items[i])) bitset_add(lasting, i);
  return lasting;
}

/* Begins with the atoms that are certain, and the fluents that are kept. */
static void begin_held(const finder *f, bitset kept, bitset held) {
  copy_set(held, f->m.certain);
  for (uint32_t i = 0; i < f->g->fluents.count; i++)
    if (bitset_has(kept, i)) bitset_add(held, f->g->fluents.items[i].holds);
}

/* The rules that could fire if all derived atoms held, and of given ones those that are certain or
   kept: no others can make an atom certain.  Most rules read a move or a fluent that is not. */
static id_vec rules_for_certain(const finder *f, bitset kept) {
  const ground_program *g = f->g;
  const bitset usable = bitset_new(f->scratch, g->atoms.count);
  begin_held(f, kept, usable);
  for (uint32_t i = 0; i < bitset_words(usable); i++) usable.words[i] |= ~f->given.words[i];
  const derivation d = {usable, f->m.possible, false};
  id_vec rules = {0};
  for (uint32_t r = 0; r < g->rules.count; r++)
    if (missing_atom(g, &g->rules.items[r], &d) == RULE_FIRES) vec_push(f->scratch, &rules, r);
  return rules;
}

/* Takes out the fluents whose next does not follow.  True: there were some. */
static bool drop_ceasing(const finder *f, bitset kept, bitset held) {
  bool changed = false;
  for (uint32_t i = 0; i < f->g->fluents.count; i++) {
    if (!bitset_has(kept, i) || bitset_has(held, f->g->fluents.items[i].next)) continue;
    bitset_remove(kept, i);
    changed = true;
  }
  return changed;
}

/* Leaves those rules alone that fire. */
static void keep_firing(const finder *f, const derivation *d, id_vec *rules) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < rules->count; i++)
    if (missing_atom(f->g, &f->g->rules.items[rules->items[i]], d) == RULE_FIRES)
      rules->items[kept++] = rules->items[i];
  rules->count = kept;
}

/* Fluents that start true are taken never to cease, until one is found whose next does not follow;
   then again without it, by rules that fired with it. */
static void find_certain(finder *f) {
  const bitset kept = lasting_fluents(f);
  const derivation d = {bitset_new(f->scratch, f->g->atoms.count), f->m.possible, false};
  id_vec rules = rules_for_certain(f, kept);
  for (uint32_t round = 0;; round++) {
    if (round == CEASING_ROUNDS_MAX) bitset_clear(kept);
    begin_held(f, kept, d.holds);
    if (!derive_by(f, &d, &rules)) return;
    if (!drop_ceasing(f, kept, d.holds)) break;
    keep_firing(f, &d, &rules);
  }
  copy_set(f->m.certain, d.holds);
}

/* ---- one atom settles others ----

   That an atom is certain can make rules fail, and so others impossible, and so others certain, in
   chains of any length.  Here each literal is notified once, when its atom becomes known. */

#define NEVER UINT32_MAX

typedef struct settling {
  finder *f;
  uint32_t *uses_from; /* by atom: its uses are */
  use *uses;           /* uses[uses_from[a] .. uses_from[a+1]-1] */
  uint32_t *open;      /* by rule: literals that are not known; NEVER: one fails, or all is known */
  uint32_t *ways;      /* by atom: rules that do not fail, and ways to be given */
} settling;

static bool is_known(const wellfounded *m, atom_id a) {
  return bitset_has(m->certain, a) || !bitset_has(m->possible, a);
}

/* How many literals are not known to hold; NEVER where one is known to fail. */
static uint32_t count_open(const finder *f, const ground_rule *r) {
  uint32_t open = 0;
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = f->g->literals.items[r->body + i];
    if (!is_known(&f->m, literal_atom(l)))
      open++;
    else if (bitset_has(f->m.certain, literal_atom(l)) == literal_is_negated(l))
      return NEVER;
  }
  return open;
}

static void count_rules(settling *s) {
  const ground_program *g = s->f->g;
  for (uint32_t r = 0; r < g->rules.count; r++) {
    const atom_id head = g->rules.items[r].head;
    s->open[r] = bitset_has(s->f->m.certain, head) ? NEVER : count_open(s->f, &g->rules.items[r]);
    s->ways[head] += s->open[r] != NEVER;
  }
}

static void count_given(settling *s) {
  const finder *f = s->f;
  for (uint32_t i = 0; i < f->g->fluents.count; i++) {
    const ground_fluent *it = &f->g->fluents.items[i];
    if (it->holds == ATOM_NONE) continue;
    s->ways[it->holds] += !f->through_states || it->initially;
    s->ways[it->holds] += it->next != ATOM_NONE && bitset_has(f->m.possible, it->next);
  }
  for (uint32_t i = 0; i < f->g->moves.count; i++) {
    const ground_move *it = &f->g->moves.items[i];
    if (it->does == ATOM_NONE) continue;
    s->ways[it->does] += !f->through_states;
    s->ways[it->does] += it->legal != ATOM_NONE && bitset_has(f->m.possible, it->legal);
  }
}

/* Counts the open literals of open rules by atom or, with room for them, lists them. */
static void index_open_literals(settling *s, use *uses) {
  const ground_program *g = s->f->g;
  for (uint32_t r = g->rules.count; r-- > 0;) {
    if (s->open[r] == NEVER) continue;
    for (uint32_t i = 0; i < g->rules.items[r].body_count; i++) {
      const ground_literal l = g->literals.items[g->rules.items[r].body + i];
      if (is_known(&s->f->m, literal_atom(l))) continue;
      if (uses)
        uses[--s->uses_from[literal_atom(l)]] = r << 1 | literal_is_negated(l);
      else
        s->uses_from[literal_atom(l)]++;
    }
  }
}

static settling settling_new(finder *f) {
  const uint32_t atoms = f->g->atoms.count;
  settling s = {.f = f,
                .uses_from = arena_zero_array(f->scratch, uint32_t, atoms + 1),
                .open = arena_new_array(f->scratch, uint32_t, f->g->rules.count),
                .ways = arena_zero_array(f->scratch, uint32_t, atoms)};
  count_rules(&s);
  count_given(&s);
  index_open_literals(&s, NULL);
  for (atom_id a = 0; a < atoms; a++) s.uses_from[a + 1] += s.uses_from[a];
  s.uses = arena_new_array(f->scratch, use, s.uses_from[atoms]);
  index_open_literals(&s, s.uses);
  return s;
}

static void settle_true(finder *f, atom_id a) {
  if (bitset_insert(f->m.certain, a)) vec_push(f->scratch, &f->queue, a);
}

static void settle_false(finder *f, atom_id a) {
  if (!bitset_has(f->m.possible, a)) return;
  bitset_remove(f->m.possible, a);
  vec_push(f->scratch, &f->queue, a);
}

static void lose_way(settling *s, atom_id a) {
  if (--s->ways[a] == 0) settle_false(s->f, a);
}

static void tell_uses(settling *s, atom_id a) {
  finder *f = s->f;
  const bool holds = bitset_has(f->m.certain, a);
  for (uint32_t i = s->uses_from[a]; i < s->uses_from[a + 1]; i++) {
    const uint32_t r = s->uses[i] >> 1;
    const bool is_negated = s->uses[i] & 1;
    if (s->open[r] == NEVER) continue;
    if (holds == is_negated) {
      s->open[r] = NEVER;
      lose_way(s, f->g->rules.items[r].head);
    } else if (--s->open[r] == 0) {
      settle_true(f, f->g->rules.items[r].head);
    }
  }
  if (!holds && f->leads_to[a] != ATOM_NONE) lose_way(s, f->leads_to[a]);
}

static void settle_all(finder *f) {
  settling s = settling_new(f);
  for (uint32_t r = 0; r < f->g->rules.count; r++)
    if (s.open[r] == 0) settle_true(f, f->g->rules.items[r].head);
  for (atom_id a = 0; a < f->g->atoms.count; a++)
    if (s.ways[a] == 0 && !bitset_has(f->m.certain, a)) settle_false(f, a);
  while (f->queue.count && !budget_is_spent(f->limits)) tell_uses(&s, vec_pop(&f->queue));
  f->queue.count = 0;
}

/* ---- everything ---- */

/* Whether some rule that counted as one that may fire fails because of an atom that is certain:
   only then can fewer atoms be possible than were found. */
static bool some_rule_is_refuted(const finder *f) {
  const ground_program *g = f->g;
  if (bitset_is_empty(f->m.certain)) return false;
  for (uint32_t r = 0; r < g->rules.count; r++) {
    const ground_rule *it = &g->rules.items[r];
    for (uint32_t i = it->body, end = it->body + it->body_count; i < end; i++) {
      const ground_literal l = g->literals.items[i];
      if (literal_is_negated(l) && bitset_has(f->m.certain, literal_atom(l)) &&
          !is_known(&f->m, it->head))
        return true;
    }
  }
  return false;
}

static uint32_t count_known(const finder *f) {
  return bitset_count(f->m.certain) + f->g->atoms.count - bitset_count(f->m.possible);
}

void wellfounded_find(wellfounded *m, const ground_program *g, bool through_states, arena *keep,
                      budget *limits) {
  arena *scratch = arena_new();
  finder f = finder_new(g, through_states, keep, scratch, limits);
  add_all(f.m.possible);
  for (uint32_t before = UINT32_MAX; !budget_is_spent(limits);) {
    find_possible(&f);
    find_certain(&f);
    if (count_known(&f) == before || !some_rule_is_refuted(&f)) break;
    settle_all(&f);
    before = count_known(&f);
  }
  *m = f.m;
  arena_free(scratch);
}
