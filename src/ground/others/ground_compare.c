#include "ground/others/ground_compare.h"

#include "base/sort.h"
#include "ground/others/ground_normal_form.h"
#include "ground/others/unfold.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* One of the two, in normal form. */
typedef struct side {
  const char *name;
  ground_program g;
  uint32_t *rank;  /* by atom: its place among the atoms of both sides, in the order of texts */
  uint32_t *order; /* all rules, sorted by head and body */
} side;

typedef struct comparison {
  side sides[2];
  term_table *terms;
  arena *scratch;
  diag_sink *d;
} comparison;

/* ---- copies in normal form ---- */

#define COPY_ITEMS(to, from, member) \
  ((to)->member.count = (to)->member.capacity = 0, (to)->member.items = NULL, \
   (from)->member.count \
       ? (void)vec_append((to)->keep, &(to)->member, (from)->member.items, (from)->member.count) \
       : (void)0)

static void copy_program(ground_program *to, const ground_program *from, arena *keep) {
  *to = *from;
  to->keep = keep;
  COPY_ITEMS(to, from, atoms);
  COPY_ITEMS(to, from, rules);
  COPY_ITEMS(to, from, literals);
  COPY_ITEMS(to, from, fluents);
  COPY_ITEMS(to, from, moves);
  COPY_ITEMS(to, from, goals);
  COPY_ITEMS(to, from, percepts);
  COPY_ITEMS(to, from, marks);
  to->rules_of = NULL;
  to->rules_of_room = 0;
}

/* ---- the order of texts ---- */

static int compare_terms(const void *left, const void *right, void *terms) {
  return term_compare(terms, *(const term_id *)left, *(const term_id *)right);
}

/* Atoms of both sides, each once. */
static void rank_atoms(comparison *x) {
  const uint32_t total = x->sides[0].g.atoms.count + x->sides[1].g.atoms.count;
  uint32_t *rank_of_term = arena_zero_array(x->scratch, uint32_t, x->terms->terms.count);
  term_id *all = arena_new_array(x->scratch, term_id, total);
  uint32_t count = 0;
  for (int s = 0; s < 2; s++)
    for (atom_id a = 0; a < x->sides[s].g.atoms.count; a++) {
      const term_id atom = x->sides[s].g.atoms.items[a];
      if (rank_of_term[atom]++ == 0) all[count++] = atom;
    }
  if (count) qsort_r(all, count, sizeof *all, compare_terms, x->terms);
  for (uint32_t i = 0; i < count; i++) rank_of_term[all[i]] = i;
  for (int s = 0; s < 2; s++) {
    side *it = &x->sides[s];
    it->rank = arena_new_array(x->scratch, uint32_t, it->g.atoms.count);
    for (atom_id a = 0; a < it->g.atoms.count; a++)
      it->rank[a] = rank_of_term[it->g.atoms.items[a]];
  }
}

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

/* Writes ranks where atoms were. */
static void rank_bodies(side *s) {
  for (uint32_t r = 0; r < s->g.rules.count; r++) {
    ground_rule *it = &s->g.rules.items[r];
    ground_literal *body = vec_from(&s->g.literals, it->body);
    for (uint32_t i = 0; i < it->body_count; i++)
      body[i] = literal_of_atom(s->rank[literal_atom(body[i])], literal_is_negated(body[i]));
    sort_ids(body, it->body_count);
    it->head = s->rank[it->head];
  }
}

static int compare_rules(const ground_program *ga, const ground_rule *a, const ground_program *gb,
                         const ground_rule *b) {
  if (a->head != b->head) return a->head < b->head ? -1 : 1;
  for (uint32_t i = 0; i < a->body_count && i < b->body_count; i++) {
    const int order =
        compare_numbers(ga->literals.items[a->body + i], gb->literals.items[b->body + i]);
    if (order) return order;
  }
  return compare_numbers(a->body_count, b->body_count);
}

static int compare_own_rules(const void *left, const void *right, void *context) {
  const ground_program *g = context;
  return compare_rules(g, &g->rules.items[*(const uint32_t *)left], g,
                       &g->rules.items[*(const uint32_t *)right]);
}

static void order_rules(side *s, arena *scratch) {
  s->order = arena_new_array(scratch, uint32_t, s->g.rules.count);
  for (uint32_t i = 0; i < s->g.rules.count; i++) s->order[i] = i;
  if (s->g.rules.count)
    qsort_r(s->order, s->g.rules.count, sizeof *s->order, compare_own_rules, &s->g);
}

/* ---- differences ---- */

static const char *term_text(const comparison *x, term_id t) {
  text out = text_new(x->scratch);
  if (t == TERM_NONE)
    text_add(&out, "nothing more");
  else
    term_print(x->terms, t, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

static bool differ(const comparison *x, const char *what, const char *left, const char *right) {
  diag *g = diag_add(x->d, DIAG_E809, SPAN_NONE, "%s and %s differ in %s", x->sides[0].name,
                     x->sides[1].name, what);
  diag_hint(x->d, g, "%s has %s; %s has %s", x->sides[0].name, left, x->sides[1].name, right);
  return false;
}

/* A list of terms as one side has it. */
typedef struct term_list {
  const term_id *items;
  uint32_t count;
} term_list;

static bool lists_agree(const comparison *x, const char *what, term_list left, term_list right) {
  const uint32_t longer = left.count > right.count ? left.count : right.count;
  for (uint32_t i = 0; i < longer; i++) {
    const term_id a = i < left.count ? left.items[i] : TERM_NONE;
    const term_id b = i < right.count ? right.items[i] : TERM_NONE;
    if (a != b) return differ(x, what, term_text(x, a), term_text(x, b));
  }
  return true;
}

typedef term_list list_of_side(const side *s, uint32_t number, arena *scratch);

static bool all_agree(const comparison *x, const char *what, list_of_side *list, uint32_t number) {
  return lists_agree(x, what, list(&x->sides[0], number, x->scratch),
                     list(&x->sides[1], number, x->scratch));
}

static term_list roles_of(const side *s, uint32_t number, arena *scratch) {
  (void)number;
  term_id *items = arena_new_array(scratch, term_id, s->g.roles.count);
  for (uint32_t i = 0; i < s->g.roles.count; i++) items[i] = s->g.roles.items[i].term;
  return (term_list){items, s->g.roles.count};
}

static term_list fluents_of(const side *s, uint32_t only_initial, arena *scratch) {
  term_id *items = arena_new_array(scratch, term_id, s->g.fluents.count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->g.fluents.count; i++)
    if (!only_initial || s->g.fluents.items[i].initially)
      items[count++] = s->g.fluents.items[i].term;
  return (term_list){items, count};
}

static term_list moves_of(const side *s, uint32_t role, arena *scratch) {
  const ground_role *r = &s->g.roles.items[role];
  term_id *items = arena_new_array(scratch, term_id, r->move_count);
  for (uint32_t i = 0; i < r->move_count; i++) items[i] = s->g.moves.items[r->first_move + i].term;
  return (term_list){items, r->move_count};
}

static bool moves_agree(const comparison *x) {
  for (uint32_t i = 0; i < x->sides[0].g.roles.count; i++) {
    text what = text_new(x->scratch);
    text_add_format(&what, "the moves of %s", term_text(x, x->sides[0].g.roles.items[i].term));
    if (!all_agree(x, text_string(&what), moves_of, i)) return false;
  }
  return true;
}

/* ---- rules ---- */

static void print_literal(const comparison *x, const term_id *atoms, ground_literal l, text *out) {
  if (literal_is_negated(l)) text_add(out, "(not ");
  term_print(x->terms, atoms[literal_atom(l)], NOTATION_KIF, NULL, out);
  if (literal_is_negated(l)) text_add_char(out, ')');
}

/* The atoms of both sides by rank; made when a difference is to be shown. */
static term_id *atoms_by_rank(const comparison *x) {
  const uint32_t total = x->sides[0].g.atoms.count + x->sides[1].g.atoms.count;
  term_id *atoms = arena_new_array(x->scratch, term_id, total);
  for (int s = 0; s < 2; s++)
    for (atom_id a = 0; a < x->sides[s].g.atoms.count; a++)
      atoms[x->sides[s].rank[a]] = x->sides[s].g.atoms.items[a];
  return atoms;
}

/* `r` NULL: the side has no such rule. */
static const char *rule_text(const comparison *x, const ground_program *g, const ground_rule *r,
                             const term_id *atoms) {
  if (!r) return "no more rules of it";
  text out = text_new(x->scratch);
  if (r->body_count) text_add(&out, "(<= ");
  term_print(x->terms, atoms[r->head], NOTATION_KIF, NULL, &out);
  for (uint32_t i = 0; i < r->body_count; i++) {
    text_add_char(&out, ' ');
    print_literal(x, atoms, g->literals.items[r->body + i], &out);
  }
  if (r->body_count) text_add_char(&out, ')');
  return text_string(&out);
}

static const ground_rule *rule_at(const side *s, uint32_t i) {
  return i < s->g.rules.count ? &s->g.rules.items[s->order[i]] : NULL;
}

/* `a` and `b` are the first two that differ; the smaller head is the one that is missing. */
static bool rules_differ(const comparison *x, const ground_rule *a, const ground_rule *b) {
  const term_id *atoms = atoms_by_rank(x);
  const uint32_t head = !a || (b && b->head < a->head) ? b->head : a->head;
  if (a && a->head != head) a = NULL;
  if (b && b->head != head) b = NULL;
  text what = text_new(x->scratch);
  text_add_format(&what, "the rules of %s", term_text(x, atoms[head]));
  return differ(x, text_string(&what), rule_text(x, &x->sides[0].g, a, atoms),
                rule_text(x, &x->sides[1].g, b, atoms));
}

static bool rules_agree(comparison *x) {
  rank_atoms(x);
  for (int s = 0; s < 2; s++) {
    rank_bodies(&x->sides[s]);
    order_rules(&x->sides[s], x->scratch);
  }
  const side *l = &x->sides[0];
  const side *r = &x->sides[1];
  for (uint32_t i = 0; i < l->g.rules.count || i < r->g.rules.count; i++) {
    const ground_rule *a = rule_at(l, i);
    const ground_rule *b = rule_at(r, i);
    if (!a || !b || compare_rules(&l->g, a, &r->g, b) != 0) return rules_differ(x, a, b);
  }
  return true;
}

bool ground_compare(const program *p, ground_side left, ground_side right, diag_sink *d) {
  assert(left.g->terms == p->terms && right.g->terms == p->terms);
  comparison x = {.terms = p->terms, .scratch = arena_new(), .d = d};
  const ground_side given[2] = {left, right};
  for (int s = 0; s < 2; s++) {
    x.sides[s].name = given[s].name;
    ground_name_atoms(given[s].g);
    copy_program(&x.sides[s].g, given[s].g, x.scratch);
    ground_normalise(&x.sides[s].g);
    ground_unfold_made(&x.sides[s].g, p);
    ground_normalise(&x.sides[s].g);
  }
  const bool agree =
      all_agree(&x, "the roles", roles_of, 0) && all_agree(&x, "the fluents", fluents_of, false) &&
      all_agree(&x, "the initial fluents", fluents_of, true) && moves_agree(&x) && rules_agree(&x);
  arena_free(x.scratch);
  return agree;
}
