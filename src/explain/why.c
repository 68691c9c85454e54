#include "explain/why.h"

#include "rules/term_read.h"

#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

static term_id asked_with(world *w, symbol_id relation) {
  const term_id variable = term_variable(w->terms, 0);
  return term_atom(w->terms, relation, &variable, 1);
}

/* What stands in the only argument of a relation. */
static term_list all_of(why *y, symbol_id relation) {
  const answer_rows rows = world_answers(y->world, asked_with(y->world, relation));
  term_id *copy = arena_new_array(y->keep, term_id, rows.count + (size_t)1);
  if (rows.count) memcpy(copy, rows.values, rows.count * sizeof *copy);
  return (term_list){copy, rows.count};
}

static void find_roles(why *y) {
  const term_list roles = all_of(y, SYM_ROLE);
  term_id *ordered = arena_new_array(y->keep, term_id, roles.count + (size_t)1);
  if (roles.count) memcpy(ordered, roles.items, roles.count * sizeof *ordered);
  program_order_roles(y->program, y->world->terms, ordered, roles.count);
  y->roles = (term_list){ordered, roles.count};
}

bool why_report_trouble(const why *y, diag_sink *d) {
  const machine_trouble *t = &y->world->trouble;
  if (t->is_there) diag_add(d, t->kind, t->where, "%s", t->message);
  return t->is_there;
}

why *why_open(const program *p, const why_question *q, budget *b, arena *keep, diag_sink *d) {
  why *y = arena_alloc_zero(keep, sizeof *y);
  *y = (why){.program = p, .keep = keep, .budget = b, .question = *q};
  y->world = world_open(p, b, keep);
  world_set(y->world, (term_list){0}, (term_list){0});
  y->explanation = (explanation){.world = y->world, .keep = keep};
  find_roles(y);
  if (!why_report_trouble(y, d)) return y;
  why_close(y);
  return NULL;
}

void why_close(why *y) {
  if (y) world_close(y->world);
}

/* ---- the line of play ---- */

static void add_state(why *y, term_list fluents) {
  const why_state s = {.fluents = fluents};
  vec_push(y->keep, &y->states, s);
  world_set(y->world, fluents, (term_list){0});
}

bool why_begin(why *y, const char *const *fluents, uint32_t count) {
  if (!fluents) {
    add_state(y, all_of(y, SYM_INIT));
    return !y->world->trouble.is_there;
  }
  term_id *terms = arena_new_array(y->keep, term_id, count + (size_t)1);
  uint32_t known = 0;
  for (uint32_t i = 0; i < count; i++)
    known += term_read_canonical(y->world->terms, fluents[i], y->keep, &terms[known]);
  y->is_given = true;
  add_state(y, (term_list){terms, known});
  return known == count;
}

bool why_set_moves(why *y, const char *const *joint) {
  world *w = y->world;
  why_state *last = &vec_last(&y->states);
  term_id *does = arena_new_array(y->keep, term_id, y->roles.count + (size_t)1);
  for (uint32_t i = 0; i < y->roles.count; i++) {
    term_id args[] = {y->roles.items[i], TERM_NONE};
    if (!term_read_canonical(w->terms, joint[i], y->keep, &args[1])) return false;
    does[i] = term_atom(w->terms, SYM_DOES, args, 2);
  }
  last->does = (term_list){does, y->roles.count};
  world_set(w, last->fluents, last->does);
  return true;
}

bool why_step_on(why *y, const char *const *joint) {
  if (!why_set_moves(y, joint)) return false;
  add_state(y, all_of(y, SYM_NEXT));
  return !y->world->trouble.is_there;
}

/* ---- fluents along the line ---- */

static bool state_has(const why *y, uint32_t state, term_id pattern) {
  world_set(y->world, y->states.items[state].fluents, y->states.items[state].does);
  return world_holds(y->world, term_atom(y->world->terms, SYM_TRUE, &pattern, 1));
}

static void set_last(const why *y) {
  const why_state *last = &vec_last(&y->states);
  world_set(y->world, last->fluents, last->does);
}

static bool list_has(term_list l, term_id t) {
  for (uint32_t i = 0; i < l.count; i++)
    if (l.items[i] == t) return true;
  return false;
}

static void add_joint(const why *y, uint32_t state, text *out) {
  const term_list does = y->states.items[state].does;
  for (uint32_t i = 0; i < does.count; i++) {
    const term_id *args = term_args(y->world->terms, does.items[i]);
    text_add(out, i ? ", " : "");
    term_print(y->world->terms, args[0], NOTATION_KIF, NULL, out);
    text_add_char(out, ' ');
    term_print(y->world->terms, args[1], NOTATION_KIF, NULL, out);
  }
}

/* A why_history: the world stays as it is. */
static const char *when_lost(void *context, term_id fluent) {
  const why *y = context;
  if (!term_is_ground(y->world->terms, fluent)) return NULL;
  for (uint32_t i = y->states.count - 1; i-- > 0;) {
    if (!list_has(y->states.items[i].fluents, fluent)) continue;
    text out = text_new(y->keep);
    text_add_format(&out, "it held until step %u: ", i + 1);
    add_joint(y, i, &out);
    return text_string(&out);
  }
  return NULL;
}

/* The step after which the fluent was there without a break; 0: since the start. */
static uint32_t since_when(const why *y, term_id fluent) {
  uint32_t i = y->states.count - 1;
  while (i && list_has(y->states.items[i - 1].fluents, fluent)) i--;
  return i;
}

/* ---- words ---- */

static const char *where_words(const why *y) {
  const uint32_t steps = y->states.count - 1;
  text out = text_new(y->keep);
  if (!steps) return y->is_given ? "in this state" : "at the start";
  text_add_format(&out, "after %u step%s", steps, plural(steps));
  return text_string(&out);
}

static void add_literal(const why *y, text *out) {
  if (y->question.is_negated) text_add(out, "(not ");
  term_print(y->world->terms, y->question.atom, NOTATION_KIF, y->question.names, out);
  if (y->question.is_negated) text_add_char(out, ')');
}

static void set_headline(why *y, const char *more) {
  text out = text_new(y->keep);
  text_add(&out, y->holds ? "yes: " : "no: ");
  add_literal(y, &out);
  text_add_format(&out, " %s %s%s", y->holds ? "holds" : "does not hold", where_words(y), more);
  y->headline = text_string(&out);
}

/* ---- answering ---- */

static explain_choice choice_of(why *y) {
  explain_choice how = explain_usual;
  how.history = when_lost;
  how.context = y;
  return how;
}

static term_id fluent_under(const why *y, symbol_id relation, term_id fluent) {
  return term_atom(y->world->terms, relation, &fluent, 1);
}

/* Which rule kept it in the last step. */
static void tell_keeping(why *y, term_id fluent) {
  const uint32_t last = y->states.count - 1;
  const explain_choice how = {.failure_levels = 0, .attempts_max = 1};
  world_set(y->world, y->states.items[last - 1].fluents, y->states.items[last - 1].does);
  explanation *e = &y->explanation;
  e->shown.count = 0; /* that was in another state */
  explanation_add(e, WHY_NOTE, 0, true, TERM_NONE)->words = "the last step has kept it:";
  explain_holds(e, fluent_under(y, SYM_NEXT, fluent), 1, &how);
  set_last(y);
}

static const char *since_words(const why *y, uint32_t since) {
  text out = text_new(y->keep);
  if (!since) return "since the start";
  text_add_format(&out, "since step %u: ", since);
  add_joint(y, since - 1, &out);
  return text_string(&out);
}

static void set_headline_of_many(why *y) {
  text more = text_new(y->keep);
  if (y->answers.count > 1) text_add_format(&more, ", in %u ways", y->answers.count);
  set_headline(y, text_string(&more));
}

/* Since when it has been there: in the headline, unless variables there may stand for others. */
static void tell_since(why *y, uint32_t since) {
  const bool is_alone = term_is_ground(y->world->terms, y->question.atom);
  const bool has_past = y->states.count > 1;
  text more = text_new(y->keep);
  if (has_past) text_add_format(&more, ", %s", since_words(y, since));
  if (is_alone)
    set_headline(y, text_string(&more));
  else
    set_headline_of_many(y);
  if (!is_alone && has_past)
    explanation_add(&y->explanation, WHY_NOTE, 0, true, TERM_NONE)->words = since_words(y, since);
}

/* A fluent that is there: how it came. */
static void explain_fluent(why *y, term_id fluent) {
  const uint32_t since = since_when(y, fluent);
  const explain_choice how = choice_of(y);
  tell_since(y, since);
  if (!since && y->is_given) {
    explanation_add(&y->explanation, WHY_FLUENT, 0, true, fluent_under(y, SYM_TRUE, fluent))
        ->words = "it is given";
  } else if (!since) {
    explain_holds(&y->explanation, fluent_under(y, SYM_INIT, fluent), 0, &how);
  } else {
    world_set(y->world, y->states.items[since - 1].fluents, y->states.items[since - 1].does);
    explain_holds(&y->explanation, fluent_under(y, SYM_NEXT, fluent), 0, &how);
    set_last(y);
  }
  if (since + 1 < y->states.count) tell_keeping(y, fluent);
}

/* The last state before the present one that had the fluent; UINT32_MAX: none. */
static uint32_t last_with(const why *y, term_id fluent) {
  uint32_t found = UINT32_MAX;
  for (uint32_t i = y->states.count - 1; found == UINT32_MAX && i-- > 0;)
    if (state_has(y, i, fluent)) found = i;
  set_last(y);
  return found;
}

static void explain_step_without(why *y, uint32_t state, term_id fluent) {
  const explain_choice how = explain_usual; /* what was lost is told of the last state alone */
  world_set(y->world, y->states.items[state].fluents, y->states.items[state].does);
  explain_fails(&y->explanation, fluent_under(y, SYM_NEXT, fluent), 0, &how);
  set_last(y);
}

/* A fluent that is not there: what lost it, or that it never was. */
static void explain_no_fluent(why *y, term_id fluent) {
  const uint32_t steps = y->states.count - 1;
  const uint32_t had = last_with(y, fluent);
  text more = text_new(y->keep);
  const char *never = explain_never(y->world, y->question.atom, y->keep);
  if (had != UINT32_MAX) text_add_format(&more, ": step %u lost it, ", had + 1);
  if (had != UINT32_MAX) add_joint(y, had, &more);
  if (had == UINT32_MAX && never) text_add_format(&more, ": %s", never);
  if (had == UINT32_MAX && !never && steps) text_add(&more, ", nor before");
  set_headline(y, text_string(&more));
  if (had != UINT32_MAX || steps) {
    explain_step_without(y, had != UINT32_MAX ? had : steps - 1, fluent);
    return;
  }
  const explain_choice how = choice_of(y);
  explain_fails(&y->explanation, fluent_under(y, SYM_TRUE, fluent), 0, &how);
  if (!y->is_given) explain_fails(&y->explanation, fluent_under(y, SYM_INIT, fluent), 0, &how);
}

static bool needs_moves(const why *y) {
  const relation_id r = world_relation(y->world, y->question.atom);
  return r != RELATION_NONE && y->world->rules.relations[r].layer == LAYER_MOVE &&
         !vec_last(&y->states).does.count;
}

static void explain_absent(why *y) {
  const relation_id r = world_relation(y->world, y->question.atom);
  if (r == SYM_TRUE) {
    explain_no_fluent(y, term_arg(y->world->terms, y->question.atom, 0));
    return;
  }
  const explain_choice how = choice_of(y);
  const char *never = explain_never(y->world, y->question.atom, y->keep);
  text more = text_new(y->keep);
  if (needs_moves(y)) text_add(&more, " while no move is given (--does)");
  if (never) text_add_format(&more, ": %s", never);
  set_headline(y, text_string(&more));
  const uint32_t at = y->explanation.steps.count;
  explain_fails(&y->explanation, y->question.atom, 0, &how);
  y->explanation.steps.items[at].names = y->question.names;
}

static void take_answers(why *y, const answer_rows *rows) {
  for (uint32_t i = 0; i < rows->count; i++) {
    const term_id *row = rows->columns ? rows->values + (size_t)i * rows->columns : NULL;
    const term_id atom = world_instance(y->world, y->question.atom, row, NULL);
    vec_push(y->keep, &y->answers, atom);
  }
}

static int compare_atoms(const void *left, const void *right, void *terms) {
  return term_compare(terms, *(const term_id *)left, *(const term_id *)right);
}

static void explain_present(why *y) {
  const explain_choice how = choice_of(y);
  qsort_r(y->answers.items, y->answers.count, sizeof(term_id), compare_atoms, y->world->terms);
  const term_id first = y->answers.items[0];
  if (world_relation(y->world, first) == SYM_TRUE) {
    explain_fluent(y, term_arg(y->world->terms, first, 0));
    return;
  }
  set_headline_of_many(y);
  explain_holds(&y->explanation, first, 0, &how);
}

bool why_answer(why *y) {
  const answer_rows rows = world_answers(y->world, y->question.atom);
  if (y->world->trouble.is_there) return false;
  y->holds = (rows.count > 0) != y->question.is_negated;
  take_answers(y, &rows);
  if (rows.count)
    explain_present(y);
  else
    explain_absent(y);
  return !y->world->trouble.is_there && !budget_is_spent(y->budget);
}
