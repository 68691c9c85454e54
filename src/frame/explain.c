/* The steps of a translation as text. */
#include "frame/frame.h"

/* ---- letters for variables ---- */

static const char *const letters[] = {"?x", "?y", "?z", "?u", "?v", "?w", "?a", "?b", "?c", "?d",
                                      "?e", "?f", "?g", "?h", "?i", "?j", "?k", "?l", "?m", "?n"};

enum { LETTER_COUNT = sizeof letters / sizeof *letters };

static symbol_id letter_of(symbol_table *symbols, uint32_t number) {
  char name[24];
  if (number < LETTER_COUNT) return symbol_intern(symbols, slice_of(letters[number]));
  const int length = snprintf(name, sizeof name, "?v%u", number);
  return symbol_intern(symbols, (slice){name, (size_t)length});
}

static symbol_id *letters_for(symbol_table *symbols, uint32_t count, arena *keep) {
  symbol_id *all = arena_new_array(keep, symbol_id, count + 1);
  for (uint32_t i = 0; i < count; i++) all[i] = letter_of(symbols, i);
  return all;
}

void frame_print_clauses(const program *p, clause_id first, notation n, text *out) {
  arena *scratch = arena_new();
  program named = *p;
  named.rules = (__typeof__(named.rules)){0};
  named.variable_names = (__typeof__(named.variable_names)){0};
  named.clauses = (__typeof__(named.clauses)){0};
  for (clause_id c = first; c < p->clauses.count; c++) {
    clause it = p->clauses.items[c];
    const rule letters_only = {.variable_count = it.variable_count};
    const symbol_id *names = letters_for(p->symbols, it.variable_count, scratch);
    named.rules.count = named.variable_names.count = named.clauses.count = 0;
    vec_push(scratch, &named.rules, letters_only);
    vec_append(scratch, &named.variable_names, names, it.variable_count);
    it.rule = 0;
    vec_push(scratch, &named.clauses, it);
    clause_print(&named, 0, n, out);
    text_add_char(out, '\n');
  }
  arena_free(scratch);
}

/* ---- the steps ---- */

typedef struct explanation {
  const frame_translation *f;
  notation n;
  text *out;
  arena *scratch;
} explanation;

static void say_step(explanation *e, const char *words) {
  text_add(e->out, e->out->length ? "\n" : "");
  text_add(e->out, e->n == NOTATION_KIF ? "; " : "% ");
  text_add(e->out, words);
  text_add_char(e->out, '\n');
}

static void begin_line(explanation *e) { text_add(e->out, e->n == NOTATION_KIF ? ";   " : "%   "); }

static void say_term(explanation *e, term_id id) {
  const term_table *t = e->f->source->terms;
  const symbol_id *names =
      letters_for(e->f->source->symbols, frame_variable_bound(t, id, 0), e->scratch);
  term_print(t, id, e->n, names, e->out);
}

static void explain_rules(explanation *e) {
  const frame_translation *f = e->f;
  say_step(e, "1. Frame rules");
  for (clause_id c = 0; c < f->source->clauses.count; c++) {
    if (!f->rules.is_frame_rule[c]) continue;
    begin_line(e);
    clause_print(f->source, c, e->n, e->out);
    text_add_char(e->out, '\n');
  }
}

static void say_names(explanation *e, const frame_name *names, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_add_char(e->out, ' ');
    say_term(e, names[i].pattern);
  }
  text_add_char(e->out, '\n');
}

static void explain_domain(explanation *e) {
  const frame_domain *m = &e->f->domain;
  say_step(e, "2. Names");
  begin_line(e);
  text_add(e->out, "fluents: ");
  say_names(e, m->fluents.items, m->fluents.count);
  for (uint32_t r = 0; r < m->roles.count; r++) {
    const frame_role *role = &m->roles.items[r];
    begin_line(e);
    text_add(e->out, "moves of ");
    say_term(e, role->term);
    text_add(e->out, ": ");
    say_names(e, vec_from(&m->actions, role->first_action), role->action_count);
  }
}

static void say_joint_move(explanation *e, uint32_t joint) {
  const covering *c = &e->f->covering;
  for (uint32_t r = 0; r < c->role_count; r++) {
    const general_move *move = &covering_moves(c, joint)[r];
    const term_id args[2] = {move->role, move->action};
    if (r) text_add_char(e->out, ' ');
    say_term(e, term_atom(e->f->source->terms, SYM_DOES, args, 2));
  }
  text_add_char(e->out, '\n');
}

static void explain_covering(explanation *e) {
  const covering *c = &e->f->covering;
  say_step(e, "3. General joint moves");
  begin_line(e);
  text_add_format(e->out, "%s covering: %u, and %u that cannot be made\n",
                  frame_cover_name(c->kind), c->count, c->pruned);
  for (uint32_t j = 0; j < c->count; j++) {
    begin_line(e);
    say_joint_move(e, j);
  }
}

static const char *const before_condition[] = {"", "not ", "", "equal by not "};

static void explain_way(explanation *e, const frame_way *w) {
  begin_line(e);
  text_add(e->out, "  stays if");
  if (w->conditions.count == 0) text_add(e->out, " anything");
  for (uint32_t i = 0; i < w->conditions.count; i++) {
    text_add(e->out, i ? ", " : " ");
    text_add(e->out, before_condition[w->conditions.items[i].kind]);
    say_term(e, w->conditions.items[i].atom);
  }
  text_add_char(e->out, '\n');
}

static void explain_ways(explanation *e) {
  const frame_translation *f = e->f;
  say_step(e, "4. Ways to stay, by fluent and general joint move");
  for (uint32_t n = 0; n < f->domain.fluents.count; n++)
    for (uint32_t j = 0; j < f->covering.count; j++) {
      const frame_case x = {.p = f->source,
                            .m = &f->domain,
                            .rules = &f->rules,
                            .c = &f->covering,
                            .name = n,
                            .joint = j};
      way_vec ways = {0};
      begin_line(e);
      say_term(e, case_fluent(&x));
      text_add(e->out, " with ");
      say_joint_move(e, j);
      frame_ways_find(&ways, &x, e->scratch);
      for (uint32_t i = 0; i < ways.count; i++) explain_way(e, &ways.items[i]);
    }
}

static void explain_result(explanation *e) {
  program rules;
  frame_program whole;
  say_step(e, "5. What ceases");
  frame_write_rules(e->f, &rules, e->scratch);
  frame_print_clauses(&rules, 0, e->n, e->out);
  say_step(e, "6. What is true next, beside what other rules give");
  frame_write_program(e->f, &whole, e->scratch);
  frame_print_clauses(&whole.program, whole.first_inertia, e->n, e->out);
}

void frame_explain(const frame_translation *f, notation n, text *out) {
  explanation e = {.f = f, .n = n, .out = out, .scratch = arena_new()};
  explain_rules(&e);
  explain_domain(&e);
  explain_covering(&e);
  explain_ways(&e);
  explain_result(&e);
  arena_free(e.scratch);
}
