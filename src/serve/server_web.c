/* Answers to HTTP requests. */
#include "base/budget.h"
#include "base/json.h"
#include "serve/connection.h"
#include "serve/page.h"
#include "serve/ws_frame.h"
#include "tabia.h"

#include <stdlib.h>

/* ---- answers ---- */

static const char *words_of(uint32_t status) {
  switch (status) {
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    default: return "Service Unavailable";
  }
}

/* Nothing is fetched from elsewhere, nothing is framed, nothing is guessed, nothing stands in line.  A
   drawing has styles of its own and nothing else. */
static const char page_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'";
static const char drawing_policy[] = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
static const char guards[] =
    "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n";

void web_send(connection *c, uint32_t status, const char *type, const char *more, slice body) {
  const bool is_drawing = !strcmp(type, "image/svg+xml");
  text_add_format(&c->out,
                  "HTTP/1.1 %u %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                  "Content-Security-Policy: %s%s%s%s\r\n",
                  status, words_of(status), type, body.length,
                  is_drawing ? drawing_policy : page_policy, guards, more,
                  c->is_closing ? "Connection: close\r\n" : "");
  if (!c->is_head) text_add_bytes(&c->out, body.start, body.length);
  c->heard = c->took = clock_now();
}

void web_send_error(connection *c, uint32_t status, const char *code, const char *message) {
  char body[300];
  const int length = snprintf(body, sizeof body,
                              "{\"error\":{\"code\":\"%s\",\"message\":\"%s\"}}\n", code, message);
  web_send(c, status, "application/json", "Cache-Control: no-store\r\n",
           (slice){body, (size_t)length});
}

static void send_json(connection *c, const char *json) {
  web_send(c, 200, "application/json", "Cache-Control: no-store\r\n", slice_of(json));
}

/* ---- the page ---- */

static const char no_page[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Tabia</title>"
    "<h1>Tabia</h1><p>This program was built without its page. <code>./run serve</code> in a checkout builds both; "
    "by hand, <code>web/build</code> and then the program. The interface under <code>/api</code> and <code>/ws</code> "
    "is here all the same: see <code>docs/serve.md</code>.</p></html>\n";

static bool takes_gzip(const web_request *r) {
  return r->encodings.length && memmem(r->encodings.start, r->encodings.length, "gzip", 4);
}

static void send_page_file(connection *c, const web_request *r, const page_file *f) {
  char more[200];
  const bool is_packed = f->packed_length && takes_gzip(r);
  snprintf(more, sizeof more, "ETag: %s\r\nCache-Control: no-cache\r\nVary: Accept-Encoding\r\n%s",
           f->etag, is_packed ? "Content-Encoding: gzip\r\n" : "");
  if (slice_equals(r->etag, f->etag))
    web_send(c, 304, page_type(f->path), more, (slice){"", 0});
  else
    web_send(c, 200, page_type(f->path), more,
             (slice){(const char *)(is_packed ? f->packed : f->bytes),
                     is_packed ? f->packed_length : f->length});
}

static void send_page(connection *c, const web_request *r) {
  const page_file *f = page_find(r->path);
  if (f)
    send_page_file(c, r, f);
  else if (!strcmp(r->path, "/"))
    web_send(c, 200, "text/html; charset=utf-8", "Cache-Control: no-store\r\n", slice_of(no_page));
  else
    web_send_error(c, 404, "not-found", "there is nothing of that name");
}

/* ---- what the server is ---- */

bool server_has_command(const server *s, const char *name) {
  for (uint32_t i = 0; i < s->o.command_count; i++)
    if (!strcmp(s->o.commands[i].name, name)) return true;
  return false;
}

static void send_health(const server *s, connection *c) {
  arena *scratch = arena_new();
  text t = text_new(scratch);
  json_writer w = json_to(&t);
  json_open_object(&w, NULL);
  json_put_string(&w, "status", "ok");
  json_put_string(&w, "version", tabia_version());
  json_put_number(&w, "uptime", clock_now() - s->started);
  json_put_integer(&w, "connections", s->count);
  json_put_integer(&w, "requests", (int64_t)s->requests);
  json_open_object(&w, "jobs");
  json_put_integer(&w, "running", s->running);
  json_put_integer(&w, "queued", s->queued);
  json_put_integer(&w, "done", (int64_t)s->jobs_done);
  json_close_object(&w);
  json_put_integer(&w, "sessions", work_count(s, FOR_SESSION));
  json_put_integer(&w, "lsp", work_count(s, FOR_LSP));
  json_close_object(&w);
  send_json(c, text_string(&t));
  arena_free(scratch);
}

typedef const char *name_of(uint32_t i);

static void write_named(json_writer *w, const char *key, uint32_t count, name_of *name,
                        name_of *summary) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < count; i++) {
    json_open_object(w, NULL);
    json_put_string(w, "name", name(i));
    json_put_string(w, "summary", summary(i));
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_commands(json_writer *w, const server *s) {
  json_open_array(w, "commands");
  for (uint32_t i = 0; i < s->o.command_count; i++) {
    json_open_object(w, NULL);
    json_put_string(w, "name", s->o.commands[i].name);
    json_put_string(w, "summary", s->o.commands[i].summary);
    json_close_object(w);
  }
  json_close_array(w);
  json_open_array(w, "job_commands");
  for (uint32_t i = 0; i < s->o.command_count; i++)
    if (job_is_command(s->o.commands[i].name)) json_put_string(w, NULL, s->o.commands[i].name);
  json_close_array(w);
}

static void write_limits(json_writer *w, const server_options *o) {
  json_open_object(w, "limits");
  json_put_number(w, "job_seconds", o->job_seconds);
  json_put_integer(w, "job_bytes", (int64_t)o->job_bytes);
  json_put_integer(w, "job_output", (int64_t)o->job_output);
  json_put_integer(w, "jobs", (int64_t)o->jobs);
  json_put_integer(w, "queue", (int64_t)o->queue);
  json_put_integer(w, "sessions", (int64_t)o->sessions);
  json_put_integer(w, "think_seconds", 60);
  json_put_integer(w, "message", MESSAGE_MAX);
  json_put_integer(w, "files", JOB_FILES_MAX);
  json_close_object(w);
}

static void send_info(const server *s, connection *c) {
  arena *scratch = arena_new();
  text t = text_new(scratch);
  json_writer w = json_to(&t);
  json_open_object(&w, NULL);
  json_put_string(&w, "version", tabia_version());
  write_commands(&w, s);
  write_named(&w, "machines", tabia_kind_count(), tabia_kind_name, tabia_kind_summary);
  write_named(&w, "properties", tabia_property_count(), tabia_property_name,
              tabia_property_summary);
  write_named(&w, "methods", tabia_method_count(), tabia_method_name, tabia_method_summary);
  json_put_bool(&w, "session", server_has_command(s, "session"));
  json_put_bool(&w, "lsp", server_has_command(s, "lsp"));
  json_put_bool(&w, "why", server_has_command(s, "why"));
  json_put_bool(&w, "compiled", s->o.allows_compiled);
  json_open_array(&w, "games");
  for (uint32_t i = 0; i < s->o.game_count; i++) json_put_string(&w, NULL, s->o.games[i].name);
  json_close_array(&w);
  write_limits(&w, &s->o);
  json_close_object(&w);
  send_json(c, text_string(&t));
  arena_free(scratch);
}

/* ---- games ---- */

/* The words of the first comment. */
static slice title_of(const char *words, size_t length) {
  const char *line = length ? memchr(words, ';', length) : NULL;
  const char *end = words + length;
  if (!line) return (slice){"", 0};
  while (line < end && (*line == ';' || *line == ' ')) line++;
  const char *stop = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
  return (slice){line, (size_t)((stop ? stop : end) - line)};
}

static void write_rules(json_writer *w, const char *name, const char *words, size_t length) {
  tabia_rules *rules = NULL;
  tabia_rules_read_text(&rules, name, words, length, NULL);
  tabia_info *info = rules ? tabia_info_new(rules, NULL) : NULL;
  json_put_slice(w, "title", title_of(words, length));
  json_open_array(w, "roles");
  for (uint32_t i = 0; info && i < tabia_info_role_count(info); i++)
    json_put_string(w, NULL, tabia_info_role(info, i));
  json_close_array(w);
  json_put_bool(w, "hidden", info && tabia_info_is(info, TABIA_HAS_PERCEPTS));
  json_put_bool(w, "random", info && tabia_info_is(info, TABIA_HAS_RANDOM));
  json_put_integer(w, "bytes", (int64_t)length);
  tabia_info_free(info);
  tabia_rules_free(rules);
}

static void write_given(json_writer *w, const job_file *f) {
  json_open_object(w, NULL);
  json_put_string(w, "name", f->name);
  json_put_bool(w, "given", true);
  json_put_bool(w, "faulty", false);
  json_put_slice(w, "title", title_of(f->text.start, f->text.length));
  json_put_integer(w, "bytes", (int64_t)f->text.length);
  json_close_object(w);
}

static void write_game(json_writer *w, uint32_t i) {
  size_t length;
  const char *words = tabia_game_text(i, &length);
  json_open_object(w, NULL);
  json_put_string(w, "name", tabia_game_name(i));
  json_put_bool(w, "given", false);
  json_put_bool(w, "faulty", tabia_game_is_faulty(i));
  write_rules(w, tabia_game_name(i), words, length);
  json_close_object(w);
}

static void send_games(server *s, connection *c) {
  if (!s->game_list) {
    text t = text_new(s->keep);
    json_writer w = json_to(&t);
    json_open_object(&w, NULL);
    json_open_array(&w, "games");
    for (uint32_t i = 0; i < s->o.game_count; i++) write_given(&w, &s->o.games[i]);
    for (uint32_t i = 0; i < tabia_game_count(); i++) write_game(&w, i);
    json_close_array(&w);
    json_close_object(&w);
    s->game_list = text_string(&t);
  }
  send_json(c, s->game_list);
}

static void send_picture(server *s, connection *c, uint32_t game) {
  c->game = game;
  if (s->pictures[game]) {
    web_send(c, 200, "image/svg+xml", "Cache-Control: max-age=3600\r\n",
             slice_of(s->pictures[game]));
    return;
  }
  c->kind = FOR_PICTURE;
  work_begin(s, c);
}

static bool send_given(const server *s, connection *c, const char *name) {
  for (uint32_t i = 0; i < s->o.game_count; i++)
    if (!strcmp(s->o.games[i].name, name)) {
      web_send(c, 200, "text/plain; charset=utf-8", "Cache-Control: no-store\r\n",
               s->o.games[i].text);
      return true;
    }
  return false;
}

static bool find_picture(const char *name, uint32_t *game) {
  const size_t length = strlen(name);
  char words[WEB_PATH_MAX];
  if (length <= 4 || strcmp(name + length - 4, ".svg") != 0) return false;
  snprintf(words, sizeof words, "%.*s", (int)length - 4, name);
  *game = tabia_game_find(words);
  return *game < tabia_game_count();
}

static void send_game(server *s, connection *c, const char *name) {
  size_t length;
  uint32_t game = tabia_game_find(name);
  if (send_given(s, c, name)) return;
  if (game < tabia_game_count()) {
    const char *words = tabia_game_text(game, &length);
    web_send(c, 200, "text/plain; charset=utf-8", "Cache-Control: no-cache\r\n",
             (slice){words, length});
    return;
  }
  if (find_picture(name, &game))
    send_picture(s, c, game);
  else
    web_send_error(c, 404, "not-found", "there is no game of that name");
}

/* ---- WebSockets ---- */

static bool upgrade_kind(const char *path, connection_kind *kind) {
  *kind = !strcmp(path, "/ws/job") ? FOR_JOB : !strcmp(path, "/ws/session") ? FOR_SESSION : FOR_LSP;
  return *kind != FOR_LSP || !strcmp(path, "/ws/lsp");
}

static void upgrade(server *s, connection *c, const web_request *r) {
  char accept[WS_ACCEPT_SIZE];
  connection_kind kind;
  if (!upgrade_kind(r->path, &kind) || (kind == FOR_LSP && !server_has_command(s, "lsp"))) {
    web_send_error(c, 404, "not-found", "there is nothing of that name");
    return;
  }
  if (!slice_is_word(r->upgrade, "websocket") || r->key.length != 24 ||
      !slice_equals(r->version, "13")) {
    web_send_error(c, 400, "bad-request", "this path is a WebSocket");
    return;
  }
  ws_accept_key(r->key, accept);
  text_add_format(
      &c->out,
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: %s\r\n\r\n",
      accept);
  c->kind = kind;
  c->is_closing = false;
  work_begin(s, c);
}

/* ---- requests ---- */

static void answer_path(server *s, connection *c, const web_request *r) {
  static const char games[] = "/api/games/";
  if (!strncmp(r->path, "/ws/", 4))
    upgrade(s, c, r);
  else if (!strcmp(r->path, "/health"))
    send_health(s, c);
  else if (!strcmp(r->path, "/api/info"))
    send_info(s, c);
  else if (!strcmp(r->path, "/api/games"))
    send_games(s, c);
  else if (!strncmp(r->path, games, sizeof games - 1))
    send_game(s, c, r->path + sizeof games - 1);
  else
    send_page(c, r);
}

/* The token goes from the address to a cookie that scripts and other sites do not see. */
static bool take_token(const server *s, connection *c, const web_request *r) {
  char more[200];
  if (!s->o.access.token || strcmp(r->path, "/") != 0) return false;
  if (!access_is_token(&s->o.access, web_value(r->query, "token"))) return false;
  snprintf(more, sizeof more,
           "Location: /\r\nSet-Cookie: tabia_token=%s; HttpOnly; SameSite=Strict; Path=/\r\n",
           s->o.access.token);
  web_send(c, 303, "text/plain", more, (slice){"", 0});
  return true;
}

static bool is_refused(const server *s, connection *c, const web_request *r) {
  switch (access_of(&s->o.access, r)) {
    case ACCESS_HOST:
      web_send_error(c, 403, "host", "Host is not a name of this server: see --host");
      return true;
    case ACCESS_ORIGIN:
      web_send_error(c, 403, "origin", "requests of other sites are refused");
      return true;
    case ACCESS_TOKEN: web_send_error(c, 401, "token", "a token is demanded"); return true;
    case ACCESS_OK: break;
  }
  return false;
}

/* One line a request, without the query, which may hold a token. */
static void log_request(const server *s, const connection *c, const web_request *r, size_t before) {
  const uint32_t status =
      c->out.length >= before + 12 ? (uint32_t)strtoul(c->out.bytes + before + 9, NULL, 10) : 0;
  if (!s->o.log) return;
  fprintf(s->o.log, "%.3f %.*s %s %u\n", clock_now() - s->started, (int)r->method.length,
          r->method.start, r->path, status);
  fflush(s->o.log);
}

void web_answer_request(server *s, connection *c, const web_request *r) {
  const size_t before = c->out.length;
  const bool is_get = slice_equals(r->method, "GET");
  c->is_head = slice_equals(r->method, "HEAD");
  c->is_closing = r->is_last || r->has_body;
  if ((!is_get && !c->is_head) || r->has_body) {
    c->is_closing = true;
    web_send_error(c, 405, "method", "only GET and HEAD are answered");
  } else if (!is_refused(s, c, r) && !take_token(s, c, r)) {
    answer_path(s, c, r);
  }
  log_request(s, c, r, before);
}
