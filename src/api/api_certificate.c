/* Certificates are checked. */
#include "api/api.h"

#include "certify/certify.h"

#include <string.h>

static void put_report(const certificate_report *r, arena *keep, tabia_put *put, void *context) {
  text out = text_new(keep);
  for (uint32_t i = 0; i < r->sections.count; i++) {
    text_add(&out, r->sections.items[i].words);
    text_add_char(&out, '\n');
  }
  put(context, text_string(&out), out.length);
}

static tabia_status check_read(reading *r, const certificate *c, const tabia_limits *limits,
                               tabia_put *put, void *context, tabia_messages *log) {
  certificate_report report;
  budget b = api_budget(limits);
  diag_sink_init(&r->diags, r->keep);
  if (!certificate_check(&report, c, &r->program, r->keep, &b, &r->diags)) {
    if (!r->diags.errors) budget_report(&b, &r->diags, "not all was checked");
    api_tell(log, &r->diags, &r->source);
    return b.end == BUDGET_LEFT ? TABIA_UNREADABLE : TABIA_LIMIT;
  }
  put_report(&report, r->keep, put, context);
  if (report.rejected) return TABIA_FAULTY;
  return report.unchecked ? TABIA_LIMIT : TABIA_OK;
}

/* Places of a certificate are of another text than those of the game: what is wrong with how it is
   written is told before it is checked. */
static tabia_status check_text(reading *r, source *s, const tabia_limits *limits, tabia_put *put,
                               void *context, tabia_messages *log) {
  certificate c;
  diag_sink d;
  diag_sink_init(&d, r->keep);
  if (certificate_read(&c, s, r->keep, &d)) return check_read(r, &c, limits, put, context, log);
  api_tell(log, &d, s);
  return TABIA_UNREADABLE;
}

static tabia_status check_source(const tabia_rules *rules, source s, const tabia_limits *limits,
                                 tabia_put *put, void *context, tabia_messages *log) {
  reading *r = reading_whole(rules, log);
  if (!r) return TABIA_FAULTY;
  s = source_of(arena_copy_text(r->keep, s.name, strlen(s.name)),
                arena_copy_text(r->keep, s.bytes, s.length), s.length);
  const tabia_status status = check_text(r, &s, limits, put, context, log);
  reading_free(r);
  return status;
}

static tabia_status say_too_long(const char *name, tabia_messages *log) {
  api_tell_error(log, "%s is too long", name);
  return TABIA_UNREADABLE;
}

tabia_status tabia_certificate_check(const tabia_rules *rules, const char *name,
                                     const char *certificate, size_t length,
                                     const tabia_limits *limits, tabia_put *put, void *context,
                                     tabia_messages *log) {
  if (length > SOURCE_MAX_BYTES)
    API_GUARDED(tabia_status, say_too_long(name, log), api_no_memory(log));
  const source s = {.name = name, .bytes = certificate, .length = (uint32_t)length};
  API_GUARDED(tabia_status, check_source(rules, s, limits, put, context, log), api_no_memory(log));
}
