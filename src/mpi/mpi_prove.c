/* Properties of a game, proved or refuted as `tabia prove --method exhaustive` does it. */
#include "base/json.h"
#include "mpi/mpi_job.h"

#include <stdio.h>

static const char usual_properties[] = "playable, terminates, winnable, goals";

static void put_to_stdout(void *context, const char *bytes, size_t length) {
  (void)context;
  fwrite(bytes, 1, length, stdout);
}

/* What verdicts are written with as they come. */
typedef struct verdict_printer {
  bool is_first, as_json; /* of all processes; an object is written whole, at the end */
} verdict_printer;

static void print_verdict(void *context, const tabia_proof *p, uint32_t i) {
  const verdict_printer *v = context;
  if (!v->is_first || v->as_json) return;
  tabia_proof_write(p, i, "text", put_to_stdout, NULL, NULL);
  fflush(stdout);
}

static void put_as_json(const mpi_job *j, const tabia_proof *p) {
  arena *keep = arena_new();
  text head = text_new(keep);
  json_writer w = json_to(&head);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(j->rules));
  json_open_array(&w, "verdicts");
  fputs(text_string(&head), stdout);
  arena_free(keep);
  for (uint32_t i = 0; i < tabia_proof_count(p); i++) {
    if (i) putchar(',');
    tabia_proof_write(p, i, "json", put_to_stdout, NULL, NULL);
  }
  puts("]}");
}

tabia_status mpi_prove(const mpi_job *j, const mpi_command *c, const tabia_exchange *e) {
  verdict_printer printer = {e->rank == 0, c->as_json};
  tabia_proof *p = tabia_proof_new(j->rules);
  if (!p) return TABIA_LIMIT;
  tabia_proof_ask(p, c->properties ? c->properties : usual_properties);
  tabia_proof_set_exchange(p, e);
  tabia_proof_set_checkpoint(p, c->checkpoint, c->save_every);
  const tabia_status status = tabia_proof_run(p, NULL, j->limits, print_verdict, &printer, j->log);
  if (printer.is_first && c->as_json && tabia_proof_count(p)) put_as_json(j, p);
  tabia_proof_free(p);
  return status;
}
