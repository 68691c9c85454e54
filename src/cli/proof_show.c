#include "cli/proof_show.h"

#include "base/json.h"
#include "cli/output.h"

void proof_put_verdict(const tabia_proof *p, uint32_t i) {
  tabia_proof_write(p, i, "text", put_to_stdout, NULL, NULL);
  fflush(stdout);
}

void proof_put_json(const tabia_proof *p, const char *game) {
  arena *keep = arena_new();
  text head = text_new(keep);
  json_writer w = json_to(&head);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", game);
  json_open_array(&w, "verdicts");
  fputs(text_string(&head), stdout);
  arena_free(keep);
  for (uint32_t i = 0; i < tabia_proof_count(p); i++) {
    if (i) putchar(',');
    tabia_proof_write(p, i, "json", put_to_stdout, NULL, NULL);
  }
  puts("]}");
}
