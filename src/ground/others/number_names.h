/* Names that gringo and SWI-Prolog can read, and back.

   A name of a rulesheet may have any bytes, but has a number in the symbol table.  So a constant is
   written as that number, a compound as f12(...), a variable as V3, and the relation with number 7
   as r7, or with another letter where a program needs several versions of it.  Both programs print
   terms in this form, too. */
#ifndef TABIA_GROUND_OTHERS_NUMBER_NAMES_H
#define TABIA_GROUND_OTHERS_NUMBER_NAMES_H

#include "base/process.h"
#include "ground/external.h"

/* The versions in which a relation can be written. */
typedef struct coded_relations {
  const program *program;
  analysis analysis;
  bool *is_kept;    /* by relation: its atoms are in the ground program */
  bool *is_relaxed; /* by relation: needed to find out what can be true and done */
} coded_relations;

void coded_relations_init(coded_relations *r, const program *p, arena *keep);

/* Both programs need every variable bound by a positive literal; a clause where one is not is
   reported (E401 to E403). */
bool clauses_are_safe(const program *p, diag_sink *d);

static inline bool relation_is_open(const coded_relations *r, relation_id id) {
  return r->analysis.is_open[id];
}

void code_term(const term_table *t, term_id id, text *out);
void code_variable(uint32_t number, text *out);
/* (3,f12(4,V0)), or nothing when there are no arguments. */
void code_arguments(const term_table *t, const term_id *args, uint32_t count, text *out);
void code_relation(char letter, relation_id r, text *out);
void code_atom(const program *p, char letter, term_id atom, text *out);

/* The output of a program, read while it runs. */
typedef struct code_reader {
  process *from;
  term_table *terms;
  id_vec stack; /* arguments of the compounds that are open */
  arena *scratch;
} code_reader;

/* Each is false when something else stands there. */
bool code_read_number(code_reader *r, uint32_t *number);
bool code_read_byte(code_reader *r, char byte);
/* The arguments of an atom, if any; they are the last `count` of r->stack, for the caller to take
   off. */
bool code_read_arguments(code_reader *r, uint32_t *count);

#endif
