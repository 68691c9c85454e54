#include "base/diag_choice.h"

#include "base/spelling.h"

#include <string.h>

/* docs/diagnostics.md says why. */
static const diag_kind off_by_default[] = {DIAG_W113, DIAG_W303, DIAG_W305, DIAG_W406, DIAG_W602};

bool diag_is_on_by_default(diag_kind kind) {
  for (size_t i = 0; i < sizeof off_by_default / sizeof *off_by_default; i++)
    if (off_by_default[i] == kind) return false;
  return true;
}

void diag_choice_default(diag_choice *c) {
  *c = (diag_choice){0};
  for (int i = 0; i < DIAG_KIND_COUNT; i++) c->is_off[i] = !diag_is_on_by_default((diag_kind)i);
}

diag_kind diag_kind_named(const char *word) {
  for (int i = 0; i < DIAG_KIND_COUNT; i++)
    if (strcasecmp(diag_infos[i].code, word) == 0 || strcasecmp(diag_infos[i].name, word) == 0)
      return (diag_kind)i;
  return DIAG_KIND_COUNT;
}

const char *diag_name_nearest(const char *word) {
  spelling s = spelling_of(slice_of(word));
  for (int i = 0; i < DIAG_KIND_COUNT; i++) spelling_is_nearer(&s, slice_of(diag_infos[i].name));
  return s.best.start;
}

static bool refuse_unknown(const char *word, const char **why, arena *keep) {
  text words = text_new(keep);
  const char *nearest = diag_name_nearest(word);
  text_add_format(&words, "there is no diagnostic `%s`", word);
  if (nearest) text_add_format(&words, "; did you mean `%s`?", nearest);
  *why = text_string(&words);
  return false;
}

static bool refuse_error(diag_kind kind, const char **why, arena *keep) {
  text words = text_new(keep);
  text_add_format(&words, "%s is an error, which is always reported", diag_infos[kind].code);
  *why = text_string(&words);
  return false;
}

static bool take_warning(diag_choice *c, const char *word, bool is_off, bool rejects,
                         const char **why, arena *keep) {
  const diag_kind kind = diag_kind_named(word);
  if (kind == DIAG_KIND_COUNT) return refuse_unknown(word, why, keep);
  if (diag_infos[kind].severity == SEVERITY_ERROR) return refuse_error(kind, why, keep);
  c->is_off[kind] = is_off;
  c->is_error[kind] = rejects;
  return true;
}

static bool take_all(diag_choice *c) {
  memset(c->is_off, 0, sizeof c->is_off);
  return true;
}

static bool reject_all(diag_choice *c) {
  memset(c->is_error, 1, sizeof c->is_error);
  return true;
}

/* Some names begin with `no-` themselves. */
bool diag_choice_take(diag_choice *c, const char *word, const char **why, arena *keep) {
  if (strcmp(word, "all") == 0) return take_all(c);
  if (strcmp(word, "error") == 0) return reject_all(c);
  if (strncmp(word, "error=", 6) == 0) return take_warning(c, word + 6, false, true, why, keep);
  const bool takes_away = strncmp(word, "no-", 3) == 0 && diag_kind_named(word) == DIAG_KIND_COUNT;
  if (takes_away) return take_warning(c, word + 3, true, false, why, keep);
  const diag_kind kind = diag_kind_named(word);
  const bool rejects = kind != DIAG_KIND_COUNT && c->is_error[kind];
  return take_warning(c, word, false, rejects, why, keep);
}

void diag_choice_promote(const diag_choice *c, diag_sink *d) {
  for (uint32_t i = 0; i < d->all.count; i++) {
    diag *g = &d->all.items[i];
    if (diag_severity(g) == SEVERITY_WARNING && c->is_error[g->kind]) g->rejects = true;
  }
  for (int i = 0; i < DIAG_KIND_COUNT; i++) {
    if (diag_infos[i].severity != SEVERITY_WARNING || !c->is_error[i]) continue;
    d->warnings -= diag_count(d, (diag_kind)i);
    d->errors += diag_count(d, (diag_kind)i);
  }
}
