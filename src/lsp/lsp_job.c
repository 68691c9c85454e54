#include "lsp/lsp_job.h"

#include "base/recovery.h"

enum { QUEUE_COUNT = 2 }; /* quick jobs, slow ones */

typedef struct job_queue {
  lsp_jobs *of;
  lsp_job *first; /* waiting, the oldest first */
  lsp_job *now;   /* being done; or NULL */
  pthread_t thread;
} job_queue;

struct lsp_jobs {
  arena *keep;
  lsp_server *server;
  bool has_threads, is_over;
  pthread_mutex_t lock;
  pthread_cond_t change;
  job_queue queues[QUEUE_COUNT];
};

/* ---- one job ---- */

lsp_job *lsp_job_new(lsp_work *work, const json_t *id, const json_t *params,
                     const lsp_document *d) {
  arena *keep = arena_new();
  lsp_job *j = arena_alloc_zero(keep, sizeof *j);
  *j = (lsp_job){.keep = keep, .work = work, .limits = tabia_limits_new()};
  if (id) j->id = json_deep_copy(id);
  if (params) j->params = json_deep_copy(params);
  if (!d) return j;
  j->copy = lsp_document_new(d->uri, d->encoding);
  lsp_document_set(j->copy, d->words.bytes, d->words.length);
  j->copy->version = d->version;
  j->copy->revision = d->revision;
  return j;
}

static void job_free(lsp_job *j) {
  lsp_document_free(j->copy);
  tabia_limits_free(j->limits);
  json_decref(j->id);
  json_decref(j->params);
  arena_free(j->keep);
}

/* The answer to a cancelled request. */
static void refuse(lsp_server *s, const lsp_job *j) {
  lsp_failure f = {0};
  if (!j->id) return;
  lsp_fail(&f, LSP_CANCELLED, "cancelled");
  lsp_send_answer(s, j->id, NULL, &f);
}

typedef struct performance {
  lsp_server *server;
  lsp_job *job;
  json_t *result;
  lsp_failure failure;
} performance;

static void work_on_job(void *context) {
  performance *p = context;
  p->result = p->job->work(p->server, p->job, &p->failure);
}

/* Any thread may do it: where memory ends, the request fails and the server goes on. */
static void perform(lsp_server *s, lsp_job *j) {
  performance p = {.server = s, .job = j};
  if (!recovery_try(NULL, work_on_job, &p))
    lsp_fail(&p.failure, LSP_REQUEST_FAILED, "there is no memory left");
  if (j->id)
    lsp_send_answer(s, j->id, p.result, &p.failure);
  else
    json_decref(p.result);
}

/* ---- threads ---- */

static lsp_job *take_first(job_queue *q) {
  lsp_jobs *jobs = q->of;
  pthread_mutex_lock(&jobs->lock);
  while (!q->first && !jobs->is_over) pthread_cond_wait(&jobs->change, &jobs->lock);
  lsp_job *j = jobs->is_over ? NULL : q->first;
  if (j) q->first = j->next;
  q->now = j;
  pthread_mutex_unlock(&jobs->lock);
  return j;
}

static void *run_queue(void *queue) {
  job_queue *q = queue;
  lsp_job *j;
  while ((j = take_first(q)) != NULL) {
    perform(q->of->server, j);
    pthread_mutex_lock(&q->of->lock);
    q->now = NULL;
    pthread_mutex_unlock(&q->of->lock);
    job_free(j);
  }
  return NULL;
}

lsp_jobs *lsp_jobs_new(lsp_server *s, bool has_threads) {
  arena *keep = arena_new();
  lsp_jobs *jobs = arena_alloc_zero(keep, sizeof *jobs);
  *jobs = (lsp_jobs){.keep = keep, .server = s, .has_threads = has_threads};
  pthread_mutex_init(&jobs->lock, NULL);
  pthread_cond_init(&jobs->change, NULL);
  for (uint32_t i = 0; i < QUEUE_COUNT; i++) {
    jobs->queues[i].of = jobs;
    if (has_threads && pthread_create(&jobs->queues[i].thread, NULL, run_queue, &jobs->queues[i]))
      jobs->has_threads = has_threads = false; /* it goes without */
  }
  return jobs;
}

static void cancel_all(lsp_jobs *jobs) {
  for (uint32_t i = 0; i < QUEUE_COUNT; i++)
    if (jobs->queues[i].now) tabia_limits_cancel(jobs->queues[i].now->limits);
}

void lsp_jobs_free(lsp_jobs *jobs) {
  pthread_mutex_lock(&jobs->lock);
  jobs->is_over = true;
  cancel_all(jobs);
  pthread_cond_broadcast(&jobs->change);
  pthread_mutex_unlock(&jobs->lock);
  for (uint32_t i = 0; i < QUEUE_COUNT; i++) {
    if (jobs->has_threads) pthread_join(jobs->queues[i].thread, NULL);
    for (lsp_job *j = jobs->queues[i].first, *next; j; j = next) {
      next = j->next;
      job_free(j);
    }
  }
  pthread_cond_destroy(&jobs->change);
  pthread_mutex_destroy(&jobs->lock);
  arena_free(jobs->keep);
}

/* ---- cancelling ---- */

typedef bool job_test(const lsp_job *j, const void *wanted);

static bool is_of_document(const lsp_job *j, const void *uri) {
  return j->copy && strcmp(j->copy->uri, uri) == 0;
}

static bool is_request(const lsp_job *j, const void *id) { return j->id && json_equal(j->id, id); }

/* An older job of the same work whose text is out of date; a request stays, and is answered. */
static bool is_replaced(const lsp_job *j, const void *by) {
  const lsp_job *newer = by;
  return !j->id && j->work == newer->work && newer->copy && is_of_document(j, newer->copy->uri);
}

/* Takes those that wait and cancels those that are under way; the caller holds the lock. */
static lsp_job *take_out(lsp_jobs *jobs, job_test *test, const void *wanted, bool *found) {
  lsp_job *out = NULL;
  for (uint32_t i = 0; i < QUEUE_COUNT; i++) {
    job_queue *q = &jobs->queues[i];
    if (q->now && test(q->now, wanted)) {
      tabia_limits_cancel(q->now->limits);
      *found = true;
    }
    for (lsp_job **at = &q->first; *at;) {
      lsp_job *j = *at;
      if (!test(j, wanted)) {
        at = &j->next;
        continue;
      }
      *at = j->next;
      j->next = out;
      out = j;
      *found = true;
    }
  }
  return out;
}

static bool cancel(lsp_jobs *jobs, job_test *test, const void *wanted) {
  bool found = false;
  pthread_mutex_lock(&jobs->lock);
  lsp_job *out = take_out(jobs, test, wanted, &found);
  pthread_mutex_unlock(&jobs->lock);
  for (lsp_job *next; out; out = next) {
    next = out->next;
    refuse(jobs->server, out);
    job_free(out);
  }
  return found;
}

void lsp_jobs_cancel_document(lsp_jobs *jobs, const char *uri) {
  cancel(jobs, is_of_document, uri);
}

bool lsp_jobs_cancel_request(lsp_jobs *jobs, const json_t *id) {
  return cancel(jobs, is_request, id);
}

void lsp_jobs_put(lsp_jobs *jobs, lsp_job *j) {
  if (!jobs->has_threads) {
    perform(jobs->server, j);
    job_free(j);
    return;
  }
  cancel(jobs, is_replaced, j);
  pthread_mutex_lock(&jobs->lock);
  lsp_job **at = &jobs->queues[j->is_slow].first;
  while (*at) at = &(*at)->next;
  *at = j;
  pthread_cond_broadcast(&jobs->change);
  pthread_mutex_unlock(&jobs->lock);
}
