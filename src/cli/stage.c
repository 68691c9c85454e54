#include "cli/stage.h"

const char *const bases_words[] = {"onestep", "declared", "iterative", NULL};
const char *const translation_words[] = {"original", "direct", "pruned", NULL};
const char *const knowledge_base_words[] = {"dense", "hash", "trie", NULL};

/* The file is opened when the first piece comes: what fails before leaves an older file as it is.
 */
typedef struct late_output {
  output o;
  const char *path;
  bool is_begun;
} late_output;

static void put_piece(void *context, const char *bytes, size_t length) {
  late_output *l = context;
  if (!l->is_begun) output_begin(&l->o, l->path);
  l->is_begun = true;
  const text_sink to = output_sink(&l->o);
  to.take(to.context, bytes, length);
}

int stage_write(session *s, const char *stage, const char *path) {
  late_output l = {.path = path};
  const tabia_status result =
      tabia_rules_write(s->rules, stage, s->options, s->limits, put_piece, &l, s->log);
  const bool is_written = !l.is_begun || output_end(&l.o);
  const int status = session_show_from(s, result, TABIA_WARNING);
  return status == EXIT_YES && !is_written ? EXIT_CANNOT_READ : status;
}
