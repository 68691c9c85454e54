#include "prove/check_certificate.h"

#include "base/bitset.h"
#include "prove/check_plays.h"
#include "prove/check_section.h"

/* ---- the three questions ---- */

/* Nothing is forbidden, but plays must end. */
static bool asks_for_ends(const checker *k, const section *s) {
  return section_asks_for(k, s, "terminates");
}

static void begin_questions(checker *k, ground_clauses *c) {
  ground_clauses_init(c, k->g, k->b, k->keep);
  ground_clauses_add_moment(c);
}

static bool start_holds(checker *k, const section *s) {
  bool *initially = arena_new_array(k->keep, bool, k->g->fluents.count + 1);
  for (uint32_t i = 0; i < k->g->fluents.count; i++)
    initially[i] = k->g->fluents.items[i].initially;
  for (uint32_t i = 0; i < s->facts.count; i++)
    if (!fact_holds(&s->facts.items[i], initially))
      return checker_complain(k, "a fact does not hold at the start", NULL);
  return true;
}

/* In fewer than `steps` steps nothing forbidden is reached; if they are to be the last, no further
   step can be made. */
static bool first_steps_hold(checker *k, const section *s, uint32_t steps, bool are_last) {
  ground_clauses c;
  bool ok = true;
  begin_questions(k, &c);
  ground_clauses_start(&c);
  for (uint32_t time = 0; ok && time < steps; time++) {
    ok = asks_for_ends(k, s) || clauses_refute(&c, section_forbidden(k, &c, s, time)) ||
         checker_complain(k, "what is forbidden can be reached", NULL);
    ground_clauses_step(&c, time);
    ground_clauses_add_moment(&c);
  }
  if (ok && are_last)
    ok = clauses_refute(&c, c.truth) || checker_complain(k, "there is a longer play", NULL);
  ground_clauses_free(&c);
  return ok && !k->complaint;
}

static bool property_holds(checker *k, const section *s) {
  ground_clauses c;
  begin_questions(k, &c);
  for (uint32_t time = 0; time < s->k; time++) {
    const clause_literal allowed = -section_forbidden(k, &c, s, time);
    facts_require(&c, &s->facts, time);
    clauses_add(&c, &allowed, 1);
    ground_clauses_step(&c, time);
    ground_clauses_add_moment(&c);
  }
  facts_require(&c, &s->facts, s->k);
  const bool ok = clauses_refute(&c, section_forbidden(k, &c, s, s->k)) ||
                  checker_complain(k, "the facts do not rule out what is forbidden", NULL);
  ground_clauses_free(&c);
  return ok && !k->complaint;
}

/* Where the facts hold no step makes a goal smaller. */
static bool goals_do_not_fall(checker *k, const section *s) {
  ground_clauses c;
  begin_questions(k, &c);
  facts_require(&c, &s->facts, 0);
  ground_clauses_step(&c, 0);
  ground_clauses_add_moment(&c);
  const bool ok = clauses_refute(&c, goals_fall(k, &c, 0)) ||
                  checker_complain(k, "a step may make a goal smaller", NULL);
  ground_clauses_free(&c);
  return ok;
}

/* ---- plays that end ---- */

static void require_same(ground_clauses *c, const checked_measure *m, uint32_t time) {
  const clause_literal same = -measure_changes(c, m, time);
  clauses_add(c, &same, 1);
}

/* No step raises a measure and leaves those before it as they are. */
static bool measures_fall(checker *k, const section *s) {
  ground_clauses c;
  bool ok = true;
  begin_questions(k, &c);
  facts_require(&c, &s->facts, 0);
  ground_clauses_step(&c, 0);
  ground_clauses_add_moment(&c);
  for (uint32_t i = 0; i < s->measures.count && ok; i++) {
    ok = clauses_refute(&c, measure_grows(&c, &s->measures.items[i], 0)) ||
         checker_complain(k, "a step may raise a measure", NULL);
    require_same(&c, &s->measures.items[i], 0);
  }
  ground_clauses_free(&c);
  return ok;
}

/* No k steps leave all measures as they are. */
static bool measures_change(checker *k, const section *s) {
  ground_clauses c;
  begin_questions(k, &c);
  for (uint32_t time = 0; time < s->k; time++) {
    facts_require(&c, &s->facts, time);
    ground_clauses_step(&c, time);
    ground_clauses_add_moment(&c);
    for (uint32_t i = 0; i < s->measures.count; i++) require_same(&c, &s->measures.items[i], time);
  }
  const bool ok = clauses_refute(&c, c.truth) ||
                  checker_complain(k, "steps may leave all measures as they are", NULL);
  ground_clauses_free(&c);
  return ok;
}

/* ---- plays that are played ---- */

static play_check play_of(checker *k, const section *s) {
  text words = text_new(k->keep);
  node_id n = node_after(k->t, node_first(s->property));
  for (; n != node_after(k->t, s->property); n = node_after(k->t, n))
    text_add_format(&words, "%s%s", words.length ? " " : "", checker_node_text(k, n));
  return (play_check){.program = k->program,
                      .g = k->g,
                      .property = text_string(&words),
                      .facts = &s->facts,
                      .fluent_names = k->fluent_names,
                      .keep = k->keep,
                      .b = k->b,
                      .d = k->d};
}

static bool line_holds(checker *k, const section *s) {
  const play_check q = play_of(k, s);
  const char *why = NULL;
  VEC(const char *) texts = {0};
  uint32_t length = 0;
  for (node_id n = node_after(k->t, node_first(s->line)); n != node_after(k->t, s->line);
       n = node_after(k->t, n), length++) {
    if (!node_is_list(k->t, n) || node_element_count(k->t, n) != k->g->roles.count)
      return checker_complain(k, "this is no joint move", checker_node_text(k, n));
    for (node_id i = node_first(n); i != node_after(k->t, n); i = node_after(k->t, i))
      vec_push(k->keep, &texts, checker_node_text(k, i));
  }
  return check_line(&q, texts.items, length, s->returns_to, &why) || checker_complain(k, why, NULL);
}

static bool all_plays_hold(checker *k, const section *s) {
  const play_check q = play_of(k, s);
  const char *why = NULL;
  return check_all_plays(&q, s->longest, &why) || checker_complain(k, why, NULL);
}

/* ---- games that clauses do not speak of ---- */

typedef struct atom_search {
  bitset seen;
  id_vec queue;
  arena *scratch;
} atom_search;

static void reach_atom(atom_search *x, atom_id a) {
  if (a != ATOM_NONE && bitset_insert(x->seen, a)) vec_push(x->scratch, &x->queue, a);
}

/* Does legal, goal or terminal depend on moves?  They are read while none is made, and in the
   clauses of a step one is. */
static bool reads_moves_at_rest(const ground_program *g) {
  arena *scratch = arena_new();
  atom_search x = {.seen = bitset_new(scratch, g->atoms.count + 1), .scratch = scratch};
  bool found = false;
  reach_atom(&x, g->terminal);
  for (uint32_t i = 0; i < g->moves.count; i++) reach_atom(&x, g->moves.items[i].legal);
  for (uint32_t i = 0; i < g->goals.count; i++) reach_atom(&x, g->goals.items[i].atom);
  for (uint32_t i = 0; i < x.queue.count; i++)
    for (uint32_t r = g->rules_of[x.queue.items[i]]; r < g->rules_of[x.queue.items[i] + 1]; r++)
      for (uint32_t l = 0; l < g->rules.items[r].body_count; l++)
        reach_atom(&x, literal_atom(g->literals.items[g->rules.items[r].body + l]));
  for (uint32_t i = 0; i < g->moves.count; i++)
    found |= g->moves.items[i].does != ATOM_NONE && bitset_has(x.seen, g->moves.items[i].does);
  arena_free(scratch);
  return found;
}

/* ---- all sections ---- */

enum { K_MAX = 64, STEPS_MAX = 1000 };

/* Of mutex the facts are the whole proof: nothing is forbidden, but there must be something to it.
 */
static bool has_group(checker *k, const section *s) {
  for (uint32_t i = 0; i < s->facts.count; i++)
    if (s->facts.items[i].at_most && s->facts.items[i].members.count > 1) return true;
  return checker_complain(k, "there is no group of fluents of which at most one holds", NULL);
}

/* A section has one kind of evidence, and nothing that this does not look at. */
static bool is_of_one_kind(checker *k, const section *s) {
  const bool has_line = s->line != ID_NONE, has_steps = s->steps != ID_NONE;
  const bool has_proof = s->k || s->measures.count;
  const bool has_facts = s->facts.count > 0;
  if (has_line + has_steps + s->is_exhaustive + has_proof > 1)
    return checker_complain(k, "there is more than one kind of evidence", NULL);
  if ((has_facts && (has_line || has_steps)) || (s->returns_to && !has_line) ||
      (s->longest != ID_NONE && !(s->is_exhaustive && asks_for_ends(k, s))) ||
      (s->measures.count && !asks_for_ends(k, s)))
    return checker_complain(k, "something in it is not evidence for that", NULL);
  return true;
}

/* What the section is made of says how it is checked. */
static bool section_holds(checker *k, const section *s) {
  if (!is_of_one_kind(k, s)) return false;
  if (section_asks_for(k, s, "mutex") && !has_group(k, s)) return false;
  if (s->line != ID_NONE) return line_holds(k, s);
  if (section_asks_for(k, s, "monotone") && s->steps != ID_NONE)
    return checker_complain(k, "steps are checked by facts alone", NULL);
  if (s->is_exhaustive) return all_plays_hold(k, s);
  if (reads_moves_at_rest(k->g))
    return checker_complain(k, "legal, goal or terminal depends on does", NULL);
  if (s->steps != ID_NONE)
    return s->steps <= STEPS_MAX ? first_steps_hold(k, s, s->steps + 1, true)
                                 : checker_complain(k, "there are too many steps", NULL);
  if (s->k > K_MAX) return checker_complain(k, "k is too large", NULL);
  if (!start_holds(k, s) || !section_step_holds(k, s)) return false;
  if (!asks_for_ends(k, s))
    return first_steps_hold(k, s, s->k, false) && property_holds(k, s) &&
           (!section_asks_for(k, s, "monotone") || goals_do_not_fall(k, s));
  if (!s->measures.count || !s->k) return checker_complain(k, "there is no measure", NULL);
  return measures_fall(k, s) && measures_change(k, s);
}

/* The limit that kept a check from its end; NULL: none did. */
static const char *limit_reached(budget *b) {
  if (!b || !budget_check_now(b)) return NULL;
  switch (b->end) {
    case BUDGET_TIME: return "the time limit was reached";
    case BUDGET_MEMORY: return "the memory limit was reached";
    default: return "it was interrupted";
  }
}

/* A solver that had to stop found no model and no proof, so that a complaint may be wrong then. */
static void check_section(checker *k, const section *s, certificate_report *r) {
  const bool is_readable = !k->complaint && s->property != ID_NONE;
  const bool ok = is_readable && section_holds(k, s);
  const char *limit = is_readable && !ok ? limit_reached(k->b) : NULL;
  text_add_format(&r->words, "%s: ", checker_node_text(k, s->property));
  if (ok) {
    r->accepted++;
    text_add(&r->words, "accepted\n");
  } else if (limit) {
    r->unchecked++;
    text_add_format(&r->words, "not checked: %s\n", limit);
  } else {
    r->rejected++;
    text_add_format(&r->words, "rejected, %s\n", k->complaint);
  }
}

static void name_fluents(checker *k) {
  k->fluent_names = arena_new_array(k->keep, const char *, k->g->fluents.count + 1);
  for (uint32_t i = 0; i < k->g->fluents.count; i++)
    k->fluent_names[i] = checker_term_text(k, k->g->fluents.items[i].term);
}

/* So that one section does not take the time of all: each gets its share of what is left. */
static budget share_of_time(const budget *b, uint32_t sections) {
  budget part = *b;
  if (b->deadline > 0) part.deadline = clock_now() + (b->deadline - clock_now()) / sections;
  part.countdown = 0;
  return part;
}

static uint32_t count_sections(const checker *k, node_id n) {
  uint32_t count = 1;
  for (; n != k->t->nodes.count; n = node_after(k->t, n))
    count += checker_is_named(k, n, "property");
  return count;
}

static void check_all(checker *k, certificate_report *r) {
  budget *all = k->b;
  name_fluents(k);
  for (node_id n = 0; n != k->t->nodes.count;) {
    section s;
    k->complaint = NULL;
    if (!checker_is_named(k, n, "property"))
      checker_complain(k, "a section begins with a property", NULL);
    n = section_read(k, n, &s);
    budget part = share_of_time(all, count_sections(k, n));
    k->b = &part;
    check_section(k, &s, r);
  }
  k->b = all;
}

bool certificate_check(certificate_report *r, const source *certificate, const program *p,
                       arena *keep, budget *b, diag_sink *d) {
  tree t;
  ground_program g;
  ground_stats stats;
  *r = (certificate_report){.words = text_new(keep)};
  if (!tree_read(&t, certificate, symbols_new(keep), keep, d)) return false;
  if (!ground_rules(&g, p, (ground_options){.optimise = true}, keep, b, d, &stats)) return false;
  if (!g.roles.count) {
    diag_add(d, DIAG_E601, SPAN_NONE, "the game has no role");
    return false;
  }
  checker k = {.program = p, .g = &g, .t = &t, .keep = keep, .b = b, .d = d};
  check_all(&k, r);
  return true;
}
