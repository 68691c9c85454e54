#include "certify/grammar.h"

#include "certify/grammar_shapes.h"
#include "read/canonical.h"
#include "read/parse.h"

#include <string.h>

/* ---- the tables ---- */

typedef enum argument_kind { ARGUMENT_NONE, ARGUMENT_TERM, ARGUMENT_FORMULA } argument_kind;

typedef struct property_rule {
  const char *name;
  argument_kind argument;
  shown_verdict shows[EVIDENCE_KINDS];
} property_rule;

#define NOT SHOWS_NOTHING
#define YES SHOWS_PROVED
#define NO SHOWS_REFUTED

/* What each kind of evidence shows: induction, line, steps, all states. */
static const property_rule property_rules[CERTIFIED_KINDS] = {
    [CERTIFIED_PLAYABLE] = {"playable", ARGUMENT_NONE, {YES, NO, YES, YES}},
    [CERTIFIED_TERMINATES] = {"terminates", ARGUMENT_NONE, {YES, NO, YES, YES}},
    [CERTIFIED_WINNABLE] = {"winnable", ARGUMENT_TERM, {NO, YES, NO, NO}},
    [CERTIFIED_GOALS] = {"goals", ARGUMENT_NONE, {YES, NO, YES, YES}},
    [CERTIFIED_MUTEX] = {"mutex", ARGUMENT_NONE, {YES, NOT, NOT, YES}},
    [CERTIFIED_MONOTONE] = {"monotone", ARGUMENT_NONE, {YES, NO, NOT, NOT}},
    [CERTIFIED_UNREACHABLE] = {"unreachable", ARGUMENT_FORMULA, {YES, NO, YES, YES}},
    [CERTIFIED_INVARIANT] = {"invariant", ARGUMENT_FORMULA, {YES, NO, YES, YES}},
};

#undef NOT
#undef YES
#undef NO

typedef enum item_shape {
  SHAPE_NOTHING,
  SHAPE_NUMBER,
  SHAPE_NAME,
  SHAPE_LITERALS,
  SHAPE_WEIGHTS,
  SHAPE_JOINT_MOVES
} item_shape;

enum {
  OF_INDUCTION = 1 << EVIDENCE_INDUCTION,
  OF_LINE = 1 << EVIDENCE_LINE,
  OF_STEPS = 1 << EVIDENCE_STEPS,
  OF_ALL_STATES = 1 << EVIDENCE_ALL_STATES
};

typedef enum item_kind {
  ITEM_K, /* these four say which kind of evidence it is, in the order of evidence_kind */
  ITEM_LINE,
  ITEM_STEPS,
  ITEM_EXHAUSTIVE,
  ITEM_EXACTLY_ONE,
  ITEM_AT_MOST_ONE,
  ITEM_AT_LEAST_ONE,
  ITEM_MEASURE,
  ITEM_RETURNS_TO,
  ITEM_LONGEST,
  ITEM_WALK_FILE,
  ITEM_KINDS
} item_kind;

typedef struct item_rule {
  const char *name;
  item_shape shape;
  uint32_t belongs_to; /* bits of evidence kinds */
  bool may_repeat;
  bool is_of_ends; /* `terminates` must have it, and no other property may */
} item_rule;

static const item_rule item_rules[ITEM_KINDS] = {
    [ITEM_K] = {"k", SHAPE_NUMBER, OF_INDUCTION, false, false},
    [ITEM_LINE] = {"line", SHAPE_JOINT_MOVES, OF_LINE, false, false},
    [ITEM_STEPS] = {"steps", SHAPE_NUMBER, OF_STEPS, false, false},
    [ITEM_EXHAUSTIVE] = {"exhaustive", SHAPE_NOTHING, OF_ALL_STATES, false, false},
    [ITEM_EXACTLY_ONE] = {"exactly-one", SHAPE_LITERALS, OF_INDUCTION | OF_ALL_STATES, true, false},
    [ITEM_AT_MOST_ONE] = {"at-most-one", SHAPE_LITERALS, OF_INDUCTION | OF_ALL_STATES, true, false},
    [ITEM_AT_LEAST_ONE] = {"at-least-one", SHAPE_LITERALS, OF_INDUCTION | OF_ALL_STATES, true,
                           false},
    [ITEM_MEASURE] = {"measure", SHAPE_WEIGHTS, OF_INDUCTION, true, true},
    [ITEM_RETURNS_TO] = {"returns-to", SHAPE_NUMBER, OF_LINE, false, true},
    [ITEM_LONGEST] = {"longest", SHAPE_NUMBER, OF_ALL_STATES, false, true},
    [ITEM_WALK_FILE] = {"walk-file", SHAPE_NAME, OF_ALL_STATES, false, false},
};

/* ---- reading ---- */

typedef struct section_reader {
  certificate *c;
  arena *keep;
  shape_reader shapes;
  section s;
  node_id items[ITEM_KINDS]; /* where each stands first; ID_NONE: it does not */
} section_reader;

static bool fault(const section_reader *r, node_id n, const char *why) {
  return shape_fault(&r->shapes, n, why);
}

static bool fault_of(const section_reader *r, node_id n, const char *before, const char *name,
                     const char *after) {
  diag_add(r->shapes.d, DIAG_E702, tree_node(r->shapes.t, n)->where, "%s`%s`%s", before, name,
           after);
  return false;
}

static uint32_t *number_of_item(section *s, item_kind kind) {
  switch (kind) {
    case ITEM_K: return &s->k;
    case ITEM_STEPS: return &s->steps;
    case ITEM_RETURNS_TO: return &s->returns_to;
    case ITEM_LONGEST: return &s->longest;
    default: return NULL;
  }
}

static bool read_shape(section_reader *r, node_id n, item_kind kind) {
  switch (item_rules[kind].shape) {
    case SHAPE_NOTHING: return shape_is_alone(&r->shapes, n);
    case SHAPE_NUMBER: return shape_has_number(&r->shapes, n, number_of_item(&r->s, kind));
    case SHAPE_NAME: return shape_has_name(&r->shapes, n);
    case SHAPE_LITERALS: return shape_has_literals(&r->shapes, n);
    case SHAPE_WEIGHTS: return shape_has_weights(&r->shapes, n);
    case SHAPE_JOINT_MOVES: return shape_has_joint_moves(&r->shapes, n);
  }
  return false;
}

static void note_item(section_reader *r, node_id n, item_kind kind) {
  if (kind >= ITEM_EXACTLY_ONE && kind <= ITEM_AT_LEAST_ONE) vec_push(r->keep, &r->s.facts, n);
  if (kind == ITEM_MEASURE) vec_push(r->keep, &r->s.measures, n);
  if (kind == ITEM_LINE) r->s.line = n;
  if (kind == ITEM_WALK_FILE) r->s.walk_file = n;
  if (r->items[kind] == ID_NONE) r->items[kind] = n;
}

static item_kind find_item(const tree *t, node_id n) {
  item_kind kind = 0;
  while (kind < ITEM_KINDS && !node_is_list_of(t, n, item_rules[kind].name)) kind++;
  return kind;
}

static bool fault_with_first(section_reader *r, node_id n, node_id first, const char *why) {
  diag *g = diag_add(r->shapes.d, DIAG_E702, tree_node(r->shapes.t, n)->where, "%s", why);
  diag_relate(r->shapes.d, g, tree_node(r->shapes.t, first)->where, "the first is here");
  return false;
}

static bool read_item(section_reader *r, node_id n) {
  const item_kind kind = find_item(r->shapes.t, n);
  if (kind == ITEM_KINDS) return fault(r, n, "a section has no such part");
  if (r->items[kind] != ID_NONE && !item_rules[kind].may_repeat)
    return fault_with_first(r, n, r->items[kind], "this stands twice in the section");
  note_item(r, n, kind);
  return read_shape(r, n, kind);
}

/* ---- properties ---- */

static certified_kind find_kind(const tree *t, node_id name) {
  certified_kind kind = 0;
  while (kind < CERTIFIED_KINDS &&
         (node_is_list(t, name) || !slice_equals(node_name(t, name), property_rules[kind].name)))
    kind++;
  return kind;
}

static bool argument_is_sound(const section_reader *r, argument_kind kind) {
  switch (kind) {
    case ARGUMENT_TERM: return shape_is_term(&r->shapes, r->s.argument);
    case ARGUMENT_FORMULA: return shape_is_formula(&r->shapes, r->s.argument);
    default: return true;
  }
}

static bool read_property(section_reader *r, node_id n) {
  static const char *const takes[] = {" takes nothing more", " takes one role",
                                      " takes one formula"};
  const uint32_t count = node_element_count(r->shapes.t, n);
  r->s.property = n;
  if (count < 2) return fault(r, n, "the property is missing");
  r->s.kind = find_kind(r->shapes.t, node_second(r->shapes.t, n));
  if (r->s.kind == CERTIFIED_KINDS)
    return fault(r, node_second(r->shapes.t, n),
                 node_is_list(r->shapes.t, node_second(r->shapes.t, n))
                     ? "a property is a name"
                     : "no certificate can be given for such a property");
  const property_rule *rule = &property_rules[r->s.kind];
  if (count != 2 + (rule->argument != ARGUMENT_NONE))
    return fault_of(r, n, "", rule->name, takes[rule->argument]);
  if (rule->argument != ARGUMENT_NONE)
    r->s.argument = node_after(r->shapes.t, node_second(r->shapes.t, n));
  return argument_is_sound(r, rule->argument);
}

/* ---- whole sections ---- */

static bool read_evidence(section_reader *r) {
  item_kind found = ITEM_EXACTLY_ONE;
  for (item_kind kind = ITEM_K; kind <= ITEM_EXHAUSTIVE; kind++) {
    if (r->items[kind] == ID_NONE) continue;
    if (found != ITEM_EXACTLY_ONE)
      return fault_with_first(r, r->items[kind], r->items[found],
                              "there is more than one kind of evidence");
    found = kind;
  }
  if (found == ITEM_EXACTLY_ONE)
    return fault(r, r->s.property,
                 "there is no evidence: (k N), (line ...), (steps N) or (exhaustive)");
  r->s.evidence = (evidence_kind)found;
  if (section_shows(&r->s) != SHOWS_NOTHING) return true;
  return fault_of(r, r->items[found], "this is not evidence for ", property_rules[r->s.kind].name,
                  "");
}

/* Everything belongs to the evidence, and what `terminates` needs is there. */
static bool items_belong(section_reader *r) {
  const bool is_of_ends = r->s.kind == CERTIFIED_TERMINATES;
  for (item_kind kind = 0; kind < ITEM_KINDS; kind++) {
    const item_rule *rule = &item_rules[kind];
    const bool belongs = rule->belongs_to >> r->s.evidence & 1;
    const bool is_there = r->items[kind] != ID_NONE;
    if (is_there && (!belongs || (rule->is_of_ends && !is_of_ends)))
      return fault(r, r->items[kind], "this is not a part of such evidence");
    if (!is_there && belongs && rule->is_of_ends && is_of_ends)
      return fault_of(r, r->s.property, "there is no ", rule->name, "");
  }
  return !(is_of_ends && r->s.evidence == EVIDENCE_INDUCTION && !r->s.k) ||
         fault(r, r->items[ITEM_K], "measures fall every k steps, and k is at least 1");
}

/* For mutex the facts are the claim: there must be one. */
static bool has_group(section_reader *r) {
  for (uint32_t i = 0; i < r->s.facts.count; i++)
    if (!node_is_list_of(r->shapes.t, r->s.facts.items[i], "at-least-one") &&
        node_element_count(r->shapes.t, r->s.facts.items[i]) > 2)
      return true;
  return fault(r, r->s.property, "there is no group of fluents of which at most one holds");
}

static bool is_same_node(const tree *t, node_id a, node_id b) {
  const node_id end = node_after(t, a);
  if (end - a != node_after(t, b) - b) return false;
  for (node_id i = a, k = b; i != end; i++, k++)
    if (tree_node(t, i)->symbol != tree_node(t, k)->symbol ||
        node_after(t, i) - i != node_after(t, k) - k)
      return false;
  return true;
}

/* So few that each may be compared with all. */
enum { SECTIONS_MAX = 4096 };

static bool is_new(section_reader *r) {
  if (r->c->sections.count == SECTIONS_MAX)
    return fault(r, r->s.property, "there are too many sections");
  for (uint32_t i = 0; i < r->c->sections.count; i++) {
    const section *s = &r->c->sections.items[i];
    if (s->evidence == r->s.evidence && is_same_node(r->shapes.t, s->property, r->s.property))
      return fault_with_first(r, r->s.property, s->property,
                              "the property has a section with such evidence already");
  }
  return true;
}

static bool section_is_whole(section_reader *r) {
  return read_evidence(r) && items_belong(r) && (r->s.kind != CERTIFIED_MUTEX || has_group(r)) &&
         is_new(r);
}

/* Reads up to the next property, and on after a fault: there may be more of them. */
static node_id read_section(section_reader *r, node_id n) {
  bool ok = read_property(r, n);
  for (n = node_after(r->shapes.t, n); n != r->shapes.t->nodes.count;
       n = node_after(r->shapes.t, n)) {
    if (node_is_list_of(r->shapes.t, n, "property")) break;
    ok &= read_item(r, n);
  }
  if (ok && section_is_whole(r)) vec_push(r->keep, &r->c->sections, r->s);
  return n;
}

static section_reader reader_of(certificate *c, arena *keep, diag_sink *d) {
  section_reader r = {.c = c,
                      .keep = keep,
                      .shapes = {&c->tree, d},
                      .s = {.argument = ID_NONE,
                            .line = ID_NONE,
                            .walk_file = ID_NONE,
                            .longest = ID_NONE,
                            .returns_to = ID_NONE}};
  for (item_kind kind = 0; kind < ITEM_KINDS; kind++) r.items[kind] = ID_NONE;
  return r;
}

static void read_sections(certificate *c, arena *keep, diag_sink *d) {
  for (node_id n = 0; n != c->tree.nodes.count;) {
    section_reader r = reader_of(c, keep, d);
    if (node_is_list_of(&c->tree, n, "property")) {
      n = read_section(&r, n);
      continue;
    }
    fault(&r, n, "a section begins with (property ...)");
    while (n != c->tree.nodes.count && !node_is_list_of(&c->tree, n, "property"))
      n = node_after(&c->tree, n);
  }
}

bool certificate_read(certificate *c, const source *s, arena *keep, diag_sink *d) {
  const uint32_t errors_before = d->errors;
  *c = (certificate){.source = *s, .tree = {.source = &c->source, .symbols = symbols_new(keep)}};
  source_index_lines(&c->source, keep);
  kif_parse(&c->tree, keep, d);
  if (d->errors == errors_before) read_sections(c, keep, d);
  if (d->errors == errors_before && !c->sections.count)
    diag_add(d, DIAG_E702, SPAN_NONE, "the certificate is empty");
  return d->errors == errors_before;
}

/* ---- words ---- */

shown_verdict section_shows(const section *s) { return property_rules[s->kind].shows[s->evidence]; }

const char *section_name(const certificate *c, const section *s, arena *keep) {
  arena *scratch = arena_new();
  text out = text_new(keep);
  text_add(&out, property_rules[s->kind].name);
  if (s->argument != ID_NONE) {
    text_add_char(&out, ' ');
    canonical_print(&c->tree, s->argument, scratch, &out);
  }
  arena_free(scratch);
  return text_string(&out);
}
