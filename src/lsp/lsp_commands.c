/* Commands of the editor's user: what is known of the game, proofs, a drawing.  Each answers with a
   text to be shown. */
#include "lsp/lsp_job.h"
#include "lsp/lsp_json.h"

static const double COMMAND_SECONDS = 30;

static void take_text(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

static void add_report(text *out, lsp_job *j) {
  tabia_info *info = tabia_info_new(lsp_document_rules(j->copy), NULL);
  if (!info) return;
  text_add_format(out, "%s: %u roles, %u rules, %u facts, %u strata\n",
                  tabia_info_is_sound(info) ? "sound" : "faulty", tabia_info_role_count(info),
                  tabia_info_figure(info, TABIA_COUNT_RULES),
                  tabia_info_figure(info, TABIA_COUNT_FACTS),
                  tabia_info_figure(info, TABIA_COUNT_STRATA));
  for (uint32_t i = 0; i < tabia_info_relation_count(info); i++)
    text_add_format(out, "%s/%u: %s, %s, %u rules, %u facts\n", tabia_info_relation_name(info, i),
                    tabia_info_relation_arity(info, i), tabia_info_relation_kind(info, i),
                    tabia_info_relation_lifetime(info, i), tabia_info_relation_rules(info, i),
                    tabia_info_relation_facts(info, i));
  tabia_info_free(info);
}

static void add_proofs(text *out, lsp_job *j) {
  tabia_proof *p = tabia_proof_new(lsp_document_rules(j->copy));
  if (!p) return;
  tabia_proof_run(p, NULL, j->limits, NULL, NULL, NULL);
  for (uint32_t i = 0; i < tabia_proof_count(p); i++)
    tabia_proof_write(p, i, "text", take_text, out, NULL);
  tabia_proof_free(p);
}

static void add_board(text *out, lsp_job *j) {
  tabia_machine *m = NULL;
  tabia_board *b = NULL;
  if (tabia_machine_open(&m, lsp_document_rules(j->copy), "auto", j->limits, NULL) != TABIA_OK)
    return;
  if (tabia_board_new(&b, m, j->limits, NULL) == TABIA_OK) {
    arena *scratch = arena_new();
    void *start = arena_alloc(scratch, tabia_position_size(m));
    tabia_position_start(m, start);
    tabia_board_draw(b, start, "text", take_text, out, NULL);
    arena_free(scratch);
  }
  tabia_board_free(b);
  tabia_machine_close(m);
}

static const struct command {
  const char *name;
  void (*add)(text *out, lsp_job *j);
} commands[] = {
    {"tabia.report", add_report}, {"tabia.prove", add_proofs}, {"tabia.board", add_board}};

static const struct command *find_command(const json_t *params) {
  const char *name = lsp_string(params, "command");
  for (size_t i = 0; name && i < sizeof commands / sizeof *commands; i++)
    if (strcmp(commands[i].name, name) == 0) return &commands[i];
  return NULL;
}

static json_t *run_command(lsp_server *s, lsp_job *j, lsp_failure *f) {
  (void)s;
  const tabia_rules *rules = lsp_document_rules(j->copy);
  if (!rules || !tabia_rules_is_whole(rules))
    return lsp_fail(f, LSP_REQUEST_FAILED, "the text has syntax errors");
  arena *scratch = arena_new();
  text out = text_new(scratch);
  tabia_limits_set_total(j->limits, COMMAND_SECONDS);
  tabia_limits_set_bytes(j->limits, (size_t)1 << 30);
  find_command(j->params)->add(&out, j);
  json_t *words = lsp_text_json(text_string(&out), out.length);
  arena_free(scratch);
  return words;
}

json_t *on_execute_command(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  const json_t *uri = json_array_get(lsp_member(params, "arguments"), 0);
  if (!find_command(params)) return lsp_fail(f, LSP_INVALID_PARAMS, "there is no such command");
  const lsp_document *d = lsp_document_of_uri(s, json_string_value(uri));
  if (!d) return lsp_fail(f, LSP_INVALID_PARAMS, "no such document is open");
  lsp_job *j = lsp_job_new(run_command, id, params, d);
  j->is_slow = true;
  lsp_jobs_put(s->jobs, j);
  return NULL;
}
