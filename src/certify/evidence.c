#include "certify/evidence.h"

#include "certify/grammar_shapes.h"
#include "read/canonical.h"

/* ---- complaints ---- */

enum { WORDS_SHOWN = 80 };

static void add_place(checker *k, node_id about, text *out) {
  const tree *t = &k->certificate->tree;
  arena *scratch = arena_new();
  text words = text_new(k->keep);
  canonical_print(t, about, scratch, &words);
  arena_free(scratch);
  const bool is_long = words.length > WORDS_SHOWN;
  text_add_format(out, ": %.*s%s (line %u)", (int)(is_long ? WORDS_SHOWN : words.length),
                  text_string(&words), is_long ? " ..." : "",
                  source_place(t->source, tree_node(t, about)->where.start).line);
}

bool checker_reject(checker *k, const char *why, node_id about) {
  if (k->complaint) return false;
  text words = text_new(k->keep);
  text_add(&words, why);
  if (about != ID_NONE) add_place(k, about, &words);
  k->complaint = text_string(&words);
  return false;
}

bool checker_give_up(checker *k, const char *why) {
  if (k->complaint) return false;
  k->complaint = why;
  k->is_unable = true;
  return false;
}

/* ---- facts and measures ---- */

static bool read_member(checker *k, node_id n, member *m) {
  const tree *t = &k->certificate->tree;
  m->negated = node_is_list_of(t, n, "not") && node_element_count(t, n) == 2;
  const node_id fluent = m->negated ? node_second(t, n) : n;
  m->fluent = names_fluent(k->names, t, fluent, k->keep);
  return m->fluent != ID_NONE || checker_reject(k, "there is no such fluent", fluent);
}

static bool read_fact(evidence *e, checker *k, node_id n) {
  const tree *t = &k->certificate->tree;
  claim_fact f = {.at_least = !node_is_list_of(t, n, "at-most-one"),
                  .at_most = !node_is_list_of(t, n, "at-least-one"),
                  .node = n};
  for (node_id i = node_second(t, n); i != node_after(t, n); i = node_after(t, i)) {
    member m;
    if (!read_member(k, i, &m)) return false;
    vec_push(k->keep, &f.members, m);
  }
  vec_push(k->keep, &e->facts, f);
  return true;
}

static bool read_measure(evidence *e, checker *k, node_id n) {
  const tree *t = &k->certificate->tree;
  checked_measure measure = {0};
  for (node_id i = node_second(t, n); i != node_after(t, n); i = node_after(t, i)) {
    member of;
    if (!read_member(k, node_second(t, i), &of)) return false;
    const checked_term it = {of.fluent, of.negated, shape_number(t, node_first(i))};
    vec_push(k->keep, &measure, it);
  }
  vec_push(k->keep, &e->measures, measure);
  return true;
}

/* ---- lines ---- */

static bool read_joint_move(evidence *e, checker *k, node_id joint) {
  const tree *t = &k->certificate->tree;
  uint32_t role = 0;
  if (node_element_count(t, joint) != k->g->roles.count)
    return checker_reject(k, "a joint move has a move for each role", joint);
  for (node_id n = node_first(joint); n != node_after(t, joint); n = node_after(t, n)) {
    const uint32_t move = names_move(k->names, role++, t, n, k->keep);
    if (move == ID_NONE) return checker_reject(k, "there is no such move", n);
    vec_push(k->keep, &e->line, move);
  }
  e->line_length++;
  return true;
}

static bool read_line(evidence *e, checker *k, node_id line) {
  const tree *t = &k->certificate->tree;
  for (node_id n = node_second(t, line); n != node_after(t, line); n = node_after(t, n))
    if (!read_joint_move(e, k, n)) return false;
  return true;
}

/* ---- properties ---- */

static bool read_property(evidence *e, checker *k, const section *s) {
  const tree *t = &k->certificate->tree;
  node_id unknown;
  if (s->kind == CERTIFIED_WINNABLE) {
    e->role = names_role(k->names, t, s->argument, k->keep);
    return e->role != ID_NONE || checker_reject(k, "there is no such role", s->argument);
  }
  if (s->kind != CERTIFIED_UNREACHABLE && s->kind != CERTIFIED_INVARIANT) return true;
  return state_formula_read(&e->formula, k->names, t, s->argument, k->keep, &unknown) ||
         checker_reject(k, "there is no such fluent", unknown);
}

bool evidence_read(evidence *e, checker *k, const section *s) {
  *e = (evidence){.section = s, .kind = s->kind};
  if (!read_property(e, k, s)) return false;
  for (uint32_t i = 0; i < s->facts.count; i++)
    if (!read_fact(e, k, s->facts.items[i])) return false;
  for (uint32_t i = 0; i < s->measures.count; i++)
    if (!read_measure(e, k, s->measures.items[i])) return false;
  return s->line == ID_NONE || read_line(e, k, s->line);
}
