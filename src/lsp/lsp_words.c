#include "lsp/lsp_words.h"

static const lsp_keyword keywords[] = {
    {"role", {"NAME"}, "NAME is a role: a player of the game. A fact; roles never change.", true},
    {"init", {"FLUENT"}, "FLUENT is true in the initial state.", true},
    {"true",
     {"FLUENT"},
     "FLUENT is true in the current state. Read in bodies, never a head.",
     true},
    {"does",
     {"ROLE", "MOVE"},
     "ROLE makes MOVE in the step from the current state. Read in bodies of next and sees.",
     true},
    {"next",
     {"FLUENT"},
     "FLUENT will be true in the next state. What no rule for next gives ceases to be true.",
     true},
    {"legal",
     {"ROLE", "MOVE"},
     "ROLE may make MOVE in the current state. Every role needs a move until the game ends.",
     true},
    {"goal",
     {"ROLE", "VALUE"},
     "In the current state ROLE has VALUE points, 0 to 100. At the end it needs exactly one.",
     true},
    {"terminal", {NULL}, "The game is over in the current state.", true},
    {"base",
     {"FLUENT"},
     "FLUENT can be true in some state. A declaration; need not be given.",
     true},
    {"input", {"ROLE", "MOVE"}, "MOVE can be legal for ROLE in some state. A declaration.", true},
    {"sees",
     {"ROLE", "PERCEPT"},
     "ROLE perceives PERCEPT after the step (GDL-II), and nothing else of the state.",
     true},
    {"distinct", {"TERM", "TERM"}, "The two terms are not the same.", false},
    {"not",
     {"LITERAL"},
     "LITERAL does not hold. Its variables must be bound by a positive condition.",
     false},
    {"or", {"LITERAL", "LITERAL"}, "At least one of the literals holds.", false},
    {"and", {"LITERAL", "LITERAL"}, "All of the literals hold.", false},
    {"<=", {"HEAD", "BODY"}, "HEAD holds if all conditions of the body hold.", false},
    {"random",
     {NULL},
     "The role that chance plays (GDL-II): its moves are drawn uniformly.",
     false},
};

const lsp_keyword *lsp_keyword_at(uint32_t i) {
  return i < sizeof keywords / sizeof *keywords ? &keywords[i] : NULL;
}

const lsp_keyword *lsp_keyword_named(const char *name) {
  for (uint32_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (strcasecmp(keywords[i].name, name) == 0) return &keywords[i];
  return NULL;
}

bool lsp_is_kif(lsp_document *d) {
  const tabia_rules *rules = lsp_document_rules(d);
  return !rules || strcmp(tabia_rules_notation(rules), "kif") == 0;
}

void lsp_add_call(text *out, bool is_kif, const char *name, const char *const *arguments,
                  uint32_t count, size_t (*at)[2]) {
  if (count && is_kif) text_add_char(out, '(');
  text_add(out, name);
  for (uint32_t i = 0; i < count; i++) {
    text_add(out, is_kif ? " " : i ? ", " : "(");
    if (at) at[i][0] = out->length;
    text_add(out, arguments[i]);
    if (at) at[i][1] = out->length;
  }
  if (count) text_add_char(out, ')');
}

typedef struct value_list {
  text *out;
  uint32_t count, most;
} value_list;

static void add_value(void *context, const char *name, uint32_t arity) {
  value_list *l = context;
  if (l->count++ >= l->most) return;
  if (l->count > 1) text_add(l->out, ", ");
  text_add(l->out, name);
  if (arity) text_add(l->out, "(…)");
}

void lsp_add_values(text *out, const tabia_source *s, uint32_t word, uint32_t argument,
                    uint32_t most) {
  value_list l = {.out = out, .most = most};
  tabia_source_values(s, word, argument, add_value, &l);
  if (l.count > most) text_add_format(out, " and %u more", l.count - most);
}

void lsp_count_clauses(const tabia_source *s, uint32_t thing, uint32_t *rules, uint32_t *facts) {
  *rules = *facts = 0;
  for (uint32_t i = 0; i < tabia_thing_word_count(s, thing); i++) {
    const uint32_t word = tabia_thing_word(s, thing, i);
    const uint32_t clause = tabia_word_clause(s, word);
    if (clause == TABIA_NOTHING || tabia_clause_head(s, clause) != word) continue;
    *(tabia_clause_is_rule(s, clause) ? rules : facts) += 1;
  }
}

/* Marks that begin or end a comment, and the blanks beside them. */
static bool is_mark(char c) { return strchr(";%#|*/ \t\r", c) && c; }

void lsp_add_doc(text *out, lsp_document *d, const tabia_source *s, uint32_t thing) {
  size_t at, end;
  if (!tabia_thing_doc(s, thing, &at, &end)) return;
  const char *bytes = d->words.bytes;
  while (at < end) {
    size_t stop = at;
    while (stop < end && bytes[stop] != '\n') stop++;
    size_t from = at, to = stop;
    while (from < to && is_mark(bytes[from])) from++;
    while (to > from && is_mark(bytes[to - 1])) to--;
    text_add_bytes(out, bytes + from, to - from);
    text_add(out, "\n");
    at = stop + 1;
  }
}
