/* Jobs, sessions and language servers: their children, and what is carried between them and clients. */
#include "base/budget.h"
#include "base/json.h"
#include "serve/connection.h"
#include "serve/ws_frame.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const double GRACE_SECONDS = 2; /* between the wish that it ends and its death */

uint32_t work_count(const server *s, connection_kind kind) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->count; i++)
    count += s->connections[i]->kind == kind && s->connections[i]->work == WORK_RUNNING;
  return count;
}

/* ---- what is sent ---- */

static void connection_send_text(connection *c, slice json) {
  ws_frame_add(&c->out, WS_TEXT, json);
}

static void send_close(connection *c, const char code[2]) {
  if (!c->is_closing) ws_frame_add(&c->out, WS_CLOSE, (slice){code, 2});
  c->is_closing = true;
}

void connection_send_close(connection *c) { send_close(c, "\x03\xe8"); } /* 1000: a usual end */

static void send_pair(connection *c, const char *key, slice value) {
  arena *scratch = arena_new();
  text t = text_new(scratch);
  json_writer w = json_to(&t);
  json_open_object(&w, NULL);
  json_put_slice(&w, key, value);
  json_close_object(&w);
  connection_send_text(c, (slice){t.bytes, t.length});
  arena_free(scratch);
}

static void send_place(connection *c, uint32_t place) {
  char words[40];
  snprintf(words, sizeof words, "{\"queued\":%" PRIu32 "}", place);
  connection_send_text(c, slice_of(words));
}

static void send_fault(connection *c, const char *code, const char *message) {
  arena *scratch = arena_new();
  text t = text_new(scratch);
  json_writer w = json_to(&t);
  json_open_object(&w, NULL);
  json_open_object(&w, "error");
  json_put_string(&w, "code", code);
  json_put_string(&w, "message", message);
  json_close_object(&w);
  json_close_object(&w);
  connection_send_text(c, (slice){t.bytes, t.length});
  arena_free(scratch);
  if (c->kind == FOR_JOB) connection_send_close(c);
}

void connection_refuse_length(connection *c) {
  send_fault(c, "message", "the message is too long");
  send_close(c, "\x03\xf1"); /* 1009 */
}

/* ---- starting ---- */

static bool start_child(server *s, connection *c, bool talks, double cpu_seconds) {
  const child_plan plan = {.program = s->o.program,
                           .parent = &s->folder,
                           .limits = {.cpu_seconds = (uint64_t)ceil(cpu_seconds),
                                      .memory = s->o.job_bytes,
                                      .file_size = s->o.job_output,
                                      .allows_programs = s->o.allows_compiled},
                           .words = c->request.words,
                           .files = c->request.files,
                           .file_count = c->request.file_count,
                           .talks = talks};
  if (!child_start(&c->child, &plan)) return false;
  c->work = WORK_RUNNING;
  return true;
}

static void refuse_work(connection *c, const char *code, const char *message) {
  c->work = WORK_DONE;
  if (c->kind == FOR_PICTURE) {
    c->kind = FOR_WEB;
    web_send_error(c, 503, code, message);
  } else {
    send_fault(c, code, message);
    connection_send_close(c);
  }
}

static void start_job(server *s, connection *c) {
  s->queued--;
  if (!start_child(s, c, false, s->o.job_seconds * 2 + 5)) {
    refuse_work(c, "system", strerror(errno));
    return;
  }
  s->running++;
  if (c->kind == FOR_JOB) connection_send_text(c, slice_of("{\"started\":true}"));
}

static connection *next_in_queue(server *s) {
  connection *first = NULL;
  for (uint32_t i = 0; i < s->count; i++) {
    connection *c = s->connections[i];
    if (c->work == WORK_QUEUED && (!first || c->ticket < first->ticket)) first = c;
  }
  return first;
}

void work_start_queued(server *s) {
  while (s->queued && s->running < s->o.jobs) start_job(s, next_in_queue(s));
}

static void join_queue(server *s, connection *c) {
  if (s->queued >= s->o.queue) {
    refuse_work(c, "busy", "too many jobs are waiting");
    return;
  }
  c->work = WORK_QUEUED;
  c->ticket = s->next_ticket++;
  s->queued++;
  if (c->kind == FOR_JOB && s->running >= s->o.jobs) {
    c->told_place = s->queued - 1;
    send_place(c, c->told_place);
  }
}

static void tell_place(const server *s, connection *c) {
  uint32_t place = 0;
  for (uint32_t i = 0; i < s->count; i++)
    place += s->connections[i]->work == WORK_QUEUED && s->connections[i]->ticket < c->ticket;
  if (place != c->told_place && c->kind == FOR_JOB) send_place(c, place);
  c->told_place = place;
}

/* With those that are about to end: they hold memory until they have. */
static uint32_t talk_count(const server *s) {
  uint32_t count = work_count(s, FOR_SESSION) + work_count(s, FOR_LSP);
  for (uint32_t i = 0; i < s->dying_count; i++) count += !s->dying[i].is_job;
  return count;
}

static void begin_talk(server *s, connection *c, const char *command) {
  if (talk_count(s) >= s->o.sessions) {
    refuse_work(c, "busy", "too many sessions are open");
    return;
  }
  c->request = (job_request){.words = {command}, .word_count = 1};
  if (!start_child(s, c, true, 3600)) refuse_work(c, "system", strerror(errno));
}

void work_begin(server *s, connection *c) {
  if (c->kind == FOR_SESSION) begin_talk(s, c, "session");
  if (c->kind == FOR_LSP) begin_talk(s, c, "lsp");
  if (c->kind == FOR_PICTURE) {
    c->request =
        (job_request){.words = {"board", tabia_game_name(c->game), "--random", "8", "--svg", "-"},
                      .word_count = 6};
    join_queue(s, c);
  }
}

/* ---- messages of clients ---- */

static bool is_cancel(slice message) {
  json_t *whole = json_loadb(message.start, message.length, 0, NULL);
  const bool is_one = json_is_true(json_object_get(whole, "cancel"));
  json_decref(whole);
  return is_one;
}

static void take_job_message(server *s, connection *c, slice message) {
  job_fault fault;
  if (c->work == WORK_NONE) {
    if (!job_request_read(&c->request, message, NULL, s->o.allows_compiled, c->keep, &fault))
      send_fault(c, fault.code, fault.message);
    else if (!server_has_command(s, c->request.words[0]))
      send_fault(c, "command", "this program has no such command");
    else
      join_queue(s, c);
  } else if (is_cancel(message)) {
    c->stopped = "cancelled";
    if (c->work == WORK_RUNNING) child_interrupt(&c->child);
    if (c->work != WORK_QUEUED) return;
    s->queued--;
    c->work = WORK_DONE;
    connection_send_text(c, slice_of("{\"status\":4,\"seconds\":0,\"stopped\":\"cancelled\"}"));
    connection_send_close(c);
  }
}

/* A line end inside JSON is a blank, since texts have none of their own. */
static void add_line(text *out, slice message) {
  for (size_t i = 0; i < message.length; i++)
    text_add_char(out,
                  message.start[i] == '\n' || message.start[i] == '\r' ? ' ' : message.start[i]);
  text_add_char(out, '\n');
}

static void take_talk(connection *c, slice message) {
  if (c->work != WORK_RUNNING) return;
  if (c->to_child.length - c->to_child_sent > 2 * (size_t)MESSAGE_MAX) {
    send_fault(c, "busy", "too many messages are waiting");
    return;
  }
  if (c->kind == FOR_LSP) {
    text_add_format(&c->to_child, "Content-Length: %zu\r\n\r\n", message.length);
    text_add_bytes(&c->to_child, message.start, message.length);
  } else {
    add_line(&c->to_child, message);
  }
  work_write(c);
}

void work_take_message(server *s, connection *c, slice message) {
  if (c->kind == FOR_JOB)
    take_job_message(s, c, message);
  else
    take_talk(c, message);
}

void work_write(connection *c) {
  while (c->child.out >= 0 && c->to_child_sent < c->to_child.length) {
    const ssize_t count = send(c->child.out, c->to_child.bytes + c->to_child_sent,
                               c->to_child.length - c->to_child_sent, MSG_NOSIGNAL);
    if (count <= 0) return;
    c->to_child_sent += (size_t)count;
  }
  text_clear(&c->to_child);
  c->to_child_sent = 0;
}

/* ---- what children say ---- */

static void forget_first(text *t, size_t count) {
  memmove(t->bytes, t->bytes + count, t->length - count);
  t->length -= count;
  t->bytes[t->length] = '\0';
}

/* The bytes that are whole characters: at most three more may be the beginning of one. */
static size_t whole_characters(const text *t) {
  for (size_t back = 1; back <= 3 && back <= t->length; back++) {
    const unsigned char byte = (unsigned char)t->bytes[t->length - back];
    if (byte >= 0xc0)
      return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? t->length - back : t->length;
    if (byte < 0x80) break;
  }
  return t->length;
}

static void send_piece(connection *c, uint32_t which, bool at_end) {
  text *t = &c->from_child[which];
  const size_t length = at_end || !t->length ? t->length : whole_characters(t);
  if (!length) return;
  send_pair(c, which ? "err" : "out", (slice){t->bytes, length});
  forget_first(t, length);
}

static void send_lines(connection *c) {
  text *t = &c->from_child[0];
  for (const char *end; t->length && (end = memchr(t->bytes, '\n', t->length));) {
    const size_t length = (size_t)(end - t->bytes);
    connection_send_text(c, (slice){t->bytes, length});
    forget_first(t, length + 1);
  }
}

/* "Content-Length: N", perhaps other lines, an empty one, N bytes. */
static bool send_lsp_message(connection *c) {
  text *t = &c->from_child[0];
  const char *end = t->length ? memmem(t->bytes, t->length, "\r\n\r\n", 4) : NULL;
  const char *words = end ? strcasestr(t->bytes, "Content-Length:") : NULL;
  if (!words || words > end) return false;
  const size_t head = (size_t)(end - t->bytes) + 4;
  const unsigned long length = strtoul(words + strlen("Content-Length:"), NULL, 10);
  if (length > t->length - head) return false;
  connection_send_text(c, (slice){t->bytes + head, length});
  forget_first(t, head + length);
  return true;
}

static void carry(connection *c, uint32_t which) {
  if (c->kind == FOR_JOB) send_piece(c, which, false);
  if (c->kind == FOR_SESSION) send_lines(c);
  while (c->kind == FOR_LSP && send_lsp_message(c)) continue;
}

static void stop_work(connection *c, const char *why) {
  if (!c->stopped) c->stopped = why;
  child_kill(&c->child);
}

void work_read(server *s, connection *c, uint32_t which) {
  char bytes[1 << 16];
  int *file = which ? &c->child.err : &c->child.out;
  if (*file < 0) return;
  const ssize_t count = recv(*file, bytes, sizeof bytes, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    close(*file);
    *file = -1;
    return;
  }
  c->output += (uint64_t)count;
  const uint64_t most =
      c->kind < FOR_SESSION ? s->o.job_output : LINE_MAX_BYTES + c->from_child[0].length;
  if (c->output > most && c->kind < FOR_SESSION) {
    stop_work(c, "output");
    return;
  }
  text_add_bytes(&c->from_child[which], bytes, (size_t)count);
  carry(c, which);
  if (c->from_child[which].length > LINE_MAX_BYTES) stop_work(c, "output");
}

/* ---- ends ---- */

static bool is_input(const connection *c, const char *name) {
  for (uint32_t i = 0; i < c->request.file_count; i++)
    if (!strcmp(c->request.files[i].name, name)) return true;
  return false;
}

static void send_file(server *s, connection *c, const char *name) {
  arena *scratch = arena_new();
  text out = text_new(scratch), t = text_new(scratch);
  json_writer w = json_to(&out);
  char bytes[1 << 14];
  struct stat about;
  const int file =
      openat(c->child.folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    arena_free(scratch);
    return;
  }
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
      (uint64_t)about.st_size <= s->o.job_output)
    for (ssize_t count; (count = read(file, bytes, sizeof bytes)) > 0;)
      text_add_bytes(&t, bytes, (size_t)count);
  close(file);
  json_open_object(&w, NULL);
  json_put_string(&w, "file", name);
  json_put_slice(&w, "text", (slice){text_string(&t), t.length});
  json_close_object(&w);
  connection_send_text(c, (slice){out.bytes, out.length});
  arena_free(scratch);
}

static void send_files(server *s, connection *c) {
  const int copy = openat(c->child.folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = copy >= 0 ? fdopendir(copy) : NULL;
  uint32_t count = 0;
  if (!folder) return;
  for (const struct dirent *entry; (entry = readdir(folder)) && count < JOB_FILES_MAX;)
    if (job_is_file_name(entry->d_name) && !is_input(c, entry->d_name)) {
      send_file(s, c, entry->d_name);
      count++;
    }
  closedir(folder);
}

/* How the program ended: its exit status, or that of a limit where a signal did it. */
static int exit_of(connection *c, int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  if (!c->stopped) {
    text t = text_new(c->keep);
    text_add_format(&t, "signal %d", WTERMSIG(status));
    c->stopped = WTERMSIG(status) == SIGXCPU ? "time" : text_string(&t);
  }
  return TABIA_LIMIT;
}

static void send_end(connection *c, int status) {
  text t = text_new(c->keep);
  json_writer w = json_to(&t);
  const int code = exit_of(c, status);
  json_open_object(&w, NULL);
  if (c->kind != FOR_JOB) json_open_object(&w, "ended");
  json_put_integer(&w, "status", code);
  json_put_number(&w, "seconds", clock_now() - c->child.started);
  json_put_string(&w, "stopped", c->stopped);
  if (c->kind != FOR_JOB) json_close_object(&w);
  json_close_object(&w);
  connection_send_text(c, (slice){t.bytes, t.length});
  connection_send_close(c);
}

static void end_picture(server *s, connection *c, int status) {
  const text *t = &c->from_child[0];
  c->kind = FOR_WEB;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && t->length) {
    s->pictures[c->game] = arena_copy_text(s->keep, t->bytes, t->length);
    web_send(c, 200, "image/svg+xml", "", slice_of(s->pictures[c->game]));
  } else {
    web_send_error(c, 503, "busy", "the picture could not be drawn");
  }
  text_clear(&c->from_child[0]);
}

static void end_work(server *s, connection *c, int status) {
  c->work = WORK_DONE;
  if (c->kind == FOR_PICTURE) {
    end_picture(s, c, status);
    c->work = WORK_NONE;
  } else {
    if (c->kind == FOR_JOB) {
      send_piece(c, 0, true);
      send_piece(c, 1, true);
      send_files(s, c);
    }
    send_end(c, status);
  }
  child_clear(&c->child, &s->folder);
}

static bool is_job(const connection *c) { return c->kind <= FOR_JOB; }

static void hold_to_time(const server *s, connection *c, double now) {
  child *x = &c->child;
  if (x->interrupted > 0 && now - x->interrupted > GRACE_SECONDS) child_kill(x);
  if (is_job(c) && x->interrupted <= 0 && now - x->started > s->o.job_seconds) {
    c->stopped = "time";
    child_interrupt(x);
  }
}

void work_look(server *s, connection *c, double now) {
  int status;
  if (c->work == WORK_QUEUED) tell_place(s, c);
  if (c->work != WORK_RUNNING) return;
  hold_to_time(s, c, now);
  if (c->child.out >= 0 || c->child.err >= 0 || !child_has_ended(&c->child, &status)) return;
  if (is_job(c)) {
    s->running--;
    s->jobs_done++;
  }
  end_work(s, c, status);
}

/* Its end is not waited for, but it counts among those that run until then. */
void work_abandon(server *s, connection *c) {
  if (c->work == WORK_QUEUED) s->queued--;
  if (c->work != WORK_RUNNING) return;
  child_kill(&c->child);
  while (s->dying_count == CONNECTIONS_MAX) {
    work_bury(s);
    poll(NULL, 0, 1);
  }
  s->dying[s->dying_count++] = (dying_child){c->child, is_job(c)};
  c->child = (child){.out = -1, .err = -1, .folder = {.descriptor = -1}};
  c->work = WORK_DONE;
}

void work_bury(server *s) {
  int status;
  for (uint32_t i = s->dying_count; i-- > 0;) {
    dying_child *d = &s->dying[i];
    if (!child_has_ended(&d->child, &status)) continue;
    if (d->is_job) s->running--;
    child_clear(&d->child, &s->folder);
    *d = s->dying[--s->dying_count];
  }
}
