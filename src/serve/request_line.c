#include "serve/request_line.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WAITING_MAX = 1024 };

struct request_line {
  FILE *in;
  tabia_limits *limits;
  pthread_t reader;
  pthread_mutex_t lock;
  pthread_cond_t news;
  json_t *waiting[WAITING_MAX]; /* a ring */
  uint32_t first, count;
  bool at_end;
};

static bool is_stop(const json_t *request) {
  const char *method = json_string_value(json_object_get(request, "method"));
  return method && !strcmp(method, "stop");
}

static void add(request_line *l, json_t *request) {
  pthread_mutex_lock(&l->lock);
  while (l->count == WAITING_MAX) pthread_cond_wait(&l->news, &l->lock);
  l->waiting[(l->first + l->count++) % WAITING_MAX] = request;
  if (is_stop(request)) tabia_limits_cancel(l->limits);
  pthread_cond_broadcast(&l->news);
  pthread_mutex_unlock(&l->lock);
}

static void *read_all(void *context) {
  request_line *l = context;
  char *line = NULL;
  size_t capacity = 0;
  for (ssize_t length; (length = getline(&line, &capacity, l->in)) > 0;) {
    json_t *request = json_loadb(line, (size_t)length, 0, NULL);
    add(l, request ? request : json_null());
  }
  free(line);
  pthread_mutex_lock(&l->lock);
  l->at_end = true;
  tabia_limits_cancel(l->limits);
  pthread_cond_broadcast(&l->news);
  pthread_mutex_unlock(&l->lock);
  return NULL;
}

request_line *request_line_new(FILE *in, tabia_limits *limits) {
  request_line *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  l->in = in;
  l->limits = limits;
  pthread_mutex_init(&l->lock, NULL);
  pthread_cond_init(&l->news, NULL);
  if (pthread_create(&l->reader, NULL, read_all, l) == 0) return l;
  free(l);
  return NULL;
}

void request_line_free(request_line *l) {
  pthread_join(l->reader, NULL);
  pthread_mutex_destroy(&l->lock);
  pthread_cond_destroy(&l->news);
  free(l);
}

/* A stop that still waits is meant for what is taken now. */
static bool stop_is_waiting(const request_line *l) {
  for (uint32_t i = 0; i < l->count; i++)
    if (is_stop(l->waiting[(l->first + i) % WAITING_MAX])) return true;
  return false;
}

json_t *request_line_next(request_line *l) {
  pthread_mutex_lock(&l->lock);
  while (!l->count && !l->at_end) pthread_cond_wait(&l->news, &l->lock);
  json_t *request = l->count ? l->waiting[l->first] : NULL;
  if (request) {
    l->first = (l->first + 1) % WAITING_MAX;
    l->count--;
    if (!stop_is_waiting(l)) tabia_limits_reset(l->limits);
    pthread_cond_broadcast(&l->news);
  }
  pthread_mutex_unlock(&l->lock);
  return request;
}

bool request_line_is_stopped(request_line *l) {
  pthread_mutex_lock(&l->lock);
  const bool is_stopped = l->at_end || stop_is_waiting(l);
  pthread_mutex_unlock(&l->lock);
  return is_stopped;
}
