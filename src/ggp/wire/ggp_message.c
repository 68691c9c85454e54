#include "ggp/wire/ggp_message.h"

#include "ggp/wire/sexp.h"

#include <math.h>
#include <stdlib.h>

/* ---- reading ---- */

static const char *const kind_names[] = {"?",     "START", "PLAY", "STOP",
                                         "ABORT", "INFO",  "PING", "PREVIEW"};

enum { KIND_COUNT = sizeof kind_names / sizeof *kind_names, ARGUMENT_MAX = 8 };

static ggp_kind kind_of(slice word) {
  for (int i = 1; i < KIND_COUNT; i++)
    if (sexp_is(word, kind_names[i])) return (ggp_kind)i;
  return GGP_UNKNOWN;
}

/* The terms behind the first word; those that are too many are not looked at. */
typedef struct argument_list {
  uint32_t count;
  slice items[ARGUMENT_MAX];
} argument_list;

static bool read_arguments(argument_list *a, slice rest) {
  slice term;
  a->count = 0;
  for (;;) {
    const sexp_kind kind = sexp_next(&rest, &term);
    if (kind == SEXP_END || kind == SEXP_BROKEN) return kind == SEXP_END;
    if (a->count < ARGUMENT_MAX) a->items[a->count++] = term;
  }
}

static bool is_list(slice term) { return term.length && *term.start == '('; }
static bool is_nil(slice term) { return sexp_is(term, "nil"); }

static slice terms_of(slice term) {
  if (is_nil(term)) return (slice){term.start, 0};
  return is_list(term) ? sexp_inside(term) : term;
}

static bool read_clock(slice term, double *seconds) {
  char digits[32] = {0};
  char *end;
  if (!term.length || term.length >= sizeof digits || is_list(term)) return false;
  memcpy(digits, term.start, term.length);
  *seconds = strtod(digits, &end);
  return !*end && isfinite(*seconds) && *seconds >= 0;
}

static bool read_turn(slice term, uint64_t *turn) {
  double number;
  if (!read_clock(term, &number) || number > 1e9) return false;
  *turn = (uint64_t)number;
  return true;
}

static bool read_start(ggp_message *m, const argument_list *a) {
  if (a->count < 5 || is_list(a->items[0]) || !is_list(a->items[2])) return false;
  m->id = a->items[0];
  m->role = a->items[1];
  m->rules = sexp_inside(a->items[2]);
  return read_clock(a->items[3], &m->start_clock) && read_clock(a->items[4], &m->play_clock);
}

static bool read_seen_step(ggp_message *m, const argument_list *a) {
  m->has_turn = true;
  m->is_first = is_nil(a->items[2]) && is_nil(a->items[3]);
  m->last_move = is_nil(a->items[2]) ? (slice){a->items[2].start, 0} : a->items[2];
  m->terms = terms_of(a->items[3]);
  return read_turn(a->items[1], &m->turn);
}

static bool read_step(ggp_message *m, const argument_list *a) {
  if (a->count < 1 || is_list(a->items[0])) return false;
  m->id = a->items[0];
  if (a->count >= 4) return read_seen_step(m, a);
  m->is_first = a->count == 1 || is_nil(a->items[1]);
  m->terms = a->count == 1 ? (slice){a->items[0].start, 0} : terms_of(a->items[1]);
  return a->count <= 2;
}

static bool read_preview(ggp_message *m, const argument_list *a) {
  if (a->count < 1 || !is_list(a->items[0])) return false;
  m->rules = sexp_inside(a->items[0]);
  return a->count < 2 || read_clock(a->items[1], &m->start_clock);
}

static bool read_by_kind(ggp_message *m, const argument_list *a) {
  switch (m->kind) {
    case GGP_START: return read_start(m, a);
    case GGP_PLAY:
    case GGP_STOP: return read_step(m, a);
    case GGP_ABORT:
      if (a->count) m->id = a->items[0];
      return a->count > 0;
    case GGP_PREVIEW: return read_preview(m, a);
    case GGP_INFO:
    case GGP_PING: return true;
    case GGP_UNKNOWN: break;
  }
  return false;
}

/* A bare word will do for messages without arguments. */
bool ggp_message_read(ggp_message *m, slice words) {
  slice term, head;
  argument_list arguments;
  *m = (ggp_message){0};
  const sexp_kind kind = sexp_next(&words, &term);
  if (kind != SEXP_LIST && kind != SEXP_NAME) return false;
  slice inside = kind == SEXP_LIST ? sexp_inside(term) : term;
  if (sexp_next(&inside, &head) != SEXP_NAME) return false;
  m->kind = kind_of(head);
  return read_arguments(&arguments, inside) && read_by_kind(m, &arguments);
}

/* ---- writing ---- */

static void add_clock(text *out, double seconds) { text_add_format(out, "%g", seconds); }

void ggp_add_start(text *out, const char *id, const char *role, const char *rules,
                   double start_clock, double play_clock) {
  text_add_format(out, "( START %s %s (", id, role);
  text_add(out, rules);
  text_add(out, ") ");
  add_clock(out, start_clock);
  text_add_char(out, ' ');
  add_clock(out, play_clock);
  text_add_char(out, ')');
}

static void add_list(text *out, const char *terms) {
  if (!terms) {
    text_add(out, "NIL");
    return;
  }
  text_add_char(out, '(');
  text_add(out, terms);
  text_add_char(out, ')');
}

void ggp_add_step(text *out, ggp_kind play_or_stop, const char *id, const char *terms) {
  text_add_format(out, "( %s %s ", kind_names[play_or_stop], id);
  add_list(out, terms);
  text_add(out, " )");
}

void ggp_add_step_seen(text *out, ggp_kind play_or_stop, const char *id, uint64_t turn,
                       const char *last_move, const char *percepts) {
  text_add_format(out, "( %s %s %llu %s ", kind_names[play_or_stop], id, (unsigned long long)turn,
                  last_move ? last_move : "NIL");
  add_list(out, percepts);
  text_add(out, " )");
}

void ggp_add_abort(text *out, const char *id) { text_add_format(out, "( ABORT %s )", id); }
