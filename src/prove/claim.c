#include "prove/claim.h"

#include <stdlib.h>
#include <string.h>

/* A formula that is being read: open lists are kept on a stack. */
typedef struct open_list {
  claim_op op;
  uint32_t operands;
} open_list;

typedef struct reader {
  const char *at;
  const circuit *c;
  arena *keep;
  VEC(open_list) open;
  const char **complaint;
} reader;

static void skip_blanks(reader *r) {
  while (*r->at && strchr(" \t\r\n", *r->at)) r->at++;
}

static bool complain(reader *r, const char *why, const char *what) {
  text words = text_new(r->keep);
  text_add_format(&words, "%s%s%s%s", why, what ? " `" : "", what ? what : "", what ? "'" : "");
  *r->complaint = text_string(&words);
  return false;
}

/* ---- fluents ---- */

/* The number of the fluent with this canonical text. */
static uint32_t find_fluent(const reader *r, const char *canonical) {
  text name = text_new(r->keep);
  for (uint32_t i = 0; i < r->c->fluents.count; i++) {
    text_clear(&name);
    term_print(r->c->terms, r->c->fluents.items[i].term, NOTATION_KIF, NULL, &name);
    if (strcmp(text_string(&name), canonical) == 0) return i;
  }
  return ID_NONE;
}

static void add_lower(text *out, char c) {
  text_add_char(out, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
}

/* Copies a name or a whole list in canonical form. */
static bool read_term(reader *r, text *out) {
  uint32_t depth = 0;
  bool needs_blank = false;
  do {
    skip_blanks(r);
    if (!*r->at) return complain(r, "a parenthesis is not closed", NULL);
    if (*r->at == '?') return complain(r, "there are variables in the formula", NULL);
    if (*r->at == ')') {
      text_add_char(out, *r->at++);
      depth--;
      needs_blank = true;
      continue;
    }
    if (needs_blank) text_add_char(out, ' ');
    needs_blank = *r->at != '(';
    if (*r->at == '(') {
      text_add_char(out, *r->at++);
      depth++;
      continue;
    }
    while (*r->at && !strchr(" \t\r\n()", *r->at)) add_lower(out, *r->at++);
  } while (depth);
  return true;
}

static bool read_fluent(reader *r, claim *out) {
  text name = text_new(r->keep);
  if (!read_term(r, &name)) return false;
  const claim_step step = {CLAIM_FLUENT, find_fluent(r, text_string(&name))};
  if (step.number == ID_NONE) return complain(r, "there is no fluent", text_string(&name));
  vec_push(r->keep, out, step);
  return true;
}

/* ---- lists ---- */

/* Begins a list if an operator stands here.  `true` is left out: it is the list of its operand. */
static bool begins_list(reader *r) {
  static const struct {
    const char *name;
    claim_op op;
  } operators[] = {{"and", CLAIM_AND}, {"or", CLAIM_OR}, {"not", CLAIM_NOT}, {"true", CLAIM_AND}};
  if (*r->at != '(') return false;
  const char *name = r->at + 1 + strspn(r->at + 1, " \t\r\n");
  const size_t length = strcspn(name, " \t\r\n()");
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    if (strlen(operators[i].name) != length || strncasecmp(name, operators[i].name, length) != 0)
      continue;
    r->at = name + length;
    const open_list list = {.op = operators[i].op};
    vec_push(r->keep, &r->open, list);
    return true;
  }
  return false;
}

static bool end_list(reader *r, claim *out) {
  const open_list list = vec_pop(&r->open);
  const claim_step step = {list.op, list.operands};
  r->at++;
  if (list.op == CLAIM_NOT && list.operands != 1)
    return complain(r, "`not' takes one formula", NULL);
  vec_push(r->keep, out, step);
  return true;
}

bool claim_read(claim *out, const char *words, const circuit *c, arena *keep,
                const char **complaint) {
  reader r = {.at = words, .c = c, .keep = keep, .complaint = complaint};
  *out = (claim){0};
  do {
    skip_blanks(&r);
    if (!*r.at) return complain(&r, "a formula is not complete", NULL);
    const bool ends = *r.at == ')' && r.open.count;
    if (begins_list(&r)) continue;
    if (!(ends ? end_list(&r, out) : read_fluent(&r, out))) return false;
    if (r.open.count) vec_last(&r.open).operands++;
  } while (r.open.count);
  skip_blanks(&r);
  return !*r.at || complain(&r, "there is more behind the formula:", r.at);
}

/* ---- values ---- */

wire claim_make(const claim *f, gate_maker *m, const wire *fluents, arena *scratch) {
  wire_vec stack = {0};
  for (uint32_t i = 0; i < f->count; i++) {
    const claim_step s = f->items[i];
    if (s.op == CLAIM_FLUENT) {
      vec_push(scratch, &stack, fluents[s.number]);
      continue;
    }
    stack.count -= s.number;
    const wire *operands = stack.items + stack.count;
    wire made = WIRE_FALSE;
    if (s.op == CLAIM_NOT) made = wire_not(operands[0]);
    if (s.op == CLAIM_AND) made = make_and(m, operands, s.number);
    if (s.op == CLAIM_OR) made = make_or(m, operands, s.number);
    vec_push(scratch, &stack, made);
  }
  return stack.items[0];
}

bool claim_holds(const claim *f, const bool *fluents, arena *scratch) {
  VEC(bool) stack = {0};
  for (uint32_t i = 0; i < f->count; i++) {
    const claim_step s = f->items[i];
    bool value = s.op != CLAIM_OR;
    if (s.op == CLAIM_FLUENT)
      value = fluents[s.number];
    else
      stack.count -= s.number;
    for (uint32_t k = 0; s.op != CLAIM_FLUENT && k < s.number; k++) {
      const bool operand = stack.items[stack.count + k];
      if (s.op == CLAIM_NOT) value = !operand;
      if (s.op == CLAIM_AND) value &= operand;
      if (s.op == CLAIM_OR) value |= operand;
    }
    vec_push(scratch, &stack, value);
  }
  return stack.items[0];
}
