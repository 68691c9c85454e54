/* Work that takes time: it has a copy of the text and limits of its own, and runs in a thread other
   than the one that handles messages.

   A job answers a request (then it has an id), or is a check of a document. Only the newest check
   of a document is useful: adding one cancels the others. Slow work has a thread of its own, so
   that no proof delays diagnostics. */
#ifndef TABIA_LSP_LSP_JOB_H
#define TABIA_LSP_LSP_JOB_H

#include "lsp/lsp_server.h"

typedef struct lsp_job lsp_job;

/* Does it; the answer, or NULL for a job that answers nothing. */
typedef json_t *lsp_work(lsp_server *s, lsp_job *j, lsp_failure *f);

struct lsp_job {
  arena *keep;
  lsp_work *work;
  json_t *id;         /* or NULL */
  json_t *params;     /* or NULL */
  lsp_document *copy; /* of the document as it was */
  tabia_limits *limits;
  bool is_slow;
  lsp_job *next;
};

typedef struct lsp_jobs lsp_jobs;

lsp_jobs *lsp_jobs_new(lsp_server *s, bool has_threads);
void lsp_jobs_free(lsp_jobs *jobs); /* cancels them and waits */

/* A job on a copy of the document; NULL: no document. */
lsp_job *lsp_job_new(lsp_work *work, const json_t *id, const json_t *params, const lsp_document *d);

/* Hands it over, and cancels older jobs of the same work on an older text of the document. */
void lsp_jobs_put(lsp_jobs *jobs, lsp_job *j);

/* Cancels what works on the document, or answers the request; false: there is no such job. */
void lsp_jobs_cancel_document(lsp_jobs *jobs, const char *uri);
bool lsp_jobs_cancel_request(lsp_jobs *jobs, const json_t *id);

#endif
