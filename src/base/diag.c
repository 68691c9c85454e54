#include "base/diag.h"

#include "base/diag_choice.h"
#include "base/text.h"

#include <stdlib.h>

const diag_info diag_infos[DIAG_KIND_COUNT] = {
#define DIAG(code, severity, name, summary) {#code, severity, name, summary},
#include "base/diag_table.def"
#undef DIAG
};

void diag_sink_init(diag_sink *d, arena *keep) { *d = (diag_sink){.keep = keep}; }

__attribute__((format(printf, 2, 0))) static const char *formatted(diag_sink *d, const char *format,
                                                                   va_list list) {
  text words = text_new(d->keep);
  text_add_format_list(&words, format, list);
  return text_string(&words);
}

static void count(diag_sink *d, diag_kind kind) {
  if (diag_infos[kind].severity == SEVERITY_ERROR) d->errors++;
  if (diag_infos[kind].severity == SEVERITY_WARNING) d->warnings++;
}

diag *diag_add(diag_sink *d, diag_kind kind, span where, const char *format, ...) {
  d->unkept = (diag){.kind = kind};
  if (!diag_is_on(d, kind)) return &d->unkept;
  count(d, kind);
  if (d->limit && d->kept_of_kind[kind] == d->limit) {
    d->unkept_of_kind[kind]++;
    return &d->unkept;
  }
  d->kept_of_kind[kind]++;
  va_list list;
  va_start(list, format);
  const diag g = {.kind = kind, .where = where, .message = formatted(d, format, list)};
  va_end(list);
  vec_push(d->keep, &d->all, g);
  return &vec_last(&d->all);
}

void diag_hint(diag_sink *d, diag *about, const char *format, ...) {
  if (about == &d->unkept) return;
  va_list list;
  va_start(list, format);
  about->hint = formatted(d, format, list);
  va_end(list);
}

void diag_relate(diag_sink *d, diag *about, span where, const char *format, ...) {
  if (about == &d->unkept) return;
  va_list list;
  va_start(list, format);
  diag_related *r = arena_alloc(d->keep, sizeof *r);
  *r = (diag_related){.where = where, .message = formatted(d, format, list)};
  va_end(list);
  diag_related **end = &about->related;
  while (*end) end = &(*end)->next;
  *end = r;
}

void diag_mend(diag_sink *d, diag *about, span where, const char *format, ...) {
  if (about == &d->unkept) return;
  va_list list;
  va_start(list, format);
  diag_edit *e = arena_alloc(d->keep, sizeof *e);
  *e = (diag_edit){.where = where, .with = formatted(d, format, list)};
  va_end(list);
  diag_edit **end = &about->edits;
  while (*end) end = &(*end)->next;
  *end = e;
}

void diag_take_back(diag_sink *d, const diag_sink *before) {
  const __typeof__(d->all) all = d->all;
  *d = *before;
  d->all.items = all.items;
  d->all.capacity = all.capacity;
}

/* ---- order ---- */

typedef enum depth { DEPTH_TEXT, DEPTH_CAUSE, DEPTH_CONSEQUENCE } depth;

static depth depth_of(diag_kind kind) {
  switch (kind) {
    case DIAG_W305:
    case DIAG_W308:
    case DIAG_E601:
    case DIAG_W602:
    case DIAG_E603:
    case DIAG_E604:
    case DIAG_E605:
    case DIAG_W608:
    case DIAG_W610:
    case DIAG_W611:
    case DIAG_W612:
    case DIAG_W613:
    case DIAG_W614:
    case DIAG_W616:
    case DIAG_W617:
    case DIAG_W618:
    case DIAG_W619:
    case DIAG_W620:
    case DIAG_W621:
    case DIAG_W622:
    case DIAG_W623:
    case DIAG_W624:
    case DIAG_W626: return DEPTH_CONSEQUENCE;
    default: return kind <= DIAG_E112 ? DEPTH_TEXT : DEPTH_CAUSE;
  }
}

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int compare_places(const void *left, const void *right) {
  const diag *a = left;
  const diag *b = right;
  const int by_depth = compare_numbers(depth_of(a->kind), depth_of(b->kind));
  if (by_depth) return by_depth;
  const int by_start = compare_numbers(a->where.start, b->where.start);
  if (by_start) return by_start;
  const int by_kind = compare_numbers((uint32_t)a->kind, (uint32_t)b->kind);
  return by_kind ? by_kind : compare_numbers(a->order, b->order);
}

void diag_sort(diag_sink *d) {
  for (uint32_t i = 0; i < d->all.count; i++) d->all.items[i].order = i;
  if (d->all.count) qsort(d->all.items, d->all.count, sizeof *d->all.items, compare_places);
}

severity diag_severity(const diag *g) {
  return g->rejects ? SEVERITY_ERROR : diag_infos[g->kind].severity;
}

const char *severity_name(severity s) {
  return s == SEVERITY_ERROR ? "error" : s == SEVERITY_WARNING ? "warning" : "note";
}
