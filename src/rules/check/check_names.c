/* Relations and functions: numbers of arguments, names in two parts, spelling, use. */
#include "base/spelling.h"
#include "rules/check/check_parts.h"

#include <string.h>

/* ---- what the text says, by name ---- */

/* A relation or function is seen here as the text has it, rules that were left out included, so
   that one fault does not draw others after it. */
typedef struct name_use {
  node_id head;     /* first use as the head of a form; UINT32_MAX: none */
  node_id body;     /* in a body */
  node_id function; /* as a term with arguments */
  node_id constant; /* as a term without */
  uint32_t function_arity;
  uint32_t relation_arity;
} name_use;

typedef struct survey {
  checker *c;
  const tree *t;
  name_use *uses;          /* by symbol */
  bool *arity_reported;    /* by symbol: E301 */
  bool *function_reported; /* by symbol: E302 */
  uint32_t nearest_count;  /* how often a correction was looked for */
} survey;

static bool is_name(const survey *s, symbol_id name) {
  return name != SYM_NONE && !symbol_is_variable(s->t->symbols, name);
}

static uint32_t argument_count(const tree *t, node_id n) {
  return node_is_list(t, n) ? node_element_count(t, n) - 1 : 0;
}

static node_id earliest(node_id a, node_id b) { return a < b ? a : b; }

static void report_relation_arity(survey *s, node_id n, symbol_id name, uint32_t count) {
  checker *c = s->c;
  const name_use *use = &s->uses[name];
  if (s->arity_reported[name]) return;
  s->arity_reported[name] = true;
  diag *g = diag_add(c->d, DIAG_E301, where(c, n), "the relation %s is used with %u argument%s",
                     shown_name(c, name), count, plural(count));
  diag_relate(c->d, g, where(c, earliest(use->head, use->body)),
              "first used with %u argument%s here", use->relation_arity,
              plural(use->relation_arity));
  diag_hint(c->d, g, "add or remove arguments, or give one of the two relations another name");
}

/* A keyword with an unusual number of arguments is another matter: W203. */
static bool is_keyword_itself(symbol_id name, uint32_t count) {
  return symbol_is_keyword_relation(name) && count == keyword_arity(name);
}

static void note_relation(survey *s, node_id n, symbol_id name, bool is_head) {
  const uint32_t count = argument_count(s->t, n);
  if (is_keyword_itself(name, count)) return;
  name_use *use = &s->uses[name];
  const bool is_first = use->head == UINT32_MAX && use->body == UINT32_MAX;
  if (is_first)
    use->relation_arity = count;
  else if (count != use->relation_arity)
    report_relation_arity(s, n, name, count);
  node_id *first = is_head ? &use->head : &use->body;
  if (*first == UINT32_MAX) *first = n;
}

static void report_function_arity(survey *s, node_id n, symbol_id name, uint32_t count) {
  checker *c = s->c;
  const name_use *use = &s->uses[name];
  if (s->function_reported[name]) return;
  s->function_reported[name] = true;
  diag *g = diag_add(c->d, DIAG_E302, where(c, n), "the function %s is used with %u argument%s",
                     shown_name(c, name), count, plural(count));
  diag_relate(c->d, g, where(c, use->function), "first used with %u argument%s here",
              use->function_arity, plural(use->function_arity));
  diag_hint(c->d, g, "add or remove arguments, or give one of the two functions another name");
}

static void note_function(survey *s, node_id n, symbol_id name, uint32_t count) {
  name_use *use = &s->uses[name];
  if (use->function == UINT32_MAX) {
    use->function = n;
    use->function_arity = count;
  } else if (count != use->function_arity) {
    report_function_arity(s, n, name, count);
  }
}

static bool is_first_in_list(const tree *t, node_id n) {
  return n > 0 && node_is_list(t, n - 1) && node_after(t, n - 1) > n;
}

/* All terms in the argument at `top`. */
static void note_terms(survey *s, node_id top) {
  for (node_id n = top; n < node_after(s->t, top); n++) {
    const symbol_id name = node_functor(s->t, n);
    if (!is_name(s, name)) continue;
    if (!node_is_list(s->t, n)) {
      name_use *use = &s->uses[name];
      if ((n == top || !is_first_in_list(s->t, n)) && use->constant == UINT32_MAX)
        use->constant = n;
      continue;
    }
    const uint32_t count = argument_count(s->t, n);
    if (count) note_function(s, n, name, count);
  }
}

static void note_arguments(survey *s, node_id atom) {
  if (!node_is_list(s->t, atom)) return;
  const node_id end = node_after(s->t, atom);
  for (node_id n = node_first(atom); n < end; n = node_after(s->t, n))
    if (n != node_first(atom)) note_terms(s, n);
}

static void note_atom(survey *s, node_id n, bool is_head) {
  const symbol_id name = node_functor(s->t, n);
  if (!is_name(s, name)) return;
  if (!symbol_is_logical(name)) note_relation(s, n, name, is_head);
  note_arguments(s, n);
}

static bool is_connective(const tree *t, node_id n) {
  const symbol_id name = node_functor(t, n);
  return node_is_list(t, n) && (name == SYM_NOT || name == SYM_AND || name == SYM_OR);
}

/* The conditions from `first` to `end`: connectives are entered, atoms are noted. */
static void note_body(survey *s, node_id first, node_id end) {
  for (node_id n = first; n < end;) {
    if (is_connective(s->t, n)) {
      n = node_after(s->t, node_first(n));
      continue;
    }
    note_atom(s, n, false);
    n = node_after(s->t, n);
  }
}

static void note_form(survey *s, node_id form) {
  const node_id head = node_of_form_head(s->c, form);
  if (head == UINT32_MAX) return;
  note_atom(s, head, true);
  note_body(s, node_after(s->t, head), node_after(s->t, form));
}

static void take_survey(survey *s) {
  const uint32_t symbols = symbol_count(s->t->symbols);
  s->uses = arena_new_array(s->c->scratch, name_use, symbols);
  memset(s->uses, 0xff, symbols * sizeof *s->uses);
  s->arity_reported = arena_zero_array(s->c->scratch, bool, symbols);
  s->function_reported = arena_zero_array(s->c->scratch, bool, symbols);
  for (node_id n = 0; n < s->t->nodes.count; n = node_after(s->t, n)) note_form(s, n);
}

/* ---- one name, two parts ---- */

static void check_two_parts(survey *s, symbol_id name) {
  checker *c = s->c;
  const name_use *use = &s->uses[name];
  const node_id as_relation = earliest(use->head, use->body);
  const node_id in_terms = earliest(use->function, use->constant);
  if (as_relation == UINT32_MAX || in_terms == UINT32_MAX) return;
  const bool relation_is_later = as_relation > in_terms;
  diag *g = diag_add(c->d, DIAG_W303, where(c, relation_is_later ? as_relation : in_terms),
                     "%s is a relation and %s", shown_name(c, name),
                     in_terms == use->function ? "a function" : "an object");
  diag_relate(c->d, g, where(c, relation_is_later ? in_terms : as_relation),
              relation_is_later ? "it is used in a term here" : "it is used as a relation here");
  diag_hint(c->d, g, "programs distinguish the two, people may not: rename one");
}

/* A name with and without arguments in terms. */
static void check_constant_and_function(survey *s, symbol_id name) {
  checker *c = s->c;
  const name_use *use = &s->uses[name];
  if (use->constant == UINT32_MAX || use->function == UINT32_MAX) return;
  const bool constant_is_later = use->constant > use->function;
  diag *g = diag_add(c->d, DIAG_W307, where(c, constant_is_later ? use->constant : use->function),
                     "%s is an object and a function", shown_name(c, name));
  diag_relate(c->d, g, where(c, constant_is_later ? use->function : use->constant),
              constant_is_later ? "it has arguments here" : "it has no arguments here");
  diag_hint(c->d, g, "are its arguments forgotten, or should one of the two have another name?");
}

/* ---- used and never defined, defined and never used ---- */

/* A text with many unknown names is not misspelled but of another kind. */
enum { NEAREST_MAX = 100 };

/* The keywords that may be in a body, or are defined. */
static bool is_read(symbol_id keyword) {
  return keyword != SYM_INIT && keyword != SYM_NEXT && keyword != SYM_SEES;
}

static bool is_written(symbol_id keyword) {
  return symbol_is_keyword_relation(keyword) && keyword != SYM_TRUE && keyword != SYM_DOES;
}

static uint32_t arity_of_keyword(symbol_id keyword) {
  return keyword == SYM_DISTINCT ? 2 : keyword_arity(keyword);
}

/* The keyword of that sort that is nearer to a relation than what was found; else that. */
static symbol_id nearer_keyword(const survey *s, symbol_id name, spelling *sp, symbol_id found,
                                bool (*is_of_sort)(symbol_id keyword)) {
  for (symbol_id keyword = 0; keyword <= SYM_DISTINCT; keyword++)
    if (is_of_sort(keyword) && arity_of_keyword(keyword) == s->uses[name].relation_arity &&
        spelling_is_nearer(sp, symbol_folded(s->t->symbols, keyword)))
      found = keyword;
  return found;
}

/* What a relation in a body may be meant for; SYM_NONE: nobody knows. */
static symbol_id nearest_in_bodies(survey *s, symbol_id name) {
  if (s->nearest_count++ > NEAREST_MAX) return SYM_NONE;
  spelling sp = spelling_of(symbol_folded(s->t->symbols, name));
  symbol_id best = SYM_NONE;
  for (symbol_id other = 0; other < symbol_count(s->t->symbols); other++) {
    if (s->uses[other].head == UINT32_MAX ||
        s->uses[other].relation_arity != s->uses[name].relation_arity)
      continue;
    if (spelling_is_nearer(&sp, symbol_folded(s->t->symbols, other))) best = other;
  }
  return nearer_keyword(s, name, &sp, best, is_read);
}

/* What one that nobody reads may be meant for: nothing but a keyword needs no reader.  A name as
   short as `int` is often one of its own, unless the keyword is missing. */
static symbol_id nearest_in_heads(const survey *s, symbol_id name) {
  enum { SHORT = 3 };
  const slice word = symbol_folded(s->t->symbols, name);
  spelling sp = spelling_of(word);
  const symbol_id best = nearer_keyword(s, name, &sp, SYM_NONE, is_written);
  if (best == SYM_NONE) return SYM_NONE;
  if (word.length <= SHORT && s->c->p->relations.items[best].clause_count) return SYM_NONE;
  return best;
}

/* Has the relation a clause, or would it have one if the rules were sound? */
static bool is_defined(const survey *s, symbol_id name) { return s->uses[name].head != UINT32_MAX; }

static void check_undefined(survey *s, symbol_id name) {
  checker *c = s->c;
  const name_use *use = &s->uses[name];
  if (use->body == UINT32_MAX || is_defined(s, name)) return;
  diag *g = diag_add(c->d, DIAG_W304, where(c, use->body),
                     "the relation %s is used but never defined", shown_name(c, name));
  const symbol_id nearest = nearest_in_bodies(s, name);
  if (nearest != SYM_NONE) {
    diag_hint(c->d, g, "did you mean %s?", shown_name(c, nearest));
    mend_name(c, g, use->body, nearest);
  } else
    diag_hint(c->d, g, "it never holds; write facts or rules for it, or remove the condition");
}

/* Not so when its rules are faulty: it may be no relation at all. */
static bool has_sound_rule(const checker *c, symbol_id name, uint32_t arity) {
  const relation_id r = program_relation(c->p, name, arity);
  return r != RELATION_NONE && c->p->relations.items[r].clause_count;
}

static void report_misspelled(checker *c, node_id at, symbol_id name, symbol_id nearest) {
  diag *g = diag_add(c->d, DIAG_W309, where(c, at), "the relation %s is defined but never used",
                     shown_name(c, name));
  diag_hint(c->d, g, "did you mean %s?", shown_name(c, nearest));
  mend_name(c, g, at, nearest);
}

/* A condition on the state that nobody asks for is likely to be forgotten somewhere; a table that
   nobody reads does no harm. */
static void check_unused(survey *s, symbol_id name) {
  checker *c = s->c;
  const name_use *use = &s->uses[name];
  if (use->head == UINT32_MAX || use->body != UINT32_MAX) return;
  if (symbol_is_keyword_relation(name)) return; /* W203 tells */
  if (!has_sound_rule(c, name, use->relation_arity)) return;
  const symbol_id nearest = nearest_in_heads(s, name);
  if (nearest != SYM_NONE) {
    report_misspelled(c, use->head, name, nearest);
    return;
  }
  const bool is_dynamic = c->a->is_dynamic[program_relation(c->p, name, use->relation_arity)];
  diag *g = diag_add(c->d, is_dynamic ? DIAG_W308 : DIAG_W305, where(c, use->head),
                     "the relation %s is defined but never used", shown_name(c, name));
  diag_hint(c->d, g, "use it in a rule, or remove it");
}

/* A keyword with its own number of arguments is never in the survey, so what is found under its
   name is an ordinary relation. */
static void check_each_name(survey *s) {
  for (symbol_id name = 0; name < symbol_count(s->t->symbols); name++) {
    check_two_parts(s, name);
    check_constant_and_function(s, name);
    check_undefined(s, name);
    check_unused(s, name);
  }
}

/* ---- names that differ only in case ---- */

/* The letters of a name as they stand in the text; of the same length as the name, or empty
   when the notation writes it in another way. */
static slice spelling_at(const survey *s, node_id n, slice name) {
  const slice all = source_slice(s->t->source, tree_node(s->t, n)->where);
  return all.length == name.length ? all : (slice){all.start, 0};
}

static bool is_written_otherwise(const survey *s, node_id a, node_id b, symbol_id name) {
  const slice word = symbol_name(s->t->symbols, name);
  const slice left = spelling_at(s, a, word);
  const slice right = spelling_at(s, b, word);
  return left.length && right.length && memcmp(left.start, right.start, left.length) != 0;
}

static void report_case(survey *s, node_id first, node_id n) {
  checker *c = s->c;
  const slice now = source_slice(s->t->source, tree_node(s->t, n)->where);
  const slice before = source_slice(s->t->source, tree_node(s->t, first)->where);
  const int length = now.length < 40 ? (int)now.length : 40;
  diag *g = diag_add(c->d, DIAG_W306, where(c, n), "%.*s and %.*s are the same name", length,
                     now.start, length, before.start);
  diag_relate(c->d, g, where(c, first), "first written %.*s here", length, before.start);
  diag_hint(c->d, g, "case makes no difference; write it in one way, or choose another name");
}

/* Variables live in one form; keywords are often written large. */
static void check_case(survey *s) {
  const uint32_t symbols = symbol_count(s->t->symbols);
  node_id *first = arena_new_array(s->c->scratch, node_id, symbols);
  bool *reported = arena_zero_array(s->c->scratch, bool, symbols);
  memset(first, 0xff, symbols * sizeof *first);
  node_id form = 0;
  for (node_id n = 0; n < s->t->nodes.count; n++) {
    if (n == node_after(s->t, form)) form = n;
    const symbol_id name = tree_node(s->t, n)->symbol;
    if (name == SYM_NONE || name < SYM_FIXED_COUNT || reported[name]) continue;
    const bool is_known = first[name] != UINT32_MAX &&
                          (first[name] >= form || !symbol_is_variable(s->t->symbols, name));
    if (!is_known) {
      first[name] = n;
    } else if (is_written_otherwise(s, first[name], n, name)) {
      reported[name] = true;
      report_case(s, first[name], n);
    }
  }
}

void check_names(checker *c) {
  if (!c->p->tree) return;
  survey s = {.c = c, .t = c->p->tree};
  take_survey(&s);
  check_each_name(&s);
  check_case(&s);
}
