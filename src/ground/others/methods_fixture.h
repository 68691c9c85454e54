/* What the tests of the methods share: a rulesheet, and what each method makes of it. */
#ifndef TABIA_GROUND_OTHERS_METHODS_FIXTURE_H
#define TABIA_GROUND_OTHERS_METHODS_FIXTURE_H

#include "ground/external.h"
#include "ground/others/ground_compare.h"
#include "ground/others/readback.h"
#include "rules/rules_fixture.h"

#include <stdlib.h>
#include <unistd.h>

static inline int compare_lines(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Texts in their order, with something between them. */
static inline void add_sorted(text *out, const char **lines, uint32_t count, const char *between) {
  if (count) qsort(lines, count, sizeof *lines, compare_lines);
  for (uint32_t i = 0; i < count; i++) text_add_format(out, "%s%s", i ? between : "", lines[i]);
}

static inline const char *literal_text(const ground_program *g, ground_literal l, arena *keep) {
  text out = text_new(keep);
  term_print(g->terms, g->atoms.items[literal_atom(l)], NOTATION_KIF, NULL, &out);
  if (literal_is_negated(l)) text_add(&out, " fails");
  return text_string(&out);
}

static inline const char *rule_text(const ground_program *g, const ground_rule *r, arena *keep) {
  text out = text_new(keep);
  const char **literals = arena_new_array(keep, const char *, r->body_count);
  for (uint32_t i = 0; i < r->body_count; i++)
    literals[i] = literal_text(g, g->literals.items[r->body + i], keep);
  text_add(&out, literal_text(g, literal_of_atom(r->head, false), keep));
  if (r->body_count) text_add(&out, " <= ");
  add_sorted(&out, literals, r->body_count, " & ");
  return text_string(&out);
}

/* One rule a line, sorted; their literals sorted, too. */
static inline const char *ground_text(const rules_fixture *f, const ground_program *g) {
  text out = text_new(f->keep);
  const char **rules = arena_new_array(f->keep, const char *, g->rules.count);
  for (uint32_t r = 0; r < g->rules.count; r++)
    rules[r] = rule_text(g, &g->rules.items[r], f->keep);
  add_sorted(&out, rules, g->rules.count, "\n");
  return text_string(&out);
}

static inline void read_atom_of_base(readback *b, term_id atom, symbol_id keyword) {
  term_table *t = b->g->terms;
  const term_id given = term_atom(t, keyword, term_args(t, atom), term_get(t, atom)->arg_count);
  if (keyword == SYM_TRUE)
    vec_push(b->scratch, &b->fluents, given);
  else
    vec_push(b->scratch, &b->moves, given);
}

/* A ground program that a method might have given: clauses without variables.  base and input facts
   are the fluents and moves. */
static inline ground_program ground_of_clauses(rules_fixture *f, clause_id first, clause_id end) {
  ground_program g;
  readback b;
  readback_start(&b, &g, &f->p, f->keep, f->scratch);
  for (clause_id c = first; c < end; c++) {
    const clause it = f->p.clauses.items[c];
    const relation_id head = atom_relation(&f->p, it.head);
    if (head == SYM_BASE || head == SYM_INPUT)
      read_atom_of_base(&b, it.head, head == SYM_BASE ? SYM_TRUE : SYM_DOES);
    for (uint32_t i = 0; i < it.body_count; i++) {
      const literal l = f->p.literals.items[it.body + i];
      vec_push(g.keep, &g.literals,
               literal_of_atom(readback_atom(&b, l.atom), l.kind == LITERAL_NEGATIVE));
    }
    readback_rule(&b, readback_atom(&b, it.head), it.body_count);
  }
  assert_true(readback_finish(&b));
  return g;
}

static inline ground_program ground_of(rules_fixture *f, const char *words) {
  assert_true(build_text(f, words));
  return ground_of_clauses(f, 0, f->p.clauses.count);
}

static inline bool is_installed(const char *program) {
  char path[256];
  snprintf(path, sizeof path, "/usr/bin/%s", program);
  return access(path, X_OK) == 0;
}

static inline void need_programs(void) {
  if (!is_installed("gringo") || !is_installed("swipl")) skip();
}

/* The rules with gringo; NULL when it failed. */
static inline const char *text_with_gringo(rules_fixture *f, const char *words) {
  ground_program g;
  assert_true(build_text(f, words));
  if (!ground_with_gringo(&g, &f->p, BASES_ONESTEP, f->keep, NULL, &f->d)) return NULL;
  return ground_text(f, &g);
}

static inline const char *text_with_prolog(rules_fixture *f, const char *words, bases_method m) {
  ground_program g;
  assert_true(build_text(f, words));
  if (!ground_with_prolog(&g, &f->p, m, f->keep, NULL, &f->d)) return NULL;
  return ground_text(f, &g);
}

static inline void print_faults(const rules_fixture *f) {
  for (uint32_t i = 0; i < f->d.all.count; i++) {
    const diag *it = &f->d.all.items[i];
    print_error("%s %s\n%s\n", diag_infos[it->kind].code, it->message, it->hint ? it->hint : "");
  }
}

static inline void assert_same(rules_fixture *f, ground_side a, ground_side b) {
  if (ground_compare(&f->p, a, b, &f->d)) return;
  print_faults(f);
  fail_msg("%s and %s differ", a.name, b.name);
}

static inline void assert_ground(rules_fixture *f, bool is_done) {
  if (!is_done) print_faults(f);
  assert_true(is_done);
}

/* Grounds with every method and finds them agreed; gives what gringo found. */
static inline ground_program agreed(rules_fixture *f, const char *words, bases_method m) {
  ground_program native;
  ground_program gringo;
  ground_program prolog;
  ground_stats stats;
  assert_true(build_text(f, words));
  const ground_options plain = {METHOD_NATIVE, m, false};
  budget limits = budget_new(0, (size_t)1 << 30);
  assert_ground(f, ground_with_gringo(&gringo, &f->p, m, f->keep, &limits, &f->d));
  assert_ground(f, ground_with_prolog(&prolog, &f->p, m, f->keep, &limits, &f->d));
  assert_ground(f, ground_rules(&native, &f->p, plain, f->keep, &limits, &f->d, &stats));
  ground_name_atoms(&native);
  assert_same(f, (ground_side){"gringo", &gringo}, (ground_side){"prolog", &prolog});
  assert_same(f, (ground_side){"gringo", &gringo}, (ground_side){"native", &native});
  return gringo;
}

static inline const char *agreed_text(rules_fixture *f, const char *words) {
  const ground_program g = agreed(f, words, BASES_ONESTEP);
  return ground_text(f, &g);
}

#endif
