#include "api/api_messages.h"

#include "base/text.h"
#include "rules/diag_explain.h"

#include <string.h>

static tabia_messages *messages_new(void) {
  arena *keep = arena_new();
  tabia_messages *log = arena_alloc_zero(keep, sizeof *log);
  *log = (tabia_messages){.keep = keep, .texts = arena_new()};
  diag_choice_default(&log->choice);
  vec_reserve(keep, &log->all, 1);
  return log;
}

tabia_messages *tabia_messages_new(void) { API_GUARDED(tabia_messages *, messages_new(), NULL); }

void tabia_messages_free(tabia_messages *log) {
  if (!log) return;
  arena_free(log->texts);
  arena_free(log->keep);
}

void tabia_messages_clear(tabia_messages *log) {
  arena_clear(log->texts);
  log->all.count = 0;
  memset(log->kept, 0, sizeof log->kept);
  memset(log->dropped, 0, sizeof log->dropped);
}

static tabia_status choose(tabia_messages *log, const char *word) {
  const char *why = NULL;
  if (diag_choice_take(&log->choice, word, &why, log->texts)) return TABIA_OK;
  api_tell_error(log, "%s", why);
  return TABIA_MISUSE;
}

tabia_status tabia_messages_choose(tabia_messages *log, const char *word) {
  API_GUARDED(tabia_status, choose(log, word), api_no_memory(log));
}

void tabia_messages_set_limit(tabia_messages *log, uint32_t of_a_kind) { log->limit = of_a_kind; }

/* ---- asking ---- */

uint32_t tabia_messages_count(const tabia_messages *log) { return log->all.count; }

uint32_t tabia_messages_dropped(const tabia_messages *log) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < DIAG_KIND_COUNT; i++) count += log->dropped[i];
  return count;
}

static tabia_severity severity_of_kind(const tabia_messages *log, uint32_t kind) {
  const tabia_severity usual = (tabia_severity)diag_infos[kind].severity;
  return usual == TABIA_WARNING && log->choice.is_error[kind] ? TABIA_ERROR : usual;
}

uint32_t tabia_messages_count_of(const tabia_messages *log, tabia_severity severity) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < log->all.count; i++) count += log->all.items[i].severity == severity;
  for (uint32_t i = 0; i < DIAG_KIND_COUNT; i++)
    if (severity_of_kind(log, i) == severity) count += log->dropped[i];
  return count;
}

static const message *message_at(const tabia_messages *log, uint32_t i) {
  assert(i < log->all.count);
  return &log->all.items[i];
}

tabia_severity tabia_message_severity(const tabia_messages *log, uint32_t i) {
  return message_at(log, i)->severity;
}

const char *tabia_message_code(const tabia_messages *log, uint32_t i) {
  return message_at(log, i)->code;
}

const char *tabia_message_text(const tabia_messages *log, uint32_t i) {
  return message_at(log, i)->words;
}

const char *tabia_message_hint(const tabia_messages *log, uint32_t i) {
  return message_at(log, i)->hint;
}

const char *tabia_message_file(const tabia_messages *log, uint32_t i) {
  const message *m = message_at(log, i);
  return m->source ? m->source->name : NULL;
}

bool tabia_message_range(const tabia_messages *log, uint32_t i, size_t *start, size_t *end) {
  const span where = message_at(log, i)->where;
  if (where.start == UINT32_MAX) return false;
  *start = where.start;
  *end = where.end;
  return true;
}

static uint32_t column_in(const place *p, tabia_unit unit) {
  switch (unit) {
    case TABIA_UNIT_BYTES: return p->bytes;
    case TABIA_UNIT_UTF16: return p->utf16;
    case TABIA_UNIT_CHARACTERS: break;
  }
  return p->column;
}

bool tabia_message_place(const tabia_messages *log, uint32_t i, tabia_unit unit, bool of_end,
                         uint32_t *line, uint32_t *column) {
  const message *m = message_at(log, i);
  if (m->where.start == UINT32_MAX) return false;
  const place at = source_place(m->source, of_end ? m->where.end : m->where.start);
  *line = at.line;
  *column = column_in(&at, unit);
  return true;
}

uint32_t tabia_message_line(const tabia_messages *log, uint32_t i) {
  uint32_t line = 0, column;
  tabia_message_place(log, i, TABIA_UNIT_CHARACTERS, false, &line, &column);
  return line;
}

uint32_t tabia_message_column(const tabia_messages *log, uint32_t i) {
  uint32_t line, column = 0;
  tabia_message_place(log, i, TABIA_UNIT_CHARACTERS, false, &line, &column);
  return column;
}

uint32_t tabia_message_edits(const tabia_messages *log, uint32_t i, tabia_edit *edit,
                             void *context) {
  uint32_t count = 0;
  for (const diag_edit *e = message_at(log, i)->edits; e; e = e->next, count++)
    if (edit) edit(context, e->where.start, e->where.end, e->with);
  return count;
}

/* ---- telling ---- */

static const char *kept(tabia_messages *log, const char *words) {
  return words ? arena_copy_text(log->texts, words, strlen(words)) : NULL;
}

static void add(tabia_messages *log, message m) {
  m.words = kept(log, m.words);
  m.hint = kept(log, m.hint);
  vec_reserve(log->keep, &log->all, 2);
  vec_push(log->keep, &log->all, m);
}

tabia_status api_no_memory(tabia_messages *log) {
  const message m = {.severity = TABIA_ERROR,
                     .code = diag_infos[DIAG_E802].code,
                     .words = recovery_was_for_limit() ? "the memory limit was reached"
                                                       : "the system has no memory left",
                     .where = SPAN_NONE};
  if (log && log->all.count < log->all.capacity)
    log->all.items[log->all.count++] = m;
  else if (log)
    log->dropped[DIAG_E802]++;
  return TABIA_LIMIT;
}

static const diag_edit *kept_edits(tabia_messages *log, const diag_edit *from) {
  diag_edit *first = NULL;
  diag_edit **end = &first;
  for (; from; from = from->next) {
    diag_edit *copy = arena_alloc(log->texts, sizeof *copy);
    *copy = (diag_edit){.where = from->where, .with = kept(log, from->with)};
    *end = copy;
    end = &copy->next;
  }
  return first;
}

static void add_diag(tabia_messages *log, const diag *g, const source *s) {
  if (log->choice.is_off[g->kind]) return;
  if (log->limit && log->kept[g->kind] == log->limit) {
    log->dropped[g->kind]++;
    return;
  }
  log->kept[g->kind]++;
  add(log, (message){.severity = (tabia_severity)diag_severity(g),
                     .code = diag_infos[g->kind].code,
                     .words = g->message,
                     .hint = g->hint,
                     .where = g->where,
                     .edits = kept_edits(log, g->edits),
                     .source = s});
  for (const diag_related *r = g->related; r; r = r->next)
    add(log, (message){.severity = TABIA_NOTE,
                       .code = "",
                       .words = r->message,
                       .where = r->where,
                       .source = s});
}

/* The text that the messages are about, kept as long as they are. */
static const source *keep_source(tabia_messages *log, const source *s) {
  source *copy = arena_alloc_zero(log->texts, sizeof *copy);
  *copy =
      source_of(kept(log, s->name), arena_copy_text(log->texts, s->bytes, s->length), s->length);
  source_index_lines(copy, log->texts);
  return copy;
}

const diag_choice *api_choice(const tabia_messages *log) { return log ? &log->choice : NULL; }

void api_tell(tabia_messages *log, diag_sink *d, const source *s) {
  if (!log || !d->all.count) return;
  const source *about = keep_source(log, s);
  diag_sort(d);
  for (uint32_t i = 0; i < d->all.count; i++) add_diag(log, &d->all.items[i], about);
}

static void tell_plainly(tabia_messages *log, tabia_severity severity, const char *format,
                         va_list list) __attribute__((format(printf, 3, 0)));

static void tell_plainly(tabia_messages *log, tabia_severity severity, const char *format,
                         va_list list) {
  if (!log) return;
  text words = text_new(log->texts);
  text_add_format_list(&words, format, list);
  while (words.length && words.bytes[words.length - 1] == '\n') words.bytes[--words.length] = '\0';
  add(log, (message){
               .severity = severity, .code = "", .words = text_string(&words), .where = SPAN_NONE});
}

void api_tell_error(tabia_messages *log, const char *format, ...) {
  va_list list;
  va_start(list, format);
  tell_plainly(log, TABIA_ERROR, format, list);
  va_end(list);
}

void api_tell_warning(tabia_messages *log, const char *format, ...) {
  va_list list;
  va_start(list, format);
  tell_plainly(log, TABIA_WARNING, format, list);
  va_end(list);
}

tabia_status api_tell_fault(tabia_messages *log, const game_fault *f, const machine *m) {
  if (f->kind == FAULT_NONE) return TABIA_OK;
  arena *scratch = arena_new();
  text words = text_new(scratch);
  fault_describe(f, m, &words);
  api_tell_error(log, "%s", text_string(&words));
  arena_free(scratch);
  return TABIA_FAULTY;
}

const char *tabia_status_text(tabia_status s) {
  switch (s) {
    case TABIA_OK: return "all is well";
    case TABIA_FAULTY: return "the rules or the game have a fault";
    case TABIA_MISUSE: return "an argument is wrong";
    case TABIA_UNREADABLE: return "it cannot be read";
    case TABIA_LIMIT: return "a limit was reached";
  }
  return "no status";
}

/* ---- codes ---- */

uint32_t tabia_code_count(void) { return DIAG_KIND_COUNT; }

const char *tabia_code(uint32_t i) { return i < DIAG_KIND_COUNT ? diag_infos[i].code : NULL; }

const char *tabia_code_name(uint32_t i) { return i < DIAG_KIND_COUNT ? diag_infos[i].name : NULL; }

const char *tabia_code_summary(uint32_t i) {
  return i < DIAG_KIND_COUNT ? diag_infos[i].summary : NULL;
}

tabia_severity tabia_code_severity(uint32_t i) {
  return i < DIAG_KIND_COUNT ? (tabia_severity)diag_infos[i].severity : TABIA_NOTE;
}

bool tabia_code_is_default(uint32_t i) {
  return i < DIAG_KIND_COUNT && diag_is_on_by_default((diag_kind)i);
}

uint32_t tabia_code_dropped(uint32_t i, const tabia_messages *log) {
  return i < DIAG_KIND_COUNT ? log->dropped[i] : 0;
}

uint32_t tabia_code_find(const char *word, const char **nearest) {
  const diag_kind kind = diag_kind_named(word);
  if (nearest) *nearest = kind == DIAG_KIND_COUNT ? diag_name_nearest(word) : NULL;
  return kind;
}

static tabia_status explain(uint32_t i, tabia_put *put, void *context) {
  arena *scratch = arena_new();
  text out = text_new(scratch);
  diag_explain((diag_kind)i, &out);
  put(context, text_string(&out), out.length);
  arena_free(scratch);
  return TABIA_OK;
}

tabia_status tabia_code_explain(uint32_t i, tabia_put *put, void *context) {
  if (i >= DIAG_KIND_COUNT) return TABIA_MISUSE;
  API_GUARDED(tabia_status, explain(i, put, context), TABIA_LIMIT);
}
