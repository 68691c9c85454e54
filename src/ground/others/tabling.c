/* Grounding by tabled Prolog (grounding-tabling).

   Every clause R of a relation that depends on the state becomes q17(V0, V1, ...) over all its
   variables, with the body g(R) of the paper: negations that depend on the state left out, true and
   does asked from the fluents and moves that can be.  The relation itself is tabled and asks its
   clauses.  The `ground` query asks q17 for all its solutions and prints the values of the
   variables that s(R) has; s(R) is put together here.  (In the paper the clause prints whenever it
   is asked, also from other clauses; then each instance comes once for every pattern of calls.)

   Fluents and moves come first: in one step, from a second, relaxed set of tabled relations; or
   generation by generation, from the same relations as the rules, after a match without moves has
   given the fluents that no move is needed for. */
#include "ground/others/tabling.h"

/* Letters of relations: one that no state changes; relaxed, for one step; over the fluents and
   moves that were found; as it is in one state, for the match without moves. */
enum { STATIC = 'r', RELAXED = 'b', FOUND = 'g', PLAYED = 'o' };

typedef struct prolog_writer {
  coded_relations relations;
  const program *p;
  text *out;
  arena *scratch;
} prolog_writer;

/* ---- atoms ---- */

/* A fluent or move whose function is known is asked from a relation of its own, which Prolog can
   index by every argument: t12_2(V0, V1) for true(f12(V0, V1)). */
static void write_found(const prolog_writer *w, relation_id r, const term_id *args, text *out) {
  const term_table *t = w->p->terms;
  const bool is_move = r == SYM_DOES;
  const term_id object = args[is_move];
  const term *it = term_get(t, object);
  if (it->is_variable || it->arg_count == 0) {
    code_relation(FOUND, r, out);
    code_arguments(t, args, 1 + is_move, out);
    return;
  }
  text_add_format(out, "%c%u_%u(", is_move ? 'm' : 't', it->name, it->arg_count);
  if (is_move) code_term(t, args[0], out);
  for (uint32_t i = 0; i < it->arg_count; i++) {
    if (i || is_move) text_add_char(out, ',');
    code_term(t, term_arg(t, object, i), out);
  }
  text_add_char(out, ')');
}

static void write_atom(const prolog_writer *w, char letter, term_id atom) {
  const relation_id r = atom_relation(w->p, atom);
  if (!relation_is_open(&w->relations, r)) letter = STATIC;
  if (letter == FOUND && (r == SYM_TRUE || r == SYM_DOES))
    write_found(w, r, term_args(w->p->terms, atom), w->out);
  else
    code_atom(w->p, letter, atom, w->out);
}

/* ---- bodies ---- */

/* Variables that are bound before a literal is asked. */
typedef struct bound_set {
  bitset bound;
  uint32_t count; /* occurrences of them in the literal at hand */
  bool all;       /* its variables are among them */
} bound_set;

static void add_bound(void *context, uint32_t number) {
  bitset_add(((bound_set *)context)->bound, number);
}

static void ask_bound(void *context, uint32_t number) {
  bound_set *s = context;
  s->all &= bitset_has(s->bound, number);
  s->count += bitset_has(s->bound, number);
}

static bool is_bound(bound_set *s, const term_table *t, term_id atom) {
  s->all = true;
  s->count = 0;
  term_each_variable(t, atom, ask_bound, s);
  return s->all;
}

static void write_test(const prolog_writer *w, char letter, relation_id head, const literal *l) {
  const term_table *t = w->p->terms;
  if (l->kind == LITERAL_DISTINCT) {
    code_term(t, term_arg(t, l->atom, 0), w->out);
    text_add(w->out, "\\==");
    code_term(t, term_arg(t, l->atom, 1), w->out);
    return;
  }
  /* Only where a relation depends on its own negation must the table of the other be left open. */
  const uint32_t *component = w->relations.analysis.component;
  const relation_id r = atom_relation(w->p, l->atom);
  text_add(w->out, component[head] == component[r] ? "tnot(" : "\\+(");
  write_atom(w, letter, l->atom);
  text_add_char(w->out, ')');
}

/* A negation that depends on the state is asked in a known state alone. */
static bool is_left_out(const prolog_writer *w, char letter, const literal *l) {
  return letter != PLAYED && l->kind == LITERAL_NEGATIVE &&
         relation_is_open(&w->relations, atom_relation(w->p, l->atom));
}

typedef struct body_writer {
  const prolog_writer *w;
  char letter;
  const clause *c;
  bound_set bound;
  bitset written; /* literals of the body */
  const char *before;
} body_writer;

static void write_literal(body_writer *b, uint32_t i) {
  const literal *l = &b->w->p->literals.items[b->c->body + i];
  if (!bitset_insert(b->written, i) || is_left_out(b->w, b->letter, l)) return;
  text_add(b->w->out, b->before);
  b->before = ",";
  if (l->kind == LITERAL_POSITIVE)
    write_atom(b->w, b->letter, l->atom);
  else
    write_test(b->w, b->letter, atom_relation(b->w->p, b->c->head), l);
}

/* Tests whose variables all have values now. */
static void write_ready_tests(body_writer *b) {
  for (uint32_t i = 0; i < b->c->body_count; i++) {
    const literal *l = &b->w->p->literals.items[b->c->body + i];
    if (l->kind != LITERAL_POSITIVE && is_bound(&b->bound, b->w->p->terms, l->atom))
      write_literal(b, i);
  }
}

/* The next positive literal: one whose variables are all bound, else the one with most of them
   bound; of equals the first.  Rulesheets often list fluents before the relation that ties them
   together. ID_NONE at the end. */
static uint32_t next_positive(body_writer *b) {
  uint32_t best = ID_NONE;
  uint32_t most = 0;
  for (uint32_t i = 0; i < b->c->body_count; i++) {
    const literal *l = &b->w->p->literals.items[b->c->body + i];
    if (l->kind != LITERAL_POSITIVE || bitset_has(b->written, i)) continue;
    const bool is_test = is_bound(&b->bound, b->w->p->terms, l->atom);
    if (best == ID_NONE || is_test || b->bound.count > most) best = i;
    if (is_test) break;
    if (b->bound.count > most) most = b->bound.count;
  }
  return best;
}

/* Without `true` the last literal would be the last call.  SWI-Prolog 9.0 optimises that, and takes
   r(V1,V1) for r(V1,V2) when V1 is an argument that the caller leaves open. */
static void write_end_of_body(const body_writer *b) {
  const bool is_empty = b->before[0] == ':';
  text_add(b->w->out, is_empty ? ".\n" : ",true.\n");
}

/* Each test stands as soon as it can be asked. */
static void write_body(const prolog_writer *w, char letter, const clause *c) {
  const arena_mark mark = arena_save(w->scratch);
  body_writer b = {.w = w,
                   .letter = letter,
                   .c = c,
                   .before = ":- ",
                   .bound = {.bound = bitset_new(w->scratch, c->variable_count)},
                   .written = bitset_new(w->scratch, c->body_count)};
  write_ready_tests(&b);
  for (uint32_t i; (i = next_positive(&b)) != ID_NONE;) {
    write_literal(&b, i);
    term_each_variable(w->p->terms, w->p->literals.items[c->body + i].atom, add_bound, &b.bound);
    write_ready_tests(&b);
  }
  write_end_of_body(&b);
  arena_restore(w->scratch, mark);
}

static void write_clause(const prolog_writer *w, char letter, const clause *c) {
  write_atom(w, letter, c->head);
  write_body(w, letter, c);
}

/* ---- relations ---- */

static const clause *clause_of(const prolog_writer *w, const relation *r, uint32_t i) {
  return &w->p->clauses.items[w->p->clauses_of_relation.items[r->first_clause + i]];
}

static void declare(const prolog_writer *w, const char *what, char letter, relation_id r) {
  text_add_format(w->out, ":- %s %c%u/%u.\n", what, letter, r, w->p->relations.items[r].arity);
}

static bool has_only_facts(const prolog_writer *w, const relation *r) {
  for (uint32_t i = 0; i < r->clause_count; i++)
    if (clause_of(w, r, i)->body_count) return false;
  return true;
}

/* A table of facts would only copy them. */
static void write_relation(const prolog_writer *w, char letter, relation_id id) {
  const relation *r = &w->p->relations.items[id];
  if (r->clause_count == 0)
    declare(w, "dynamic", letter, id);
  else if (!has_only_facts(w, r))
    declare(w, "table", letter, id);
  for (uint32_t i = 0; i < r->clause_count; i++) write_clause(w, letter, clause_of(w, r, i));
}

/* ---- clauses whose instances are wanted ---- */

static void write_variables(uint32_t count, text *out) {
  for (uint32_t i = 0; i < count; i++) {
    text_add_char(out, i ? ',' : '(');
    code_variable(i, out);
  }
  if (count) text_add_char(out, ')');
}

static void write_query(const prolog_writer *w, const clause *c) {
  text_add_format(w->out, "q%u", (unsigned)(c - w->p->clauses.items));
  write_variables(c->variable_count, w->out);
}

static void write_wanted_relation(const prolog_writer *w, relation_id id) {
  const relation *r = &w->p->relations.items[id];
  const bool is_asked = relation_is_open(&w->relations, id);
  for (uint32_t i = 0; i < r->clause_count; i++) {
    const clause *c = clause_of(w, r, i);
    write_query(w, c);
    write_body(w, FOUND, c);
  }
  if (!is_asked) return;
  declare(w, r->clause_count ? "table" : "dynamic", FOUND, id);
  for (uint32_t i = 0; i < r->clause_count; i++) {
    const clause *c = clause_of(w, r, i);
    write_atom(w, FOUND, c->head);
    text_add(w->out, ":-");
    write_query(w, c);
    text_add(w->out, ".\n");
  }
}

bool literal_is_printed(const coded_relations *r, const literal *l) {
  return l->kind != LITERAL_DISTINCT && relation_is_open(r, atom_relation(r->program, l->atom));
}

bitset printed_variables(const coded_relations *r, const clause *c, arena *scratch) {
  bound_set s = {.bound = bitset_new(scratch, c->variable_count)};
  const program *p = r->program;
  term_each_variable(p->terms, c->head, add_bound, &s);
  for (uint32_t i = c->body; i < c->body + c->body_count; i++)
    if (literal_is_printed(r, &p->literals.items[i]))
      term_each_variable(p->terms, p->literals.items[i].atom, add_bound, &s);
  return s.bound;
}

static void write_printing(const prolog_writer *w, const clause *c) {
  const arena_mark mark = arena_save(w->scratch);
  const bitset printed = printed_variables(&w->relations, c, w->scratch);
  text_add(w->out, "ground:-");
  write_query(w, c);
  text_add_format(w->out, ",write(c%u", (unsigned)(c - w->p->clauses.items));
  char before = '(';
  for (uint32_t i = 0; i < c->variable_count; i++) {
    if (!bitset_has(printed, i)) continue;
    text_add_char(w->out, before);
    code_variable(i, w->out);
    before = ',';
  }
  text_add(w->out, before == ',' ? ")),nl,fail.\n" : "),nl,fail.\n");
  arena_restore(w->scratch, mark);
}

/* ---- fluents and moves ---- */

/* A function under true or does. */
typedef struct function {
  symbol_id name;
  uint32_t arity;
} function;

typedef VEC(function) function_list;

static void add_function(function_list *list, const term *it, arena *scratch) {
  if (it->is_variable || it->arg_count == 0) return;
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i].name == it->name && list->items[i].arity == it->arg_count) return;
  vec_push(scratch, list, ((function){it->name, it->arg_count}));
}

static function_list functions_under(const prolog_writer *w, symbol_id keyword) {
  const program *p = w->p;
  function_list list = {0};
  for (uint32_t i = 0; i < p->literals.count; i++) {
    const literal *l = &p->literals.items[i];
    if (l->kind == LITERAL_DISTINCT || atom_relation(p, l->atom) != keyword) continue;
    add_function(&list, term_get(p->terms, term_arg(p->terms, l->atom, keyword == SYM_DOES)),
                 w->scratch);
  }
  return list;
}

/* flatt(f12(V0,V1),t12_2(V0,V1)); flatm(R,f12(V0,V1),m12_2(R,V0,V1)) */
static void write_flat(const prolog_writer *w, function f, bool is_move) {
  text_add_format(w->out, is_move ? "flatm(R,f%u" : "flatt(f%u", f.name);
  write_variables(f.arity, w->out);
  text_add_format(w->out, is_move ? ",m%u_%u(R," : ",t%u_%u(", f.name, f.arity);
  for (uint32_t i = 0; i < f.arity; i++) {
    if (i) text_add_char(w->out, ',');
    code_variable(i, w->out);
  }
  text_add(w->out, ")).\n");
}

static void write_flats(const prolog_writer *w, symbol_id keyword) {
  const bool is_move = keyword == SYM_DOES;
  const function_list list = functions_under(w, keyword);
  text_add_format(w->out, ":- dynamic flat%c/%d.\n", is_move ? 'm' : 't', 2 + is_move);
  for (uint32_t i = 0; i < list.count; i++)
    text_add_format(w->out, ":- dynamic %c%u_%u/%u.\n", is_move ? 'm' : 't', list.items[i].name,
                    list.items[i].arity, list.items[i].arity + is_move);
  for (uint32_t i = 0; i < list.count; i++) write_flat(w, list.items[i], is_move);
}

/* Results are stored as facts; the tries show which are new. */
static void write_finding(const prolog_writer *w) {
  text_add(w->out, ":- dynamic g2/1, g3/2.\n"
                   "start:-trie_new(F),nb_setval(fluents,F),trie_new(M),nb_setval(moves,M).\n"
                   "is_new_fluent(F):-nb_getval(fluents,T),trie_insert(T,F).\n"
                   "is_new_move(R,M):-nb_getval(moves,T),trie_insert(T,R-M).\n"
                   "add_fluent(F):-assertz(g2(F)),(flatt(F,T)->assertz(T);true).\n"
                   "add_move(R,M):-assertz(g3(R,M)),(flatm(R,M,T)->assertz(T);true).\n");
  write_flats(w, SYM_TRUE);
  write_flats(w, SYM_DOES);
}

static char version_of(const prolog_writer *w, relation_id r, char letter) {
  return relation_is_open(&w->relations, r) ? letter : STATIC;
}

static void write_relaxed_relations(const prolog_writer *w) {
  for (relation_id r = 0; r < w->p->relations.count; r++)
    if (w->relations.is_relaxed[r] && r != SYM_TRUE && r != SYM_DOES) write_relation(w, RELAXED, r);
}

static void write_fluent_link(const prolog_writer *w, symbol_id from) {
  text_add_format(w->out, "b2(F):-%c%u(F).\n", version_of(w, from, RELAXED), from);
}

/* `fluents` are where fluents come from, `moves` where moves do. */
static void write_one_step(const prolog_writer *w, const symbol_id *fluents, uint32_t count,
                           symbol_id moves) {
  write_relaxed_relations(w);
  text_add(w->out, ":- table b2/1, b3/2.\n");
  for (uint32_t i = 0; i < count; i++) write_fluent_link(w, fluents[i]);
  text_add_format(w->out, "b3(R,M):-%c0(R),%c%u(R,M).\n", version_of(w, SYM_ROLE, RELAXED),
                  version_of(w, moves, RELAXED), moves);
  text_add(w->out, "bases:-b2(F),add_fluent(F),fail.\n"
                   "bases:-b3(R,M),add_move(R,M),fail.\n"
                   "bases:-abolish_all_tables.\n");
}

/* Open relations that next depends on, whatever the sign. */
static bitset relations_of_next(const prolog_writer *w) {
  const analysis *a = &w->relations.analysis;
  const bitset found = bitset_new(w->scratch, w->p->relations.count);
  id_vec queue = {0};
  vec_push(w->scratch, &queue, SYM_NEXT);
  while (queue.count) {
    const relation_id r = vec_pop(&queue);
    if (!relation_is_open(&w->relations, r) || !bitset_insert(found, r)) continue;
    for (uint32_t i = a->edges_of[r]; i < a->edges_of[r + 1]; i++)
      vec_push(w->scratch, &queue, a->edges.items[i].body);
  }
  return found;
}

/* The match without moves ends in a state that is empty or was there before, or is cut off: its
   fluents only save generations. */
static void write_match(const prolog_writer *w) {
  const bitset played = relations_of_next(w);
  text_add(w->out, ":- dynamic o2/1, o3/2.\n");
  for (relation_id r = 0; r < w->p->relations.count; r++)
    if (bitset_has(played, r) && r != SYM_TRUE && r != SYM_DOES) write_relation(w, PLAYED, r);
  text_add_format(
      w->out,
      "match:-trie_new(T),findall(F,%c1(F),S),play(S,T,20000).\n"
      "play([_|_],_,0):-!.\n"
      "play(L,T,N):-L=[_|_],sort(L,S),add_new(S),trie_insert(T,S),!,retractall(o2(_)),\n"
      "  add_state(S),findall(F,%c4(F),Next),abolish_all_tables,M is N-1,play(Next,T,M).\n"
      "play(_,_,_).\n"
      "add_new(S):-member(F,S),is_new_fluent(F),add_fluent(F),fail.\nadd_new(_).\n"
      "add_state(S):-member(F,S),assertz(o2(F)),fail.\nadd_state(_).\n",
      version_of(w, SYM_INIT, FOUND), version_of(w, SYM_NEXT, PLAYED));
}

static void write_iteration(const prolog_writer *w) {
  write_match(w);
  text_add_format(w->out,
                  "bases:-match,generations.\n"
                  "generations:-generation,!,generations.\n"
                  "generations.\n"
                  "generation:-findall(F,(%c4(F),is_new_fluent(F)),Fs),\n"
                  "  findall(R-M,(%c0(R),%c5(R,M),is_new_move(R,M)),Ms),\n"
                  "  abolish_all_tables,add_all(Fs,Ms),\\+((Fs=[],Ms=[])).\n"
                  "add_all(Fs,_):-member(F,Fs),add_fluent(F),fail.\n"
                  "add_all(_,Ms):-member(R-M,Ms),add_move(R,M),fail.\n"
                  "add_all(_,_).\n",
                  version_of(w, SYM_NEXT, FOUND), version_of(w, SYM_ROLE, FOUND),
                  version_of(w, SYM_LEGAL, FOUND));
}

static void write_bases(const prolog_writer *w, bases_method m) {
  static const symbol_id possible[] = {SYM_INIT, SYM_NEXT};
  static const symbol_id declared[] = {SYM_BASE};
  write_finding(w);
  if (m == BASES_ONESTEP)
    write_one_step(w, possible, 2, SYM_LEGAL);
  else if (m == BASES_DECLARED)
    write_one_step(w, declared, 1, SYM_INPUT);
  else
    write_iteration(w);
}

/* ---- everything ---- */

/* A relation may be both: `next` that no state changes is asked as it is, and its instances are
   wanted. */
static void write_relations(const prolog_writer *w) {
  for (relation_id r = 0; r < w->p->relations.count; r++) {
    if (r == SYM_TRUE || r == SYM_DOES) continue;
    if (!relation_is_open(&w->relations, r)) write_relation(w, STATIC, r);
    if (w->relations.is_kept[r]) write_wanted_relation(w, r);
  }
}

static void write_ground(const prolog_writer *w) {
  for (clause_id i = 0; i < w->p->clauses.count; i++)
    if (w->relations.is_kept[atom_relation(w->p, w->p->clauses.items[i].head)])
      write_printing(w, &w->p->clauses.items[i]);
  text_add(w->out, "ground.\n");
}

static void write_facts(const prolog_writer *w, symbol_id keyword) {
  if (relation_is_open(&w->relations, keyword)) return;
  text_add_format(w->out, "facts:-r%u(X),write(r%u(X)),nl,fail.\n", keyword, keyword);
}

void prolog_write(const program *p, bases_method m, text *out) {
  prolog_writer w = {.p = p, .out = out, .scratch = arena_new()};
  coded_relations_init(&w.relations, p, w.scratch);
  /* p(X,X) does not match p(Y,f(Y)): a cyclic term would be no key of a table */
  text_add(out, ":- style_check(-singleton), set_prolog_flag(occurs_check,true).\n");
  write_relations(&w);
  write_bases(&w, m);
  write_ground(&w);
  write_facts(&w, SYM_ROLE);
  write_facts(&w, SYM_INIT);
  text_add(out,
           "facts:-g2(F),write(t(F)),nl,fail.\n"
           "facts:-g3(R,M),write(m(R,M)),nl,fail.\n"
           "facts.\n"
           "main:-set_stream(user_output,buffer(full)),start,bases,facts,ground,write(end),nl.\n");
  arena_free(w.scratch);
}
