/* Any bytes: read them as a position, as a line of moves and as another start of a small game.  A
   position that is read must be what its text says, on every machine. */
#include "tabia.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One fluent never changes, two exclude each other, one has a name with a blank. */
static const char rules_text[] =
    "(role r) (role s) (init (wall 1)) (init even) (init (at a\\ b 1)) (legal s wait)\n"
    "(<= (legal r push) (true (wall ?x))) (legal r wait) (<= (next (wall ?x)) (true (wall ?x)))\n"
    "(<= (next even) (true odd)) (<= (next odd) (true even)) (<= (next (pair ?m ?n)) (does r ?m)\n"
    " (does s ?n)) (<= (next (at a\\ b ?n)) (true (at a\\ b ?m)) (plus ?m ?n)) (plus 1 2) (plus 2 3)\n"
    "(<= terminal (true (at ?x 3))) (<= (goal ?r 50) (role ?r))\n";

enum { POSITION_MAX = 1 << 13, TEXT_MAX = 1 << 12 };

static void require(bool holds) {
  if (!holds) abort();
}

static void read_back(const tabia_machine *m, const void *position) {
  unsigned char again[POSITION_MAX];
  char text[TEXT_MAX];
  const size_t length = tabia_position_text(m, position, text, sizeof text);
  require(length < sizeof text);
  require(tabia_position_read(m, "", text, length, again, NULL) == TABIA_OK);
  require(memcmp(again, position, tabia_position_size(m)) == 0);
}

static void read_on(const tabia_rules *rules, const char *kind, const char *text, size_t length) {
  unsigned char position[POSITION_MAX];
  tabia_machine *m;
  require(tabia_machine_open(&m, rules, kind, NULL, NULL) == TABIA_OK);
  require(tabia_position_size(m) <= sizeof position);
  if (tabia_position_read(m, "", text, length, position, NULL) == TABIA_OK) read_back(m, position);
  tabia_workspace *w = tabia_workspace_new(m, NULL);
  tabia_position_start(m, position);
  tabia_position_play(w, "", text, length, position, NULL);
  read_back(m, position);
  tabia_workspace_free(w);
  tabia_machine_close(m);
}

static void start_there(const tabia_rules *rules, const char *text, size_t length) {
  tabia_rules *other;
  tabia_machine *m;
  if (tabia_rules_with_start(&other, rules, "", text, length, NULL) != TABIA_OK) return;
  require(tabia_machine_open(&m, other, "reference", NULL, NULL) == TABIA_OK);
  tabia_machine_close(m);
  tabia_rules_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tabia_rules *rules;
  if (size > 1000) return 0;
  require(tabia_rules_read_text(&rules, "fuzz", rules_text, sizeof rules_text - 1, NULL) ==
          TABIA_OK);
  read_on(rules, "circuit", (const char *)data, size);
  read_on(rules, "datalog", (const char *)data, size);
  read_on(rules, "reference", (const char *)data, size);
  start_there(rules, (const char *)data, size);
  tabia_rules_free(rules);
  return 0;
}
