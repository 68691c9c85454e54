#include "prove/check_certificate.h"

#include "prove/ground_clauses.h"
#include "read/tree.h"

#include <stdlib.h>
#include <string.h>

typedef struct member {
  uint32_t fluent;
  bool negated;
} member;

typedef struct claim_fact {
  bool at_least, at_most; /* at least one, at most one of the members */
  VEC(member) members;
} claim_fact;

/* One section. */
typedef struct section {
  node_id property; /* the list (property ...) */
  uint32_t k;
  VEC(claim_fact) facts;
} section;

typedef struct checker {
  const ground_program *g;
  const tree *t;
  arena *keep;
  budget *b;
  const char **fluent_names; /* sorted, as the fluents are */
  const char *complaint;     /* what is wrong with the section; NULL: nothing */
} checker;

/* The first complaint counts. */
static bool complain(checker *k, const char *why, const char *what) {
  if (k->complaint) return false;
  text words = text_new(k->keep);
  text_add_format(&words, "%s%s%s", why, what ? ": " : "", what ? what : "");
  k->complaint = text_string(&words);
  return false;
}

/* ---- reading ---- */

/* The canonical text of a node. */
static const char *node_text(checker *k, node_id n) {
  const tree *t = k->t;
  text out = text_new(k->keep);
  id_vec ends = {0};
  bool needs_blank = false;
  for (node_id at = n; at != node_after(t, n); at++) {
    for (; ends.count && vec_last(&ends) == at; ends.count--) text_add_char(&out, ')');
    if (needs_blank) text_add_char(&out, ' ');
    needs_blank = !node_is_list(t, at);
    if (node_is_list(t, at)) {
      text_add_char(&out, '(');
      vec_push(k->keep, &ends, node_after(t, at));
    } else {
      const slice name = symbol_folded(t->symbols, tree_node(t, at)->symbol);
      text_add_bytes(&out, name.start, name.length);
    }
    needs_blank = true;
    if (node_is_list(t, at)) needs_blank = false;
  }
  while (ends.count--) text_add_char(&out, ')');
  return text_string(&out);
}

static bool is_named(const checker *k, node_id n, const char *name) {
  const symbol_id functor = node_functor(k->t, n);
  return functor != SYM_NONE && slice_equals(symbol_folded(k->t->symbols, functor), name);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool find_fluent(checker *k, node_id n, uint32_t *fluent) {
  const char *name = node_text(k, n);
  const char **found =
      bsearch(&name, k->fluent_names, k->g->fluents.count, sizeof *k->fluent_names, compare_names);
  if (!found) return complain(k, "there is no such fluent", name);
  *fluent = (uint32_t)(found - k->fluent_names);
  return true;
}

static bool read_member(checker *k, node_id n, member *m) {
  m->negated = node_is_list(k->t, n) && is_named(k, n, "not") && node_element_count(k->t, n) == 2;
  return find_fluent(k, m->negated ? node_after(k->t, node_first(n)) : n, &m->fluent);
}

static bool read_fact(checker *k, node_id n, section *s) {
  claim_fact f = {0};
  f.at_least = is_named(k, n, "exactly-one") || is_named(k, n, "at-least-one");
  f.at_most = is_named(k, n, "exactly-one") || is_named(k, n, "at-most-one");
  if (!f.at_least && !f.at_most) return complain(k, "this is no fact", node_text(k, n));
  for (node_id i = node_after(k->t, node_first(n)); i != node_after(k->t, n);
       i = node_after(k->t, i)) {
    member m;
    if (!read_member(k, i, &m)) return false;
    vec_push(k->keep, &f.members, m);
  }
  vec_push(k->keep, &s->facts, f);
  return true;
}

/* Reads from the list (property ...) on; gives back where the section ends. */
static node_id read_section(checker *k, node_id n, section *s) {
  *s = (section){.property = n};
  for (n = node_after(k->t, n); n != k->t->nodes.count && !is_named(k, n, "property");
       n = node_after(k->t, n)) {
    if (k->complaint) continue;
    if (!node_is_list(k->t, n))
      complain(k, "this is no list", node_text(k, n));
    else if (is_named(k, n, "k") && node_element_count(k->t, n) == 2)
      s->k = (uint32_t)strtoul(node_text(k, node_after(k->t, node_first(n))), NULL, 10);
    else
      read_fact(k, n, s);
  }
  return n;
}

/* ---- facts as clauses ---- */

/* A literal that holds exactly when the fact does not. */
static clause_literal broken(checker *k, ground_clauses *c, const claim_fact *f, uint32_t time) {
  VEC(clause_literal) wrongs = {0};
  clause_literal some = -c->truth;
  for (uint32_t i = 0; i < f->members.count; i++) {
    const member m = f->members.items[i];
    const clause_literal now = c->moments.items[time].fluents[m.fluent];
    const clause_literal l = m.negated ? -now : now;
    if (f->at_most)
      vec_push(k->keep, &wrongs, clauses_all(c, (const clause_literal[]){some, l}, 2));
    some = clauses_any(c, (const clause_literal[]){some, l}, 2);
  }
  if (f->at_least) vec_push(k->keep, &wrongs, -some);
  return clauses_any(c, wrongs.items, wrongs.count);
}

/* Some fact of the section is broken. */
static clause_literal some_broken(checker *k, ground_clauses *c, const section *s, uint32_t time) {
  VEC(clause_literal) all = {0};
  for (uint32_t i = 0; i < s->facts.count; i++)
    vec_push(k->keep, &all, broken(k, c, &s->facts.items[i], time));
  return clauses_any(c, all.items, all.count);
}

static void require_facts(checker *k, ground_clauses *c, const section *s, uint32_t time) {
  const clause_literal all_hold = -some_broken(k, c, s, time);
  clauses_add(c, &all_hold, 1);
}

/* ---- properties as clauses ---- */

static clause_literal stuck(checker *k, ground_clauses *c, uint32_t time) {
  const ground_program *g = k->g;
  VEC(clause_literal) stuck_roles = {0};
  for (uint32_t role = 0; role < g->roles.count; role++) {
    VEC(clause_literal) legal = {0};
    const ground_role *r = &g->roles.items[role];
    for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++)
      vec_push(k->keep, &legal, ground_clauses_atom(c, g->moves.items[i].legal, time));
    vec_push(k->keep, &stuck_roles, -clauses_any(c, legal.items, legal.count));
  }
  const clause_literal any = clauses_any(c, stuck_roles.items, stuck_roles.count);
  const clause_literal goes_on = -ground_clauses_atom(c, g->terminal, time);
  return clauses_all(c, (const clause_literal[]){any, goes_on}, 2);
}

static const char *term_words(checker *k, term_id t) {
  text out = text_new(k->keep);
  term_print(k->g->terms, t, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

/* Goals count as the machines count them: those that are numbers. */
static bool goal_value(checker *k, const ground_outcome *o, long *value) {
  char *end;
  const char *words = term_words(k, o->term);
  *value = strtol(words, &end, 10);
  return *words && !*end;
}

static clause_literal misjudged(checker *k, ground_clauses *c, uint32_t time) {
  const ground_program *g = k->g;
  VEC(clause_literal) wrongs = {0};
  for (uint32_t role = 0; role < g->roles.count; role++) {
    clause_literal some = -c->truth;
    for (uint32_t i = 0; i < g->goals.count; i++) {
      long value;
      if (g->goals.items[i].role != role || !goal_value(k, &g->goals.items[i], &value)) continue;
      const clause_literal holds = ground_clauses_atom(c, g->goals.items[i].atom, time);
      const bool in_range = value >= 0 && value <= 100;
      vec_push(k->keep, &wrongs,
               in_range ? clauses_all(c, (const clause_literal[]){some, holds}, 2) : holds);
      some = clauses_any(c, (const clause_literal[]){some, holds}, 2);
    }
    vec_push(k->keep, &wrongs, -some);
  }
  const clause_literal any = clauses_any(c, wrongs.items, wrongs.count);
  const clause_literal terminal = ground_clauses_atom(c, g->terminal, time);
  return clauses_all(c, (const clause_literal[]){any, terminal}, 2);
}

/* Complains when there is no such role. */
static uint32_t find_role(checker *k, const char *name) {
  uint32_t role = 0;
  while (role < k->g->roles.count && strcmp(term_words(k, k->g->roles.items[role].term), name) != 0)
    role++;
  if (role == k->g->roles.count) complain(k, "there is no such role", name);
  return role;
}

static clause_literal won(checker *k, ground_clauses *c, uint32_t role, uint32_t time) {
  const ground_program *g = k->g;
  VEC(clause_literal) ways = {0};
  for (uint32_t i = 0; i < g->goals.count; i++) {
    const ground_outcome *o = &g->goals.items[i];
    long value;
    if (o->role == role && goal_value(k, o, &value) && value == 100)
      vec_push(k->keep, &ways, ground_clauses_atom(c, o->atom, time));
  }
  const clause_literal any = clauses_any(c, ways.items, ways.count);
  const clause_literal terminal = ground_clauses_atom(c, g->terminal, time);
  return clauses_all(c, (const clause_literal[]){any, terminal}, 2);
}

/* A formula of fluents.  Nodes lie in the order of the text: gone over backwards, the parts of a
   formula come before the formula. */
static clause_literal formula_literal(checker *k, ground_clauses *c, node_id formula,
                                      uint32_t time) {
  const tree *t = k->t;
  const node_id end = node_after(t, formula);
  clause_literal *made = arena_zero_array(k->keep, clause_literal, end - formula);
  bool *is_inside = arena_zero_array(k->keep, bool, end - formula); /* of a fluent */
  for (node_id n = formula; n != end; n++) {
    const bool is_logical = node_is_list(t, n) && (is_named(k, n, "and") || is_named(k, n, "or") ||
                                                   is_named(k, n, "not") || is_named(k, n, "true"));
    for (node_id i = n + 1; !is_logical && !is_inside[n - formula] && i != node_after(t, n); i++)
      is_inside[i - formula] = true;
    if (is_logical) is_inside[node_first(n) - formula] = true;
  }
  for (node_id n = end; n-- > formula;) {
    if (is_inside[n - formula]) continue;
    const bool is_or = is_named(k, n, "or"), is_not = is_named(k, n, "not");
    uint32_t fluent = 0;
    VEC(clause_literal) parts = {0};
    if (!node_is_list(t, n) ||
        !(is_or || is_not || is_named(k, n, "and") || is_named(k, n, "true"))) {
      made[n - formula] =
          find_fluent(k, n, &fluent) ? c->moments.items[time].fluents[fluent] : c->truth;
      continue;
    }
    for (node_id i = node_after(t, node_first(n)); i != node_after(t, n); i = node_after(t, i))
      vec_push(k->keep, &parts, made[i - formula]);
    const clause_literal joined =
        is_or ? clauses_any(c, parts.items, parts.count) : clauses_all(c, parts.items, parts.count);
    made[n - formula] = is_not ? -joined : joined;
  }
  return made[0];
}

/* Of mutex the facts are the whole proof: nothing is forbidden, but there must be something to it.
 */
static clause_literal need_group(checker *k, const ground_clauses *c, const section *s) {
  bool has_group = false;
  for (uint32_t i = 0; i < s->facts.count; i++)
    has_group |= s->facts.items[i].at_most && s->facts.items[i].members.count > 1;
  if (!has_group) complain(k, "there is no group of fluents of which at most one holds", NULL);
  return -c->truth;
}

/* The states that must not be there. */
static clause_literal forbidden(checker *k, ground_clauses *c, const section *s, uint32_t time) {
  const node_id list = s->property;
  const node_id kind = node_after(k->t, node_first(list));
  const uint32_t count = node_element_count(k->t, list);
  const node_id argument = count > 2 ? node_after(k->t, kind) : kind;
  if (count == 2 && is_named(k, kind, "playable")) return stuck(k, c, time);
  if (count == 2 && is_named(k, kind, "goals")) return misjudged(k, c, time);
  if (count == 2 && is_named(k, kind, "mutex")) return need_group(k, c, s);
  if (count == 3 && is_named(k, kind, "winnable"))
    return won(k, c, find_role(k, node_text(k, argument)), time);
  if (count == 3 && is_named(k, kind, "unreachable")) return formula_literal(k, c, argument, time);
  if (count == 3 && is_named(k, kind, "invariant")) return -formula_literal(k, c, argument, time);
  complain(k, "no certificate can be given for", node_text(k, list));
  return c->truth;
}

/* ---- the three questions ---- */

static void begin_questions(checker *k, ground_clauses *c) {
  ground_clauses_init(c, k->g, k->b, k->keep);
  ground_clauses_add_moment(c);
}

/* The facts hold at the start, and in fewer than k steps nothing forbidden is reached. */
static bool start_holds(checker *k, const section *s) {
  ground_clauses c;
  begin_questions(k, &c);
  ground_clauses_start(&c);
  bool ok = clauses_refute(&c, some_broken(k, &c, s, 0)) ||
            complain(k, "a fact does not hold at the start", NULL);
  for (uint32_t time = 0; ok && time < s->k; time++) {
    ok = clauses_refute(&c, forbidden(k, &c, s, time)) ||
         complain(k, "what is forbidden can be reached", NULL);
    ground_clauses_step(&c, time);
    ground_clauses_add_moment(&c);
  }
  ground_clauses_free(&c);
  return ok && !k->complaint;
}

static bool step_holds(checker *k, const section *s) {
  ground_clauses c;
  begin_questions(k, &c);
  require_facts(k, &c, s, 0);
  ground_clauses_step(&c, 0);
  ground_clauses_add_moment(&c);
  const bool ok =
      clauses_refute(&c, some_broken(k, &c, s, 1)) || complain(k, "a step may break a fact", NULL);
  ground_clauses_free(&c);
  return ok;
}

static bool property_holds(checker *k, const section *s) {
  ground_clauses c;
  begin_questions(k, &c);
  for (uint32_t time = 0; time < s->k; time++) {
    const clause_literal allowed = -forbidden(k, &c, s, time);
    require_facts(k, &c, s, time);
    clauses_add(&c, &allowed, 1);
    ground_clauses_step(&c, time);
    ground_clauses_add_moment(&c);
  }
  require_facts(k, &c, s, s->k);
  const bool ok = clauses_refute(&c, forbidden(k, &c, s, s->k)) ||
                  complain(k, "the facts do not rule out what is forbidden", NULL);
  ground_clauses_free(&c);
  return ok && !k->complaint;
}

/* ---- all sections ---- */

enum { K_MAX = 64 };

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
  const bool is_readable = !k->complaint && s->k <= K_MAX && s->property != ID_NONE;
  const bool ok = is_readable && start_holds(k, s) && step_holds(k, s) && property_holds(k, s);
  const char *limit = is_readable && !ok ? limit_reached(k->b) : NULL;
  text_add_format(&r->words, "%s: ", node_text(k, s->property));
  if (ok) {
    r->accepted++;
    text_add(&r->words, "accepted\n");
  } else if (limit) {
    r->unchecked++;
    text_add_format(&r->words, "not checked: %s\n", limit);
  } else {
    r->rejected++;
    text_add_format(&r->words, "rejected, %s\n", k->complaint ? k->complaint : "k is too large");
  }
}

static void name_fluents(checker *k) {
  k->fluent_names = arena_new_array(k->keep, const char *, k->g->fluents.count + 1);
  for (uint32_t i = 0; i < k->g->fluents.count; i++)
    k->fluent_names[i] = term_words(k, k->g->fluents.items[i].term);
}

static void check_all(checker *k, certificate_report *r) {
  name_fluents(k);
  for (node_id n = 0; n != k->t->nodes.count;) {
    section s;
    k->complaint = NULL;
    if (!is_named(k, n, "property")) complain(k, "a section begins with a property", NULL);
    n = read_section(k, n, &s);
    check_section(k, &s, r);
  }
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
  checker k = {.g = &g, .t = &t, .keep = keep, .b = b};
  check_all(&k, r);
  return true;
}
