#include "frame/prolog_game.h"

#include "frame/domain.h"
#include "ground/others/foreign_names.h"

/* ---- names: every one in quotes, relations with a prefix that no built-in predicate has ---- */

typedef struct game_writer {
  const program *p;
  analysis analysis;
  text *out;
  arena *scratch;
} game_writer;

static void write_quoted(const game_writer *w, const char *prefix, symbol_id name) {
  foreign_prolog_quoted(prefix, symbol_folded(w->p->symbols, name), w->out);
}

static void write_term(const game_writer *w, term_id id);

static void write_arguments(const game_writer *w, term_id id) {
  const uint32_t count = term_get(w->p->terms, id)->arg_count;
  for (uint32_t i = 0; i < count; i++) {
    text_add(w->out, i ? "," : "(");
    write_term(w, term_arg(w->p->terms, id, i));
  }
  if (count) text_add_char(w->out, ')');
}

static void write_term(const game_writer *w, term_id id) {
  const term *it = term_get(w->p->terms, id);
  if (it->is_variable) {
    text_add_format(w->out, "V%u", it->name);
    return;
  }
  write_quoted(w, "", it->name);
  write_arguments(w, id);
}

static void write_atom(const game_writer *w, term_id atom) {
  write_quoted(w, "g_", term_get(w->p->terms, atom)->name);
  write_arguments(w, atom);
}

/* ---- bodies: positive literals in their order, each test as soon as it can be made ---- */

typedef struct body_order {
  const game_writer *w;
  const literal *body;
  uint32_t count;
  id_vec bound;
  bool *is_written;
  bool is_first;
} body_order;

static void write_literal(body_order *b, uint32_t i) {
  const game_writer *w = b->w;
  const literal *l = &b->body[i];
  text_add(w->out, b->is_first ? " :- " : ", ");
  b->is_first = false;
  b->is_written[i] = true;
  if (l->kind == LITERAL_DISTINCT) {
    write_term(w, term_arg(w->p->terms, l->atom, 0));
    text_add(w->out, " \\== ");
    write_term(w, term_arg(w->p->terms, l->atom, 1));
    return;
  }
  if (l->kind == LITERAL_NEGATIVE) text_add(w->out, "\\+ ");
  write_atom(w, l->atom);
}

static void write_ready_tests(body_order *b) {
  for (uint32_t i = 0; i < b->count; i++)
    if (!b->is_written[i] && b->body[i].kind != LITERAL_POSITIVE &&
        frame_has_variables(b->w->p->terms, b->body[i].atom, &b->bound))
      write_literal(b, i);
}

static void write_clause(const game_writer *w, const clause *c) {
  body_order b = {.w = w,
                  .body = c->body_count ? &w->p->literals.items[c->body] : NULL,
                  .count = c->body_count,
                  .is_first = true,
                  .is_written = arena_zero_array(w->scratch, bool, c->body_count + 1)};
  write_atom(w, c->head);
  write_ready_tests(&b);
  for (uint32_t i = 0; i < b.count; i++) {
    if (b.body[i].kind != LITERAL_POSITIVE) continue;
    write_literal(&b, i);
    frame_add_variables(w->p->terms, b.body[i].atom, &b.bound, w->scratch);
    write_ready_tests(&b);
  }
  text_add(w->out, ".\n");
}

/* ---- relations ---- */

static bool is_given(relation_id r) { return r == SYM_TRUE || r == SYM_DOES; }

static void write_indicator(const game_writer *w, const char *directive, relation_id r) {
  text_add_format(w->out, ":- %s ", directive);
  write_quoted(w, "g_", w->p->relations.items[r].name);
  text_add_format(w->out, "/%u.\n", w->p->relations.items[r].arity);
}

/* A relation in a cycle is tabled, so that Prolog comes to an end. */
static void write_relation(const game_writer *w, relation_id r) {
  const relation *it = &w->p->relations.items[r];
  if (is_given(r)) return;
  if (it->clause_count == 0)
    write_indicator(w, "dynamic", r);
  else if (w->analysis.is_recursive[r])
    write_indicator(w, "table", r);
  for (uint32_t i = 0; i < it->clause_count; i++)
    write_clause(w, &w->p->clauses.items[w->p->clauses_of_relation.items[it->first_clause + i]]);
}

static bool has_tables(const game_writer *w) {
  for (relation_id r = 0; r < w->p->relations.count; r++)
    if (w->analysis.is_recursive[r] && w->analysis.is_dynamic[r]) return true;
  return false;
}

/* ---- the search ---- */

static const char before[] =
    "% A game and a naive minimax search.  swipl -q -g main -t halt FILE -- DEPTH  searches to\n"
    "% that depth, also beyond the end of the game, and prints the number of states visited, the\n"
    "% value for the first role, and seconds of processor time.  The role random draws its moves\n"
    "% uniformly.  `tabia minimax --ignore-terminal` finds the same in games of one or two roles.\n"
    ":- style_check(-singleton).\n"
    ":- style_check(-discontiguous).\n"
    ":- set_prolog_flag(optimise, true).\n"
    ":- dynamic 'g_true'/1, 'g_does'/2.\n\n";

static const char search[] =
    "\n"
    "main :- current_prolog_flag(argv, Argv), last(Argv, Word), atom_number(Word, Depth),\n"
    "        findall(F, 'g_init'(F), Fs), sort(Fs, State),\n"
    "        forall(member(F, State), assertz('g_true'(F))),\n"
    "        findall(R, 'g_role'(R), Rs), roles_once(Rs, [], All), partition(==(random), All,\n"
    "        Nature, Roles), nb_setval(roles, Roles), nb_setval(nature, Nature),\n"
    "        nb_setval(states, 0), statistics(cputime, T0), search(Depth, Value),\n"
    "        statistics(cputime, T1), nb_getval(states, States), T is T1 - T0,\n"
    "        format(\"states ~d~nvalue ~w~nseconds ~3f~n\", [States, Value, T]).\n"
    "\n"
    "roles_once([], _, []).\n"
    "roles_once([R|Rs], Seen, Roles) :- memberchk(R, Seen), !, roles_once(Rs, Seen, Roles).\n"
    "roles_once([R|Rs], Seen, [R|Roles]) :- roles_once(Rs, [R|Seen], Roles).\n"
    "\n"
    "search(Depth, Value) :- nb_getval(states, N), N1 is N + 1, nb_setval(states, N1),\n"
    "        ( Depth =:= 0 -> leaf(Value)\n"
    "        ; nb_getval(roles, Roles), choices(Roles, Choices), nb_getval(nature, Nature),\n"
    "          choices(Nature, Drawn), findall(D, joint(Drawn, D), Draws),\n"
    "          findall(J, joint(Choices, J), Joints),\n"
    "          ( Joints = [[First|_]|_], Draws = [_|_]\n"
    "          -> Below is Depth - 1, try(Joints, Draws, Below, First, none, none, Value)\n"
    "          ; leaf(Value) ) ).\n"
    "\n"
    "% A state that is not terminal is worth 50, and so is one without a single goal.\n"
    "leaf(Value) :- 'g_terminal', nb_getval(roles, [R|_]),\n"
    "        findall(V, ('g_goal'(R, Word), goal_number(Word, V)), Vs), sort(Vs, [Value]), !.\n"
    "leaf(50).\n"
    "\n"
    "goal_number(Word, Value) :- atom(Word), atom_codes(Word, Codes),\n"
    "        ( Codes = [Sign|Digits], memberchk(Sign, [0'+, 0'-]) -> true ; Digits = Codes ),\n"
    "        Digits = [_|_], forall(member(D, Digits), between(0'0, 0'9, D)),\n"
    "        number_codes(Number, Digits),\n"
    "        ( Codes = [0'-|_] -> Value is -Number ; Value = Number ).\n"
    "\n"
    "choices([], []).\n"
    "choices([R|Rs], [Moves|More]) :- findall(does(R, M), 'g_legal'(R, M), Found),\n"
    "        sort(Found, Moves), choices(Rs, More).\n"
    "\n"
    "joint([], []).\n"
    "joint([Moves|More], [M|Ms]) :- member(M, Moves), joint(More, Ms).\n"
    "\n"
    "% The best for the first role of the worst that the others can do about each of its moves.\n"
    "try([], _, _, _, Worst, Best, Value) :- better(Worst, Best, Value).\n"
    "try([[Own|Others]|Joints], Draws, Depth, Last, Worst, Best, Value) :-\n"
    "        mean(Draws, [Own|Others], Depth, V),\n"
    "        ( Own == Last -> worse(V, Worst, Worst1), Best1 = Best\n"
    "        ; Worst1 = V, better(Worst, Best, Best1) ),\n"
    "        try(Joints, Draws, Depth, Own, Worst1, Best1, Value).\n"
    "\n"
    "better(V, none, V) :- !.\n"
    "better(V, W, X) :- X is max(V, W).\n"
    "worse(V, none, V) :- !.\n"
    "worse(V, W, X) :- X is min(V, W).\n"
    "\n"
    "mean([Draw], Joint, Depth, Value) :- !, append(Draw, Joint, All), after(All, Depth, Value).\n"
    "mean(Draws, Joint, Depth, Value) :- length(Draws, N), sum(Draws, Joint, Depth, 0, Sum),\n"
    "        Value is Sum / N.\n"
    "\n"
    "sum([], _, _, Sum, Sum).\n"
    "sum([D|Ds], Joint, Depth, Before, Sum) :- append(D, Joint, All), after(All, Depth, V),\n"
    "        Now is Before + V, sum(Ds, Joint, Depth, Now, Sum).\n"
    "\n"
    "do([]).\n"
    "do([does(R, M)|Ms]) :- assertz('g_does'(R, M)), do(Ms).\n"
    "\n"
    "take_away([]).\n"
    "take_away([F|Fs]) :- retract('g_true'(F)), !, take_away(Fs).\n"
    "\n"
    "add([]).\n"
    "add([F|Fs]) :- assertz('g_true'(F)), add(Fs).\n"
    "\n";

static const char after_original[] =
    "after(Joint, Depth, Value) :-\n"
    "        do(Joint), tables_anew, findall(F, 'g_next'(F), Fs), sort(Fs, Next), "
    "retractall('g_does'(_, _)),\n"
    "        findall(F, 'g_true'(F), State), retractall('g_true'(_)), add(Next), tables_anew,\n"
    "        search(Depth, Value), retractall('g_true'(_)), add(State), tables_anew.\n";

static const char after_changes[] =
    "after(Joint, Depth, Value) :-\n"
    "        do(Joint), tables_anew, findall(F, 'g_next'(F), Fs), sort(Fs, Next),\n"
    "        findall(F, 'g_%s'(F), Gs), sort(Gs, Ceasing), retractall('g_does'(_, _)),\n"
    "        ord_subtract(Ceasing, Next, Lost), not_yet(Next, Gained), take_away(Lost), "
    "add(Gained), tables_anew,\n"
    "        search(Depth, Value), take_away(Gained), add(Lost), tables_anew.\n"
    "\n"
    "not_yet([], []).\n"
    "not_yet([F|Fs], Gs) :- 'g_true'(F), !, not_yet(Fs, Gs).\n"
    "not_yet([F|Fs], [F|Gs]) :- not_yet(Fs, Gs).\n";

void prolog_game_write(const encoded_program *e, text *out) {
  const bool is_translated = e->used != ENCODING_ORIGINAL;
  game_writer w = {
      .p = is_translated ? &e->changes : e->program, .out = out, .scratch = arena_new()};
  rules_analyse(&w.analysis, w.p, w.scratch);
  text_add(out, before);
  for (relation_id r = 0; r < w.p->relations.count; r++) write_relation(&w, r);
  const relation_id fnext = is_translated ? program_relation(w.p, e->frame.fnext, 1) : SYM_NEXT;
  if (is_translated && fnext == RELATION_NONE)
    text_add_format(out, ":- dynamic 'g_%s'/1.\n",
                    arena_copy_text(w.scratch, symbol_folded(w.p->symbols, e->frame.fnext).start,
                                    symbol_folded(w.p->symbols, e->frame.fnext).length));
  text_add(out, search);
  text_add(out, has_tables(&w) ? "tables_anew :- abolish_all_tables.\n\n" : "tables_anew.\n\n");
  if (!is_translated) {
    text_add(out, after_original);
  } else {
    const slice name = symbol_folded(w.p->symbols, e->frame.fnext);
    text_add_format(out, after_changes, arena_copy_text(w.scratch, name.start, name.length));
  }
  arena_free(w.scratch);
}
