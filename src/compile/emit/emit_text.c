#include "compile/emit/emit_parts.h"

#include <stdarg.h>
#include <string.h>

enum {
  NAME_LENGTH = 24,     /* letters of a relation's name that are shown */
  COMMENT_LENGTH = 600, /* bytes of a rule that are shown */
  STRING_MAX = 4000,    /* C17 promises that literals of 4095 bytes are understood */
};

const char *emit_format(emitter *e, const char *format, ...) {
  text out = text_new(e->keep);
  va_list list;
  va_start(list, format);
  text_add_format_list(&out, format, list);
  va_end(list);
  return text_string(&out);
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Letters and digits of a name; anything else, and repeated underscores, become one underscore. */
static void add_letters(text *out, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    const char c = is_letter(bytes[i]) ? bytes[i] : '_';
    if (c != '_' || (out->length && out->bytes[out->length - 1] != '_')) text_add_char(out, c);
  }
}

const char *emit_identifier(const char *name, arena *keep) {
  const char *slash = strrchr(name, '/');
  if (slash) name = slash + 1;
  const char *dot = strrchr(name, '.');
  text out = text_new(keep);
  text_add(&out, "");
  add_letters(&out, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
  while (out.length && out.bytes[out.length - 1] == '_') out.bytes[--out.length] = '\0';
  if (out.length > 60) out.bytes[out.length = 60] = '\0';
  return out.length ? text_string(&out) : "game";
}

/* `true` and what it is about, or the relation's own name. */
const char *emit_name(emitter *e, flat_id r) {
  const term_table *t = e->f->terms;
  term_id atom = e->f->relations.items[r].skeleton;
  text letters = text_new(e->keep);
  text_add(&letters, "");
  for (int depth = 0; depth < 2; depth++) {
    const term *it = term_get(t, atom);
    const slice name = symbol_folded(t->symbols, it->name);
    add_letters(&letters, name.start, name.length < NAME_LENGTH ? name.length : NAME_LENGTH);
    if (!it->arg_count || !symbol_is_keyword_relation(it->name)) break;
    atom = term_arg(t, atom, it->arg_count - 1);
    if (term_get(t, atom)->is_variable) break;
    text_add_char(&letters, '_');
  }
  return emit_format(e, "r%u_%s", r, text_string(&letters));
}

/* No byte that could end the comment, begin another, or be half of a trigraph's escape. */
void emit_comment(emitter *e, const char *indent, const char *words) {
  text_add(e->out, indent);
  text_add(e->out, "/* ");
  size_t shown = 0;
  for (const char *at = words; *at; at++) {
    if (shown++ == COMMENT_LENGTH) {
      text_add(e->out, "...");
      break;
    }
    const unsigned char c = (unsigned char)*at;
    if (c < ' ' || c > '~' || c == '\\')
      text_add_format(e->out, "<%02x>", c);
    else
      text_add_char(e->out, (char)c);
    const bool is_risky =
        (*at == '*' || *at == '/' || *at == '?') && (at[1] == '*' || at[1] == '/' || at[1] == '?');
    if (is_risky) text_add_char(e->out, ' ');
  }
  text_add(e->out, " */\n");
}

static void add_literal(text *out, const char *words) {
  text_add_char(out, '"');
  for (; *words; words++) {
    const unsigned char c = (unsigned char)*words;
    const bool is_plain = c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?' && c != '%';
    if (is_plain)
      text_add_char(out, (char)c);
    else
      text_add_format(out, "\\%03o", c);
  }
  text_add_char(out, '"');
}

/* A long text is an array of numbers, which has no limit. */
static void add_array(text *out, const char *words) {
  text_add(out, "(const char[]){");
  for (; *words; words++) text_add_format(out, "%d,", *words);
  text_add(out, "0}");
}

void emit_string(emitter *e, const char *words) {
  if (strlen(words) <= STRING_MAX / 4)
    add_literal(e->out, words);
  else
    add_array(e->out, words);
}

const char *emit_type(uint64_t most) {
  if (most <= UINT8_MAX) return "uint8_t";
  if (most <= UINT16_MAX) return "uint16_t";
  return most <= UINT32_MAX ? "uint32_t" : "uint64_t";
}

void emit_numbers(emitter *e, const char *name, const uint32_t *numbers, uint32_t count) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < count; i++)
    if (numbers[i] > most) most = numbers[i];
  text_add_format(e->out, "TR_UNUSED static const %s %s[] = {", emit_type(most), name);
  for (uint32_t i = 0; i < count; i++) {
    if (i % 24 == 0 && budget_is_spent(e->limits)) return;
    if (i % 24 == 0) text_add(e->out, "\n    ");
    text_add_number(e->out, numbers[i]);
    text_add_char(e->out, ',');
  }
  text_add(e->out, count ? "\n};\n" : "0};\n");
}

void emit_words(emitter *e, const char *name, const uint64_t *words, uint32_t count) {
  text_add_format(e->out, "TR_UNUSED static const uint64_t %s[] = {", name);
  for (uint32_t i = 0; i < count; i++) {
    if (i % 5 == 0) text_add(e->out, "\n    ");
    text_add_format(e->out, "0x%llxu,", (unsigned long long)words[i]);
  }
  text_add(e->out, count ? "\n};\n" : "0};\n");
}
