/* Grounding by an answer set program (grounding-asp).

   The program is the game's own clauses, the static relaxation of Definition 6, and two choices:
   any set of fluents may be true, each role does one move.  It is not solved.  gringo writes its
   ground instance in the aspif format: atoms are numbers, and the names of those that are shown
   follow at the end.

   Two departures from the paper: next, legal and init have relaxed versions of their own, which
   base and input are linked to, so that `legal` of something that is not a role gives no move; and
   a game whose relations are stratified only once they are ground keeps those relations (they are
   open) as it keeps what depends on the state. */
#include "ground/others/foreign_names.h"
#include "ground/others/number_names.h"
#include "ground/others/readback.h"

/* Letters of relations: as the game has it, and relaxed. */
enum { GIVEN = 'r', RELAXED = 'b' };

/* ---- names: numbers for our own use, or those of the game ---- */

typedef struct asp_writer {
  coded_relations relations;
  const program *p;
  const clause *clause; /* the one at hand, whose variables have names */
  bool has_names;
  text *out;
} asp_writer;

/* A variable of gringo begins with a capital; a prime keeps numbers apart from names. */
static void write_variable(const asp_writer *w, uint32_t number) {
  const rule *r = w->clause->rule == RULE_NONE ? NULL : &w->p->rules.items[w->clause->rule];
  const bool is_named = r && number < r->variable_count;
  if (is_named && foreign_asp_variable(w->p->symbols,
                                       w->p->variable_names.items[r->variables + number], w->out))
    return;
  text_add_format(w->out, "V'%u", number);
}

static void write_arguments(const asp_writer *w, term_id id);

static void write_term(const asp_writer *w, term_id id) {
  const term *it = term_get(w->p->terms, id);
  if (!w->has_names) {
    code_term(w->p->terms, id, w->out);
  } else if (it->is_variable) {
    write_variable(w, it->name);
  } else {
    foreign_asp_name(w->p->symbols, it->name, it->arg_count > 0, w->out);
    write_arguments(w, id);
  }
}

static void write_arguments(const asp_writer *w, term_id id) {
  const uint32_t count = term_get(w->p->terms, id)->arg_count;
  for (uint32_t i = 0; i < count; i++) {
    text_add(w->out, !i ? "(" : w->has_names ? ", " : ",");
    write_term(w, term_arg(w->p->terms, id, i));
  }
  if (count) text_add_char(w->out, ')');
}

/* A relaxed relation has a prime behind its name, as no name of a game has. */
static void write_relation(const asp_writer *w, char letter, relation_id r) {
  if (!w->has_names) {
    code_relation(letter, r, w->out);
    return;
  }
  foreign_asp_name(w->p->symbols, w->p->relations.items[r].name, true, w->out);
  if (letter == RELAXED) text_add_char(w->out, '\'');
}

static void write_atom(const asp_writer *w, char letter, term_id atom) {
  write_relation(w, letter, atom_relation(w->p, atom));
  write_arguments(w, atom);
}

/* ---- writing ---- */

static char relaxed_letter(const asp_writer *w, relation_id id) {
  return relation_is_open(&w->relations, id) ? RELAXED : GIVEN;
}

static void write_distinct(const asp_writer *w, term_id atom) {
  write_term(w, term_arg(w->p->terms, atom, 0));
  text_add(w->out, w->has_names ? " != " : "!=");
  write_term(w, term_arg(w->p->terms, atom, 1));
}

static bool is_left_out(const asp_writer *w, const literal *l, bool relaxed) {
  return relaxed && l->kind == LITERAL_NEGATIVE &&
         relation_is_open(&w->relations, atom_relation(w->p, l->atom));
}

static void write_literal(const asp_writer *w, const literal *l, bool relaxed) {
  if (l->kind == LITERAL_DISTINCT) {
    write_distinct(w, l->atom);
    return;
  }
  if (l->kind == LITERAL_NEGATIVE) text_add(w->out, "not ");
  write_atom(w, relaxed ? relaxed_letter(w, atom_relation(w->p, l->atom)) : GIVEN, l->atom);
}

static void write_clause(asp_writer *w, const clause *c, bool relaxed) {
  const char *before = w->has_names ? " :- " : ":-";
  w->clause = c;
  write_atom(w, relaxed ? RELAXED : GIVEN, c->head);
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &w->p->literals.items[c->body + i];
    if (is_left_out(w, l, relaxed)) continue;
    text_add(w->out, before);
    write_literal(w, l, relaxed);
    before = w->has_names ? ", " : ",";
  }
  text_add(w->out, ".\n");
}

static void write_clauses(asp_writer *w) {
  for (clause_id i = 0; i < w->p->clauses.count; i++) {
    const clause *c = &w->p->clauses.items[i];
    write_clause(w, c, false);
    if (w->relations.is_relaxed[atom_relation(w->p, c->head)]) write_clause(w, c, true);
  }
}

/* A relation, and what follows it up to the next. */
static void write_with(const asp_writer *w, char letter, relation_id r, const char *rest) {
  write_relation(w, letter, r);
  text_add(w->out, rest);
}

static void write_fluent_link(const asp_writer *w, symbol_id from) {
  write_with(w, RELAXED, SYM_TRUE, "(F):-");
  write_with(w, relaxed_letter(w, from), from, "(F).\n");
}

static void write_move_link(const asp_writer *w, symbol_id from) {
  write_with(w, RELAXED, SYM_DOES, "(R,M):-");
  write_with(w, relaxed_letter(w, SYM_ROLE), SYM_ROLE, "(R),");
  write_with(w, relaxed_letter(w, from), from, "(R,M).\n");
}

static void write_links(const asp_writer *w, bases_method m) {
  if (m == BASES_DECLARED) {
    write_fluent_link(w, SYM_BASE);
    write_move_link(w, SYM_INPUT);
    return;
  }
  write_fluent_link(w, SYM_INIT);
  write_fluent_link(w, SYM_NEXT);
  write_move_link(w, SYM_LEGAL);
}

static void write_generators(const asp_writer *w) {
  text_add_char(w->out, '{');
  write_with(w, GIVEN, SYM_TRUE, "(F):");
  write_with(w, RELAXED, SYM_TRUE, "(F)}.\n1={");
  write_with(w, GIVEN, SYM_DOES, "(R,M):");
  write_with(w, RELAXED, SYM_DOES, "(R,M)}:-");
  write_with(w, GIVEN, SYM_ROLE, "(R).\n");
}

static void write_show(const asp_writer *w, char letter, relation_id r) {
  text_add(w->out, "#show ");
  write_relation(w, letter, r);
  text_add_format(w->out, "/%u.\n", w->p->relations.items[r].arity);
}

static void write_shown(const asp_writer *w) {
  for (relation_id i = 0; i < w->p->relations.count; i++)
    if (w->relations.is_kept[i] || i == SYM_ROLE || i == SYM_INIT) write_show(w, GIVEN, i);
  write_show(w, RELAXED, SYM_TRUE);
  write_show(w, RELAXED, SYM_DOES);
}

static void write_program(const program *p, bases_method m, bool has_names, text *out) {
  arena *scratch = arena_new();
  asp_writer w = {.p = p, .has_names = has_names, .out = out};
  coded_relations_init(&w.relations, p, scratch);
  write_clauses(&w);
  write_links(&w, m);
  write_generators(&w);
  write_shown(&w);
  arena_free(scratch);
}

void asp_write(const program *p, bases_method m, text *out) { write_program(p, m, false, out); }

void asp_write_named(const program *p, bases_method m, text *out) {
  write_program(p, m, true, out);
}

/* ---- reading aspif ---- */

enum { ASPIF_END = 0, ASPIF_RULE = 1, ASPIF_SHOWN = 4 };

typedef struct aspif {
  code_reader r;
  readback *b;
  id_vec atoms; /* by gringo's number: ours */
} aspif;

/* The next number of the line, with its sign. */
static bool read_integer(aspif *a, uint32_t *number, bool *negated) {
  if (!code_read_byte(&a->r, ' ')) return false;
  *negated = code_read_byte(&a->r, '-');
  return code_read_number(&a->r, number);
}

static bool read_count(aspif *a, uint32_t *number) {
  bool negated;
  return read_integer(a, number, &negated) && !negated;
}

static atom_id atom_of_number(aspif *a, uint32_t number) {
  while (a->atoms.count <= number) vec_push(a->r.scratch, &a->atoms, ATOM_NONE);
  if (a->atoms.items[number] == ATOM_NONE) a->atoms.items[number] = readback_unnamed_atom(a->b);
  return a->atoms.items[number];
}

/* Reads literals; they are added to the program's. */
static bool read_literals(aspif *a, uint32_t count) {
  ground_program *g = a->b->g;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number;
    bool negated;
    if (!read_integer(a, &number, &negated)) return false;
    vec_push(g->keep, &g->literals, literal_of_atom(atom_of_number(a, number), negated));
  }
  return true;
}

static bool skip_line(aspif *a) {
  for (int byte; (byte = process_next(a->r.from)) != EOF;)
    if (byte == '\n') return true;
  return false;
}

/* 1 CHOICE n HEADS 0 n LITERALS.  Only rules with one head and a plain body are of the game;
   choices say what is given, bodies with weights count moves. */
static bool read_rule(aspif *a) {
  uint32_t is_choice, heads, head, has_weights, count;
  if (!read_count(a, &is_choice) || !read_count(a, &heads)) return false;
  if (is_choice || heads != 1) return skip_line(a);
  if (!read_count(a, &head) || !read_count(a, &has_weights)) return false;
  if (has_weights) return skip_line(a);
  if (!read_count(a, &count) || !read_literals(a, count)) return false;
  readback_rule(a->b, atom_of_number(a, head), count);
  return skip_line(a);
}

/* r12(3,4) as a term; `letter` is its first. */
static bool read_atom(aspif *a, int *letter, term_id *atom) {
  const program *p = a->b->p;
  relation_id relation;
  uint32_t count;
  *letter = process_next(a->r.from);
  if (!code_read_number(&a->r, &relation) || relation >= p->relations.count) return false;
  if (!code_read_arguments(&a->r, &count)) return false;
  a->r.stack.count -= count;
  return term_compound(p->terms, p->relations.items[relation].name,
                       vec_from(&a->r.stack, a->r.stack.count), count, atom);
}

/* A shown atom holds under a condition: none for a fact, else it is one atom. */
static bool name_atom(aspif *a, term_id atom, const relation_id relation) {
  uint32_t count, number;
  if (!read_count(a, &count) || count > 1) return false;
  atom_id ours = ATOM_NONE;
  if (count == 1) {
    if (!read_count(a, &number)) return false;
    ours = atom_of_number(a, number);
    a->b->g->atoms.items[ours] = atom;
  } else {
    ours = readback_unnamed_atom(a->b);
    a->b->g->atoms.items[ours] = atom;
    readback_rule(a->b, ours, 0);
  }
  if (relation == SYM_ROLE) vec_push(a->b->scratch, &a->b->roles, atom);
  return true;
}

static bool take_base(aspif *a, term_id atom, relation_id relation) {
  if (relation == SYM_TRUE)
    vec_push(a->b->scratch, &a->b->fluents, atom);
  else if (relation == SYM_DOES)
    vec_push(a->b->scratch, &a->b->moves, atom);
  else
    return false;
  return true;
}

/* 4 LENGTH NAME n LITERALS */
static bool read_shown(aspif *a) {
  uint32_t length;
  int letter;
  term_id atom;
  if (!read_count(a, &length) || !code_read_byte(&a->r, ' ')) return false;
  if (!read_atom(a, &letter, &atom)) return false;
  const relation_id relation = atom_relation(a->b->p, atom);
  const bool is_understood =
      letter == RELAXED ? take_base(a, atom, relation) : name_atom(a, atom, relation);
  return is_understood && skip_line(a);
}

/* All statements; false where one is not understood. */
static bool read_statements(aspif *a) {
  if (!skip_line(a)) return false; /* "asp 1 0 0" */
  for (uint32_t kind; code_read_number(&a->r, &kind);) {
    if (kind == ASPIF_END) return true;
    const bool is_understood = kind == ASPIF_RULE    ? read_rule(a)
                               : kind == ASPIF_SHOWN ? read_shown(a)
                                                     : skip_line(a);
    if (!is_understood) return false;
  }
  return false;
}

static bool run_gringo(readback *b, const text *words, budget *limits, diag_sink *d) {
  static const char *const arguments[] = {"gringo", "--warn", "none", "-", NULL};
  static const process_command command = {.package = "gringo", .arguments = arguments};
  process *run = process_start(&command, words, b->scratch, limits, d);
  if (!run) return false;
  aspif a = {.r = {.from = run, .terms = b->p->terms, .scratch = b->scratch}, .b = b};
  const bool is_understood = read_statements(&a);
  return process_end(run, is_understood);
}

bool ground_with_gringo(ground_program *g, const program *p, bases_method m, arena *keep,
                        budget *limits, diag_sink *d) {
  if (!clauses_are_safe(p, d)) return false;
  arena *scratch = arena_new();
  budget_watch(limits, scratch);
  text words = text_new(scratch);
  asp_write(p, m, &words);
  readback b;
  readback_start(&b, g, p, keep, scratch);
  bool is_done = run_gringo(&b, &words, limits, d);
  if (is_done && !readback_finish(&b)) {
    diag_add(d, DIAG_E808, SPAN_NONE, "gringo left an atom without a name");
    is_done = false;
  }
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return is_done;
}
