/* Grounding by an answer set program (grounding-asp).

   The program is the game's own clauses, the static relaxation of Definition 6, and two choices:
   any set of fluents may be true, each role does one move.  It is not solved.  gringo writes its
   ground instance in the aspif format: atoms are numbers, and the names of those that are shown
   follow at the end.

   Two departures from the paper: next, legal and init have relaxed versions of their own, which
   base and input are linked to, so that `legal` of something that is not a role gives no move; and
   a game whose relations are stratified only once they are ground keeps those relations (they are
   open) as it keeps what depends on the state. */
#include "ground/others/number_names.h"
#include "ground/others/readback.h"

/* Letters of relations: as the game has it, and relaxed. */
enum { GIVEN = 'r', RELAXED = 'b' };

/* ---- writing ---- */

static char relaxed_letter(const coded_relations *r, relation_id id) {
  return relation_is_open(r, id) ? RELAXED : GIVEN;
}

static void write_distinct(const term_table *t, term_id atom, text *out) {
  code_term(t, term_arg(t, atom, 0), out);
  text_add(out, "!=");
  code_term(t, term_arg(t, atom, 1), out);
}

static bool is_left_out(const coded_relations *r, const literal *l, bool relaxed) {
  return relaxed && l->kind == LITERAL_NEGATIVE &&
         relation_is_open(r, atom_relation(r->program, l->atom));
}

static void write_literal(const coded_relations *r, const literal *l, bool relaxed, text *out) {
  const program *p = r->program;
  if (l->kind == LITERAL_DISTINCT) {
    write_distinct(p->terms, l->atom, out);
    return;
  }
  if (l->kind == LITERAL_NEGATIVE) text_add(out, "not ");
  code_atom(p, relaxed ? relaxed_letter(r, atom_relation(p, l->atom)) : GIVEN, l->atom, out);
}

static void write_clause(const coded_relations *r, const clause *c, bool relaxed, text *out) {
  const char *before = ":-";
  code_atom(r->program, relaxed ? RELAXED : GIVEN, c->head, out);
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &r->program->literals.items[c->body + i];
    if (is_left_out(r, l, relaxed)) continue;
    text_add(out, before);
    write_literal(r, l, relaxed, out);
    before = ",";
  }
  text_add(out, ".\n");
}

static void write_clauses(const coded_relations *r, text *out) {
  const program *p = r->program;
  for (clause_id i = 0; i < p->clauses.count; i++) {
    const clause *c = &p->clauses.items[i];
    write_clause(r, c, false, out);
    if (r->is_relaxed[atom_relation(p, c->head)]) write_clause(r, c, true, out);
  }
}

static void write_fluent_link(const coded_relations *r, symbol_id from, text *out) {
  text_add_format(out, "%c%d(F):-%c%u(F).\n", RELAXED, SYM_TRUE, relaxed_letter(r, from), from);
}

static void write_move_link(const coded_relations *r, symbol_id from, text *out) {
  text_add_format(out, "%c%d(R,M):-%c%d(R),%c%u(R,M).\n", RELAXED, SYM_DOES,
                  relaxed_letter(r, SYM_ROLE), SYM_ROLE, relaxed_letter(r, from), from);
}

static void write_links(const coded_relations *r, bases_method m, text *out) {
  if (m == BASES_DECLARED) {
    write_fluent_link(r, SYM_BASE, out);
    write_move_link(r, SYM_INPUT, out);
    return;
  }
  write_fluent_link(r, SYM_INIT, out);
  write_fluent_link(r, SYM_NEXT, out);
  write_move_link(r, SYM_LEGAL, out);
}

static void write_generators(text *out) {
  text_add_format(out, "{%c%d(F):%c%d(F)}.\n", GIVEN, SYM_TRUE, RELAXED, SYM_TRUE);
  text_add_format(out, "1={%c%d(R,M):%c%d(R,M)}:-%c%d(R).\n", GIVEN, SYM_DOES, RELAXED, SYM_DOES,
                  GIVEN, SYM_ROLE);
}

static void write_shown(const coded_relations *r, text *out) {
  for (relation_id i = 0; i < r->program->relations.count; i++) {
    if (!r->is_kept[i] && i != SYM_ROLE && i != SYM_INIT) continue;
    text_add_format(out, "#show %c%u/%u.\n", GIVEN, i, r->program->relations.items[i].arity);
  }
  text_add_format(out, "#show %c%d/1.\n#show %c%d/2.\n", RELAXED, SYM_TRUE, RELAXED, SYM_DOES);
}

void asp_write(const program *p, bases_method m, text *out) {
  arena *scratch = arena_new();
  coded_relations r;
  coded_relations_init(&r, p, scratch);
  write_clauses(&r, out);
  write_links(&r, m, out);
  write_generators(out);
  write_shown(&r, out);
  arena_free(scratch);
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
  *atom = term_compound(p->terms, p->relations.items[relation].name,
                        vec_from(&a->r.stack, a->r.stack.count), count);
  return *atom != TERM_NONE;
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
