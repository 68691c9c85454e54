#include "prove/prover.h"

#include "machine/trace.h"
#include "prove/certificate.h"
#include "prove/relation_marks.h"
#include "read/canonical.h"

#include <string.h>

/* ---- opening ---- */

/* Of the time that is left, what grounding may take when there is a method that can do without. */
static const double grounding_part = 0.9;

static const prove_method *method_of(const prove_options *o) {
  return o->method ? o->method : prove_methods;
}

static const diag *last_error(const diag_sink *d) {
  for (uint32_t i = d->all.count; i-- > 0;)
    if (diag_severity(&d->all.items[i]) == SEVERITY_ERROR) return &d->all.items[i];
  return NULL;
}

/* Was it for limits, for terms without end or at the wish of the user, and not for a fault of the
   game? */
static bool is_about_grounding(const diag *g) {
  return g && (g->kind == DIAG_E801 || g->kind == DIAG_E802 || g->kind == DIAG_E803 ||
               g->kind == DIAG_E804);
}

/* What is to blame, with the rule and its place where there is one. */
static const char *words_of(const diag *g, const program *p, arena *keep) {
  text out = text_new(keep);
  text_add(&out, g->message);
  program_print_place(p, g->where, &out);
  return text_string(&out);
}

static bool open_ground(prove_job *j, const program *p, prove_options o, budget *b, diag_sink *d) {
  if (method_of(&o)->input != INPUT_EITHER) return job_open(j, p, o, b, d);
  budget part = budget_part(b, budget_seconds_left(b) * grounding_part);
  return job_open(j, p, o, &part, d);
}

prover_opening prover_open(prove_job *j, const program *p, prove_options o, budget *b,
                           diag_sink *d) {
  const method_input input = method_of(&o)->input;
  const diag_sink before = *d;
  if (input == INPUT_RULES) return job_open_rules(j, p, o, b, d) ? PROVER_READY : PROVER_FAULTY;
  if (open_ground(j, p, o, b, d)) return PROVER_READY;
  const diag *why = d->errors > before.errors ? last_error(d) : NULL;
  if (!is_about_grounding(why)) return PROVER_FAULTY;
  const bool goes_on = input == INPUT_EITHER && why->kind != DIAG_E803;
  const char *words = words_of(why, p, d->keep);
  if (goes_on) diag_take_back(d, &before);
  if (!job_fall_back(j, words, b)) return PROVER_FAULTY;
  return goes_on ? PROVER_READY : PROVER_UNGROUND;
}

/* ---- asking ---- */

static const char blanks[] = " \t\r\n";

/* The next of a list with commas between its items, but not in parentheses or behind a `\`, which
   makes a character part of a name; without the blanks around it. */
static slice next_item(const char **at) {
  const char *start = *at + strspn(*at, blanks);
  uint32_t depth = 0;
  for (; **at && (**at != ',' || depth); ++*at) {
    if (**at == '(') depth++;
    if (**at == ')' && depth) depth--;
    if (**at == '\\' && (*at)[1]) ++*at;
  }
  size_t length = *at > start ? (size_t)(*at - start) : 0;
  while (length > 1 && strchr(blanks, start[length - 1]) && start[length - 2] != '\\') length--;
  if (**at) ++*at;
  return (slice){start, length};
}

/* The formula in the words of a property, as canonical KIF; NULL: there is none. */
static const char *formula_in(const char *words, arena *keep) {
  canonical_terms terms;
  const char *why;
  if (!canonical_read(&terms, slice_of(words), keep, &why) || terms.items.count != 2) return NULL;
  return terms.items.items[1];
}

static bool read_asked(prove_job *j, const char **complaint) {
  const state_atoms atoms = job_atoms(j);
  j->properties.count = 0;
  for (uint32_t i = 0; i < j->asked.count; i++)
    if (!property_read(&j->properties, j->asked.items[i], &atoms, j->keep, complaint)) return false;
  return true;
}

/* Grounds the game once more, with marks for more relations; all that was asked is read anew. */
static bool ground_with_marks(prove_job *j, bitset marked, budget *b, const char **complaint) {
  grounded fresh;
  diag_sink d;
  diag_sink_init(&d, j->keep);
  relations_mark(&j->marked_program, j->program, marked, j->keep);
  const machine_source from = {.program = &j->marked_program};
  if (!grounded_open(&fresh, &from, b, &d)) {
    grounded_close(&fresh);
    *complaint = d.all.count ? d.all.items[0].message : "the formula cannot be grounded";
    return false;
  }
  grounded_close(&j->g);
  j->g = fresh;
  j->roles = roles_of_circuit(&j->g.circuit, j->keep);
  j->marked = marked;
  job_dismiss_judge(j);
  return read_asked(j, complaint);
}

/* Relations that a formula names for the first time. */
static bool mark_relations(prove_job *j, const char *words, budget *b, const char **complaint) {
  const char *formula = formula_in(words, j->keep);
  if (!formula || j->has_rules_only) return true;
  const program *p = j->program;
  const bitset named = bitset_new(j->keep, p->relations.count + 1);
  relations_named(p, relations_of_states(p, j->keep), formula, named, j->keep);
  bool is_new = false;
  for (relation_id r = 0; r < p->relations.count; r++) {
    const bool was_marked = bitset_has(j->marked, r);
    is_new |= bitset_has(named, r) && !was_marked;
    if (was_marked) bitset_add(named, r);
  }
  return !is_new || ground_with_marks(j, named, b, complaint);
}

static bool ask_item(prove_job *j, const char *words, budget *b, const char **complaint) {
  if (!mark_relations(j, words, b, complaint)) return false;
  const state_atoms atoms = job_atoms(j);
  if (!property_read(&j->properties, words, &atoms, j->keep, complaint)) return false;
  vec_push(j->keep, &j->asked, words);
  return true;
}

bool prover_ask(prove_job *j, const char *list, budget *b, const char **complaint) {
  const uint32_t before = j->asked.count, properties_before = j->properties.count;
  while (*list) {
    const slice item = next_item(&list);
    const char *words = arena_copy_text(j->keep, item.start, item.length);
    if (!*words || ask_item(j, words, b, complaint)) continue;
    j->asked.count = before;
    j->properties.count = properties_before;
    return false;
  }
  if (j->asked.count > before) return true;
  *complaint = "the list names no property";
  return false;
}

/* ---- running ---- */

static void run_method(prove_job *j, budget *b) {
  const prove_method *m = method_of(&j->options);
  if (j->has_rules_only && m->input == INPUT_CIRCUIT) return;
  if (m != prove_methods) job_tell_method(j, m->name, b);
  (j->has_rules_only ? prove_by_abstraction : m->run)(j, b);
  if (!j->why_rules_only) methods_explain_open(j, m);
}

void prover_run(prove_job *j, budget *b) {
  const char *complaint;
  j->showing = budget_to_show(b);
  if (!j->properties.count && !prover_ask(j, "all", b, &complaint)) return;
  const property_vec asked = j->properties;
  job_ask(j, &asked);
  job_settle_absent(j);
  if (!job_is_settled(j)) run_method(j, b);
  job_end(j);
}

/* ---- what there is to show ---- */

/* What was asked for twice is certified once. */
static bool was_asked_before(const prove_job *j, uint32_t i) {
  for (uint32_t k = 0; k < i; k++)
    if (property_is_same(&j->properties.items[k], &j->properties.items[i])) return true;
  return false;
}

bool prover_certify(const prove_job *j, text *out) {
  const size_t before = out->length;
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (finding_has_certificate(&j->properties.items[i], &j->findings[i]) &&
        !was_asked_before(j, i))
      certificate_print(&j->properties.items[i], &j->findings[i], &j->g.circuit, out);
  return out->length > before;
}

static void add_line(void *context, const char *line) {
  text *out = context;
  text_add(out, line);
  text_add_char(out, '\n');
}

bool prover_trace(const prove_job *j, const finding *v, const char *game, budget *b, text *out) {
  const machine_source from = {.program = j->program};
  machine *m = machine_open("reference", &from, b, j->d);
  if (!m) return false;
  machine_workspace *w = machine_workspace_new(m, b);
  const trace_options o = {
      .game = game, .max_steps = v->length, .moves = line_texts(&j->g.circuit, &v->line, j->keep)};
  game_fault fault;
  trace_write(m, w, &o, add_line, out, j->keep, &fault);
  machine_workspace_free(m, w);
  machine_close(m);
  return true;
}
