/* What a proof has found: verdicts, lines of play, groups, certificates. */
#include "api/api_proof.h"

#include "base/json.h"

#include <string.h>

/* ---- verdicts ---- */

static const finding *finding_at(const tabia_proof *p, uint32_t i) {
  assert(i < tabia_proof_count(p));
  return &p->job.findings[i];
}

uint32_t tabia_proof_count(const tabia_proof *p) {
  return p->has_job && p->job.findings ? p->job.properties.count : 0;
}

const char *tabia_proof_property(const tabia_proof *p, uint32_t i) {
  return p->job.properties.items[i].name;
}

tabia_verdict tabia_proof_verdict(const tabia_proof *p, uint32_t i) {
  switch (finding_at(p, i)->kind) {
    case VERDICT_PROVED: return TABIA_PROVED;
    case VERDICT_REFUTED: return TABIA_REFUTED;
    case VERDICT_UNKNOWN: break;
  }
  return TABIA_UNKNOWN;
}

const char *tabia_verdict_name(tabia_verdict v) {
  return v == TABIA_PROVED ? "proved" : v == TABIA_REFUTED ? "refuted" : "unknown";
}

const char *tabia_proof_method(const tabia_proof *p, uint32_t i) {
  return finding_at(p, i)->method;
}

const char *tabia_proof_reason(const tabia_proof *p, uint32_t i) {
  return finding_at(p, i)->reason;
}

double tabia_proof_seconds(const tabia_proof *p, uint32_t i) { return finding_at(p, i)->seconds; }

uint64_t tabia_proof_states(const tabia_proof *p, uint32_t i) { return finding_at(p, i)->states; }

uint32_t tabia_proof_depth(const tabia_proof *p, uint32_t i) { return finding_at(p, i)->depth; }

/* ---- lines of play ---- */

bool tabia_proof_has_line(const tabia_proof *p, uint32_t i) { return finding_at(p, i)->has_line; }

uint32_t tabia_proof_line_length(const tabia_proof *p, uint32_t i) {
  return finding_at(p, i)->has_line ? finding_at(p, i)->length : 0;
}

uint32_t tabia_proof_line_returns_to(const tabia_proof *p, uint32_t i) {
  return finding_at(p, i)->returns_to;
}

static const char *line_move(const tabia_proof *p, uint32_t i, uint32_t step, uint32_t role) {
  const finding *v = finding_at(p, i);
  const circuit *c = &p->job.g.circuit;
  assert(v->has_line && step < v->length && role < c->roles.count);
  const uint32_t move = v->line.items[(size_t)step * c->roles.count + role];
  text out = text_new(p->job.keep); /* lives as long as the job */
  term_print(c->terms, c->moves.items[move].term, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

const char *tabia_proof_line_move(const tabia_proof *p, uint32_t i, uint32_t step, uint32_t role) {
  API_GUARDED(const char *, line_move(p, i, step, role), NULL);
}

/* ---- groups ---- */

uint32_t tabia_proof_group_count(const tabia_proof *p, uint32_t i) {
  return finding_at(p, i)->groups ? finding_at(p, i)->groups->all.count : 0;
}

static const fact *group_at(const tabia_proof *p, uint32_t i, uint32_t group) {
  assert(group < tabia_proof_group_count(p, i));
  return &finding_at(p, i)->groups->all.items[group];
}

bool tabia_proof_group_is_exact(const tabia_proof *p, uint32_t i, uint32_t group) {
  return group_at(p, i, group)->kind == FACT_EXACTLY_ONE;
}

uint32_t tabia_proof_group_size(const tabia_proof *p, uint32_t i, uint32_t group) {
  return group_at(p, i, group)->count;
}

static const char *group_fluent(const tabia_proof *p, uint32_t i, uint32_t group, uint32_t k) {
  const fact *f = group_at(p, i, group);
  assert(k < f->count);
  text out = text_new(p->job.keep); /* lives as long as the job */
  fact_print_member(finding_at(p, i)->groups, &p->job.g.circuit, f, k, &out);
  return text_string(&out);
}

const char *tabia_proof_group_fluent(const tabia_proof *p, uint32_t i, uint32_t group, uint32_t k) {
  API_GUARDED(const char *, group_fluent(p, i, group, k), NULL);
}

/* ---- writing ---- */

static tabia_status write_verdict(const tabia_proof *p, uint32_t i, const char *format,
                                  tabia_put *put, void *context, tabia_messages *log) {
  const bool is_json = strcmp(format, "json") == 0;
  text out = text_new(p->job.keep);
  if (!is_json && strcmp(format, "text") != 0) {
    api_tell_error(log, "there is no format `%s`: it is text or json", format);
    return TABIA_MISUSE;
  }
  json_writer w = json_to(&out);
  if (is_json)
    finding_write_json(&p->job.properties.items[i], finding_at(p, i), &p->job.g.circuit,
                       p->certificate, &w);
  else
    finding_print(&p->job.properties.items[i], finding_at(p, i), &p->job.g.circuit, &out);
  put(context, text_string(&out), out.length);
  return TABIA_OK;
}

tabia_status tabia_proof_write(const tabia_proof *p, uint32_t i, const char *format, tabia_put *put,
                               void *context, tabia_messages *log) {
  API_GUARDED(tabia_status, write_verdict(p, i, format, put, context, log), api_no_memory(log));
}

bool tabia_proof_has_certificate(const tabia_proof *p, uint32_t i) {
  return finding_has_certificate(&p->job.properties.items[i], finding_at(p, i));
}

static tabia_status write_certificate(const tabia_proof *p, tabia_put *put, void *context,
                                      tabia_messages *log) {
  if (tabia_proof_count(p)) {
    text out = text_new(p->job.keep);
    if (prover_certify(&p->job, &out)) {
      put(context, text_string(&out), out.length);
      return TABIA_OK;
    }
  }
  api_tell_error(log, "nothing was found that has a certificate");
  return TABIA_FAULTY;
}

tabia_status tabia_proof_write_certificate(const tabia_proof *p, tabia_put *put, void *context,
                                           tabia_messages *log) {
  API_GUARDED(tabia_status, write_certificate(p, put, context, log), api_no_memory(log));
}

static tabia_status write_trace(const tabia_proof *p, uint32_t i, const char *game, tabia_put *put,
                                void *context, tabia_messages *log) {
  budget b = budget_new(0, 0);
  if (!tabia_proof_has_line(p, i)) {
    api_tell_error(log, "no line of play was found");
    return TABIA_FAULTY;
  }
  text out = text_new(p->job.keep);
  if (!prover_trace(&p->job, finding_at(p, i), game, &b, &out)) {
    api_tell(log, &p->r->diags, &p->r->source);
    return TABIA_FAULTY;
  }
  put(context, text_string(&out), out.length);
  return TABIA_OK;
}

tabia_status tabia_proof_write_trace(const tabia_proof *p, uint32_t i, const char *game,
                                     tabia_put *put, void *context, tabia_messages *log) {
  API_GUARDED(tabia_status, write_trace(p, i, game, put, context, log), api_no_memory(log));
}
