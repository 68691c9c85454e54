/* What the parts of the server share: a connection, the child that works for it, and the server. */
#ifndef TABIA_SERVE_CONNECTION_H
#define TABIA_SERVE_CONNECTION_H

#include "serve/child.h"
#include "serve/server.h"
#include "serve/web_request.h"
#include "tabia.h"

enum {
  MESSAGE_MAX = 4 << 20,
  LINE_MAX_BYTES = 32 << 20,
  OUT_MAX = 1 << 20,
  CONNECTIONS_MAX = 1024,
  BUFFERS_MAX = 512 << 20 /* of all connections together */
};

typedef enum connection_kind {
  FOR_WEB,     /* requests, one after another */
  FOR_PICTURE, /* a request that waits for a job */
  FOR_JOB,
  FOR_SESSION,
  FOR_LSP
} connection_kind;

typedef enum work_state { WORK_NONE, WORK_QUEUED, WORK_RUNNING, WORK_DONE } work_state;

typedef struct connection {
  arena *keep;
  int socket;
  connection_kind kind;
  text in, out;    /* bytes of the socket */
  text message;    /* of frames that are not the last */
  bool is_open;    /* a message has begun that has not ended */
  size_t sent;     /* of `out` */
  bool is_closing; /* when all is sent */
  bool is_shut;    /* all is sent, and what still comes is not read */
  bool is_head;    /* the request was HEAD */
  double heard;    /* the last byte came, or the last answer was done */
  double took;     /* the client took something, or there was nothing to take */
  double pinged;
  double shut; /* when it was */
  work_state work;
  uint64_t ticket; /* its turn in the queue */
  uint32_t told_place;
  job_request request;
  child child;
  text from_child[2]; /* out, err: what has come and is not sent on */
  text to_child;
  size_t to_child_sent;
  uint64_t output;     /* bytes of the child so far */
  const char *stopped; /* why it was stopped; NULL: it was not */
  uint32_t game;       /* of a picture */
} connection;

/* A child whose connection has gone, and which has been killed: it ends soon. */
typedef struct dying_child {
  child child;
  bool is_job;
} dying_child;

struct server {
  server_options o;
  arena *keep;
  own_folder temporary, folder;
  double started;
  uint64_t next_ticket, jobs_done, requests;
  uint32_t count, running, queued;
  connection *connections[CONNECTIONS_MAX];
  uint32_t dying_count;
  dying_child dying[CONNECTIONS_MAX];
  const char **pictures; /* by number of the game; NULL: not drawn yet */
  const char *game_list; /* the answer to /api/games; NULL: not asked for yet */
};

/* server_web.c */
void web_answer_request(server *s, connection *c, const web_request *r);
void web_send(connection *c, uint32_t status, const char *type, const char *more, slice body);
void web_send_error(connection *c, uint32_t status, const char *code, const char *message);
bool server_has_command(const server *s, const char *name);

/* server_work.c */
void work_take_message(server *s, connection *c, slice message);
void work_begin(server *s, connection *c); /* a session, a language server, or a picture */
void work_start_queued(server *s);
void work_read(server *s, connection *c, uint32_t which); /* 0: out, 1: err */
void work_write(connection *c);
void work_look(server *s, connection *c, double now); /* limits, ends */
void work_abandon(server *s, connection *c);          /* the connection goes */
void work_bury(server *s); /* children that were abandoned and have ended */
uint32_t work_count(const server *s, connection_kind kind);
void connection_send_close(connection *c);
void connection_refuse_length(connection *c); /* of a message */

#endif
