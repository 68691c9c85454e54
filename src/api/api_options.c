#include "api/api_options.h"

#include "base/spelling.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct choice {
  const char *name, *value;
} choice;

struct tabia_options {
  arena *keep;
  bool is_incomplete; /* there was no memory for a choice */
  VEC(choice) all;
};

static tabia_options *options_new(void) {
  arena *keep = arena_new();
  tabia_options *o = arena_alloc_zero(keep, sizeof *o);
  o->keep = keep;
  return o;
}

tabia_options *tabia_options_new(void) { API_GUARDED(tabia_options *, options_new(), NULL); }

void tabia_options_free(tabia_options *o) {
  if (o) arena_free(o->keep);
}

static choice *find(const tabia_options *o, const char *name) {
  for (uint32_t i = 0; o && i < o->all.count; i++)
    if (strcmp(o->all.items[i].name, name) == 0) return &o->all.items[i];
  return NULL;
}

static void set(tabia_options *o, const char *name, const char *value) {
  choice *known = find(o, name);
  const char *kept = value ? arena_copy_text(o->keep, value, strlen(value)) : NULL;
  if (known)
    known->value = kept;
  else
    vec_push(o->keep, &o->all, ((choice){arena_copy_text(o->keep, name, strlen(name)), kept}));
}

void tabia_options_set(tabia_options *o, const char *name, const char *value) {
  API_TRY_IN(NULL, set(o, name, value), o->is_incomplete = true);
}

const char *tabia_options_get(const tabia_options *o, const char *name) {
  const choice *c = find(o, name);
  return c ? c->value : NULL;
}

const char *api_keep_text(arena *keep, const char *words, bool *is_missing) {
  const char *volatile kept = NULL; /* by setjmp */
  *is_missing = false;
  if (words)
    API_TRY_IN(NULL, kept = arena_copy_text(keep, words, strlen(words)), *is_missing = true);
  return kept;
}

/* ---- lists of choices ---- */

/* The next piece of a list, up to one of the separators; false: there is none. */
static bool next_piece(slice *rest, const char *separators, slice *piece) {
  if (!rest->length) return false;
  size_t length = 0;
  while (length < rest->length && !strchr(separators, rest->start[length])) length++;
  *piece = (slice){rest->start, length};
  const size_t used = length < rest->length ? length + 1 : length;
  *rest = (slice){rest->start + used, rest->length - used};
  return true;
}

/* The values of a name: "kif|prolog|json"; an empty slice when the list has no such name. */
static slice values_of(const char *choices, const char *name) {
  slice rest = slice_of(choices), row, key;
  while (next_piece(&rest, " ", &row)) {
    slice values = row;
    if (next_piece(&values, "=", &key) && slice_equals(key, name)) return values;
  }
  return (slice){0};
}

static bool is_any_text(slice value) {
  return value.length && isupper((unsigned char)*value.start);
}

/* The number of a value; UINT32_MAX: it is not among them. */
static uint32_t value_number(slice values, const char *value) {
  slice piece;
  for (uint32_t i = 0; next_piece(&values, "|", &piece); i++)
    if (is_any_text(piece) || slice_equals(piece, value)) return i;
  return UINT32_MAX;
}

static void propose_name(const char *choices, const char *name, const char *of,
                         tabia_messages *log) {
  spelling s = spelling_of(slice_of(name));
  slice rest = slice_of(choices), row, key;
  while (next_piece(&rest, " ", &row))
    if (next_piece(&row, "=", &key)) spelling_is_nearer(&s, key);
  if (s.best.start)
    api_tell_error(log, "%s has no option `%s`; did you mean `%.*s`?", of, name, (int)s.best.length,
                   s.best.start);
  else
    api_tell_error(log, "%s has no option `%s`", of, name);
}

static bool fits(const choice *c, const char *choices, const char *of, tabia_messages *log) {
  const slice values = values_of(choices, c->name);
  if (!c->value) return true;
  if (!values.start) {
    propose_name(choices, c->name, of, log);
    return false;
  }
  if (value_number(values, c->value) != UINT32_MAX) return true;
  api_tell_error(log, "%s of %s cannot be `%s`: it is one of %.*s", c->name, of, c->value,
                 (int)values.length, values.start);
  return false;
}

bool api_options_fit(const tabia_options *o, const char *choices, const char *of,
                     tabia_messages *log) {
  if (o && o->is_incomplete) recovery_fail();
  for (uint32_t i = 0; o && i < o->all.count; i++)
    if (!fits(&o->all.items[i], choices, of, log)) return false;
  return true;
}

uint32_t api_option(const tabia_options *o, const char *choices, const char *name) {
  const char *value = tabia_options_get(o, name);
  const slice values = values_of(choices, name);
  assert(values.start);
  return value ? value_number(values, value) : 0;
}

bool api_option_is(const tabia_options *o, const char *choices, const char *name,
                   const char *value) {
  return api_option(o, choices, name) == value_number(values_of(choices, name), value);
}

const char *api_option_text(const tabia_options *o, const char *name, const char *otherwise) {
  const char *value = tabia_options_get(o, name);
  return value ? value : otherwise;
}

bool api_option_number(const tabia_options *o, const char *name, double *number,
                       tabia_messages *log) {
  const char *value = tabia_options_get(o, name);
  char *end;
  if (!value) return true;
  const double read = strtod(value, &end);
  if (end == value || *end || !(read >= 0)) {
    api_tell_error(log, "%s has to be a number from 0 on, not `%s`", name, value);
    return false;
  }
  *number = read;
  return true;
}

bool api_option_whole(const tabia_options *o, const char *name, double least, double most,
                      double *number, tabia_messages *log) {
  if (!api_option_number(o, name, number, log)) return false;
  if (*number >= least && *number <= most && *number == floor(*number)) return true;
  api_tell_error(log, "%s has to be a whole number from %.0f to %.0f", name, least, most);
  return false;
}

/* ---- bytes ---- */

static double unit_of(char letter) {
  switch (letter) {
    case '\0': return 1;
    case 'K': return 0x1p10;
    case 'M': return 0x1p20;
    case 'G': return 0x1p30;
    default: return 0;
  }
}

bool api_option_bytes(const tabia_options *options, const char *name, size_t *bytes,
                      tabia_messages *log) {
  static const double least = 0x1p20, most = 0x1p44;
  const char *words = tabia_options_get(options, name);
  char *end;
  if (!words) return true;
  double number = strtod(words, &end);
  number *= *end && end[1] ? 0 : unit_of(*end);
  if (end == words || !(number >= least && number <= most)) {
    api_tell_error(log, "%s has to be a number of bytes from 1M on, not `%s`", name, words);
    return false;
  }
  *bytes = (size_t)number;
  return true;
}
