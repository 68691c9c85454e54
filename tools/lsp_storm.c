/* lsp_storm edits FILE COUNT [SEED]    random edits and broken messages, without threads: after each
                                        thousand the diagnostics must be those of a fresh server
   lsp_storm latency FILE COUNT         how much processor time edits with their diagnostics, hovers and completions
                                        take, and the memory held after 100 edits and at the end */
#include "base/budget.h"
#include "lsp/lsp_json.h"
#include "lsp/lsp_server.h"

#include <malloc.h>
#include <stdlib.h>

typedef struct storm {
  lsp_server *server;
  uint64_t state;
  char *last; /* the last message that was sent */
  uint64_t sent, taken;
  int next_id;
} storm;

static uint64_t draw(storm *s, uint64_t below) {
  s->state ^= s->state << 13;
  s->state ^= s->state >> 7;
  s->state ^= s->state << 17;
  return below ? (s->state >> 11) % below : 0;
}

static void keep_last(void *context, const char *bytes, size_t length) {
  storm *s = context;
  s->sent++;
  free(s->last);
  s->last = strndup(bytes, length);
}

static void take_bytes(storm *s, const char *bytes, size_t length) {
  s->taken++;
  lsp_server_take(s->server, bytes, length);
}

static void give(storm *s, const char *method, json_t *params, bool is_request) {
  json_t *m = json_pack("{ss ss so}", "jsonrpc", "2.0", "method", method, "params", params);
  if (is_request) json_object_set_new(m, "id", json_integer(++s->next_id));
  char *words = json_dumps(m, JSON_COMPACT);
  take_bytes(s, words, strlen(words));
  free(words);
  json_decref(m);
}

static void begin(storm *s, const char *text, bool is_utf8) {
  s->server = lsp_server_new(keep_last, s, false);
  give(s, "initialize",
       json_pack("{s{s{s[s]}}}", "capabilities", "general", "positionEncodings",
                 is_utf8 ? "utf-8" : "utf-16"),
       true);
  give(s, "textDocument/didOpen",
       json_pack("{s{ss ss}}", "textDocument", "uri", "file:///a", "text", text), false);
}

/* ---- what is drawn ---- */

static const char *const pieces[] = {"(",        ")",
                                     " ",        "?x",
                                     "\n",       "(<= (p ?x) (q ?x))\n",
                                     "role",     "true",
                                     "not ",     ";",
                                     "#|",       "|#",
                                     "\\",       "distinct",
                                     "\xc3\xa9", "\xf0\x9d\x94\xb8",
                                     "",         "(init (cell 1 b))",
                                     "x",        "\r\n",
                                     "\r",       "p(X) :- q(X).\n",
                                     "%",        "'",
                                     ".",        "\t",
                                     "next"};

enum { PIECES = sizeof pieces / sizeof *pieces };

static json_t *position(storm *s, const lsp_document *d) {
  const bool is_far = draw(s, 50) == 0;
  const uint64_t lines = d->lines.count ? d->lines.count + 1 : 2;
  return json_pack("{si si}", "line", (int)draw(s, is_far ? 1u << 30 : lines), "character",
                   (int)draw(s, is_far ? 1u << 30 : 40));
}

/* Most edits are short; now and then lines go, or the text comes anew. */
static json_t *change(storm *s, lsp_document *d, const char *text) {
  if (draw(s, 300) == 0 || d->words.length > 2 * strlen(text) + 1000)
    return json_pack("{ss}", "text", text);
  json_t *start = position(s, d);
  json_t *end = draw(s, 3) ? json_copy(start) : position(s, d);
  if (draw(s, 2) && json_object_get(end, "character"))
    json_object_set_new(end, "character",
                        json_integer(json_integer_value(json_object_get(end, "character")) +
                                     (json_int_t)draw(s, 5)));
  return json_pack("{s{so so} ss}", "range", "start", start, "end", end, "text",
                   pieces[draw(s, PIECES)]);
}

static json_t *params_at(storm *s, lsp_document *d) {
  return json_pack("{s{ss} so s{so so} ss s[o] s{sb}}", "textDocument", "uri", "file:///a",
                   "position", position(s, d), "range", "start", position(s, d), "end",
                   position(s, d), "newName", pieces[draw(s, PIECES)], "positions", position(s, d),
                   "context", "includeDeclaration", 1);
}

static const char *const methods[] = {
#define REQUEST(name, function) name,
#define NOTIFICATION(name, function)
#include "lsp/lsp_method_table.def"
#undef REQUEST
#undef NOTIFICATION
};

enum { FIRST_METHOD = 2, METHODS = sizeof methods / sizeof *methods };

/* A message with bytes changed: hardly ever JSON. */
static void give_broken(storm *s) {
  char words[] =
      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"textDocument/hover\",\"params\":"
      "{\"textDocument\":{\"uri\":\"file:///a\"},\"position\":{\"line\":0,\"character\":-1}}}";
  for (uint64_t n = 1 + draw(s, 4); n--;) words[draw(s, sizeof words - 1)] = (char)draw(s, 256);
  take_bytes(s, words, draw(s, 4) ? sizeof words - 1 : draw(s, sizeof words));
}

static void give_something(storm *s, const char *text) {
  lsp_document *d = lsp_document_of_uri(s->server, "file:///a");
  const uint64_t kind = draw(s, 100);
  const char *method = methods[FIRST_METHOD + draw(s, METHODS - FIRST_METHOD)];
  if (kind < 40)
    give(s, "textDocument/didChange",
         json_pack("{s{ss} s[o]}", "textDocument", "uri", "file:///a", "contentChanges",
                   change(s, d, text)),
         false);
  else if (kind < 60)
    give_broken(s);
  else if (kind < 62)
    give(s, "$/cancelRequest", json_pack("{si}", "id", (int)draw(s, (uint64_t)s->next_id + 1)),
         false);
  else
    give(s, method, draw(s, 20) ? params_at(s, d) : json_pack("[i]", 1), true);
}

/* ---- the same as a fresh server? ---- */

static json_t *diagnostics(storm *s) {
  give(s, "textDocument/diagnostic", json_pack("{s{ss}}", "textDocument", "uri", "file:///a"),
       true);
  json_t *m = json_loads(s->last, JSON_ALLOW_NUL, NULL);
  json_t *items = json_deep_copy(lsp_member(m, "result.items"));
  json_decref(m);
  return items;
}

static bool is_as_fresh(storm *s) {
  const lsp_document *d = lsp_document_of_uri(s->server, "file:///a");
  storm fresh = {.state = 1};
  begin(&fresh, "", false);
  give(&fresh, "textDocument/didOpen",
       json_pack("{s{ss ss%}}", "textDocument", "uri", "file:///a", "text", d->words.bytes,
                 d->words.length),
       false);
  json_t *a = diagnostics(s), *b = diagnostics(&fresh);
  const bool is_same = json_equal(a, b);
  json_decref(a);
  json_decref(b);
  lsp_server_free(fresh.server);
  free(fresh.last);
  return is_same;
}

static int run_edits(const char *text, uint64_t count, uint64_t seed) {
  storm s = {.state = seed * 0x9e3779b97f4a7c15u + 1};
  begin(&s, text, false);
  for (uint64_t i = 1; i <= count; i++) {
    give_something(&s, text);
    if (i % 1000 == 0 && !is_as_fresh(&s)) {
      printf("not as fresh after %llu messages, seed %llu\n", (unsigned long long)i,
             (unsigned long long)seed);
      return 1;
    }
  }
  printf("%llu messages taken, %llu sent: as fresh after each thousand\n",
         (unsigned long long)s.taken, (unsigned long long)s.sent);
  lsp_server_free(s.server);
  free(s.last);
  return 0;
}

/* ---- latency ---- */

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void show(const char *what, double *times, uint64_t count) {
  qsort(times, count, sizeof *times, compare);
  printf("%-28s median %6.2f ms, 95th percentile %6.2f ms, most %6.2f ms\n", what,
         times[count / 2] * 1000, times[count * 95 / 100] * 1000, times[count - 1] * 1000);
}

/* A letter comes and goes somewhere: the text stays as long as it is. */
static void edit(storm *s, uint64_t i) {
  static int line, character;
  lsp_document *d = lsp_document_of_uri(s->server, "file:///a");
  if (i % 2 == 0) {
    line = (int)draw(s, d->lines.count ? d->lines.count : 1);
    character = (int)draw(s, 20);
    const size_t start =
        lsp_document_offset(d, (lsp_position){(uint32_t)line, (uint32_t)character});
    character = (int)lsp_document_position(d, start).character;
  }
  give(s, "textDocument/didChange",
       json_pack("{s{ss} s[{s{s{si si} s{si si}} ss}]}", "textDocument", "uri", "file:///a",
                 "contentChanges", "range", "start", "line", line, "character", character, "end",
                 "line", line, "character", character + (int)(i % 2), "text", i % 2 ? "" : "a"),
       false);
}

static int run_latency(const char *text, uint64_t count) {
  enum { KINDS = 3 };
  static const char *const asked[KINDS] = {NULL, "textDocument/hover", "textDocument/completion"};
  static const char *const shown[KINDS] = {"edit and its diagnostics", "hover after the edit",
                                           "completion after that"};
  storm s = {.state = 42};
  double *times[KINDS];
  size_t early = 0;
  for (int k = 0; k < KINDS; k++) times[k] = calloc(count, sizeof(double));
  begin(&s, text, false);
  lsp_document *d = lsp_document_of_uri(s.server, "file:///a");
  for (uint64_t i = 0; i < count; i++)
    for (int k = 0; k < KINDS; k++) {
      json_t *params = k ? params_at(&s, d) : NULL;
      const double from = clock_thread();
      if (k)
        give(&s, asked[k], params, true);
      else
        edit(&s, i);
      times[k][i] = clock_thread() - from;
      if (i == 100 && k == KINDS - 1) early = mallinfo2().uordblks + mallinfo2().hblkhd;
    }
  const size_t late = mallinfo2().uordblks + mallinfo2().hblkhd;
  printf("%zu bytes of text, %llu edits\n", strlen(text), (unsigned long long)count);
  for (int k = 0; k < KINDS; k++) show(shown[k], times[k], count);
  printf("memory in use: %zu KiB after 100 edits, %zu KiB at the end\n", early / 1024, late / 1024);
  lsp_server_free(s.server);
  for (int k = 0; k < KINDS; k++) free(times[k]);
  free(s.last);
  return 0;
}

static char *read_file(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in) return NULL;
  fseek(in, 0, SEEK_END);
  const long length = ftell(in);
  rewind(in);
  char *text = calloc(1, (size_t)length + 1);
  const bool is_read = fread(text, 1, (size_t)length, in) == (size_t)length;
  fclose(in);
  return is_read ? text : NULL;
}

int main(int argc, char **argv) {
  char *text = argc >= 4 ? read_file(argv[2]) : NULL;
  if (!text) {
    fprintf(stderr, "lsp_storm edits|latency FILE COUNT [SEED]\n");
    return 2;
  }
  const uint64_t count = strtoull(argv[3], NULL, 10);
  const int status = strcmp(argv[1], "latency") == 0
                         ? run_latency(text, count)
                         : run_edits(text, count, argc > 4 ? strtoull(argv[4], NULL, 10) : 1);
  free(text);
  return status;
}
