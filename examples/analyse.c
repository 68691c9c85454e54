/* analyse GAME [SECONDS]: what is wrong with a game, and what can be proved about it; each verdict
   is printed as soon as it is found. */
#include <tabia.h>

#include <stdio.h>
#include <stdlib.h>

static void print_line(const tabia_proof *proof, uint32_t i) {
  for (uint32_t step = 0; step < tabia_proof_line_length(proof, i); step++)
    printf("    %u. %s ...\n", step + 1, tabia_proof_line_move(proof, i, step, 0));
}

static void print_verdict(void *context, const tabia_proof *proof, uint32_t i) {
  (void)context;
  printf("%-20s %s, %.2f s\n", tabia_proof_property(proof, i),
         tabia_verdict_name(tabia_proof_verdict(proof, i)), tabia_proof_seconds(proof, i));
  if (tabia_proof_verdict(proof, i) == TABIA_REFUTED) print_line(proof, i);
  fflush(stdout);
}

static int prove(const tabia_rules *rules, double seconds, tabia_messages *log) {
  tabia_limits *limits = tabia_limits_new();
  tabia_proof *proof = tabia_proof_new(rules);
  tabia_limits_set_seconds(limits, seconds);
  tabia_proof_ask(proof, "playable, terminates, winnable, goals");
  const tabia_status status = tabia_proof_run(proof, NULL, limits, print_verdict, NULL, log);
  tabia_proof_free(proof);
  tabia_limits_free(limits);
  return (int)status;
}

int main(int argc, char **argv) {
  tabia_messages *log = tabia_messages_new();
  tabia_rules *rules = NULL;
  int status = 2;
  if (argc < 2)
    fprintf(stderr, "usage: analyse GAME [SECONDS]\n");
  else if (tabia_rules_read(&rules, argv[1], log) == TABIA_OK &&
           tabia_rules_check(rules, log) == TABIA_OK)
    status = prove(rules, argc > 2 ? atof(argv[2]) : 10, log);
  fputs(tabia_messages_text(log), stderr);
  tabia_rules_free(rules);
  tabia_messages_free(log);
  return status;
}
