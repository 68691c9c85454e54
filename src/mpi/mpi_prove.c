/* Properties of a game, proved or refuted as `tabia prove --method exhaustive` does it. */
#include "cli/proof_show.h"
#include "mpi/mpi_job.h"

static const char usual_properties[] = "playable, terminates, winnable, goals";

/* What verdicts are written with as they come. */
typedef struct verdict_printer {
  bool is_first, as_json; /* of all processes; an object is written whole, at the end */
} verdict_printer;

static void print_verdict(void *context, const tabia_proof *p, uint32_t i) {
  const verdict_printer *v = context;
  if (!v->is_first || v->as_json) return;
  proof_put_verdict(p, i);
}

tabia_status mpi_prove(const mpi_job *j, const mpi_command *c, const tabia_exchange *e) {
  verdict_printer printer = {e->rank == 0, c->as_json};
  tabia_proof *p = tabia_proof_new(j->rules);
  if (!p) return TABIA_LIMIT;
  tabia_proof_ask(p, c->properties ? c->properties : usual_properties);
  tabia_proof_set_exchange(p, e);
  tabia_proof_set_checkpoint(p, c->checkpoint, c->save_every);
  const tabia_status status = tabia_proof_run(p, NULL, j->limits, print_verdict, &printer, j->log);
  if (printer.is_first && c->as_json && tabia_proof_count(p))
    proof_put_json(p, tabia_rules_name(j->rules));
  tabia_proof_free(p);
  return status;
}
