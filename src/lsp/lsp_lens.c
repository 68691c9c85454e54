/* Information beside the text: values beside variables, figures above rules. */
#include "lsp/lsp_job.h"
#include "lsp/lsp_json.h"
#include "lsp/lsp_words.h"

/* ---- inlay hints: what a variable can be, at its first place in a head ---- */

enum { HINTED_VALUES = 6 };

static void add_hint(json_t *all, lsp_document *d, const tabia_source *s, uint32_t word) {
  size_t start, end;
  uint32_t call, argument;
  tabia_word_range(s, word, &start, &end);
  if (!tabia_source_call_at(s, start, &call, &argument)) return;
  arena *scratch = arena_new();
  text values = text_new(scratch);
  text_add(&values, ": ");
  lsp_add_values(&values, s, call, argument, HINTED_VALUES);
  if (values.length > 2)
    json_array_append_new(all, json_pack("{so so si sb}", "position", lsp_position_json(d, end),
                                         "label", lsp_text_json(values.bytes, values.length),
                                         "kind", 1, "paddingRight", 1));
  arena_free(scratch);
}

json_t *on_inlay_hint(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  size_t start, end;
  lsp_document *d = lsp_find_range(s, params, &start, &end, f);
  if (!d) return NULL;
  const tabia_source *source = lsp_document_source(d);
  json_t *all = json_array();
  for (uint32_t i = 0; source && i < tabia_source_thing_count(source); i++) {
    if (tabia_thing_kind(source, i) != TABIA_WORD_VARIABLE) continue;
    if (!tabia_thing_word_count(source, i)) continue;
    const uint32_t word = tabia_thing_word(source, i, 0);
    size_t from, to;
    tabia_word_range(source, word, &from, &to);
    if (from >= start && to <= end) add_hint(all, d, source, word);
  }
  return all;
}

/* ---- code lenses ---- */

static const char *const lens_names[] = {"legal", "goal", "terminal", "next"};

static bool has_lens(const char *name) {
  for (size_t i = 0; i < sizeof lens_names / sizeof *lens_names; i++)
    if (strcasecmp(lens_names[i], name) == 0) return true;
  return false;
}

/* One above the first rule of each; what it says is found when the editor shows it. */
json_t *on_code_lens(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_document *d = lsp_find_document(s, params, f);
  const tabia_source *source = d ? lsp_document_source(d) : NULL;
  if (!source) return NULL;
  json_t *all = json_array();
  for (uint32_t i = 0; i < tabia_source_thing_count(source); i++) {
    const char *name = tabia_thing_name(source, i);
    if (tabia_thing_kind(source, i) != TABIA_WORD_KEYWORD || !has_lens(name)) continue;
    for (uint32_t k = 0; k < tabia_thing_word_count(source, i); k++) {
      const uint32_t word = tabia_thing_word(source, i, k);
      size_t start, end;
      if (!tabia_word_defines(source, word)) continue;
      tabia_word_range(source, word, &start, &end);
      json_array_append_new(all, json_pack("{so s{ss ss}}", "range", lsp_range_json(d, start, end),
                                           "data", "uri", d->uri, "name", name));
      break;
    }
  }
  return all;
}

static const double LENS_SECONDS = 2;

static void add_verdict(text *out, const tabia_rules *rules, const char *property,
                        const tabia_limits *limits) {
  tabia_proof *p = tabia_proof_new(rules);
  if (!p) return;
  tabia_proof_ask(p, property);
  tabia_proof_run(p, NULL, limits, NULL, NULL, NULL);
  for (uint32_t i = 0; i < tabia_proof_count(p); i++)
    text_add_format(out, "%s%s: %s", i ? ", " : "", tabia_proof_property(p, i),
                    tabia_verdict_name(tabia_proof_verdict(p, i)));
  tabia_proof_free(p);
}

static void add_means(text *out, const tabia_machine *m, const tabia_limits *limits) {
  tabia_playouts *p = tabia_playouts_new(m);
  if (!p) return;
  tabia_playouts_set_count(p, 1000);
  tabia_playouts_run(p, limits, NULL);
  for (uint32_t i = 0; i < tabia_machine_role_count(m); i++)
    text_add_format(out, "%s%s %.1f",
                    i ? ", " : "mean goal in random play: ", tabia_machine_role(m, i),
                    tabia_playouts_mean_goal(p, i));
  tabia_playouts_free(p);
}

enum { LENS_DEPTH = 4 };

static void add_perft(text *out, const tabia_machine *m, const tabia_limits *limits) {
  tabia_perft *p = tabia_perft_new(m);
  if (!p) return;
  tabia_perft_run(p, LENS_DEPTH, limits, NULL);
  text_add(out, "perft");
  for (uint32_t i = 1; i <= tabia_perft_depth(p); i++)
    text_add_format(out, " %llu", (unsigned long long)tabia_perft_nodes(p, i));
  tabia_perft_free(p);
}

static void add_lens(text *out, lsp_job *j, const char *name) {
  const tabia_rules *rules = lsp_document_rules(j->copy);
  tabia_machine *m = NULL;
  if (!rules || !tabia_rules_is_whole(rules)) return;
  const bool is_legal = strcasecmp(name, "legal") == 0;
  if (is_legal || strcasecmp(name, "terminal") == 0) {
    add_verdict(out, rules, is_legal ? "playable" : "terminates", j->limits);
    return;
  }
  const bool is_goal = strcasecmp(name, "goal") == 0;
  tabia_machine_open(&m, rules, is_goal ? "auto-many" : "auto", j->limits, NULL);
  if (m && is_goal) add_means(out, m, j->limits);
  if (m && !is_goal) add_perft(out, m, j->limits);
  tabia_machine_close(m);
}

static json_t *resolve_lens(lsp_server *s, lsp_job *j, lsp_failure *f) {
  (void)s, (void)f;
  const char *name = lsp_string(j->params, "data.name");
  arena *scratch = arena_new();
  text out = text_new(scratch);
  tabia_limits_set_total(j->limits, LENS_SECONDS);
  tabia_limits_set_bytes(j->limits, (size_t)1 << 30);
  add_lens(&out, j, name ? name : "");
  if (!out.length) text_add(&out, "not known within the limits");
  json_t *lens = json_deep_copy(j->params);
  json_object_set_new(lens, "command",
                      json_pack("{so ss s[s]}", "title", lsp_text_json(out.bytes, out.length),
                                "command", "tabia.prove", "arguments", j->copy->uri));
  arena_free(scratch);
  return lens;
}

json_t *on_resolve_lens(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  const lsp_document *d = lsp_document_of_uri(s, lsp_string(params, "data.uri"));
  if (!d) return lsp_fail(f, LSP_INVALID_PARAMS, "no such document is open");
  lsp_job *j = lsp_job_new(resolve_lens, id, params, d);
  j->is_slow = true;
  lsp_jobs_put(s->jobs, j);
  return NULL;
}
