/* Rules as C: for each firing a function that runs through the facts of its relation, with all
   rules that they trigger inside; for each passed relation a function of its columns. */
#include "compile/emit/emit_parts.h"
#include "compile/rules/distincts.h"

#include <string.h>

/* One rule while it is being written. */
typedef struct rule_writer {
  emitter *e;
  const trigger *t;
  const flat_clause *c;
  c_value *values; /* by variable; by column for the relation at hand follow */
  bool *is_placed; /* by body literal: a `distinct` that has been tested */
  uint32_t braces;
  uint32_t loops;
  bool leaves_loop;       /* the innermost loop need not go on after the first success */
  const char *conditions; /* joined by &&, not yet written; or NULL */
} rule_writer;

static term_id arg_at(const rule_writer *w, uint32_t args, uint32_t i) {
  return flat_args(w->e->f, args)[i];
}

static bool is_variable(const rule_writer *w, term_id arg) {
  return term_is_variable(w->e->f->terms, arg);
}

static c_value *value_of(const rule_writer *w, term_id variable) {
  return &w->values[term_variable_number(w->e->f->terms, variable)];
}

static void add_condition(rule_writer *w, const char *condition) {
  w->conditions =
      w->conditions ? emit_format(w->e, "%s && %s", w->conditions, condition) : condition;
}

static void write_conditions(rule_writer *w) {
  if (!w->conditions) return;
  text_add_format(w->e->out, "if (%s) {\n", w->conditions);
  w->braces++;
  w->conditions = NULL;
}

/* ---- values ---- */

static c_value constant_value(rule_writer *w, uint32_t class_id, term_id constant) {
  const uint32_t code = domain_code(w->e->d, class_id, constant);
  return (c_value){emit_format(w->e, "%uu", code), code, code};
}

static c_value arg_value(rule_writer *w, flat_id r, uint32_t args, uint32_t i) {
  const term_id arg = arg_at(w, args, i);
  if (is_variable(w, arg)) return *value_of(w, arg);
  return constant_value(w, domain_of(w->e->d, r, i)->class_id, arg);
}

static c_value *literal_values(rule_writer *w, flat_id r, uint32_t args) {
  c_value *values = arena_zero_array(w->e->keep, c_value, emit_arity(w->e, r) + 1);
  for (uint32_t i = 0; i < emit_arity(w->e, r); i++) values[i] = arg_value(w, r, args, i);
  return values;
}

/* A value that was found in a column is one that the column can hold. */
static void narrow(rule_writer *w, flat_id r, uint32_t args) {
  for (uint32_t i = 0; i < emit_arity(w->e, r); i++) {
    if (!is_variable(w, arg_at(w, args, i))) continue;
    c_value *value = value_of(w, arg_at(w, args, i));
    const column_domain *c = domain_of(w->e->d, r, i);
    if (value->low < c->low) value->low = c->low;
    if (value->high > c->high) value->high = c->high;
  }
}

/* ---- who is used later ---- */

static bool is_in(const rule_writer *w, flat_id r, uint32_t args, term_id variable) {
  for (uint32_t i = 0; i < emit_arity(w->e, r); i++)
    if (arg_at(w, args, i) == variable) return true;
  return false;
}

/* In the head, or in what remains from `next` on. */
static bool is_carried(const rule_writer *w, term_id variable, uint32_t next) {
  if (is_in(w, w->c->head, w->c->head_args, variable)) return true;
  for (uint32_t i = next; i < w->t->remaining_count; i++) {
    const remaining *rest = &w->e->v->remaining.items[w->t->first_remaining + i];
    const flat_literal *l = &w->e->f->literals.items[rest->literal];
    if (is_in(w, l->relation, l->args, variable)) return true;
  }
  return false;
}

/* The class of a variable: that of any column where it stands. */
static uint32_t variable_class(const rule_writer *w, term_id variable) {
  for (uint32_t i = w->c->body; i < w->c->body + w->c->body_count; i++) {
    const flat_literal *l = &w->e->f->literals.items[i];
    if (l->kind == LITERAL_DISTINCT) continue;
    for (uint32_t k = 0; k < emit_arity(w->e, l->relation); k++)
      if (arg_at(w, l->args, k) == variable) return domain_of(w->e->d, l->relation, k)->class_id;
  }
  assert(!"a variable that is compared stands in a condition");
  return ID_NONE;
}

/* A `distinct`: a variable, and another one or a code; ID_NONE: that of a constant which the
   variable can never be, so that the condition holds. */
typedef struct comparison {
  term_id variable;
  term_id other; /* TERM_NONE: a code */
  uint32_t code;
} comparison;

static comparison comparison_of(const rule_writer *w, const flat_literal *l) {
  assert(distinct_is_solved(w->e->f, l));
  const term_id left = arg_at(w, l->args, 0);
  const term_id right = arg_at(w, l->args, 1);
  comparison c = {left, right, ID_NONE};
  if (is_variable(w, left) && is_variable(w, right)) return c;
  c.variable = is_variable(w, left) ? left : right;
  c.other = TERM_NONE;
  c.code = domain_code(w->e->d, variable_class(w, c.variable), is_variable(w, left) ? right : left);
  return c;
}

static bool always_holds(const comparison *c) {
  return c->other == TERM_NONE && c->code == ID_NONE;
}

static bool is_compared(const rule_writer *w, term_id variable) {
  for (uint32_t i = 0; i < w->c->body_count; i++) {
    const flat_literal *l = &w->e->f->literals.items[w->c->body + i];
    if (l->kind != LITERAL_DISTINCT) continue;
    const comparison c = comparison_of(w, l);
    if (!always_holds(&c) && (c.variable == variable || c.other == variable)) return true;
  }
  return false;
}

/* Whether the C text of a condition that remains surely reads the variable.  A test may be known to
   hold or not to, and a column with one value takes no part in an index. */
static bool surely_reads(const rule_writer *w, const remaining *rest, term_id variable) {
  const flat_literal *l = &w->e->f->literals.items[rest->literal];
  if (rest->known == emit_all_columns(w->e, l->relation)) return false;
  for (uint32_t i = 0; i < emit_arity(w->e, l->relation); i++) {
    const column_domain *c = domain_of(w->e->d, l->relation, i);
    if (arg_at(w, l->args, i) == variable && c->low != c->high) return true;
  }
  return false;
}

/* Not in the head, not compared, and surely read by no condition from `next` on. */
static bool is_perhaps_unused(const rule_writer *w, term_id variable, uint32_t next) {
  if (is_in(w, w->c->head, w->c->head_args, variable) || is_compared(w, variable)) return false;
  for (uint32_t i = next; i < w->t->remaining_count; i++)
    if (surely_reads(w, &w->e->v->remaining.items[w->t->first_remaining + i], variable))
      return false;
  return true;
}

static uint64_t perhaps_columns(const rule_writer *w, const flat_literal *l, uint32_t next) {
  uint64_t perhaps = 0;
  for (uint32_t i = 0; i < emit_arity(w->e, l->relation); i++) {
    const term_id arg = arg_at(w, l->args, i);
    if (is_variable(w, arg) && is_perhaps_unused(w, arg, next)) perhaps |= UINT64_C(1) << i;
  }
  return perhaps;
}

/* Columns of the literal whose values the C text reads; all others are only found. */
static uint64_t used_columns(const rule_writer *w, const flat_literal *l, uint32_t next) {
  uint64_t used = 0;
  const uint32_t arity = emit_arity(w->e, l->relation);
  for (uint32_t i = 0; i < arity; i++) {
    const term_id arg = arg_at(w, l->args, i);
    bool is_used = !is_variable(w, arg) || is_carried(w, arg, next) || is_compared(w, arg);
    for (uint32_t k = 0; k < arity; k++) is_used |= k != i && arg_at(w, l->args, k) == arg;
    if (is_used) used |= UINT64_C(1) << i;
  }
  return used;
}

/* ---- conditions ---- */

/* The `distinct` conditions whose sides are bound now. */
static void add_distincts(rule_writer *w) {
  for (uint32_t i = 0; i < w->c->body_count; i++) {
    const flat_literal *l = &w->e->f->literals.items[w->c->body + i];
    if (l->kind != LITERAL_DISTINCT || w->is_placed[i]) continue;
    const comparison c = comparison_of(w, l);
    w->is_placed[i] = true;
    if (always_holds(&c)) continue;
    const char *value = value_of(w, c.variable)->expression;
    const char *other =
        c.other == TERM_NONE ? emit_format(w->e, "%uu", c.code) : value_of(w, c.other)->expression;
    w->is_placed[i] = value && other;
    if (value && other) add_condition(w, emit_format(w->e, "%s != %s", value, other));
  }
}

/* None may be lost. */
static void check_distincts(const rule_writer *w) {
  for (uint32_t i = 0; i < w->c->body_count; i++)
    assert(w->e->f->literals.items[w->c->body + i].kind != LITERAL_DISTINCT || w->is_placed[i]);
}

/* Values that were just read become the values of variables, or conditions. */
static void bind_columns(rule_writer *w, const flat_literal *l, const c_value *columns,
                         uint64_t fresh) {
  for (uint32_t i = 0; i < emit_arity(w->e, l->relation); i++) {
    if (!(fresh >> i & 1)) continue;
    const term_id arg = arg_at(w, l->args, i);
    if (!is_variable(w, arg)) {
      const c_value constant = constant_value(w, domain_of(w->e->d, l->relation, i)->class_id, arg);
      add_condition(w, emit_format(w->e, "%s == %s", columns[i].expression, constant.expression));
    } else if (value_of(w, arg)->expression) {
      add_condition(
          w, emit_format(w->e, "%s == %s", columns[i].expression, value_of(w, arg)->expression));
    } else {
      *value_of(w, arg) = columns[i];
    }
  }
  narrow(w, l->relation, l->args);
  add_distincts(w);
}

/* ---- what remains ---- */

static void write_loop(rule_writer *w, const flat_literal *l, uint64_t known, uint32_t next) {
  write_conditions(w);
  c_loop loop = {.relation = l->relation, .known = known, .number = ++w->e->loop_count};
  loop.used = used_columns(w, l, next) & ~known;
  loop.perhaps = perhaps_columns(w, l, next);
  c_value *columns = literal_values(w, l->relation, l->args);
  emit_loop(w->e, &loop, columns);
  emit_stop(w->e, &loop, emit_work_from(w->e, w->t, next));
  w->braces += loop.braces;
  w->loops++;
  w->leaves_loop = loop.is_loop;
  for (uint32_t i = 0; i < emit_arity(w->e, l->relation); i++) {
    const term_id arg = arg_at(w, l->args, i);
    if (!(known >> i & 1) && is_variable(w, arg)) w->leaves_loop &= !is_carried(w, arg, next);
  }
  bind_columns(w, l, columns, emit_all_columns(w->e, l->relation) & ~known);
}

/* A test that no table of bits can answer: a loop looks for the row. */
static void write_search(rule_writer *w, const flat_literal *l) {
  emitter *e = w->e;
  write_conditions(w);
  const uint64_t all = emit_all_columns(e, l->relation);
  c_loop loop = {.relation = l->relation, .known = all, .number = ++e->loop_count};
  text_add_format(e->out, "{ bool found%u = false;\n", loop.number);
  emit_loop(e, &loop, literal_values(w, l->relation, l->args));
  text_add_format(e->out, "found%u = true;\n%s", loop.number, loop.is_loop ? "break;\n" : "");
  for (uint32_t i = 0; i < loop.braces; i++) text_add(e->out, "}");
  text_add_char(e->out, '\n');
  w->braces++;
  add_condition(w,
                emit_format(e, "%sfound%u", l->kind == LITERAL_NEGATIVE ? "!" : "", loop.number));
}

static void write_test(rule_writer *w, const flat_literal *l) {
  const char *test = emit_test(w->e, l->relation, literal_values(w, l->relation, l->args));
  if (!test) {
    write_search(w, l);
  } else if (l->kind == LITERAL_NEGATIVE) {
    if (strcmp(test, "0") != 0) add_condition(w, emit_format(w->e, "!%s", test));
    return;
  } else if (strcmp(test, "1") != 0) {
    add_condition(w, test);
  }
  if (l->kind == LITERAL_POSITIVE) narrow(w, l->relation, l->args);
}

static void write_remaining(rule_writer *w) {
  for (uint32_t i = 0; i < w->t->remaining_count; i++) {
    const remaining *rest = &w->e->v->remaining.items[w->t->first_remaining + i];
    const flat_literal *l = &w->e->f->literals.items[rest->literal];
    if (rest->known == emit_all_columns(w->e, l->relation))
      write_test(w, l);
    else
      write_loop(w, l, rest->known, i + 1);
  }
}

/* ---- the head ---- */

static bool head_is_known(const rule_writer *w) {
  for (uint32_t i = 0; i < emit_arity(w->e, w->c->head); i++) {
    const term_id arg = arg_at(w, w->c->head_args, i);
    if (is_variable(w, arg) && !value_of(w, arg)->expression) return false;
  }
  return true;
}

static bool has_loop(const rule_writer *w) {
  for (uint32_t i = 0; i < w->t->remaining_count; i++) {
    const remaining *rest = &w->e->v->remaining.items[w->t->first_remaining + i];
    const flat_literal *l = &w->e->f->literals.items[rest->literal];
    if (rest->known != emit_all_columns(w->e, l->relation)) return true;
  }
  return false;
}

/* What is known already need not be looked for. */
static void skip_known_head(rule_writer *w) {
  if (emit_kind(w->e, w->c->head) != KIND_STORED || !head_is_known(w)) return;
  if (emit_store(w->e, w->c->head)->kind != STORE_BITS) return;
  if (emit_arity(w->e, w->c->head) && !has_loop(w)) return;
  const char *test = emit_test(w->e, w->c->head, literal_values(w, w->c->head, w->c->head_args));
  add_condition(w, emit_format(w->e, "!%s", test));
}

static void write_head(rule_writer *w) {
  emitter *e = w->e;
  const char *verb = emit_kind(e, w->c->head) == KIND_PASSED ? "pass" : "add";
  text_add_format(e->out, "%s_%s(k", verb, emit_name(e, w->c->head));
  const c_value *values = literal_values(w, w->c->head, w->c->head_args);
  for (uint32_t i = 0; i < emit_arity(e, w->c->head); i++)
    text_add_format(e->out, ", %s", values[i].expression);
  text_add(e->out, ");\n");
  if (w->leaves_loop) text_add(e->out, "break;\n");
}

static const char *rule_words(emitter *e, const flat_clause *c) {
  const program *p = e->f->source;
  const rule_id r = p->clauses.items[c->source].rule;
  text out = text_new(e->keep);
  if (r == RULE_NONE)
    clause_print(p, c->source, NOTATION_KIF, &out);
  else
    rule_print(p, r, NOTATION_KIF, &out);
  return text_string(&out);
}

/* `columns` are the values of the fact that triggers the rule. */
static void write_rule(emitter *e, const trigger *t, const c_value *columns) {
  const flat_clause *c = &e->f->clauses.items[t->clause];
  rule_writer w = {.e = e,
                   .t = t,
                   .c = c,
                   .values = arena_zero_array(e->keep, c_value, c->variable_count + 1),
                   .is_placed = arena_zero_array(e->keep, bool, c->body_count + 1)};
  emit_comment(e, "", rule_words(e, c));
  if (t->by != ID_NONE) {
    const flat_literal *l = &e->f->literals.items[t->by];
    bind_columns(&w, l, columns, emit_all_columns(e, l->relation));
  }
  skip_known_head(&w);
  write_remaining(&w);
  check_distincts(&w);
  write_conditions(&w);
  write_head(&w);
  for (uint32_t i = 0; i < w.braces; i++) text_add_char(e->out, '}');
  if (w.braces) text_add_char(e->out, '\n');
}

/* ---- firings ---- */

static const char *firing_name(emitter *e, const firing *f) {
  return emit_format(e, "on_%s_g%u_l%u%s",
                     f->relation == ID_NONE ? "nothing" : emit_name(e, f->relation), f->group,
                     f->level, f->is_recursive ? "_again" : "");
}

/* The columns that the rules of a firing read, and those among them that may stay unused. */
static uint64_t columns_used_by(emitter *e, const firing *f, uint64_t *perhaps) {
  uint64_t used = 0;
  *perhaps = UINT64_MAX;
  for (uint32_t i = 0; i < f->trigger_count; i++) {
    const trigger *t = &e->v->triggers.items[f->first_trigger + i];
    const rule_writer w = {.e = e, .t = t, .c = &e->f->clauses.items[t->clause]};
    if (storage_takes_bits(e->s, t)) continue;
    const flat_literal *l = &e->f->literals.items[t->by];
    const uint64_t own = used_columns(&w, l, 0);
    used |= own;
    *perhaps &= perhaps_columns(&w, l, 0) | ~own;
  }
  return used;
}

static void write_triggers(emitter *e, const firing *f, const c_value *columns) {
  for (uint32_t i = 0; i < f->trigger_count; i++) {
    const trigger *t = &e->v->triggers.items[f->first_trigger + i];
    if (!storage_takes_bits(e->s, t)) write_rule(e, t, columns);
  }
}

/* Rules that take a whole set of bits over, once for all facts.  True: there are others. */
static bool write_whole_triggers(emitter *e, const firing *f) {
  bool has_others = false;
  for (uint32_t i = 0; i < f->trigger_count; i++) {
    const trigger *t = &e->v->triggers.items[f->first_trigger + i];
    has_others |= !storage_takes_bits(e->s, t);
    if (!storage_takes_bits(e->s, t)) continue;
    const flat_clause *c = &e->f->clauses.items[t->clause];
    const store *it = emit_store(e, f->relation);
    emit_comment(e, "", rule_words(e, c));
    text_add_format(e->out, "for (uint32_t i = 0; i < %uu; i++) %s[i] |= k->position[%uu + i];\n",
                    (uint32_t)((it->product + 63) / 64), emit_bits(e, c->head), it->place);
  }
  return has_others;
}

/* The facts of the relation, or the one moment of a firing without relation. */
static void write_firing(emitter *e, const firing *f) {
  if (f->relation == ID_NONE) {
    text_add_format(e->out, "\nstatic void %s(kb *k) {\n", firing_name(e, f));
    write_triggers(e, f, NULL);
    text_add(e->out, "}\n");
    return;
  }
  const uint32_t arity = emit_arity(e, f->relation);
  c_value *columns = arena_zero_array(e->keep, c_value, arity + 1);
  c_loop loop = {.relation = f->relation, .number = ++e->loop_count, .is_from = f->is_recursive};
  loop.used = columns_used_by(e, f, &loop.perhaps);
  text_add_format(e->out,
                  f->is_recursive ? "\nstatic uint32_t %s(kb *k, uint32_t from) {\n"
                                  : "\nstatic void %s(kb *k) {\n",
                  firing_name(e, f));
  if (write_whole_triggers(e, f)) {
    emit_loop(e, &loop, columns);
    emit_stop(e, &loop, emit_work_of_firing(e, f));
    write_triggers(e, f, columns);
    for (uint32_t i = 0; i < loop.braces; i++) text_add_char(e->out, '}');
  }
  if (f->is_recursive) text_add_format(e->out, "\nreturn %s;", emit_count(e, f->relation));
  text_add(e->out, "\n}\n");
}

static void write_pass_head(emitter *e, flat_id r) {
  text_add_format(e->out, "static void pass_%s(kb *k", emit_name(e, r));
  for (uint32_t i = 0; i < emit_arity(e, r); i++) text_add_format(e->out, ", uint32_t a%u", i);
  text_add_char(e->out, ')');
}

static void write_passed(emitter *e, const firing *f) {
  const uint32_t arity = emit_arity(e, f->relation);
  c_value *columns = arena_zero_array(e->keep, c_value, arity + 1);
  for (uint32_t i = 0; i < arity; i++) {
    const column_domain *c = domain_of(e->d, f->relation, i);
    columns[i] = (c_value){emit_format(e, "a%u", i), c->low, c->high};
  }
  text_add_char(e->out, '\n');
  write_pass_head(e, f->relation);
  text_add(e->out, " {\n");
  uint64_t perhaps;
  columns_used_by(e, f, &perhaps);
  for (uint32_t i = 0; i < arity; i++)
    if (perhaps >> i & 1) text_add_format(e->out, "(void)a%u;\n", i);
  write_triggers(e, f, columns);
  text_add(e->out, "}\n");
}

void emit_rule_functions(emitter *e) {
  text_add_char(e->out, '\n');
  for (uint32_t i = 0; i < e->v->passed.count; i++) {
    write_pass_head(e, e->v->passed.items[i].relation);
    text_add(e->out, ";\n");
  }
  for (uint32_t i = 0; i < e->v->passed.count && !budget_is_spent(e->limits); i++)
    write_passed(e, &e->v->passed.items[i]);
  for (uint32_t i = 0; i < e->v->firings.count && !budget_is_spent(e->limits); i++)
    write_firing(e, &e->v->firings.items[i]);
}

/* How far a recursive firing has got: a kept one goes on in the next state. */
static const char *cursor_of(emitter *e, uint32_t firing_number) {
  const bool is_kept = e->v->groups[e->v->firings.items[firing_number].group].is_kept;
  return emit_format(e, is_kept ? "k->n%u" : "n%u", firing_number);
}

/* The recursive firings of one level take turns until none has a new fact. */
static uint32_t write_recursion(emitter *e, uint32_t first) {
  const firing *f = &e->v->firings.items[first];
  const bool is_kept = e->v->groups[f->group].is_kept;
  uint32_t last = first;
  while (last < e->v->firings.count && e->v->firings.items[last].is_recursive &&
         e->v->firings.items[last].group == f->group && e->v->firings.items[last].level == f->level)
    last++;
  for (uint32_t i = first; i < last && !is_kept; i++)
    text_add_format(e->out, "uint32_t n%u = 0;\n", i);
  text_add(e->out, "while (");
  for (uint32_t i = first; i < last; i++)
    text_add_format(e->out, "%s%s < %s", i > first ? " || " : "", cursor_of(e, i),
                    emit_count(e, e->v->firings.items[i].relation));
  text_add(e->out, ") {\n");
  for (uint32_t i = first; i < last; i++)
    text_add_format(e->out, "%s = %s(k, %s);\n", cursor_of(e, i),
                    firing_name(e, &e->v->firings.items[i]), cursor_of(e, i));
  text_add(e->out, "}\n");
  return last;
}

static bool has_kept_cursor(const emitter *e, uint32_t i) {
  const firing *f = &e->v->firings.items[i];
  return f->is_recursive && e->v->groups[f->group].is_kept;
}

void emit_cursor_fields(emitter *e) {
  for (uint32_t i = 0; i < e->v->firings.count; i++)
    if (has_kept_cursor(e, i)) text_add_format(e->out, "uint32_t n%u;\n", i);
}

void emit_cursor_resets(emitter *e) {
  for (uint32_t i = 0; i < e->v->firings.count; i++)
    if (has_kept_cursor(e, i)) text_add_format(e->out, "k->n%u = 0;\n", i);
}

void emit_firing_calls(emitter *e, uint32_t group) {
  for (uint32_t i = 0; i < e->v->firings.count;) {
    const firing *f = &e->v->firings.items[i];
    if (f->group != group) {
      i++;
    } else if (f->is_recursive) {
      i = write_recursion(e, i);
    } else {
      text_add_format(e->out, "  %s(k);\n", firing_name(e, f));
      i++;
    }
  }
}
