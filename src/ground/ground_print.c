#include "ground/ground.h"

#include "base/json.h"
#include "ground/others/foreign_names.h"

/* The text of an atom; empty: not made yet. */
typedef struct atom_text {
  size_t start, length; /* in printer.atoms */
} atom_text;

typedef struct printer {
  const ground_program *g;
  ground_format format;
  text *out;       /* what has not been given to the sink */
  text *atoms;     /* most atoms are named again and again: */
  atom_text *made; /* by atom, its text to be copied */
} printer;

static void print_term(const printer *p, term_id t, text *out) {
  if (p->format == GROUND_KIF)
    term_print(p->g->terms, t, NOTATION_KIF, NULL, out);
  else if (p->format == GROUND_ASP)
    foreign_asp_atom(p->g->terms, t, out);
  else
    foreign_prolog_atom(p->g->terms, t, out);
}

static void print_atom(const printer *p, atom_id a) {
  atom_text *it = &p->made[a];
  if (!it->length) {
    it->start = p->atoms->length;
    print_term(p, p->g->atoms.items[a], p->atoms);
    it->length = p->atoms->length - it->start;
  }
  text_add_bytes(p->out, p->atoms->bytes + it->start, it->length);
}

static const char *negation_in(ground_format format) {
  return format == GROUND_KIF ? "(not " : format == GROUND_ASP ? "not " : "\\+ ";
}

static void print_literal(const printer *p, ground_literal l) {
  const bool negated = literal_is_negated(l);
  if (negated) text_add(p->out, negation_in(p->format));
  print_atom(p, literal_atom(l));
  if (negated && p->format == GROUND_KIF) text_add_char(p->out, ')');
}

static void print_rule(const printer *p, const ground_rule *r) {
  const bool is_kif = p->format == GROUND_KIF;
  if (is_kif && r->body_count) text_add(p->out, "(<= ");
  print_atom(p, r->head);
  if (!is_kif && r->body_count) text_add(p->out, " :- ");
  for (uint32_t i = 0; i < r->body_count; i++) {
    if (is_kif)
      text_add_char(p->out, ' ');
    else if (i)
      text_add(p->out, ", ");
    print_literal(p, p->g->literals.items[r->body + i]);
  }
  if (is_kif && r->body_count) text_add_char(p->out, ')');
  text_add(p->out, is_kif ? "\n" : ".\n");
}

static void print_fact(const printer *p, symbol_id keyword, const term_id *args, uint32_t count) {
  print_term(p, term_atom(p->g->terms, keyword, args, count), p->out);
  text_add(p->out, p->format == GROUND_KIF ? "\n" : ".\n");
}

static void print_interface(const printer *p) {
  const ground_program *g = p->g;
  for (uint32_t i = 0; i < g->roles.count; i++) print_fact(p, SYM_ROLE, &g->roles.items[i].term, 1);
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (g->fluents.items[i].initially) print_fact(p, SYM_INIT, &g->fluents.items[i].term, 1);
  for (uint32_t i = 0; i < g->fluents.count; i++)
    print_fact(p, SYM_BASE, &g->fluents.items[i].term, 1);
  for (uint32_t r = 0; r < g->roles.count; r++)
    for (uint32_t i = 0; i < g->roles.items[r].move_count; i++) {
      const term_id args[2] = {g->roles.items[r].term,
                               g->moves.items[g->roles.items[r].first_move + i].term};
      print_fact(p, SYM_INPUT, args, 2);
    }
}

/* ---- what Prolog wants to know ---- */

typedef struct predicate_list {
  const ground_program *g;
  id_vec atoms;    /* one for each relation */
  uint32_t *first; /* by symbol: its first atom here, plus one */
  arena *scratch;
} predicate_list;

static bool is_same_relation(const predicate_list *l, atom_id a, atom_id b) {
  const term_table *t = l->g->terms;
  return term_same_name(term_get(t, l->g->atoms.items[a]), term_get(t, l->g->atoms.items[b]));
}

/* Nearly all relations differ by their names. */
static void note_relation(predicate_list *l, atom_id a) {
  uint32_t *first = &l->first[term_get(l->g->terms, l->g->atoms.items[a])->name];
  if (*first && is_same_relation(l, a, *first - 1)) return;
  for (uint32_t i = 0; *first && i < l->atoms.count; i++)
    if (is_same_relation(l, a, l->atoms.items[i])) return;
  if (!*first) *first = a + 1;
  vec_push(l->scratch, &l->atoms, a);
}

/* Rules come in no order of their relations. */
static void print_directives(const printer *p, arena *scratch) {
  const ground_program *g = p->g;
  predicate_list l = {.g = g, .scratch = scratch};
  l.first = arena_zero_array(scratch, uint32_t, symbol_count(g->terms->symbols));
  text_add(p->out, ":- dynamic true/1, does/2.\n");
  for (uint32_t r = 0; r < g->rules.count; r++) note_relation(&l, g->rules.items[r].head);
  for (uint32_t i = 0; i < l.atoms.count; i++) {
    const term_id atom = g->atoms.items[l.atoms.items[i]];
    text_add(p->out, ":- discontiguous ");
    foreign_prolog_relation(g->terms, atom, p->out);
    text_add_format(p->out, "/%u.\n", term_get(g->terms, atom)->arg_count);
  }
}

/* In answer set programs the given atoms are chosen: any state, one move of each role. */
static void print_generators(const printer *p) {
  text_add(p->out, "{ true(F) : base(F) }.\n1 = { does(R, M) : input(R, M) } :- role(R).\n");
}

void ground_print(const ground_program *g, ground_format format, text_sink to) {
  arena *scratch = arena_new();
  text out = text_new(scratch);
  arena *atoms_keep = arena_new();
  text atoms = text_new(atoms_keep);
  const printer p = {g, format, &out, &atoms,
                     arena_zero_array(scratch, atom_text, g->atoms.count + 1)};
  ground_name_atoms(g);
  if (format == GROUND_PROLOG) print_directives(&p, scratch);
  print_interface(&p);
  if (format == GROUND_ASP) print_generators(&p);
  for (uint32_t r = 0; r < g->rules.count; r++) {
    print_rule(&p, &g->rules.items[r]);
    text_pour_piece(&out, to);
  }
  text_pour(&out, to);
  arena_free(atoms_keep);
  arena_free(scratch);
}

/* ---- JSON ---- */

static void write_term(json_writer *w, const ground_program *g, const char *key, term_id t,
                       text *room) {
  text_clear(room);
  term_print(g->terms, t, NOTATION_KIF, NULL, room);
  json_put_string(w, key, text_string(room));
}

static void write_atom(json_writer *w, const char *key, atom_id a) {
  if (a == ATOM_NONE)
    json_put_null(w, key);
  else
    json_put_integer(w, key, a);
}

static void write_fluents(json_writer *w, const ground_program *g, text *room) {
  json_open_array(w, "fluent_list");
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    const ground_fluent *f = &g->fluents.items[i];
    json_open_object(w, NULL);
    write_term(w, g, "fluent", f->term, room);
    json_put_bool(w, "initially", f->initially);
    write_atom(w, "true_atom", f->holds);
    write_atom(w, "next_atom", f->next);
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_moves(json_writer *w, const ground_program *g, text *room) {
  json_open_array(w, "move_list");
  for (uint32_t r = 0; r < g->roles.count; r++)
    for (uint32_t i = 0; i < g->roles.items[r].move_count; i++) {
      const ground_move *m = &g->moves.items[g->roles.items[r].first_move + i];
      json_open_object(w, NULL);
      write_term(w, g, "role", g->roles.items[r].term, room);
      write_term(w, g, "move", m->term, room);
      write_atom(w, "does_atom", m->does);
      write_atom(w, "legal_atom", m->legal);
      json_close_object(w);
    }
  json_close_array(w);
}

static void write_outcomes(json_writer *w, const ground_program *g, const char *key,
                           const ground_outcome *items, uint32_t count, text *room) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < count; i++) {
    json_open_object(w, NULL);
    write_term(w, g, "role", g->roles.items[items[i].role].term, room);
    write_term(w, g, "term", items[i].term, room);
    write_atom(w, "atom", items[i].atom);
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_body(json_writer *w, const ground_program *g, const ground_rule *r,
                       const char *key, bool negated) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = g->literals.items[r->body + i];
    if (literal_is_negated(l) == negated) json_put_integer(w, NULL, literal_atom(l));
  }
  json_close_array(w);
}

static void write_rules(json_writer *w, const ground_program *g, text_sink to) {
  json_open_array(w, "rule_list");
  for (uint32_t r = 0; r < g->rules.count; r++) {
    const ground_rule *it = &g->rules.items[r];
    json_open_object(w, NULL);
    json_put_integer(w, "head", it->head);
    write_body(w, g, it, "positive", false);
    write_body(w, g, it, "negative", true);
    json_close_object(w);
    text_pour_piece(w->out, to);
  }
  json_close_array(w);
}

void ground_write_json(const ground_program *g, const char *game, text_sink to) {
  arena *scratch = arena_new();
  text room = text_new(scratch);
  text out = text_new(scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", game);
  json_open_array(&w, "roles");
  for (uint32_t i = 0; i < g->roles.count; i++)
    write_term(&w, g, NULL, g->roles.items[i].term, &room);
  json_close_array(&w);
  ground_name_atoms(g);
  json_open_array(&w, "atoms");
  for (atom_id a = 0; a < g->atoms.count; a++) {
    write_term(&w, g, NULL, g->atoms.items[a], &room);
    text_pour_piece(&out, to);
  }
  json_close_array(&w);
  write_fluents(&w, g, &room);
  write_moves(&w, g, &room);
  write_outcomes(&w, g, "goal_list", g->goals.items, g->goals.count, &room);
  write_outcomes(&w, g, "percept_list", g->percepts.items, g->percepts.count, &room);
  write_atom(&w, "terminal_atom", g->terminal);
  write_rules(&w, g, to);
  json_close_object(&w);
  text_add_char(&out, '\n');
  text_pour(&out, to);
  arena_free(scratch);
}
