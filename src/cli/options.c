#include "cli/options.h"

#include "base/spelling.h"
#include "cli/command.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Where the parser stands. */
typedef struct parser {
  const command_help *help;
  const option *options;
  int argc;
  char **argv;
  int at;         /* the argument being read */
  uint64_t given; /* a bit for each row */
  bool wants_help;
} parser;

static const char *command_of(const command_help *help) {
  const char *space = strchr(help->usage, ' ');
  return space ? space + 1 : "";
}

int usage_error(const command_help *help, const char *format, ...) {
  const char *command = command_of(help);
  va_list list;
  va_start(list, format);
  fputs("tabia: ", stderr);
  vfprintf(stderr, format, list);
  va_end(list);
  fprintf(stderr, "\nSee `tabia %.*s -h`.\n", (int)strcspn(command, " "), command);
  return EXIT_USAGE;
}

/* Help. */

enum { HELP_COLUMN = 28 };

static void show_choices(const option *o, FILE *out, int *width) {
  for (const char *const *choice = o->choices; *choice; choice++)
    *width += fprintf(out, "%s%s", choice == o->choices ? " " : "|", *choice);
}

static void show_option(const option *o, FILE *out) {
  int width = o->letter ? fprintf(out, "  -%c, ", o->letter) : fprintf(out, "      ");
  width += fprintf(out, "--%s", o->name);
  if (o->kind == OPTION_CHOICE)
    show_choices(o, out, &width);
  else if (o->kind != OPTION_FLAG)
    width += fprintf(out, " %s", o->argument);
  if (width >= HELP_COLUMN) {
    fputc('\n', out);
    width = 0;
  }
  fprintf(out, "%*s%s\n", HELP_COLUMN - width, "", o->help);
}

static void options_show_help(const command_help *help, const option *options, FILE *out) {
  static const option help_option = {.name = "help", .letter = 'h', .help = "show this help"};
  fprintf(out, "Usage: %s\n\n%s\n\nOptions:\n", help->usage, help->details);
  for (const option *o = options; o->name; o++) show_option(o, out);
  show_option(&help_option, out);
  fprintf(out, "\nExample:\n  %s\n", help->example);
}

/* Values. */

static bool set_number(const parser *p, const option *o, const char *value) {
  char *end;
  errno = 0;
  const unsigned long long number = strtoull(value, &end, 10);
  const bool is_number = *value >= '0' && *value <= '9' && *end == '\0';
  const bool in_range = errno == 0 && number >= o->least && (!o->most || number <= o->most);
  if (is_number && in_range) {
    *(uint64_t *)o->target = number;
    return true;
  }
  if (!is_number)
    usage_error(p->help, "--%s needs a whole number, not `%s`", o->name, value);
  else if (o->most || errno == ERANGE)
    usage_error(p->help, "--%s must be from %llu to %llu", o->name, (unsigned long long)o->least,
                o->most ? (unsigned long long)o->most : ULLONG_MAX);
  else
    usage_error(p->help, "--%s must be at least %llu", o->name, (unsigned long long)o->least);
  return false;
}

static bool set_real(const parser *p, const option *o, const char *value) {
  char *end;
  const double number = strtod(value, &end);
  if (end != value && *end == '\0' && number >= 0) {
    *(double *)o->target = number;
    return true;
  }
  usage_error(p->help, "--%s needs a number, not `%s`", o->name, value);
  return false;
}

static bool set_choice(const parser *p, const option *o, const char *value) {
  for (uint32_t i = 0; o->choices[i]; i++) {
    if (strcmp(o->choices[i], value) != 0) continue;
    *(uint32_t *)o->target = i;
    return true;
  }
  spelling s = spelling_of(slice_of(value));
  for (const char *const *choice = o->choices; *choice; choice++)
    spelling_is_nearer(&s, slice_of(*choice));
  if (s.best.start)
    usage_error(p->help, "--%s cannot be `%s`; did you mean `%s`?", o->name, value, s.best.start);
  else
    usage_error(p->help, "--%s cannot be `%s`", o->name, value);
  return false;
}

static bool add_to_list(const parser *p, const option *o, const char *value) {
  option_list *list = o->target;
  if (list->count == OPTION_LIST_MAX) {
    usage_error(p->help, "--%s is given more than %d times", o->name, OPTION_LIST_MAX);
    return false;
  }
  list->items[list->count++] = value;
  return true;
}

static bool set_option(parser *p, const option *o, const char *value) {
  assert(o - p->options < 64);
  p->given |= UINT64_C(1) << (o - p->options);
  switch (o->kind) {
    case OPTION_FLAG: *(bool *)o->target = true; return true;
    case OPTION_NUMBER: return set_number(p, o, value);
    case OPTION_REAL: return set_real(p, o, value);
    case OPTION_STRING: *(const char **)o->target = value; return true;
    case OPTION_LIST: return add_to_list(p, o, value);
    case OPTION_CHOICE: return set_choice(p, o, value);
  }
  return false;
}

/* The value that stands in the same argument, or the whole next argument; NULL: none. */
static const char *take_value(parser *p, const option *o, const char *attached) {
  if (attached) return attached;
  if (p->at + 1 < p->argc) return p->argv[++p->at];
  usage_error(p->help, "--%s needs a value", o->name);
  return NULL;
}

/* Parsing. */

static bool complain_unknown(const parser *p, const char *name, size_t length) {
  char typed[64];
  snprintf(typed, sizeof typed, "%.*s", (int)length, name);
  spelling s = spelling_of(slice_of(typed));
  spelling_is_nearer(&s, slice_of("help"));
  for (const option *o = p->options; o->name; o++) spelling_is_nearer(&s, slice_of(o->name));
  if (s.best.start)
    usage_error(p->help, "there is no option `--%s`; did you mean `--%s`?", typed, s.best.start);
  else
    usage_error(p->help, "there is no option `--%s`", typed);
  return false;
}

static bool parse_long(parser *p, const char *name) {
  const size_t length = strcspn(name, "=");
  const char *attached = name[length] == '=' ? name + length + 1 : NULL;
  for (const option *o = p->options; o->name; o++) {
    if (strlen(o->name) != length || strncmp(o->name, name, length) != 0) continue;
    if (o->kind != OPTION_FLAG) {
      const char *value = take_value(p, o, attached);
      return value && set_option(p, o, value);
    }
    if (!attached) return set_option(p, o, NULL);
    usage_error(p->help, "--%s takes no value", o->name);
    return false;
  }
  p->wants_help = length == 4 && strncmp(name, "help", 4) == 0;
  return p->wants_help || complain_unknown(p, name, length);
}

static const option *find_letter(const option *options, char letter) {
  for (const option *o = options; o->name; o++)
    if (o->letter == letter) return o;
  return NULL;
}

/* `-ab` is `-a -b`; `-n5` is `-n 5`. */
static bool parse_letters(parser *p, const char *letters) {
  for (; *letters; letters++) {
    const option *o = find_letter(p->options, *letters);
    if (!o) {
      p->wants_help = *letters == 'h';
      if (!p->wants_help) usage_error(p->help, "there is no option `-%c`", *letters);
      return p->wants_help;
    }
    if (o->kind != OPTION_FLAG) {
      const char *value = take_value(p, o, letters[1] ? letters + 1 : NULL);
      return value && set_option(p, o, value);
    }
    set_option(p, o, NULL);
  }
  return true;
}

static bool is_operand(const char *argument) { return argument[0] != '-' || argument[1] == '\0'; }

/* Operands move to the front of argv; options have been read before they are overwritten. */
static bool parse_all(parser *p, arguments *given) {
  bool options_end = false;
  for (; p->at < p->argc && !p->wants_help; p->at++) {
    char *argument = p->argv[p->at];
    if (options_end || is_operand(argument))
      given->items[given->count++] = argument;
    else if (strcmp(argument, "--") == 0)
      options_end = true;
    else if (!(argument[1] == '-' ? parse_long(p, argument + 2) : parse_letters(p, argument + 1)))
      return false;
  }
  return true;
}

bool options_parse(const command_help *help, const option *options, int argc, char **argv,
                   arguments *given, int *status) {
  parser p = {.help = help, .options = options, .argc = argc, .argv = argv, .at = 1};
  *given = (arguments){.items = argv + 1};
  *status = EXIT_USAGE;
  if (!parse_all(&p, given)) return false;
  given->options = p.given;
  *status = EXIT_YES;
  if (p.wants_help) options_show_help(help, options, stdout);
  return !p.wants_help;
}

bool arguments_expect(const command_help *help, const arguments *given, int least, int most,
                      int *status) {
  if (given->count >= least && (most < 0 || given->count <= most)) return true;
  *status = given->count < least
                ? usage_error(help, "too few arguments; usage: %s", help->usage)
                : usage_error(help, "unexpected argument `%s`", given->items[most]);
  return false;
}

static bool is_listed(const char *const *names, const char *name) {
  while (*names && strcmp(*names, name) != 0) names++;
  return *names;
}

bool options_have_effect(const command_help *help, const option *options, const arguments *given,
                         const char *const *names, const char *where, int *status) {
  for (uint32_t i = 0; options[i].name; i++) {
    if (!(given->options >> i & 1) || !is_listed(names, options[i].name)) continue;
    *status = usage_error(help, "--%s has no effect %s", options[i].name, where);
    return false;
  }
  return true;
}
