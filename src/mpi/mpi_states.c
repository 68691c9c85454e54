/* States by level, as `tabia states` prints them. */
#include "base/budget.h"
#include "cli/levels_show.h"
#include "mpi/mpi_job.h"

tabia_status mpi_states(const mpi_job *j, const mpi_command *c, const tabia_exchange *e) {
  const double begin = clock_now();
  const uint32_t depth = c->depth < UINT32_MAX ? (uint32_t)c->depth : UINT32_MAX;
  tabia_levels *x = tabia_levels_new(j->machine);
  if (!x) return TABIA_LIMIT;
  tabia_levels_set_exchange(x, e);
  tabia_levels_set_checkpoint(x, c->checkpoint, c->save_every);
  const tabia_status status = tabia_levels_run(x, depth, j->limits, j->log);
  const bool has_counts = status == TABIA_OK || status == TABIA_LIMIT;
  if (has_counts && e->rank == 0 && c->as_json)
    levels_put_json(x, tabia_rules_name(j->rules), "walk", clock_now() - begin);
  if (has_counts && e->rank == 0 && !c->as_json) levels_put_text(x);
  tabia_levels_free(x);
  return status;
}
