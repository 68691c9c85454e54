#include "base/recovery.h"
#include "lsp/lsp_fixture.h"
#include "lsp/lsp_job.h"

static const char game[] = "; who plays\n(role x)\n(init (cell 1 b))\n"
                           "(<= (legal x (mark ?n)) (true (cell ?n b)))\n"
                           "; a full board\n(<= full (not open))\n(<= open (true (cell ?n b)))\n"
                           "(<= (next (cell ?n x)) (does x (mark ?n)))\n"
                           "(<= terminal full)\n(<= (goal x 100) full)\n(<= (goal x 0) open)\n";

static int code_of(json_t *answer) {
  return (int)json_integer_value(lsp_member(answer, "error.code"));
}

static void nothing_comes_before_initialize(void **state) {
  lsp_fixture *f = *state;
  assert_int_equal(code_of(ask(f, "textDocument/hover", at(0, 0))), LSP_NOT_INITIALIZED);
  start(f, "utf-16");
  assert_int_equal(code_of(ask(f, "initialize", json_object())), LSP_INVALID_REQUEST);
  assert_int_equal(code_of(ask(f, "no/such", json_object())), LSP_METHOD_NOT_FOUND);
  ask(f, "shutdown", json_null());
  assert_int_equal(code_of(ask(f, "textDocument/hover", at(0, 0))), LSP_INVALID_REQUEST);
}

static void the_client_chooses_how_columns_count(void **state) {
  lsp_fixture *f = *state;
  json_t *answer = ask(f, "initialize",
                       json_pack("{s{s{s[ss]}}}", "capabilities", "general", "positionEncodings",
                                 "utf-16", "utf-8"));
  assert_string_equal(lsp_string(answer, "result.capabilities.positionEncoding"), "utf-8");
}

static void diagnostics_follow_the_text(void **state) {
  lsp_fixture *f = *state;
  start(f, "utf-16");
  open_text(f, game);
  assert_int_equal(json_array_size(last_diagnostics(f)), 0);
  change(f, 8, 13, 8, 17, "fulll"); /* (<= terminal fulll) */
  json_t *first = json_array_get(last_diagnostics(f), 0);
  assert_string_equal(lsp_string(first, "code"), "W304");
  assert_int_equal(json_integer_value(lsp_member(first, "range.start.line")), 8);
  assert_int_equal(json_integer_value(lsp_member(first, "range.start.character")), 13);
  change(f, 8, 13, 8, 18, "full");
  assert_int_equal(json_array_size(last_diagnostics(f)), 0);
}

static json_t *quick_fixes(lsp_fixture *f, int line, int character) {
  return result_of(
      ask(f, "textDocument/codeAction",
          json_pack("{s{ss} s{s{si si} s{si si}} s{s[]}}", "textDocument", "uri", "file:///g.kif",
                    "range", "start", "line", line, "character", character, "end", "line", line,
                    "character", character, "context", "diagnostics")));
}

static void a_misspelled_relation_is_mended_by_one_edit(void **state) {
  lsp_fixture *f = *state;
  start(f, "utf-16");
  open_text(f, game);
  change(f, 8, 13, 8, 17, "fulll");
  json_t *fixes = quick_fixes(f, 8, 14);
  assert_int_equal(json_array_size(fixes), 1);
  json_t *changes = lsp_member(json_array_get(fixes, 0), "edit.changes");
  json_t *edit = json_array_get(json_object_get(changes, "file:///g.kif"), 0);
  assert_string_equal(lsp_string(edit, "newText"), "full");
}

static void columns_count_units_of_utf_16(void **state) {
  lsp_fixture *f = *state;
  start(f, "utf-16");
  open_text(f, "(p \xf0\x9d\x94\xb8 q)\n"); /* two units, four bytes */
  change(f, 0, 6, 0, 7, "z");
  json_t *hover = ask(f, "textDocument/hover", at(0, 6));
  assert_non_null(strstr(lsp_string(hover, "result.contents.value"), "**z**"));
}

static void edits_beyond_the_end_are_at_the_end(void **state) {
  lsp_fixture *f = *state;
  start(f, "utf-8");
  open_text(f, "(role x)\n");
  change(f, 99, 7, 1000000, 0, "(role y)");
  assert_int_equal(json_array_size(result_of(ask(f, "textDocument/documentSymbol", at(0, 0)))), 2);
}

static void hover_tells_values_and_comments(void **state) {
  lsp_fixture *f = *state;
  start(f, "utf-16");
  open_text(f, game);
  json_t *cell = ask(f, "textDocument/hover", at(3, 32));
  assert_non_null(strstr(lsp_string(cell, "result.contents.value"), "argument 2: x, b"));
  json_t *full = ask(f, "textDocument/hover", at(5, 5));
  assert_non_null(strstr(lsp_string(full, "result.contents.value"), "a full board"));
  json_t *next = ask(f, "textDocument/hover", at(7, 6));
  assert_non_null(strstr(lsp_string(next, "result.contents.value"), "next state"));
}

static bool has_label(json_t *answer, const char *label) {
  size_t i;
  json_t *item;
  json_array_foreach(lsp_member(answer, "result.items"), i,
                     item) if (strcmp(lsp_string(item, "label"), label) == 0) return true;
  return false;
}

static void completion_offers_what_can_stand_there(void **state) {
  lsp_fixture *f = *state;
  start(f, "utf-16");
  open_text(f, game);
  json_t *values = ask(f, "textDocument/completion", at(3, 39)); /* the second argument of cell */
  assert_true(has_label(values, "b"));
  assert_true(has_label(values, "x"));
  assert_true(has_label(values, "?n"));
  assert_false(has_label(values, "legal"));
  json_t *bodies = ask(f, "textDocument/completion", at(5, 9));
  assert_true(has_label(bodies, "open"));
  assert_true(has_label(bodies, "distinct"));
}

static void rename_goes_everywhere_and_nowhere_else(void **state) {
  lsp_fixture *f = *state;
  start(f, "utf-16");
  open_text(f, game);
  json_t *params = at(5, 5);
  json_object_set_new(params, "newName", json_string("crowded"));
  json_t *answer = ask(f, "textDocument/rename", params);
  json_t *edits = json_object_get(lsp_member(answer, "result.changes"), "file:///g.kif");
  assert_int_equal(json_array_size(edits), 3);
  params = at(5, 5);
  json_object_set_new(params, "newName", json_string("open"));
  assert_int_equal(code_of(ask(f, "textDocument/rename", params)), LSP_REQUEST_FAILED);
  assert_int_equal(code_of(ask(f, "textDocument/prepareRename", at(1, 2))), LSP_REQUEST_FAILED);
  params = at(3, 20);
  json_object_set_new(params, "newName", json_string("place")); /* of a variable, without its `?` */
  answer = ask(f, "textDocument/rename", params);
  edits = json_object_get(lsp_member(answer, "result.changes"), "file:///g.kif");
  assert_int_equal(json_array_size(edits), 2);
  assert_string_equal(lsp_string(json_array_get(edits, 0), "newText"), "?place");
}

static void formatting_edits_only_what_differs(void **state) {
  lsp_fixture *f = *state;
  start(f, "utf-16");
  open_text(f, "(role x)\n(role   y)\n(role z)\n");
  json_t *edits = result_of(ask(f, "textDocument/formatting", at(0, 0)));
  assert_int_equal(json_array_size(edits), 1);
  json_t *edit = json_array_get(edits, 0);
  assert_int_equal(json_integer_value(lsp_member(edit, "range.start.line")), 1);
  open_text(f, "(role x)\n");
  assert_int_equal(json_array_size(result_of(ask(f, "textDocument/formatting", at(0, 0)))), 0);
}

static void every_request_has_an_answer_of_its_kind(void **state) {
  static const char *const lists[] = {
      "textDocument/definition",        "textDocument/references",
      "textDocument/documentHighlight", "textDocument/documentSymbol",
      "textDocument/codeLens",          "textDocument/prepareCallHierarchy"};
  lsp_fixture *f = *state;
  start(f, "utf-16");
  open_text(f, game);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    assert_true(json_array_size(result_of(ask(f, lists[i], at(5, 5)))) > 0);
  json_t *tokens = ask(f, "textDocument/semanticTokens/full", at(0, 0));
  assert_int_equal(json_array_size(lsp_member(tokens, "result.data")) % 5, 0);
  json_t *help = ask(f, "textDocument/signatureHelp", at(3, 39));
  assert_int_equal(json_integer_value(lsp_member(help, "result.activeParameter")), 1);
}

static void many_edits_keep_the_text_small(void **state) {
  lsp_fixture *f = *state;
  start(f, "utf-16");
  open_text(f, "(role x)\n");
  for (int i = 0; i < 100; i++) change(f, 0, 0, 0, 0, " ");
  lsp_document *d = lsp_document_of_uri(f->server, "file:///g.kif");
  assert_int_equal(d->words.length, 109);
  assert_true(d->words.capacity < 1024);
}

static void rules_of_several_lines_fold(void **state) {
  lsp_fixture *f = *state;
  start(f, "utf-16");
  open_text(f, "; a\n; b\n(<= p\n    q)\n(r)\n");
  json_t *folds = result_of(ask(f, "textDocument/foldingRange", at(0, 0)));
  assert_int_equal(json_array_size(folds), 2);
  assert_int_equal(json_integer_value(lsp_member(json_array_get(folds, 0), "startLine")), 2);
}

static void commands_draw_and_prove(void **state) {
  lsp_fixture *f = *state;
  start(f, "utf-16");
  open_text(f, game);
  json_t *answer =
      ask(f, "workspace/executeCommand",
          json_pack("{ss s[s]}", "command", "tabia.prove", "arguments", "file:///g.kif"));
  assert_non_null(strstr(json_string_value(result_of(answer)), "terminates"));
  json_t *lens = ask(f, "codeLens/resolve",
                     json_pack("{s{ss ss}}", "data", "uri", "file:///g.kif", "name", "goal"));
  assert_non_null(strstr(lsp_string(lens, "result.command.title"), "x 100"));
}

static void broken_messages_are_answered(void **state) {
  lsp_fixture *f = *state;
  static const char *const broken[] = {"",
                                       "{",
                                       "[]",
                                       "{\"id\":1}",
                                       "{\"id\":[],\"method\":7}",
                                       "\"\xff\"",
                                       "{\"method\":\"exit\",\"params\":\"\\ud800\"}"};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    const size_t before = json_array_size(f->sent);
    lsp_server_take(f->server, broken[i], strlen(broken[i]));
    assert_int_equal(json_array_size(f->sent), before + 1);
  }
}

static bool is_short;

bool memory_is_refused(size_t bytes) {
  (void)bytes;
  return is_short;
}

static json_t *work_without_memory(lsp_server *s, lsp_job *j, lsp_failure *f) {
  (void)s, (void)j, (void)f;
  is_short = true;
  arena_free(arena_new());
  return json_true();
}

static void a_job_without_memory_fails_alone(void **state) {
  lsp_fixture *f = *state;
  start(f, "utf-16");
  open_text(f, game);
  json_t *id = json_integer(1000);
  lsp_jobs_put(f->server->jobs, lsp_job_new(work_without_memory, id, NULL, NULL));
  is_short = false;
  json_decref(id);
  json_t *last = json_array_get(f->sent, json_array_size(f->sent) - 1);
  assert_int_equal(code_of(last), LSP_REQUEST_FAILED);
  assert_int_equal(json_integer_value(json_object_get(last, "id")), 1000);
  assert_true(json_is_object(result_of(ask(f, "textDocument/hover", at(2, 2)))));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(nothing_comes_before_initialize, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_client_chooses_how_columns_count, set_up, tear_down),
      cmocka_unit_test_setup_teardown(diagnostics_follow_the_text, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_misspelled_relation_is_mended_by_one_edit, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(columns_count_units_of_utf_16, set_up, tear_down),
      cmocka_unit_test_setup_teardown(edits_beyond_the_end_are_at_the_end, set_up, tear_down),
      cmocka_unit_test_setup_teardown(hover_tells_values_and_comments, set_up, tear_down),
      cmocka_unit_test_setup_teardown(completion_offers_what_can_stand_there, set_up, tear_down),
      cmocka_unit_test_setup_teardown(rename_goes_everywhere_and_nowhere_else, set_up, tear_down),
      cmocka_unit_test_setup_teardown(formatting_edits_only_what_differs, set_up, tear_down),
      cmocka_unit_test_setup_teardown(every_request_has_an_answer_of_its_kind, set_up, tear_down),
      cmocka_unit_test_setup_teardown(many_edits_keep_the_text_small, set_up, tear_down),
      cmocka_unit_test_setup_teardown(rules_of_several_lines_fold, set_up, tear_down),
      cmocka_unit_test_setup_teardown(commands_draw_and_prove, set_up, tear_down),
      cmocka_unit_test_setup_teardown(broken_messages_are_answered, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_job_without_memory_fails_alone, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
